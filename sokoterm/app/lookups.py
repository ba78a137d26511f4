"""Look-ups on the levels of a pack: known solutions, other places, scores, the open play.

A long replay runs in a thread; until it ends, its look-up has no answer.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Generic, TypeVar

from sokoterm.app.background import Background
from sokoterm.app.catalog import Catalog
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import count_pushes
from sokoterm.engine.steps import Steps
from sokoterm.solver.search import Crashed, Found, game_limits
from sokoterm.store.known_levels import KnownSolution, LevelPlace, distinct, solutions_of
from sokoterm.store.library import KnownRow, replay_best
from sokoterm.store.packs import PackError
from sokoterm.store.plays import PlayStamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable, Standing, TooLongError
from sokoterm.store.solutions import found_of

_Result = TypeVar("_Result", covariant=True)

# A step takes a quarter of a microsecond: a picture, or the next key, waits for a replay of so many.
_MOST_AT_ONCE = 100_000
_WAIT_SECONDS = 0.02

# A step of a lower bound takes some thirty microseconds.
_BOUNDS_AT_ONCE = 100


class _Replay(Generic[_Result]):
    """A replay and its ``result``; a long one runs in a thread, and has no result until it ends, or if it crashes."""

    def __init__(self, replay: Callable[[], _Result], steps: int) -> None:
        """``steps`` are at most taken."""
        self._results: list[_Result | None] = []
        self._background = Background[_Result](lambda: None)
        if steps <= _MOST_AT_ONCE:
            self._results.append(replay())
        else:
            self._background.begin(_in_one_step(replay))
            self.wait()

    @property
    def is_over(self) -> bool:
        for event in self._background.events():
            self._results.append(None if isinstance(event, Found | Crashed) else event)
        return bool(self._results)

    @property
    def result(self) -> _Result | None:
        return self._results[0] if self.is_over else None

    def wait(self) -> None:
        """Wait a moment for the result."""
        self._background.join(_WAIT_SECONDS)


def _in_one_step(replay: Callable[[], _Result]) -> Steps[_Result]:
    yield
    return replay()


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


def _steps_of_best(rows: Sequence[KnownRow]) -> int:
    return 2 * max((row.moves for row in rows), default=0)


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
        self._going: list[_Replay[object]] = []
        # By the number of the level. The latest one asked for is asked once: others may have solved a level by the
        # time the player comes back to it.
        self._standings: dict[int, _Replay[Standing]] = {}
        self._standing_asked = 0
        # By the level, moves and pushes.
        self._standings_after: dict[tuple[int, int, int], _Replay[Standing]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, _Replay[int]]] = {}
        self._known: dict[int, _Replay[list[KnownSolution]]] = {}
        self._all_known: dict[int, _Replay[list[KnownSolution]]] = {}
        self._found: dict[int, _Replay[list[KnownSolution]]] = {}
        self._other_places: dict[int, list[LevelPlace]] = {}
        self._lessons = 0
        self._needed: dict[int, int] = {}
        self._bounding: dict[int, Generator[object, None, int]] = {}
        self._proven: dict[int, dict[str, int]] = {}

    def refresh(self) -> None:
        """Forget the standings: a level has been solved."""
        self._standings = {number: replay for number, replay in self._standings.items() if not replay.is_over}
        self._standings_after.clear()

    def forget_found(self, level: Level) -> None:
        """Forget what the program has kept of a level: there is more."""
        self._found.pop(level.number, None)

    # Work while no key is pressed

    @property
    def is_replaying(self) -> bool:
        """True while a long replay that was asked for is under way."""
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
        return bool(level.records) and level.number not in self._all_known and _steps_of(level) <= _MOST_AT_ONCE

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

    def _replay(self, replay: Callable[[], _Result], steps: int) -> _Replay[_Result]:
        begun = _Replay(replay, steps)
        if not begun.is_over:
            self._going.append(begun)
        return begun

    # Scores

    @property
    def account(self) -> str:
        """The name that the player's scores are entered under; empty without a shared table."""
        return self._scores.name if self._scores is not None else ""

    def standing(self, level: Level) -> Standing:
        """The best of all accounts; nobody without a shared table, and until it is replayed."""
        if self._scores is None:
            return Standing()
        known = self._standings.get(level.number)
        if known is None or known.is_over and self._standing_asked != level.number:
            known = self._standings[level.number] = self._replay_standing(self._scores, level)
        self._standing_asked = level.number
        return known.result or Standing()

    def standing_after(self, level: Level, moves: int, pushes: int) -> Standing:
        """The best of all accounts after the player solved the level, asked anew for each new pair of figures."""
        if self._scores is None:
            return Standing()
        key = level.number, moves, pushes
        if key not in self._standings_after:
            self._standings_after[key] = self._replay_standing(self._scores, level)
        return self._standings_after[key].result or Standing()

    def _replay_standing(self, scores: ScoreTable, level: Level) -> _Replay[Standing]:
        try:
            standing = scores.standing(level, _MOST_AT_ONCE)
        except TooLongError:
            return self._replay(lambda: scores.standing(level), _MOST_AT_ONCE + 1)
        return self._replay(lambda: standing, 0)

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

    def _count_open(self, level: Level, stamp: PlayStamp | None) -> _Replay[int] | None:
        """The number of pushes in an open play; None if there is none."""
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
        return self._catalog.is_open or level.number in self._all_known or level.number in self._found

    def known(self, level: Level) -> list[KnownSolution]:
        """The solutions that files brought or the program has kept, fewest pushes first, as far as they are replayed.

        All but the best are missing until the level has been opened (see ``all_known``).
        """
        if level.number not in self._found:
            self._found[level.number] = self._replay_found(level)
        return distinct([*self._known_of_files(level), *(self._found[level.number].result or [])])

    def _replay_found(self, level: Level) -> _Replay[list[KnownSolution]]:
        try:
            found = self._store.found_rows(level)
        except PackError:  # the progress is locked: that is told elsewhere
            found = []
        return self._replay(lambda: found_of(found, level), sum(len(row.lurd) for row in found))

    def _known_of_files(self, level: Level) -> list[KnownSolution]:
        self._forget_old()
        known = self._all_known.get(level.number)
        if known is not None and known.is_over:
            return known.result or []
        if level.number not in self._known and not self._catalog.has_index:
            return []
        if level.number not in self._known:
            rows = self._catalog.known_rows(self.key, level)
            self._known[level.number] = self._replay(lambda: replay_best(level, rows), _steps_of_best(rows))
        return self._known[level.number].result or []

    def all_known(self, level: Level) -> list[KnownSolution]:
        """The same with all of the level's own records."""
        self._forget_old()
        if level.records and level.number not in self._all_known:
            rows = self._catalog.known_rows(self.key, level) if self._catalog.has_index else []
            self._all_known[level.number] = self._replay(
                lambda: distinct([*solutions_of(level, self._name), *replay_best(level, rows)]),
                _steps_of(level) + _steps_of_best(rows),
            )
        return self.known(level)

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
        """The other places of the level in the library; none until that is open."""
        if not self._catalog.is_open:
            return []
        self._forget_old()
        if level.number not in self._other_places:
            places = self._catalog.other_places(self.key, level.number, self._hash_of(level))
            self._other_places[level.number] = places
        return self._other_places[level.number]

    def _forget_old(self) -> None:
        """Forget what the library said before it learned more."""
        lessons = self._catalog.lessons if self._catalog.is_open else 0
        if self._lessons != lessons:
            self._lessons = lessons
            self._known.clear()
            self._all_known.clear()
            self._other_places.clear()
