"""Drawings of the editor that are not saved yet: by pack and level, rows of the progress (see ``generated.Store``)."""

from sokoterm.store.generated import Store

TABLES = (
    """CREATE TABLE drawing (
        pack TEXT NOT NULL, level INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (pack, level)
    ) WITHOUT ROWID""",
)
# An empty text stands for none: saves of one row stay in their order, as a deletion beside them would not.
_SAVE = "INSERT OR REPLACE INTO drawing VALUES (?, ?, ?)"
_LOAD = "SELECT text FROM drawing WHERE pack = ? AND level = ?"


def load_drawing(store: Store, pack: str, level: int) -> str:
    """Return the text of a drawing, empty for none; raises PackError if it cannot be read now."""
    return next(iter(store.rows(_LOAD, (pack, level), str)), "")


def kept_numbers(store: Store, pack: str) -> list[int]:
    """Return the numbers of the levels of a pack with a drawing; raises PackError if they cannot be read now."""
    return store.rows("SELECT level FROM drawing WHERE pack = ? AND text != '' ORDER BY level", (pack,), int)


def keep_drawing(store: Store, pack: str, level: int, text: str) -> None:
    """Keep the text of a drawing with the next save; an empty one drops it."""
    store.keep(_SAVE, (pack, level), (pack, level, text))
