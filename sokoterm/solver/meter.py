"""Meter: counts the work of a search, checks its limits, and builds its progress reports and outcome."""

from collections.abc import Iterator, Sized
from contextlib import contextmanager

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.rules import is_solved
from sokoterm.solver.protocol import Feature, Limits, Outcome, Progress, Reason, Status

# Interval between measurements of the process's memory.
_LOOK_SECONDS = 0.01

# Most children between two yields, and the most work where a child is expensive: it costs a flood fill over the bits
# of the board, and a row of the matching for each settled goal.
_MOST_CHILDREN = 256
_MOST_WORK = 1 << 16

# More pushes than any solution has.
NONE_YET = 1 << 30


class LimitReached(Exception):  # noqa: N818 - the end of a search, not an error
    """Raised when a search reaches a limit; it then returns ``Meter.stopped``."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Meter:
    """Counters of one search, checked against its limits.

    ``nodes`` counts expanded states, ``stored`` remembered ones.  ``depth``, ``lower_bound`` and ``best`` (the last
    solution, NONE_YET before the first) are in pushes.  ``nearest`` and ``features`` become ``best`` and ``features``
    of Progress.  ``bytes_per_state``: memory per stored state in addition to its boxes, for an estimate where memory
    cannot be measured.
    """

    def __init__(self, strategy: str, board: Board, limits: Limits, bytes_per_state: int) -> None:
        bits = board.stride * board.height
        self.strategy = strategy
        self.nodes = 0
        self.stored = 0
        self.depth = 0
        self.lower_bound = 0
        self.best = NONE_YET
        self.nearest: Bitboard = 0
        self.features: tuple[Feature, ...] = ()
        self._board = board
        self._limits = limits
        self._began = limits.clock()
        self._looked = -_LOOK_SECONDS
        self._tables: list[Sized] = []
        self._most_stored = limits.states
        if not limits.resident():
            self._most_stored = min(limits.states, limits.memory // (bytes_per_state + bits // 7))
        self._children_per_yield = max(1, min(_MOST_CHILDREN, _MOST_WORK // (bits + board.goals.bit_count() ** 2)))
        self._children = 0
        self._repeatable = True

    @property
    def memory(self) -> int:
        """The bytes that the process may take."""
        return self._limits.memory

    @property
    def seconds(self) -> float:
        return self._limits.clock() - self._began

    def progress(self) -> Progress:
        """Return the progress to yield; raise LimitReached if time or memory has run out."""
        seconds = self.seconds
        if seconds >= self._limits.seconds:
            self._repeatable = False
            raise LimitReached(Reason.TIME)
        if seconds - self._looked >= _LOOK_SECONDS:
            self._looked = seconds
            self._check_memory()
        return self._progress(seconds)

    def report(self) -> Progress:
        """Return the progress to yield without checking limits."""
        return self._progress(self.seconds)

    def _progress(self, seconds: float) -> Progress:
        return Progress(
            self.strategy,
            self.nodes,
            self.stored,
            self.depth,
            self.lower_bound,
            seconds,
            self.nearest,
            self.features,
        )

    def watch(self, table: Sized) -> None:
        """Include the next growth of a large dict or set in the memory check."""
        self._tables.append(table)

    @contextmanager
    def watching(self, *tables: Sized) -> Iterator[None]:
        """Include them meanwhile; those that begin to be watched later end before."""
        self._tables += tables
        try:
            yield
        finally:
            del self._tables[-len(tables) :]

    def check(self) -> None:
        """Raise LimitReached if the limit of nodes or states is reached; call before each node."""
        if self.nodes >= self._limits.nodes:
            raise LimitReached(Reason.NODES)
        if self.stored >= self._most_stored:
            raise LimitReached(Reason.STATES if self._most_stored == self._limits.states else Reason.MEMORY)

    def is_due(self) -> bool:
        """True if the search must yield now; call once for each child, or for as much other work."""
        self._children += 1
        if self._children < self._children_per_yield:
            return False
        self._children = 0
        return True

    def _check_memory(self) -> None:
        """Raise LimitReached if the process has reached its memory limit, or will when a watched table grows next."""
        growing = sum(2 * table.__sizeof__() for table in self._tables if _grows_soon(table))
        if self._limits.resident() + growing >= self._limits.memory:
            self._repeatable = False
            raise LimitReached(Reason.MEMORY)

    def solved(self, *, proven: bool = False) -> Outcome:
        """Return the outcome with a solution: optimal if ``proven`` or if its pushes equal the lower bound."""
        return self._outcome(Status.SOLVED, None, "pushes" if proven or self.best <= self.lower_bound else None)

    def unsolvable(self, start: State) -> Outcome:
        """Return the outcome if no pushes lead from the start to a solution."""
        return self._outcome(Status.BEGINS_SOLVED if is_solved(self._board, start) else Status.UNSOLVABLE, None, None)

    def stopped(self, end: LimitReached | MemoryError) -> Outcome:
        """Return the outcome at a limit or out of memory: SOLVED if a solution was found before."""
        if isinstance(end, MemoryError):
            self._repeatable = False
        if self.best < NONE_YET:
            return self.solved()
        return self._outcome(Status.GAVE_UP, Reason.MEMORY if isinstance(end, MemoryError) else end.reason, None)

    def _outcome(self, status: Status, reason: Reason | None, optimal: str | None) -> Outcome:
        return Outcome(status, self.strategy, reason, optimal, self.nodes, self.stored, self.seconds, self._repeatable)


def _grows_soon(table: Sized) -> bool:
    """True if a dict or set is about to double its allocation: CPython does at 3/5 to 2/3 full."""
    slots = 1 << len(table).bit_length()
    return slots * 0.57 <= len(table) <= slots * 0.67
