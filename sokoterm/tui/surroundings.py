"""What the app gets from outside."""

from collections.abc import Callable, Sequence

from sokoterm.engine.value import Value
from sokoterm.library.packs import PackFile
from sokoterm.library.progress import Progress as ProgressStore
from sokoterm.tui.course import Course
from sokoterm.tui.deadlock_warning import MakeProver
from sokoterm.tui.keymap import KEYMAPS, Keymaps
from sokoterm.tui.level_builder import MakeBuilder
from sokoterm.tui.shelf import Shelf
from sokoterm.tui.solver_service import SolverService
from sokoterm.tui.terminal import Counts, Terminal
from sokoterm.tui.theme import Theme


class Surroundings(Value):
    """What the app gets from outside.

    ``shelf`` leads to what is known of packs without reading them, ``files`` are the packs the browser lists,
    ``open_course`` reads one (PackError where it cannot); ``clock`` gives seconds that never go back; ``themes``
    are what the terminal can show, ``keymaps`` the keys in force; ``log_crash`` writes the traceback of a crashed
    search and says where; ``make_solver`` brings the solver, which wakes the loop by its argument, and ``make_prover``
    in the same way what seeks a proof that a position is lost.  Moves that the player has found are shown at
    ``animation`` moves a second, 0 shows their end at once.  After ``idle_minutes`` without a key or the mouse (None:
    never) the session is saved and ends.  ``statistics`` are told what is read and painted, if they are
    wanted.  ``make_builder`` brings what makes levels as they are wanted.
    """

    terminal: Terminal
    store: ProgressStore
    shelf: Shelf
    files: Sequence[PackFile]
    open_course: Callable[[PackFile], Course]
    clock: Callable[[], float]
    themes: Sequence[Theme]
    log_crash: Callable[[str], str]
    make_solver: Callable[[Callable[[], None]], SolverService]
    animation: int
    make_prover: MakeProver | None = None
    keymaps: Keymaps = KEYMAPS
    idle_minutes: float | None = None
    statistics: Counts | None = None
    make_builder: MakeBuilder | None = None
