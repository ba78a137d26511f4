"""Reverse play: the player pulls boxes from the goals back to where they start."""

from collections.abc import Callable

from sokoterm.app.keymap import Keymap, shown
from sokoterm.app.pulling import Pulling
from sokoterm.app.request import Ask, Note, TakeOver
from sokoterm.engine.board import Board
from sokoterm.engine.level import Level
from sokoterm.engine.rules import boxes_home
from sokoterm.language import _, pgettext
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, draw_board, fit_board
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Size, StatusText
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.outcomes import phrase

_PULLS = ("pull left", "pull down", "pull up", "pull right")


class ReverseScreen(Screen):
    """A level in reverse play: its goals are the squares where the boxes start."""

    follows_view = True

    def __init__(self, level: Level, keymap: Keymap, take: Callable[[Pulling], Reaction] | None = None) -> None:
        """``take`` uses any position reached; without it, a solution replaces the game's moves."""
        self.keymap = keymap
        self._take = take
        self._pulling = Pulling(level, is_free=take is not None)
        self._shown = self._pulling.shown

    @property
    def board(self) -> Board:
        return self._shown.board

    def update(self, action: str | None, key: str) -> Reaction | None:
        match action:
            case "cancel":
                return Ask.CLOSE
            case "accept" if self._take is not None:
                return self._take(self._pulling)
            case "accept" if (solution := self._pulling.solution) is not None:
                return TakeOver(solution.lurd, "")
            case "accept":
                self._say(Note.NOT_AT_START)
            case str():
                self._say(self._pulling.act(action))
            case None:
                told, back = shown(key), self.keymap.key_of("cancel")
                self.message = _("{key} does nothing in reverse play: {back} returns to the game", key=told, back=back)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Walk to a clicked square, or place the player there."""
        self.message = ""
        if pointer.is_press and pointer.button == "left" and (square := self.square_under(pointer)) is not None:
            self._say(self._pulling.go_to(square))
        return None

    def _say(self, note: Note | None) -> None:
        self.message = phrase(note, self.keymap)

    def fit(self, size: Size, appearance: Appearance) -> None:
        area = Area(1, 0, size.rows - 3, size.columns)
        self.place = fit_board(self.board, self._pulling.state.player, area, appearance, self.place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        pulling, state = self._pulling, self._pulling.state
        assert self.place is not None  # see ``fit``
        cursor = draw_board(canvas, self.place, self._shown, state, appearance.theme)
        keymap, labels = self.keymap, dict[str, str]()
        moves = [(keymap.keys_towards(), pgettext("footer", "walk"))]
        if all(map(keymap.has_action, _PULLS)):
            moves.append((keymap.keys_towards("pull "), pgettext("footer", "pull")))
        if not pulling.pulls and keymap.has_action("next area"):
            labels["next area"] = pgettext("footer: to the next area of floor", "area")
        labels["undo"] = _("undo")
        if pulling.is_free or pulling.solution is not None:
            labels["accept"] = pgettext("footer: takes over the result", "take")
        hints = [*moves, *keymap.hints({**labels, "cancel": _("back"), "help": _("help"), "quit": _("quit")})]
        rule = _("pull the boxes from the goals to where they start")
        canvas.draw_page(self._line(), hints, _("Reverse play"), rule)
        return canvas.frame(cursor)

    def _line(self) -> StatusText:
        pulling = self._pulling
        if self.message:
            return StatusText(self.message)
        if (solution := pulling.solution) is not None:
            figures, enter = moves_and_pushes(solution), self.keymap.key_of("accept")
            text = _("a solution in {figures}: {key} uses it", figures=figures, key=enter)
            return StatusText(text, styles.GOOD, enter)
        home = boxes_home(self.board, pulling.state).bit_count()
        boxes = _("boxes in place {count}", count=f"{home}/{pulling.level.boxes}")
        if pulling.are_boxes_home and pulling.pulls:
            boxes = _("the boxes are in place, but the player cannot reach his start")
        text = _("pulls {n}", n=pulling.pulls)
        return StatusText(text if pulling.is_free else f"{text}  {boxes}")
