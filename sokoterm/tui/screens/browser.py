"""The browser: packs with their solved levels, levels with their figures, and a preview of the chosen one.

A wide window shows all three side by side, a narrower one the list with the cursor, with a small picture if there is
room.

A pack is read when it is entered, or, a small one, when the cursor rests on it; what the list says of the others comes
from the index, and those that it does not know are learned while no key is pressed.
"""

from collections.abc import Sequence
from typing import TypeVar

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import DescentPack, GeneratedPack, SeriesEntry
from sokoterm.app.keymap import BROWSER, Keymap
from sokoterm.app.lists import Folder, LevelSort, Lists
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.request import Close, OpenEditor, ShowRuns, ShowStatistics, Start
from sokoterm.engine.level import Level, LevelError
from sokoterm.language import _, listed, pgettext
from sokoterm.store.packs import PackError, PackFile
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.browser_lists import BrowserLists, ListedPack, PackQuestion
from sokoterm.tui.screens.browser_view import (
    PICTURE_FROM,
    Columns,
    draw_preview,
    draw_small_board,
    folder_row,
    heads_of_levels,
    heads_of_packs,
    level_row,
    opens,
    pack_row,
    panes_of,
    series_facts,
    series_problem,
    series_row,
    typed_line,
)
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, Size
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.lists import Choice
from sokoterm.tui.widgets.parts import CardText, Line, draw_keys, draw_line
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, padded, text_width
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

_Row = TypeVar("_Row")


