"""Look-ups on the levels of a pack: known solutions, other places, scores, the open play.

What takes long is replayed in slices: a few steps with each picture, more while no key is pressed.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

from sokoterm.app.catalog import Catalog
from sokoterm.engine.level import Level
from sokoterm.engine.slices import Later, Slices
from sokoterm.store.known_levels import KnownSolution, LevelPlace
from sokoterm.store.plays import PlayStamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score import Scoreboard, Standing

_Result = TypeVar("_Result")

# A step takes about a quarter of a microsecond, and a picture asks for up to four results.
_STEPS_AT_SIGHT = 1_500
_STEPS_AT_REST = 4_000

# A step of a lower bound takes some thirty microseconds.
_BOUNDS_AT_ONCE = 100

# Records of at most this many letters are replayed before anyone asks for them.
_FEW_MOVES = 20_000


class _Going(Protocol):
    """A replay with any result."""

    @property
    def is_done(self) -> bool: ...

    def go_on(self) -> int: ...


class _Replays:
    """Replays under way; the latest goes on first, for that is what the player looks at."""

    def __init__(self) -> None:
        self._going: list[_Going] = []

    def add(self, work: Slices[_Result]) -> Later[_Result]:
        """Add a replay; nothing of it is done yet."""
        later = Later(work)
        self._going.append(later)
        return later

    @property
    def has_work(self) -> bool:
        return bool(self._going)

    def go_on(self, steps: int) -> None:
        """Go on for a number of steps, and at most one slice more."""
        while self._going and steps > 0:
            steps -= self._going[-1].go_on()
            if self._going[-1].is_done:
                self._going.pop()


def _needed_pushes_in_slices(level: Level) -> Slices[int]:
    """Return the lower bound on the pushes of a solution, 0 if there is none."""
    from sokoterm.solver.common.lower_bound import make_lower_bound
    from sokoterm.solver.meter import LimitReached, Meter
    from sokoterm.solver.protocol import game_limits

    board, start = level.board, level.start
    meter = Meter("", board, game_limits(lambda: 0.0), bytes_per_state=0)
    try:
        if board.variant is not None:
            from sokoterm.solver.variants.layers import least_pushes

            return (yield from _steps(least_pushes(board, start, meter)))
        _, matching = yield from _steps(make_lower_bound(board, start, meter))
    except LimitReached:
        return 0
    return matching.cost if matching is not None else 0


def _steps(work: Generator[object, None, _Result]) -> Slices[_Result]:
    """Return the result of work, a slice for each of its steps."""
    try:
        while True:
            next(work)
            yield 1
    except StopIteration as end:
        result: _Result = end.value
    return result


class LevelLookups:
    """Facts about the levels of one pack from files, the library, the score table and the store."""

    def __init__(
        self,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        scores: Scoreboard | None,
        hash_of: Callable[[Level], str],
    ) -> None:
        """``scores`` is the table of all accounts; ``hash_of`` gives the hash of a level of the pack."""
        self.key = key
        self._name = name
        self._store = store
        self._catalog = catalog
        self._scores = scores
        self._hash_of = hash_of
        self._replays = _Replays()
        # By the number of the level. The latest one asked for is asked once: others may have solved a level by the
        # time the player comes back to it.
        self._standings: dict[int, Later[Standing]] = {}
        self._standing_asked = 0
        # By the level, moves and pushes.
        self._standings_after: dict[tuple[int, int, int], Later[Standing]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, Later[int]]] = {}
        self._known: dict[int, Later[list[KnownSolution]]] = {}
        self._all_known: dict[int, Later[list[KnownSolution]]] = {}
        self._found: dict[int, Later[list[KnownSolution]]] = {}
        self._other_places: dict[int, list[LevelPlace]] = {}
        self._lessons = 0
        self._needed: dict[int, Later[int]] = {}
        self._proven: dict[int, dict[str, int]] = {}
        self._bounding = _Replays()

    def refresh(self) -> None:
        """Forget the standings: a level has been solved."""
        self._standings = {number: later for number, later in self._standings.items() if not later.is_done}
        self._standings_after.clear()

    def forget_found(self, level: Level) -> None:
        """Forget what the program has kept of a level: there is more."""
        self._found.pop(level.number, None)

    # Work while no key is pressed

    @property
    def is_replaying(self) -> bool:
        """True while something that was asked for is still to be replayed."""
        return self._replays.has_work

    def go_on(self) -> None:
        """Replay for a moment."""
        self._replays.go_on(_STEPS_AT_REST)

    def has_more_on(self, level: Level) -> bool:
        """True if there is more to find out about a level that no picture waits for.

        That is a library that has not been opened yet, a replay under way, and the level's own records unless they are
        long.
        """
        if self._has_closed_library or self.is_replaying or self._bounding.has_work or level.number not in self._found:
            return True
        if not level.records or level.number in self._all_known:
            return False
        return sum(len(record.moves) for record in level.records) <= _FEW_MOVES and all(
            record.moves.isalpha() for record in level.records
        )

    def find_more_on(self, level: Level) -> None:
        """Find out some of it, in a moment."""
        if self._has_closed_library:
            self._catalog.open()
        elif self.is_replaying:
            self.go_on()
        elif self._bounding.has_work:
            self._bounding.go_on(_BOUNDS_AT_ONCE)
        else:
            self.all_known(level)

    @property
    def _has_closed_library(self) -> bool:
        return self._catalog.has_index and not self._catalog.is_open

    def _begin(self, work: Slices[_Result]) -> Later[_Result]:
        """Begin a look-up for a picture, and finish it if that is near."""
        later = self._replays.add(work)
        self._replays.go_on(_STEPS_AT_SIGHT)
        return later

    # Scores

    @property
    def account(self) -> str:
        """The name that the player's scores are entered under; empty without a shared table."""
        return self._scores.name if self._scores is not None else ""

    def standing(self, level: Level) -> Standing:
        """The best of all accounts; nobody without a shared table, and until it is replayed."""
        if self._scores is None:
            return Standing()
        later = self._standings.get(level.number)
        if later is None or later.is_done and self._standing_asked != level.number:
            later = self._standings[level.number] = self._begin(self._scores.standing_in_slices(level))
        self._standing_asked = level.number
        return later.result or Standing()

    def standing_after(self, level: Level, moves: int, pushes: int) -> Standing:
        """The best of all accounts after the player solved the level, asked anew for each new pair of figures."""
        if self._scores is None:
            return Standing()
        key = level.number, moves, pushes
        if key not in self._standings_after:
            self._standings_after[key] = self._begin(self._scores.standing_in_slices(level))
        return self._standings_after[key].result or Standing()

    # The open play

    def open_pushes(self, level: Level) -> int:
        """Pushes in the open play of a level.

        0 if there is no play, or it is over or does not fit, and until it is replayed.
        """
        later = self._begin_open(level, self._store.open_plays([level])[0])
        self._replays.go_on(_STEPS_AT_SIGHT if later is not None and not later.is_done else 0)
        return later.result or 0 if later is not None else 0

    def begun(self, levels: Sequence[Level]) -> set[int]:
        """The numbers of the levels whose open play has pushes; a long one counts until it is replayed."""
        stamps = self._store.open_plays(levels)
        begun = {level.number: self._begin_open(level, stamp) for level, stamp in zip(levels, stamps, strict=True)}
        going = {number: later for number, later in begun.items() if later is not None}
        self._replays.go_on(_STEPS_AT_SIGHT if not all(later.is_done for later in going.values()) else 0)
        return {number for number, later in going.items() if later.result or not later.is_done}

    def _begin_open(self, level: Level, stamp: PlayStamp | None) -> Later[int] | None:
        """The number of pushes in an open play; None if there is none."""
        if stamp is None:
            return None
        known = self._open_pushes.get(level.number)
        if known is None or known[0] != stamp:
            known = stamp, self._replays.add(self._store.count_open_pushes(level))
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
        from sokoterm.store.known_levels import distinct

        if level.number not in self._found:
            self._found[level.number] = self._begin(self._found_in_slices(level))
        return distinct([*self._known_of_files(level), *(self._found[level.number].result or [])])

    def _found_in_slices(self, level: Level) -> Slices[list[KnownSolution]]:
        from sokoterm.store.found import found_in_slices
        from sokoterm.store.packs import PackError

        try:
            return (yield from found_in_slices(self._store, level))
        except PackError:  # the progress is locked: that is told elsewhere
            return []

    def _known_of_files(self, level: Level) -> list[KnownSolution]:
        self._forget_old()
        later = self._all_known.get(level.number)
        if later is not None and later.is_done:
            return later.result or []
        if level.number not in self._known and not self._catalog.has_index:
            return []
        if level.number not in self._known:
            self._known[level.number] = self._begin(self._catalog.known(self.key, level))
        return self._known[level.number].result or []

    def all_known(self, level: Level) -> list[KnownSolution]:
        """The same with all of the level's own records."""
        self._forget_old()
        if level.records and level.number not in self._all_known:
            if self._catalog.has_index:
                work = self._catalog.all_known(self.key, level, self._name)
            else:
                from sokoterm.store.known_levels import solutions_of_in_slices

                work = solutions_of_in_slices(level, self._name)
            self._all_known[level.number] = self._begin(work)
        return self.known(level)

    def needed_pushes(self, level: Level, *, waits: bool = False) -> int:
        """The lower bound on the pushes of a solution; 0 if there is none, and until it is known.

        ``waits``: have it at once, which takes a tenth of a second on the largest boards.
        """
        if level.number not in self._needed:
            self._needed[level.number] = self._bounding.add(_needed_pushes_in_slices(level))
        while waits and self._bounding.has_work:
            self._bounding.go_on(_BOUNDS_AT_ONCE)
        return self._needed[level.number].result or 0

    def proven(self, level: Level) -> dict[str, int]:
        """The fewest moves and the fewest pushes of any solution, by metric, where they are proven."""
        from sokoterm.store.found import proven_of
        from sokoterm.store.packs import PackError

        if level.number not in self._proven:
            try:
                self._proven[level.number] = proven_of(self._store, level)
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
