"""All deadlock tests: examples of each, and no solvable position called dead.

Deadlock tests of boards with colours or ice; ``tests/unit/solver`` compares them with all positions.
"""

import random
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine import slides
from sokoterm.engine.bits import Bitboard, Square, bitboard_of, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock import check as patterns_module
from sokoterm.engine.deadlock import detector, subsets
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, FreezeCheck, Patterns, cannot_be_played, dead_squares
from sokoterm.engine.deadlock.detector import SEARCH_BOUNDS, DeadlockDetector, closed_diagonals, game_bounds
from sokoterm.engine.deadlock.subsets import CorralSearch, FrozenBoard, SubsetSearch
from sokoterm.engine.level import Level, LevelError, level_from_rows, varied
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.engine.matching import can_match, count_matched, find_hall_violator
from sokoterm.engine.reach import reachable_area
from tests.present import present
from tests.slow import others_slow
from tests.unit.solver.exhaustive import fewest_pushes, pushes_to_solve, random_levels, reachable

CORRAL = "######\n#.$  #\n#@*  #\n#  *##\n######"


def found(text: str) -> tuple[DeadlockKind, list[str]] | None:
    """Return the kind of deadlock in the position drawn, and the picture with its boxes as ``x``."""
    level = Level.from_xsb(text)
    detector = DeadlockDetector(level.board, bounds=game_bounds(level.board))
    deadlock = detector.find(level.start.boxes, reachable_area(level.board, level.start))
    return deadlock and (deadlock.kind, picture(level, deadlock.boxes))


@pytest.mark.parametrize(
    ("drawn", "kind"),
    [
        # A box on a dead square, alone.
        ("#######\n#@ .. #\n#  $  #\n#x    #\n#######", DeadlockKind.DEAD_SQUARE),
        # Two boxes side by side on a wall.
        ("########\n#. xx .#\n#@     #\n########", DeadlockKind.FREEZE),
        # Boxes that could only leave their line for dead squares.
        ("#####\n#   #\n# x #\n# x #\n#@. #\n# . #\n#####", DeadlockKind.FREEZE),
        # Only the frozen group with a box off goal.
        ("##########\n#**    xX#\n#**@   **#\n#   .    #\n#   $    #\n#       .#\n##########", DeadlockKind.FREEZE),
        # Dead for one side of the player; the other side is below.
        ("#####\n# . #\n# @ #\n##x##\n#   #\n#   #\n#####", DeadlockKind.DEAD_SQUARE),
        # A box that frozen boxes keep from every goal, with them.
        ("#######\n#@  ###\n#  xXX#\n#   #.#\n#   ###\n#######", DeadlockKind.DEAD_SQUARE),
        # A dead end, even if walls close a diagonal around the box.
        ("######\n# x@.#\n######", DeadlockKind.DEAD_SQUARE),
        ("########\n####  .#\n#  x@  #\n####   #\n########", DeadlockKind.DEAD_SQUARE),
        # Boxes and walls that close a diagonal.
        ("########\n#@ . x #\n#     X#\n#      #\n#   . $#\n#      #\n########", DeadlockKind.CLOSED_DIAGONAL),
        # Too few goals for two boxes.
        ("######\n#@$.##\n#    #\n# . x#\n## x.#\n######", DeadlockKind.BIPARTITE),
        # A corral whose boxes cannot leave, and one that is searched on after the player has come in.
        ("######\n#.x  #\n#@X  #\n#  X##\n######", DeadlockKind.CORRAL),
        ("######\n# . X#\n# @x #\n# x .#\n######", DeadlockKind.CORRAL),
        # Two boxes that cannot both reach goals.
        ("######\n# @#*#\n#   ##\n# .x #\n## x.#\n######", DeadlockKind.PAIR),
    ],
)
def test_each_kind_marks_the_guilty_boxes(drawn: str, kind: DeadlockKind) -> None:
    """They are drawn as ``x``, those on goals as ``X``."""
    text = drawn.replace("x", "$").replace("X", "*")
    assert found(text) == (kind, drawn.replace("X", "x").split("\n"))


