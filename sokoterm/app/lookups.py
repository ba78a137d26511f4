"""Look-ups on the levels of a pack: known solutions, other places, scores, the open play.

A long replay runs in a thread; until it ends, its look-up has no answer.
"""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TypeVar

from sokoterm.app.background import Call
from sokoterm.app.catalog import Catalog
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import count_pushes
from sokoterm.solver.search import game_limits
from sokoterm.store.known_levels import KnownSolution, LevelPlace, distinct, solutions_of
from sokoterm.store.library import replay_best
from sokoterm.store.packs import PackError
from sokoterm.store.plays import PlayStamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable, Standing, TooLongError
from sokoterm.store.solutions import found_of

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
    """Facts about the levels of one pack from files, the library, the score table and the store."""

    def __init__(
        self,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        scores: ScoreTable | None,
        hash_of: Callable[[Level], str],
    ) -> None:
        """``scores`` is the table of all accounts; ``hash_of`` gives the hash of a level of the pack."""
        self.key = key
        self._name = name
        self._store = store
        self._catalog = catalog
        self._scores = scores
        self._hash_of = hash_of
        self._going: list[Call[object]] = []
        # By the number of the level, and the figures of a solution.
        self._standings: dict[tuple[int, int, int], Call[Standing]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, Call[int]]] = {}
        # By the number of the level; True: with all of its own records.
        self._known: dict[tuple[int, bool], Call[list[KnownSolution]]] = {}
        self._found: dict[int, Call[list[KnownSolution]]] = {}
        self._other_places: dict[int, list[LevelPlace]] = {}
        self._lessons = 0
        self._needed: dict[int, int] = {}
        self._bounding: dict[int, Generator[object, None, int]] = {}
        self._proven: dict[int, dict[str, int]] = {}

    def refresh(self) -> None:
        """Forget the standings: a level has been solved."""
        self._standings = {occasion: replay for occasion, replay in self._standings.items() if not replay.is_over}

    def forget_found(self, level: Level) -> None:
        """Forget what the program has kept of a level: there is more."""
        self._found.pop(level.number, None)

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

    def has_more_on(self, level: Level) -> bool:
        """True if there is more to find out about a level that no picture waits for.

        That is a library that has not been opened yet, a replay under way, and the level's own records unless they are
        long.
        """
        if self._has_closed_library or self.is_replaying or self._bounding or level.number not in self._found:
            return True
        return bool(level.records) and (level.number, True) not in self._known and _steps_of(level) <= _MOST_AT_ONCE

    def find_more_on(self, level: Level) -> None:
        """Find out some of it, in a moment."""
        if self._has_closed_library:
            self._catalog.open()
        elif self.is_replaying:
            self.go_on()
        elif self._bounding:
            self._bound()
        else:
            self.all_known(level)

    @property
    def _has_closed_library(self) -> bool:
        return self._catalog.has_index and not self._catalog.is_open

    def _replay(self, replay: Callable[[], _Result], steps: int) -> Call[_Result]:
        begun = Call(replay, at_once=steps <= _MOST_AT_ONCE)
        if not begun.is_over:
            self._going.append(begun)
        return begun

    # Scores

    @property
    def account(self) -> str:
        """The name that the player's scores are entered under; empty without a shared table."""
        return self._scores.name if self._scores is not None else ""

    def standing(self, level: Level, moves: int = 0, pushes: int = 0) -> Standing:
        """The best of all accounts; nobody without a shared table, and until it is replayed.

        It is asked anew once the player has solved the level with these ``moves`` and ``pushes``.
        """
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

    def is_known(self, level: Level) -> bool:
        """True if ``known`` has an answer that no picture has to wait for."""
        return self._catalog.is_open or (level.number, True) in self._known or level.number in self._found

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

    def all_known(self, level: Level) -> list[KnownSolution]:
        """The same with all of the level's own records."""
        self._forget_old()
        if level.records:
            self._replay_files(level, with_records=True)
        return self.known(level)

    def _replay_files(self, level: Level, *, with_records: bool) -> Call[list[KnownSolution]]:
        if (level.number, with_records) not in self._known:
            rows = self._catalog.open().known_rows(level, self.key) if self._catalog.has_index else []

            def replay() -> list[KnownSolution]:
                own = solutions_of(level, self._name) if with_records else []
                return distinct([*own, *(replay_best(level, rows) if rows else [])])

            steps = 2 * max((row.moves for row in rows), default=0) + (_steps_of(level) if with_records else 0)
            self._known[level.number, with_records] = self._replay(replay, steps)
        return self._known[level.number, with_records]

    def needed_pushes(self, level: Level, *, waits: bool = False) -> int:
        """The lower bound on the pushes of a solution; 0 if there is none, and until it is known.

        ``waits``: have it at once, which takes a tenth of a second on the largest boards.
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

    def other_places(self, level: Level) -> list[LevelPlace]:
        """The other places of the level in the library, the first of each title; none until that is open."""
        if not self._catalog.is_open:
            return []
        self._forget_old()
        if level.number not in self._other_places:
            found = self._catalog.open().names_of(self._hash_of(level))
            places = [place for place in found if (place.key, place.number) != (self.key, level.number)]
            first = {place.pack: place for place in reversed(places)}
            self._other_places[level.number] = sorted(first.values(), key=places.index)
        return self._other_places[level.number]

    def _forget_old(self) -> None:
        """Forget what the library said before it learned more."""
        lessons = self._catalog.lessons if self._catalog.is_open else 0
        if self._lessons != lessons:
            self._lessons = lessons
            self._known.clear()
            self._other_places.clear()
