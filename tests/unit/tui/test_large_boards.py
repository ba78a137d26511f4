"""Boards as large as a file may have them, and solutions of up to a million moves: no key takes long."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest

from sokoterm.app.request import Note
from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level, Pack, level_from_rows, varied
from sokoterm.engine.levelhash import to_canonical
from sokoterm.formats.registry import write
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.terminal.events import Event, Paste
from sokoterm.tui.widgets.frame import Frame
from tests.slow import slow
from tests.unit.store.stores import enter
from tests.unit.tui.fake_terminal import Session, line_for, play

LONGEST_SECONDS = 2.0  # each takes a tenth of that on a machine that does nothing else
PLANNED = ["tab", "a", "left", "esc", "esc", "G", "esc"]
DRAWN = ["e", "l", *"#$.@u", "C-r", *"mJ#oxtB", "esc", *"rci", "esc", "b", "y"]


def room(size: int, colors: int = 0, *, ice: bool = False) -> str:
    """Return a pack with one room of boxes, goals and pillars, two of each for a colour."""
    rows = [["#", *" " * (size - 2), "#"] for _ in range(size)]
    rows[0] = rows[-1] = ["#"] * size
    rows[1][1] = "@"
    spots = [(row, column) for row in range(3, size - 3, 4) for column in range(3, size - 3, 4)]
    count = 2 * max(1, colors)
    boxes, goals, pillars = spots[:count], spots[count : 2 * count], spots[2 * count : 3 * count]
    for sign, squares in (("$", boxes), (".", goals), ("#", pillars)):
        for row, column in squares:
            rows[row][column] = sign
    level = level_from_rows(["".join(row) for row in rows])
    if colors:
        square = level.board.square
        box_colors, goal_colors = (
            {square(*spot): index % colors for index, spot in enumerate(some)} for some in (boxes, goals)
        )
        icy = spots[3 * count :] if ice else []
        level = varied(level, box_colors, goal_colors, sum(1 << square(*spot) for spot in icy))
    return write(Pack("large", (level,)), "xsb").data.decode()


@pytest.mark.parametrize(
    ("size", "colors", "ice", "keys"),
    [
        slow(256, 250, False, ["l", "j", "u", "C-r", "J", "L", "t", "x", "+", "-", *PLANNED]),
        slow(256, 250, True, ["l", "j", "u", "C-r", "J", "L", "t", "x", "+", "-", *PLANNED]),
        slow(256, 250, False, DRAWN),
        (128, 60, False, DRAWN),
        slow(500, 0, False, DRAWN),
        (990, 0, False, ["l", "t", "J", "t", *PLANNED]),
    ],
)
def test_no_key_takes_long(tmp_path: Path, size: int, colors: int, ice: bool, keys: list[str]) -> None:
    pack = room(size, colors, ice=ice)
    times = [process_time()]

    def painted(_: Frame) -> None:
        times.append(process_time())

    play(tmp_path, pack, keys, painted=painted)
    assert len(times) > len(keys)
    assert max(after - before for before, after in pairwise(times)) < LONGEST_SECONDS


def test_the_planner_says_that_a_board_is_too_large_for_it(tmp_path: Path) -> None:
    for number, pack in enumerate((room(400), room(100, 4, ice=True))):
        assert play(tmp_path / str(number), pack, ["tab"]).shows(line_for(Note.BOARD_TOO_LARGE))


# Long solutions: short ones are replayed when they are asked for, the longest in a thread, so that no key waits

FIRST = "##########\n#@       #\n# $ .    #\n#        #\n##########"
SECOND = "##########\n#@       #\n# $ .    #\n#       ##\n##########"
PACK = f"{FIRST}\n\n{SECOND}\n"
LEVEL = Level.from_xsb(SECOND)
LONGEST = 999_983
LENGTHS = [20_003, pytest.param(LONGEST, marks=pytest.mark.slow)]


def long_solution(moves: int) -> str:
    return "rl" * ((moves - 3) // 2) + "dRR"


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
        (_begin, "unfinished: 1 push"),
        (_begin_step_by_step, "unfinished: 1 push"),
    ],
)
def test_the_browser_says_what_a_long_replay_shows(
    tmp_path: Path, prepare: Callable[[Path, int], None], said: str, moves: int
) -> None:
    prepare(tmp_path, moves)
    session = _browse(tmp_path, ["b", "wait", *"jkjkjjkkjk", "j", *["wait"] * (moves // 500)])
    assert session.shows(said.format(moves))
    assert "best on this server" in said or not session.shows("best on this server")


@pytest.mark.parametrize("moves", LENGTHS)
def test_the_long_solution_of_a_file_is_shown_once_it_has_been_replayed(tmp_path: Path, moves: int) -> None:
    pack = f"{PACK}\nSolution\n{long_solution(moves)}\n"
    session = _browse(tmp_path, ["b", "wait", *"jk", "j", "enter", "R", "wait"], pack)
    assert session.shows(line_for(Note.SOLUTIONS_BEING_REPLAYED)) == (moves == LONGEST)
    session = _browse(tmp_path, ["b", "wait", *"jk", "j", *["wait"] * (moves // 500)], pack)
    assert session.shows(f"known 2 pushes, {moves:,} moves")


@pytest.mark.parametrize("moves", LENGTHS)
def test_a_win_is_compared_with_a_long_solution_of_another_account(tmp_path: Path, moves: int) -> None:
    enter(_table(tmp_path, "bob"), LEVEL, long_solution(moves))
    waits = ["wait"] * (60 + moves // 500)
    session = play(tmp_path, SECOND, [Paste(long_solution(moves + 2).encode()), *waits], scores=_table(tmp_path, "cid"))
    assert session.shows(f"best on this server: {moves:,} moves by bob; yours {moves + 2:,}")
