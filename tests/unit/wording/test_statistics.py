"""Words for statistics, and figures as text."""

from datetime import date, timedelta

import pytest

from sokoterm.app.statistics import DayStatistics, KnownComparison, PackStatistics, Statistics
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.series import Streak
from sokoterm.wording.figures import duration
from sokoterm.wording.statistics import statistics_lines

DAY = date(2026, 11, 25)
FILE = pack_from_bytes(b"")


def test_the_page_says_what_has_been_done() -> None:
    found = Statistics(
        solved=13,
        helped=2,
        seconds=3900.0,
        streak=Streak(1, 4),
        days=[DayStatistics(DAY, 3, 900.0), DayStatistics(DAY - timedelta(days=9), 10, 3000.0)],
        packs=[PackStatistics(FILE, 32, 12, 2, 3600.0, 27), PackStatistics(FILE, 155, 1, 0, 300.0)],
        comparison=KnownComparison(fewer=1, equal=2, more=4, pushes=1234, known=1000),
    )
    assert [*statistics_lines(found, ["First Steps", "微倉庫"])] == [
        "13 levels solved, 2 of them only with help",
        "27 of 561 stars",
        "1 h 5 min played",
        "streak: 1 day with a level solved, the longest 4 days",
        "7 levels with a known solution; you have fewer pushes in 1, as many pushes in 2, more pushes in 4",
        "in all 1,234 pushes, the best known 1,000",
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
    lines = [*statistics_lines(Statistics(20, 0, 1200.0, Streak(20, 20), days, [], KnownComparison()), [])]
    assert lines[-1] == "and 6 earlier days"
    assert sum(line.startswith("2026-") for line in lines) == 14


def test_without_any_play_it_says_so() -> None:
    lines = statistics_lines(Statistics(0, 0, 0.0, Streak(0, 0), [], [], KnownComparison()), [])
    assert [*lines] == ["nothing yet: solve a level"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 s"), (60, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (3725, "1 h 2 min")]
)
def test_a_duration_has_two_figures_at_most(seconds: int, words: str) -> None:
    assert duration(seconds) == words
