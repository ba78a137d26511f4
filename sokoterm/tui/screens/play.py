"""Playing a level: its keys, the mouse, and moves shown one by one."""

from collections.abc import Iterable, Iterator

from sokoterm.app.keymap import DIGITS, Keymap, Keymaps, by_place
from sokoterm.app.play import PlayModel, Win
from sokoterm.app.request import Answer, EndRun, Note, OpenPlanner
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.game import Game
from sokoterm.engine.lurd import direction_of, parse_lurd
from sokoterm.engine.lurd import play as play_moves
from sokoterm.engine.rules import slide
from sokoterm.engine.value import Value
from sokoterm.language import N_, _
from sokoterm.store.solutions import Best
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen, pace
from sokoterm.tui.widgets.board_view import BoardPlace
from sokoterm.wording.outcomes import phrase
from sokoterm.wording.packs import also, words_of

_MOVES = {f"{run}{direction.name.lower()}" for direction in Direction for run in ("", "run ")}
# The prompt.
_QUESTIONS = {"bookmark": N_("bookmark under which letter?"), "to bookmark": N_("return to which bookmark?")}
_NUMBER = "go to level"
_DATE_SIGNS = DIGITS | {"-"}
_LONGEST_DATE = len("2026-11-22")
# The moves of an undo that are shown: fewer are as plain at once, and more take long to work out.
_LEAST_SHOWN, _MOST_SHOWN = 3, 2000
# The boxes of a solved level light up, go out and light up again.
_FLASHES = 7
_FLASH_SECONDS = 0.15


