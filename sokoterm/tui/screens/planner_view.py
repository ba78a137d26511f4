"""The push planner: its picture and its words.

A square that can be chosen shows its label.  In cells of two columns those are two letters, the first one a capital
where another follows; in one column it is the next letter to be typed, a capital on goals.  Squares that a box can come
to also show marks of the theme where the box would be lost.  In two columns a mark, or a goal, takes the place of the
second letter; in one column a mark takes that of the letter until all letters are asked for.  Of a box, only goals that
take it count as goals.  Letters of colours stand beside the labels where there is room: not in one column, where boxes
and goals of all colours look as without one.
"""

from sokoterm.app.planning import LandingRisk
from sokoterm.engine.bits import Square
from sokoterm.engine.rules import color_at
from sokoterm.language import N_, _, in_clauses, moves_text, ngettext, pgettext, pushes_text
from sokoterm.tui.screens.planner import PlannedPush, Planner, Stage
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    BoardPlace,
    Chrome,
    Size,
    draw_board,
    place_board,
    place_chrome,
    put_tile,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.parts import draw_keys, draw_title
from sokoterm.tui.widgets.sights import Sight, Sights, text_of, tile_of
from sokoterm.tui.widgets.theme import CELL_STYLES, Marks, Theme
from sokoterm.wording.columns import cut_at_a_word
from sokoterm.wording.kinds import color_name

_ON_GOAL = ".*+"
_MARK_STYLES = {
    LandingRisk.FINE: styles.MARK_FINE,
    LandingRisk.DEAD: styles.MARK_DEAD,
    LandingRisk.FREEZES: styles.MARK_FREEZES,
}
_ENDINGS = {
    LandingRisk.FINE: "",
    LandingRisk.DEAD: N_("lost there"),
    LandingRisk.FREEZES: N_("freezes there"),
}
_MARK_SPRITES = {LandingRisk.FINE: tiles.FINE, LandingRisk.DEAD: tiles.DEAD, LandingRisk.FREEZES: tiles.FREEZES}


