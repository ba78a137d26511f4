"""Levels that have been solved or begun, the queries that ask for them, and their known solutions."""

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
_OF_BOARDS = frozenset(("boxes", "size", "hard", "variant"))
_READERS = {"solved": ProgressStore.solved, "open": ProgressStore.begun, "solution": ProgressStore.found}


def pars_of(store: ProgressStore, index: LibraryIndex | None, hashes: Collection[str]) -> dict[str, Par]:
    """Return the par of levels by level hash, as far as it is known without a replay and without the levels."""
    pars = store.fewest_pushes(hashes)
    for each, pushes in index.fewest("pushes", hashes, has_recipes=True).items() if index is not None else ():
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
        self._fewest: dict[str, Mapping[str, int]] = {}
        self._loose: LooseLevels | None = None
        # The rows of loose levels: each letter typed into a query searches the same ones again.
        self._taken: tuple[Pack, str, Stamp | None, frozenset[str], bool] | None = None

    def ids(self, name: str) -> frozenset[str]:
        """Return the level hashes of ``solved`` levels, or of those with a ``solution`` that the program found.

        Or the Exact-Ids of those with an ``open`` play that has a push.
        """
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

    def figures(self, name: str) -> Mapping[str, int]:
        """Return the ``stars``, ``copies``, or fewest ``pushes`` or ``moves`` of the levels, as ``condition`` asks."""
        if name == "stars":
            return self.stars
        if name == "copies":
            return index.copies() if (index := self._index()) is not None else {}
        if name not in self._fewest:
            store = self._store()
            self._fewest[name] = store.fewest(name) if store is not None else {}
        return self._fewest[name]

    def grades(self, hashes: Collection[str]) -> dict[str, Grade]:
        """Return the known grades of levels, by level hash."""
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
        """Return the numbers of the levels of a pack that answer a query, indexed or not.

        ``name`` and ``stamp`` are those of its file. ``unique`` levels are so in this pack; ``is_numbered``: a number
        is a word of each title.
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
                    fewest[metric] = dict(sorted(figures, reverse=True))  # the last of each hash stays

        def ids_of(level: Level) -> tuple[str, str]:
            return hashes.get(level.number, ""), exact_id(level) if "open" in terms else ""

        if self._loose is None:
            self._loose = LooseLevels()
        has_figures = not terms.isdisjoint(_OF_BOARDS)
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
    """Look-up of the solutions of levels that need no search."""

    def __init__(self, progress: ProgressStore | None, library: Callable[[], LibraryIndex | None]) -> None:
        """``library`` returns the index of the library, None if there is none."""
        self.progress = progress
        self._library = library

    def best(self, level: Level) -> Best:
        """Return the player's own solutions; raises PackError."""
        return Best() if self.progress is None else self.progress.best(level)

    def of(self, level: Level, title: str) -> Sequence[KnownSolution]:
        """Return the different solutions of each source, those of a person first; raises PackError.

        ``title`` is that of the pack of the level.
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
        """Return solutions from elsewhere than the level's file, each once: found by the program, or in other packs."""
        found = self.progress.found_solutions(level) if self.progress is not None else []
        library = self._library()
        by_moves: dict[str, KnownSolution] = {}
        for each in (*found, *(library.known(level) if library is not None else ())):
            by_moves.setdefault(each.solution.lurd, each)
        return by_moves.values()
