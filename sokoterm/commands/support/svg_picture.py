"""A position, or moves as they are made, as one SVG picture: no script, nothing from elsewhere, plays in a browser.

What never changes is drawn once.  A square that does change has each of its glyphs on it, of which one at a time is
visible (SMIL, https://www.w3.org/TR/SVG11/animate.html): the size goes with the changes, not with the pictures.
"""

from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.tui.widgets.theme import CELL_STYLES, TITLE, Theme
from sokoterm.wording.columns import clipped, text_width

_WIDTH, _HEIGHT = 9, 18  # of a column and a row, in pixels
_BASELINE = 14
_MARGIN = 12
_FIRST_SECONDS, _LAST_SECONDS = 1.0, 3.0  # how long the start and the end are shown
_IDS = {"#": "w", "@": "p", "+": "q", "$": "b", "*": "c", ".": "g"}
_PAPER, _INK = "#1e1e1e", "#d4d4d4"
# The first 16 colours of a terminal, as they are read well on the paper.
_COLORS = (
    "#767676", "#f48771", "#98c379", "#e5c07b", "#7aa6f0", "#c99bdf", "#56c2cf", "#d4d4d4",
    "#8a8a8a", "#ff9d88", "#b5e08f", "#ffdb8f", "#9cc1ff", "#e3b8f7", "#7fdde8", "#ffffff",
)  # fmt: skip
_FONT = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MOST_COLUMNS = 60  # that a title takes where the board is narrower


class SvgStyle(NamedTuple):
    """How a picture is drawn: a square has ``cell`` columns (1 or 2), ``per_second`` moves are made in a second."""

    theme: Theme
    cell: int
    color: bool
    per_second: int


def animated_svg(level: Level, lurd: str, title: str, style: SvgStyle) -> bytes:
    """The moves from the start of a level, over and over; raises LurdError where they cannot be played."""
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


def still_svg(level: Level, lurd: str, title: str, style: SvgStyle, k: int) -> bytes:
    """The position after the first ``k`` of the moves; raises LurdError where they cannot be played."""
    playback = Replay(level, "", lurd)
    playback.show(k)
    place = f"move {playback.k}/{playback.moves} push {playback.pushes_shown}/{playback.pushes}"
    drawing = _Drawing(level, title, place if playback.moves else "", style)
    return drawing.whole(list(drawing.static(playback.state, {})))


_Place = tuple[int, int]
_States = list[tuple[int, str]]


def _changes(level: Level, playback: Replay) -> dict[_Place, _States]:
    """The squares that change, by row and column: after how many moves which cell of XSB text stands there."""
    board = level.board
    playback.show(0)
    rows = [level.row_cells(playback.state, row) for row in range(board.height)]
    states: dict[_Place, _States] = {}
    before = playback.state
    for k in range(1, playback.moves + 1):
        playback.show(k)
        now = playback.state
        squares = before.boxes ^ now.boxes | 1 << before.player | 1 << now.player
        while squares:
            low = squares & -squares
            squares ^= low
            place = row, column = board.row_column(low.bit_length() - 1)
            known = states.setdefault(place, [(0, rows[row][column])])
            cell = _cell(bool(board.goals & low), bool(now.boxes & low), now.player == low.bit_length() - 1)
            if known[-1][1] != cell:
                known.append((k, cell))
        before = now
    return {place: states[place] for place in sorted(states)}


def _cell(is_goal: bool, has_box: bool, has_player: bool) -> str:
    if has_player:
        return "+" if is_goal else "@"
    return (" .", "$*")[has_box][is_goal]


class _PictureClock:
    """When each move is made, as a part of the whole time."""

    def __init__(self, moves: int, per_second: int) -> None:
        self._step = 1 / per_second
        self.seconds = _FIRST_SECONDS + (moves - 1) * self._step + _LAST_SECONDS
        self._digits = len(str(int(self.seconds / self._step))) + 2
        self.last = self.time(moves)

    def time(self, k: int) -> str:
        """When the k-th move is made: ``.25`` is after a quarter."""
        part = (_FIRST_SECONDS + (k - 1) * self._step) / self.seconds if k else 0.0
        return f"{part:.{self._digits}f}".strip("0").rstrip(".") or "0"

    @property
    def timing(self) -> str:
        return f'dur="{self.seconds:.6g}s" repeatCount="indefinite"'


