"""Themes: glyphs for the board and the looks of styles, with and without colours.

To add a theme, add a row to THEMES: a narrow and a wide glyph for each XSB cell, the planner's marks, and the looks of
styles that differ from the default.
"""

from collections.abc import Mapping, Sequence

from sokoterm.app.options import Look
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.store.settings import Entry, shown_value

# Styles, one character each, for Canvas.put.
WALL = "#"
PLAYER = "@"
BOX = "$"
BOX_ON_GOAL = "*"
GOAL = "."
DEAD = "!"
TITLE = "t"
QUIET = "q"
KEY = "k"
CHIP = "h"
ACCENT = "a"
CHOSEN = "c"
WARNING = "w"
GOOD = "g"
LABEL = "l"
LABEL_ON_GOAL = "L"
MARK_FINE = ","
MARK_DEAD = "x"
MARK_FREEZES = "="
PICKED = "p"
PATH = ":"

CELL_STYLES = {"#": WALL, "@": PLAYER, "+": PLAYER, "$": BOX, "*": BOX_ON_GOAL, ".": GOAL, " ": " "}
"""The styles of XSB cells."""

STYLE_NAMES = {
    "wall": WALL, "player": PLAYER, "box": BOX, "box-on-goal": BOX_ON_GOAL, "goal": GOAL, "dead": DEAD,
    "title": TITLE, "quiet": QUIET, "key": KEY, "chip": CHIP, "accent": ACCENT, "chosen": CHOSEN, "warning": WARNING,
    "good": GOOD, "label": LABEL, "label-on-goal": LABEL_ON_GOAL,
    "mark-fine": MARK_FINE, "mark-dead": MARK_DEAD, "mark-freezes": MARK_FREEZES,
    "picked": PICKED, "path": PATH,
}  # fmt: skip
"""The names of styles in the settings."""


class Looks(Value):
    """Looks with 256 colours (``many``, overridden on a known ``dark`` or ``light`` background) and with ``few``."""

    many: Mapping[str, Look]
    few: Mapping[str, Look]
    dark: Mapping[str, Look] = {}
    light: Mapping[str, Look] = {}

    @property
    def each(self) -> Sequence[Mapping[str, Look]]:
        return self.many, self.few, self.dark, self.light

    def on(self, background: str, *, many_colors: bool) -> Mapping[str, Look]:
        """Return the looks for a background, named as its palette."""
        if not many_colors:
            return self.few
        return {**self.many, **{"dark": self.dark, "light": self.light}.get(background, {})}


_PLAIN, _BOLD, _REVERSE = Look(), Look(bold=True), Look(reverse=True)
_BASE = {WALL: _PLAIN, PLAYER: _PLAIN, DEAD: _REVERSE, TITLE: _BOLD, QUIET: Look(dim=True), KEY: _BOLD, CHIP: _BOLD,
         CHOSEN: _REVERSE, LABEL: _BOLD, MARK_FINE: _BOLD, PATH: Look(bold=True, underline=True)}  # fmt: skip
# The only one of the eight basic colours readable on both black and white in the palettes of xterm and Linux.
_MAGENTA = 5


def _in_colors(orange: int, blue: int, grey: int) -> Mapping[str, Look]:
    """Return the coloured looks: orange for focus and boxes, blue for good, grey for secondary text.

    Nearly everyone can tell orange from blue. Walls are dimmer than what moves. To save bytes, boxes have at most one
    attribute, and the player, who is redrawn on every move, a basic colour.
    """
    return {
        WALL: Look(grey), PLAYER: Look(_MAGENTA), BOX: Look(orange), BOX_ON_GOAL: Look(blue),
        GOAL: Look(blue, bold=True), QUIET: Look(grey),
        KEY: Look(orange, bold=True), ACCENT: Look(orange), WARNING: Look(orange), GOOD: Look(blue),
        LABEL_ON_GOAL: Look(blue, bold=True), MARK_FINE: Look(blue), MARK_DEAD: Look(orange),
        MARK_FREEZES: Look(orange, bold=True), PICKED: Look(orange, reverse=True),
    }  # fmt: skip


