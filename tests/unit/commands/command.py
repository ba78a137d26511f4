"""Running the command line inside the test, and levels for it."""

import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.cli import main
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import added_packs
from sokoterm.store.progress import ProgressStore

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
        self.monkeypatch = monkeypatch
        self.folder = folder
        self.data = folder / "sokoterm_data"
        self._capsys = capsys
        self._main = main

    def __call__(self, *arguments: str | Path) -> Result:
        status = self._main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Result(status, captured.out, captured.err)

    def done(self, *arguments: str | Path) -> Result:
        """What a command leaves behind that does all it is asked to."""
        result = self(*arguments)
        assert (result.status, result.err) == (0, "")
        return result

    def refusal(self, *arguments: str | Path) -> str:
        """The one line of a command that does nothing else and ends with status 2, without ``sokoterm:``."""
        result = self(*arguments)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
        assert result.err.startswith("sokoterm: ")
        return result.err.removeprefix("sokoterm: ").rstrip("\n")

    def feed(self, text: str | bytes) -> None:
        """Have this on standard input."""
        data = text.encode() if isinstance(text, str) else text
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    def file(self, name: str, text: str) -> Path:
        """A file with a text, in a folder that is made where it is missing."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def progress(self, now: float = 0.0) -> "closing[ProgressStore]":
        """The progress of the player, for a ``with`` block."""
        return closing(ProgressStore.open(str(self.data / "progress.db"), lambda: now))

    def index(self) -> "closing[LibraryIndex]":
        """The index of the library, for a ``with`` block."""
        return closing(LibraryIndex.open(str(self.data / "library.db"), lambda: 0.0))

    def added(self) -> list[str]:
        """The names of the packs in the library."""
        return [file.name for file in added_packs(str(self.data / "packs"), {})]

    def settings(self, text: str) -> None:
        """Have the settings say this."""
        self.file("xdg_config_home/sokoterm/config.toml", text)

    def pack(self, name: str, levels: Sequence[str]) -> Path:
        """A file of levels titled A, B, C ..."""
        return self.file(name, "".join(f"; {chr(65 + i)}\n\n{level}\n\n" for i, level in enumerate(levels)))
