"""The level of the day, as a player sees it."""

from pathlib import Path

from tests.unit.app.generated import DAY, TODAY, solution_of_day
from tests.unit.tui.made import browse, keys_of, play_made, today

# A Monday and the Tuesday after it: small levels.
MONDAY = TODAY + DAY
TUESDAY = MONDAY + DAY


def moves() -> str:
    """The solution of the Monday."""
    return solution_of_day(MONDAY).lurd


def par() -> int:
    return solution_of_day(MONDAY).pushes


def test_a_day_that_is_solved_is_told_with_its_figures(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", *keys_of(moves())], now=MONDAY)
    assert session.last.startswith(f"Daily 2026-11-23\n{par()} pushes (par), {len(moves())} moves, ")
    assert session.shows("level solved; on par\n")


def test_the_result_goes_to_the_clipboard_and_is_shown_on_lines_that_fit(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "l", "u", *keys_of(moves()), "Y"], now=MONDAY, size=(24, 72))
    (copied,) = session.copied
    assert copied.startswith(f"sokoterm daily 2026-11-23: {par()} pushes (par {par()}), {len(moves())} moves, ")
    first, second = session.last.splitlines()[2:4]
    assert (f"{first} {second}", len(first) <= 72) == (copied, True)  # cut between words
    assert "Y share" in session.screens[-2]
    assert "plan" not in session.screens[-2]
    assert "Y share" not in session.screens[1]


def test_a_date_is_typed_where_a_day_is_asked_for(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", "g", *"2026-11-23"], now=TUESDAY)
    assert session.shows("day (YYYY-MM-DD), then Enter: 2026-11-23")
    session = play_made(tmp_path, today, ["wait", "g", *"2026-11-23", "enter", "wait"], now=TUESDAY)
    assert session.last.startswith("Daily 2026-11-23\n")


def test_the_browser_has_it_first_and_leads_to_days_before(tmp_path: Path) -> None:
    play_made(tmp_path, today, ["wait", *keys_of(moves())], now=MONDAY)
    session = play_made(tmp_path, browse, ["h", "home"], now=MONDAY)
    assert session.last.splitlines()[2].split()[:4] == ["Daily", "solved,", "streak", "1"]
    session = play_made(tmp_path, browse, ["h", "home", "l"], now=TUESDAY)
    assert session.last.splitlines()[2].split()[:3] == ["*", "327", "2026-11-23"]
    assert play_made(tmp_path, browse, ["h", "home", "enter", "wait"], now=TUESDAY).last.startswith("Daily 2026-11-24")


def test_the_list_of_days_leads_to_the_day_that_is_not_begun(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["h", "home", "l", "N"], now=MONDAY)
    assert session.shows("Daily 2026-11-23 not begun: Left, then Enter starts it")


def test_a_wide_list_tells_what_a_series_is_that_was_not_begun(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["h", "home"], now=MONDAY, size=(30, 150))
    assert session.shows("| Daily 2026-11-23 not begun: Enter starts it ")
    assert session.shows("| Daily 2026-11-23: one level a day, the same for")
    assert play_made(tmp_path, browse, ["h", "home", "j"], now=MONDAY, size=(30, 150)).shows("| floor after floor, ")


def test_the_panel_cuts_no_word_of_what_comes_next(tmp_path: Path) -> None:
    session = play_made(tmp_path, today, ["wait", *keys_of(moves())], now=MONDAY, size=(30, 110))
    assert session.shows("|  the next level comes at 00:00\n")
    assert session.shows("|  UTC\n")


def test_who_browses_first_stands_on_the_packs(tmp_path: Path) -> None:
    session = play_made(tmp_path, browse, ["wait", "enter"])
    assert session.last.startswith("First Steps ")
