"""Replays as files: recordings of a terminal (asciicast v2), and SVG pictures, still or animated.

asciicast (https://docs.asciinema.org/manual/asciicast/v2/): a JSON object on the first line, then an event on each:
seconds, "o" for output, and the text written.

SVG: without scripts and links, for any browser.  Squares that do not change are drawn once.  A square that changes has
all of its glyphs, one visible at a time (SMIL, https://www.w3.org/TR/SVG11/animate.html): so the size grows with the
changes, not with the moves.
"""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from itertools import groupby
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import json_line
from sokoterm.engine.bits import scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.tui.screens.replay import draw_place, draw_replay, place_replay
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, Size
from sokoterm.tui.widgets.frame import Canvas, Frame, diff
from sokoterm.tui.widgets.theme import CELL_STYLES, TITLE, Theme
from sokoterm.tui.widgets.tiles import DARK, colors_of
from sokoterm.wording.columns import clipped, text_width

_FIRST_SECONDS = 1.0  # how long the start is shown
_LAST_CAST_SECONDS, _LAST_SVG_SECONDS = 2.0, 3.0

_BEGIN = "\x1b[?25l\x1b[2J"  # hide the cursor, clear the screen
_PLAIN_ATTRIBUTES = "\x1b[m"
_END = "\x1b[?25h"
_PICTURES_PER_SECOND = 40  # more are not seen

_WIDTH, _HEIGHT = 9, 18  # of a column and a row, in pixels
_BASELINE = 14
_MARGIN = 12
_IDS = {"#": "w", "@": "p", "+": "q", "$": "b", "*": "c", ".": "g"}
_PAPER, _INK = "#1e1e1e", "#d4d4d4"
# The first 16 colours of a terminal, chosen to be legible on the paper.
_COLORS = (
    "#767676", "#f48771", "#98c379", "#e5c07b", "#7aa6f0", "#c99bdf", "#56c2cf", "#d4d4d4",
    "#8a8a8a", "#ff9d88", "#b5e08f", "#ffdb8f", "#9cc1ff", "#e3b8f7", "#7fdde8", "#ffffff",
)  # fmt: skip
_FONT = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MOST_COLUMNS = 60  # of a title above a narrower board


class ReplayStyle(NamedTuple):
    """Look and speed of a replay: ``cell`` columns for a square (0: as many as fit), ``per_second`` moves a second."""

    theme: Theme
    cell: int
    color: bool
    per_second: int

    @property
    def looks(self) -> Mapping[str, Look]:
        """The looks of the theme, with or without colour."""
        return self.theme.looks.many if self.color else self.theme.looks.few


def asciicast(
    level: Level, lurd: str, title: str, style: ReplayStyle, size: Size, timestamp: int | None = None
) -> bytes:
    """Record moves on a terminal of some size; raises LurdError for moves that cannot be played.

    ``timestamp`` is the time of the recording in seconds since 1970; without it the same moves give the same bytes.
    """
    header: dict[str, object] = {"version": 2, "width": size.columns, "height": size.rows}
    if timestamp is not None:
        header["timestamp"] = timestamp
    header["title"] = title
    lines = [json_line(header)]
    lines += [json_line([round(seconds, 6), "o", data]) for seconds, data in _events(level, lurd, title, style, size)]
    return ("\n".join(lines) + "\n").encode("ascii")


