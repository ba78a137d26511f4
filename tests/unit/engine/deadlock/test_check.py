"""Dead squares and freeze deadlocks: examples, and no solvable position called dead.

Learned patterns: found in every position that contains them, until they are dropped.
"""

import sys
import tracemalloc
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine import slides
from sokoterm.engine.bits import Bitboard, scan, shift
from sokoterm.engine.deadlock import check as patterns_module
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, FreezeCheck, Patterns, dead_squares
from sokoterm.engine.level import Level, level_from_rows
from tests.slow import others_slow
from tests.unit.solver.exhaustive import pushes_to_solve, random_levels, reachable


def picture(level: Level, bitboard: int, mark: str = "x") -> list[str]:
    """Return the rows of a level with some squares marked."""
    rows = [list(row) for row in level.rows]
    for square in scan(bitboard):
        row, column = level.board.row_column(square)
        rows[row][column] = mark
    return ["".join(row) for row in rows]


def found(text: str) -> tuple[DeadlockKind, list[str]] | None:
    """Return the kind of deadlock in the position drawn, and the picture with its boxes as ``x``."""
    level = Level.from_xsb(text)
    deadlock = FreezeCheck(level.board).find(level.start.boxes)
    return deadlock and (deadlock.kind, picture(level, deadlock.boxes))


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        # Corners, and edges without a goal.
        ("#######\n#@    #\n# $   #\n#  . ##\n#    #\n######", "#######\n#xxxxx#\n#x$  x#\n#x . ##\n#xxxx#\n######"),
        # An edge with a goal is live except for its corners.
        ("#######\n#@ .  #\n#  $  #\n#     #\n#######", "#######\n#x . x#\n#x $ x#\n#xxxxx#\n#######"),
    ],
)
def test_dead_squares(text: str, dead: str) -> None:
    level = Level.from_xsb(text)
    assert picture(level, dead_squares(level.board)) == dead.split("\n")


def winding(size: int) -> Level:
    """One way of three rows that winds from the top to the bottom, with its goal at the top."""
    rows = ["#" * size, "#@$." + " " * (size - 5) + "#"]
    gap, wall = "   ", "#" * (size - 5)
    while len(rows) < size - 4:
        rows += [f"#{' ' * (size - 2)}#"] * (2 if len(rows) == 2 else 3)
        rows.append(f"#{gap}{wall}#" if len(rows) % 8 else f"#{wall}{gap}#")
    return level_from_rows([*rows[:-1], "#" * size])


def test_dead_squares_of_a_long_way_take_few_steps_of_the_whole_board(monkeypatch: pytest.MonkeyPatch) -> None:
    board = winding(99).board
    steps = 0

    def counted(bitboard: Bitboard, offset: int) -> Bitboard:
        nonlocal steps
        steps += 1
        return shift(bitboard, offset)

    monkeypatch.setattr(slides, "shift", counted)
    dead = dead_squares(board)
    assert 0 < steps <= 8 * (board.stride + board.height + 2)
    floor = {*scan(board.floor)}
    live = [*scan(board.goals)]
    for square in live:
        pulled = (square - offset for offset in board.offsets if {square - offset, square - 2 * offset} <= floor)
        live += [each for each in pulled if each not in live]
    assert {*scan(dead)} == floor - {*live}


@pytest.mark.parametrize(
    ("text", "kind", "marked"),
    [
        # A box on a dead square, alone.
        (
            "#######\n#@ .. #\n#  $  #\n#$    #\n#######",
            DeadlockKind.DEAD_SQUARE,
            "#######\n#@ .. #\n#  $  #\n#x    #\n#######",
        ),
        # Two boxes side by side on a wall.
        ("########\n#. $$ .#\n#@     #\n########", DeadlockKind.FREEZE, "########\n#. xx .#\n#@     #\n########"),
        # Boxes that could only leave their line for dead squares.
        (
            "#####\n#   #\n# $ #\n# $ #\n#@. #\n# . #\n#####",
            DeadlockKind.FREEZE,
            "#####\n#   #\n# x #\n# x #\n#@. #\n# . #\n#####",
        ),
        # Only the frozen group with a box off goal.
        (
            "##########\n#**    $*#\n#**@   **#\n#   .    #\n#   $    #\n#       .#\n##########",
            DeadlockKind.FREEZE,
            "##########\n#**    xx#\n#**@   xx#\n#   .    #\n#   $    #\n#       .#\n##########",
        ),
    ],
)
def test_deadlocks_mark_the_guilty_boxes(text: str, kind: DeadlockKind, marked: str) -> None:
    assert found(text) == (kind, marked.split("\n"))


