"""Services: everything a session works with, put together once for whichever face shows it."""

import time
from collections.abc import Callable, Sequence

from sokoterm.app.background import LevelBuilder
from sokoterm.app.catalog import Catalog
from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.app.own_packs import OwnPacks
from sokoterm.app.pack_session import PackSession
from sokoterm.app.series import GeneratedSeries, SeriesEntry
from sokoterm.app.solver import Solver
from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore


class Services(Value):
    """The store, the packs, the solver and the clock of a session.

    ``files`` are the packs a list shows, ``open_pack_session`` reads one and raises PackError if it cannot.
    ``log_crash`` writes a traceback and returns a line that says where. ``make_solver``, ``make_prover`` and
    ``make_builder`` are called with a function that wakes the event loop; None: there is none. ``clock`` returns
    seconds and never goes back. After ``idle_minutes`` without a key the session is saved and ends; None: never.
    ``series`` leads to the generated packs, which a list shows above the others if ``lists_series``. ``own_packs`` are
    those that the player may rename and remove, None where there are none. ``warns`` is False if warnings of lost
    positions are off at first.
    """

    store: ProgressStore
    catalog: Catalog
    files: Sequence[PackFile]
    open_pack_session: Callable[[PackFile], PackSession]
    log_crash: Callable[[str], str]
    make_solver: Callable[[Callable[[], None]], Solver]
    make_prover: Callable[[Callable[[], None]], Prover] | None = None
    make_builder: Callable[[Callable[[], None]], LevelBuilder] | None = None
    keymaps: Keymaps = KEYMAPS
    clock: Callable[[], float] = time.monotonic
    idle_minutes: float | None = None
    series: GeneratedSeries | None = None
    lists_series: bool = False
    warns: bool = True
    own_packs: OwnPacks | None = None

    def series_entries(self) -> Sequence[SeriesEntry]:
        """The generated packs that a list shows."""
        return self.series.entries() if self.series is not None and self.lists_series else ()
