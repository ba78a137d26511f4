"""Difficulty of a level: one number, computed from figures that can each be explained.

Imports no search, so stored ratings are read quickly.
"""

from bisect import bisect
from math import exp
from typing import NamedTuple

from sokoterm.engine.lurd import begins_solved
from sokoterm.language import _, listed, ngettext, pgettext
from sokoterm.solver.search import Status

# Raise this whenever the number of some level changes, here or in the searches: stored figures are then recomputed.
FIGURES_VERSION = 3

RATING_SECONDS = 10.0
"""Time after which rating a level is given up: far more than a board of the usual size takes."""

# Points for each doubling of the positions searched for each one on the way, and of the luck in bits; and those of a
# level of one push.  Fitted by ``python3 -m tests.bench difficulty --humans`` (docs/solver.md, "Difficulty").
_FOR_SEARCH = 5
_FOR_LUCK = 9
_BASE = 10
# The share of players who give up is a logistic curve: none of the numbers is the middle and the width.
_HALF_AT, _WIDTH = 78, 35
# The ways and luck of a level that was not solved, per 4 pushes: medians of levels that took more than 150 positions.
_WAYS_OF_UNSOLVED, _LUCK_OF_UNSOLVED = 10, 5
# Above every figure.
_MOST = 1 << 63


class DifficultyFigures(NamedTuple):
    """Figures behind the difficulty of a level.

    ``status``: if SOLVED, ``pushes`` are those of a solution; else a lower bound.  ``lower_bound``: pushes needed if
    boxes never blocked each other.  ``nodes``: positions searched.  ``ways``: positions on solutions with as many
    pushes.  ``luck``: bits of luck that a player who pushes at random needs to solve the level with as many.
    """

    status: Status
    boxes: int
    floor: int
    lower_bound: int
    nodes: int
    pushes: int
    ways: int
    luck: int

    @property
    def is_solved(self) -> bool:
        return self.status is Status.SOLVED

    @property
    def gap(self) -> int:
        """Pushes needed because boxes block each other."""
        return self.pushes - self.lower_bound


def written(figures: DifficultyFigures) -> str:
    """Return figures as text for storage."""
    return " ".join(map(str, figures))


def read_figures(text: str) -> DifficultyFigures | None:
    """Parse stored figures; None if the text is empty or damaged.

    >>> figures = DifficultyFigures(Status.SOLVED, 1, 5, 1, 1, 1, 2, 0)
    >>> read_figures(written(figures)) == figures, read_figures("solved 1"), read_figures("")
    (True, None, None)
    """
    status, *numbers = text.split(" ")
    try:
        figures = DifficultyFigures(Status(status), *map(int, numbers))
    except (ValueError, TypeError):
        return None
    return figures if figures.floor and all(0 <= each < _MOST for each in figures[1:]) else None


def difficulty(figures: DifficultyFigures) -> int:
    """Return the difficulty, from 0 without limit; it never decreases as nodes or luck grow, or ways shrink."""
    ways, luck = figures.ways, figures.luck
    if not figures.is_solved:
        ways, luck = figures.pushes * _WAYS_OF_UNSOLVED // 4, figures.pushes * _LUCK_OF_UNSOLVED // 4
    sixteenths = (
        16 * _BASE + _FOR_SEARCH * (doublings(figures.nodes) - doublings(ways)) + _FOR_LUCK * doublings(1 + luck)
    )
    return max(0, sixteenths) // 16


def who_give_up(number: int) -> str:
    """Return the share of players who give up a level of a difficulty as text: ``1 in 4 gives up``.

    >>> who_give_up(0), who_give_up(55), who_give_up(100)
    ('1 in 10 gives up', '1 in 3 gives up', '2 in 3 give up')
    """
    share = 1 / (1 + exp((_HALF_AT - number) / _WIDTH))
    n, of = min(
        ((1, 10), (1, 6), (1, 5), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4)),
        key=lambda ratio: abs(ratio[0] / ratio[1] - share),
    )
    # Translators: of the players who begin a level.
    return ngettext("{n} in {of} gives up", "{n} in {of} give up", n, of=of)


def in_words(figures: DifficultyFigures | None) -> str:
    """Return the difficulty in words; None means that the level was not rated.

    >>> in_words(DifficultyFigures(Status.SOLVED, 1, 5, 1, 1, 1, 2, 0))
    '5 (for beginners, 1 in 10 gives up)'
    """
    if figures is None:
        return _("not rated within {seconds} s", seconds=round(RATING_SECONDS))
    points = difficulty(figures)
    number = _("{figure} ({more})", figure=points, more=listed([_word(points), who_give_up(points)]))
    match figures.status:
        case Status.SOLVED:
            return number
        case Status.GAVE_UP:
            return _("at least {difficulty}", difficulty=number)
        case Status.BEGINS_SOLVED:
            return begins_solved()
    return _("no solution")


def _word(number: int) -> str:
    """Name the band of a difficulty: one of the generator's, or an easier one."""
    words = (
        pgettext("difficulty", "for beginners"),
        pgettext("difficulty", "easy"),
        pgettext("difficulty", "medium"),
        pgettext("difficulty", "hard"),
        pgettext("difficulty", "fiendish"),
    )
    return words[bisect((35, 50, 65, 80), number)]


def in_short(figures: DifficultyFigures | None) -> str:
    """Return the difficulty for a table column: ``71+`` is a lower bound, ``-`` no solution, ``?`` not rated."""
    if figures is None:
        return "?"
    number = str(difficulty(figures))
    return {Status.SOLVED: number, Status.GAVE_UP: f"{number}+"}.get(figures.status, "-")


def explained(figures: DifficultyFigures | None) -> list[tuple[str, str]]:
    """Return the parts of the difficulty as (label, text) pairs."""
    if figures is None or figures.status is Status.BEGINS_SOLVED:
        return []
    label = pgettext("part of a difficulty", "search")
    if not figures.is_solved:
        search = ngettext("not solved within {n:,} position", "not solved within {n:,} positions", figures.nodes)
        pushes = _("at least {pushes}", pushes=figures.pushes)
        return [(label, search), (pgettext("part of a difficulty", "pushes"), pushes)]
    search = ngettext("solved within {n:,} position", "solved within {n:,} positions", figures.nodes)
    ways = ngettext("{n:,} position on a shortest way", "{n:,} positions on shortest ways", figures.ways)
    luck = _("solved by random pushes once in 2^{n} games", n=figures.luck)
    return [
        (label, search),
        (pgettext("part of a difficulty", "ways"), ways),
        (pgettext("part of a difficulty", "luck"), luck),
    ]


def doublings(number: int) -> int:
    """Return 16 times the binary logarithm, rounded down; 0 for 0."""
    return (max(1, number) ** 16).bit_length() - 1
