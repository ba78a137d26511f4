"""Tables of progress.db, by version: everything that is stored about a person.

Solutions are stored under the level hash, in canonical orientation with their start; open plays and bookmarks under the
Exact-Id; everything about packs under their keys.
"""

_MADE = "recipe INTEGER NOT NULL, xsb TEXT NOT NULL, lurd TEXT NOT NULL"
_EFFORT = """seconds REAL NOT NULL, undos INTEGER NOT NULL, hints INTEGER NOT NULL, shown INTEGER NOT NULL,
        solved REAL, pushes INTEGER NOT NULL, moves INTEGER NOT NULL"""

# The new number of each level in the packs that were put in order of difficulty.
_REORDERED = {
    "bundled:one-evening.txt": """
        4 17 18 32 10 27 28 21 37 30 6 20 15 38 3 40 29 22 2 36 14 25 34 31 26 23 11 12 9 7 5 19 1 24 13 35 39 8
        16 33
    """,
    "bundled:one-long-night.txt": """
        12 7 16 21 13 29 2 18 1 22 6 35 9 17 5 31 37 15 27 3 14 11 34 24 40 8 20 4 32 38 28 39 10 26 33 23 30 19
        25 36
    """,
    "bundled:one-rainy-day.txt": """
        6 1 16 11 13 3 4 12 7 27 10 14 15 5 28 9 29 23 30 8 24 36 18 32 35 21 34 2 19 22 33 26 39 17 37 40 31 25
        20 38
    """,
    "bundled:one-weekend.txt": """
        5 2 4 19 21 8 18 12 35 3 16 22 6 7 13 24 1 25 11 10 38 15 29 17 9 27 28 37 30 20 31 39 23 14 36 34 26 40
        33 32
    """,
    "bundled:variants-forty-colours.txt": """
        10 9 3 12 16 17 19 20 29 25 1 2 28 11 18 13 14 23 30 15 7 32 35 22 36 40 33 24 26 31 5 8 6 21 4 38 34 27
        39 37
    """,
    "bundled:variants-forty-on-ice.txt": """
        5 6 10 4 19 13 3 1 2 15 16 11 17 8 21 18 31 29 35 25 12 7 27 9 24 23 37 38 36 30 20 33 34 32 26 39 22 14
        28 40
    """,
    "bundled:variants-forty-cold-colours.txt": """
        2 1 4 7 8 16 15 10 11 33 3 12 19 9 13 20 36 22 5 25 6 29 17 23 28 14 24 38 39 40 21 30 18 26 34 35 27 37
        31 32
    """,
}


def renumbered(pack: str, level: int) -> int:
    """Return the new number of a level, given the one it had before packs were put in order of difficulty."""
    numbers = _REORDERED.get(pack, "").split()
    return int(numbers[level - 1]) if 1 <= level <= len(numbers) else level


def _renumbered(table: str) -> tuple[str, ...]:
    """Return the statements that renumber the levels of reordered packs.

    Negative numbers are free meanwhile, after those that earlier imports may have left are deleted.
    """
    moved = [
        f"""UPDATE {table} SET level = -CASE level
            {" ".join(f"WHEN {old} THEN {new}" for old, new in enumerate(numbers.split(), start=1))}
            END WHERE pack = '{pack}' AND level BETWEEN 1 AND {len(numbers.split())}"""
        for pack, numbers in _REORDERED.items()
    ]
    return (f"DELETE FROM {table} WHERE level < 0", *moved, f"UPDATE {table} SET level = -level WHERE level < 0")


