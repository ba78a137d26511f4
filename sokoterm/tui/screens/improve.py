"""Options for improving a solution, one per line, above the board, where boxes can be kept and squares barred."""

from sokoterm.app.improvement import ImproveChoices, Scope
from sokoterm.app.keymap import DIGITS, Keymap
from sokoterm.app.request import Ask, Improve
from sokoterm.engine.bits import Square, scan
from sokoterm.language import N_, _, in_clauses, pgettext
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, SquareSize, draw_board, fit_board, mark_squares
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, CardText, Frame, Hints, Line, Size, StatusText
from sokoterm.tui.widgets.theme import Theme
from sokoterm.wording.columns import cut_at_a_word, padded, text_width
from sokoterm.wording.outcomes import ChoiceWords

_LABELS = (
    # Translators: labels of lines such as "Improve  your best, 97 moves", "for  fewest moves", "change  the whole
    # solution", "with  parts of 2 other solutions", "board  keeps 2 boxes".
    N_("Improve"), N_("for"), N_("change"), N_("with"), N_("board"),
)  # fmt: skip
_IMPROVE, _FOR, _CHANGE, _WITH, _BOARD = range(len(_LABELS))
_TURNED = "solution", "objective", "scope", "crossing"  # changed on the first four lines
_FRAMED = Size(30, 60)  # minimum rows and columns of a window with frames
_ROOMY = 14  # minimum rows of a window with all lines, else only the one with the cursor
_TILE_MARKS = N_("framed"), N_("cross")  # a kept box and a barred square, drawn as pixels
_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _is_framed(size: Size) -> bool:
    return size.rows >= _FRAMED.rows and size.columns >= _FRAMED.columns


