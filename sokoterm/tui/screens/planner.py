"""The push planner: choose a box and a square, or a goal and a box, by keys or the mouse; it finds the pushes."""

from collections.abc import Callable, Generator
from enum import Enum, auto
from time import monotonic
from typing import NamedTuple, Protocol

from sokoterm.app.keymap import KEYMAPS, LETTERS, Keymaps
from sokoterm.app.planning import LandingRisk, ReachSearch, boxes_at_hand, landing_risks
from sokoterm.app.request import Close, Note, Perform
from sokoterm.engine.bits import Direction, Square, squares_of, tester
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.game import Game
from sokoterm.engine.planner.box_reach import BoxReach, PushPlan
from sokoterm.engine.planner.cut_vertices import CutVertices
from sokoterm.engine.rules import goals_taking
from sokoterm.language import N_, _
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets.board_view import Appearance, Area, BoardPlace, Hints
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.labels import Choices
from sokoterm.wording.kinds import free_letters
from sokoterm.wording.outcomes import phrase

_DIRECTIONS = {"left": Direction.LEFT, "down": Direction.DOWN, "up": Direction.UP, "right": Direction.RIGHT}

_SLICE_SECONDS = 0.02  # the most that searches may delay a key; they go on while no key comes


class Stage(Enum):
    """Stage of the choice: a box, then its square; or a goal, then a box that reaches it."""

    BOXES = auto()
    SQUARES = auto()
    GOALS = auto()
    BOXES_FOR_GOAL = auto()


# The messages on letters that are no label.
_NO_LABEL = {
    Stage.BOXES: N_("no box {letters}"),
    Stage.SQUARES: N_("no square {letters}"),
    Stage.GOALS: N_("no goal {letters}"),
    Stage.BOXES_FOR_GOAL: N_("no box {letters}"),
}
# Those while nothing is chosen.
_CHOOSE_FIRST = {
    Stage.BOXES: N_("choose a box first, by letter or arrow"),
    Stage.SQUARES: N_("choose a square first, by letter or arrow"),
    Stage.GOALS: N_("choose a goal first, by letter or arrow"),
    Stage.BOXES_FOR_GOAL: N_("choose a box first, by letter or arrow"),
}


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

    def draw_panel(self, canvas: Canvas, area: Area, appearance: Appearance, hints: Hints, question: str) -> None: ...


