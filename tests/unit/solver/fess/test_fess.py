"""FESS: macro moves, packing plans, and the positions shared by all searches of a level."""

from collections.abc import Generator, Iterator
from functools import partial
from itertools import chain, count, repeat
from typing import Any

import pytest
from hypothesis import given

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.box_reach import BoxReach
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess import positions as fess_positions
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.macro import Pieces, door_test, macro_moves, macro_path
from sokoterm.solver.fess.plan import ExitRule, PackingPlan, make_plan, search_packing
from sokoterm.solver.fess.positions import Positions, Push
from sokoterm.solver.fess.search import FIRST, OTHERS, Forward, SearchSettings, SearchVariant, Turn, turns
from sokoterm.solver.fess.tree import Node
from sokoterm.solver.search import Meter, Progress, Status
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.engine.drawn import levels, roomy_levels
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, meter_of, run, run_through


def tables_of(board: Board) -> BoardTables:
    return finish(make_tables(board, meter_of(board)))


def positions_of(tables: BoardTables, start: State, detector: DeadlockDetector | None = None) -> Positions:
    board = tables.board
    detector = detector or DeadlockDetector(board, open_board=tables.open)
    return Positions(tables, detector, meter_of(board), start.boxes, reachable_area(board, start))


def plan_for(level: Level, rule: ExitRule, effort: int) -> tuple[Node, PackingPlan]:
    """Return the clearing that a plan is made of, and the plan."""
    tables, meter = tables_of(level.board), meter_of(level.board)
    found = finish(search_packing(tables, level.start.boxes, rule, meter, effort))
    return found, finish(make_plan(tables, found, meter))


def area_without(board: Board, boxes: int, box: int) -> int:
    return flood(1 << box, board.floor & ~boxes | 1 << box, board.stride)


@given(roomy_levels)
def test_macro_moves_agree_with_the_push_planner_and_the_players_region(level: Level) -> None:
    board, state = level.board, level.start
    region = reachable_area(board, state)
    pieces_around: Pieces = {}
    for box in scan(state.boxes):
        area = area_without(board, state.boxes, box)
        if not region & area:
            continue
        allowed = board.floor & ~state.boxes | 1 << box
        landings = macro_moves(area, region, box, allowed, board.stride, pieces_around, pulls=False)
        assert {box, *(square for square, _, _ in landings)} == set(BoxReach(board, state, box).pushes)
        for square, there, parts in landings:
            assert parts == len(regions(area & ~(1 << square), board.stride))
            end = square, there
            path = macro_path(board, area, region, box, end, allowed, pulls=False)
            assert (path[0], path[-1]) == (box, square)
            after = State(state.boxes ^ 1 << box | 1 << square, there.bit_length() - 1)
            assert there == reachable_area(board, after)


@given(roomy_levels)
def test_pulls_are_pushes_backwards(level: Level) -> None:
    board, state = level.board, level.start
    region = reachable_area(board, state)
    pieces_around: Pieces = {}
    for box in scan(state.boxes):
        area = area_without(board, state.boxes, box)
        if not region & area:
            continue
        allowed = board.floor & ~state.boxes | 1 << box
        landings = macro_moves(area, region, box, allowed, board.stride, pieces_around, pulls=True)
        for square, after, parts in landings:
            assert parts == len(regions(area & ~(1 << square), board.stride))
            there = State(state.boxes ^ 1 << box | 1 << square, after.bit_length() - 1)
            assert box in BoxReach(board, there, square).pushes


@given(levels)
def test_the_tables_of_a_lone_box_are_right(level: Level) -> None:
    board = level.board
    lone = LoneBox(board)
    for goal in scan(board.goals):
        towards = lone.towards(1 << goal)
        for square in scan(board.floor & ~board.goals):
            for side, offset in enumerate(board.offsets):
                if board.floor >> square + offset & 1:
                    reach = BoxReach(board, State(1 << square, square + offset), square)
                    assert (goal in reach.pushes) == bool(towards[side] >> square & 1)


def test_the_plan_ends_with_all_goals_filled_and_each_step_adds_a_box() -> None:
    _, plan = plan_for(SEED_CASE, ExitRule(2), 150)
    assert plan.masks[0] == 0
    assert plan.masks[-1] == SEED_CASE.board.goals
    assert plan.step(SEED_CASE.board.goals) == plan.steps
    assert len(plan.zones) == len(plan.masks)


