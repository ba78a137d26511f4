"""The push planner: its picture, and its words in longer and shorter forms for wide and narrow windows.

A square that can be chosen shows its label.  In cells of two columns those are two letters, the first one a capital
where another follows; in one column it is the next letter to be typed, a capital on goals.  Squares that a box can come
to also show marks of the theme where the box would be lost.  In two columns a mark, or a goal, takes the place of the
second letter; in one column a mark takes that of the letter until all letters are asked for.
"""

from enum import StrEnum
from typing import NamedTuple, Protocol

from sokoterm.app.keymap import Keymap
from sokoterm.app.planning import LandingRisk, ReachSearch
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import State
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import PushPlan
from sokoterm.engine.text import counted
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    BoardPlace,
    Size,
    draw_board,
    draw_keys,
    place_board,
    place_chrome,
    put_tile,
    square_size,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.labels import Choices
from sokoterm.tui.widgets.theme import CELL_STYLES, Marks, Theme
from sokoterm.wording.columns import clipped, fitting

_ON_GOAL = ".*+"
_MARK_STYLES = {
    LandingRisk.FINE: styles.MARK_FINE,
    LandingRisk.DEAD: styles.MARK_DEAD,
    LandingRisk.FREEZES: styles.MARK_FREEZES,
}
_MARK_SPRITES = {LandingRisk.FINE: tiles.FINE, LandingRisk.DEAD: tiles.DEAD, LandingRisk.FREEZES: tiles.FREEZES}


class Stage(StrEnum):
    """Stage of the choice: a box, then its square; or a goal, then a box that reaches it."""

    BOXES = "box"
    SQUARES = "square"
    GOALS = "goal"
    BOXES_FOR_GOAL = "box for the goal"

    @property
    def noun(self) -> str:
        """The name of one choice in a message."""
        return "box" if self is Stage.BOXES_FOR_GOAL else self.value


class PlannedPush(NamedTuple):
    """The push under the cursor: a box, its square, the fewest pushes, and the risk that it is lost there."""

    box: Square
    square: Square
    pushes: int
    risk: LandingRisk


class Planned(Protocol):
    """The part of a play that the planner looks at."""

    place: BoardPlace | None

    @property
    def game(self) -> Game: ...

    @property
    def comment(self) -> str: ...


class Planning(Protocol):
    """The part of the planner that is drawn."""

    keymap: Keymap
    level: Level
    state: State
    stage: Stage
    choices: Choices
    box: Square | None
    goal: Square | None
    search: ReachSearch | None
    message: str
    facing: Direction
    shows_all_letters: bool
    uses_mouse: bool
    comment: str
    place: BoardPlace | None

    @property
    def nothing(self) -> str: ...

    @property
    def task(self) -> PlannedPush | None: ...

    @property
    def plan(self) -> PushPlan | None: ...

    def box_label(self, box: Square) -> str: ...

    def risk(self, square: Square) -> LandingRisk: ...


def view_planner(planning: Planning, size: Size, appearance: Appearance) -> Frame:
    """Draw the board as in play, labels and marks on it, with header, status line and keys."""
    canvas = Canvas(*size)
    place = planning.place or place_planner(planning, size, appearance)
    chrome = place_chrome(size, planning.level.board.height * place.size.rows, has_comment=bool(planning.comment))
    draw_board(canvas, place, planning.level, planning.state, appearance.theme, facing=planning.facing)
    _draw_choices(canvas, planning, place, appearance.theme)
    title = header(planning, place.size.columns, appearance.theme.marks, size.columns)
    canvas.put(chrome.header, 0, title, styles.TITLE)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, clipped(planning.comment, size.columns), styles.QUIET)
    canvas.put(chrome.status, 0, *status(planning, size.columns))
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, hints(planning, place.size.columns))
    return canvas.frame(place.cell_of(_focus(planning)))


def place_planner(planning: Planning, size: Size, appearance: Appearance) -> BoardPlace:
    """Return the place of the board, scrolled so that the cursor is seen."""
    board = planning.level.board
    square = square_size(appearance, board, size.rows - 3 - bool(planning.comment), size.columns)
    area = place_chrome(size, board.height * square.rows, has_comment=bool(planning.comment)).board
    return place_board(board, _focus(planning), area, square, planning.place)


