"""Marks of the push planner: labelled squares, and their legend.

As in Vimium's link hints, no label is the start of another, so typing a whole label chooses its square. Tiles show the
label in a badge in the middle (on the player's shirt, not his face), tint squares a box can reach, and frame the
choice. With two columns, the label takes the first or both, and the second can show a sign or what is on the square.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sokoterm.app.keymap import LETTERS
from sokoterm.app.planning import LandingRisk
from sokoterm.engine.bits import Direction, Square
from sokoterm.language import N_, _
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import SquareSize
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import CardText, Line
from sokoterm.tui.widgets.parts import joined
from sokoterm.tui.widgets.sights import Sight, lettered, text_of, tile_of, writing_on
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import STANDING, Tile, colors_of, style_of

# The styles of labels, and their colours on painted boards.
_CHOSEN, _HELD = (styles.CHOSEN, "fY"), (styles.PICKED, "fY")
_AT_GOAL, _BOXES = (styles.LABEL_ON_GOAL, "fG"), {"*": "tK"}
_AT_RISK = {
    LandingRisk.FINE: (styles.MARK_FINE, "tz"),
    LandingRisk.DEAD: (styles.MARK_DEAD, "tk"),
    LandingRisk.FREEZES: (styles.MARK_FREEZES, "tk"),
}


_LARGE = 8  # minimum rows of a square with a badge of three lines


class Mark(NamedTuple):
    """Mark of a square with the rest of its ``label``; the square is chosen now (or was: ``is_held``).

    ``risk``: of pushing the box there, None without a box. ``is_goal``: the label stands for a goal. ``way``:
    directions in the view in which the box's path continues. ``player``: the player's sprite.
    """

    label: str = ""
    risk: LandingRisk | None = None
    is_goal: bool = False
    is_chosen: bool = False
    is_held: bool = False
    way: tuple[Direction, ...] = ()
    player: str = STANDING

    def look_on(self, sight: Sight) -> tuple[str, str]:
        """Return the style of the label, and its colours on painted boards."""
        if self.is_chosen:
            return _CHOSEN
        if self.is_goal and self.risk in (None, LandingRisk.FINE):
            return _AT_GOAL
        if self.risk is not None:
            return _AT_RISK[self.risk]
        return styles.LABEL, "".join(writing_on(sight.box)) if sight.box is not None else _BOXES.get(sight.cell, "tk")


def marked(sight: Sight, mark: Mark, size: SquareSize, theme: Theme) -> Tile:
    """Return a square of any size with its mark."""
    if not size.is_tile:
        return (_text_of(sight, mark, size.columns, theme),)
    tile = tile_of(size.columns, sight, mark.player, _over(mark), has_label=bool(mark.label))
    if not mark.label:
        return tile
    row, column, lines, style = badge(sight, mark, size)
    for at, text in enumerate(lines, row):
        tile = lettered(tile, text, style, at, column)
    return tile


def badge(sight: Sight, mark: Mark, size: SquareSize) -> tuple[int, int, list[str], str]:
    """Return a label's row and column on its tile, its lines and its style."""
    row = (size.rows + (1 if sight.cell in "@+" else -1)) // 2
    look = mark._replace(is_chosen=mark.is_chosen and mark.risk is not None).look_on(sight)  # boxes keep their colour
    is_close = (mark.is_chosen or mark.is_held) and size.columns == 4  # leave room for the frame
    text = mark.label if is_close else f" {mark.label} "
    lines = [text]
    if size.rows >= _LARGE:
        text = f" {text} "
        lines = [" " * len(text), text, " " * len(text)]
        row -= sight.cell not in "@+"
    return row, (size.columns - len(text)) // 2, lines, style_of(*look[1])


def put_marked(canvas: Canvas, corner: tuple[int, int], sight: Sight, mark: Mark, size: SquareSize) -> None:
    """Draw a square's mark over its picture."""
    from sokoterm.tui.widgets.pictures import put_mark  # only if pictures are shown

    for name in _over(mark):
        put_mark(canvas, corner, size, name)
    row, column, lines, style = badge(sight, mark, size)
    for at, text in enumerate(lines if mark.label else (), corner[0] + row):
        canvas.put(at, corner[1] + column, text, style)


def _over(mark: Mark) -> tuple[str, ...]:
    frame = (tiles.FRAME,) * (mark.is_chosen or mark.is_held)
    return (*filter(None, [mark.risk]), *map(tiles.WAYS.__getitem__, mark.way), *frame)


