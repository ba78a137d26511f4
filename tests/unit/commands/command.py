"""Running the command line inside the test, and levels for it."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
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

# The first fields of the JSON object of a level.
PLACE = ("pack", "pack_title", "pack_author", "level", "title", "author")

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
    """Runs a command line, that of sokoterm if not told, in this process, with progress in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        main: Callable[[list[str]], int] = main,
    ) -> None:
        for variable in ("SOKOTERM_DATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            monkeypatch.setenv(variable, str(folder / variable.lower()))
        self.folder = folder
        self._capsys = capsys
        self._main = main

    def __call__(self, *arguments: str | Path) -> Result:
        status = self._main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Result(status, captured.out, captured.err)

    def pack(self, name: str, levels: Sequence[str]) -> Path:
        """A file of levels titled A, B, C ..."""
        path = self.folder / name
        path.write_text("".join(f"; {chr(65 + i)}\n\n{level}\n\n" for i, level in enumerate(levels)), "utf-8")
        return path
