"""What a player has done, by day and by pack, and beside the best known solutions."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.app.catalog import Catalog
from sokoterm.app.statistics import DayStatistics, PackStatistics, Statistics, statistics_of
from sokoterm.engine.level import Level
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, find_packs, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Streak
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, ROOM, ROOM_SOLUTION, TWO_WAYS, Player

DAY_SECONDS = 24 * 3600
NOON = 1_700_000_000.0 // DAY_SECONDS * DAY_SECONDS + DAY_SECONDS / 2
FIRST_DAY = date.fromtimestamp(NOON)
PACK = f"{ROOM.xsb()}\nTitle: One\n\n{TWO_WAYS.xsb()}\nTitle: Two\n\nSolution\n{FEWEST_PUSHES}\n"


class Desk(NamedTuple):
    """The progress of a person, a catalog with one pack, and a clock to be set."""

    store: ProgressStore
    catalog: Catalog
    file: PackFile
    clock: list[float]

    def play(self, level: Level, lurd: str, seconds: float, day: int = 0) -> None:
        """Solve a level on a day, in some time."""
        self.clock[0] = NOON + day * DAY_SECONDS
        player = Player(self.store, level)
        player.moves(lurd)
        player.save(seconds)
        self.store.record(level, lurd)
        self.catalog.refresh()

    def statistics(self, today: int) -> Statistics:
        return statistics_of(self.store, self.catalog, [self.file], FIRST_DAY + timedelta(days=today))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    clock = [NOON]
    store = ProgressStore.open(str(tmp_path / "progress.db"), lambda: clock[0])
    path = tmp_path / "pack.sok"
    path.write_text(PACK)
    (file,) = find_packs(str(path))
    index = LibraryIndex.open(str(tmp_path / "library.db"), lambda: NOON)
    index.learn(file, open_pack(file), stamp_of(file))
    catalog = Catalog(lambda: index, lambda: True, store)
    yield Desk(store, catalog, file, clock)
    store.close()
    catalog.close()


def test_there_is_nothing_before_the_first_level(desk: Desk) -> None:
    nothing = Statistics(0, 0, 0.0, Streak(0, 0), [], [], overs=[])
    assert desk.statistics(0) == nothing


def test_levels_and_time_are_counted_by_day_and_by_pack(desk: Desk) -> None:
    desk.play(ROOM, ROOM_SOLUTION, 30.0)
    desk.play(TWO_WAYS, FEWEST_MOVES, 12.0, day=1)
    found = desk.statistics(1)
    assert (found.solved, found.helped, found.seconds) == (2, 0, 42.0)
    assert found.days == [DayStatistics(FIRST_DAY + timedelta(days=1), 1, 12.0), DayStatistics(FIRST_DAY, 1, 30.0)]
    assert found.packs == [PackStatistics(desk.file, 2, 2, 0, 42.0, over=2)]
    elsewhere = statistics_of(desk.store, desk.catalog, [], FIRST_DAY)
    assert found.stars == elsewhere.stars == 2


def test_a_level_counts_on_the_day_it_was_first_solved(desk: Desk) -> None:
    desk.play(ROOM, ROOM_SOLUTION, 30.0)
    desk.play(ROOM, ROOM_SOLUTION, 10.0, day=3)
    assert [(each.solved, each.seconds) for each in desk.statistics(3).days] == [(0, 10.0), (1, 30.0)]


@pytest.mark.parametrize(("today", "streak"), [(1, Streak(2, 2)), (2, Streak(2, 2)), (3, Streak(0, 2))])
def test_a_streak_is_of_days_with_a_level_solved(desk: Desk, today: int, streak: Streak) -> None:
    desk.play(ROOM, ROOM_SOLUTION, 1.0)
    desk.play(TWO_WAYS, FEWEST_MOVES, 1.0, day=1)
    assert desk.statistics(today).streak == streak


def test_solutions_are_compared_with_the_best_known(desk: Desk) -> None:
    desk.play(ROOM, ROOM_SOLUTION, 1.0)
    assert desk.statistics(0).overs == []
    desk.play(TWO_WAYS, FEWEST_MOVES, 1.0)
    mine, known = (sum(map(str.isupper, lurd)) for lurd in (FEWEST_MOVES, FEWEST_PUSHES))
    assert mine > known
    found = desk.statistics(0)
    assert (found.overs, found.stars) == ([mine - known], 2)  # one star for the level without a par
    desk.play(TWO_WAYS, FEWEST_PUSHES, 1.0)
    found = desk.statistics(0)
    assert (found.overs, found.stars) == ([0], 4)