def _text_of(sight: Sight, mark: Mark, columns: int, theme: Theme) -> tuple[str, str]:
    def style(usual: str, colors: str) -> str:
        return style_of(*colors) if theme.is_painted else usual

    label, risk, signs, look = mark.label, mark.risk, theme.marks, style(*mark.look_on(sight))
    is_player, is_fine = sight.cell in "@+", risk is LandingRisk.FINE
    ground = tiles.GROUNDS[risk] if risk is not None else tiles.ICE_FLOOR if sight.is_ice else tiles.FLOOR
    text, own = text_of(sight, theme, columns)
    first, (sign, sign_style) = (text[0], own[0]), (text[-1], own[-1])
    if risk is not None and not is_fine:
        sign = signs.dead if risk is LandingRisk.DEAD else signs.freezes
        sign_style = sign_style if is_player else style(_AT_RISK[risk][0], f"p{ground}")
        first = " ", sign_style
    elif mark.way and not is_player and not mark.is_goal:
        sign, sign_style = ":", style(styles.PATH, f"Y{ground}")
    elif is_fine and not mark.is_goal:
        sign = theme.glyph("@", 1) if is_player else sign if sight.is_ice and sight.goal is None else " "
    if is_fine:
        first = signs.fine, style(styles.MARK_FINE, "tm")
        colors = colors_of(sign_style)
        sign_style = style_of(colors[0], ground) if colors is not None and not is_player else sign_style
    if mark.is_held and risk is None and not label:
        held = signs.picked[columns - 1] if sight.cell in "$*" else styles.ASKED
        first, sign = (held[0], style(*_HELD)), sight.letter or held[1:] or sign
    if label and columns == 2:
        first = label[0].upper() if label[1:] else label, look
        sign, sign_style = (label[1], look) if label[1:] and sign == " " else (sign, sign_style)
    elif label:
        on_player = theme.is_painted and is_player and not mark.is_chosen
        way = style(styles.PATH, "Ym") if mark.way and not mark.is_chosen else look
        first = label[0].upper() if mark.is_goal or sight.cell == "*" else label[0], own if on_player else way
    elif columns == 1 and not mark.is_held and (not is_fine or sign != " "):
        first = sign, sign_style
    if risk is not None and mark.is_chosen:
        first, sign_style = (first[0], look), look
    return (first[0] + sign)[:columns], (first[1] + sign_style)[:columns]


# For each kind of square a box can be pushed to: its mark, its content and the meaning.
_LEGEND = (
    (Mark("a", LandingRisk.FINE), " ", N_("it can go on from there")),
    (Mark("b", LandingRisk.FINE, is_goal=True), ".", N_("a goal for it")),
    (Mark("c", LandingRisk.DEAD), " ", N_("dead end")),
    (Mark("d", LandingRisk.FREEZES), " ", N_("freezes there")),
)


def legend(size: SquareSize, theme: Theme) -> list[Line]:
    """Return lines with a square of each kind and its meaning."""
    lines = list[Line]()
    for mark, cell, text in _LEGEND:
        rows = [[*joined(zip(*row, strict=True))] for row in marked(Sight(cell), mark, size, theme)]
        rows[(size.rows - 1) // 2].append(CardText(f"  {_(text)}"))
        lines += rows
    return lines


def make_labels(count: int, letters: str = LETTERS) -> list[str]:
    """Return ``count`` distinct labels, none the start of another, as short as possible, the shortest first.

    >>> make_labels(28)[24:]
    ['y', 'za', 'zb', 'zc']
    """
    labels = list(letters)
    # One label length at a time: replace the last labels by longer ones that start with them.
    done: list[str] = []
    while len(done) + len(labels) < count:
        missing = count - len(done) - len(labels)
        begun = min(len(labels), -(-missing // (len(letters) - 1)))
        kept = len(labels) - begun
        done += labels[:kept]
        labels = [first + letter for first in labels[kept:] for letter in letters]
    return (done + labels)[:count]


class Choices:
    """Labelled squares in order, and the one under the cursor (None before the first choice)."""

    def __init__(
        self,
        squares: Sequence[Square],
        cursor: Square | None = None,
        labels: Mapping[Square, str] | None = None,
        *,
        letters: str = LETTERS,
    ) -> None:
        """Without ``labels``, new ones are made; ``cursor`` may start on another square."""
        self.squares = squares
        known = map(labels.__getitem__, squares) if labels is not None else make_labels(len(squares), letters)
        self.labels = dict(zip(squares, known, strict=True))
        self.cursor = cursor
        self.typed = ""

    def rest(self, square: Square) -> str:
        """Return the part of a square's label still to be typed, "" if another label was begun."""
        label = self.labels.get(square, "")
        return label[len(self.typed) :] if label.startswith(self.typed) else ""

    def type(self, letter: str) -> Square | None:
        """Type a letter, ignoring a wrong one; return the square whose label is now complete, under the cursor."""
        typed = self.typed + letter
        begun = [square for square, label in self.labels.items() if label.startswith(typed)]
        if begun and self.labels[begun[0]] == typed:
            self.typed, self.cursor = "", begun[0]
            return self.cursor
        self.typed = typed if begun else self.typed
        return None

    def cycle(self, step: int) -> None:
        """Move the cursor by ``step`` squares in label order, wrapping around."""
        self.typed = ""
        if not self.squares:
            return
        place = min(0, step)
        if self.cursor is not None and self.cursor in self.labels:
            place = self.squares.index(self.cursor) + step
        self.cursor = self.squares[place % len(self.squares)]

    def move(self, direction: Direction, stride: int) -> bool:
        """Move the cursor to the nearest square in a direction (within 45 degrees if possible); False if none."""
        self.typed = ""
        if self.cursor is None:
            return False
        row, column = divmod(self.cursor, stride)
        found = list[tuple[bool, int, int, Square]]()
        for square in self.squares:
            other_row, other_column = divmod(square, stride)
            down, right = other_row - row, other_column - column
            along, aside = ((-down, right), (right, down), (down, right), (-right, down))[direction]
            if along > 0:
                found.append((abs(aside) > along, along + abs(aside), abs(aside), square))
        if found:
            self.cursor = min(found)[-1]
        return bool(found)

    def jump(self, *, to_last: bool) -> None:
        """Move the cursor to the first or last square in label order."""
        self.typed = ""
        if self.squares:
            self.cursor = self.squares[-1 if to_last else 0]
