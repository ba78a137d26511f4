"""Sixel pictures (VT330/VT340 Programmer Reference Manual, volume 2, chapter 14).

Text erases sixels, and sixels have no layers. So everything on a square is merged into one picture, which is sent when
it changes or when text was written over it. Each picture defines its colours: some terminals share colours between
pictures, others forget them.
"""

import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, product
from math import isqrt

from sokoterm.pictures.png import Color, Picture
from sokoterm.terminal.events import CellSize
from sokoterm.tui.widgets.frame import PICTURE, Frame, Placement, Plate, Span
from sokoterm.tui.widgets.pictures import Ground

_USABLE = range(4, 129)  # pixels along a side of a cell
_CLEAR = -1
# Curses rewrites up to this many unchanged cells between changed ones, or after them, to avoid moving the cursor.
_GAP = 8

_Cell = tuple[int, int]
"""Row and column of a cell."""
_Pixels = tuple[tuple[int, ...], ...]
"""Rows of pixels: 0xRRGGBB or _CLEAR."""
_Square = tuple[int, int, tuple[tuple[object, int, int, int, int], ...]]
"""Height and width in cells; layers from the bottom: image, its visible part (row, column), its rows and columns."""


class Sixels:
    """The squares on the screen."""

    def __init__(self, cell: CellSize, make: Callable[[object], Picture]) -> None:
        self.cell = cell
        self._make = lru_cache(maxsize=64)(make)
        self._drawn = dict[_Cell, tuple[_Square, _Pixels]]()

    def show(self, frame: Frame, spans: Iterable[Span], *, is_new: bool) -> bytes:
        """Return the bytes that draw a frame's pictures after its new text; ``is_new``: on an empty screen."""
        if is_new:
            self._make.cache_clear()
            self._drawn.clear()
        written = {(row, column + at) for row, column, text, __ in spans for at in range(-_GAP, len(text) + _GAP)}
        before, self._drawn = self._drawn, {}
        shown = dict[_Cell, tuple[_Pixels, int, int]]()
        for (top, left), square in _squares(frame.pictures).items():
            old, pixels = before.get((top, left), (None, ()))
            changes = square != old and pixels != (pixels := self._draw(square))
            self._drawn[top, left] = square, pixels
            for down, right in product(range(square[0]), range(square[1])) if changes or written else ():
                cell = row, column = top + down, left + right
                if (changes or cell in written) and frame.rows[row].styles[column] == PICTURE:
                    shown[cell] = pixels, down, right
        data = b""
        for row, column, rows, columns in _rectangles(shown):
            places = [b"\x1b[%d;%dH" % (line + 1, column + 1) for line in range(row, row + rows)]
            cells = [[shown[line, column + at] for at in range(columns)] for line in range(row, row + rows)]
            picture = [*self._rows(cells)]
            if any(_CLEAR in line for line in picture):
                data += b"\x1b[m" + b"".join(b"%b\x1b[%dX" % (place, columns) for place in places)
            data += places[0] + _sixels(picture)
        return b"\x1b7" + data + b"\x1b8" if data else b""

    def _rows(self, cells: Iterable[Iterable[tuple[_Pixels, int, int]]]) -> Iterator[tuple[int, ...]]:
        """Yield the rows of pixels of rows of cells, each given by its square's pixels and its row and column there."""
        height, width = self.cell
        for row in cells:
            runs = groupby(enumerate(row), lambda each: each[0] - each[1][2])
            parts = [(*next(run)[1], 1 + len([*run])) for __, run in runs]
            for y in range(height):
                lines = (own[down * height + y][at * width : (at + count) * width] for own, down, at, count in parts)
                yield tuple(chain.from_iterable(lines))

    def _draw(self, square: _Square) -> _Pixels:
        layers = []
        for image, row, column, rows, columns in square[2]:
            picture = self._make(image)
            height, width = picture.height // rows, picture.width // columns
            starts = ((row * height + y) * picture.width + column * width for y in range(height))
            layers.append((b"".join(picture.pixels[at : at + width] for at in starts), picture.colors))
        return _laid(tuple(layers), square[0] * self.cell.height, square[1] * self.cell.width)


