"""The level of the day, as a player sees it."""

from pathlib import Path
from unittest.mock import patch

from sokoterm.engine.slices import finish
from tests.unit.app.generated import DAY, TODAY, Home, made_once, solution_of_day
from tests.unit.tui.made import browse, keys_of, play_made, today

# A Monday and the Tuesday after it: small levels.
MONDAY = TODAY + DAY
TUESDAY = MONDAY + DAY


MOVES = solution_of_day(MONDAY).lurd
PAR = sum(map(str.isupper, MOVES))


def test_the_level_of_the_day_is_solved_against_par(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait"], now=MONDAY)
    assert session.last.startswith(f"Daily 2026-11-23\npar {PAR} pushes; 3 boxes")
    session = play_made(tmp_path, today, keys_of(MOVES), now=MONDAY)
    assert session.shows("level solved; on par")
    assert session.shows(f"{PAR} pushes (par), {len(MOVES)} moves, ")
    assert session.shows("no undo; streak 1, longest 1")


def test_the_result_is_one_line_without_moves(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "l", "u", *keys_of(MOVES), "Y"], now=MONDAY, size=(24, 72))
    (copied,) = session.copied
    assert copied.startswith(f"sokoterm daily 2026-11-23: {PAR} pushes (par {PAR}), {len(MOVES)} moves, ")
    assert copied.endswith(", streak 1")
    first, second = session.last.splitlines()[2:4]
    assert (f"{first} {second}", len(first) <= 72) == (copied, True)  # cut between words
    assert "Y share" in session.screens[-2]
    assert "Y share" not in session.screens[1]
    # Another day it is still there, for who has not moved.
    assert play_made(tmp_path, today, ["p", "r", "Y"], now=TUESDAY).copied[0].startswith("sokoterm daily 2026-11-23")


def test_before_it_is_solved_the_moves_are_copied(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", *keys_of(MOVES)[:1], "Y"], now=MONDAY)
    assert [copied.lower() for copied in session.copied] == [MOVES[0].lower()]


def test_a_streak_goes_on_from_day_to_day(tmp_path: Path) -> None:
    play_made(tmp_path, today, ["wait", *keys_of(MOVES)], now=MONDAY)
    session = play_made(tmp_path, today, ["wait", *keys_of(solution_of_day(TUESDAY).lurd)], now=TUESDAY)
    assert session.shows("streak 2, longest 2")
    session = play_made(tmp_path, browse, ["h", "home"], now=TUESDAY + 2 * DAY)
    assert session.shows("Daily 2026-11-26: one level a day for everybody; streak 0, longest 2")


def test_a_day_that_is_solved_later_is_no_part_of_a_streak(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "p", "wait", *keys_of(MOVES)], now=TUESDAY)
    assert session.last.startswith("Daily 2026-11-23\n")
    assert session.shows("streak 0, longest 0")
    assert session.shows("Enter next")  # that is today's, which is still open


def test_a_day_that_is_there_when_it_is_made_is_taken_up(tmp_path: Path) -> None:
    home = Home(tmp_path, now=MONDAY)
    pack_session = home.series.daily()  # knows of no day yet
    play_made(tmp_path, today, ["wait", "l", "u", "l", "u"], now=MONDAY)
    number = pack_session.start_number() or 0
    with patch("sokoterm.generator.make.made_by", made_once):
        (order,) = pack_session.jobs(number)
        finish(order.steps())()
    level = pack_session.find_level(number)
    assert level is not None
    pack_session.note_aid(level, "undo", "")
    home.close()
    assert play_made(tmp_path, today, keys_of(MOVES), now=MONDAY).shows("3 undos")


def test_there_is_no_day_after_today(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "n"], now=MONDAY)
    assert session.shows("the next level comes with the next day (UTC)")
    session = play_made(tmp_path, today, ["g", "9", "9", "9", "enter"], now=MONDAY)
    assert session.shows("no such day: levels go from 2026-01-01 to 2026-11-23")


def test_a_date_leads_to_a_day_before(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "g", *"2026-11-23"], now=TUESDAY)
    assert session.shows("day (YYYY-MM-DD), then Enter: 2026-11-23")
    session = play_made(tmp_path, today, ["wait", "g", *"2026-11-23", "enter", "wait"], now=TUESDAY)
    assert session.last.startswith("Daily 2026-11-23\n")
    for wrong in ("2026-13-01", "2025-12-31", "2026-11-25", "-"):
        session = play_made(tmp_path, today, ["wait", "g", *wrong, "enter"], now=TUESDAY)
        assert session.shows("no such day: levels go from 2026-01-01 to 2026-11-24")


def test_behind_the_level_of_today_there_is_no_unsolved_one(tmp_path: Path) -> None:
    comes = "the next level comes with the next day (UTC)"
    assert play_made(tmp_path, today, ["wait", "N"], now=MONDAY).shows(comes)
    session = play_made(tmp_path, today, ["wait", *keys_of(MOVES), "enter"], now=MONDAY)
    assert session.shows(f"today's level is solved: {comes}")


def test_what_was_made_is_there_at_once_the_next_time(tmp_path: Path) -> None:
    play_made(tmp_path, today, ["wait"], now=MONDAY)
    session = play_made(tmp_path, today, [], now=MONDAY)
    assert all("making" not in screen for screen in session.screens)


def test_the_browser_has_it_first_and_leads_to_days_before(tmp_path: Path) -> None:
    play_made(tmp_path, today, ["wait", *keys_of(MOVES)], now=MONDAY)
    session = play_made(tmp_path, browse, ["h", "home"], now=MONDAY)
    assert session.last.splitlines()[2].split()[:4] == ["Daily", "solved,", "streak", "1"]
    session = play_made(tmp_path, browse, ["h", "home", "l"], now=TUESDAY)
    assert session.last.splitlines()[2].split()[:3] == ["*", "327", "2026-11-23"]
    assert play_made(tmp_path, browse, ["h", "home", "enter", "wait"], now=TUESDAY).last.startswith("Daily 2026-11-24")


def test_the_list_of_days_leads_to_the_day_that_is_not_begun(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["h", "home", "l", "N"], now=MONDAY)
    assert session.shows("nothing here")
    assert session.shows("Daily 2026-11-23 is not begun: Left, then Enter plays it")


def test_who_browses_first_stands_on_the_packs(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["wait", "enter"])
    assert session.last.startswith("First Steps ")
