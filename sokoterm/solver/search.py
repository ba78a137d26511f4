"""A search: what it is given, what is heard of it, the meter that counts its work, and a run in the calling thread.

A strategy is a generator that yields progress and solutions, and returns its outcome.  It prints nothing, starts no
thread and reads no clock but the one in its limits.  It yields at least every 256 generated children, and as often
inside any precomputation, so the caller can stop it within 0.2 s by closing the generator.  UNSOLVABLE is a proof:
it is returned only when no push is left to try.
"""

import gc
from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.rules import is_solved
from sokoterm.engine.steps import Events
from sokoterm.engine.value import Value

MEGABYTE = 1 << 20
GAME_MEMORY = 256 * MEGABYTE
"""The bytes that a search started by a player may take with the rest of the process."""
_PAGE = 4096


def resident_bytes() -> int:
    """Return the resident memory of the process in bytes (Linux: /proc/self/statm, proc(5)), or 0 if unknown."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


class MemoryGrowth:
    """Resident memory beyond what the process held before, in bytes; 0 if unknown."""

    def __init__(self) -> None:
        self._before = resident_bytes()

    def __call__(self) -> int:
        return max(1, resident_bytes() - self._before) if self._before else 0


def timeless() -> float:
    """Return the time of limits without a clock, which never goes on."""
    return 0.0


class Limits(Value):
    """Limits of a search: seconds by ``clock``, nodes (expanded states), states (stored ones), memory.

    ``memory``: bytes for the whole process, as measured by ``resident`` (which returns 0 if it cannot measure).  The
    defaults are those of the command ``solve`` and of the library, both of which add a clock.

    >>> Limits(nodes=1000).seconds
    600.0
    """

    seconds: float = 600.0
    nodes: int = 50_000_000
    states: int = 50_000_000
    clock: Callable[[], float] = timeless
    memory: int = 1024 * MEGABYTE
    resident: Callable[[], int] = resident_bytes


def game_limits(clock: Callable[[], float]) -> Limits:
    """Return the limits of a search started by a player: small enough for many players on one server."""
    return Limits(seconds=60.0, nodes=5_000_000, states=2_000_000, clock=clock, memory=GAME_MEMORY)


class Cores(Value):
    """The cores for the search of one level: the searches that run at a time, and the command of a process for one.

    The command calls ``serve`` of ``solver/lanes.py``.  ``only_waits``: the process that begins the search has other
    work, so that ``auto`` begins anew in a process of its own too.  ``alone``: the seconds that ``auto`` has to itself
    before; about as long as a process takes to begin, and enough for most levels.
    """

    count: int
    command: Sequence[str]
    only_waits: bool = False
    alone: float = 0.25


class Feature(NamedTuple):
    """A feature of the best position so far, as used by a feature-space search; ``of`` is its largest value.

    One that ``falls`` begins with that value and is 0 at a solution.
    """

    name: str
    value: int
    of: int | None = None
    falls: bool = False


class Progress(Value):
    """Progress of a search; ``depth`` and ``lower_bound`` are in pushes.

    ``best``: the boxes of the position that looks nearest to a solution, 0 before there is one, and from a search that
    begins at the goals; ``features``: those of what looks nearest.  ``cores``: the searches that run at the same time;
    ``lanes_memory``: the bytes of those in processes of their own, 0 if unknown.  ``shares``: the last reports of the
    strategies that share the work, in turns or at the same time, with counts of their own; empty if it is only one.
    """

    strategy: str
    nodes: int = 0
    stored: int = 0
    depth: int = 0
    lower_bound: int = 0
    seconds: float = 0.0
    best: Bitboard = 0
    features: tuple[Feature, ...] = ()
    cores: int = 1
    lanes_memory: int = 0
    shares: "tuple[Progress, ...]" = ()


class Found(Value):
    """A solution, verified by the rules.  A search may yield several, each better than the last.

    ``method``: how an optimizer found it; empty for other searches.  ``left_after``: of a search from a line of moves,
    the pushes of that line after which the search left it.
    """

    solution: Solution
    method: str = ""
    left_after: int | None = None


class Status(StrEnum):
    """The result of a search; UNSOLVABLE only if proven by exhaustion.

    BEGINS_SOLVED: so is the start, from where no pushes lead back to a solved position.
    """

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    BEGINS_SOLVED = "begins_solved"
    GAVE_UP = "gave_up"


class Reason(StrEnum):
    """The limit that made a search give up; SIZE: the board is too large for its tables."""

    TIME = "time"
    NODES = "nodes"
    STATES = "states"
    MEMORY = "memory"
    SIZE = "too large"


class Outcome(Value):
    """The end of a search.

    ``reason`` is set if the status is GAVE_UP, unless its caller cancelled it.  ``optimal`` names the metric ("pushes")
    in which the last solution is proven optimal, or is None.  ``repeatable``: the same limits give the same counts
    again, since neither the clock nor the machine's memory ended the search or part of it.
    """

    status: Status
    strategy: str
    reason: Reason | None = None
    optimal: str | None = None
    nodes: int = 0
    stored: int = 0
    seconds: float = 0.0
    repeatable: bool = True


class Crashed(Value):
    """The end of work that has raised an exception; ``traceback`` is for the log."""

    traceback: str


def cut_short(latest: Progress, solved: bool, reason: Reason | None = Reason.MEMORY) -> Outcome:
    """Return the outcome of a search that was ended from outside after its ``latest`` progress; None: by its caller."""
    status, reason = (Status.SOLVED, None) if solved else (Status.GAVE_UP, reason)
    return Outcome(status, latest.strategy, reason, None, latest.nodes, latest.stored, latest.seconds, False)


Search = Generator[Progress | Found, None, Outcome]
Strategy = Callable[[Board, State, Limits], Search]
News = Progress | Found | Outcome | Crashed
"""News of a search, in order; solutions get better, and the last of its news is its end."""


def within_memory(search: Search) -> Search:
    """Pass a search on; where Python has no memory left for it, it ends with what it has found."""
    latest, is_solved, events = Progress(""), False, Events(search)
    try:
        for event in events:
            if isinstance(event, Found):
                is_solved = True
            else:
                latest = event
            yield event
        return events.result
    except MemoryError:
        return cut_short(latest, is_solved)
    finally:
        search.close()


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
    solution, NONE_YET before the first) are in pushes.  ``optimal`` becomes that of the outcome, ``nearest`` and
    ``features`` become ``best`` and ``features`` of Progress.  ``bytes_per_state``: memory per stored state in
    addition to its boxes, for an estimate where memory cannot be measured.
    """

    def __init__(self, strategy: str, board: Board, limits: Limits, bytes_per_state: int) -> None:
        bits = board.stride * board.height
        self.strategy = strategy
        self.nodes = 0
        self.stored = 0
        self.depth = 0
        self.lower_bound = 0
        self.best = NONE_YET
        self.optimal: str | None = None
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
        """Return the progress to yield.

        Raises LimitReached if time or memory has run out, or will when a watched table grows next.
        """
        seconds = self.seconds
        if seconds >= self._limits.seconds:
            self._repeatable = False
            raise LimitReached(Reason.TIME)
        if seconds - self._looked >= _LOOK_SECONDS:
            self._looked = seconds
            growing = sum(2 * table.__sizeof__() for table in self._tables if _grows_soon(table))
            if self._limits.resident() + growing >= self._limits.memory:
                self._repeatable = False
                raise LimitReached(Reason.MEMORY)
        return self.report()

    def report(self) -> Progress:
        """Return the progress to yield without checking limits."""
        counts = self.nodes, self.stored, self.depth, self.lower_bound
        return Progress(self.strategy, *counts, self.seconds, self.nearest, self.features)

    def watch(self, *tables: Sized) -> None:
        """Include the next growth of large dicts or sets in the memory check."""
        self._tables += tables

    @contextmanager
    def watching(self, *tables: Sized) -> Iterator[None]:
        """Include them meanwhile; those that begin to be watched later end before."""
        self.watch(*tables)
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

    def solved(self) -> Outcome:
        """Return the outcome with a solution; one whose pushes equal the lower bound is optimal."""
        optimal = "pushes" if self.best <= self.lower_bound else self.optimal
        return self._outcome(Status.SOLVED, None, optimal)

    def unsolvable(self, start: State) -> Outcome:
        """Return the outcome if no pushes lead from the start to a solution."""
        return self._outcome(Status.BEGINS_SOLVED if is_solved(self._board, start) else Status.UNSOLVABLE)

    def stopped(self, end: LimitReached | MemoryError) -> Outcome:
        """Return the outcome at a limit or out of memory: SOLVED if a solution was found before."""
        if isinstance(end, MemoryError):
            self._repeatable = False
        if self.best < NONE_YET:
            return self.solved()
        return self._outcome(Status.GAVE_UP, Reason.MEMORY if isinstance(end, MemoryError) else end.reason)

    def _outcome(self, status: Status, reason: Reason | None = None, optimal: str | None = None) -> Outcome:
        return Outcome(status, self.strategy, reason, optimal, self.nodes, self.stored, self.seconds, self._repeatable)


def _grows_soon(table: Sized) -> bool:
    """True if a dict or set is about to double its allocation: CPython does at 3/5 to 2/3 full."""
    slots = 1 << len(table).bit_length()
    return slots * 0.57 <= len(table) <= slots * 0.67


def solve(
    board: Board,
    start: State,
    strategy: Strategy,
    limits: Limits,
    on_event: Callable[[Progress | Found], object] = lambda _: None,
    pace: float = 0.0,
) -> tuple[Solution | None, Outcome]:
    """Run a strategy to its end; return its last and best solution, if any, and its outcome.

    ``on_event`` is called with everything the search yields, but progress less than ``pace`` seconds after the last.
    """
    found: Solution | None = None
    due = 0.0
    search = Events(within_memory(strategy(board, start, limits)))
    with uncollected():
        for event in search:
            if isinstance(event, Found):
                found = event.solution
            elif event.seconds < due:
                continue
            else:
                due = event.seconds + pace
            on_event(event)
        return found, search.result


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector of cycles off: a search makes none, and to traverse its tables would cause long pauses."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
