"""Packs of the player's own library folder: renamed and removed; progress stays, since it is kept by level."""

from collections.abc import Callable, Sequence

from sokoterm.store.library_folder import is_own, remove_own, rename_own
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
        """Rename a pack, also in the list ``files``, and keep the player's place in it; raises PackError."""
        renamed = rename_own(self._folder, file, name)
        self._store.rename_pack(file.key, renamed.key)
        files.remove(file)
        rank = natural_key(renamed.name)
        later = (i for i, each in enumerate(files) if self.has(each) and natural_key(each.name) > rank)
        files.insert(next(later, len(files)), renamed)
        self._forget(self._folder, [file, renamed])
        return renamed

    def remove(self, file: PackFile, files: list[PackFile]) -> None:
        """Remove the file of a pack, and its line of the list; raises PackError."""
        remove_own(self._folder, file)
        files.remove(file)
        self._forget(self._folder, [file])
