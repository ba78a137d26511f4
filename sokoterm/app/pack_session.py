"""A pack in play: its levels in order, what the player has done with each, and what else is known of them."""

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

# A step takes a quarter of a microsecond: a picture, or the next key, waits for a replay of so many.
_MOST_AT_ONCE = 100_000

# A step of a lower bound takes some thirty microseconds.
_BOUNDS_AT_ONCE = 100


def _steps_of(level: Level) -> int:
    """Return how many steps the records of a level have; counts and walks may stand for very many."""
    records = level.records
    are_plain = all(record.moves.isalpha() for record in records)
    return sum(len(record.moves) for record in records) if are_plain else _MOST_AT_ONCE + 1


def _needed_pushes(level: Level) -> Generator[object, None, int]:
    """Return the lower bound on the pushes of a solution, 0 if there is none."""
    # Searches, once the first picture is there.
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

    A long replay runs in a thread; until it ends, its look-up has no answer.
    """

    def __init__(self, pack_session: "PackSession", catalog: Catalog) -> None:
        self._pack_session = pack_session
        self._store = pack_session.store
        self._scores = pack_session.scores
        self._catalog = catalog
        self._going: list[Call[object]] = []
        # By the number of the level, and the figures of a solution.
        self._standings: dict[tuple[int, int, int], Call[Standing]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, Call[int]]] = {}
        # By the number of the level; True: with all of its own records.
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
        """Forget the standings: a level has been solved."""
        self._standings = {occasion: replay for occasion, replay in self._standings.items() if not replay.is_over}

    def forget_found(self, level: Level) -> None:
        """Forget what the program has kept of a level: there is more."""
        self._found.pop(level.number, None)
        self._pars.pop(level.number, None)

    # Work while no key is pressed

    @property
    def is_replaying(self) -> bool:
        """True while a long replay that was asked for is under way."""
        if self._going:
            self._going = [each for each in self._going if not each.is_over]
        return bool(self._going)

    def go_on(self) -> None:
        """Wait a moment for a replay under way."""
        if self.is_replaying:
            self._going[-1].wait()

    def idle_work(self, level: Level) -> Callable[[], object] | None:
        """The next piece of work, of a moment, on what no picture of a level waits for; None if nothing is left.

        That is a library that has not been opened yet, a replay under way, the level's own records unless they are
        long, and the hashes of the other levels.
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
        """Hash some levels ahead: a win counts those that are left."""
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
        """The best of all accounts; nobody without a shared table, and until it is replayed.

        It is asked anew once the player has solved the level with these ``moves`` and ``pushes``.
        """
        from sokoterm.store.score_table import Standing, TooLongError  # for a win, or a list

        scores, occasion = self._scores, (level.number, moves, pushes)
        if scores is None:
            return Standing()
        if occasion not in self._standings:
            # Others may have solved another level by the time the player comes back to it.
            for earlier in [each for each in self._standings if each[0] != level.number]:
                if self._standings[earlier].is_over:
                    del self._standings[earlier]
            try:
                standing = scores.standing(level, _MOST_AT_ONCE)
                self._standings[occasion] = Call(lambda: standing, at_once=True)
            except TooLongError:
                self._standings[occasion] = self._replay(lambda: scores.standing(level), _MOST_AT_ONCE + 1)
        return self._standings[occasion].result or Standing()

    # The open play

    def open_pushes(self, level: Level) -> int:
        """Pushes in the open play of a level.

        0 if there is no play, or it is over or does not fit, and until it is replayed.
        """
        counted = self._count_open(level, self._store.open_plays([level])[0])
        return counted.result or 0 if counted is not None else 0

    def begun(self, levels: Sequence[Level]) -> set[int]:
        """The numbers of the levels whose open play has pushes; a long one counts until it is replayed."""
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
        """The solutions that files brought or the program has kept, fewest pushes first, as far as they are replayed.

        All but the best are missing until the level has been opened (see ``all_known``).
        """
        self._forget_old()
        if level.number not in self._found:
            try:
                rows = self._store.found_rows(level)
            except PackError:  # the progress is locked: that is told elsewhere
                rows = []
            self._found[level.number] = self._replay(partial(found_of, rows, level), sum(len(row.lurd) for row in rows))
        whole = self._known.get((level.number, True))
        of_files = whole if whole is not None and whole.is_over else self._replay_files(level, with_records=False)
        return distinct([*(of_files.result or []), *(self._found[level.number].result or [])])

    def known_at_once(self, level: Level) -> list[KnownSolution]:
        """The same if no picture has to wait for it, else none."""
        is_there = self._catalog.is_open or (level.number, True) in self._known or level.number in self._found
        return self.known(level) if is_there else []

    def all_known(self, level: Level) -> list[KnownSolution]:
        """The known solutions with all of the level's own records."""
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
        """The lower bound on the pushes of a solution; 0 if there is none, and until it is known.

        ``waits``: have it at once, which may take two seconds on the largest boards.
        """
        if level.number not in self._needed and level.number not in self._bounding:
            self._bounding[level.number] = _needed_pushes(level)
        while waits and self._bounding:
            self._bound()
        return self._needed.get(level.number, 0)

    def _bound(self) -> None:
        """Go on for a moment with the lower bound asked for last."""
        number, steps = next(reversed(self._bounding.items()))
        try:
            for __ in range(_BOUNDS_AT_ONCE):
                next(steps)
        except StopIteration as end:
            self._needed[number] = end.value
            del self._bounding[number]

    def proven(self, level: Level) -> dict[str, int]:
        """The fewest moves and the fewest pushes of any solution, by metric, where they are proven."""
        if level.number not in self._proven:
            try:
                self._proven[level.number] = self._store.proven(level)
            except PackError:  # the progress is locked: that is told elsewhere
                self._proven[level.number] = {}
        return self._proven[level.number]

    def par(self, level: Level, own: int) -> Par | None:
        """See ``PackSession.par``; ``own`` are the player's fewest pushes, 0 for none. Nothing is begun or replayed."""
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
        """Read the data for the par of several levels from progress and library at once, before single look-ups."""
        self._forget_old()
        hashes = {level.number: self._pack_session.hash_of(level) for level in levels if level.number not in self._pars}
        if hashes:
            pars = self._catalog.pars(hashes.values())
            self._pars.update((number, pars.get(each)) for number, each in hashes.items())

    def other_places(self, level: Level) -> list[LevelPlace]:
        """The other places of the level in the library, the first of each title; none until that is open."""
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
        """Forget what the library said before it learned more."""
        lessons = self._catalog.lessons if self._catalog.is_open else -1
        if self._lessons != lessons:
            self._lessons = lessons
            self._known.clear()
            self._pars.clear()
            self._other_places.clear()


