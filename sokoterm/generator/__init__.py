"""Level generator: pure, on engine and solver only.

The entry points are ``make.making`` and, for a level of a given difficulty, ``make.making_ordered``.  Randomness comes
from a ``Dice``, and limits count positions, never seconds: the same arguments give the same level on every machine.
"""
