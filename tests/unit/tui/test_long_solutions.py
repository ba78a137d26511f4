"""Solutions of a million moves, in the score table, in files and of one's own: no key waits for their replay.

What is counted are the steps that are replayed from one look at the keys to the next.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.app.outcome import Note
from sokoterm.engine import lurd as lurd_module
from sokoterm.engine import record as record_module
from sokoterm.engine.bits import Direction
from sokoterm.engine.board import Board, State
from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import to_canonical
from sokoterm.engine.rules import step
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.terminal.events import Event, Paste
from tests.unit.linemode import fake_lines
from tests.unit.store.stores import enter
from tests.unit.tui import fake_terminal
from tests.unit.tui.fake_terminal import FakeTerminal, Session, line_for, play

FIRST = "##########\n#@       #\n# $ .    #\n#        #\n##########"
SECOND = "##########\n#@       #\n# $ .    #\n#       ##\n##########"
PACK = f"{FIRST}\n\n{SECOND}\n"
LEVEL = Level.from_xsb(SECOND)
# The steps of a picture and of a moment of rest; see ``tui/replays.py``.
MOST_STEPS = 12_000
LENGTHS = [60_003, pytest.param(999_983, marks=pytest.mark.slow)]


def long_solution(moves: int) -> str:
    return "rl" * ((moves - 3) // 2) + "dRR"


class Counter:
    """Steps replayed between two looks at the keys, with the keys before them."""

    def __init__(self) -> None:
        self.now = 0
        self.taken: list[tuple[str, int]] = []
        self._last = ""

    def step(self, board: Board, state: State, direction: Direction) -> State | None:
        self.now += 1
        return step(board, state, direction)

    def look(self, key: object) -> None:
        self.taken.append((self._last, self.now))
        self.now, self._last = 0, str(key)[:20]

    @property
    def worst(self) -> tuple[str, int]:
        return max(self.taken, key=lambda each: each[1])


@pytest.fixture(name="counter")
def _counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()

    class Terminal(FakeTerminal):
        def read_keys(self, timeout: float | None) -> list[Event]:
            events = super().read_keys(timeout)
            counter.look(events)
            return events

    class Lines(fake_lines.FakeLines):
        def read(self, timeout: float | None) -> str | LineEvent:
            line = super().read(timeout)
            counter.look(line)
            return line

    monkeypatch.setattr(fake_terminal, "FakeTerminal", Terminal)
    monkeypatch.setattr(fake_lines, "FakeLines", Lines)
    return counter


def _count(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count from now on."""
    for module in (lurd_module, record_module):
        monkeypatch.setattr(module, "step", counter.step)


def _table(folder: Path, name: str) -> ScoreTable:
    return ScoreTable(str(folder / "scores.db"), name, lambda: 1e9, pytest.fail)


def _enter(folder: Path, moves: int) -> None:
    enter(_table(folder, "bob"), LEVEL, long_solution(moves))


