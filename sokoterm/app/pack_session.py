"""A pack in play: its levels in order, the player's progress, and other known facts about the levels."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, TypeVar

from sokoterm.app.background import BuildJob, Call
from sokoterm.app.catalog import Catalog
from sokoterm.app.improvement import Improvement, ShowReplay
from sokoterm.engine.deadlock.check import cannot_be_played
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution, count_pushes
from sokoterm.formats.grammar import recipe_of
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import game_limits
from sokoterm.store.known_levels import KnownSolution, LevelPlace, Par, Source, distinct, solutions_of, stars
from sokoterm.store.packs import BUNDLED_KEY, PackError, PackFile, Stamp, stamp_of, title_of
from sokoterm.store.plays import PlayStamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import Best, Summary, found_of

if TYPE_CHECKING:
    from sokoterm.app.generated import DescentPack
    from sokoterm.store.query import Query
    from sokoterm.store.score_table import ScoreTable, Standing
    from sokoterm.store.series import MadeLevel

_Result = TypeVar("_Result")

_MOST_AT_ONCE = 100_000  # steps of a replay in the main thread: a quarter of a microsecond each
_BOUNDS_AT_ONCE = 100  # steps of a lower bound: some thirty microseconds each


def _steps_of(level: Level) -> int:
    """Return the number of steps in a level's records; records with repeat counts or walks are assumed to be long."""
    records = level.records
    are_plain = all(record.moves.isalpha() for record in records)
    return sum(len(record.moves) for record in records) if are_plain else _MOST_AT_ONCE + 1


def _needed_pushes(level: Level) -> Generator[object, None, int]:
    """Return the lower bound on the pushes of a solution, 0 if there is none."""
    # Imported only after the first frame.
    from sokoterm.solver.common.lower_bound import make_lower_bound
    from sokoterm.solver.search import LimitReached, Meter

    board, start = level.board, level.start
    meter = Meter("", board, game_limits(lambda: 0.0), bytes_per_state=0)
    try:
        _, matching = yield from make_lower_bound(board, start, meter)
    except LimitReached:
        return 0
    return matching.cost if matching is not None else 0


