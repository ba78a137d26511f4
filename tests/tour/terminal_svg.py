"""Pictures of a terminal as SVG, still or animated: text as text, half blocks and the grounds of text as pixels.

An animated picture holds the cells of its first frame, and for each later one those that changed: they come up at their
time, above those before, and stay to the end of the loop (SMIL, https://www.w3.org/TR/SVG11/animate.html).
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import NamedTuple

from sokoterm.commands.support.pictures import BASELINE, FONT, HEIGHT, PAPERS, WIDTH, color_of, look_in, pixel_paths
from sokoterm.tui.widgets.frame import Frame
from sokoterm.tui.widgets.theme import COLORS
from sokoterm.tui.widgets.tiles import DARK

_PAPER, _INK = PAPERS["dark"]
_LOOKS = COLORS.on("dark", many_colors=True)
# Drawn, so that they meet in every font: the class of a path, and the path from the upper left corner of the cell.
_DRAWN = {
    "─": ("l", "m0 9.5h9"), "━": ("h", "m0 9.5h9"), "╸": ("h", "m0 9.5h4.5"), "│": ("l", "m4.5 0v18"),
    "╭": ("l", "m9 9.5q-4.5 0-4.5 4.5v4"), "╮": ("l", "m0 9.5q4.5 0 4.5 4.5v4"),
    "╰": ("l", "m4.5 0v5q0 4.5 4.5 4.5"), "╯": ("l", "m4.5 0v5q0 4.5-4.5 4.5"),
    **{each: ("f", f"m0 18v-{n * 9 / 4:g}h9v{n * 9 / 4:g}z") for n, each in enumerate("▁▂▃▄▅▆▇", 1)},
    **{each: (f"f s{n}", "h9v18h-9z") for n, each in enumerate("░▒▓", 1)},
    "▌": ("f", "h4.5v18h-4.5z"), "▐": ("f", "m4.5 0h4.5v18h-4.5z"),
}  # fmt: skip
_MARGIN, _BAR, _TOP, _GAP, _CAPTION = 12, 30, 38, 10, 44
_LIGHTS = ("#ff5f57", "#febc2e", "#28c840")
_FRAME, _KEY, _QUIET, _ACCENT = "#33363f", "#464a55", "#a4a7ae", "#ffb545"
# Where motion is not wanted the first frame stays.
_CSS = (
    f"text{{font:15px {FONT};fill:currentColor}}path{{stroke:currentColor;shape-rendering:crispEdges}}"
    ".l,.h{fill:none;shape-rendering:auto}.h{stroke-width:3}.f{fill:currentColor;stroke:none}.b{font-weight:bold}"
    ".s1{opacity:.25}.s2{opacity:.5}.s3{opacity:.75}"
    f".i{{color:{_INK}}}.q{{color:{_QUIET}}}@media(prefers-reduced-motion:reduce){{g[visibility]{{display:none}}}}"
)


class Picture(NamedTuple):
    """A frame in a window with a title, the keys of its caption and the words; ``at`` is its time in seconds."""

    at: float
    frame: Frame
    has_cursor: bool
    title: str
    keys: Sequence[str]
    words: str


class _Cell(NamedTuple):
    """The colours of the halves of a cell, and a character above them with its colour and weight."""

    top: str
    bottom: str
    glyph: str = ""
    ink: str = ""
    is_bold: bool = False


_Cells = dict[tuple[int, int], _Cell]
_BLANK = _Cell(_PAPER, _PAPER)


@cache
def _cell(character: str, style: str) -> _Cell:
    look = look_in(style, _LOOKS, DARK)
    ink, paper = color_of(look.color, DARK.rgb) or _INK, color_of(look.background, DARK.rgb) or _PAPER
    if look.reverse:
        ink, paper = paper, ink
    halves = {" ": (paper, paper), "█": (ink, ink), "▀": (ink, paper), "▄": (paper, ink)}.get(character)
    return _Cell(*halves) if halves else _Cell(paper, paper, character, ink, look.bold)


def _cells(picture: Picture) -> _Cells:
    """Return the cells by row and column; a blank between two letters of one look has it too."""
    rows = enumerate(picture.frame.rows)
    cells = {(y, x): _cell(*each) for y, row in rows for x, each in enumerate(zip(row.text, row.styles))}
    for (y, x), cell in cells.items():
        before, after = cells.get((y, x - 1), cell), cells.get((y, x + 1), cell)
        if not cell.glyph and before[3:] == after[3:] and {before.glyph, after.glyph}.isdisjoint(("", *_DRAWN)):
            cells[y, x] = _Cell(cell.top, cell.bottom, " ", *before[3:])
    return cells | ({picture.frame.cursor: _Cell(_INK, _INK)} if picture.has_cursor else {})


def _draw_cells(cells: _Cells, names: dict[str, str]) -> str:
    """Draw grounds, then lines and blocks as paths, and text in runs; ``names`` has a class for each colour."""

    def name(color: str) -> str:
        return names.setdefault(color, f"c{len(names)}")

    halves = {(2 * y + k, x): half for (y, x), cell in cells.items() for k, half in enumerate(cell[:2])}
    grounds = "".join(f'<path class="{name(color)}" d="{path}"/>' for color, path in pixel_paths(halves).items())
    paths, texts = defaultdict[str, str](str), ""
    for run in _runs(cells):
        (y, x), (__, __, glyph, ink, is_bold) = run[0]
        if glyph in _DRAWN:
            kind, path = _DRAWN[glyph]
            if path.endswith("h9"):  # one line
                run, path = run[:1], f"{path[:-1]}{WIDTH * len(run)}"
            paths[f"{name(ink)} {kind}"] += "".join(f"M{x * WIDTH} {y * HEIGHT}{path}" for (y, x), __ in run)
        else:
            text = "".join(cell.glyph for __, cell in run)
            x += len(text) - len(text := text.lstrip())
            texts += _text(name(ink) + " b" * is_bold, x * WIDTH, y * HEIGHT + BASELINE, text.rstrip())
    lines = "".join(f'<path class="{classes}" d="{path}"/>' for classes, path in paths.items())
    return f'<g transform="translate({_MARGIN} {_TOP})"><g transform="scale({WIDTH})">{grounds}</g>{lines}{texts}</g>'


def _runs(cells: _Cells) -> list[list[tuple[tuple[int, int], _Cell]]]:
    """Return the texts of one look, and the rows of equal lines and blocks."""
    runs = list[list[tuple[tuple[int, int], _Cell]]]()
    for (y, x), cell in cells.items():
        before = cells.get((y, x - 1), _BLANK)
        is_alike = before.glyph == cell.glyph or {before.glyph, cell.glyph}.isdisjoint(_DRAWN)
        if cell.glyph:
            runs += [] if is_alike and before[3:] == cell[3:] else [[]]
            runs[-1].append(((y, x), cell))
    return runs


def _text(classes: str, x: float, y: float, text: str) -> str:
    fit = f' textLength="{len(text) * WIDTH}"' if len(text) > 1 else ""
    return f'<text class="{classes}" x="{x:g}" y="{y:g}"{fit}>{escape(text, quote=False)}</text>'


def _caption(picture: Picture, top: int, width: int, share: float) -> str:
    """Draw the keys that were pressed and the words beside them, and how much of the loop is over."""
    drawn, x = f'<rect y="{top}" width="{width}" height="{_CAPTION}" rx="10" fill="{_PAPER}"/>', 12
    for key in picture.keys:
        sides = f'width="{len(key) * WIDTH + 16}" height="26"'
        drawn += f'<rect x="{x}" y="{top + 9}" {sides} rx="5" fill="{_KEY}"/>{_text("i b", x + 8, top + 27, key)}'
        x += len(key) * WIDTH + 22
    for color, length in ((_FRAME, 180), (_ACCENT, round(180 * share))):
        sides = f'width="{length}" height="4" rx="2"'
        drawn += f'<rect x="{width - 196}" y="{top + 20}" {sides} fill="{color}"/>'
    return drawn + _text("i", x + 6, top + 27, picture.words)


def draw(pictures: Sequence[Picture], seconds: float = 0.0, shown_width: int | None = None) -> bytes:
    """Return the file: a still of one picture, or a loop with captions that takes some seconds.

    Browsers show it as wide as ``shown_width`` in pixels, else as wide as text of 15 pixels is.
    """
    rows, names, body = pictures[0].frame.rows, dict[str, str](), list[str]()
    width, bottom = len(rows[0].text) * WIDTH + 2 * _MARGIN, len(rows) * HEIGHT + _TOP + _MARGIN
    height = bottom + (_GAP + _CAPTION if seconds else 0)
    shown, title, words = dict.fromkeys(_cells(pictures[0]), _BLANK), "", ""
    for picture in pictures:
        cells = _cells(picture)
        new = {spot for spot, cell in cells.items() if cell != shown[spot]}
        # What a picture that is scaled has drawn beyond the edges of a cell.
        beside = {(y, x + step) for y, x in new if shown[y, x].glyph for step in (-1, 1)}
        changed = {spot: cell for spot, cell in cells.items() if spot in new or spot in beside and not cell.glyph}
        drawn = _draw_cells(changed, names) if changed else ""
        if picture.title != title:
            text = _text("q", (width - len(picture.title) * WIDTH) / 2, 20, picture.title)
            drawn += f'<rect x="80" y="4" width="{width - 160}" height="22" fill="{_FRAME}"/>{text}'
        if seconds and picture.words != words:
            drawn += _caption(picture, bottom + _GAP, width, picture.at / seconds)
        if body and drawn:
            time = f"{picture.at / seconds:.5f}".rstrip("0").removeprefix("0")
            drawn = (
                f'<g visibility="hidden">{drawn}<animate attributeName="visibility" calcMode="discrete" '
                f'dur="{seconds:g}s" repeatCount="indefinite" values="hidden;visible" keyTimes="0;{time}"/></g>'
            )
        body += [drawn] * bool(drawn)
        shown, title, words = cells, picture.title, picture.words
    shown_width = shown_width or width
    shown_height = round(height * shown_width / width)
    sides = f'viewBox="0 0 {width} {height}" width="{shown_width}" height="{shown_height}" role="img"'
    lights = "".join(f'<circle cx="{22 + 20 * k}" cy="15" r="6" fill="{color}"/>' for k, color in enumerate(_LIGHTS))
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {sides}>',
        f"<title>{escape(pictures[0].title)}</title>",
        f"<style>{_CSS}{''.join(f'.{name}{{color:{color}}}' for color, name in names.items())}</style>",
        f'<rect width="{width}" height="{bottom}" rx="10" fill="{_FRAME}"/>',
        f'<path d="M1 {_BAR}H{width - 1}V{bottom - 10}q0 9-9 9H10q-9 0-9-9z" fill="{_PAPER}" stroke="none"/>{lights}',
        *body,
        "</svg>",
    ]
    return ("\n".join(svg) + "\n").encode()
