"""The warning that a position is lost: by all tests, and by thinking while the player does."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sokoterm.app.deadlock_warning import DeadlockWarning, Prover
from sokoterm.app.request import Note
from sokoterm.engine.bits import Bitboard, Direction
from sokoterm.engine.board import Push, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, FreezeCheck
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level, varied
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import push
from sokoterm.solver.proof import prover as prover_of
from sokoterm.solver.search import Status, solve
from tests.present import present
from tests.unit.app.player import Player
from tests.unit.app.searches import LIMITS, ForegroundProver
from tests.unit.solver.varied_positions import positions_of, random_varied

# After a push to the right nothing is left to do, which only trying everything shows.
STUCK = "######\n#   .#\n# *# #\n#  $ #\n# @$.#\n######\n"
CORRAL = "######\n#.$  #\n#@*  #\n#  *##\n######\n"

# A push up strands a box, then the other one can be pushed to the right.
STRANDED = "#########\n#       #\n# $$    #\n# @    .#\n#      .#\n#########\n"


def kind_of(deadlock: Deadlock | None) -> DeadlockKind | None:
    return deadlock.kind if deadlock is not None else None


def count_tests(monkeypatch: pytest.MonkeyPatch) -> list[Bitboard]:
    """The boxes of each position that is tested from now on."""
    tested: list[Bitboard] = []
    find, explain = FreezeCheck.find, DeadlockDetector.explain

    def checked(check: FreezeCheck, boxes: Bitboard) -> Deadlock | None:
        tested.append(boxes)
        return find(check, boxes)

    def explained(detector: DeadlockDetector, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        tested.append(boxes)
        return explain(detector, boxes, region)

    monkeypatch.setattr(FreezeCheck, "find", checked)
    monkeypatch.setattr(DeadlockDetector, "explain", explained)
    return tested


def test_a_corral_is_known_once_the_first_picture_stands(tmp_path: Path) -> None:
    with Player(tmp_path, CORRAL) as player:
        assert player.look() is None
        player.rest(2)
        assert kind_of(player.look()) is DeadlockKind.CORRAL


@pytest.mark.parametrize("moves", ["l", "r"])
def test_a_level_that_begins_solved_and_cannot_be_played_has_no_way_back_and_is_left_by_enter(
    tmp_path: Path, moves: str
) -> None:
    with Player(tmp_path, "######\n# @* #\n######\n\n######\n#@ $.#\n######") as player:
        assert player.model.level.number == 2  # the first unsolved one that can be played
        player.act("previous level")
        assert player.model.cannot_be_played
        player.move(moves)
        assert (player.model.game.moves, player.model.has_way_back) == (1, False)
        assert player.act("undo dead") is (Note.NOT_DEAD if moves == "l" else Note.CANNOT_BE_PLAYED)
        player.act("accept")
        assert player.model.level.number == 2


def a_prover() -> tuple[ForegroundProver, Callable[[Callable[[], None]], Prover]]:
    """Return a prover, and what gives it to a session."""
    prover = ForegroundProver(lambda: None)
    return prover, lambda _wake: prover


def test_a_level_that_is_dead_from_the_start_has_no_way_back_in_the_next_session(tmp_path: Path) -> None:
    for has_moved in (False, True):
        with Player(tmp_path, CORRAL) as player:
            player.rest(2)
            assert player.model.has_way_back is False
            assert player.act("undo dead") is Note.DEAD_FROM_START
            player.move("" if has_moved else "u")


def test_what_the_solver_has_proven_is_known_to_be_lost(tmp_path: Path) -> None:
    pushed = STUCK.replace("@$.", " @*")
    with Player(tmp_path, pushed) as player:
        player.rest(2)
        assert player.look() is None
        player.act("solve")
        player.hear()
        assert kind_of(player.look()) is DeadlockKind.LEARNED
        assert player.act("undo dead") is Note.DEAD_FROM_START


def test_a_position_is_thought_about_while_nothing_changes(tmp_path: Path) -> None:
    prover, make = a_prover()
    with Player(tmp_path, STUCK, make_prover=make) as player:
        player.rest(6)
        assert not prover.asked
        player.move("R")
        player.rest(6)
        assert len(prover.asked) == 1
        assert kind_of(player.look()) is DeadlockKind.LEARNED
        assert player.model.has_way_back


@pytest.mark.parametrize("asked", ["warnings", "solve"])
def test_nothing_is_thought_about_where_warnings_are_off_or_a_search_runs(tmp_path: Path, asked: str) -> None:
    prover, make = a_prover()
    with Player(tmp_path, STUCK, make_prover=make) as player:
        player.move("R")
        player.act(asked)
        player.rest(6)
        assert not prover.asked
        assert player.look() is None


def test_nothing_is_thought_about_where_the_board_is_too_large_for_a_proof(tmp_path: Path) -> None:
    prover, make = a_prover()
    hall = ["#" * 202, *["#" + " " * 200 + "#"] * 100, "#@$" + " " * 197 + ".#", "#" * 202]
    with Player(tmp_path, "\n".join(hall), make_prover=make) as player:
        player.move("R")
        player.rest(6)
        assert not prover.asked


def test_a_walk_leaves_the_question_and_a_push_ends_it() -> None:
    level = Level.from_xsb("########\n#@ $  .#\n#      #\n########")
    warning, state = DeadlockWarning(level.board), level.start
    warning.ask(state)
    assert warning.question(State(state.boxes, state.player + 1)) is state
    box = state.player + 2
    pushed = State(state.boxes ^ 1 << box | 1 << box + 1, box)
    assert warning.question(pushed) is None


def test_the_way_back_from_lost_positions_tests_none_that_were_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested = count_tests(monkeypatch)
    with Player(tmp_path, STRANDED) as player:
        player.rest(2)
        player.move("URRR")
        assert kind_of(player.look()) is DeadlockKind.DEAD_SQUARE
        seen = len(tested)
        assert player.act("undo dead") is Note.DONE
        assert player.lurd == ""
        assert len(tested) == seen


def test_the_way_back_from_lost_positions_stops_where_time_is_up_and_goes_on_with_the_next_key(tmp_path: Path) -> None:
    with Player(tmp_path, STRANDED) as player:
        player.move("URRR")
    # The clock is a second on at each look, so that one position is as many as can be tested.
    with Player(tmp_path, STRANDED) as player:
        player.act("undo dead")
        assert player.lurd == "URR"
    with Player(tmp_path, STRANDED) as player:
        player.act(*["undo dead"] * 3)
        assert player.lurd == ""


def test_the_way_back_changes_nothing_where_the_start_is_lost(tmp_path: Path) -> None:
    text = "######\n#$ @ #\n#  . #\n######\n"
    with Player(tmp_path, text) as player:
        player.move("rdl")
    with Player(tmp_path, text) as player:
        assert player.act("undo dead") is Note.DEAD_FROM_START
        assert player.lurd == "rdl"


def test_a_position_that_was_seen_is_tested_again_once_more_is_known() -> None:
    level = Level.from_xsb(STUCK)
    board, start = level.board, level.start
    after = present(push(board, start, Push(start.player + 1, Direction.RIGHT)))
    warning = DeadlockWarning(board)
    warning.sharpen()
    assert warning.find(after) is None
    assert warning.find(start) is None
    warning.patterns.add(after.boxes, reachable_area(board, after))  # a proof that nobody told of
    assert warning.find(after) is not None


@pytest.mark.parametrize("given_up", [False, True])
def test_a_background_prover_proves_or_gives_up_at_once(given_up: bool) -> None:
    level = Level.from_xsb(STUCK)
    board = level.board
    state = present(push(board, level.start, Push(level.start.player + 1, Direction.RIGHT)))
    warning = DeadlockWarning(board)
    warning.sharpen()
    assert warning.find(state) is None
    woken = threading.Event()
    background = Prover(woken.set, time.monotonic, memory=1 << 40)
    background.seek(warning.lost(state))
    if given_up:
        background.seek(None)
        assert background.question is None
        assert not background.is_busy
    else:
        assert woken.wait(10.0)
        background.answer()
        found = present(warning.find(state))
        assert found.kind is DeadlockKind.LEARNED
    background.close()


def test_with_colours_or_ice_no_position_that_can_be_solved_is_called_lost() -> None:
    lost = kept = 0
    for level in random_varied(31, 30, size=7):
        positions = positions_of(level, 1_000)
        if positions is None:
            continue
        cheap, sharp = DeadlockWarning(level.board), DeadlockWarning(level.board)
        sharp.sharpen()
        for key in positions.after:
            found = [warning.find(positions.state(key)) for warning in (cheap, sharp)]
            kept += key in positions.pushes
            lost += found[1] is not None
            assert key not in positions.pushes or found == [None, None]
    assert kept > 20
    assert lost > 500


def test_a_proof_on_ice_is_told_of_that_position_alone() -> None:
    level = Level.from_xsb("#######\n#     #\n#@$   #\n#  .  #\n#     #\n#######")
    level = varied(level, {}, {}, level.board.floor)
    warning = DeadlockWarning(level.board)
    warning.sharpen()
    state = level.start
    solution, outcome = solve(level.board, state, prover_of(warning.patterns), LIMITS)
    assert (solution, outcome.status) == (None, Status.UNSOLVABLE)
    found = present(warning.find(state))
    assert found.boxes == state.boxes