def test_frozen_boxes_on_goals_and_boxes_that_one_push_frees_are_no_deadlock() -> None:
    assert found("#####\n#**@#\n#** #\n#   #\n#####") is None
    assert found("########\n#      #\n# $$ @ #\n#  $$  #\n# .... #\n#      #\n########") is None


@pytest.mark.parametrize("seed", others_slow(range(2)))
def test_no_solvable_position_is_called_dead_and_the_boxes_named_are_enough(seed: int) -> None:
    solvable = dead = 0
    for level in random_levels(seed, 150):
        check = FreezeCheck(level.board)
        states = reachable(level.board, level.start)
        pushes = pushes_to_solve(level.board, states)
        for state in states:
            deadlock = check.find(state.boxes)
            solvable += state in pushes
            dead += deadlock is not None
            assert deadlock is None or state not in pushes, level.xsb(state)
            if deadlock is not None:
                assert deadlock.boxes & ~state.boxes == 0
                assert check.find(deadlock.boxes) == Deadlock(deadlock.kind, deadlock.boxes), level.xsb(state)
    assert solvable > 1000
    assert dead > 1000


ROOM = (1 << 12) - 1
some_boxes = st.integers(1, ROOM)


@given(st.lists(st.tuples(some_boxes, some_boxes), max_size=30), st.integers(1, 8), some_boxes, some_boxes)
def test_find_returns_what_was_added_and_not_dropped(
    learned: list[tuple[int, int]], most: int, boxes: int, region: int
) -> None:
    patterns = Patterns(most=most)
    kept: list[tuple[int, int]] = []
    for pattern, area in learned:
        if not any(each & pattern == each and side & area for each, side in kept):
            kept = [*kept, (pattern, area)][-most:]
        patterns.add(pattern, area)
    dead = [pattern for pattern, area in kept if pattern & boxes == pattern and area & region]
    found = patterns.find(boxes, region)
    assert found in dead if dead else not found
    assert len(patterns) == len(kept)


class AllBoxes(int):
    """A position full of boxes, which notes the masks that a lookup compares with it."""

    compared: list[int]

    def __rand__(self, mask: int) -> int:
        self.compared.append(mask)
        return mask & int(self)


def test_a_dropped_pattern_leaves_nothing_behind() -> None:
    patterns = Patterns(most=3)
    tracemalloc.start()
    for _ in range(100):
        for first in range(12):
            for second in range(first):
                patterns.add(1 << first | 1 << second, ROOM)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(patterns), patterns.learned) == (3, 6_600)
    assert used < 20_000
    boxes = AllBoxes(ROOM)
    boxes.compared = []
    assert not patterns.find(boxes, 0)
    # The second box of each pattern, then both.
    assert sum(mask.bit_count() for mask in boxes.compared) == 3 * (1 + 2)


def test_patterns_can_be_looked_up_while_one_is_added() -> None:
    patterns = Patterns(most=2)
    added = 0b00110, 0b01010, 0b10010
    found = set[int]()

    def look_up(frame: FrameType, event: str, _: object) -> Any:
        """Look a position up before each line of the store, as another thread might."""
        if frame.f_code.co_filename != patterns_module.__file__:
            return None
        if event == "line":
            found.add(patterns.find(0b11110, 1))
        return look_up

    sys.settrace(look_up)
    try:
        for pattern in added:
            patterns.add(pattern, 1)
    finally:
        sys.settrace(None)
    assert {0, added[0]} < found <= {0, *added}
    assert patterns.find(added[-1], 1) == added[-1]
