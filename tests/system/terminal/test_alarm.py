"""The warning of lost positions on a real pseudo-terminal."""

import time
from pathlib import Path

from tests.system.terminal.screen import sokoterm

# After a push to the right nothing is left to do, which only trying everything shows; then an area that stays closed.
PACK = """\
######
#   .#
# *# #
#  $ #
# @$.#
######

######
#.$  #
#@*  #
#  *##
######
"""

# More positions than can be tried in a moment.
WIDE = """\
##################
#@$              #
#  $ $ $ $ $ $   #
#                #
#  $ $ $ $ $ $   #
#                #
#  . . . . . .   #
#  . . . . . . . #
##################
"""


def test_a_position_is_proven_lost_while_the_player_looks_at_it(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        screen.wait_for("this position cannot be solved: proven, U goes back")
        screen.type("U", "moves 0")
        screen.type("n", "dead: boxes that are shut in")
        screen.type("q")
        assert screen.wait() == 0


def test_keys_are_answered_while_a_position_is_thought_about(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_text(WIDE)
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("moves 0")
        screen.type("l", "moves 1")
        time.sleep(1.5)
        screen.type("j", "moves 2")
        screen.type("u", "moves 1")
        screen.type("q")
        assert screen.wait() == 0