class Planner(Screen):
    """Planner on top of a play, whose position it does not change: the play performs what is chosen in the end."""

    follows_view = True

    def __init__(
        self,
        play: Planned,
        box: Square | None = None,
        goal: Square | None = None,
        *,
        asks_goal: bool = False,
        uses_mouse: bool = False,
        keymaps: Keymaps = KEYMAPS,
    ) -> None:
        """Begin with the squares of ``box``, with the boxes that reach ``goal``, with goals, or else with boxes.

        The mouse may drag ``box``; with ``uses_mouse`` the status line speaks of clicks.
        """
        self.keymap = keymaps.planner
        self._keymaps = keymaps
        self.play = play
        self.level = play.game.level
        self.state = play.game.state
        self.facing = play.game.facing
        self.comment = play.comment
        self.place = play.place  # a drag may end before the first picture
        self.stage = Stage.BOXES
        self.choices = Choices([])
        self.box: Square | None = None
        self.goal: Square | None = None
        self.search: ReachSearch | None = None
        self.shows_all_letters = False
        self.uses_mouse = uses_mouse
        self._dragged = box
        self._is_solved = play.game.is_solved
        self._check = check_of(self.level.board)
        self._blocks = CutVertices(self.level.board, self.state.boxes)
        self._letters = free_letters(self.level.board)  # a letter of a colour is no label
        boxes = [] if self._is_solved else boxes_at_hand(self.level.board, self.state)
        self._boxes = Choices(boxes, letters=self._letters)
        self._reach: BoxReach | None = None
        self._risks: tuple[Square, dict[Square, LandingRisk]] | None = None
        self._is_taken_at: Callable[[Square], bool] = bool
        self._planned: PlannedPush | None = None
        self._steps: Generator[int, None, PushPlan] | None = None
        self.plan: PushPlan | None = None
        self._begin(box, goal, asks_goal=asks_goal)
        self._first_stage = self.stage
        self._go_on()

    def _begin(self, box: Square | None, goal: Square | None, *, asks_goal: bool) -> None:
        if goal is not None or asks_goal:
            self._ask_goals()
        else:
            self._ask_boxes(None)
        if box is not None and not self._is_solved:
            self._choose_box(box)
        elif goal is not None and not self._is_solved:
            self._choose_goal(goal)

    @property
    def board(self) -> Board:
        return self.level.board

    # For the view

    @property
    def nothing(self) -> str:
        """The reason why there is nothing to choose; empty if there is something."""
        esc, undo = self.keymap.key_of("cancel"), self._keymaps.play.key_of("undo")
        if self._is_solved:
            return _("the level is solved: {key} goes back", key=esc)
        if self.choices.squares:
            return ""
        match self.stage:
            case Stage.BOXES:
                return _("no box can be pushed from here: {key}, then undo with {undo}", key=esc, undo=undo)
            case Stage.GOALS:
                return _("every goal has a box: {key} goes back", key=esc)
        return _("no box can reach it: {key} goes back", key=esc)

    @property
    def task(self) -> PlannedPush | None:
        """The push that Enter would make, if any."""
        cursor, reach = self.choices.cursor, self._reach_under_cursor()
        if reach is None or cursor is None:
            return None
        square = cursor if self.stage is Stage.SQUARES else self.goal
        if square is None or square == reach.box:
            return None
        return PlannedPush(reach.box, square, reach.pushes[square], self._risk_at(reach, square))

    def box_label(self, box: Square) -> str:
        """Return the label of a box among those that can be pushed."""
        return self._boxes.labels.get(box, "")

    def risk(self, square: Square) -> LandingRisk:
        """Return the risk that the chosen box is lost on a square."""
        return self._risk_at(self._reach, square) if self._reach is not None else LandingRisk.FINE

    def takes(self, square: Square) -> bool:
        """True for a goal that takes the chosen box."""
        return self.box is not None and self._is_taken_at(square)

    # Time

    def wake_after(self) -> float | None:
        return 0.0 if self._is_searching or self._steps is not None else None

    def tick(self) -> None:
        """Go on with a search that a key has left unfinished."""
        self._go_on()

    def interrupt(self) -> bool:
        if not self._is_searching:
            return False
        self._ask_goals()
        return True

    @property
    def _is_searching(self) -> bool:
        return self.search is not None and not self.search.is_done

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self.message = ""
        self._dragged = None
        reaction = self._act(action, key)
        self._go_on()
        return reaction

    def _act(self, action: str | None, key: str) -> Reaction | None:
        match action:
            case "label" | None if key.lower() in LETTERS and len(key) == 1:  # capitals too
                self._type(key.lower())
            case "left" | "down" | "up" | "right":
                self.choices.move(_DIRECTIONS[action], self.level.board.stride)
            case "first" | "last":
                self.choices.jump(to_last=action == "last")
            case "next" | "previous":
                self._cycle(1 if action == "next" else -1)
            case "take back":
                self.choices.typed = self.choices.typed[:-1]
            case "all letters":
                self.shows_all_letters = not self.shows_all_letters
            case "accept":
                return self._accept()
            case "cancel":
                return self._back()
        return None

    def _type(self, letter: str) -> None:
        typed = self.choices.typed
        square = self.choices.type(letter)
        if square is None:
            if self.choices.typed == typed and self.choices.squares:
                self.message = _(_NO_LABEL[self.stage], letters=f"{typed}{letter}")
        elif self.stage is Stage.BOXES:
            self._choose_box(square)
        elif self.stage is Stage.GOALS:
            self._choose_goal(square)

    def _cycle(self, step: int) -> None:
        if self.stage is Stage.SQUARES:
            self._boxes.cursor = self.box
            self._boxes.cycle(step)
            if self._boxes.cursor is not None:
                self._choose_box(self._boxes.cursor)
        else:
            self.choices.cycle(step)

    def _accept(self) -> Reaction | None:
        cursor = self.choices.cursor
        if self.nothing:
            return Close() if self._is_solved else None
        if self.choices.typed or cursor is None or cursor not in self.choices.labels:
            self.message = _(_CHOOSE_FIRST[self.stage]) if not self.choices.typed else ""
        elif self.stage is Stage.BOXES:
            self._choose_box(cursor)
        elif self.stage is Stage.GOALS:
            self._choose_goal(cursor)
        else:
            return self._perform()
        return None

    def _back(self) -> Reaction | None:
        if self.choices.typed:
            self.choices.typed = ""
        elif self.stage is self._first_stage:
            return Close()
        elif self.stage is Stage.SQUARES:
            self._ask_boxes(self.box)
        elif self.stage is Stage.BOXES_FOR_GOAL:
            self._ask_goals()
        else:
            return Close()
        return None

    # Stages

    def _ask_boxes(self, cursor: Square | None) -> None:
        self.stage, self.box, self.goal, self.search = Stage.BOXES, None, None, None
        self.choices = self._boxes
        self.choices.cursor = cursor if cursor is not None else next(iter(self._boxes.squares), None)

    def _ask_goals(self) -> None:
        board, cursor = self.level.board, self.goal
        self.stage, self.box, self.goal, self.search = Stage.GOALS, None, None, None
        goals = [] if self._is_solved else squares_of(board.goals & ~self.state.boxes)
        row, column = board.row_column(self.state.player)

        def distance(goal: Square) -> int:
            goal_row, goal_column = board.row_column(goal)
            return abs(goal_row - row) + abs(goal_column - column)

        goals.sort(key=distance)
        self.choices = Choices(goals, cursor if cursor in goals else next(iter(goals), None), letters=self._letters)

    def _choose_box(self, box: Square) -> None:
        """Go on to the squares of a box: nearer ones first, those where it is lost last."""
        if box not in self._boxes.labels:
            self._ask_boxes(box)  # the cursor waits on it, so that Enter takes no other one
            self.message = _("that box cannot be pushed from here")
            return
        board = self.level.board
        reach = BoxReach(board, self.state, box, self._blocks)
        self._is_taken_at = tester(goals_taking(board, self.state.boxes, box), board.size)
        self.stage, self.box, self._reach = Stage.SQUARES, box, reach
        squares = [square for square in reach.pushes if square != box]
        squares.sort(key=lambda square: self._risk_at(reach, square) is not LandingRisk.FINE)
        self.choices = Choices(squares, squares[0] if len(squares) == 1 else box, letters=self._letters)

    def _choose_goal(self, goal: Square) -> None:
        if self.state.boxes >> goal & 1:
            self.message = phrase(Note.GOAL_FILLED, self.keymap)
            return
        if not self.level.board.goals >> goal & 1:
            self.message = _("that is not a goal")
            return
        self.stage, self.goal, self.choices = Stage.BOXES_FOR_GOAL, goal, Choices([])
        self.search = ReachSearch(self.level.board, self.state, self._blocks, self._boxes.squares, goal)

    def _perform(self) -> Reaction | None:
        """Perform the task, once its plan is complete."""
        self._work(float("inf"))
        return Perform(self.plan.lurd) if self.plan is not None else None

    # The mouse

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose by a click, leave by one elsewhere, or drag a box to its square."""
        if pointer.is_press or self._dragged is not None:
            self.message = ""
        reaction = self._point(pointer)
        self._go_on()
        return reaction

    def _point(self, pointer: Pointer) -> Reaction | None:
        square = self.place.square_at(pointer.row, pointer.column) if self.place is not None else None
        if pointer.button == "right" and pointer.is_press:
            self._dragged = None
            if square is not None and self.level.board.goals >> square & 1:
                self._choose_goal(square)
            return None
        if pointer.button != "left":
            return None
        if not pointer.is_press:
            return self._drop(square)
        self._dragged = None
        if square is not None and self.state.boxes >> square & 1:
            if self.stage is Stage.BOXES_FOR_GOAL and square in self.choices.labels:
                return self._point_at_target(square)
            if square != self.box:
                self._choose_box(square)
            self._dragged = self.box
            return None
        if self.stage is Stage.GOALS and square is not None and square in self.choices.labels:
            self._choose_goal(square)
            return None
        return self._point_at_target(square) or Close()

    def _drop(self, square: Square | None) -> Reaction | None:
        """End a drag; a box that cannot go there stays chosen, for another try."""
        if self._dragged is None or square == self._dragged:
            return None
        self._dragged = None
        reaction = self._point_at_target(square)
        if reaction is None:
            self.message = _("it cannot be pushed there")
        return reaction

    def _point_at_target(self, square: Square | None) -> Reaction | None:
        if square is None or square not in self.choices.labels or self.stage in (Stage.BOXES, Stage.GOALS):
            return None
        self.choices.cursor = square
        return self._perform()

    # Reach and risks

    def _reach_under_cursor(self) -> BoxReach | None:
        cursor = self.choices.cursor
        if self.stage is Stage.SQUARES:
            return self._reach
        if self.stage is not Stage.BOXES_FOR_GOAL or cursor is None:
            return None
        if self._reach is None or self._reach.box != cursor:
            self._reach = BoxReach(self.level.board, self.state, cursor, self._blocks)
        return self._reach

    def _risk_at(self, reach: BoxReach, square: Square) -> LandingRisk:
        if self._risks is None or self._risks[0] != reach.box:
            self._risks = reach.box, landing_risks(self._check, self.state.boxes, reach.box, reach.pushes)
        return self._risks[1].get(square, LandingRisk.FINE)

    # Work

    def _go_on(self) -> None:
        self._work(_SLICE_SECONDS)

    def _work(self, seconds: float) -> None:
        """Go on with the searches, for so long at most."""
        end = monotonic() + seconds
        if self.search is not None and not self.choices.squares:
            self.search.work(seconds)
            if self.search.is_done:
                found = self.search.found
                self.choices = Choices(found, next(iter(found), None), self._boxes.labels)
        task = self.task
        if task != self._planned:
            reach = self._reach_under_cursor()
            self._planned, self.plan = task, None
            self._steps = reach.plan_in_steps(task.square) if task is not None and reach is not None else None
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration as found:
                self.plan, self._steps = found.value, None
            if monotonic() >= end:
                return
