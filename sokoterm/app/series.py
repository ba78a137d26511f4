"""Series of generated levels, and their entries in a list of packs."""

import time
from collections.abc import Callable, Sequence
from random import SystemRandom

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import DailyPack, DescentPack, Descents, GeneratedPack
from sokoterm.app.options import DAILY, DESCENT, Series
from sokoterm.app.request import Start
from sokoterm.language import N_
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable

_NAMES = {DAILY: N_("Daily"), DESCENT: N_("Descent")}
_SEEDS = 1_000_000  # short enough to be told to a friend


def _draw_seed() -> int:
    return SystemRandom().randrange(_SEEDS)


class GeneratedSeries:
    """The daily levels and the descents of a player; raises PackError if they cannot be read now."""

    def __init__(
        self,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        clock: Callable[[], float] = time.time,
        draw_seed: Callable[[], int] = _draw_seed,
    ) -> None:
        """``clock`` gives seconds since 1970, ``draw_seed`` the seed of a descent that nobody chose."""
        self._parts = store, catalog, scores
        self._clock = clock
        self._draw_seed = draw_seed
        self._daily: GeneratedPack | None = None
        self._descents: Descents | None = None
        self._problems: dict[str, str] = {}

    def start(self, series: Series) -> Start:
        """The request to play a level of a series."""
        if not series.is_descent:
            pack_session = self.daily()
            return Start(pack_session, series.number or pack_session.start_number() or 1)
        descents = self.descents()
        descent = descents.open_last() if series.number is None else descents.of_seed(series.number)
        return Start(descent, descent.start_number() or 1)

    def daily(self) -> GeneratedPack:
        """The daily levels."""
        if self._daily is None:
            self._daily = DailyPack(*self._parts, self._clock)
        return self._daily

    def descents(self) -> Descents:
        """The descents there are, and new ones."""
        if self._descents is None:
            self._descents = Descents(*self._parts, self._clock, self._draw_seed)
        return self._descents

    def entries(self) -> "Sequence[SeriesEntry]":
        """Return their entries for a list of packs."""
        return [
            SeriesEntry(DAILY, self.daily, self._problems),
            SeriesEntry(DESCENT, lambda: self.descents().open_last(), self._problems),
        ]


class SeriesEntry:
    """A series in a list of packs: the daily levels, or the descent that was played last.

    ``name`` is shown translated. ``pack`` is the one opened last, if any; the list sets it to the pack in play.
    """

    def __init__(self, key: str, open_pack: Callable[[], GeneratedPack], problems: dict[str, str]) -> None:
        """``open_pack`` raises PackError; ``problems`` keeps by key why a series cannot be read, from list to list."""
        self.key = key
        self.name = _NAMES[key]
        self._open = open_pack
        self._problems = problems
        self.pack: GeneratedPack | None = None

    @property
    def problem(self) -> str:
        """The reason why the series cannot be read; empty if it can be or was not tried."""
        return self._problems.get(self.key, "")

    def open(self) -> GeneratedPack | None:
        """Open the series, or a new run after one that is over; None if it cannot be read."""
        if self.pack is None or isinstance(self.pack, DescentPack) and self.pack.is_over:
            try:
                self.pack = self._open()
            except PackError as error:
                self._problems[self.key] = str(error)
                return None
            self._problems.pop(self.key, None)
        return self.pack
