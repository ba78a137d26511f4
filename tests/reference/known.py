"""The known solutions of the reference material, beside the levels they solve."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sokoterm.engine.board import State
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.formats.registry import parse


class KnownSolution(NamedTuple):
    """A solution known to be right, not known to be optimal."""

    name: str
    level: Level
    pushes: int
    moves: int
    lurd: str


@cache
def _pack(path: Path) -> Pack:
    return parse(path.read_bytes(), path.name)


@cache
def known_solutions(shared: Path) -> tuple[KnownSolution, ...]:
    """The rows of known.tsv: pack, level, hash, pushes, moves, lurd."""
    found = []
    for line in (shared / "solutions" / "known.tsv").read_text().splitlines():
        if line.startswith("#") or line.endswith("\t"):
            continue  # a comment, or a level without a known solution
        pack, number, _hash, pushes, moves, lurd = line.split("\t")
        level = _pack(shared / "levels" / f"{pack}.txt").find_level(int(number))
        assert level is not None, line
        found.append(KnownSolution(f"{pack} {number}", level, int(pushes), int(moves), lurd))
    return tuple(found)


def positions(known: KnownSolution) -> Iterator[State]:
    """The start and every position after a push."""
    board, before = known.level.board, known.level.start
    yield before
    for state, letter in play(board, before, parse_lurd(known.lurd)):
        if letter.isupper():
            yield state