@lru_cache(maxsize=256)
def _laid(layers: tuple[tuple[bytes, tuple[Color, ...]], ...], height: int, width: int) -> _Pixels:
    """Merge square pictures, bottom first, and scale them to a size in pixels (nearest neighbour)."""
    size = isqrt(len(layers[0][0]))
    pixels = [_CLEAR] * size**2
    for own, colors in layers:
        side = isqrt(len(own))
        for at in range(size**2):
            pixels[at] = _mixed(pixels[at], *colors[own[at // size * side // size * side + at % size * side // size]])
    lines = [tuple(pixels[y * size + x * size // width] for x in range(width)) for y in range(size)]
    return tuple(lines[y * size // height] for y in range(height))


def usable_cell(answered: CellSize | None) -> CellSize | None:
    """Return the cell size from the terminal's answer or the window's pixels; None if unknown or out of range."""
    import fcntl  # POSIX
    import termios  # POSIX

    rows, columns, width, height = struct.unpack("4H", fcntl.ioctl(1, termios.TIOCGWINSZ, bytes(8)))
    cell = answered or CellSize(height // max(rows, 1), width // max(columns, 1))
    return cell if cell.height in _USABLE and cell.width in _USABLE else None


def _squares(pictures: Iterable[Placement]) -> dict[_Cell, _Square]:
    """Return the squares of all grounds with what is on them, by upper left cell."""
    squares = dict[_Cell, _Square]()
    for each in sorted(pictures, key=lambda picture: picture.layer):
        image, corner = each.image, (each.row, each.column)
        if isinstance(image, Ground):
            height, width = image.part.height, image.part.width
            rows, columns = each.rows // height, each.columns // width
            for row, column in product(range(height), range(width)):
                ground = image, row, column, height, width
                squares[each.row + row * rows, each.column + column * columns] = rows, columns, (ground,)
        elif corner in squares and not isinstance(image, Plate):
            rows, columns, parts = squares[corner]
            squares[corner] = rows, columns, (*parts, (image, each.part, 0, each.parts, 1))
    return squares


def _rectangles(cells: Collection[_Cell]) -> Iterator[tuple[int, int, int, int]]:
    """Cover cells by rectangles (row, column, rows, columns): equal runs in consecutive rows form one."""
    lines = {row: [column for __, column in line] for row, line in groupby(sorted(cells), lambda cell: cell[0])}
    tops = dict[_Cell, int]()  # of rectangles that may continue, by columns
    for row in range(min(lines), max(lines) + 2) if lines else ():
        runs = [[*run] for __, run in groupby(enumerate(lines.get(row, ())), lambda each: each[1] - each[0])]
        found = {(run[0][1], len(run)) for run in runs}
        for column, columns in sorted(tops.keys() - found):
            top = tops.pop((column, columns))
            yield top, column, row - top, columns
        tops |= dict.fromkeys(found - tops.keys(), row)


@lru_cache(maxsize=4096)
def _mixed(below: int, red: int, green: int, blue: int, alpha: int) -> int:
    if not alpha:
        return below
    old = (red, green, blue) if below == _CLEAR else (below >> 16, below >> 8 & 255, below & 255)
    parts = zip(old, (red, green, blue), strict=True)
    return int.from_bytes(((255 - alpha) * old + alpha * new) // 255 for old, new in parts)


def _sixels(rows: Sequence[Sequence[int]]) -> bytes:
    """Encode rows of pixels as a sixel picture with a transparent background."""
    names, bands = dict[int, int](), list[bytes]()
    for top in range(0, len(rows), 6):
        band = rows[top : top + 6]
        runs = dict[int, list[tuple[int, int, int]]]()  # by colour: first column, end, sixel
        end = 0
        for column, same in groupby(zip(*band, strict=True)):
            at, end = end, end + len([*same])
            for color, sixel in _sixels_of(column):
                own = runs.setdefault(color, [])
                own.append((own.pop()[0] if own and own[-1][1:] == (at, sixel) else at, end, sixel))
        ordered = sorted(runs, key=lambda color: -len(runs[color]))
        if not any(_CLEAR in row for row in band):
            runs[ordered[0]] = [(0, end, (1 << len(band)) - 1)]  # drawn over by the others
        lines = [b"#%d%b" % (names.setdefault(color, len(names)), _run_text(runs[color])) for color in ordered]
        bands.append(b"$".join(lines))
    colors = b"".join(
        b"#%d;2;%d;%d;%d" % (name, *(round(color / 2.55) for color in (rgb >> 16, rgb >> 8 & 255, rgb & 255)))
        for rgb, name in names.items()
    )
    return b'\x1bP0;1q"1;1;%d;%d%b%b\x1b\\' % (len(rows[0]), len(rows), colors, b"-".join(bands))


@lru_cache(maxsize=4096)
def _sixels_of(column: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the colours of a column of up to six pixels, each with the bits of its pixels, the top one lowest."""
    colors = [color for color in dict.fromkeys(column) if color != _CLEAR]
    return tuple((color, sum(1 << y for y, each in enumerate(column) if each == color)) for color in colors)


def _run_text(runs: Iterable[tuple[int, int, int]]) -> bytes:
    """Return the run-length encoded sixels of one colour in a band."""
    text, at = b"", 0
    for start, end, sixel in runs:
        for count, each in ((start - at, 0), (end - start, sixel)):
            text += b"!%d%c" % (count, 63 + each) if count > 3 else b"%c" % (63 + each) * count
        at = end
    return text
