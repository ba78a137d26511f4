"""The way to the levels that the program makes: what makes them is loaded when they are first asked for."""

import time
from collections.abc import Callable
from functools import partial

from sokoterm.app.catalog import Catalog
from sokoterm.app.options import DAILY, DESCENT, Series
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Start
from sokoterm.app.scoreboard import RunTable, Scoreboard
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore

_SEEDS = 1_000_000  # short enough to be told to a friend


def series_files() -> list[PackFile]:
    """What stands for them in the list of packs."""
    return [PackFile("", key.title(), key, is_made=True) for key in (DAILY, DESCENT)]


class MadeSeries:
    """The days and the descents of a person; where what is kept of them cannot be read now it raises PackError."""

    def __init__(
        self,
        store: ProgressStore,
        catalog: Catalog,
        scores: Scoreboard | None,
        clock: Callable[[], float] = time.time,
        draw_seed: Callable[[], int] | None = None,
    ) -> None:
        """``clock`` gives seconds since 1970, ``draw_seed`` the seed of a descent that nobody chose."""
        self._parts = store, catalog, scores
        self._clock = clock
        self._draw_seed = draw_seed
        self._daily: PackSession | None = None
        self._descents: RunTable[PackSession] | None = None

    def open(self, file: PackFile) -> PackSession:
        """The days, or the descent that was played last."""
        return self.daily() if file.key == DAILY else self.descents().open_last()

    def start(self, series: Series) -> Start:
        """What is to be played."""
        if not series.is_descent:
            pack_session = self.daily()
            return Start(pack_session, series.number or pack_session.start_number() or 1)
        descents = self.descents()
        descent = descents.open_last() if series.number is None else descents.of_seed(series.number)
        return Start(descent, descent.start_number() or 1)

    def daily(self) -> PackSession:
        """The levels of days."""
        if self._daily is None:
            from sokoterm.app.series.daily import DailyPack

            self._daily = DailyPack(*self._parts, self._clock)
        return self._daily

    def descents(self) -> RunTable[PackSession]:
        """The descents that there are, and new ones."""
        if self._descents is None:
            from random import SystemRandom

            from sokoterm.app.series.descents import Descents

            draw_seed = self._draw_seed or partial(SystemRandom().randrange, _SEEDS)
            self._descents = Descents(*self._parts, self._clock, draw_seed)
        return self._descents
