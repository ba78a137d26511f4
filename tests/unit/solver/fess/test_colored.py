"""FESS on boards with colours, against all positions of small boards, and its plans."""

import pytest

from levels.make.choose_packs import LEVELS
from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level, varied
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.formats.registry import parse
from sokoterm.solver.fess.colored import ColoredPositions, make_colored_positions
from sokoterm.solver.fess.plan import ExitRule, Unpacking
from sokoterm.solver.fess.tree import search_farthest
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Meter, Status, solve
from tests.present import present
from tests.slow import others_slow, slow
from tests.unit.solver.cases import NO_LIMITS, meter_of
from tests.unit.solver.exhaustive import check_answer, positions_of, random_varied


@pytest.mark.parametrize("seed", others_slow(range(4)))
def test_the_answer_is_that_of_an_exhaustive_search(seed: int) -> None:
    answers = []
    for level in random_varied(seed, 40, size=8, boxes=3 + seed % 2):
        level = level._replace(board=level.board._replace(ice=0))
        positions = positions_of(level, 1_000) if level.board.colors else None
        if positions is not None:
            solution, outcome = solve(level.board, level.start, STRATEGIES["fess"], NO_LIMITS)
            check_answer(level, solution, outcome, positions.fewest)
            answers.append(outcome.status)
    assert {Status.SOLVED, Status.UNSOLVABLE} <= {*answers}
    assert len(answers) > 10


# The left box belongs on the right goal.
CHANGED = varied(
    Level.from_xsb("##########\n#        #\n# $ @  $ #\n#        #\n# .    . #\n##########"),
    {2 * 11 + 2: 0, 2 * 11 + 7: 1},
    {4 * 11 + 2: 1, 4 * 11 + 7: 0},
)


@pytest.mark.parametrize(
    ("pack", "every"), [("first-colours", 4), ("forty-colours", 8), slow("first-colours", 1), slow("forty-colours", 1)]
)
def test_levels_of_all_packs_with_colours_are_solved(pack: str, every: int) -> None:
    name = f"variants-{pack}.txt"
    for level in parse((LEVELS / name).read_bytes(), name).levels[::every]:
        assert STRATEGIES["fess"].applies(level.board)
        present(solve(level.board, level.start, STRATEGIES["fess"], NO_LIMITS._replace(nodes=3_000))[0])


def positions_and_meter(level: Level) -> tuple[ColoredPositions, Meter]:
    board, start, meter = level.board, level.start, meter_of(level.board)
    found = present(finish(make_colored_positions(board, start, reachable_area(board, start), meter)))
    return found, meter


def test_a_plan_says_which_box_goes_where() -> None:
    positions, meter = positions_and_meter(CHANGED)
    tables = positions.tables
    unpacking = Unpacking(tables, positions.start_boxes, ExitRule(1, anywhere=True), meter)
    line = finish(search_farthest(unpacking, 100)).line()
    assert line[0].boxes == tables.goals
    assert line[-1].boxes == line[-1].bases
    gone = [(node.move.origin // tables.size, node.move.square // tables.size) for node in line[1:] if node.move.bases]
    assert gone
    assert all(before == after for before, after in gone)


def test_moves_keep_colours_and_end_on_live_squares() -> None:
    positions, _ = positions_and_meter(CHANGED)
    boxes, tables = positions.start_boxes, positions.tables
    moves = list(finish(positions.pushes(boxes, positions.start_region, prunes=False)))
    assert {box for box, *_ in moves} == set(scan(boxes))
    for box, square, *_ in moves:
        assert box // tables.size == square // tables.size
        assert tables.live >> square & 1
