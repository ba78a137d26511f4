"""A descent, as a player sees it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest

from sokoterm.app.background import BuildJob, LevelBuilder
from sokoterm.app.keymap import KEYMAPS
from sokoterm.app.request import Note
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import RunScore
from sokoterm.tui.screens.runs import RunsScreen
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.app.generated import ForegroundWorkshop, solution_of_floor
from tests.unit.app.searches import SlowSearch
from tests.unit.store.stores import locked
from tests.unit.tui.fake_terminal import line_for
from tests.unit.tui.made import browse, descent, floor_keys, play_made, today
from tests.unit.tui.planned import picture


def test_a_floor_that_is_solved_is_told_with_the_way_down(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    solution = solution_of_floor(7, 1)
    told = f"Descent 7, floor 1\n{solution.pushes} pushes (par), {solution.moves} moves, "
    assert session.screens[-2].startswith(told)
    assert "     level solved; Enter goes down to floor 2\n" in session.screens[-2]
    assert session.last.startswith("Descent 7, floor 2\npar ")


def test_the_list_of_floors_tells_of_its_next_unsolved_one(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", "b", "N"])
    assert session.shows("solve this floor to go down")
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "b", "N"])
    assert session.shows("Descent 7, floor 2 not begun: Left, then Enter starts it")
    assert play_made(tmp_path, descent, ["b", "N", "left", "enter"]).last.startswith("Descent 7, floor 2\n")


def test_the_list_of_packs_tells_what_stands_to_the_right(tmp_path: Path) -> None:
    assert play_made(tmp_path, browse, []).shows("Right all levels")
    assert play_made(tmp_path, browse, ["k"]).shows("Right all runs")
    assert play_made(tmp_path, browse, ["k", "k"]).shows("Right all days")


def test_a_run_is_ended_by_two_keys(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter", "X"])
    assert session.shows("end the run on floor 2? y ends it")
    board = session.screens[-2]
    assert play_made(tmp_path, descent, ["X", "n"]).last == board
    session = play_made(tmp_path, descent, ["X", "y"])
    assert session.last.startswith("The run is over: sokoterm descend --seed 7: 1 floor, on par, no undo, ")
    assert session.shows("Enter picks a seed; or type one")


@pytest.mark.parametrize("keys", [["b"], ["esc", "esc", "b"]])
def test_after_the_end_of_a_run_b_leads_to_the_packs(tmp_path: Path, keys: list[str]) -> None:
    session = play_made(tmp_path, descent, ["wait", "X", "y", *keys])
    assert session.last.startswith("sokoterm: packs\n")


def test_the_result_is_copied_and_shown(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "Y"])
    (copied,) = session.copied
    assert copied.startswith("sokoterm descend --seed 7: 1 floor, on par, no undo, ")
    assert session.shows("Result to share")
    assert play_made(tmp_path, descent, ["enter", "l", "Y"]).copied in (["r"], ["R"], [])


def test_the_browser_leads_to_runs_and_to_any_seed(tmp_path: Path) -> None:
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    session = play_made(tmp_path, browse, ["home", "j"])
    assert session.shows("Descent" + " " * 10)
    assert session.shows("floor 2")
    session = play_made(tmp_path, browse, ["home", "j", "l"])
    assert session.last.startswith("Descents\n")
    assert session.shows(">          7      1   par     0")
    assert play_made(tmp_path, browse, ["home", "j", "l", "j", "enter"]).last.startswith("Descent 7, floor 2\n")
    session = play_made(tmp_path, browse, ["home", "j", "l", "4", "2", "backspace", "enter", "wait"])
    assert session.last.startswith("Descent 4, floor 1\n")


def table_of(*runs: RunScore) -> list[list[str]]:
    """The words of each row of a table of runs."""

    class Runs:
        def table(self) -> list[RunScore]:
            return [*runs]

    screen = RunsScreen(Runs(), KEYMAPS.browser, None, "Descents")  # type: ignore[arg-type]
    rows = picture(screen, Size(24, 80), Appearance(THEMES[0], 1)).rows
    return [row.text.split() for row in rows[3 : 3 + len(runs)]]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="no time zone can be set")
def test_the_table_shows_runs_below_par_and_their_day_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Etc/GMT-12")
        time.tzset()
        (row,) = table_of(RunScore("", 7, 1_000_000_000.0, False, 1, -2, 0, 0, 0, 1, 1, 30.0))
    time.tzset()
    assert row[:4] == [">", "7", "1", "-2"]
    assert "2001-09-09" in row


def test_the_table_shows_whose_runs_they_are_and_no_par_without_a_solved_floor() -> None:
    rows = table_of(
        RunScore("ann", 7, 0.0, True, 2, 0, 0, 0, 0, 1, 1, 30.0), RunScore("", 8, 0.0, False, 0, 0, 0, 0, 0, 0, 0, 0.0)
    )
    assert [row[:3] for row in rows] == [["7", "2", "par"], [">", "8", "0"]]
    assert (rows[1][3], [row[-1] for row in rows]) == ("-", ["ann", "you"])


def test_the_table_after_a_run_without_a_solved_floor_is_empty(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1)[:3], "X", "y"])
    assert session.last.startswith("The run is over: no floor was solved\n")
    assert [line.split() for line in session.last.splitlines()[2:4]] == [["a", "new", "descent"], []]


@pytest.mark.parametrize("size", [(24, 80), (8, 30), (6, 20), (50, 200)])
def test_the_screens_of_a_run_fit_any_window(tmp_path: Path, size: tuple[int, int]) -> None:
    keys = ["wait", *floor_keys(7, 1), "enter", "X", "y", "down", "end", "up", "pgdn", "esc", "b", "h", "l"]
    session = play_made(tmp_path, descent, keys, size=size)
    assert session.shows("Descents"[: size[1]])


class BusyWorkshop(LevelBuilder):
    """A LevelBuilder that never comes to an end."""

    is_open = True

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:  # noqa: ARG002
        return ""


def test_a_floor_that_is_being_made_is_waited_for(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", "T"], make_builder=BusyWorkshop)
    assert session.last.startswith("Descent 7, floor 1\n\nmaking the level ... ")
    assert session.shows("Esc list")
    session = play_made(tmp_path, descent, ["esc"], make_builder=BusyWorkshop)
    assert session.last.startswith("sokoterm: packs")
    assert play_made(tmp_path, descent, ["q"], make_builder=BusyWorkshop).shows("making the level")


def test_while_a_floor_is_made_there_is_help_and_the_list(tmp_path: Path) -> None:
    assert play_made(tmp_path, descent, ["?"], make_builder=BusyWorkshop).last.startswith("Keys: play.")
    session = play_made(tmp_path, descent, ["b", "esc"], make_builder=BusyWorkshop)
    assert session.shows("making the level")


def test_the_solver_goes_before_what_is_made(tmp_path: Path) -> None:
    said: list[bool] = []

    class Watched(ForegroundWorkshop):
        def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
            said.append(gives_way)
            return super().follow(jobs, gives_way=gives_way)

    play_made(tmp_path, descent, ["wait", "S"], make_builder=Watched, make_solver=SlowSearch)
    assert said[0] is False
    assert said[-1] is True


class FailingWorkshop(BusyWorkshop):
    """A LevelBuilder in which something breaks."""

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:  # noqa: ARG002
        was_open, self.is_open = self.is_open, False
        return "a traceback" if was_open and jobs else ""


def test_a_floor_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait"], make_builder=FailingWorkshop)
    assert session.shows(line_for(Note.LEVEL_NOT_MADE.of(log="details in the log")))


UNREADABLE = "progress cannot be read: the database is locked by another program"


def test_no_second_run_begins_where_it_cannot_be_read_which_is_open(tmp_path: Path) -> None:
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    with locked(tmp_path):
        for key in ("enter", "l"):
            session = play_made(tmp_path, browse, ["wait", "home", "j", key], seed=8)
            assert session.last.startswith("sokoterm: packs")
            assert f"Descent: {UNREADABLE}" in session.last
        with pytest.raises(PackError, match=UNREADABLE):
            play_made(tmp_path, descent, [], seed=8)
    session = play_made(tmp_path, browse, ["home", "j", "l"], seed=8)
    assert [line.split()[:2] for line in session.last.splitlines()[3:5]] == [[">", "7"], []]


def test_what_could_not_be_read_is_there_once_the_player_asks_again(tmp_path: Path) -> None:
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    screens = []
    with ExitStack() as lock:
        lock.enter_context(locked(tmp_path))

        def keys() -> Iterator[str]:
            yield from ["wait", "home", "j"]
            lock.close()
            yield from ["enter", "wait"]

        screens = play_made(tmp_path, browse, keys(), seed=8).screens
    assert any(line.split() == ["!", "Descent", "cannot", "be", "read"] for line in screens[1].splitlines())
    assert screens[-1].startswith("Descent 7, floor 2")


def test_a_table_of_runs_that_cannot_be_read_is_not_shown_empty(tmp_path: Path) -> None:
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    with ExitStack() as locks:

        def keys() -> Iterator[str]:
            yield from ["wait", "home", "j", "wait"]
            locks.enter_context(patch.object(ProgressStore, "rows", side_effect=PackError(UNREADABLE)))
            yield "l"

        session = play_made(tmp_path, browse, keys())
    assert session.last.startswith("sokoterm: packs")
    assert f"Descents: {UNREADABLE}" in session.last


def test_a_run_tells_on_a_small_board_how_it_is_ended_while_it_can_be(tmp_path: Path) -> None:
    play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter"])
    assert play_made(tmp_path, descent, [], size=(8, 30)).shows("; X ends the run")
    assert not play_made(tmp_path, descent, ["wait", "X", "y", "esc"]).shows("X ends the run")


def test_floors_and_days_can_be_told_apart_where_their_names_are_cut(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", *floor_keys(7, 1), "enter", "wait", "b"], size=(8, 30))
    assert [line.split()[-3] for line in session.last.splitlines()[2:4]] == ["1", "2"]
    assert [line[7:14] for line in session.last.splitlines()[2:4]] == ["floor 1", "floor 2"]
    session = play_made(tmp_path, today, ["wait", "b"], size=(8, 30))
    assert session.last.splitlines()[2][7:17] == "2026-11-22"
