"""What screens ask of the library; library.py answers it, and is loaded when it is first needed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.slices import Slices
from sokoterm.engine.value import Value
from sokoterm.library.known import Grade, Known, Stamp, Words
from sokoterm.library.packs import PackFile


class Figures(Value):
    """What the list of packs shows of one; the title is that of its file, ``levels`` are those that can be read."""

    title: str
    levels: int
    unreadable: int
    solved: int

    @property
    def is_done(self) -> bool:
        return 0 < self.levels <= self.solved


class Grading(Protocol):
    """How hard levels and packs are: what is known, and finding out more in small steps."""

    def levels(self, key: str) -> Mapping[int, Grade]:
        """How hard the levels of a pack are, by number, as far as that is known."""

    def packs(self, keys: Sequence[str]) -> Mapping[str, Grade]:
        """How hard these packs are, as far as that is known."""

    def forget(self) -> None:
        """More has been learned of packs."""

    def grade_levels(self, key: str, levels: Sequence[Level]) -> Iterator[None]:
        """Find out how hard levels of a pack are."""

    def grade_packs(self, files: Sequence[PackFile]) -> Iterator[None]:
        """Find out how hard packs are."""

    def show(self) -> None:
        """Have what was found out last be known, and kept."""


class Library(Protocol):
    """What is known of packs that are not open, and of the levels that stand in several."""

    notices: list[str]

    @property
    def lessons(self) -> int:
        """How many packs have been learned in this session: with each, more may be known of any level."""

    @property
    def grading(self) -> Grading:
        """How hard levels are; the solver is loaded for it."""

    def refresh(self) -> None:
        """Forget what is solved: a level has been."""

    def close(self) -> None:
        """Nothing more is asked."""

    def stamps(self) -> Mapping[str, Stamp]:
        """The stamp that each pack had when it was learned, by key."""

    def figures(self, files: Sequence[PackFile]) -> Mapping[str, Figures]:
        """What is known of each of these packs, by key; in two or three queries for all of them."""

    def words(self) -> Mapping[str, Words]:
        """What a search finds all packs by that were ever learned, by key."""

    def problem(self, file: PackFile) -> str:
        """Why a pack cannot be read, empty where that is not known."""

    def note_problem(self, file: PackFile, problem: str) -> None:
        """Remember that a pack cannot be read."""

    def forget_problem(self, file: PackFile) -> None:
        """A pack could be read."""

    def is_small(self, file: PackFile) -> bool:
        """Whether reading a pack takes no time that a person would notice."""

    def has_work(self, files: Sequence[PackFile]) -> bool:
        """Whether a pack is being learned, or there is one among these to be."""

    def work(self, files: Sequence[PackFile]) -> None:
        """Learn on for a moment."""

    def begin(self, file: PackFile, pack: Pack, stamp: Stamp | None) -> None:
        """Learn a pack that has been read, unless it is known; ``stamp`` is that of its file before."""

    def forget(self, file: PackFile) -> None:
        """A pasted pack is listed no more."""

    def hashes(self, key: str) -> dict[int, str]:
        """The level hashes of a pack that is known, by number."""

    def known(self, key: str, level: Level) -> Slices[list[Known]]:
        """The best solutions that files brought for a level, those of the pack with this key before equal ones."""

    def all_known(self, key: str, level: Level, pack: str) -> Slices[list[Known]]:
        """All solutions of the level's own records, long ones too, and the best that other packs brought."""

    def other_names(self, key: str, number: int, level_hash: str) -> list[str]:
        """``Pufiban 126``, ``Novoban 40`` ...: the other places of a level, one of each pack."""


class Shelf:
    """The way to the library, which is opened when it is first asked for something.

    ``is_by_difficulty``: lists begin with the easiest, in this session.
    """

    def __init__(self, open_library: Callable[[], Library], has_index: Callable[[], bool]) -> None:
        """``has_index`` tells whether there is an index yet: to look at one level, none is made."""
        self.is_by_difficulty = False
        self._open_library = open_library
        self._has_index = has_index
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        if self._library is None:
            self._library = self._open_library()
        return self._library

    @property
    def is_open(self) -> bool:
        return self._library is not None

    @property
    def has_index(self) -> bool:
        """Whether there is something to ask."""
        return self._library is not None or self._has_index()
