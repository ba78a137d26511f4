"""Tables of the index ``library.db``, as each version has added to them."""

_TABLES = (
    """CREATE TABLE pack (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        time INTEGER NOT NULL,
        reader TEXT NOT NULL,
        title TEXT NOT NULL,
        levels INTEGER NOT NULL,
        unreadable INTEGER NOT NULL
    )""",
    """CREATE TABLE level (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (pack, number)
    ) WITHOUT ROWID""",
    "CREATE INDEX level_by_hash ON level (hash)",
    """CREATE TABLE known (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        credit TEXT NOT NULL,
        PRIMARY KEY (pack, number, place)
    ) WITHOUT ROWID""",
    "CREATE INDEX known_by_hash ON known (hash)",
)
_AUTHORS = ("ALTER TABLE pack ADD COLUMN author TEXT NOT NULL DEFAULT ''",)
_GRADES = (
    """CREATE TABLE grade (
        hash TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        number INTEGER NOT NULL,
        shown TEXT NOT NULL
    ) WITHOUT ROWID""",
)
# ``words`` are ``folded``: the title and author of a level, a line each, and the title and name of a pack.
_FIGURES = (
    "ALTER TABLE pack ADD COLUMN words TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE level ADD COLUMN exact_id TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE level ADD COLUMN author TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE level ADD COLUMN words TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE level ADD COLUMN width INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN height INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN boxes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN estimate INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN is_sample INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX level_of_sample ON level (pack) WHERE is_sample",
)
_EXACT_IDS = ("CREATE INDEX level_by_exact_id ON level (exact_id)",)
_KINDS = (
    "ALTER TABLE level ADD COLUMN goals INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN floor INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE level ADD COLUMN kinds TEXT NOT NULL DEFAULT ''",
)
_FIGURES_OF_GRADES = ("ALTER TABLE grade ADD COLUMN figures TEXT NOT NULL DEFAULT ''",)
_RECORDS = (
    "ALTER TABLE level ADD COLUMN has_more INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX level_with_more ON level (hash) WHERE has_more",
)
MIGRATIONS = (_TABLES, _AUTHORS, _GRADES, _FIGURES, _EXACT_IDS, _KINDS, _FIGURES_OF_GRADES, _RECORDS)
"""The statements that bring the index from each version to the next one."""
