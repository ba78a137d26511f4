"""Replay: a solution step by step, forwards and back, from which the player may take over."""

from collections.abc import Callable

from sokoterm.engine.level import Level
from sokoterm.tui import theme as styles
from sokoterm.tui.frame import Canvas, Frame, clipped
from sokoterm.tui.keymap import DIGITS, REPLAY, Keymap
from sokoterm.tui.playback import Playback
from sokoterm.tui.pointer import Pointer
from sokoterm.tui.reactions import Close, Copy, Reaction, ShowReplay, TakeOver
from sokoterm.tui.views import (
    Appearance,
    Area,
    Origin,
    Size,
    cell_columns,
    draw_board,
    draw_keys,
    progress_bar,
    scroll_board,
    too_small,
)

SPEEDS = (1, 2, 4, 8, 16, 32)  # moves a second; more than 32 would be a blur, and 2 KB a second on the line
_FIRST_SPEED = 2
_TAKE_OVER = "take over "  # before the action of the play screen that follows


class ReplayScreen:
    """``lurd`` played from the position that ``before`` leads to."""

    def __init__(
        self,
        level: Level,
        before: str,
        lurd: str,
        source: str,
        *,
        find_better: Callable[[], ShowReplay | None],
        other: ShowReplay | None = None,
        keymap: Keymap = REPLAY,
    ) -> None:
        """``find_better`` gives a better solution that is found meanwhile: it is offered, never switched to.

        ``other`` is the one to offer where there is no better: the next of those that are kept.

        Raises LurdError where the moves do not fit the level.
        """
        self.keymap = keymap
        self._level = level
        self._source = source
        self._playback = Playback(level, before, lurd)
        self._is_playing = True
        self._speed = _FIRST_SPEED
        self._number = ""
        self._origin = Origin(0, 0)
        self._find_better = find_better
        self._other = other
        self._message = ""

    @property
    def reads_text(self) -> bool:
        return False

    def wake_after(self) -> float | None:
        return 1 / SPEEDS[self._speed] if self._is_playing else None

    def tick(self) -> None:
        if self._is_playing:
            self._playback.show(self._playback.k + 1)
            self._is_playing = self._playback.k < self._playback.moves

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Answer a key beside the counters; there is no line for more."""
        if is_answer:
            self._message = message
        return is_answer

    def paste(self, text: str) -> bool:
        """A number goes to the move that is asked for."""
        if text.isdecimal() and text.isascii() and self._number:
            self._number = (self._number + text)[-7:]
            return True
        return False

    def interrupt(self) -> bool:
        was_playing, self._is_playing = self._is_playing, False
        return was_playing

    def update(self, key: str) -> Reaction | None:
        self._message = ""
        if key in DIGITS:
            self._number = (self._number + key)[-7:]
            return None
        number, self._number = self._number, ""
        action = self.keymap.find_action(key)
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
            case "take over":
                return TakeOver(self._playback.lurd, "")
            case "replay":
                after = self._find_better() or self._other
                self._message = "" if after else "no other solution"
                return after
            case "copy":
                return self._copy()
            case "jump":
                self._jump(int(number) if number else None)
            case _ if action.startswith(_TAKE_OVER):
                return TakeOver(self._playback.lurd, action.removeprefix(_TAKE_OVER))
            case _:
                self._jump(self._playback.target(action))
        return None

    def _copy(self) -> Reaction | None:
        self._is_playing = False
        lurd = self._playback.lurd
        self._message = "" if lurd else "no moves yet"
        return Copy(lurd) if lurd else None

    def point(self, pointer: Pointer) -> Reaction | None:
        """A click plays and pauses, the wheel steps."""
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
        if k is not None:
            self._is_playing = False
            self._playback.show(k)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        if notice := too_small(size):
            return notice
        canvas = Canvas(*size)
        has_footer = size.rows > 8
        area = Area(1, 0, size.rows - 2 - has_footer, size.columns)
        state = self._playback.state
        columns = cell_columns(appearance, self._level, size.columns)
        self._origin = scroll_board(self._origin, self._level, state, area, columns)
        cursor = draw_board(canvas, area, self._level, state, self._origin, appearance)
        canvas.put(0, 0, clipped(f"Replay: {self._source}", size.columns), styles.TITLE)
        self._draw_status(canvas, area.top + area.height)
        if has_footer:
            draw_keys(canvas, size.rows - 1, self._hints())
        return canvas.frame(cursor)

    def _draw_status(self, canvas: Canvas, row: int) -> None:
        shown = self._playback
        place = f"move {shown.k}/{shown.moves} push {shown.pushes_shown}/{shown.pushes}"
        if len(place) > canvas.width:
            place = f"{shown.k}/{shown.moves} {shown.pushes_shown}/{shown.pushes}"
        column = canvas.put(row, 0, place) + 1
        if self._find_better():
            canvas.put(
                row,
                column,
                clipped(f"another solution found: {self.keymap.key_of('replay')} shows it", canvas.width - column),
                styles.GOOD,
            )
            return
        if canvas.width >= 60:
            width = len(f"move {shown.moves}/{shown.moves} push {shown.moves}/{shown.moves}")
            column = canvas.put(row, width + 1, progress_bar(shown.k, shown.moves, 20)) + 1
        if self._number:
            tail = f"to move {self._number}: {self.keymap.key_of('jump')}"
        else:
            tail = self._message or (f"{SPEEDS[self._speed]} moves/s" if self._is_playing else "paused")
        canvas.put(row, column, clipped(tail, canvas.width - column))

    def _hints(self) -> list[tuple[str, str]]:
        at_end = self._playback.k == self._playback.moves
        key_of = self.keymap.key_of
        others = [(key_of("replay"), "another")] if self._other else []
        return [
            (key_of("pause"), "pause" if self._is_playing else "again" if at_end else "play"),
            (f"{key_of('step back')} {key_of('step')}", "step"),
            (f"{key_of('push back')} {key_of('push')}", "push"),
            (key_of("take over"), "take over"),
            (key_of("cancel"), "back"),
            *others,
            (key_of("help"), "help"),
            (f"{key_of('faster')} {key_of('slower')}", "speed"),
            (key_of("quit"), "quit"),
        ]
