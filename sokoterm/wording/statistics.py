"""The page of statistics, as lines of text."""

from collections.abc import Iterator, Sequence
from datetime import date

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import own_runs
from sokoterm.app.statistics import DayStatistics, statistics_of
from sokoterm.language import N_, _, levels_text, listed, ngettext, pgettext
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import all_days, rank
from sokoterm.wording.columns import clipped, padded, text_width
from sokoterm.wording.figures import clock_time, duration
from sokoterm.wording.lists import pack_name, unknown_text
from sokoterm.wording.packs import floors_text

NOTHING_YET = N_("nothing yet: solve a level")
_WIDEST_NAME = 30
_DAYS = 14


class StatisticsPage:
    def __init__(self, store: ProgressStore, catalog: Catalog, files: Sequence[PackFile]) -> None:
        self.today = date.today()
        self.found = statistics_of(store, catalog, files, self.today)
        figures = catalog.figures([pack.file for pack in self.found.packs])
        self.names = [pack_name(pack.file, figures.get(pack.file.key)) for pack in self.found.packs]
        self._unknown = unknown_text(catalog.count_unknown(files)) if self.found.solved else ""
        own = [file for file in files if not file.is_series]  # series repeat levels of other packs
        self._counts = catalog.count_levels(own) if self.found.solved else None
        self._by_day = {each.day: each for each in self.found.days}
        self.series = list(_series(store))

    def lines(self) -> Iterator[str]:
        found = self.found
        if not found.solved and found.seconds < 1:
            yield _(NOTHING_YET)
            return
        for label, figure, more in self.tiles():
            told = _("{figure} ({more})", figure=figure, more=more) if more else figure
            yield _("{label}: {told}", label=label, told=told)
        if found.overs:
            yield _("{n} of {levels} at par", n=sum(over <= 0 for over in found.overs), levels=len(found.overs))
        yield ""
        solved, time = pgettext("heading of a column", "solved"), pgettext("heading of a column", "time")
        days = [(day.day.isoformat(), str(day.solved), clock_time(day.seconds)) for day in found.days[:_DAYS]]
        yield from _table((pgettext("heading of a column", "day"), solved, time), days)
        if len(found.days) > _DAYS:
            yield ngettext("and {n:,} earlier day", "and {n:,} earlier days", len(found.days) - _DAYS)
        if found.packs:
            yield ""
            packs = [
                (
                    clipped(name, _WIDEST_NAME),
                    _("{solved} of {levels}", solved=pack.solved, levels=pack.levels),
                    str(pack.helped),
                    clock_time(pack.seconds),
                )
                for pack, name in zip(found.packs, self.names, strict=True)
            ]
            pack, helped = pgettext("heading of a column", "pack"), pgettext("heading of a column", "with help")
            yield from _table((pack, solved, helped, time), packs)
        for part in (self.series, [self._unknown] if self._unknown else []):
            yield from ("", *part) if part else ()

    def tiles(self) -> list[tuple[str, str, str]]:
        found, streak, counts = self.found, self.found.streak, self._counts
        each = clock_time(found.seconds / found.solved) if found.solved else ""
        alone = found.solved - found.helped
        # The figures include levels that are in none of these packs, such as daily levels.
        is_here = counts is not None and counts[0] == found.solved
        most = _("of {most:,}", most=counts[1] * MOST_STARS) if counts and is_here else ""
        part = N_("{solved} of {levels}") if is_here else N_("{solved} of {levels} here")
        return [
            (
                pgettext("heading of a column", "solved"),
                levels_text(found.solved),
                _(part, solved=counts[0], levels=counts[1]) if counts else "",
            ),
            (
                pgettext("heading of a column", "time"),
                duration(round(found.seconds)),
                _("{time} per level", time=each) if each else "",
            ),
            (_("streak"), ngettext("{n:,} day", "{n:,} days", streak.now), _("longest {days}", days=streak.longest)),
            (_("by yourself"), levels_text(alone), _("{n:,} with help", n=found.helped) if found.helped else ""),
            (_("stars"), f"{found.stars:,}", most),
        ]

    def day(self, day: date) -> DayStatistics:
        return self._by_day.get(day, DayStatistics(day, 0, 0.0))

    def day_text(self, day: date) -> str:
        """``2026-11-26: 3 levels solved, 12:31``."""
        done = self.day(day)
        solved = ngettext("{n:,} level solved", "{n:,} levels solved", done.solved)
        told = listed([solved, clock_time(done.seconds) if done.seconds else ""])
        return _("{label}: {told}", label=day.isoformat(), told=told)


def _series(store: ProgressStore) -> Iterator[str]:
    days = [day for day in all_days(store) if day.effort.solved is not None]
    if days:
        on_par = sum(day.effort.pushes <= day.made.par and not day.effort.is_helped for day in days)
        told = ngettext("{n:,} day solved, {par:,} at par", "{n:,} days solved, {par:,} at par", len(days), par=on_par)
        yield _("{label}: {told}", label=_("Daily"), told=told)
    runs = sorted((run for run in own_runs(store) if run.floors), key=rank)
    if runs:
        best = floors_text(runs[0].floors)
        told = ngettext("{n:,} run, the best {best}", "{n:,} runs, the best {best}", len(runs), best=best)
        yield _("{label}: {told}", label=_("Descent"), told=told)


def _table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table: the first column is left-aligned, the others are right-aligned."""
    widths = [max(map(text_width, column)) for column in zip(heading, *rows, strict=True)]
    for row in (heading, *rows):
        cells = [" " * (width - text_width(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "   ".join([padded(row[0], widths[0]), *cells])