def _focus(planning: Planning) -> Square:
    """Return the square of the cursor, else that of the player."""
    cursor = planning.choices.cursor
    return planning.state.player if cursor is None else cursor


def _draw_choices(canvas: Canvas, planning: Planning, place: BoardPlace, theme: Theme) -> None:
    board = planning.level.board
    lit = {*planning.choices.labels, *_found(planning), planning.box, planning.goal, planning.choices.cursor}
    rows, columns = place.shown
    for row in rows:
        cells = None
        for column in columns:
            square = board.square(row, column)
            if square not in lit:
                continue
            cells = cells or planning.level.row_cells(planning.state, row)
            if place.size.is_tile:
                _draw_tile(canvas, place, planning, square, cells[column])
                continue
            text, style = _drawn(planning, square, cells[column], place.size.columns, theme)
            canvas.put(*place.corner_of(row, column), text, style)


def _draw_tile(canvas: Canvas, place: BoardPlace, planning: Planning, square: Square, cell: str) -> None:
    """Draw the tile of a square that can be chosen or has been, with its label in the middle."""
    rest, things = planning.choices.rest(square), tiles.things_on(cell)
    if planning.stage is Stage.SQUARES and square in planning.choices.labels:
        risk = planning.risk(square)
        if not rest or risk is not LandingRisk.FINE:
            things = (*things, _MARK_SPRITES[risk])
    elif square == planning.goal:
        things = (tiles.ASKED,)
    elif square == planning.box or square in _found(planning):
        things = (*things, tiles.PICKED)
    row, column = place.corner_of(*planning.level.board.row_column(square))
    pixels = place.size.columns
    put_tile(canvas, (row, column), tiles.draw_tile(pixels, things, is_floor=True))
    is_chosen = square == planning.choices.cursor
    label = rest or ("><" if is_chosen else "")
    style = styles.CHOSEN if is_chosen else styles.LABEL_ON_GOAL if cell in _ON_GOAL else styles.LABEL
    canvas.put(row + (place.size.rows - 1) // 2, column + (pixels - len(label)) // 2, label, style)


def _found(planning: Planning) -> tuple[Square, ...]:
    """Return the boxes that light up while others are still looked at; after that they get labels."""
    return planning.search.told.found if planning.search is not None and not planning.search.is_done else ()


def _drawn(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """Return the text and style of a square that can be chosen or has been."""
    if planning.stage is Stage.SQUARES and square in planning.choices.labels:
        text, style = _target(planning, square, cell, columns, theme)
    else:
        text, style = _source(planning, square, cell, columns, theme)
    return text, styles.CHOSEN if square == planning.choices.cursor else style


def _source(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """Return text and style of a box or a goal: its label over its own glyph."""
    glyph = theme.glyph(cell, columns)
    rest = planning.choices.rest(square)
    if not rest:
        if square == planning.goal:
            return theme.marks.asked.ljust(columns), styles.PICKED
        if square == planning.box or square in _found(planning):
            return theme.marks.picked[columns - 1], styles.PICKED
        return glyph, CELL_STYLES[cell]
    text = _letters(rest, columns, is_capital=columns == 1 and cell == "*")
    if len(text) < columns:
        text += glyph.strip()[-1]
    return text, styles.LABEL_ON_GOAL if cell in _ON_GOAL else styles.LABEL


def _mark(marks: Marks, risk: LandingRisk) -> str:
    return {LandingRisk.FINE: marks.fine, LandingRisk.DEAD: marks.dead, LandingRisk.FREEZES: marks.freezes}[risk]


def _target(planning: Planning, square: Square, cell: str, columns: int, theme: Theme) -> tuple[str, str]:
    """Return text and style of a square that the box can come to: its label, and a mark if the box is lost there."""
    risk, rest = planning.risk(square), planning.choices.rest(square)
    is_fine, is_on_goal = risk is LandingRisk.FINE, cell in _ON_GOAL
    mark = _mark(theme.marks, risk)
    style = _MARK_STYLES[risk]
    if is_fine and rest:
        style = styles.LABEL_ON_GOAL if is_on_goal else styles.LABEL
    if columns == 1:
        shows_letter = rest and (is_fine or planning.shows_all_letters or planning.choices.typed)
        return _letters(rest, 1, is_capital=is_on_goal) if shows_letter else mark, style
    sign = theme.glyph(cell, 1).strip() if is_fine else mark
    if not rest:
        return f"{mark if is_fine else ' '}{sign or ' '}", style
    text = _letters(rest, 2)
    return text[0] + sign if sign else text.ljust(2), style


def _letters(rest: str, columns: int, *, is_capital: bool = False) -> str:
    """Return as much of a label as there is room for, so that a row of them can be told apart: ``AbAcAd``."""
    is_capital = is_capital or columns == 2 and len(rest) > 1
    return (rest[0].upper() if is_capital else rest[0]) + rest[1:columns]


def header(planning: Planning, columns: int, marks: Marks, width: int) -> str:
    """Return the choice to be made; for squares also the meaning of the marks, in cells of so many columns."""
    forms: tuple[str, ...]
    if planning.nothing and planning.stage is not Stage.BOXES_FOR_GOAL:
        return fitting(("Push planner",), width)
    match planning.stage:
        case Stage.BOXES:
            forms = ("Push planner: type the letter of a box", "Type the letter of a box")
        case Stage.GOALS:
            forms = ("Which boxes reach it? Type the letter of a goal", "Type the letter of a goal")
        case Stage.BOXES_FOR_GOAL:
            goal = place_name(planning, planning.goal)
            asked = f"{marks.asked} is the goal"
            forms = (
                f"Boxes that reach the goal at {goal}: type a letter   {asked}",
                f"Boxes that reach it: type a letter   {asked}",
                f"Boxes for it; {asked}",
            )
        case Stage.SQUARES:
            name = box_name(planning)
            legend = f"{marks.dead} lost there | {marks.freezes} frozen there"
            capitals = " | A on a goal" if columns == 1 else ""
            forms = (
                f"Where to with {name}? Type the letter of a square   {legend}{capitals}",
                f"Where to with {name}?  {legend}{capitals}",
                f"Where to?  {legend}",
                f"{marks.dead} lost | {marks.freezes} frozen",
                "Type its letter",
            )
    return fitting(forms, width)


def status(planning: Planning, width: int) -> tuple[str, str]:
    """Return the text of the status line and its style."""
    if planning.message:
        return fitting(_with_enter(planning), width), styles.WARNING
    if planning.search is not None and not planning.search.is_done:
        looked, total = planning.search.told.looked_at, planning.search.total
        forms = (f"checking which boxes reach it: {looked} of {total} (Esc stops)", f"checking: {looked}/{total}")
        return fitting(forms, width), PLAIN
    if planning.nothing:
        return fitting((planning.nothing, planning.nothing.partition(":")[0]), width), styles.WARNING
    if typed := planning.choices.typed:
        forms = (
            f"{typed}: next letter? ({planning.keymap.key_of('take back')} deletes)",
            f"{typed}: next letter?",
        )
        return fitting(forms, width), PLAIN
    if task := planning.task:
        return _task_text(planning, task, width)
    return fitting(_invitation(planning), width), PLAIN


def _with_enter(planning: Planning) -> tuple[str, ...]:
    """Return forms of a message, with what Enter does: ``no square z; Enter: 5 pushes to row 4 column 7``."""
    message, enter, cursor = planning.message, planning.keymap.key_of("accept"), planning.choices.cursor
    if task := planning.task:
        pushes = counted(task.pushes, "push")
        name, place = f"box {planning.box_label(task.box)}", place_name(planning, task.square)
        lost = "" if task.risk is LandingRisk.FINE else ", lost there"
        return (
            f"{message}; {enter}: {pushes}, {name} to {place}{lost}",
            f"{message}; {enter}: {pushes}{lost}",
            f"{message}; {enter}: {pushes}",
            f"{message}; {enter} pushes",
            message,
        )
    if planning.stage is Stage.BOXES and cursor in planning.choices.labels and cursor is not None:
        return (f"{message}; {enter} takes box {planning.box_label(cursor)}", message)
    if planning.stage is Stage.GOALS and cursor in planning.choices.labels:
        return (f"{message}; {enter}: the goal at {place_name(planning, cursor)}", message)
    return (message, message.partition(":")[0])


def _invitation(planning: Planning) -> tuple[str, ...]:
    """Return forms of the prompt while nothing is planned."""
    enter, number = planning.keymap.key_of("accept"), len(planning.choices.squares)
    match planning.stage:
        case Stage.SQUARES:
            what = counted(number, "square")
            if all(planning.risk(square) is not LandingRisk.FINE for square in planning.choices.squares):
                return (f"{what} in reach, all lost", "lost wherever it goes")
            choose = "choose by letter, arrows or click" if planning.uses_mouse else "choose by letter or arrows"
            return (f"{what} in reach: {choose}", f"{what}: type a letter", "type a letter")
        case Stage.BOXES if planning.choices.cursor is not None:
            label = planning.box_label(planning.choices.cursor)
            what = f"{counted(number, 'box')} can be pushed"
            if not label:
                return (f"{what}: choose by letter or arrows", f"{what}", "type a letter")
            click = ", a click picks another" if planning.uses_mouse and number > 1 else ""
            takes = f"{enter} takes box {label}"
            return (f"{what}; {takes}{click}", f"{what}; {takes}", takes)
        case Stage.GOALS if planning.choices.cursor is not None:
            goal = place_name(planning, planning.choices.cursor)
            return (f"goal at {goal}: {enter} shows the boxes that reach it", f"{enter} shows its boxes")
    return ("",)


def _task_text(planning: Planning, task: PlannedPush, width: int) -> tuple[str, str]:
    """Return ``box c to row 4 column 7: 5 pushes, 23 moves``, with how it ends badly if it does, and its style."""
    plan = planning.plan
    pushes, moves = counted(task.pushes, "push"), counted(plan.moves, "move") if plan else "... moves"
    label = planning.box_label(task.box)
    row, column = planning.level.board.row_column(task.square)
    ending, short, shortest = {
        LandingRisk.FINE: ("", "", ""),
        LandingRisk.DEAD: ("; a box there is lost", "; lost there", ", LOST"),
        LandingRisk.FREEZES: ("; the box freezes there", "; freezes there", ", FREEZES"),
    }[task.risk]
    enter = f"; {planning.keymap.key_of('accept')} pushes"
    figures = f"{pushes}, {moves}"
    forms = (
        f"box {label} to row {row + 1} column {column + 1}: {figures}{ending}{enter}",
        f"box {label} to row {row + 1} column {column + 1}: {figures}{short}{enter}",
        f"box {label}: {figures}{short}{enter}",
        f"{figures}{short}{enter}",
        f"box {label}: {figures}{short}",
        f"{figures}{short}",
        f"{pushes}{shortest}",
    )
    return fitting(forms, width), styles.WARNING if ending else PLAIN


def hints(planning: Planning, columns: int) -> list[tuple[str, str]]:
    """Return the keys that matter now."""
    key_of = planning.keymap.key_of
    help_and_back = [(key_of("cancel"), "back"), (key_of("help"), "help")]
    if planning.nothing:
        return help_and_back
    match planning.stage:
        case Stage.SQUARES:
            move = [
                ("a-z", "square"),
                (planning.keymap.move_keys, "next"),
                (key_of("accept"), "push"),
                (key_of("next"), "box"),
            ]
            letters = (key_of("all letters"), "marks" if planning.shows_all_letters else "letters")
            return [*move, *([letters] if columns == 1 else []), *help_and_back]
        case Stage.BOXES_FOR_GOAL:
            return [("a-z", "box"), (key_of("next"), "next box"), (key_of("accept"), "push"), *help_and_back]
        case Stage.BOXES:
            return [("a-z", "box"), (key_of("next"), "next box"), (key_of("accept"), "take it"), *help_and_back]
        case Stage.GOALS:
            return [("a-z", "goal"), (key_of("next"), "next goal"), (key_of("accept"), "boxes for it"), *help_and_back]


def box_name(planning: Planning) -> str:
    """Return ``box c`` for the chosen one."""
    return f"box {planning.box_label(planning.box)}" if planning.box is not None else "the box"


def place_name(planning: Planning, square: Square | None) -> str:
    """Return ``row 4 column 7``, counted from 1."""
    if square is None:
        return ""
    row, column = planning.level.board.row_column(square)
    return f"row {row + 1} column {column + 1}"
