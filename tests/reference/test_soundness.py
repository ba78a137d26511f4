"""Soundness on real levels: no position of a known solution is called dead, excluded or pruned away."""

from pathlib import Path

import pytest

from sokoterm.engine.bits import flood
from sokoterm.engine.deadlock.check import FreezeCheck, Patterns
from sokoterm.engine.deadlock.detector import THOROUGH_BOUNDS, DeadlockDetector
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.common.lower_bound import UNREACHABLE, LowerBound
from sokoterm.solver.common.prunings import PiCorrals
from sokoterm.solver.domain import Successors
from sokoterm.solver.fess.dead_end_check import DeadEndCheck
from sokoterm.solver.search import Meter, Status
from tests.reference.known import known_solutions, positions
from tests.slow import slow
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.common.test_lower_bound import distances_of, pairs_of
from tests.unit.solver.common.test_subset_proof import proof
from tests.unit.solver.common.test_unreachable_subsets import tables
from tests.unit.solver.fess.test_dead_end_check import node_of
from tests.unit.solver.fess.test_fess import finished, tables_of


def test_deadlock_check(shared: Path) -> None:
    everything = known_solutions(shared)
    assert len(everything) > 900
    for known in everything:
        check = FreezeCheck(known.level.board)
        for state in positions(known):
            deadlock = check.find(state.boxes)
            assert deadlock is None, f"{known.name}: {deadlock}\n{known.level.xsb(state)}"


def every(*usual: object) -> pytest.MarkDecorator:
    """One known level of so many, by default or slow, and all of them as a long test."""
    return pytest.mark.parametrize("every", [*usual, pytest.param(1, marks=pytest.mark.long)])


@every(180, slow(36))
def test_no_position_of_a_solution_is_called_dead(shared: Path, every: int) -> None:
    for known in known_solutions(shared)[::every]:
        detector = DeadlockDetector(known.level.board, bounds=THOROUGH_BOUNDS)
        for state in positions(known):
            deadlock = detector.find(state.boxes, reachable_area(known.level.board, state))
            assert deadlock is None, f"{known.name}: {deadlock}\n{known.level.xsb(state)}"


def test_prunings_on_a_sample(shared: Path) -> None:
    for known in known_solutions(shared)[::60]:
        board = known.level.board
        distances = distances_of(board)
        corrals = PiCorrals(board, distances.live, FreezeCheck(board).frozen, adds_boxes=True)
        successors = Successors(board, distances.live)
        pairs_at = LowerBound(distances).pairs_at
        pairs = pairs_of(distances) if pairs_at is not None and pairs_at < 5_000 else None
        for state in positions(known):
            region = flood(1 << state.player, board.floor & ~state.boxes, board.stride)
            fence = corrals.fence(state.boxes, region)
            assert fence is None or any(successors.pushes_from(state.boxes, region, fence)), known.name
            assert pairs is None or pairs.penalty(state.boxes, region) < UNREACHABLE, known.name


@every(180)
def test_no_position_of_a_solution_is_excluded_by_subsets(shared: Path, every: int) -> None:
    for known in known_solutions(shared)[::every]:
        found = tables(known.level)
        for state in positions(known):
            assert not found.by_start(state), (known.name, known.level.xsb(state))
            assert not found.by_goals(state), (known.name, known.level.xsb(state))


def test_proofs_on_a_sample(shared: Path) -> None:
    for known in known_solutions(shared)[::240]:
        patterns = Patterns()
        for state in list(positions(known))[::24]:
            outcome = proof(known.level._replace(start=state), patterns, nodes=300)
            assert outcome.status is not Status.UNSOLVABLE, known.level.xsb(state)


@every(30, slow(15))
def test_fess(shared: Path, every: int) -> None:
    """No position of a solution is called dead, and a PI-corral leaves a push."""
    for known in known_solutions(shared)[::every]:
        board = known.level.board
        tables = tables_of(board)
        detector = DeadlockDetector(tables.board, open_board=tables.open)
        corrals = PiCorrals(board, [tables.live] * 4, tables.frozen, adds_boxes=False)
        for state, letter in play(board, known.level.start, parse_lurd(known.lurd)):
            if not letter.isupper() or state.boxes == board.goals:
                continue
            region = reachable_area(board, state)
            assert not detector.is_dead(state.boxes, region), (known.name, known.level.xsb(state))
            fence = corrals.fence(state.boxes, region)
            assert fence is None or fence & ~tables.frozen(state.boxes), known.name


@pytest.mark.parametrize("every", [240, slow(60)])
def test_dead_end_check_on_a_sample(shared: Path, every: int) -> None:
    for known in known_solutions(shared)[::every]:
        board = known.level.board
        dead_ends = DeadEndCheck(DeadlockDetector(board), Meter("fess", board, NO_LIMITS, 1), ahead=10**9)
        for state in list(positions(known))[:-1:7]:
            for tried in (0, 50):
                dead = finished(dead_ends.prove(node_of(board, state), tried))
                assert dead == 0, (known.name, known.level.xsb(state))
