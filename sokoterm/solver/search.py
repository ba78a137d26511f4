"""Search interface: limits, events, the meter that counts the work, and a way to run a search in this thread.

A strategy is a generator that yields progress and solutions and returns its outcome.  It prints nothing, starts no
thread, and reads no clock except the one in its limits.  It yields at least every 256 generated children, and as often
during precomputation, so that its caller can stop it within 0.2 s by closing the generator.  UNSOLVABLE is a proof,
returned only after every push has been tried.
"""

from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.rules import is_solved
from sokoterm.engine.steps import Events, uncollected
from sokoterm.engine.value import Value

MEGABYTE = 1 << 20
GAME_MEMORY = 256 * MEGABYTE
"""Memory limit in bytes, for the whole process, of a search that a player starts."""
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
    """Clock of limits without a clock: always 0."""
    return 0.0


class Limits(Value):
    """Limits of a search: seconds by ``clock``, expanded nodes, stored states, and bytes of memory.

    ``memory`` is for the whole process, measured by ``resident`` (0 if that cannot measure).  A search yields after at
    most ``children`` generated children.  The defaults are those of the library and the command ``solve``, which both
    add a clock.
    >>> Limits(nodes=1000).seconds
    600.0
    """

    seconds: float = 600.0
    nodes: int = 50_000_000
    states: int = 50_000_000
    clock: Callable[[], float] = timeless
    memory: int = 1024 * MEGABYTE
    resident: Callable[[], int] = resident_bytes
    children: int = 256


def game_limits(clock: Callable[[], float]) -> Limits:
    """Limits of a search that a player starts: low enough for many players on one server."""
    return Limits(seconds=60.0, nodes=5_000_000, states=2_000_000, clock=clock, memory=GAME_MEMORY)


class Cores(Value):
    """Number of searches to run at the same time on one level, and the command that starts a process for one of them.

    The command calls ``serve`` of ``solver/lanes.py``.  ``only_waits``: the calling process is busy, so ``auto`` moves
    to a new process too.  ``alone``: seconds before other searches join ``auto``; enough for most levels.
    """

    count: int
    command: Sequence[str]
    only_waits: bool = False
    alone: float = 0.25


class Feature(NamedTuple):
    """Feature of the best position so far; ``of`` is its largest value.

    A feature that ``falls`` starts at that value and is 0 in a solution.
    """

    name: str
    value: int
    of: int | None = None
    falls: bool = False


class Progress(NamedTuple):
    """Progress of a search; ``depth`` and ``lower_bound`` are in pushes.

    ``best``: boxes of the position that seems nearest to a solution; 0 if unknown and for searches from the goals.
    ``cores``: searches running at the same time.  ``lanes_memory``: bytes used by those in other processes, 0 if
    unknown.  ``shares``: latest reports of the strategies that share the work, each with its own counts; empty if there
    is only one.
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
    """Solution, verified by the rules.  A search may yield several, each better than the one before.

    ``method``: how an optimizer found it, else empty.  ``left_after``: for a search along a line of moves, the number
    of pushes of that line with which the solution starts.
    """

    solution: Solution
    method: str = ""
    left_after: int | None = None


class Status(StrEnum):
    """Result of a search.  UNSOLVABLE is proven by exhaustion.

    BEGINS_SOLVED: the start is solved, and no pushes lead from it to another solved position.
    """

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    BEGINS_SOLVED = "begins_solved"
    GAVE_UP = "gave_up"


class Reason(StrEnum):
    """Limit at which a search gave up; SIZE: the board is too large for the tables."""

    TIME = "time"
    NODES = "nodes"
    STATES = "states"
    MEMORY = "memory"
    SIZE = "too large"


class Outcome(Value):
    """End of a search.

    ``reason`` is set if the status is GAVE_UP, unless the caller cancelled the search.  ``optimal``: metric ("pushes")
    in which the last solution is proven optimal, or None.  ``repeatable``: the same limits give the same counts again,
    because neither the clock nor the machine's memory stopped any part of the search.
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
    """End of work that raised an exception; ``traceback`` is for the log."""

    traceback: str


def cut_short(latest: Progress, solved: bool, reason: Reason | None = Reason.MEMORY) -> Outcome:
    """Return the outcome of a search that was stopped from outside; ``reason`` is None if its caller stopped it."""
    status, reason = (Status.SOLVED, None) if solved else (Status.GAVE_UP, reason)
    return Outcome(status, latest.strategy, reason, None, latest.nodes, latest.stored, latest.seconds, False)


