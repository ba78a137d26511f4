"""What every search counts and reports: its limits, its progress, its end."""

from collections.abc import Sized

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board
from sokoterm.solver.protocol import Feature, Limits, Outcome, Progress, Reason, Status

# How often the memory of the process is looked at.
_LOOK_SECONDS = 0.01

# The most children between two yields, and the work they may take together where one child is dear: a child costs
# a flood fill over the bits of the board, and a row of the matching for each settled goal.
_MOST_CHILDREN = 256
_MOST_WORK = 1 << 16

# More pushes than any solution has.
NONE_YET = 1 << 30


class LimitReached(Exception):  # noqa: N818 - the end of a search, not an error
    """A limit of the search has been reached; it ends with ``Meter.stopped``."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Meter:
    """The counts of one search beside its limits.

    ``nodes`` are expanded states, ``stored`` remembered ones, ``depth``, ``lower_bound`` and ``best``, the last
    solution found (NONE_YET before the first), are in pushes; ``nearest`` and ``features`` are the ``best`` and the
    features of Progress.  ``bytes_per_state`` is what the search stores for a state beside its boxes: by that its
    memory is judged where it cannot be measured.
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
    def seconds(self) -> float:
        return self._limits.clock() - self._began

    def progress(self) -> Progress:
        """What to yield now; raises LimitReached once the time is over."""
        seconds = self.seconds
        if seconds >= self._limits.seconds:
            self._repeatable = False
            raise LimitReached(Reason.TIME)
        if seconds - self._looked >= _LOOK_SECONDS:
            self._looked = seconds
            self._check_memory()
        return self._progress(seconds)

    def report(self) -> Progress:
        """What to yield where no limit matters any more."""
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
        """Have a large dict or set counted with what it will take when it grows."""
        self._tables.append(table)

    def check(self) -> None:
        """Raise LimitReached where the nodes or the states have come to theirs; to be called before each node."""
        if self.nodes >= self._limits.nodes:
            raise LimitReached(Reason.NODES)
        if self.stored >= self._most_stored:
            raise LimitReached(Reason.STATES if self._most_stored == self._limits.states else Reason.MEMORY)

    def is_due(self) -> bool:
        """Whether the search has to yield now; to be asked once for each child, or each piece of work like it."""
        self._children += 1
        if self._children < self._children_per_yield:
            return False
        self._children = 0
        return True

    def _check_memory(self) -> None:
        """Raise LimitReached where the process has come to its memory, or would when a table grows next."""
        growing = sum(2 * table.__sizeof__() for table in self._tables if _grows_soon(table))
        if self._limits.resident() + growing >= self._limits.memory:
            self._repeatable = False
            raise LimitReached(Reason.MEMORY)

    def solved(self, *, proven: bool = False) -> Outcome:
        """The end with a solution: the best where that is ``proven`` or it has no more pushes than the lower bound."""
        return self._outcome(Status.SOLVED, None, "pushes" if proven or self.best <= self.lower_bound else None)

    def unsolvable(self) -> Outcome:
        return self._outcome(Status.UNSOLVABLE, None, None)

    def stopped(self, end: LimitReached | MemoryError) -> Outcome:
        """The end at a limit or without memory: with the solution found before, if there is one."""
        if isinstance(end, MemoryError):
            self._repeatable = False
        if self.best < NONE_YET:
            return self.solved()
        return self._outcome(Status.GAVE_UP, Reason.MEMORY if isinstance(end, MemoryError) else end.reason, None)

    def _outcome(self, status: Status, reason: Reason | None, optimal: str | None) -> Outcome:
        return Outcome(status, self.strategy, reason, optimal, self.nodes, self.stored, self.seconds, self._repeatable)


def _grows_soon(table: Sized) -> bool:
    """Whether a dict or set is about to move to a place twice its size: when 3/5 to 2/3 full, in CPython."""
    slots = 1 << len(table).bit_length()
    return slots * 0.57 <= len(table) <= slots * 0.67
