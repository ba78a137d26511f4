"""What the player does with what a search has found: hints, and solutions to be replayed."""

from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.solver.protocol import Found
from tests.unit.tui.scripted import EASY, FIRST, SHORT, SOLVED, Said, found_by, scripted


def test_a_hint_that_is_watched_waits_for_the_player(tmp_path: Path) -> None:
    seen = scripted(tmp_path, [".", "S", "wait"], [FIRST, FIRST, SHORT], EASY)
    assert seen.shows("solution found: Enter shows it; still looking")
    left = scripted(tmp_path, [".", "S", "wait", "esc"], [FIRST, FIRST, SHORT], EASY)
    assert left.shows("hint found: . makes the push")
    assert scripted(tmp_path, [".", "S", "wait", "esc", "."], [FIRST, FIRST, SHORT], EASY).shows("pushes 1")


def test_what_a_key_answered_makes_room_for_a_solution_that_is_found(tmp_path: Path) -> None:
    asked = ["S", "l", "."]
    assert scripted(tmp_path / "asked", asked, [FIRST, FIRST, FIRST], EASY).shows("searching already: S watches")
    assert scripted(tmp_path / "found", [*asked, "wait"], [FIRST, FIRST, FIRST, SHORT], EASY).shows("solution found: R")


HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
HALL_LEVEL = Level.from_xsb(HALL)
DETOUR = found_by(HALL_LEVEL, "RurDldRRRdrU")
STRAIGHT = found_by(HALL_LEVEL, "RRRR")


def test_hints_go_by_the_better_solution_once_there_is_one(tmp_path: Path) -> None:
    first = scripted(tmp_path, ["."], [DETOUR], HALL)
    assert first.shows("pushes 1")
    assert first.shows("hint: u takes it back")
    hints = scripted(tmp_path, ["r", ".", "wait", "wait", *"..."], [FIRST, DETOUR, STRAIGHT, SOLVED], HALL)
    assert hints.shows("pushes 4")
    assert hints.shows("level solved")


def test_hints_follow_the_first_solution_where_the_next_one_does_not_pass(tmp_path: Path) -> None:
    elsewhere = found_by(HALL_LEVEL, "urDldRRRRdrU")
    hints = scripted(tmp_path, [".", "wait", "wait", *"....."], [DETOUR, elsewhere, SOLVED], HALL)
    assert hints.shows("pushes 6")
    assert hints.shows("level solved")


@pytest.mark.parametrize("asked", [["S", "wait", "wait", "esc"], [".", "wait", "wait", "r"]])
def test_what_was_found_is_known_at_the_next_visit(tmp_path: Path, asked: list[str]) -> None:
    keys = [*asked, "n", "p", *"...."]
    assert scripted(tmp_path, keys, [DETOUR, STRAIGHT, SOLVED], f"{HALL}\n{EASY}").shows("level solved")


def test_hints_go_by_the_own_best_where_that_is_better(tmp_path: Path) -> None:
    keys = [".", "wait", "r", *"llll", "r", *"...."]
    assert scripted(tmp_path, keys, [DETOUR, SOLVED], HALL).shows("level solved")


def test_the_solutions_of_player_and_solver_are_replayed_in_turn(tmp_path: Path) -> None:
    scripted(tmp_path, list("lkljhjllljlk"), [], HALL)
    for count, words in enumerate(("solver, 4 moves", "your best, 12 moves", "solver, 4 moves", "your best, 12")):
        keys = ["r", "S", "wait", "esc", *["R"] * (count + 1)]
        shown = scripted(tmp_path, keys, [FIRST, STRAIGHT, SOLVED], HALL)
        assert shown.shows(f"Replay: test 1, {words}")
        assert shown.shows("R another")


def test_what_the_solver_found_is_replayed_at_the_next_visit(tmp_path: Path) -> None:
    keys = ["S", "wait", "esc", "n", "p", "R"]
    assert scripted(tmp_path, keys, [FIRST, STRAIGHT, SOLVED], f"{HALL}\n{EASY}").shows(
        "Replay: test 1, solver, 4 moves"
    )


def test_what_was_found_for_a_hint_is_not_replayed(tmp_path: Path) -> None:
    assert scripted(tmp_path, [".", "wait", "R"], [DETOUR, SOLVED], HALL).shows("no solution yet: S asks the solver")


def test_what_a_hint_was_of_is_shown_at_once_to_who_asks_for_a_solution(tmp_path: Path) -> None:
    hinted = scripted(tmp_path / "hinted", [".", "S", "home"], [DETOUR, SOLVED], HALL)
    assert hinted.shows("Replay: test 1, solver, 11 moves, 5 pushes")
    walked = scripted(tmp_path / "walked", [".", "h", "S", "end"], [DETOUR, SOLVED], HALL)
    assert walked.shows("Replay: test 1, solver, 12 moves, 5 pushes")
    elsewhere = scripted(tmp_path / "elsewhere", [".", "u", "j", "l", "k", "S"], [DETOUR, SOLVED], HALL)
    assert not elsewhere.shows("Replay")


def test_nobody_waits_for_the_search_that_goes_on_after_a_hint(tmp_path: Path) -> None:
    two = f"{HALL}\n{EASY}"
    script: list[Said] = [DETOUR, FIRST, FIRST, FIRST]
    on = scripted(tmp_path / "on", [".", "wait", "wait"], script, two)
    assert on.shows("hint: u takes it back")
    assert on.shows(". hint  S solve")
    for key in ("esc", "n", "h"):
        stopped = scripted(tmp_path / key, [".", key], script, two)
        assert not any("search" in screen or "solving" in screen for screen in stopped.screens)
    assert scripted(tmp_path / "quit", [".", "C-c", "l", "l"], script, two).shows("pushes 1")
    anew = [".", "S", "esc", "S"]
    assert scripted(tmp_path / "anew", anew, script, two).shows("solving")
    rest = Found(STRAIGHT.solution._replace(lurd="RRR", moves=3, pushes=3))
    shown = scripted(tmp_path / "shown", [*anew, "wait", "home"], [DETOUR, FIRST, FIRST, FIRST, rest, SOLVED], two)
    assert shown.shows("Replay: test 1, solver, 3 moves, 3 pushes")
