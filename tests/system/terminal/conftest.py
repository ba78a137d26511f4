"""The fixture ``pack``."""

from pathlib import Path

import pytest

from tests.bench.sessions import crowded_board

PACK = """\
##########
#@ $   . #
#        #
##########
Title: Push right
"""
# After a push to the right nothing is left to do, which only trying everything shows; then an area that stays closed.
LOST = """\
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


@pytest.fixture
def pack(tmp_path: Path) -> str:
    """The path of a pack with one level, which the keys jkk... walk in and lllll solve."""
    path = tmp_path / "pack.txt"
    path.write_text(PACK)
    return str(path)


@pytest.fixture
def hard(tmp_path: Path) -> str:
    """The path of a pack with a level that takes the solver very long, where the key l moves."""
    path = tmp_path / "hard.txt"
    path.write_text(crowded_board() + "\n")
    return str(path)
