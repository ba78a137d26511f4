"""The open play of a level: history, bookmarks, concurrent sessions, and killed sessions."""

import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from sokoterm.engine.bits import DIRECTIONS, Direction
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import count_pushes, parse_lurd
from sokoterm.store.plays import OpenPlay
from sokoterm.store.progress import ProgressStore
from tests.present import present
from tests.slow import others_slow
from tests.unit.store.stores import ROOM, ROOM_SOLUTION, TWO_WAYS, Player, open_store, spoil, turn_back, turned
from tests.unit.store.writers import TWO_BOXES, line_of, writer


def rows(folder: Path, query: str) -> list[tuple[int | str, ...]]:
    """Return the result of a query on the database."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection:
        return connection.execute(query).fetchall()


def test_the_pushes_of_an_open_play_are_counted_without_taking_it_up(tmp_path: Path) -> None:
    def pushes(store: ProgressStore, level: Level = ROOM) -> int:
        return count_pushes(level.board, level.start, store.open_moves(level))

    player = Player(open_store(tmp_path), ROOM)
    assert pushes(player.store) == 0
    player.moves("rrd")
    player.game.undo()
    player.save()
    other = open_store(tmp_path)
    assert pushes(other) == 0
    player.moves("d")
    assert (pushes(player.store), pushes(other)) == (1, 1)
    assert pushes(other, turned(ROOM, 1)) == 0
    assert player.game.redo_all() is False
    player.moves("ldRR")
    assert pushes(other) == 0


def test_a_history_of_an_older_version_is_taken_over(tmp_path: Path, player: Player) -> None:
    player.moves("rrrd")
    player.game.restart()
    player.game.play(parse_lurd("rrdldr"))
    player.game.set_bookmark("a")
    player.game.undo()
    player.save()
    turn_back(tmp_path, 5)
    assert rows(tmp_path, "SELECT removed FROM edit WHERE number = 0") == [("",)]
    again = Player(open_store(tmp_path), ROOM)
    assert (again.game.edits, again.game.cursor) == (player.game.edits, player.game.cursor)
    assert again.game.bookmarks == player.game.bookmarks


def test_long_moves_are_kept_with_repeat_counts(tmp_path: Path, player: Player) -> None:
    player.game.play(parse_lurd("rrrrllll"))
    player.game.set_bookmark("a")
    player.game.restart()
    player.save()
    assert rows(tmp_path, "SELECT added FROM edit ORDER BY number") == [("4r4l",), ("",)]
    assert rows(tmp_path, "SELECT lurd FROM bookmark") == [("4r4l",)]
    again = Player(open_store(tmp_path), ROOM)
    assert again.game.edits == player.game.edits
    assert again.game.bookmarks == {"a": "rrrrllll"}


def test_play_belongs_to_the_board_as_written(store: ProgressStore) -> None:
    Player(store, ROOM).moves("rr")
    assert [store.load_play(turned(ROOM, turn)) is None for turn in range(8)] == [False] + [True] * 7
    assert store.load_play(TWO_WAYS) is None


def test_save_writes_what_is_new_and_nothing_else(
    tmp_path: Path, connections: list[sqlite3.Connection], store: ProgressStore, player: Player
) -> None:
    player.moves("rlrlrlrl" * 30)
    written: list[str] = []
    connections[-1].set_trace_callback(written.append)
    player.save()
    assert not written
    player.moves("rr")
    inserted = [statement for statement in written if statement.startswith("INSERT INTO edit")]
    assert len(inserted) == 2
    written.clear()
    for _ in range(3):
        player.game.undo()
    player.moves("r")
    assert len([statement for statement in written if statement.startswith("INSERT INTO edit")]) == 1
    store.close()
    assert Player(open_store(tmp_path), ROOM).game.edits == player.game.edits


def test_bookmarks_are_kept_without_a_play_and_removed(tmp_path: Path, store: ProgressStore) -> None:
    assert store.save_play(ROOM, [], 0, {"a": "r", "b": ""}) is None
    play = present(open_store(tmp_path).load_play(ROOM))
    assert play == OpenPlay((), 0, {"a": "r", "b": ""})
    store.save_play(ROOM, [], 0, {"b": "rr"})
    play = present(open_store(tmp_path).load_play(ROOM))
    assert play.bookmarks == {"b": "rr"}
    assert rows(tmp_path, "SELECT count(*) FROM play") == [(0,)]


def test_solved_play_is_not_resumed_but_bookmarks_stay(tmp_path: Path, store: ProgressStore, player: Player) -> None:
    player.game.set_bookmark("a")
    player.moves(ROOM_SOLUTION)
    assert player.game.is_solved
    store.record(ROOM, player.game.lurd)
    player.save()
    assert store.close() is None
    play = open_store(tmp_path).load_play(ROOM)
    assert play == OpenPlay((), 0, {"a": ""})
    assert rows(tmp_path, "SELECT count(*) FROM play UNION ALL SELECT count(*) FROM edit") == [(0,), (0,)]


def test_play_that_goes_on_after_it_was_solved_is_resumed(tmp_path: Path, store: ProgressStore, player: Player) -> None:
    player.moves(ROOM_SOLUTION)
    store.record(ROOM, player.game.lurd)
    player.game.undo()
    player.save()
    again = Player(open_store(tmp_path), ROOM)
    assert (again.game.lurd, len(again.game.edits)) == (ROOM_SOLUTION[:-1], len(ROOM_SOLUTION))


def test_play_that_ended_solved_is_recorded_after_a_kill(tmp_path: Path) -> None:
    Player(open_store(tmp_path, 5000.0), ROOM).moves(ROOM_SOLUTION)
    store = open_store(tmp_path, 9000.0)
    assert store.load_play(ROOM) is None
    best = store.best(ROOM)
    assert present(best.by_moves).lurd == ROOM_SOLUTION
    assert 5000 < present(best.dates.first_solved) < 5100
    assert rows(tmp_path, "SELECT count(*) FROM play") == [(0,)]


def test_play_that_says_solved_and_is_not_stays(tmp_path: Path, player: Player) -> None:
    player.moves("rrD")
    spoil(tmp_path, "UPDATE play SET is_solved = 1")
    store = open_store(tmp_path)
    assert store.load_play(ROOM) is None
    assert "an unfinished game marked as solved is left out" in store.notices[0]
    assert rows(tmp_path, "SELECT count(*) FROM play") == [(1,)]


def act_in_sessions(folder: Path, script: str) -> None:
    """Play one level in several sessions, each later than the one before.

    A word is the number of a session, which begins with its first word, and what it does: moves, ``z`` to undo,
    ``s`` to record a solution, ``q`` to quit.
    """
    sessions: dict[str, Player] = {}
    for word in script.split():
        number, actions = word[0], word[1:]
        if number not in sessions:
            sessions[number] = Player(open_store(folder, 1_000_000.0 * int(number)), ROOM)
        player = sessions[number]
        for action in actions:
            if action == "z":
                player.game.undo()
            elif action == "s":
                player.store.record(ROOM, player.game.lurd)
            elif action == "q":
                assert player.store.close() is None
            else:
                player.moves(action)


@pytest.mark.parametrize(
    ("script", "plays", "lurd", "bookmarks"),
    [
        # Two sessions on one level lose nothing.
        ("1 2 1r 2d 1r 2d 1r 2u 1r 2d", 2, "ddud", {"1": "rrrr"}),
        # A position that two of them are at is offered once.
        ("1 2 3 1rr 2rr 3d", 3, "d", {"1": "rr"}),
        # One that quits after it was overtaken, or after another solved its play, keeps its position.
        ("1rrr 2zzzdd 1q", 2, "dd", {"1": "rrr"}),
        ("1rrr 2zDldRRs 2q 1q", 1, "rrr", {}),
        # It leaves nothing where its position is a bookmark, another went on from there, or it was solved.
        ("1 2 1rr 2dd 3u 1q", 1, "ddu", {"1": "rr"}),
        ("1rr 2r 1q", 1, "rrr", {}),
        ("1rrDldRR 2 1q", 0, "", {}),
        # To solve the level in one spares the play of the other.
        ("1 2 2dd 1rrDldRRs", 1, "dd", {}),
    ],
)
def test_what_several_sessions_leave(
    tmp_path: Path, script: str, plays: int, lurd: str, bookmarks: dict[str, str]
) -> None:
    act_in_sessions(tmp_path, script)
    assert rows(tmp_path, "SELECT count(*) FROM play") == [(plays,)]
    last = Player(open_store(tmp_path, 9_000_000.0), ROOM)
    assert (last.game.lurd, last.game.bookmarks) == (lurd, bookmarks)


def test_session_whose_play_was_taken_over_begins_its_own(tmp_path: Path) -> None:
    one = Player(open_store(tmp_path), ROOM)
    one.moves("rr")
    two = Player(open_store(tmp_path), ROOM)
    two.game.undo()
    two.moves("d")
    assert (one.moves("r"), one.moves("r")) == (None, None)
    plays = rows(tmp_path, "SELECT id FROM play ORDER BY id")
    assert len(plays) == 2
    third = Player(open_store(tmp_path), ROOM)
    assert {third.game.lurd, *third.game.bookmarks.values()} == {"rrrr", "rd"}
    assert [edit.added for edit in one.game.edits] == ["r", "r", "r", "r"]
    again = Player(open_store(tmp_path), ROOM)
    assert again.play == third.play, "until it is saved, the same is offered"


def test_position_of_another_session_is_offered_once(tmp_path: Path) -> None:
    one, two = Player(open_store(tmp_path), ROOM), Player(open_store(tmp_path), ROOM)
    one.moves("rr")
    two.moves("dd")
    third = Player(open_store(tmp_path, 2_000_000.0), ROOM)
    third.moves("l" if third.game.lurd == "rr" else "u")
    assert rows(tmp_path, "SELECT count(*) FROM play") == [(1,)]
    fourth = Player(open_store(tmp_path), ROOM)
    assert present(fourth.play).others == ()
    assert set(fourth.game.bookmarks) == {"1"}
    # The session it was taken from is still running, and goes on with its whole history.
    other = one if third.game.lurd.startswith("dd") else two
    other.moves("r")
    fifth = Player(open_store(tmp_path, 3_000_000.0), ROOM)
    assert other.game.lurd in (fifth.game.lurd, *fifth.game.bookmarks.values())


def test_bookmark_set_by_two_sessions_keeps_both(tmp_path: Path) -> None:
    one, two = Player(open_store(tmp_path), ROOM), Player(open_store(tmp_path), ROOM)
    one.game.bookmarks["a"] = "r"
    one.save()
    two.game.bookmarks.update({"a": "d", "b": "dd"})
    two.save()
    two.game.bookmarks["a"] = "du"
    two.save()
    play = present(open_store(tmp_path).load_play(ROOM))
    assert play.bookmarks == {"a": "du", "b": "dd", "1": "r"}


class StoreMachine(RuleBasedStateMachine):
    """A game on a store that is closed, dropped and reopened: what comes back is what was saved."""

    folder: Path

    @initialize()
    def begin(self) -> None:
        """Begin a new file for every run."""
        for file in self.folder.iterdir():
            file.unlink()
        self.store = open_store(self.folder)
        self.player = Player(self.store, ROOM)

    @rule(direction=st.sampled_from(DIRECTIONS))
    def step(self, direction: Direction) -> None:
        self.player.game.walk_or_push(direction)

    @rule(direction=st.sampled_from(DIRECTIONS))
    def run(self, direction: Direction) -> None:
        self.player.game.run(direction)

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        for _ in range(count):
            self.player.game.undo()

    @rule()
    def redo(self) -> None:
        self.player.game.redo()

    @rule()
    def restart(self) -> None:
        self.player.game.restart()

    @rule(name=st.sampled_from("ab1"))
    def mark(self, name: str) -> None:
        self.player.game.set_bookmark(name)

    @rule(name=st.sampled_from("ab1"))
    def go_to_mark(self, name: str) -> None:
        self.player.game.go_to_bookmark(name)

    @rule()
    def save(self) -> None:
        assert self.player.save() is None

    @precondition(lambda self: not self.player.game.is_solved)
    @rule(is_closed=st.booleans())
    def leave_and_come_back(self, is_closed: bool) -> None:
        """Reopen the store; without a close it is as after a kill."""
        before = self.player.game
        assert self.player.save() is None
        if is_closed:
            assert self.store.close() is None
        self.store = open_store(self.folder)
        self.player = Player(self.store, ROOM)
        after = self.player.game
        assert (after.edits, after.cursor, after.lurd) == (before.edits, before.cursor, before.lurd)
        assert after.bookmarks == before.bookmarks


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    machine = type("Machine", (StoreMachine,), {"folder": tmp_path})
    run_state_machine_as_test(machine, settings=settings(max_examples=30, stateful_step_count=30))


@pytest.mark.parametrize("seed", others_slow([1, 2, 3]))
def test_killed_at_any_moment_everything_confirmed_is_there(tmp_path: Path, seed: int) -> None:
    database = tmp_path / "progress.db"
    dice = random.Random(seed)
    for generation in range(4):
        with writer("play", database, seed * 10 + generation) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(dice.randrange(20, 600))]
            process.send_signal(signal.SIGKILL)
            lines = "".join([*lines, process.stdout.read()]).split("\n")
        confirmed = lines[len(lines) - 2 - lines[::-1].index("saved")]
        tried = next(line for line in reversed(lines) if line.endswith("."))
        store = open_store(tmp_path)
        play = present(store.load_play(TWO_BOXES))
        found = line_of(Game(TWO_BOXES, play.edits, play.cursor, play.bookmarks))
        assert found in (confirmed, tried)
        store.close()
