"""The table of descents, deepest first, for starting and resuming them; and the wait for a level."""

from collections.abc import Callable

from sokoterm.app.generated import DescentPack, GeneratedPack, GeneratedSeries
from sokoterm.app.keymap import DIGITS, Keymap
from sokoterm.app.request import Ask, Start
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, ngettext, pgettext
from sokoterm.store.series import RunScore, day_of
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Frame, Size, StatusText
from sokoterm.tui.widgets.lettering import large
from sokoterm.tui.widgets.parts import Choice, centred, gauge, label_lines, line_width, plain_lines
from sokoterm.wording.columns import clipped, text_width
from sokoterm.wording.figures import clock_time, over_briefly
from sokoterm.wording.packs import DescentWords, words_of

_MOST_DIGITS = 9
_NAME_WIDTH = 12

_LEAST_WIDTH = 34  # minimum columns of a finished run's figures

# Columns: heading and minimum width; a narrow window omits the last ones.
_COLUMNS = (
    # Translators: narrow headings, ideally at most 6 columns: floors of a descent, total pushes over par, undos, hints,
    # solutions seen, time played, and day.
    (N_("seed"), 10), (N_("floors"), 7), (N_("over"), 6), (N_("undos"), 6), (N_("hints"), 6), (N_("seen"), 5),
    (N_("time"), 9), (N_("started"), 12),
)  # fmt: skip


