"""Score table: what counts, who is best, concurrent writers, and every fault of the file."""

import os
import random
import signal
import sqlite3
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical
from sokoterm.engine.lurd import LurdError, Solution
from sokoterm.store import score_table
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import Score, ScoreTable, Standing
from sokoterm.store.series import RunScore
from tests.present import present
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, ROOM, ROOM_SOLUTION, TWO_WAYS, enter, ticking, turned
from tests.unit.store.writers import ONE_BOX, with_detours, writer

NOBODY = Standing(None, None)

is_root = getattr(os, "geteuid", lambda: 1)() == 0


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "scores.db")


def scores_of(path: str, name: str = "ann", tell: Callable[[str], None] | None = None) -> ScoreTable:
    """Open the table as one person; without ``tell`` any problem fails the test."""
    return ScoreTable(path, name, ticking(), tell or pytest.fail)


def watched(path: str, name: str = "bob") -> tuple[ScoreTable, list[str]]:
    """Open the table as one person; also return the problems that are told."""
    told: list[str] = []
    return scores_of(path, name, told.append), told


# The table without its constraints: anyone who may write to the file can recreate it.
_LOOSE = "CREATE TABLE other AS SELECT * FROM score; DROP TABLE score; ALTER TABLE other RENAME TO score"
_HUNDRED = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100)"


