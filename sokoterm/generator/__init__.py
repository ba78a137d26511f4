"""Level generator, based only on engine and solver; the entry point is ``make.making``.

Randomness comes from a ``Dice``, and limits count positions, not seconds, so the same arguments give the same level on
every machine.
"""
