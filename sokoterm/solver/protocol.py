"""What a strategy is: a generator that yields progress and solutions, and what it reports.

A strategy prints nothing, starts no thread and reads no clock but the one in its limits.  It yields at least every
256 generated children, and as often inside any precomputation, so that whoever drives it can stop it within 0.2 s
by closing the generator.
"""

from collections.abc import Callable, Generator
from enum import StrEnum
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution

MEGABYTE = 1 << 20
_STATM = "/proc/self/statm"
_PAGE = 4096


def resident_bytes() -> int:
    """The bytes of the process that are in memory (Linux: /proc/self/statm, proc(5)), 0 where that cannot be known."""
    try:
        with open(_STATM, "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


class Limits(NamedTuple):
    """When a search gives up: seconds by ``clock``, nodes (expanded states), states (stored ones), memory.

    ``memory``: the bytes that the whole process may have in memory, as ``resident`` counts them (0: it cannot).
    """

    seconds: float
    nodes: int
    states: int
    clock: Callable[[], float]
    memory: int = 1024 * MEGABYTE
    resident: Callable[[], int] = resident_bytes


def game_limits(clock: Callable[[], float]) -> Limits:
    """The limits of a search that a player starts: small enough for many players on one server."""
    return Limits(seconds=60.0, nodes=5_000_000, states=2_000_000, clock=clock, memory=256 * MEGABYTE)


def command_limits(clock: Callable[[], float]) -> Limits:
    """The limits of the command ``solve``."""
    return Limits(seconds=600.0, nodes=50_000_000, states=50_000_000, clock=clock)


class Feature(NamedTuple):
    """A figure by which a search judges positions, as the best one so far has it; ``of`` is the most there can be."""

    name: str
    value: int
    of: int | None = None


class Progress(NamedTuple):
    """How far a search has come; ``depth`` and ``lower_bound`` are in pushes.

    ``best``: the boxes of the position that the search holds for the nearest to the end, 0 before there is one;
    ``features``: what it goes by.
    """

    strategy: str
    nodes: int
    stored: int
    depth: int
    lower_bound: int
    seconds: float
    best: Bitboard = 0
    features: tuple[Feature, ...] = ()


class Found(NamedTuple):
    """A solution, replayed by the rules.  Several may come from one search, each better than the last."""

    solution: Solution


class Status(StrEnum):
    """How a search ended; UNSOLVABLE only after proof by exhaustion."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    GAVE_UP = "gave_up"


class Reason(StrEnum):
    """The limit that made a search give up."""

    TIME = "time"
    NODES = "nodes"
    STATES = "states"
    MEMORY = "memory"


class Outcome(NamedTuple):
    """The end of a search.

    ``reason`` is set where the status is GAVE_UP; ``optimal`` names the metric ("pushes") in which the last
    solution is proven best, or is None.  ``repeatable``: the same limits give the same counts again, since neither
    the clock nor the memory of the machine ended the search or a part of it.
    """

    status: Status
    strategy: str
    reason: Reason | None
    optimal: str | None
    nodes: int
    stored: int
    seconds: float
    repeatable: bool = True


def out_of_memory(latest: Progress, solved: bool) -> Outcome:
    """The end of a search that was cut off for want of memory after its ``latest`` progress."""
    status, reason = (Status.SOLVED, None) if solved else (Status.GAVE_UP, Reason.MEMORY)
    return Outcome(status, latest.strategy, reason, None, latest.nodes, latest.stored, latest.seconds, False)


Search = Generator[Progress | Found, None, Outcome]
Strategy = Callable[[Board, State, Limits], Search]
