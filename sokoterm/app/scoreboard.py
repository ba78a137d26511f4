"""What screens ask of the score table that all accounts share; score_words.py answers it, where there is one."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Slices
from sokoterm.store.run_score import RunScore

_PackSession = TypeVar("_PackSession", covariant=True)


class RunTable(Protocol[_PackSession]):
    """The runs of a person, and those of others where all share a table; raises PackError where they cannot be read."""

    def open_last(self) -> _PackSession:
        """The open run that was played last, else a new one."""

    def of_seed(self, seed: int) -> _PackSession:
        """The open run of a seed that was played last, else a new one."""

    def table(self) -> Sequence[RunScore]:
        """All runs, the best first."""

    def is_own(self, run: RunScore) -> bool:
        """Whether it is one of this person's."""

    def resume(self, run: RunScore) -> _PackSession:
        """Go on with a run of one's own."""

    def begin(self, seed: int | None = None) -> _PackSession:
        """A new run with a seed, or with any."""


class Scoreboard(Protocol):
    """The best of everybody, in words; empty where nobody has solved a level, or the table cannot be read.

    What is asked for is replayed in slices.
    """

    def facts(self, level: Level) -> Slices[str]:
        """The best by pushes and by moves, with names and dates, for a list."""

    def verdict(self, level: Level, moves: int, pushes: int) -> Slices[str]:
        """How a solution compares with them."""

    def enter(self, level: Level, solution: Solution) -> None:
        """Enter a solution that was replayed under the player's name."""

    def enter_run(self, run: RunScore) -> None:
        """Enter what a run has come to so far under the player's name."""

    def runs(self) -> Sequence[RunScore]:
        """The best runs of all others."""

    def close(self) -> None:
        """Nothing more is entered."""