def forge(path: str, statements: str) -> None:
    """Change the file as whoever may write to it can."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(statements)


def check(path: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def rows(path: str) -> list[tuple[str, str, int, int]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, best_by, moves, pushes FROM score ORDER BY 1, 2").fetchall()


def test_nobody_has_solved_anything_and_looking_makes_no_file(path: str) -> None:
    assert scores_of(path).standing(ROOM) == NOBODY
    assert not os.path.exists(path)


def test_the_best_by_moves_and_by_pushes_with_names_and_dates(path: str) -> None:
    enter(scores_of(path, "ann"), TWO_WAYS, FEWEST_MOVES)
    enter(scores_of(path, "bob"), TWO_WAYS, FEWEST_PUSHES)
    standing = scores_of(path).standing(TWO_WAYS)
    assert standing.by_moves == Score("ann", 8, 4, 1_000_000.0)
    assert standing.by_pushes == Score("bob", 12, 2, 1_000_000.0)
    assert scores_of(path).standing(ROOM) == NOBODY


def test_a_worse_solution_changes_nothing_and_the_first_of_equals_stays(path: str) -> None:
    enter(scores_of(path, "ann"), ONE_BOX, with_detours(1))
    for name, detours in (("ann", 3), ("bob", 1)):
        scores = ScoreTable(path, name, lambda: 2_000_000.0, pytest.fail)
        enter(scores, ONE_BOX, with_detours(detours))
    assert scores_of(path).standing(ONE_BOX).by_moves == Score("ann", 5, 2, 1_000_000.0)
    enter(scores_of(path, "bob"), ONE_BOX, with_detours(0))
    assert scores_of(path).standing(ONE_BOX).by_moves == Score("bob", 3, 2, 1_000_000.0)
    assert [row[:3] for row in rows(path)] == [
        ("ann", "moves", 5), ("ann", "pushes", 5), ("bob", "moves", 3), ("bob", "pushes", 3)
    ]  # fmt: skip


def test_a_turned_level_is_the_same_level(path: str) -> None:
    enter(scores_of(path), TWO_WAYS, FEWEST_MOVES)
    for turn in range(8):
        assert scores_of(path).standing(turned(TWO_WAYS, turn)).by_moves == Score("ann", 8, 4, 1_000_000.0)


@pytest.mark.parametrize("lurd", ["", "r", "rrDldR", "uuuu", "hello"])
def test_what_solves_nothing_does_not_count(path: str, lurd: str) -> None:
    with pytest.raises(LurdError):
        enter(scores_of(path), ROOM, lurd)
    assert not os.path.exists(path)


@pytest.mark.parametrize(
    "forged",
    [
        {"lurd": "r"}, {"lurd": "9999999r"}, {"lurd": ""}, {"lurd": b"\xff\xfe"}, {"lurd": None}, {"start_row": 10**15},
        {"start_row": -1}, {"start_column": "x"}, {"date": "soon"}, {"date": 1e300}, {"date": None}, {"name": None},
    ],
)  # fmt: skip
def test_a_forged_row_is_not_shown(path: str, forged: dict[str, str | int | float | bytes | None]) -> None:
    enter(scores_of(path, "zoe"), ROOM, ROOM_SOLUTION)
    row = {"name": "mallory", "moves": 1, "pushes": 1}
    forge(path, f"{_LOOSE}; INSERT INTO score SELECT * FROM score")
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, value in (row | forged).items():
            connection.execute(f"UPDATE score SET {name} = ? WHERE rowid > 2", (value,))
    standing = scores_of(path).standing(ROOM)
    assert present(standing.by_moves).name == "zoe"


def test_a_name_is_shown_without_what_a_terminal_acts_on(path: str) -> None:
    enter(scores_of(path, "\x1b[31mann\u202e" + "x" * 100), ROOM, ROOM_SOLUTION)
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("SELECT DISTINCT name FROM score").fetchall() == [("?[31mann?" + "x" * 23,)]
        connection.execute("UPDATE score SET name = ?", ("\x1b[2J" + "y" * 100,))
    best = present(scores_of(path).standing(ROOM).by_moves)
    assert best.name == "?[2J" + "y" * 28


@pytest.mark.parametrize(("folder_mode", "mode"), [(0o700, 0o600), (0o2770, 0o660), (0o777, 0o666), (0o1777, 0o600)])
def test_a_new_file_may_be_written_by_who_may_write_to_its_folder(tmp_path: Path, folder_mode: int, mode: int) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    folder.chmod(folder_mode)
    path = folder / "scores.db"
    before = os.umask(0o077)
    try:
        enter(scores_of(str(path)), ROOM, ROOM_SOLUTION)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o7777 == mode
    assert [each.name for each in folder.iterdir()] == ["scores.db"]


def damaged(path: str) -> None:
    Path(path).write_bytes(b"no database at all" * 100)


def of_a_later_version(path: str) -> None:
    enter(scores_of(path), ROOM, ROOM_SOLUTION)
    forge(path, "PRAGMA user_version = 2")


def of_another_kind(path: str) -> None:
    ProgressStore.open(path, ticking()).close()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (damaged, "file is not a database"),
        (of_a_later_version, "it was written by a newer sokoterm"),
        (of_another_kind, "found another kind of database"),
    ],
)
def test_a_file_that_is_no_table_of_scores_is_told_of_once_and_left_alone(
    path: str, make: Callable[[str], None], problem: str
) -> None:
    make(path)
    before = Path(path).read_bytes()
    scores, told = watched(path)
    for _ in range(2):
        enter(scores, ROOM, ROOM_SOLUTION)
        assert scores.standing(ROOM) == NOBODY
    scores.close()
    assert told == [f"{path}: {problem}: the score table is off"]
    assert Path(path).read_bytes() == before


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = str(tmp_path / "missing" / "scores.db")
    scores, told = watched(path)
    assert scores.standing(ROOM) == NOBODY
    enter(scores, ROOM, ROOM_SOLUTION)
    assert told == [f"{path}: No such file or directory: the score table is off"]


@pytest.mark.skipif(is_root, reason="root may write everywhere")
def test_a_file_that_may_only_be_read_still_shows_the_best(path: str) -> None:
    enter(scores_of(path), ROOM, ROOM_SOLUTION)
    os.chmod(path, 0o400)
    scores, told = watched(path)
    enter(scores, ROOM, ROOM_SOLUTION)
    best = present(scores.standing(ROOM).by_moves)
    assert best.name == "ann"
    assert told == [f"{path}: the database is read-only: the score table is off"]


@pytest.fixture
def lock(path: str) -> Iterator[sqlite3.Connection]:
    """Keep the file locked, as another program would."""
    enter(scores_of(path, "zoe"), ONE_BOX, with_detours(9))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield connection


def test_what_is_locked_is_written_later(path: str, lock: sqlite3.Connection) -> None:
    scores = scores_of(path)
    enter(scores, ONE_BOX, with_detours(0))
    lock.execute("ROLLBACK")
    enter(scores, ROOM, ROOM_SOLUTION)
    best = present(scores.standing(ONE_BOX).by_moves)
    assert best.name == "ann"


def test_a_lock_for_ever_is_told_of_once(path: str, lock: sqlite3.Connection) -> None:
    scores, told = watched(path)
    enter(scores, ONE_BOX, with_detours(0))
    scores.close()
    assert scores.standing(ONE_BOX) == NOBODY
    assert told == [f"{path}: the database is locked by another program: the score table is off"]
    assert lock.in_transaction


def _as_account(uid: int, gid: int, job: Callable[[], None]) -> int:
    """Run a function in a process of another account; return the wait status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.setgroups([gid])
            os.setgid(uid)
            os.setuid(uid)
            os.umask(0o077)
            job()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1]


