"""A descent and the level of the day, as a player sees them."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import islice, repeat
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from sokoterm.app.background import BuildJob, LevelBuilder
from sokoterm.app.generated import DailyPack
from sokoterm.app.keymap import KEYMAPS
from sokoterm.app.request import Note
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, parse_lurd
from sokoterm.engine.steps import Steps
from sokoterm.generator.recipes import RECIPE, Recipe
from sokoterm.solver.common.dice import Dice
from sokoterm.store.packs import PackError, bundled_packs
from sokoterm.store.progress import ProgressStore
from sokoterm.store.series import Day, MadeLevel, RunScore, day_of, keep_day
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.daily import draw_day
from sokoterm.tui.screens.runs import RunsScreen
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Size
from sokoterm.tui.widgets.lettering import large
from sokoterm.tui.widgets.theme import THEMES
from sokoterm.wording.columns import WIDE_FILLER, text_width
from sokoterm.wording.lists import pack_name
from sokoterm.wording.packs import generated_words_of
from tests.present import present
from tests.unit.app.generated import DAY, TODAY, ForegroundWorkshop, Home, solution_of_day, solution_of_floor
from tests.unit.app.searches import SlowSearch
from tests.unit.store.stores import locked
from tests.unit.tui.fake_terminal import FakeTerminal, line_for, pane_lines
from tests.unit.tui.made import browse, descent, floor_keys, keys_of, play_made, today
from tests.unit.tui.planned import picture
from tests.unit.tui.test_golden import check_golden


def first_floor() -> list[str]:
    """The keys that solve the first floor of the run."""
    return ["wait", *floor_keys(7, 1)]


def test_a_floor_that_is_solved_is_told_with_the_way_down(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, [*first_floor(), "enter"])
    solution = solution_of_floor(7, 1)
    told = f"Descent 7, floor 1\n{solution.pushes} pushes (par), {solution.moves} moves, "
    assert session.screens[-2].startswith(told)
    assert "     level solved; Enter goes down to floor 2\n" in session.screens[-2]
    assert session.last.startswith("Descent 7, floor 2\npar ")


def test_the_list_of_floors_tells_of_its_next_unsolved_one(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", "b", "N"])
    assert session.shows("solve this floor to go down")
    session = play_made(tmp_path, descent, [*first_floor(), "b", "N"])
    assert session.shows("Descent 7, floor 2 not begun: Left, then Enter starts it")
    assert play_made(tmp_path, descent, ["b", "N", "left", "enter"]).last.startswith("Descent 7, floor 2\n")


def test_the_packs_show_the_next_run_after_the_end_of_one(tmp_path: Path) -> None:
    """Its preview came with the next key: the run was opened after what stands beside it had been looked for."""
    assert play_made(tmp_path, descent, ["wait", "X", "y", "b"]).shows("╮╭─ floor 1 ─")


def test_the_result_of_a_run_whose_end_is_declined_is_copied_and_shown(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, ["wait", "X", "n", *floor_keys(7, 1), "Y"])
    asked = next(number for number, screen in enumerate(session.screens) if "y ends it" in screen)
    assert session.screens[asked - 1] == session.screens[asked + 1]
    assert session.copied[0].startswith("sokoterm descend --seed 7: 1 floor, at par, no undo, ")
    assert session.shows("Result to share")


RUNS = ("home", "j", "j", "l")


@pytest.mark.parametrize(
    ("first", "keys", "words"),
    [
        (browse, ("home", "j", "j"), "floor 2, seed 7"),
        (browse, RUNS, ">          7      1   par     0"),
        (browse, (*RUNS, "j", "enter"), "Descent 7, floor 2\n"),
        (browse, (*RUNS, "4", "2", "backspace", "enter", "wait"), "Descent 4, floor 1\n"),  # any seed
        (descent, ("X",), "end the run on floor 2? y ends it"),
        (descent, ("X", "y"), "╭─ The run is over "),
        (descent, ("X", "y"), "sokoterm descend --seed 7: 1 floor, at par, no undo, "),
        (descent, ("X", "y", "l"), "Enter picks a random seed, or type one"),
        (descent, ("X", "y", "1", "enter", "wait"), "Descent 1, floor 1\n"),
        (descent, ("X", "y", "b"), "─ Packs ─"),
        (descent, ("X", "y", "esc", "esc", "b"), "─ Packs ─"),
    ],
)
def test_an_open_run_is_found_and_ended(
    tmp_path: Path, first: Callable[[Home], Reaction], keys: tuple[str, ...], words: str
) -> None:
    play_made(tmp_path, descent, [*first_floor(), "enter"])
    assert play_made(tmp_path, first, keys).shows(words)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="no time zone can be set")
@pytest.mark.parametrize("size", [(24, 80), (8, 30), (35, 120)], ids=str)
def test_the_table_of_runs_in_windows_of_many_sizes(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """Days are those of UTC."""

    class Runs:
        def table(self) -> list[RunScore]:
            own = RunScore("", 4711, 1e9, True, 7, 12, 3, 1, 0, 210, 700, 2500.0)
            runs = [own, own._replace(name="ann", seed=7, floors=2, over=0), own._replace(seed=99, is_over=False)]
            return [*runs, own._replace(seed=5, floors=1, over=-2), own._replace(seed=8, floors=0, over=0)]

    screen = RunsScreen(Runs(), KEYMAPS.browser, None)  # type: ignore[arg-type]
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Etc/GMT-12")
        time.tzset()
        drawn = "\n".join(row.text.rstrip() for row in picture(screen, Size(*size), Appearance(THEMES[0], 1)).rows)
    time.tzset()
    check_golden(f"runs-{size[0]}x{size[1]}", drawn)


def test_the_table_after_a_run_without_a_solved_floor_is_empty(tmp_path: Path) -> None:
    keys = ["wait", *floor_keys(7, 1)[:3], "X", "y"]
    session = play_made(tmp_path, descent, [*keys, "l"])
    assert "no floors solved\n" in session.screens[-2]
    assert [line.strip(" │").split() for line in session.last.splitlines()[2:4]] == [["a", "new", "descent"], []]


@pytest.mark.parametrize("size", [(24, 80), (8, 30), (6, 20), (50, 200)])
def test_the_screens_of_a_run_fit_any_window(tmp_path: Path, size: tuple[int, int]) -> None:
    keys = [*first_floor(), "enter", "X", "y", "l", "down", "end", "up", "pgdn", "esc", "b", "h", "l"]
    session = play_made(tmp_path, descent, keys, size=size)
    assert session.shows("Descents"[: size[1]])


def test_a_run_is_compared_with_the_others_of_the_player(tmp_path: Path) -> None:
    deep = ["wait", *floor_keys(7, 1), "enter", "wait", *floor_keys(7, 2), "enter"]
    for now, keys, told in (
        (TODAY, [*first_floor(), "enter"], "│ floors 1 │"),
        (TODAY + 1000, deep, "│ rank among your runs 1 of 2 │"),
        (TODAY + 2000, [*first_floor(), "enter"], "│ rank among your runs 2 of 3 │"),
    ):
        session = play_made(tmp_path, descent, [*keys, "X", "y"], now=now)
        assert session.shows(told)
        assert (large("NEW BEST!")[0] in session.last) is ("1 of" in told)


@pytest.mark.parametrize("size", [(24, 80), (35, 120), (8, 30)], ids=str)
def test_picture_of_a_run_that_is_over(tmp_path: Path, size: tuple[int, int]) -> None:
    session = play_made(tmp_path, descent, [*first_floor(), "enter", "X", "y"], size=size)
    check_golden(f"run-over-{size[1]}x{size[0]}", session.last)


class BusyWorkshop(LevelBuilder):
    """A LevelBuilder that never comes to an end."""

    is_open = True

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:  # noqa: ARG002
        return ""


@pytest.mark.parametrize(
    ("keys", "beginning"),
    [
        (["wait", "T"], "Descent 7, floor 1\n\nmaking the level ... "),
        (["esc"], " █▀▀▀ █▀▀█ "),
        (["q"], "Descent 7, floor 1\n\nmaking the level ... "),
        (["?"], "╭─ Keys: play ─"),
        (["b", "esc"], "Descent 7, floor 1\n\nmaking the level ... "),
    ],
)
def test_a_floor_that_is_being_made_is_waited_for_beside_help_and_the_list(
    tmp_path: Path, keys: list[str], beginning: str
) -> None:
    assert play_made(tmp_path, descent, keys, make_builder=BusyWorkshop).last.startswith(beginning)
    failed = play_made(tmp_path / "failed", descent, ["wait"], make_builder=FailingWorkshop)
    assert failed.shows(line_for(Note.LEVEL_NOT_MADE.of(log="details in the log")))


class SteadyWorkshop(LevelBuilder):
    """A LevelBuilder that makes some steps of the first job each time it is asked."""

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:  # noqa: ARG002
        if self._job is None:
            self._job, self.steps = jobs[0], jobs[0].steps()
        for _ in islice(self.steps, 1000):
            pass
        return ""


def test_a_bar_shows_how_far_a_level_is_that_is_being_made(tmp_path: Path) -> None:
    def made_in_tries(recipe: Recipe, known: Collection[str], dice_of: Callable[..., Dice]) -> Steps[None]:  # noqa: ARG001
        for tried in range(recipe.tries):
            dice_of(*recipe.dice, tried, 0)
            yield from repeat(None, 4000)

    with patch("tests.unit.tui.made.made_once", made_in_tries):
        session = play_made(tmp_path, today, ["wait"] * 12, make_builder=SteadyWorkshop)
    halves = [2 * screen.count("━") + screen.count("╸") for screen in session.screens]
    assert halves == sorted(halves)
    assert halves[0] < 30 < 60 < halves[-1] < 120  # of 60 columns, a quarter for each try
    assert " s\n\n━━" in session.last


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


UNREADABLE = "progress cannot be read: the database is locked by another program"


def test_no_second_run_begins_where_it_cannot_be_read_which_is_open_and_it_is_there_once_it_can_be(
    tmp_path: Path,
) -> None:
    play_made(tmp_path, descent, [*first_floor(), "enter"])
    with ExitStack() as lock:
        lock.enter_context(locked(tmp_path))
        with pytest.raises(PackError, match=UNREADABLE):
            play_made(tmp_path, descent, [], seed=8)
        session = play_made(tmp_path, browse, ["wait", *RUNS], seed=8)
        assert session.shows("─ Packs ─")
        assert f"Descent: {UNREADABLE}" in session.last

        def keys() -> Iterator[str]:
            yield from ["wait", "home", "j", "j", "enter"]
            lock.close()
            yield from ["enter", "wait"]

        screens = play_made(tmp_path, browse, keys(), seed=8).screens
    assert any(line[2:39].split() == ["!", "Descent", "cannot", "be", "read"] for line in screens[1].splitlines())
    assert f"Descent: {UNREADABLE}" in screens[-3]
    assert screens[-1].startswith("Descent 7, floor 2")
    session = play_made(tmp_path, browse, RUNS, seed=8)
    assert [line.strip(" │").split()[:2] for line in session.last.splitlines()[3:5]] == [[">", "7"], []]


def test_a_table_of_runs_that_cannot_be_read_is_not_shown_empty(tmp_path: Path) -> None:
    play_made(tmp_path, descent, [*first_floor(), "enter"])
    with pytest.MonkeyPatch.context() as patched:

        def keys() -> Iterator[str]:
            yield from ["wait", "home", "j", "j", "wait"]
            patched.setattr(ProgressStore, "rows", Mock(side_effect=PackError(UNREADABLE)))
            yield "l"

        session = play_made(tmp_path, browse, keys())
    assert session.shows("─ Packs ─")
    assert f"Descents: {UNREADABLE}" in session.last


def test_a_run_tells_on_a_small_board_how_it_is_ended_while_it_can_be(tmp_path: Path) -> None:
    play_made(tmp_path, descent, [*first_floor(), "enter"])
    assert play_made(tmp_path, descent, [], size=(8, 30)).shows("; X ends the run")
    assert not play_made(tmp_path, descent, ["wait", "X", "y", "esc"]).shows("X ends the run")


def test_floors_and_days_can_be_told_apart_where_their_names_are_cut(tmp_path: Path) -> None:
    session = play_made(tmp_path, descent, [*first_floor(), "enter", "wait", "b"], size=(8, 30))
    assert [line.split()[-2] for line in pane_lines(session)[1:3]] == ["1", "2"]
    assert [line[8:15] for line in pane_lines(session)[1:3]] == ["floor 1", "floor 2"]
    session = play_made(tmp_path, today, ["wait", "b"], now=MONDAY, size=(8, 30))
    assert pane_lines(session)[1][8:18] == "2026-11-23"


# A Monday and the Tuesday after it: small levels.
MONDAY, TUESDAY = TODAY + DAY, TODAY + 2 * DAY


def solved() -> Solution:
    """The solution of the Monday."""
    return solution_of_day(MONDAY)


def test_a_day_that_is_solved_is_told_with_its_figures_and_what_comes_next(tmp_path: Path) -> None:
    keys = ["wait", *keys_of(solved().lurd)]
    session = play_made(tmp_path, today, keys, now=MONDAY)
    assert session.last.startswith(f"Daily 2026-11-23\n{solved().pushes} pushes (par), {solved().moves} moves, ")
    assert session.shows("level solved; at par\n")
    panel = play_made(tmp_path, today, ["r", *keys[1:]], now=MONDAY, size=(30, 110))
    assert panel.shows("the next level comes at 00:00 UTC")
    listed = play_made(tmp_path, browse, ["h", "home"], now=MONDAY)
    assert listed.shows("streak 1 ━──────", "▌Daily solved, next in 12 h ")
    listed = play_made(tmp_path, browse, ["h", "home", "j", "l"], now=TUESDAY)
    assert pane_lines(listed)[1].split()[:3] == ["***", "327", "2026-11-23"]


def test_a_solved_day_has_a_card_and_a_result_for_chats(tmp_path: Path) -> None:
    keys, par = keys_of(solved().lurd), solved().pushes
    session = play_made(tmp_path, today, ["wait", "l", "u", *keys, "enter", "Y", "esc"], now=MONDAY)
    (copied,) = session.copied
    first, squares, figures, streak = copied.splitlines()
    assert (first, streak) == ("sokoterm daily 2026-11-23 ⭐⭐⭐", "streak 1")
    assert set(squares) == {"🟦"}
    assert figures.startswith(f"{par} pushes (par {par}), {solved().moves} moves, ")
    board, card, shared, after = session.screens[-4:]
    assert "Enter day" in board
    assert "plan" not in board
    for words in ("Daily 2026-11-23", "streak  ▇ 1 day, longest 1", "sokoterm daily 2026-11-23 ***", "over par  0"):
        assert words in card
    assert "next level in " in card
    assert "🟦" not in card
    assert "sent to the clipboard" in shared
    assert after.startswith("Daily 2026-11-23\n")  # the board
    opened = play_made(tmp_path, browse, ["h", "home", "j", "enter"], now=MONDAY)
    assert opened.last == card
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FakeTerminal, "copy", lambda _self, _text: "no clipboard")
        unsent = play_made(tmp_path, today, ["wait", "Y"], now=MONDAY, size=(24, 72))
    assert unsent.shows("Result to share", "no clipboard: select it here", "sokoterm daily 2026-11-23 ⭐")
    assert all(text_width(line) <= 72 for line in unsent.last.splitlines())
    assert play_made(tmp_path, today, ["p", "wait"], now=MONDAY).shows("Daily 2026-11-22")
    assert not play_made(tmp_path, today, ["wait", "enter"], now=TUESDAY).shows("over par ")  # that day is open


THERE_AND_BACK = "RurrdLulldRRR"


@contextmanager
def day_in_a_hall(folder: Path) -> Iterator[tuple[DailyPack, Level]]:
    """The Monday with a level of three pushes, solved in five."""
    hall = "#######\n#     #\n#@$  .#\n#     #\n#######"
    with closing(Home(folder, None, MONDAY)) as home:
        keep_day(home.store, Day(day_of(MONDAY), MadeLevel(RECIPE, hall, "RRR")))
        home.store.save_rows()
        pack = home.series.daily()
        level = present(pack.find_level(pack.today))
        game = Game(level)
        game.play(parse_lurd(THERE_AND_BACK))
        pack.save(level, game, 30.0, is_over=True)
        home.store.record(level, THERE_AND_BACK)
        yield pack, level


def test_pushes_that_par_does_without_are_squares_of_another_colour(tmp_path: Path) -> None:
    with day_in_a_hall(tmp_path) as (pack, level):
        assert pack.push_quality(level) == [True, True, True, False, False]
        assert pack.week(pack.today) == [2, *[None] * 6]
        assert present(generated_words_of(pack)).shared(level) == [
            "sokoterm daily 2026-11-23 ⭐",
            "🟦🟦🟦🟧🟧",
            "5 pushes (par 3), 13 moves, 0:30, no undo",
            "streak 1",
        ]
        pack.store.record(level, "RRR")
        pack.store.save_rows()
        assert DailyPack(pack.series).push_quality(level) == []  # that of the day is not kept any more


def test_a_day_that_was_solved_with_help_has_that_on_its_card(tmp_path: Path) -> None:
    """It said ``PAR``."""
    with day_in_a_hall(tmp_path) as (pack, level):
        pack.keep_effort(level.number, pack.effort_of(level.number)._replace(shown=1, pushes=3))
        canvas = Canvas(24, 80)
        draw_day(canvas, pack, level)
    drawn = "\n".join(row.text for row in canvas.frame().rows)
    assert "with help" in drawn
    assert large("PAR")[0] not in drawn


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (8, 30), (6, 20)], ids=str)
@pytest.mark.parametrize("code", ["en", "zh_CN"], indirect=True)
def test_the_card_of_a_day_in_windows_of_many_sizes(tmp_path: Path, code: str, size: tuple[int, int]) -> None:
    canvas = Canvas(*size)
    with day_in_a_hall(tmp_path) as (pack, level):
        draw_day(canvas, pack, level)
    drawn = "\n".join(row.text.rstrip() for row in canvas.frame().rows)
    check_golden(f"daily-{code}-{size[0]}x{size[1]}", drawn.replace(WIDE_FILLER, ""))


WIDE = (30, 150)


@pytest.mark.parametrize(
    ("first", "now", "keys", "size", "words"),
    [
        (today, TUESDAY, ("wait", "g", *"2026-11-23"), (24, 80), "day (YYYY-MM-DD), then Enter: 2026-11-23"),
        (today, TUESDAY, ("wait", "g", *"2026-11-23", "enter", "wait"), (24, 80), "Daily 2026-11-23\n"),
        (browse, TUESDAY, ("h", "home", "j", "enter", "wait"), (24, 80), "Daily 2026-11-24\n"),
        (browse, MONDAY, ("h", "home", "j", "l", "N"), (24, 80), "2026-11-23 not begun: Left, then Enter starts it"),
        (browse, MONDAY, ("h", "home", "j"), WIDE, "│ Daily 2026-11-23 not begun: Enter starts it "),
        (browse, MONDAY, ("h", "home", "j"), WIDE, "\nDaily 2026-11-23: one level a day, the same for"),
        (browse, MONDAY, ("h", "home", "j", "j"), WIDE, "\nfloor after floor, "),
        (browse, MONDAY, ("h", "home", "j", "j"), WIDE, " Every floor has a par."),
        (browse, MONDAY, ("h", "home", "j"), (24, 80), " Mon  Tue  Wed  Thu  Fri  Sat  Sun "),
        (browse, MONDAY, ("h", "home", "j"), (50, 150), "\nDaily 2026-11-23: one level a day, the same for"),
        (browse, TODAY, ("wait", "enter"), (24, 80), "First Steps "),  # where the list opens
        (browse, TODAY, (), (24, 80), "Right  all levels"),
        (browse, TODAY, ("j", "j"), (24, 80), "Right  all runs"),
        (browse, TODAY, ("j",), (24, 80), "Right  all days"),
    ],
)
def test_the_browser_and_a_prompt_lead_to_days(
    tmp_path: Path,
    first: Callable[[Home], Reaction],
    now: float,
    keys: tuple[str, ...],
    size: tuple[int, int],
    words: str,
) -> None:
    assert play_made(tmp_path, first, keys, now=now, size=size).shows(words)


# The first screen

SIZES = ((24, 80), (30, 100), (35, 120), (50, 200), (8, 30))


def test_the_first_screen_starts_with_the_first_pack_and_then_goes_on_where_the_player_stopped(tmp_path: Path) -> None:
    first = play_made(tmp_path, browse, ["wait"])
    assert first.shows("▌Start First Steps │", " Enter start ")
    assert play_made(tmp_path, browse, ["enter", "n", "n"]).shows("First Steps 3/32")
    assert play_made(tmp_path, browse, ["wait"] * 40).shows("▌Continue First Steps 3/32 ", " Enter continue ")
    assert play_made(tmp_path, browse, ["enter"]).shows("First Steps 3/32")
    opened = play_made(tmp_path, browse, ["right"])
    assert opened.frames[-1].cursor == (4, 2)  # level 3
    assert play_made(tmp_path, browse, ["right", "left"]).frames[-1].cursor == (8, 2)  # the pack among the others


def test_the_cursor_passes_over_the_line_above_the_packs(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["down", "down", "down", "up", "down", Pointer(7, 5, "left", True)])
    assert [frame.cursor[0] for frame in session.frames] == [4, 5, 6, 8, 6, 8, 8]
    assert play_made(tmp_path, browse, ["end"], size=(18, 80)).shows("2-14 of 14")  # nor does it count
    wheel = [Pointer(5, 5, "wheel down", True)]
    assert play_made(tmp_path, browse, wheel, size=(8, 30)).frames[-1].cursor == (2, 2)  # the first pack, not that line


@pytest.mark.parametrize("columns", [60, 71, 72, 80, 99, 100, 119, 120, 130, 160, 200])
def test_the_names_of_packs_are_whole_from_60_columns_on(tmp_path: Path, columns: int) -> None:
    lines = pane_lines(play_made(tmp_path, browse, [], size=(24, columns)))
    assert [line[2:21].strip() for line in lines[4:15]] == [pack_name(file, None) for file in bundled_packs()]


@pytest.mark.parametrize("code", ["en", "de"], indirect=True)
def test_the_picture_of_the_first_screen(tmp_path: Path, code: str) -> None:
    play_made(tmp_path, today, ["wait", *keys_of(solved().lurd)], now=MONDAY)
    play_made(tmp_path, browse, ["enter", "l", "enter", *["wait"] * 60], now=MONDAY)
    sizes = (f"size {rows} {columns}" for rows, columns in SIZES)
    session = play_made(tmp_path, browse, [*["wait"] * 60, *sizes], now=MONDAY)
    for (rows, columns), drawn in zip(SIZES, session.screens[-len(SIZES) :], strict=True):
        check_golden(f"first-{code}-{columns}x{rows}", drawn)
