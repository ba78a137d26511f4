"""The positions shared by all searches of a level: their moves, the cache of these, and deadlocks."""

from typing import Any

import pytest
from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess import positions as fess_positions
from sokoterm.solver.fess.macro import door_test
from sokoterm.solver.fess.positions import Positions, Push
from tests.unit.engine.drawn import roomy_levels
from tests.unit.solver.cases import SEED_CASE, meter_of
from tests.unit.solver.fess.test_fess import positions_of, tables_of


def pushes_of(positions: Positions, board: Board, start: State, *, prunes: bool) -> list[Push]:
    return list(finish(positions.pushes(start.boxes, reachable_area(board, start), prunes=prunes)))


def pushed_on(tables: BoardTables, start: State, box: Square) -> set[tuple[Square, Square]]:
    """Return where pushes take a box without crossing a dead square, with the lowest square of the player's region."""
    board, free = tables.board, tables.floor & ~start.boxes | 1 << box
    begin = box, lowest(reachable_area(board, start))
    waiting, found = [begin], {begin}
    for square, player in waiting:
        walked = flood(1 << player, free & ~(1 << square), board.stride)
        for offset in board.offsets:
            landing = square + offset
            if walked >> square - offset & 1 and free & tables.live & 1 << landing:
                place = landing, lowest(flood(1 << square, free & ~(1 << landing), board.stride))
                if place not in found:
                    found.add(place)
                    waiting.append(place)
    return found - {begin}


@given(roomy_levels)
def test_the_moves_of_a_position_are_all_that_freeze_no_box_off_the_goals(level: Level) -> None:
    board, tables = level.board, tables_of(level.board)
    lost = tables.frozen(level.start.boxes) & ~board.goals
    start = level.start._replace(boxes=level.start.boxes & ~lost)
    expected = {
        (box, square, player)
        for box in scan(start.boxes & ~tables.frozen(start.boxes))
        for square, player in pushed_on(tables, start, box)
        if not tables.frozen(start.boxes ^ 1 << box | 1 << square) & ~board.goals
    }
    found = pushes_of(positions_of(tables, start), board, start, prunes=False)
    assert {push[:3] for push in found} == expected
    opens_door = door_test(tables, start.boxes, reachable_area(board, start), pulls=False)
    for box, square, player, parts, hotspots, opens in found:
        there = start.boxes ^ 1 << box | 1 << square
        assert opens == opens_door(there, flood(1 << player, board.floor & ~there, board.stride), box, square)
        assert parts == len(regions(board.floor & ~there, board.stride))
        assert hotspots == tables.hotspots.count(there)


@given(roomy_levels)
def test_cached_moves_are_those_found(level: Level) -> None:
    board, start = level.board, level.start
    positions = positions_of(tables_of(board), start)
    for prunes in (True, False):
        found = pushes_of(positions, board, start, prunes=prunes)
        assert pushes_of(positions, board, start, prunes=prunes) == found
        assert pushes_of(positions_of(tables_of(board), start), board, start, prunes=prunes) == found


def cache_of(board: Board, most_pushes: int) -> Positions:
    start = SEED_CASE.start
    area = reachable_area(board, start)
    return Positions(tables_of(board), DeadlockDetector(board), meter_of(board), start.boxes, area, most_pushes)


def test_answers_are_the_same_with_a_full_cache() -> None:
    board, start = SEED_CASE.board, SEED_CASE.start
    found = pushes_of(positions_of(tables_of(board), start), board, start, prunes=True)
    positions = cache_of(board, 0)
    for _ in range(2):
        assert pushes_of(positions, board, start, prunes=True) == found
    assert found


def opens_a_door(text: str, square: Square) -> bool:
    """Return whether pushing the first box of a level to a square opens a door."""
    level = Level.from_xsb(text)
    board, boxes = level.board, level.start.boxes
    box = lowest(boxes)
    there = boxes ^ 1 << box | 1 << square
    after = flood(1 << box, board.floor & ~there, board.stride)
    opens = door_test(tables_of(board), boxes, reachable_area(board, level.start), pulls=False)
    return opens(there, after, box, square)


def test_a_reversible_move_that_gives_access_to_another_box_opens_a_door() -> None:
    level = "#########\n#   #   #\n# @ $  .#\n#   # $.#\n#########"
    beside, behind, far = (2 * 10 + column for column in (5, 6, 7))
    assert opens_a_door(level, behind)
    assert not opens_a_door(level, beside), "the player comes no farther"
    assert not opens_a_door(level, far), "the box does not come back"
    assert not opens_a_door(level.replace("# $.", "#   "), behind), "no other box is there"


def test_patterns_learned_later_apply_to_positions_met_before() -> None:
    board, start = SEED_CASE.board, SEED_CASE.start
    region = reachable_area(board, start)
    detector = DeadlockDetector(board)
    positions = positions_of(tables_of(board), start, detector)
    assert positions.region_unless_dead(start.boxes, lowest(region)) == region
    detector.patterns.add(start.boxes, region)
    for _ in range(2):
        assert not positions.region_unless_dead(start.boxes, lowest(region))


def test_positions_with_the_player_in_other_regions_differ() -> None:
    level = Level.from_xsb("#########\n#@ $ . .#\n###$#####\n#       #\n#########")
    board = level.board
    positions = positions_of(tables_of(board), level.start)
    above = pushes_of(positions, board, level.start, prunes=False)
    below = pushes_of(positions, board, level.start._replace(player=lowest(level.start.boxes) + 20), prunes=False)
    assert above
    assert above != below


def test_only_the_moves_of_a_pi_corral_are_considered() -> None:
    rows = ("############", "#   @      #", "#      $   #", "####$#######", *["####.  #####"] * 2, "############")
    level = Level.from_xsb("\n".join(rows))
    positions = positions_of(tables_of(level.board), level.start)
    every, some = (
        {box for box, *_ in pushes_of(positions, level.board, level.start, prunes=prunes)} for prunes in (False, True)
    )
    assert set() < some < every


def test_the_cached_moves_are_bounded_and_pruned(monkeypatch: pytest.MonkeyPatch) -> None:
    board, start = SEED_CASE.board, SEED_CASE.start
    found: list[Bitboard] = []

    def told(tables: BoardTables, boxes: Bitboard, region: Bitboard, *, pulls: bool) -> Any:
        found.append(boxes)
        return door_test(tables, boxes, region, pulls=pulls)

    monkeypatch.setattr(fess_positions, "door_test", told)
    positions = cache_of(board, 1)
    (push, *_) = pushes_of(positions, board, start, prunes=True)
    box, square, *_ = push
    after = State(start.boxes ^ 1 << box | 1 << square, box)
    for _ in range(2):
        pushes_of(positions, board, start, prunes=True)
        for prunes in (True, False):
            pushes_of(positions, board, after, prunes=prunes)
    assert found == [start.boxes, *[after.boxes] * 4]


def test_squares_too_large_for_two_bytes_are_cached() -> None:
    wide = 2_000
    row = "#" * wide
    level = Level.from_xsb("\n".join([row] * 40 + ["#" * (wide - 7) + "@ $ . #", row]))
    (push, *_) = pushes_of(positions_of(tables_of(level.board), level.start), level.board, level.start, prunes=False)
    assert push[0] == lowest(level.start.boxes) > 1 << 16