def test_there_is_a_yield_for_every_few_hundred_moves() -> None:
    wall, empty, full = "#" * 26, "#" + " " * 24 + "#", "#" + " $." * 8 + "#"
    level = Level.from_xsb("\n".join([wall, empty.replace(" ", "@", 1), *[full, empty] * 6, wall]))
    board, start = level.board, level.start
    plan = PackingPlan([0, board.goals], [0, 0], [0] * (board.stride * board.height))
    positions = positions_of(tables_of(board), start)
    forward = Forward(positions, plan, None, None, SearchSettings(prunes=False), Perimeter().from_goals, board.goals)
    (move,) = finish(forward.roots())
    root = Node(None, move, positions.start_region)
    for _ in range(2):
        yields, moves = run_through(forward.moves(root))
        assert len(moves) > 2_000
        assert len(yields) >= len(moves) // 512


def shuffled_plans(level: Level) -> int:
    """Count the different plans among eight shuffles."""
    return len({plan_for(level, ExitRule(1, shuffle=shuffle), 400)[1].masks for shuffle in range(1, 9)})


def test_shuffles_produce_every_order_of_boxes() -> None:
    squares = list(scan(SEED_CASE.board.floor))[:4]
    rules = [ExitRule(shuffle=shuffle) for shuffle in range(1, 300)]
    assert len({tuple(sorted(squares, key=partial(rule.noise, boxes=0))) for rule in rules}) == 24


def test_a_shuffle_makes_another_plan_whether_all_boxes_can_leave_at_once_or_none() -> None:
    none = open_pack(bundled_packs()[0]).levels[21]
    rows = ("#########", "#@      #", "# $ $ $ #", "#       #", "#  . . .#", "#       #", "#########")
    assert shuffled_plans(none) > 4
    assert shuffled_plans(Level.from_xsb("\n".join(rows))) > 1


def test_a_plan_may_begin_with_boxes_on_their_starting_squares() -> None:
    level = Level.from_xsb("#########\n#   #   #\n#   $.@ #\n#   #   #\n#########")
    found, plan = plan_for(level, ExitRule(6), 150)
    assert found.boxes == found.bases == level.start.boxes
    assert (plan.masks[0], plan.masks[-1]) == (level.start.boxes, level.board.goals)


def stays_away(_search: BackwardSearch, _expansions: int) -> Iterator[Progress]:
    """A turn of the backward search in which it meets nothing."""
    return iter(())


def short_turns(draw: int = 0) -> Iterator[Turn]:
    """The real turns, cut to two positions each."""
    return (turn._replace(expansions=2) for turn in turns(draw))


def test_searches_with_short_turns_still_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "turns", short_turns)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    crown = open_pack(bundled_packs()[0]).levels[26]
    solution, outcome = run("fess", crown)
    assert solution is not None, outcome
    assert outcome.nodes > 50
    narrow = Level.from_xsb("#######\n#@$ #.#\n#   # #\n#.$   #\n#   # #\n#######")
    solution, outcome = run("fess", narrow)
    assert (solution, outcome.status) == (None, Status.UNSOLVABLE)


def test_variants_share_a_plan_that_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def told(tables: BoardTables, found: Node, meter: Meter) -> Generator[Progress, None, PackingPlan]:
        made.append(found.line()[-1])
        return (yield from make_plan(tables, found, meter))

    monkeypatch.setattr(fess, "make_plan", told)
    monkeypatch.setattr(Forward, "is_goal", lambda *_: False)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    in_turn = [Turn(FIRST, 1), *(Turn(variant, 1) for variant in OTHERS)]
    monkeypatch.setattr(fess, "turns", lambda _draw: chain(in_turn, repeat(Turn(FIRST, 1))))
    run("fess", SEED_CASE, NO_LIMITS._replace(nodes=30))
    assert len(made) == len({FIRST.exit_rule, *(variant.exit_rule for variant in OTHERS)})


def test_no_search_is_started_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Told(Forward):
        def __init__(self, positions: Positions, plan: PackingPlan, *others: Any) -> None:
            super().__init__(positions, plan, *others)
            begun.append(plan.masks)

    # In every shuffle of the plan, the goal at the end comes first.
    level = Level.from_xsb("########\n#@     ###\n# $ $   ..#\n#      ###\n########")
    monkeypatch.setattr(fess, "Forward", Told)
    monkeypatch.setattr(Forward, "is_goal", lambda *_: False)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    others = (SearchVariant(ExitRule(1, shuffle=shuffle), SearchSettings(spreads=False)) for shuffle in count())
    in_turn = chain.from_iterable((Turn(FIRST, 1), Turn(variant, 1)) for variant in others)
    monkeypatch.setattr(fess, "turns", lambda _draw: in_turn)
    _, outcome = run("fess", level, NO_LIMITS._replace(nodes=200))
    assert outcome.status is not Status.SOLVED
    assert len(begun) == 2


# The positions shared by all searches of a level


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