class RunsScreen(Screen):
    """The list of runs; typed digits are the seed of a new run."""

    def __init__(
        self, series: GeneratedSeries, keymap: Keymap, chosen: RunScore | None, over: DescentPack | None = None
    ) -> None:
        """``chosen``: None for a new run; a run that is ``over`` is shown first. May raise PackError."""
        self._over = over
        self.keymap = keymap
        self._series = series
        self._rows = list(series.table())
        keys = [None, *((run.name, run.seed, run.begun) for run in self._rows)]
        key = (chosen.name, chosen.seed, chosen.begun) if chosen is not None else None
        self._choice = Choice(keys.index(key) if key in keys else 0)
        self._page = 10
        self._seed = ""

    def update(self, action: str | None, key: str) -> Reaction | None:
        if key in DIGITS:
            self._seed = (self._seed + key)[-_MOST_DIGITS:]
            return None
        match action:
            case _ if key == "backspace" and self._seed:
                self._seed = self._seed[:-1]
            case "accept":
                return self._accept()
            case "cancel" if self._seed:
                self._seed = ""
            case "cancel" | "close":
                return Ask.CLOSE
            case str() if self._over is not None:
                self._over = None
            case str():
                self._choice.move(action, len(self._rows) + 1, self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Click: choose a run, or play the chosen one; right button: go back; wheel: scroll."""
        if not pointer.is_press:
            return None
        row = self._choice.point(pointer, len(self._rows) + 1, range(2, self._page + 2))
        if pointer.button == "right":
            return Ask.CLOSE
        if row is None or pointer.button != "left" or self._over is not None:
            self._over = None
            return None
        if row == self._choice.index:
            return self._accept()
        self._choice.index = row
        return None

    @property
    def _chosen(self) -> RunScore | None:
        return self._rows[self._choice.index - 1] if 0 < self._choice.index <= len(self._rows) else None

    def _accept(self) -> Reaction | None:
        run, series = self._chosen, self._series
        if run is not None and run.is_own and not run.is_over and not self._seed:
            pack_session = series.resume(run)
        else:
            seed = int(self._seed) if self._seed else run.seed if run is not None else None
            pack_session = series.begin(seed)
        return Start(pack_session, pack_session.start_number() or 1)

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        self._page = size.above(2).inside.height - 1
        self._choice.scroll(len(self._rows) + 1, self._page)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas, over, choice = Canvas(*size), self._over, self._choice
        title, message, labels = "", self.message or self._hint(), {"accept": _("play")}
        if over is not None:
            words = DescentWords(over)
            title, labels = words.name, {"accept": _("a new descent"), "open": _("all descents")}
            if not self.message and not self._seed:
                message = words.result(over.depth) or _("no floors solved")
        labels |= {"cancel": _("back"), "help": _("help"), "quit": _("quit")}
        canvas.draw_page(StatusText(message), self.keymap.hints(labels), title)
        if over is not None:
            _draw_end(canvas, words, over.score)
            return canvas.frame()
        count = f"{len(self._rows)}" if self._rows else ""
        area = canvas.draw_pane(size.above(2), _("Descents"), count, has_focus=True)
        headings = [_(heading) for heading, least in _COLUMNS]
        heading = _line(headings, pgettext("heading of the column of players", "who"), area.width)
        rows = ["  " + _("a new descent"), *(self._row(run, area.width) for run in self._rows)]
        lines = [*plain_lines([f"  {heading}"], styles.QUIET), *plain_lines(rows[choice.page(self._page)])]
        chosen = choice.index - choice.first + 1
        canvas.draw_list(area, lines, chosen)
        return canvas.frame((area.top + chosen, area.left))

    def _hint(self) -> str:
        key, run = self.keymap.key_of("accept"), self._chosen
        if self._seed:
            return _("seed {seed}: {key} starts", seed=self._seed, key=key)
        if run is None:
            return _("{key} picks a random seed, or type one", key=key)
        if run.is_own and not run.is_over:
            return _("in progress on floor {floor}: {key} continues", floor=run.floors + 1, key=key)
        return _("{key} starts again with seed {seed}", key=key, seed=run.seed)

    def _row(self, run: RunScore, columns: int) -> str:
        over = over_briefly(run.over) if run.floors else "-"
        cells = [*map(str, (run.seed, run.floors, over, run.undos, run.hints, run.shown)), clock_time(run.seconds)]
        mark = " " if run.is_over else ">"
        who = printable(run.name) or pgettext("in the column of players", "you")
        return f"{mark} {_line([*cells, str(day_of(run.begun))], who, columns)}"


def _line(cells: list[str], name: str, columns: int) -> str:
    """Return as many cells as fit, and the name if all do."""
    line = ""
    for cell, (heading, least) in zip(cells, _COLUMNS):
        width = max(least, text_width(_(heading)) + 1)
        if text_width(line) + width + 2 > columns:
            return line
        line += " " * (width - text_width(cell)) + cell
    return f"{line}  {clipped(name, _NAME_WIDTH)}"


def _draw_end(canvas: Canvas, words: DescentWords, score: RunScore) -> None:
    is_best = words.rank.startswith("1 ")
    # Translators: in large letters, like the cheers for a win.
    cheer = _("NEW BEST!") if is_best else ngettext("{n} FLOOR", "{n} FLOORS", score.floors)
    letters = plain_lines(large(cheer) or [cheer], styles.GOOD if is_best else styles.ACCENT)
    width = min(max(_LEAST_WIDTH, *map(line_width, letters)), canvas.width - 4)
    lines = [*centred(letters, width), *plain_lines([""]), *label_lines(words.figures, width)]
    if not score.floors or len(lines) > canvas.height - 5 or max(map(line_width, letters)) > width:
        del lines[: len(letters) + 1]
    height = min(len(lines) + 2, canvas.height - 3)
    area = Area((canvas.height - 1 - height) // 2, max(0, (canvas.width - width - 4) // 2), height, width + 4)
    canvas.draw_list(canvas.draw_pane(area, _("The run is over"), has_focus=True), lines)


_UPDATE_SECONDS = 0.25
_WIDEST_BAR = 60


class MakingScreen(Screen):
    """Shows how long and how far a level is being made, with those keys of play that need no board."""

    def __init__(self, awaited: Start, keymap: Keymap, clock: Callable[[], float], *, is_alone: bool) -> None:
        """``is_alone``: there is no screen below to return to."""
        self.keymap = keymap
        self.awaited = awaited
        self._is_alone = is_alone
        self._clock = clock
        self._begun = clock()
        self._seconds = 0

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        match action:
            case "browse":
                return Ask.BROWSE
            case "cancel":
                return Ask.BROWSE if self._is_alone else Ask.CLOSE
        return None

    def wake_after(self) -> float | None:
        return _UPDATE_SECONDS

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - nothing is scrolled
        self._seconds = int(self._clock() - self._begun)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas = Canvas(*size)
        seconds = self._seconds
        text = _("making the level ... {seconds} s", seconds=seconds) if seconds else _("making the level ...")
        canvas.draw_message(2, StatusText(text))
        pack_session = self.awaited.pack_session
        if isinstance(pack_session, GeneratedPack):
            canvas.put_parts(4, 0, gauge(pack_session.share_made, 1, min(_WIDEST_BAR, size.columns)))
        back = _("list") if self._is_alone else _("back")
        labels = {"cancel": back, "help": _("help"), "quit": _("quit")}
        title = words_of(pack_session).title(self.awaited.number)
        canvas.draw_page(StatusText(self.message), self.keymap.hints(labels), title)
        return canvas.frame((2, 0))
