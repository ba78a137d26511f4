"""Watching the solver: its figures and the best position, while the game goes on below.

Figures stand on the left, the best position on the right or below them, wherever more of the board is seen.  A figure
that the search does not tell is left out.
"""

from typing import NamedTuple

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Close, Copy, StopSearch
from sokoterm.app.solver import SearchMonitor
from sokoterm.engine.bits import squares_of
from sokoterm.engine.board import State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, listed, number, pgettext
from sokoterm.solver.search import MEGABYTE, Progress, Status
from sokoterm.tui.screens.play_view import PlayScreen, header
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Size,
    draw_board,
    place_board,
    square_size,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.parts import draw_keys, draw_title, gauge
from sokoterm.wording.columns import clipped, cut_at_a_word, text_width
from sokoterm.wording.figures import moves_and_pushes

NONE_YET = N_("no solution yet")
"""The answer to keys that need a solution, until there is one."""

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


class _Line(NamedTuple):
    """A figure."""

    name: str
    text: str


class SolverScreen(Screen):
    """One search of a play; leaving the screen does not end it."""

    def __init__(self, play: PlayScreen, before: str, search: SearchMonitor) -> None:
        """``before`` are the moves after which the solver was asked."""
        self.keymap = play.keymaps.solver
        self.play = play
        self.search = search
        self.place: BoardPlace | None = None
        self.moves_before = len(before)
        self._before = before

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        self.message = ""
        match action:
            case "cancel":
                return Close()
            case "stop" if not self.search.is_over:
                return StopSearch()
            case "accept" if self.search.solutions:
                return ShowReplay(self._before, self.search.solutions[-1].lurd, FoundBy.SOLVER)
            case "copy" if self.search.solutions:
                return Copy(self._before + self.search.solutions[-1].lurd)
            case "accept" | "copy":
                self.message = _("no solution was found") if self.search.is_over else _(NONE_YET)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to the boxes of the best position, where it is not seen whole."""
        best, level = self.search.best, self.play.model.level
        area = _lay_out(self, size, appearance)[1]
        if area is not None:
            rows, columns = zip(*map(level.board.row_column, squares_of(best & level.board.floor)), strict=True)
            middle = level.board.square((min(rows) + max(rows)) // 2, (min(columns) + max(columns)) // 2)
            square = square_size(appearance, level.board, area.height, area.width)
            self.place = place_board(level.board, middle, area, square, self.place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_solver(self, size, appearance)


def view_solver(watching: SolverScreen, size: Size, appearance: Appearance) -> Frame:
    """Draw the level's name, the bar of the time limit, figures, the best position, the status line and the keys."""
    canvas = Canvas(*size)
    draw_title(canvas, _("Solver: {level}", level=header(watching.play)))
    _draw_time(canvas, watching.search)
    lines, area = _lay_out(watching, size, appearance)
    footer = _footer_row(size)
    width = _FIGURES_WIDTH if area is not None and area.left > 0 else size.columns
    _draw_lines(canvas, _room(size)._replace(width=width), lines)
    if area is not None:
        _draw_best(canvas, area, watching, appearance)
    text, style = _status(watching, size.columns)
    end = canvas.put(footer - 1, 0, clipped(text, size.columns), style)
    hints = _hints(watching.keymap, watching.search, size.columns)
    draw_keys(canvas, min(footer, size.rows - 1), hints, 0 if footer < size.rows else end + 2)
    return canvas.frame()


def _draw_time(canvas: Canvas, search: SearchMonitor) -> None:
    """Draw ``[=====>      ] 12.5 of 60 s``; the bar stays full beyond the limit."""
    limit = search.limits.seconds
    width = min(_LONGEST_BAR, canvas.width - text_width(_time_text(limit, limit)) - 1)
    part = min(1.0, search.seconds / limit) if limit else 1.0
    canvas.put(1, canvas.put(1, 0, gauge(int(part * 1000), 1000, width)) + 1, _time_text(search.seconds, limit))


def _time_text(seconds: float, limit: float) -> str:
    """Return ``12.5 of 60 s``."""
    return _("{seconds} of {limit} s", seconds=number(seconds, 1), limit=number(limit))


def _lines(watching: SolverScreen) -> list[_Line]:
    """Return the figures, the most important first: with few rows the last are left out."""
    search = watching.search
    latest, limits = search.latest, search.limits
    nodes, stored = number(latest.nodes), number(latest.stored)
    if pace := search.nodes_per_second:
        nodes = _("{nodes}, {pace}/s", nodes=nodes, pace=number(pace))
    if search.memory:
        used, most = search.memory // MEGABYTE, limits.memory // MEGABYTE
        stored = _("{stored}, {used} of {most} MB", stored=stored, used=used, most=most)
    lines = [
        # Translators: at most 14 columns for these names of figures, better 10.
        _Line(_("strategy"), _strategy(search)),
        _Line(_("nodes"), nodes),
        _Line(_("stored"), stored),
    ]
    if search.solutions:
        lines.append(_Line(_("solution"), solution_text(search.solutions)))
        if not search.is_over and not search.latest.best:
            lines += _features(search.latest)  # of the solution, while it is shortened
    else:
        lines += _reached(search.reached)
    if watching.moves_before:
        # Translators: "from  your move 12": the search begins there.
        begin = pgettext("name of a figure", "from")
        lines.append(_Line(begin, _("your move {number}", number=watching.moves_before)))
    return lines


