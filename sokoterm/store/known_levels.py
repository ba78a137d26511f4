"""Known levels and solutions: those that came with files, how hard they are, and the words by which they are found.

The records of a file are claims. Those that replay to a solution are known, with the credit each claims.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import log2
from typing import NamedTuple

from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import Solution, replay
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.formats.grammar import recipe_of

# Steps that counts or walks spell out beyond so many for each letter: as many are replayed in all, in two seconds. No
# real solutions come near.
MOST_SPELLED_OUT = 10_000_000
_STEPS_A_LETTER = 20
_LONGEST_NAME = 40

_CREDIT = r"\(((?=[^()A-Za-z]*+[A-Za-z])[^()]*+)\)\s*+$"
# Beginnings of titles that are no credit: ``Solution/Moves 517/155``, ``SaveGame 3``, ``Snapshot1``.
_NO_CREDIT = r"(?i)\s*(?:best\s+|reverse\s+)?(?:solution|saved?\s*game|snapshot)"
_CREDIT_NOTE = r"(?im)^[^\S\n]*+(?:solver|optimizer|author)[^\S\n]*+[:=]\s*+(.+)"


# The number of levels by which a pack is graded.
_SAMPLE = 9


class Grade(NamedTuple):
    """Difficulty of a level or a pack: a number to sort by, and its display.

    ``71``; ``71+`` for a lower bound; ``-`` for no solution; ``~71`` for an estimate, or a pack that rests on some.
    ``figures``: what the difficulty of a level is made of, as text; empty where it is not at hand.
    """

    number: int
    shown: str
    figures: str = ""

    @property
    def is_estimate(self) -> bool:
        return self.shown.startswith("~")


NO_SOLUTION = 1 << 30
"""The difficulty of a level that has no solution: sorted behind every other."""


def estimated(number: int) -> Grade:
    return Grade(number, "-" if number == NO_SOLUTION else f"~{number}")


def estimate(boxes: int, floor: int) -> int:
    """Estimate the difficulty of a level from its boxes and its floor squares, without a search.

    A fit by least squares to 394 levels of 19 packs: it explains three quarters of the variance of the difficulty, with
    a standard deviation of 11. Its numbers are stored: a change needs a new version of the index's reader.

    >>> estimate(1, 5), estimate(6, 60), estimate(20, 90)
    (30, 70, 102)
    """
    return max(0, round(38 + 20 * log2(max(boxes, 1)) - 3.4 * log2(max(floor, 1))))


def estimate_of(level: Level) -> int:
    """Return the difficulty that the recipe of a level names, else its estimate, for one that can be played."""
    if cannot_be_played(level.board, level.start):
        return NO_SOLUTION
    hard = recipe_of(level).hard
    return estimate(level.boxes, level.board.floor.bit_count()) if hard is None else hard


def sample_of(numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the levels by which a pack is graded: a few, evenly spread, or all if there are no more.

    >>> sample_of(range(1, 156))
    [9, 26, 44, 61, 78, 95, 112, 130, 147]
    """
    count = min(_SAMPLE, len(numbers))
    return [numbers[(2 * i + 1) * len(numbers) // (2 * count)] for i in range(count)]


def grade_of(sample: Sequence[Grade]) -> Grade:
    """Return the grade of a pack: the median of those of its sample, an estimate while any of them is."""
    median = sorted(sample)[(len(sample) - 1) // 2]
    is_estimate = any(each.is_estimate for each in sample)
    return estimated(median.number) if is_estimate else median


MOST_STARS = 3


class Par(NamedTuple):
    """The fewest pushes of a level that are proven, or else the best known."""

    pushes: int
    is_proven: bool = False


def stars(pushes: int, par: Par | None) -> int:
    """Return the stars of a solution: three at par, two up to 10% or one push over par, else one, as without a par.

    >>> [stars(pushes, Par(31)) for pushes in (31, 34, 35)], stars(13, Par(12)), stars(13, None)
    ([3, 2, 1], 2, 1)
    """
    if par is None or pushes > par.pushes + max(1, par.pushes // 10):
        return 1
    return 2 if pushes > par.pushes else MOST_STARS


class LevelPlace(Value):
    """Place of a level; ``key`` is that of its pack."""

    key: str
    pack: str
    number: int


class Source(StrEnum):
    """The source of a solution; HINT: the solver, which was asked for a hint only."""

    OWN = "own"
    FILE = "file"
    KNOWN = "known"
    SOLVER = "solver"
    HINT = "hint"
    OPTIMIZER = "optimizer"
    GIVEN = "given"


class KnownSolution(Value):
    """A solution, replayed by the rules, its source, and its credit: a name, or the pack it came with.

    One's own has no credit; ``KNOWN`` is from elsewhere than the level's file: of another pack, or found here.
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

    Once ``most`` steps have been spelled out, only records of plain letters are replayed. The second value is how many
    steps were spelled out, the third is True if some records were not replayed.
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
    """Return each solution once, under its first credit: fewest pushes first, then fewest moves."""
    first: dict[str, KnownSolution] = {}
    for each in known:
        first.setdefault(each.solution.lurd, each)
    return sorted(first.values(), key=lambda each: (each.solution.pushes, each.solution.moves))


def credit(record: Record, pack: str) -> str:
    """Return the credit for a solution: from its title or notes, else the pack it came with.

    ``Solution 230/97 (YASS 2.86 Optimizer)`` gives ``YASS 2.86 Optimizer``, and ``Tomo`` is a name by itself.
    """
    match = re.search(_CREDIT, record.title) or re.search(_CREDIT_NOTE, record.notes)
    if match:
        return printable(match[1].strip())
    title = printable(record.title.strip())
    is_name = any(map(str.isalpha, title)) and not re.match(_NO_CREDIT, title) and len(title) <= _LONGEST_NAME
    return title if is_name else f"from {pack}"
