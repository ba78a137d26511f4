"""Playing a level: its keys and the mouse, and the picture."""

from collections.abc import Callable, Iterable

from sokoterm.app.keymap import DIGITS, KEYMAPS, Keymap, Keymaps, shown
from sokoterm.app.level_figures import LevelFigures, Win, figures_of
from sokoterm.app.outcome import Answer, Note
from sokoterm.app.play import PlayModel
from sokoterm.app.request import Browse, Close, EndRun, OpenPlanner, Start
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.game import Game
from sokoterm.engine.lurd import direction_of, parse_lurd
from sokoterm.engine.lurd import play as play_moves
from sokoterm.engine.value import Value
from sokoterm.store.solutions import Best, Summary
from sokoterm.tui.screens.screen import Reaction, Screen, pace
from sokoterm.tui.terminal.terminal import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Chrome,
    Hints,
    Size,
    draw_board,
    draw_keys,
    place_board,
    place_chrome,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.wording.columns import clipped, fitting, folded, text_width
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.outcomes import phrase, progress
from sokoterm.wording.packs import also, awaited_title, solved_text, words_of

_COUNTERS = 26  # columns kept for the counters, so that the message beside them stands still
MESSAGE_COLUMNS = 80 - _COUNTERS  # the columns beside them in the usual window
_ROOMY = 60  # columns from which the message has room beside the counters
_SOLVING = "solving:"
_MOVE = "move"
_MOVES = {f"{run}{direction.name.lower()}" for direction in Direction for run in ("", "run ")}
_FOOTER = {
    "undo": "undo", "plan": "plan", "hint": "hint", "solve": "solve", "restart": "reset", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
_SEARCHING_FOOTER = {
    "undo": "undo", "plan": "plan", "solve": "watch", "cancel": "stop", "browse": "list", "help": "help",
    "quit": "quit",
}  # fmt: skip
_SHARING_FOOTER = {
    "undo": "undo", "plan": "plan", "hint": "hint", "copy": "share", "restart": "reset", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
# Why a position is dead, of the marked boxes; short enough for the room beside the counters.
_REASONS = {
    DeadlockKind.DEAD_SQUARE: "a box that can reach no goal",
    DeadlockKind.FREEZE: "boxes that no push can move",
    DeadlockKind.CLOSED_DIAGONAL: "boxes stuck in a zigzag",
    DeadlockKind.BIPARTITE: "too few goals for these boxes",
    DeadlockKind.RETROGRADE: "a goal is closed off",
    DeadlockKind.PAIR: "boxes that block each other",
    DeadlockKind.CORRAL: "boxes that are shut in",
}
# The prompt.
_QUESTIONS = {"bookmark": "bookmark under which letter?", "to bookmark": "return to which bookmark?"}
_NUMBER = "go to level"
_DATE_SIGNS = DIGITS | {"-"}
_LONGEST_DATE = len("2026-11-22")
# The moves of an undo that are shown: fewer are as plain at once, and more take long to work out.
_LEAST_SHOWN, _MOST_SHOWN = 3, 2000
_SECOND = 1.0
# The boxes of a solved level light up, go out and light up again.
_FLASHES = 7
_FLASH_SECONDS = 0.15


class Prompt:
    """A question in the footer, which the next keys answer: a number or date, or the letter of a bookmark."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._action = ""
        self._number = ""
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
        self._action = self._number = self._question = ""

    def text(self, bookmarks: Iterable[str]) -> str:
        """Return the question, with the bookmarks that are set; empty if nothing is asked."""
        if self._action == _NUMBER:
            return f"{self._noun}, then Enter: {self._number}"
        if self._question:
            return self._question
        names = " ".join(sorted(bookmarks))
        if self._action == "to bookmark" and names:
            return f"return to which bookmark? ({names})"
        return _QUESTIONS.get(self._action, "")

    def answer(self, key: str) -> tuple[str, str] | None:
        """Take a key; return the action and its complete answer, None before that and for what is no answer."""
        if self._action == _NUMBER and (key in _DATE_SIGNS or key == "backspace"):
            self._number = self._number[:-1] if key == "backspace" else (self._number + key)[-_LONGEST_DATE:]
            return None
        action, number, is_whether = self._action, self._number, bool(self._question)
        self.close()
        if is_whether:
            return (action, key) if key == "y" else None
        if action == _NUMBER:
            is_end = key == "enter" or key in self._keymap.keys_of(action)
            return (action, number) if is_end and number else None
        is_name = len(key) == 1 and (key.isalpha() if action == "bookmark" else key.isalnum())
        return (action, key) if is_name else None

    def paste(self, text: str) -> bool:
        """Add a number or date where one is asked for; a letter is never pasted."""
        if self._action == _NUMBER and _DATE_SIGNS.issuperset(text):
            self._number = (self._number + text)[-_LONGEST_DATE:]
        return self.is_open


class ShownPosition(Value):
    """An intermediate position of an animation, with its counters."""

    state: State
    moves: int
    pushes: int
    facing: Direction


class Animation:
    """The positions between two, or some of them: see ``pace``."""

    def __init__(
        self, board: Board, start: ShownPosition, lurd: str, per_second: int, *, is_backward: bool = False
    ) -> None:
        """``lurd`` are the moves from ``start``, made or taken back; raises LurdError if they cannot be made."""
        self.seconds, step = pace(len(lurd), per_second)
        self._pictures: list[ShownPosition] = []
        pushes, rest = start.pushes, len(lurd) % step if is_backward else 0
        for number, (state, letter) in enumerate(play_moves(board, start.state, parse_lurd(lurd)), start=1):
            pushes += letter.isupper()
            if number % step == rest and number < len(lurd):
                self._pictures.append(ShownPosition(state, start.moves + number, pushes, direction_of(letter)))
        if not is_backward:
            self._pictures.reverse()

    @property
    def shown(self) -> ShownPosition | None:
        """The position to draw now; None at the end, where it is that of the play."""
        return self._pictures[-1] if self._pictures else None

    def go_on(self) -> None:
        """Go on to the next position."""
        self._pictures.pop()


class PlayScreen(Screen):
    """The board of a level in play, with its prompt, its status line and moves that are shown one by one."""

    def __init__(
        self, model: PlayModel, keymaps: Keymaps = KEYMAPS, *, per_second: int = 0, has_timer: bool = False
    ) -> None:
        """``per_second`` is the speed at which moves are shown, 0 for not at all.

        ``has_timer``: the panel of a wide window shows the time played.
        """
        self.model = model
        self.keymaps = keymaps
        self.keymap = keymaps.play
        self.solved_before: Best | None = None
        self.place: BoardPlace | None = None
        self._prompt = Prompt(self.keymap)
        self._showing: Animation | None = None
        self._per_second = per_second
        self._is_win_seen = False
        self._hides_card = False
        self._flashes = 0
        self._has_timer = has_timer
        self._figures: LevelFigures | None = None

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
    def comment(self) -> str:
        """The line above the board."""
        model = self.model
        key = self.keymap.key_of("end run")
        is_solved = model.game.is_solved and self.shown is None
        return words_of(model.pack_session).remark(model.level, key, is_solved=is_solved)

    @property
    def prompt(self) -> str:
        """The question that the next key answers; empty for none."""
        return self._prompt.text(self.model.game.bookmarks)

    @property
    def win(self) -> Win | None:
        """The win whose card is shown: as long as the position is that of the win, until a key other than a move."""
        win = self.model.win
        is_hidden = self._hides_card or self._flashes or self.prompt or self.shown or self.message
        return None if is_hidden or win is None or self.model.game.lurd != win.lurd else win

    @property
    def other_names(self) -> str:
        """``also Pufiban 126 and 2 more``: the other packs with the level, as far as they are known by now."""
        lookups = self.model.pack_session.lookups
        return also(lookups.other_places(self.model.level), lookups.key, 1)

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
        was_moving = self._showing is not None or self._flashes > 0
        self._showing, self._flashes = None, 0
        return was_moving

    def settle(self) -> None:
        self._flashes = 0

    def fit(self, size: Size, appearance: Appearance) -> None:
        board = self.model.level.board
        chrome, square = place_chrome(size, board, appearance, has_comment=bool(self.comment))
        self._figures = figures_of(self.model.pack_session, self.model.level) if chrome.panel is not None else None
        self.place = place_board(board, (self.shown or self.game).state.player, chrome.board, square, self.place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_play(self, size, appearance)

    def draw_panel(self, canvas: Canvas, area: Area, appearance: Appearance, hints: Hints, question: str = "") -> None:
        """Draw the panel of a wide window: the level, its figures or a question about it, and keys."""
        from sokoterm.tui.screens.side_panel import SidePanel
        from sokoterm.wording.side_panel import PanelWords

        words = PanelWords(self.model, self.keymap.key_of("end run"), has_timer=self._has_timer)
        panel = SidePanel(canvas, area, words, hints, appearance.theme)
        if question:
            panel.put_question(question)
        elif self.win is not None:
            from sokoterm.tui.screens.highlights import win_card

            panel.put_win(win_card(self.model, self.win, self.keymap, appearance))
        elif self._figures is not None:
            panel.put_level(self._figures)

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
        pack_session = self.model.pack_session
        match action:
            case "bookmark" | "to bookmark":
                self._prompt.ask(action)
            case "go to level":
                self._prompt.ask_number(words_of(pack_session).number_noun)
            case "end run" if (run := self.model.run) is not None:
                from sokoterm.wording.generated import end_question

                self._prompt.ask_whether(action, end_question(run))
            case "undo" | "redo":
                self._undo_or_redo(action)
            case _:
                return self.say(self.model.act(action))
        return None

    def _undo_or_redo(self, action: str) -> None:
        """Undo or redo a group of moves, and show them if they are many."""
        game = self.model.game
        before, lurd = self._position(), game.lurd
        self.say(self.model.act(action))
        if not self._per_second:
            return
        is_backward = action == "undo"
        start, shorter, longer = (self._position(), game.lurd, lurd) if is_backward else (before, lurd, game.lurd)
        if _LEAST_SHOWN <= len(longer) - len(shorter) <= _MOST_SHOWN and longer.startswith(shorter):
            moves = longer[len(shorter) :]
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
        elif self._per_second and len(lurd) > 1:
            self._showing = Animation(self.model.level.board, before, lurd, self._per_second)


def view_play(play: PlayScreen, size: Size, appearance: Appearance) -> Frame:
    """Draw header, the comment's first line, the board, the status line and the keys that matter now."""
    canvas = Canvas(*size)
    level, now, comment = play.model.level, play.shown or play.game, play.comment
    deadlock = None if play.shown else play.model.deadlock
    dead = deadlock.boxes if deadlock else 0
    place = play.place
    assert place is not None  # see ``fit``
    chrome, _ = place_chrome(size, level.board, appearance, has_comment=bool(comment))
    cursor = draw_board(canvas, place, level, now.state, appearance.theme, dead, now.facing)
    if play.is_lit:
        from sokoterm.tui.screens.highlights import draw_lit_boxes

        draw_lit_boxes(canvas, place, level.board, now.state, appearance.theme)
    hinted = play.model.hinted if play.shown is None and not dead else None
    if hinted is not None:
        from sokoterm.tui.screens.highlights import draw_hinted_box

        draw_hinted_box(canvas, place, level.board, hinted, appearance.theme)
    if chrome.header >= 0:
        canvas.put(chrome.header, 0, clipped(header(play), size.columns), styles.TITLE)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, clipped(comment, size.columns), styles.QUIET)
    counters = f"moves {now.moves}"
    counters = counters.ljust(12) if size.columns >= _ROOMY else counters
    counters += f" pushes {now.pushes}"
    canvas.put(chrome.status, 0, counters if len(counters) <= size.columns else f"{now.moves}/{now.pushes}")
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, footer(play))
    elif chrome.panel is not None:
        play.draw_panel(canvas, chrome.panel, appearance, _panel_hints(play))
    elif size.columns >= len(counters) + 8 and size.columns < _ROOMY:
        draw_keys(canvas, chrome.status, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], size.columns - 6)
    _draw_status_message(canvas, play, chrome, comment)
    if play.win is not None and chrome.panel is None:
        _draw_card(canvas, play, play.win, chrome.board, appearance)
    return canvas.frame(cursor)


