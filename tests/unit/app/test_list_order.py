"""Lists sorted easiest first: what is rated, when, and what is stored."""

import itertools
import subprocess
import sys
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

import pytest

from sokoterm.app import lists as order
from sokoterm.app.catalog import Catalog, Grading
from sokoterm.engine.level import Level
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.solver.search import Progress
from sokoterm.store.known_levels import Grade, estimate, grade_of, sample_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import bundled_packs, open_pack, stamp_of
from tests.unit.commands.command import SEED, STUCK
from tests.unit.store.conftest import connections as connections
from tests.unit.store.stores import open_store
from tests.unit.tui.fake_terminal import Session, pane_lines
from tests.unit.tui.test_browser import PUSH, ROOM, Home

WAITS = ["wait"] * 12


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All there is to be found out is found out while no key comes once."""
    monkeypatch.setattr(order, "perf_counter", lambda: 0.0)


def rows(session: Session) -> list[list[str]]:
    """The words of each line of the list in the last picture, bars and heads aside."""
    lines = [[word for word in line.split() if not set(word) <= set("━╸─")] for line in pane_lines(session)]
    return [words for words in lines if words and words[0] != "#"]


def test_levels_stand_from_the_easiest_on_once_it_is_known(home: Home) -> None:
    home.pack("a", SEED, ROOM, STUCK, PUSH)
    before = home.play(["l", "o"])
    assert before.shows("hard")
    # Until they are graded they stand by estimates, from boxes and floor alone.
    assert [row[0] for row in rows(before)] == ["4", "3", "2", "1"]
    assert [row[1] for row in rows(before)] == ["~0", "~12", "~26", "~58"]
    session = home.play(["l", "o", "wait"])
    assert session.shows("rated 0 of 4 levels")
    assert session.shows("1 in 3 gives up (estimate)")
    session = home.play(["l", "o", *WAITS])
    assert "rated" not in session.last
    assert session.shows("1 in 2 gives up (solved within 427")
    assert [row[0] for row in rows(session)] == ["4", "2", "1", "3"]
    assert [row[1] for row in rows(session)][::3] == ["5", "-"]


def test_what_was_found_out_is_known_in_the_next_session(home: Home) -> None:
    home.pack("a", SEED, ROOM, PUSH)
    first = home.play(["l", "o", *WAITS])
    again = home.play(["wait", "wait", "wait", "wait", "l", "o"])
    assert [row[:3] for row in rows(again)] == [row[:3] for row in rows(first)]
    # And in a pack that has the level too, turned.
    home.pack("b", *("\n".join(line[::-1] for line in text.split("\n")) for text in (SEED, PUSH)))
    other = home.play(["down", *WAITS, "l", "o"])
    assert [row[0] for row in rows(other)] == ["2", "1"]


def test_the_cursor_stays_on_its_level_and_the_key_goes_back_and_forth(home: Home) -> None:
    home.pack("a", SEED, ROOM, PUSH)
    session = home.play(["l", "o", *WAITS])
    assert session.frames[-1].cursor[0] == 2 + 2  # level 1 was chosen, and is the hardest
    assert [row[0] for row in rows(home.play(["l", "o", *WAITS, "O"]))] == ["1", "2", "3"]


def test_packs_stand_from_the_easiest_on(home: Home) -> None:
    home.pack("a", SEED, SEED)
    home.pack("b", PUSH, SEED)
    home.pack("c", ROOM)
    session = home.play(["o", *WAITS, *WAITS])
    assert [row[0] for row in rows(session)] == ["b", "c", "a"]
    assert [row[2] for row in rows(session)] == ["0/2", "0/1", "0/2"]
    assert rows(session)[0][1] == "5"


def test_a_pack_is_entered_and_left_by_its_line(home: Home) -> None:
    home.pack("a", SEED)
    home.pack("b", PUSH)
    inside = home.play(["o", *WAITS, *WAITS, "home", "l"])
    assert inside.last.startswith("╭─ b, easiest first ─")
    assert home.play(["o", *WAITS, "home", "l", "h"]).frames[-1].cursor[0] == 4


def test_the_next_unsolved_is_the_next_one_down(home: Home) -> None:
    home.pack("a", SEED, ROOM, PUSH)
    chosen = home.play(["l", "o", *WAITS, "home", "n"])
    assert chosen.frames[-1].cursor[0] == 3


def test_a_key_breaks_off_what_goes_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "perf_counter", partial(next, itertools.count()))
    home.pack("a", SEED)
    level = Level.from_xsb(SEED)
    steps = sum(1 for _ in Rating(level).search(1.0, lambda: 0.0))
    waits = ["wait"] * (steps * 2 // 3)  # too few for the level, and twice as many are enough
    session = home.play(["l", "o", *waits, "down", *waits, "up"])
    assert rows(session)[0][1] == "~58"
    session = home.play(["l", "o", *waits, *waits, "esc"])
    assert not rows(session)[0][1].startswith("~")


def test_levels_on_small_boards_are_graded_first(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "perf_counter", partial(next, itertools.count()))
    home.pack("a", SEED, PUSH)
    session = home.play(["l", "o", *["wait"] * 30])
    assert rows(session) == [["2", "5"], ["1", "~58"]]
    assert session.shows("rated 1 of 2 levels")
    index = LibraryIndex.open(str(home.folder / "library.db"), lambda: 0.0)
    for file in (packs := [home.pack("b", SEED), home.pack("c", PUSH)]):
        index.learn(file, open_pack(file), stamp_of(file))
    graded = Grading(index, open_pack, lambda _: True)
    for _ in graded.grade_packs(packs):
        if graded.progress([file.key for file in packs]) == (1, 2, 2):
            break
    assert {key[-5]: grade.shown for key, grade in graded.packs([file.key for file in packs]).items()} == {
        "b": "~58",
        "c": "5",
    }


def test_a_large_board_keeps_its_estimate(home: Home) -> None:
    large = "\n".join(["#" * 40, f"#@$.{' ' * 35}#", *[f"#{' ' * 38}#"] * 12, "#" * 40])
    home.pack("a", large, SEED, PUSH)
    assert home.play(["l", "o", "wait"]).shows("rated 0 of 2 levels")
    session = home.play(["l", "o", *WAITS])
    assert "rated" not in session.last
    assert [row[0] for row in rows(session)] == ["3", "1", "2"]
    assert rows(session)[1][1] == "~47"
    # A pack that is judged by such levels rests on an estimate too.
    home.pack("b", large, large, SEED)
    home.pack("c", PUSH)
    packs = rows(home.play(["o", *WAITS, *WAITS]))
    assert [row[:2] for row in packs] == [["c", "5"], ["a", "~47"], ["b", "~47"]]


def test_a_level_of_many_packs_is_graded_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    rate = Rating.search

    def search(rating: Rating, seconds: float, clock: Callable[[], float]) -> Generator[Progress, None, None]:
        searched.append(rating)
        return rate(rating, seconds, clock)

    monkeypatch.setattr(Rating, "search", search)
    for name in "abc":
        home.pack(name, SEED, "\n".join(line[::-1] for line in SEED.split("\n")))
    packs = rows(home.play(["o", *WAITS, *WAITS]))
    assert len(searched) == 1
    assert len({row[1] for row in packs}) == 1
    home.play(["o", *WAITS, "l", *WAITS])
    assert len(searched) == 1


def test_all_packs_stand_by_estimates_once_they_are_indexed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are not on the screen as well; the chosen one stays on its line while rows move."""
    monkeypatch.setattr(Grading, "grade_packs", lambda *_: iter(()))
    for number in range(30):
        home.pack(f"n{number}", *([PUSH, SEED] if number % 2 else [SEED]))
    session = home.play(["o", *["down"] * 5, *["wait"] * 200])
    assert [row[1] for row in rows(session)] == ["~0"] * 15 + ["~58"] * (len(rows(session)) - 15)


