"""The browser's lists of packs and levels with their cursors, and the filter."""

from collections.abc import Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import GeneratedPack, SeriesEntry
from sokoterm.app.lists import Entry, Folder, LevelSort, Lists, Resume, folders_of, tree_of
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.language import _
from sokoterm.store.packs import PackFile
from sokoterm.store.query import EVERY, Query, QueryError, has_terms, is_name, parse_query
from sokoterm.tui.widgets.parts import Choice
from sokoterm.wording.lists import found_text, unknown_text


class Heads:
    """The headings of the packs' columns, a row that the cursor skips."""


HEADS = Heads()
ListedRow = PackFile | SeriesEntry | Folder
PackRow = ListedRow | Resume | Heads
Row = PackRow | Entry


class Filter:
    """The filter of a list; ``reads_text`` while it is being typed.

    ``is_of_packs``: typing started in the list of packs. ``problem`` is the first invalid term; until it is corrected,
    the terms before it apply.
    """

    def __init__(self) -> None:
        self.text = ""
        self.reads_text = False
        self.is_of_packs = True
        self.problem: QueryError | None = None
        self.wanted: Query = EVERY

    def set(self, text: str, *, reads_text: bool) -> None:
        """Set the filter; an empty text clears it."""
        self.text, self.reads_text, self.problem = text, reads_text, None
        while True:
            try:
                self.wanted = parse_query(text)
                return
            except QueryError as error:
                if error.name == ")":  # not yet typed
                    text += ")"
                    continue
                self.problem = self.problem or error
                text = text.rpartition(" ")[0]

    def accept(self) -> None:
        """Stop typing, unless the filter is invalid."""
        self.reads_text = self.problem is not None

    def enter_pack(self) -> None:
        """Continue in the levels of a pack: keep terms, but not words, which were used to find the pack."""
        keeps_terms = self.is_of_packs and has_terms(self.wanted)
        self.set(self.text if keeps_terms else "", reads_text=False)


