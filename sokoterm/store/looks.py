"""The looks that a player chose last, by kind of terminal: kept with the progress, and written with its next save."""

from sokoterm.engine.value import Value
from sokoterm.store.generated import Store
from sokoterm.store.packs import PackError

TABLES = (
    """CREATE TABLE looks (
        terminal TEXT PRIMARY KEY, theme TEXT, zoom INTEGER, palette TEXT, warns INTEGER NOT NULL
    ) WITHOUT ROWID""",
)
VIEW = ("ALTER TABLE looks ADD COLUMN view INTEGER NOT NULL DEFAULT 0",)
"""The view of a later version."""
_SAVE = "INSERT OR REPLACE INTO looks (terminal, theme, zoom, palette, warns, view) VALUES (?, ?, ?, ?, ?, ?)"
_LOAD = "SELECT theme, zoom, palette, warns, view FROM looks WHERE terminal = ?"


class ChosenLooks(Value):
    """A theme, the columns of a square (0: as many as fit) and a palette, by name, None where none was chosen.

    ``warns`` is False if warnings of lost positions are off.  ``view`` is the number of the symmetry in which
    boards are shown while they are played.
    """

    theme: str | None = None
    zoom: int | None = None
    palette: str | None = None
    warns: bool = True
    view: int = 0


def load_looks(store: Store, terminal: str) -> ChosenLooks:
    """Return what was chosen on this kind of terminal; a damaged row counts for nothing."""
    try:
        return next(iter(store.rows(_LOAD, (terminal,), _looks)), ChosenLooks())
    except PackError:  # the database is locked: that is told elsewhere
        return ChosenLooks()


def keep_looks(store: Store, terminal: str, choice: ChosenLooks) -> None:
    """Keep what was chosen on this kind of terminal with the next save."""
    store.keep(
        _SAVE, (terminal,), (terminal, choice.theme, choice.zoom, choice.palette, int(choice.warns), choice.view)
    )


def _looks(theme: str | None, zoom: int | None, palette: str | None, warns: int, view: int) -> ChosenLooks:
    return ChosenLooks(theme, zoom, palette, bool(warns), view)
