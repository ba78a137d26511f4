"""The solver protocol: a strategy is a generator that yields progress and solutions, within limits.

A strategy prints nothing, starts no thread and reads no clock but the one in its limits.  It yields at least every
256 generated children, and as often inside any precomputation, so the caller can stop it within 0.2 s by closing the
generator.
"""

from collections.abc import Callable, Generator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value

MEGABYTE = 1 << 20
GAME_MEMORY = 256 * MEGABYTE
"""The bytes that a search started by a player may take with the rest of the process."""
_STATM = "/proc/self/statm"
_PAGE = 4096


def resident_bytes() -> int:
    """Return the resident memory of the process in bytes (Linux: /proc/self/statm, proc(5)), or 0 if unknown."""
    try:
        with open(_STATM, "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


class MemoryGrowth:
    """Resident memory beyond what the process held before, in bytes; 0 if unknown."""

    def __init__(self) -> None:
        self._before = resident_bytes()

    def __call__(self) -> int:
        return max(1, resident_bytes() - self._before) if self._before else 0


class Limits(Value):
    """Limits of a search: seconds by ``clock``, nodes (expanded states), states (stored ones), memory.

    ``memory``: bytes for the whole process, as measured by ``resident`` (which returns 0 if it cannot measure).
    """

    seconds: float
    nodes: int
    states: int
    clock: Callable[[], float]
    memory: int = 1024 * MEGABYTE
    resident: Callable[[], int] = resident_bytes


def game_limits(clock: Callable[[], float]) -> Limits:
    """Return the limits of a search started by a player: small enough for many players on one server."""
    return Limits(seconds=60.0, nodes=5_000_000, states=2_000_000, clock=clock, memory=GAME_MEMORY)


def command_limits(clock: Callable[[], float]) -> Limits:
    """Return the limits of the command ``solve``."""
    return Limits(seconds=600.0, nodes=50_000_000, states=50_000_000, clock=clock)


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
    """A feature of the best position so far, as used by a feature-space search; ``of`` is its largest value."""

    name: str
    value: int
    of: int | None = None


class Progress(NamedTuple):
    """Progress of a search; ``depth`` and ``lower_bound`` are in pushes.

    ``best``: the boxes of the position that looks nearest to a solution, 0 before there is one; ``features``: its
    features.  ``cores``: the searches that run at the same time; ``lanes_memory``: the bytes of those in processes of
    their own, 0 if unknown.
    """

    strategy: str
    nodes: int
    stored: int
    depth: int
    lower_bound: int
    seconds: float
    best: Bitboard = 0
    features: tuple[Feature, ...] = ()
    cores: int = 1
    lanes_memory: int = 0


class Found(NamedTuple):
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

    ``reason`` is set if the status is GAVE_UP.  ``optimal`` names the metric ("pushes") in which the last solution is
    proven optimal, or is None.  ``repeatable``: the same limits give the same counts again, since neither the clock nor
    the machine's memory ended the search or part of it.
    """

    status: Status
    strategy: str
    reason: Reason | None
    optimal: str | None
    nodes: int
    stored: int
    seconds: float
    repeatable: bool = True


class Crashed(NamedTuple):
    """The end of work that has raised an exception; ``traceback`` is for the log."""

    traceback: str


def out_of_memory(latest: Progress, solved: bool) -> Outcome:
    """Return the outcome of a search that ran out of memory after its ``latest`` progress."""
    status, reason = (Status.SOLVED, None) if solved else (Status.GAVE_UP, Reason.MEMORY)
    return Outcome(status, latest.strategy, reason, None, latest.nodes, latest.stored, latest.seconds, False)


Search = Generator[Progress | Found, None, Outcome]
Strategy = Callable[[Board, State, Limits], Search]
News = Progress | Found | Outcome | Crashed
"""News of a search, in order; solutions get better, and the last of its news is its end."""


def within_memory(search: Search) -> Search:
    """Pass a search on; where Python has no memory left for it, it ends with what it has found."""
    latest, is_solved = Progress("", 0, 0, 0, 0, 0.0), False
    try:
        while True:
            event = next(search)
            if isinstance(event, Found):
                is_solved = True
            else:
                latest = event
            yield event
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome
    except MemoryError:
        return out_of_memory(latest, is_solved)
    finally:
        search.close()