class Prompt:
    """A question in the footer, which the next keys answer: a number or date, or the letter of a bookmark."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._action = ""
        self.typed = ""  # of a number or date
        self._question = ""
        self._noun = ""

    @property
    def is_open(self) -> bool:
        """True if the next key is an answer."""
        return bool(self._action)

    def ask(self, action: str) -> None:
        """Ask for the letter of an action on bookmarks."""
        self._action = action

    def ask_number(self, noun: str) -> None:
        """Ask which level to go to; ``noun`` is what has a number or a date in this pack."""
        self._action, self._noun = _NUMBER, noun

    def ask_whether(self, action: str, question: str) -> None:
        """Ask to confirm what cannot be undone: ``y`` does it."""
        self._action, self._question = action, question

    def close(self) -> None:
        """Close the question."""
        self._action = self.typed = self._question = ""

    def line(self, bookmarks: Iterable[str]) -> str:
        """The question, with the bookmarks that are set; empty if nothing is asked."""
        if self._action == _NUMBER:
            # Translators: what is typed is a level number, a date or a floor.
            return _("{noun}, then {key}: {typed}", noun=self._noun, key="Enter", typed=self.typed)
        if self._question or self._action not in _QUESTIONS:
            return self._question
        names = " ".join(sorted(bookmarks))
        if self._action == "to bookmark" and names:
            return _("return to which bookmark? ({names})", names=names)
        return _(_QUESTIONS[self._action])

    def answer(self, key: str) -> tuple[str, str] | None:
        """Take a key; return the action and its complete answer, None before that and for what is no answer."""
        if self._action == _NUMBER and (key in _DATE_SIGNS or key == "backspace"):
            self.typed = self.typed[:-1] if key == "backspace" else (self.typed + key)[-_LONGEST_DATE:]
            return None
        action, number, is_whether = self._action, self.typed, bool(self._question)
        self.close()
        if is_whether:
            return (action, "y") if by_place(key) == "y" else None
        if action == _NUMBER:
            is_end = key == "enter" or key in self._keymap.keys_of(action)
            return (action, number) if is_end and number else None
        is_name = len(key) == 1 and (key.isalpha() if action == "bookmark" else key.isalnum())
        return (action, key) if is_name else None

    def paste(self, text: str) -> bool:
        """Add a number or date where one is asked for; a letter is never pasted."""
        if self._action == _NUMBER and _DATE_SIGNS.issuperset(text):
            self.typed = (self.typed + text)[-_LONGEST_DATE:]
        return self.is_open


class ShownPosition(Value):
    """An intermediate position of an animation, with its counters."""

    state: State
    moves: int
    pushes: int
    facing: Direction


def _positions(board: Board, state: State, lurd: str) -> Iterator[tuple[State, int, int, str]]:
    """Yield the positions of moves, those in which a box slides among them, with moves and pushes so far and letter."""
    pushes = 0
    for moves, (after, letter) in enumerate(play_moves(board, state, parse_lurd(lurd)), start=1):
        pushes += letter.isupper()
        for sliding in slide(board, state, after):
            yield sliding, moves, pushes, letter
        yield after, moves, pushes, letter
        state = after


class Animation:
    """The positions between two, or some of them: see ``pace``."""

    def __init__(
        self, board: Board, start: ShownPosition, lurd: str, per_second: int, *, is_backward: bool = False
    ) -> None:
        """``lurd`` are the moves from ``start``, made or taken back; raises LurdError if they cannot be made."""
        positions = [*_positions(board, start.state, lurd)]
        self.seconds, step = pace(len(positions), per_second)
        self._pictures: list[ShownPosition] = []
        rest = len(positions) % step if is_backward else 0
        for number, (state, moves, pushes, letter) in enumerate(positions[:-1], start=1):
            if number % step == rest:
                shown = ShownPosition(state, start.moves + moves, start.pushes + pushes, direction_of(letter))
                self._pictures.append(shown)
        if not is_backward:
            self._pictures.reverse()

    @property
    def shown(self) -> ShownPosition | None:
        """The position to draw now; None at the end, where it is that of the play."""
        return self._pictures[-1] if self._pictures else None

    def go_on(self) -> None:
        """Go on to the next position."""
        self._pictures.pop()


class Play(Screen):
    """A level in play, with its prompt, its message and moves that are shown one by one; ``PlayScreen`` draws it."""

    follows_view = True

    def __init__(self, model: PlayModel, keymaps: Keymaps, per_second: int) -> None:
        """``per_second`` is the speed at which moves are shown, 0 for not at all."""
        self.model = model
        self.words = words_of(model.pack_session)
        self.keymaps = keymaps
        self.keymap = keymaps.play
        self.solved_before: Best | None = None
        self.place: BoardPlace | None = None
        self.move_keys = self.keymap.keys_towards()
        self._prompt = Prompt(self.keymap)
        self._showing: Animation | None = None
        self._per_second = per_second
        self._is_win_seen = False
        self._hides_card = False
        self._flashes = 0
        self.is_drawn = False  # in the editor, to which a key goes back

    # For the view

    @property
    def reads_text(self) -> bool:
        return self._prompt.is_open

    @property
    def shown(self) -> ShownPosition | None:
        """The position to draw in place of the play's, while the moves that lead to it are shown."""
        return self._showing.shown if self._showing is not None else None

    @property
    def game(self) -> Game:
        return self.model.game

    @property
    def board(self) -> Board:
        return self.model.level.board

    @property
    def comment(self) -> str:
        """The line above the board."""
        model = self.model
        key = self.keymap.key_of("end run")
        is_solved = model.game.is_solved and self.shown is None
        return self.words.remark(model.level, key, is_solved=is_solved)

    @property
    def prompt(self) -> str:
        """The question that the next key answers; empty for none."""
        return self._prompt.line(self.model.game.bookmarks)

    @property
    def typed(self) -> str:
        """Typed part of the number or date that is asked for."""
        return self._prompt.typed

    @property
    def win(self) -> Win | None:
        """The win whose card is shown: as long as the position is that of the win, until a key other than a move."""
        win = self.model.win
        if win is None or self._hides_card or self._flashes or self._prompt.is_open or self.shown or self.message:
            return None
        return win if self.model.game.lurd == win.lurd else None

    @property
    def other_names(self) -> str:
        """``also Pufiban 126 and 2 more``: the other packs with the level, as far as they are known by now."""
        pack_session = self.model.pack_session
        return also(pack_session.lookups.other_places(self.model.level), pack_session.key, 1)

    @property
    def is_lit(self) -> bool:
        """True in the pictures of a win in which the boxes light up."""
        return self._showing is None and self._flashes % 2 == 1

    def wake_after(self) -> float | None:
        if self._showing is not None:
            return self._showing.seconds
        return _FLASH_SECONDS if self._flashes else self.model.wake_after()

    def tick(self) -> None:
        """Show the next move or flash; without one, do what the first picture did not wait for."""
        if self._showing is not None:
            self._showing.go_on()
            if self._showing.shown is None:
                self._showing = None
        elif self._flashes:
            self._flashes -= 1
        else:
            self.model.tick()

    def interrupt(self) -> bool:
        was_moving = self._showing is not None
        self._showing, self._flashes = None, 0
        return was_moving

    def settle(self) -> None:
        self._flashes = 0
        self.is_drawn = False  # in the editor, to which a key goes back

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self._clear()
        self._hides_card = action not in _MOVES
        if self._prompt.is_open:
            return self._take_answer(key)
        return self.act(action) if action is not None else None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a line; a notice also waits until the player has seen that the level is solved."""
        is_news = self.model.game.is_solved and not self._is_win_seen
        return (is_answer or not is_news) and super().tell(message, is_answer=is_answer)

    def celebrate(self) -> None:
        """Show a win: the boxes flash, if pictures move at all, then comes the card."""
        self._hides_card = False
        self._flashes = _FLASHES if self._per_second else 0

    def _clear(self) -> None:
        """Clear the message and end an animation: a key or button was pressed."""
        self._is_win_seen = self.model.game.is_solved and self._showing is None
        self._showing, self._flashes = None, 0
        self.message = ""

    def act(self, action: str) -> Reaction | None:
        """Do an action of the keymap; what else it needs is asked for, and the next ``update`` takes it."""
        match action:
            case "bookmark" | "to bookmark":
                self._prompt.ask(action)
            case "go to level":
                self._prompt.ask_number(self.words.number_noun)
            case "end run" if (run := self.model.run) is not None:
                from sokoterm.wording.generated import end_question  # the end of a run only

                self._prompt.ask_whether(action, end_question(run))
            case "undo" | "redo":
                self._undo_or_redo(action)
            case _ if action in _MOVES and self._has_ice:
                self._move_on_ice(action)
            case _:
                return self.say(self.model.act(action))
        return None

    @property
    def _has_ice(self) -> bool:
        """True if boxes may slide, and are shown while they do."""
        return self._per_second > 0 and self.model.level.board.ice != 0

    def _move_on_ice(self, action: str) -> None:
        """Move, and show what slides."""
        before, moves = self._position(), self.model.game.moves
        self.say(self.model.act(action))
        self._show_slides(before, self.model.game.lurd_from(moves))

    def _show_slides(self, start: ShownPosition, lurd: str, *, is_backward: bool = False) -> None:
        """Show some moves, if a box slides in them."""
        board = self.model.level.board
        if lurd and len(lurd) < sum(1 for _ in _positions(board, start.state, lurd)):
            self._showing = Animation(board, start, lurd, self._per_second, is_backward=is_backward)

    def _undo_or_redo(self, action: str) -> None:
        """Undo or redo a group of moves, and show them if they are many."""
        game = self.model.game
        before, lurd = self._position(), game.lurd
        self.say(self.model.act(action))
        if not self._per_second:
            return
        is_backward = action == "undo"
        start, shorter, longer = (self._position(), game.lurd, lurd) if is_backward else (before, lurd, game.lurd)
        count, moves = len(longer) - len(shorter), longer[len(shorter) :]
        if not longer.startswith(shorter) or count > _MOST_SHOWN:
            return
        if count < _LEAST_SHOWN and self._has_ice:
            self._show_slides(start, moves, is_backward=is_backward)
        elif count >= _LEAST_SHOWN:
            self._showing = Animation(game.level.board, start, moves, self._per_second, is_backward=is_backward)

    def _position(self) -> ShownPosition:
        game = self.model.game
        return ShownPosition(game.state, game.moves, game.pushes, game.facing)

    def stop_motion(self) -> None:
        self._per_second = 0

    def say(self, answer: Answer) -> Reaction | None:
        """Put an outcome in the status line; pass on what is asked of the session."""
        if answer is None or isinstance(answer, Reaction):
            self.message = ""
            return answer
        self.message = phrase(answer, self.keymap, self.model.pack_session)
        return None

    def _take_answer(self, key: str) -> Reaction | None:
        model = self.model
        match self._prompt.answer(key):
            case ("go to level", number):
                return self.say(model.go_to_level(model.pack_session.find_number(number)))
            case ("bookmark", name):
                return self.say(model.set_bookmark(name))
            case ("to bookmark", name):
                return self.say(model.go_to_bookmark(name))
            case ("end run", _):
                return EndRun()
        return None

    def paste(self, text: str) -> bool:
        return self._prompt.paste(text)

    # The mouse

    def point(self, pointer: Pointer) -> Reaction | None:
        """Walk to a floor square by a click, or open the planner for a box or an empty goal."""
        if not pointer.is_press or pointer.button not in ("left", "right"):
            return None
        self._clear()
        self._prompt.close()
        square = self.place.square_at(pointer.row, pointer.column) if self.place is not None else None
        state = self.model.game.state
        if square is None or square == state.player and pointer.button == "left":
            return None
        return self.say(self._point_at(square, pointer.button))

    def _point_at(self, square: Square, button: str) -> Answer:
        board, boxes = self.model.level.board, self.model.game.state.boxes
        is_box = boxes >> square & 1
        match button:
            case "left" if is_box:
                return self.model.why_no_planning or OpenPlanner(box=square)
            case "left" if board.floor >> square & 1:
                return self.model.walk_to(square)
            case "right" if board.goals >> square & 1:
                return Note.GOAL_FILLED if is_box else self.model.why_no_planning or OpenPlanner(goal=square)
        return None

    def perform(self, lurd: str) -> None:
        """Make moves as one undo group, and show them."""
        before = self._position()
        answer = self.model.perform(lurd)
        if isinstance(answer, Note):
            self.say(answer)
        elif self._has_ice and len(lurd) == 1:
            self._show_slides(before, lurd)
        elif self._per_second and len(lurd) > 1:
            self._showing = Animation(self.model.level.board, before, lurd, self._per_second)