Search = Generator[Progress | Found, None, Outcome]
Strategy = Callable[[Board, State, Limits], Search]
News = Progress | Found | Outcome | Crashed
"""Event of a search.  Each solution is better than the one before, and the last event is the outcome."""


def within_memory(search: Search) -> Search:
    """Run a search; if Python runs out of memory, end it with the best solution found."""
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

# Work for a usual child: a flood fill over the bits of the board, and a row of the matching for each settled goal.
_USUAL_WORK = 256

# More pushes than any solution has.
NONE_YET = 1 << 30


class LimitReached(Exception):  # noqa: N818 - the end of a search, not an error
    """Reached a limit; the search then returns ``Meter.stopped``."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Meter:
    """Counters of one search, checked against its limits.

    ``nodes`` counts expanded states, ``stored`` remembered ones.  ``depth``, ``lower_bound`` and ``best`` (the last
    solution, NONE_YET before the first) are in pushes.  ``optimal`` goes into the outcome; ``nearest`` and ``features``
    go into Progress.  ``bytes_per_state``: memory per stored state beyond its boxes, an estimate for systems where
    memory cannot be measured.
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
        work = max(_USUAL_WORK, bits + board.goals.bit_count() ** 2)
        self._children_per_yield = max(1, limits.children * _USUAL_WORK // work)
        self._children = 0
        self._repeatable = True

    @property
    def memory(self) -> int:
        """Memory limit of the process in bytes."""
        return self._limits.memory

    @property
    def seconds(self) -> float:
        return self._limits.clock() - self._began

    def progress(self) -> Progress:
        """Return the progress; raise LimitReached if time or memory is used up, or a watched table soon uses it up."""
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
        return self._report(seconds)

    def report(self) -> Progress:
        """Return the progress without checking limits."""
        return self._report(self.seconds)

    def _report(self, seconds: float) -> Progress:
        counts = self.nodes, self.stored, self.depth, self.lower_bound
        return Progress(self.strategy, *counts, seconds, self.nearest, self.features)

    def watch(self, *tables: Sized) -> None:
        """Include the next growth of large dicts or sets in the memory check."""
        self._tables += tables

    @contextmanager
    def watching(self, *tables: Sized) -> Iterator[None]:
        """Watch tables inside a ``with`` block; blocks must be nested properly."""
        self.watch(*tables)
        try:
            yield
        finally:
            del self._tables[-len(tables) :]

    def check(self) -> None:
        """Raise LimitReached if nodes or states have reached their limit; call before each node."""
        if self.nodes >= self._limits.nodes:
            raise LimitReached(Reason.NODES)
        if self.stored >= self._most_stored:
            raise LimitReached(Reason.STATES if self._most_stored == self._limits.states else Reason.MEMORY)

    def is_due(self) -> bool:
        """True if the search must yield now; call once per child or similar amount of work."""
        self._children += 1
        if self._children < self._children_per_yield:
            return False
        self._children = 0
        return True

    def solved(self) -> Outcome:
        """Return the outcome with a solution, which is optimal if its pushes equal the lower bound."""
        optimal = "pushes" if self.best <= self.lower_bound else self.optimal
        return self._outcome(Status.SOLVED, None, optimal)

    def unsolvable(self, start: State) -> Outcome:
        """Return the outcome if no pushes lead from the start to a solution."""
        return self._outcome(Status.BEGINS_SOLVED if is_solved(self._board, start) else Status.UNSOLVABLE)

    def stopped(self, end: LimitReached | MemoryError) -> Outcome:
        """Return the outcome at a limit or out of memory: SOLVED if there is a solution."""
        if isinstance(end, MemoryError):
            self._repeatable = False
        if self.best < NONE_YET:
            return self.solved()
        return self._outcome(Status.GAVE_UP, Reason.MEMORY if isinstance(end, MemoryError) else end.reason)

    def _outcome(self, status: Status, reason: Reason | None = None, optimal: str | None = None) -> Outcome:
        return Outcome(status, self.strategy, reason, optimal, self.nodes, self.stored, self.seconds, self._repeatable)


def _grows_soon(table: Sized) -> bool:
    """True if a dict or set is about to double its allocation, which CPython does at 3/5 to 2/3 full."""
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
    """Run a strategy; return its best solution, if any, and its outcome.

    ``on_event`` gets everything the search yields, except progress less than ``pace`` seconds after the last.
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