class PlannerScreen(Planner):
    """The push planner with its picture."""

    chrome: Chrome | None = None

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll the board so that the cursor is seen."""
        board = self.level.board
        self.chrome, square = place_chrome(size, board, appearance, has_comment=bool(self.comment))
        self.place = place_board(board, _focus(self), self.chrome.board, square, self.place, appearance.view)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_planner(self, size, appearance)


def view_planner(planner: PlannerScreen, size: Size, appearance: Appearance) -> Frame:
    """Draw the board as in play, labels and marks on it, with header, status line and keys."""
    canvas = Canvas(*size)
    place, chrome = planner.place, planner.chrome
    assert place is not None and chrome is not None  # noqa: PT018 - see ``fit``
    draw_board(canvas, place, planner.level, planner.state, appearance.theme, facing=planner.facing)
    _draw_choices(canvas, planner, place, appearance.theme)
    columns, marks = place.size.columns, appearance.theme.marks
    if chrome.header >= 0:
        draw_title(canvas, header(planner, columns, marks, size.columns), chrome.header)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, cut_at_a_word(planner.comment, size.columns), styles.QUIET)
    canvas.put(chrome.status, 0, *status(planner, size.columns))
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, hints(planner, columns))
    if chrome.panel is not None:
        question = header(planner, columns, marks, size.columns)
        planner.play.draw_panel(canvas, chrome.panel, appearance, hints(planner, columns), question)
    return canvas.frame(place.cell_of(_focus(planner)))


def _focus(planner: Planner) -> Square:
    """Return the square of the cursor, else that of the player."""
    cursor = planner.choices.cursor
    return planner.state.player if cursor is None else cursor


def _draw_choices(canvas: Canvas, planner: Planner, place: BoardPlace, theme: Theme) -> None:
    board = planner.level.board
    hides_letters = place.size.columns == 1 and not board.is_ordinary
    lit = {*planner.choices.labels, *_found(planner), planner.box, planner.goal, planner.choices.cursor}
    rows, columns = place.shown
    sights = Sights(planner.level, planner.state)
    for row in rows:
        for column in columns:
            square = place.square_in(row, column)
            if square not in lit and not hides_letters:
                continue
            sight = sights.at(square)
            if square not in lit:
                if sight.letter:
                    style = text_of(sight, theme, 1)[1]
                    canvas.put(*place.corner_of(row, column), theme.glyph(sight.cell, 1), style)
            elif place.size.is_tile:
                _draw_tile(canvas, place, planner, square, sight)
            else:
                text, style = _drawn(planner, square, sight, place.size.columns, theme)
                canvas.put(*place.corner_of(row, column), text, style)


def _is_on_goal(planner: Planner, square: Square, sight: Sight) -> bool:
    """True for a goal; while a square is chosen, for one that takes the chosen box."""
    if planner.stage is Stage.SQUARES and square in planner.choices.labels:
        return planner.takes(square)
    return sight.cell in _ON_GOAL


def _draw_tile(canvas: Canvas, place: BoardPlace, planner: Planner, square: Square, sight: Sight) -> None:
    """Draw the tile of a square that can be chosen or has been, with its label in the middle."""
    rest, over, is_asked = planner.choices.rest(square), tuple[str, ...](), False
    if planner.stage is Stage.SQUARES and square in planner.choices.labels:
        risk = planner.risk(square)
        if not rest or risk is not LandingRisk.FINE:
            over = (_MARK_SPRITES[risk],)
    elif square == planner.goal:
        is_asked = True
    elif square == planner.box or square in _found(planner):
        over = (tiles.PICKED,)
    row, column = place.corner_of(*place.position_of(square))
    pixels = place.size.columns
    is_chosen = square == planner.choices.cursor
    label = rest or ("><" if is_chosen else "")
    if is_asked:
        tile = tiles.draw_tile(pixels, (tiles.ASKED,), is_floor=True)
    else:
        tile = tile_of(pixels, sight, over=over, has_label=bool(label))
    put_tile(canvas, (row, column), tile)
    is_on_goal = _is_on_goal(planner, square, sight)
    style = styles.CHOSEN if is_chosen else styles.LABEL_ON_GOAL if is_on_goal else styles.LABEL
    canvas.put(row + (place.size.rows - 1) // 2, column + (pixels - len(label)) // 2, label, style)


def _found(planner: Planner) -> tuple[Square, ...]:
    """Return the boxes that light up while others are still looked at; after that they get labels."""
    return planner.search.told[1] if planner.search is not None and not planner.search.is_done else ()


def _drawn(planner: Planner, square: Square, sight: Sight, columns: int, theme: Theme) -> tuple[str, str]:
    """Return the text and style of a square that can be chosen or has been."""
    if planner.stage is Stage.SQUARES and square in planner.choices.labels:
        text, style = _target(planner, square, sight, columns, theme)
    else:
        text, style = _source(planner, square, sight, columns, theme)
    return text, styles.CHOSEN if square == planner.choices.cursor else style


def _source(planner: Planner, square: Square, sight: Sight, columns: int, theme: Theme) -> tuple[str, str]:
    """Return text and style of a box or a goal: its label over its own glyph."""
    cell = sight.cell
    glyph = text_of(sight, theme, columns)[0] if columns == 2 else theme.glyph(cell, columns)
    rest = planner.choices.rest(square)
    if not rest:
        if square == planner.goal:
            return theme.marks.asked.ljust(columns), styles.PICKED
        if square == planner.box or square in _found(planner):
            picked = theme.marks.picked[columns - 1]
            return picked[0] + (sight.letter or picked[1]) if columns == 2 else picked, styles.PICKED
        return glyph, CELL_STYLES[cell]
    text = _letters(rest, columns, is_capital=columns == 1 and cell == "*")
    if len(text) < columns:
        text += glyph.strip()[-1]
    return text, styles.LABEL_ON_GOAL if cell in _ON_GOAL else styles.LABEL


def _mark(marks: Marks, risk: LandingRisk) -> str:
    return {LandingRisk.FINE: marks.fine, LandingRisk.DEAD: marks.dead, LandingRisk.FREEZES: marks.freezes}[risk]


def _target(planner: Planner, square: Square, sight: Sight, columns: int, theme: Theme) -> tuple[str, str]:
    """Return text and style of a square that the box can come to: its label, and a mark if the box is lost there."""
    risk, rest = planner.risk(square), planner.choices.rest(square)
    is_fine, is_on_goal = risk is LandingRisk.FINE, _is_on_goal(planner, square, sight)
    mark = _mark(theme.marks, risk)
    style = _MARK_STYLES[risk]
    if is_fine and rest:
        style = styles.LABEL_ON_GOAL if is_on_goal else styles.LABEL
    if columns == 1:
        shows_letter = rest and (is_fine or planner.shows_all_letters or planner.choices.typed)
        return _letters(rest, 1, is_capital=is_on_goal) if shows_letter else mark, style
    sign = theme.glyph(sight.cell, 1).strip() if sight.cell not in _ON_GOAL or is_on_goal else ""
    sign = (sight.letter if sign and sight.letter else sign) if is_fine else mark
    if not rest:
        return f"{mark if is_fine else ' '}{sign or ' '}", style
    text = _letters(rest, 2)
    return text[0] + sign if sign else text.ljust(2), style


def _letters(rest: str, columns: int, *, is_capital: bool = False) -> str:
    """Return as much of a label as there is room for, so that a row of them can be told apart: ``AbAcAd``."""
    is_capital = is_capital or columns == 2 and len(rest) > 1
    return (rest[0].upper() if is_capital else rest[0]) + rest[1:columns]


def header(planner: Planner, columns: int, marks: Marks, width: int) -> str:
    """Return the choice to be made; for squares also the meaning of the marks, in cells of so many columns.

    On tiles the marks are drawn as pixels: a cross, two bars, a frame.
    """
    is_tile = columns > 2
    if planner.nothing and planner.stage is not Stage.BOXES_FOR_GOAL:
        return cut_at_a_word(_("Push planner"), width)
    match planner.stage:
        case Stage.BOXES:
            return cut_at_a_word(_("Push planner: type the letter of a box"), width)
        case Stage.GOALS:
            return cut_at_a_word(_("Which boxes reach it? Type the letter of a goal"), width)
        case Stage.BOXES_FOR_GOAL:
            goal = place_name(planner, planner.goal)
            asked = _("the goal is framed") if is_tile else _("{mark} is the goal", mark=marks.asked)
            choice = _("Boxes that reach the goal at {place}: type a letter", place=goal)
            return cut_at_a_word(f"{choice}   {asked}", width, asked)
        case Stage.SQUARES:
            legend = _("cross: lost there, bars: frozen there")
            if not is_tile:
                legend = _("{dead} lost there | {freezes} frozen there", dead=marks.dead, freezes=marks.freezes)
            if columns == 1:
                # Translators: behind the legend "! lost there | = frozen there": labels on goals are capital letters.
                text = "  ".join((_("Where to with {box}?", box=box_name(planner)), legend + _(" | A on a goal")))
            else:
                choice = _("Where to with {box}? Type the letter of a square", box=box_name(planner))
                text = f"{choice}   {legend}"
            return cut_at_a_word(text, width, legend)


def status(planner: Planner, width: int) -> tuple[str, str]:
    """Return the text of the status line and its style."""
    enter, esc = planner.keymap.key_of("accept"), planner.keymap.key_of("cancel")
    if planner.message:
        return cut_at_a_word(in_clauses([planner.message, _effect_of_enter(planner)]), width, enter), styles.WARNING
    if planner.search is not None and not planner.search.is_done:
        looked, total = planner.search.told[0], planner.search.total
        text = _(
            "checking which boxes reach it: {looked} of {total} ({key} stops)", looked=looked, total=total, key=esc
        )
        return cut_at_a_word(text, width, esc), PLAIN
    if nothing := planner.nothing:
        return cut_at_a_word(nothing, width, esc), styles.WARNING
    if typed := planner.choices.typed:
        text = _("{typed}: next letter? ({key} deletes)", typed=typed, key=planner.keymap.key_of("take back"))
        return cut_at_a_word(text, width), PLAIN
    if task := planner.task:
        return _task_text(planner, task, width)
    return cut_at_a_word(_invitation(planner), width, enter), PLAIN


def _effect_of_enter(planner: Planner) -> str:
    """Return what Enter does, behind a message: ``Enter: 5 pushes, box c to row 4 column 7``; empty for nothing."""
    enter, cursor = planner.keymap.key_of("accept"), planner.choices.cursor
    if task := planner.task:
        pushes, label, place = pushes_text(task.pushes), planner.box_label(task.box), place_name(planner, task.square)
        if task.risk is LandingRisk.FINE:
            return _("{key}: {pushes}, box {label} to {place}", key=enter, pushes=pushes, label=label, place=place)
        return _(
            "{key}: {pushes}, box {label} to {place}, lost there", key=enter, pushes=pushes, label=label, place=place
        )
    if cursor is None or cursor not in planner.choices.labels:
        return ""
    if planner.stage is Stage.BOXES:
        return _("{key} takes box {label}", key=enter, label=planner.box_label(cursor))
    if planner.stage is Stage.GOALS:
        return _("{key}: the goal at {place}", key=enter, place=place_name(planner, cursor))
    return ""


def _invitation(planner: Planner) -> str:
    """Return the prompt while nothing is planned."""
    enter, number = planner.keymap.key_of("accept"), len(planner.choices.squares)
    match planner.stage:
        case Stage.SQUARES:
            if all(planner.risk(square) is not LandingRisk.FINE for square in planner.choices.squares):
                return ngettext("{n} square in reach, all lost", "{n} squares in reach, all lost", number)
            if planner.uses_mouse:
                return ngettext(
                    "{n} square in reach: choose by letter, arrows or click",
                    "{n} squares in reach: choose by letter, arrows or click",
                    number,
                )
            return ngettext(
                "{n} square in reach: choose by letter or arrows",
                "{n} squares in reach: choose by letter or arrows",
                number,
            )
        case Stage.BOXES if planner.choices.cursor is not None:
            label = planner.box_label(planner.choices.cursor)
            if not label:
                return ngettext(
                    "{n} box can be pushed: choose by letter or arrows",
                    "{n} boxes can be pushed: choose by letter or arrows",
                    number,
                )
            takes = _("{key} takes box {label}", key=enter, label=label)
            if planner.uses_mouse and number > 1:
                takes = _("{key} takes box {label}, a click picks another", key=enter, label=label)
            return in_clauses([ngettext("{n} box can be pushed", "{n} boxes can be pushed", number), takes])
        case Stage.GOALS if planner.choices.cursor is not None:
            goal = place_name(planner, planner.choices.cursor)
            return _("goal at {place}: {key} shows the boxes that reach it", place=goal, key=enter)
    return ""


def _task_text(planner: Planner, task: PlannedPush, width: int) -> tuple[str, str]:
    """Return ``box c to row 4 column 7: 5 pushes, 23 moves``, with how it ends badly if it does, and its style.

    In a narrow window that bad end stays, else the figures.
    """
    plan = planner.plan
    pushes, moves = pushes_text(task.pushes), moves_text(plan.moves) if plan else _("... moves")
    label, place = planner.box_label(task.box), place_name(planner, task.square)
    figures = _("{pushes}, {moves}", pushes=pushes, moves=moves)
    whole = _("box {label} to {place}: {figures}", label=label, place=place, figures=figures)
    ending = _(_ENDINGS[task.risk])
    text = in_clauses([whole, ending, _("{key} pushes", key=planner.keymap.key_of("accept"))])
    return cut_at_a_word(text, width, ending or figures), styles.WARNING if ending else PLAIN


def hints(planner: Planner, columns: int) -> list[tuple[str, str]]:
    """Return the keys that matter now."""
    key_of = planner.keymap.key_of
    help_and_back = [(key_of("cancel"), _("back")), (key_of("help"), _("help"))]
    push = (key_of("accept"), pgettext("footer: makes the pushes", "push"))
    if planner.nothing:
        return help_and_back
    match planner.stage:
        case Stage.SQUARES:
            move = [
                ("a-z", _("square")),
                (planner.keymap.keys_towards(), pgettext("footer: the next square", "next")),
                push,
                (key_of("next"), pgettext("footer: the next box", "box")),
            ]
            letters = (key_of("all letters"), _("marks") if planner.shows_all_letters else _("letters"))
            return [*move, *([letters] if columns == 1 else []), *help_and_back]
        case Stage.BOXES_FOR_GOAL:
            return [("a-z", _("box")), (key_of("next"), _("next box")), push, *help_and_back]
        case Stage.BOXES:
            take = (key_of("accept"), _("take it"))
            return [("a-z", _("box")), (key_of("next"), _("next box")), take, *help_and_back]
        case Stage.GOALS:
            boxes = (key_of("accept"), _("boxes for it"))
            return [("a-z", _("goal")), (key_of("next"), _("next goal")), boxes, *help_and_back]


def box_name(planner: Planner) -> str:
    """Return ``box c`` for the chosen one, ``blue box c`` if it has a colour."""
    if planner.box is None:
        return _("the box")
    color = color_at(planner.level.board, planner.state.boxes, planner.box)
    label = planner.box_label(planner.box)
    if color is None:
        return _("box {label}", label=label)
    return _("{color} box {label}", color=color_name(color), label=label)


def place_name(planner: Planner, square: Square | None) -> str:
    """Return ``row 4 column 7``, counted from 1."""
    if square is None:
        return ""
    row, column = planner.level.board.row_column(square)
    return _("row {row} column {column}", row=row + 1, column=column + 1)
