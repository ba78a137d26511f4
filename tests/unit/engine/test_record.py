"""Replay of records: a claimed solution counts only if the rules confirm it."""

import pytest

from sokoterm.engine.level import Level, Record
from sokoterm.engine.record import replay

ROOM = Level.from_xsb("########\n#@ $ . #\n#      #\n#  $ . #\n########")
SOLUTION = "rRRllddrrRlluR"


def test_a_solution_gets_its_case_back() -> None:
    found = replay(Level.from_xsb("######\n#@ $.#\n######"), Record("Solution", "RR"))
    assert found.solution is not None
    assert (found.lurd, found.solution.pushes, found.problem) == ("rR", 1, "")


def test_moves_after_the_solved_position_are_cut() -> None:
    found = replay(Level.from_xsb("#####\n#@$.#\n#####"), Record("Solution", "RRRDD"))
    assert (found.lurd, found.problem) == ("R", "")


@pytest.mark.parametrize(
    ("moves", "problem", "lurd"),
    [
        ("ru", "step 2 (u) is blocked", "r"),
        ("rRR", "1 of 2 boxes not on a goal after 3 moves", "rRR"),
        ("", "2 of 2 boxes not on a goal after 0 moves", ""),
        ("[]ulll", "moves of the reverse mode or of several players are kept, not played", ""),
        ("{rddd}Urr", "moves of the reverse mode or of several players are kept, not played", ""),
        ("xyz", "found 'x', expected one of l u r d L U R D or a count", ""),
        ("9-9r1", "found a walk to column 9, row 9 (from 0), which cannot be reached", ""),
        ("1-1x1", "found '1-1x1', expected walks and counts such as 4-2l2 between commas", ""),
    ],
)
def test_a_record_that_is_no_solution_says_why(moves: str, problem: str, lurd: str) -> None:
    assert replay(ROOM, Record("Solution", moves)) == (lurd, None, problem)


@pytest.mark.parametrize("moves", ["r1R2,2-3r2", "3-2r0,2-1r2,2-3r2", "r3,2-3r2"])
def test_walks_and_counts_of_ksokoban(moves: str) -> None:
    found = replay(ROOM, Record("Solution", moves))
    assert found.problem == ""
    assert found.solution is not None
    assert found.solution.pushes == 4


def test_too_many_walks_are_a_problem() -> None:
    level = Level.from_xsb("\n".join(["#" * 100, "#@$." + " " * 95 + "#", *["#" + " " * 98 + "#"] * 97, "#" * 100]))
    found = replay(level, Record("Solution", ",".join(["1-1d1,1-1"] * 1000)))
    assert found.problem == "found over 1,041 walks on a board of this size, expected fewer"
    assert replay(level, Record("Solution", ",".join([*["1-1d1,1-1"] * 500, "r1"]))).solution


def test_the_mark_of_the_current_position_is_ignored() -> None:
    assert replay(ROOM, Record("Savegame", "rR*R")).lurd == "rRR"


def test_a_level_that_begins_solved_needs_a_push() -> None:
    begun = Level.from_xsb("######\n#@ * #\n######")
    assert replay(begun, Record("Solution", "r")).problem == "no box was pushed"
