"""Detection of levels that are no puzzle.

The backward search for a start, against forward search.
"""

from itertools import pairwise

import pytest

from sokoterm.engine.bits import flood
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.steps import finish
from sokoterm.generator.puzzle import Farthest, is_direct
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.domain import Successors
from tests.present import present

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


def fewest_lines(level: Level, start: State) -> int:
    """Return the fewest box lines, by forward breadth-first search."""
    board = level.board
    successors = Successors(board, [board.floor] * 4)
    layer = [start.normalized(board)]
    seen = set(layer)
    lines = 0
    while layer:
        if any(state.boxes == board.goals for state in layer):
            return lines
        lines += 1
        reached = []
        for state in layer:
            region = flood(1 << state.player, board.floor & ~state.boxes, board.stride)
            for direction, box, _, _, after in successors.pushes_from(state.boxes, region):
                offset = board.offsets[direction]
                square = box.bit_length() - 1
                while True:
                    child = State(after, square).normalized(board)
                    if child not in seen:
                        seen.add(child)
                        reached.append(child)
                    landing = square + 2 * offset
                    if not board.floor & ~after & 1 << landing:
                        break
                    square += offset
                    after ^= 1 << square | 1 << landing
        layer = reached
    raise AssertionError("no solution")


def test_the_lines_of_a_start_are_the_fewest() -> None:
    level = Level.from_xsb(ROOM)
    start = present(finish(Farthest(level.board).run(100_000)))
    assert start.lines == len(start.trail) - 1 == fewest_lines(level, start.state) > 3


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
