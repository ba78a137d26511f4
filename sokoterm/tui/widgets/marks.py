"""Marks of the push planner: squares that can be chosen, with their labels, and the legend of them.

On tiles a label stands in a badge in the middle, on the player's shirt rather than on his face; the ground is tinted
where a box can come to, what is chosen is framed.  In two columns the label has the first one, or both; a sign or what
is on the square has the second.  In one column there is room for one of them.
"""

from typing import NamedTuple

from sokoterm.app.planning import LandingRisk
from sokoterm.engine.bits import Direction
from sokoterm.language import N_, _
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import SquareSize, put_tile
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.parts import CardText, Line, joined
from sokoterm.tui.widgets.sights import Sight, text_of, tile_of, writing_on
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import colors_of, style_of

# The styles of labels, and their colours where boards are painted.
_CHOSEN, _HELD = (styles.CHOSEN, "fY"), (styles.PICKED, "fY")
_AT_GOAL, _BOXES = (styles.LABEL_ON_GOAL, "fG"), {"*": "tK"}
_AT_RISK = {
    LandingRisk.FINE: (styles.MARK_FINE, "tz"),
    LandingRisk.DEAD: (styles.MARK_DEAD, "tk"),
    LandingRisk.FREEZES: (styles.MARK_FREEZES, "tk"),
}


class Mark(NamedTuple):
    """Mark of a square.

    ``label`` is what is still to be typed of it, ``risk`` that of a box that comes there (None: none does),
    ``is_goal``: it is labelled as a goal.  The square is chosen now, or held since it was.  ``way``: where the way of
    the box leads on from there, in the view.
    """

    label: str = ""
    risk: LandingRisk | None = None
    is_goal: bool = False
    is_chosen: bool = False
    is_held: bool = False
    way: tuple[Direction, ...] = ()

    def look_on(self, sight: Sight) -> tuple[str, str]:
        """Return the style of the label, and its colours where boards are painted: on boxes theirs."""
        if self.is_chosen:
            return _CHOSEN
        if self.is_goal and self.risk in (None, LandingRisk.FINE):
            return _AT_GOAL
        if self.risk is not None:
            return _AT_RISK[self.risk]
        return styles.LABEL, "".join(writing_on(sight.box)) if sight.box is not None else _BOXES.get(sight.cell, "tk")


def draw_mark(
    canvas: Canvas,
    corner: tuple[int, int],
    size: SquareSize,
    sight: Sight,
    mark: Mark,
    theme: Theme,
    facing: Direction = Direction.DOWN,
) -> None:
    """Draw a square with its mark."""
    if not size.is_tile:
        canvas.put_cells(*corner, *_text_of(sight, mark, size.columns, theme))
        return
    over = [tiles.WAYS[direction] for direction in mark.way]
    over[:0] = [mark.risk.value] if mark.risk is not None else []
    over += [tiles.FRAME] * (mark.is_chosen or mark.is_held)
    put_tile(canvas, corner, tile_of(size.columns, sight, facing, tuple(over), has_label=bool(mark.label)))
    badge = f" {mark.label} " if mark.label else ""
    row = (size.rows + (1 if sight.cell in "@+" else -1)) // 2
    look = mark._replace(is_chosen=mark.is_chosen and mark.risk is not None).look_on(sight)  # boxes keep their colour
    canvas.put(corner[0] + row, corner[1] + (size.columns - len(badge)) // 2, badge, style_of(*look[1]))


def _text_of(sight: Sight, mark: Mark, columns: int, theme: Theme) -> tuple[str, str]:
    """Return the characters of a square with its mark, and their styles."""
    label, risk, marks, look = mark.label, mark.risk, theme.marks, _style(mark.look_on(sight), theme)
    text, own = text_of(sight, theme, columns)
    first, last = (text[0], own[0]), (text[-1], own[-1])
    if risk is not None:
        is_fine, last = risk is LandingRisk.FINE, _sign(sight, mark, last, theme)
        first = (marks.fine, _style((styles.MARK_FINE, "tm"), theme)) if is_fine else (" ", last[1])
        first = last if columns == 1 and not is_fine else first
    elif mark.is_held:
        held = marks.picked[columns - 1] if sight.cell in "$*" else marks.asked
        first, last = (held[0], _style(_HELD, theme)), (sight.letter or held[1:] or last[0], last[1])
    elif mark.way:
        last = ":", _style((styles.PATH, f"Y{tiles.ICE_FLOOR if sight.is_ice else tiles.FLOOR}"), theme)
        first = last if columns == 1 else first
    if label and columns == 2:
        first = (label[0].upper() if label[1:] else label, look)
        last = (label[1], look) if label[1:] and last[0] == " " else last
    elif label:
        keeps_style = theme.is_painted and sight.cell in "@+" and not mark.is_chosen
        way = _style((styles.PATH, "Yz"), theme) if mark.way and not mark.is_chosen else look
        first = label[0].upper() if mark.is_goal or sight.cell == "*" else label[0], own if keeps_style else way
    if risk is not None and mark.is_chosen:
        first, last = (first[0], look), (last[0], look)
    shown = (first, last)[:columns]
    return "".join(each for each, _ in shown), "".join(style for _, style in shown)


def _sign(sight: Sight, mark: Mark, own: tuple[str, str], theme: Theme) -> tuple[str, str]:
    """Return the sign of a square that a box can come to, and its style; ``own`` is what is there without a mark."""
    assert mark.risk is not None
    ground, is_player = tiles.GROUNDS[mark.risk], sight.cell in "@+"
    text, style = own
    if mark.risk is not LandingRisk.FINE:
        text = theme.marks.dead if mark.risk is LandingRisk.DEAD else theme.marks.freezes
        style = style if is_player else _style((_AT_RISK[mark.risk][0], f"o{ground}"), theme)
    elif is_player:
        text = theme.glyph(sight.cell if mark.is_goal else "@", 1)
    elif mark.way and not mark.is_goal:
        text, style = ":", _style((styles.PATH, f"Y{ground}"), theme)
    elif sight.cell == "." and not mark.is_goal:
        text = " "
    colors = colors_of(style)
    return text, style_of(colors[0], ground) if colors is not None and not is_player else style


def _style(look: tuple[str, str], theme: Theme) -> str:
    return style_of(*look[1]) if theme.is_painted else look[0]


# A square of each kind that a box can come to, with what is on it and what becomes of the box there.
_LEGEND = (
    (Mark("a", LandingRisk.FINE), " ", N_("it can go on from there")),
    (Mark("b", LandingRisk.FINE, is_goal=True), ".", N_("a goal for it")),
    (Mark("c", LandingRisk.DEAD), " ", N_("dead end")),
    (Mark("d", LandingRisk.FREEZES), " ", N_("freezes there")),
)


def legend(size: SquareSize, theme: Theme) -> list[Line]:
    """Return lines with a square of each kind, in a size, and what it means."""
    canvas = Canvas(size.rows * len(_LEGEND), size.columns)
    for number, (mark, cell, _text) in enumerate(_LEGEND):
        draw_mark(canvas, (number * size.rows, 0), size, Sight(cell), mark, theme)
    lines = [[*joined(zip(*row, strict=True))] for row in canvas.frame().rows]
    for line, (_mark, _cell, text) in zip(lines[(size.rows - 1) // 2 :: size.rows], _LEGEND, strict=True):
        line.append(CardText(f"  {_(text)}"))
    return [*lines]
