"""The screen for playing a level: keys, mouse, animation and the frame."""

from collections.abc import Callable, Iterable, Sequence

from sokoterm.app.keymap import DIGITS, KEYMAPS, Keymaps, shown
from sokoterm.app.options import DAILY
from sokoterm.app.play import PlayModel, Win
from sokoterm.app.request import Answer, Ask, Collect, Improved, Note, OpenPlanner
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.game import Game
from sokoterm.language import N_, _, in_clauses, number, pgettext
from sokoterm.store.solutions import Best
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.motion import CARD_SECONDS, LIGHT_SECONDS, Lights, ShownPosition, on_the_way, win_lights
from sokoterm.tui.screens.panel import Panel
from sokoterm.tui.screens.screen import BoardScreen, Prompt, Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, Chrome, comment_lines, draw_board, mark_squares
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Area, Frame, Hints, Size, StatusText
from sokoterm.tui.widgets.parts import Card
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import GLOW, HINTED, LIT, paint
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, padded, text_width
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.outcomes import deadlock_reason, improvement_elsewhere, improvement_text, phrase, progress
from sokoterm.wording.packs import words_of

_MOVES = {f"{run}{direction.name.lower()}" for direction in Direction for run in ("", "run ")}
_DATE_SIGNS = DIGITS | {"-"}  # also of level numbers
_LONGEST_DATE = len("2026-11-22")
# Undone moves to animate: fewer need no animation, more take long to compute.
_LEAST_SHOWN, _MOST_SHOWN = 3, 2000
_MANY = 9999  # counters up to here keep their width
_USUAL_COLUMNS = 80  # of the usual window
_COMMENT_ROWS = 2  # at most
_ROOMY = 60  # minimum columns of a window with the message beside the counters
_LABELS = {
    # Translators: the labels of keys below the board; a line of 80 columns has room for most of them if they are short.
    "undo": N_("undo"), "restart": N_("reset"), "hint": N_("hint"), "solve": N_("solve"), "plan": N_("plan"),
    "browse": N_("list"), "help": N_("help"), "quit": N_("quit"), "cancel": N_("stop"), "replay": N_("replay"),
    "improve": N_("improve"), "copy": N_("share"), "collect": N_("collect"),
    "previous level": N_("yesterday"),
}  # fmt: skip
_FOOTER = ("undo", "restart", "hint", "solve", "plan", "browse", "help", "quit")
_SEARCHING_FOOTER = ("undo", "solve", "cancel", "plan", "browse", "help", "quit")
_IMPROVING_FOOTER = ("undo", "restart", "replay", "improve", "plan", "browse", "help", "quit")
_SOLVED_FOOTER = ("undo", "replay", "improve", "browse", "collect", "restart", "help", "quit")
_DAY_FOOTER = ("copy", "replay", "improve", "previous level", "browse", "help", "quit")
_SHARING_FOOTER = ("undo", "replay", "copy", "restart", "browse", "help", "quit")


