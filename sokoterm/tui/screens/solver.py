"""Watching the solver: its figures and the best position, while the game goes on below.

Figures stand on the left, the best position on the right or below them, wherever more of the board is seen.  A figure
that the search does not tell is left out.
"""

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.request import Ask, Copy
from sokoterm.app.solver import SearchMonitor
from sokoterm.engine.bits import squares_of
from sokoterm.engine.board import State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, listed, number, pgettext
from sokoterm.solver.search import MEGABYTE, Status
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Hints,
    Size,
    draw_board,
    fit_board,
    square_size,
)
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.parts import (
    Line,
    StatusText,
    draw_keys,
    draw_list,
    draw_message,
    draw_title,
    gauge,
    two_columns,
)
from sokoterm.wording.columns import clipped, cut_at_a_word, text_width
from sokoterm.wording.figures import moves_and_pushes

_NONE_YET = N_("no solution yet")  # the answer to keys that need a solution
_PROVEN = {
    "pushes": N_("solved: fewest pushes, proven; {key} shows it"),
    "moves": N_("solved: fewest moves, proven; {key} shows it"),
}
_FIGURES_WIDTH = 38  # columns of the figures beside a board
_NAME_WIDTH = 10
_LONG_NAME = 14
_LEAST_TEXT = 8  # least columns of a figure, however long its name
_USUAL_FIGURES = 6  # rows kept for figures above the board, so that it seldom moves
_FEWEST_FIGURES = 4  # rows kept for figures if the board needs the others
_LONGEST_BAR = 60
_SMALLEST_BOARD = (3, 8)  # rows and squares a row; a smaller part of a board tells nothing
_ROOMY_ROWS = 12  # rows from which one of them may be blank
_FEW_ROWS = 4  # least rows for a line that there is no room for the board
_ROOMY_COLUMNS = 60


