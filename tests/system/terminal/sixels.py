"""A terminal that shows sixels: it keeps the pixels of each cell, and answers."""

import re
from collections.abc import Callable, Mapping
from fcntl import ioctl  # POSIX
from struct import pack
from termios import TIOCSWINSZ

import pyte

from tests.system.terminal.pty_terminal import PtyTerminal
from tests.system.terminal.screen import Screen

QUESTION = b"\x1b[16t\x1b[c"
HEIGHT, WIDTH = 20, 10
"""The pixels of a cell."""
ANSWER = b"\x1b[6;%d;%dt\x1b[?62;4;22c" % (HEIGHT, WIDTH)

Color = tuple[int, int, int] | None
"""Red, green and blue in percent; None where nothing is drawn."""
_PICTURE = re.compile(rb'\x1bP0;1q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\')
_COMMAND = re.compile(rb"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(?:!(\d+))?([?-~])|([$-])")


class AnsweringTerminal(PtyTerminal):
    """A terminal that answers that it has sixels, as soon as it is asked."""

    def take(self, timeout: float) -> bytes:
        data = super().take(timeout)
        if QUESTION in data:
            self.write(ANSWER)
        return data


class SixelScreen(Screen):
    """``pictures`` are the pixels of cells; text erases them, as it does in real terminals.

    It fails where characters are shifted, or rows scrolled, that hold pictures: what becomes of these depends on the
    terminal.  ``cell``: the height and width of a cell in pixels, as the window has them.
    """

    def __init__(self, *arguments: object, answer: bytes = ANSWER, cell: tuple[int, int] = (0, 0), **options: object):
        self._answer, self._cell = answer, cell
        self._at = self.bytes_of_pictures = 0
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self._cells = self._emulator = _Cells(self._emulator.columns, self._emulator.lines)
        self._stream = pyte.ByteStream(self._emulator)

    def take(self, timeout: float) -> bytes:
        data = super().take(timeout)
        if QUESTION in data:
            self.answer(self._answer)
        return data

    def answer(self, answer: bytes, cell: tuple[int, int] | None = None) -> None:
        """Answer that there are sixels; ``cell``: the window has these pixels from now on."""
        height, width = self._cell = cell or self._cell
        rows, columns = self._emulator.lines, self._emulator.columns
        ioctl(self.terminal, TIOCSWINSZ, pack("4H", rows, columns, width * columns, height * rows))
        self.write(answer)

    @property
    def text(self) -> str:
        for found in _PICTURE.finditer(self.output, self._at):
            self._stream.feed(bytes(self.output[self._at : found.start()]))
            self._at = self._fed = found.end()
            self._cells.place(int(found[1]), int(found[2]), decoded(int(found[1]), int(found[2]), found[3]))
            self.bytes_of_pictures += len(found[0])
        rest = bytes(self.output[self._at :])
        whole = rest.partition(b"\x1bP")[0]  # the rest of a picture is still to come
        self._stream.feed(whole)
        self._at += len(whole)
        self._fed = len(self.output)
        return super().text

    @property
    def pictures(self) -> Mapping[tuple[int, int], list[list[Color]]]:
        """The rows of pixels of each cell that shows any, after all that has been written."""
        assert self.text is not None
        return {cell: pixels for cell, pixels in self._cells.pictures.items() if any(map(any, pixels))}


def decoded(width: int, height: int, data: bytes) -> list[list[Color]]:
    """Return the rows of pixels of a picture; fails for one that uses colours it does not declare."""
    rows: list[list[Color]] = [[None] * width for _ in range(height)]
    colors, color, x, y, end = dict[int, Color](), 0, 0, 0, 0
    for found in _COMMAND.finditer(data):
        assert found.start() == end, data[end : found.start()]
        end = found.end()
        name, red, green, blue, count, sixel, move = found.groups()
        if name is not None:
            color = int(name)
            if red is not None:
                colors[color] = int(red), int(green), int(blue)
        elif move is not None:
            x, y = 0, y + 6 * (move == b"-")
        else:
            end_x = x + int(count or 1)
            assert end_x <= width
            for down in range(6):
                if sixel[0] - 63 >> down & 1:
                    rows[y + down][x:end_x] = [colors[color]] * (end_x - x)
            x = end_x
    assert end == len(data)
    assert len(colors) < 256
    return rows


class _Cells(pyte.Screen):
    """The text of the screen, and pictures in its cells."""

    def __init__(self, columns: int, lines: int) -> None:
        self.pictures = dict[tuple[int, int], list[list[Color]]]()
        super().__init__(columns, lines)

    def place(self, width: int, height: int, pixels: list[list[Color]]) -> None:
        """Lay a picture from the cursor on; what is not drawn in it stays as it is."""
        assert height % HEIGHT == width % WIDTH == 0
        top, left = self.cursor.y, self.cursor.x
        rows, columns = height // HEIGHT, width // WIDTH
        assert top + rows < self.lines, "the screen may scroll"
        assert left + columns <= self.columns
        for row in range(rows):
            for column in range(columns):
                own = self.pictures.setdefault((top + row, left + column), [[None] * WIDTH for _ in range(HEIGHT)])
                for y in range(HEIGHT):
                    line = pixels[row * HEIGHT + y][column * WIDTH : (column + 1) * WIDTH]
                    own[y] = [old if new is None else new for old, new in zip(own[y], line, strict=True)]
        self.cursor.y, self.cursor.x = top + rows, 0

    def _erase(self, is_erased: Callable[[int, int], bool]) -> None:
        self.pictures = {cell: pixels for cell, pixels in self.pictures.items() if not is_erased(*cell)}

    def draw(self, data: str) -> None:
        for character in data:
            start = self.cursor.x if self.cursor.x < self.columns else 0
            super().draw(character)
            for column in range(start, self.cursor.x):
                self.pictures.pop((self.cursor.y, column), None)

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        line, at = self.cursor.y, self.cursor.x
        self._erase(lambda row, column: row == line and (how == 2 or (column >= at if how == 0 else column <= at)))
        super().erase_in_line(how, private)

    def erase_in_display(self, how: int = 0, *arguments: object, **options: object) -> None:
        line, at = self.cursor.y, self.cursor.x
        assert how != 1
        self._erase(lambda row, column: how > 1 or row > line or row == line and column >= at)
        super().erase_in_display(how, *arguments, **options)

    def erase_characters(self, count: int | None = None) -> None:
        line, columns = self.cursor.y, range(self.cursor.x, self.cursor.x + (count or 1))
        self._erase(lambda row, column: row == line and column in columns)
        super().erase_characters(count)

    def insert_characters(self, count: int | None = None) -> None:
        self._fail_for_shifts()
        super().insert_characters(count)

    def delete_characters(self, count: int | None = None) -> None:
        self._fail_for_shifts()
        super().delete_characters(count)

    def _fail_for_shifts(self) -> None:
        assert not any(row == self.cursor.y and column >= self.cursor.x for row, column in self.pictures)

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        rows = range((top or 1) - 1, bottom or self.lines)
        assert len(rows) == self.lines or not any(row in rows for row, _ in self.pictures), "they may scroll"
        super().set_margins(top, bottom)

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        self.pictures.clear()
        super().resize(lines, columns)

    def report_device_attributes(self, *arguments: object, **options: object) -> None:
        """Nothing: the screen answers."""
