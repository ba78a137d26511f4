"""The page of statistics, as lines of text for both faces."""

from collections.abc import Iterator, Sequence
from datetime import date

from sokoterm.app.catalog import Catalog
from sokoterm.app.statistics import KnownComparison, Statistics, statistics_of
from sokoterm.engine.text import counted
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.wording.columns import clipped, text_width
from sokoterm.wording.figures import clock_time, duration
from sokoterm.wording.lists import pack_name

NOTHING_YET = "nothing yet: solve a level"
_WIDEST_NAME = 30
_DAYS = 14


def statistics_page(store: ProgressStore, catalog: Catalog, files: Sequence[PackFile]) -> list[str]:
    """Return the lines of the page, as of today."""
    found = statistics_of(store, catalog, files, date.today())
    figures = catalog.figures([pack.file for pack in found.packs])
    return [*statistics_lines(found, [pack_name(pack.file, figures.get(pack.file.key)) for pack in found.packs])]


def statistics_lines(statistics: Statistics, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of some statistics; ``names`` are those of their packs."""
    if not statistics.solved and statistics.seconds < 1:
        yield NOTHING_YET
        return
    helped = f", {statistics.helped} of them only with help" if statistics.helped else ""
    yield f"{counted(statistics.solved, 'level')} solved{helped}"
    yield f"{duration(round(statistics.seconds))} played"
    if statistics.streak.longest:
        streak = statistics.streak
        yield f"streak: {counted(streak.now, 'day')} with a level solved, the longest {counted(streak.longest, 'day')}"
    yield from _comparison(statistics.comparison)
    yield ""
    yield f"{'day':12}{'solved':>8}{'time':>10}"
    for day in statistics.days[:_DAYS]:
        yield f"{day.day.isoformat():12}{day.solved:>8}{clock_time(day.seconds):>10}"
    if len(statistics.days) > _DAYS:
        yield f"and {counted(len(statistics.days) - _DAYS, 'earlier day')}"
    if statistics.packs:
        yield ""
        width = min(_WIDEST_NAME, max(text_width(name) for name in ("pack", *names)))
        yield f"{_cell('pack', width)}{'solved':>12}{'with help':>11}{'time':>10}"
        for pack, name in zip(statistics.packs, names, strict=True):
            solved = f"{pack.solved} of {pack.levels}"
            yield f"{_cell(name, width)}{solved:>12}{pack.helped:>11}{clock_time(pack.seconds):>10}"


def _comparison(comparison: KnownComparison) -> Iterator[str]:
    if comparison.levels:
        parts = ((comparison.fewer, "fewer"), (comparison.equal, "as many"), (comparison.more, "more"))
        told = ", ".join(f"{count} in {words}" for count, words in parts if count)
        yield f"{counted(comparison.levels, 'level')} with a known solution: {told} pushes than the best known"
        yield f"in all {comparison.pushes:,} pushes, the best known {comparison.known:,}"


def _cell(text: str, width: int) -> str:
    text = clipped(text, width)
    return text + " " * (width - text_width(text))
