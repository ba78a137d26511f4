"""How things look: glyph sets for the board, and what each style means in colour and without.

To add a theme, add one row to THEMES: a narrow and a wide glyph for each cell of XSB text, and the planner's marks.
"""

from typing import NamedTuple

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
CHOSEN = "c"
WARNING = "w"
GOOD = "g"
LABEL = "l"
LABEL_ON_GOAL = "L"
MARK_FINE = ","
MARK_DEAD = "x"
MARK_FREEZES = "="
PICKED = "p"

_CELL_STYLES = {"#": WALL, "@": PLAYER, "+": PLAYER, "$": BOX, "*": BOX_ON_GOAL, ".": GOAL, " ": " "}


class Look(NamedTuple):
    """How a style appears: an ANSI colour (-1: the terminal's own) and attributes; attributes stay without colour."""

    color: int
    bold: bool = False
    dim: bool = False
    reverse: bool = False


# Yellow and cyan, told apart by nearly everyone.  Only the eight basic colours: their codes are short on the line; and
# never with bold or reverse: each attribute more costs a dozen bytes on the line.
LOOKS: dict[str, Look] = {
    WALL: Look(-1),
    PLAYER: Look(-1),
    BOX: Look(3),
    BOX_ON_GOAL: Look(6),
    GOAL: Look(6),
    DEAD: Look(-1, reverse=True),
    TITLE: Look(-1, bold=True),
    QUIET: Look(-1),
    KEY: Look(-1, bold=True),
    CHOSEN: Look(-1, reverse=True),
    WARNING: Look(3),
    GOOD: Look(6),
    LABEL: Look(-1, bold=True),
    LABEL_ON_GOAL: Look(6, bold=True),
    MARK_FINE: Look(-1),
    MARK_DEAD: Look(3),
    MARK_FREEZES: Look(5),
    PICKED: Look(3, reverse=True),
}


class Marks(NamedTuple):
    """What the push planner writes on a board, none of it a letter.

    In one column what becomes of a box on a square, and the goal that is asked for; ``picked`` is a chosen box in one
    column and in two.
    """

    fine: str
    dead: str
    freezes: str
    asked: str
    picked: tuple[str, str]

    @property
    def characters(self) -> str:
        """All of them."""
        return "".join((self.fine, self.dead, self.freezes, self.asked, *self.picked))


_ASCII_MARKS = Marks(fine=",", dead="!", freezes="=", asked="?", picked=("%", "{}"))


class Theme(NamedTuple):
    """The glyphs of a board: one column and two columns for each of the XSB cells ``# @+$*.`` and space."""

    name: str
    narrow: dict[str, str]
    wide: dict[str, str]
    marks: Marks = _ASCII_MARKS

    def glyph(self, cell: str, columns: int) -> str:
        """What stands for an XSB cell in cells of one or two columns."""
        return (self.narrow if columns == 1 else self.wide)[cell]


def cell_style(cell: str) -> str:
    """The style of an XSB cell."""
    return _CELL_STYLES[cell]


THEMES: tuple[Theme, ...] = (
    Theme(
        "ascii",
        {"#": "#", " ": " ", "@": "@", "+": "+", "$": "$", "*": "*", ".": "."},
        {"#": "##", " ": "  ", "@": "@ ", "+": "+ ", "$": "[]", "*": "**", ".": ". "},
    ),
    Theme(
        "letters",
        {"#": "#", " ": " ", "@": "@", "+": "&", "$": "o", "*": "O", ".": "."},
        {"#": "##", " ": "  ", "@": "@ ", "+": "@.", "$": "()", "*": "(*", ".": " ."},
    ),
    Theme(
        "unicode",
        {"#": "█", " ": " ", "@": "☻", "+": "☺", "$": "□", "*": "■", ".": "·"},
        {"#": "██", " ": "  ", "@": "☻ ", "+": "☻·", "$": "░░", "*": "▓▓", ".": "· "},
        Marks(fine="°", dead="\N{MULTIPLICATION SIGN}", freezes="≡", asked="?", picked=("▣", "▒▒")),
    ),
)


def themes_for(*, utf8: bool) -> tuple[Theme, ...]:
    """The themes whose glyphs a terminal can show."""
    return tuple(
        theme
        for theme in THEMES
        if utf8 or all(map(str.isascii, (*theme.narrow.values(), *theme.wide.values(), theme.marks.characters)))
    )


def find_theme(name: str) -> Theme | None:
    """The theme of this name."""
    return next((theme for theme in THEMES if theme.name == name), None)
