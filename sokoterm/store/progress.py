"""Progress of one person: best solutions, dates, time played, the open play of each level and the place in each pack.

What has to do with the puzzle is kept under its level hash, solutions in the canonical orientation with the place
they start from, so that they serve every level of equal hash (see ``solutions``); the open play under the Exact-Id
(see ``plays``).  The boards of both are kept too (see ``boards``), for other programs and machines (``exchange``).

Nothing that cannot be written is lost: it waits in memory, and the next save writes it too.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, exact_id, from_canonical_slowly, to_canonical
from sokoterm.engine.lurd import LurdError, Solution, count_pushes_slowly, verify
from sokoterm.engine.slices import Slices, finish
from sokoterm.engine.value import Value
from sokoterm.store import boards, helps, places, plays, rows, solutions
from sokoterm.store.best import Best, Dates, Recorded, Summary
from sokoterm.store.boards import StoredBoard
from sokoterm.store.database import Database, NotReadError, NotWrittenError, RenewedError, RowValue
from sokoterm.store.helps import Helps
from sokoterm.store.packs import PackError
from sokoterm.store.places import Places
from sokoterm.store.plays import OpenPlay, PlayRow, PlayStamp, SavedPlay, Snapshot
from sokoterm.store.solutions import Puzzle, SolutionRow, Solved

_Result = TypeVar("_Result")

# A change of the tables is one more row here; it never touches the rows before it.
_MIGRATIONS = (
    (*solutions.TABLES, places.PLACES, *plays.TABLES),
    boards.TABLES,
    (places.PLAIN_PACKS,),
    rows.TABLES,
    (*helps.TABLES, solutions.HELPED_TABLE, places.LAST_PACK),
    plays.PACKED,
)

# Letters of the plays and solutions of a session that are held for a file that takes the place of a damaged one, and
# for another session that writes over a play: the oldest of more are on disk alone.
_MOST_HELD = 8_000_000

NOT_SAVED_YET = "progress not saved yet"
"""The words before the reason why progress waits in memory: once the store is closed, it is saved or lost."""

# A notice that speaks of one play, not of the file.
PLAY_LEFT_OUT = "a play marked as solved is left out"


class Contents(Value):
    """All that is written, but for the places in packs: puzzles by level hash, ``plays`` the Exact-Ids of levels with
    a play or bookmarks, boards by either."""

    solutions: list[SolutionRow]
    puzzles: dict[str, Puzzle]
    plays: list[str]
    boards: dict[str, StoredBoard]


class ProgressStore:
    """The store.  ``notices`` gathers lines for the person to see (a damaged file set aside ...): show and clear them.

    Every save gives None once everything is safe on disk, or one line that says why it waits in memory.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.notices = database.notices
        self._database = database
        self._clock = clock
        self._generation = database.generation
        # By the rows of the level: each is made once.
        self._exact_ids: dict[tuple[str, ...], str] = {}
        self._frames: dict[tuple[str, ...], Canonical] = {}
        # By the rows of the level, and start and moves of a solution.
        self._fitted: dict[tuple[tuple[str, ...], tuple[int, int], str], Solution | None] = {}
        self._plays: dict[str, SavedPlay] = {}
        self._boards: dict[str, StoredBoard] = {}
        self._helps = Helps(database)
        self._places = Places(database)
        self._session_solved: list[Solved] = []
        # What waits to be written.
        self._unsaved: dict[str, Snapshot] = {}
        self._new_boards: dict[str, StoredBoard] = {}
        self._solved: list[Solved] = []
        self._ended: dict[str, SavedPlay] = {}
        self._left: list[PlayRow] = []
        self._seconds: dict[str, float] = {}
        self._rows: dict[tuple[str, *tuple[RowValue, ...]], Sequence[RowValue]] = {}
        self._session_rows: dict[tuple[str, *tuple[RowValue, ...]], Sequence[RowValue]] = {}

    @classmethod
    def open(cls, path: str, clock: Callable[[], float], quota: int | None = None) -> "ProgressStore":
        """The store in the file at ``path`` (made where there is none), which grows to ``quota`` MB at most.

        Never raises: what is wrong is a notice.
        """
        return cls(Database(path, _MIGRATIONS, clock, quota=quota), clock)

    @property
    def is_on_disk(self) -> bool:
        """Whether the store outlives the program."""
        return self._database.is_on_disk

    def load_play(self, level: Level) -> OpenPlay | None:
        """The open play of a level, the bookmarks alone where there is none, or None."""
        key = self._exact_id(level)
        waiting = self._unsaved.get(key)
        if waiting is not None and not waiting.is_solved:
            return OpenPlay(tuple(waiting.edits), waiting.cursor, waiting.bookmarks)
        self._plays.pop(key, None)
        self._let_go()
        play = self._plays[key] = SavedPlay(key)
        opened, solved = play.load(self._database)
        if opened is not None:
            self._meet_again(key, level)
        for row in solved:
            self._record_left(level, row)
        if opened is None or not opened.edits:
            self._helps.end(key)
        return opened

    def open_plays(self, levels: Sequence[Level]) -> list[PlayStamp | None]:
        """For each of a few levels what tells its open play, as it is now, from all others.

        None where there is none in which something was done.
        """
        ids = [self._exact_id(level) for level in levels]
        stamps = plays.stamps_of(self._database, ids)
        for key, snapshot in self._unsaved.items():
            if not snapshot.is_solved:
                stamps.pop(key, None)
                if snapshot.cursor:
                    stamps[key] = PlayStamp(id(snapshot), len(snapshot.edits), snapshot.cursor)
        return [stamps.get(key) for key in ids]

    def count_open_pushes(self, level: Level) -> Slices[int]:
        """How many pushes there are in the open play of a level, in slices; it is not taken up by asking.

        0 where there is no play, and where it does not fit the level or has solved it.
        """
        key = self._exact_id(level)
        waiting = self._unsaved.get(key)
        if waiting is not None and not waiting.is_solved:
            lurd = plays.lurd_of(waiting.edits[: waiting.cursor])
        else:
            lurd = yield from plays.open_moves(self._database, key)
        return (yield from count_pushes_slowly(level.board, level.start, lurd))

    def save_play(
        self,
        level: Level,
        edits: Sequence[Edit],
        cursor: int,
        bookmarks: Mapping[str, str],
        seconds: float = 0.0,
        *,
        is_solved: bool = False,
    ) -> str | None:
        """Save the play of a level; costs what changed since the last save, not the length of the play.

        ``edits`` is the history of the last save, cut and extended by new Edits, as Game keeps it.  ``seconds`` is
        the time played since the last save.  A play that ``is_solved`` is not opened again, but it is kept until
        ``record`` has its solution.
        """
        key = self._exact_id(level)
        play = self._plays.get(key) or self._plays.setdefault(key, SavedPlay(key))
        snapshot = Snapshot(edits, cursor, bookmarks, is_solved)
        if seconds:
            puzzle = self._frame(level).hash
            self._seconds[puzzle] = self._seconds.get(puzzle, 0.0) + seconds
        if play.is_current(snapshot):
            self._unsaved.pop(key, None)
        else:
            self._meet(key, level)
            self._unsaved[key] = snapshot
        if not is_solved:
            self._ended.pop(key, None)
        return self._flush()

    def note_help(self, level: Level, lurd: str) -> None:
        """A hint led to the position behind these moves, or a solution was shown from there; the next save has it."""
        self._helps.note(self._exact_id(level), lurd)

    def forget_help(self, level: Level) -> None:
        """A level that was solved is begun once more: what help there was does not count from now on."""
        self._helps.end(self._exact_id(level))

    def record(self, level: Level, lurd: str) -> Recorded:
        """Record a solution of a level, as seconds since its ``save_play``; raises LurdError where it is none."""
        solution = verify(level.board, level.start, lurd)
        before = self.best(level)
        self._add_solution(level, solution, self._clock())
        key = self._exact_id(level)
        play = self._plays.get(key)
        if play is not None and play.is_solved and key not in self._unsaved:
            self._ended[key] = play
        return Recorded(solution, before, self._flush())

    def best(self, level: Level) -> Best:
        """The best solutions of a level: those of any level of equal hash, made to fit this one."""
        frame = self._frame(level)
        puzzle = frame.hash
        found = dict.fromkeys(solutions.solutions_of(self._database, puzzle))
        found |= dict.fromkeys((each.start, each.lurd) for each in self._solved if each.hash == puzzle)
        fitting = [fitted for start, lurd in found if (fitted := self._fitted_to(level, start, lurd)) is not None]
        if fitting:
            self._meet_again(puzzle, level)
        dates = self.dates(level)
        return Best(
            min(fitting, key=lambda each: (each.moves, each.pushes), default=None),
            min(fitting, key=lambda each: (each.pushes, each.moves), default=None),
            dates.first_solved,
            dates.last_solved,
            dates.seconds,
            dates.is_helped,
        )

    def dates(self, level: Level) -> Dates:
        """When a level was solved, and how long it was played; no solution is looked at."""
        puzzle = self._frame(level).hash
        known = solutions.puzzle_of(self._database, puzzle)
        helped = [each.is_helped for each in self._solved if each.hash == puzzle]
        helped += [known.is_helped] if known.first_solved is not None else []
        dates = [each.date for each in self._solved if each.hash == puzzle]
        dates += [date for date in (known.first_solved, known.last_solved) if date is not None]
        return Dates(
            min(dates, default=None),
            max(dates, default=None),
            known.seconds + self._seconds.get(puzzle, 0.0),
            bool(helped) and all(helped),
        )

    def _fitted_to(self, level: Level, start: tuple[int, int], lurd: str) -> Solution | None:
        """The solution that moves in the canonical picture are of a level, replayed once in a session."""
        key = level.rows, start, lurd
        if key not in self._fitted:
            self._fitted[key] = finish(from_canonical_slowly(level, start, lurd, self._frame(level)))
        return self._fitted[key]

    def summaries(self, hashes: Iterable[str]) -> dict[str, Summary]:
        """The figures of those among the level hashes that are solved, for a whole pack at once.

        They are as stored: of a level whose player begins elsewhere the moves may differ by the walk.
        """
        wanted = dict.fromkeys(hashes)
        found = dict(solutions.summaries_of(self._database, list(wanted)))
        for each in self._solved:
            if each.hash in wanted:
                known = found.get(each.hash, Summary(each.moves, each.pushes, True))
                moves, pushes = min(each.moves, known.moves), min(each.pushes, known.pushes)
                found[each.hash] = Summary(moves, pushes, each.is_helped and known.is_helped)
        return found

    @property
    def last_pack(self) -> str | None:
        """The key of the pack that was played last."""
        return self._places.last

    def load_place(self, pack: str) -> int | None:
        """The number of the level where the player left the pack with this key."""
        return self._places.level(pack)

    def save_place(self, pack: str, number: int) -> str | None:
        """Remember the level where the player is in a pack, and that it is this pack he plays."""
        return self._flush() if self._places.move(pack, number) else None

    def load_plain(self, pack: str) -> bool:
        """Whether the player makes every move of the pack with this key: no walk and no push is found for him."""
        return self._places.is_plain(pack)

    def save_plain(self, pack: str, is_plain: bool) -> str | None:
        """Remember whether he does."""
        self._places.set_plain(pack, is_plain)
        return self._flush()

    def rows(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """``make(*row)`` for every row of a query; what is kept and waits is not among them.

        Raises PackError where they cannot be read now: taken for none, a run would begin beside the one that is open.
        """
        try:
            return self._database.read_surely(query, parameters, make)
        except NotReadError as error:
            # It may have been said when the file was opened.
            while str(error) in self.notices:
                self.notices.remove(str(error))
            raise PackError(str(error)) from None

    def keep(self, statement: str, key: Sequence[RowValue], values: Sequence[RowValue]) -> None:
        """Have a row of another table written with the next save, in one go with what that writes.

        Of rows with the same statement and key only the last one is written.
        """
        self._rows[statement, *key] = self._session_rows[statement, *key] = values

    def save_rows(self) -> str | None:
        """Write the rows that are kept."""
        return self._flush()

    def contents(self) -> Contents:
        """Everything that is written, to be shown to another program."""
        database = self._database
        return Contents(
            solutions.all_solutions(database),
            solutions.all_puzzles(database),
            plays.exact_ids(database),
            boards.all_boards(database),
        )

    def write(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """What a job gives that writes progress from elsewhere, all of it or nothing; raises NotWrittenError."""
        return self._commit(job)

    def close(self) -> str | None:
        """Write what waits, time played included, and close; one line where it could not be written and is lost."""
        problem = None
        for key, play in self._plays.items():
            if play.row and key not in self._unsaved and play.is_overwritten(self._database):
                self._unsaved[key] = play.snapshot()
                play.forget()
        if self._is_waiting or self._seconds or self._generation != self._database.generation:
            problem = self._write("progress is lost")
        elif self._new_boards:
            self._write()  # boards alone are no loss: they are met again
        self._database.close()
        return problem

    def _let_go(self) -> None:
        """Hold no more of what is on disk than there is room for."""
        held = 0
        for key, play in reversed(list(self._plays.items())):
            held += play.size
            if held > _MOST_HELD and key not in self._unsaved and key not in self._ended:
                del self._plays[key]
        held = 0
        for number, solved in reversed(list(enumerate(self._session_solved))):
            held += solved.moves
            if held > _MOST_HELD:
                del self._session_solved[: number + 1]
                break

    @property
    def _is_waiting(self) -> bool:
        waiting = (self._unsaved, self._solved, self._ended, self._left, self._rows)
        return any(waiting) or self._helps.is_waiting or self._places.is_waiting

    def _flush(self) -> str | None:
        """Write what waits; seconds alone wait for the next push."""
        return self._write() if self._is_waiting else None

    def _write(self, problem: str = NOT_SAVED_YET) -> str | None:
        try:
            committed = self._commit(self._write_waiting)
        except NotWrittenError as error:
            # The caller's history goes on changing; what waits is what it was when it was to be saved.
            self._unsaved = {key: _copy(snapshot) for key, snapshot in self._unsaved.items()}
            return f"{problem}: {error}"
        for each in committed:
            each()
        waited = (self._unsaved, self._solved, self._ended, self._left, self._seconds)
        for waiting in waited:
            waiting.clear()
        self._new_boards.clear()
        self._rows.clear()
        self._helps.written()
        self._places.written()
        return None

    def _commit(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """What a job gives, once it is written, in a new file where the one before is gone; raises NotWrittenError."""
        for _ in range(3):
            if self._generation != self._database.generation:
                self._begin_anew()
            try:
                return self._database.write(job)
            except RenewedError:
                continue
        raise NotWrittenError("the database is damaged again and again")

    def _write_waiting(self, connection: sqlite3.Connection) -> list[Callable[[], None]]:
        now = self._clock()
        committed = [self._plays[key].write(connection, each, now) for key, each in self._unsaved.items()]
        for each in self._solved:
            solutions.save_solution(connection, each)
        committed += [play.delete(connection) for play in self._ended.values()]
        for row in self._left:
            plays.delete_play(connection, row.id, row.revision)
        solutions.add_seconds(connection, list(self._seconds.items()))
        boards.save_boards(connection, self._new_boards.values())
        self._helps.write(connection)
        self._places.write(connection)
        for (statement, *_), values in self._rows.items():
            connection.execute(statement, values)
        return committed

    def _begin_anew(self) -> None:
        """Have everything of this session wait for the file that took the place of the one before."""
        self._generation = self._database.generation
        self._left.clear()
        self._helps.begin_anew()
        self._solved = list(self._session_solved)
        self._new_boards = dict(self._boards)
        self._rows = dict(self._session_rows)
        for play in self._ended.values():
            # Its solution waits already.
            play.row = 0
        self._ended.clear()
        for key, play in self._plays.items():
            known = play.snapshot()
            if key not in self._unsaved and (known.edits or known.bookmarks):
                self._unsaved[key] = known
            play.forget()

    def _add_solution(self, level: Level, solution: Solution, date: float) -> None:
        frame = self._frame(level)
        self._meet(frame.hash, level)
        start, lurd = to_canonical(level, solution.lurd, frame)
        self._fitted[level.rows, start, lurd] = solution
        is_helped = self._helps.led_to(self._exact_id(level), solution.lurd)
        solved = Solved(frame.hash, start, lurd, solution.moves, solution.pushes, date, is_helped)
        self._solved.append(solved)
        self._session_solved.append(solved)

    def _record_left(self, level: Level, row: PlayRow) -> None:
        """Record the solution of a play that ended solved just before its session was killed."""
        lurd = plays.lurd_of(plays.edits_of(self._database, row.id)[: row.cursor])
        try:
            solution = verify(level.board, level.start, lurd)
        except LurdError as error:
            self.notices.append(f"{PLAY_LEFT_OUT}: {error}")
            return
        self._add_solution(level, solution, row.saved)
        self._left.append(row)
        self._flush()

    def _meet(self, key: str, level: Level) -> None:
        """Have the next save write the board of a level with progress, once in a session."""
        if key not in self._boards:
            self._boards[key] = self._new_boards[key] = StoredBoard.of(key, level)

    def _meet_again(self, key: str, level: Level) -> None:
        """The same for a level that has had progress from before boards were kept."""
        if key not in self._boards and not boards.has_board(self._database, key):
            self._meet(key, level)

    def _exact_id(self, level: Level) -> str:
        if level.rows not in self._exact_ids:
            self._exact_ids[level.rows] = exact_id(level)
        return self._exact_ids[level.rows]

    def _frame(self, level: Level) -> Canonical:
        if level.rows not in self._frames:
            self._frames[level.rows] = canonical(level)
        return self._frames[level.rows]


def _copy(snapshot: Snapshot) -> Snapshot:
    return Snapshot(list(snapshot.edits), snapshot.cursor, dict(snapshot.bookmarks), snapshot.is_solved)
