"""The warning that a position is lost: by all tests, and by thinking while the player does."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sokoterm.app.deadlock_warning import DeadlockWarning, ThreadProver
from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.bits import Bitboard, Direction
from sokoterm.engine.board import Push, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockCheck, DeadlockKind
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import push
from sokoterm.solver.common.subset_proof import prover
from sokoterm.solver.job import solve
from tests.unit.app.searches import LIMITS
from tests.unit.tui.fake_terminal import play

# After a push to the right nothing is left to do, which only trying everything shows.
STUCK = "######\n#   .#\n# *# #\n#  $ #\n# @$.#\n######\n"
CORRAL = "######\n#.$  #\n#@*  #\n#  *##\n######\n"

# A push up strands a box, then the other one can be pushed to the right.
STRANDED = "#########\n#       #\n# $$    #\n# @    .#\n#      .#\n#########\n"


class BackgroundProver:
    """Thinks on the spot, and tells when it is asked; keeps what it was asked for."""

    def __init__(self, wake: Callable[[], None]) -> None:  # noqa: ARG002
        self.asked: list[State] = []
        self.state: State | None = None
        self.warning: DeadlockWarning | None = None

    def start(self, warning: DeadlockWarning, state: State) -> None:
        self.warning, self.state = warning, state
        self.asked.append(state)

    def stop(self) -> None:
        self.state = None

    def close(self) -> None:
        self.stop()

    def tell(self) -> None:
        if self.warning is not None and self.state is not None:
            solve(self.warning.board, self.state, prover(self.warning.patterns), LIMITS)
            self.warning.look_again()


def count_tests(monkeypatch: pytest.MonkeyPatch) -> list[Bitboard]:
    """The boxes of each position that is tested from now on."""
    tested: list[Bitboard] = []
    find, explain = DeadlockCheck.find, DeadlockDetector.explain

    def checked(check: DeadlockCheck, boxes: Bitboard) -> Deadlock | None:
        tested.append(boxes)
        return find(check, boxes)

    def explained(detector: DeadlockDetector, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        tested.append(boxes)
        return explain(detector, boxes, region)

    monkeypatch.setattr(DeadlockCheck, "find", checked)
    monkeypatch.setattr(DeadlockDetector, "explain", explained)
    return tested


def test_a_corral_is_said_once_the_first_picture_stands(tmp_path: Path) -> None:
    session = play(tmp_path, CORRAL, ["wait", "wait"])
    assert session.shows("dead: corral, its boxes cannot leave")
    assert any("!" in row.styles for row in session.frames[-1].rows)


def test_what_is_dead_from_the_start_has_no_way_back(tmp_path: Path) -> None:
    session = play(tmp_path, CORRAL, ["wait", "wait", "up"])
    assert session.shows("moves 1")
    assert session.shows("dead: corral, its boxes cannot leave")


@pytest.mark.parametrize("kind", [kind for kind in DeadlockKind if kind is not DeadlockKind.LEARNED])
def test_every_kind_is_called_what_the_verb_calls_it_and_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: DeadlockKind
) -> None:
    start = Level.from_xsb(STRANDED).start.boxes

    def find(_: object, boxes: Bitboard, *__: Bitboard) -> Deadlock | None:
        return Deadlock(kind, boxes) if boxes != start else None

    monkeypatch.setattr(DeadlockCheck, "find", find)
    monkeypatch.setattr(DeadlockDetector, "explain", find)
    (row,) = (row for row in play(tmp_path, STRANDED, ["k"]).last.split("\n") if row.startswith("moves 1 "))
    assert f"dead, U goes back: {kind}, " in row


def test_the_way_back_is_told_in_a_small_window(tmp_path: Path) -> None:
    assert play(tmp_path, STRANDED, ["k"], size=(8, 30)).shows("dead, U goes back: ")


def test_a_position_is_thought_about_while_nothing_changes(tmp_path: Path) -> None:
    thinkers: list[BackgroundProver] = []

    def make(wake: Callable[[], None]) -> BackgroundProver:
        thinkers.append(BackgroundProver(wake))
        return thinkers[-1]

    session = play(tmp_path, STUCK, [*["wait"] * 6], make_prover=make)
    assert not thinkers
    session = play(tmp_path, STUCK, ["right", *["wait"] * 6], make_prover=make)
    assert len(thinkers[0].asked) == 1
    assert session.shows("this position cannot be solved: proven, U goes back")
    assert any("!" in row.styles for row in session.frames[-1].rows)
    small = play(tmp_path, STUCK, ["left", "right", *["wait"] * 6], make_prover=make, size=(8, 30))
    assert small.shows("dead: proven, U goes back")


def test_nothing_is_thought_about_where_warnings_are_off_or_a_search_runs(tmp_path: Path) -> None:
    thinkers: list[BackgroundProver] = []

    def make(wake: Callable[[], None]) -> BackgroundProver:
        thinkers.append(BackgroundProver(wake))
        return thinkers[-1]

    session = play(tmp_path, STUCK, ["D", "right", *["wait"] * 6], make_prover=make)
    assert not thinkers
    assert "proven" not in session.last


def test_nothing_is_thought_about_where_the_board_is_too_large_for_a_proof(tmp_path: Path) -> None:
    thinkers: list[BackgroundProver] = []

    def make(wake: Callable[[], None]) -> BackgroundProver:
        thinkers.append(BackgroundProver(wake))
        return thinkers[-1]

    hall = ["#" * 202, *["#" + " " * 200 + "#"] * 100, "#@$" + " " * 197 + ".#", "#" * 202]
    play(tmp_path, "\n".join(hall), ["right", *["wait"] * 6], make_prover=make)
    assert not thinkers


def test_a_walk_leaves_the_question_and_a_push_ends_it() -> None:
    level = Level.from_xsb("########\n#@ $  .#\n#      #\n########")
    warning, state = DeadlockWarning(level.board), level.start
    warning.ask(state)
    assert warning.question(State(state.boxes, state.player + 1)) is state
    box = state.player + 2
    pushed = State(state.boxes ^ 1 << box | 1 << box + 1, box)
    assert warning.question(pushed) is None


def test_the_alarm_is_sharpened_once_and_keeps_its_answer() -> None:
    level = Level.from_xsb(CORRAL)
    warning = DeadlockWarning(level.board)
    assert warning.find(level.start) is None
    assert not warning.is_sharp
    warning.sharpen()
    first = warning.find(level.start)
    assert first is not None
    assert first.kind is DeadlockKind.CORRAL
    assert warning.find(level.start) is first


def test_the_way_back_from_lost_positions_tests_none_that_were_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested = count_tests(monkeypatch)
    keys = ["wait", "wait", "k", "l", "l", "l"]
    assert play(tmp_path / "there", STRANDED, keys).shows("dead, U goes back: dead square, stranded box")
    seen = len(tested)
    assert play(tmp_path / "back", STRANDED, [*keys, "U"]).shows("moves 0")
    assert len(tested) == 2 * seen


def test_the_way_back_from_lost_positions_stops_where_time_is_up_and_goes_on_with_the_next_key(tmp_path: Path) -> None:
    play(tmp_path, STRANDED, ["k", "l", "l", "l"])
    # The clock here is a second on at each look, so that one position is as many as can be tested.
    assert play(tmp_path, STRANDED, ["U"]).shows("moves 3")
    assert play(tmp_path, STRANDED, ["U", "U", "U"]).shows("moves 0")


def test_the_way_back_changes_nothing_where_the_start_is_lost(tmp_path: Path) -> None:
    text = "######\n#$ @ #\n#  . #\n######\n"
    play(tmp_path, text, ["l", "j", "h"])
    session = play(tmp_path, text, ["U"])
    assert session.shows("dead from the start")
    assert session.shows("moves 3")


def test_a_position_that_was_seen_is_tested_again_once_more_is_known() -> None:
    level = Level.from_xsb(STUCK)
    board, start = level.board, level.start
    after = push(board, start, Push(start.player + 1, Direction.RIGHT))
    assert after is not None
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
    state = push(board, level.start, Push(level.start.player + 1, Direction.RIGHT))
    assert state is not None
    warning = DeadlockWarning(board)
    warning.sharpen()
    assert warning.find(state) is None
    woken = threading.Event()
    background = ThreadProver(woken.set, time.monotonic, ThreadSwitching(), memory=1 << 40)
    background.start(warning, state)
    if given_up:
        background.stop()
        assert background.state is None
    assert woken.wait(10.0)
    background.tell()
    background.close()
    found = warning.find(state)
    if not given_up:
        assert found is not None
        assert found.kind is DeadlockKind.LEARNED
