"""Levels made by the program: pure, on engine and solver only.

``make.make_level`` is the door.  Chance comes in as a ``Dice``, limits count positions and never seconds: the same
arguments give the same level on every machine.
"""
