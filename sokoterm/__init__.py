"""Sokoban for people who live in a terminal."""

__version__ = "0.1.0"
