"""Difficulty of a level: one number, computed from figures that can each be explained.

Imports no search, so stored ratings are read quickly.
"""

from bisect import bisect
from typing import NamedTuple

from sokoterm.engine.lurd import begins_solved
from sokoterm.language import _, boxes_text, listed, ngettext, pgettext
from sokoterm.solver.search import Status

# Raise this whenever the number of some level changes, here or in the searches: stored figures are then recomputed.
FIGURES_VERSION = 2

RATING_SECONDS = 10.0
"""Time after which rating a level is given up: far more than a board of the usual size takes."""

# Points for each doubling of steps, nodes and gap, and for a share of 100 % of mistakes and crowding.  Chosen so that
# known packs are ranked in order by ``python3 -m tests.bench difficulty``: Minicosmos and Microban below Microban II
# and Sasquatch, those below XSokoban and a pack of small crowded levels.
_FOR_STEPS = 4
_FOR_NODES = 4
_FOR_GAP = 1
_FOR_MISTAKES = 10
_FOR_CROWDING = 100
# Cap for crowding: a room with boxes on more than this percentage of the floor is a pattern rather than a puzzle.
_MOST_CROWDING = 30
# Above every figure.
_MOST = 1 << 63


class DifficultyFigures(NamedTuple):
    """Figures behind the difficulty of a level.

    ``status``: if SOLVED, the figures are those of a (shortened) solution; else they are lower bounds.
    ``lower_bound``: pushes needed if boxes never blocked each other.  ``nodes``: positions searched.  ``tried``: pushes
    possible along the solution, except onto dead squares; ``lost``: those of them proven to lead to a dead position.
    """

    status: Status
    boxes: int
    floor: int
    lower_bound: int
    nodes: int
    pushes: int
    box_lines: int
    box_changes: int
    pushing_sessions: int
    tried: int
    lost: int

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

    >>> figures = DifficultyFigures(Status.SOLVED, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0)
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
    """Return the difficulty, from 0 (one push) without limit; never decreases as a figure other than floor grows."""
    steps = figures.box_lines + figures.box_changes + figures.pushing_sessions
    sixteenths = (
        _FOR_STEPS * (_doublings(steps) - _doublings(3))
        + _FOR_NODES * _doublings(figures.nodes)
        + _FOR_GAP * _doublings(1 + figures.gap)
        + 16 * _FOR_MISTAKES * figures.lost // max(1, figures.tried)
        + min(16 * _MOST_CROWDING, 16 * _FOR_CROWDING * (figures.boxes - 1) // figures.floor)
    )
    return max(0, sixteenths) // 16


def in_words(figures: DifficultyFigures | None) -> str:
    """Return the difficulty in words; None means that the level was not rated.

    >>> least = DifficultyFigures(Status.GAVE_UP, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0)
    >>> in_words(least), in_words(least._replace(status=Status.SOLVED))
    ('at least 0 (for beginners)', '0 (for beginners)')
    """
    if figures is None:
        return _("not rated within {seconds} s", seconds=round(RATING_SECONDS))
    number = _("{figure} ({more})", figure=difficulty(figures), more=_word(difficulty(figures)))
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
    told = [
        (pgettext("part of a difficulty", "steps"), _steps(figures)),
        (pgettext("part of a difficulty", "pushes"), _pushes(figures)),
        (pgettext("part of a difficulty", "search"), _search(figures)),
        (
            pgettext("part of a difficulty", "room"),
            ngettext(
                "{boxes} on {n:,} square", "{boxes} on {n:,} squares", figures.floor, boxes=boxes_text(figures.boxes)
            ),
        ),
    ]
    if figures.tried:
        mistakes = ngettext(
            "{lost} of {n:,} push on the way leads to a dead end",
            "{lost} of {n:,} pushes on the way lead to a dead end",
            figures.tried,
            lost=figures.lost,
        )
        told.append((pgettext("part of a difficulty", "mistakes"), mistakes))
    return told


def _steps(figures: DifficultyFigures) -> str:
    steps = listed(
        [
            ngettext("{n:,} box line", "{n:,} box lines", figures.box_lines),
            ngettext("{n:,} box change", "{n:,} box changes", figures.box_changes),
            ngettext("{n:,} pushing session", "{n:,} pushing sessions", figures.pushing_sessions),
        ]
    )
    return steps if figures.is_solved else _("at least {steps}", steps=steps)


def _pushes(figures: DifficultyFigures) -> str:
    if not figures.gap:
        pushes = str(figures.pushes)
        return pushes if figures.is_solved else _("at least {pushes}", pushes=pushes)
    if figures.is_solved:
        return ngettext(
            "{pushes}, {n} of them because boxes are in each other's way",
            "{pushes}, {n} of them because boxes are in each other's way",
            figures.gap,
            pushes=figures.pushes,
        )
    return ngettext(
        "at least {pushes}, {n} of them because boxes are in each other's way",
        "at least {pushes}, {n} of them because boxes are in each other's way",
        figures.gap,
        pushes=figures.pushes,
    )


def _search(figures: DifficultyFigures) -> str:
    if figures.is_solved:
        return ngettext("solved within {n:,} position", "solved within {n:,} positions", figures.nodes)
    return ngettext("not solved within {n:,} position", "not solved within {n:,} positions", figures.nodes)


def _doublings(number: int) -> int:
    """Return 16 times the binary logarithm, rounded down; 0 for 0."""
    return (max(1, number) ** 16).bit_length() - 1