def _events(level: Level, lurd: str, title: str, style: ReplayStyle, size: Size) -> Iterator[tuple[float, str]]:
    playback = Replay(level, "", lurd)
    place: BoardPlace | None = None
    appearance = Appearance(style.theme, style.cell)
    before: Frame | None = None
    seconds = 0.0
    attributes = {name: _attributes(look, color=style.color) for name, look in style.looks.items()}

    def attributes_of(name: str) -> str:
        if name not in attributes:
            front, back = map(DARK.number, colors_of(name) or (" ", " "))
            attributes[name] = _attributes(Look(front, background=back), color=style.color)
        return attributes[name]

    step = max(1, -(-style.per_second // _PICTURES_PER_SECOND))
    for k in (*range(0, playback.moves, step), playback.moves):
        playback.show(k)
        canvas, row = Canvas(*size), size.rows - 1
        place = place_replay(place, Size(row, size.columns), level, playback, appearance)
        cursor = draw_replay(canvas, place, level, playback, style.theme, title)
        draw_place(canvas, row, playback)
        frame = canvas.frame(cursor)
        seconds = _FIRST_SECONDS + (k - 1) / style.per_second if k else 0.0
        yield seconds, ("" if before else _BEGIN) + _painted(before, frame, attributes_of)
        before = frame
    yield seconds + _LAST_CAST_SECONDS, _END


def _painted(before: Frame | None, frame: Frame, attributes_of: Callable[[str], str]) -> str:
    """Return the output that changes a terminal from ``before`` (None: blank) to a frame, ending in plain style."""
    pieces: list[str] = []
    attributes, place = _PLAIN_ATTRIBUTES, (-1, -1)
    for span in diff(before, frame):
        if (span.row, span.column) != place:
            pieces.append(f"\x1b[{span.row + 1};{span.column + 1}H")
        if attributes != (attributes := attributes_of(span.style)):
            pieces.append(attributes)
        pieces.append(span.text)
        place = (span.row, span.column + len(span.text)) if span.text.isascii() else (-1, -1)
    return "".join([*pieces, "" if attributes == _PLAIN_ATTRIBUTES else _PLAIN_ATTRIBUTES])


def _attributes(look: Look, *, color: bool) -> str:
    """Return the escape sequence of a look after any other, in 256 colours (ECMA-48, SGR)."""
    flags = ((1, look.bold), (2, look.dim), (4, look.underline), (7, look.reverse))
    codes = [str(code) for code, is_on in flags if is_on]
    if color:
        codes += [f"{code};5;{n}" for code, n in ((38, look.color), (48, look.background)) if n >= 0]
    return f"\x1b[0;{';'.join(codes)}m" if codes else _PLAIN_ATTRIBUTES


def animated_svg(level: Level, lurd: str, title: str, style: ReplayStyle) -> bytes:
    """Draw the moves from the start of a level, in a loop; raises LurdError for moves that cannot be played."""
    playback = Replay(level, "", lurd)
    if not playback.moves:
        return still_svg(level, lurd, title, style, 0)
    clock = _PictureClock(playback.moves, style.per_second)
    changes = _changes(level, playback)
    playback.show(playback.moves)
    words = f"{playback.moves} moves, {playback.pushes} pushes"
    drawing = _Drawing(level, title, words, style)
    lines = [
        *drawing.static(playback.state, changes),
        *(line for square, states in changes.items() for line in drawing.changing(square, states, clock)),
        drawing.bar(clock),
    ]
    return drawing.whole(lines)


def still_svg(level: Level, lurd: str, title: str, style: ReplayStyle, k: int) -> bytes:
    """Draw the position after the first ``k`` of the moves; raises LurdError for moves that cannot be played."""
    playback = Replay(level, "", lurd)
    playback.show(k)
    place = f"move {playback.k}/{playback.moves} push {playback.pushes_shown}/{playback.pushes}"
    drawing = _Drawing(level, title, place if playback.moves else "", style)
    return drawing.whole(list(drawing.static(playback.state, {})))


_Place = tuple[int, int]
_States = list[tuple[int, str]]


def _changes(level: Level, playback: Replay) -> dict[_Place, _States]:
    """Return the squares that change, by row and column: moves made and the XSB cell after them, at each change."""
    board = level.board
    playback.show(0)
    rows = [level.row_cells(playback.state, row) for row in range(board.height)]
    states: dict[_Place, _States] = {}
    before = playback.state
    for k in range(1, playback.moves + 1):
        playback.show(k)
        now = playback.state
        squares = before.boxes ^ now.boxes | 1 << before.player | 1 << now.player
        for square in scan(squares):
            place = row, column = board.row_column(square)
            known = states.setdefault(place, [(0, rows[row][column])])
            cell = level.row_cells(now, row)[column]
            if known[-1][1] != cell:
                known.append((k, cell))
        before = now
    return {place: states[place] for place in sorted(states)}


class _PictureClock:
    """Times of the moves, as parts of the whole."""

    def __init__(self, moves: int, per_second: int) -> None:
        self._step = 1 / per_second
        self.seconds = _FIRST_SECONDS + (moves - 1) * self._step + _LAST_SVG_SECONDS
        self._digits = len(str(int(self.seconds / self._step))) + 2
        self.last = self.time(moves)

    def time(self, k: int) -> str:
        """Return the time of the k-th move: ``.25`` is after a quarter."""
        part = (_FIRST_SECONDS + (k - 1) * self._step) / self.seconds if k else 0.0
        return f"{part:.{self._digits}f}".strip("0").rstrip(".") or "0"

    @property
    def timing(self) -> str:
        return f'dur="{self.seconds:.6g}s" repeatCount="indefinite"'


class _Drawing:
    """Drawing of one board, in parts."""

    def __init__(self, level: Level, title: str, words: str, style: ReplayStyle) -> None:
        self._level = level
        self._title = printable(title)
        self._words = words
        self._style = style
        self._cell = style.cell or 2
        self._columns = level.board.width * self._cell
        width = max(self._columns, min(text_width(self._title), _MOST_COLUMNS), len(words))
        self._left = _MARGIN + (width - self._columns) * _WIDTH // 2
        self._top = _MARGIN + 2 * _HEIGHT
        self._text_columns = width
        self._size = (width * _WIDTH + 2 * _MARGIN, (level.board.height + 4) * _HEIGHT + 2 * _MARGIN)

    def static(self, state: State, changing: Mapping[_Place, object]) -> Iterator[str]:
        """Draw the squares that never change, equal neighbours as one text."""
        for row in range(self._level.board.height):
            cells = self._level.row_cells(state, row)
            shown = [" " if (row, column) in changing else cell for column, cell in enumerate(cells)]
            for cell, run in groupby(enumerate(shown), key=lambda pair: pair[1]):
                columns = [column for column, _ in run]
                if cell == "#":
                    glyphs = self._style.theme.glyph(cell, self._cell) * len(columns)
                    x, y = self._place((row, columns[0]))
                    yield f'<text class="w" x="{x}" y="{y + _BASELINE}" {_fitted(glyphs)}>{escape(glyphs)}</text>'
                elif cell != " ":
                    yield from (self.use((row, column), cell) + "/>" for column in columns)

    def changing(self, place: _Place, states: _States, clock: _PictureClock) -> Iterator[str]:
        """Draw each glyph of a square that changes, with the times at which it comes and goes."""
        for cell in sorted({cell for _, cell in states} - {" "}):
            times, values = ["0"], ["visible" if states[0][1] == cell else "hidden"]
            for k, now in states[1:]:
                value = "visible" if now == cell else "hidden"
                if value != values[-1]:
                    times.append(clock.time(k))
                    values.append(value)
            animation = (
                f'<animate attributeName="visibility" calcMode="discrete" {clock.timing} '
                f'values="{";".join(values)}" keyTimes="{";".join(times)}"/>'
            )
            yield f'{self.use(place, cell)} visibility="{values[0]}">{animation}</use>'

    def use(self, place: _Place, cell: str) -> str:
        """Return an element that shows a glyph on a square, without its end."""
        x, y = self._place(place)
        return f'<use href="#{_IDS[cell]}" x="{x}" y="{y}"'

    def bar(self, clock: _PictureClock) -> str:
        """Draw a line that grows with the moves."""
        width, y = self._text_columns * _WIDTH, self._size[1] - _MARGIN
        times = f"0;{clock.time(1)};{clock.last};1" if clock.last != clock.time(1) else f"0;{clock.last};1"
        values = f"0;0;{width};{width}" if clock.last != clock.time(1) else f"0;{width};{width}"
        animation = f'<animate attributeName="width" {clock.timing} values="{values}" keyTimes="{times}"/>'
        return f'<rect class="bar" x="{_MARGIN}" y="{y}" width="0" height="3">{animation}</rect>'

    def whole(self, lines: list[str]) -> bytes:
        """Return the file: title, board, and the words below it."""
        width, height = self._size
        sides = f'width="{width}" height="{height}"'
        heading = escape(clipped(self._title, self._text_columns))
        svg = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {sides} role="img">',
            f"<title>{escape(self._title)}</title>",
            f"<style>{self._css()}</style>",
            f"<defs>{''.join(self._glyphs())}</defs>",
            f'<rect {sides} rx="6" fill="{_PAPER}"/>',
            f'<text class="t" x="{_MARGIN}" y="{_MARGIN + _BASELINE}">{heading}</text>',
            *lines,
            f'<text x="{_MARGIN}" y="{height - _MARGIN - 8}">{escape(self._words)}</text>',
            "</svg>",
        ]
        return ("\n".join(svg) + "\n").encode("utf-8")

    def _place(self, place: _Place) -> _Place:
        row, column = place
        return self._left + column * self._cell * _WIDTH, self._top + row * _HEIGHT

    def _glyphs(self) -> Iterator[str]:
        for cell, name in _IDS.items():
            glyph = self._style.theme.glyph(cell, self._cell)
            paper = self._paper(self._look(cell))
            ground = f'<rect width="{len(glyph) * _WIDTH}" height="{_HEIGHT}" fill="{paper}"/>' if paper else ""
            drawn = glyph.strip()
            left = len(glyph) - len(glyph.lstrip())
            if cell != "#":
                yield (
                    f'<g id="{name}">{ground}<text class="{name}" x="{left * _WIDTH}" y="{_BASELINE}" '
                    f"{_fitted(drawn)}>{escape(drawn)}</text></g>"
                )

    def _css(self) -> str:
        rules = [f"text{{font:15px {_FONT};fill:{_INK};white-space:pre}}", f".bar{{fill:{_INK};opacity:.5}}"]
        for name, look in {**{name: self._look(cell) for cell, name in _IDS.items()}, "t": self._look(TITLE)}.items():
            ink = _PAPER if look.reverse else self._ink(look)
            color = f"fill:{ink};" if ink != _INK else ""
            weight = "font-weight:bold;" if look.bold else ""
            line = "text-decoration:underline;" if look.underline else ""
            if color or weight or line:
                rules.append(f".{name}{{{color}{weight}{line}}}")
        return "".join(rules)

    def _look(self, style: str) -> Look:
        """Return the look of a style, or of a cell of XSB text."""
        return self._style.looks[style if style == TITLE else CELL_STYLES[style]]

    def _ink(self, look: Look) -> str:
        return _hex(look.color) if self._style.color and look.color >= 0 else _INK

    def _paper(self, look: Look) -> str:
        """Return the background of a glyph; empty for that of the picture."""
        if look.reverse:
            return self._ink(look)
        return _hex(look.background) if self._style.color and look.background >= 0 else ""


def _hex(color: int) -> str:
    """Return one of the 256 colours of a terminal: 16, a cube of 6x6x6, and 24 shades of grey."""
    if color < 16:
        return _COLORS[color]
    if color >= 232:
        return f"#{8 + 10 * (color - 232):02x}" + f"{8 + 10 * (color - 232):02x}" * 2
    parts = ((color - 16) // each % 6 for each in (36, 6, 1))
    return "#" + "".join(f"{part * 40 + 55 if part else 0:02x}" for part in parts)


def _fitted(text: str) -> str:
    """Return the attributes that stretch text to its columns in any font."""
    return f'textLength="{len(text) * _WIDTH}" lengthAdjust="spacingAndGlyphs"'
