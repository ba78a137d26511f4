"""Player without a face: tests do actions in a session and read the typed answers."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self
from unittest.mock import patch

from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.improvement import ShowReplay
from sokoterm.app.options import Series
from sokoterm.app.play import PlayModel
from sokoterm.app.request import Answer, Ask, Outcome, Perform, Request, Start, TakeOver
from sokoterm.app.session import Services, Session
from sokoterm.app.solver import Solver
from sokoterm.engine.deadlock.check import Deadlock
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.solutions import Recorded
from tests.unit.app.generated import TODAY, ForegroundWorkshop, Home, made_once
from tests.unit.app.searches import ForegroundSearch, IdleProver

_STEPS = {"l": "left", "u": "up", "r": "right", "d": "down"}


class SessionPlayer:
    """A session that begins with a level, until the ``with`` block ends.

    ``notices`` are those of the session, ``records`` the solutions that it has recorded.
    """

    def __init__(self, services: Services, start: Start) -> None:
        self.notices: list[str | Outcome] = []
        self.records: list[Recorded] = []
        self.store = services.store
        self.session = Session(services, self.notices.append, lambda: None)
        self._closing = ExitStack()
        self._closing.callback(services.catalog.close)
        self._closing.callback(services.store.close)
        self._closing.callback(self.session.close)
        self.ask(start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @property
    def model(self) -> PlayModel:
        """The level in play."""
        assert self.session.play is not None
        return self.session.play

    @property
    def lurd(self) -> str:
        """The moves of the level in play."""
        return self.model.game.lurd

    def act(self, *actions: str) -> Answer:
        """Do actions, and what they ask of the session; return the last answer."""
        answer: Answer = None
        for action in actions:
            answer = self.ask(self.model.act(action))
        return answer

    def move(self, lurd: str) -> Answer:
        """Make moves one by one; return the last answer."""
        return self.act(*(_STEPS[letter.lower()] for letter in lurd))

    def ask(self, answer: Answer) -> Answer:
        """Do what an answer asks of the session, save, and look at the board; return the outcome."""
        answer = self._react(answer)
        if (recorded := self.session.record_solution()) is not None:
            self.records.append(recorded)
        self.session.save(only_if_needed=True)
        self.look()
        return answer

    def hear(self, times: int = 1, *, is_watched: bool = True) -> list[Outcome | ShowReplay]:
        """Ask the solver for news some times; return what the player hears."""
        answers: list[Outcome | ShowReplay] = []
        for _ in range(times):
            for told in self.session.listen(is_watched=is_watched):
                if told.answer is not None:
                    self._react(told.answer)
                    answers.append(told.answer)
            self.ask(None)
        return answers

    def rest(self, times: int = 1) -> None:
        """Do nothing for a while, some times."""
        for _ in range(times):
            self.model.tick()
            self.session.seek_proof()
            self.look()

    def look(self) -> Deadlock | None:
        """Look at the board: each position that is seen is tested for a deadlock, which is returned."""
        return self.model.deadlock

    def _react(self, answer: Answer) -> Answer:
        match answer:
            case Perform(lurd):
                return self.model.perform(lurd)
            case Start() as start:
                while self.session.awaits(start):
                    assert self.session.make_levels(start) is None
        outcome = self.session.carry_out(answer) if isinstance(answer, Request) else None
        return outcome if answer is Ask.STOP_SEARCH or isinstance(answer, TakeOver) else answer


class Player(SessionPlayer):
    """A session with a pack, its progress in a folder, from the level where the last one ended.

    Each look at its clock takes a second.
    """

    def __init__(
        self,
        folder: Path,
        pack: str,
        make_solver: Callable[[Callable[[], None]], Solver] = ForegroundSearch,
        make_prover: Callable[[Callable[[], None]], Prover] = IdleProver,
        scores: ScoreTable | None = None,
    ) -> None:
        home, file = Home(folder, scores, 1e9), pack_from_bytes(pack.encode(), "test.txt")
        opened = home.open_pack_session(file)
        given = {"open_pack_session": lambda _: opened, "make_solver": make_solver, "make_prover": make_prover}
        super().__init__(home.services([file], **given), Start(opened, opened.start_number() or 0))


class SeriesPlayer(SessionPlayer):
    """A session at a moment with a series of generated packs; a descent without a seed begins with ``seed``."""

    def __init__(
        self, folder: Path, series: Series, now: float = TODAY, seed: int = 7, scores: ScoreTable | None = None
    ) -> None:
        self.home = Home(folder, scores, now, seed)
        services = self.home.services(make_builder=ForegroundWorkshop, series=self.home.series)
        with ExitStack() as making:
            making.enter_context(patch("sokoterm.generator.make.made_by", made_once))
            super().__init__(services, Start(*self.home.series.start(series)))
            self._closing.push(making.pop_all())
