"""The packs of other kinds that ship: read whole, of their kind, no two alike, and solved by our solver."""

from collections.abc import Mapping

import pytest

from levels.make.choose_packs import LEVELS
from levels.make.variant_packs import PACKS, VariantPack
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, Status, solve

# Far less than 30 seconds on the slowest machine.
LIMITS = Limits(seconds=1.0, nodes=200_000, states=1_000_000, clock=lambda: 0.0)

TAUGHT: Mapping[str, tuple[str, ...]] = {
    "variants-first-colours": ("colors",),
    "variants-first-ice": ("sliding",),
    "variants-ice-and-colours": ("colors", "sliding"),
}
KINDS = {**TAUGHT, **{pack.name: pack.kinds for pack in PACKS}}


def pack_of(name: str) -> Pack:
    return parse((LEVELS / f"{name}.txt").read_bytes(), f"{name}.txt")


@pytest.mark.parametrize("name", KINDS)
def test_a_pack_is_read_whole_and_of_one_kind(name: str) -> None:
    pack = pack_of(name)
    assert pack.errors == ()
    assert pack.size == (16 if name in TAUGHT else 40)
    assert pack.author == "the sokoterm project"
    assert len(f"{pack.title}, {pack.size} levels: {pack.comment}") <= 80  # columns of a usual window
    assert {level.board.kinds for level in pack.levels if level.board.kinds} == {KINDS[name]}
    assert len({level.title for level in pack.levels}) == pack.size


def test_no_two_levels_are_alike_however_turned_or_named() -> None:
    hashes = [level_hash(level) for name in KINDS for level in pack_of(name).levels]
    assert len(set(hashes)) == len(hashes) == 168


@pytest.mark.parametrize("name", TAUGHT)
def test_each_level_says_what_it_teaches_and_there_are_more_boxes_each_time(name: str) -> None:
    levels = pack_of(name).levels
    assert all(0 < len(level.comment) <= 80 and len(level.title) <= 30 for level in levels)
    boxes = [level.boxes for level in levels]
    assert boxes[0] <= 2 < 3 <= max(boxes)
    assert sum(boxes[:8]) < sum(boxes[8:])


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.title)
def test_boxes_grow_in_made_packs(pack: VariantPack) -> None:
    boxes = [level.boxes for level in pack_of(pack.name).levels]
    assert boxes == sorted(boxes)


@pytest.mark.parametrize(
    "level", [level for name in KINDS for level in pack_of(name).levels], ids=lambda each: each.title
)
def test_each_level_is_solved_by_the_solver(level: Level) -> None:
    solution, outcome = solve(level.board, level.start, STRATEGIES["auto"], LIMITS)
    assert outcome.status is Status.SOLVED
    assert solution is not None
    assert verify(level.board, level.start, solution.lurd) == solution
