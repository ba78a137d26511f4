"""FESS on boards with colours, against all positions of small boards, and its plans."""

import pytest

from levels.make.choose_packs import LEVELS
from sokoterm.engine.bits import flood, scan
from sokoterm.engine.level import Level, varied
from sokoterm.engine.steps import finish
from sokoterm.formats.registry import parse
from sokoterm.solver.fess.colored import ColoredPositions, make_colored_positions
from sokoterm.solver.fess.plan import ExitRule, Unpacking
from sokoterm.solver.fess.tree import search_farthest
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Meter, Status, solve
from tests.unit.solver.cases import NO_LIMITS
from tests.unit.solver.exhaustive import status_without_solution
from tests.unit.solver.varied_positions import positions_of, random_varied


def colored(level: Level) -> Level | None:
    """Return a level without its ice; None if it has no colours."""
    return level._replace(board=level.board._replace(ice=0)) if level.board.colors else None


def test_the_answer_is_that_of_an_exhaustive_search() -> None:
    answers = []
    for seed in range(4):
        for drawn in random_varied(seed, 40, size=8, boxes=3 + seed % 2):
            level = colored(drawn)
            positions = None if level is None else positions_of(level, 3_000)
            if level is None or positions is None:
                continue
            solution, outcome = solve(level.board, level.start, STRATEGIES["fess"], NO_LIMITS)
            assert (solution is None) == (positions.fewest is None)
            assert outcome.status is (status_without_solution(level) if solution is None else Status.SOLVED)
            answers.append(outcome.status)
    assert answers.count(Status.SOLVED) > 20
    assert answers.count(Status.UNSOLVABLE) > 20


# The left box belongs on the right goal.
CHANGED = varied(
    Level.from_xsb("""\
##########
#        #
# $ @  $ #
#        #
# .    . #
##########"""),
    {2 * 11 + 2: 0, 2 * 11 + 7: 1},
    {4 * 11 + 2: 1, 4 * 11 + 7: 0},
)


PACKS = ("first-colours", "forty-colours")


@pytest.mark.parametrize("pack", PACKS)
def test_all_packs_with_colours_are_solved(pack: str) -> None:
    name = f"variants-{pack}.txt"
    levels = parse((LEVELS / name).read_bytes(), name).levels
    assert len(levels) >= 16
    for level in levels:
        assert STRATEGIES["fess"].applies(level.board)
        solution, _ = solve(level.board, level.start, STRATEGIES["fess"], NO_LIMITS._replace(nodes=3_000))
        assert solution is not None


def positions_and_meter(level: Level) -> tuple[ColoredPositions, Meter]:
    board, start = level.board, level.start
    meter = Meter("test", board, NO_LIMITS, 1)
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    found = finish(make_colored_positions(board, start, region, meter))
    assert found is not None
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
