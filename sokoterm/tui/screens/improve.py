"""Choices before a solution is improved: what is to be fewest, which part may change, which boxes keep their pushes."""

from sokoterm.app.improvement import ImproveChoices
from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Close, Improve
from sokoterm.engine.bits import Square
from sokoterm.tui.screens.highlights import draw_hinted_box, draw_kept_boxes
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.terminal.terminal import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Size,
    draw_board,
    draw_keys,
    place_board,
    square_size,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.wording.columns import clipped
from sokoterm.wording.improvement import ChoiceWords

_LABELS = ("for", "change", "keep")
_KEEP = len(_LABELS) - 1
_TOP = len(_LABELS) + 1


class ImproveScreen(Screen):
    """The choices, one a line, above the board at the start of the level."""

    def __init__(self, choices: ImproveChoices, keymap: Keymap) -> None:
        self.keymap = keymap
        self._choices = choices
        self._words = ChoiceWords(choices)
        self._line = 0
        self._boxes = choices.boxes
        self._box = 0
        self._place: BoardPlace | None = None

    @property
    def _picked(self) -> Square | None:
        """The box that Space is about, None on another line."""
        return self._boxes[self._box] if self._line == _KEEP else None

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        self.message = ""
        match action:
            case "up" | "down":
                self._line = (self._line + (1 if action == "down" else -1)) % len(_LABELS)
            case "left" | "right":
                self._change(1 if action == "right" else -1)
            case "keep":
                self._line = _KEEP
                self._choices.keep(self._boxes[self._box])
            case "accept":
                return Improve(self._choices)
            case "cancel":
                return Close()
        return None

    def _change(self, by: int) -> None:
        match self._line:
            case 0:
                self._choices.next_objective(by)
            case 1:
                self._choices.next_part(by)
            case _:
                self._box = (self._box + by) % len(self._boxes)

    def point(self, pointer: Pointer) -> Reaction | None:
        """Keep a box by a click, or no longer."""
        if pointer.is_press and pointer.button == "left" and self._place is not None:
            square = self._place.square_at(pointer.row, pointer.column)
            if square in self._boxes:
                self._line, self._box = _KEEP, self._boxes.index(square)
                self._choices.keep(square)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:
        board, start = self._choices.level.board, self._choices.level.start
        area = Area(_TOP, 0, size.rows - _TOP - 1, size.columns)
        square = square_size(appearance, board, area.height, area.width)
        picked = self._picked
        self._place = place_board(board, start.player if picked is None else picked, area, square, self._place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        level, place, theme = self._choices.level, self._place, appearance.theme
        assert place is not None  # see ``fit``
        draw_board(canvas, place, level, level.start, theme)
        draw_kept_boxes(canvas, place, level.board, self._choices.kept, theme)
        canvas.put(0, 0, clipped(self._words.title, size.columns), styles.TITLE)
        texts = (self._words.objective, self._words.part, self._words.kept(self._picked))
        for row, (label, text) in enumerate(zip(_LABELS, texts, strict=True)):
            style = styles.KEY if row == self._line else PLAIN
            arrows = ("<", ">") if row == self._line else (" ", " ")
            canvas.put(row + 1, 0, clipped(f"{label:6} {arrows[0]} {text} {arrows[1]}", size.columns), style)
        cursor = (self._line + 1, 0)
        if self._picked is not None:
            draw_hinted_box(canvas, place, level.board, self._picked, theme)
            cursor = place.cell_of(self._picked) or cursor
        draw_keys(canvas, size.rows - 1, self._hints())
        return canvas.frame(cursor)

    def _hints(self) -> list[tuple[str, str]]:
        key_of = self.keymap.key_of
        return [
            (key_of("accept"), "start"),
            *([(key_of("keep"), "keep")] if self._line == _KEEP else []),
            (f"{key_of('up')} {key_of('down')}", "line"),
            (f"{key_of('left')} {key_of('right')}", "box" if self._line == _KEEP else "change"),
            (key_of("cancel"), "back"),
            (key_of("help"), "help"),
            (key_of("quit"), "quit"),
        ]
