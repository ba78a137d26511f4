"""Packs in a list: their folders, those that are open, and the player's own, which can be renamed and removed.

Progress stays whatever becomes of a pack: it is kept by level.
"""

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.engine.value import Value
from sokoterm.store.library_folder import is_own, named_own, pack_renaming, put_level, remove_own, rename
from sokoterm.store.named_packs import check_not_shipped
from sokoterm.store.packs import PackError, PackFile, natural_key
from sokoterm.store.progress import ProgressStore


class Folder(Value):
    """A folder of packs in a list: its path in the library, and the packs in it and below it."""

    path: str
    files: tuple[PackFile, ...]
    is_folded: bool

    @property
    def name(self) -> str:
        """Its own name."""
        return parts_of(self.path)[-1]

    @property
    def depth(self) -> int:
        """The number of folders around it."""
        return len(folders_of(self.path))


def parts_of(name: str) -> list[str]:
    """Return the folders in the name of a pack, and its own name."""
    return name.replace("\\", "/").split("/")


def folders_of(name: str) -> list[str]:
    """Return the paths of the folders around a pack or folder, the outermost first."""
    parts = parts_of(name)
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def tree_of(files: Sequence[PackFile], folded: Collection[str]) -> list[PackFile | Folder]:
    """Return packs with their folders before them, without those in folded ones."""
    return list(_rows(files, 0, folded))


def _rows(files: Sequence[PackFile], depth: int, folded: Collection[str]) -> Iterator[PackFile | Folder]:
    inside: dict[str, list[PackFile]] = {}
    order: list[PackFile | str] = []
    for file in files:
        around = folders_of(file.name)
        if len(around) <= depth:
            order.append(file)
            continue
        path = around[depth]
        if path not in inside:
            inside[path] = []
            order.append(path)
        inside[path].append(file)
    for row in order:
        if isinstance(row, PackFile):
            yield row
            continue
        is_folded = row in folded
        yield Folder(row, tuple(inside[row]), is_folded)
        if not is_folded:
            yield from _rows(inside[row], depth + 1, folded)


_MOST_OPEN = 8  # packs that are kept in memory once they have been read


class OpenPacks:
    """Open pack sessions, by the key of their pack."""

    def __init__(self, open_pack_session: Callable[[PackFile], PackSession], catalog: Catalog) -> None:
        """``open_pack_session`` reads a pack; it raises PackError if it cannot."""
        self._open_pack_session = open_pack_session
        self._catalog = catalog
        self._to_learn: list[tuple[PackFile, PackSession]] = []
        self._pack_sessions: dict[str, PackSession] = {}

    def get(self, file: PackFile) -> PackSession | None:
        """Return the session of a pack that has been opened."""
        return self._pack_sessions.get(file.key)

    def open(self, file: PackFile) -> PackSession | None:
        """Return the session of a pack, opened if need be; None if it cannot be read, and the catalog knows why."""
        pack_session = self.get(file)
        if pack_session is None:
            try:
                pack_session = self._open_pack_session(file)
            except PackError as error:
                self._catalog.note_problem(file, str(error))
                return None
            self._catalog.forget_problem(file)
            self.hold(file, pack_session)
        return pack_session

    def hold(self, file: PackFile, pack_session: PackSession) -> None:
        """Keep a pack session for when it is chosen again, a few at most; index it if it is not known."""
        self._pack_sessions.pop(pack_session.key, None)
        self._pack_sessions[pack_session.key] = pack_session
        if len(self._pack_sessions) > _MOST_OPEN:
            del self._pack_sessions[next(iter(self._pack_sessions))]
        self._to_learn.append((file, pack_session))

    def rename(self, old: PackFile, new: PackFile) -> None:
        """Take the session of a pack along to its new name."""
        pack_session = self._pack_sessions.get(old.key)
        self.drop(old)
        self.drop(new)
        if pack_session is not None:
            pack_session.move_to(new)
            self.hold(new, pack_session)

    def drop(self, file: PackFile) -> None:
        """Close a pack."""
        self._pack_sessions.pop(file.key, None)
        self._to_learn = [each for each in self._to_learn if each[0].key != file.key]

    def waits(self, file: PackFile) -> bool:
        """True if a pack is to be read for its picture."""
        library = self._catalog
        return self.get(file) is None and not library.problem(file) and library.is_small(file)

    def has_work(self, shown: Sequence[PackFile]) -> bool:
        """True if a pack that was opened, or is shown, is to be indexed."""
        return bool(self._to_learn) or not self._catalog.is_open or self._catalog.has_work(shown)

    def learn(self, shown: Sequence[PackFile]) -> None:
        """Index for a moment: opened packs first, then those shown."""
        for file, pack_session in self._to_learn:
            self._catalog.begin(file, pack_session.pack, pack_session.stamp)
        self._to_learn.clear()
        self._catalog.work(shown)


class OwnPacks:
    """The packs in a library folder that belongs to the player alone."""

    def __init__(self, folder: str, store: ProgressStore, forget: Callable[[str, Sequence[PackFile]], None]) -> None:
        """``forget`` drops what is known of some packs of a folder, and those whose files are gone."""
        self._folder = folder
        self._store = store
        self._forget = forget

    def has(self, file: PackFile) -> bool:
        """True if a pack can be renamed and removed: it is a file of its own in the folder."""
        return is_own(self._folder, file)

    def rename(self, file: PackFile, name: str, files: list[PackFile]) -> PackFile:
        """Rename a pack in its folder, also in the list ``files``; the player's place in it stays. Raises PackError."""
        renaming = pack_renaming(self._folder, file, os.path.dirname(file.name), name)
        rename(self._folder, renaming, [self._store])
        (renamed,) = renaming.renamed
        files.remove(file)
        self._list(renamed, files)
        self._forget(self._folder, [file, renamed])
        return renamed

    def put_level(
        self, name: str, level: Level, files: list[PackFile], number: int | None = None, before: Level | None = None
    ) -> tuple[PackFile, int]:
        """Write a level into the pack of a name, begun and listed if need be; return it and the level's number.

        It takes the place of that with ``number`` if that is still ``before``, and nothing else is lost by it; raises
        PackError.
        """
        name = name.strip()
        file = next((each for each in files if each.name == name and self.has(each)), None)
        if file is None:
            check_not_shipped(name)
            file = named_own(self._folder, name)
        number = put_level(self._folder, file, level, number, before)
        if file not in files:
            self._list(file, files)
        self._forget(self._folder, [file])
        return file, number

    def _list(self, file: PackFile, files: list[PackFile]) -> None:
        """Add a pack to a list, among those of the player's own."""
        rank = natural_key(file.name)
        later = (i for i, each in enumerate(files) if self.has(each) and natural_key(each.name) > rank)
        files.insert(next(later, len(files)), file)

    def remove(self, file: PackFile, files: list[PackFile]) -> None:
        """Remove the file of a pack, and its line of the list; raises PackError."""
        remove_own(self._folder, file)
        files.remove(file)
        self._forget(self._folder, [file])