def test_a_goal_that_cannot_be_filled_in_any_order_is_a_deadlock() -> None:
    assert found("#####\n# . #\n#   #\n##$##\n# @ #\n#   #\n#####") is None  # dead for the other side of the player
    text = "######\n#   ##\n#*#$ #\n#  @ #\n#.* ##\n######"
    assert present(found(text))[0] is DeadlockKind.RETROGRADE
    # With a box fewer a goal stays empty.
    level = Level.from_xsb(text)
    detector = DeadlockDetector(level.board, bounds=game_bounds(level.board))
    for box in scan(level.start.boxes):
        rest = level.start.boxes ^ 1 << box
        deadlock = detector.find(rest, reachable_area(level.board, level.start._replace(boxes=rest)))
        assert deadlock is None or deadlock.kind is not DeadlockKind.RETROGRADE


def test_a_corral_that_a_glance_leaves_open_is_searched_once_it_comes_up_often() -> None:
    level = Level.from_xsb(CORRAL)
    position = level.start.boxes, reachable_area(level.board, level.start)
    detector = DeadlockDetector(level.board, bounds=SEARCH_BOUNDS._replace(glance=0))
    verdicts = [detector.is_dead(*position) for _ in range(9)]
    assert set(verdicts) == {False, True}
    assert verdicts == sorted(verdicts)


def test_a_position_is_dead_by_a_pattern_learned_before() -> None:
    level = Level.from_xsb("##########\n#@       #\n#  $  $  #\n#    .   #\n#  $ ..  #\n#        #\n##########")
    board, boxes = level.board, level.start.boxes
    detector = DeadlockDetector(board)
    region = reachable_area(board, level.start)
    assert detector.find(boxes, region) is None
    two = boxes & boxes - 1
    detector.patterns.add(two, board.floor & ~two)
    deadlock = present(detector.find(boxes, region))
    assert (deadlock.kind, deadlock.boxes) == (DeadlockKind.LEARNED, two)
    assert detector.explain(boxes, region) == deadlock


def test_explain_names_the_test_behind_a_learned_pattern_if_there_is_one() -> None:
    level = Level.from_xsb(CORRAL)
    position = level.start.boxes, reachable_area(level.board, level.start)
    detector = DeadlockDetector(level.board)
    corral = present(detector.explain(*position))
    assert corral.kind is DeadlockKind.CORRAL
    learned = present(detector.find(*position))
    assert learned.kind is DeadlockKind.LEARNED
    assert detector.explain(*position) == corral


def test_a_hall_violator_has_one_column_too_few_and_is_minimal() -> None:
    assert can_match([])
    assert can_match([0b11, 0b01, 0b100])
    rng = random.Random(1)
    for _ in range(300):
        rows = [rng.randrange(64) & rng.randrange(64) for _ in range(rng.randint(0, 6))]
        violator = find_hall_violator(rows)
        assert can_match(rows) == (not violator)
        columns = 0
        for row in violator:
            columns |= rows[row]
        if violator:
            assert columns.bit_count() == len(violator) - 1
            for row in violator:
                assert can_match([rows[each] for each in violator if each != row])


def test_count_matched_is_the_size_of_the_largest_set_that_can_be_matched() -> None:
    rng = random.Random(2)
    for _ in range(200):
        rows = [rng.randrange(64) & rng.randrange(64) for _ in range(rng.randint(0, 6))]
        parts = chain.from_iterable(combinations(rows, size) for size in range(len(rows) + 1))
        assert count_matched(rows) == max(len(part) for part in parts if can_match(part))


@pytest.mark.parametrize("side", [1, -1])
def test_a_diagonal_with_an_open_end_is_not_closed(side: int) -> None:
    stride = 12

    def bits(*places: tuple[int, int]) -> Bitboard:
        return sum(1 << row * stride + 5 + side * column for row, column in places)

    between = bits((1, 1), (2, 2))
    beside = bits((0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2))
    ends = bits((0, 0), (3, 3))
    assert closed_diagonals(beside | ends, 0, between, stride) == beside | ends
    assert closed_diagonals(beside | bits((0, 0)), 0, between, stride) == 0
    assert closed_diagonals(beside | bits((3, 3)), 0, between, stride) == 0
    assert closed_diagonals(beside | ends, 0, bits((1, 1)), stride) == 0
    corner = bits((0, 1), (1, 0))
    assert closed_diagonals(beside | bits((3, 3)), corner, between, stride) == beside | bits((3, 3))


