"""Detection of levels that are no puzzle."""

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.slices import finish
from sokoterm.generator.puzzle import is_direct

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
