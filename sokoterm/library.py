"""The library: what ``import sokoterm`` gives to programs of your own; docs/library.md shows it in examples.

>>> import sokoterm
>>> level = sokoterm.Level.from_xsb("#######\\n#@ $ .#\\n#######")
>>> sokoterm.solve(level, seconds=5).solution.lurd
'rRR'
"""

import os
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, Self

import sokoterm.engine as engine
from sokoterm.engine import *  # noqa: F403 - all of it is public here too
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import Level
from sokoterm.engine.level import Pack as LevelPack
from sokoterm.engine.lurd import Solution, replay, verify
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, PushPlan, boxes_that_reach
from sokoterm.formats import registry
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.registry import FORMATS, format_of, write
from sokoterm.solver import search
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import MEGABYTE, MemoryGrowth, Outcome, Reason, Search, Status
from sokoterm.store.packs import PackError, bundled_hashes, find_packs, open_pack
from sokoterm.store.whole_files import write_whole

__all__ = [
    "FORMATS",
    "STRATEGIES",  # noqa: F405 - by __getattr__
    "SYMMETRIES",
    "BoxReach",
    "DeadlockDetector",
    "Fewest",
    "Limits",
    "MemoryGrowth",
    "Objective",
    "Outcome",
    "Pack",
    "PackError",
    "PushPlan",
    "Reason",
    "SearchResult",
    "Status",
    "boxes_that_reach",
    "generate",
    "optimize",
    "parse",
    "replay",
    "solve",
    "write",
]
__all__ += engine.__all__


class Pack(LevelPack):
    """Levels in order, with the texts of the collection; from a file and to one."""

    @classmethod
    def load(cls, path: str | os.PathLike[str], encoding: str | None = None) -> Self:
        """Read a pack from a file of any format, also compressed or at an address.

        A level that cannot be read goes to ``errors``.  Raises PackError if there is no pack, or more than one.
        """
        name = os.fspath(path)
        files = find_packs(name)
        if len(files) != 1:
            raise PackError(f"{name}: found {len(files)} packs, expected one")
        return cls(**vars(open_pack(files[0], encoding)))

    def save(self, path: str | os.PathLike[str], name: str = "") -> tuple[str, ...]:
        """Write the pack in the format of that name (default: by the suffix); return what the format cannot hold.

        The file is written whole or not at all.  Raises ValueError if the format is unknown, or it cannot be written.
        """
        target = os.fspath(path)
        chosen = name or format_of(target)
        if chosen not in FORMATS:
            raise ValueError(f"{target}: found the format {chosen!r}, expected one of {', '.join(FORMATS)}")
        written = write(self, chosen)
        try:
            write_whole(target, written.data)
        except OSError as error:
            raise ValueError(f"{target}: cannot be written: {error.strerror or error}") from None
        return written.lost


def parse(data: bytes, source: str, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Return the pack in the bytes of a file of any format; ``source`` names it in errors.

    Bytes without a board give an empty pack.  Raises LevelError if they are not text in this encoding, or exceed the
    limits.
    """
    return Pack(**vars(registry.parse(data, source, encoding, limits)))


class Limits(search.Limits):
    """Limits of a search, each with a default; ``memory``: bytes beyond those that the process holds by now."""

    def __init__(
        self,
        seconds: float = 600.0,
        nodes: int = 50_000_000,
        states: int = 50_000_000,
        clock: Callable[[], float] = monotonic,
        memory: int = 1024 * MEGABYTE,
        resident: Callable[[], int] | None = None,
    ) -> None:
        super().__init__(seconds, nodes, states, clock, memory, resident or MemoryGrowth())


class SearchResult(NamedTuple):
    """The last and best solution, None if there is none, and how the search ended."""

    solution: Solution | None
    outcome: Outcome


def solve(
    level: Level, seconds: float = 600.0, *, strategy: str = "auto", limits: search.Limits | None = None
) -> SearchResult:
    """Search for a solution of a level; ``limits`` take the place of ``seconds``.

    Raises ValueError for an unknown strategy, or one that does not know the colours or ice of the level.
    """
    from sokoterm.solver.registry import STRATEGIES  # loads every search

    if strategy not in STRATEGIES:
        raise ValueError(f"found the strategy {strategy!r}, expected one of {', '.join(STRATEGIES)}")
    return SearchResult(*search.solve(level.board, level.start, STRATEGIES[strategy], limits or Limits(seconds)))


def optimize(
    level: Level,
    lurd: str,
    objective: str = "moves",
    seconds: float = 60.0,
    *,
    limits: search.Limits | None = None,
) -> SearchResult:
    """Make a solution better by an Objective; return it as it was if nothing better is found.

    Raises LurdError if the moves do not solve the level, ValueError for an unknown objective.
    """
    from sokoterm.solver.optimizer import driver  # loads the optimizer

    if objective not in [*Objective]:
        raise ValueError(f"found the objective {objective!r}, expected one of {', '.join(Objective)}")
    known = verify(level.board, level.start, lurd)

    def strategy(board: Board, start: State, limits: search.Limits) -> Search:
        return driver.optimize(board, start, known, Objective(objective), limits)

    better, outcome = search.solve(level.board, level.start, strategy, limits or Limits(seconds))
    return SearchResult(better or known, outcome)


def generate(
    seed: int = 1,
    *,
    count: int = 1,
    size: tuple[int, int] | None = None,
    boxes: int | None = None,
    nodes: int | None = None,
    difficulty: str | None = None,
    variant: str | None = None,
) -> Pack:
    """Make new levels, the same as ``sokoterm generate`` with these flags; ``size``: width and height.

    Raises ValueError for arguments that the command refuses, and if a level is not found within its limit.
    """
    from sokoterm.generator.make import MOST_NODES, VARIANTS, PackRequest, band_of, levels_of  # loads the generator

    counts = {"seed": seed, "count": count, "size": size and min(size), "boxes": boxes, "nodes": nodes}
    most = {"count": DEFAULT_LIMITS.levels, "nodes": MOST_NODES}
    for name, value in counts.items():
        if value is not None and not 0 < value <= most.get(name, value):
            raise ValueError(f"{name}: found {value}, expected 1 to {most.get(name, 'any')}")
    if variant is not None and variant not in VARIANTS:
        raise ValueError(f"variant: found {variant!r}, expected one of {', '.join(VARIANTS)}")
    try:
        band = None if difficulty is None else band_of(difficulty)
    except ValueError as error:
        raise ValueError(f"difficulty: {error}") from None
    request = PackRequest(seed, count, size, boxes, nodes, band, variant)
    return Pack(request.title, tuple(levels_of(request, bundled_hashes())))


def __getattr__(name: str) -> object:
    """Return STRATEGIES: most programs have no use for the modules of all searches."""
    if name != "STRATEGIES":
        raise AttributeError(f"module 'sokoterm.library' has no attribute {name!r}")
    from sokoterm.solver import registry  # loads every search

    return registry.STRATEGIES
