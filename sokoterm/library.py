"""Packs for programs, and the names that ``import sokoterm`` has without a search; docs/library.md has examples."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Self, overload

import sokoterm.engine.level as plain
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
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Feature, LimitReached, Limits, MemoryGrowth, Outcome, Progress, Reason, Status
from sokoterm.store.packs import PackError, find_packs, open_pack
from sokoterm.store.whole_files import write_whole

__all__ = [
    "FORMATS",
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
    "Progress",
    "Push",
    "Record",
    "SokotermError",
    "Solution",
    "State",
    "Symmetry",
    "UsageError",
    "Written",
    "parse",
    "write",
]
# More names that work: those of earlier versions, and enumerations, whose values may be given as strings.
EARLIER = {
    each.__name__: each
    for each in (
        *(BoxReach, DeadlockDetector, MemoryGrowth, PushPlan, boxes_that_reach, replay),
        *(Feature, Fewest, LimitReached, Objective, Reason, Status),
    )
}


class Pack(plain.PlainPack, Sequence[Level]):
    """Levels in order, with the texts of the collection: a sequence that can be loaded and saved.

    ``pack[0]`` is the first level, whose ``number`` is 1, and a slice is a pack. Levels that could not be read are in
    ``errors`` and keep their numbers.

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
        read_as: str = "",
    ) -> None:
        of_levels, of_errors = tuple(map(Level.of, levels)), tuple(errors)
        super().__init__(title, of_levels, of_errors, author, comment, metadata, likelier, read_as)

    @classmethod
    def load(cls, path: str | os.PathLike[str], encoding: str | None = None, signs: str = "") -> Self:
        """Read a pack from a file in any format, also compressed or at a web address; ``signs`` are as for ``parse``.

        Levels that cannot be read go to ``errors``. Raises PackError if there is no pack, or more than one.

        >>> Pack.load("levels/first-steps.txt")
        Pack('First Steps', 32 levels)
        """
        name = os.fspath(path)
        try:
            files = find_packs(name)
            if len(files) == 1:
                return cls(**vars(open_pack(files[0], encoding, DEFAULT_LIMITS._replace(signs=signs))))
        except PackError as error:
            raise PackError(str(error)) from None  # not an internal subclass
        raise PackError(f"{name}: found {len(files)} packs, expected one")

    def save(self, path: str | os.PathLike[str], name: str = "", *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the pack in the format ``name`` (default: by the suffix); return what the format cannot hold.

        The file is written completely or not at all. Raises UsageError if the format is unknown, or the file exists
        (unless ``overwrite``) or cannot be written.
        """
        target = os.fspath(path)
        chosen = name or format_of(target)
        if chosen not in FORMATS:
            found = f"found the format {name!r}" if name else "found no format of this suffix"
            raise UsageError(f"{target}: {found}, expected one of {', '.join(FORMATS)}")
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

    def find_level(self, number: int) -> Level | None:
        """Return the first level with this number, or None."""
        return next((level for level in self if level.number == number), None)

    def __repr__(self) -> str:
        return f"Pack({self.title!r}, {len(self)} {'level' if len(self) == 1 else 'levels'})"


def parse(
    data: bytes | str,
    source: str = "text",
    encoding: str | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    signs: str = "",
) -> Pack:
    """Return the pack in the bytes or the text of a file in any format; ``source`` names it in errors.

    ``signs`` say how boards are drawn, if not with the signs of XSB: ``wall=X box=*``, or ``auto`` for usual ones.
    Without a board the pack is empty. Raises LevelError if the bytes are not text in this encoding, exceed the limits
    or contain boards drawn with other signs.

    >>> parse("; One push\\n\\n#####\\n#@$.#\\n#####\\n").levels
    (Level('One push', 5x3, 1 box),)
    """
    if isinstance(data, str):
        data, encoding = data.encode(errors="surrogatepass"), "utf-8"
    return Pack(**vars(registry.parse(data, source, encoding, limits._replace(signs=signs))))
