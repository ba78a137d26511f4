"""Breadth-first search: few states stored, and none expanded twice."""

import pytest

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.deadlock import check as deadlock
from sokoterm.solver.search import Status
from tests.unit.solver.cases import SEED_CASE, run
from tests.unit.solver.exhaustive import random_levels, reachable


def test_the_seed_case_stores_fewer_states_than_a_search_without_deadlocks() -> None:
    _, outcome = run("bfs", SEED_CASE)
    assert outcome.stored < 3869
    assert outcome.stored < len(reachable(SEED_CASE.board, SEED_CASE.start))


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
