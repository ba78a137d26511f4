"""The theme ``pictures`` in kitty itself, on a screen of Xvfb: what it shows is the picture of the position."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import Self

import pytest
from PIL import Image, ImageChops, ImageStat

from sokoterm.engine.bits import squares_of
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import stance_after
from sokoterm.pictures.draw import BoardPainter, Thing, thing_on
from sokoterm.pictures.png import png
from sokoterm.pictures.skins import named
from sokoterm.tui.widgets.sights import Sights
from tests.system.terminal.screen import KEYS, PYTHON, ROOT, write_settings
from tests.system.terminal.test_pictures import HALL, after, wandering

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(shutil.which, ("kitty", "Xvfb", "import"))), reason="kitty, Xvfb or ImageMagick is missing"
    ),
]
_CELL = 9, 18  # pixels of a character, by the size of kitty's letters
_PATIENCE = 60.0
_MOST_DIFFERENCE = 6.0  # of 255, on the mean: what is scaled may lie half a pixel aside


class Kitty:
    """kitty with a player in it, of 24 rows and 80 columns."""

    def __init__(self, folder: Path, display: str, level: Level) -> None:
        (folder / "pack.txt").write_text(level.xsb())
        write_settings(folder, "# nothing\n")
        self._socket = f"unix:{folder / 'socket'}"
        homes = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        # llvmpipe, which Mesa prefers, gets the colours of text over pictures wrong.
        drawing = {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"}
        self._environ = {**os.environ, **homes, **drawing, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        self._level, self._folder = level, folder
        options = {
            "allow_remote_control": "yes", "remember_window_size": "no", "initial_window_width": "80c",
            "initial_window_height": "24c", "confirm_os_window_close": "0", "update_check_interval": "0",
            "cursor_blink_interval": "0",
        }  # fmt: skip
        flags = [each for name, value in options.items() for each in ("-o", f"{name}={value}")]
        job = str(ROOT / "tests" / "system" / "terminal" / "job.py")  # a shell, for Ctrl-Z
        player = [PYTHON, job, PYTHON, "-m", "sokoterm", "--zoom", "4", str(folder / "pack.txt")]
        self._program = subprocess.Popen(
            ["kitty", "--config", "NONE", "--listen-on", self._socket, *flags, *player], env=self._environ
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._program.kill()
        self._program.wait()

    def type(self, keys: str) -> None:
        """Press keys, as Python writes them."""
        self._ask("send-text", keys)

    def resize(self, rows: int, columns: int) -> None:
        self._ask("resize-os-window", "--unit", "cells", "--width", str(columns), "--height", str(rows))

    def _ask(self, *command: str) -> None:
        end = monotonic() + _PATIENCE
        while subprocess.run(
            ["kitty", "@", "--to", self._socket, *command], env=self._environ, check=False, capture_output=True
        ).returncode:
            assert monotonic() < end, command
            sleep(0.3)

    def screenshot(self) -> Image.Image:
        found = subprocess.run(
            ["import", "-window", "root", "png:-"], env=self._environ, check=True, capture_output=True
        )
        return Image.open(BytesIO(found.stdout)).convert("RGB")

    def wait_for(self, moves: str, where: tuple[int, int], size: tuple[int, int] = (4, 2)) -> None:
        """Wait until the position after some moves is seen, from a row and column on, in squares of so many cells."""
        expected = drawn(self._level, moves, size)
        left, top = where[1] * _CELL[0], where[0] * _CELL[1]
        end = monotonic() + _PATIENCE
        while True:
            shot = self.screenshot().crop((left, top, left + expected.width, top + expected.height))
            seen = Image.composite(shot, Image.new("RGB", shot.size), expected.getchannel("A"))
            difference = sum(ImageStat.Stat(ImageChops.difference(seen, flat(expected))).mean) / 3
            if difference < _MOST_DIFFERENCE:
                return
            if monotonic() > end:
                seen.save(self._folder / "seen.png")
                expected.save(self._folder / "expected.png")
                pytest.fail(f"a difference of {difference:.1f}: see {self._folder}")
            sleep(0.5)

    def end(self) -> None:
        self.type("q")
        assert self._program.wait(_PATIENCE) == 0


def drawn(level: Level, moves: str, size: tuple[int, int]) -> Image.Image:
    """The picture of a position, in squares of so many columns and rows."""
    state, stance = after(level, moves), stance_after(len(moves), moves[-1:])._replace(is_striding=False)
    sights, things = Sights(level, state), dict[int, Thing]()
    for square in [*squares_of(state.boxes), state.player]:
        thing = thing_on(sights.at(square).cell, stance=stance)
        assert thing is not None
        things[square] = thing
    picture = BoardPainter(level.board, named("dungeon")).picture(things)
    pixels = level.board.width * size[0] * _CELL[0], level.board.height * size[1] * _CELL[1]
    return Image.open(BytesIO(png(picture))).convert("RGBA").resize(pixels, Image.Resampling.NEAREST)


def flat(picture: Image.Image) -> Image.Image:
    return Image.composite(picture.convert("RGB"), Image.new("RGB", picture.size), picture.getchannel("A"))


@pytest.fixture
def display() -> Iterator[str]:
    """A screen of its own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24"], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def test_kitty_shows_the_position_after_all_that_happens(tmp_path: Path, display: str) -> None:
    place = 1, 0  # of 24 rows and 80 columns
    moves = wandering(HALL, 200)
    with Kitty(tmp_path, display, HALL) as kitty:
        kitty.wait_for("", place)
        for key in ("\\t", "\\r", "\\x1b", "\\x1b"):  # the planner
            kitty.type(key)
            sleep(2)
        kitty.wait_for("", place)
        kitty.type("?")
        sleep(2)
        kitty.type("\\x1b")
        kitty.wait_for("", place)
        kitty.type("\\x1a")  # the shell goes on with it at once
        kitty.wait_for("", place)
        for at in range(0, len(moves), 100):
            kitty.type(moves[at : at + 100].translate(KEYS))
        kitty.wait_for(moves, place)
        kitty.resize(30, 100)
        kitty.wait_for(moves, (4, 10))
        kitty.type("\\x2d")
        kitty.wait_for(moves, (9, 30), (2, 1))
        kitty.end()