def come_home(board: Board, boxes: Bitboard, player: Square) -> bool:
    """Return whether these boxes, alone on the board, can all be pushed to goals, by exhaustive search."""
    return any(not state.boxes & ~board.goals for state in reachable(board, State(boxes, player)))


@pytest.mark.parametrize("seed", others_slow(range(4)))
def test_no_solvable_position_is_called_dead(seed: int) -> None:
    rng = random.Random(seed)
    kinds: Counter[DeadlockKind] = Counter()
    missed = 0
    for level in random_levels(seed, 40):
        board = level.board
        detector = DeadlockDetector(board, bounds=game_bounds(board))
        states = reachable(board, level.start)
        pushes = pushes_to_solve(board, states)
        for state in states:
            deadlock = detector.find(state.boxes, reachable_area(board, state))
            if state in pushes:
                assert deadlock is None, level.xsb(state)
            elif deadlock is None:
                missed += 1
            else:
                kinds[deadlock.kind] += 1
                assert deadlock.boxes
                assert not deadlock.boxes & ~state.boxes
                if deadlock.kind is not DeadlockKind.RETROGRADE and rng.random() < 0.02:
                    assert not come_home(board, deadlock.boxes, state.player), level.xsb(state)
    assert kinds.total() > 1000
    # With so few boxes, hardly any dead position is missed.
    assert missed < kinds.total() / 100


