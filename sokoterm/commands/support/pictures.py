"""Replays as recordings of a terminal, and as SVG pictures, still or animated.

A recording (asciicast v2, https://docs.asciinema.org/manual/asciicast/v2/) is a JSON object on the first line, then an
event on each: seconds, "o" for output, and the text written.

Pictures show text in the glyphs of a theme, or the pixels of its tiles. They have no scripts and no links, for any
browser. Squares that do not change are drawn once. A square that changes has
all of its glyphs, one visible at a time (SMIL, https://www.w3.org/TR/SVG11/animate.html): so the size grows with the
changes, not with the moves.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from itertools import groupby
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import json_line
from sokoterm.engine.bits import Direction, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import _, listed, moves_text, pushes_text
from sokoterm.tui.screens.replay import place_line
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, draw_board, fit_board
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Size, diff
from sokoterm.tui.widgets.sights import Sight, letters_of, look_of, row_sights, text_of, things_of
from sokoterm.tui.widgets.theme import CELL_STYLES, TITLE, Theme
from sokoterm.tui.widgets.tiles import (
    FLOOR,
    PLAYER,
    SIZES,
    VARIANT_LETTERS,
    Palette,
    colors_of,
    draw_pixels,
    paint,
    xterm_color,
)
from sokoterm.wording.columns import clipped, text_width

FIRST_SECONDS = 1.0
"""The time for which the start is shown."""

_LAST_CAST_SECONDS = 2.0

_BEGIN = "\x1b[?25l\x1b[2J"  # hide the cursor, clear the screen
_PLAIN_ATTRIBUTES = "\x1b[m"
_END = "\x1b[?25h"
_PICTURES_PER_SECOND = 40  # more are not seen


class ReplayStyle(NamedTuple):
    """Look and speed of a replay: ``cell`` columns for a square (0: as many as fit), ``per_second`` moves a second."""

    theme: Theme
    cell: int
    color: bool
    per_second: int
    palette: Palette

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

    step = max(1, -(-style.per_second // _PICTURES_PER_SECOND))
    for k in (*range(0, playback.moves, step), playback.moves):
        playback.glide(k)
        slides = min(playback.sliding, _PICTURES_PER_SECOND // style.per_second)
        while playback.sliding > slides:
            playback.glide_on()
        for left in range(slides, -1, -1):
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
            if left:
                playback.glide_on()
    yield seconds + _LAST_CAST_SECONDS, _END


def look_in(style: str, looks: Mapping[str, Look], palette: Palette) -> Look:
    """Return the look of any style of a frame; ``looks`` are those of the theme."""
    front, back = map(palette.number, colors_of(style) or "  ")
    return looks.get(style) or look_of(style, looks, palette) or Look(front, background=back)


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


_LAST_SECONDS = 3.0  # how long the end is shown

_USUAL_PIXELS = 8  # of a square that is drawn as pixels
WIDTH, HEIGHT = 9, 18  # of a column and a row, in pixels
BASELINE = 14
_MARGIN = 12
_IDS = {"#": "w", "@": "p", "+": "q", "$": "b", "*": "c", ".": "g"}
PAPERS = {"dark": ("#1e1e1e", "#d4d4d4"), "light": ("#fbfaf7", "#3c3c44")}  # the picture's ground, and its text
# The first 16 colours of a terminal, chosen to be legible on a dark ground.
_COLORS = (
    "#767676", "#f48771", "#98c379", "#e5c07b", "#7aa6f0", "#c99bdf", "#56c2cf", "#d4d4d4",
    "#8a8a8a", "#ff9d88", "#b5e08f", "#ffdb8f", "#9cc1ff", "#e3b8f7", "#7fdde8", "#ffffff",
)  # fmt: skip
FONT = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MOST_COLUMNS = 60  # of a title above a narrower board

_Spot = tuple[int, int]
_States = list[tuple[int, str]]


def animated_svg(level: Level, lurd: str, title: str, style: ReplayStyle) -> bytes:
    """Draw the moves from the start of a level, in a loop; raises LurdError for moves that cannot be played."""
    playback = Replay(level, "", lurd)
    if not playback.moves:
        return still_svg(level, lurd, title, style, 0)
    pen = _pen(style)
    clock = _PictureClock(playback.moves, style.per_second)
    changes = _changes(level, playback, pen)
    playback.show(playback.moves)
    words = listed([moves_text(playback.moves), pushes_text(playback.pushes)])
    drawing = _Drawing(level, title, words, pen)
    lines = [
        *drawing.static(playback.state, playback.stance.facing, changes),
        *(line for square, states in changes.items() for line in drawing.changing(square, states, clock)),
        drawing.bar(clock),
    ]
    return drawing.whole(lines)


def still_svg(level: Level, lurd: str, title: str, style: ReplayStyle, k: int) -> bytes:
    """Draw the position after the first ``k`` of the moves; raises LurdError for moves that cannot be played."""
    playback = Replay(level, "", lurd)
    playback.show(k)
    place = _(
        "move {move} push {push}",
        move=f"{playback.k}/{playback.moves}",
        push=f"{playback.pushes_shown}/{playback.pushes}",
    )
    drawing = _Drawing(level, title, place if playback.moves else "", _pen(style))
    return drawing.whole(list(drawing.static(playback.state, playback.stance.facing, {})))


def _changes(level: Level, playback: Replay, pen: "_Pen") -> dict[_Spot, _States]:
    """Return the squares that change, by row and column: moves made and the glyph after them, at each change."""
    board = level.board
    playback.show(0)
    glyphs = [
        [pen.glyph_of(sight, playback.stance.facing) for sight in row_sights(level, playback.state, row)]
        for row in range(board.height)
    ]
    states: dict[_Spot, _States] = {}
    before = playback.state
    for k in range(1, playback.moves + 1):
        playback.show(k)
        now = playback.state
        squares = (before.boxes ^ now.boxes) & board.floor | 1 << before.player | 1 << now.player
        for square in scan(squares):
            place = row, column = board.row_column(square)
            known = states.setdefault(place, [(0, glyphs[row][column])])
            glyph = pen.glyph_of(row_sights(level, now, row)[column], playback.stance.facing)
            if known[-1][1] != glyph:
                known.append((k, glyph))
        before = now
    return {place: states[place] for place in sorted(states)}


class _PictureClock:
    """Times of the moves, as parts of the whole."""

    def __init__(self, moves: int, per_second: int) -> None:
        self._step = 1 / per_second
        self.seconds = FIRST_SECONDS + (moves - 1) * self._step + _LAST_SECONDS
        self._digits = len(str(int(self.seconds / self._step))) + 2
        self.last = self.time(moves)

    def time(self, k: int) -> str:
        """Return the time of the k-th move: ``.25`` is after a quarter."""
        part = (FIRST_SECONDS + (k - 1) * self._step) / self.seconds if k else 0.0
        return f"{part:.{self._digits}f}".strip("0").rstrip(".") or "0"

    @property
    def timing(self) -> str:
        return f'dur="{self.seconds:.6g}s" repeatCount="indefinite"'


class _Pen(ABC):
    """The glyphs of squares: each has an id, and is drawn once, among the definitions of the picture.

    ``width`` and ``height`` are those of a square in pixels; ``paper`` and ``ink`` are the colours of the picture's
    ground and of its text.
    """

    width: int
    height: int
    turns = False
    """True if the player looks in the direction of the last move."""

    def __init__(self, style: ReplayStyle) -> None:
        self.style = style
        self.paper, self.ink = PAPERS[style.palette.name] if style.theme.is_painted else PAPERS["dark"]
        self._drawn: dict[str, tuple[Sight, Direction]] = {}

    def glyph_of(self, sight: Sight, facing: Direction) -> str:
        """Return the id of the glyph of a square, such as ``b`` and ``b3`` for boxes; empty for bare floor."""
        colors = f"{'' if sight.box is None else sight.box}{'' if sight.goal is None else f'-{sight.goal}'}"
        name = _IDS.get(sight.cell, "i" if sight.is_ice else "") + colors
        name += "i" * (sight.is_ice and sight.cell in _IDS)
        name += facing.name[0].lower() if self.turns and sight.cell in "@+" else ""
        if name:
            self._drawn.setdefault(name, (sight, facing))
        return name

    @abstractmethod
    def glyphs(self) -> Iterator[str]:
        """Draw every glyph, with its upper left corner at the origin."""

    @abstractmethod
    def rules(self) -> Iterator[str]:
        """Yield rules of CSS for the glyphs."""


def pixel_paths(pixels: Mapping[_Spot, str]) -> dict[str, str]:
    """Return by colour the path of its pixels, which are given by row and column: lines of width 1, row by row."""
    paths: dict[str, list[str]] = {}
    spots = enumerate(sorted(pixels))
    for (row, __, color), run in groupby(spots, lambda each: (each[1][0], each[1][1] - each[0], pixels[each[1]])):
        (__, (__, first)), *others = run
        paths.setdefault(color, []).append(f"M{first} {row}.5h{1 + len(others)}")
    return {color: "".join(lines) for color, lines in paths.items()}


def _pen(style: ReplayStyle) -> _Pen:
    has_pixels = style.theme.has_tiles and style.color and (style.cell or _USUAL_PIXELS) in SIZES
    return _TilePen(style) if has_pixels else _TextPen(style)


class _TilePen(_Pen):
    """Draws the pixels of tiles, in the colours of a palette."""

    width = height = 24
    turns = True

    def glyphs(self) -> Iterator[str]:
        pixels = self.style.cell or _USUAL_PIXELS
        for name, (sight, facing) in sorted(self._drawn.items()):
            picture = enumerate(draw_pixels(pixels, things_of(sight, PLAYER[facing]), is_floor=True))
            drawn = {(y, x): letter for y, row in picture for x, letter in enumerate(row) if letter != FLOOR}
            lines = "".join(f'<path class="{letter}" d="{path}"/>' for letter, path in pixel_paths(drawn).items())
            scale = f'transform="scale({self.width / pixels:g})"'
            letters = "".join(self._letter(*each) for each in letters_of(sight))
            if letters:
                yield f'<g id="{name}"><g {scale}>{lines}</g>{letters}</g>'
            else:
                yield f'<g id="{name}" {scale}>{lines}</g>'

    def _letter(self, letter: str, style: str, middle: bool) -> str:
        """Draw a letter in the middle of a square or in its upper right corner."""
        front, _ = colors_of(style) or (FLOOR, FLOOR)
        ink = _rgb(self.style.palette.colors[front][1])
        x, y, size = (self.width // 2, self.height // 2 + 4, 12) if middle else (self.width - 3, 8, 9)
        return f'<text x="{x}" y="{y}" text-anchor="middle" style="fill:{ink};font-size:{size}px">{letter}</text>'

    def rules(self) -> Iterator[str]:
        yield "path{shape-rendering:crispEdges}"
        has_variant = any(not sight.is_plain for sight, __ in self._drawn.values())
        for letter, (__, rgb) in self.style.palette.colors.items():
            if has_variant or letter not in VARIANT_LETTERS:
                yield f".{letter}{{stroke:{_rgb(rgb)}}}"


class _TextPen(_Pen):
    """Draws the glyphs of a theme as text, in its colours; painted themes on grounds of their own."""

    def __init__(self, style: ReplayStyle) -> None:
        super().__init__(style)
        self._columns = min(style.cell or 2, 2)
        self._has_paint = style.theme.is_painted and style.color
        self.width, self.height = self._columns * WIDTH, HEIGHT

    def glyphs(self) -> Iterator[str]:
        for cell, name in _IDS.items():
            glyph = self.style.theme.glyph(cell, self._columns)
            ink, paper = self._inks(self._style_of(cell))
            ground = f'<rect width="{self.width}" height="{HEIGHT}" fill="{{}}"/>'
            if set(glyph) == {"█"}:
                yield f'<g id="{name}">{ground.format(ink)}</g>'
                continue
            drawn = glyph.strip()
            left = len(glyph) - len(glyph.lstrip())
            fitted = f'textLength="{len(drawn) * WIDTH}" lengthAdjust="spacingAndGlyphs"'  # to columns in any font
            yield (
                f'<g id="{name}">{ground.format(paper) if paper else ""}<text class="{name}" x="{left * WIDTH}" '
                f'y="{BASELINE}" {fitted}>{escape(drawn)}</text></g>'
            )
        for name, (sight, __) in sorted(self._drawn.items()):
            if not sight.is_plain:
                cells = zip(*text_of(sight, self.style.theme, self._columns), strict=True)
                pieces = [self._piece(column * WIDTH, *each) for column, each in enumerate(cells)]
                yield f'<g id="{name}">{"".join(pieces)}</g>'

    def _piece(self, x: int, character: str, style: str) -> str:
        ink, paper = self._inks(style)
        ground = f'<rect x="{x}" width="{WIDTH}" height="{HEIGHT}" fill="{paper}"/>' if paper else ""
        line = ";text-decoration:underline" if self._look_of(style).underline else ""
        return f'{ground}<text x="{x}" y="{BASELINE}" style="fill:{ink}{line}">{escape(character)}</text>'

    def rules(self) -> Iterator[str]:
        for cell, name in _IDS.items():
            look = self.style.looks[CELL_STYLES[cell]]
            ink, _ = self._inks(self._style_of(cell))
            color = f"fill:{ink};" if ink != self.ink else ""
            weight = "font-weight:bold;" if look.bold and not self.style.theme.is_painted else ""
            line = "text-decoration:underline;" if look.underline else ""
            if color or weight or line:
                yield f".{name}{{{color}{weight}{line}}}"

    def _style_of(self, cell: str) -> str:
        return paint(cell, is_floor=True) if self._has_paint else CELL_STYLES[cell]

    def _look_of(self, style: str) -> Look:
        """Return the look of a style, whose colours are numbers of the palette on painted boards."""
        letters = colors_of(style)
        if letters is not None:
            front, back = map(self.style.palette.number, letters)
            return Look(front, background=-1 if letters[1] == FLOOR else back)
        looks = self.style.looks
        return look_of(style, looks, self.style.palette) or looks[style]

    def _inks(self, style: str) -> tuple[str, str]:
        """Return the colours of text and of its background; the latter is empty for that of the picture."""
        look = self._look_of(style)
        rgb = self.style.palette.rgb if self.style.theme.is_painted else {}
        ink, paper = (color_of(number, rgb) if self.style.color else "" for number in (look.color, look.background))
        return (self.paper, ink or self.ink) if look.reverse else (ink or self.ink, paper)


class _Drawing:
    """Drawing of one board, in parts."""

    def __init__(self, level: Level, title: str, words: str, pen: _Pen) -> None:
        self._level = level
        self._title = printable(title)
        self._words = words
        self._pen = pen
        board_width = level.board.width * pen.width
        columns = max(-(-board_width // WIDTH), min(text_width(self._title), _MOST_COLUMNS), len(words))
        self._text_columns = columns
        self._left = _MARGIN + (columns * WIDTH - board_width) // 2
        self._top = _MARGIN + 2 * HEIGHT
        self._size = (columns * WIDTH + 2 * _MARGIN, level.board.height * pen.height + 4 * HEIGHT + 2 * _MARGIN)

    def static(self, state: State, facing: Direction, changing: Mapping[_Spot, object]) -> Iterator[str]:
        """Draw the floor of a painted board, and the squares that never change."""
        board = self._level.board
        for row in range(board.height):
            if self._pen.style.theme.is_painted and self._pen.style.color:
                yield from self._floor(row)
            for column, sight in enumerate(row_sights(self._level, state, row)):
                glyph = self._pen.glyph_of(sight, facing)
                if glyph and (row, column) not in changing:
                    yield self.use((row, column), glyph) + "/>"

    def _floor(self, row: int) -> Iterator[str]:
        """Draw a row of floor, neighbours as one rectangle; walls stand on it too."""
        board = self._level.board
        ground = (board.floor | board.walls) >> board.square(row, 0)
        for is_ground, run in groupby(range(board.width), lambda column: ground >> column & 1):
            columns = [*run]
            if is_ground:
                x, y = self._place((row, columns[0]))
                width = len(columns) * self._pen.width
                yield f'<rect class="ground" x="{x}" y="{y}" width="{width}" height="{self._pen.height}"/>'

    def changing(self, place: _Spot, states: _States, clock: _PictureClock) -> Iterator[str]:
        """Draw each glyph of a square that changes, with the times at which it comes and goes."""
        for glyph in sorted({glyph for __, glyph in states} - {""}):
            times, values = ["0"], ["visible" if states[0][1] == glyph else "hidden"]
            for k, now in states[1:]:
                value = "visible" if now == glyph else "hidden"
                if value != values[-1]:
                    times.append(clock.time(k))
                    values.append(value)
            animation = (
                f'<animate attributeName="visibility" calcMode="discrete" {clock.timing} '
                f'values="{";".join(values)}" keyTimes="{";".join(times)}"/>'
            )
            yield f'{self.use(place, glyph)} visibility="{values[0]}">{animation}</use>'

    def use(self, place: _Spot, glyph: str) -> str:
        """Return an element that shows a glyph on a square, without its end."""
        x, y = self._place(place)
        return f'<use href="#{glyph}" x="{x}" y="{y}"'

    def bar(self, clock: _PictureClock) -> str:
        """Draw a line that grows with the moves."""
        width, y = self._text_columns * WIDTH, self._size[1] - _MARGIN
        widths = {"0": 0, clock.time(1): 0, clock.last: width, "1": width}  # by time; the last move may be the first
        values = ";".join(map(str, widths.values()))
        animation = f'<animate attributeName="width" {clock.timing} values="{values}" keyTimes="{";".join(widths)}"/>'
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
            f"<defs>{''.join(self._pen.glyphs())}</defs>",
            f'<rect {sides} rx="6" fill="{self._pen.paper}"/>',
            f'<text class="title" x="{_MARGIN}" y="{_MARGIN + BASELINE}">{heading}</text>',
            *lines,
            f'<text x="{_MARGIN}" y="{height - _MARGIN - 8}">{escape(self._words)}</text>',
            "</svg>",
        ]
        return ("\n".join(svg) + "\n").encode("utf-8")

    def _place(self, place: _Spot) -> _Spot:
        row, column = place
        return self._left + column * self._pen.width, self._top + row * self._pen.height

    def _css(self) -> str:
        ink, style = self._pen.ink, self._pen.style
        rules = [f"text{{font:15px {FONT};fill:{ink};white-space:pre}}", f".bar{{fill:{ink};opacity:.5}}"]
        if style.theme.is_painted:
            rules.append(f".ground{{fill:{_rgb(style.palette.colors[FLOOR][1])}}}")
        if style.looks[TITLE].bold:
            rules.append(".title{font-weight:bold}")
        return "".join([*rules, *self._pen.rules()])


def _rgb(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def color_of(color: int, rgb: Mapping[int, tuple[int, int, int]]) -> str:
    """Return a colour of a terminal by its number, by ``rgb`` if it is there; empty for -1, the terminal's own."""
    if color < 0 or color in rgb:
        return _rgb(rgb[color]) if color in rgb else ""
    return _COLORS[color] if color < len(_COLORS) else _rgb(xterm_color(color))
