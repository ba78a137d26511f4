"""The solver screen: its strategies and the best position, while the game continues below.

A large window has a box per strategy beside the best position, a smaller one a row per strategy above it. Their places
are fixed, so nothing moves. Figures that the search does not report are left out.
"""

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.request import Ask, Copy
from sokoterm.app.solver import SearchMonitor, StrategyMonitor
from sokoterm.engine.bits import squares_of
from sokoterm.engine.board import State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, listed, ngettext, number, pgettext
from sokoterm.solver.search import MEGABYTE, Feature, Progress, Status
from sokoterm.store.known_levels import Source
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, draw_board, fit_board
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Area, CardText, Frame, Hints, Line, Size, StatusText
from sokoterm.tui.widgets.parts import bars, gauge, plain_lines, to_right
from sokoterm.wording.columns import cut_at_a_word, folded, padded, text_width
from sokoterm.wording.figures import moves_and_pushes

_NONE_YET = N_("no solution yet")  # for keys that need a solution
_PROVEN = {
    "pushes": N_("solved: fewest pushes, proven; {key} shows it"),
    "moves": N_("solved: fewest moves, proven; {key} shows it"),
}
_ROOMS = 4  # the most strategies of a level
_BOXES = 38  # minimum columns of the boxes, which take a third of the window
_WIDEST_BOXES = 48
_BOX_ROWS = 3  # minimum rows of a box
_FRAMED_ROWS = 5  # minimum rows of a box with a frame
_AROUND = 8  # columns of a pane's edge besides the texts
_LABELLED_ROW = 60  # columns from which a row explains its gauge
_STRATEGY = 9  # columns of a strategy's name in a row
_GAUGE, _LEAST_GAUGE = 10, 4  # of its gauge
_LABEL = 19  # of the gauge's text
_USED = 14  # of the memory in use
_PACE = 9  # of the nodes per second
_BESIDE_FROM = 76  # minimum columns of a window with the best position beside the boxes
_LEAST_BOARD = 3  # rows; less of a board shows nothing useful
_ROOMY_ROWS = 12  # minimum rows of a window with a blank row


