"""Statistics of a player: levels and time by day and by pack, streaks, help, and pushes over par."""

from collections.abc import Mapping, Sequence
from datetime import date
from heapq import nlargest
from typing import NamedTuple

from sokoterm.app.catalog import Catalog
from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Streak, day_from_text, streak
from sokoterm.store.solutions import Dates

MOST_OVERS = 60
"""Most recently solved levels for which pushes over par are reported."""


class DayStatistics(NamedTuple):
    """A local day: levels solved for the first time, and seconds played."""

    day: date
    solved: int
    seconds: float


class PackStatistics(NamedTuple):
    """A played pack: numbers of levels, solved levels and levels solved only with help, and the seconds played.

    ``over`` is the total of pushes over par in solved levels; None if no solved level has a par.
    """

    file: PackFile
    levels: int
    solved: int
    helped: int
    seconds: float
    over: int | None = None


class Statistics(Value):
    """All statistics, with only the days and packs played; latest day first.

    ``overs`` are the pushes over par of recently solved levels that have a par, latest last.
    """

    solved: int
    helped: int
    seconds: float
    streak: Streak
    days: Sequence[DayStatistics]
    packs: Sequence[PackStatistics]
    overs: Sequence[int] = ()
    stars: int = 0


def statistics_of(store: ProgressStore, catalog: Catalog, files: Sequence[PackFile], today: date) -> Statistics:
    dates = store.all_dates()
    firsts = {level: each.first_solved for level, each in dates.items() if each.first_solved is not None}
    solved = store.days_solved()
    played = {day: each for text, each in store.days_played().items() if (day := day_from_text(text)) is not None}
    days = [
        DayStatistics(day, solved.get(day, 0), played.get(day, 0.0)) for day in sorted({*solved, *played}, reverse=True)
    ]
    hashes, pars = catalog.open().hashes([file.key for file in files]), catalog.pars(firsts)
    best = store.summaries(firsts)
    over = {level: each.pushes - pars[level].pushes for level, each in best.items() if level in pars}
    latest = nlargest(MOST_OVERS, over, key=firsts.__getitem__)
    packs = _packs(hashes, files, dates, over)
    return Statistics(
        solved=len(firsts),
        helped=sum(dates[level].is_helped for level in firsts),
        seconds=sum(each.seconds for each in dates.values()),
        streak=streak([each.day for each in days if each.solved], today),
        days=days,
        packs=packs,
        overs=[over[level] for level in reversed(latest)],
        stars=sum(catalog.marks.stars.values()),
    )


def _packs(
    hashes: Mapping[str, Mapping[int, str]],
    files: Sequence[PackFile],
    dates: Mapping[str, Dates],
    over: Mapping[str, int],
) -> list[PackStatistics]:
    """Return the statistics of the played packs; ``hashes`` has their level hashes by pack key and number."""
    found = []
    for file in files:
        levels = [*hashes.get(file.key, {}).values()]
        played = [dates[level] for level in levels if level in dates]
        solved = [each for each in played if each.first_solved is not None]
        if played:
            helped = sum(each.is_helped for each in solved)
            seconds = sum(each.seconds for each in played)
            overs = [over[level] for level in levels if level in over]
            all_over = sum(overs) if overs else None
            found.append(PackStatistics(file, len(levels), len(solved), helped, seconds, all_over))
    return found
