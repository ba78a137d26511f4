"""Best-first and breadth-first search: progress reports, limits, and solutions through tunnels."""

import pytest

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Push
from sokoterm.engine.deadlock import check as deadlock
from sokoterm.engine.level import Level
from sokoterm.solver.common.lower_bound import UNREACHABLE, LowerBound
from sokoterm.solver.common.state_space import pushes_between
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import Meter, Progress, Reason, Status, Strategy
from sokoterm.solver.strategies.best_first import astar
from sokoterm.store.packs import bundled_packs, open_pack
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run, run_through
from tests.unit.solver.exhaustive import random_levels, reachable


def test_the_position_nearest_to_a_solution_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meter, "is_due", lambda _meter: True)
    events, _ = run_through(astar(SEED_CASE.board, SEED_CASE.start, NO_LIMITS))
    progress = [each for each in events if isinstance(each, Progress)]
    bounds = [each.features[0].value for each in progress if each.features]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0]
    last = progress[-1]
    assert [each.name for each in last.features] == ["bound", "home"]
    assert last.best.bit_count() == SEED_CASE.boxes
    assert last.features[1].value == (last.best & SEED_CASE.board.goals).bit_count()


def test_limits_spent_before_the_search_end_it() -> None:
    _, outcome = run("astar", SEED_CASE, NO_LIMITS._replace(seconds=0.0))
    assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.TIME)


@pytest.mark.parametrize(("way", "count"), [(1, 1), (3, 3), (-2, 2), (16, 2), (-24, 3)])
def test_pushes_between_the_ends_of_a_straight_run(way: int, count: int) -> None:
    board = Level.from_xsb("#######\n#@ $  #\n#     #\n#    .#\n#     #\n#     #\n#######").board
    assert board.stride == 8
    box = 3 * 8 + 3
    before: Bitboard = 1 << box
    pushes = pushes_between(board, before, 1 << box + way)
    assert len(pushes) == count
    assert pushes[0] == Push(box, pushes[0].direction)
    assert pushes[-1].box + board.offsets[pushes[-1].direction] == box + way


@pytest.mark.parametrize("strategy", [STRATEGIES["astar"], PROVERS["fewest moves"]])
@pytest.mark.parametrize("penalty", [1, UNREACHABLE])
def test_requeued_and_dead_states_are_not_all_handled_between_two_yields(
    strategy: Strategy, penalty: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = present(open_pack(bundled_packs()[4]).find_level(30))
    looked = 0
    latest = -1

    def penalty_once_grown(_bound: LowerBound, _boxes: Bitboard, _region: Bitboard) -> int:
        nonlocal looked
        looked += 1
        return penalty if latest >= 1_000 else 0

    monkeypatch.setattr(LowerBound, "penalty", penalty_once_grown)
    between = []
    for event in strategy(level.board, level.start, NO_LIMITS._replace(nodes=2_000)):
        if isinstance(event, Progress):
            between.append(looked)
            looked, latest = 0, event.nodes
    assert latest >= 1_000
    assert max(*between, looked) <= 260


def test_no_box_set_is_found_dead_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    found_dead: list[Bitboard] = []
    frozen = deadlock.FreezeCheck.frozen

    def watched(self: deadlock.FreezeCheck, boxes: Bitboard) -> Bitboard:
        fixed = frozen(self, boxes)
        if fixed & ~self.board.goals:
            found_dead.append(boxes)
        return fixed

    monkeypatch.setattr(deadlock.FreezeCheck, "frozen", watched)
    run("bfs", SEED_CASE)
    assert found_dead
    assert len(found_dead) == len(set(found_dead))


def test_a_proof_expands_each_state_that_can_be_reached_at_most_once() -> None:
    proofs = 0
    for level in random_levels(20, 60):
        _, outcome = run("bfs", level)
        if outcome.status is Status.UNSOLVABLE:
            proofs += 1
            assert outcome.nodes <= outcome.stored <= len(reachable(level.board, level.start))
    assert proofs > 10
