"""Detection of levels that are no puzzle.

The backward search for a start, against forward search.
"""

from itertools import pairwise

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.steps import finish
from sokoterm.generator.puzzle import Farthest, is_direct
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.optimizer.objective import Objective
from tests.present import present
from tests.unit.solver.exhaustive import least

STRAIGHT = "########\n#@ $ .#\n#  $ .#\n########"
# One box after the other, each straight to its goal.
IN_TURN = "#######\n#@$ . #\n# $ . #\n#     #\n#######"
# The box has to leave the goal so that the other one can pass.
GIVE_WAY = "#########\n#   #   #\n#@$ *  .#\n#   #   #\n#########"


@pytest.mark.parametrize("picture", [STRAIGHT, IN_TURN])
def test_one_box_after_another_is_direct(picture: str) -> None:
    level = Level.from_xsb(picture)
    assert finish(is_direct(level.board, level.start))


def test_a_box_that_has_to_give_way_is_not_direct() -> None:
    level = Level.from_xsb(GIVE_WAY)
    assert not finish(is_direct(level.board, level.start))


ROOM = """\
#######
#  .  #
# #   #
#.$$@ #
#   ###
#####"""


def test_the_lines_of_a_start_are_the_fewest() -> None:
    level = Level.from_xsb(ROOM)
    start = present(finish(Farthest(level.board).run(100_000)))
    (fewest, *_) = present(least(Level.from_xsb(level.xsb(start.state)), Objective.LINES))
    assert start.lines == len(start.trail) - 1 == fewest > 3


def test_the_trail_is_a_solution() -> None:
    level = Level.from_xsb(ROOM)
    start = present(finish(Farthest(level.board).run(100_000)))
    assert start.trail[0] == start.state.boxes
    assert start.trail[-1] == level.board.goals
    found = solution(level.board, start.state, start.trail)
    assert (found.box_lines, found.box_changes) == (start.lines, start.changes)
    assert all(before != after for before, after in pairwise(start.trail))


@pytest.mark.parametrize("nodes", [1, 5, 20])
def test_the_limit_of_nodes_holds(nodes: int) -> None:
    search = Farthest(Level.from_xsb(ROOM).board)
    finish(search.run(nodes))
    assert search.nodes == nodes


def test_no_start_where_nothing_can_be_pulled() -> None:
    assert finish(Farthest(Level.from_xsb("####\n#@*#\n####").board).run(100)) is None
