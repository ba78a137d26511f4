"""Levels that are no puzzle."""

import pytest

from sokoterm.engine.level import Level
from sokoterm.generator.direct import is_direct
from sokoterm.generator.steps import finish

STRAIGHT = "########\n#@ $ .#\n#  $ .#\n########"
# The lower box stands in the way of the upper one and has no goal it could come to before.
IN_TURN = "#######\n#@$ . #\n# $ . #\n#     #\n#######"
# The box has to leave the goal so that the other one can pass.
GIVE_WAY = "#########\n#   #   #\n#@$ *  .#\n#   #   #\n#########"


@pytest.mark.parametrize("picture", [STRAIGHT, IN_TURN])
def test_one_box_after_the_other(picture: str) -> None:
    level = Level.from_xsb(picture)
    assert finish(is_direct(level.board, level.start))


def test_a_box_has_to_give_way() -> None:
    level = Level.from_xsb(GIVE_WAY)
    assert not finish(is_direct(level.board, level.start))
