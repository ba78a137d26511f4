"""Replays as terminal recordings (https://docs.asciinema.org/manual/asciicast/v2/), and as SVG pictures.

Pictures show the glyphs of a theme or the pixels of its tiles, without scripts or links. A square contains all its
glyphs, one visible at a time (SMIL, https://www.w3.org/TR/SVG11/animate.html), so the size of a picture depends on the
number of changes rather than moves.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from itertools import count, groupby, pairwise
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import json_line
from sokoterm.engine.bits import Direction, Square, squares_of, tester
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import listed, moves_text, pushes_text
from sokoterm.tui.screens.replay import place_line
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, draw_board, fit_board
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Size, diff
from sokoterm.tui.widgets.sights import Sight, Sights, letters_of, look_of, text_of, things_of
from sokoterm.tui.widgets.theme import TITLE, Theme
from sokoterm.wording.columns import clipped, text_width

FIRST_SECONDS = 1.0
"""Time for which the start is shown."""

_LAST_CAST_SECONDS = 2.0

_BEGIN = "\x1b[?25l\x1b[2J"  # hide the cursor, clear the screen
_PLAIN_ATTRIBUTES = "\x1b[m"
_END = "\x1b[?25h"
_PICTURES_PER_SECOND = 40  # more are not noticeable


class ReplayStyle(NamedTuple):
    """Look and speed of a replay: ``cell`` columns per square (0: as many as fit), ``per_second`` moves per second."""

    theme: Theme
    cell: int
    color: bool
    per_second: int
    palette: tiles.Palette

    @property
    def looks(self) -> Mapping[str, Look]:
        return self.theme.looks.many if self.color else self.theme.looks.few


def asciicast(
    level: Level, lurd: str, title: str, style: ReplayStyle, size: Size, timestamp: int | None = None
) -> bytes:
    """Record moves; reproducible without ``timestamp``, in seconds since 1970. Raises LurdError for invalid moves."""
    stamp = {} if timestamp is None else {"timestamp": timestamp}
    lines = [json_line({"version": 2, "width": size.columns, "height": size.rows, **stamp, "title": title})]
    lines += [json_line([round(seconds, 6), "o", data]) for seconds, data in _events(level, lurd, title, style, size)]
    return ("\n".join(lines) + "\n").encode("ascii")


def _events(level: Level, lurd: str, title: str, style: ReplayStyle, size: Size) -> Iterator[tuple[float, str]]:
    playback = Replay(level, "", lurd)
    place: BoardPlace | None = None
    appearance = Appearance(style.theme, style.cell, style.palette)
    before: Frame | None = None
    seconds = 0.0

    @cache
    def attributes_of(name: str) -> str:
        return _attributes(look_in(name, style.looks, style.palette), color=style.color)

    for k, slides, left in playback.film(style.per_second, _PICTURES_PER_SECOND):
        canvas, row = Canvas(*size), size.rows - 1
        area = Area(1, 0, row - 1, size.columns)
        place = fit_board(level.board, playback.state.player, area, appearance, place)
        cursor = draw_board(canvas, place, level, playback.state, style.theme, stance=playback.stance)
        canvas.draw_title(title)
        counters, bar = place_line(playback, size.columns)
        canvas.put_parts(row, canvas.put(row, 0, counters) + 1, bar)
        frame = canvas.frame(cursor)
        seconds = FIRST_SECONDS + (k - 1 + (slides - left) / (slides + 1)) / style.per_second if k else 0.0
        yield seconds, ("" if before else _BEGIN) + _painted(before, frame, attributes_of)
        before = frame
    yield seconds + _LAST_CAST_SECONDS, _END


def look_in(style: str, looks: Mapping[str, Look], palette: tiles.Palette) -> Look:
    """Return the look of a frame's style; ``looks`` are those of the theme."""
    front, back = map(palette.number, tiles.colors_of(style) or "  ")
    return looks.get(style) or look_of(style, looks, palette) or Look(front, background=back)


def _painted(before: Frame | None, frame: Frame, attributes_of: Callable[[str], str]) -> str:
    """Return the output that turns ``before`` (None: a blank terminal) into a frame, ending in plain style."""
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
    """Return the escape sequence that sets a look, in 256 colours (ECMA-48, SGR)."""
    flags = ((1, look.bold), (2, look.dim), (4, look.underline), (7, look.reverse))
    codes = [str(code) for code, is_on in flags if is_on]
    if color:
        codes += [f"{code};5;{n}" for code, n in ((38, look.color), (48, look.background)) if n >= 0]
    return f"\x1b[0;{';'.join(codes)}m" if codes else _PLAIN_ATTRIBUTES


