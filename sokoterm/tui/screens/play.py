"""Playing a level: what each key does."""

from collections.abc import Callable, Sequence
from typing import Protocol

from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import State
from sokoterm.engine.deadlock import Deadlock
from sokoterm.engine.game import Game, Stop
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, parse_lurd
from sokoterm.engine.reach import find_walk
from sokoterm.library.best import Best
from sokoterm.tui.advice import Advice
from sokoterm.tui.alarm import Alarm
from sokoterm.tui.course import Course
from sokoterm.tui.frame import Frame
from sokoterm.tui.keymap import KEYMAPS, Keymaps
from sokoterm.tui.pointer import Pointer
from sokoterm.tui.prompt import Prompt
from sokoterm.tui.reactions import (
    Browse,
    Copy,
    EndRun,
    Perform,
    Plan,
    Reaction,
    Share,
    Start,
    StopSearch,
    Watch,
)
from sokoterm.tui.screens.play_view import Position, view_play
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.views import Appearance, BoardPlace, Origin, Size

# How long a position stays as it is before it is thought about.
_PONDER_SECONDS = 1.0
# How long positions are tested on the way back to one that is not dead; the last test may end a little later.
_BACK_SECONDS = 0.03


class Showing(Protocol):
    """Moves that are shown one by one (see ``animation``)."""

    seconds: float

    @property
    def shown(self) -> Position | None: ...

    def go_on(self) -> None: ...


