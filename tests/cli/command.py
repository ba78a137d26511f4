"""Running the command line inside the test, and levels for it."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.cli import main

# Needs exactly 43 pushes.
SEED = """\
########
##  @###
## #$  #
# *. . #
#  $$ ##
### #.##
###   ##
########"""

ONE_PUSH = "#####\n#@$.#\n#####"
TWO_PUSHES = "######\n#@$ .#\n######"
# The box in the corner stays there.
STUCK = "#####\n#$ .#\n#@  #\n#####"
# Solved with 2 pushes in 10 moves, or with 4 pushes in 8.
FEWER_MOVES = """\
######
#   .#
#  $@#
##  ##
# # ##
######"""
# More states than a test could wait for.
WIDE = """\
#############
#     @     #
#  $ $ $ $  #
#           #
#  $ $ $ $  #
#           #
#.  . . . . #
#. . .      #
#############"""

MODULE = [sys.executable, "-m", "sokoterm"]


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[Mapping[str, object]]:
        """The JSON objects on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Command:
    """Runs the command line in this process, with progress in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Result:
        status = main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Result(status, captured.out, captured.err)

    def pack(self, name: str, levels: Sequence[str]) -> Path:
        """A file of levels titled A, B, C ..."""
        path = self.folder / name
        path.write_text("".join(f"; {chr(65 + i)}\n\n{level}\n\n" for i, level in enumerate(levels)), "utf-8")
        return path