_LAST_SECONDS = 3.0  # how long the end is shown

_USUAL_PIXELS, _TILE = 8, 24  # pixels of a square, and the size they are scaled to
WIDTH, HEIGHT = 9, 18  # of a column and a row, in pixels
BASELINE = 14
_MARGIN = 12
_IDS = {"#": "w", "@": "p", "+": "q", "$": "b", "*": "c", ".": "g", " ": ""}
PAPERS = {"dark": ("#1e1e1e", "#d4d4d4"), "light": ("#fbfaf7", "#3c3c44")}  # background and text
# The first 16 terminal colours, chosen to be legible on a dark background.
_COLORS = (
    "#767676", "#f48771", "#98c379", "#e5c07b", "#7aa6f0", "#c99bdf", "#56c2cf", "#d4d4d4",
    "#8a8a8a", "#ff9d88", "#b5e08f", "#ffdb8f", "#9cc1ff", "#e3b8f7", "#7fdde8", "#ffffff",
)  # fmt: skip
FONT = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MOST_COLUMNS = 60  # of a title above a narrower board

_Glyphs = dict[Square, list[tuple[int, str]]]
"""For each square with glyphs, the number of moves made at each change, and the id of the new glyph."""


def svg(level: Level, lurd: str, title: str, style: ReplayStyle, at: int | None = None) -> bytes:
    """Draw moves in a loop, or the position after the first ``at`` moves. Raises LurdError for invalid moves."""
    playback, pen, board, title = Replay(level, "", lurd), _Pen(style), level.board, printable(title)
    at = at if playback.moves else 0
    glyphs = _glyphs(level, playback, pen, range(playback.moves + 1) if at is None else range(at, at + 1))
    words = place_line(playback, _MOST_COLUMNS)[0].rstrip() if playback.moves else ""
    if at is None:
        words = listed([moves_text(playback.moves), pushes_text(playback.pushes)])
    width = board.width * pen.width
    columns = max(-(-width // WIDTH), min(text_width(title), _MOST_COLUMNS), len(words))
    left, top = _MARGIN + (columns * WIDTH - width) // 2, _MARGIN + 2 * HEIGHT
    clock = _PictureClock(playback.moves, style.per_second)
    full_width, height = columns * WIDTH + 2 * _MARGIN, board.height * pen.height + 4 * HEIGHT + 2 * _MARGIN
    sides = f'width="{full_width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {height}" {sides} role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{pen.rules()}</style>",
        f"<defs>{''.join(map(pen.glyph, sorted(pen.drawn)))}</defs>",
        f'<rect {sides} rx="6" fill="{pen.paper}"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + BASELINE}">{escape(clipped(title, columns))}</text>',
        *(_floor(level, pen, left, top) if pen.theme.is_painted else ()),
    ]
    for square, states in sorted(glyphs.items()):
        row, column = board.row_column(square)
        parts += _square(states, clock, f'x="{left + column * pen.width}" y="{top + row * pen.height}"')
    if at is None:
        parts.append(clock.bar(columns * WIDTH, height - _MARGIN))
    parts.append(f'<text x="{_MARGIN}" y="{height - _MARGIN - 8}">{escape(words)}</text>\n</svg>\n')
    return "\n".join(parts).encode("utf-8")


def _glyphs(level: Level, playback: Replay, pen: "_Pen", moves: range) -> _Glyphs:
    """Return the glyphs of all squares over a range of moves."""
    board, glyphs = level.board, _Glyphs()
    before: State | None = None
    for k in moves:
        playback.show(k)
        now, facing = playback.state, playback.stance.facing
        sights, changed = Sights(level, now), (1 << board.size) - 1
        if before is not None:
            changed = (before.boxes ^ now.boxes) & board.floor | 1 << before.player | 1 << now.player
        for square in squares_of(changed):
            glyph = pen.name(sights.at(square), facing)
            if before is None and glyph:
                glyphs[square] = [(k, glyph)]
            elif before is not None and glyphs.setdefault(square, [(0, "")])[-1][1] != glyph:
                glyphs[square].append((k, glyph))
        before = now
    return glyphs


def _floor(level: Level, pen: "_Pen", left: int, top: int) -> Iterator[str]:
    """Draw the rows of the floor, which extends under walls, joining neighbours into one rectangle."""
    board = level.board
    is_ground = tester(board.floor | board.walls, board.size)
    for row in range(board.height):
        first = board.square(row, 0)
        for has_ground, run in groupby(range(first, first + board.width), is_ground):
            columns = [square - first for square in run]
            if has_ground:
                place = f'x="{left + columns[0] * pen.width}" y="{top + row * pen.height}"'
                yield f'<rect class="ground" {place} width="{len(columns) * pen.width}" height="{pen.height}"/>'


def _square(states: list[tuple[int, str]], clock: "_PictureClock", place: str) -> Iterator[str]:
    """Draw the glyphs of a square, with their times if it changes."""
    for glyph in sorted({glyph for __, glyph in states} - {""}):
        use = f'<use href="#{glyph}" {place}'
        if len(states) == 1:
            yield use + "/>"
            continue
        shown = [(k, "visible" if now == glyph else "hidden") for k, now in states]
        shown = [each for before, each in pairwise([(0, ""), *shown]) if each[1] != before[1]]
        values, times = ";".join(value for __, value in shown), ";".join(clock.time(k) for k, __ in shown)
        kind = f'attributeName="visibility" calcMode="discrete" {clock.timing}'
        animation = f'<animate {kind} values="{values}" keyTimes="{times}"/>'
        yield f'{use} visibility="{shown[0][1]}">{animation}</use>'


class _PictureClock:
    """Times of the moves as fractions of the whole."""

    def __init__(self, moves: int, per_second: int) -> None:
        self._step = 1 / per_second
        self._moves, self._seconds = moves, FIRST_SECONDS + (moves - 1) * self._step + _LAST_SECONDS
        self._digits = len(str(int(self._seconds / self._step))) + 2
        self.timing = f'dur="{self._seconds:.6g}s" repeatCount="indefinite"'

    def time(self, k: int) -> str:
        """Return the time of move k: ``.25`` is after a quarter."""
        part = (FIRST_SECONDS + (k - 1) * self._step) / self._seconds if k else 0.0
        return f"{part:.{self._digits}f}".strip("0").rstrip(".") or "0"

    def bar(self, width: int, y: int) -> str:
        """Draw a progress line that grows with the moves."""
        widths = {"0": 0, self.time(1): 0, self.time(self._moves): width, "1": width}  # the last may be the first
        values, times = ";".join(map(str, widths.values())), ";".join(widths)
        animation = f'<animate attributeName="width" {self.timing} values="{values}" keyTimes="{times}"/>'
        return f'<rect class="bar" x="{_MARGIN}" y="{y}" width="0" height="3">{animation}</rect>'


def pixel_paths(pixels: Mapping[tuple[int, int], str]) -> dict[str, str]:
    """Return the path of the pixels of each colour, given by row and column, as lines of width 1 along rows."""
    paths: dict[str, list[str]] = {}
    spots = enumerate(sorted(pixels))
    for (row, __, color), run in groupby(spots, lambda each: (each[1][0], each[1][1] - each[0], pixels[each[1]])):
        (__, (__, first)), *others = run
        paths.setdefault(color, []).append(f"M{first} {row}.5h{1 + len(others)}")
    return {color: "".join(lines) for color, lines in paths.items()}


class _Pen:
    """The glyphs of squares, text or tiles, drawn once among the definitions; ``width`` and ``height`` in pixels."""

    def __init__(self, style: ReplayStyle) -> None:
        self._looks, self._palette, self._color = style.looks, style.palette, style.color
        self.theme = style.theme if style.color else style.theme.replace(is_painted=False)
        self.paper, self.ink = PAPERS[style.palette.name if style.theme.is_painted else "dark"]
        self._columns, self._pixels = min(style.cell or 2, 2), style.cell or _USUAL_PIXELS
        self._has_tiles = style.theme.has_tiles and style.color and self._pixels in tiles.SIZES
        self.width, self.height = (_TILE, _TILE) if self._has_tiles else (self._columns * WIDTH, HEIGHT)
        self.drawn: dict[str, tuple[Sight, Direction]] = {}

    def name(self, sight: Sight, facing: Direction) -> str:
        """Return the id of the glyph of a square, such as ``b`` and ``b3`` for boxes; empty for bare floor."""
        name = _IDS[sight.cell] + ("" if sight.box is None else f"{sight.box}") + "i" * sight.is_ice
        name += "" if sight.goal is None else f"-{sight.goal}"
        name += facing.name[0].lower() if self._has_tiles and sight.cell in "@+" else ""
        if name:
            self.drawn.setdefault(name, (sight, facing))
        return name

    def glyph(self, name: str) -> str:
        """Draw a glyph with its upper left corner at the origin."""
        sight, facing = self.drawn[name]
        if not self._has_tiles:
            text, styles = text_of(sight, self.theme, self._columns)
            if sight.is_plain:
                return f'<g id="{name}">{self._text(0, text, styles[0])}</g>'
            return f'<g id="{name}">{"".join(map(self._text, count(), text, styles))}</g>'
        picture = enumerate(tiles.draw_pixels(self._pixels, things_of(sight, tiles.PLAYER[facing]), is_floor=True))
        pixels = {(y, x): letter for y, row in picture for x, letter in enumerate(row) if letter != tiles.FLOOR}
        lines = "".join(f'<path class="{letter}" d="{path}"/>' for letter, path in pixel_paths(pixels).items())
        letters = "".join(self._letter(*each) for each in letters_of(sight))
        return f'<g id="{name}"><g transform="scale({_TILE / self._pixels:g})">{lines}</g>{letters}</g>'

    def _text(self, column: int, text: str, style: str) -> str:
        look = look_in(style, self._looks, self._palette)
        rgb = self._palette.rgb if self.theme.is_painted else {}
        ink, ground = (color_of(number, rgb) if self._color else "" for number in (look.color, look.background))
        ink, ground = (self.paper, ink or self.ink) if look.reverse else (ink or self.ink, ground)
        ground = ink if {*text} == {"█"} else ground
        place = f'x="{column * WIDTH}" width="{len(text) * WIDTH}"'
        drawn = f'<rect {place} height="{HEIGHT}" fill="{ground}"/>' if ground else ""
        if not (shown := text.strip()) or ground == ink:
            return drawn
        weight = ";font-weight:bold" * (look.bold and not self.theme.is_painted)
        css = f"fill:{ink}{weight}{';text-decoration:underline' * look.underline}"
        x = (column + text.index(shown)) * WIDTH
        fitted = f'textLength="{len(shown) * WIDTH}" lengthAdjust="spacingAndGlyphs"'  # to columns in any font
        return f'{drawn}<text x="{x}" y="{BASELINE}" style="{css}" {fitted}>{escape(shown)}</text>'

    def _letter(self, letter: str, style: str, middle: bool) -> str:
        ink = color_of(look_in(style, self._looks, self._palette).color, self._palette.rgb)
        x, y, size = (_TILE // 2, _TILE // 2 + 4, 12) if middle else (_TILE - 3, 8, 9)
        return f'<text x="{x}" y="{y}" text-anchor="middle" style="fill:{ink};font-size:{size}px">{letter}</text>'

    def rules(self) -> str:
        """Return the CSS rules; pixel colours of boxes are left out if the level has no such boxes."""
        rules = f"text{{font:15px {FONT};fill:{self.ink};white-space:pre}}.bar{{fill:{self.ink};opacity:.5}}"
        rules += ".title{font-weight:bold}" if self._looks[TITLE].bold else ""
        if self.theme.is_painted:
            rules += f".ground{{fill:{_rgb(self._palette.colors[tiles.FLOOR][1])}}}"
        if self._has_tiles:
            rules += "path{shape-rendering:crispEdges}"
            has_variant = any(not sight.is_plain for sight, __ in self.drawn.values())
            for letter, (__, rgb) in self._palette.colors.items():
                if has_variant or letter not in tiles.VARIANT_LETTERS:
                    rules += f".{letter}{{stroke:{_rgb(rgb)}}}"
        return rules


def _rgb(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def color_of(color: int, rgb: Mapping[int, tuple[int, int, int]]) -> str:
    """Return a terminal colour by number, from ``rgb`` if it is there; empty for -1, the terminal's default."""
    if color < 0 or color in rgb:
        return _rgb(rgb[color]) if color in rgb else ""
    return _COLORS[color] if color < len(_COLORS) else _rgb(tiles.xterm_color(color))
