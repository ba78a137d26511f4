"""Levels that the program makes, played by lines."""

from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

from sokoterm.app.request import Ask
from sokoterm.linemode.lines import Event
from sokoterm.linemode.session import LineSession
from sokoterm.store.languages import find_catalog
from sokoterm.store.packs import bundled_packs
from tests.present import present
from tests.unit.app.generated import TODAY, ForegroundWorkshop, Home, made_once, solution_of_day, solution_of_floor
from tests.unit.linemode.fake_lines import FakeLines, Told
from tests.unit.store.stores import locked


def solving(floor: int) -> str:
    """The command that solves a floor."""
    return f"moves {solution_of_floor(7, floor).lurd}"


def play(folder: Path, commands: Iterable[str | Event], now: float = TODAY) -> Told:
    """One session with the packs that ship, and what the program makes."""
    home = Home(folder, now=now)
    given = {"make_builder": ForegroundWorkshop, "clock": lambda: 0.0, "series": home.series}
    services = home.services(bundled_packs(), **given)
    said: list[str] = []
    try:
        with patch("sokoterm.generator.make.made_by", made_once):
            LineSession(services, [Ask.BROWSE], [], FakeLines(commands, ()), said.append).run()
    finally:
        home.close()
    return Told(said)


def test_a_run_is_played_and_taken_up(tmp_path: Path) -> None:
    told = play(tmp_path, ["descend", solving(1), "", solving(2)])
    assert "making Descent 7, floor 1" in told.lines
    assert "Descent 7, floor 2" in told.lines
    assert told.last.endswith("; Enter goes down to floor 3")
    told = play(tmp_path, ["descend", "runs"])
    assert "Descent 7, floor 3" in told.lines
    assert told.last.startswith("seed 7: 2 floors, ")


def test_after_a_day_the_player_goes_on_with_the_pack_played_last(tmp_path: Path) -> None:
    number = next(n for n, file in enumerate(bundled_packs(), start=1) if file.name == "one-weekend")
    play(tmp_path, [f"pack {number} 3", "r"])
    assert play(tmp_path, ["daily", "continue"]).says("One Weekend, level 3 of 40")
    assert play(tmp_path, ["daily", "continue"]).says("One Weekend, level 3 of 40")


def test_a_run_is_ended_when_that_is_said_twice(tmp_path: Path) -> None:
    told = play(tmp_path, ["descend", solving(1), "end run", "X", "end run yes", "end run", "n"])
    assert told.lines[-5:-3] == ["this cannot be undone: to end the run, type end run yes"] * 2
    assert told.lines[-3] == "the run is over: sokoterm descend --seed 7: 1 floor, at par, no undo, 0:00"
    assert told.lines[-2:] == ["there is no run to end: this is not a descent", "the run is over"]
    told = play(tmp_path, ["descend", "end run yes", "b"])
    assert told.lines[-1].startswith("type continue to play ")


def test_the_result_is_one_line(tmp_path: Path) -> None:
    told = play(tmp_path, ["descend", "result", solving(1), "result"])
    assert "no result: only a solved daily or a descent has one" in told.lines
    assert told.last.startswith("sokoterm descend --seed 7: ")


def test_the_level_of_a_day_is_played(tmp_path: Path) -> None:
    told = play(tmp_path, ["daily", f"moves {solution_of_day(TODAY).lurd}", "result", "packs"])
    assert "Daily 2026-11-22" in told.lines
    assert told.says("; at par")
    assert told.says("sokoterm daily 2026-11-22: ")
    assert told.says("daily: Daily 2026-11-22: ")


def test_the_title_of_a_day_is_said_once_in_another_language(tmp_path: Path) -> None:
    present(find_catalog(["de"])).speak()
    assert "Tageslevel 2026-11-22" in play(tmp_path, ["daily"]).lines


def test_what_is_no_day_and_no_seed_is_told(tmp_path: Path) -> None:
    told = play(tmp_path, ["daily 2026-11-23", "daily yesterday", "descend x", "descend 1234567890"])
    expected = "expected a day up to today (UTC): daily 2026-11-22"
    assert told.lines[-4:] == [
        f"found 2026-11-23, {expected}",
        f"found yesterday, {expected}",
        "found x, expected a seed, a whole number: descend 4711",
        "found 1234567890, expected a seed, a whole number: descend 4711",
    ]


def test_a_session_with_packs_of_its_own_has_none_of_it(tmp_path: Path) -> None:
    from tests.unit.linemode.fake_lines import play as play_packs

    told = play_packs(tmp_path, "#####\n#@$.#\n#####\n", ["daily", "descend", "runs"])
    assert told.lines[-3:-1] == ["not in this session: start sokoterm --plain without a pack"] * 2


def test_a_run_without_a_solved_floor_is_on_no_par_and_once_over_no_run(tmp_path: Path) -> None:
    told = play(tmp_path, ["descend", "runs", "X", "end run yes", "runs"])
    assert "seed 7: 0 floors, no undo, 0:00, yours, open" in told.lines
    assert told.last == "no runs yet: descend begins one"


def test_what_cannot_be_read_is_said_and_packs_are_played(tmp_path: Path) -> None:
    play(tmp_path, ["descend", solving(1)])
    with locked(tmp_path):
        told = play(tmp_path, ["descend", "descend 7", "daily", "runs", "pack 1"])
    said = "progress cannot be read: the database is locked by another program"
    assert f"daily, descend: {said}" in told.lines
    assert told.lines.count(said) >= 4
    assert any(line.startswith("First Steps, level 1") for line in told.lines)
    assert "seed 7: 1 floor, at par, no undo, 0:00, yours, open" in play(tmp_path, ["runs"]).lines