def _forge(folder: Path, moves: int) -> None:
    """Rows that walk for long, and those that are not even as long as they claim."""
    enter(_table(folder, "bob"), LEVEL, "dRR")
    (start_row, start_column), walks = to_canonical(LEVEL, "rl" * (moves // 2))
    with closing(sqlite3.connect(folder / "scores.db")) as connection, connection:
        level_hash, date = connection.execute("SELECT hash, date FROM score").fetchone()
        connection.execute("DELETE FROM score")
        for number in range(25):
            lurd, claimed = (walks[:-1] + walks[-1].upper(), len(walks)) if number % 2 else (walks, 1)
            for best_by in ("moves", "pushes"):
                figures = (claimed, 1, start_row, start_column)
                values = (level_hash, best_by, f"mallory{number}", *figures, lurd, date)
                connection.execute("INSERT INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def _solve(folder: Path, moves: int) -> None:
    store = ProgressStore.open(str(folder / "progress.db"), lambda: 1e9)
    store.record(LEVEL, long_solution(moves))
    store.close()


def _begin(folder: Path, moves: int) -> None:
    store = ProgressStore.open(str(folder / "progress.db"), lambda: 1e9)
    store.save_play(LEVEL, [Edit(0, "", long_solution(moves)[:-1])], 1, {})
    store.close()


def _begin_step_by_step(folder: Path, moves: int) -> None:
    moves = min(moves, 200_000)
    store = ProgressStore.open(str(folder / "progress.db"), lambda: 1e9)
    edits = [Edit(number, "", each) for number, each in enumerate(long_solution(moves)[:-1])]
    store.save_play(LEVEL, edits, len(edits), {})
    store.close()


def _browse(folder: Path, keys: Sequence[Event], pack: str = PACK) -> Session:
    return play(folder, pack, keys, size=(24, 120), scores=_table(folder, "ann"))


@pytest.mark.parametrize("moves", LENGTHS)
@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (_enter, "best on this server 2 pushes, {0:,} moves by bob"),
        (_forge, ""),
        (_solve, "solved 2001-09-09"),
        (_begin, "open at 1 push"),
        (_begin_step_by_step, "open at 1 push"),
    ],
)
def test_no_key_in_the_browser_waits_for_a_long_replay(
    tmp_path: Path,
    counter: Counter,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[Path, int], None],
    said: str,
    moves: int,
) -> None:
    prepare(tmp_path, moves)
    _count(counter, monkeypatch)
    session = _browse(tmp_path, ["b", "wait", *"jkjkjjkkjk", "j", *["wait"] * (moves // 500)])
    assert counter.worst[1] <= MOST_STEPS, counter.worst
    assert session.shows(said.format(moves))
    assert "best on this server" in said or not session.shows("best on this server")
    # What was replayed once is not replayed again.
    assert not said or sum(taken for _, taken in counter.taken) <= 3 * moves + MOST_STEPS


@pytest.mark.parametrize("moves", LENGTHS)
def test_no_key_waits_for_the_long_solution_of_a_file(
    tmp_path: Path, counter: Counter, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    pack = f"{PACK}\nSolution\n{long_solution(moves)}\n"
    _count(counter, monkeypatch)
    rest = ["wait"] * (moves // 500)
    # The replay that ``R`` asks for is shown once it has been replayed.
    session = _browse(tmp_path, ["b", "wait", *"jk", "j", "enter", "wait", "R", "wait"], pack)
    assert session.shows(line_for(Note.SOLUTIONS_BEING_REPLAYED))
    assert counter.worst[1] <= MOST_STEPS, counter.worst
    session = _browse(tmp_path, ["b", "wait", *"jk", "j", "enter", "wait", "R", *rest, "b", *"kjkj"], pack)
    assert counter.worst[1] <= MOST_STEPS, counter.worst
    assert session.shows(f"known 2 pushes, {moves:,} moves")


@pytest.mark.parametrize("moves", [60_003])
def test_line_by_line_no_command_waits_for_them_either(
    tmp_path: Path, counter: Counter, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    pack = f"{PACK}\nSolution\n{long_solution(moves)}\n"
    _begin(tmp_path, moves)
    _count(counter, monkeypatch)
    pause = [LineEvent.NOTHING] * (moves // 500)
    told = fake_lines.play(tmp_path, pack, ["levels", "levels", "find", "R", *pause, "levels"])
    assert counter.worst[1] <= 2 * MOST_STEPS, counter.worst
    assert told.says(line_for(Note.SOLUTIONS_BEING_REPLAYED))
    assert told.last.startswith("2: ")
    assert told.says("2: 1 box, begun")


def test_the_verdict_on_a_win_comes_once_it_is_known(
    tmp_path: Path, counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    others, own = long_solution(60_003), long_solution(60_005)
    enter(_table(tmp_path, "bob"), LEVEL, others)
    pasted = Paste(own.encode())
    _count(counter, monkeypatch)
    session = play(tmp_path, SECOND, [pasted], scores=_table(tmp_path, "ann"))
    assert session.shows("level solved")
    assert not session.shows("best on this server")
    # What the rules are asked by the paste and the record of the solution is not counted.
    counter.taken.clear()
    other = tmp_path / "other"
    other.mkdir()
    session = play(other, SECOND, [pasted, *["wait"] * 60], scores=_table(tmp_path, "cid"))
    assert session.shows("best on this server: 60,003 moves by bob; yours 60,005")
    assert sorted(taken for _, taken in counter.taken)[-2] <= MOST_STEPS


def test_a_win_has_the_solution_replayed_once(
    tmp_path: Path, counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = long_solution(60_003)
    scores = _table(tmp_path, "ann")
    _count(counter, monkeypatch)
    session = play(tmp_path, SECOND, [Paste(own[:-1].encode()), "wait", "l", "wait", "b"], scores=scores)
    assert session.shows("best on this server 2 pushes, 60,003 moves by ann")
    (won,) = [taken for key, taken in counter.taken if key == "['l']"]
    assert won <= len(own) + MOST_STEPS
    assert [taken for key, taken in counter.taken if key == "['b']" and taken > MOST_STEPS] == []
