"""Facts of a level, to see whether it answers a query: each is looked up when a term first needs it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from time import localtime, strftime
from types import MappingProxyType

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id, level_hash
from sokoterm.engine.text import folded, printable
from sokoterm.engine.value import Value
from sokoterm.store.known_levels import estimate, solutions_of
from sokoterm.store.level_rows import kinds_of
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import Stamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import NO_SOLUTION, Comparison, Flag, PartOf, Query, Term, Word, holds

_READERS = MappingProxyType(
    {"solved": ProgressStore.solved, "open": ProgressStore.begun, "solution": ProgressStore.found}
)


class MarkedLevels:
    """Ids of the levels that have been solved, begun or solved by a machine, read when they are first asked for."""

    def __init__(self, store: Callable[[], ProgressStore | None], index: Callable[[], LibraryIndex | None]) -> None:
        """``store`` and ``index`` open them; they return None if there is none."""
        self._store = store
        self._index = index
        self._ids: dict[str, frozenset[str]] = {}

    def ids(self, name: str) -> frozenset[str]:
        """Return the level hashes of ``solved`` levels, or of those with a ``solution`` that the program found.

        Or the Exact-Ids of those with an ``open`` play that has a push.
        """
        if name not in self._ids:
            store = self._store()
            self._ids[name] = frozenset(_READERS[name](store)) if store is not None else frozenset()
        return self._ids[name]

    def is_known(self, puzzle: str) -> bool:
        """True if a file of the index, or the program, has a solution for the level hash."""
        index = self._index()
        return puzzle in self.ids("solution") or index is not None and bool(index.fewest_pushes([puzzle]))

    def hard(self, puzzle: str) -> int | None:
        """Return the difficulty of a level hash if it has been rated, NO_SOLUTION if there is none."""
        index = self._index()
        if index is None:
            return None
        from sokoterm.solver.figures import FIGURES_VERSION

        return index.hard(puzzle, FIGURES_VERSION)


class PackFacts(Value):
    """Facts of a pack: its title and name, and the author of levels that name none; ``stamp`` is that of its file."""

    title: str
    name: str
    author: str
    stamp: Stamp | None


class LevelFacts:
    """The facts of one level.

    >>> from sokoterm.store.query import parse_query
    >>> level = Level.from_xsb("#####\\n#@$.#\\n#####")
    >>> facts = LevelFacts(level, PackFacts("Corners", "a", "", None), None)
    >>> [facts.answer(parse_query(each)) for each in ("corner boxes:1", "size<5x3", "not boxes>1 or solved")]
    [True, False, True]
    """

    def __init__(
        self,
        level: Level,
        pack: PackFacts,
        marks: MarkedLevels | None,
        hash_of: Callable[[Level], str] = level_hash,
        *,
        is_numbered: bool = False,
    ) -> None:
        """Without ``marks`` nothing is known of the level; with ``is_numbered`` its number is a word of its title."""
        self._level = level
        self._pack = pack
        self._marks = marks
        self._hash_of = hash_of
        self._is_numbered = is_numbered

    def answer(self, query: Query) -> bool:
        """True if the level answers a query."""
        return holds(query, self._is_true)

    def _is_true(self, term: Term) -> bool:
        match term:
            case Word(text=text):
                return any(text in self._text(each) for each in ("title", "author", "pack"))
            case PartOf(name=name, text=text):
                return text in self._text(name)
            case Comparison(name=name):
                return term.accepts(self._numbers(name))
            case Flag(name=name):
                return self._has(name)

    def _text(self, name: str) -> str:
        """Return a text ``folded``, as the index has it."""
        level, pack = self._level, self._pack
        match name:
            case "title":
                number = f"{level.number} " if self._is_numbered else ""
                return folded(f"{number}{printable(level.title)}")
            case "author":
                return folded(printable((level.author or pack.author).strip()))
            case "pack":
                return folded(f"{printable(pack.title.strip()) or printable(pack.name)}\n{printable(pack.name)}")
        return kinds_of(level)

    def _numbers(self, name: str) -> Sequence[int]:
        """Return the numbers of a name, none for the difficulty of a level without a solution."""
        level, board = self._level, self._level.board
        match name:
            case "boxes":
                return (level.boxes,)
            case "size":
                return sorted((board.width, board.height), reverse=True)
            case "added":
                return (self._added,)
        rated = self._marks.hard(self._hash) if self._marks is not None else None
        hard = rated if rated is not None else estimate(level.boxes, board.floor.bit_count())
        return (hard,) if hard < NO_SOLUTION else ()

    def _has(self, name: str) -> bool:
        marks = self._marks
        match name:
            case "open":
                return marks is not None and exact_id(self._level) in marks.ids(name)
            case "solved":
                return marks is not None and self._hash in marks.ids(name)
        return marks is not None and marks.is_known(self._hash) or bool(solutions_of(self._level, ""))

    @cached_property
    def _hash(self) -> str:
        return self._hash_of(self._level)

    @property
    def _added(self) -> int:
        """The day of the pack's file: 20261101."""
        seconds = self._pack.stamp.time // 1_000_000_000 if self._pack.stamp is not None else 0
        return int(strftime("%Y%m%d", localtime(seconds)))
