"""Soundness on real levels: no position of a known solution is called dead, excluded or pruned away."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sokoterm.engine.deadlock.check import FreezeCheck, Patterns
from sokoterm.engine.deadlock.detector import THOROUGH_BOUNDS, DeadlockDetector
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.lower_bound import UNREACHABLE, LowerBound
from sokoterm.solver.common.prunings import PiCorrals
from sokoterm.solver.domain import Successors
from sokoterm.solver.fess.dead_end_check import DeadEndCheck
from sokoterm.solver.search import Status
from tests.reference.known import KnownSolution, known_solutions, positions
from tests.slow import slow
from tests.unit.solver.cases import meter_of
from tests.unit.solver.common.test_lower_bound import distances_of, pairs_of
from tests.unit.solver.common.test_prunings import tables
from tests.unit.solver.fess.test_fess import tables_of
from tests.unit.solver.fess.test_tree import node_of
from tests.unit.solver.test_proof import proof


def check_freezes(known: KnownSolution) -> None:
    check = FreezeCheck(known.level.board)
    for state in positions(known):
        deadlock = check.find(state.boxes)
        assert deadlock is None, f"{known.name}: {deadlock}\n{known.level.xsb(state)}"


def check_detector(known: KnownSolution) -> None:
    detector = DeadlockDetector(known.level.board, bounds=THOROUGH_BOUNDS)
    for state in positions(known):
        deadlock = detector.find(state.boxes, reachable_area(known.level.board, state))
        assert deadlock is None, f"{known.name}: {deadlock}\n{known.level.xsb(state)}"


def check_prunings(known: KnownSolution) -> None:
    board = known.level.board
    distances = distances_of(board)
    corrals = PiCorrals(board, distances.live, FreezeCheck(board).frozen, adds_boxes=True)
    successors = Successors(board, distances.live)
    pairs_at = LowerBound(distances).pairs_at
    pairs = pairs_of(distances) if pairs_at is not None and pairs_at < 5_000 else None
    for state in positions(known):
        region = reachable_area(board, state)
        fence = corrals.fence(state.boxes, region)
        assert fence is None or any(successors.pushes_from(state.boxes, region, fence)), known.name
        assert pairs is None or pairs.penalty(state.boxes, region) < UNREACHABLE, known.name


def check_subsets(known: KnownSolution) -> None:
    found = tables(known.level)
    for state in positions(known):
        assert not found.by_start(state), (known.name, known.level.xsb(state))
        assert not found.by_goals(state), (known.name, known.level.xsb(state))


def check_proofs(known: KnownSolution) -> None:
    patterns = Patterns()
    for state in list(positions(known))[::24]:
        outcome = proof(known.level.replace(start=state), patterns, nodes=300)
        assert outcome.status is not Status.UNSOLVABLE, known.level.xsb(state)


def check_fess(known: KnownSolution) -> None:
    """A PI-corral leaves a push, too."""
    board = known.level.board
    tables = tables_of(board)
    detector = DeadlockDetector(tables.board, open_board=tables.open)
    corrals = PiCorrals(board, [tables.live] * 4, tables.frozen, adds_boxes=False)
    for state in positions(known):
        if state.boxes == board.goals:
            continue
        region = reachable_area(board, state)
        assert not detector.is_dead(state.boxes, region), (known.name, known.level.xsb(state))
        fence = corrals.fence(state.boxes, region)
        assert fence is None or fence & ~tables.frozen(state.boxes), known.name


def check_dead_ends(known: KnownSolution) -> None:
    board = known.level.board
    dead_ends = DeadEndCheck(DeadlockDetector(board), meter_of(board), ahead=10**9)
    for state in list(positions(known))[:-1:7]:
        for tried in (0, 50):
            dead = finish(dead_ends.prove(node_of(board, state), tried))
            assert dead == 0, (known.name, known.level.xsb(state))


# Of more than 900 solutions every so many: in the default run, and among the slow tests.
SAMPLES = (
    (check_freezes, 10, 1),
    (check_detector, 450, 36),
    (check_prunings, 180, 60),
    (check_subsets, 450, 180),
    (check_proofs, 480, 240),
    (check_fess, 60, 15),
    (check_dead_ends, 450, 60),
)


@pytest.mark.parametrize(
    ("check", "every"),
    [(check, few) for check, few, _ in SAMPLES] + [slow(check, many) for check, _, many in SAMPLES],
)
def test_no_position_of_a_known_solution_is_called_dead(
    shared: Path, check: Callable[[KnownSolution], None], every: int
) -> None:
    for known in known_solutions(shared)[::every]:
        check(known)


@pytest.mark.long
@pytest.mark.parametrize("check", [check_detector, check_subsets, check_fess])
def test_no_position_of_any_known_solution_is(shared: Path, check: Callable[[KnownSolution], None]) -> None:
    assert len(known_solutions(shared)) > 900
    for known in known_solutions(shared):
        check(known)
