"""What is shown while a level is being made that the player waits for."""

from collections.abc import Callable

from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Browse, Close, Start
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Size, draw_keys, too_small
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.wording.columns import clipped
from sokoterm.wording.packs import awaited_title

_TICK_SECONDS = 1.0


class MakingScreen(StillScreen):
    """Counts the seconds; the keys are those of the board, as far as they mean something without one."""

    reads_text = False

    def __init__(self, awaited: Start, keymap: Keymap, clock: Callable[[], float], *, is_alone: bool) -> None:
        """``is_alone``: nothing is below, to go back to."""
        self.keymap = keymap
        self.awaited = awaited
        self._is_alone = is_alone
        self._clock = clock
        self._begun = clock()

    def update(self, key: str) -> Reaction | None:
        self.message = ""
        match self.keymap.find_action(key):
            case "browse":
                return Browse()
            case "cancel":
                return Browse() if self._is_alone else Close()
        return None

    def wake_after(self) -> float | None:
        return _TICK_SECONDS

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        if notice := too_small(size):
            return notice
        canvas = Canvas(*size)
        canvas.put(0, 0, clipped(awaited_title(self.awaited), size.columns), styles.TITLE)
        seconds = int(self._clock() - self._begun)
        canvas.put(2, 0, clipped(f"making the level ...{f' {seconds} s' if seconds else ''}", size.columns))
        canvas.put(size.rows - 2, 0, clipped(self.message, size.columns))
        back = "list" if self._is_alone else "back"
        labels = {"cancel": back, "help": "help", "quit": "quit"}
        draw_keys(canvas, size.rows - 1, [(self.keymap.key_of(action), label) for action, label in labels.items()])
        return canvas.frame((2, 0))
