"""Helpers for tests of the store: levels, a clock and a player."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import parse_lurd, verify
from sokoterm.store.plays import OpenPlay
from sokoterm.store.progress import ProgressStore
from sokoterm.store.progress_tables import MIGRATIONS
from sokoterm.store.score_table import ScoreTable

ROOM = Level.from_xsb("########\n#@     #\n#  $   #\n#    . #\n########")
ROOM_SOLUTION = "rrDldRR"
# The fewest moves take more pushes than needed here.
TWO_WAYS = Level.from_xsb("######\n#  . #\n#  $ #\n#.$  #\n#@ # #\n######")
FEWEST_MOVES = "rUrULulD"
FEWEST_PUSHES = "uuurrrddlUdL"

HALL = Level.from_xsb("########\n#@$  . #\n#      #\n########")
BOX, ICE, GOAL = (HALL.board.square(1, column) for column in (2, 4, 5))
RINK = varied(HALL, {}, {}, 1 << ICE)
COLORS = varied(HALL, {BOX: 0}, {GOAL: 0})
ALIKE = ((HALL, "RRR"), (RINK, "RR"), (COLORS, "RRR"))
"""Levels of one picture that are of different kinds, with solutions."""


def ticking(start: float = 1_000_000.0) -> Callable[[], float]:
    """Return a clock that advances by one second each time it is read."""
    ticks: Iterator[int] = iter(range(10**9))
    return lambda: start + next(ticks)


def open_store(folder: Path, start: float = 1_000_000.0) -> ProgressStore:
    """Open the store in a folder, asserting that it has no notices."""
    store = ProgressStore.open(str(folder / "progress.db"), ticking(start))
    assert store.notices == []
    return store


LAMP = "  #####\n### .+#\n#  $  #\n#  $  #\n#  #  #\n#######\n"
"""A level of which the lower bound is 6 pushes, the least number 10."""
LAMP_SOLVED = "ddlLruulDllddrURlluRRdRUddrUU"
"""A solution of the fewest moves, 29, and of the fewest pushes."""

# What each older table made of columns that the newest lacks: the rows of a table, whose columns come by their names.
_ONCE = {
    "solution": """SELECT *, 'moves' AS best_by FROM (SELECT * FROM solution ORDER BY moves, pushes)
        UNION ALL SELECT *, 'pushes' FROM (SELECT * FROM solution ORDER BY pushes, moves)""",
    "edit": "SELECT *, '' AS removed FROM edit",
    "found": "SELECT * FROM found WHERE 0",
}


def turn_back(folder: Path, version: int) -> None:
    """Turn the progress in a folder into that of an older version: its tables, with what they can hold."""
    with closing(sqlite3.connect(folder / "progress.db")) as newest:
        newest.row_factory = lambda cursor, row: dict(zip([name for name, *__ in cursor.description], row))
        with closing(sqlite3.connect(folder / "older.db")) as older, older:
            for statement in (each for statements in MIGRATIONS[:version] for each in statements):
                older.execute(statement)
            for (table,) in older.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                columns = [name for __, name, *__ in older.execute(f"PRAGMA table_info({table})")]
                for row in newest.execute(_ONCE.get(table, f"SELECT * FROM {table}")).fetchall():
                    shared = {name: row[name] for name in columns if name in row}
                    statement = f"INSERT OR IGNORE INTO {table} ({', '.join(shared)}) VALUES (:{', :'.join(shared)})"
                    older.execute(statement, shared)
            older.execute(f"PRAGMA user_version = {version}")
        with closing(sqlite3.connect(folder / "older.db")) as older:
            older.backup(newest)
    (folder / "older.db").unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the progress in a folder against reading and writing, as another program would."""
    with closing(sqlite3.connect(folder / "progress.db", isolation_level=None)) as blocker:
        # With a rollback journal a writer would let others read.
        blocker.execute("PRAGMA journal_mode = DELETE")
        blocker.execute("BEGIN EXCLUSIVE")
        yield


def spoil(folder: Path, *statements: str) -> None:
    """Change the progress in a folder as another program may: sqlite takes anything in any column."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def enter(scores: ScoreTable, level: Level, lurd: str) -> None:
    """Enter a solution in a score table; raises LurdError if it is none."""
    scores.enter(level, verify(level.board, level.start, lurd))


class Player:
    """Player of one level who saves as the game does."""

    def __init__(self, store: ProgressStore, level: Level) -> None:
        self.store = store
        self.level = level
        self.play: OpenPlay | None = store.load_play(level)
        play = self.play
        self.game = Game(level) if play is None else Game(level, play.edits, play.cursor, play.bookmarks)

    def moves(self, lurd: str) -> str | None:
        """Make moves, each as one command, saving after each; return the result of the last save."""
        problem = None
        for step in parse_lurd(lurd):
            assert self.game.walk_or_push(step), f"{lurd} is blocked"
            problem = self.save()
        return problem

    def save(self, seconds: float = 0.0) -> str | None:
        """Save the current state."""
        game = self.game
        return self.store.save_play(
            self.level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=game.is_solved
        )


def turned(level: Level, turn: int) -> Level:
    """Return the level after one of the eight symmetries."""
    width = max(map(len, level.rows))
    return Level.from_xsb("\n".join(SYMMETRIES[turn].rows([row.ljust(width, "#") for row in level.rows])))


def corrupt_files(folder: Path) -> list[str]:
    """Return the names of the files set aside."""
    return sorted(path.name for path in folder.iterdir() if ".corrupt-" in path.name)