def test_estimates_tell_the_easy_packs_from_the_hard_ones() -> None:
    names = ("one-evening", "one-long-night", "one-rainy-day", "one-weekend")
    packs = {file.name: open_pack(file) for file in bundled_packs()}
    medians = []
    for name in names:
        numbers = [estimate(level.boxes, level.board.floor.bit_count()) for level in packs[name].levels]
        medians.append(sorted(numbers)[len(numbers) // 2])
    assert medians == sorted(medians)


def test_nothing_is_found_out_while_the_solver_is_at_work(tmp_path: Path) -> None:
    catalog = Catalog(
        lambda: LibraryIndex.open(str(tmp_path / "library.db"), lambda: 0.0), lambda: False, open_store(tmp_path)
    )
    catalog.open()
    busy = {True}
    lists = order.Lists([], lambda file: pytest.fail(file.name), catalog, is_busy=lambda: True in busy)
    lists.set(order.LevelSort.DIFFICULTY)
    assert lists.wake_after(None) is None
    busy.clear()
    assert lists.wake_after(None) is not None


def test_a_list_that_nobody_orders_loads_no_solver(home: Home) -> None:
    home.pack("a", PUSH)
    lines = ("import sys", "import sokoterm.tui.screens.browser", "import sokoterm.app.catalog")
    script = "\n".join([*lines, "print(*sys.modules)"])
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"sokoterm.solver.difficulty", "statistics"} & set(result.stdout.split())


def test_a_pack_is_judged_by_the_middle_of_a_few_levels() -> None:
    assert sample_of([3]) == [3]
    assert sample_of(range(1, 156)) == [9, 26, 44, 61, 78, 95, 112, 130, 147]
    assert grade_of([Grade(9, "9"), Grade(1, "1"), Grade(5, "5+")]) == Grade(5, "5+")
    assert grade_of([Grade(9, "9"), Grade(1, "~1"), Grade(5, "5+")]) == Grade(5, "~5")


def test_grades_of_other_figures_are_not_taken(home: Home) -> None:
    file = home.pack("a", PUSH, ROOM)
    home.learn(file)
    index = LibraryIndex.open(str(home.folder / "library.db"), lambda: 0.0)
    (level_hash, *_) = index.hashes([file.key])[file.key].values()
    index.keep_grades({level_hash: Grade(7, "7+")}, FIGURES_VERSION)
    assert index.grades(file.key, FIGURES_VERSION) == {1: Grade(7, "7+")}
    assert index.grades(file.key, FIGURES_VERSION + 1) == {}
