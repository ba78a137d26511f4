"""Words and letters for the kinds of Sokoban, and for the colours of boxes and goals."""

from collections.abc import Iterable

from sokoterm.engine.bits import Bitboard, Square, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.rules import color_at
from sokoterm.language import N_, _, in_clauses

COLOR_NAMES = (
    N_("orange"), N_("blue"), N_("yellow"), N_("pink"), N_("green"), N_("sky blue"),
    N_("red"), N_("purple"), N_("mint"), N_("brown"), N_("grey"), N_("white"),
)  # fmt: skip
"""Names of the first colours; further colours repeat them with a number: ``orange 2``."""

ICE_SIGN = "~"
"""Empty ice square in a picture."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def kind_text(board: Board) -> str:
    """Return ``colours``, ``sliding`` or ``colours and sliding``; empty for ordinary Sokoban."""
    if board.is_ordinary:
        return ""
    if board.colors:
        return _("colours and sliding") if board.ice else _("colours")
    return _("sliding")


def kind_rules(board: Board) -> str:
    """Return the rules that differ from ordinary Sokoban; empty for none."""
    rules = []
    if board.colors:
        rules.append(_("a coloured box belongs on a goal of its colour, or on one without a colour"))
    if board.ice:
        everywhere = _("a pushed box slides until something stops it")
        on_ice = _("on ice, a pushed box slides until something stops it")
        rules.append(everywhere if board.ice == board.floor else on_ice)
    return in_clauses(rules)


def box_letter(color: int) -> str:
    """Return the letter of the boxes of a colour, from 0; after Z, letters repeat (in other ones of the 12 colours)."""
    return _LETTERS[color % len(_LETTERS)]


def goal_letter(color: int) -> str:
    """Return the letter of the goals of a colour: the letter of its boxes in lower case."""
    return box_letter(color).lower()


def free_letters(board: Board) -> str:
    """Return the lower-case letters not used for colours; the whole alphabet if fewer than half are left."""
    colors = len(board.colors)
    return _LETTERS[colors if 2 * colors <= len(_LETTERS) else 0 :].lower()


def sign_lines(board: Board) -> list[tuple[str, str]]:
    """Return the signs for colours and ice on a board with their meanings; none for ordinary Sokoban."""
    lines = []
    if board.colors:
        lines.append(("A B ...", _("boxes: each belongs on a goal with its letter, or with none")))
        lines.append(("a b ...", _("goals: each takes boxes with its letter, or with none")))
    if board.ice:
        lines.append((ICE_SIGN, _("ice: a pushed box slides until something stops it")))
    return lines


def color_name(color: int) -> str:
    """Return the name of a colour.

    >>> color_name(1), color_name(12)
    ('blue', 'orange 2')
    """
    again, number = divmod(color, len(COLOR_NAMES))
    name = _(COLOR_NAMES[number])
    return f"{name} {again + 1}" if again else name


def box_text(board: Board, boxes: Bitboard, square: Square, name: str) -> str:
    """Return ``box c`` or ``blue box c`` for the box on a square."""
    color = color_at(board, boxes, square)
    if color is None:
        return _("box {name}", name=name)
    return _("{color} box {name}", color=color_name(color), name=name)


def place_text(board: Board, square: Square) -> str:
    """Return ``row 4 column 7``, counted from 1."""
    row, column = board.row_column(square)
    return _("row {row} column {column}", row=row + 1, column=column + 1)


def lettered_picture(level: Level, state: State) -> list[str]:
    """Return the picture of a position with letters for coloured boxes and goals, and signs for empty ice."""
    board = level.board
    boxes = [(boxes, "$*", box_letter(color)) for color, boxes in enumerate(board.boxes_by_layer(state.boxes)[1:])]
    goals = [(goals, ".", goal_letter(color)) for color, goals in enumerate(board.colors)]
    return marked_picture(level, state, [*boxes, *goals, (board.ice, " ", ICE_SIGN)])


def marked_picture(level: Level, state: State, marks: Iterable[tuple[Bitboard, str, str]]) -> list[str]:
    """Return the picture of a position with marks; each is (squares, characters it may replace, mark)."""
    rows = [list(row) for row in level.picture(state)]
    for squares, cells, mark in marks:
        for row, column in map(level.board.row_column, squares_of(squares)):
            if rows[row][column : column + 1] in map(list, cells):
                rows[row][column] = mark
    return ["".join(row) for row in rows]