class SolverScreen(Screen):
    """One search of a play; leaving the screen does not end it."""

    def __init__(self, play: PlayScreen, before: str, search: SearchMonitor) -> None:
        """``before`` are the moves after which the solver was asked."""
        self.keymap = play.keymaps.solver
        self._play = play
        self._level = play.model.level
        self._search = search
        self._place: BoardPlace | None = None
        self._before = before

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        search = self._search
        self.message = ""
        match action:
            case "cancel":
                return Ask.CLOSE
            case "stop" if not search.is_over:
                return Ask.STOP_SEARCH
            case "accept" if search.solutions:
                return ShowReplay(self._before, search.solutions[-1].lurd, FoundBy.SOLVER)
            case "copy" if search.solutions:
                return Copy(self._before + search.solutions[-1].lurd)
            case "accept" | "copy":
                self.message = _("no solution was found") if search.is_over else _(_NONE_YET)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to the boxes of the best position, where it is not seen whole."""
        board, area = self._level.board, self._lay_out(size, appearance)[1]
        if area is not None:
            rows, columns = zip(*map(board.row_column, squares_of(self._search.best & board.floor)), strict=True)
            middle = board.square((min(rows) + max(rows)) // 2, (min(columns) + max(columns)) // 2)
            self._place = fit_board(board, middle, area, appearance, self._place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        """Draw the level's name, the bar of the time limit, figures, the best position, a status line and the keys."""
        canvas, search = Canvas(*size), self._search
        draw_title(canvas, _("Solver: {level}", level=self._play.header))
        # The bar stays full beyond the limit.
        limit = search.limits.seconds
        width = min(_LONGEST_BAR, size.columns - text_width(_time_text(limit, limit)) - 1)
        part = min(1.0, search.seconds / limit) if limit else 1.0
        canvas.put(1, canvas.put_parts(1, 0, gauge(part, 1, width)) + 1, _time_text(search.seconds, limit))
        figures, area = self._lay_out(size, appearance)
        width = _FIGURES_WIDTH if area is not None and area.left > 0 else size.columns
        names = [text_width(name) + 1 for name, __ in figures]
        usual = max([_NAME_WIDTH, *(name for name in names if name <= _LONG_NAME)])
        lines = list[Line]()
        for (name, text), needed in zip(figures, names, strict=True):  # a very long name has its figure right behind it
            column = max(usual, min(needed, width - _LEAST_TEXT))
            lines.append(two_columns(name, cut_at_a_word(text, width - column), column, styles.QUIET))
        draw_list(canvas, _room(size)._replace(width=width), lines)
        if area is not None:
            self._draw_best(canvas, area, appearance)
        footer = _footer_row(size)
        end = draw_message(canvas, footer - 1, self._status())
        draw_keys(canvas, min(footer, size.rows - 1), self._hints(size.columns), 0 if footer < size.rows else end + 2)
        return canvas.frame()

    def _figures(self) -> list[tuple[str, str]]:
        """Return the figures by name, the most important first: with few rows the last are left out."""
        search, latest, limits = self._search, self._search.latest, self._search.limits
        nodes, stored = number(latest.nodes), number(latest.stored)
        if pace := search.nodes_per_second:
            nodes = _("{nodes}, {pace}/s", nodes=nodes, pace=number(pace))
        if search.memory:
            used, most = search.memory // MEGABYTE, limits.memory // MEGABYTE
            stored = _("{stored}, {used} of {most} MB", stored=stored, used=used, most=most)
        figures = [
            # Translators: at most 14 columns for these names of figures, better 10.
            (_("strategy"), _strategy(search)),
            (_("nodes"), nodes),
            (_("stored"), stored),
        ]
        told = latest if search.solutions else search.reached
        if search.solutions:
            figures.append((_("solution"), solution_text(search.solutions)))
        if not search.solutions or not search.is_over and not latest.best:  # of a solution, while it is shortened
            for name, value, of in told.features:
                text = f"{value}" if of is None else _("{value} of {total}", value=value, total=of)
                figures.append((printable(_(name)), text))
        if not search.solutions and told.depth:
            text = _("{depth} deep", depth=told.depth)
            if bound := told.lower_bound:
                # Translators: the depth of the search, and a lower bound on the solution, in pushes.
                text = _("{depth} deep, {bound} at least", depth=told.depth, bound=bound)
            figures.append((_("pushes"), text))
        if self._before:
            # Translators: "from  your move 12": the search begins there.
            begin = pgettext("name of a figure", "from")
            figures.append((begin, _("your move {number}", number=len(self._before))))
        return figures

    def _lay_out(self, size: Size, appearance: Appearance) -> tuple[list[tuple[str, str]], Area | None]:
        """Return the figures that are shown, and the area of the best position if there is one and room for it."""
        room, best = _room(size), self._search.best
        figures, area = self._figures()[: room.height], None
        left = max(len(figures), _USUAL_FIGURES)
        while best and area is None and left >= _FEWEST_FIGURES:
            area = self._find_area(room, left, appearance)
            left -= 1
        if area is not None:
            return figures[: left + 1], area
        if best and room.height >= _FEW_ROWS:
            figures = [*figures[: room.height - 1], (pgettext("name of a figure", "best"), _("no room here"))]
        return figures, None

    def _find_area(self, room: Area, figures: int, appearance: Appearance) -> Area | None:
        """Return the larger of the areas beside and below so many figures; None if both are too small."""
        board = self._level.board
        beside = Area(room.top + 1, _FIGURES_WIDTH + 1, room.height - 1, room.width - _FIGURES_WIDTH - 1)
        below = Area(room.top + figures + 1, 0, room.height - figures - 1, room.width)
        shown: list[tuple[int, Area]] = []
        for area in (beside, below):
            rows = min(board.height, area.height)
            columns = min(board.width, area.width // square_size(appearance, board, area.height, area.width).columns)
            if rows >= min(_SMALLEST_BOARD[0], board.height) and columns >= min(_SMALLEST_BOARD[1], board.width):
                shown.append((rows * columns, area))
        return max(shown, key=lambda each: each[0])[1] if shown else None

    def _draw_best(self, canvas: Canvas, area: Area, appearance: Appearance) -> None:
        """Draw boxes without a player, from the upper left corner of an area, under a line that says what they are."""
        place = self._place
        assert place is not None  # see ``fit``
        if self._search.solutions:
            label = _("solved position") if place.is_whole else _("solved position, a part")
        else:
            label = _("best position so far") if place.is_whole else _("best position so far, a part")
        canvas.put(area.top - 1, area.left, clipped(label, area.width), styles.QUIET)
        draw_board(canvas, place.in_corner(), self._level, State(self._search.best, -1), appearance.theme)

    def _status(self) -> StatusText:
        """Return the message, else the result of the search, with its style."""
        search, key = self._search, self.keymap.key_of("accept")
        if self.message and not (self.message == _(_NONE_YET) and search.solutions):
            return StatusText(self.message)
        if not search.is_over and not search.solutions:
            return StatusText(_("searching"))
        if search.is_over and (search.outcome is None or search.outcome.status is not Status.SOLVED):
            return StatusText(self._play.message or _("the search is over"))
        proven = _PROVEN.get((search.outcome.optimal if search.outcome is not None else None) or "")
        text = _(proven, key=key) if proven else _("solved; {key} shows it", key=key)
        if not search.is_over:
            text = _("solution found: {key} shows it; still searching", key=key)
        return StatusText(text, styles.GOOD, key)

    def _hints(self, width: int) -> Hints:
        search, labels = self._search, dict[str, str]()
        if search.solutions:
            labels["accept"] = _("replay")
        if search.is_over:
            labels["cancel"] = _("back")
        else:
            labels["cancel"] = _("play on while it searches") if width >= _ROOMY_COLUMNS else _("play on")
            labels["stop"] = _("stop it")
        return self.keymap.hints({**labels, "help": _("help"), "quit": _("quit")})


def _time_text(seconds: float, limit: float) -> str:
    """Return ``12.5 of 60 s``."""
    return _("{seconds} of {limit} s", seconds=number(seconds, 1), limit=number(limit))


def _strategy(search: SearchMonitor) -> str:
    """Return ``fess, in turns with astar, backward``."""
    now, names, cores = search.strategy, listed(search.others), search.latest.cores
    if not names:
        return now
    if cores > 1:
        return _("{strategy}, on {cores} cores with {others}", strategy=now, cores=cores, others=names)
    return _("{strategy}, in turns with {others}", strategy=now, others=names)


def solution_text(solutions: list[Solution]) -> str:
    """Return ``97 moves, 23 pushes (3 found)``."""
    figures, count = moves_and_pushes(solutions[-1]), len(solutions)
    # Translators: the best solution so far, and how many were found.
    return _("{figures} ({count} found)", figures=figures, count=count) if count > 1 else figures


def _footer_row(size: Size) -> int:
    """Return the row of the keys; below the window if it has no room for them."""
    return size.rows - 1 if size.rows > 7 else size.rows


def _room(size: Size) -> Area:
    top = 3 if size.rows >= _ROOMY_ROWS else 2
    return Area(top, 0, _footer_row(size) - 1 - top, size.columns)