class SolverScreen(Screen):
    """A search; it continues when the player leaves the screen."""

    def __init__(self, play: PlayScreen, before: str, search: SearchMonitor) -> None:
        """``before``: the moves made when the solver was asked."""
        self.keymap = play.keymaps.solver
        self._play = play
        self._level = play.model.level
        self._search = search
        self._before = before

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        search = self._search
        match action:
            case "cancel":
                return Ask.CLOSE
            case "stop" if not search.is_over:
                return Ask.STOP_SEARCH
            case "accept" if search.solutions:
                return ShowReplay(self._before, search.solutions[-1].lurd, Source.SOLVER)
            case "copy" if search.solutions:
                return Copy(self._before + search.solutions[-1].lurd)
            case "accept" | "copy":
                self.message = _("no solution was found") if search.is_over else _(_NONE_YET)
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:
        """Scroll to the boxes of the best position, if the board does not fit."""
        board, area = self._level.board, self._lay_out(size)[1]
        if area is not None:
            rows, columns = zip(*map(board.row_column, squares_of(self._search.best & board.floor)), strict=True)
            middle = board.square((min(rows) + max(rows)) // 2, (min(columns) + max(columns)) // 2)
            self.place = fit_board(board, middle, area.inside, appearance, self.place)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, search = Canvas(*size), self._search
        canvas.draw_pane(Area(0, 0, 1, size.columns), _("Solver: {level}", level=self._play.header), self._origin())
        # The bar stays full beyond the limit.
        limit = search.limits.seconds
        width = size.columns - text_width(_time_text(limit, limit)) - 1
        part = min(1.0, search.seconds / limit) if limit else 1.0
        canvas.put(1, canvas.put_parts(1, 0, gauge(part, 1, width)) + 1, _time_text(search.seconds, limit))
        area, board = self._lay_out(size)
        if board is not None and board.left:
            self._draw_boxes(canvas, area)
        else:
            canvas.draw_list(area, self._rows(area.width))
        if board is not None:
            self._draw_best(canvas, board, appearance)
        canvas.draw_page(self._status(), self._hints())
        return canvas.frame()

    def _origin(self) -> str:
        begin = _("your move {number}", number=len(self._before)) if self._before else ""
        # Translators: "from  your move 12": the search starts there.
        begin = begin and " ".join((pgettext("name of a figure", "from"), begin))
        cores = self._search.latest.cores
        return listed([begin, ngettext("{n} core", "{n} cores", cores) if cores > 1 else ""])

    def _draw_boxes(self, canvas: Canvas, area: Area) -> None:
        """Draw a box for each strategy and, at the bottom, one for the memory."""
        search = self._search
        least = _FRAMED_ROWS if area.height >= _FRAMED_ROWS * (_ROOMS + 1) else _BOX_ROWS
        height = (area.height - least) // _ROOMS
        box = area._replace(height=height)
        for name, strategy in search.strategies.items():
            nodes = _("nodes {number:,}", number=strategy.nodes)
            inner = canvas.draw_pane(box, _(name), nodes, has_focus=self._has_focus(name))
            label, bar = self._reach(name, inner.width - _LABEL - 1)
            meaning = [_(line.text) for line in self.keymap.legend if line.keys == name][: inner.height - 2]
            sparks = _sparks(strategy, inner.width, max(1, inner.height - 4))
            lines = [*plain_lines(meaning, styles.QUIET), [*bar, CardText(f" {label}")], *sparks]
            more = folded(listed(_more_figures(strategy.latest)), inner.width)
            canvas.draw_list(inner, [*lines, *plain_lines(more, styles.QUIET)])
            box = box._replace(top=box.top + height)
        box = Area(area.top + _ROOMS * height, area.left, area.height - _ROOMS * height, area.width)
        used, bar = self._memory(box.inside.width)
        seconds = number(search.reached_after, 1)
        after = _("best position after {seconds} s", seconds=seconds)
        if search.solutions:
            after = _("solved after {seconds} s", seconds=seconds)
        more = [_("stored {number:,}", number=search.latest.stored), after]
        canvas.draw_list(canvas.draw_pane(box, _("memory"), used), [bar, *plain_lines(more, styles.QUIET)])

    def _rows(self, width: int) -> list[Line]:
        """Return a row for each strategy (progress and recent pace), and a last one for the memory."""
        rows, length = list[Line](), max(_LEAST_GAUGE, min(_GAUGE, width - _STRATEGY - _USED))
        for name, strategy in self._search.strategies.items():
            label, bar = self._reach(name, length)
            label = f" {label}" if width >= _LABELLED_ROW else " "
            style = styles.ACCENT if self._has_focus(name) else PLAIN
            room = width - _STRATEGY - length - text_width(label)
            sparks = _sparks(strategy, room, 1)[0] if room > _PACE else ()
            rows.append([CardText(_fitted(_(name), _STRATEGY), style), *bar, CardText(label), *sparks])
        used, bar = self._memory(length)
        memory = [CardText(_fitted(_("memory"), _STRATEGY)), *bar, CardText(f" {used}")]
        return [*rows, *[()] * (_ROOMS - len(rows)), memory]

    def _has_focus(self, name: str) -> bool:
        """True for a working strategy, and at the end for the one that solved the level."""
        search = self._search
        is_searching = not search.solutions and not search.is_over
        return name == search.winner or is_searching and search.strategies[name].is_at_work

    def _reach(self, name: str, width: int) -> tuple[str, Line]:
        """Return a strategy's progress and its gauge, which is full only when it has solved the level."""
        feature = _measure_of(self._search.strategies[name].latest)
        if name == self._search.winner:
            return padded(_("solved"), _LABEL), gauge(1, 1, width)
        if feature is None or not feature.of:
            return " " * _LABEL, gauge(0, 1, width)
        done = feature.of - feature.value if feature.falls else feature.value
        text = f"{feature.value}/{feature.of} {printable(_(feature.name))}"
        return _fitted(text, _LABEL), gauge(min(done, feature.of - 0.5), feature.of, width)

    def _memory(self, width: int) -> tuple[str, Line]:
        """Return the memory used and its gauge; nothing if unknown."""
        search = self._search
        if not search.memory:
            return "", []
        used, most = search.memory // MEGABYTE, search.limits.memory // MEGABYTE
        figures = _("{used} of {most} MB", used=f"{used:>{len(str(most))}}", most=most)
        return figures, gauge(min(used, most - 0.5), most, width)

    def _lay_out(self, size: Size) -> tuple[Area, Area | None]:
        """Return the area of the figures, and the area of the best position beside or below, if there is room."""
        top = 3 if size.rows >= _ROOMY_ROWS else 2
        room = Area(top, 0, size.rows - 2 - top, size.columns)
        if room.height >= _BOX_ROWS * (_ROOMS + 1) and room.width >= _BESIDE_FROM:
            width = max(_BOXES, min(room.width // 3, _WIDEST_BOXES))
            best = Area(room.top, width + 1, room.height, room.width - width - 1)
            return room._replace(width=width), best
        height = min(_ROOMS + 1, room.height)
        below = Area(room.top + height, 0, room.height - height, room.width)
        has_room = below.inside.height >= _LEAST_BOARD
        return room._replace(height=height), below if has_room else None

    def _draw_best(self, canvas: Canvas, area: Area, appearance: Appearance) -> None:
        """Draw boxes without a player in a titled pane."""
        place, search = self.place, self._search
        assert place is not None  # see ``fit``
        if search.solutions:
            label, figures = _("solved position"), solution_text(search.solutions)
        else:
            label = _("best position")
            figures = _("{n} of {total} home", n=search.home, total=self._level.board.goals.bit_count())
        has_room = text_width(label + figures) + _AROUND <= area.width
        canvas.draw_pane(area, *((label, figures) if has_room else (figures,)))
        draw_board(canvas, place, self._level, State(search.best, -1), appearance.theme)

    def _status(self) -> StatusText:
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

    def _hints(self) -> Hints:
        search, labels = self._search, dict[str, str]()
        if search.solutions:
            labels["accept"] = _("replay")
        if search.is_over:
            labels["cancel"] = _("back")
        else:
            labels["cancel"] = _("play on")
            labels["stop"] = _("stop it")
        return self.keymap.hints({**labels, "help": _("help"), "quit": _("quit")})


def _time_text(seconds: float, limit: float) -> str:
    return _("{seconds} of {limit} s", seconds=number(seconds, 1), limit=number(limit))


def _measure_of(report: Progress) -> Feature | None:
    """Return the feature of a report that measures progress."""
    return next((each for each in report.features if each.of is not None), None)


def _more_figures(report: Progress) -> list[str]:
    depth, bound, measure = report.depth, report.lower_bound, _measure_of(report)
    # Translators: the depth of the search, and a lower bound on the solution, in pushes.
    text = _("{depth} deep, at least {bound}", depth=depth, bound=bound) if bound else _("{depth} deep", depth=depth)
    more = [f"{printable(_(each.name))} {each.value}" for each in report.features if each is not measure]
    return [text, *more] if depth else more


def _fitted(text: str, width: int) -> str:
    return padded(cut_at_a_word(text, width - 1), width)


def _sparks(strategy: StrategyMonitor, width: int, height: int) -> list[Line]:
    """Return recent paces as bars, the last one at the right end, with the current pace in figures."""
    pace = _("{pace}/s", pace=number(strategy.paces[-1])) if strategy.is_at_work else ""
    rows = bars([*strategy.paces][_PACE - width :], height, strategy.highest)
    lines = [[CardText(to_right(row, width - _PACE), styles.ACCENT)] for row in rows]
    lines[-1].append(CardText(to_right(pace, _PACE)))
    return list[Line](lines)


def solution_text(solutions: list[Solution]) -> str:
    """Return for example ``97 moves, 23 pushes (3 found)``."""
    figures, count = moves_and_pushes(solutions[-1]), len(solutions)
    # Translators: the best solution so far, and how many were found.
    return _("{figures} ({count} found)", figures=figures, count=count) if count > 1 else figures