class LevelLookups:
    """Facts about the levels of one pack from files, the library, the score table and the store.

    Long replays run in a thread; until one ends, its look-up returns nothing.
    """

    def __init__(self, pack_session: "PackSession", catalog: Catalog) -> None:
        self._pack_session = pack_session
        self._store = pack_session.store
        self._scores = pack_session.scores
        self._catalog = catalog
        self._going: list[Call[object]] = []
        # By level number, moves and pushes.
        self._standings: dict[tuple[int, int, int], Call[Standing]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, Call[int]]] = {}
        # By level number, and whether the level's own records are included.
        self._known: dict[tuple[int, bool], Call[list[KnownSolution]]] = {}
        self._found: dict[int, Call[list[KnownSolution]]] = {}
        self._other_places: dict[int, list[LevelPlace]] = {}
        self._lessons = -1
        self._needed: dict[int, int] = {}
        self._bounding: dict[int, Generator[object, None, int]] = {}
        self._proven: dict[int, dict[str, int]] = {}
        self._pars: dict[int, Par | None] = {}
        self._is_hashed = not _AT_ONCE < len(pack_session.pack.levels) <= _MOST_COUNTED

    def refresh(self) -> None:
        """Drop the cached standings after a level has been solved."""
        self._standings = {occasion: replay for occasion, replay in self._standings.items() if not replay.is_over}

    def forget_found(self, level: Level) -> None:
        """Drop the cached solutions of a level after a new one has been stored."""
        self._found.pop(level.number, None)
        self._pars.pop(level.number, None)

    # Idle work

    @property
    def is_replaying(self) -> bool:
        """True while a long replay is running."""
        if self._going:
            self._going = [each for each in self._going if not each.is_over]
        return bool(self._going)

    def go_on(self) -> None:
        if self.is_replaying:
            self._going[-1].wait()

    def idle_work(self, level: Level) -> Callable[[], object] | None:
        """Return the next short piece of deferred work; None if nothing is left.

        In order: open the library, continue a replay or a lower bound, replay the level's own records unless they are
        long, and hash the other levels.
        """
        if self._catalog.has_index and not self._catalog.is_open:
            return self._catalog.open
        if self.is_replaying:
            return self.go_on
        if self._bounding:
            return self._bound
        has_records = bool(level.records) and (level.number, True) not in self._known
        if level.number not in self._found or has_records and _steps_of(level) <= _MOST_AT_ONCE:
            return partial(self.all_known, level)
        return None if self._is_hashed else self._hash

    def _hash(self) -> None:
        """Hash some levels ahead, for the count of unsolved levels after a win."""
        unknown = [level for level in self._pack_session.pack.levels if not self._pack_session.is_hashed(level)]
        self._is_hashed = len(unknown) <= _HASHED_AT_ONCE
        for level in unknown[:_HASHED_AT_ONCE]:
            self._pack_session.hash_of(level)

    def _replay(self, replay: Callable[[], _Result], steps: int) -> Call[_Result]:
        begun = Call(replay, at_once=steps <= _MOST_AT_ONCE)
        if not begun.is_over:
            self._going.append(begun)
        return begun

    # Scores

    def standing(self, level: Level, moves: int = 0, pushes: int = 0) -> "Standing":
        """Return the best results of all accounts; empty without a score table, and while they are replayed.

        Results are cached for the ``moves`` and ``pushes`` with which the player has just solved the level.
        """
        from sokoterm.store.score_table import Standing, TooLongError  # for a win, or a list

        scores, occasion = self._scores, (level.number, moves, pushes)
        if scores is None:
            return Standing()
        if occasion not in self._standings:
            # By the time the player returns to another level, other accounts may have solved it.
            for earlier in [each for each in self._standings if each[0] != level.number]:
                if self._standings[earlier].is_over:
                    del self._standings[earlier]
            try:
                standing = scores.standing(level, _MOST_AT_ONCE)
                self._standings[occasion] = Call(lambda: standing, at_once=True)
            except TooLongError:
                self._standings[occasion] = self._replay(lambda: scores.standing(level), _MOST_AT_ONCE + 1)
        return self._standings[occasion].result or Standing()

    # Unfinished games

    def open_pushes(self, level: Level) -> int:
        """Return the pushes in the unfinished game of a level; 0 for none, and while it is replayed."""
        counted = self._count_open(level, self._store.open_plays([level])[0])
        return counted.result or 0 if counted is not None else 0

    def begun(self, levels: Sequence[Level]) -> set[int]:
        """Return the numbers of the levels whose unfinished game has pushes; a game being replayed counts too."""
        stamps = self._store.open_plays(levels)
        begun = {level.number: self._count_open(level, stamp) for level, stamp in zip(levels, stamps, strict=True)}
        return {number for number, play in begun.items() if play is not None and (play.result or not play.is_over)}

    def _count_open(self, level: Level, stamp: PlayStamp | None) -> Call[int] | None:
        if stamp is None:
            return None
        known = self._open_pushes.get(level.number)
        if known is None or known[0] != stamp:
            lurd = self._store.open_moves(level)
            known = stamp, self._replay(lambda: count_pushes(level.board, level.start, lurd), len(lurd))
            self._open_pushes[level.number] = known
        return known[1]

    # Files and the library

    def known(self, level: Level) -> list[KnownSolution]:
        """Return the known solutions from files or the program, fewest pushes first; not those still being replayed.

        Until ``all_known`` has been called, the level's own records are missing.
        """
        self._forget_old()
        if level.number not in self._found:
            try:
                rows = self._store.found_rows(level)
            except PackError:  # the progress is locked, which is reported elsewhere
                rows = []
            self._found[level.number] = self._replay(partial(found_of, rows, level), sum(len(row.lurd) for row in rows))
        whole = self._known.get((level.number, True))
        of_files = whole if whole is not None and whole.is_over else self._replay_files(level, with_records=False)
        return distinct([*(of_files.result or []), *(self._found[level.number].result or [])])

    def known_at_once(self, level: Level) -> list[KnownSolution]:
        """Return the known solutions if that takes no noticeable time, else none."""
        is_there = self._catalog.is_open or (level.number, True) in self._known or level.number in self._found
        return self.known(level) if is_there else []

    def all_known(self, level: Level) -> list[KnownSolution]:
        """Return the known solutions, including all of the level's own records."""
        self._forget_old()
        if level.records:
            self._replay_files(level, with_records=True)
        return self.known(level)

    def _replay_files(self, level: Level, *, with_records: bool) -> Call[list[KnownSolution]]:
        if (level.number, with_records) not in self._known:
            rows = self._catalog.open().known_rows(level, self._pack_session.key) if self._catalog.has_index else []

            def replay() -> list[KnownSolution]:
                own = solutions_of(level, self._pack_session.name) if with_records else []
                if not rows:
                    return distinct(own)
                return distinct([*own, *self._catalog.open().replay_best(level, rows)])

            steps = 2 * max((row.moves for row in rows), default=0) + (_steps_of(level) if with_records else 0)
            self._known[level.number, with_records] = self._replay(replay, steps)
        return self._known[level.number, with_records]

    def needed_pushes(self, level: Level, *, waits: bool = False) -> int:
        """Return the lower bound on the pushes of a solution; 0 if there is none, or it is not known yet.

        ``waits`` computes it immediately, which may take two seconds on the largest boards.
        """
        if level.number not in self._needed and level.number not in self._bounding:
            self._bounding[level.number] = _needed_pushes(level)
        while waits and self._bounding:
            self._bound()
        return self._needed.get(level.number, 0)

    def _bound(self) -> None:
        """Continue with the latest lower bound for a moment."""
        number, steps = next(reversed(self._bounding.items()))
        try:
            for __ in range(_BOUNDS_AT_ONCE):
                next(steps)
        except StopIteration as end:
            self._needed[number] = end.value
            del self._bounding[number]

    def proven(self, level: Level) -> dict[str, int]:
        """Return the fewest moves and the fewest pushes of any solution by metric, where proven."""
        if level.number not in self._proven:
            try:
                self._proven[level.number] = self._store.proven(level)
            except PackError:  # the progress is locked, which is reported elsewhere
                self._proven[level.number] = {}
        return self._proven[level.number]

    def par(self, level: Level, own: int) -> Par | None:
        """See ``PackSession.par``; ``own`` are the player's fewest pushes, 0 for none. Starts no replay."""
        key = self._pack_session.key
        self.read_pars([level])
        par, bound, recipe = self._pars[level.number], self._needed.get(level.number, 0), recipe_of(level).pushes
        known = [par] if par is not None else []
        known += [Par(recipe, key.startswith(BUNDLED_KEY))] if recipe and recipe >= bound else []
        replays = [self._known.get((level.number, True)), self._found.get(level.number)]
        known += [Par(each.solution.pushes) for replay in replays if replay for each in replay.result or ()]
        if own and (known or own == bound):
            known.append(Par(own))
        if not known:
            return None
        proven = [each for each in known if each.is_proven]  # a recipe that names fewer is that of another board
        pushes = min(each.pushes for each in proven or known)
        return Par(pushes, pushes == bound or bool(proven))

    def read_pars(self, levels: Sequence[Level]) -> None:
        """Read the pars of several levels in one go, before single look-ups."""
        self._forget_old()
        hashes = {level.number: self._pack_session.hash_of(level) for level in levels if level.number not in self._pars}
        if hashes:
            pars = self._catalog.pars(hashes.values())
            self._pars.update((number, pars.get(each)) for number, each in hashes.items())

    def other_places(self, level: Level) -> list[LevelPlace]:
        """Return the first other place of the level in each pack title of the library; none until that is open."""
        if not self._catalog.is_open:
            return []
        self._forget_old()
        if level.number not in self._other_places:
            found = self._catalog.open().names_of(self._pack_session.hash_of(level))
            places = [place for place in found if (place.key, place.number) != (self._pack_session.key, level.number)]
            first = {place.pack: place for place in reversed(places)}
            self._other_places[level.number] = sorted(first.values(), key=places.index)
        return self._other_places[level.number]

    def _forget_old(self) -> None:
        """Drop cached facts if the library has changed since."""
        lessons = self._catalog.lessons if self._catalog.is_open else -1
        if self._lessons != lessons:
            self._lessons = lessons
            self._known.clear()
            self._pars.clear()
            self._other_places.clear()