class PlayScreen(StillScreen):
    """One level of a course on the screen."""

    def __init__(
        self,
        course: Course,
        level: Level,
        game: Game,
        clock: Callable[[], float],
        *,
        warns: bool = True,
        keymaps: Keymaps = KEYMAPS,
    ) -> None:
        self.keymaps = keymaps
        self.keymap = keymaps.play
        self.course = course
        self.level = level
        self.game = game
        self.warns = warns
        self.solved_lurd = ""
        self.solved_before: Best | None = None
        self.advice = Advice(course, level, game, self.keymap)
        self.origin = Origin(0, 0)
        self.place: BoardPlace | None = None
        self.must_save = False
        self._clock = clock
        self._prompt = Prompt(self.keymap)
        self._showing: Showing | None = None
        self._is_win_seen = False
        self.alarm = Alarm(level.board)

    # What the view asks

    @property
    def reads_text(self) -> bool:
        return self._prompt.is_open

    @property
    def shown(self) -> Position | None:
        """What is to be seen in place of the position, while the moves that lead to it are shown."""
        return self._showing.shown if self._showing is not None else None

    @property
    def comment(self) -> str:
        """What stands above the board."""
        key = self.keymap.key_of("end run")
        return self.course.remark(self.level, key, is_solved=self.game.is_solved and self.shown is None)

    @property
    def has_next(self) -> bool:
        """Whether another level of the pack is not solved yet."""
        return self.course.next_unsolved(self.level.number) is not None

    @property
    def prompt(self) -> str:
        """The question the next key answers, if there is one."""
        return self._prompt.text(self.game.bookmarks)

    @property
    def deadlock(self) -> Deadlock | None:
        """Why the position is lost, where warnings are on and it is known to be lost."""
        return self.alarm.find(self.game.state) if self.warns else None

    @property
    def has_way_back(self) -> bool:
        """Whether there is something to undo and the start is not known to be lost."""
        return self.game.can_undo and not self.alarm.was_lost(self.level.start)

    @property
    def question(self) -> State | None:
        """The position that the player has been looking at for a while, if that may be lost."""
        return self.alarm.question(self.game.state) if self._may_be_lost else None

    @property
    def _may_be_lost(self) -> bool:
        is_watched = self.warns and self.advice.search is None and self.alarm.takes_proofs
        return is_watched and self.game.pushes > 0 and not self.game.is_solved and self.deadlock is None

    @property
    def other_names(self) -> str:
        """``also Pufiban 126 and 2 more``: where else the level stands, as far as that is known by now."""
        return self.course.other_names(self.level, 1)

    def wake_after(self) -> float | None:
        if self._showing is not None:
            return self._showing.seconds
        if self.course.has_more_on(self.level) or not self.alarm.is_sharp:
            return 0.0
        return _PONDER_SECONDS if self._may_be_lost and self.question is None else None

    def tick(self) -> None:
        """Show the next move; where there is none, what the first picture did not wait for."""
        if self._showing is not None:
            self._showing.go_on()
            if self._showing.shown is None:
                self._showing = None
        elif self.course.has_more_on(self.level) and not (self.course.is_replaying and not self.alarm.is_sharp):
            self.course.find_more_on(self.level)
        elif not self.alarm.is_sharp:
            self.alarm.sharpen()
        else:
            self.alarm.ask(self.game.state)

    def interrupt(self) -> bool:
        was_showing, self._showing = self._showing is not None, None
        return was_showing

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_play(self, size, appearance)

    # What keys do

    def update(self, key: str) -> Reaction | None:
        self._clear()
        if self._prompt.is_open:
            return self._answer(key)
        action = self.keymap.find_action(key)
        return self.act(action) if action is not None else None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """As on every screen; a notice also waits until the player has seen that the level is solved."""
        is_news = self.game.is_solved and not self._is_win_seen
        return (is_answer or not is_news) and super().tell(message, is_answer=is_answer)

    def _clear(self) -> None:
        """Something is pressed: what was said has been seen, and what was being shown is not waited for."""
        self._is_win_seen = self.game.is_solved and self._showing is None
        self._showing = None
        self.message = ""

    def act(self, action: str) -> Reaction | None:
        """Do an action of the keymap; one that needs another key has the next ``update`` take it."""
        self.message = ""
        boxes = self.game.state.boxes
        edits = self.game.cursor
        reaction = self._act(action)
        if self.game.state.boxes != boxes or self.game.cursor < edits:
            self.must_save = True
        return reaction

    def _act(self, action: str) -> Reaction | None:
        match action:
            case "left" | "down" | "up" | "right":
                self.game.walk_or_push(_direction(action))
            case "run left" | "run down" | "run up" | "run right":
                self.game.run(_direction(action))
            case "undo" | "redo" | "undo all" | "redo all" | "restart" | "undo dead":
                self._edit(action)
            case "bookmark" | "to bookmark":
                self._prompt.ask(action)
            case "go to level":
                self._prompt.ask_number(self.course.number_noun)
            case "plan" | "plan goal":
                return self._plan(Plan(asks_goal=action == "plan goal"))
            case "plain":
                self._toggle_plain()
            case "warnings":
                self.warns = not self.warns
                self.message = f"deadlock warnings {'on' if self.warns else 'off'}"
            case "solve":
                search = self.advice.search if self.advice.is_searching else None
                return Watch(search.before) if search else self._ask_solver()
            case "hint":
                return self._hint()
            case "cancel":
                return StopSearch("search stopped") if self.advice.is_searching else None
            case "replay":
                return self._said_or_done(self.advice.replay())
            case "copy" if (not self.game.moves or self.game.is_solved) and self.course.result(self.level):
                return Share(self.course.result(self.level))
            case "copy" if self.game.moves:
                return Copy(self.game.lurd)
            case "copy":
                self.message = "no moves yet"
            case _:
                return self._leave(action)
        return None

    # What the mouse does

    def point(self, pointer: Pointer) -> Reaction | None:
        """A press on a floor square walks there, on a box or an empty goal it asks what can be done with it."""
        if not pointer.is_press or pointer.button not in ("left", "right"):
            return None
        self._clear()
        self._prompt.close()
        square = self.place.square_at(pointer.row, pointer.column) if self.place is not None else None
        if square is None or square == self.game.state.player and pointer.button == "left":
            return None
        board, boxes = self.level.board, self.game.state.boxes
        is_box = boxes >> square & 1
        match pointer.button:
            case "left" if is_box:
                return self._plan(Plan(box=square))
            case "left" if board.floor >> square & 1:
                return self.walk_to(square)
            case "right" if board.goals >> square & 1:
                if not is_box:
                    return self._plan(Plan(goal=square))
                self.message = "that goal is filled"
        return None

    def walk_to(self, square: Square) -> Reaction | None:
        """Ask for the shortest walk to a square, or say why there is none."""
        if self.is_declined():
            return None
        walk = find_walk(self.level.board, self.game.state, square)
        if walk is None:
            self.message = "no way there without a push"
            return None
        return Perform("".join(direction.letter for direction in walk))

    def _plan(self, plan: Plan) -> Reaction | None:
        return None if self.is_declined() else plan

    def is_declined(self) -> bool:
        """Whether the player wants to make every move of this pack; then it is said."""
        if self.course.is_plain:
            self.message = f"walk-to and push-to are off in this pack: {self.keymap.key_of('plain')} turns them on"
        return self.course.is_plain

    def _toggle_plain(self) -> None:
        is_plain = not self.course.is_plain
        problem = self.course.set_plain(is_plain)
        self.message = problem or f"walk-to and push-to {'off' if is_plain else 'on'} in this pack"

    def perform(self, lurd: str, per_second: int) -> None:
        """Make moves as one undo group, and show them at a speed; 0: at once."""
        before = self.game.state, self.game.moves, self.game.pushes
        self.game.play(parse_lurd(lurd))
        self.must_save = self.must_save or self.game.state.boxes != before[0].boxes
        if per_second and lurd:
            from sokoterm.tui.animation import Animation, Shown

            self._showing = Animation(self.level.board, Shown(*before), lurd, per_second)

    def _edit(self, action: str) -> None:
        game, before = self.game, self.game.lurd
        was_solved = game.is_solved
        match action:
            case "undo":
                self.message = "" if game.undo() else "nothing to undo"
            case "redo":
                self.message = "" if game.redo() else "nothing to redo"
            case "undo all":
                self.message = "" if game.undo_all() else "nothing to undo"
            case "redo all":
                self.message = "" if game.redo_all() else "nothing to redo"
            case "restart":
                if game.restart():
                    self.message = "reset: undo brings the moves back"
            case "undo dead":
                self._undo_dead()
        if action not in ("redo", "redo all") and game.lurd != before:
            self.course.note(self.level, "undo", self.game.lurd)
        if was_solved and action == "restart":
            self.course.begin_again(self.level)
            self.solved_lurd = ""
        elif action == "undo" and game.is_solved:
            self.course.bring_back(self.level, game.lurd)
            self.solved_lurd = game.lurd

    def _undo_dead(self) -> None:
        """Go back to where the position is not known to be dead; where many are to be tested, the next time goes on."""
        alarm, last = self.alarm, self._clock() + _BACK_SECONDS

        def is_good(state: State) -> bool:
            return not alarm.was_lost(state) and (self._clock() > last or alarm.find(state) is None)

        if alarm.find(self.game.state) is None:
            self.message = "not known to be dead"
        elif alarm.find(self.level.start) is not None:
            self.message = "dead from the start"
        else:
            self.game.undo_until(is_good)

    def _leave(self, action: str) -> Reaction | None:
        number = self.level.number
        match action:
            case "browse":
                return Browse()
            case "next level":
                return self._start(self.course.next_number(number), self.course.why_no_next(number))
            case "previous level":
                return self._start(self.course.previous_number(number), "this is the first level")
            case "next unsolved":
                return self._start(self.course.next_unsolved(number), self.course.why_no_unsolved(number))
            case "end run" if self.course.run_question:
                self._prompt.ask_whether(action, self.course.run_question)
            case "end run":
                self.message = "no run to end: only a descent is one"
            case "accept" if self.game.is_solved or not self.game.moves and self.course.is_solved(number):
                return self._start(self.course.next_unsolved(number), self.course.why_no_unsolved(number))
        return None

    def _start(self, number: int | None, otherwise: str) -> Reaction | None:
        if number is None:
            self.message = otherwise
            return None
        return Start(self.course, number)

    def _answer(self, key: str) -> Reaction | None:
        match self._prompt.answer(key):
            case ("go to level", number):
                return self.go_to_level(self.course.find_number(number))
            case ("bookmark", name):
                self.set_bookmark(name)
            case ("to bookmark", name):
                self.go_to_bookmark(name)
            case ("end run", _):
                return EndRun()
        return None

    def set_bookmark(self, name: str) -> None:
        """Remember the moves so far under a letter."""
        self.game.set_bookmark(name)
        self.must_save = True
        self.message = f"bookmark {name} set: {self.keymap.typed('to bookmark', name)} returns here"

    def go_to_bookmark(self, name: str) -> None:
        """Return to a bookmark, or say that there is none of this name."""
        known = self.game.go_to_bookmark(name)
        if known:
            self.course.note(self.level, "undo", self.game.lurd)
        self.must_save = self.must_save or known
        self.message = "" if known else f"no bookmark {name}"

    def paste(self, text: str) -> bool:
        return self._prompt.paste(text)

    def make_legal(self, steps: Sequence[Direction]) -> Stop | None:
        """Make steps as one undo group, as far as they are possible; where that ended early, if it did."""
        boxes = self.game.state.boxes
        stop = self.game.play_legal(steps)
        self.must_save = self.must_save or self.game.state.boxes != boxes
        return stop

    def go_to_level(self, number: int) -> Reaction | None:
        """Ask for a level of the pack, or say why there is none of this number."""
        if self.course.find_level(number) is None and not self.course.is_making(number):
            self.message = self.course.why_missing(number)
            return None
        return Start(self.course, number)

    # Solver and replay

    def _ask_solver(self, *, is_hint: bool = False) -> Reaction | None:
        return self._said_or_done(self.advice.solve(is_hint=is_hint))

    def _said_or_done(self, advice: Reaction | str) -> Reaction | None:
        """Say what is a message, ask for the rest."""
        if isinstance(advice, str):
            self.message = advice
            return None
        return advice

    def _hint(self) -> Reaction | None:
        return None if not self.game.is_solved and self._follow_advice() else self._ask_solver(is_hint=True)

    def _follow_advice(self) -> bool:
        """Make the next push of a known solution, if the position lies on one."""
        steps = self.advice.next_push()
        if steps:
            self.game.play(steps)
            self.course.note(self.level, "hint", self.game.lurd)
            self.must_save = True
            self.message = f"hint: {self.keymap.key_of('undo')} takes it back"
        return bool(steps)

    def found(self, solution: Solution, *, is_watched: bool) -> Reaction | None:
        """The solver found a solution; ``is_watched`` tells whether the player sees this screen.

        Where the player has not moved, the first solution is shown by itself, or its first push as a hint.
        """
        search = self.advice.search
        if search is None:
            return None
        replay = self.advice.found(solution)
        if search.is_answered:
            return None
        is_there = self.game.lurd == search.before
        if not search.is_hint:
            self.message = ""
            return replay if is_there and is_watched else None
        if not is_there:
            self.message = f"hint found for where you asked: undo, then {self.keymap.key_of('hint')}"
        elif not is_watched or not self._follow_advice():
            self.message = f"hint found: {self.keymap.key_of('hint')} makes the push"
        return None

    def search_stopped(self, why: str) -> None:
        """No search runs any more; ``why`` is for the player, empty where there is nothing to say."""
        self.message = self.advice.search_stopped(why) or self.message

    def take_over(self, lurd: str) -> None:
        """Make the position of a replay, with the moves that lead to it, the game's own."""
        if self.game.go_to(lurd):
            self.must_save = True
            self.message = "yours from here: undo returns to your own position"


def _direction(action: str) -> Direction:
    """That of ``left`` and of ``run left``."""
    return Direction[action.removeprefix("run ").upper()]
