"""Which levels a verb works on: packs as given on the command line, and ``-l 2-9,14``."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import Parser, Reading, count
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.text import counted
from sokoterm.formats.registry import looks_like_pack
from sokoterm.store.packs import PackError, PackFile, bundled_packs, find_packs, open_pack

# How much of a file decides whether it is a pack.
_HEAD_BYTES = 1 << 16
_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


class LevelChoice(NamedTuple):
    """Numbers of levels as ranges, both ends included."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> "LevelChoice":
        """The choice written in ``text``, for argparse.

        >>> LevelChoice.parse("2-9,14")
        LevelChoice(ranges=((2, 9), (14, 14)))
        """
        ranges = []
        for part in text.split(","):
            match = _PART.fullmatch(part.strip())
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 0 < first <= last:
                raise argparse.ArgumentTypeError(f"found {part!r}, expected levels such as 3 or 2-9,14")
            ranges.append((first, last))
        return cls(tuple(ranges))

    def holds(self, number: int) -> bool:
        """Whether the level of this number is chosen."""
        return any(first <= number <= last for first, last in self.ranges)

    def beyond(self, size: int) -> str:
        """What is chosen of the numbers over ``size``, as text; empty if nothing is.

        >>> LevelChoice.parse("2-9,14").beyond(6)
        '7-9, 14'
        """
        over = [(max(first, size + 1), last) for first, last in self.ranges if last > size]
        return ", ".join(f"{first}-{last}" if first < last else f"{first}" for first, last in over)


_AS_USUAL = Reading()
ALL_LEVELS = LevelChoice(((1, sys.maxsize),))


class Chosen(NamedTuple):
    """A level to work on; ``pack`` is the path of its pack as given or found, ``title`` what that calls itself."""

    pack: str
    level: Level
    title: str = ""


class Levels:
    """The chosen levels of some packs, in order.

    What cannot be read is complained of on stderr as it is met; ``status`` is the exit status after the last level,
    2 if there was something of the kind.
    """

    def __init__(
        self,
        packs: Sequence[str],
        choice: LevelChoice | None,
        say: Callable[[str], None] = complain,
        reading: Reading = _AS_USUAL,
        *,
        first_that_ships: bool = False,
    ) -> None:
        """``say`` is what complains; no packs are all that ship, or the first one of these alone."""
        self._reading = reading
        self._packs = packs
        self._choice = choice
        self._say = say
        self._shipped = 1 if first_that_ships else None
        self._inputs: list[str] = []
        self.status = 0

    def __iter__(self) -> Iterator[Chosen]:
        for name, pack in self.packs():
            for level in pack.levels:
                yield Chosen(name, level, pack.title)

    def packs(self) -> Iterator[tuple[str, Pack]]:
        """Each pack with its path, and the chosen levels alone in it."""
        for file, pack in self._read():
            name = file.path
            choice = self._choice or ALL_LEVELS
            if self._choice and (beyond := self._choice.beyond(pack.size)):
                levels = counted(pack.size, "level")
                self._complain(f"{name}: found {levels}, expected level {beyond} too")
            for error in pack.errors:
                if choice.holds(error.level):
                    self._complain(str(error))
            chosen = (
                tuple(level for level in pack.levels if choice.holds(level.number)) if self._choice else pack.levels
            )
            yield name, pack._replace(levels=chosen)

    def check_output(self, path: str) -> None:
        """Raises InputError where to write to ``path`` would replace a pack that was read, or what is no pack."""
        if not os.path.isfile(path):
            return  # a new file, a pipe, a device; of a folder the system says that it is one
        if any(os.path.exists(each) and os.path.samefile(path, each) for each in self._inputs):
            raise InputError(f"{path}: is not written, for it is one of the packs that were read")
        if os.path.getsize(path) and not _is_pack(path):
            raise InputError(f"{path}: is not written, for there is a file that is no level pack")

    def _read(self) -> Iterator[tuple[PackFile, Pack]]:
        for file in self._files():
            try:
                yield file, open_pack(file, self._reading.encoding, self._reading.limits)
            except PackError as error:
                self._complain(str(error))

    def _files(self) -> Iterator[PackFile]:
        for file in () if self._packs else bundled_packs()[: self._shipped]:
            self._inputs.append(file.path)
            yield file
        for path in self._packs:
            self._inputs.append(path)
            try:
                for file in find_packs(path, self._reading.limits):
                    self._inputs.append(file.archive or file.path)
                    yield file
            except PackError as error:
                self._complain(str(error))

    def _complain(self, problem: str) -> None:
        self._say(problem)
        self.status = 2


def _is_pack(path: str) -> bool:
    """Whether a file begins as packs do; one that cannot be read does not, nor does an archive."""
    try:
        with open(path, "rb") as file:
            return looks_like_pack(file.read(_HEAD_BYTES))
    except OSError:
        return False


def add_levels(parser: Parser) -> None:
    """The arguments PACK ... and -l."""
    parser.add_packs()
    parser.add_argument("-l", "--level", type=LevelChoice.parse, metavar="N", help="levels such as 3 or 2-9,14")


def one_level(packs: Sequence[str], number: int, reading: Reading = _AS_USUAL) -> Chosen:
    """The level of this number in the one pack given, or in First Steps where none is.

    Raises InputError where there is not exactly one such level.
    """
    if len(packs) > 1:
        raise InputError(f"found {len(packs)} packs, expected one")
    levels = Levels(packs, LevelChoice(((number, number),)), reading=reading, first_that_ships=True)
    chosen = list(levels)
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise InputError(f"found level {number} in {len(chosen)} packs, expected one pack")
    raise SystemExit(2)  # and the reason has been said


def add_one_level(parser: Parser) -> None:
    """The arguments PACK and -l N of a verb that works on one level."""
    parser.add_packs()
    parser.add_argument("-l", "--level", type=count, required=True, metavar="N", help="the number of the level")