class _Drawing:
    """The parts of the picture of one board."""

    def __init__(self, level: Level, title: str, words: str, style: SvgStyle) -> None:
        self._level = level
        self._title = printable(title)
        self._words = words
        self._style = style
        self._columns = level.board.width * style.cell
        width = max(self._columns, min(text_width(self._title), _MOST_COLUMNS), len(words))
        self._left = _MARGIN + (width - self._columns) * _WIDTH // 2
        self._top = _MARGIN + 2 * _HEIGHT
        self._text_columns = width
        self._size = (width * _WIDTH + 2 * _MARGIN, (level.board.height + 4) * _HEIGHT + 2 * _MARGIN)

    def static(self, state: State, changing: Mapping[_Place, object]) -> Iterator[str]:
        """The squares that never change, equal neighbours as one text."""
        for row in range(self._level.board.height):
            cells = self._level.row_cells(state, row)
            shown = [" " if (row, column) in changing else cell for column, cell in enumerate(cells)]
            for cell, run in groupby(enumerate(shown), key=lambda pair: pair[1]):
                columns = [column for column, _ in run]
                if cell == "#":
                    glyphs = self._style.theme.glyph(cell, self._style.cell) * len(columns)
                    x, y = self._place((row, columns[0]))
                    yield f'<text class="w" x="{x}" y="{y + _BASELINE}" {_fitted(glyphs)}>{escape(glyphs)}</text>'
                elif cell != " ":
                    yield from (self.use((row, column), cell) + "/>" for column in columns)

    def changing(self, place: _Place, states: _States, clock: _PictureClock) -> Iterator[str]:
        """Each glyph of a square that changes, with the times at which it comes and goes."""
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
        """The begin of an element that shows a glyph on a square."""
        x, y = self._place(place)
        return f'<use href="#{_IDS[cell]}" x="{x}" y="{y}"'

    def bar(self, clock: _PictureClock) -> str:
        """A line that grows with the moves."""
        width, y = self._text_columns * _WIDTH, self._size[1] - _MARGIN
        times = f"0;{clock.time(1)};{clock.last};1" if clock.last != clock.time(1) else f"0;{clock.last};1"
        values = f"0;0;{width};{width}" if clock.last != clock.time(1) else f"0;{width};{width}"
        animation = f'<animate attributeName="width" {clock.timing} values="{values}" keyTimes="{times}"/>'
        return f'<rect class="bar" x="{_MARGIN}" y="{y}" width="0" height="3">{animation}</rect>'

    def whole(self, lines: list[str]) -> bytes:
        """The file: the title, the board, the words below it."""
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
        return self._left + column * self._style.cell * _WIDTH, self._top + row * _HEIGHT

    def _glyphs(self) -> Iterator[str]:
        for cell, name in _IDS.items():
            glyph = self._style.theme.glyph(cell, self._style.cell)
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
        """The look of a style, or of a cell of XSB text."""
        looks = self._style.theme.looks
        return (looks.many if self._style.color else looks.few)[style if style == TITLE else CELL_STYLES[style]]

    def _ink(self, look: Look) -> str:
        return _hex(look.color) if self._style.color and look.color >= 0 else _INK

    def _paper(self, look: Look) -> str:
        """What a glyph stands on, empty where that is the paper of the picture."""
        if look.reverse:
            return self._ink(look)
        return _hex(look.background) if self._style.color and look.background >= 0 else ""


def _hex(color: int) -> str:
    """One of the 256 colours of a terminal: 16, a cube of 6x6x6, and 24 shades of grey."""
    if color < 16:
        return _COLORS[color]
    if color >= 232:
        return f"#{8 + 10 * (color - 232):02x}" + f"{8 + 10 * (color - 232):02x}" * 2
    parts = ((color - 16) // each % 6 for each in (36, 6, 1))
    return "#" + "".join(f"{part * 40 + 55 if part else 0:02x}" for part in parts)


def _fitted(text: str) -> str:
    """The attributes by which text takes its columns in any font."""
    return f'textLength="{len(text) * _WIDTH}" lengthAdjust="spacingAndGlyphs"'
