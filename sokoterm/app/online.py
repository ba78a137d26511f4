"""Requests to letslogic.com in the background."""

from collections.abc import Callable, Container, Sequence
from time import time

from sokoterm.app.background import Background
from sokoterm.engine.steps import Steps
from sokoterm.solver.search import Crashed, Found
from sokoterm.store.letslogic import Account, Compared, Fetched, LetslogicError, OnlineCollection, Parcel, Told
from sokoterm.store.packs import PackError
from sokoterm.store.paths import LostProgressError, progress_file
from sokoterm.store.progress import ProgressStore, opened_progress


class Online:
    """The requests of a session, one at a time, in a thread with its own connection to the progress.

    ``collections`` is the last list received, ``parcels`` are the solutions waiting to be sent.
    """

    def __init__(
        self, key: str, store: ProgressStore, folder: str, wake: Callable[[], None], list_added: Callable[[str], None]
    ) -> None:
        """``folder`` is the data folder; ``list_added`` is called with the path of each downloaded pack."""
        self.has_key = bool(key)
        self.collections: Sequence[OnlineCollection] = ()
        self.parcels: Sequence[Parcel] = ()
        self._key, self._store, self._folder = key, store, folder
        self._wake, self._list_added = wake, list_added
        self._account = Account(key, folder, store)
        self._work = Background[Told](wake)

    @property
    def is_busy(self) -> bool:
        return self._work.is_busy

    @property
    def arrived(self) -> tuple[int, int]:
        """The bytes of the current answer received so far, and in total (0 if unknown)."""
        return self._account.arrived

    @property
    def fetched(self) -> Container[int]:
        """The ids of the downloaded collections; raises PackError."""
        return Account(self._key, self._folder, self._store).fetched

    def ask(self, request: Callable[[Account], Told]) -> None:
        """Start a request, cancelling any other."""
        self.cancel()
        account = self._account = Account(self._key, self._folder, self._store)

        def work() -> Steps[Told]:
            yield
            try:
                with opened_progress(progress_file(self._folder), time, lambda __: None) as account.progress:
                    return request(account)
            except (LetslogicError, PackError, LostProgressError) as error:
                return str(error)

        self._work = Background[Told](self._wake)
        self._work.begin(work())

    def send(self) -> None:
        first = self.parcels[0]
        self.ask(lambda account: account.send(first))

    def cancel(self) -> None:
        """Cancel the current request: nothing more is sent, and what still arrives is ignored."""
        self._account.is_cancelled = True
        self._work.cancel()

    def listen(self) -> Told | Crashed | None:
        """Return the result of a request, once."""
        told = next(self._work.events(), None)
        match told:
            case Fetched():
                self._list_added(told.added.path)
            case Compared():
                self.parcels = told.parcels
            case Parcel():
                self.parcels = self.parcels[1:]
                if self.parcels:
                    self.send()
            case list():
                self.collections = told
        return None if isinstance(told, Found) else told
