"""Progress of one person: best solutions, dates, time played, the open play of each level and the place in each pack.

Progress on a puzzle is kept under its level hash, solutions in canonical orientation with their start, so that they
serve every level of equal hash (see ``solutions``). The open play is kept under the Exact-Id (see ``plays``). The
boards of both are kept too (see ``solutions``), for other programs and machines (``exchange``).

What cannot be written is not lost: it waits in memory, and the next save writes it too.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from time import localtime, strftime
from typing import TypeVar

from sokoterm.engine.board import Board, State
from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, exact_id, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import LurdError, Solution, verify
from sokoterm.engine.value import Value
from sokoterm.language import N_, _
from sokoterm.store import drawings, found, generated, letslogic_log, looks, places, plays, solutions
from sokoterm.store.database import Database, NotReadError, NotWrittenError, RenewedError, RowValue
from sokoterm.store.found import FoundRow
from sokoterm.store.packs import PackError
from sokoterm.store.paths import LostProgressError
from sokoterm.store.places import Places
from sokoterm.store.plays import Helps, OpenPlay, PlayRow, PlayStamp, SavedPlay, Snapshot, keep_last
from sokoterm.store.solutions import Best, Dates, Puzzle, Recorded, SolutionRow, Solved, StoredBoard, Summary

_Result = TypeVar("_Result")

# A change of the tables is one more row here; earlier rows never change.
MIGRATIONS = (
    (*solutions.TABLES, places.PLACES, *plays.TABLES),
    solutions.BOARDS,
    (places.PLAIN_PACKS,),
    generated.TABLES,
    (plays.HELP_TABLE, solutions.HELPED_TABLE, places.LAST_PACK),
    plays.PACKED,
    looks.TABLES,
    (solutions.DAY_TABLE,),
    found.TABLES,
    looks.VIEW,
    letslogic_log.TABLES,
    drawings.TABLES,
    (*found.EACH_ONCE, *solutions.EACH_ONCE),
    (found.PROVEN_TABLE,),
)

# The most letters of plays, solutions and boards held in memory, to be written again when a file replaces a damaged one
# or another session overwrites a play; beyond that the oldest are only on disk. As many letters of replayed solutions
# are held.
_MOST_HELD = 8_000_000

NOT_SAVED_YET = N_("progress not saved yet")
"""Prefix of the reason why progress waits in memory; when the store closes, it is saved or lost."""
LOST = N_("progress is lost")
"""Prefix of the reason when it is lost."""

# Prefix of a notice about one play, not the file.
PLAY_LEFT_OUT = N_("a play marked as solved is left out")


class Contents(Value):
    """All progress on disk that belongs to levels.

    Puzzles are by level hash, ``plays`` are the Exact-Ids of levels with a play or bookmarks, boards are by either.
    """

    solutions: list[SolutionRow]
    found: list[FoundRow]
    puzzles: dict[str, Puzzle]
    plays: list[str]
    boards: dict[str, StoredBoard]


class ProgressStore:
    """The store. ``notices`` collects lines for the user (a damaged file set aside ...): show and clear them.

    Every save returns None once everything is safe on disk, or one line that says why it waits in memory.
    """

    def __init__(self, database: Database, clock: Callable[[], float], most_held: int = _MOST_HELD) -> None:
        """``most_held`` is a number of letters: those of plays, solutions and boards that are held in memory."""
        self.notices = database.notices
        self._database = database
        self._clock = clock
        self._most_held = most_held
        self._generation = database.generation
        # By board and start of the level: each is computed once.
        self._exact_ids: dict[tuple[Board, State], str] = {}
        self._frames: dict[tuple[Board, State], Canonical] = {}
        # By those too, and start and moves of a solution.
        self._fitted: dict[tuple[tuple[Board, State], tuple[int, int], str], Solution | None] = {}
        self._plays: dict[str, SavedPlay] = {}
        self._boards: dict[str, StoredBoard] = {}
        self._helps = Helps(database)
        self._places = Places(database)
        self._session_solved: list[Solved] = []
        self._saves = 0
        # Waiting to be written.
        self._unsaved: dict[str, Snapshot] = {}
        self._new_boards: dict[str, StoredBoard] = {}
        self._solved: list[Solved] = []
        self._ended: dict[str, SavedPlay] = {}
        self._leftovers: list[PlayRow] = []
        self._seconds: dict[str, float] = {}
        self._rows: dict[tuple[str, *tuple[RowValue, ...]], Sequence[RowValue]] = {}
        self._session_rows: dict[tuple[str, *tuple[RowValue, ...]], Sequence[RowValue]] = {}
        self.has_failed = False
        """True if the last save was not written, which waits in memory."""

    @classmethod
    def open(cls, path: str, clock: Callable[[], float], quota: int | None = None) -> "ProgressStore":
        """Open or create the store at ``path``, which grows to ``quota`` MB at most.

        Never raises; problems become notices.
        """
        return cls(Database(path, MIGRATIONS, clock, quota=quota), clock)

    @property
    def is_on_disk(self) -> bool:
        """True if the store outlives the program."""
        return self._database.is_on_disk

    @property
    def is_kept_in_memory(self) -> bool:
        """True if something of this session is kept only in memory."""
        return not self.is_on_disk and bool(self._session_rows or self._session_solved)

    def load_play(self, level: Level) -> OpenPlay | None:
        """Return the open play of a level, only the bookmarks if there is no play, or None."""
        key = self._exact_id(level)
        waiting = self._unsaved.get(key)
        if waiting is not None and not waiting.is_solved:
            return OpenPlay(tuple(waiting.edits), waiting.cursor, waiting.bookmarks)
        self._plays.pop(key, None)
        self._trim_plays()
        play = self._plays[key] = SavedPlay(key)
        opened, solved = play.load(self._database)
        if opened is not None:
            self._queue_missing_board(key, level)
        for row in solved:
            self._record_leftover(level, row)
        if opened is None or not opened.edits:
            self._helps.end(key)
        return opened

    def open_plays(self, levels: Sequence[Level]) -> list[PlayStamp | None]:
        """Return the identity of the open play of each of a few levels, in its current state.

        None for levels without an open play that has a move.
        """
        ids = [self._exact_id(level) for level in levels]
        stamps = plays.stamps_of(self._database, ids)
        for key, snapshot in self._unsaved.items():
            if not snapshot.is_solved:
                stamps.pop(key, None)
                if snapshot.cursor:
                    stamps[key] = PlayStamp(-self._saves, len(snapshot.edits), snapshot.cursor)
        return [stamps.get(key) for key in ids]

    def open_moves(self, level: Level) -> str:
        """Return the moves so far of the open play of a level, without resuming it; none without a play."""
        key = self._exact_id(level)
        waiting = self._unsaved.get(key)
        if waiting is not None and not waiting.is_solved:
            return plays.lurd_of(waiting.edits[: waiting.cursor])
        return plays.open_moves(self._database, key)

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
        """Save the play of a level, at the cost of what changed since the last save, not of the length of the play.

        ``edits`` is the history of the last save, cut and extended by new Edits, as Game keeps it. ``seconds`` is the
        time played since the last save. A play that ``is_solved`` is not resumed, but is kept until ``record`` has its
        solution.
        """
        key = self._exact_id(level)
        play = self._plays.get(key) or self._plays.setdefault(key, SavedPlay(key))
        snapshot = Snapshot(edits, cursor, bookmarks, is_solved)
        self._saves += 1
        if seconds:
            puzzle = self._frame(level).hash
            self._seconds[puzzle] = self._seconds.get(puzzle, 0.0) + seconds
        if play.is_current(snapshot):
            self._unsaved.pop(key, None)
        else:
            self._queue_board(key, level)
            self._unsaved[key] = snapshot
        if not is_solved:
            self._ended.pop(key, None)
        return self._flush()

    def note_help(self, level: Level, lurd: str) -> None:
        """Note that a hint or a shown solution led to the position behind these moves; the next save writes it."""
        self._helps.note(self._exact_id(level), lurd)

    def forget_help(self, level: Level) -> None:
        """Forget the help given on a level: it was solved and is started again."""
        self._helps.end(self._exact_id(level))

    def record(self, level: Level, lurd: str) -> Recorded:
        """Record a solution of a level played since its ``save_play``; raises LurdError if it is not a solution."""
        solution = verify(level.board, level.start, lurd)
        before = self.best(level)
        self._add_solution(level, solution, self._clock())
        key = self._exact_id(level)
        play = self._plays.get(key)
        if play is not None and play.is_solved and key not in self._unsaved:
            self._ended[key] = play
        return Recorded(solution, before, self._flush())

    def best(self, level: Level) -> Best:
        """Return the best solutions of a level, from all levels of equal hash, transformed to fit this one."""
        frame = self._frame(level)
        puzzle = frame.hash
        found = dict.fromkeys(solutions.solutions_of(self._database, puzzle))
        found |= dict.fromkeys((each.start, each.lurd) for each in self._solved if each.hash == puzzle)
        fitting = [fitted for start, lurd in found if (fitted := self._fitted_to(level, start, lurd)) is not None]
        if fitting:
            self._queue_missing_board(puzzle, level)
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
        """Return the dates of a level and the time played, without loading a solution."""
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
        """Return the solution of a level for moves in canonical orientation, replayed once per session."""
        key = level.position, start, lurd
        if key not in self._fitted:
            fitted = solution_from_canonical(level, start, lurd, self._frame(level))
            self._hold_fitted(level, start, lurd, fitted)
            return fitted
        return self._fitted[key]

    def _hold_fitted(self, level: Level, start: tuple[int, int], lurd: str, fitted: Solution | None) -> None:
        """Hold what moves are of a level for the rest of the session, or until too much is held."""
        if sum(len(key[2]) for key in self._fitted) + len(lurd) > self._most_held:
            self._fitted.clear()
        self._fitted[level.position, start, lurd] = fitted

    def summaries(self, hashes: Iterable[str]) -> dict[str, Summary]:
        """Return the figures of the solved levels among these hashes, for a whole pack at once.

        Figures are as stored: if a level starts elsewhere, its moves may differ by the walk.
        """
        wanted = dict.fromkeys(hashes)
        found = dict(solutions.summaries_of(self._database, list(wanted)))
        for each in self._solved:
            if each.hash in wanted:
                known = found.get(each.hash, Summary(each.moves, each.pushes, True))
                moves, pushes = min(each.moves, known.moves), min(each.pushes, known.pushes)
                found[each.hash] = Summary(moves, pushes, each.is_helped and known.is_helped)
        return found

    def solved(self) -> set[str]:
        """Return the level hash of every solved level."""
        return {
            *self._database.read("SELECT DISTINCT hash FROM solution", (), str),
            *(each.hash for each in self._solved),
        }

    def begun(self) -> set[str]:
        """Return the Exact-Id of every level whose open play has a push."""
        waiting = {
            key: any(map(str.isupper, plays.lurd_of(snapshot.edits[: snapshot.cursor])))
            for key, snapshot in self._unsaved.items()
        }
        on_disk = plays.begun_of(self._database) - waiting.keys()
        return on_disk | {key for key, has_push in waiting.items() if has_push and not self._unsaved[key].is_solved}

    def found(self) -> set[str]:
        """Return the level hash of every level of which the program has found a solution."""
        return set(self._database.read("SELECT DISTINCT hash FROM found", (), str))

    def last_played(self) -> dict[str, float]:
        """Return the time of the last solution by level hash, and of the last save of an open play by Exact-Id."""
        query = """SELECT hash, last_solved FROM puzzle WHERE last_solved IS NOT NULL
            UNION ALL SELECT exact_id, max(saved) FROM play GROUP BY exact_id"""
        return dict(self._database.read(query, (), _dated)) | {each.hash: each.date for each in self._solved}

    def puzzles(self) -> dict[str, Puzzle]:
        """Return the dates of every puzzle and the time played on it, by level hash, as far as it is on disk."""
        return solutions.all_puzzles(self._database)

    def days_played(self) -> dict[str, float]:
        """Return the seconds played on each local day, which is an ISO date, as far as they are on disk."""
        return dict(self._database.read("SELECT day, seconds FROM day_played", (), _played_day))

    @property
    def last_pack(self) -> str | None:
        """The key of the pack that was played last."""
        return self._places.last

    def load_place(self, pack: str) -> int | None:
        """Return the number of the level where the player left the pack with this key."""
        return self._places.level(pack)

    def save_place(self, pack: str, number: int) -> str | None:
        """Save the player's level in a pack, and that this pack was played last."""
        return self._flush() if self._places.move(pack, number) else None

    def copy_packs(self, keys: Mapping[str, str]) -> None:
        """Write what is known of packs under other keys as well, by old key; raises NotWrittenError.

        The pack played last has its new key alone.
        """
        if problem := self._flush():
            raise NotWrittenError(problem)
        self._commit(partial(places.copy_places, keys=keys))

    def rename_packs(self, keys: Mapping[str, str]) -> str | None:
        """Save that packs have other keys, by old key: the place in each, its planning, and whether it was last."""
        for old, new in keys.items():
            self._places.rename(old, new)
        return self._flush()

    def load_planning_off(self, pack: str) -> bool:
        """True if the player has turned walk-to and push-to off in the pack with this key."""
        return self._places.is_planning_off(pack)

    def save_planning_off(self, pack: str, is_planning_off: bool) -> str | None:
        """Save that choice."""
        self._places.set_planning_off(pack, is_planning_off)
        return self._flush()

    def rows(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """Return ``make(*row)`` for every row of a query; rows that are kept but not written yet are left out.

        Raises PackError if they cannot be read now: taken for none, a run would begin beside the open one.
        """
        try:
            return self._database.read_surely(query, parameters, make)
        except NotReadError as error:
            # The same notice may be there since the file was opened.
            while str(error) in self.notices:
                self.notices.remove(str(error))
            raise PackError(str(error)) from None

    def keep(self, statement: str, key: Sequence[RowValue], values: Sequence[RowValue]) -> None:
        """Queue a row of another table for the next save, in the same transaction.

        Of rows with the same statement and key only the last one is written.
        """
        self._rows[statement, *key] = self._session_rows[statement, *key] = values

    def save_rows(self) -> str | None:
        """Write the queued rows."""
        return self._flush()

    def contents(self) -> Contents:
        """Return all progress on disk, for export."""
        database = self._database
        return Contents(
            solutions.all_solutions(database),
            found.all_found(database),
            solutions.all_puzzles(database),
            plays.exact_ids(database),
            solutions.all_boards(database),
        )

    def table(self, table: str, columns: str) -> list[tuple[RowValue, ...]]:
        """Return some columns of a table, for export."""

        def row(*values: RowValue) -> tuple[RowValue, ...]:
            return values

        row.__annotations__ = dict.fromkeys(columns.split(", "), RowValue)
        return self._database.read(f"SELECT {columns} FROM {table} ORDER BY 1, 2", (), row)

    def write(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return the result of a job that writes imported progress, all of it or nothing; raises NotWrittenError."""
        return self._commit(job)

    def close(self) -> str | None:
        """Write everything that waits, time played included, and close; return one line if it is lost instead."""
        problem = None
        for key, play in self._plays.items():
            if play.row and key not in self._unsaved and play.is_overwritten(self._database):
                self._unsaved[key] = play.snapshot()
                play.forget()
        if self._is_waiting or self._seconds or self._generation != self._database.generation:
            problem = self._write(LOST)
        elif self._new_boards:
            self._write()  # boards alone are no loss: they are queued again when their levels are opened
        self._database.close()
        return problem

    def _trim_plays(self) -> None:
        """Drop the oldest plays from memory beyond its budget; they are on disk."""
        held = 0
        for key, play in reversed(list(self._plays.items())):
            held += play.size
            if held > self._most_held and key not in self._unsaved and key not in self._ended:
                del self._plays[key]

    def _trim_solutions(self) -> None:
        """Hold no more of the session's solutions than there is room for."""
        held = 0
        for number, solved in reversed(list(enumerate(self._session_solved))):
            held += solved.moves
            if held > self._most_held:
                del self._session_solved[: number + 1]
                break
        keep_last(self._exact_ids, _size_of, self._most_held)
        keep_last(self._frames, _size_of, self._most_held)
        keep_last(self._fitted, lambda key: _size_of(key[0]) + len(key[2]), self._most_held)
        keep_last(self._boards, lambda key: len(self._boards[key].xsb), self._most_held)
        self._helps.let_go(self._most_held)

    @property
    def _is_waiting(self) -> bool:
        waiting = (self._unsaved, self._solved, self._ended, self._leftovers, self._rows)
        return any(waiting) or self._helps.is_waiting or self._places.is_waiting

    def _flush(self) -> str | None:
        """Write what waits; time played alone waits for the next push."""
        return self._write() if self._is_waiting else None

    def _write(self, problem: str = NOT_SAVED_YET) -> str | None:
        try:
            committed = self._commit(self._write_waiting)
        except NotWrittenError as error:
            # The caller goes on changing its history; what waits is the state to be saved.
            self._unsaved = {key: _copy(snapshot) for key, snapshot in self._unsaved.items()}
            self.has_failed = True
            return f"{_(problem)}: {error}"
        self.has_failed = False
        for each in committed:
            each()
        waited = (self._unsaved, self._solved, self._ended, self._leftovers, self._seconds)
        for waiting in waited:
            waiting.clear()
        self._new_boards.clear()
        self._rows.clear()
        self._helps.written()
        self._places.written()
        return None

    def _commit(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return the result of a job once written, to a new file if the old one is gone; raises NotWrittenError."""
        for __ in range(3):
            if self._generation != self._database.generation:
                self._requeue_session()
            try:
                return self._database.write(job)
            except RenewedError:
                continue
        raise NotWrittenError(_("the database keeps getting damaged"))

    def _write_waiting(self, connection: sqlite3.Connection) -> list[Callable[[], None]]:
        now = self._clock()
        committed = [self._plays[key].write(connection, each, now) for key, each in self._unsaved.items()]
        for each in self._solved:
            solutions.save_solution(connection, each)
        committed += [play.delete(connection) for play in self._ended.values()]
        for row in self._leftovers:
            plays.delete_play(connection, row.id, row.revision)
        if self._seconds:
            solutions.add_seconds(connection, list(self._seconds.items()))
            solutions.add_to_day(connection, strftime("%Y-%m-%d", localtime(now)), sum(self._seconds.values()))
        solutions.save_boards(connection, self._new_boards.values())
        self._helps.write(connection)
        self._places.write(connection)
        for (statement, *__), values in self._rows.items():
            connection.execute(statement, values)
        return committed

    def _requeue_session(self) -> None:
        """Queue everything of this session for the file that replaced the old one."""
        self._generation = self._database.generation
        self._leftovers.clear()
        self._helps.begin_anew()
        self._solved = list(self._session_solved)
        self._new_boards = dict(self._boards)
        self._rows = dict(self._session_rows)
        for play in self._ended.values():
            # Its solution is queued already.
            play.row = 0
        self._ended.clear()
        for key, play in self._plays.items():
            known = play.snapshot()
            if key not in self._unsaved and (known.edits or known.bookmarks):
                self._unsaved[key] = known
            play.forget()

    def _add_solution(self, level: Level, solution: Solution, date: float) -> None:
        frame = self._frame(level)
        self._queue_board(frame.hash, level)
        start, lurd = to_canonical(level, solution.lurd, frame)
        self._hold_fitted(level, start, lurd, solution)
        is_helped = self._helps.led_to(self._exact_id(level), solution.lurd)
        solved = Solved(frame.hash, start, lurd, solution.moves, solution.pushes, date, is_helped)
        self._solved.append(solved)
        self._session_solved.append(solved)
        self._trim_solutions()

    def _record_leftover(self, level: Level, row: PlayRow) -> None:
        """Record the solution of a play that was solved just before its session was killed."""
        lurd = plays.lurd_of(plays.edits_of(self._database, row.id)[: row.cursor])
        try:
            solution = verify(level.board, level.start, lurd)
        except LurdError as error:
            self.notices.append(f"{_(PLAY_LEFT_OUT)}: {error}")
            return
        self._add_solution(level, solution, row.saved)
        self._leftovers.append(row)
        self._flush()

    def _queue_board(self, key: str, level: Level) -> None:
        """Queue the board of a level with progress for the next save, once per session."""
        if key not in self._boards:
            self._boards[key] = self._new_boards[key] = StoredBoard.of(key, level)

    def _queue_missing_board(self, key: str, level: Level) -> None:
        """Do the same for a level whose progress is older than stored boards."""
        if key not in self._boards and not solutions.has_board(self._database, key):
            self._queue_board(key, level)

    def _exact_id(self, level: Level) -> str:
        if level.position not in self._exact_ids:
            self._exact_ids[level.position] = exact_id(level)
        return self._exact_ids[level.position]

    def _frame(self, level: Level) -> Canonical:
        if level.position not in self._frames:
            self._frames[level.position] = canonical(level)
        return self._frames[level.position]


def _size_of(position: tuple[Board, State]) -> int:
    board, state = position
    return max(board.size, state.boxes.bit_length())  # longer with colours


def _played_day(day: str, seconds: float) -> tuple[str, float]:
    return day, seconds


def _dated(key: str, date: float) -> tuple[str, float]:
    return key, date


def _copy(snapshot: Snapshot) -> Snapshot:
    return Snapshot(list(snapshot.edits), snapshot.cursor, dict(snapshot.bookmarks), snapshot.is_solved)


@contextmanager
def opened_progress(path: str, clock: Callable[[], float], tell: Callable[[str], None]) -> Iterator[ProgressStore]:
    """Open a progress, which is made if there is no file; at the end ``tell`` gets its problems, one line each.

    Raises LostProgressError at the end if something could not be saved.
    """
    store = ProgressStore.open(path, clock)
    lost = None
    try:
        yield store
    finally:
        lost = store.close() or (_(LOST) if store.is_kept_in_memory else None)
        for notice in store.notices:
            tell(notice)
    if lost is not None:
        raise LostProgressError(lost)


@contextmanager
def known_progress(
    path: str, clock: Callable[[], float], tell: Callable[[str], None]
) -> Iterator[ProgressStore | None]:
    """Open a progress to read it; None if there is no file, and then none is made."""
    if os.path.exists(path):
        with opened_progress(path, clock, tell) as store:
            yield store
    else:
        yield None
