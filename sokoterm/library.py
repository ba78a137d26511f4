"""The library: what ``import sokoterm`` gives to programs of your own; docs/library.md shows it in examples.

>>> import sokoterm
>>> level = sokoterm.Level.from_xsb("#######\\n#@ $ .#\\n#######")
>>> sokoterm.solve(level, seconds=5).solution.lurd
'rRR'
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple, Self, overload

import sokoterm.engine.level as plain
import sokoterm.engine.lurd as lurds
from sokoterm.engine.bits import SYMMETRIES, Direction, Symmetry
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.deadlock.check import Deadlock
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.level import LevelError, Record
from sokoterm.engine.lurd import LurdError, replay
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, PushPlan, boxes_that_reach
from sokoterm.engine.value import SokotermError, UsageError
from sokoterm.formats import registry
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.registry import FORMATS, Written, format_of, write
from sokoterm.position import Level, Position, Solution
from sokoterm.solver import search
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import MEGABYTE, MemoryGrowth, Outcome, Reason, Search, Status
from sokoterm.store.packs import PackError, bundled_hashes, find_packs, open_pack
from sokoterm.store.whole_files import write_whole

__all__ = [
    "FORMATS",
    "STRATEGIES",  # noqa: F822 - by __getattr__
    "SYMMETRIES",
    "Board",
    "Deadlock",
    "Direction",
    "Level",
    "LevelError",
    "Limits",
    "LurdError",
    "Outcome",
    "Pack",
    "PackError",
    "Position",
    "Push",
    "Record",
    "SearchResult",
    "SokotermError",
    "Solution",
    "State",
    "Symmetry",
    "UsageError",
    "Written",
    "generate",
    "optimize",
    "parse",
    "solve",
    "write",
]
# Names that programs find as well: of earlier versions, and kinds of words, which do as strings.
EARLIER = {
    each.__name__: each
    for each in (
        *(BoxReach, DeadlockDetector, MemoryGrowth, PushPlan, boxes_that_reach, replay),
        *(Fewest, Objective, Reason, Status),
    )
}


class Pack(plain.Pack, Sequence[Level]):
    """Levels in order, with the texts of the collection: a sequence of its levels, from a file and to one.

    ``pack[0]`` is the first level, whose ``number`` is 1, and a slice is a pack.  What could not be read is in
    ``errors``, and keeps its number.

    >>> pack = Pack("Two", [Level.from_xsb("#####\\n#@$.#\\n#####"), Level.from_xsb("######\\n#@$ .#\\n######")])
    >>> pack, len(pack), pack[0], pack[1:]
    (Pack('Two', 2 levels), 2, Level('', 5x3, 1 box), Pack('Two', 1 level))
    """

    levels: tuple[Level, ...]

    def __init__(
        self,
        title: str,
        levels: Iterable[plain.Level],
        errors: Iterable[LevelError] = (),
        author: str = "",
        comment: str = "",
        metadata: tuple[tuple[str, str], ...] = (),
        likelier: tuple[str, ...] = (),
    ) -> None:
        of_levels, of_errors = tuple(map(Level.of, levels)), tuple(errors)
        super().__init__(title, of_levels, of_errors, author, comment, metadata, likelier)

    @classmethod
    def load(cls, path: str | os.PathLike[str], encoding: str | None = None) -> Self:
        """Read a pack from a file of any format, also compressed or at an address.

        A level that cannot be read goes to ``errors``.  Raises PackError if there is no pack, or more than one.

        >>> Pack.load("levels/first-steps.txt")
        Pack('First Steps', 32 levels)
        """
        name = os.fspath(path)
        try:
            files = find_packs(name)
            if len(files) == 1:
                return cls(**vars(open_pack(files[0], encoding)))
        except PackError as error:
            raise PackError(str(error)) from None  # no class of the inside
        raise PackError(f"{name}: found {len(files)} packs, expected one")

    def save(self, path: str | os.PathLike[str], name: str = "", *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the pack in the format of that name (default: by the suffix); return what the format cannot hold.

        The file is written whole or not at all.  Raises UsageError if the format is unknown, the file exists already
        (unless ``overwrite``) or cannot be written.
        """
        target = os.fspath(path)
        chosen = name or format_of(target)
        if chosen not in FORMATS:
            raise UsageError(f"{target}: found the format {chosen!r}, expected one of {', '.join(FORMATS)}")
        if not overwrite and os.path.lexists(target):
            raise UsageError(f"{target}: already exists; overwrite=True replaces it")
        written = write(self, chosen)
        try:
            write_whole(target, written.data)
        except OSError as error:
            raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None
        return written.lost

    @overload
    def __getitem__(self, place: int) -> Level: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> Level | Self:
        return self.replace(levels=self.levels[place], errors=()) if isinstance(place, slice) else self.levels[place]

    def __iter__(self) -> Iterator[Level]:
        return iter(self.levels)

    def __repr__(self) -> str:
        return f"Pack({self.title!r}, {len(self)} {'level' if len(self) == 1 else 'levels'})"


