"""Words for statistics, and figures as text."""

from collections.abc import Sequence
from datetime import date, timedelta
from unittest.mock import create_autospec, patch

import pytest

from sokoterm.app.catalog import Catalog
from sokoterm.app.statistics import DayStatistics, PackStatistics, Statistics
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Streak
from sokoterm.wording.figures import duration
from sokoterm.wording.statistics import StatisticsPage

DAY = date(2026, 11, 25)
FILE = pack_from_bytes(b"")


def lines_of(found: Statistics, names: Sequence[str] = ()) -> list[str]:
    """The lines of the page of some statistics, of 561 levels of which 13 are solved."""
    catalog = create_autospec(Catalog, instance=True)
    catalog.configure_mock(**{
        "figures.return_value": {}, "count_unknown.return_value": 0, "count_levels.return_value": (13, 561),
    })  # fmt: skip
    with patch("sokoterm.wording.statistics.statistics_of", return_value=found):
        page = StatisticsPage(create_autospec(ProgressStore, instance=True), catalog, [])
    page.names = [*names]
    return [*page.lines()]


def test_the_page_says_what_has_been_done() -> None:
    found = Statistics(
        solved=13,
        helped=2,
        seconds=3900.0,
        streak=Streak(1, 4),
        days=[DayStatistics(DAY, 3, 900.0), DayStatistics(DAY - timedelta(days=9), 10, 3000.0)],
        packs=[PackStatistics(FILE, 32, 12, 2, 3600.0), PackStatistics(FILE, 155, 1, 0, 300.0)],
        overs=[3, 0, 0, 12],
        stars=27,
    )
    assert lines_of(found, ["First Steps", "微倉庫"]) == [
        "solved: 13 levels (13 of 561)",
        "time: 1 h 5 min (5:00 per level)",
        "streak: 1 day (longest 4)",
        "by yourself: 11 levels (2 with help)",
        "stars: 27 (of 1,683)",
        "2 of 4 at par",
        "",
        "day          solved    time",
        "2026-11-25        3   15:00",
        "2026-11-16       10   50:00",
        "",
        "pack            solved   with help      time",
        "First Steps   12 of 32           2   1:00:00",
        "微倉庫        1 of 155           0      5:00",
    ]


def test_old_days_are_counted_but_not_listed() -> None:
    days = [DayStatistics(DAY - timedelta(days=back), 1, 60.0) for back in range(20)]
    lines = lines_of(Statistics(20, 0, 1200.0, Streak(20, 20), days, []))
    assert lines[-1] == "and 6 earlier days"
    assert [lines[0], lines[4]] == ["solved: 20 levels (13 of 561 here)", "stars: 0"]  # the others are elsewhere
    assert sum(line.startswith("2026-") for line in lines) == 14


def test_without_any_play_it_says_so() -> None:
    assert lines_of(Statistics(0, 0, 0.0, Streak(0, 0), [], [])) == ["nothing yet: solve a level"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 s"), (60, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (3725, "1 h 2 min")]
)
def test_a_duration_has_two_figures_at_most(seconds: int, words: str) -> None:
    assert duration(seconds) == words