Aid = Literal["undos", "hints", "shown"]
"""Name of a counter in ``Effort``: moves taken back, pushes made by the solver, or solutions shown."""

_AT_ONCE = 50  # levels per query for figures: more hash too many levels, fewer need more queries
_HASHED_AT_ONCE = 20  # in idle time: some milliseconds
_MOST_COUNTED = 500  # larger packs are not counted, since each level must be hashed
_INDEXED_AT_ONCE = 1000  # hashes that are read from the index together


class PackSession:
    """A pack with the player's progress, read from the ``store`` on demand.

    ``numbers`` are the numbers of the readable levels in order. ``is_generated``: levels are generated on demand.
    ``is_pasted``: they were pasted or drawn.
    """

    is_generated = is_pasted = False

    def __init__(
        self,
        pack: Pack,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        stamp: Stamp | None = None,
        scores: "ScoreTable | None" = None,
    ) -> None:
        """``stamp`` was taken from the pack's file before reading it; ``scores`` is the table of all accounts."""
        self.pack = pack
        self.key = key
        self.stamp = stamp
        self.name = title_of(pack, name)
        self._file_name = name
        self.store = store
        self.scores = scores
        self.numbers = [level.number for level in pack.levels]
        self.lookups = LevelLookups(self, catalog)
        self._catalog = catalog
        self._hashes: dict[int, str] = {}
        self._indexed: set[int] = set()  # the first numbers of runs whose hashes come from the index
        self._best: dict[int, Best] = {}
        self._figures: dict[int, Summary | None] = {}
        # Of this session by level number, latest last.
        self.found_solutions = defaultdict[int, list[ShowReplay]](list)
        self.improvements = defaultdict[int, list[Improvement]](list)
        # The last query with everything its answer depends on, and the numbers found.
        self._found: tuple[tuple[object, ...], Collection[int]] | None = None
        self.beside: Callable[[PackSession, int], PackSession | None] = lambda *_: None
        """Opens another one-level file in the folder: see ``Lists.file_beside``."""

    def move_to(self, file: PackFile, title: str) -> None:
        """Switch to a file after the pack was renamed; ``title`` is its new title, or empty if unchanged."""
        self.key = file.key
        if title:
            self.pack, self.stamp = self.pack._replace(title=title), stamp_of(file)
        self.name = title_of(self.pack, file.name)
        self._file_name = file.name

    # Levels

    @cached_property
    def entries(self) -> list[Level | LevelError]:
        """The levels in order, with errors instead of unreadable levels."""
        return sorted([*self.pack.levels, *self.pack.errors], key=number_of)

    def find_level(self, number: int) -> Level | None:
        """Return the level with a number; None if it does not exist or is unreadable."""
        return self.pack.find_level(number)

    def has_level(self, number: int) -> bool:
        """True if a level with this number can be played, even if it still has to be generated."""
        return self.is_making(number) or self.find_level(number) is not None

    def find_number(self, text: str) -> int:
        """Parse a level number; 0 for other text."""
        return int(text) if text.isdecimal() else 0

    def next_number(self, number: int) -> int | None:
        return next((each for each in self.numbers if each > number), None)

    def previous_number(self, number: int) -> int | None:
        return next((each for each in reversed(self.numbers) if each < number), None)

    def next_unsolved(self, number: int) -> int | None:
        """Return the next unsolved level after ``number``, wrapping around; None if all others are solved."""
        levels = self.pack.levels
        first = bisect_right(levels, number, key=number_of)
        others = (level for level in chain(levels[first:], levels[:first]) if level.number != number)
        while some := [*islice(others, _AT_ONCE)]:
            self.read_figures(some)
            if (unsolved := next(filter(self.is_left, some), None)) is not None:
                return unsolved.number
        return None

    def count_unsolved(self) -> int | None:
        """Return the number of unsolved levels; None if the pack is too large to count."""
        levels = self.pack.levels
        if len(levels) > _MOST_COUNTED:
            return None
        self.read_figures(levels)
        return sum(map(self.is_left, levels))

    def start_number(self) -> int | None:
        """Return the level last played, else the first unsolved, else the first; None if none is readable."""
        left = self.store.load_place(self.key)
        return left if left in self.numbers else self.next_unsolved(0) or next(iter(self.numbers), None)

    # Progress

    def best(self, level: Level) -> Best:
        if level.number not in self._best:
            self._best[level.number] = self.store.best(level)
        return self._best[level.number]

    def find_numbers(self, query: "Query") -> Collection[int]:
        """Return the numbers of the levels that match a query; a level's number counts as a word of its title."""
        marks = self._catalog.marks
        asked = (query, self.pack, self._file_name, marks, self._catalog.lessons)
        if self._found is None or self._found[0] != asked:
            indexed = self._catalog.find_numbers(self.key, query)
            about = self.pack, self._file_name, self.stamp, self.hash_of
            found = marks.numbers_in(query, *about, is_numbered=True) if indexed is None else frozenset(indexed)
            self._found = asked, found
        return self._found[1]

    def forget_found(self) -> None:
        """Drop the cached result of the last query after levels have been graded."""
        self._found = None

    def figures(self, level: Level) -> Summary | None:
        """Return the player's best figures of a level; None if unsolved."""
        if level.number not in self._figures:
            self.read_figures([level])
        return self._figures[level.number]

    def read_figures(self, levels: Sequence[Level]) -> None:
        """Read the figures of several levels in one query, before single look-ups."""
        unknown = [level for level in levels if level.number not in self._figures]
        if unknown:
            found = self.store.summaries(map(self.hash_of, unknown))
            self._figures.update((level.number, found.get(self.hash_of(level))) for level in unknown)

    def par(self, level: Level) -> Par | None:
        """Return the proven fewest pushes, else the best known without waiting; None if none is known.

        Sources are proofs, solutions found by the program, and records and recipes of the level and its copies in the
        library. The player's own solution counts only if there are others, or if no solution can have fewer pushes.
        """
        if (made := self.find_made(level.number)) is not None:
            return Par(made.par, is_proven=True)
        figures = self.figures(level)
        return self.lookups.par(level, figures.pushes if figures is not None else 0)

    def stars(self, level: Level) -> int:
        """Return the stars of a level: 0 until it is solved without help."""
        figures = self.figures(level)
        return 0 if figures is None or figures.is_helped else stars(figures.pushes, self.par(level))

    def is_solved(self, number: int) -> bool:
        level = self.pack.find_level(number)
        return level is not None and self.figures(level) is not None

    def is_left(self, level: Level) -> bool:
        """True for an unsolved level that can be played."""
        return not self.is_solved(level.number) and not cannot_be_played(level.board, level.start)

    def keep_improved(self, level: Level, solution: Solution) -> str | None:
        """Store a solution of the optimizer as known; return a message if it cannot be written yet."""
        self.store.keep_found(level, solution, Source.OPTIMIZER.value)
        self.lookups.forget_found(level)
        return self.store.save_rows()

    def keep_proven(self, level: Level, metric: Objective, solution: Solution) -> str | None:
        """Store a proof that no solution has fewer moves or pushes; return a message if it cannot be written yet."""
        if metric not in (Objective.MOVES, Objective.PUSHES):
            return None
        self.lookups.proven(level)[metric] = metric.measure(solution)
        self.store.keep_proven(level, metric, metric.measure(solution))
        problem = self.store.save_rows()
        self.lookups.forget_found(level)
        return problem

    def refresh(self) -> None:
        """Drop cached facts after a level has been solved."""
        self._best.clear()
        self._figures.clear()
        self.lookups.refresh()
        if self._catalog.is_open:
            self._catalog.refresh()

    @property
    def is_planning_off(self) -> bool:
        """True if the player has turned off walk-to and push-to in this pack (the action ``plain``)."""
        return self.store.load_planning_off(self.key)

    # Recording of play

    def take_up(self, level: Level, game: Game) -> str | None:  # noqa: ARG002 - a floor may change it
        """Record that a level is now in play; return a message if that cannot be saved yet."""
        return self.store.save_place(self.key, level.number, is_passing=self.is_generated or self.is_pasted)

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        """Save a game and the seconds since the last save; return a message if it cannot be written yet.

        The next session resumes a solved position, unless the player has left the level (``is_over``).
        """
        is_solved = is_over and game.is_solved
        return self.store.save_play(level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=is_solved)

    def note_aid(self, level: Level, aid: Aid, lurd: str) -> None:
        """Record help in the position after the moves ``lurd``; undos count only in generated packs."""
        if aid != "undos":
            self.store.note_help(level, lurd)

    def is_hashed(self, level: Level) -> bool:
        first = level.number // _INDEXED_AT_ONCE * _INDEXED_AT_ONCE
        if level.number not in self._hashes and first not in self._indexed and self._catalog.is_open:
            known = self._catalog.hashes(self.key, range(first, first + _INDEXED_AT_ONCE))
            self._indexed.update([first] if known else [])
            self._hashes |= known
        return level.number in self._hashes

    def hash_of(self, level: Level) -> str:
        if not self.is_hashed(level):
            self._hashes[level.number] = level_hash(level)
        return self._hashes[level.number]

    # Overridden by generated packs

    def is_making(self, number: int) -> bool:  # noqa: ARG002
        """True if a level exists but has not been built yet."""
        return False

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002
        """Return the levels to build for a player at a level, or waiting for it, most urgent first."""
        return ()

    @property
    def run_of_levels(self) -> "DescentPack | None":
        """The descent that the levels belong to, if any."""
        return None

    def find_made(self, number: int) -> "MadeLevel | None":  # noqa: ARG002
        """Return the stored row of a generated level; None if there is none."""
        return None

    def has_result(self, number: int) -> bool:  # noqa: ARG002
        return False


def number_of(entry: Level | LevelError) -> int:
    return entry.number if isinstance(entry, Level) else entry.level
