"""Player without a face: tests do actions in a session and read the typed answers."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from sokoterm.app.catalog import Catalog
from sokoterm.app.outcome import Answer, Outcome
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import PlayModel
from sokoterm.app.request import ShowReplay, Solve, Start, StopSearch
from sokoterm.app.services import Services
from sokoterm.app.session import Session, SolutionFound
from sokoterm.app.solver_service import SolverService
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import open_pack, pack_from_bytes
from sokoterm.store.progress import ProgressStore
from tests.unit.app.searches import ForegroundSearch


class Player:
    """A session with a pack, its progress in a folder, from the level where the last one ended.

    ``notices`` are those of the session; each look at its clock takes a second.
    """

    def __init__(
        self,
        folder: Path,
        pack: str,
        make_solver: Callable[[Callable[[], None]], SolverService] = ForegroundSearch,
    ) -> None:
        self.notices: list[str | Outcome] = []
        self.store = ProgressStore.open(str(folder / "progress.db"), lambda: 1e9)
        library, ticks = folder / "library.db", count()
        self._catalog = Catalog(lambda: LibraryIndex.open(str(library), lambda: 1e9), library.exists, self.store)
        file = pack_from_bytes(pack.encode(), "test.txt")
        opened = PackSession(open_pack(file), file.key, file.name, self.store, self._catalog)
        services = Services(
            store=self.store,
            catalog=self._catalog,
            files=[file],
            open_pack_session=lambda _: opened,
            clock=lambda: float(next(ticks)),
            log_crash=lambda _: "details in the log",
            make_solver=make_solver,
        )
        self.session = Session(services, self.notices.append, lambda: None)
        self.session.start(opened, opened.start_number() or 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.session.close()
        self.store.close()
        self._catalog.close()

    @property
    def model(self) -> PlayModel:
        """The level in play."""
        assert self.session.play is not None
        return self.session.play

    def act(self, *actions: str) -> Answer:
        """Do actions, and what they ask of the session; return the last answer."""
        answer: Answer = None
        for action in actions:
            answer = self._react(self.model.act(action))
            self.session.record_solution()
        return answer

    def hear(self, times: int = 1, *, is_watched: bool = True) -> list[Outcome | ShowReplay]:
        """Ask the solver for news some times; return what the player hears."""
        answers: list[Outcome | ShowReplay] = []
        for _ in range(times):
            for heard in self.session.listen(is_watched=is_watched):
                answer = heard.answer if isinstance(heard, SolutionFound) else heard.why
                if answer is not None:
                    self._react(answer)
                    answers.append(answer)
            self.session.record_solution()
        return answers

    def _react(self, answer: Answer) -> Answer:
        match answer:
            case Start(pack_session, number):
                self.session.start(pack_session, number)
            case Solve(state):
                self.session.solve(state)
            case StopSearch():
                return self.session.stop_search()
            case ShowReplay():
                self.session.show(answer)
        return answer
