"""The push planner: the player chooses a box and a square, or a goal and a box, and it finds the pushes.

Squares to choose from are labelled (see marks.py). With one column per square, only the next letter of a label is
shown, as a capital on goals, and a mark of danger hides it until all letters are asked for. Only goals that accept the
box count as goals. Colour letters are shown beside labels, but not in one column, where all colours look alike.
"""

from collections.abc import Generator, Mapping
from enum import Enum, auto
from time import monotonic
from typing import NamedTuple

from sokoterm.app.keymap import LETTERS
from sokoterm.app.planning import LandingRisk, ReachSearch, box_way, boxes_at_hand, landing_risks
from sokoterm.app.request import Ask, Note, Perform
from sokoterm.engine.bits import Bitboard, Direction, Square, squares_of
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.planner.box_reach import BoxReach, PushPlan
from sokoterm.engine.planner.cut_vertices import CutVertices
from sokoterm.engine.rules import goals_taking
from sokoterm.language import N_, _, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import BoardScreen, Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, SquareSize, draw_board, put_tile
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Frame, Hints, Size, StatusText
from sokoterm.tui.widgets.marks import Choices, Mark, legend, marked, put_marked
from sokoterm.tui.widgets.parts import Card
from sokoterm.tui.widgets.sights import Sights, text_of
from sokoterm.tui.widgets.theme import Marks, Theme
from sokoterm.wording.columns import cut_at_a_word, text_width
from sokoterm.wording.kinds import box_text, free_letters, place_text
from sokoterm.wording.outcomes import phrase

_SLICE_SECONDS = 0.02  # the most that searches may delay a key; they continue while idle
_DIRECTIONS = {direction.name.lower(): direction for direction in Direction}
_LEGEND_SIZES = SquareSize(4, 2), SquareSize(6, 3)  # the largest squares of a legend; the second one in a tall window
_BESIDE_LEGEND, _HIGH = 18, 30  # rows of a panel besides the legend, and of a tall window
_ENDINGS = {LandingRisk.FINE: "", LandingRisk.DEAD: N_("dead end"), LandingRisk.FREEZES: N_("freezes there")}


class Stage(Enum):
    """The choice to make: a box, then its square; or a goal, then a box that can reach it."""

    BOXES = auto()
    SQUARES = auto()
    GOALS = auto()
    BOXES_FOR_GOAL = auto()


# Messages for letters that are not a label.
_NO_LABELS = {
    Stage.BOXES: N_("no box {letters}"),
    Stage.SQUARES: N_("no square {letters}"),
    Stage.GOALS: N_("no goal {letters}"),
    Stage.BOXES_FOR_GOAL: N_("no box {letters}"),
}


class PlannedPush(NamedTuple):
    """The push under the cursor: box, square, fewest pushes, and the risk of a deadlock there."""

    box: Square
    square: Square
    pushes: int
    risk: LandingRisk


