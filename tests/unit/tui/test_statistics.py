"""The screen of statistics: its parts in windows of many sizes, and the day of the cursor."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from sokoterm.app.catalog import Catalog
from sokoterm.app.keymap import BROWSER
from sokoterm.app.request import Ask
from sokoterm.app.statistics import DayStatistics, PackStatistics, Statistics
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Streak
from sokoterm.tui.screens.statistics import StatisticsScreen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import THEMES
from sokoterm.wording.columns import WIDE_FILLER
from sokoterm.wording.statistics import StatisticsPage
from tests.unit.app.generated import MONDAY, solution_of_day
from tests.unit.tui.fake_terminal import TILES
from tests.unit.tui.made import browse, descent, floor_keys, keys_of, play_made, today
from tests.unit.tui.planned import picture
from tests.unit.tui.test_golden import check_golden

TODAY = date(2026, 11, 27)
NAMES = ("First Steps", "One Evening", "Forty Cold Colours", *(f"Pack {n}" for n in range(4, 12)))
FILE = pack_from_bytes(b"")
PACKS = [PackStatistics(FILE, 40, max(1, 40 - 5 * n), n % 3, 60.0 * n, 7 * n or None) for n in range(len(NAMES))]
BACK = {0: 12, 1: 1, 2: 3, 8: 7, 30: 2, 55: 1, 300: 4}
FOUND = Statistics(
    solved=128,
    helped=11,
    seconds=51_720.0,
    streak=Streak(3, 19),
    days=[DayStatistics(TODAY - timedelta(days=back), levels, 600.0 + back) for back, levels in BACK.items()],
    packs=PACKS,
    overs=[*(n * n % 7 for n in range(38)), 0, 12],
    stars=495,
)
IN_ASCII, IN_TILES = Appearance(THEMES[0], 0), Appearance(TILES, 0)


@contextmanager
def screen(folder: Path, found: Statistics = FOUND) -> Iterator[StatisticsScreen]:
    """The screen of some statistics, with packs of 360 levels of which 128 are solved."""
    library = folder / "library.db"
    with (
        closing(ProgressStore.open(str(folder / "progress.db"), lambda: 1e9)) as store,
        closing(Catalog(lambda: LibraryIndex.open(str(library), lambda: 1e9), library.exists, store)) as catalog,
        patch("sokoterm.wording.statistics.statistics_of", return_value=found),
        patch("sokoterm.wording.statistics.date", wraps=date) as today,
        patch.object(Catalog, "count_levels", return_value=(128, 360)),
    ):
        today.today.return_value = TODAY
        page = StatisticsPage(store, catalog, [FILE])
        page.names = [*NAMES[: len(found.packs)]]
        yield StatisticsScreen(page, BROWSER)


def text_of(frame: Frame) -> str:
    return "\n".join(row.text.rstrip() for row in frame.rows).replace(WIDE_FILLER, "")


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (8, 30)], ids=str)
@pytest.mark.parametrize("code", ["en", "ru"], indirect=True)
def test_the_statistics_in_windows_of_many_sizes(tmp_path: Path, code: str, size: tuple[int, int]) -> None:
    with screen(tmp_path) as statistics:
        for appearance in (IN_ASCII, IN_TILES) if size == (35, 120) else (IN_ASCII,):
            drawn = text_of(picture(statistics, Size(*size), appearance))
            check_golden(f"statistics-{code}-{size[0]}x{size[1]}-{appearance.theme.name}", drawn)


def test_arrows_go_from_day_to_day_and_week_to_week(tmp_path: Path) -> None:
    with screen(tmp_path) as statistics:
        size = Size(24, 80)
        assert "2026-11-27: 12 levels solved, 10:00" in text_of(picture(statistics, size, IN_ASCII))
        shown = picture(statistics, size, IN_ASCII).cursor
        for action, key, told in (
            ("up", "up", "2026-11-26: 1 level solved, 10:01"),
            ("close", "left", "2026-11-19: 7 levels solved, 10:08"),
            ("open", "right", "2026-11-26: 1 level"),
            ("open", "right", "2026-11-27: 12 levels"),  # today is the last one
        ):
            assert statistics.update(action, key) is None
            assert told in text_of(picture(statistics, size, IN_ASCII))
        assert picture(statistics, size, IN_ASCII).cursor == shown
        for __ in range(60):  # the calendar goes back by a year at least, more weeks than there are on the screen
            statistics.update("close", "left")
        assert "2025-11-24: 0 levels solved" in text_of(picture(statistics, size, IN_ASCII))
        assert statistics.update("close", "b") is Ask.CLOSE
        assert statistics.update("cancel", "esc") is Ask.CLOSE


def test_days_and_descents_have_a_line_each(tmp_path: Path) -> None:
    play_made(tmp_path, today, ["wait", *keys_of(solution_of_day(MONDAY).lurd)], now=MONDAY)
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "X", "y"])
    shown = play_made(tmp_path, browse, ["i"])
    assert shown.shows("Daily: 1 day solved, 1 at par", "Descent: 1 run, the best 1 floor")


def test_help_is_there_as_on_every_screen(tmp_path: Path) -> None:
    """``?`` closed the statistics."""
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1)])
    assert play_made(tmp_path, browse, ["i", "?"]).shows("the day before,")
    assert play_made(tmp_path, browse, ["i", "?", "esc"]).shows("Statistics")


def test_packs_that_have_no_room_are_shown_page_by_page(tmp_path: Path) -> None:
    with screen(tmp_path) as statistics:
        first = text_of(picture(statistics, Size(24, 80), IN_ASCII))
        assert "Forty Cold Colours" in first
        assert "Pack 11" not in first
        assert "Space  more" in first
        assert statistics.update("accept", "space") is None
        assert "Pack 11" in text_of(picture(statistics, Size(24, 80), IN_ASCII))
        assert statistics.update("accept", "space") is Ask.CLOSE


def test_without_any_play_there_is_no_calendar(tmp_path: Path) -> None:
    nothing = Statistics(0, 0, 0.0, Streak(0, 0), [], [])
    with screen(tmp_path, nothing) as statistics:
        drawn = text_of(picture(statistics, Size(24, 80), IN_ASCII))
    assert "nothing yet: solve a level" in drawn
    assert "Days" not in drawn
