"""The descents of a person: which run is open, which there were, and those of others where all share a table."""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.scoreboard import Scoreboard
from sokoterm.app.series.descent import DescentPack, run_score
from sokoterm.store.progress import ProgressStore
from sokoterm.store.rows import Store
from sokoterm.store.run_score import RunScore
from sokoterm.store.runs import Account, Run, account, all_floors, all_runs, rank


class Descents:
    """A RunTable; where the runs cannot be read now it raises PackError."""

    def __init__(
        self,
        store: ProgressStore,
        catalog: Catalog,
        scores: Scoreboard | None,
        clock: Callable[[], float],
        draw_seed: Callable[[], int],
    ) -> None:
        """``clock`` gives seconds since 1970, ``draw_seed`` any seed."""
        self._store = store
        self._catalog = catalog
        self._scores = scores
        self._clock = clock
        self._draw_seed = draw_seed
        # Runs of this session: what is known of them need not be on disk yet.
        self._pack_sessions: dict[tuple[int, float], DescentPack] = {}

    def open_last(self) -> DescentPack:
        """The open run that was played last, else a new one."""
        run = next(iter(self._open_runs()), None)
        return self._pack_session(run) if run is not None else self.begin()

    def of_seed(self, seed: int) -> DescentPack:
        """The open run of a seed that was played last, else a new one."""
        run = next((run for run in self._open_runs() if run.seed == seed), None)
        return self._pack_session(run) if run is not None else self.begin(seed)

    def begin(self, seed: int | None = None) -> DescentPack:
        now = self._clock()
        return self._pack_session(Run(self._draw_seed() if seed is None else seed, now, now))

    def resume(self, run: RunScore) -> DescentPack:
        return self._pack_session(Run(run.seed, run.begun, self._clock()))

    def table(self) -> list[RunScore]:
        self._store.save_rows()
        return run_table(own_runs(self._store), self._scores)

    def is_own(self, run: RunScore) -> bool:
        return not run.name

    def _open_runs(self) -> list[Run]:
        """The open runs, the one played last first; those of this session that wait to be written are among them."""
        self._store.save_rows()
        runs = {(run.seed, run.begun): run for run in all_runs(self._store)}
        for key, pack_session in self._pack_sessions.items():
            if pack_session.numbers and (key not in runs or runs[key].ended is None):
                runs[key] = pack_session.run
        still_open = [run for run in runs.values() if run.ended is None]
        return sorted(still_open, key=lambda run: (run.played, run.begun), reverse=True)

    def _pack_session(self, run: Run) -> DescentPack:
        key = (run.seed, run.begun)
        if key not in self._pack_sessions:
            self._pack_sessions[key] = DescentPack(run, self._store, self._catalog, self._scores, self._clock, self)
        return self._pack_sessions[key]


def own_runs(store: Store) -> list[RunScore]:
    """The runs of a person."""
    floors = all_floors(store)
    return [run_score("", run, account(floors.get((run.seed, run.begun), ()))) for run in all_runs(store)]


def run_table(own: Sequence[RunScore], scores: Scoreboard | None) -> list[RunScore]:
    """All runs, the best first, with those of others where all share a table; what ended on its first floor is none."""
    runs = [*own, *(scores.runs() if scores is not None else [])]
    return sorted([run for run in runs if run.floors or not run.is_over], key=_place)


def _place(run: RunScore) -> tuple[float, ...]:
    figures = Account(run.floors, run.over, run.undos, run.hints, run.shown, run.pushes, run.moves, run.seconds)
    return (*rank(figures), -run.begun)
