"""The lists of the browser: packs and levels, searched and sorted, and the chosen one."""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog, LevelSort
from sokoterm.app.generated import GeneratedPack, SeriesEntry
from sokoterm.app.lists import Folder, OpenPacks, SortOrder, folders_of, tree_of
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level, LevelError
from sokoterm.language import _
from sokoterm.store.packs import PackFile
from sokoterm.store.query import EVERY, has_terms, is_name
from sokoterm.tui.screens.browser_query import TypedQuery
from sokoterm.tui.screens.browser_text import index_of
from sokoterm.tui.widgets.lists import Choice

PackRow = PackFile | SeriesEntry
ListedPack = PackRow | Folder
Row = ListedPack | Level | LevelError


class BrowserLists:
    """The packs, and the levels of ``pack_session`` once one was entered; a search filters them.

    ``beside`` is the pack whose levels are shown beside the packs, before it is entered.
    """

    def __init__(
        self,
        files: list[PackFile],
        open_pack_session: Callable[[PackFile], PackSession],
        catalog: Catalog,
        is_busy: Callable[[], bool],
        series: Sequence[SeriesEntry] = (),
    ) -> None:
        """``series`` stand above the packs."""
        self.files = files
        self.series = series
        self.pack_session: PackSession | None = None
        self.beside: PackSession | None = None
        self.search = TypedQuery()
        self._before: Row | None = None  # the row that was chosen before a search
        self.order = SortOrder(catalog, is_busy)
        self.open_packs = OpenPacks(open_pack_session, catalog)
        self._catalog = catalog
        self.packs = Choice()
        self.levels = Choice()
        # The series stand first, but the cursor begins on the packs.
        self.packs.index = len(series) if self.files else 0
        self.has_one_pack = len(self.files) == 1

    @property
    def choice(self) -> Choice:
        """The cursor of the list that is shown."""
        return self.packs if self.pack_session is None else self.levels

    def rows(self) -> Sequence[Row]:
        """Return the rows of the list with the cursor: the packs or levels that the search finds."""
        return self.pack_rows() if self.pack_session is None else self.level_rows()

    @property
    def is_tree(self) -> bool:
        """True if packs stand in their folders: all of them, in their own order."""
        return self.order.sort is LevelSort.PLACE and not (self.search.is_of_packs and self.search.wanted != EVERY)

    def pack_rows(self) -> Sequence[ListedPack]:
        """Return the series, and the packs in their folders or, filtered or sorted, without."""
        if self.is_tree:
            return [*self.series, *tree_of(self.files, self._catalog.folded)]
        wanted = self.search.wanted if self.search.is_of_packs else EVERY
        files = self.order.files(self.files)
        if wanted != EVERY:
            files = [file for file in files if self._catalog.finds(file, wanted)]
        return [*(entry for entry in self.series if is_name(wanted, f"{entry.name} {_(entry.name)}")), *files]

    def level_rows(self) -> Sequence[Level | LevelError]:
        """Return the levels of the pack that was entered, else of the one beside the packs."""
        pack_session = self.pack_session or self.beside
        if pack_session is None:
            return ()
        wanted = self.search.wanted
        if self.search.is_of_packs and not has_terms(wanted):
            wanted = EVERY
        return self.order.found(pack_session, wanted)

    # The choice

    def chosen_row(self) -> Row | None:
        rows = self.rows()
        return rows[self.choice.index] if self.choice.index < len(rows) else None

    def choose(self, chosen: Row | None) -> None:
        """Move the cursor to a row, wherever it stands by now; to the first if it is gone."""
        if isinstance(chosen, PackFile):
            self._catalog.folded.difference_update(folders_of(chosen.name))
        path = chosen.path if isinstance(chosen, Folder) else ""
        found = (
            i for i, row in enumerate(self.rows()) if row is chosen or isinstance(row, Folder) and row.path == path
        )
        self.choice.index = next(found, 0)

    def keep(self, chosen: Row | None) -> None:
        """Choose the row, and scroll so that it stays on its line of the screen."""
        index = self.choice.index
        self.choose(chosen)
        self.choice.first += self.choice.index - index

    def chosen_listed(self) -> ListedPack | None:
        """Return the row under the cursor of the list of packs, also while that of levels is shown."""
        rows = self.pack_rows()
        return rows[self.packs.index] if self.packs.index < len(rows) else None

    def chosen_pack(self) -> PackRow | None:
        """Return the pack or series under that cursor."""
        chosen = self.chosen_listed()
        return None if isinstance(chosen, Folder) else chosen

    def chosen_folder(self) -> Folder | None:
        """Return the folder under that cursor."""
        chosen = self.chosen_listed()
        return chosen if isinstance(chosen, Folder) else None

    def fold(self, folder: Folder) -> None:
        """Fold a folder, or unfold it."""
        self._catalog.folded ^= {folder.path}

    def leave_folder(self) -> None:
        """Fold the chosen folder, else go to the one around the chosen row."""
        chosen = self.chosen_listed()
        if isinstance(chosen, Folder) and not chosen.is_folded:
            self.fold(chosen)
        elif self.is_tree and isinstance(chosen, (PackFile, Folder)):
            around = folders_of(chosen.path if isinstance(chosen, Folder) else chosen.name)
            paths = [row.path if isinstance(row, Folder) else "" for row in self.pack_rows()]
            self.packs.index = paths.index(around[-1]) if around else self.packs.index

    def chosen_file(self) -> PackFile | None:
        """Return the chosen row if it is a pack."""
        chosen = self.chosen_pack()
        return chosen if isinstance(chosen, PackFile) else None

    def chosen_entry(self) -> Level | LevelError | None:
        """Return the level under the cursor, or the error in its place."""
        rows = self.level_rows()
        return rows[self.levels.index] if self.levels.index < len(rows) else None

    def chosen_level(self) -> Level | None:
        entry = self.chosen_entry()
        return entry if isinstance(entry, Level) else None

    def choose_pack(self, key: str) -> PackRow | None:
        """Move the cursor of the list of packs to the one with this key, if it is there."""
        for file in self.files:
            if file.key == key:
                self._catalog.folded.difference_update(folders_of(file.name))
        for index, row in enumerate(self.pack_rows()):
            if not isinstance(row, Folder) and row.key == key:
                self.packs.index = index
                return row
        return None

    def hold(self, pack_session: PackSession) -> None:
        """Choose the pack of a session in play, and keep the session for when it is chosen again."""
        match self.choose_pack(pack_session.key):
            case SeriesEntry() as entry if isinstance(pack_session, GeneratedPack):
                entry.pack = pack_session
            case PackFile() as file:
                self.open_packs.hold(file, pack_session)

    def pack_session_of(self, row: PackRow) -> PackSession | None:
        """Return the session of a pack or series that has been opened."""
        return self.open_packs.get(row) if isinstance(row, PackFile) else row.pack

    def choose_number(self, number: int | None) -> None:
        """Move the cursor of the list of levels to one of them."""
        self.levels.index = index_of(self.level_rows(), number)

    def level_found(self, file: PackFile) -> int | None:
        """Return the number of the level for which the search has found a pack, if it is for one."""
        return self._catalog.level_found(file, self.search.wanted) if self.search.is_of_packs else None

    def number_in(self, pack_session: PackSession) -> int | None:
        """Return the level that the search has found in the chosen pack, else the one to go on with."""
        file = self.chosen_file()
        found = self.level_found(file) if file else None
        return found if found in pack_session.numbers else pack_session.start_number()

    # From one list to the other

    def look_beside(self) -> None:
        """Show the levels of the chosen pack beside the packs, if it has been opened."""
        chosen = self.chosen_pack()
        beside = self.pack_session_of(chosen) if chosen is not None else None
        if self.pack_session is None and beside is not self.beside:
            self.beside = beside
            self.levels = Choice()
            if beside is not None:
                self.choose_number(self.number_in(beside))

    def show_levels(self, pack_session: PackSession, number: int | None) -> None:
        """Show the levels of a pack, with the cursor on one of them."""
        self.pack_session = pack_session
        self.search.enter_pack()
        self.order.take()
        self.levels = Choice()
        self.choose_number(number)

    def enter(self, beside: PackSession) -> None:
        """Move the cursor to the levels that are shown beside the packs."""
        self.pack_session = beside
        self.search.enter_pack()

    def show_packs(self) -> None:
        """Go back to the list of packs."""
        self.beside, self.pack_session = self.pack_session, None
        self.search.leave_pack()

    def begin_search(self) -> None:
        self._before = self.chosen_row() or self._before
        self.search.begin(is_of_packs=self.pack_session is None)
        self.choose_first()

    def choose_first(self) -> None:
        """Move the cursor to the first row that the search finds, or back if it leaves nothing out."""
        self.choose(self._before if self.search.wanted == EVERY else None)

    def end_search(self) -> None:
        """Show the whole list again; what was found stays chosen, else what was chosen before."""
        chosen = self.chosen_row() or self._before
        self.search.end()
        self.choose(chosen)
