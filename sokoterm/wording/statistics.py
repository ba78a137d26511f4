"""The page of statistics, as lines of text for both faces."""

from collections.abc import Iterator, Sequence
from datetime import date

from sokoterm.app.catalog import Catalog
from sokoterm.app.statistics import KnownComparison, Statistics, statistics_of
from sokoterm.language import N_, _, listed, ngettext, pgettext
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.wording.columns import clipped, padded, text_width
from sokoterm.wording.figures import clock_time, duration, stars_text
from sokoterm.wording.lists import pack_name, unknown_text

NOTHING_YET = N_("nothing yet: solve a level")
_WIDEST_NAME = 30
_DAYS = 14


def statistics_page(store: ProgressStore, catalog: Catalog, files: Sequence[PackFile]) -> list[str]:
    """Return the lines of the page, as of today."""
    found = statistics_of(store, catalog, files, date.today())
    figures = catalog.figures([pack.file for pack in found.packs])
    names = [pack_name(pack.file, figures.get(pack.file.key)) for pack in found.packs]
    unknown = unknown_text(catalog.count_unknown(files)) if found.solved else ""
    return [*statistics_lines(found, names), *(("", unknown) if unknown else ())]


def statistics_lines(statistics: Statistics, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of some statistics; ``names`` are those of their packs."""
    if not statistics.solved and statistics.seconds < 1:
        yield _(NOTHING_YET)
        return
    only, levels = "", ngettext("{n:,} level solved", "{n:,} levels solved", statistics.solved)
    if statistics.helped:
        only = ngettext("{n:,} of them only with help", "{n:,} of them only with help", statistics.helped)
    yield listed([levels, only])
    if statistics.packs:
        yield stars_text(*statistics.stars)
    yield _("{duration} played", duration=duration(round(statistics.seconds)))
    if statistics.streak.longest:
        streak = statistics.streak
        longest = ngettext("{n:,} day", "{n:,} days", streak.longest)
        yield ngettext(
            "streak: {n:,} day with a level solved, the longest {longest}",
            "streak: {n:,} days with a level solved, the longest {longest}",
            streak.now,
            longest=longest,
        )
    yield from _comparison(statistics.comparison)
    yield ""
    solved, time = pgettext("heading of a column", "solved"), pgettext("heading of a column", "time")
    days = [(day.day.isoformat(), str(day.solved), clock_time(day.seconds)) for day in statistics.days[:_DAYS]]
    yield from _table((pgettext("heading of a column", "day"), solved, time), days)
    if len(statistics.days) > _DAYS:
        yield ngettext("and {n:,} earlier day", "and {n:,} earlier days", len(statistics.days) - _DAYS)
    if statistics.packs:
        yield ""
        packs = [
            (
                clipped(name, _WIDEST_NAME),
                _("{solved} of {levels}", solved=pack.solved, levels=pack.levels),
                str(pack.helped),
                clock_time(pack.seconds),
            )
            for pack, name in zip(statistics.packs, names, strict=True)
        ]
        pack, helped = pgettext("heading of a column", "pack"), pgettext("heading of a column", "with help")
        yield from _table((pack, solved, helped, time), packs)


def _comparison(comparison: KnownComparison) -> Iterator[str]:
    if comparison.levels:
        parts = (
            _("fewer pushes in {n:,}", n=comparison.fewer) if comparison.fewer else "",
            _("as many pushes in {n:,}", n=comparison.equal) if comparison.equal else "",
            _("more pushes in {n:,}", n=comparison.more) if comparison.more else "",
        )
        yield ngettext(
            # Translators: told is like "fewer pushes in 3, more pushes in 2": numbers of levels.
            "{n:,} level with a known solution; you have {told}",
            "{n:,} levels with a known solution; you have {told}",
            comparison.levels,
            told=listed(parts),
        )
        yield _("in all {pushes:,} pushes, the best known {known:,}", pushes=comparison.pushes, known=comparison.known)


def _table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table: the first column begins at the left, the others end at the right."""
    widths = [max(map(text_width, column)) for column in zip(heading, *rows, strict=True)]
    for row in (heading, *rows):
        cells = [" " * (width - text_width(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "   ".join([padded(row[0], widths[0]), *cells])
