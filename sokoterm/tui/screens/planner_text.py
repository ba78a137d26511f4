"""What the push planner says in words, in longer and shorter forms for wide and narrow windows."""

from enum import StrEnum
from typing import NamedTuple, Protocol

from sokoterm.app.keymap import Keymap
from sokoterm.app.landing_risk import LandingRisk
from sokoterm.app.reaching_boxes import ReachSearch
from sokoterm.engine.bits import Square
from sokoterm.engine.board import State
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import PushPlan
from sokoterm.engine.text import counted
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import BoardPlace, Origin
from sokoterm.tui.widgets.frame import PLAIN
from sokoterm.tui.widgets.labels import Choices
from sokoterm.tui.widgets.theme import Marks
from sokoterm.wording.columns import fitting


class Stage(StrEnum):
    """What is chosen: a box and then its square, or a goal and then a box that reaches it (SENDERS)."""

    BOXES = "box"
    SQUARES = "square"
    GOALS = "goal"
    SENDERS = "sender"

    @property
    def noun(self) -> str:
        """What it is called in a message."""
        return "box" if self is Stage.SENDERS else self.value


class PlannedPush(NamedTuple):
    """The push under the cursor: which box to where, its fewest pushes, and what becomes of it there."""

    box: Square
    square: Square
    pushes: int
    risk: LandingRisk


class Planned(Protocol):
    """What the planner needs of a play."""

    origin: Origin
    place: BoardPlace | None

    @property
    def game(self) -> Game: ...

    @property
    def comment(self) -> str: ...


class Planning(Protocol):
    """What the picture shows of the planner."""

    keymap: Keymap
    level: Level
    state: State
    stage: Stage
    choices: Choices
    box: Square | None
    goal: Square | None
    search: ReachSearch | None
    message: str
    shows_all_letters: bool
    uses_mouse: bool
    comment: str
    origin: Origin
    place: BoardPlace | None

    @property
    def nothing(self) -> str: ...

    @property
    def task(self) -> PlannedPush | None: ...

    @property
    def plan(self) -> PushPlan | None: ...

    def box_label(self, box: Square) -> str: ...

    def risk(self, square: Square) -> LandingRisk: ...


def header(planning: Planning, columns: int, marks: Marks, width: int) -> str:
    """What is chosen now; for squares also what the marks mean, in cells of so many columns."""
    forms: tuple[str, ...]
    if planning.nothing and planning.stage is not Stage.SENDERS:
        return fitting(("Push planner",), width)
    match planning.stage:
        case Stage.BOXES:
            forms = ("Push planner: type the letter of a box", "Type the letter of a box")
        case Stage.GOALS:
            forms = ("Which boxes reach it? Type the letter of a goal", "Type the letter of a goal")
        case Stage.SENDERS:
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
    """What the status line says, and in which style."""
    if planning.message:
        return fitting(_with_enter(planning), width), styles.WARNING
    if planning.search is not None and not planning.search.is_done:
        looked, total = planning.search.told.looked_at, planning.search.total
        forms = (f"looking which boxes reach it: {looked} of {total} (Esc stops)", f"looking: {looked}/{total}")
        return fitting(forms, width), PLAIN
    if planning.nothing:
        return fitting((planning.nothing, planning.nothing.partition(":")[0]), width), styles.WARNING
    if typed := planning.choices.typed:
        forms = (
            f"{typed}: and the next letter? ({planning.keymap.key_of('take back')} takes back)",
            f"{typed}: next letter?",
        )
        return fitting(forms, width), PLAIN
    if task := planning.task:
        return _task_text(planning, task, width)
    return fitting(_invitation(planning), width), PLAIN


def _with_enter(planning: Planning) -> tuple[str, ...]:
    """A message, and what Enter does all the same: ``no square z; Enter: 5 pushes to row 4 column 7``."""
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
    """What to do where nothing is planned yet."""
    enter, number = planning.keymap.key_of("accept"), len(planning.choices.squares)
    match planning.stage:
        case Stage.SQUARES:
            what = counted(number, "square")
            if all(planning.risk(square) is not LandingRisk.FINE for square in planning.choices.squares):
                return (f"{what} in reach, and the box is lost on each", "lost wherever it goes")
            choose = (
                "a letter, the arrows or a click chooses" if planning.uses_mouse else "a letter or the arrows choose"
            )
            return (f"{what} in reach: {choose}", f"{what}: type a letter", "type a letter")
        case Stage.BOXES if planning.choices.cursor is not None:
            label = planning.box_label(planning.choices.cursor)
            what = f"{counted(number, 'box')} can be pushed"
            if not label:
                return (f"{what}: a letter or an arrow chooses", f"{what}", "type a letter")
            click = ", a click another one" if planning.uses_mouse and number > 1 else ""
            takes = f"{enter} takes box {label}"
            return (f"{what}; {takes}{click}", f"{what}; {takes}", takes)
        case Stage.GOALS if planning.choices.cursor is not None:
            goal = place_name(planning, planning.choices.cursor)
            return (f"goal at {goal}: {enter} shows the boxes that reach it", f"{enter} shows its boxes")
    return ("",)


def _task_text(planning: Planning, task: PlannedPush, width: int) -> tuple[str, str]:
    """``box c to row 4 column 7: 5 pushes, 23 moves``, and where it ends badly, how."""
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
    """The keys that matter now."""
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
        case Stage.SENDERS:
            return [("a-z", "box"), (key_of("next"), "next box"), (key_of("accept"), "push"), *help_and_back]
        case Stage.BOXES:
            return [("a-z", "box"), (key_of("next"), "next box"), (key_of("accept"), "take it"), *help_and_back]
        case Stage.GOALS:
            return [("a-z", "goal"), (key_of("next"), "next goal"), (key_of("accept"), "boxes for it"), *help_and_back]


def box_name(planning: Planning) -> str:
    """``box c``, the one that is chosen."""
    return f"box {planning.box_label(planning.box)}" if planning.box is not None else "the box"


def place_name(planning: Planning, square: Square | None) -> str:
    """``row 4 column 7``, counted from 1."""
    if square is None:
        return ""
    row, column = planning.level.board.row_column(square)
    return f"row {row + 1} column {column + 1}"
