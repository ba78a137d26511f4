"""Starts of the program over damaged databases: a line says what is lost, and play goes on."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest

from sokoterm.store.progress import ProgressStore
from tests.slow import others_slow, slow
from tests.unit.commands.command import Command
from tests.unit.commands.starts import DATABASES, Starts

Value = str | int | float | bytes | None
ILL_FORMED = "CAST(x'80ff41' AS TEXT)"
"""A text that is no UTF-8."""
WRONG: tuple[Value, ...] = (
    ILL_FORMED, None, b"", b"\xff\xfe", "", "x", "12\n", "\x00", "\x1b[2J", "9" * 5000, -1, 2**62, 9.5, -9.2e18, 1e300,
    float("inf"),
)  # fmt: skip
# How many harms of a kind are done to a database: bits, and then a value of each kind to some column.
FEW, MANY = 1, 20
# Header bytes of a later sqlite's write format, and of a later sokoterm's tables: such a file is left alone.
VERSIONS = {18, *range(60, 64)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all starts: they play for a while once."""
    return tmp_path_factory.mktemp("starts")


@pytest.fixture
def starts(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Starts:
    """Starts over the files of someone who has played for a while."""
    starts = Starts(Command(folder, monkeypatch, capsys), monkeypatch)
    if kept_of(starts).exists():
        restore(starts)
    else:
        starts.fill()
        shutil.copytree(starts.data, kept_of(starts))
    return starts


def kept_of(starts: Starts) -> Path:
    return starts.data.with_name("kept")


def restore(starts: Starts) -> None:
    """Have the files as they were before any harm."""
    shutil.rmtree(starts.data)
    shutil.copytree(kept_of(starts), starts.data)


def check(starts: Starts, harms: Iterable[Callable[[], None]]) -> None:
    """The program starts after each harm done to the files as they were, and keeps what is played then, or says not."""
    for harm in harms:
        restore(starts)
        harm()
        for result in starts.starts():
            assert result.status in (0, 2, 74), harm  # 74: progress is lost, and that is told
            assert "Traceback" not in result.err, harm
        store = ProgressStore.open(str(starts.data / "progress.db"), lambda: 0.0)
        assert store.is_on_disk or store.notices, harm
        store.close()


def test_files_that_are_whole(starts: Starts) -> None:
    for result in starts.starts():
        assert (result.status, result.err) == (0, "")


def flip(path: Path, place: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)


@pytest.mark.parametrize("sample", others_slow([FEW, MANY]))
@pytest.mark.parametrize("name", DATABASES)
def test_flipped_bits(starts: Starts, name: str, sample: int) -> None:
    random, path = Random(7), starts.data / name
    # Bytes that are zero are mostly unused.
    places = [place for place, byte in enumerate(path.read_bytes()) if byte and place not in VERSIONS]
    check(starts, [partial(flip, path, random.choice(places), random.randrange(8)) for _ in range(sample)])


@pytest.mark.parametrize("words", others_slow([b"TABLE", b"NULL", b"ROWID"]))
@pytest.mark.parametrize("name", DATABASES)
def test_names_in_the_schema_that_are_no_utf_8(starts: Starts, name: str, words: bytes) -> None:
    path = starts.data / name
    check(starts, [partial(flip, path, path.read_bytes().index(words), 7)])


def columns_of(path: Path) -> list[tuple[str, str]]:
    """Every table and column."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        tables = [name for (name,) in connection.execute(query).fetchall()]
        return [
            (table, column) for table in tables for (_, column, *_) in connection.execute(f"PRAGMA table_info({table})")
        ]


def put(path: Path, table: str, column: str, value: Value) -> None:
    """Have a value in a column of all rows, or of one where they must differ, whatever the table asks for."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        change = "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = ?"
        for kind in ("TEXT", "INTEGER", "REAL"):
            connection.execute(change.replace("NOT NULL", f"{kind} NOT NULL"), (table,))
        connection.execute(change, (table,))
        connection.commit()
    with closing(sqlite3.connect(path)) as connection, connection:
        stands, values = (value, ()) if value is ILL_FORMED else ("?", (value,))
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {stands}", values)
        except sqlite3.IntegrityError:  # the number of a row is always a number
            return


@pytest.mark.parametrize("sample", others_slow([FEW, MANY]))
@pytest.mark.parametrize("name", DATABASES)
def test_values_of_the_wrong_type(starts: Starts, name: str, sample: int) -> None:
    path = starts.data / name
    harms = [partial(put, path, *place, value) for place in columns_of(path) for value in WRONG]
    check(starts, Random(7).sample(harms, min(sample, len(harms))))


FOREIGN = (
    "CREATE TRIGGER t BEFORE INSERT ON {0} BEGIN SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER t AFTER INSERT ON {0} BEGIN DELETE FROM {0}; END",
    "CREATE VIEW another AS SELECT * FROM {0}",
    "ALTER TABLE {0} RENAME TO old; CREATE VIEW {0} AS SELECT * FROM old",
    "DROP TABLE {0}; CREATE VIEW {0} AS SELECT 1 AS one",
    "DROP TABLE {0}; CREATE TABLE {0} (one, two)",
)


@pytest.mark.parametrize("statements", others_slow(FOREIGN, 2))
@pytest.mark.parametrize(
    ("name", "table"), [("progress.db", "play"), slow("library.db", "pack"), slow("scores.db", "score")]
)
def test_tables_that_others_have_changed(starts: Starts, name: str, table: str, statements: str) -> None:
    def change() -> None:
        with closing(sqlite3.connect(starts.data / name)) as connection:
            connection.executescript(statements.format(table))

    check(starts, [change])