def _die_in_the_middle(path: str) -> None:
    """Leave a hot journal: changed pages are on disk, but the transaction is unfinished."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM score")
    connection.execute("CREATE TABLE large AS SELECT zeroblob(1000000)")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not is_root, reason="only root can become other accounts")
def test_accounts_of_one_group_write_one_file_and_take_up_what_a_killed_one_left() -> None:
    group = 65533
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, 0, group)
        os.chmod(folder, 0o2770)
        path = os.path.join(folder, "scores.db")
        scores_of(path).standing(ROOM)  # import everything now: the other account may not read the source
        for uid, name in ((65531, "ann"), (65532, "bob")):
            assert _as_account(uid, group, partial(enter, scores_of(path, name), ROOM, ROOM_SOLUTION)) == 0
        assert os.stat(path).st_gid == group
        assert os.WIFSIGNALED(_as_account(65531, group, partial(_die_in_the_middle, path)))
        assert os.path.getsize(path + "-journal") > 0
        assert _as_account(65532, group, partial(enter, scores_of(path, "cid"), ROOM, ROOM_SOLUTION)) == 0
        assert {row[0] for row in rows(path)} == {"ann", "bob", "cid"}
        assert sorted(os.listdir(folder)) == ["scores.db"]
        check(path)


def test_processes_at_once_lose_nothing(path: str) -> None:
    writers = [writer("score", path, name, 15) for name in ("a", "b", "c")]
    said = [writer.communicate(timeout=120)[0].split() for writer in writers]
    assert said == [list(map(str, range(15)))] * 3
    assert {row[0] for row in rows(path)} == {f"{name}{number}" for name in "abc" for number in range(15)}
    check(path)


def test_what_was_confirmed_survives_kills(path: str) -> None:
    dice = random.Random(1)
    confirmed: set[str] = set()
    for turn in range(4):
        name = f"t{turn}-"
        with writer("score", path, name, 0) as process:
            assert process.stdout is not None
            said = [process.stdout.readline()]
            time.sleep(dice.random() * 0.1)
            process.kill()
            said += process.stdout.readlines()
        confirmed |= {f"{name}{line.strip()}" for line in said if line.endswith("\n")}
        assert confirmed <= {row[0] for row in rows(path)}
        check(path)
        assert scores_of(path).standing(ONE_BOX).by_moves is not None


def run_of(seed: int, floors: int, *, is_over: bool = False) -> RunScore:
    return RunScore("", seed, 1000.5, is_over, floors, 3, 2, 1, 0, 50, 120, 61.5)


def test_a_run_stands_there_as_it_was_told_last(path: str) -> None:
    ann, bob = (ScoreTable(path, name, lambda: 0.0, pytest.fail) for name in ("ann", "bob"))
    assert bob.runs() == []
    ann.record_run(run_of(7, 1))
    ann.record_run(run_of(7, 2, is_over=True))
    bob.record_run(run_of(7, 3))
    runs = ann.runs()
    assert [(run.name, run.floors, run.is_over) for run in runs] == [("bob", 3, False), ("ann", 2, True)]
    assert runs[0]._replace(name="") == run_of(7, 3)


def test_a_row_that_is_no_run_is_passed_over(path: str) -> None:
    scores = ScoreTable(path, "ann", lambda: 0.0, pytest.fail)
    scores.record_run(run_of(7, 1))
    with closing(sqlite3.connect(path)) as connection, connection:
        forged = "INSERT INTO run VALUES (?, ?, 1000.5, 0, ?, 0, 0, 0, 0, 0, 0, 1.0)"
        connection.executemany(forged, [("eve\x1b[2J", 8, 5), ("mal", 9, "many"), ("zoe", 9, -1), (b"\xff", 10, 1)])
        connection.executemany(forged, [("", 11, 9), (" ", 12, 9)])
    assert [(run.name, run.floors) for run in scores.runs()] == [("eve?[2J", 5), ("ann", 1)]


def test_a_table_of_runs_that_was_made_by_others_is_read_by_its_columns(path: str) -> None:
    problems: list[str] = []
    scores = ScoreTable(path, "ann", lambda: 0.0, problems.append)
    scores.record_run(run_of(7, 1))
    forge(path, "CREATE TABLE other AS SELECT *, 1 AS more FROM run; DROP TABLE run; ALTER TABLE other RENAME TO run")
    assert [(run.name, run.floors) for run in scores.runs()] == [("ann", 1)]
    forge(path, "ALTER TABLE run RENAME COLUMN seed TO grain")
    assert (scores.runs(), len(problems)) == ([], 1)


def test_of_many_forged_rows_a_few_are_replayed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(scores_of(path, "zoe"), ROOM, ROOM_SOLUTION)
    values = "hash, best_by, 'mallory' || i, 4, 3, start_row, start_column, 'LURd', date"
    forge(path, f"{_HUNDRED} INSERT INTO score SELECT {values} FROM n, score WHERE name = 'zoe'")
    replayed: list[str] = []

    def counting(level: Level, start: tuple[int, int], lurd: str, frame: Canonical) -> Solution | None:
        replayed.append(lurd)
        return solution_from_canonical(level, start, lurd, frame)

    monkeypatch.setattr(score_table, "solution_from_canonical", counting)
    assert scores_of(path).standing(ROOM) == NOBODY
    assert replayed == ["LURd"] * 40, "twenty by moves, twenty by pushes"


@pytest.mark.parametrize("column", ["name", "lurd", "date"])
def test_a_row_larger_than_any_solution_costs_its_level_alone(path: str, column: str) -> None:
    """It is never read: whoever put it there might as well have deleted the rows of the level."""
    enter(scores_of(path), ROOM, ROOM_SOLUTION)
    enter(scores_of(path), TWO_WAYS, FEWEST_MOVES)
    with closing(sqlite3.connect(path)) as connection, connection:
        columns = [f":{each}" if each == column else each for each in ("name", "lurd", "date")]
        forge = "INSERT OR REPLACE INTO score SELECT hash, best_by, {}, moves, pushes, start_row, start_column, {}, {} "
        connection.execute(
            forge.format(*columns) + "FROM score WHERE hash = :hash",
            {column: "r" * 5_000_000, "hash": canonical(ROOM).hash},
        )
    scores, told = watched(path)
    tracemalloc.start()
    assert [scores.standing(ROOM) for _ in range(3)] == [NOBODY] * 3
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()
    assert scores.standing(TWO_WAYS).by_moves is not None
    enter(scores, ROOM, ROOM_SOLUTION)
    enter(scores, TWO_WAYS, FEWEST_PUSHES)
    assert scores.standing(TWO_WAYS).by_pushes == Score("bob", 12, 2, 1_000_001.0)
    assert told == [f"{path}: string or blob too big: the score table is off"]


def test_everybody_is_asked_however_many_there_are(path: str) -> None:
    for name in ("zoe", "\U0010ffff", "."):
        enter(scores_of(path, name), ONE_BOX, with_detours(1))
    values = "hash, best_by, 'm' || i, moves, pushes, start_row, start_column, lurd, date + 1"
    forge(path, f"{_HUNDRED} INSERT INTO score SELECT {values} FROM n, score WHERE name = 'zoe'")
    forge(path, "UPDATE score SET date = date - 1 WHERE name = 'zoe'")
    best = scores_of(path).standing(ONE_BOX).by_moves
    assert best == Score("zoe", 5, 2, 999_999.0)


_RECURSION = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS i FROM n"

_ENDLESS_TRIGGER = "CREATE TRIGGER other BEFORE INSERT ON score BEGIN SELECT i FROM endless; END"


@pytest.mark.parametrize(
    "schema",
    [
        f"CREATE VIEW endless AS {_RECURSION}; {_ENDLESS_TRIGGER}",
        f"ALTER TABLE score RENAME TO s; CREATE VIEW score AS SELECT s.*, i FROM s, ({_RECURSION})",
    ],
)
def test_a_file_that_does_things_of_its_own_is_told_of_once(path: str, schema: str) -> None:
    enter(scores_of(path, "ann"), ROOM, ROOM_SOLUTION)
    forge(path, schema)
    scores, told = watched(path)
    for _ in range(2):
        enter(scores, ROOM, ROOM_SOLUTION)
        assert scores.standing(ROOM) == NOBODY
        assert scores.runs() == []
    scores.close()
    (problem,) = told
    assert problem.endswith("the score table is off")


def test_a_table_that_takes_too_long_is_given_up_with_one_line(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(scores_of(path, "ann"), ROOM, ROOM_SOLUTION)
    # Without the primary key every query scans the whole table.
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000)"
    forged = "hash, best_by, 'm' || i, 1, 1, 0, 0, 'x', 0.0 FROM n, score WHERE rowid = 1"
    forge(path, f"{_LOOSE}; {rows} INSERT INTO score SELECT {forged}")
    scores, told = watched(path)
    assert scores.standing(ROOM) == NOBODY
    assert told == [f"{path}: it takes too long: the score table is off"]
    monkeypatch.setattr(sqlite3, "connect", pytest.fail)
    assert scores.standing(ROOM) == NOBODY
    assert scores.runs() == []
    enter(scores, ROOM, ROOM_SOLUTION)
    scores.close()
    assert len(told) == 1


@pytest.mark.parametrize(
    "column",
    [
        "lurd TEXT AS (hex(zeroblob(3000000)))",
        "lurd TEXT AS (name LIKE '%a%a%a%a%a%a%a%a%a%a%a%b')",
        f"lurd TEXT AS ({'upper(' * 25}name{')' * 25})",
    ],
)
def test_a_column_that_is_made_anew_at_each_look_is_refused(path: str, column: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        try:
            connection.execute(
                "CREATE TABLE score (hash TEXT, best_by TEXT, name TEXT, moves INTEGER, pushes INTEGER, "
                f"start_row INTEGER, start_column INTEGER, {column}, date REAL)"
            )
        except sqlite3.OperationalError as error:
            pytest.skip(f"this sqlite makes no columns: {error}")
        connection.execute(f"PRAGMA application_id = {0x534F4B4F}")
        values = (canonical(ROOM).hash, "moves", "a" * 900_000, 7, 3, 1, 1, 0.0)
        connection.execute("INSERT INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
    scores, told = watched(path)
    assert scores.standing(ROOM) == NOBODY
    (problem,) = told
    assert problem.endswith("the score table is off")
