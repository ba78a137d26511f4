"""The optimizer on boards with colours or ice, against all positions of small boards."""

from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import Solution, verify
from sokoterm.solver.job import solve
from sokoterm.solver.optimizer.driver import Steering, optimize
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import Found, Outcome
from sokoterm.solver.registry import STRATEGIES
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.variants.positions import fewest_moves, positions_of, random_varied

_ROOM = Level.from_xsb("#######\n#@$ . #\n#     #\n#######")
PAIR = varied(_ROOM, {_ROOM.board.square(1, 2): 0}, {_ROOM.board.square(1, 4): 0})


def optimized(
    level: Level, known: Solution, objective: Objective, steering: Steering | None = None
) -> tuple[Solution, Outcome]:
    steps = optimize(level.board, level.start, known, objective, NO_LIMITS, steering)
    best = known
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            return best, end.value
        if isinstance(event, Found):
            assert verify(level.board, level.start, event.solution.lurd) == event.solution
            assert objective.key(event.solution) < objective.key(best)
            best = event.solution


def test_nothing_is_better_than_what_is_proven() -> None:
    proven = better = 0
    for level in random_varied(21, 90, size=8):
        known, _ = solve(level.board, level.start, STRATEGIES["greedy"], NO_LIMITS)
        positions = positions_of(level, 1_000)
        if known is None or positions is None or positions.pushes.get(positions.first) == 0:
            continue
        for objective in Objective:
            best, outcome = optimized(level, known, objective)
            better += best != known
            if objective is Objective.PUSHES:
                assert (best.pushes, outcome.optimal) == (positions.fewest, "pushes")
            elif objective is not Objective.MOVES:
                assert outcome.optimal is None
            elif (expected := fewest_moves(level, 4_000)) is not None:
                assert ((best.moves, best.pushes), outcome.optimal) == (expected, "moves")
                proven += 1
    assert proven > 5
    assert better > 5


# Six moves too many before the first push, two before the second.
WALKED = verify(PAIR.board, PAIR.start, "drrlluRlrR")


def test_pushes_stay_in_a_range_and_where_boxes_are_kept() -> None:
    level = PAIR
    for steering, moves in (
        (Steering(first=7), 8),
        (Steering(last=7), 4),
        (Steering(kept=level.start.boxes & level.board.floor), 2),
    ):
        best, outcome = optimized(level, WALKED, Objective.MOVES, steering)
        assert (best.moves, best.pushes, outcome.optimal) == (moves, 2, None)


def test_the_best_of_several_solutions_is_taken() -> None:
    other = verify(PAIR.board, PAIR.start, "RR")
    best, _ = optimized(PAIR, WALKED, Objective.LINES, Steering(others=(other,)))
    assert best == other


def test_a_level_that_begins_solved_keeps_its_solution() -> None:
    level = Level.from_xsb("#######\n#     #\n# @*  #\n#     #\n#######")
    level = varied(level, {level.board.square(2, 3): 0}, {level.board.square(2, 3): 0})
    known = verify(level.board, level.start, "udRurrdL")
    best, outcome = optimized(level, known, Objective.MOVES)
    assert (best, outcome.optimal) == (known, None)
