"""Proofs of unsolvability: right on small boards of all kinds, and none for a position that can be solved."""

import pytest

from sokoterm.engine.deadlock.check import DeadlockKind, Patterns
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved
from sokoterm.solver.proof import prover
from sokoterm.solver.search import Outcome, Status, solve
from tests.present import present
from tests.slow import others_slow
from tests.unit.engine.deadlock.test_detector import come_home, crowded_levels
from tests.unit.engine.test_rules import RINK
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE
from tests.unit.solver.exhaustive import positions_of, pushes_to_solve, random_varied, reachable

# Positions of a level that are given to the prover.
_ASKED = 20


@pytest.mark.parametrize("seed", others_slow((12, 13, 14)))
def test_positions_are_proven_dead_if_and_only_if_they_are_and_no_other_is_called_dead_afterwards(seed: int) -> None:
    proven = kept = 0
    for level in random_varied(seed, 90, size=8):
        board, positions = level.board, positions_of(level, 1_500)
        if positions is None:
            continue
        detector = DeadlockDetector(board)
        regions = {state: reachable_area(board, state) for state in positions.successors}
        asked = [state for state, region in regions.items() if not detector.is_dead(state.boxes, region)]
        for state in sorted(asked, key=lambda each: (each in positions.pushes, each))[:_ASKED]:
            solution, outcome = solve(board, state, prover(detector.patterns), NO_LIMITS)
            assert solution is None
            assert outcome.status is (Status.SOLVED if state in positions.pushes else Status.UNSOLVABLE)
            if state not in positions.pushes:
                proven += 1
                assert detector.explain(state.boxes, regions[state]) is not None
        for state in positions.pushes:
            kept += 1
            assert not detector.is_dead(state.boxes, regions[state])
    assert proven
    assert kept > 100


def test_a_position_that_begins_solved_is_not_proven_dead() -> None:
    level = Level.from_xsb("####\n#@*#\n####")
    board = level.board._replace(ice=RINK.board.ice)
    assert is_solved(board, level.start)
    _, outcome = solve(board, level.start, prover(DeadlockDetector(board).patterns), NO_LIMITS)
    assert outcome.status is Status.SOLVED


# Three boxes that are dead only together, which no other test detects.
STUCK = "######\n# $ +#\n#  $.#\n# $ .#\n######"


def proof(level: Level, patterns: Patterns, nodes: int = 10**9) -> Outcome:
    solution, outcome = solve(level.board, level.start, prover(patterns), NO_LIMITS._replace(nodes=nodes))
    assert solution is None
    return outcome


@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_positions_are_proven_dead_if_and_only_if_they_are(seed: int) -> None:
    proven = 0
    for level in crowded_levels(seed, 500):
        board, start = level.board, level.start
        region = reachable_area(board, start)
        detector = DeadlockDetector(board)
        if detector.is_dead(start.boxes, region):
            continue
        can_be_solved = start.normalized(board) in pushes_to_solve(board, reachable(board, start))
        outcome = proof(level, detector.patterns)
        assert outcome.status is (Status.SOLVED if can_be_solved else Status.UNSOLVABLE), level.xsb()
        if not can_be_solved:
            proven += 1
            deadlock = present(detector.find(start.boxes, region))
            assert deadlock.kind is DeadlockKind.LEARNED
            if deadlock.boxes != start.boxes:
                assert not come_home(board, deadlock.boxes, start.player), level.xsb()
    assert proven


def test_a_proven_deadlock_is_recognized_in_other_positions() -> None:
    level = Level.from_xsb(STUCK)
    patterns = Patterns()
    assert proof(level, patterns).status is Status.UNSOLVABLE
    assert len(patterns) > 0
    assert DeadlockDetector(level.board, patterns).is_dead(level.start.boxes, reachable_area(level.board, level.start))


def test_a_proof_gives_up_at_its_limit_and_counts_the_same_every_time() -> None:
    outcomes = [proof(SEED_CASE, Patterns(), nodes=40) for _ in range(2)]
    assert [(each.status, each.nodes) for each in outcomes] == [(Status.GAVE_UP, 40)] * 2
    first, second = (proof(SEED_CASE, Patterns()).nodes for _ in range(2))
    assert first == second


def test_a_zigzag_with_walls_in_it_is_a_deadlock_as_a_whole() -> None:
    rows = "#########\n#       #\n##$     #\n## #    #\n# {}#    #\n#  #    #\n#     {} #\n#   .   #\n#########"
    closed = Level.from_xsb(rows.format("*", "@"))
    patterns = Patterns()
    _, outcome = solve(closed.board, closed.start, prover(patterns), NO_LIMITS)
    assert outcome.status is Status.UNSOLVABLE
    detector = DeadlockDetector(closed.board)
    found = present(detector.find(closed.start.boxes, reachable_area(closed.board, closed.start)))
    assert found.boxes == closed.start.boxes
    # With the lower box elsewhere, the upper one gets to a goal, so the learned pattern must contain both.
    apart = closed.start._replace(boxes=closed.start.boxes & -closed.start.boxes | 1 << closed.start.player - 1)
    assert come_home(closed.board, apart.boxes, apart.player)
    assert not DeadlockDetector(closed.board, patterns=patterns).is_dead(
        apart.boxes, reachable_area(closed.board, apart)
    )
