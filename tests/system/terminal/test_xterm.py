"""Sixels in xterm itself, on a screen of Xvfb: what it shows is what the screen of the tests shows."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep

import pytest
from PIL import Image

from sokoterm.store.packs import bundled_packs
from tests.system.terminal.screen import PYTHON, write_settings
from tests.system.terminal.sixels import HEIGHT, WIDTH, SixelScreen
from tests.system.terminal.test_kitty import display as display

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(shutil.which, ("xterm", "Xvfb", "import"))), reason="xterm, Xvfb or ImageMagick is missing"
    ),
]
_BORDER = 2
_PATIENCE = 30.0
_ROWS, _COLUMNS = 35, 120
_BACKGROUND = 255, 255, 255


def wrong_cells(shot: Image.Image, screen: SixelScreen) -> Iterator[tuple[int, int]]:
    """The cells of which a screenshot shows another picture, or any where there is no picture, nor text near."""
    pictures, text = screen.pictures, screen.emulated.display
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            left, top = _BORDER + column * WIDTH, _BORDER + row * HEIGHT
            data = shot.crop((left, top, left + WIDTH, top + HEIGHT)).tobytes()
            seen = [data[at : at + 3] for at in range(0, len(data), 3)]
            colors = [color for line in pictures.get((row, column), []) for color in line]
            is_blank = not colors and text[row][max(column - 1, 0) : column + 2].isspace()
            style = screen.emulated.buffer[row][column]
            if is_blank and style.bg == "default" and not style.reverse:
                colors = [None] * len(seen)
            wanted = [_BACKGROUND if color is None else [2.55 * part for part in color] for color in colors]
            pairs = ((a, b) for one, other in zip(seen, wanted) for a, b in zip(one, other, strict=True))
            if any(abs(a - b) > 3 for a, b in pairs):
                yield row, column


@pytest.mark.parametrize("keys", ["\t~\r~\x1b~\x1b~?~\x1b", "n~n~n~n~n~n~.~\t", "lll~\r~l~-~-~+"])
def test_xterm_shows_the_same(tmp_path: Path, display: str, keys: str) -> None:
    write_settings(tmp_path, 'palette = "dark"\n')
    command = [PYTHON, "-m", "sokoterm", "--theme", "pictures", bundled_packs()[0].path]
    with SixelScreen(command, tmp_path, size=(_ROWS, _COLUMNS)) as screen:
        screen.wait_for_output(b"\x1b\\\x1b8")
        for key in keys.split("~"):
            screen.settle(0.3)
            screen.type(key)
        screen.settle(0.5)
        (tmp_path / "output").write_bytes(screen.output)
        environ = {**os.environ, "DISPLAY": display, "LC_ALL": "C.UTF-8"}
        options = ["-ti", "vt340", "-fa", "Mono", "-fs", "12", "-bw", "0", "-bg", "white", "-fg", "black"]
        size = ["-geometry", f"{_COLUMNS}x{_ROWS}+0+0"]
        show = ["-e", "sh", "-c", f"stty -echo; cat {tmp_path / 'output'}; sleep 100"]
        xterm = subprocess.Popen(["xterm", *options, *size, *show], env=environ)
        try:
            end, wrong = monotonic() + _PATIENCE, [(-1, -1)]
            while wrong and monotonic() < end:
                sleep(1)
                taken = subprocess.run(
                    ["import", "-window", "root", "png:-"], env=environ, check=True, capture_output=True
                )
                shot = Image.open(BytesIO(taken.stdout)).convert("RGB")
                wrong = [*wrong_cells(shot, screen)]
            shot.save(tmp_path / "shot.png")
            box = shot.getbbox()
            if box is not None and box[2:] != (_COLUMNS * WIDTH + 2 * _BORDER, _ROWS * HEIGHT + 2 * _BORDER):
                pytest.skip(f"letters of another size: {box}")
            assert wrong == [], tmp_path
        finally:
            xterm.kill()
            xterm.wait()