def _draw_card(canvas: Canvas, play: PlayScreen, win: Win, within: Area, appearance: Appearance) -> None:
    """Draw the card of a win, if there is room for it."""
    from sokoterm.tui.screens.highlights import win_card
    from sokoterm.tui.widgets.card import place_card

    card = win_card(play.model, win, play.keymap, appearance)
    if play.place is not None and (area := place_card(card, within, play.place)) is not None:
        card.draw(canvas, area)


def _draw_status_message(canvas: Canvas, play: PlayScreen, chrome: Chrome, comment: str) -> None:
    """Draw the message beside the counters, or wherever there is room for it."""
    text, style = status_message(play, comment if chrome.comment < 0 and chrome.panel is None else "")
    is_remark = chrome.comment < 0 and text != "" and text == comment
    is_brief = bool(play.message) and text.endswith(play.message)
    fits = text_width(text) <= canvas.width - _COUNTERS or chrome.footer < 0 and not is_brief
    has_room = canvas.width >= _ROOMY and fits
    if has_room:
        canvas.put(chrome.status, _COUNTERS, clipped(text, canvas.width - _COUNTERS), style)
    elif is_remark:
        # The header comes back with the first move; before it a player needs the keys more.
        while text_width(text) > canvas.width and "; " in text:
            text = text.rpartition("; ")[0]
        if text_width(text) <= canvas.width:
            canvas.put(chrome.header, 0, text.ljust(canvas.width), style)
    elif text:
        if play.model.game.is_solved and play.model.has_next and not play.shown:
            text = text.replace("level solved", f"solved: {play.keymaps.play.key_of('accept')} next", 1)
        if text_width(text) > canvas.width:
            text = text.replace("level solved, pack done", "solved", 1)
            text = text.replace("this position cannot be solved", "dead", 1)
        aid = f"{play.keymaps.play.key_of('help')} {_FOOTER['help']}"
        if text.startswith(_SOLVING) and text_width(text) + 2 + len(aid) > canvas.width:
            text = f"{_SOLVING} {' '.join(text.split()[-2:])}"  # the seconds alone
        row = _draw_message(canvas, chrome, text, style, is_brief=is_brief)
        if not play.prompt and chrome.panel is None and text_width(text) + 2 + len(aid) <= canvas.width:
            draw_keys(canvas, row, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], canvas.width - len(aid))