class BrowserLists:
    """The packs that pass the filter, and the levels of the entered ``pack_session``, None for none.

    ``beside`` is the pack whose levels are shown beside the packs; ``resume`` is the pack to continue with, if listed.
    """

    def __init__(self, lists: Lists, catalog: Catalog, series: Sequence[SeriesEntry]) -> None:
        """``series`` are listed above the packs, below the pack to continue with."""
        self.pack_session: PackSession | None = None
        self.beside: PackSession | None = None
        self.filter = Filter()
        self._lists = lists
        self._catalog = catalog
        self.series = series
        self._before: Row | None = None  # the row chosen before typing a filter
        self.resume = lists.resume() if series else None
        self.packs = Choice()
        self.levels = Choice()

    @property
    def choice(self) -> Choice:
        return self.packs if self.pack_session is None else self.levels

    @property
    def shown_pack(self) -> PackSession | None:
        """The pack whose levels are shown: the entered one, else the one beside the packs."""
        return self.pack_session or self.beside

    @property
    def rows(self) -> Sequence[Row]:
        """The filtered rows of the list with the cursor."""
        return self.pack_rows() if self.pack_session is None else self.level_rows()

    @property
    def is_tree(self) -> bool:
        """True if packs are shown in their folders: unfiltered and in their own order."""
        return self._lists.sort is LevelSort.PLACE and self._wanted_packs == EVERY

    @property
    def _wanted_packs(self) -> Query:
        return self.filter.wanted if self.filter.is_of_packs else EVERY

    def pack_rows(self) -> Sequence[PackRow]:
        """Return the pack to continue with, the series, and the packs, in folders unless filtered or sorted."""
        wanted = self._wanted_packs
        leading: list[PackRow] = [self.resume] if self.resume is not None and wanted == EVERY else []
        leading += [entry for entry in self.series if is_name(wanted, f"{entry.name} {_(entry.name)}")]
        packs = [*tree_of(self._lists.files, self._lists.folded)] if self.is_tree else self._lists.packs(wanted)
        return [*leading, *([HEADS] if leading and packs else []), *packs]

    def level_rows(self) -> Sequence[Entry]:
        """Return the levels of the shown pack."""
        if self.shown_pack is None:
            return ()
        is_of_names = self.filter.is_of_packs and not has_terms(self.filter.wanted)
        return self._lists.levels(self.shown_pack, EVERY if is_of_names else self.filter.wanted)

    # The choice

    @property
    def chosen(self) -> Row | None:
        return self._chosen_row if self.pack_session is None else self.chosen_entry

    @property
    def _chosen_row(self) -> PackRow | None:
        rows = self.pack_rows()
        return rows[self.packs.index] if self.packs.index < len(rows) else None

    @property
    def chosen_pack(self) -> ListedRow | None:
        """The pack, series or folder under the cursor in the list of packs, even while levels are shown."""
        row = self._chosen_row
        return row.file if isinstance(row, Resume) else None if isinstance(row, Heads) else row

    @property
    def chosen_file(self) -> PackFile | None:
        chosen = self.chosen_pack
        return chosen if isinstance(chosen, PackFile) else None

    @property
    def chosen_entry(self) -> Entry | None:
        """The level (or its error) under the cursor in the list of levels."""
        rows = self.level_rows()
        return rows[self.levels.index] if self.levels.index < len(rows) else None

    def choose(self, chosen: Row | None, *, in_place: bool = False) -> None:
        """Move the cursor to a row, or to the first if there is no such row.

        ``in_place`` keeps the cursor on the same line of the screen."""
        self._unfold(chosen)
        path, index = chosen.path if isinstance(chosen, Folder) else "", self.choice.index
        found = (i for i, row in enumerate(self.rows) if row is chosen or isinstance(row, Folder) and row.path == path)
        self.choice.index = next(found, 0)
        if in_place:
            self.choice.first += self.choice.index - index

    def choose_pack(self, key: str) -> ListedRow | None:
        """Move the cursor in the list of packs to the row with this key, if there is one."""
        self._unfold(next((file for file in self._lists.files if file.key == key), None))
        for index, row in enumerate(self.pack_rows()):
            if isinstance(row, PackFile | SeriesEntry) and row.key == key:
                self.packs.index = index
                return row
        return None

    def _unfold(self, row: Row | None) -> None:
        if isinstance(row, PackFile):
            self._lists.folded.difference_update(folders_of(row.name))

    def choose_number(self, number: int | None) -> None:
        """Move the cursor in the list of levels to a number, to the first level if it is missing."""
        numbers = map(number_of, self.level_rows())
        self.levels.index = next((index for index, each in enumerate(numbers) if each == number), 0)

    def fold(self, folder: Folder) -> None:
        self._lists.folded ^= {folder.path}

    def leave_folder(self) -> None:
        """Fold the chosen folder, else move to the folder around the chosen row."""
        chosen = self._chosen_row
        if isinstance(chosen, Folder) and not chosen.is_folded:
            self.fold(chosen)
        elif self.is_tree and isinstance(chosen, PackFile | Folder):
            around = folders_of(chosen.path if isinstance(chosen, Folder) else chosen.name)
            paths = [row.path if isinstance(row, Folder) else "" for row in self.pack_rows()]
            self.packs.index = paths.index(around[-1]) if around else self.packs.index

    def level_found(self, file: PackFile) -> int | None:
        """Return the level for which the filter matched a pack, if any."""
        return self._lists.level_found(file, self.filter.wanted) if self.filter.is_of_packs else None

    def number_in(self, pack_session: PackSession) -> int | None:
        """Return the level that the filter found in the chosen pack, else the level to continue with."""
        file = self.chosen_file
        found = self.level_found(file) if file else None
        return found if found in pack_session.numbers else pack_session.start_number()

    @property
    def unknown(self) -> str:
        """A message about packs the filter cannot match because they are not indexed yet, "" for none."""
        is_of_packs = self.pack_session is None and self.filter.text
        return unknown_text(self._catalog.count_unknown(self._lists.files)) if is_of_packs else ""

    @property
    def found(self) -> str:
        """The numbers of matching levels and of their packs, in words; "" without a filter."""
        wanted = self.filter.wanted
        return found_text(*self._lists.count(wanted, self.pack_session)) if wanted != EVERY else ""

    # Moving between the lists

    def show(self, pack_session: PackSession, number: int) -> None:
        """Choose a level in play and its pack."""
        entry = self.choose_pack(pack_session.key)
        if isinstance(entry, SeriesEntry) and isinstance(pack_session, GeneratedPack):
            entry.pack = pack_session
        self.enter(pack_session, number)

    def look_beside(self) -> None:
        """Show the levels of the chosen pack beside the packs, if it has been read."""
        if self.pack_session is not None:
            return
        chosen, beside = self.chosen_pack, None
        if isinstance(chosen, PackFile):
            beside = self._lists.get(chosen)
        elif isinstance(chosen, SeriesEntry):
            beside = chosen.pack
        if beside is not self.beside:
            self.beside, self.levels = beside, Choice()
        if beside is not None:
            self.choose_number(self.number_in(beside))

    def enter(self, pack_session: PackSession, number: int | None) -> None:
        """Show the levels of a pack, with the cursor on one of them."""
        self.pack_session = pack_session
        self.filter.enter_pack()
        self._lists.take()
        self.levels = Choice()
        self.choose_number(number)

    def enter_beside(self) -> bool:
        """Move the cursor to the levels beside the packs; False if there are none."""
        if self.pack_session is not None or self.beside is None:
            return False
        self.pack_session = self.beside
        self.filter.enter_pack()
        return True

    def leave_pack(self) -> None:
        """Return to the list of packs and its filter."""
        self.beside, self.pack_session = self.pack_session, None
        if not self.filter.is_of_packs:
            self.filter.set("", reads_text=False)

    def begin_filter(self) -> None:
        """Start typing a filter for the list with the cursor."""
        self._before = self.chosen or self._before
        self.filter.is_of_packs = self.pack_session is None
        self.type("")

    def type(self, text: str) -> None:
        """Set the filter and choose the first match, preferably by name; without a filter, the previous row."""
        self.filter.set(text, reads_text=True)
        wanted = self.filter.wanted
        named = (row for row in self.rows if isinstance(row, PackFile) and is_name(wanted, row.name))
        self.choose(self._before if wanted == EVERY else next(named, None))

    def end_filter(self) -> None:
        """Show the whole list, keeping the row that was found, else the row chosen before."""
        chosen = self.chosen or self._before
        self.filter.set("", reads_text=False)
        self.choose(chosen)