Aid = Literal["undos", "hints", "shown"]
"""Steps taken back, a push made by the solver, or a solution shown: the count of it in an ``Effort``."""

# Levels whose figures are read together: more hash more than is looked at, fewer make more queries.
_AT_ONCE = 50
_HASHED_AT_ONCE = 20  # while no key is pressed: some milliseconds
# More levels are not counted: each of them has to be hashed.
_MOST_COUNTED = 500


class PackSession:
    """A pack with the player's progress, read from the ``store`` when it is first needed.

    ``numbers`` are those of the levels that can be read, in order. ``is_generated``: they are made when wanted.
    ``is_pasted``: a person pasted or drew them.
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
        """``stamp`` is that of the pack's file before it was read, ``scores`` the table of all accounts, if any."""
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
        # True once those of the index are among them.
        self._has_all_hashes = False
        self._best: dict[int, Best] = {}
        self._figures: dict[int, Summary | None] = {}
        # Of this session, by the number of the level, the latest last.
        self.found_solutions = defaultdict[int, list[ShowReplay]](list)
        self.improvements = defaultdict[int, list[Improvement]](list)
        # What was asked last, with all that the answer depends on, and the numbers of the levels found.
        self._found: tuple[tuple[object, ...], Collection[int]] | None = None
        self.beside: Callable[[PackSession, int], PackSession | None] = lambda *_: None
        """Opens another file of one level in the folder: see ``Lists.file_beside``."""

    def move_to(self, file: PackFile, title: str) -> None:
        """Go on in another file: that of the pack has been renamed, and has got this title unless it is empty."""
        self.key = file.key
        if title:
            self.pack, self.stamp = self.pack._replace(title=title), stamp_of(file)
        self.name = title_of(self.pack, file.name)
        self._file_name = file.name

    # Levels

    @cached_property
    def entries(self) -> list[Level | LevelError]:
        """The levels in order, with the error of each that cannot be read in its place."""
        return sorted([*self.pack.levels, *self.pack.errors], key=number_of)

    def find_level(self, number: int) -> Level | None:
        """The level with a number; None if there is none that can be played."""
        return self.pack.find_level(number)

    def has_level(self, number: int) -> bool:
        """True if there is a level with this number to play, made yet or not."""
        return self.is_making(number) or self.find_level(number) is not None

    def find_number(self, text: str) -> int:
        """The level number that was typed, 0 for other text."""
        return int(text) if text.isdecimal() else 0

    def next_number(self, number: int) -> int | None:
        return next((each for each in self.numbers if each > number), None)

    def previous_number(self, number: int) -> int | None:
        return next((each for each in reversed(self.numbers) if each < number), None)

    def next_unsolved(self, number: int) -> int | None:
        """The first unsolved level after ``number``, from the start again at the end of the pack; never ``number``."""
        levels = self.pack.levels
        first = bisect_right(levels, number, key=number_of)
        others = (level for level in chain(levels[first:], levels[:first]) if level.number != number)
        while some := [*islice(others, _AT_ONCE)]:
            self.read_figures(some)
            if (unsolved := next(filter(self.is_left, some), None)) is not None:
                return unsolved.number
        return None

    def count_unsolved(self) -> int | None:
        """The number of levels that are not solved; None if there are too many levels to look at."""
        levels = self.pack.levels
        if len(levels) > _MOST_COUNTED:
            return None
        self.read_figures(levels)
        return sum(map(self.is_left, levels))

    def start_number(self) -> int | None:
        """The level the player left, else the first unsolved, else the first; None if none can be read."""
        left = self.store.load_place(self.key)
        return left if left in self.numbers else self.next_unsolved(0) or next(iter(self.numbers), None)

    # Progress

    def best(self, level: Level) -> Best:
        """The player's best solutions of a level."""
        if level.number not in self._best:
            self._best[level.number] = self.store.best(level)
        return self._best[level.number]

    def find_numbers(self, query: "Query") -> Collection[int]:
        """The numbers of the levels that answer a query; the number of a level is a word of its title here."""
        marks = self._catalog.marks
        asked = (query, self.pack, self._file_name, marks, self._catalog.lessons)
        if self._found is None or self._found[0] != asked:
            indexed = self._catalog.find_numbers(self.key, query)
            about = self.pack, self._file_name, self.stamp, self.hash_of
            found = marks.numbers_in(query, *about, is_numbered=True) if indexed is None else frozenset(indexed)
            self._found = asked, found
        return self._found[1]

    def forget_found(self) -> None:
        """Forget which levels answered the last query: levels have been graded."""
        self._found = None

    def figures(self, level: Level) -> Summary | None:
        """The player's best figures of a level, None if it is not solved."""
        if level.number not in self._figures:
            self.read_figures([level])
        return self._figures[level.number]

    def read_figures(self, levels: Sequence[Level]) -> None:
        """Read the figures of several levels in one query, before they are asked for one by one."""
        unknown = [level for level in levels if level.number not in self._figures]
        if unknown:
            found = self.store.summaries(map(self.hash_of, unknown))
            self._figures.update((level.number, found.get(self.hash_of(level))) for level in unknown)

    def par(self, level: Level) -> Par | None:
        """The fewest pushes that are proven, or else the best known without waiting; None where none are known.

        They come from proofs and solutions that the program or the player found, from the level's own records and
        recipe, and from those of its copies in the library. The player's own count only beside others, or where no
        solution can have fewer.
        """
        if (made := self.find_made(level.number)) is not None:
            return Par(made.par, is_proven=True)
        figures = self.figures(level)
        return self.lookups.par(level, figures.pushes if figures is not None else 0)

    def stars(self, level: Level) -> int:
        """The stars of a level; none until it is solved without help."""
        figures = self.figures(level)
        return 0 if figures is None or figures.is_helped else stars(figures.pushes, self.par(level))

    def is_solved(self, number: int) -> bool:
        """True if the player has solved the level with this number."""
        level = self.pack.find_level(number)
        return level is not None and self.figures(level) is not None

    def is_left(self, level: Level) -> bool:
        """True if the player has not solved a level that can be played."""
        return not self.is_solved(level.number) and not cannot_be_played(level.board, level.start)

    def keep_improved(self, level: Level, solution: Solution) -> str | None:
        """Keep a solution as known, apart from the player's own; return one line if it cannot be written yet."""
        self.store.keep_found(level, solution, Source.OPTIMIZER.value)
        self.lookups.forget_found(level)
        return self.store.save_rows()

    def keep_proven(self, level: Level, metric: Objective, solution: Solution) -> str | None:
        """Keep that no solution has fewer moves or pushes; return one line if it cannot be written yet."""
        if metric not in (Objective.MOVES, Objective.PUSHES):
            return None
        self.lookups.proven(level)[metric] = metric.measure(solution)
        self.store.keep_proven(level, metric, metric.measure(solution))
        problem = self.store.save_rows()
        self.lookups.forget_found(level)
        return problem

    def refresh(self) -> None:
        """Forget what the store said: a level has been solved."""
        self._best.clear()
        self._figures.clear()
        self.lookups.refresh()
        if self._catalog.is_open:
            self._catalog.refresh()

    @property
    def is_planning_off(self) -> bool:
        """True if the player has turned walk-to and push-to off in this pack: the action ``plain``."""
        return self.store.load_planning_off(self.key)

    # Recording of play

    def take_up(self, level: Level, game: Game) -> str | None:  # noqa: ARG002 - a floor may change it
        """Note that a level is played on, with its game as it was left; return one line if that is not saved yet."""
        return self.store.save_place(self.key, level.number, is_passing=self.is_generated or self.is_pasted)

    def save(self, level: Level, game: Game, seconds: float, *, is_over: bool) -> str | None:
        """Save a play with the seconds since the last save; return one line if it cannot be written yet.

        A solved position is resumed by the next session, but not once the level ``is_over``.
        """
        is_solved = is_over and game.is_solved
        return self.store.save_play(level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=is_solved)

    def note_aid(self, level: Level, aid: Aid, lurd: str) -> None:
        """Note help that the player took; the position is the one after the moves ``lurd``.

        Steps taken back are no help; a generated pack counts them.
        """
        if aid != "undos":
            self.store.note_help(level, lurd)

    def is_hashed(self, level: Level) -> bool:
        """True if the level hash is at hand."""
        if level.number not in self._hashes and not self._has_all_hashes:
            known = self._catalog.hashes(self.key) if self._catalog.is_open else {}
            self._has_all_hashes = bool(known)
            self._hashes |= known
        return level.number in self._hashes

    def hash_of(self, level: Level) -> str:
        if not self.is_hashed(level):
            self._hashes[level.number] = level_hash(level)
        return self._hashes[level.number]

    # What generated packs have beyond others

    def is_making(self, number: int) -> bool:  # noqa: ARG002
        """True if a level can be played and is still to be built."""
        return False

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002
        """The levels to build for a player who is at a level, or waits for it; the first is wanted most."""
        return ()

    @property
    def run_of_levels(self) -> "DescentPack | None":
        """The run whose floors the levels are; None of other packs."""
        return None

    def find_made(self, number: int) -> "MadeLevel | None":  # noqa: ARG002
        """A level as it was generated; None if it was not."""
        return None

    def has_result(self, number: int) -> bool:  # noqa: ARG002
        """True if there is a result to share at a level."""
        return False


def number_of(entry: Level | LevelError) -> int:
    """The number of a level, or of one that cannot be read."""
    return entry.number if isinstance(entry, Level) else entry.level
