"""The pack that ships: every level readable, said in one line, ours alone, and solved by our solver."""

from itertools import pairwise
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, Status, solve

SOURCE = Path(__file__).parents[3] / "levels" / "first-steps.txt"
PACK = parse(SOURCE.read_bytes(), SOURCE.name)
BOXES = [level.boxes for level in PACK.levels]

# The hardest of the levels needs some 3,000 nodes; auto gives a quarter of these to A*.
LIMITS = Limits(seconds=1.0, nodes=80_000, states=400_000, clock=lambda: 0.0)


def test_pack_is_read_whole() -> None:
    assert PACK.errors == ()
    assert PACK.size == len(PACK.levels) >= 24
    assert (PACK.title, PACK.author) == ("First Steps", "the sokoterm project")
    # The line below the list of packs.
    assert len(f"{PACK.title}, {PACK.size} levels: {PACK.comment}") <= 80
    assert PACK.comment.startswith("For beginners. ")


def test_boxes_grow_from_one_to_seven() -> None:
    assert BOXES[0] == 1
    assert set(BOXES) == set(range(1, 8))
    assert BOXES[-1] == 7
    assert all(after - before in (-1, 0, 1) for before, after in pairwise(BOXES)), BOXES


def test_no_two_titles_are_alike() -> None:
    assert len({level.title for level in PACK.levels}) == len(PACK.levels)


def test_no_two_levels_are_alike_however_turned() -> None:
    assert len({level_hash(level) for level in PACK.levels}) == len(PACK.levels)


@pytest.mark.parametrize("level", PACK.levels, ids=lambda level: str(level.title))
def test_level_says_what_it_teaches(level: Level) -> None:
    assert 0 < len(level.title) <= 30
    assert level.author
    assert 0 < len(level.comment) <= 76
    assert all(" " <= character <= "~" for character in level.title + level.comment)


@pytest.mark.parametrize("level", PACK.levels, ids=lambda level: str(level.title))
def test_level_is_small_and_all_of_it_is_in_play(level: Level) -> None:
    assert level.board.width <= 14
    assert level.board.height <= 10
    drawn = "".join(level.rows)
    assert drawn.count("$") + drawn.count("*") == level.boxes
    assert level.start.boxes != level.board.goals


@pytest.mark.parametrize("level", PACK.levels, ids=lambda level: str(level.title))
def test_level_is_solved_by_the_solver(level: Level) -> None:
    solution, outcome = solve(level.board, level.start, STRATEGIES["auto"], LIMITS)
    assert outcome.status is Status.SOLVED
    assert solution is not None
    assert verify(level.board, level.start, solution.lurd) == solution
