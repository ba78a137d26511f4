"""LURD text, replay and the metrics of a solution, with examples counted by hand.

Run-length text: expanded as in the SOK file format, refused if it would exhaust memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Direction
from sokoterm.engine.board import State
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import (
    LurdError,
    RunLengthError,
    Solution,
    count_pushes,
    end_of,
    expand,
    letter,
    measure,
    parse_lurd,
    play,
    replay,
    run_lengths,
    verify,
)
from sokoterm.engine.rules import step
from tests.unit.engine.drawn import letters, levels, paths

TWO_BOXES = "#######\n#     #\n#@$  .#\n#  $. #\n#     #\n#######"
CORNER = "#####\n#   #\n#@$ #\n#  .#\n#####"
TOUCHING = "#####\n# . #\n# $ #\n#@$.#\n#####"


def solve(text: str, lurd: str) -> Solution:
    level = Level.from_xsb(text)
    return verify(level.board, level.start, lurd)


def error_of(lurd: str, text: str = TWO_BOXES) -> LurdError:
    with pytest.raises(LurdError) as caught:
        solve(text, lurd)
    return caught.value


@pytest.mark.parametrize(
    ("text", "lurd", "figures"),
    [
        # RRR pushes the first box to its goal, lld walks, R pushes the second: player lines RRR, ll, d, R.
        (TWO_BOXES, "RRRlldR", (7, 4, 2, 2, 2, 4)),
        # One box round a corner.
        (CORNER, "RurD", (4, 2, 2, 1, 2, 4)),
        # Two boxes in one session.
        (TOUCHING, "RU", (2, 2, 2, 2, 1, 2)),
        # The pause ends box line and session, but it is still the same box, and rR is one line of the player.
        ("#######\n#@$ . #\n#######", "RlrR", (4, 2, 2, 1, 2, 3)),
        # R pushes the first box, RR the second, R the first again: player lines R, d, RR, ll, u, R.
        ("########\n#@$ .  #\n#  $ . #\n#      #\n########", "RdRRlluR", (8, 4, 3, 3, 3, 6)),
    ],
)
def test_the_figures_of_a_solution(text: str, lurd: str, figures: tuple[int, ...]) -> None:
    """Moves, pushes, box lines, box changes, pushing sessions, player lines."""
    assert solve(text, lurd) == Solution(lurd, *figures)


@pytest.mark.parametrize("lurd", ["rrrlldr", "RRRLLDR", "rRrLlDr", "3R2ldR", " 3r\n2l d\tr ", "RRR2ldR"])
def test_the_case_is_recomputed(lurd: str) -> None:
    assert solve(TWO_BOXES, lurd).lurd == "RRRlldR"


@pytest.mark.parametrize(
    ("lurd", "problem", "step"),
    [
        ("rrx", "found 'x', expected one of l u r d L U R D or a count", 3),
        ("hjkl", "found 'h', expected one of l u r d L U R D or a count", 1),
        ("r 2", "nothing follows the count 2", 3),
        ("r0u", "found a count of 0, expected 1 or more", 2),
        ("r٣u", "found '٣', expected one of l u r d L U R D or a count", 2),
        ("rrrr", "step 4 (r) is blocked", 4),
        ("4r", "step 4 (r) is blocked", 4),
        ("rrr", "1 of 2 boxes not on a goal after 3 moves", 3),
        ("", "2 of 2 boxes not on a goal after 0 moves", 0),
    ],
)
def test_errors_say_what_and_where(lurd: str, problem: str, step: int) -> None:
    error = error_of(lurd)
    assert (str(error), error.step) == (problem, step)


def test_a_level_that_begins_solved_needs_a_push() -> None:
    begun = "#######\n#     #\n# @*  #\n#     #\n#######"
    assert str(error_of("", begun)) == "no box was pushed: the level begins solved, which does not count"
    assert error_of("lr", begun).step == 2
    assert solve(begun, "RurrdL").pushes == 2


@pytest.mark.parametrize("lurd", ["99999999999r", "9" * 5000 + "r", "9000000r" * 2, "4999999(ud)"])
def test_counts_that_would_exhaust_memory_are_refused(lurd: str) -> None:
    with pytest.raises(LurdError, match=r"count (over 999,999,999, which|that makes 9,\d\d\d,\d\d\d, expected)"):
        parse_lurd(lurd)


def test_counts_and_groups_of_moves() -> None:
    assert parse_lurd("urdlURDL") == list(DIRECTIONS) * 2
    assert parse_lurd("2(rl)d()u1\n0r") == parse_lurd("rlrldurrrrrrrrrr")
    assert parse_lurd("0" * 5000 + "3r") == parse_lurd("rrr")
    assert len(parse_lurd("999999(ud)")) == 1_999_998
    assert len(parse_lurd("ldru" * 200_000)) == 800_000  # about as long as the longest known solution


@given(paths)
def test_run_lengths_read_back(steps: list[Direction]) -> None:
    text = letters(steps)
    assert parse_lurd(run_lengths(text)) == parse_lurd(text) == parse_lurd(text.upper()) == steps


@given(levels, paths)
def test_play_follows_the_rules_marks_the_pushes_and_stops_at_the_first_blocked_step(
    level: Level, steps: list[Direction]
) -> None:
    played, before = play(level.board, level.start, steps), level.start
    for number, direction in enumerate(steps, start=1):
        after = step(level.board, before, direction)
        if after is None:
            with pytest.raises(LurdError, match="is blocked") as caught:
                next(played)
            assert caught.value.step == number
            return
        assert next(played) == (after, letter(direction, after.boxes != before.boxes))
        before = after
    assert next(played, None) is None


@given(st.text("lurdLURD", max_size=80))
def test_metrics_counted_another_way(lurd: str) -> None:
    found = measure(lurd)
    with pytest.raises(LurdError, match=r"expected one of l u r d L U R D$"):
        measure(f"{lurd}2R")
    assert found.moves == len(lurd)
    assert found.pushes == len([each for each in lurd if each in "LURD"])
    assert found.player_lines == len(list(groupby(lurd.lower())))
    assert found.box_lines == len([each for each, _ in groupby(lurd) if each.isupper()])
    assert found.pushing_sessions == len([pushing for pushing, _ in groupby(lurd, str.isupper) if pushing])
    places = [(0, 0)]
    changes, box = 0, None
    for each in lurd:
        down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))["urdl".index(each.lower())]
        row, column = places[-1]
        places.append((row + down, column + right))
        if each.isupper():
            changes += box != places[-1]
            box = (row + 2 * down, column + 2 * right)
    assert found.box_changes == changes


@given(st.text("udlrUDLR", max_size=3000))
def test_long_replays_come_to_what_single_steps_do(lurd: str) -> None:
    """On a board on which much is possible, with and without a solution at the end."""
    level = Level.from_xsb("#########\n#@      #\n#  $    #\n#       #\n#    .  #\n#########")
    played = list(_as_far_as_possible(level, parse_lurd(lurd)))
    lurd = "".join(letter for _, letter in played)
    end = played[-1][0] if played else level.start
    is_solved = end.boxes == level.board.goals
    pushes = sum(map(str.isupper, lurd))
    assert count_pushes(level.board, level.start, lurd) == (0 if is_solved else pushes)
    assert end_of(level.board, level.start, lurd) == end
    if is_solved:
        assert verify(level.board, level.start, lurd) == measure(lurd)
    first = next((k for k, (state, _) in enumerate(played, start=1) if state.boxes == level.board.goals), None)
    replayed = replay(level, Record("", lurd))
    assert replayed.lurd == lurd[:first]
    assert (replayed.solution is None) == (first is None)
    if first is None:
        blocked = replay(level, Record("", lurd + "ul" * 9))
        assert blocked.lurd.startswith(lurd)
        assert blocked.problem.endswith("is blocked") or blocked.solution is not None


def _as_far_as_possible(level: Level, steps: Sequence[Direction]) -> Iterator[tuple[State, str]]:
    with suppress(LurdError):
        yield from play(level.board, level.start, steps)


def test_examples() -> None:
    for text, expanded in (
        ("3#4-p.#", "###----p.#"), ("2(3(dr)R)", "drdrdrRdrdrdrR"), ("", ""), ("10a", "a" * 10), ("003a", "aaa"),
        ("2()x", "x"), ("(ab)", "ab"), ("2((a)2b)", "abbabb"),
    ):  # fmt: skip
        assert expand(text, 1000) == expanded
    assert run_lengths("rrRRRd") == "2r3Rd"
    assert run_lengths("") == ""


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("9999999999#", "found a count over 999,999,999, which is too large", 10),
        ("999999999#", "found a count that makes 999,999,999, expected at most 100", 10),
        ("9(9(9(9#)))", "found a count that makes 729, expected at most 100", 10),
        ("101#", "found a count that makes 101, expected at most 100", 4),
        ("(" * 1001 + "#" + ")" * 1001, "more than 1,000 groups are nested in each other", 1001),
        ("#" * 101, "found a count that makes 101, expected at most 100", 1),
        ("a0b", "found a count of 0, expected 1 or more", 2),
        ("a3", "nothing follows the count 3", 2),
        ("a)b", "found ')' without '(' before it", 2),
        ("a(b", "found '(' without ')' after it", 2),
        ("(3)a", "found a count before ')', expected it before a character", 3),
    ],
)
def test_run_length_errors_say_what_and_where(text: str, problem: str, place: int) -> None:
    with pytest.raises(RunLengthError) as caught:
        expand(text, 100)
    assert (str(caught.value), caught.value.place) == (problem, place)


@pytest.mark.parametrize("text", ["9" * 10**6 + "#", "(" * 10**6, "(" * 10**5 + ")" * 10**5, "2(" * 10**5 + "a"])
def test_deep_and_long_text_ends_soon(text: str) -> None:
    with suppress(RunLengthError):
        expand(text, 1000)


@given(st.lists(st.tuples(st.integers(1, 30), st.characters(exclude_characters="()0123456789"))))
def test_counts_expand_to_the_text_they_were_made_from(runs: list[tuple[int, str]]) -> None:
    text = "".join(f"{count}{character}" for count, character in runs)
    assert expand(text, 10**6) == "".join(character * count for count, character in runs)


TWO_ROWS = Level.from_xsb("########\n#@ $ . #\n#      #\n#  $ . #\n########")


def test_a_solution_gets_its_case_back_and_ends_with_the_solved_position() -> None:
    found = replay(Level.from_xsb("######\n#@ $.#\n######"), Record("Solution", "RR"))
    assert found.solution is not None
    assert (found.lurd, found.solution.pushes, found.problem) == ("rR", 1, "")
    found = replay(Level.from_xsb("#####\n#@$.#\n#####"), Record("Solution", "RRRDD"))
    assert (found.lurd, found.problem) == ("R", "")


@pytest.mark.parametrize(
    ("moves", "problem", "lurd"),
    [
        ("ru", "step 2 (u) is blocked", "r"),
        ("rRR", "1 of 2 boxes not on a goal after 3 moves", "rRR"),
        ("", "2 of 2 boxes not on a goal after 0 moves", ""),
        ("[]ulll", "moves in reverse mode or with several players are kept but not played", ""),
        ("{rddd}Urr", "moves in reverse mode or with several players are kept but not played", ""),
        ("rR*R", "1 of 2 boxes not on a goal after 3 moves", "rRR"),  # the mark of the current position
        ("xyz", "found 'x', expected one of l u r d L U R D or a count", ""),
        ("9-9r1", "no walk leads to column 9, row 9 (from 0)", ""),
        ("1-1x1", "found '1-1x1', expected walks and counts such as 4-2l2 between commas", ""),
    ],
)
def test_a_record_that_is_no_solution_says_why(moves: str, problem: str, lurd: str) -> None:
    assert replay(TWO_ROWS, Record("Solution", moves)) == (lurd, None, problem)
    assert replay(Level.from_xsb("######\n#@ * #\n######"), Record("Solution", "r")).problem == "no box was pushed"


@pytest.mark.parametrize("moves", ["r1R2,2-3r2", "3-2r0,2-1r2,2-3r2", "r3,2-3r2"])
def test_walks_and_counts_of_ksokoban(moves: str) -> None:
    found = replay(TWO_ROWS, Record("Solution", moves))
    assert found.problem == ""
    assert found.solution is not None
    assert found.solution.pushes == 4


def test_too_many_walks_are_a_problem() -> None:
    level = Level.from_xsb("\n".join(["#" * 100, "#@$." + " " * 95 + "#", *["#" + " " * 98 + "#"] * 97, "#" * 100]))
    found = replay(level, Record("Solution", ",".join(["1-1d1,1-1"] * 1000)))
    assert found.problem == "more than 1,041 walks: too many for a board of this size"
    assert replay(level, Record("Solution", ",".join([*["1-1d1,1-1"] * 500, "r1"]))).solution
