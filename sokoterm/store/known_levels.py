"""Known levels: the solutions that came with files, difficulty grades, stars and places.

The records of a file are claims; those that replay to a solution are known, with the credit each claims.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import lgamma, log, log2
from typing import NamedTuple

from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import Solution, replay
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.formats.grammar import recipe_of

# Limit on the steps, beyond _STEPS_A_LETTER for each letter, that counts and walks expand to. Replaying this many takes
# two seconds; real solutions stay far below.
MOST_SPELLED_OUT = 10_000_000
_STEPS_A_LETTER = 20
_LONGEST_NAME = 40

_CREDIT = r"\(((?=[^()A-Za-z]*+[A-Za-z])[^()]*+)\)\s*+$"
# Titles without a credit: ``Solution/Moves 517/155``, ``SaveGame 3``, ``Snapshot1``.
_NO_CREDIT = r"(?i)\s*(?:best\s+|reverse\s+)?(?:solution|saved?\s*game|snapshot)"
_CREDIT_NOTE = r"(?im)^[^\S\n]*+(?:solver|optimizer|author)[^\S\n]*+[:=]\s*+(.+)"
# Levels graded for the grade of a pack.
_SAMPLE = 9


class Grade(NamedTuple):
    """Difficulty of a level or a pack: a number to sort by, and its display.

    ``71``; ``71+`` for a lower bound; ``-`` for no solution; ``~71`` for an estimate, or a pack with estimates.
    ``figures``: the parts of a level's difficulty as text, empty if unknown.
    """

    number: int
    shown: str
    figures: str = ""

    @property
    def is_estimate(self) -> bool:
        return self.shown.startswith("~")


NO_SOLUTION = 1 << 30
"""Difficulty of a level without a solution: sorts last."""


def estimated(number: int) -> Grade:
    return Grade(number, "-" if number == NO_SOLUTION else f"~{number}")


def estimate(boxes: int, floor: int) -> int:
    """Estimate the difficulty of a level from its boxes and its floor squares, without a search.

    It grows with the bits that tell one arrangement of the boxes from all others. A least-squares fit to 321 rated
    levels, half of them from 36 packs and half from a website, explains six tenths of the variance (standard deviation:
    17). Estimates are stored: a change requires a new version of the index's reader.

    >>> estimate(1, 5), estimate(6, 60), estimate(20, 90), estimate(1, 460)
    (9, 76, 103, 47)
    """
    bits = (lgamma(floor + 1) - lgamma(boxes + 1) - lgamma(max(0, floor - boxes) + 1)) / log(2)
    return max(0, round(19.4 * log2(max(1.0, bits)) - 14.4))


def estimate_of(level: Level) -> int:
    """Return the difficulty in the recipe of a level, else its estimate, or NO_SOLUTION if it is unplayable."""
    if cannot_be_played(level.board, level.start):
        return NO_SOLUTION
    hard = recipe_of(level).hard
    return estimate(level.boxes, level.board.floor.bit_count()) if hard is None else hard


def sample_of(numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the levels that grade a pack: at most nine, evenly spread.

    >>> sample_of(range(1, 156))
    [9, 26, 44, 61, 78, 95, 112, 130, 147]
    """
    count = min(_SAMPLE, len(numbers))
    return [numbers[(2 * i + 1) * len(numbers) // (2 * count)] for i in range(count)]


def grade_of(sample: Sequence[Grade]) -> Grade:
    """Return the grade of a pack: the median of its sample, an estimate if any of them is."""
    median = sorted(sample)[(len(sample) - 1) // 2]
    is_estimate = any(each.is_estimate for each in sample)
    return estimated(median.number) if is_estimate else median


MOST_STARS = 3


class Par(NamedTuple):
    """Proven minimum of pushes of a level, or else the best known number."""

    pushes: int
    is_proven: bool = False


def stars(pushes: int, par: Par | None) -> int:
    """Return the stars of a solution: three at par, two up to 10% or one push over par, else (or without a par) one.

    >>> [stars(pushes, Par(31)) for pushes in (31, 34, 35)], stars(13, Par(12)), stars(13, None)
    ([3, 2, 1], 2, 1)
    """
    if par is None or pushes > par.pushes + max(1, par.pushes // 10):
        return 1
    return 2 if pushes > par.pushes else MOST_STARS


class LevelPlace(Value):
    """Place of a level in the pack with a ``key``."""

    key: str
    pack: str
    number: int


class Source(StrEnum):
    """Source of a solution; HINT: a search for a hint."""

    OWN = "own"
    FILE = "file"
    KNOWN = "known"
    SOLVER = "solver"
    HINT = "hint"
    OPTIMIZER = "optimizer"
    GIVEN = "given"


class KnownSolution(Value):
    """A solution that has been replayed, its source, and its credit: a name, or the pack that contained it.

    The player's own solutions have no credit; ``KNOWN`` ones come from another pack, or were found here.
    """

    solution: Solution
    credit: str = ""
    source: Source = Source.KNOWN


def solutions_of(level: Level, pack: str) -> list[KnownSolution]:
    """Return the solutions that came with a level."""
    return distinct(replay_records(level, pack)[0].values())


def replay_records(
    level: Level, pack: str, most: int = MOST_SPELLED_OUT
) -> tuple[Mapping[int, KnownSolution], int, bool]:
    """Return the solutions among the records of a level, by place.

    After ``most`` expanded steps, only records of plain letters are replayed. Also returns the number of expanded
    steps, and True if any records were skipped.
    """
    found = {}
    spelled_out = 0
    is_cut = False
    for place, record in enumerate(level.records):
        if spelled_out > most and not record.moves.isalpha():
            is_cut = True
            continue
        replayed = replay(level, record)
        spelled_out += max(0, len(replayed.lurd) - _STEPS_A_LETTER * len(record.moves))
        if replayed.solution is not None:
            found[place] = KnownSolution(replayed.solution, credit(record, pack))
    return found, spelled_out, is_cut


def distinct(known: Iterable[KnownSolution]) -> list[KnownSolution]:
    """Return each solution once, with its first credit, by pushes and then moves."""
    first: dict[str, KnownSolution] = {}
    for each in known:
        first.setdefault(each.solution.lurd, each)
    return sorted(first.values(), key=lambda each: (each.solution.pushes, each.solution.moves))


def credit(record: Record, pack: str) -> str:
    """Return the credit for a solution: from its title or notes, else its pack.

    ``Solution 230/97 (YASS 2.86 Optimizer)`` gives ``YASS 2.86 Optimizer``, and ``Tomo`` is a name by itself.
    """
    match = re.search(_CREDIT, record.title) or re.search(_CREDIT_NOTE, record.notes)
    if match:
        return printable(match[1].strip())
    title = printable(record.title.strip())
    is_name = any(map(str.isalpha, title)) and not re.match(_NO_CREDIT, title) and len(title) <= _LONGEST_NAME
    return title if is_name else f"from {pack}"
