"""The tables of levels that the program makes: of days (see ``days``), and of descents and their floors (``runs``)."""

_MADE = "recipe INTEGER NOT NULL, xsb TEXT NOT NULL, lurd TEXT NOT NULL"
_EFFORT = """seconds REAL NOT NULL, undos INTEGER NOT NULL, hints INTEGER NOT NULL, shown INTEGER NOT NULL,
        solved REAL, pushes INTEGER NOT NULL, moves INTEGER NOT NULL"""

TABLES = (
    f"CREATE TABLE day (date TEXT PRIMARY KEY, {_MADE}, {_EFFORT}) WITHOUT ROWID",
    """CREATE TABLE run (
        seed INTEGER NOT NULL, begun REAL NOT NULL, played REAL NOT NULL, ended REAL,
        PRIMARY KEY (seed, begun)
    ) WITHOUT ROWID""",
    f"""CREATE TABLE floor (
        seed INTEGER NOT NULL, begun REAL NOT NULL, number INTEGER NOT NULL, {_MADE}, entered REAL, {_EFFORT},
        PRIMARY KEY (seed, begun, number)
    ) WITHOUT ROWID""",
)