class ImproveScreen(Screen):
    """The options above the board at the start of the level; the first one, the title, is the solution to improve."""

    def __init__(self, choices: ImproveChoices, keymap: Keymap) -> None:
        self.keymap = keymap
        self._choices = choices
        self._words = ChoiceWords(choices)
        self._line = _FOR
        self._square = next(scan(choices.level.start.boxes))

    @property
    def _is_on_board(self) -> bool:
        return self._line == _BOARD

    def update(self, action: str | None, key: str) -> Reaction | None:
        if key in DIGITS or key == "-":
            self._type(key)
            return None
        match action:
            case "up" | "down" | "left" | "right":
                if self._is_on_board:
                    self._go(action)
                elif action in ("up", "down"):
                    self._line = max(_IMPROVE, min(self._line + (1 if action == "down" else -1), _BOARD))
                else:
                    self._choices.turn(_TURNED[self._line], 1 if action == "right" else -1)
            case "switch":
                self._line = _FOR if self._is_on_board else _BOARD
            case "mark" if self._is_on_board:
                self._choices.mark(self._square)
            case "mark":
                self._line = _BOARD
            case "take back":
                self._choices.rub_out()
            case "accept" if self._choices.task is None:
                self.message = self._words.range_wanted
            case "accept":
                return Improve(self._choices)
            case "cancel" if self._is_on_board:
                self._line = _FOR
            case "cancel":
                return Ask.CLOSE
        return None

    def _go(self, action: str) -> None:
        """Move to the next square, or from the top row of the board up to the lines."""
        board = self._choices.level.board
        row, column = (at + step for at, step in zip(board.row_column(self._square), _STEPS[action], strict=True))
        if row < 0:
            self._line = _WITH
        elif row < board.height and 0 <= column < board.width:
            self._square = board.square(row, column)

    def _type(self, text: str) -> None:
        self._line = _CHANGE
        self._choices.type(text)

    def paste(self, text: str) -> bool:
        if not text or not {*text} <= {*DIGITS, "-"}:
            return False
        self._type(text)
        return True

    def point(self, pointer: Pointer) -> Reaction | None:
        """Keep a box or bar a square by clicking it; another click undoes that."""
        if pointer.is_press and pointer.button == "left":
            square = self.square_under(pointer)
            if square is not None and self._choices.mark(square):
                self._line, self._square = _BOARD, square
        return None

    def _lines(self, size: Size) -> range:
        if _is_framed(size):
            return range(_BOARD)
        return range(len(_LABELS)) if size.rows >= _ROOMY else range(self._line, self._line + 1)

    def fit(self, size: Size, appearance: Appearance) -> None:
        board, start = self._choices.level.board, self._choices.level.start
        area = self._board_area(size)
        area = area.inside if _is_framed(size) else area
        focus = self._square if self._is_on_board else start.player
        self.place = fit_board(board, focus, area, appearance, self.place)

    def _board_area(self, size: Size) -> Area:
        top = len(self._lines(size)) + 2 * _is_framed(size)
        return Area(top, 0, size.rows - top - 1, size.columns)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        level, place, theme = self._choices.level, self.place, appearance.theme
        assert place is not None  # see ``fit``
        area, texts = Area(0, 0, size.rows, size.columns), self._texts(place.size, theme)
        if _is_framed(size):
            below, label = self._board_area(size), _(_LABELS[_BOARD])
            text = cut_at_a_word(texts[_BOARD], size.columns - text_width(label) - len("╭─   ─  ─╮"))
            canvas.draw_pane(below, label, text, has_focus=self._is_on_board)
            area = canvas.draw_pane(
                area._replace(height=below.top), _(_LABELS[_IMPROVE]), has_focus=not self._is_on_board
            )
        draw_board(canvas, place, level, level.start, theme)
        for square in scan(self._choices.kept | self._choices.barred):
            self._draw_square(canvas, place, square, theme)
        labels = [_(label) for label in _LABELS]
        if area.top:
            labels[_IMPROVE] = _("solution")
        indent, lines, shown = max(map(text_width, labels)), list[Line](), self._lines(size)
        for line in shown:
            begin, end = ("<", ">") if line == self._line and not self._is_on_board else (" ", " ")
            text = cut_at_a_word(texts[line], area.width - indent - len(" <  >"))
            name = CardText(f"{padded(labels[line], indent)} ", styles.QUIET)
            lines.append((name, CardText(f"{begin} {text} {end}")))
        chosen = self._line - shown.start
        canvas.draw_list(area._replace(height=len(lines)), lines, chosen)
        cursor = (area.top + chosen, area.left) if self._line in shown else None
        if self._is_on_board:
            self._draw_square(canvas, place, self._square, theme)
            cursor = place.cell_of(self._square) or cursor
        if self.message:
            canvas.draw_message(size.rows - 1, StatusText(self.message, styles.WARNING))
        else:
            canvas.draw_keys(size.rows - 1, self._hints())
        return canvas.frame(cursor)

    def _draw_square(self, canvas: Canvas, place: BoardPlace, square: Square, theme: Theme) -> None:
        level, marks = self._choices.level, theme.marks
        is_kept, is_barred = self._choices.kept >> square & 1, self._choices.barred >> square & 1
        is_chosen = self._is_on_board and square == self._square
        text = marks.picked[place.size.columns > 1] if is_kept else marks.dead if is_barred else ""
        style = styles.CHOSEN if is_chosen else styles.PICKED if is_kept else styles.MARK_DEAD
        over, label = (*[tiles.FRAME] * is_kept, *[tiles.DEAD] * is_barred), "><" if is_chosen else ""
        mark_squares(canvas, place, level, level.start, [square], theme, style, text=text, over=over, label=label)

    def _texts(self, square_size: SquareSize, theme: Theme) -> list[str]:
        words, marks = self._words, theme.marks
        is_typed = self._line == _CHANGE and self._choices.scope is Scope.TYPED
        kept, barred = marks.picked[square_size.columns > 1], marks.dead
        if square_size.is_tile:
            kept, barred = map(_, _TILE_MARKS)
        board = in_clauses([words.square(self._square) if self._is_on_board else "", words.squares(kept, barred)])
        return [words.solution, words.objective, words.scope + "_" * is_typed, words.crossing, board]

    def _hints(self) -> Hints:
        key_of, choices, square = self.keymap.key_of, self._choices, self._square
        hints = [(key_of("accept"), pgettext("footer: the improvement begins", "start"))]
        if not self._is_on_board:
            hints.append((f"{key_of('up')} {key_of('down')}", pgettext("footer: another line", "line")))
            hints.append((f"{key_of('left')} {key_of('right')}", pgettext("footer: another choice", "change")))
            if self._line == _CHANGE:
                hints.append(("0-9 -", pgettext("footer: type a range of moves", "moves")))
        elif choices.level.start.boxes >> square & 1:
            hints.append((key_of("mark"), _("let it change") if choices.kept >> square & 1 else _("keep box")))
        elif choices.level.board.floor >> square & 1:
            hints.append((key_of("mark"), _("open square") if choices.barred >> square & 1 else _("bar square")))
        switch = _("choices") if self._is_on_board else pgettext("footer: to the board", "board")
        labels = {"switch": switch, "cancel": _("back"), "help": _("help"), "quit": _("quit")}
        return [*hints, *self.keymap.hints(labels)]