def parse(
    data: bytes | str, source: str = "text", encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS
) -> Pack:
    """Return the pack in the bytes or the text of a file of any format; ``source`` names it in errors.

    Bytes without a board give an empty pack.  Raises LevelError if they are not text in this encoding, or exceed the
    limits.

    >>> parse("; One push\\n\\n#####\\n#@$.#\\n#####\\n").levels
    (Level('One push', 5x3, 1 box),)
    """
    if isinstance(data, str):
        data, encoding = data.encode(), "utf-8"
    return Pack(**vars(registry.parse(data, source, encoding, limits)))


class Limits(search.Limits):
    """Limits of a search, each with a default; ``memory``: bytes beyond those that the process holds by now.

    >>> Limits(nodes=1000).seconds
    600.0
    """

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
    """The last and best solution, None if there is none, and how the search ended.

    >>> solution, outcome = solve(Level.from_xsb("######\\n#@$ .#\\n######"), seconds=5)
    >>> solution, outcome.status.value
    (Solution('RR', 2 moves, 2 pushes), 'solved')
    """

    solution: Solution | None
    outcome: Outcome


def solve(
    level: plain.Level, seconds: float = 600.0, *, strategy: str = "auto", limits: search.Limits | None = None
) -> SearchResult:
    """Search for a solution of a level; ``limits`` take the place of ``seconds``.

    Raises UsageError for an unknown strategy, or one that does not know the colours or ice of the level.

    >>> solve(Level.from_xsb("######\\n#@$ .#\\n######"), seconds=5).solution.lurd
    'RR'
    """
    from sokoterm.solver.registry import STRATEGIES  # loads every search

    if strategy not in STRATEGIES:
        raise UsageError(f"found the strategy {strategy!r}, expected one of {', '.join(STRATEGIES)}")
    try:
        found, outcome = search.solve(level.board, level.start, STRATEGIES[strategy], limits or Limits(seconds))
    except ValueError as error:
        raise UsageError(str(error)) from None
    return SearchResult(found and Solution.of(level, found), outcome)


def optimize(
    level: plain.Level,
    lurd: str,
    objective: str = "moves",
    seconds: float = 60.0,
    *,
    limits: search.Limits | None = None,
) -> SearchResult:
    """Make a solution better by an Objective; return it as it was if nothing better is found.

    Raises LurdError if the moves do not solve the level, UsageError for an unknown objective.

    >>> optimize(Level.from_xsb("#######\\n#@ $ .#\\n#######"), "rlrRR", seconds=5).solution.lurd
    'rRR'
    """
    from sokoterm.solver.optimizer import driver  # loads the optimizer

    if objective not in [*Objective]:
        raise UsageError(f"found the objective {objective!r}, expected one of {', '.join(Objective)}")
    known = lurds.verify(level.board, level.start, lurd)

    def strategy(board: Board, start: State, limits: search.Limits) -> Search:
        return driver.optimize(board, start, known, Objective(objective), limits)

    better, outcome = search.solve(level.board, level.start, strategy, limits or Limits(seconds))
    return SearchResult(Solution.of(level, better or known), outcome)


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

    Raises UsageError for arguments that the command refuses, and if a level is not found within its limit.

    >>> generate(seed=3, size=(6, 6), boxes=2, nodes=500)
    Pack('Generated 3', 1 level)
    """
    from sokoterm.generator.make import MOST_NODES, VARIANTS, PackRequest, band_of, levels_of  # loads the generator

    counts = {"seed": seed, "count": count, "size": size and min(size), "boxes": boxes, "nodes": nodes}
    most = {"count": DEFAULT_LIMITS.levels, "nodes": MOST_NODES}
    for name, value in counts.items():
        if value is not None and not 0 < value <= most.get(name, value):
            raise UsageError(f"{name}: found {value}, expected 1 to {most.get(name, 'any')}")
    if variant is not None and variant not in VARIANTS:
        raise UsageError(f"variant: found {variant!r}, expected one of {', '.join(VARIANTS)}")
    try:
        band = None if difficulty is None else band_of(difficulty)
    except ValueError as error:
        raise UsageError(f"difficulty: {error}") from None
    request = PackRequest(seed, count, size, boxes, nodes, band, variant)
    try:
        return Pack(request.title, levels_of(request, bundled_hashes()))
    except ValueError as error:
        raise UsageError(str(error)) from None


def __getattr__(name: str) -> object:
    """Return STRATEGIES: most programs have no use for the modules of all searches."""
    if name != "STRATEGIES":
        raise AttributeError(f"module 'sokoterm.library' has no attribute {name!r}")
    from sokoterm.solver import registry  # loads every search

    return registry.STRATEGIES
