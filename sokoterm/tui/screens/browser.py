"""The browser: packs with their solved levels, levels with their figures, and a preview of the chosen one.

A wide window shows all three side by side, a narrower one the list with the cursor, with a small picture if there is
room.

A pack is read when it is entered, or, a small one, when the cursor rests on it; what the list says of the others comes
from the index, and those that it does not know are learned while no key is pressed.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from sokoterm.app.catalog import Catalog, LevelSort
from sokoterm.app.generated import DescentPack, GeneratedPack, SeriesEntry
from sokoterm.app.keymap import BROWSER, Keymap
from sokoterm.app.lists import Folder, OwnPacks
from sokoterm.app.pack_session import PackSession
from sokoterm.app.pasted import levels_found, open_series
from sokoterm.app.request import Close, OpenEditor, ShowRuns, ShowStatistics, Start
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.language import _, listed, pgettext
from sokoterm.store.packs import PackError, PackFile
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.browser_lists import BrowserLists
from sokoterm.tui.screens.browser_panes import PICTURE_FROM, Pane, panes_of
from sokoterm.tui.screens.browser_preview import draw_preview
from sokoterm.tui.screens.browser_question import PackQuestion
from sokoterm.tui.screens.browser_text import (
    Columns,
    column_heads,
    cut_at_a_word,
    draw_small_board,
    folder_row,
    level_rows,
    opens,
    pack_rows,
    series_facts,
    series_problem,
    series_row,
)
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, Size, draw_keys
from sokoterm.tui.widgets.card import CardText, Line, draw_line
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.lists import WHEEL_LINES, Choice
from sokoterm.wording.columns import clipped, folded, padded, text_width
from sokoterm.wording.lists import (
    NO_FILTER,
    NOTHING_FOUND,
    WHY_NOT_OWN,
    changed_text,
    folder_facts,
    graded_text,
    level_facts,
    order_text,
    pack_facts,
    unknown_text,
)
from sokoterm.wording.packs import awaited_title, generated_words_of, words_of


class BrowserScreen(Screen):
    """A list of packs and, one step to the right, the list of a pack's levels."""

    def __init__(
        self,
        files: list[PackFile],
        open_pack_session: Callable[[PackFile], PackSession],
        catalog: Catalog,
        keymap: Keymap = BROWSER,
        is_busy: Callable[[], bool] = lambda: False,
        series: Sequence[SeriesEntry] = (),
        own_packs: OwnPacks | None = None,
    ) -> None:
        """``open_pack_session`` reads a pack; it raises PackError if it cannot. ``files`` changes with ``own_packs``.

        While the solver ``is_busy`` it is not found out how hard levels are.
        """
        self.keymap = keymap
        self._catalog = catalog
        self._open_pack_session = open_pack_session
        self._own_packs = own_packs
        self._question: PackQuestion | None = None
        self._lists = BrowserLists(files, open_pack_session, catalog, is_busy, series)
        # The packs or levels on the screen, and True once no key came between two ticks.
        self._shown: list[PackFile] = []
        self._shown_levels: list[Level] = []
        self._rests = False
        self._page = 10
        self._panes = panes_of(0)
        if self._lists.has_one_pack:
            self._enter_pack()

    @property
    def reads_text(self) -> bool:
        return self._lists.search.reads_text or self._question is not None

    def show(self, pack_session: PackSession, number: int) -> None:
        """Choose a level of a pack session, and its pack in the list of packs."""
        self._lists.hold(pack_session)
        self._lists.show_levels(pack_session, number)

    def choose_pack(self, key: str) -> None:
        """Move the cursor of the list of packs to the one with this key, if it is there."""
        self._lists.choose_pack(key)

    # Work while no key is pressed

    def wake_after(self) -> float | None:
        if self._pictureless() or self._lists.open_packs.has_work(self._to_index()) or self._replaying():
            return 0.0
        return self._lists.order.wake_after()

    def tick(self) -> None:
        """Read the chosen pack for its picture, learn a pack or replay, unless a key came since the last tick."""
        lists = self._lists
        if not self._rests:
            self._rests = True
        elif (file := self._pictureless()) is not None:
            lists.open_packs.open(file)
        elif lists.open_packs.has_work(self._to_index()):
            chosen, finds = lists.chosen_row(), self._finds_packs
            lists.open_packs.learn(self._to_index())
            if finds:
                lists.keep(chosen)
        elif (pack_session := self._replaying()) is not None:
            pack_session.lookups.go_on()
        else:
            chosen = lists.chosen_row()
            if lists.order.work(self._shown if lists.pack_session is None else self._shown_levels, lists.pack_session):
                lists.keep(chosen)

    def _to_index(self) -> list[PackFile]:
        """Return the packs to index, those on the screen first; the order by difficulty indexes the others itself."""
        return [*self._shown, *(() if self._lists.order.is_by_difficulty else self._lists.files)]

    @property
    def _finds_packs(self) -> bool:
        """True while a filter stands for all packs."""
        return self._lists.pack_session is None and bool(self._lists.search)

    def _unknown(self) -> str:
        """Return how many packs a filter cannot find yet, as they are not indexed."""
        return unknown_text(self._catalog.count_unknown(self._lists.files)) if self._finds_packs else ""

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
        if self._question is not None:
            self._answer(self._question, key)
            return None
        if self._lists.search.reads_text:
            self._type(key)
            return None
        match action:
            case "accept":
                return self._accept()
            case "open" if self._lists.pack_session is None:
                return self._open()
            case "close":
                if self._lists.pack_session is not None:
                    self._leave_pack()
                else:
                    self._lists.leave_folder()
            case "cancel":
                return self._cancel()
            case "search":
                self._lists.begin_search()
            case "next unsolved":
                self._next_unsolved()
            case "series":
                return self._play_found()
            case "statistics":
                return ShowStatistics()
            case "edit":
                return self._edit()
            case "draw":
                return OpenEditor()
            case "order":
                self._sort(1)
            case "order back":
                self._sort(-1)
            case "rename" | "remove":
                self._ask(is_removal=action == "remove")
            case str():
                self._lists.choice.move(action, len(self._lists.rows()), self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose a row by a click, open it by another in its list; right: go in and out; wheel: scroll."""
        if not pointer.is_press:
            return None
        self._question = None
        self.message = ""
        self._rests = False
        has_moved = self._panes.are_three and self._enter_pane(pointer.column)
        length = len(self._lists.rows())
        if pointer.button.startswith("wheel"):
            self._lists.choice.turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES, length, self._page)
            return None
        pane = self._panes.packs if self._lists.pack_session is None else self._panes.levels
        row = self._lists.choice.row_at(pointer.row - 2, length, self._page)
        if pointer.button == "right" and self._lists.pack_session is not None:
            self._leave_pack()
        elif row is None or pointer.column not in pane or pointer.button == "middle":
            return None
        elif pointer.button == "left" and row == self._lists.choice.index and not has_moved:
            self._lists.search.accept()
            return self._accept()
        else:
            self._lists.choice.index = row
            if pointer.button == "right":
                return self._open()
        return None

    def _enter_pane(self, column: int) -> bool:
        """Move the cursor to the list under the mouse; return False if it is there."""
        lists = self._lists
        if column in self._panes.packs and lists.pack_session is not None:
            self._leave_pack()
        elif column in self._panes.levels and lists.pack_session is None and lists.beside is not None:
            lists.enter(lists.beside)
        else:
            return False
        return True

    def paste(self, text: str) -> bool:
        """Take the text for the filter or name that is being typed."""
        if self._question is not None:
            self._question.paste(text)
        elif self.reads_text:
            self._lists.search.paste(text)
            self._lists.choose_first()
        return self.reads_text

    def _type(self, key: str) -> None:
        if key == "esc":
            self._lists.end_search()
        elif key == "enter":
            self._lists.search.accept()
        else:
            self._lists.search.type(key)
            self._lists.choose_first()

    def _cancel(self) -> Reaction | None:
        if self._lists.search:
            self._lists.end_search()
            return None
        return Close()

    def _accept(self) -> Reaction | None:
        if self._lists.pack_session is None:
            if (folder := self._lists.chosen_folder()) is not None:
                self._lists.fold(folder)
                return None
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

    def _edit(self) -> Reaction | None:
        """Edit the chosen level, or of a pack that level which is next."""
        entry = self._lists.chosen_entry()
        if self._lists.pack_session is not None and entry is not None:
            return OpenEditor(self._lists.pack_session, entry.level if isinstance(entry, LevelError) else entry.number)
        pack_session = self._chosen_pack_session() if self._lists.chosen_folder() is None else None
        number = self._lists.number_in(pack_session) if pack_session is not None else None
        return OpenEditor(pack_session, number) if pack_session is not None and number is not None else None

    def _play_found(self) -> Reaction | None:
        """Play the levels that the filter finds, in the packs or in the pack that is shown."""
        lists = self._lists
        if not lists.search:
            self.message = _(NO_FILTER)
            return None
        found: Iterable[tuple[Pack, Level]]
        if lists.pack_session is None:
            found = levels_found(lists.search.wanted, lists.files, self._catalog, self._open_pack_session)
        else:
            levels = (each for each in lists.level_rows() if isinstance(each, Level))
            found = zip(repeat(lists.pack_session.pack), levels)
        try:
            series = open_series(lists.search.text, found, lists.files, self._catalog, self._open_pack_session)
        except PackError as error:
            self.message = str(error)
            return None
        if series is None:
            self.message = self._unknown() or _(NOTHING_FOUND)
            return None
        if unknown := self._unknown():
            self._catalog.notices.append(unknown)
        lists.open_packs.hold(series.file, series.pack_session)
        return Start(series.pack_session, series.number)

    def _open(self) -> Reaction | None:
        """Show the levels of the chosen pack, or its runs, or the packs of a folder."""
        folder = self._lists.chosen_folder()
        if folder is not None:
            if folder.is_folded:
                self._lists.fold(folder)
            return None
        pack_session = self._chosen_pack_session()
        if isinstance(pack_session, DescentPack):
            return ShowRuns(pack_session)
        self._enter_pack()
        return None

    def _enter_pack(self) -> None:
        pack_session = self._chosen_pack_session()
        chosen = self._lists.chosen_pack()
        if pack_session is None or chosen is None:
            return
        number = self._lists.number_in(pack_session)
        self._lists.search.enter_pack()
        self._lists.choose(chosen)
        self._lists.show_levels(pack_session, number)

    def _leave_pack(self) -> None:
        # The line of a small pack has its figures at once.
        self._lists.open_packs.learn(self._shown)
        self._lists.show_packs()

    def _sort(self, step: int) -> None:
        """Take the next order, or the one before, and say which it is."""
        chosen, chosen_pack = self._lists.chosen_row(), self._lists.chosen_pack()
        order = self._lists.order
        order.turn(step)
        is_grading = order.progress(self._lists.files, self._lists.pack_session) is not None
        self.message = "" if is_grading else order_text(order.sort)
        if chosen_pack is not None:
            self._lists.choose_pack(chosen_pack.key)
        self._lists.choose(chosen)

    def _ask(self, *, is_removal: bool) -> None:
        """Ask for the new name of the chosen pack, or whether to remove it."""
        file = self._lists.chosen_file() if self._lists.pack_session is None else None
        if file is None or self._own_packs is None or not self._own_packs.has(file):
            self.message = _(WHY_NOT_OWN)
        else:
            self._question = PackQuestion(file, is_removal=is_removal)

    def _answer(self, question: PackQuestion, key: str) -> None:
        """Rename or remove the pack if that is the answer."""
        is_yes = question.answer(key)
        if is_yes is None or self._own_packs is None:
            return
        self._question = None
        if not is_yes:
            return
        file, renamed, lists = question.file, None, self._lists
        try:
            if question.is_removal:
                self._own_packs.remove(file, lists.files)
            else:
                renamed = self._own_packs.rename(file, question.name, lists.files)
        except PackError as error:
            self.message = str(error)
            return
        lists.order.take()
        lists.beside = None
        if renamed is None:
            lists.open_packs.drop(file)
        else:
            lists.open_packs.rename(file, renamed)
            lists.choose_pack(renamed.key)
        self.message = changed_text(file, renamed)

    def reread(self, file: PackFile) -> None:
        lists = self._lists
        chosen, entry = lists.chosen_pack(), lists.chosen_entry()
        lists.open_packs.drop(file)
        lists.order.take()
        lists.beside = None
        if lists.pack_session is not None and lists.pack_session.key == file.key:
            number = entry.level if isinstance(entry, LevelError) else entry.number if entry is not None else None
            pack_session = lists.open_packs.open(file)
            if pack_session is not None:
                lists.show_levels(pack_session, number)
        elif lists.pack_session is None and chosen is not None:
            lists.choose_pack(chosen.key)

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
            self.message = self._not_begun(pack_session, number)
        else:
            self._lists.choose_number(number)

    def _not_begun(self, pack_session: PackSession, number: int) -> str:
        """Return that a generated level was not begun, and the keys that start it."""
        level = awaited_title(Start(pack_session, number))
        back, play = self.keymap.key_of("close"), self.keymap.key_of("accept")
        if self._lists.pack_session is None:
            return _("{level} not begun: {play} starts it", level=level, play=play)
        return _("{level} not begun: {back}, then {play} starts it", level=level, back=back, play=play)

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
        """Scroll to the chosen rows, and open the series among the rows shown, for their lines."""
        self._page = size.rows - 4
        self._panes = panes_of(size.columns)
        lists = self._lists
        lists.look_beside()
        packs, levels = lists.pack_rows(), lists.level_rows()
        lists.packs.scroll(len(packs), self._page)
        lists.levels.scroll(len(levels), self._page)
        is_packs = self._panes.are_three or lists.pack_session is None
        packs = packs[lists.packs.first : lists.packs.first + self._page] if is_packs else ()
        levels = levels[lists.levels.first : lists.levels.first + self._page]
        self._shown = [row for row in packs if isinstance(row, PackFile)]
        self._shown_levels = [row for row in levels if isinstance(row, Level)]
        for row in packs:
            if isinstance(row, SeriesEntry) and not row.problem:  # a failed one is tried again by the player alone
                row.open()

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        lists, panes = self._lists, self._panes
        has_lines = appearance.theme.has_lines
        if panes.are_three or lists.pack_session is None:
            self._draw_packs(canvas, Columns(panes.packs.width, panes.are_three, has_lines))
        if panes.are_three or lists.pack_session is not None:
            self._draw_levels(canvas, Columns(panes.levels.width, panes.are_three, has_lines))
        area = Area(2, panes.preview.left, size.rows - 4, panes.preview.width)
        if panes.are_three:
            self._draw_preview(canvas, area, appearance)
        elif size.columns >= PICTURE_FROM:
            draw_small_board(canvas, area, self._pictured_level(), appearance)
        canvas.put(size.rows - 2, 0, self._bottom_line(size.columns))
        draw_keys(canvas, size.rows - 1, self._hints())
        if self.reads_text:
            line = self._question.line if self._question is not None else lists.search.line
            return canvas.frame((size.rows - 2, min(text_width(line), size.columns - 1)))
        left = panes.packs.left if lists.pack_session is None else panes.levels.left
        return canvas.frame((2 + lists.choice.index - lists.choice.first if lists.rows() else 1, left))

    def _draw_packs(self, canvas: Canvas, columns: Columns) -> None:
        lists = self._lists
        rows = lists.pack_rows()
        shown = rows[lists.packs.first : lists.packs.first + self._page]
        files = iter(pack_rows(self._shown, self._catalog, lists.order, columns, is_tree=lists.is_tree))
        lines = [
            series_row(row, columns.width)
            if isinstance(row, SeriesEntry)
            else folder_row(row, self._catalog, columns)
            if isinstance(row, Folder)
            else next(files)
            for row in shown
        ]
        heads = column_heads(lists.order, columns, of_packs=True)
        pane = self._panes.packs
        self._draw_list(canvas, pane, self._sorted(_("sokoterm: packs")), heads, lines, lists.packs, len(rows))

    def _draw_levels(self, canvas: Canvas, columns: Columns) -> None:
        lists, pane = self._lists, self._panes.levels
        pack_session = lists.pack_session or lists.beside
        if pack_session is None:
            return
        rows = lists.level_rows()
        shown = rows[lists.levels.first : lists.levels.first + self._page]
        lines = level_rows(shown, pack_session, lists.order, columns)
        if not rows and isinstance(pack_session, GeneratedPack) and not lists.search:
            text = self._not_begun(pack_session, pack_session.start_number() or 1)
            lines = [(CardText(line),) for line in folded(text, pane.width)]
        heads = column_heads(lists.order, columns, of_packs=False)
        title = self._sorted(words_of(pack_session).name)
        self._draw_list(canvas, pane, title, heads, lines, lists.levels, len(rows))

    def _sorted(self, title: str) -> str:
        """Return the title of a list, with its order if that is not its own."""
        sort = self._lists.order.sort
        return title if sort is LevelSort.PLACE else listed([title, order_text(sort)])

    def _draw_list(
        self, canvas: Canvas, pane: Pane, title: str, heads: Line, lines: Sequence[Line], choice: Choice, length: int
    ) -> None:
        """Draw a list: its title, the heads of its columns, and its lines, the chosen one marked."""
        lists = self._lists
        has_cursor = choice is lists.choice
        first, last = choice.first + 1, min(choice.first + self._page, length)
        # Translators: the lines of a list that are shown.
        part = _("{first}-{last} of {total}", first=first, last=last, total=length) if length > self._page else ""
        column = pane.width - text_width(part)
        canvas.put(0, pane.left, clipped(title, column - bool(part)), styles.TITLE)
        canvas.put(0, pane.left + column, part)
        draw_line(canvas, 1, pane.left, pane.width, heads)
        for index, line in enumerate(lines, start=choice.first):
            row = 2 + index - choice.first
            if index == choice.index and length:
                text = padded("".join(part.text for part in line), pane.width)
                line = (CardText(text, styles.CHOSEN if has_cursor else styles.KEY),)
            draw_line(canvas, row, pane.left, pane.width, line)
        if not lines and has_cursor:
            key = self.keymap.key_of("cancel")
            text = _("nothing matches: {key} clears the search", key=key) if lists.search else _("nothing here")
            text = self._unknown() or text
            canvas.put(2, pane.left, clipped(text, pane.width))

    def _draw_preview(self, canvas: Canvas, area: Area, appearance: Appearance) -> None:
        for pane in (self._panes.packs, self._panes.levels):
            for row in range(canvas.height - 2):
                rule = "│" if appearance.theme.has_lines else "|"
                canvas.put(row, pane.left + pane.width + 1, rule, styles.QUIET)
        pack_session, level = self._lists.pack_session or self._lists.beside, self._pictured_level()
        if pack_session is not None and level is not None:
            place = (pack_session.key, level.number)
            # The first picture does not wait for the library.
            found = self._catalog.level_rows([place]) if self._catalog.is_open else []
            draw_preview(canvas, area, pack_session, level, found[0] if found else None, appearance)
        elif pack_session is not None and (words := generated_words_of(pack_session)) is not None:
            for row, line in enumerate(folded(words.facts, area.width), start=area.top):
                canvas.put(row, area.left, line, styles.QUIET)

    def _pictured_level(self) -> Level | None:
        return self._lists.chosen_level()

    def _facts(self) -> str:
        """Return the progress of the grading of all rows, and the facts of the chosen pack or level."""
        graded = self._lists.order.progress(self._lists.files, self._lists.pack_session)
        progress = graded_text(graded)
        return listed([self._unknown(), progress, self._facts_of_chosen()])

    def _facts_of_chosen(self) -> str:
        if self._lists.pack_session is None:
            return self._pack_facts()
        level = self._lists.chosen_entry()
        if not isinstance(level, Level):
            return words_of(self._lists.pack_session).why_missing(level.level) if level else ""
        # The first picture does not wait for the library.
        return level_facts(self._lists.pack_session, level, with_library=self._catalog.is_open)

    def _pack_facts(self) -> str:
        """Return the facts of a pack, or why it cannot be read."""
        file = self._lists.chosen_listed()
        if file is None:
            return ""
        if isinstance(file, Folder):
            return folder_facts(file, self._catalog.count_levels(file.files))
        if isinstance(file, SeriesEntry):
            return series_facts(file)
        figures = self._catalog.figures([file]).get(file.key)
        if figures is None:
            later = _("not read yet: {key} reads it", key=self.keymap.key_of("open"))
            return self._catalog.problem(file) or ("" if self._catalog.is_small(file) else later)
        # Three panes show the note in the preview.
        opened = None if self._panes.are_three else self._lists.open_packs.get(file)
        pack = opened.pack if opened is not None else None
        return pack_facts(file, figures, self._lists.level_found(file), pack)

    def _bottom_line(self, columns: int) -> str:
        """Return the message, else the search, else the facts."""
        if self._question is not None:
            return clipped(self._question.line, columns)
        search = self._lists.search.line
        if self.message or not search:
            return cut_at_a_word(self.message or self._facts(), columns)
        if not self.reads_text:
            return cut_at_a_word(f"{search}   {self._facts()}".rstrip(), columns)
        return self._lists.search.shown(columns, self._unknown())

    def _hints(self) -> list[tuple[str, str]]:
        if self._question is not None:
            if self._question.is_removal:
                return [("y", _("remove")), ("Esc", pgettext("footer: does not remove it", "keep"))]
            return [("Enter", _("rename")), ("Esc", _("cancel"))]
        if self.reads_text:
            return [("Enter", pgettext("footer: ends typing", "done")), ("Esc", _("clear the search"))]
        end = {"cancel": _("clear the search")} if self._lists.search else {}
        labels = end | ({"accept": _("play")} if self._lists.rows() else {})
        if self._lists.search and self._lists.rows():
            labels["series"] = _("play all")
        if self._lists.pack_session is not None:
            labels |= {"close": _("packs"), "next unsolved": _("next unsolved")}
        elif self._lists.rows():
            chosen = self._lists.chosen_listed()
            if opened := opens(chosen):
                labels["open"] = opened
            if isinstance(chosen, Folder):
                labels["accept"] = _("unfold") if chosen.is_folded else _("fold")
        if self._lists.rows():
            labels["order"] = _("sort")
        labels |= {"search": pgettext("footer: filters the list", "search"), "help": _("help"), "quit": _("quit")}
        return [(self.keymap.key_of(action), label) for action, label in labels.items()]
