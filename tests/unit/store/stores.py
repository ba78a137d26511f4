"""Helpers for tests of the store: levels, a clock and a player."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import expand, parse_lurd, verify
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

# The tables added by each version of the database, from the second on; the sixth dropped a column, the last but one
# made two tables anew.
_BROUGHT = (
    ("board",), ("plain_pack",), ("day", "run", "floor"), ("help", "helped", "last_pack"), (), ("looks",),
    ("day_played",), ("found",), (), ("letslogic_collection", "letslogic_sent"), ("drawing",),
    (), ("proven",),
)  # fmt: skip
_WITH_REMOVED = """CREATE TABLE edit (
    play INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    removed TEXT NOT NULL,
    added TEXT NOT NULL,
    PRIMARY KEY (play, number)
) WITHOUT ROWID"""


def turn_back(folder: Path, version: int) -> None:
    """Turn the progress in a folder into that of an older version, without the later tables."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection, connection:
        for tables in _BROUGHT[version - 1 :]:
            for table in tables:
                connection.execute(f"DROP TABLE {table}")
        if version > 8:
            connection.execute("DROP TABLE found")
            connection.execute(MIGRATIONS[8][0])
        connection.execute("ALTER TABLE solution RENAME TO solution_once")
        connection.execute(MIGRATIONS[0][0])
        for metric, order in (("moves", "moves, pushes"), ("pushes", "pushes, moves")):
            rows = f"hash, start_row, start_column, '{metric}', lurd, moves, pushes FROM solution_once"
            connection.execute(f"INSERT OR IGNORE INTO solution SELECT {rows} ORDER BY {order}")
        connection.execute("DROP TABLE solution_once")
        edits = connection.execute("SELECT play, number, at, added FROM edit ORDER BY play, number").fetchall()
        connection.execute("DROP TABLE edit")
        connection.execute(_WITH_REMOVED)
        letters: list[str] = []
        for play, number, at, added in edits:
            moves = expand(added, 1_000_000)
            removed = "".join(letters[at:]) if number else ""
            letters[at if number else 0 :] = moves
            connection.execute("INSERT INTO edit VALUES (?, ?, ?, ?, ?)", (play, number, at, removed, moves))
        connection.execute(f"PRAGMA user_version = {version}")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the progress in a folder against reading and writing, as another program would."""
    with closing(sqlite3.connect(folder / "progress.db", isolation_level=None)) as blocker:
        # With a rollback journal a writer would let others read.
        blocker.execute("PRAGMA journal_mode = DELETE")
        blocker.execute("BEGIN EXCLUSIVE")
        yield


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
