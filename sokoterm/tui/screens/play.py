"""Playing a level: what each key does on the screen."""

from typing import Protocol

from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.app.outcome import Answer, Note
from sokoterm.app.play import PlayModel
from sokoterm.app.request import EndRun, OpenPlanner
from sokoterm.engine.bits import Square
from sokoterm.engine.game import Game
from sokoterm.store.best import Best
from sokoterm.tui.screens.play_view import Position, view_play
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.terminal.pointer import Pointer
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, Origin, Size
from sokoterm.tui.widgets.frame import Frame
from sokoterm.tui.widgets.prompt import Prompt
from sokoterm.wording.outcomes import phrase
from sokoterm.wording.packs import also, words_of


class Showing(Protocol):
    """Moves that are shown one by one (see ``animation``)."""

    seconds: float

    @property
    def shown(self) -> Position | None: ...

    def go_on(self) -> None: ...


class PlayScreen(StillScreen):
    """The board of a level in play, with its prompt, its status line and moves that are shown one by one."""

    def __init__(self, model: PlayModel, keymaps: Keymaps = KEYMAPS) -> None:
        self.model = model
        self.keymaps = keymaps
        self.keymap = keymaps.play
        self.solved_before: Best | None = None
        self.origin = Origin(0, 0)
        self.place: BoardPlace | None = None
        self._prompt = Prompt(self.keymap)
        self._showing: Showing | None = None
        self._is_win_seen = False

    # What the view asks

    @property
    def reads_text(self) -> bool:
        return self._prompt.is_open

    @property
    def shown(self) -> Position | None:
        """What is to be seen in place of the position, while the moves that lead to it are shown."""
        return self._showing.shown if self._showing is not None else None

    @property
    def game(self) -> Game:
        return self.model.game

    @property
    def comment(self) -> str:
        """What stands above the board."""
        model = self.model
        key = self.keymap.key_of("end run")
        is_solved = model.game.is_solved and self.shown is None
        return words_of(model.pack_session).remark(model.level, key, is_solved=is_solved)

    @property
    def prompt(self) -> str:
        """The question the next key answers, if there is one."""
        return self._prompt.text(self.model.game.bookmarks)

    @property
    def other_names(self) -> str:
        """``also Pufiban 126 and 2 more``: where else the level stands, as far as that is known by now."""
        return also(self.model.pack_session.lookups.other_places(self.model.level), 1)

    def wake_after(self) -> float | None:
        return self._showing.seconds if self._showing is not None else self.model.wake_after()

    def tick(self) -> None:
        """Show the next move; where there is none, what the first picture did not wait for."""
        if self._showing is None:
            self.model.tick()
            return
        self._showing.go_on()
        if self._showing.shown is None:
            self._showing = None

    def interrupt(self) -> bool:
        was_showing, self._showing = self._showing is not None, None
        return was_showing

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_play(self, size, appearance)

    # What keys do

    def update(self, key: str) -> Reaction | None:
        self._clear()
        if self._prompt.is_open:
            return self._take_answer(key)
        action = self.keymap.find_action(key)
        return self.act(action) if action is not None else None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """As on every screen; a notice also waits until the player has seen that the level is solved."""
        is_news = self.model.game.is_solved and not self._is_win_seen
        return (is_answer or not is_news) and super().tell(message, is_answer=is_answer)

    def _clear(self) -> None:
        """Something is pressed: what was said has been seen, and what was being shown is not waited for."""
        self._is_win_seen = self.model.game.is_solved and self._showing is None
        self._showing = None
        self.message = ""

    def act(self, action: str) -> Reaction | None:
        """Do an action of the keymap; one that needs another key has the next ``update`` take it."""
        pack_session = self.model.pack_session
        match action:
            case "bookmark" | "to bookmark":
                self._prompt.ask(action)
            case "go to level":
                self._prompt.ask_number(words_of(pack_session).number_noun)
            case "end run" if (run := self.model.run) is not None:
                from sokoterm.wording.generated import end_question

                self._prompt.ask_whether(action, end_question(run))
            case _:
                return self.say(self.model.act(action))
        return None

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

    # What the mouse does

    def point(self, pointer: Pointer) -> Reaction | None:
        """A press on a floor square walks there, on a box or an empty goal it asks what can be done with it."""
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
                return self.model.declines or OpenPlanner(box=square)
            case "left" if board.floor >> square & 1:
                return self.model.walk_to(square)
            case "right" if board.goals >> square & 1:
                return Note.GOAL_FILLED if is_box else self.model.declines or OpenPlanner(goal=square)
        return None

    def perform(self, lurd: str, per_second: int) -> None:
        """Make moves as one undo group, and show them at a speed; 0: at once."""
        game = self.model.game
        before = game.state, game.moves, game.pushes
        answer = self.model.perform(lurd)
        if isinstance(answer, Note):
            self.say(answer)
        elif per_second and lurd:
            from sokoterm.tui.widgets.animation import Animation, ShownPosition

            self._showing = Animation(self.model.level.board, ShownPosition(*before), lurd, per_second)
