"""What screens ask of the score table that all accounts share; score_words.py answers it, where there is one."""

from typing import Protocol

from sokoterm.engine.level import Level


class Scoreboard(Protocol):
    """The best of everybody, in words; empty where nobody has solved a level, or the table cannot be read."""

    def facts(self, level: Level) -> str:
        """The best by pushes and by moves, with names and dates, for a list."""

    def verdict(self, level: Level, moves: int, pushes: int) -> str:
        """How a solution compares with them."""

    def enter(self, level: Level, lurd: str) -> None:
        """Enter a solution under the player's name."""

    def close(self) -> None:
        """Nothing more is entered."""