_ON_DARK = {**_in_colors(214, 75, 246), CHIP: Look(16, background=245), CHOSEN: Look(231, background=94)}
_ON_LIGHT = {**_in_colors(130, 25, 242), CHIP: Look(16, background=252), CHOSEN: Look(16, background=222)}
COLORS = Looks(
    # Of medium brightness: readable on black and on white.
    many={**_BASE, **_in_colors(166, 33, 243), CHIP: _REVERSE},
    dark=_ON_DARK,
    light=_ON_LIGHT,
    few=_BASE
    | {BOX: Look(_MAGENTA), BOX_ON_GOAL: _BOLD, GOAL: _BOLD, ACCENT: Look(_MAGENTA, bold=True), WARNING: Look(_MAGENTA),
       GOOD: _BOLD, LABEL_ON_GOAL: _BOLD, MARK_DEAD: Look(_MAGENTA), MARK_FREEZES: Look(_MAGENTA, bold=True),
       PICKED: Look(_MAGENTA, reverse=True)},
)  # fmt: skip
"""The colours of every theme except high contrast; safe for the colour-blind."""

_STRONG, _STRONG_REVERSE = Look(bold=True), Look(bold=True, reverse=True)
_HIGH = {
    WALL: _PLAIN, PLAYER: _STRONG_REVERSE, BOX: _STRONG, BOX_ON_GOAL: _REVERSE, GOAL: _STRONG,
    DEAD: Look(bold=True, underline=True, reverse=True), TITLE: _STRONG, QUIET: _PLAIN, KEY: _STRONG,
    CHIP: _REVERSE, ACCENT: _STRONG, CHOSEN: _STRONG_REVERSE, WARNING: _STRONG_REVERSE,
    GOOD: _STRONG, LABEL: _REVERSE, LABEL_ON_GOAL: _STRONG_REVERSE,
    MARK_FINE: _REVERSE, MARK_DEAD: Look(bold=True, underline=True), MARK_FREEZES: Look(underline=True),
    PICKED: _STRONG_REVERSE, PATH: Look(underline=True, reverse=True),
}  # fmt: skip
HIGH_CONTRAST = Looks(_HIGH, _HIGH)
"""No colour: the terminal's own foreground and background, bold and reversed."""


ASKED = "?"
"""Sign of the goal that is asked for."""


class Marks(Value):
    """Signs of the push planner, none of them a letter; ``picked`` is a chosen box in one column and in two."""

    fine: str
    dead: str
    freezes: str
    picked: tuple[str, str]

    @property
    def characters(self) -> str:
        return "".join((self.fine, self.dead, self.freezes, *self.picked))


_ASCII_MARKS = Marks(fine=",", dead="!", freezes="=", picked=("%", "{}"))


class Theme(Value):
    """The glyphs of a board for the XSB cells ``# @+$*.`` and space, in one column and in two.

    A painted theme uses the colours of a palette and paints the floor. With tiles, squares with enough room are drawn
    in pixels (see tiles.py); with pictures, as pictures of the terminal (see pictures.py).
    """

    name: str
    narrow: dict[str, str]
    wide: dict[str, str]
    marks: Marks = _ASCII_MARKS
    looks: Looks = COLORS
    is_painted: bool = False
    has_tiles: bool = False
    has_pictures: bool = False

    def dressed(self, looks: Mapping[str, Look]) -> "Theme":
        """Return the theme with other looks for some styles at any number of colours."""
        many, few, dark, light = ({**each, **looks} for each in self.looks.each)
        return self._replace(looks=Looks(many, few, dark, light))

    def glyph(self, cell: str, columns: int) -> str:
        """Return the text of an XSB cell in one or two columns."""
        return (self.narrow if columns == 1 else self.wide)[cell]


_PAINTED_MARKS = Marks(fine=",", dead="!", freezes="=", picked=("%", "()"))
# The text of painted squares too small for pixels.
_PAINTED_NARROW = {"#": "#", " ": " ", "@": "@", "+": "+", "$": "$", "*": "*", ".": "o"}
_PAINTED_WIDE = {"#": "██", " ": "  ", "@": "@ ", "+": "@>", "$": "[]", "*": "{}", ".": "<>"}

PICTURES = "pictures"
"""The name of the theme for terminals that show pictures."""

