"""Level generator: pure, on engine and solver only.

The entry point is ``make.making``.  Randomness comes from a ``Dice``, and limits count positions, never seconds: the
same arguments give the same level on every machine.
"""