def _draw_message(canvas: Canvas, chrome: Chrome, text: str, style: str, *, is_brief: bool) -> int:
    """Draw a message in place of the footer, or else of the header; return its last row.

    A brief one, which goes with the next key, also takes the line of the counters and those above it if it is too long
    for one line, for it ends with what to do next: all that are blank, and others up to half of the window.
    """
    width = canvas.width
    lines = folded(text, width) if is_brief else [text]
    rows = [chrome.footer] if chrome.footer >= 0 else []
    if len(lines) > 1:
        rows.insert(0, chrome.status)
        while len(rows) < len(lines) and (len(rows) < canvas.height // 2 or canvas.is_blank(rows[0] - 1)):
            rows.insert(0, rows[0] - 1)
    rows = rows or [chrome.header if chrome.header >= 0 else chrome.status]
    lines = [*lines[: len(rows) - 1], " ".join(lines[len(rows) - 1 :])]
    for row, line in zip(rows[-len(lines) :], lines, strict=True):
        canvas.put(row, 0, clipped(line, width).ljust(width), style)
    return rows[-1]


def header(play: PlayScreen) -> str:
    """Return ``First Steps 3/24  A corner is for ever  by its author``."""
    level, words = play.model.level, words_of(play.model.pack_session)
    author = words.author(level)
    parts = (words.heading(level), words.title_below_heading(level), f"by {author}" if author else "")
    return "  ".join(filter(None, parts))


def status_message(play: PlayScreen, comment: str) -> tuple[str, str]:
    """Return the text beside the counters and its style; ``comment`` if there is nothing else to say."""
    if play.prompt:
        return play.prompt, styles.KEY
    if play.shown:
        return "", PLAIN
    if play.model.game.is_solved:
        hides_it = play.message and "solved" not in play.message
        return f"level solved; {play.message}" if hides_it else play.message or _solved_text(play), styles.GOOD
    if play.message:
        return play.message, PLAIN
    if play.model.hints.is_searching and play.model.hints.has_offer:
        return f"solution found: {play.keymaps.play.key_of('replay')} shows it; still searching", styles.GOOD
    if play.model.hints.is_searching:
        latest = play.model.hints.progress
        return f"{_SOLVING} {progress(latest) if latest else '...'}", PLAIN
    if deadlock := play.model.deadlock:
        back = f", {play.keymaps.play.key_of('undo dead')} goes back" if play.model.has_way_back else ""
        if deadlock.kind is DeadlockKind.LEARNED:
            return f"this position cannot be solved: proven{back}", styles.WARNING
        return f"dead{back}: {_REASONS[deadlock.kind]}", styles.WARNING
    if play.model.hints.has_offer:
        return phrase(Note.SOLUTION_OFFERED, play.keymap), styles.GOOD
    best = play.model.pack_session.best(play.model.level).by_moves
    if play.model.game.moves:
        return "", PLAIN
    goes_on = f"{play.keymaps.play.key_of('accept')} continues"
    if best:
        text = f"your best: {moves_and_pushes(best)}"
        return fitting((f"{text}; {play.other_names or goes_on}", f"{text}; {goes_on}", text), MESSAGE_COLUMNS), PLAIN
    known = words_of(play.model.pack_session).known_hint(play.model.level, play.keymaps.play.key_of("replay"))
    both = "; ".join(filter(None, (known, play.other_names)))
    return comment or (known if known and len(both) > MESSAGE_COLUMNS else both), PLAIN


def footer(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now; the first one changes, at a width that leaves the others where they are."""
    if play.prompt:
        return [(shown("esc"), "cancel")]
    keymap = play.keymaps.play
    is_solved = play.model.game.is_solved and not play.shown
    goes_on = is_solved and play.model.has_next
    can_share = is_solved and play.model.has_result
    key, label = (keymap.key_of("accept"), "next") if goes_on else (keymap.move_keys, _MOVE)
    width = len(f"{keymap.move_keys} {_MOVE}") - len(key) - 1
    others = _SEARCHING_FOOTER if play.model.hints.is_searching else _SHARING_FOOTER if can_share else _FOOTER
    return [(key, label.ljust(width)), *[(keymap.key_of(action), label) for action, label in others.items()]]


def _panel_hints(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now, in a panel: after a win some are on its card, on a dead board U comes first."""
    hints = footer(play)
    if play.prompt or play.shown:
        return hints
    key_of = play.keymaps.play.key_of
    if play.model.game.is_solved:
        labels = {
            "replay": "replay",
            "copy": "share" if play.model.has_result else "copy",
            "undo": "undo",
            "restart": "reset",
        }
        on_card = labels if play.win else {}
        actions = {**labels, "browse": "list", "help": "help", "quit": "quit"}
        return [*hints[:1], *((key_of(action), label) for action, label in actions.items() if action not in on_card)]
    if play.model.deadlock and play.model.has_way_back:
        labels = {
            "undo dead": "go back",
            "undo": "undo",
            "restart": "reset",
            "browse": "list",
            "help": "help",
            "quit": "quit",
        }
        return [(key_of(action), label) for action, label in labels.items()]
    return hints


def _solved_text(play: PlayScreen) -> str:
    """Return ``level solved, new best (was 97 moves, 23 pushes)``; those of this time stand beside it."""
    if play.solved_before is None:
        return ""
    moves, pushes = play.solved_before.by_moves, play.solved_before.by_pushes
    if text := solved_text(play.model, play.keymaps.play.key_of("accept")):
        return f"level solved; {text}"
    browse = play.keymaps.play.key_of("browse")
    solved = "level solved" if play.model.has_next else f"level solved, pack done: {browse} other packs"
    best = "" if moves is None or pushes is None else moves_and_pushes(Summary(moves.moves, pushes.pushes))
    if moves is None or pushes is None:
        text = solved
    elif play.model.game.moves < moves.moves or play.model.game.pushes < pushes.pushes:
        text = f"{solved}{',' if play.model.has_next else ';'} new best (was {best})"
    else:
        text = f"{solved} (best {best})"
    game, words = play.model.game, words_of(play.model.pack_session)
    if verdict := words.score_verdict(play.model.level, game.moves, game.pushes):
        return f"{solved}; {verdict}"
    with_names = f"{text}; {play.other_names}"
    return with_names if play.other_names and len(with_names) <= MESSAGE_COLUMNS else text


class MakingScreen(Screen):
    """Counts the seconds while the level that the player waits for is made.

    The keys are those of play, as far as they mean something without a board.
    """

    def __init__(self, awaited: Start, keymap: Keymap, clock: Callable[[], float], *, is_alone: bool) -> None:
        """``is_alone``: nothing is below, to go back to."""
        self.keymap = keymap
        self.awaited = awaited
        self._is_alone = is_alone
        self._clock = clock
        self._begun = clock()

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        self.message = ""
        match action:
            case "browse":
                return Browse()
            case "cancel":
                return Browse() if self._is_alone else Close()
        return None

    def wake_after(self) -> float | None:
        return _SECOND

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas = Canvas(*size)
        canvas.put(0, 0, clipped(awaited_title(self.awaited), size.columns), styles.TITLE)
        seconds = int(self._clock() - self._begun)
        canvas.put(2, 0, clipped(f"making the level ...{f' {seconds} s' if seconds else ''}", size.columns))
        canvas.put(size.rows - 2, 0, clipped(self.message, size.columns))
        back = "list" if self._is_alone else "back"
        labels = {"cancel": back, "help": "help", "quit": "quit"}
        draw_keys(canvas, size.rows - 1, [(self.keymap.key_of(action), label) for action, label in labels.items()])
        return canvas.frame((2, 0))
