"""Levels made by the program: pure, on engine and solver only.

``make.making`` is the door, or ``make.make_level`` where nothing has to break it off.  Chance comes in as a ``Dice``,
limits count positions and never seconds: the same arguments give the same level on every machine.
"""
