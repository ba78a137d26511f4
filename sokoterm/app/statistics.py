"""Statistics of a player: levels and time by day and by pack, streaks, help, and how far from the best known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sokoterm.app.catalog import Catalog
from sokoterm.engine.value import Value
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Streak, day_from_text, streak
from sokoterm.store.solutions import Dates


class DayStatistics(NamedTuple):
    """A local day: levels solved for the first time, and seconds played."""

    day: date
    solved: int
    seconds: float


class PackStatistics(NamedTuple):
    """A pack with play in it: its levels, those solved, those solved only with help, seconds played, stars earned."""

    file: PackFile
    levels: int
    solved: int
    helped: int
    seconds: float
    stars: int = 0


class KnownComparison(NamedTuple):
    """Solved levels with a par: those solved in fewer, as many and more pushes.

    ``pushes`` are the player's fewest of all these levels, ``known`` their pars.
    """

    fewer: int = 0
    equal: int = 0
    more: int = 0
    pushes: int = 0
    known: int = 0

    @property
    def levels(self) -> int:
        return self.fewer + self.equal + self.more


class Statistics(Value):
    """All statistics; days and packs without play are left out, the last day comes first."""

    solved: int
    helped: int
    seconds: float
    streak: Streak
    days: Sequence[DayStatistics]
    packs: Sequence[PackStatistics]
    comparison: KnownComparison

    @property
    def stars(self) -> tuple[int, int]:
        """The stars earned in packs with play, and the most that can be."""
        return sum(each.stars for each in self.packs), MOST_STARS * sum(each.levels for each in self.packs)


def statistics_of(store: ProgressStore, catalog: Catalog, files: Sequence[PackFile], today: date) -> Statistics:
    """Return the statistics of what is stored; of ``files`` those that are indexed."""
    dates = store.all_dates()
    solved = {level: each for level, each in dates.items() if each.first_solved is not None}
    days = _days(solved, store.days_played())
    return Statistics(
        solved=len(solved),
        helped=sum(each.is_helped for each in solved.values()),
        seconds=sum(each.seconds for each in dates.values()),
        streak=streak([each.day for each in days if each.solved], today),
        days=days,
        packs=_packs(catalog.open().hashes([file.key for file in files]), files, dates, catalog.marks.stars),
        comparison=_comparison(store, catalog, list(solved)),
    )


def _days(solved: Mapping[str, Dates], seconds: Mapping[str, float]) -> list[DayStatistics]:
    played = {day: each for text, each in seconds.items() if (day := day_from_text(text)) is not None}
    dates = (each.first_solved for each in solved.values())
    counts = Counter(date.fromtimestamp(seconds) for seconds in dates if seconds is not None)
    return [DayStatistics(day, counts[day], played.get(day, 0.0)) for day in sorted({*counts, *played}, reverse=True)]


def _packs(
    hashes: Mapping[str, Mapping[int, str]],
    files: Sequence[PackFile],
    dates: Mapping[str, Dates],
    stars: Mapping[str, int],
) -> list[PackStatistics]:
    found = []
    for file in files:
        levels = [*hashes.get(file.key, {}).values()]
        played = [dates[level] for level in levels if level in dates]
        solved = [each for each in played if each.first_solved is not None]
        if played:
            helped = sum(each.is_helped for each in solved)
            seconds = sum(each.seconds for each in played)
            earned = sum(stars.get(level, 0) for level in levels)
            found.append(PackStatistics(file, len(levels), len(solved), helped, seconds, earned))
    return found


def _comparison(store: ProgressStore, catalog: Catalog, solved: Sequence[str]) -> KnownComparison:
    known = {level: par.pushes for level, par in catalog.pars(solved).items()}
    summaries = store.summaries(known)  # of a damaged file, other levels too
    mine = {level: summaries[level].pushes for level in known if level in summaries}
    differences = [mine[level] - known[level] for level in mine]
    return KnownComparison(
        fewer=sum(each < 0 for each in differences),
        equal=sum(each == 0 for each in differences),
        more=sum(each > 0 for each in differences),
        pushes=sum(mine.values()),
        known=sum(known[level] for level in mine),
    )
