"""A pack that is being played: its levels in order, and what the player has done of them."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_builder import BuildJob
from sokoterm.app.replay_queue import STEPS_AT_REST, STEPS_AT_SIGHT, Replays
from sokoterm.app.scoreboard import RunTable, Scoreboard
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Later, Slices
from sokoterm.engine.text import counted, printable
from sokoterm.engine.value import Value
from sokoterm.store.known import Known, LevelPlace
from sokoterm.store.packs import Stamp
from sokoterm.store.plays import PlayStamp
from sokoterm.store.progress import ProgressStore
from sokoterm.store.run_score import RunScore
from sokoterm.store.solutions import Best, Dates, Summary

_Result = TypeVar("_Result")

# Records of so many letters are replayed before anyone asks for them.
_FEW_MOVES = 20_000
# Levels whose figures are read together: more than are looked at are hashed, fewer make more queries.
_AT_ONCE = 50


class Find(Value):
    """What the solver found after the moves ``before``; ``is_hint``: no more than a hint was asked for."""

    before: str
    solution: Solution
    is_hint: bool


class PackSession:
    """A pack with the player's progress, read from the store when it is first needed."""

    def __init__(
        self,
        pack: Pack,
        key: str,
        name: str,
        store: ProgressStore,
        catalog: Catalog,
        stamp: Stamp | None = None,
        scores: Scoreboard | None = None,
    ) -> None:
        """``stamp`` is that of the pack's file before it was read, ``scores`` the table of all accounts."""
        self.pack = pack
        self.key = key
        self.stamp = stamp
        self.name = printable(pack.title.strip()) or printable(name)
        self._store = store
        self._catalog = catalog
        self._scores = scores
        self._replays = Replays()
        # By the number of the level; that which was asked for last is told from the others, for what other people do
        # shows when a level is looked at again.
        self._score_facts: dict[int, Later[str]] = {}
        self._score_asked = 0
        # By the level, moves and pushes.
        self._verdicts: dict[tuple[int, int, int], Later[str]] = {}
        self._open_pushes: dict[int, tuple[PlayStamp, Later[int]]] = {}
        self._dates: dict[int, Dates] = {}
        self._numbers = [level.number for level in pack.levels]
        self._entries: list[Level | LevelError] | None = None
        self._hashes = catalog.hashes(key) if catalog.is_open else {}
        self._best: dict[int, Best] = {}
        self._is_plain: bool | None = None
        self._lessons = 0
        self._known: dict[int, Later[list[Known]]] = {}
        self._all_known: dict[int, Later[list[Known]]] = {}
        self._other_places: dict[int, list[LevelPlace]] = {}
        self._figures: dict[int, Summary | None] = {}
        self._finds: dict[int, list[Find]] = {}

    @property
    def numbers(self) -> list[int]:
        """The numbers of the levels that can be read, in order."""
        return self._numbers

    @property
    def entries(self) -> list[Level | LevelError]:
        """What the pack numbers, in order: levels, and the errors that stand in place of those that cannot be read."""
        if self._entries is None:
            self._entries = sorted([*self.pack.levels, *self.pack.errors], key=_number_of)
        return self._entries

    def find_level(self, number: int) -> Level | None:
        """The level of this number, None where there is none that can be played."""
        return self.pack.find_level(number)

    def label(self, level: Level) -> str:
        """``First Steps 3``: what a level is called in other titles."""
        return f"{self.name} {level.number}"

    def heading(self, level: Level) -> str:
        """``First Steps 3/24``: which level of the pack it is."""
        return f"{self.name} {level.number}/{self.pack.size}"

    def listed_title(self, level: Level) -> str:
        """What a level is called in the list of levels; empty where that would only repeat the number."""
        title = printable(level.title.strip())
        return "" if title == str(level.number) else title

    def spoken_heading(self, level: Level) -> str:
        """The same as it is read out."""
        return f"{self.name}, level {level.number} of {self.pack.size}"

    def remark(self, level: Level, key: str, *, is_solved: bool) -> str:  # noqa: ARG002 - always the same
        """What stands above the board: the first line of the comment that is not blank, safe to show.

        ``key`` ends a run from level to level, where this is one.
        """
        return next((printable(line.strip()) for line in level.comment.splitlines() if line.strip()), "")

    # What is different where the program makes the levels (see ``generated_pack``)

    def jobs(self, number: int) -> Sequence[BuildJob]:  # noqa: ARG002 - all levels are there
        """What is to be made for someone who is at a level, or waits for it; the first is wanted most."""
        return ()

    def is_making(self, number: int) -> bool:  # noqa: ARG002
        """Whether a level is still to be made."""
        return False

    def take_up(self, level: Level) -> bool:  # noqa: ARG002
        """A level begins to be played; whether it is to be at its start, however it was left."""
        return False

    def note(self, level: Level, what: str, lurd: str) -> None:
        """The player went back (``undo``), was given a push (``hint``) or saw a solution (``solution``).

        ``lurd`` are the moves up to where he is then, or to where the solution begins.
        """
        if what != "undo":
            self._store.note_help(level, lurd)

    def begin_again(self, level: Level) -> None:
        """A level that is solved is begun once more: it may be solved without help now."""
        self._store.forget_help(level)

    def bring_back(self, level: Level, lurd: str) -> None:
        """Undo has brought the solution of these moves back: to have it once more is not to solve without help."""
        self._store.note_help(level, lurd)

    def note_time(self, level: Level, seconds: float) -> None:
        """So much time was played."""

    def note_solved(self, level: Level, lurd: str) -> None:
        """A level is solved, and is about to be saved."""

    def solved_text(self, level: Level, key: str) -> str:  # noqa: ARG002
        """What is said of a level that has been solved, ``key`` goes on; empty for what is usual."""
        return ""

    def result(self, level: Level) -> str:  # noqa: ARG002
        """One line to be shown to others once the level is solved, without its moves; empty where there is none."""
        return ""

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        """Why there is no level behind this one."""
        return "this is the last level"

    def why_no_unsolved(self, number: int) -> str:
        """Why there is no unsolved level to go to from this one."""
        done = self.is_solved(number)
        return "pack done: every level is solved" if done else "every other level of the pack is solved"

    @property
    def number_noun(self) -> str:
        """What the numbers of levels are called where one is asked for."""
        return "level number"

    def find_number(self, text: str) -> int:
        """The number that was typed, 0 for what is none."""
        return int(text) if text.isdecimal() else 0

    @property
    def standing(self) -> str:
        """How far the player is, in a few words for the list of packs."""
        return ""

    @property
    def facts(self) -> str:
        """What there is to know of the pack session, for the line below that list."""
        return ""

    def awaited_heading(self, number: int) -> str:
        """What a level is called that is still being made."""
        return f"{self.name} {number}"

    @property
    def run_score(self) -> RunScore | None:
        """What the run comes to, if this is one."""
        return None

    @property
    def run_table(self) -> "RunTable[PackSession] | None":
        """The table of runs that this one is in, if it is one."""
        return None

    @property
    def is_over(self) -> bool:
        """Whether this was a run that has ended."""
        return False

    def end_run(self) -> None:
        """End the run, for good."""

    @property
    def run_question(self) -> str:
        """What is asked before a run from level to level is ended; empty where there is none that goes on."""
        return ""

    def why_missing(self, number: int) -> str:
        """Why there is no level of this number to play."""
        error = next((error for error in self.pack.errors if error.level == number), None)
        if error is None:
            return f"no level {number}: the pack has {counted(self.pack.size, 'level')}"
        return f"level {number} cannot be read: {printable(error.problem)}"

    def best(self, level: Level) -> Best:
        """The player's best solutions of a level."""
        if level.number not in self._best:
            self._best[level.number] = self._store.best(level)
        return self._best[level.number]

    def figures(self, level: Level) -> Summary | None:
        """The player's best figures of a level, None where it is not solved."""
        if level.number not in self._figures:
            self.read_figures([level])
        return self._figures[level.number]

    def dates(self, level: Level) -> Dates:
        """When the player has solved a level, and how long he played it."""
        if level.number not in self._dates:
            self._dates[level.number] = self._store.dates(level)
        return self._dates[level.number]

    def refresh(self) -> None:
        """Forget what the store said: a level has been solved."""
        self._best.clear()
        self._dates.clear()
        self._figures.clear()
        self._score_facts = {number: later for number, later in self._score_facts.items() if not later.is_done}
        self._verdicts.clear()
        if self._catalog.is_open:
            self._catalog.refresh()

    def score_facts(self, level: Level) -> str:
        """The best of all accounts, where they share a table; empty as well until that is replayed."""
        if self._scores is None:
            return ""
        later = self._score_facts.get(level.number)
        if later is None or later.is_done and self._score_asked != level.number:
            later = self._score_facts[level.number] = self._begin(self._scores.facts(level))
        self._score_asked = level.number
        return later.result or ""

    def score_verdict(self, level: Level, moves: int, pushes: int) -> str:
        """How a solution compares with the best of all accounts, where they share a table; empty until it is known."""
        if self._scores is None:
            return ""
        key = level.number, moves, pushes
        if key not in self._verdicts:
            self._verdicts[key] = self._begin(self._scores.verdict(level, moves, pushes))
        return self._verdicts[key].result or ""

    def enter_score(self, level: Level, solution: Solution) -> None:
        """Enter a solution in the table of all accounts, if there is one."""
        if self._scores is not None:
            self._scores.enter(level, solution)

    @property
    def is_plain(self) -> bool:
        """Whether the player makes every move of this pack: no walk and no push is found for him."""
        if self._is_plain is None:
            self._is_plain = self._store.load_plain(self.key)
        return self._is_plain

    def set_plain(self, is_plain: bool) -> str | None:
        """Remember it; one line where it cannot be written yet."""
        self._is_plain = is_plain
        return self._store.save_plain(self.key, is_plain)

    @property
    def _has_closed_library(self) -> bool:
        return self._catalog.has_index and not self._catalog.is_open

    def has_more_on(self, level: Level) -> bool:
        """Whether there is more to be found out of a level, for which no picture waits.

        That is a library to ask that has not been opened yet, what is still to be replayed, and the level's own
        records, unless they are long.
        """
        if self._has_closed_library or self.is_replaying or not level.records or level.number in self._all_known:
            return self._has_closed_library or self.is_replaying
        return sum(len(record.moves) for record in level.records) <= _FEW_MOVES and all(
            record.moves.isalpha() for record in level.records
        )

    def find_more_on(self, level: Level) -> None:
        """Find out some of it, in a moment."""
        if self._has_closed_library:
            self._catalog.open()
        elif self.is_replaying:
            self.go_on()
        else:
            self.all_known(level)

    @property
    def is_replaying(self) -> bool:
        """Whether something is to be replayed yet that was asked for."""
        return self._replays.has_work

    def go_on(self) -> None:
        """Replay for a moment."""
        self._replays.go_on(STEPS_AT_REST)

    def _begin(self, work: Slices[_Result]) -> Later[_Result]:
        """Begin to find out what a picture is to show, and come to the end where that is near."""
        later = self._replays.begin(work)
        self._replays.go_on(STEPS_AT_SIGHT)
        return later

    def known_hint(self, level: Level, key: str) -> str:
        """``known: 97 pushes (R shows it)``, where that is known by now and the player has no solution of his own."""
        if self.best(level).by_moves or not self._catalog.is_open and level.number not in self._all_known:
            return ""
        known = self.known(level)
        if not known:
            return ""
        pushes = known[0].solution.pushes
        return f"known: {counted(pushes, 'push')} ({key} shows it)"

    def open_pushes(self, level: Level) -> int:
        """How many pushes the player has made in the open play of a level.

        0 where that is over or does not fit, and until it is replayed.
        """
        later = self._begin_open(level, self._store.open_plays([level])[0])
        self._replays.go_on(STEPS_AT_SIGHT if later is not None and not later.is_done else 0)
        return later.result or 0 if later is not None else 0

    def begun(self, levels: Sequence[Level]) -> set[int]:
        """The numbers of those in whose open play there are pushes; a long one counts until it is replayed."""
        stamps = self._store.open_plays(levels)
        begun = {level.number: self._begin_open(level, stamp) for level, stamp in zip(levels, stamps, strict=True)}
        going = {number: later for number, later in begun.items() if later is not None}
        self._replays.go_on(STEPS_AT_SIGHT if not all(later.is_done for later in going.values()) else 0)
        return {number for number, later in going.items() if later.result or not later.is_done}

    def _begin_open(self, level: Level, stamp: PlayStamp | None) -> Later[int] | None:
        """How many pushes there are in an open play; None where there is none."""
        if stamp is None:
            return None
        known = self._open_pushes.get(level.number)
        if known is None or known[0] != stamp:
            known = stamp, self._replays.begin(self._store.count_open_pushes(level))
            self._open_pushes[level.number] = known
        return known[1]

    def known(self, level: Level) -> list[Known]:
        """The solutions that files brought, the one of the fewest pushes first, as far as they are replayed.

        Long ones, and all but the best, are missing until the level has been opened (see ``all_known``).
        """
        self._forget_old()
        later = self._all_known.get(level.number)
        if later is not None and later.is_done:
            return later.result or []
        if level.number not in self._known and not self._catalog.has_index:
            return []
        if level.number not in self._known:
            self._known[level.number] = self._begin(self._catalog.known(self.key, level))
        return self._known[level.number].result or []

    def all_known(self, level: Level) -> list[Known]:
        """As ``known``, with all of the level's own records, as far as they are replayed."""
        self._forget_old()
        if level.records and level.number not in self._all_known:
            if self._catalog.has_index:
                work = self._catalog.all_known(self.key, level, self.name)
            else:
                from sokoterm.store.known import solutions_of_slowly

                work = solutions_of_slowly(level, self.name)
            self._all_known[level.number] = self._begin(work)
        return self.known(level)

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

    def finds(self, level: Level) -> list[Find]:
        """What the solver has found of a level in this session, the newest last; whoever hears of more adds it."""
        return self._finds.setdefault(level.number, [])

    def next_number(self, number: int) -> int | None:
        return next((each for each in self._numbers if each > number), None)

    def previous_number(self, number: int) -> int | None:
        return next((each for each in reversed(self._numbers) if each < number), None)

    def next_unsolved(self, number: int) -> int | None:
        """The first unsolved level after ``number``, beginning anew at the end of the pack; not ``number`` itself."""
        levels = self.pack.levels
        first = bisect_right(levels, number, key=_number_of)
        for part in (levels[first:], levels[:first]):
            for start in range(0, len(part), _AT_ONCE):
                some = [level for level in part[start : start + _AT_ONCE] if level.number != number]
                self.read_figures(some)
                unsolved = next((level.number for level in some if self._figures[level.number] is None), None)
                if unsolved is not None:
                    return unsolved
        return None

    def is_solved(self, number: int) -> bool:
        """Whether the player has solved the level with this number."""
        level = self.pack.find_level(number)
        return level is not None and self.figures(level) is not None

    def start_number(self) -> int | None:
        """The level the player left, else the first unsolved, else the first; None where none can be read."""
        left = self._store.load_place(self.key)
        if left in self._numbers:
            return left
        return self.next_unsolved(0) or next(iter(self._numbers), None)

    def read_figures(self, levels: Sequence[Level]) -> None:
        """Ask for the figures of several levels at once, for those who will look at them."""
        unknown = [level for level in levels if level.number not in self._figures]
        if unknown:
            found = self._store.summaries(map(self._hash_of, unknown))
            self._figures.update((level.number, found.get(self._hash_of(level))) for level in unknown)

    def _hash_of(self, level: Level) -> str:
        if level.number not in self._hashes:
            self._hashes[level.number] = level_hash(level)
        return self._hashes[level.number]


def _number_of(entry: Level | LevelError) -> int:
    return entry.number if isinstance(entry, Level) else entry.level
