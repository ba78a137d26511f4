"""The browser: packs with their solved levels, levels with their figures and a small picture.

A pack is read when it is entered, or, a small one, when the cursor rests on it; what the list says of the others comes
from the index, and those that it does not know are learned while no key is pressed.
"""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.keymap import BROWSER, Keymap
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Close, ShowRuns, Start
from sokoterm.app.series.generated_pack import RunPack
from sokoterm.app.series.series import SeriesEntry
from sokoterm.engine.level import Level, LevelError
from sokoterm.store.packs import PackFile
from sokoterm.tui.screens.browser_lists import BrowserLists, Row
from sokoterm.tui.screens.browser_text import (
    column_heads,
    cut_at_a_word,
    draw_small_board,
    level_rows,
    opens,
    pack_rows,
    search_line,
    series_facts,
    series_problem,
    series_row,
)
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.terminal.terminal import Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, Size, draw_keys
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.lists import WHEEL_LINES
from sokoterm.wording.columns import clipped, text_width
from sokoterm.wording.lists import graded_text, level_facts, order_text, pack_facts
from sokoterm.wording.packs import awaited_title, words_of

_LIST_WIDTH = 57  # least columns of the list beside a picture
_PICTURE_FROM = 72  # columns from which there is room for a picture


class BrowserScreen(Screen):
    """A list of packs and, one step to the right, the list of a pack's levels."""

    def __init__(
        self,
        files: Sequence[PackFile],
        open_pack_session: Callable[[PackFile], PackSession],
        catalog: Catalog,
        keymap: Keymap = BROWSER,
        is_busy: Callable[[], bool] = lambda: False,
        series: Sequence[SeriesEntry] = (),
    ) -> None:
        """``open_pack_session`` reads a pack; it raises PackError if it cannot.

        While the solver ``is_busy`` it is not found out how hard levels are.
        """
        self.keymap = keymap
        self._catalog = catalog
        self._lists = BrowserLists(files, open_pack_session, catalog, is_busy, series)
        # The packs or levels on the screen, and True once no key came between two ticks.
        self._shown: list[PackFile] = []
        self._shown_levels: list[Level] = []
        self._rests = False
        self._page = 10
        self._width = 0
        if self._lists.has_one_pack:
            self._enter_pack()

    @property
    def reads_text(self) -> bool:
        return self._lists.search.reads_text

    def show(self, pack_session: PackSession, number: int) -> None:
        """Choose a level of a pack session, and its pack in the list of packs."""
        self._lists.hold(pack_session)
        self._lists.show_levels(pack_session, number)

    def choose_pack(self, key: str) -> None:
        """Move the cursor of the list of packs to the one with this key, if it is there."""
        self._lists.choose_pack(key)

    # Work while no key is pressed

    def wake_after(self) -> float | None:
        if self._pictureless() or self._lists.open_packs.has_work(self._shown) or self._replaying():
            return 0.0
        return self._lists.order.wake_after()

    def tick(self) -> None:
        """Read the chosen pack for its picture, learn a pack or replay, unless a key came since the last tick."""
        lists = self._lists
        if not self._rests:
            self._rests = True
        elif (file := self._pictureless()) is not None:
            lists.open_packs.open(file)
        elif lists.open_packs.has_work(self._shown):
            lists.open_packs.learn(self._shown)
        elif (pack_session := self._replaying()) is not None:
            pack_session.lookups.go_on()
        else:
            chosen = lists.chosen_row()
            if lists.order.work(self._shown if lists.pack_session is None else self._shown_levels, lists.pack_session):
                lists.keep(chosen)

    def _replaying(self) -> PackSession | None:
        """Return the pack whose levels are shown, if solutions of it are still to be replayed."""
        pack_session = self._lists.pack_session
        return pack_session if pack_session is not None and pack_session.lookups.is_replaying else None

    def _pictureless(self) -> PackFile | None:
        """Return the chosen pack, if it is to be read for its picture."""
        file = self._lists.chosen_file() if self._lists.pack_session is None and self._shown else None
        return file if file is not None and self._lists.open_packs.waits(file) else None

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self.message = ""
        self._rests = False
        self._lists.order.rest()
        if self._lists.search.reads_text:
            self._type(key)
            return None
        match action:
            case "accept":
                return self._accept()
            case "open" if self._lists.pack_session is None:
                return self._open()
            case "close" if self._lists.pack_session is not None:
                self._leave_pack()
            case "cancel":
                return self._cancel()
            case "search":
                self._lists.search.begin()
            case "next unsolved":
                self._next_unsolved()
            case "order":
                chosen = self._lists.chosen_row()
                order = self._lists.order
                order.toggle()
                is_grading = order.progress(self._lists.files, self._lists.pack_session) is not None
                self.message = "" if is_grading else order_text(is_by_difficulty=order.is_by_difficulty)
                self._lists.choose(chosen)
            case str():
                self._lists.choice.move(action, len(self._lists.rows()), self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose a row by a click, open it by another; go in and out by a right click; scroll by the wheel."""
        if not pointer.is_press:
            return None
        self.message = ""
        self._rests = False
        length = len(self._lists.rows())
        if pointer.button.startswith("wheel"):
            self._lists.choice.turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES, length, self._page)
            return None
        row = self._lists.choice.row_at(pointer.row - 2, length, self._page)
        if pointer.button == "right" and self._lists.pack_session is not None:
            self._leave_pack()
        elif row is None or pointer.column >= self._width or pointer.button == "middle":
            return None
        elif pointer.button == "left" and row == self._lists.choice.index:
            self._lists.search.accept()
            return self._accept()
        else:
            self._lists.choice.index = row
            if pointer.button == "right":
                return self._open()
        return None

    def paste(self, text: str) -> bool:
        """Search for the text, if a search is being typed."""
        if self.reads_text:
            self._lists.search.paste(text)
            self._lists.choice.index = 0
        return self.reads_text

    def _type(self, key: str) -> None:
        if key == "esc":
            self._lists.end_search()
        elif key == "enter":
            self._lists.search.accept()
        else:
            self._lists.search.type(key)
            self._lists.choice.index = 0

    def _cancel(self) -> Reaction | None:
        if self._lists.search:
            self._lists.end_search()
            return None
        return Close()

    def _accept(self) -> Reaction | None:
        if self._lists.pack_session is None:
            pack_session = self._chosen_pack_session()
            if pack_session is None:
                return None
            number = self._lists.number_in(pack_session)
            if number is None:
                self.message = words_of(pack_session).none_readable
                return None
            return Start(pack_session, number)
        entry = self._lists.chosen_entry()
        if isinstance(entry, LevelError):
            self.message = words_of(self._lists.pack_session).why_missing(entry.level)
            return None
        return Start(self._lists.pack_session, entry.number) if entry else None

    def _open(self) -> Reaction | None:
        """Show the levels of the chosen pack, or its runs."""
        pack_session = self._chosen_pack_session()
        if isinstance(pack_session, RunPack):
            return ShowRuns(pack_session)
        self._enter_pack()
        return None

    def _enter_pack(self) -> None:
        pack_session = self._chosen_pack_session()
        chosen = self._lists.chosen_pack()
        if pack_session is None or chosen is None:
            return
        number = self._lists.number_in(pack_session)
        self._lists.search.end()
        self._lists.choose(chosen)
        self._lists.show_levels(pack_session, number)

    def _leave_pack(self) -> None:
        # The line of a small pack has its figures at once.
        self._lists.open_packs.learn(self._shown)
        self._lists.show_packs()

    def _next_unsolved(self) -> None:
        pack_session = self._lists.pack_session
        if pack_session is None:
            return
        level = self._lists.chosen_level()
        self._lists.search.end()
        number = self._lists.order.next_unsolved(pack_session, level.number if level else 0)
        if number is None:
            self.message = words_of(pack_session).why_no_unsolved(level.number if level else 0)
        elif number not in pack_session.numbers:  # a generated level that was not begun
            back, play = self.keymap.key_of("close"), self.keymap.key_of("accept")
            self.message = f"{awaited_title(Start(pack_session, number))} not begun: {back}, then {play} starts it"
        else:
            self._lists.choose_number(pack_session, number)

    def _chosen_pack_session(self) -> PackSession | None:
        chosen = self._lists.chosen_pack()
        if isinstance(chosen, SeriesEntry):
            generated = chosen.open()
            self.message = self.message if generated is not None else series_problem(chosen)
            return generated
        pack_session = self._lists.open_packs.open(chosen) if chosen is not None else None
        if chosen is not None and pack_session is None:
            self.message = self._catalog.problem(chosen)
        return pack_session

    # The picture

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        """Scroll to the chosen row, and open the series among the rows shown, for their lines."""
        self._page = size.rows - 4
        self._width = max(_LIST_WIDTH, size.columns // 2) if size.columns >= _PICTURE_FROM else size.columns
        rows, choice = self._lists.rows(), self._lists.choice
        choice.scroll(len(rows), self._page)
        shown = rows[choice.first : choice.first + self._page]
        self._shown = [row for row in shown if isinstance(row, PackFile)]
        self._shown_levels = [row for row in shown if isinstance(row, Level)]
        for row in shown:
            if isinstance(row, SeriesEntry) and not row.problem:  # a failed one is tried again by the player alone
                row.open()

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        has_picture, width = size.columns >= _PICTURE_FROM, self._width
        rows = self._lists.rows()
        first = self._lists.choice.first
        heading = self._draw_heading(canvas, width)
        if len(rows) > self._page:
            part = f"{first + 1}-{min(first + self._page, len(rows))} of {len(rows)}"
            canvas.put(0, width - len(part), part)
        for index, line in enumerate(self._lines(rows[first : first + self._page], width), start=first):
            style = styles.CHOSEN if index == self._lists.choice.index else PLAIN
            canvas.put(2 + index - first, 0, line, style)
        if not rows:
            ends = f"{self.keymap.key_of('cancel')} clears the search"
            canvas.put(2, 0, clipped(f"nothing matches: {ends}" if self._lists.search else "nothing here", width))
        if has_picture:
            area = Area(2, width + 2, size.rows - 4, size.columns - width - 2)
            draw_small_board(canvas, area, self._pictured_level(), appearance)
        canvas.put(size.rows - 2, 0, self._bottom_line(size.columns))
        draw_keys(canvas, size.rows - 1, self._hints())
        cursor = (
            (size.rows - 2, min(text_width(self._lists.search.line), size.columns - 1))
            if self.reads_text
            else ((2 + self._lists.choice.index - first, 0) if rows else heading)
        )
        return canvas.frame(cursor)

    def _draw_heading(self, canvas: Canvas, width: int) -> tuple[int, int]:
        pack_session = self._lists.pack_session
        title = "sokoterm: packs" if pack_session is None else clipped(words_of(pack_session).name, width)
        canvas.put(0, 0, title, styles.TITLE)
        canvas.put(1, 0, column_heads(self._lists.order, width, of_packs=self._lists.pack_session is None))
        return (1, 0)

    def _lines(self, rows: Sequence[Row], width: int) -> list[str]:
        """Return the lines of some rows, whose figures are read all at once."""
        if self._lists.pack_session is None:
            series = [series_row(row, width) for row in rows if isinstance(row, SeriesEntry)]
            return [*series, *pack_rows(self._shown, self._catalog, self._lists.order, width)]
        entries = [row for row in rows if isinstance(row, (Level, LevelError))]
        return level_rows(entries, self._lists.pack_session, self._lists.order, width)

    def _pictured_level(self) -> Level | None:
        if self._lists.pack_session is not None:
            return self._lists.chosen_level()
        chosen = self._lists.chosen_pack()
        pack_session = self._lists.pack_session_of(chosen) if chosen else None
        number = self._lists.number_in(pack_session) if pack_session else None
        return pack_session.find_level(number) if pack_session and number is not None else None

    def _facts(self) -> str:
        """Return the progress of the grading of all rows, and the facts of the chosen pack or level."""
        graded = self._lists.order.progress(self._lists.files, self._lists.pack_session)
        progress = graded_text(graded)
        return ", ".join(filter(None, [progress, self._facts_of_chosen()]))

    def _facts_of_chosen(self) -> str:
        if self._lists.pack_session is None:
            return self._pack_facts()
        level = self._lists.chosen_entry()
        if not isinstance(level, Level):
            return words_of(self._lists.pack_session).why_missing(level.level) if level else ""
        # The first picture does not wait for the library.
        return level_facts(self._lists.pack_session, level, with_library=self._catalog.is_open)

    def _pack_facts(self) -> str:
        """Return ``Minicosmos, 40 levels``, or why the pack cannot be read."""
        file = self._lists.chosen_pack()
        if file is None:
            return ""
        if isinstance(file, SeriesEntry):
            return series_facts(file)
        figures = self._catalog.figures([file]).get(file.key)
        if figures is None:
            later = f"not read yet: {self.keymap.key_of('open')} reads it"
            return self._catalog.problem(file) or ("" if self._catalog.is_small(file) else later)
        # A newcomer has a list of bundled packs alone.
        more = "; `sokoterm add FILE` adds packs" if all(each.is_bundled for each in self._lists.files) else ""
        return pack_facts(figures, self._lists.level_found(file)) + more

    def _bottom_line(self, columns: int) -> str:
        """Return the message, else the search, else the facts."""
        search = self._lists.search.line
        if self.message or not search:
            return cut_at_a_word(self.message or self._facts(), columns)
        if not self.reads_text:
            return cut_at_a_word(f"{search}   {self._facts()}".rstrip(), columns)
        return search_line(search, columns, of_packs=self._lists.pack_session is None)

    def _hints(self) -> list[tuple[str, str]]:
        if self.reads_text:
            return [("Enter", "done"), ("Esc", "clear the search")]
        end = {"cancel": "clear the search"} if self._lists.search else {}
        labels = end | ({"accept": "play"} if self._lists.rows() else {})
        if self._lists.pack_session is not None:
            labels |= {"close": "packs", "next unsolved": "next unsolved"}
        elif self._lists.rows():
            labels["open"] = opens(self._lists.chosen_pack())
        if self._lists.rows():
            labels["order"] = "order"
        labels |= {"search": "search", "help": "help", "quit": "quit"}
        return [(self.keymap.key_of(action), label) for action, label in labels.items()]
