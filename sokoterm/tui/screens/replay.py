"""Replay: a solution step by step, forwards and back, from which the player may take over."""

from collections.abc import Callable, Sequence

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import DIGITS, REPLAY, Keymap
from sokoterm.app.play import PlayModel
from sokoterm.app.replay import Replay
from sokoterm.app.request import Close, Copy, Note, TakeOver, Watch
from sokoterm.engine.board import Board
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import Level
from sokoterm.language import _, moves_text, ngettext, pgettext, pushes_text
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen, pace
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Chrome,
    DrawPanel,
    Size,
    draw_board,
    place_board,
    place_chrome,
    square_size,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.parts import draw_keys, draw_title, gauge
from sokoterm.tui.widgets.theme import Theme
from sokoterm.wording.columns import cut_at_a_word, padded, text_width
from sokoterm.wording.improvement import (
    improvement_of_another,
    improvement_text,
    no_stretch_text,
    parts_text,
    stretch_text,
)
from sokoterm.wording.outcomes import phrase

SPEEDS = (1, 2, 4, 8, 16, 32, 60)  # moves a second
_FIRST_SPEED = 2
_BAR = 20  # columns of the bar
_ROOMY = 60  # columns from which there is room for a bar
_TAKE_OVER = "take over "  # before the action of the play screen that follows