class PlayScreen(BoardScreen):
    """A level in play: the board with lines or a panel around it, questions, and animated moves."""

    def __init__(
        self,
        model: PlayModel,
        keymaps: Keymaps = KEYMAPS,
        *,
        per_second: int = 0,
        has_timer: bool = False,
        improving_elsewhere: Callable[[], Improved | None] = lambda: None,
        collection: Callable[[], str] = lambda: "",
    ) -> None:
        """``per_second``: speed of animated moves, 0 for none; ``has_timer``: show the time played in a wide window;
        ``improving_elsewhere``: the running improvement of another level; ``collection``: the pack to collect into."""
        self.model = model
        self.keymaps = keymaps
        self.keymap = keymaps.play
        self.solved_before: Best | None = None
        self.is_drawn = False  # in the editor, to which a key returns
        self._words = words_of(model.pack_session)
        self._wait: Prompt | None = None  # for an answer from a website
        self._showing = list[ShownPosition]()  # positions to show, the next one last, and the seconds of each
        self._seconds = 0.0
        self.per_second = per_second
        self._improving_elsewhere = improving_elsewhere
        self._collection = collection
        self._is_win_seen = False
        self._hides_card = False
        self.shows_day = False  # the card of a solved day replaces the board until the next key
        self._lights = list[Lights]()  # frames of a win still to be shown
        self._panel = Panel(model, self.keymap.key_of("end run"), has_timer=has_timer)
        # For the next frame, set by ``fit``.
        self._named: str | None = None
        self._parts = [""]
        self._comment = ""
        self._has_next = False
        # The columns of the pushes and of the message, which do not move.
        moves, pushes = map(text_width, _counters(_MANY, _MANY))
        self._columns = moves + 3, moves + 3 + pushes + 2
        self._move_keys = self.keymap.keys_towards()

    @property
    def shown(self) -> ShownPosition | None:
        """The position to draw while moves are animated, else None."""
        return self._showing[-1] if self._showing else None

    @property
    def is_solved_day(self) -> bool:
        return self.model.pack_session.key == DAILY and self.model.game.is_solved

    @property
    def game(self) -> Game:
        return self.model.game

    @property
    def board(self) -> Board:
        return self.model.level.board

    @property
    def comment(self) -> str:
        """The line above the board."""
        return self._words.remark(self.model.level, self.keymap.key_of("end run"), is_solved=self._is_solved)

    @property
    def _is_solved(self) -> bool:
        return self.model.game.is_solved and self.shown is None

    @property
    def _is_pack_done(self) -> bool:
        return self._is_solved and not self._has_next and not self.model.pack_session.is_generated

    @property
    def header(self) -> str:
        """For example ``First Ice 3/16  Round the pillar  sliding  by its author``; ordinary Sokoban is not named."""
        return "  ".join(self._header_parts()).rstrip()

    def _header_parts(self) -> list[str]:
        level, words = self.model.level, self._words
        author = words.author(level)
        by = _("by {author}", author=author) if author else ""
        parts = (words.heading(level), words.title_below_heading(level), kind_text(level.board))
        return [*filter(None, parts), by]

    def wake_after(self) -> float | None:
        if self._showing:
            return self._seconds
        if self._lights:
            return LIGHT_SECONDS if len(self._lights) > 1 else CARD_SECONDS
        return self.model.wake_after()

    def tick(self) -> None:
        if self._showing:
            del self._showing[-1]
        elif self._lights:
            del self._lights[0]
        else:
            self.model.tick()

    def interrupt(self) -> bool:
        was_moving = bool(self._showing)
        self._showing, self._lights = [], []
        return was_moving

    def settle(self) -> None:
        self._lights = []

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        was_day = self.shows_day
        self._clear()
        if was_day and action in ("accept", "cancel"):
            return None
        self._hides_card = action not in _MOVES
        if self.question is not None:
            return self.answer(self.question, key)
        return self.act(action) if action is not None else None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a message; a notice waits until the player has seen that the level is solved."""
        is_news = self.model.game.is_solved and not self._is_win_seen
        return (is_answer or not is_news) and super().tell(message, is_answer=is_answer)

    def celebrate(self) -> None:
        """Celebrate a win: boxes and walls light up, if motion is on, then the card is shown."""
        self._hides_card = False
        self._lights = win_lights(self.model.level, self.model.game.lurd) if self.per_second else []

    def _clear(self) -> None:
        """Clear the message and end animations, on a key or button."""
        self._is_win_seen = self.model.game.is_solved and not self._showing
        self.shows_day = False
        self._showing, self._lights = [], []
        self.message = ""

    def act(self, action: str) -> Reaction | None:
        """Carry out an action of the keymap, asking for what else it needs."""
        match action:
            case "bookmark":
                asked = _("bookmark under which letter?")
                self.question = Prompt(asked, lambda name: self.say(self.model.set_bookmark(name)), takes=str.isalpha)
            case "to bookmark":
                names = " ".join(sorted(self.model.game.bookmarks))
                asked = _("return to which bookmark? ({names})", names=names)
                asked = asked if names else _("return to which bookmark?")
                go = self.model.go_to_bookmark
                self.question = Prompt(asked, lambda name: self.say(go(name)), takes=str.isalnum)
            case "collect into":
                level, name = (self.model.pack_session, self.model.level.number), self._collection()
                asked = _("into which pack? ({name})", name=name)
                self.question = Prompt(f"{asked} ", lambda typed: Collect(*level, typed or name), "", _("collect"))
            case "go to level":
                # Translators: what is typed is a level number, a date or a floor.
                asked = _("{noun}, then {key}: {typed}", noun=self._words.number_noun, key=shown("enter"), typed="")
                ends = ("enter", *self.keymap.keys_of(action))
                self.question = Prompt(asked, self._go_to_level, "", signs=_DATE_SIGNS, ends=ends, most=_LONGEST_DATE)
            case "end run" if (run := self.model.run) is not None:
                asked = _("end the run on floor {number}? y ends it", number=run.depth)
                self.question = Prompt(asked, lambda __: Ask.END_RUN)
            case "accept" if self.is_solved_day and not self.model.has_next:
                self.shows_day = True
            case "accept" if self._is_pack_done:
                return Ask.LEAVE_PACK
            case "undo" | "redo":
                self._act_in_view(action, _LEAST_SHOWN)
            case _ if action in _MOVES and self.board.ice:
                self._act_in_view(action, _MOST_SHOWN)
            case _:
                return self.say(self.model.act(action))
        return None

    def wait_for_site(self) -> None:
        """Wait for letslogic.com; the next key cancels that."""
        self.question = self._wait = Prompt(_("asking letslogic.com ... any key cancels"), takes=lambda __: False)

    def end_wait(self, question: str) -> None:
        """If still waiting, ask whether to send better solutions, if there are any."""
        if self.question is not None and self.question is self._wait:
            self.question = Prompt(question, self._send) if question else None

    def _send(self, __: str) -> Reaction:
        self.message = _("sending ...")
        return Ask.SEND

    def _go_to_level(self, text: str) -> Reaction | None:
        return self.say(self.model.go_to_level(self.model.pack_session.find_number(text)))

    def _act_in_view(self, action: str, least: int) -> None:
        before, longer = self._position(), self.model.game.lurd
        self.say(self.model.act(action))
        after, shorter = self._position(), self.model.game.lurd
        is_backward = len(shorter) < len(longer)
        if not is_backward:
            shorter, longer = longer, shorter
        moves = longer[len(shorter) :]
        if longer.startswith(shorter) and len(moves) <= _MOST_SHOWN:
            self._show(after if is_backward else before, moves, least, is_backward=is_backward)

    def _show(self, start: ShownPosition, lurd: str, least: int, *, is_backward: bool = False) -> None:
        """Animate at least ``least`` moves, or fewer if a box slides."""
        if self.per_second and lurd:
            self._showing, self._seconds = on_the_way(
                self.board, start, lurd, self.per_second, least, is_backward=is_backward
            )

    def _position(self) -> ShownPosition:
        game = self.model.game
        return ShownPosition(game.state, game.moves, game.pushes, game.stance)

    def perform(self, lurd: str) -> None:
        """Make moves as one undo group, animated."""
        before = self._position()
        answer = self.model.perform(lurd)
        if isinstance(answer, Note):
            self.say(answer)
        else:
            self._show(before, lurd, 2)

    def say(self, answer: Answer) -> Reaction | None:
        """Show an outcome in the status line; return requests to the session."""
        if answer is None or isinstance(answer, Reaction):
            self.message = ""
            return answer
        self.message = phrase(answer, self.keymap, self.model.pack_session)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Click: walk to a floor square, or open the planner for a box; right button: for an empty goal."""
        if not pointer.is_press or pointer.button not in ("left", "right"):
            return None
        self._clear()
        self.question = None
        square, model, board, state = self.square_under(pointer), self.model, self.board, self.model.game.state
        if square is None or square == state.player and pointer.button == "left":
            return None
        is_box = state.boxes >> square & 1
        answer: Answer = None
        if pointer.button == "left" and is_box:
            answer = model.why_no_planning or OpenPlanner(box=square)
        elif pointer.button == "left" and board.floor >> square & 1:
            answer = model.walk_to(square)
        elif pointer.button == "right" and board.goals >> square & 1:
            answer = Note.GOAL_FILLED if is_box else model.why_no_planning or OpenPlanner(goal=square)
        return self.say(answer)

    # The frame

    def fit(self, size: Size, appearance: Appearance) -> None:
        model = self.model
        # Checking all levels of a large solved pack takes time.
        self._has_next = self._is_solved and model.has_next
        self._comment = self.comment
        if model.pack_session.name != self._named:  # at first, and after renaming the pack
            self._named, self._parts = model.pack_session.name, self._header_parts()
        player = (self.shown or model.game).state.player
        rows = self.comment_rows(size.columns)
        chrome = self.lay_out(model.level.board, player, size, appearance, comment_rows=rows)
        if chrome.panel is not None:
            self._panel.count()

    def comment_rows(self, columns: int) -> int:
        """Return the rows of the comment: at most one if it changes with each win, because the board must not move."""
        most = 1 if self.model.pack_session.is_generated else _COMMENT_ROWS
        return min(most, len(comment_lines(self._comment, columns)))

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, theme, model = Canvas(*size), appearance.theme, self.model
        (place, chrome), shown = self.laid_out, self.shown
        if self.shows_day:
            # With the first solved daily level.
            from sokoterm.app.generated import DailyPack
            from sokoterm.tui.screens.daily import draw_day

            assert isinstance(model.pack_session, DailyPack)
            draw_day(canvas, model.pack_session, model.level)
            labels = {action: _(_LABELS[action]) for action in _DAY_FOOTER}
            canvas.draw_page(StatusText(self.message), self.keymap.hints(labels))
            return canvas.frame()
        now, deadlock, is_moving = shown or model.game, model.deadlock if shown is None else None, shown is not None
        dead = deadlock.boxes if deadlock is not None else 0
        cursor = draw_board(canvas, place, model.level, now.state, theme, dead, now.stance)
        if self._lights and not is_moving:
            self._mark_boxes(canvas, place, self._lights[0][0], theme, LIT, styles.CHOSEN)
            self._mark_boxes(canvas, place, self._lights[0][1], theme, GLOW, styles.ACCENT)
        if not (is_moving or dead or self._is_solved) and (hinted := model.hinted) is not None:
            self._mark_boxes(canvas, place, [hinted], theme, HINTED, styles.PICKED)
        hints = self._hints(has_panel=chrome.panel is not None)
        header = "  ".join(self._parts).rstrip()
        if text_width(header) > size.columns:
            header = "  ".join(self._parts[:-1])  # without the author
        chrome.draw(canvas, header, self._comment, hints)
        if chrome.panel is None:
            self._draw_counters(canvas, chrome, *_counters(now.moves, now.pushes), f"{now.moves}/{now.pushes}")
        self._draw_status(canvas, chrome)
        told = None
        if self._win is not None:
            from sokoterm.tui.screens.win import draw_win  # with the first win

            keys = {self.keymap.key_of(action) for action in ("replay", "improve", "copy")}
            of_win = [hint for hint in hints if hint[0] in keys]
            told = draw_win(canvas, chrome, place, model, self.keymap, of_win, is_new=self._is_progress_new)
        if chrome.panel is not None:
            self.draw_panel(canvas, chrome.panel, hints, told)
        return canvas.frame(cursor)

    def _draw_counters(self, canvas: Canvas, chrome: Chrome, moves: str, pushes: str, briefly: str) -> None:
        """Draw the counters below the board, in a small window without keys also the help key."""
        columns = canvas.width
        if columns >= _ROOMY:
            moves = padded(moves, self._columns[0] - 1)
        width = text_width(counters := f"{moves} {pushes}")
        canvas.put(chrome.status, 0, counters if width <= columns else briefly)
        if chrome.footer < 0 and columns < _ROOMY:
            aid = columns - text_width(" ".join(self._aid))
            if width + 2 <= aid:
                canvas.draw_keys(chrome.status, [self._aid], aid)

    def draw_panel(self, canvas: Canvas, area: Area, hints: Hints, told: Card | None) -> None:
        """Draw the panel of a wide window, also for a screen above this one."""
        now, is_new = self.shown or self.model.game, self._is_progress_new
        self._panel.draw(canvas, area, hints, told, now, is_progress_new=is_new)

    @property
    def _is_progress_new(self) -> bool:
        """True until the pack's new progress has been shown."""
        return bool(self._lights) and self.model.win is not None and self.model.win.before is None

    @property
    def _win(self) -> Win | None:
        """The win whose card is shown: while its position is shown, until a key other than a move."""
        win = self.model.win
        is_early = len(self._lights) > 1
        if win is None or self._hides_card or is_early or self.question or self.shown or self.message:
            return None
        return win if self.model.game.lurd == win.lurd else None

    def _mark_boxes(
        self, canvas: Canvas, place: BoardPlace, boxes: Iterable[Square], theme: Theme, mark: str, style: str
    ) -> None:
        """Mark boxes on the board; ``style`` is for themes that are not painted."""
        style = paint(mark, is_floor=mark != GLOW) if theme.is_painted else style
        mark_squares(canvas, place, self.model.level, self.game.state, boxes, theme, style, over=(mark,))

    def _draw_status(self, canvas: Canvas, chrome: Chrome) -> None:
        """Draw the message beside the counters; if it does not fit, instead of the keys except help."""
        width, column, comment = canvas.width, self._columns[1], ""
        if chrome.panel is not None:
            column = 0  # the counters are in the panel
        elif chrome.comment < 0:
            comment = self._comment
        message = self._status(comment)
        text, style, key, is_brief = message
        if not text:
            return
        stays = chrome.footer < 0 and not is_brief
        if width >= _ROOMY and (stays or text_width(text) <= width - column):
            canvas.draw_message(chrome.status, message, column)
        elif self._is_solved and not is_brief and chrome.header >= 0:
            canvas.put(chrome.header, 0, padded(cut_at_a_word(text, width, key), width), style)
        elif text == comment:
            # The header returns with the first move; until then the keys matter more.
            between = pgettext("between clauses", "; ")
            while text_width(text) > width and between in text:
                text = text.rpartition(between)[0]
            if text_width(text) <= width:
                canvas.put(chrome.header, 0, padded(text, width), style)
        else:
            has_aid = self.question is None and chrome.panel is None
            aid = width - text_width(" ".join(self._aid))
            if text_width(text) > width and not is_brief:
                text = cut_at_a_word(text, aid - 2 if has_aid else width, key)
            row = _draw_message(canvas, chrome, text, style, is_brief=is_brief)
            if has_aid and text_width(text) <= aid - 2:
                canvas.draw_keys(row, [self._aid], aid)

    @property
    def _aid(self) -> tuple[str, str]:
        return self.keymap.key_of("help"), _("help")

    def _status(self, comment: str) -> StatusText:
        """Return the text beside the counters, ``comment`` if there is nothing else to say."""
        model, keymap = self.model, self.keymap
        if (question := self.question) is not None:
            typed = question.typed or ""
            return StatusText(question.asked + typed, styles.KEY, typed)
        if self.shown:
            return StatusText("")
        if self._is_solved:
            return self._solved_status()
        if self.message:
            return StatusText(self.message, is_brief=True)
        if told := self._improvement_status():
            return told
        offer = keymap.key_of("replay")
        if model.hints.is_searching and model.hints.has_offer:
            return StatusText(_("solution found: {key} shows it; still searching", key=offer), styles.GOOD, offer)
        if model.hints.is_searching:
            if (latest := model.hints.progress) is None:
                return StatusText(_("solving: ..."))
            # If the progress does not fit, keep the seconds.
            return StatusText(_("solving: {progress}", progress=progress(latest)), kept=number(latest.seconds, 1))
        if model.cannot_be_played:
            return StatusText(phrase(Note.CANNOT_BE_PLAYED, keymap))
        if model.deadlock is not None:
            return self._dead_status(model.deadlock.kind)
        if model.hints.has_offer:
            return StatusText(phrase(Note.SOLUTION_OFFERED, keymap), styles.GOOD, offer)
        if (improving := self._improving_elsewhere()) is not None:
            return self._beside_counters(*improvement_elsewhere(improving, keymap))
        if model.game.moves:
            return StatusText("")
        if best := model.pack_session.best(model.level).by_moves:
            figures, key = moves_and_pushes(best), keymap.key_of("accept")
            return StatusText(_("your best: {figures}; {key} continues", figures=figures, key=key), kept=key)
        return StatusText(comment or self._words.known_hint(model.level, offer), kept=offer)

    def _beside_counters(self, text: str, key: str, style: str = PLAIN) -> StatusText:
        return StatusText(cut_at_a_word(text, _USUAL_COLUMNS - self._columns[1], key), style, key)

    def _improvement_status(self) -> StatusText | None:
        improvement = self.model.hints.improvement
        if improvement is None or not (improvement.is_running or improvement.has_news):
            return None
        style = styles.GOOD if improvement.gain else PLAIN
        return self._beside_counters(*improvement_text(improvement, self.keymap), style)

    def _dead_status(self, kind: DeadlockKind) -> StatusText:
        key = self.keymap.key_of("undo dead") if self.model.has_way_back else ""
        if kind is DeadlockKind.LEARNED and key:
            text = _("proven unsolvable from here, {key} goes back", key=key)
        elif kind is DeadlockKind.LEARNED:
            text = _("proven unsolvable from here")
        elif key:
            text = _("dead, {key} goes back: {reason}", key=key, reason=deadlock_reason(kind))
        else:
            text = _("dead: {reason}", reason=deadlock_reason(kind))
        return StatusText(text, styles.WARNING, key)

    def _solved_status(self) -> StatusText:
        message, model = self.message, self.model
        if message in (phrase(Note.ALREADY_SOLVED, self.keymap), self._words.why_no_unsolved(model.level.number)):
            return StatusText(message, styles.GOOD, is_brief=True)
        solved = _("level solved")
        if message:
            return StatusText(in_clauses([solved, message]), styles.GOOD, is_brief=True)
        if told := self._improvement_status():
            return told._replace(style=styles.GOOD)
        if self.solved_before is None:
            return StatusText("", styles.GOOD)
        words, game = self._words, model.game
        key = self.keymap.key_of("accept")
        told_of_pack = words.solved_text(model.level, key)
        verdict = told_of_pack or words.score_verdict(model.level, game.moves, game.pushes)
        if self._is_pack_done and not verdict:  # the card and the footer say it too
            solved = _("level solved, pack done: {key} other packs", key=key)
        return StatusText(in_clauses([solved, verdict]), styles.GOOD, key)

    def _hints(self, *, has_panel: bool) -> Hints:
        """Return the keys that matter now; in the panel of a dead board, first the one that goes back."""
        model, keymap, is_solved = self.model, self.keymap, self._is_solved
        if self.question is not None:
            return self.question.hints
        if has_panel and not self.shown and model.deadlock and model.has_way_back:
            labels = {action: _(_LABELS[action]) for action in ("undo", "restart", "browse", "help", "quit")}
            return keymap.hints({"undo dead": _("go back"), **labels})
        first = (self._move_keys, pgettext("footer: the player moves", "move"))
        actions: Sequence[str] = _FOOTER
        labels = _LABELS
        if is_solved:
            next_label = pgettext("footer: the next level", "next") if self._has_next else pgettext("footer", "day")
            if self._is_pack_done:
                next_label = _("packs")
            first = (keymap.key_of("accept"), next_label)
            actions = _SHARING_FOOTER if model.has_result and not model.is_improving else _SOLVED_FOOTER
        elif model.is_improving:
            actions = _IMPROVING_FOOTER
        elif model.hints.is_searching:
            actions, labels = _SEARCHING_FOOTER, labels | {"solve": N_("watch")}
        if model.is_improving:
            labels = labels | {"improve": N_("stop")}
        if self.is_drawn:
            actions = ["edit" if action == "browse" else action for action in actions]
            # Translators: the key that returns to the drawing.
            labels = labels | {"edit": N_("draw")}
        if self._improving_elsewhere() is not None and "cancel" not in actions:
            actions = [*actions, "cancel"]
        hints = keymap.hints({action: _(labels[action]) for action in actions})
        goes_on = not is_solved or self._has_next or self.is_solved_day or self._is_pack_done
        return [first, *hints] if goes_on else hints


def _counters(moves: int, pushes: int) -> tuple[str, str]:
    # Translators: the counters below the board, as in "moves 12      pushes 3"; better at most 11 columns.
    return _("moves {number}", number=moves), _("pushes {number}", number=pushes)


def _draw_message(canvas: Canvas, chrome: Chrome, text: str, style: str, *, is_brief: bool) -> int:
    """Draw a message instead of the footer, or else of the header; return its last row.

    A brief one may also use the line of the counters and lines above, because its end says what to do next: all blank
    lines, and others up to half of the window.
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
        canvas.put(row, 0, padded(clipped(line, width), width), style)
    return rows[-1]