def crowded_levels(seed: int, count: int) -> Iterator[Level]:
    """Make small levels of up to four boxes, many of them on goals; some have no solution."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        height, width = rng.randint(4, 6), rng.randint(4, 6)
        inside = [(row, column) for row in range(1, height - 1) for column in range(1, width - 1)]
        free = [place for place in inside if rng.random() < 0.85]
        boxes = rng.randint(2, 4)
        if len(free) < boxes + 2:
            continue
        goals = rng.sample(free, boxes)
        home = goals[: rng.randint(0, boxes)]
        *away, player = rng.sample([place for place in free if place not in home], boxes - len(home) + 1)
        rows = [["#"] * width for _ in range(height)]
        for row, column in free:
            marks = " $@" if (row, column) not in goals else ".*+"
            is_box, is_player = (row, column) in home + away, (row, column) == player
            rows[row][column] = marks[is_box + 2 * is_player]
        try:
            level = Level.from_xsb("\n".join(map("".join, rows)))
        except LevelError:
            continue
        made += 1
        yield level


@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_verdicts_on_crowded_small_boards_are_right(seed: int) -> None:
    """No group of boxes that a search finds dead can reach goals, either."""
    kinds: Counter[DeadlockKind] = Counter()
    groups = 0
    for level in crowded_levels(seed, 1_500):
        board, start = level.board, level.start
        region = reachable_area(board, start)
        deadlock = DeadlockDetector(board, bounds=game_bounds(board)).find(start.boxes, region)
        if deadlock is not None and deadlock.kind not in (DeadlockKind.DEAD_SQUARE, DeadlockKind.FREEZE):
            kinds[deadlock.kind] += 1
            states = reachable(board, start)
            assert start.normalized(board) not in pushes_to_solve(board, states), level.xsb()
        if not DeadlockDetector(board).is_dead(start.boxes, region):
            bounds = SEARCH_BOUNDS._replace(granted=1_000, saved=1_000)
            dead = SubsetSearch(FrozenBoard(board), Patterns(), bounds).find_dead_group(start.boxes, region)
            groups += bool(dead)
            assert not dead or not come_home(board, dead, start.player), level.xsb()
    assert groups
    assert {DeadlockKind.CLOSED_DIAGONAL, DeadlockKind.PAIR, DeadlockKind.CORRAL} <= set(kinds)


def test_groups_are_searched_and_learned_within_their_budget_of_pushes() -> None:
    level = Level.from_xsb("######\n#.$ *#\n# $+ #\n#$   #\n#.## #\n######")
    board, (boxes, player), patterns = level.board, level.start, Patterns()
    region = reachable_area(board, level.start)

    def search(
        patterns: Patterns, granted: int = SEARCH_BOUNDS.granted, saved: int = SEARCH_BOUNDS.saved
    ) -> SubsetSearch:
        return SubsetSearch(FrozenBoard(board), patterns, SEARCH_BOUNDS._replace(granted=granted, saved=saved))

    dead = search(patterns, 1_000, 1_000).find_dead_group(boxes, region)
    assert picture(level, dead) == ["######", "#.x *#", "# x+ #", "#x   #", "#.## #", "######"]
    assert patterns.find(boxes, region) == dead
    assert not come_home(board, dead, player)
    assert SubsetSearch(FrozenBoard(board), Patterns(), SEARCH_BOUNDS).find_dead_group(boxes, region) == 0
    # A group whose search was cut off is searched again.
    groups = search(Patterns(), 2, 100)
    assert groups.find_dead_group(boxes, region) == 0
    for _ in range(50):  # positions without a group save what they are granted
        assert groups.find_dead_group(0, region) == 0
    assert groups.find_dead_group(boxes, region)


def test_reducing_a_deadlock_takes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level.from_xsb("######\n#@$.##\n#    #\n# . $#\n## $.#\n######")
    detector = DeadlockDetector(level.board, bounds=game_bounds(level.board))
    monkeypatch.setattr(SubsetSearch, "find_dead_pair", None)
    monkeypatch.setattr(CorralSearch, "find_dead", None)
    deadlock = present(detector.find(level.start.boxes, reachable_area(level.board, level.start)))
    assert deadlock.kind is DeadlockKind.BIPARTITE
    assert deadlock.boxes.bit_count() == 2


def test_on_large_boards_a_push_may_cost_less() -> None:
    def room(size: int) -> Board:
        inside = "\n".join(f"#{'@$.' if row == 0 else '   '}{' ' * (size - 5)}#" for row in range(size - 2))
        return Level.from_xsb(f"{'#' * size}\n{inside}\n{'#' * size}").board

    small, large = game_bounds(room(20)), game_bounds(room(60))
    assert small == game_bounds(room(8))
    assert all(much > little for much, little in zip(small[1:], large[1:], strict=True) if much != small.granted)
    assert large.saved < small.saved / 60


@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_a_box_reaches_a_goal_if_there_are_goals_it_can_reach(seed: int) -> None:
    for level in random_levels(seed, 60, boxes=4):
        board, start = level.board, level.start
        tables, region = FrozenBoard(board), reachable_area(board, start)
        for box in scan(start.boxes):
            assert tables.reaches_goal(box, region) == bool(tables.goals_of(box, region)), level.xsb()


SOLVER_PAGE = Path(__file__).parents[4] / "docs" / "solver.md"


def level_of(text: str, *, has_ice: bool = False) -> Level:
    """Read a board where ``A`` and ``B`` are boxes of two colours, ``a`` and ``b`` their goals."""
    plain = Level.from_xsb(text.translate(str.maketrans("ABab", "$$..")))
    rows = text.splitlines()
    squares = {(row, column): cell for row, line in enumerate(rows) for column, cell in enumerate(line)}
    boxes, goals = (
        {plain.board.square(*place): cells.index(cell) for place, cell in squares.items() if cell in cells}
        for cells in ("AB", "ab")
    )
    return varied(plain, boxes, goals, plain.board.floor if has_ice else 0)


def found_in(level: Level) -> Deadlock | None:
    return DeadlockDetector(level.board).find(level.start.boxes, reachable_area(level.board, level.start))


def test_the_table_of_tests_is_that_of_the_page() -> None:
    text = detector.__doc__ or ""
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 7
    assert "\n".join(table) in SOLVER_PAGE.read_text(encoding="utf-8")


def test_a_box_that_can_reach_no_goal_of_its_colour() -> None:
    text = "#######\n#     #\n#A    #\n#a B  #\n#   @b#\n#     #\n#######"
    assert found_in(level_of(text)) is None
    swapped = level_of(text.translate(str.maketrans("ab", "ba")))
    assert found_in(swapped) == Deadlock(DeadlockKind.DEAD_SQUARE, 1 << swapped.board.square(2, 1))


def test_boxes_that_freeze_on_goals_of_other_colours() -> None:
    plain = Level.from_xsb("#######\n#     #\n# **  #\n# **@ #\n#     #\n#######")
    first, second, third, fourth = scan(plain.start.boxes)
    own = varied(plain, {first: 0, second: 1}, {first: 0, second: 1})
    assert found_in(own) is None
    swapped = varied(plain, {first: 0, second: 1}, {first: 1, second: 0})
    assert found_in(swapped) == Deadlock(DeadlockKind.FREEZE, bitboard_of([first, second, third, fourth]))


ON_THE_LEFT = "#######\n#a    #\n#A    #\n#  B@ #\n#A   a#\n#b    #\n#######"


@pytest.mark.parametrize("has_ice", [False, True])
def test_too_few_goals_of_a_colour(has_ice: bool) -> None:
    level = level_of(ON_THE_LEFT, has_ice=has_ice)
    guilty = 1 << level.board.square(2, 1) | 1 << level.board.square(4, 1)
    assert found_in(level) == Deadlock(DeadlockKind.BIPARTITE, guilty)
    assert found_in(Level.from_xsb(level.xsb())) is None


def test_a_box_that_only_another_box_stops_on_its_goal() -> None:
    level = level_of("########\n#      #\n#@$  .*#\n#      #\n########", has_ice=True)
    assert found_in(level) is None
    assert verify(level.board, level.start, "R").pushes == 1


def test_a_corral_holds_with_colours_and_not_on_ice() -> None:
    corral = Level.from_xsb(CORRAL)
    colored = varied(corral, dict.fromkeys(scan(corral.start.boxes), 0), dict.fromkeys(scan(corral.board.goals), 0))
    for level in (corral, colored):
        deadlock = present(found_in(level))
        assert deadlock.kind is DeadlockKind.CORRAL
    assert found_in(varied(corral, {}, {}, corral.board.floor)) is None


def test_dead_squares_by_colour() -> None:
    board = level_of(ON_THE_LEFT).board
    squares = [board.square(row, column) for row, column in ((4, 5), (5, 1))]
    dead = [[dead_squares(board, color) >> square & 1 for square in squares] for color in (None, 0, 1)]
    assert dead == [[0, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize("seed", others_slow(range(4)))
def test_levels_that_begin_solved_can_be_played_if_an_exhaustive_search_finds_a_solution(seed: int) -> None:
    answers = set()
    for level in random_levels(seed, 150, size=6, boxes=2):
        board, start = level.board, level.start._replace(boxes=level.board.goals)
        if not start.boxes >> start.player & 1:
            expected = fewest_pushes(board, start) is not None
            assert cannot_be_played(board, start) is not expected, level.xsb(start)
            with pytest.raises(LurdError, match="not count" if expected else "begins solved and cannot be played"):
                verify(board, start, "")
            answers.add(expected)
    assert answers == {False, True}


def test_dead_squares_of_colours_ignore_the_side_of_the_player_where_that_would_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sharper() -> int:
        """Count the boards with dead squares that only the player's side shows."""
        count = 0
        for level in random_levels(5, 200, size=8):
            board = level.board._replace(colors=(level.board.goals,))
            sided, plain = FrozenBoard(board).check.dead_squares, FreezeCheck(board).dead_squares
            assert sided & plain == plain
            count += sided != plain
        return count

    assert sharper()
    monkeypatch.setattr(subsets, "MOST_SIDED", 0)
    assert not sharper()


def picture(level: Level, bitboard: int, mark: str = "x") -> list[str]:
    """Return the rows of a level with some squares marked."""
    rows = [list(row) for row in level.rows]
    for square in scan(bitboard):
        row, column = level.board.row_column(square)
        rows[row][column] = mark
    return ["".join(row) for row in rows]


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


# Dead squares, and learned patterns


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


def test_frozen_boxes_on_goals_and_boxes_that_one_push_frees_are_no_deadlock() -> None:
    assert found("#####\n#**@#\n#** #\n#   #\n#####") is None
    assert found("########\n#      #\n# $$ @ #\n#  $$  #\n# .... #\n#      #\n########") is None


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