class BrowserScreen(Screen):
    """A list of packs and, one step to the right, of a pack's levels; ``lists`` are both, with their cursors."""

    def __init__(
        self, model: Lists, catalog: Catalog, keymap: Keymap = BROWSER, series: Sequence[SeriesEntry] = ()
    ) -> None:
        """``series`` stand above the packs of the ``model``."""
        self.keymap = keymap
        self._model = model
        self._catalog = catalog
        self._question: PackQuestion | None = None
        self.lists = BrowserLists(model, catalog, series)
        # True once no key came between two ticks.
        self._rests = False
        self._page = 10
        self._panes = panes_of(0)
        if len(model.files) == 1:
            self._enter_pack()

    @property
    def reads_text(self) -> bool:
        return self.lists.search.reads_text or self._question is not None

    # Work while no key is pressed

    def wake_after(self) -> float | None:
        if self._pictureless() or self._replaying():
            return 0.0
        return self._model.wake_after(self.lists.pack_session)

    def tick(self) -> None:
        """Read the chosen pack for its picture, learn a pack or replay, unless a key came since the last tick."""
        lists, pack_session = self.lists, self.lists.pack_session
        is_indexed = self._model.wake_after(pack_session) != 0.0
        if not self._rests:
            self._rests = True
        elif (file := self._pictureless()) is not None:
            self._model.open(file)
        elif is_indexed and (replaying := self._replaying()) is not None:
            replaying.lookups.go_on()
        else:
            chosen = lists.chosen
            if self._model.work(pack_session):
                lists.keep(chosen)

    def _unknown(self) -> str:
        """Return how many packs a filter of all packs cannot find yet, as they are not indexed."""
        is_of_packs = self.lists.pack_session is None and self.lists.search
        return unknown_text(self._catalog.count_unknown(self._model.files)) if is_of_packs else ""

    def _replaying(self) -> PackSession | None:
        """Return the pack whose levels are shown, if solutions of it are still to be replayed."""
        pack_session = self.lists.pack_session
        return pack_session if pack_session is not None and pack_session.lookups.is_replaying else None

    def _pictureless(self) -> PackFile | None:
        file = self.lists.chosen_file if self.lists.pack_session is None and self._model.shown else None
        is_waited_for = file is not None and self._model.get(file) is None and not self._catalog.problem(file)
        return file if file is not None and is_waited_for and self._catalog.is_small(file) else None

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self.message = ""
        self._rests = False
        self._model.rest()
        try:
            return self._act(action, key)
        except PackError as error:
            self.message = str(error)
            return None

    def _act(self, action: str | None, key: str) -> Reaction | None:
        lists = self.lists
        if self._question is not None:
            self._answer(self._question, key)
            return None
        if lists.search.reads_text:
            self._type(key)
            return None
        match action:
            case "accept":
                return self._accept()
            case "open" if lists.pack_session is None:
                return self._open()
            case "close" if lists.pack_session is not None:
                self._leave_pack()
            case "close":
                lists.leave_folder()
            case "cancel" if lists.search:
                lists.end_search()
            case "cancel":
                return Close()
            case "search":
                lists.begin_search()
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
            case "order" | "order back":
                self._sort(1 if action == "order" else -1)
            case "rename" | "remove":
                self._ask(is_removal=action == "remove")
            case str():
                lists.choice.move(action, len(lists.rows), self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose a row by a click, open it by another in its list; right: go in and out; wheel: scroll."""
        if not pointer.is_press:
            return None
        self._question = None
        self.message = ""
        self._rests = False
        lists = self.lists
        has_moved = self._panes.are_three and self._enter_pane(pointer.column)
        pane = self._panes.packs if lists.pack_session is None else self._panes.levels
        row = lists.choice.point(pointer, len(lists.rows), self._page)
        if pointer.button == "right" and lists.pack_session is not None:
            self._leave_pack()
        elif row is None or pointer.column not in pane or pointer.button == "middle":
            return None
        elif pointer.button == "left" and row == lists.choice.index and not has_moved:
            lists.search.accept()
            return self._accept()
        else:
            lists.choice.index = row
            if pointer.button == "right":
                return self._open()
        return None

    def _enter_pane(self, column: int) -> bool:
        """Move the cursor to the list under the mouse; return False if it is there."""
        if column in self._panes.packs and self.lists.pack_session is not None:
            self._leave_pack()
            return True
        return column in self._panes.levels and self.lists.enter_beside()

    def paste(self, text: str) -> bool:
        """Take the text for the filter or name that is being typed."""
        if self._question is not None:
            self._question.paste(text)
        elif self.reads_text:
            self.lists.search.paste(text)
            self.lists.choose_first()
        return self.reads_text

    def _type(self, key: str) -> None:
        if key == "esc":
            self.lists.end_search()
        elif key == "enter":
            self.lists.search.accept()
        else:
            self.lists.search.type(key)
            self.lists.choose_first()

    def _accept(self) -> Reaction | None:
        lists, pack_session = self.lists, self.lists.pack_session
        if pack_session is None:
            if isinstance(chosen := lists.chosen_pack, Folder):
                lists.fold(chosen)
            elif (opened := self._opened()) is not None:
                number = lists.number_in(opened)
                if number is not None:
                    return Start(opened, number)
                self.message = words_of(opened).none_readable
            return None
        entry = lists.chosen_entry
        if isinstance(entry, LevelError):
            self.message = words_of(pack_session).why_missing(entry.level)
            return None
        return Start(pack_session, entry.number) if entry else None

    def _edit(self) -> Reaction | None:
        """Edit the chosen level, or of a pack that level which is next."""
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is not None and entry is not None:
            return OpenEditor(pack_session, number_of(entry))
        opened = self._opened()
        number = self.lists.number_in(opened) if opened is not None else None
        return OpenEditor(opened, number) if number is not None else None

    def _play_found(self) -> Reaction | None:
        """Play the levels that the filter finds, in the packs or in the pack that is shown."""
        search = self.lists.search
        if not search:
            self.message = _(NO_FILTER)
            return None
        unknown = self._unknown()
        start = self._model.open_found(search.text, search.wanted, self.lists.pack_session)
        if start is None:
            self.message = unknown or _(NOTHING_FOUND)
        elif unknown:
            self._catalog.notices.append(unknown)
        return start

    def _open(self) -> Reaction | None:
        """Show the levels of the chosen pack, or its runs, or the packs of a folder."""
        if isinstance(chosen := self.lists.chosen_pack, Folder):
            if chosen.is_folded:
                self.lists.fold(chosen)
            return None
        pack_session = self._opened()
        if isinstance(pack_session, DescentPack):
            return ShowRuns(pack_session)
        self._enter_pack()
        return None

    def _enter_pack(self) -> None:
        pack_session = self._opened()
        if pack_session is not None:
            chosen, number = self.lists.chosen_pack, self.lists.number_in(pack_session)
            self.lists.search.enter_pack()
            self.lists.choose(chosen)
            self.lists.enter(pack_session, number)

    def _leave_pack(self) -> None:
        # The line of a small pack has its figures at once.
        self._catalog.work(self._model.shown)
        self.lists.leave_pack()

    def _sort(self, step: int) -> None:
        lists = self.lists
        chosen, chosen_pack = lists.chosen, lists.chosen_pack
        self._model.turn(step)
        is_grading = self._model.progress(lists.pack_session) is not None
        self.message = "" if is_grading else order_text(self._model.sort)
        if chosen_pack is not None and not isinstance(chosen_pack, Folder):
            lists.choose_pack(chosen_pack.key)
        lists.choose(chosen)

    def _ask(self, *, is_removal: bool) -> None:
        file = self.lists.chosen_file if self.lists.pack_session is None else None
        if file is None or not self._model.is_own(file):
            self.message = _(WHY_NOT_OWN)
        else:
            self._question = PackQuestion(file, is_removal=is_removal)

    def _answer(self, question: PackQuestion, key: str) -> None:
        is_yes = question.answer(key)
        if is_yes is None:
            return
        self._question = None
        if not is_yes:
            return
        file, renamed = question.file, None
        if question.is_removal:
            self._model.remove(file)
        else:
            renamed = self._model.rename(file, question.text)
        self.lists.beside = None
        if renamed is not None:
            self.lists.choose_pack(renamed.key)
        self.message = changed_text(file, renamed)

    def reread(self, file: PackFile) -> None:
        lists = self.lists
        chosen, entry = lists.chosen_pack, lists.chosen_entry
        self._model.drop(file)
        lists.beside = None
        if lists.pack_session is None:
            if chosen is not None and not isinstance(chosen, Folder):
                lists.choose_pack(chosen.key)
        elif lists.pack_session.key == file.key and (pack_session := self._model.open(file)) is not None:
            lists.enter(pack_session, number_of(entry) if entry is not None else None)

    def _next_unsolved(self) -> None:
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            return
        before = entry.number if isinstance(entry, Level) else 0
        self.lists.search.end()
        number = self._model.next_unsolved(pack_session, before)
        if number is None:
            self.message = words_of(pack_session).why_no_unsolved(before)
        elif number not in pack_session.numbers:  # a generated level that was not begun
            self.message = self._not_begun(pack_session, number)
        else:
            self.lists.choose_number(number)

    def _not_begun(self, pack_session: PackSession, number: int) -> str:
        """Return that a generated level was not begun, and the keys that start it."""
        level = awaited_title(Start(pack_session, number))
        back, play = self.keymap.key_of("close"), self.keymap.key_of("accept")
        if self.lists.pack_session is None:
            return _("{level} not begun: {play} starts it", level=level, play=play)
        return _("{level} not begun: {back}, then {play} starts it", level=level, back=back, play=play)

    def _opened(self) -> PackSession | None:
        """Open the chosen pack or series; say why it cannot be read."""
        chosen = self.lists.chosen_pack
        opened: PackSession | None = None
        if isinstance(chosen, SeriesEntry):
            opened = chosen.open()
            self.message = self.message if opened is not None else series_problem(chosen)
        elif isinstance(chosen, PackFile):
            opened = self._model.open(chosen)
            self.message = self.message if opened is not None else self._catalog.problem(chosen)
        return opened

    # The picture

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        """Scroll to the chosen rows, and open the series among the rows shown, for their lines."""
        self._page = size.rows - 4
        self._panes = panes_of(size.columns)
        lists = self.lists
        lists.look_beside()
        packs, levels = lists.pack_rows(), lists.level_rows()
        lists.packs.scroll(len(packs), self._page)
        lists.levels.scroll(len(levels), self._page)
        packs = self._shown(packs, lists.packs) if self._panes.are_three or lists.pack_session is None else ()
        self._model.shown = [row for row in packs if isinstance(row, PackFile)]
        self._model.shown_levels = [row for row in self._shown(levels, lists.levels) if isinstance(row, Level)]
        for row in packs:
            if isinstance(row, SeriesEntry) and not row.problem:  # a failed one is tried again by the player alone
                row.open()

    def _shown(self, rows: Sequence[_Row], choice: Choice) -> Sequence[_Row]:
        return rows[choice.first : choice.first + self._page]

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas = Canvas(*size)
        lists, panes = self.lists, self._panes
        has_lines = appearance.theme.has_lines
        if panes.are_three or lists.pack_session is None:
            self._draw_packs(canvas, Columns(len(panes.packs), panes.are_three, has_lines))
        if panes.are_three or lists.pack_session is not None:
            self._draw_levels(canvas, Columns(len(panes.levels), panes.are_three, has_lines))
        area = Area(2, panes.preview.start, size.rows - 4, len(panes.preview))
        if panes.are_three:
            self._draw_preview(canvas, area, appearance)
        elif size.columns >= PICTURE_FROM:
            draw_small_board(canvas, area, self._pictured_level(), appearance)
        canvas.put(size.rows - 2, 0, self._bottom_line(size.columns))
        draw_keys(canvas, size.rows - 1, self._hints())
        if self.reads_text:
            line = self._question.line if self._question is not None else lists.search.line
            return canvas.frame((size.rows - 2, min(text_width(line), size.columns - 1)))
        left = panes.packs.start if lists.pack_session is None else panes.levels.start
        return canvas.frame((2 + lists.choice.index - lists.choice.first if lists.rows else 1, left))

    def _draw_packs(self, canvas: Canvas, columns: Columns) -> None:
        lists = self.lists
        rows = lists.pack_rows()
        files = iter(self._model.about_packs(self._model.shown))
        lines = [
            series_row(row, columns.width)
            if isinstance(row, SeriesEntry)
            else folder_row(row, self._catalog.count_levels(row.files), columns)
            if isinstance(row, Folder)
            else pack_row(next(files), columns, is_tree=lists.is_tree)
            for row in self._shown(rows, lists.packs)
        ]
        heads = heads_of_packs(columns, is_by_difficulty=self._model.is_by_difficulty)
        pane = self._panes.packs
        self._draw_list(canvas, pane, self._sorted(_("sokoterm: packs")), heads, lines, lists.packs, len(rows))

    def _draw_levels(self, canvas: Canvas, columns: Columns) -> None:
        lists, pane = self.lists, self._panes.levels
        pack_session = lists.pack_session or lists.beside
        if pack_session is None:
            return
        rows = lists.level_rows()
        shown = self._model.about_levels(pack_session, self._shown(rows, lists.levels))
        lines = [level_row(each, pack_session, columns) for each in shown]
        if not rows and isinstance(pack_session, GeneratedPack) and not lists.search:
            text = self._not_begun(pack_session, pack_session.start_number() or 1)
            lines = [(CardText(line),) for line in folded(text, len(pane))]
        heads = heads_of_levels(columns, is_by_difficulty=self._model.is_by_difficulty)
        title = self._sorted(words_of(pack_session).name)
        self._draw_list(canvas, pane, title, heads, lines, lists.levels, len(rows))

    def _sorted(self, title: str) -> str:
        sort = self._model.sort
        return title if sort is LevelSort.PLACE else listed([title, order_text(sort)])

    def _draw_list(
        self, canvas: Canvas, pane: range, title: str, heads: Line, lines: Sequence[Line], choice: Choice, length: int
    ) -> None:
        """Draw a list: its title, the heads of its columns, and its lines, the chosen one marked."""
        lists = self.lists
        has_cursor = choice is lists.choice
        first, last = choice.first + 1, min(choice.first + self._page, length)
        # Translators: the lines of a list that are shown.
        part = _("{first}-{last} of {total}", first=first, last=last, total=length) if length > self._page else ""
        column = len(pane) - text_width(part)
        canvas.put(0, pane.start, clipped(title, column - bool(part)), styles.TITLE)
        canvas.put(0, pane.start + column, part)
        draw_line(canvas, 1, pane.start, len(pane), heads)
        for index, line in enumerate(lines, start=choice.first):
            row = 2 + index - choice.first
            if index == choice.index and length:
                text = padded("".join(part.text for part in line), len(pane))
                line = (CardText(text, styles.CHOSEN if has_cursor else styles.KEY),)
            draw_line(canvas, row, pane.start, len(pane), line)
        if not lines and has_cursor:
            key = self.keymap.key_of("cancel")
            text = _("nothing matches: {key} clears the search", key=key) if lists.search else _("nothing here")
            text = self._unknown() or text
            canvas.put(2, pane.start, clipped(text, len(pane)))

    def _draw_preview(self, canvas: Canvas, area: Area, appearance: Appearance) -> None:
        for pane in (self._panes.packs, self._panes.levels):
            for row in range(canvas.height - 2):
                rule = "│" if appearance.theme.has_lines else "|"
                canvas.put(row, pane.stop + 1, rule, styles.QUIET)
        pack_session, level = self.lists.pack_session or self.lists.beside, self._pictured_level()
        if pack_session is not None and level is not None:
            # The first picture does not wait for the library.
            indexed = self._catalog.level_row(pack_session.key, level.number) if self._catalog.is_open else None
            draw_preview(canvas, area, pack_session, level, indexed, appearance)
        elif (words := generated_words_of(pack_session)) is not None:
            for row, line in enumerate(folded(words.facts, area.width), start=area.top):
                canvas.put(row, area.left, line, styles.QUIET)

    def _pictured_level(self) -> Level | None:
        entry = self.lists.chosen_entry
        return entry if isinstance(entry, Level) else None

    def _facts(self) -> str:
        """Return the progress of the grading of all rows, and the facts of the chosen pack or level."""
        progress = graded_text(self._model.progress(self.lists.pack_session))
        return listed([self._unknown(), progress, self._facts_of_chosen()])

    def _facts_of_chosen(self) -> str:
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            return self._pack_facts(self.lists.chosen_pack)
        if not isinstance(entry, Level):
            return words_of(pack_session).why_missing(entry.level) if entry else ""
        # The first picture does not wait for the library.
        return level_facts(pack_session, entry, with_library=self._catalog.is_open)

    def _pack_facts(self, file: ListedPack | None) -> str:
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
        opened = None if self._panes.are_three else self._model.get(file)
        pack = opened.pack if opened is not None else None
        return pack_facts(file, figures, self.lists.level_found(file), pack)

    def _bottom_line(self, columns: int) -> str:
        search = self.lists.search
        if self._question is not None:
            return clipped(self._question.line, columns)
        if self.message or not search.line:
            return cut_at_a_word(self.message or self._facts(), columns)
        if self.reads_text:
            return typed_line(search.line, search.problem, columns, self._unknown(), of_packs=search.is_of_packs)
        return cut_at_a_word(f"{search.line}   {self._facts()}".rstrip(), columns)

    def _hints(self) -> list[tuple[str, str]]:
        if self._question is not None:
            if self._question.is_removal:
                return [("y", _("remove")), ("Esc", pgettext("footer: does not remove it", "keep"))]
            return [("Enter", _("rename")), ("Esc", _("cancel"))]
        if self.reads_text:
            return [("Enter", pgettext("footer: ends typing", "done")), ("Esc", _("clear the search"))]
        lists, labels = self.lists, dict[str, str]()
        if lists.search:
            labels["cancel"] = _("clear the search")
        if lists.rows:
            labels["accept"] = _("play")
            if lists.search:
                labels["series"] = _("play all")
        if lists.pack_session is not None:
            labels |= {"close": _("packs"), "next unsolved": _("next unsolved")}
        elif lists.rows:
            chosen = lists.chosen_pack
            if isinstance(chosen, Folder):
                labels["accept"] = _("unfold") if chosen.is_folded else _("fold")
            elif chosen is not None:
                labels["open"] = opens(chosen)
        if lists.rows:
            labels["order"] = _("sort")
        labels |= {"search": pgettext("footer: filters the list", "search"), "help": _("help"), "quit": _("quit")}
        return [(self.keymap.key_of(action), label) for action, label in labels.items()]
