"""Solved and begun levels, queries about them, and the known solutions of levels."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import exact_id, level_hash
from sokoterm.engine.lurd import until_last_push
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.known_levels import Grade, KnownSolution, Par, Source, solutions_of, stars
from sokoterm.store.library import LibraryIndex, LooseLevels
from sokoterm.store.packs import Stamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.query import Condition, Query, condition, names_in
from sokoterm.store.solutions import Best

_OF_SOLUTIONS = frozenset(("solution", "pushes", "moves"))
_BY_HASH = _OF_SOLUTIONS | {"hard", "solved", "stars", "copies", "unique"}
_READERS = {"solved": ProgressStore.solved, "open": ProgressStore.begun, "solution": ProgressStore.found}


def pars_of(store: ProgressStore, index: LibraryIndex | None, hashes: Collection[str]) -> dict[str, Par]:
    """Return the par by level hash, where known without a replay."""
    pars = store.fewest_pushes(hashes)
    for each, pushes in index.fewest("pushes", hashes, has_recipes=True).items() if index is not None else ():
        if each not in pars or pushes < pars[each].pushes and not pars[each].is_proven:
            pars[each] = Par(pushes)
    return pars


class MarkedLevels:
    """Levels that were solved, begun, or solved by the program; each set is read when a query first needs it."""

    def __init__(self, store: Callable[[], ProgressStore | None], index: Callable[[], LibraryIndex | None]) -> None:
        """``store`` and ``index`` are functions that open them, or return None if there is none."""
        self._store = store
        self._index = index
        self._ids: dict[str, frozenset[str]] = {}
        self._fewest: dict[str, Mapping[str, int]] = {}
        self._loose: LooseLevels | None = None
        # The last arguments of ``_loose.take``: each letter typed into a query searches the same levels again.
        self._taken: tuple[Pack, str, Stamp | None, frozenset[str], bool] | None = None

    def ids(self, name: str) -> frozenset[str]:
        """Return the level hashes of ``solved`` levels, or of those with a ``solution`` found by the program.

        For ``open``, return the Exact-Ids of levels with an unfinished game that has a push.
        """
        if name not in self._ids:
            store = self._store()
            self._ids[name] = frozenset(_READERS[name](store)) if store is not None else frozenset()
        return self._ids[name]

    @cached_property
    def stars(self) -> Mapping[str, int]:
        if (store := self._store()) is None:
            return {}
        solved = {each: best for each, best in store.summaries(store.solved()).items() if not best.is_helped}
        pars = pars_of(store, self._index(), solved)
        return {each: stars(best.pushes, pars.get(each)) for each, best in solved.items()}

    def figures(self, name: str) -> Mapping[str, int]:
        """Return ``stars``, ``copies``, or fewest ``pushes`` or ``moves``, by level hash."""
        if name == "stars":
            return self.stars
        if name == "copies":
            return index.copies() if (index := self._index()) is not None else {}
        if name not in self._fewest:
            store = self._store()
            self._fewest[name] = store.fewest(name) if store is not None else {}
        return self._fewest[name]

    def grades(self, hashes: Collection[str]) -> dict[str, Grade]:
        return index.graded(hashes, FIGURES_VERSION) if (index := self._index()) is not None else {}

    def condition(self, query: Query) -> Condition:
        return condition(query, self.ids, self.figures)

    def numbers_in(
        self,
        query: Query,
        pack: Pack,
        name: str,
        stamp: Stamp | None,
        hash_of: Callable[[Level], str] = level_hash,
        *,
        is_numbered: bool = False,
    ) -> frozenset[int]:
        """Return the numbers of the levels that match a query, in a pack that need not be indexed.

        ``name`` and ``stamp`` describe the pack's file. ``unique`` means unique within the pack. With ``is_numbered``,
        the number of a level counts as a word of its title.
        """
        terms = names_in(query)
        hashes: dict[int, str] = {}
        graded: Mapping[str, Grade] = {}
        solution = frozenset[str]()
        fewest: dict[str, Mapping[str, int]] = {}
        if not terms.isdisjoint(_BY_HASH):
            hashes = {level.number: hash_of(level) for level in pack.levels}
            index = self._index()
            if "hard" in terms:
                graded = self.grades(hashes.values())
            if terms & _OF_SOLUTIONS:

                def known(metric: str) -> Mapping[str, int]:
                    return index.fewest(metric, hashes.values()) if index is not None else {}

                came = known("pushes")
                new = [level for level in pack.levels if hashes[level.number] not in came]
                own = [(hashes[level.number], each.solution) for level in new for each in solutions_of(level, "")]
                solution = self.ids("solution").union(came, dict(own))
                for metric in terms & {"pushes", "moves"}:
                    figures = [(each, getattr(solved, metric)) for each, solved in own]
                    figures += [*self.figures(metric).items(), *known(metric).items()]
                    fewest[metric] = dict(sorted(figures, reverse=True))  # of equal hashes, the last one wins

        def ids_of(level: Level) -> tuple[str, str]:
            return hashes.get(level.number, ""), exact_id(level) if "open" in terms else ""

        if self._loose is None:
            self._loose = LooseLevels()
        has_figures = not terms.isdisjoint(("hard", "variant"))
        taken = pack, name, stamp, terms & {"open", *_BY_HASH}, has_figures
        if "hard" in terms or self._taken is None or pack is not self._taken[0] or taken[1:] != self._taken[1:]:
            self._loose.take(pack, name, stamp, ids_of, graded, has_figures=has_figures)
            self._taken = taken if "hard" not in terms else None
        asked = condition(
            query,
            lambda each: solution if each == "solution" else self.ids(each),
            lambda each: fewest[each] if each in fewest else self.figures(each),
        )
        return frozenset(self._loose.find_numbers(asked, is_numbered=is_numbered))


class KnownSolutions:
    def __init__(self, progress: ProgressStore | None, library: Callable[[], LibraryIndex | None]) -> None:
        """``library`` returns the index of the library, or None."""
        self.progress = progress
        self._library = library

    def best(self, level: Level) -> Best:
        """Return the player's own solutions; raises PackError."""
        return Best() if self.progress is None else self.progress.best(level)

    def of(self, level: Level, title: str) -> Sequence[KnownSolution]:
        """Return the different solutions from each source, the player's own first; raises PackError.

        ``title`` is the title of the level's pack.
        """
        best = self.best(level)
        own = [KnownSolution(each, "", Source.OWN) for each in (best.by_moves, best.by_pushes) if each is not None]
        in_file = [each._replace(source=Source.FILE) for each in solutions_of(level, title)]
        found: dict[tuple[Source, str], KnownSolution] = {}
        for each in (*own, *in_file, *self.elsewhere(level)):
            solution = until_last_push(each.solution)
            found.setdefault((each.source, solution.lurd), each._replace(solution=solution))
        return list(found.values())

    def elsewhere(self, level: Level) -> Iterable[KnownSolution]:
        """Return the different solutions found by the program or in other packs."""
        found = self.progress.found_solutions(level) if self.progress is not None else []
        library = self._library()
        by_moves: dict[str, KnownSolution] = {}
        for each in (*found, *(library.known(level) if library is not None else ())):
            by_moves.setdefault(each.solution.lurd, each)
        return by_moves.values()
