"""The optimizer on boards with colours or ice that are too large to be searched whole; small ones: ``test_driver``."""

import pytest

from levels.make.choose_packs import LEVELS
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import solve
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.optimizer.test_driver import FEW, optimized

_ROOM = Level.from_xsb("#######\n#@$ . #\n#     #\n#######")
PAIR = varied(_ROOM, {_ROOM.board.square(1, 2): 0}, {_ROOM.board.square(1, 4): 0})

# Six moves too many before the first push, two before the second.
WALKED = verify(PAIR.board, PAIR.start, "drrlluRlrR")


def test_pushes_stay_in_a_range_and_where_boxes_are_kept() -> None:
    level = PAIR
    for steering, moves in (
        (Steering(first=7), 8),
        (Steering(last=7), 4),
        (Steering(kept=level.start.boxes & level.board.floor), 2),
    ):
        best, outcome = optimized(level, WALKED, Objective.MOVES, FEW, steering)
        assert (best.moves, best.pushes, outcome.optimal) == (moves, 2, None)


def test_the_best_of_several_solutions_is_taken() -> None:
    other = verify(PAIR.board, PAIR.start, "RR")
    best, _ = optimized(PAIR, WALKED, Objective.LINES, FEW, Steering(others=(other,)))
    assert best == other


def test_a_level_that_begins_solved_keeps_its_solution() -> None:
    level = Level.from_xsb("#######\n#     #\n# @*  #\n#     #\n#######")
    level = varied(level, {level.board.square(2, 3): 0}, {level.board.square(2, 3): 0})
    known = verify(level.board, level.start, "udRurrdL")
    best, outcome = optimized(level, known, Objective.MOVES)
    assert (best, outcome.optimal) == (known, None)


@pytest.mark.parametrize("name", ["forty-colours", "forty-on-ice", "forty-cold-colours"])
def test_parts_get_better_for_each_objective_without_a_search_of_the_whole_level(name: str) -> None:
    file = f"variants-{name}.txt"
    level = parse((LEVELS / file).read_bytes(), file).levels[36]
    known, _ = solve(level.board, level.start, STRATEGIES["greedy"], NO_LIMITS)
    assert known is not None
    for objective in Objective:
        best, outcome = optimized(level, known, objective, FEW, Steering(last=known.moves))
        assert best != known
        assert outcome.optimal is None