class ReplayScreen(Screen):
    """A solution played from the position that the moves before it lead to."""

    follows_view = True

    def __init__(
        self,
        level: Level,
        replay: ShowReplay,
        source: str,
        *,
        find_better: Callable[[], ShowReplay | None],
        model: PlayModel | None = None,
        parts: Sequence[Stretch] = (),
        other: ShowReplay | None = None,
        keymap: Keymap = REPLAY,
        per_second: int = 0,
        draw_panel: DrawPanel | None = None,
    ) -> None:
        """``find_better`` returns a better solution that is found meanwhile, which is offered.

        ``model`` is the play below; ``parts`` are the stretches on which the solution parts from another one.
        ``other`` is the one to offer where there is no better: the next of those that are kept. Jumps are shown at
        ``per_second`` moves, 0 for at once. ``draw_panel`` draws the panel of a wide window.

        Raises LurdError where the moves do not fit the level.
        """
        self.keymap = keymap
        self._level = level
        self._source = source
        self._replay = replay
        self._playback = Replay(level, replay.before, replay.lurd)
        self._is_playing = True
        self._speed = _FIRST_SPEED
        self._draw_panel = draw_panel
        self._per_second = per_second
        # The move that a jump leads to, while it is shown; the moves from picture to picture, and the seconds of each.
        self._target: int | None = None
        self._step, self._seconds = 1, 0.0
        self._number = ""
        self._place: BoardPlace | None = None
        self._panel: Chrome | None = None  # in a wide window
        self._find_better = find_better
        self._other = other
        self._model = model
        self._parts = parts
        self._has_begun = False
        # The better solution in the status line, and the one that stood there when a key was pressed last.
        self._shown: ShowReplay | None = None
        self._told: ShowReplay | None = None

    @property
    def board(self) -> Board:
        return self._level.board

    @property
    def _was_asked(self) -> bool:
        """True if the solver has searched the level."""
        return self._model is not None and self._model.hints.asked is not None

    def wake_after(self) -> float | None:
        if self._target is not None:
            return self._seconds
        if self._playback.sliding:
            return min(1 / self._per_second, 1 / SPEEDS[self._speed] / self._playback.sliding)
        return 1 / SPEEDS[self._speed] if self._is_playing else None

    def tick(self) -> None:
        if self._target is not None:
            self._glide(self._target)
        elif self._playback.sliding:
            self._playback.glide_on()
        elif self._is_playing:
            self._show(self._playback.k + 1)
            self._is_playing = self._playback.k < self._playback.moves

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Answer a key beside the counters; there is no room for anything else."""
        return is_answer and super().tell(message, is_answer=True)

    def paste(self, text: str) -> bool:
        """Add to the number of a move that is being typed."""
        if text.isdecimal() and text.isascii() and self._number:
            self._number = (self._number + text)[-7:]
            return True
        return False

    def interrupt(self) -> bool:
        was_moving = self._is_playing or self._target is not None or self._playback.sliding > 0
        self._is_playing = False
        self._land()
        return was_moving

    def update(self, action: str | None, key: str) -> Reaction | None:
        self._clear()
        if key in DIGITS:
            self._number = (self._number + key)[-7:]
            return None
        number, self._number = self._number, ""
        match action:
            case None:
                return None
            case "cancel":
                return None if number else Close()
            case "pause":
                self._toggle()
            case "faster" | "slower":
                change = 1 if action == "faster" else -1
                self._speed = max(0, min(self._speed + change, len(SPEEDS) - 1))
                self.message = self._pace
            case "jump" | "take over" if number:
                self._jump(int(number))
            case "take over":
                return TakeOver(self._playback.lurd, "")
            case "replay":
                after = self._find_better() or self._other
                self.message = "" if after else phrase(Note.NO_OTHER_SOLUTION, self.keymap)
                return after
            case "watch" if self._was_asked:
                return Watch()
            case "watch":
                self.message = _("no search yet")
            case "improve":
                return self._improve()
            case "next stretch" | "previous stretch":
                self._go_to_stretch(action)
            case "copy":
                return self._copy()
            case _ if action.startswith(_TAKE_OVER):
                return TakeOver(self._playback.lurd, action.removeprefix(_TAKE_OVER))
            case _:
                self._jump(self._playback.target(action))
        return None

    def _clear(self) -> None:
        """Clear the message and end a jump: a key or button was pressed."""
        self._land()
        self.message = ""
        self._told = self._shown
        self._has_begun = True

    # Where it parts from another solution

    def _improve(self) -> Reaction | None:
        """Ask how to improve the shown solution."""
        if self._model is None:
            return None
        self._is_playing = False
        stretch = self._playback.find_stretch(self._parts)
        answer = self._model.improve_shown(
            self._replay, len(self._playback.lurd), (stretch.first, stretch.last) if stretch is not None else None
        )
        if answer is None or isinstance(answer, Reaction):
            return answer
        self.message = phrase(answer, self.keymap)
        return None

    def _go_to_stretch(self, action: str) -> None:
        """Go to the beginning of another stretch, or say why there is none."""
        target = self._playback.start_of_stretch(self._parts, is_next=action == "next stretch")
        self._jump(target)
        if target is None:
            self.message = no_stretch_text(self._parts, is_next=action == "next stretch")

    def _copy(self) -> Reaction | None:
        self._is_playing = False
        lurd = self._playback.lurd
        self.message = "" if lurd else phrase(Note.NO_MOVES, self.keymap)
        return Copy(lurd) if lurd else None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Play and pause by a click, step by the wheel."""
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
        if self._per_second and distance > 1:
            self._seconds, self._step = pace(distance, self._per_second)
            self._glide(target)
        else:
            self._show(target)

    def _show(self, k: int) -> None:
        """Show a number of moves, and a box that slides if pictures move at all."""
        if self._per_second:
            self._playback.glide(k)
        else:
            self._playback.show(k)

    def _glide(self, target: int) -> None:
        """Go one picture nearer to the end of a jump."""
        left = target - self._playback.k
        step = max(-self._step, min(left, self._step))
        self._playback.show(self._playback.k + step)
        self._target = target if step != left else None

    def _land(self) -> None:
        """Show the end of a jump, or of a slide."""
        if self._target is not None or self._playback.sliding:
            self._playback.show(self._target if self._target is not None else self._playback.k)
            self._target = None

    def stop_motion(self) -> None:
        self._per_second = 0

    def fit(self, size: Size, appearance: Appearance) -> None:
        self._shown = self._find_better()
        chrome, square = place_chrome(size, self._level.board, appearance, has_comment=False)
        self._panel = chrome if chrome.panel is not None and self._draw_panel is not None else None
        if self._panel is None:
            part = Size(self._status_row(size), size.columns)
            self._place = place_replay(self._place, part, self._level, self._playback, appearance)
        else:
            player = self._playback.state.player
            self._place = place_board(self._level.board, player, chrome.board, square, self._place, appearance.view)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, playback, chrome = Canvas(*size), self._playback, self._panel
        title = _("Replay: {solution}", solution=self._source)
        assert self._place is not None  # see ``fit``
        if chrome is not None and chrome.panel is not None and self._draw_panel is not None:
            place, facing = self._place, playback.facing
            cursor = draw_board(canvas, place, self._level, playback.state, appearance.theme, facing=facing)
            self._draw_panel(canvas, chrome.panel, appearance, self._hints(), title)
            self._draw_status(canvas, chrome.status)
            return canvas.frame(cursor)
        row = self._status_row(size)
        cursor = draw_replay(canvas, self._place, self._level, playback, appearance.theme, title)
        self._draw_status(canvas, row)
        if row < size.rows - 1:
            draw_keys(canvas, size.rows - 1, self._hints())
        return canvas.frame(cursor)

    def _status_row(self, size: Size) -> int:
        """Return the row of the status line: the last one, or the last but one where the keys have room."""
        has_footer = size.rows > 8 or size.rows - 3 >= self._level.board.height
        return size.rows - 1 - has_footer

    def _draw_status(self, canvas: Canvas, row: int) -> None:
        """Draw the counters, the bar where there is room for it, and what there is to tell."""
        better, playback, width = self._shown, self._playback, canvas.width
        has_news = better is not None and better != self._told
        text, key, style = self._news_of(better) if better is not None and has_news else self._tail()
        room = width - tail_column(playback, width, has_bar=True)
        is_answer = not has_news and bool(self._number or self.message)
        has_bar = not has_news and (not is_answer or text_width(text) <= room)
        column = draw_place(canvas, row, playback, has_bar=has_bar, parts=self._parts)
        if is_answer and text_width(text) > width - column:
            canvas.put(row, 0, padded(cut_at_a_word(text, width, key), width), style)  # until the next key
            return
        canvas.put(row, column, cut_at_a_word(text, width - column, key), style)

    def _news_of(self, better: ShowReplay) -> tuple[str, str, str]:
        """The text on a better solution, the key in it, and its style."""
        if better.found_by is FoundBy.OPTIMIZER and (told := self._improvement):
            return *told, styles.GOOD
        key = self.keymap.key_of("replay")
        return _("better: {figures}; {key} shows it", figures=_figures_of(better), key=key), key, styles.GOOD

    @property
    def _improvement(self) -> tuple[str, str] | None:
        """The text on an improvement that runs or has found something not shown yet, and the key in it."""
        improvement = self._model.hints.improvement if self._model is not None else None
        if improvement is None or not (improvement.is_running or improvement.has_news):
            return None
        is_of_shown = improvement.known.lurd == self._replay.moves
        return (improvement_text if is_of_shown else improvement_of_another)(improvement, self.keymap)

    def _tail(self) -> tuple[str, str, str]:
        """The text beside the counters, the key in it, and its style."""
        if self._number:
            key = self.keymap.key_of("take over")
            return _("to move {number}: {key}", number=self._number, key=key), key, PLAIN
        if self.message:
            return self.message, "", PLAIN
        if (stretch := self._playback.find_stretch(self._parts)) is not None:
            is_better = (stretch.moves, stretch.pushes) < (0, 0)
            return stretch_text(stretch), "", styles.GOOD if is_better else styles.WARNING
        if told := self._improvement:
            return *told, styles.GOOD
        if self._parts and not self._has_begun:
            key = self.keymap.key_of("next stretch")
            return parts_text(self._parts, key), key, PLAIN
        return self._pace if self._is_playing else _("paused"), "", PLAIN

    @property
    def _pace(self) -> str:
        return ngettext("{n} move/s", "{n} moves/s", SPEEDS[self._speed])

    def _hints(self) -> list[tuple[str, str]]:
        at_end = self._playback.k == self._playback.moves
        key_of = self.keymap.key_of
        others = (
            [(key_of("replay"), pgettext("footer: shows another solution", "other"))]
            if self._other or self._find_better()
            else []
        )
        improves = self._model is not None and self._model.is_improving
        improve = [(key_of("improve"), _("stop") if improves else _("improve"))] if self._model is not None else []
        stretches = f"{key_of('next stretch')} {key_of('previous stretch')}"
        parts = [(stretches, _("compare"))] if self._parts else []
        plays = pgettext("footer: the replay goes on", "play")
        return [
            (key_of("pause"), _("pause") if self._is_playing else _("again") if at_end else plays),
            *parts,
            *improve,
            (f"{key_of('step back')} {key_of('step')}", pgettext("footer: by one move", "step")),
            (f"{key_of('push back')} {key_of('push')}", pgettext("footer: by one push", "push")),
            (key_of("take over"), _("take over")),
            (key_of("cancel"), _("back")),
            *others,
            (key_of("help"), _("help")),
            *([(key_of("watch"), pgettext("footer: watch the solver", "search"))] if self._was_asked else []),
            (f"{key_of('faster')} {key_of('slower')}", _("speed")),
            (key_of("quit"), _("quit")),
        ]


