"""Levels that have been solved or begun, and the queries that ask for them."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import exact_id, level_hash
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.known_levels import Grade, Par, solutions_of, stars
from sokoterm.store.library import LibraryIndex, LooseLevels
from sokoterm.store.packs import Stamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import Condition, Query, condition, names_in

_READERS = {"solved": ProgressStore.solved, "open": ProgressStore.begun, "solution": ProgressStore.found}


def pars_of(store: ProgressStore, index: LibraryIndex | None, hashes: Collection[str]) -> dict[str, Par]:
    """Return the par of levels by level hash, as far as it is known without a replay and without the levels."""
    pars = store.fewest_pushes(hashes)
    for each, pushes in index.fewest_pushes(hashes, has_recipes=True).items() if index is not None else ():
        if each not in pars or pushes < pars[each].pushes and not pars[each].is_proven:
            pars[each] = Par(pushes)
    return pars


class MarkedLevels:
    """Levels that have been solved, begun or solved by a machine, each read when a query first asks for them."""

    def __init__(self, store: Callable[[], ProgressStore | None], index: Callable[[], LibraryIndex | None]) -> None:
        """``store`` and ``index`` open them; they return None if there is none."""
        self._store = store
        self._index = index
        self._ids: dict[str, frozenset[str]] = {}
        self._loose: LooseLevels | None = None
        # The rows of loose levels: each letter typed into a query searches the same ones again.
        self._taken: tuple[Pack, str, Stamp | None, frozenset[str]] | None = None

    def ids(self, name: str) -> frozenset[str]:
        """Return the level hashes of ``solved`` levels, or of those with a ``solution`` that the program found.

        Or the Exact-Ids of those with an ``open`` play that has a push; or the hashes of levels with so many ``stars``.
        """
        if name.startswith("stars"):
            return frozenset(each for each, earned in self.stars.items() if earned >= int(name[-1]))
        if name not in self._ids:
            store = self._store()
            self._ids[name] = frozenset(_READERS[name](store)) if store is not None else frozenset()
        return self._ids[name]

    @cached_property
    def stars(self) -> Mapping[str, int]:
        """The stars of the levels that were solved without help, by level hash."""
        if (store := self._store()) is None:
            return {}
        solved = {each: best for each, best in store.summaries(store.solved()).items() if not best.is_helped}
        pars = pars_of(store, self._index(), solved)
        return {each: stars(best.pushes, pars.get(each)) for each, best in solved.items()}

    def condition(self, query: Query) -> Condition:
        return condition(query, self.ids)

    def numbers_in(
        self, query: Query, pack: Pack, name: str, stamp: Stamp | None, hash_of: Callable[[Level], str] = level_hash
    ) -> frozenset[int]:
        """Return the numbers of the levels of a pack that answer a query, indexed or not.

        ``name`` and ``stamp`` are those of its file.
        """
        terms = names_in(query)
        hashes: dict[int, str] = {}
        graded: dict[str, Grade] = {}
        solution = frozenset[str]()
        if not terms.isdisjoint(("hard", "solved", "solution", "stars")):
            hashes = {level.number: hash_of(level) for level in pack.levels}
            index = self._index()
            if index is not None and "hard" in terms:
                graded = index.graded(hashes.values(), FIGURES_VERSION)
            if "solution" in terms:
                found = self.ids("solution").union(index.fewest_pushes(hashes.values()) if index is not None else ())
                own = (level for level in pack.levels if hashes[level.number] not in found and solutions_of(level, ""))
                solution = found.union(hashes[level.number] for level in own)

        def ids_of(level: Level) -> tuple[str, str]:
            return hashes.get(level.number, ""), exact_id(level) if "open" in terms else ""

        if self._loose is None:
            self._loose = LooseLevels()
        taken = pack, name, stamp, terms & {"solved", "open", "solution", "stars"}
        if "hard" in terms or self._taken is None or pack is not self._taken[0] or taken[1:] != self._taken[1:]:
            self._loose.take(pack, name, stamp, ids_of, graded)
            self._taken = taken if "hard" not in terms else None
        asked = condition(query, lambda each: solution if each == "solution" else self.ids(each))
        return frozenset(self._loose.find_numbers(asked))