THEMES: tuple[Theme, ...] = (
    Theme(
        "ascii",
        {"#": "#", " ": " ", "@": "@", "+": "+", "$": "$", "*": "*", ".": "."},
        {"#": "##", " ": "  ", "@": "@ ", "+": "+ ", "$": "[]", "*": "**", ".": ".."},
    ),
    Theme(
        "letters",
        {"#": "#", " ": " ", "@": "@", "+": "&", "$": "o", "*": "O", ".": "."},
        {"#": "##", " ": "  ", "@": "@ ", "+": "@.", "$": "()", "*": "OO", ".": ".."},
    ),
    Theme(
        "unicode",
        {"#": "█", " ": " ", "@": "☻", "+": "☺", "$": "□", "*": "■", ".": "·"},
        {"#": "██", " ": "  ", "@": "☻ ", "+": "☻·", "$": "[]", "*": "▐▌", ".": "··"},
        Marks(fine="°", dead="\N{MULTIPLICATION SIGN}", freezes="≡", picked=("▣", "▒▒")),
    ),
    Theme(
        "contrast",
        {"#": "#", " ": " ", "@": "@", "+": "+", "$": "$", "*": "*", ".": "."},
        {"#": "##", " ": "  ", "@": "@@", "+": "++", "$": "[]", "*": "**", ".": "::"},
        looks=HIGH_CONTRAST,
    ),
    Theme("modern", _PAINTED_NARROW, _PAINTED_WIDE, _PAINTED_MARKS, is_painted=True),
    Theme("tiles", _PAINTED_NARROW, _PAINTED_WIDE, _PAINTED_MARKS, is_painted=True, has_tiles=True),
    Theme(PICTURES, _PAINTED_NARROW, _PAINTED_WIDE, _PAINTED_MARKS, is_painted=True, has_tiles=True, has_pictures=True),
)


def themes_for(*, utf8: bool, many_colors: bool, pictures: bool = False) -> tuple[Theme, ...]:
    """Return the themes a terminal can show; ``pictures``: it may show pictures."""
    return tuple(
        theme
        for theme in THEMES
        if (many_colors or not theme.is_painted)
        and (pictures or not theme.has_pictures)
        and (utf8 or all(map(str.isascii, (*theme.narrow.values(), *theme.wide.values(), theme.marks.characters))))
    )


def find_theme(name: str) -> Theme | None:
    return next((theme for theme in THEMES if theme.name == name), None)


# The looks in the settings

_BASIC = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_NUMBERS = {name: number for number, name in enumerate((*_BASIC, *(f"bright-{name}" for name in _BASIC)))}
_NUMBERS |= {"default": -1}
_ATTRIBUTES = ("bold", "dim", "underline", "reverse")


def read_looks(entries: Sequence[Entry]) -> tuple[dict[str, Look], list[str]]:
    """Read ``[colors]`` of config.toml: return the looks of styles, and a message for each invalid entry.

    An entry is a colour with optional attributes and background: ``wall = 240``, ``box = "bold bright-yellow on 17"``.
    """
    looks, problems = {}, []
    for entry in entries:
        look = _look(entry.value)
        if entry.name not in STYLE_NAMES:
            found = shown_value(entry.name)
            names = " ".join(STYLE_NAMES)
            problems.append(
                _("{where}: found {found}, expected one of {names}", where=entry.where, found=found, names=names)
            )
        elif look is None:
            problems.append(
                _(
                    # Translators: do not translate bright-, default and on.
                    "{where}: found {found}, expected a colour ({colors}, the same with bright-, default, or 0 to 255),"
                    " optionally {attributes}, and a background after 'on'",
                    where=entry.where,
                    found=f"{entry.name} = {shown_value(entry.value)}",
                    colors=" ".join(_BASIC),
                    attributes=" ".join(_ATTRIBUTES),
                )
            )
        else:
            looks[STYLE_NAMES[entry.name]] = look
    return looks, problems


def _look(value: object) -> Look | None:
    """Parse a look such as ``bold red on 17``; None if it is invalid."""
    if type(value) is int:
        return Look(value) if 0 <= value < 256 else None
    if not isinstance(value, str):
        return None
    front, on, back = value.casefold().partition(" on ")
    words = front.split()
    colors = [word for word in words if word not in _ATTRIBUTES]
    numbers = [_number(word) for word in [*colors, back.strip() if on else "default"]]
    if not words or len(colors) > 1 or None in numbers:
        return None
    known = [number for number in numbers if number is not None]
    attributes = {word: True for word in words if word in _ATTRIBUTES}
    return Look(known[0] if colors else -1, background=known[-1], **attributes)


def _number(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word) < 256:
        return int(word)
    return _NUMBERS.get(word)