# To change the tables, append an entry; earlier ones never change.
MIGRATIONS = (
    (
        """CREATE TABLE solution (
            hash TEXT NOT NULL,
            start_row INTEGER NOT NULL,
            start_column INTEGER NOT NULL,
            best_by TEXT NOT NULL,
            lurd TEXT NOT NULL,
            moves INTEGER NOT NULL,
            pushes INTEGER NOT NULL,
            PRIMARY KEY (hash, start_row, start_column, best_by)
        ) WITHOUT ROWID""",
        """CREATE TABLE puzzle (
            hash TEXT PRIMARY KEY,
            first_solved REAL,
            last_solved REAL,
            seconds REAL NOT NULL DEFAULT 0
        ) WITHOUT ROWID""",
        # Where the player left each pack.
        "CREATE TABLE place (pack TEXT PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID",
        """CREATE TABLE play (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            exact_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            cursor INTEGER NOT NULL,
            is_solved INTEGER NOT NULL,
            saved REAL NOT NULL
        )""",
        "CREATE INDEX play_of_level ON play (exact_id, saved)",
        """CREATE TABLE edit (
            play INTEGER NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            removed TEXT NOT NULL,
            added TEXT NOT NULL,
            PRIMARY KEY (play, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE bookmark (
            exact_id TEXT NOT NULL,
            name TEXT NOT NULL,
            lurd TEXT NOT NULL,
            PRIMARY KEY (exact_id, name)
        ) WITHOUT ROWID""",
    ),
    # Boards of levels with progress, for exports: by the level hash of a solution or the Exact-Id of a play.
    ("CREATE TABLE board (id TEXT PRIMARY KEY, xsb TEXT NOT NULL, title TEXT NOT NULL) WITHOUT ROWID",),
    # Packs in which the player has turned walk-to and push-to off.
    ("CREATE TABLE plain_pack (pack TEXT PRIMARY KEY, is_plain INTEGER NOT NULL) WITHOUT ROWID",),
    # Daily levels; descents by seed and start, with their floors.
    (
        f"CREATE TABLE day (date TEXT PRIMARY KEY, {_MADE}, {_EFFORT}) WITHOUT ROWID",
        """CREATE TABLE run (
            seed INTEGER NOT NULL, begun REAL NOT NULL, played REAL NOT NULL, ended REAL,
            PRIMARY KEY (seed, begun)
        ) WITHOUT ROWID""",
        f"""CREATE TABLE floor (
            seed INTEGER NOT NULL, begun REAL NOT NULL, number INTEGER NOT NULL, {_MADE}, entered REAL, {_EFFORT},
            PRIMARY KEY (seed, begun, number)
        ) WITHOUT ROWID""",
    ),
    (
        # The moves up to each hint in an open play, and up to where a solution was shown.
        "CREATE TABLE help (exact_id TEXT NOT NULL, lurd TEXT NOT NULL, PRIMARY KEY (exact_id, lurd)) WITHOUT ROWID",
        # The puzzles that were never solved without help.
        "CREATE TABLE helped (hash TEXT PRIMARY KEY) WITHOUT ROWID",
        # One row at most.
        "CREATE TABLE last_pack (row INTEGER PRIMARY KEY CHECK (row = 1), pack TEXT NOT NULL)",
    ),
    # Drops what an edit removed, which earlier edits tell; from here on moves have repeat counts (``3rU``).
    (
        "ALTER TABLE edit RENAME TO edit_with_removed",
        """CREATE TABLE edit (
            play INTEGER NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            added TEXT NOT NULL,
            PRIMARY KEY (play, number)
        ) WITHOUT ROWID""",
        "INSERT INTO edit SELECT play, number, at, added FROM edit_with_removed",
        "DROP TABLE edit_with_removed",
    ),
    (
        """CREATE TABLE looks (
            terminal TEXT PRIMARY KEY, theme TEXT, zoom INTEGER, palette TEXT, warns INTEGER NOT NULL
        ) WITHOUT ROWID""",
    ),
    # The seconds played on each local day.
    ("CREATE TABLE day_played (day TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID",),
    # Known solutions that are not the person's own, from no pack that is there.
    (
        """CREATE TABLE found (
            hash TEXT NOT NULL,
            start_row INTEGER NOT NULL,
            start_column INTEGER NOT NULL,
            best_by TEXT NOT NULL,
            lurd TEXT NOT NULL,
            count INTEGER NOT NULL,
            moves INTEGER NOT NULL,
            pushes INTEGER NOT NULL,
            credit TEXT NOT NULL,
            PRIMARY KEY (hash, start_row, start_column, best_by)
        ) WITHOUT ROWID""",
    ),
    # The symmetry in which boards are shown while they are played.
    ("ALTER TABLE looks ADD COLUMN view INTEGER NOT NULL DEFAULT 0",),
    # What was fetched from letslogic.com and sent there.
    (
        """CREATE TABLE letslogic_collection (
            server TEXT NOT NULL,
            id INTEGER NOT NULL,
            title TEXT NOT NULL,
            PRIMARY KEY (server, id)
        ) WITHOUT ROWID""",
        """CREATE TABLE letslogic_sent (
            person TEXT NOT NULL,
            level INTEGER NOT NULL,
            moves INTEGER NOT NULL,
            pushes INTEGER NOT NULL,
            is_accepted INTEGER NOT NULL,
            date REAL NOT NULL,
            PRIMARY KEY (person, level, moves, pushes)
        ) WITHOUT ROWID""",
    ),
    # Drawings of the editor that are not saved yet; an empty text stands for none.
    (
        """CREATE TABLE drawing (
            pack TEXT NOT NULL, level INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (pack, level)
        ) WITHOUT ROWID""",
    ),
    # Each solution is kept in one row, however many metrics it is the best by; in ``found`` a figure is NULL where
    # another solution was better.
    (
        "ALTER TABLE found RENAME TO found_by_metric",
        """CREATE TABLE found (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL,
            start_row INTEGER NOT NULL,
            start_column INTEGER NOT NULL,
            lurd TEXT NOT NULL,
            credit TEXT NOT NULL,
            moves INTEGER,
            pushes INTEGER,
            box_lines INTEGER,
            box_changes INTEGER,
            pushing_sessions INTEGER
        )""",
        """INSERT INTO found
            SELECT NULL, hash, start_row, start_column, lurd, min(credit), min(moves), min(pushes),
                min(CASE best_by WHEN 'box_lines' THEN count END), min(CASE best_by WHEN 'box_changes' THEN count END),
                min(CASE best_by WHEN 'pushing_sessions' THEN count END)
            FROM found_by_metric GROUP BY hash, start_row, start_column, lurd""",
        "DROP TABLE found_by_metric",
        "CREATE INDEX found_of_level ON found (hash)",
        "ALTER TABLE solution RENAME TO solution_by_metric",
        """CREATE TABLE solution (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL,
            start_row INTEGER NOT NULL,
            start_column INTEGER NOT NULL,
            lurd TEXT NOT NULL,
            moves INTEGER NOT NULL,
            pushes INTEGER NOT NULL
        )""",
        """INSERT INTO solution SELECT NULL, hash, start_row, start_column, lurd, min(moves), min(pushes)
            FROM solution_by_metric GROUP BY hash, start_row, start_column, lurd""",
        "DROP TABLE solution_by_metric",
        "CREATE INDEX solution_of_level ON solution (hash)",
    ),
    # The fewest moves or pushes that solve a level from a start.
    (
        """CREATE TABLE proven (
            hash TEXT NOT NULL,
            start_row INTEGER NOT NULL,
            start_column INTEGER NOT NULL,
            metric TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (hash, start_row, start_column, metric)
        ) WITHOUT ROWID""",
    ),
    # A second row: the pack played last that is not generated.
    (
        "CREATE TABLE last (row INTEGER PRIMARY KEY, pack TEXT NOT NULL)",
        "INSERT INTO last SELECT 1, pack FROM last_pack UNION SELECT 2, pack FROM last_pack",
        "DROP TABLE last_pack",
        "ALTER TABLE last RENAME TO last_pack",
    ),
    # The fewest moves and pushes of all players of letslogic.com, NULL where unknown.
    (
        """CREATE TABLE letslogic_best (
            hash TEXT PRIMARY KEY, moves INTEGER, pushes INTEGER
        ) WITHOUT ROWID""",
    ),
    # Places and drawings keep their levels.
    (*_renumbered("place"), *_renumbered("drawing")),
)
