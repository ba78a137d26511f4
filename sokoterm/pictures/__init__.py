"""Boards as pictures in pixel art; nothing here knows a terminal."""

SKINS = ("dungeon", "warehouse", "paper")
"""The skins that ship with sokoterm, as files beside this one."""
