"""Proofs on boards with colours or ice."""

from sokoterm.engine.bits import flood
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.rules import is_solved
from sokoterm.solver.proof import prover
from sokoterm.solver.search import Status, solve
from tests.unit.engine.test_variants import RINK
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.varied_positions import positions_of, random_varied

# Positions of a level that are given to the prover.
_ASKED = 20


def test_positions_are_proven_dead_if_and_only_if_they_are_and_no_other_is_called_dead_afterwards() -> None:
    proven = kept = 0
    for level in random_varied(12, 180, size=8):
        board, positions = level.board, positions_of(level, 1_500)
        if positions is None:
            continue
        detector = DeadlockDetector(board)
        states = {key: positions.state(key) for key in positions.after}
        regions = {
            key: flood(1 << player, board.floor & ~boxes, board.stride) for key, (boxes, player) in states.items()
        }
        asked = [key for key, state in states.items() if not detector.is_dead(state.boxes, regions[key])]
        for key in sorted(asked, key=lambda each: (each in positions.pushes, states[each]))[:_ASKED]:
            solution, outcome = solve(board, states[key], prover(detector.patterns), NO_LIMITS)
            assert solution is None
            assert outcome.status is (Status.SOLVED if key in positions.pushes else Status.UNSOLVABLE)
            if key not in positions.pushes:
                proven += 1
                found = detector.explain(states[key].boxes, regions[key])
                assert found is not None
        for key in positions.pushes:
            kept += 1
            assert not detector.is_dead(states[key].boxes, regions[key])
    assert proven > 5
    assert kept > 100


def test_a_position_that_begins_solved_is_not_proven_dead() -> None:
    level = Level.from_xsb("####\n#@*#\n####")
    board = level.board._replace(ice=RINK.board.ice)
    assert is_solved(board, level.start)
    _, outcome = solve(board, level.start, prover(DeadlockDetector(board).patterns), NO_LIMITS)
    assert outcome.status is Status.SOLVED
