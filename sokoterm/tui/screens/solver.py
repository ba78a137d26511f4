"""Watching the solver: its figures and the best position, while the game goes on below.

Figures stand on the left, the best position on the right or below them, wherever more of the board is seen.  A figure
that the search does not tell is left out.
"""

from typing import NamedTuple

from sokoterm.app.hints import solver_solution
from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Close, Copy, StopSearch
from sokoterm.app.search_monitor import SearchMonitor
from sokoterm.engine.bits import squares_of
from sokoterm.engine.board import State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable
from sokoterm.solver.protocol import MEGABYTE, Progress, Status
from sokoterm.tui.screens.play_view import PlayScreen, header
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    BoardPlace,
    Size,
    draw_board,
    draw_keys,
    place_board,
    progress_bar,
    square_size,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.wording.columns import clipped, fitting, text_width
from sokoterm.wording.figures import moves_and_pushes

NONE_YET = "no solution yet"
"""The answer to keys that need a solution, until there is one."""

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
    """A figure; ``shorter`` are forms of its text for less room."""

    name: str
    text: str
    shorter: tuple[str, ...] = ()


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
                return solver_solution(self._before, self.search.solutions[-1])
            case "copy" if self.search.solutions:
                return Copy(self._before + self.search.solutions[-1].lurd)
            case "accept" | "copy":
                self.message = "no solution was found" if self.search.is_over else NONE_YET
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to the boxes of the best position, where it is not seen whole."""
        best, level = self.search.best, self.play.model.level
        _, area = _lay_out(self, size, appearance)
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
    canvas.put(0, 0, clipped(f"Solver: {header(watching.play)}", size.columns), styles.TITLE)
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
    text = f"{search.seconds:.1f} of {limit:.0f} s"
    width = min(_LONGEST_BAR, canvas.width - len(f"{limit:.1f} of {limit:.0f} s") - 1)
    part = min(1.0, search.seconds / limit) if limit else 1.0
    canvas.put(1, canvas.put(1, 0, progress_bar(int(part * 1000), 1000, width)) + 1, text)


def _lines(watching: SolverScreen) -> list[_Line]:
    """Return the figures, the most important first: with few rows the last are left out."""
    search = watching.search
    latest, limits = search.latest, search.limits
    nodes = f"{latest.nodes:,}"
    if pace := search.nodes_per_second:
        nodes += f", {pace:,}/s"
    stored = f"{latest.stored:,}"
    if search.memory:
        stored += f", {search.memory // MEGABYTE} of {limits.memory // MEGABYTE} MB"
    lines = [_Line("strategy", *_strategy(search)), _Line("nodes", nodes), _Line("stored", stored)]
    if search.solutions:
        lines.append(_Line("solution", *solution_forms(search.solutions)))
        if not search.is_over and not search.latest.best:
            lines += _features(search.latest)  # of the solution, while it is shortened
    else:
        lines += _reached(search.reached)
    if watching.moves_before:
        lines.append(_Line("from", f"your move {watching.moves_before}"))
    return lines


def _reached(reached: Progress) -> list[_Line]:
    """Return the features of the best position, and the depth of the search."""
    lines = _features(reached)
    if reached.depth:
        bound = f", {reached.lower_bound} at least" if reached.lower_bound else ""
        lines.append(_Line("pushes", f"{reached.depth} deep{bound}"))
    return lines


def _features(told: Progress) -> list[_Line]:
    return [
        _Line(printable(name), f"{value}" if of is None else f"{value} of {of}") for name, value, of in told.features
    ]


def _strategy(search: SearchMonitor) -> tuple[str, tuple[str, ...]]:
    """Return ``fess, in turns with astar, backward`` and shorter forms of it."""
    now, others = search.strategy, search.others
    if not others:
        return now, ()
    how = f"on {search.latest.cores} cores" if search.latest.cores > 1 else "in turns"
    return f"{now}, {how} with {', '.join(others)}", (
        f"{now}, {len(others)} more {how}",
        f"{now}, {how}",
        now,
    )


def solution_forms(solutions: list[Solution]) -> tuple[str, tuple[str, ...]]:
    """Return ``97 moves, 23 pushes (3 found)`` and shorter forms of it: no figure is cut."""
    best, number = solutions[-1], len(solutions)
    figures, briefly = moves_and_pushes(best), f"{best.moves}/{best.pushes}"
    found = f" ({number} found)" if number > 1 else ""
    return f"{figures}{found}", (figures, f"{briefly}{found}", briefly)


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
        lines = [*lines[: room.height - 1], _Line("best", "no room here")]
    return lines, area


def _draw_best(canvas: Canvas, area: Area, watching: SolverScreen, appearance: Appearance) -> None:
    """Draw boxes without a player, from the upper left corner of an area, under a line that says what they are."""
    level = watching.play.model.level
    place = watching.place
    assert place is not None  # see ``fit``
    label = "solved position" if watching.search.solutions else "best position so far"
    label += "" if place.is_whole else ", a part"
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
        canvas.put(row, column, fitting((line.text, *line.shorter), area.width - column))


def _status(watching: SolverScreen, width: int) -> tuple[str, str]:
    """Return the message, else the result of the search, with its style."""
    search = watching.search
    if watching.message and not (watching.message == NONE_YET and search.solutions):
        return watching.message, PLAIN
    if not search.is_over:
        if search.solutions:
            shows = f"{watching.keymap.key_of('accept')} shows it"
            forms = (f"solution found: {shows}; still searching", f"solution found: {shows}", f"found: {shows}")
            return fitting(forms, width), styles.GOOD
        return "searching", PLAIN
    if search.outcome is None or search.outcome.status is not Status.SOLVED:
        return watching.play.message or "the search is over", PLAIN
    proven = f": fewest {search.outcome.optimal}, proven" if search.outcome.optimal else ""
    shows = f"{watching.keymap.key_of('accept')} shows it"
    return fitting((f"solved{proven}; {shows}", f"solved; {shows}"), width), styles.GOOD


def _hints(keymap: Keymap, search: SearchMonitor, width: int) -> list[tuple[str, str]]:
    key_of = keymap.key_of
    shows = [(key_of("accept"), "replay")] if search.solutions else []
    back = "back" if search.is_over else "play on while it searches" if width >= _ROOMY_COLUMNS else "play on"
    stops = [] if search.is_over else [(key_of("stop"), "stop it")]
    return [*shows, (key_of("cancel"), back), *stops, (key_of("help"), "help"), (key_of("quit"), "quit")]
