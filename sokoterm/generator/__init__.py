"""Levels made by the program: pure, on engine and solver only.

``make.making`` is the door, and ``bands.making_ordered`` where the level is to be as hard as asked for.  Chance comes
in as a ``Dice``, limits count positions and never seconds: the same arguments give the same level on every machine.
"""