def _reached(reached: Progress) -> list[_Line]:
    """Return the features of the best position, and the depth of the search."""
    lines = _features(reached)
    if reached.depth:
        depth, bound = reached.depth, reached.lower_bound
        text = (
            # Translators: the depth of the search, and a lower bound on the solution, in pushes.
            _("{depth} deep, {bound} at least", depth=depth, bound=bound) if bound else _("{depth} deep", depth=depth)
        )
        lines.append(_Line(_("pushes"), text))
    return lines


def _features(told: Progress) -> list[_Line]:
    return [
        _Line(printable(_(name)), f"{value}" if of is None else _("{value} of {total}", value=value, total=of))
        for name, value, of in told.features
    ]


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
    """Return the area of figures and board."""
    top = 3 if size.rows >= _ROOMY_ROWS else 2
    return Area(top, 0, _footer_row(size) - 1 - top, size.columns)


def _lay_out(watching: SolverScreen, size: Size, appearance: Appearance) -> tuple[list[_Line], Area | None]:
    """Return the figures that are shown, and the area of the best position if there is one and room for it."""
    room, best = _room(size), watching.search.best
    lines = _lines(watching)[: room.height]
    area = None
    figures_left = max(len(lines), _USUAL_FIGURES)
    while best and area is None and figures_left >= _FEWEST_FIGURES:
        area = _find_area(watching.play, room, figures_left, appearance)
        if area is not None:
            lines = lines[:figures_left]
        figures_left -= 1
    if best and area is None and room.height >= _FEW_ROWS:
        lines = [*lines[: room.height - 1], _Line(pgettext("name of a figure", "best"), _("no room here"))]
    return lines, area


def _draw_best(canvas: Canvas, area: Area, watching: SolverScreen, appearance: Appearance) -> None:
    """Draw boxes without a player, from the upper left corner of an area, under a line that says what they are."""
    level = watching.play.model.level
    place = watching.place
    assert place is not None  # see ``fit``
    if watching.search.solutions:
        label = _("solved position") if place.is_whole else _("solved position, a part")
    else:
        label = _("best position so far") if place.is_whole else _("best position so far, a part")
    canvas.put(area.top - 1, area.left, clipped(label, area.width), styles.QUIET)
    draw_board(canvas, place.in_corner(), level, State(watching.search.best, -1), appearance.theme)


def _find_area(play: PlayScreen, room: Area, figures: int, appearance: Appearance) -> Area | None:
    """Return the larger of the areas beside and below so many figures; None if both are too small."""
    board = play.model.level.board
    beside = Area(room.top + 1, _FIGURES_WIDTH + 1, room.height - 1, room.width - _FIGURES_WIDTH - 1)
    below = Area(room.top + figures + 1, 0, room.height - figures - 1, room.width)
    shown: list[tuple[int, Area]] = []
    for area in (beside, below):
        rows = min(board.height, area.height)
        columns = min(board.width, area.width // square_size(appearance, board, area.height, area.width).columns)
        if rows >= min(_SMALLEST_BOARD[0], board.height) and columns >= min(_SMALLEST_BOARD[1], board.width):
            shown.append((rows * columns, area))
    return max(shown, key=lambda each: each[0])[1] if shown else None


def _draw_lines(canvas: Canvas, area: Area, lines: list[_Line]) -> None:
    """Draw names and figures in two columns; a very long name has its figure right behind it."""
    names = [text_width(line.name) + 1 for line in lines]
    usual = max([_NAME_WIDTH, *(width for width in names if width <= _LONG_NAME)])
    for row, (line, width) in enumerate(zip(lines, names, strict=True), start=area.top):
        column = max(usual, min(width, area.width - _LEAST_TEXT))
        canvas.put(row, 0, clipped(line.name, column - 1), styles.QUIET)
        canvas.put(row, column, cut_at_a_word(line.text, area.width - column))


def _status(watching: SolverScreen, width: int) -> tuple[str, str]:
    """Return the message, else the result of the search, with its style."""
    search, key = watching.search, watching.keymap.key_of("accept")
    if watching.message and not (watching.message == _(NONE_YET) and search.solutions):
        return watching.message, PLAIN
    if not search.is_over:
        if search.solutions:
            found = _("solution found: {key} shows it; still searching", key=key)
            return cut_at_a_word(found, width, key), styles.GOOD
        return _("searching"), PLAIN
    if search.outcome is None or search.outcome.status is not Status.SOLVED:
        return watching.play.message or _("the search is over"), PLAIN
    proven = _PROVEN.get(search.outcome.optimal or "")
    solved = _(proven, key=key) if proven else _("solved; {key} shows it", key=key)
    return cut_at_a_word(solved, width, key), styles.GOOD


def _hints(keymap: Keymap, search: SearchMonitor, width: int) -> list[tuple[str, str]]:
    key_of = keymap.key_of
    shows = [(key_of("accept"), _("replay"))] if search.solutions else []
    back = _("back") if search.is_over else _("play on")
    if not search.is_over and width >= _ROOMY_COLUMNS:
        back = _("play on while it searches")
    stops = [] if search.is_over else [(key_of("stop"), _("stop it"))]
    return [*shows, (key_of("cancel"), back), *stops, (key_of("help"), _("help")), (key_of("quit"), _("quit"))]
