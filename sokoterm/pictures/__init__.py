"""Boards as pictures in pixel art, independent of any terminal."""

SKINS = ("dungeon", "warehouse", "paper")
"""The skins that ship with sokoterm, as files beside this one."""