def _figures_of(replay: ShowReplay) -> str:
    """Return ``32 pushes, 141 moves``."""
    moves, pushes = len(replay.lurd), sum(map(str.isupper, replay.lurd))
    return _("{pushes}, {moves}", pushes=pushes_text(pushes), moves=moves_text(moves))


def draw_replay(
    canvas: Canvas, place: BoardPlace, level: Level, playback: Replay, theme: Theme, title: str
) -> tuple[int, int]:
    """Draw title and board; return the cell of the player."""
    cursor = draw_board(canvas, place, level, playback.state, theme, facing=playback.facing)
    draw_title(canvas, title)
    return cursor


def place_replay(
    before: BoardPlace | None, size: Size, level: Level, playback: Replay, appearance: Appearance
) -> BoardPlace:
    """Return the place of the board in a part of the screen, below its title, that shows the player."""
    square = square_size(appearance, level.board, size.rows - 1, size.columns)
    area = Area(1, 0, size.rows - 1, size.columns)
    return place_board(level.board, playback.state.player, area, square, before, appearance.view)


def draw_place(
    canvas: Canvas, row: int, playback: Replay, *, has_bar: bool = True, parts: Sequence[Stretch] = ()
) -> int:
    """Draw ``move 3/12 push 1/4``, with a bar if that has room; return the column after it.

    ``parts`` are marked in the bar.
    """
    shown = playback
    canvas.put(row, 0, _place_text(shown, canvas.width))
    if has_bar and canvas.width >= _ROOMY:
        width = tail_column(shown, canvas.width, has_bar=False) - 2
        canvas.put(row, width + 1, gauge(shown.k, shown.moves, _BAR))
        inner = _BAR - 2
        for part in parts:
            first, last = ((each - len(shown.before)) * inner // shown.moves for each in (part.first, part.last))
            for cell in range(max(0, first), min(inner, max(last, first + 1))):
                mark = "+" if cell < shown.k * inner // shown.moves else "~"
                canvas.put(row, width + 2 + cell, mark, styles.GOOD)
    return tail_column(shown, canvas.width, has_bar=has_bar)


def tail_column(playback: Replay, width: int, *, has_bar: bool) -> int:
    """Return the column after ``draw_place`` in a window of this width; where there is room it stands still."""
    if width < _ROOMY:
        return text_width(_place_text(playback, width)) + 1
    longest = f"{playback.moves}/{playback.moves}"
    return text_width(_("move {move} push {push}", move=longest, push=longest)) + 2 + has_bar * _BAR


def _place_text(playback: Replay, width: int) -> str:
    """Return ``move 3/12 push 1/4``, or ``3/12 1/4`` for a narrow window."""
    counts = f"{playback.k}/{playback.moves}", f"{playback.pushes_shown}/{playback.pushes}"
    # Translators: "move 3/12 push 1/4", the place in a replay; left of its bar.
    place = _("move {move} push {push}", move=counts[0], push=counts[1])
    return place if text_width(place) <= width else " ".join(counts)
