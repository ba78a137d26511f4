"""Packs opened from a list: a few are kept, and all are indexed while no key is pressed."""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.store.packs import PackError, PackFile

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
