"""The replay of a solution, step by step in both directions, from which the player may take over."""

from collections.abc import Sequence

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.keymap import DIGITS
from sokoterm.app.replay import Replay
from sokoterm.app.request import Ask, Copy, Note, TakeOver
from sokoterm.engine.board import Board
from sokoterm.engine.guide import Stretch
from sokoterm.language import _, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.store.known_levels import Source
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.motion import pace
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import BoardScreen, Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, draw_board
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Frame, Hints, Line, Size, StatusText
from sokoterm.tui.widgets.parts import Card, gauge, line_width
from sokoterm.wording import outcomes
from sokoterm.wording.columns import padded, text_width
from sokoterm.wording.packs import words_of

_SPEEDS = (1, 2, 4, 8, 16, 32, 60)  # moves a second
_FIRST_SPEED = 2
_MOST_DIGITS = 7  # of a move number
_BAR = 20  # minimum columns of the bar, which takes a quarter of the window
_ROOMY = 60  # minimum columns of a window with a bar
_TAKE_OVER = "take over "  # followed by an action of the play screen


class ReplayScreen(BoardScreen):
    """A solution, replayed from the position after the moves before it."""

    def __init__(self, play: PlayScreen, replay: ShowReplay) -> None:
        """``play`` is the screen below; raises LurdError if the moves do not fit its level."""
        self.keymap = play.keymaps.replay
        self._play = play
        self._model = model = play.model
        self._replay = replay
        label = words_of(model.pack_session).label(model.level)
        self._title = _("Replay: {solution}", solution=listed([label, outcomes.source(replay)]))
        self._playback = Replay(model.level, replay.before, replay.lurd)
        # Where the solution differs from another one, and the solution to offer if there is no better one.
        self._parts = model.hints.parts(replay)
        self._other = model.hints.after(replay)
        self._is_playing = True
        self._speed = _FIRST_SPEED
        # Target of a jump that is being animated; moves and seconds per frame.
        self._target: int | None = None
        self._step, self._seconds = 1, 0.0
        self._number = ""
        self._has_begun = False
        # The better solution in the status line now, and at the last key.
        self._shown: ShowReplay | None = None
        self._told: ShowReplay | None = None

    @property
    def board(self) -> Board:
        return self._model.level.board

    def wake_after(self) -> float | None:
        if self._target is not None:
            return self._seconds
        if self._playback.sliding:
            seconds = 1 / _SPEEDS[self._speed] / self._playback.sliding
            # Animation may have been turned off on a slow line.
            return min(1 / self._play.per_second, seconds) if self._play.per_second else seconds
        return 1 / _SPEEDS[self._speed] if self._is_playing else None

    def tick(self) -> None:
        if self._target is not None:
            self._glide(self._target)
        elif self._playback.sliding:
            self._playback.glide_on()
        elif self._is_playing:
            self._show(self._playback.k + 1)
            self._is_playing = self._playback.k < self._playback.moves

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show the answer to a key beside the counters; there is no room for other messages."""
        return is_answer and super().tell(message, is_answer=True)

    def paste(self, text: str) -> bool:
        is_number = text.isdecimal() and text.isascii() and self._number != ""
        if is_number:
            self._number = (self._number + text)[-_MOST_DIGITS:]
        return is_number

    def interrupt(self) -> bool:
        was_moving = self._is_playing or self._target is not None or self._playback.sliding > 0
        self._is_playing = False
        self._land()
        return was_moving

    # Keys and the mouse

    def update(self, action: str | None, key: str) -> Reaction | None:
        self._clear()
        if key in DIGITS:
            self._number = (self._number + key)[-_MOST_DIGITS:]
            return None
        number, self._number = self._number, ""
        match action:
            case None:
                return None
            case "cancel":
                return None if number else Ask.CLOSE
            case "pause":
                self._toggle()
            case "faster" | "slower":
                change = 1 if action == "faster" else -1
                self._speed = max(0, min(self._speed + change, len(_SPEEDS) - 1))
                self.message = self._pace
            case "jump" | "take over" if number:
                self._jump(int(number))
            case "take over":
                return TakeOver(self._playback.lurd, "")
            case "replay":
                after = self._model.hints.find_offer() or self._other
                self.message = "" if after else outcomes.phrase(Note.NO_OTHER_SOLUTION, self.keymap)
                return after
            case "watch" if self._model.hints.asked is not None:
                return Ask.WATCH
            case "watch":
                self.message = _("no search yet")
            case "improve":
                return self._improve()
            case "next stretch" | "previous stretch":
                is_next = action == "next stretch"
                target = self._playback.start_of_stretch(self._parts, is_next=is_next)
                self.message = outcomes.no_stretch_text(self._parts, is_next=is_next) if target is None else ""
                self._jump(target)
            case "copy":
                self._is_playing = False
                lurd = self._playback.lurd
                self.message = "" if lurd else outcomes.phrase(Note.NO_MOVES, self.keymap)
                return Copy(lurd) if lurd else None
            case _ if action.startswith(_TAKE_OVER):
                return TakeOver(self._playback.lurd, action.removeprefix(_TAKE_OVER))
            case _:
                self._jump(self._playback.target(action))
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Play and pause by clicking, step by the wheel."""
        if pointer.is_press:
            self._clear()
        self._number = ""
        match pointer:
            case Pointer(button="left", is_press=True):
                self._toggle()
            case Pointer(button="wheel up"):
                self._jump(self._playback.k - 1)
            case Pointer(button="wheel down"):
                self._jump(self._playback.k + 1)
        return None

    def _clear(self) -> None:
        """Clear the message and end a jump, on a key or button."""
        self._land()
        self.message = ""
        self._told = self._shown
        self._has_begun = True

    def _improve(self) -> Reaction | None:
        self._is_playing = False
        stretch = self._playback.find_stretch(self._parts)
        part = (stretch.first, stretch.last) if stretch is not None else None
        answer = self._model.improve_shown(self._replay, len(self._playback.lurd), part)
        if answer is None or isinstance(answer, Reaction):
            return answer
        self.message = outcomes.phrase(answer, self.keymap)
        return None

    def _toggle(self) -> None:
        if not self._is_playing and self._playback.k == self._playback.moves:
            self._playback.show(0)
        self._is_playing = not self._is_playing

    def _jump(self, k: int | None) -> None:
        if k is None:
            return
        self._is_playing = False
        target = max(0, min(k, self._playback.moves))
        distance = abs(target - self._playback.k)
        if self._play.per_second and distance > 1:
            self._seconds, self._step = pace(distance, self._play.per_second)
            self._glide(target)
        else:
            self._show(target)

    def _show(self, k: int) -> None:
        if self._play.per_second:
            self._playback.glide(k)
        else:
            self._playback.show(k)

    def _glide(self, target: int) -> None:
        """Show the next frame of a jump."""
        left = target - self._playback.k
        step = max(-self._step, min(left, self._step))
        self._playback.show(self._playback.k + step)
        self._target = target if step != left else None

    def _land(self) -> None:
        if self._target is not None or self._playback.sliding:
            self._playback.show(self._target if self._target is not None else self._playback.k)
            self._target = None

    # The frame

    def fit(self, size: Size, appearance: Appearance) -> None:
        self._shown = self._model.hints.find_offer()
        self.lay_out(self.board, self._playback.state.player, size, appearance, comment_rows=0)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, (place, chrome) = Canvas(*size), self.laid_out
        level, playback, hints = self._model.level, self._playback, self._hints()
        cursor = draw_board(canvas, place, level, playback.state, appearance.theme, stance=playback.stance)
        chrome.draw(canvas, self._title, "", hints)
        if chrome.panel is not None:
            self._play.draw_panel(canvas, chrome.panel, hints, Card(self._title))
        self._draw_status(canvas, chrome.status)
        return canvas.frame(cursor)

    def _draw_status(self, canvas: Canvas, row: int) -> None:
        better, playback, width = self._shown, self._playback, canvas.width
        has_news = better is not None and better != self._told
        message = self._news_of(better) if better is not None and has_news else self._tail()
        is_answer = not has_news and bool(self._number or self.message)
        counters, bar = place_line(playback, width, self._parts)
        column = canvas.put(row, 0, counters) + 1
        room = width - column
        if bar and not has_news and (not is_answer or text_width(message.text) < room - line_width(bar)):
            column = canvas.put_parts(row, column, bar) + 1
        elif is_answer and text_width(message.text) > room:
            column = 0  # until the next key
            canvas.put(row, 0, " " * width)
        canvas.draw_message(row, message, column)

    def _news_of(self, better: ShowReplay) -> StatusText:
        if better.source is Source.OPTIMIZER and (told := self._improvement):
            return told
        key, pushes = self.keymap.key_of("replay"), sum(map(str.isupper, better.lurd))
        figures = listed([pushes_text(pushes), moves_text(len(better.lurd))])
        return StatusText(_("better: {figures}; {key} shows it", figures=figures, key=key), styles.GOOD, key)

    @property
    def _improvement(self) -> StatusText | None:
        improvement = self._model.hints.improvement
        if improvement is None or not (improvement.is_running or improvement.has_news):
            return None
        is_of_shown = improvement.known.lurd == self._replay.moves
        told = outcomes.improvement_text if is_of_shown else outcomes.improvement_of_another
        text, key = told(improvement, self.keymap)
        return StatusText(text, styles.GOOD, key)

    def _tail(self) -> StatusText:
        if self._number:
            key = self.keymap.key_of("take over")
            return StatusText(_("go to move {number}: {key}", number=self._number, key=key), kept=key)
        if self.message:
            return StatusText(self.message)
        if (stretch := self._playback.find_stretch(self._parts)) is not None:
            is_better = (stretch.moves, stretch.pushes) < (0, 0)
            return StatusText(outcomes.stretch_text(stretch), styles.GOOD if is_better else styles.WARNING)
        if told := self._improvement:
            return told
        if self._parts and not self._has_begun:
            key = self.keymap.key_of("next stretch")
            return StatusText(outcomes.parts_text(self._parts, key), kept=key)
        if self._playback.k == self._playback.moves and not self._is_playing:
            key = self.keymap.key_of("cancel")
            return StatusText(_("end of replay; {key} returns to your game", key=key), styles.QUIET, key)
        return StatusText(self._pace if self._is_playing else _("paused"), styles.QUIET)

    @property
    def _pace(self) -> str:
        return ngettext("{n} move/s", "{n} moves/s", _SPEEDS[self._speed])

    def _hints(self) -> Hints:
        model, at_end = self._model, self._playback.k == self._playback.moves
        plays = _("again") if at_end else pgettext("footer: the replay goes on", "play")
        labels = {
            "pause": _("pause") if self._is_playing else plays,
            "next stretch/previous stretch": _("compare") if self._parts else "",
            "improve": _("stop") if model.is_improving else _("improve"),
            "step back/step": pgettext("footer: by one move", "step"),
            "push back/push": pgettext("footer: by one push", "push"),
            "take over": _("take over"),
            "cancel": _("back"),
            "replay": pgettext("footer: shows another solution", "other") if self._other or self._shown else "",
            "help": _("help"),
            "watch": pgettext("footer: watch the solver", "search") if model.hints.asked is not None else "",
            "faster/slower": _("speed"),
            "quit": _("quit"),
        }
        return self.keymap.hints(labels)


def place_line(playback: Replay, width: int, parts: Sequence[Stretch] = ()) -> tuple[str, Line]:
    """Return for example ``move 3/12 push 1/4``, and in a wide window a bar with ``parts`` marked."""
    longest, before = f"{playback.moves}/{playback.moves}", len(playback.before)
    counts = f"{playback.k}/{playback.moves}", f"{playback.pushes_shown}/{playback.pushes}"
    # Translators: "move 3/12 push 1/4", the position in a replay, left of its bar.
    place, widest = (_("move {move} push {push}", move=each[0], push=each[1]) for each in (counts, [longest] * 2))
    if width < _ROOMY:
        return place if text_width(place) <= width else " ".join(counts), ()
    marked = [range(part.first - before, part.last - before) for part in parts]
    return padded(place, text_width(widest)), gauge(playback.k, playback.moves, max(_BAR, width // 4), marked)