class PlannerScreen(BoardScreen):
    """The planner above a level in play, which makes the moves once the choice is complete."""

    stage: Stage
    box: Square | None
    goal: Square | None
    search: ReachSearch | None

    def __init__(
        self, play: PlayScreen, box: Square | None = None, goal: Square | None = None, *, asks_goal: bool = False
    ) -> None:
        """Start with the squares of ``box`` (maybe being dragged), boxes for ``goal``, the goals, or all boxes."""
        self.keymap = play.keymaps.planner
        self._play = play
        self.level = play.game.level
        self.state = play.game.state
        self._comment = play.comment
        self.place = play.place  # a drag may end before the first frame
        self._shows_all_letters = False
        self._dragged = box
        self._is_solved = play.game.is_solved
        self._blocks = CutVertices(self.level.board, self.state.boxes)
        self._letters = free_letters(self.level.board)  # letters of colours are not labels
        boxes = [] if self._is_solved else boxes_at_hand(self.level.board, self.state)
        self._boxes = self.choices = Choices(boxes, letters=self._letters)
        # The reach of a box, and its squares with a risk.
        self._reach: BoxReach | None = None
        self._risks: dict[Square, LandingRisk] = {}
        self._planned: PlannedPush | None = None
        self._steps: Generator[int, None, PushPlan] | None = None
        self.plan: PushPlan | None = None
        self._ask(Stage.BOXES if goal is None and not asks_goal else Stage.GOALS)
        if box is not None and not self._is_solved:
            self._choose_box(box)
        elif goal is not None and not self._is_solved:
            self._choose_goal(goal)
        self._first_stage = self.stage
        self._work(_SLICE_SECONDS)

    @property
    def board(self) -> Board:
        return self.level.board

    @property
    def _nothing(self) -> str:
        """The reason why there is nothing to choose, "" if there is."""
        key = self.keymap.key_of("cancel")
        if self._is_solved:
            return _("the level is solved: {key} goes back", key=key)
        if self.choices.squares:
            return ""
        undo = self._play.keymap.key_of("undo")
        match self.stage:
            case Stage.BOXES:
                return _("no box can be pushed from here: {key}, then undo with {undo}", key=key, undo=undo)
            case Stage.GOALS:
                return _("every goal has a box: {key} goes back", key=key)
        return _("no box can reach it: {key} goes back", key=key)

    @property
    def task(self) -> PlannedPush | None:
        """The push that Enter would make, if any."""
        box, square = self.box, self.choices.cursor
        if self.stage is Stage.BOXES_FOR_GOAL:
            box, square = square, self.goal
        if box is None or square is None or square == box:
            return None
        pushes = self._reach_of(box).pushes[square]
        return PlannedPush(box, square, pushes, self.risk(square))

    def box_label(self, box: Square) -> str:
        """Return the label of a box that can be pushed, else ""."""
        return self._boxes.labels.get(box, "")

    def _reach_of(self, box: Square) -> BoxReach:
        if self._reach is None or self._reach.box != box:
            self._reach = BoxReach(self.level.board, self.state, box, self._blocks)
            self._risks = landing_risks(check_of(self.board), self.state.boxes, box, self._reach.pushes)
        return self._reach

    def risk(self, square: Square) -> LandingRisk:
        """Return the risk of a square for the last examined box."""
        return self._risks.get(square, LandingRisk.FINE)

    def wake_after(self) -> float | None:
        return 0.0 if self._is_searching or self._steps is not None else None

    def tick(self) -> None:
        self._work(_SLICE_SECONDS)

    def interrupt(self) -> bool:
        was_searching = self._is_searching
        if was_searching:
            self._ask(Stage.GOALS, self.goal)
        return was_searching

    @property
    def _is_searching(self) -> bool:
        return self.search is not None and not self.search.is_done

    def _work(self, seconds: float) -> None:
        """Continue the searches for at most this time."""
        end = monotonic() + seconds
        if self.search is not None and not self.choices.squares:
            self.search.work(seconds)
            if self.search.is_done:
                found = self.search.found
                self.choices = Choices(found, next(iter(found), None), self._boxes.labels)
        task = self.task
        if task != self._planned:
            self._planned, self.plan = task, None
            self._steps = self._reach_of(task.box).plan_in_steps(task.square) if task is not None else None
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration as found:
                self.plan, self._steps = found.value, None
            if monotonic() >= end:
                return

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self._dragged = None
        reaction = self._act(action, key)
        self._work(_SLICE_SECONDS)
        return reaction

    def _act(self, action: str | None, key: str) -> Reaction | None:
        choices = self.choices
        match action:
            case "label" | None if key.lower() in LETTERS and len(key) == 1:  # capitals too
                self._type(key.lower())
            case "left" | "down" | "up" | "right":
                choices.move(_DIRECTIONS[action], self.level.board.stride)
            case "first" | "last":
                choices.jump(to_last=action == "last")
            case "next" | "previous" if self.stage is Stage.SQUARES:
                self._boxes.cursor = self.box
                self._boxes.cycle(1 if action == "next" else -1)
                if self._boxes.cursor is not None:
                    self._choose_box(self._boxes.cursor)
            case "next" | "previous":
                choices.cycle(1 if action == "next" else -1)
            case "take back":
                choices.typed = choices.typed[:-1]
            case "all letters":
                self._shows_all_letters = not self._shows_all_letters
            case "accept":
                return self._accept()
            case "cancel" if choices.typed:
                choices.typed = ""
            case "cancel" if self.stage is self._first_stage or self.stage in (Stage.BOXES, Stage.GOALS):
                return Ask.CLOSE
            case "cancel" if self.stage is Stage.SQUARES:
                self._ask(Stage.BOXES, self.box)
            case "cancel":
                self._ask(Stage.GOALS, self.goal)
        return None

    def _accept(self) -> Reaction | None:
        cursor = self.choices.cursor
        if self._nothing or self.choices.typed:
            return Ask.CLOSE if self._is_solved else None
        if cursor is None or cursor not in self.choices.labels:
            return None
        return None if self._choose(cursor) else self._perform()

    def _choose(self, square: Square) -> bool:
        """Choose a box or goal and continue; False for a square that completes the choice."""
        if self.stage is Stage.BOXES:
            self._choose_box(square)
        elif self.stage is Stage.GOALS:
            self._choose_goal(square)
        else:
            return False
        return True

    def _type(self, letter: str) -> None:
        typed = self.choices.typed
        square = self.choices.type(letter)
        if square is not None:
            self._choose(square)
        elif self.choices.typed == typed and self.choices.squares:
            self.message = _(_NO_LABELS[self.stage], letters=f"{typed}{letter}")

    def _ask(self, stage: Stage, cursor: Square | None = None) -> None:
        """Ask for a box or a goal, with the cursor on one of them."""
        board, state = self.board, self.state
        self.stage, self.box, self.goal, self.search = stage, None, None, None
        if stage is Stage.BOXES:
            self.choices = self._boxes
        else:
            goals = [] if self._is_solved else squares_of(board.goals & ~state.boxes)
            (row, column), places = board.row_column(state.player), {goal: board.row_column(goal) for goal in goals}
            goals.sort(key=lambda goal: abs(places[goal][0] - row) + abs(places[goal][1] - column))
            self.choices = Choices(goals, letters=self._letters)
            cursor = cursor if cursor in goals else None
        self.choices.cursor = next(iter(self.choices.squares), None) if cursor is None else cursor

    def _choose_box(self, box: Square) -> None:
        """Choose a box and ask for its square: near ones first, deadlocks last."""
        if box not in self._boxes.labels:
            self._ask(Stage.BOXES, box)  # keep the cursor on it, so that Enter does not choose another box
            self.message = _("that box cannot be pushed from here")
            return
        squares = [square for square in self._reach_of(box).pushes if square != box]
        squares.sort(key=lambda square: self.risk(square) is not LandingRisk.FINE)
        self.stage, self.box = Stage.SQUARES, box
        self.choices = Choices(squares, squares[0] if len(squares) == 1 else box, letters=self._letters)

    def _choose_goal(self, goal: Square) -> None:
        if self.state.boxes >> goal & 1:
            self.message = phrase(Note.GOAL_FILLED, self.keymap)
        elif not self.level.board.goals >> goal & 1:
            self.message = _("that is not a goal")
        else:
            self.stage, self.goal, self.choices = Stage.BOXES_FOR_GOAL, goal, Choices([])
            self.search = ReachSearch(self.level.board, self.state, self._blocks, self._boxes.squares, goal)

    def _perform(self) -> Reaction | None:
        self._work(float("inf"))
        return Perform(self.plan.lurd) if self.plan is not None else None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose by clicking, leave by clicking elsewhere, or drag a box to its square."""
        if pointer.is_press or self._dragged is not None:
            self.message = ""
        square = self.square_under(pointer)
        reaction: Reaction | None = None
        if pointer.button == "left" and pointer.is_press:
            reaction = self._click(square)
        elif pointer.button == "left" and self._dragged not in (None, square):
            # A box that cannot go there remains chosen for another try.
            self._dragged = None
            reaction = self._point_at_target(square)
            if reaction is None:
                self.message = _("it cannot be pushed there")
        elif pointer.button == "right" and pointer.is_press:
            self._dragged = None
            if square is not None and self.level.board.goals >> square & 1:
                self._choose_goal(square)
        self._work(_SLICE_SECONDS)
        return reaction

    def _click(self, square: Square | None) -> Reaction | None:
        self._dragged = None
        is_choice = square is not None and square in self.choices.labels
        if square is not None and self.state.boxes >> square & 1:
            if is_choice and self.stage is Stage.BOXES_FOR_GOAL:
                return self._point_at_target(square)
            if square != self.box:
                self._choose_box(square)
            self._dragged = self.box
            return None
        if square is not None and is_choice and self.stage is Stage.GOALS:
            self._choose_goal(square)
            return None
        return self._point_at_target(square) or Ask.CLOSE

    def _point_at_target(self, square: Square | None) -> Reaction | None:
        if square is None or square not in self.choices.labels or self.stage in (Stage.BOXES, Stage.GOALS):
            return None
        self.choices.cursor = square
        return self._perform()

    # The frame

    @property
    def _focus(self) -> Square:
        return self.state.player if self.choices.cursor is None else self.choices.cursor

    def fit(self, size: Size, appearance: Appearance) -> None:
        self.lay_out(self.board, self._focus, size, appearance, comment_rows=self._play.comment_rows(size.columns))

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, theme, (place, chrome) = Canvas(*size), appearance.theme, self.laid_out
        draw_board(canvas, place, self.level, self.state, theme, stance=self._play.game.stance)
        self._draw_choices(canvas, place, theme)
        question, signs = self._question(place.size.columns, theme.marks, size.columns)
        hints = self._hints(place.size.columns)
        header = cut_at_a_word(f"{question}   {signs}".rstrip(), size.columns, signs)
        chrome.draw(canvas, header, self._comment, hints)
        canvas.draw_message(chrome.status, self._status())
        if chrome.panel is not None:
            card, lines = Card(header), legend(min(place.size, _LEGEND_SIZES[size.rows >= _HIGH]), theme)
            if self.stage is Stage.SQUARES and size.rows >= _BESIDE_LEGEND + len(lines):
                card = Card(question, [(), *lines])
            self._play.draw_panel(canvas, chrome.panel, hints, card)
        return canvas.frame(place.cell_of(self._focus))

    @property
    def _found(self) -> tuple[Square, ...]:
        return self.search.told[1] if self.search is not None and not self.search.is_done else ()

    def _draw_choices(self, canvas: Canvas, place: BoardPlace, theme: Theme) -> None:
        hides_letters = place.size.columns == 1 and not self.board.is_ordinary
        sights, ways = Sights(self.level, self.state), self._ways(place)
        taking = 0 if self.box is None else goals_taking(self.board, self.state.boxes, self.box)
        lit = {*self.choices.labels, *self._found, self.box, self.goal, self.choices.cursor, *ways}
        rows, columns = place.shown
        for row in rows:
            for column in columns:
                square = place.square_in(row, column)
                if square not in lit and not hides_letters:
                    continue
                sight, corner = sights.at(square), place.corner_of(row, column)
                if square in lit:
                    mark = self._mark(square, sight.cell, place, taking)._replace(way=ways.get(square, ()))
                    if place.size.is_tile and place.size.is_picture:
                        put_marked(canvas, corner, sight, mark, place.size)
                    else:
                        put_tile(canvas, corner, marked(sight, mark, place.size, theme))
                elif sight.letter:
                    canvas.put(*corner, theme.glyph(sight.cell, 1), text_of(sight, theme, 1)[1])

    def _mark(self, square: Square, cell: str, place: BoardPlace, taking: Bitboard) -> Mark:
        """Return a square's mark, without the way; ``taking``: goals that accept the chosen box."""
        label, is_chosen = self.choices.rest(square), square == self.choices.cursor
        player, is_narrow = place.player_in(self._play.game.stance), place.size.columns == 1
        if self.stage is Stage.SQUARES and square in self.choices.labels:
            risk = self.risk(square)
            if is_narrow and risk is not LandingRisk.FINE and not (self._shows_all_letters or self.choices.typed):
                label = ""
            return Mark(label, risk, bool(taking >> square & 1), is_chosen, player=player)
        is_held = square in (self.box, self.goal) or square in self._found
        return Mark(label, None, cell in ".+", is_chosen, is_held, player=player)

    def _ways(self, place: BoardPlace) -> Mapping[Square, tuple[Direction, ...]]:
        """Return the squares of the box's path, each with its directions in the view."""
        ways = dict[Square, tuple[Direction, ...]]()
        way = list[Square]()
        if self._planned is not None and self.plan is not None:
            way = box_way(self.board, self.state, self._planned.box, self.plan.lurd)
        for before, square, after in zip(way, way[1:], way[2:]):
            offsets = before - square, after - square
            found = [place.view.direction(Direction(self.board.offsets.index(each))) for each in offsets]
            ways[square] = (*ways.get(square, ()), *found)
        return ways

    # Words

    def _question(self, columns: int, marks: Marks, width: int) -> tuple[str, str]:
        """Return the question and the meaning of the marks on squares of some ``columns``, both in a ``width``."""
        is_tile = columns > 2
        match self.stage:
            case Stage.BOXES_FOR_GOAL:
                choice = _("Boxes that reach the goal at {place}: type a letter", place=self._place_name(self.goal))
                return choice, _("the goal is framed") if is_tile else _("{mark} is the goal", mark=styles.ASKED)
            case _ if self._nothing:
                return _("Push planner"), ""
            case Stage.BOXES:
                return _("Push planner: type the letter of a box"), ""
            case Stage.GOALS:
                return _("Type the letter of a goal to see which boxes reach it"), ""
        if is_tile:
            signs = _("cross: dead end, bars: freezes")
        else:
            signs = _("{dead} dead end | {freezes} freezes", dead=marks.dead, freezes=marks.freezes)
        if columns == 1:
            # Translators: after "! dead end | = freezes": labels on goals are capital letters.
            signs += _(" | A on a goal")
        box = self._box_name
        for choice in _("Push {box} where? Type the letter of a square", box=box), _("Push {box} where?", box=box), box:
            if text_width(f"{choice}   {signs}") <= width:
                break
        return choice, signs

    def _status(self) -> StatusText:
        enter, esc = self.keymap.key_of("accept"), self.keymap.key_of("cancel")
        if self.message:
            return StatusText(self.message, styles.WARNING)
        if self.search is not None and not self.search.is_done:
            looked, total = self.search.told[0], self.search.total
            text = _(
                "checking which boxes reach it: {looked} of {total} ({key} stops)", looked=looked, total=total, key=esc
            )
            return StatusText(text, kept=esc)
        if nothing := self._nothing:
            return StatusText(nothing, styles.WARNING, esc)
        if typed := self.choices.typed:
            text = _("{typed}: next letter? ({key} deletes)", typed=typed, key=self.keymap.key_of("take back"))
            return StatusText(text)
        if (task := self.task) is None:
            return StatusText(self._invitation, kept=enter)
        # In a narrow window, keep the warning, else the figures.
        moves = moves_text(self.plan.moves) if self.plan else _("... moves")
        figures = listed([pushes_text(task.pushes), moves])
        label, place = self.box_label(task.box), self._place_name(task.square)
        whole = _("box {label} to {place}: {figures}", label=label, place=place, figures=figures)
        ending = _(_ENDINGS[task.risk])
        text = in_clauses([whole, ending, _("{key} pushes", key=enter)])
        return StatusText(text, styles.WARNING if ending else PLAIN, ending or figures)

    @property
    def _invitation(self) -> str:
        key, number, cursor = self.keymap.key_of("accept"), len(self.choices.squares), self.choices.cursor
        if self.stage is Stage.SQUARES:
            if all(self.risk(square) is not LandingRisk.FINE for square in self.choices.squares):
                return ngettext("{n} square in reach, a dead end", "{n} squares in reach, all dead ends", number)
            return ngettext(
                "{n} square in reach: choose by letter or arrows",
                "{n} squares in reach: choose by letter or arrows",
                number,
            )
        if cursor is None:
            return ""
        if self.stage is Stage.GOALS:
            goal = self._place_name(cursor)
            return _("goal at {place}: {key} shows the boxes that reach it", place=goal, key=key)
        label = self.box_label(cursor)
        takes = _("{key} chooses box {label}", key=key, label=label) if label else ""
        return in_clauses([ngettext("{n} box can be pushed", "{n} boxes can be pushed", number), takes])

    def _hints(self, columns: int) -> Hints:
        push = pgettext("footer: makes the pushes", "push")
        hints: list[tuple[str, str]]
        match self.stage:
            case _ if self._nothing:
                hints, labels = [], {}
            case Stage.SQUARES:
                towards = self.keymap.keys_towards(), pgettext("footer: the next square", "next")
                hints = [("a-z", _("square")), towards]
                labels = {"accept": push, "next": pgettext("footer: the next box", "box")}
                if columns == 1:
                    labels["all letters"] = _("marks") if self._shows_all_letters else _("letters")
            case Stage.BOXES_FOR_GOAL:
                hints, labels = [("a-z", _("box"))], {"next": _("next box"), "accept": push}
            case Stage.BOXES:
                hints, labels = [("a-z", _("box"))], {"next": _("next box"), "accept": _("choose")}
            case Stage.GOALS:
                hints, labels = [("a-z", _("goal"))], {"next": _("next goal"), "accept": _("boxes for it")}
        return [*hints, *self.keymap.hints({**labels, "cancel": _("back"), "help": _("help")})]

    @property
    def _box_name(self) -> str:
        """The name of the chosen box, such as ``box c`` or ``blue box c``."""
        assert self.box is not None  # chosen before its square
        return box_text(self.board, self.state.boxes, self.box, self.box_label(self.box))

    def _place_name(self, square: Square | None) -> str:
        assert square is not None
        return place_text(self.board, square)
