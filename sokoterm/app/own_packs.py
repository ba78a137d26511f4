"""Packs of the player's own library folder: renamed, removed and added to; progress stays: it is kept by level."""

import os
from collections.abc import Callable, Sequence

from sokoterm.engine.level import Level
from sokoterm.store.library_folder import is_own, named_own, pack_renaming, put_level, remove_own, rename
from sokoterm.store.named_packs import check_not_shipped
from sokoterm.store.packs import PackFile, natural_key
from sokoterm.store.progress import ProgressStore


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
