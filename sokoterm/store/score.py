"""Scores as values, generated levels with the effort put into them, and the table of all accounts as a protocol.

They stand apart from the tables, so that the first frame does not wait for these to load.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, measure
from sokoterm.engine.value import Value


class Score(Value):
    """A person's result, replayed on the level asked for; the date is in seconds since 1970."""

    name: str
    moves: int
    pushes: int
    date: float


class Standing(Value):
    """The best by moves and by pushes; None if nobody has solved the level."""

    by_moves: Score | None = None
    by_pushes: Score | None = None


class MadeLevel(NamedTuple):
    """A generated level as stored: its picture and a solution of the fewest pushes.

    ``recipe`` is the version of the generator that made it.
    """

    recipe: int
    xsb: str
    lurd: str

    @property
    def par(self) -> int:
        """The fewest pushes."""
        return measure(self.lurd).pushes


class Effort(NamedTuple):
    """The effort put into a level until it was solved; ``solved`` is the date in seconds since 1970.

    ``undos`` counts steps back, ``hints`` requested hints, ``shown`` solutions viewed. Once the level is solved nothing
    changes any more.
    """

    seconds: float = 0.0
    undos: int = 0
    hints: int = 0
    shown: int = 0
    solved: float | None = None
    pushes: int = 0
    moves: int = 0

    @property
    def is_helped(self) -> bool:
        return bool(self.hints or self.shown)


class RunScore(Value):
    """Score of a descent: its seed, its start in seconds since 1970, and its cost so far.

    ``floors`` is the number solved, ``over`` the pushes beyond the fewest in total; ``undos`` counts steps back,
    ``hints`` requested hints, ``shown`` solutions viewed. An empty name is the player's own.
    """

    name: str
    seed: int
    begun: float
    is_over: bool
    floors: int
    over: int
    undos: int
    hints: int
    shown: int
    pushes: int
    moves: int
    seconds: float

    @property
    def is_own(self) -> bool:
        """True for a run of the player's own."""
        return not self.name

    def row(self, name: str) -> tuple[str | int | float, ...]:
        """Return the fields in order, under another name."""
        others: tuple[str | int | float, ...] = self._values()[1:]  # type: ignore[assignment]
        return (name, *others)


class TooLongError(Exception):
    """More steps would have to be replayed than were asked for."""


class Scoreboard(Protocol):
    """The best of every account; nothing is known of a level that nobody has solved, or if the table is unreadable."""

    @property
    def name(self) -> str:
        """The name of the account that scores are entered under."""

    def standing(self, level: Level, most: int | None = None) -> Standing:
        """The best of a level; raises TooLongError before it replays over ``most`` steps for one of the two."""

    def enter(self, level: Level, solution: Solution) -> None:
        """Enter a solution that was replayed."""

    def record_run(self, run: RunScore) -> None:
        """Enter the score of a run so far."""

    def runs(self) -> Sequence[RunScore]:
        """The best runs of every account."""

    def close(self) -> None:
        """Write what waits; nothing more is entered."""
