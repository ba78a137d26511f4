"""A player's progress: best solutions, dates, time played, the open play of each level and the place in each pack.

``progress_tables`` has the tables, ``solutions`` and ``plays`` the statements on them; ``exchange`` exports and imports
everything. Whatever cannot be written waits in memory for the next save.
"""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date
from functools import lru_cache
from time import localtime, strftime
from typing import TypeVar

from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical, exact_id, to_canonical
from sokoterm.engine.lurd import LurdError, Solution, verify
from sokoterm.engine.value import Value
from sokoterm.language import N_, _, labelled
from sokoterm.store import plays, solutions
from sokoterm.store.database import Database, NotReadError, NotWrittenError, RowValue
from sokoterm.store.known_levels import KnownSolution, Par
from sokoterm.store.packs import PackError
from sokoterm.store.paths import LostProgressError
from sokoterm.store.plays import OpenPlay, PlayRow, PlayStamp, SavedPlay
from sokoterm.store.progress_tables import MIGRATIONS
from sokoterm.store.solutions import Best, Dates, Recorded, SolutionRow, Solved, StoredBoard, Summary, is_date

_Result = TypeVar("_Result")

NOT_SAVED_YET = N_("progress not saved yet")
"""Prefix of the reason why progress waits in memory; when the store closes, it is saved or lost."""
LOST = N_("progress is lost")
"""Prefix of the reason when it is lost."""
# Prefix of a notice about one play, not the file.
PLAY_LEFT_OUT = N_("an unfinished game marked as solved is left out")

# Cached ids of levels: more than a session opens.
_LEVELS = 1000
# The most parameters that every build of sqlite accepts in one statement.
_HASHES_AT_ONCE = 900

_SAVE_HELP = "INSERT OR IGNORE INTO help VALUES (?, ?)"
_DROP_HELP = "DELETE FROM help WHERE exact_id = ?"
_SAVE_PLACE = "INSERT OR REPLACE INTO place VALUES (?, ?)"
_SAVE_LAST_PACK = "INSERT OR REPLACE INTO last_pack VALUES (?, ?)"
_SAVE_PLAIN_PACK = "INSERT OR REPLACE INTO plain_pack VALUES (?, ?)"
_SAVE_LOOKS = "INSERT OR REPLACE INTO looks (terminal, theme, zoom, palette, warns, view) VALUES (?, ?, ?, ?, ?, ?)"
_SAVE_DRAWING = "INSERT OR REPLACE INTO drawing VALUES (?, ?, ?)"
_SAVE_PROVEN = "INSERT OR REPLACE INTO proven VALUES (?, ?, ?, ?, ?)"
_ONLINE = "SELECT ifnull(moves, 0), ifnull(pushes, 0) FROM letslogic_best WHERE hash = ?"
# Tables of packs, with their columns besides the key.
_OF_PACKS = (("place", "level"), ("plain_pack", "is_plain"), ("drawing", "level, text"))


class ChosenLooks(Value):
    """Theme, columns per square (0: as many as fit) and palette, None where none was chosen; ``view`` is a symmetry.

    ``warns`` is False if warnings of lost positions are off.
    """

    theme: str | None = None
    zoom: int | None = None
    palette: str | None = None
    warns: bool = True
    view: int = 0


class ProgressStore:
    """The store. ``notices`` collects lines for the user (a damaged file set aside ...): show and clear them.

    Every save returns None once everything is safe on disk, or one line that says why it waits in memory.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.notices = database.notices
        self._database = database
        self._clock = clock
        self._exact_id = lru_cache(_LEVELS)(exact_id)
        self._frame = lru_cache(_LEVELS)(canonical)
        # Plays of this session, by Exact-Id: another session may overwrite the stored ones until this session ends.
        self._plays: dict[str, SavedPlay] = {}
        # Waiting to be written: solutions, time played by level hash, and rows by statement and key.
        self._solved: list[Solved] = []
        self._seconds: dict[str, float] = {}
        self._rows: dict[tuple[RowValue, ...], Sequence[RowValue]] = {}
        self.has_kept = False
        """True if this session has kept a solution or a row."""
        self.has_failed = False
        """True if the last save failed and waits in memory."""
        database.on_new_file = self._renew_plays

    @classmethod
    def open(cls, path: str, clock: Callable[[], float], quota: int | None = None) -> "ProgressStore":
        """Open or create the store at ``path``, of at most ``quota`` MB; never raises: problems become notices."""
        return cls(Database(path, MIGRATIONS, clock, quota=quota), clock)

    @property
    def is_on_disk(self) -> bool:
        return self._database.is_on_disk

    # Open plays

    def load_play(self, level: Level) -> OpenPlay | None:
        """Return the open play of a level, only the bookmarks if there is no play, or None."""
        key = self._exact_id(level)
        if waiting := self._waiting_play(key):
            return waiting
        opened, solved = self._play_of(key, level).load(self._database)
        if opened is not None:
            self._keep_missing_board(key, level)
        for row in solved:
            self._record_leftover(level, row)
        if opened is None or not opened.edits:
            self._end_help(key)
        return opened

    def open_plays(self, levels: Sequence[Level]) -> list[PlayStamp | None]:
        """Return the stamp of each level's open play, None where that has no move."""
        ids = [self._exact_id(level) for level in levels]
        query = f"""SELECT exact_id, id, revision, cursor FROM play
            WHERE exact_id IN ({", ".join("?" * len(ids))}) AND NOT is_solved ORDER BY saved, id"""
        rows = self._database.read(query, ids, tuple[str, int, int, int])
        stamps = {key: (row, revision, cursor) for key, row, revision, cursor in rows}
        for key in ids:
            if waiting := self._waiting_play(key):
                stamps[key] = (-1, hash(waiting.lurd), waiting.cursor)
        return [stamp if (stamp := stamps.get(key)) and stamp[2] else None for key in ids]

    def open_moves(self, level: Level) -> str:
        """Return the moves so far of a level's open play, without resuming it; empty without a play."""
        key = self._exact_id(level)
        if waiting := self._waiting_play(key):
            return waiting.lurd
        query = "SELECT id, cursor FROM play WHERE exact_id = ? AND NOT is_solved ORDER BY saved DESC, id DESC LIMIT 1"
        rows = self._database.read(query, (key,), tuple[int, int])
        return plays.moves_of(self._database, *rows[0]) if rows else ""

    def begun(self) -> set[str]:
        """Return the Exact-Id of every level whose open play has a push."""
        query = """SELECT exact_id, EXISTS (
                SELECT 1 FROM edit WHERE play = play.id AND number < cursor AND added GLOB '*[LURD]*'
            ) FROM play WHERE NOT is_solved ORDER BY saved, id"""
        begun = dict(self._database.read(query, (), tuple[str, int]))
        for key, play in self._plays.items():
            if play.waiting is not None:
                begun[key] = not play.waiting.is_solved and play.waiting.lurd != play.waiting.lurd.lower()
        return {key for key, has_push in begun.items() if has_push}

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

        ``edits`` is the history of the last save, cut and extended by new Edits, as Game keeps it; ``seconds`` is the
        time played since then. A play that ``is_solved`` is not resumed, but kept until ``record`` has its solution.
        """
        if seconds:
            level_hash = self._frame(level).hash
            self._seconds[level_hash] = self._seconds.get(level_hash, 0.0) + seconds
        self._play_of(self._exact_id(level), level).save(OpenPlay(edits, cursor, bookmarks, is_solved))
        return self.save_rows()

    def note_help(self, level: Level, lurd: str) -> None:
        """Note that a hint or a shown solution led to the position after these moves; the next save writes it."""
        key = self._exact_id(level)
        if not self._is_helped(key, lurd):
            self._queue(_SAVE_HELP, (key, lurd), (key, lurd))

    def forget_help(self, level: Level) -> None:
        """Forget the help given on a level: it was solved and is started again."""
        self._end_help(self._exact_id(level))

    # Solutions

    def record(self, level: Level, lurd: str) -> Recorded:
        """Record a solution of a level played since its ``save_play``; raises LurdError if it is not a solution."""
        solution = verify(level.board, level.start, lurd)
        before = self.best(level)
        self._add_solution(level, solution, self._clock())
        play = self._plays.get(self._exact_id(level))
        if play is not None and play.kept.is_solved and play.waiting is None:
            self._drop_play(play.row, play.revision)
        return Recorded(solution, before, self.save_rows())

    def best(self, level: Level) -> Best:
        """Return the best solutions of a level, from all levels of equal hash, transformed to fit."""
        frame = self._frame(level)
        query = "SELECT hash, start_row, start_column, lurd FROM solution WHERE hash = ?"
        rows = self._database.read(query, (frame.hash,), SolutionRow)
        rows += [each.row for each in self._solved if each.row.hash == frame.hash]
        fitted = [solution for row in dict.fromkeys(rows) if (solution := row.fitted(level, frame)) is not None]
        if fitted:
            self._keep_missing_board(frame.hash, level)
        return Best(
            min(fitted, key=lambda each: (each.moves, each.pushes), default=None),
            min(fitted, key=lambda each: (each.pushes, each.moves), default=None),
            self.dates(level),
            next(iter(self._database.read(_ONLINE, (frame.hash,), Summary)), None),
        )

    def dates(self, level: Level) -> Dates:
        """Return the dates of a level and the time played, without loading a solution."""
        level_hash = self._frame(level).hash
        rows = self._database.read(f"{solutions.ALL_DATES} WHERE hash = ?", (level_hash,), solutions.dates_row)
        known = dict(rows).get(level_hash, Dates())
        seconds = known.seconds + self._seconds.get(level_hash, 0.0)
        first, last, is_helped = known.first_solved, known.last_solved, known.is_helped
        for solved in self._solved:
            if solved.row.hash == level_hash:
                is_helped = solved.is_helped and (is_helped or first is None)
                first = solved.date if first is None else min(first, solved.date)
                last = solved.date if last is None else max(last, solved.date)
        return Dates(first, last, seconds, is_helped)

    def summaries(self, hashes: Iterable[str]) -> dict[str, Summary]:
        """Return stored figures of the solved levels among these; from another start, moves may differ by the walk."""
        wanted = [*dict.fromkeys(hashes)]
        query = """SELECT hash, min(moves), min(pushes), hash IN (SELECT hash FROM helped) FROM solution
            WHERE hash IN ({0}) GROUP BY hash"""
        rows = self._rows_of(wanted, query, tuple[str, int, int, int])
        found = {level_hash: Summary(moves, pushes, bool(helped)) for level_hash, moves, pushes, helped in rows}
        for each in self._solved:
            if each.row.hash in wanted:
                new = each.solution
                known = found.get(each.row.hash, Summary(new.moves, new.pushes, True))
                moves, pushes = min(new.moves, known.moves), min(new.pushes, known.pushes)
                found[each.row.hash] = Summary(moves, pushes, each.is_helped and known.is_helped)
        return found

    def _rows_of(self, hashes: Iterable[str], query: str, make: Callable[..., _Result]) -> list[_Result]:
        """Return the rows of a query that has ``{0}`` for the hashes, asked in batches."""
        wanted, rows = [*dict.fromkeys(hashes)], list[_Result]()
        for first in range(0, len(wanted), _HASHES_AT_ONCE):
            some = wanted[first : first + _HASHES_AT_ONCE]
            places = ", ".join([f"?{place}" for place in range(1, len(some) + 1)])
            rows += self._database.read(query.format(places), some, make)
        return rows

    def solved(self) -> set[str]:
        """Return the level hash of every solved level."""
        on_disk = self._database.read("SELECT DISTINCT hash FROM solution", (), str)
        return {*on_disk, *(each.row.hash for each in self._solved)}

    def last_played(self) -> dict[str, float]:
        """Return the time of the last solution by level hash, and of the last save of an open play by Exact-Id."""
        query = """SELECT hash, last_solved FROM puzzle WHERE last_solved IS NOT NULL
            UNION ALL SELECT exact_id, max(saved) FROM play GROUP BY exact_id"""
        rows = self._database.read(query, (), tuple[str, float])
        on_disk = {key: seconds for key, seconds in rows if is_date(seconds)}
        return on_disk | {each.row.hash: each.date for each in self._solved}

    def all_dates(self) -> dict[str, Dates]:
        """Return the saved dates and time of every puzzle, by level hash."""
        return dict(self._database.read(solutions.ALL_DATES, (), solutions.dates_row))

    def days_solved(self) -> Counter[date]:
        """Return how many levels were first solved on each local day, from the saved dates."""
        firsts = (each.first_solved for each in self.all_dates().values())
        return Counter(date.fromtimestamp(first) for first in firsts if first is not None)

    def days_played(self) -> dict[str, float]:
        """Return the saved seconds played on each local day, by ISO date."""
        rows = self._database.read("SELECT day, seconds FROM day_played", (), tuple[str, float])
        return {day: seconds for day, seconds in rows if is_date(seconds)}

    # Known solutions, which are not the person's own

    def found(self) -> set[str]:
        """Return the level hash of every level with a stored known solution."""
        return set(self._database.read("SELECT DISTINCT hash FROM found", (), str))

    def found_rows(self, level: Level) -> list[SolutionRow]:
        """Return the known solutions of a level or one of equal hash; raises PackError if they cannot be read now."""
        query = "SELECT hash, start_row, start_column, lurd, credit FROM found WHERE hash = ? ORDER BY id"
        return list(dict.fromkeys(self.rows(query, (self._frame(level).hash,), SolutionRow)))

    def found_solutions(self, level: Level) -> list[KnownSolution]:
        """Return the known solutions of a level, transformed to fit, fewest pushes first; raises PackError."""
        return solutions.found_of(self.found_rows(level), level)

    def keep_found(self, level: Level, solution: Solution, credit: str) -> None:
        """Queue a known solution for the next save; ``credit`` names what found it, or its source."""
        for statement, values in solutions.found_statements(level, solution, credit):
            self.keep(statement, values[:4], values)

    def proven(self, level: Level) -> dict[str, int]:
        """Return the proven minimum of moves and of pushes of a level, by metric; raises PackError."""
        frame = self._frame(level)
        query = "SELECT metric, count FROM proven WHERE hash = ? AND start_row = ? AND start_column = ?"
        return dict(self.rows(query, (frame.hash, *to_canonical(level, "", frame)[0]), tuple[str, int]))

    def fewest(self, metric: str) -> dict[str, int]:
        """Return the fewest ``pushes`` or ``moves`` of all solutions, the player's and known ones, by level hash."""
        query = f"""SELECT hash, min(least) FROM (SELECT hash, {metric} AS least FROM solution
            UNION ALL SELECT hash, {metric} FROM found WHERE {metric} IS NOT NULL) GROUP BY hash"""
        least = dict(self._database.read(query, (), tuple[str, int]))
        for each in self._solved:
            new: int = getattr(each.solution, metric)
            least[each.row.hash] = min(new, least.get(each.row.hash, new))
        return least

    def fewest_pushes(self, hashes: Iterable[str]) -> dict[str, Par]:
        """Return the saved fewest pushes of known solutions, or the proven ones, by level hash."""
        query = """SELECT hash, min(pushes), 0 FROM found WHERE hash IN ({0}) AND pushes IS NOT NULL GROUP BY hash
            UNION ALL SELECT hash, min(count), 1 FROM proven WHERE hash IN ({0}) AND metric = 'pushes' GROUP BY hash"""
        rows = self._rows_of(hashes, query, tuple[str, int, int])
        return {level_hash: Par(pushes, bool(is_proven)) for level_hash, pushes, is_proven in rows}

    def keep_proven(self, level: Level, metric: str, count: int) -> None:
        """Queue the proof that no solution has less than ``count`` of a metric."""
        frame = self._frame(level)
        key = (frame.hash, *to_canonical(level, "", frame)[0], metric)
        self.keep(_SAVE_PROVEN, key, (*key, count))

    # Packs, by their keys

    @property
    def last_pack(self) -> str | None:
        return self._find_last(1)

    @property
    def last_file(self) -> str | None:
        """The key of the pack played last, not counting generated and pasted ones."""
        return self._find_last(2) or self.last_pack  # exports of earlier versions have one row

    def _find_last(self, row: int) -> str | None:
        return self._find(_SAVE_LAST_PACK, "SELECT pack FROM last_pack WHERE row = ?", (row,), str)

    def load_place(self, pack: str) -> int | None:
        """Return the number of the level where the player left a pack."""
        return self._find(_SAVE_PLACE, "SELECT level FROM place WHERE pack = ?", (pack,), int)

    def save_place(self, pack: str, number: int, *, is_passing: bool = False) -> str | None:
        """Save the player's level in a pack, and that this pack was played last."""
        if self.load_place(pack) == number and self.last_pack == pack:
            return None
        self._queue(_SAVE_PLACE, (pack,), (pack, number))
        for row in (1,) if is_passing else (1, 2):
            self._queue(_SAVE_LAST_PACK, (row,), (row, pack))
        return self.save_rows()

    def load_planning_off(self, pack: str) -> bool:
        """True if the player has turned walk-to and push-to off in a pack."""
        return bool(self._find(_SAVE_PLAIN_PACK, "SELECT is_plain FROM plain_pack WHERE pack = ?", (pack,), int))

    def save_planning_off(self, pack: str, is_planning_off: bool) -> str | None:
        self._queue(_SAVE_PLAIN_PACK, (pack,), (pack, int(is_planning_off)))
        return self.save_rows()

    def copy_packs(self, keys: Mapping[str, str]) -> None:
        """Copy what is known of packs to new keys, and move ``last_pack``; raises NotWrittenError."""
        if problem := self.save_rows():
            raise NotWrittenError(problem)
        pairs = [(new, old) for old, new in keys.items()]

        def job(connection: sqlite3.Connection) -> None:
            for table, columns in _OF_PACKS:
                connection.executemany(f"DELETE FROM {table} WHERE pack = ?", [(new,) for new, __ in pairs])
                connection.executemany(f"INSERT INTO {table} SELECT ?, {columns} FROM {table} WHERE pack = ?", pairs)
            connection.executemany("UPDATE last_pack SET pack = ? WHERE pack = ?", pairs)

        self._database.write(job)

    def rename_packs(self, keys: Mapping[str, str]) -> str | None:
        """Move what is known of packs from their old keys to the new ones."""
        for table in ("last_pack", *(table for table, __ in _OF_PACKS)):
            for old, new in keys.items():
                self._queue(f"UPDATE OR REPLACE {table} SET pack = ? WHERE pack = ?", (old,), (new, old))
        return self.save_rows()

    # Drawings of the editor that are not saved in a pack yet, and looks by kind of terminal

    def drawing(self, pack: str, level: int) -> str:
        """Return the text of a drawing, empty for none; raises PackError if it cannot be read now."""
        query = "SELECT text FROM drawing WHERE pack = ? AND level = ?"
        return next(iter(self.rows(query, (pack, level), str)), "")

    def drawn_numbers(self, pack: str) -> list[int]:
        """Return the numbers of the levels of a pack with a drawing; raises PackError if they cannot be read now."""
        return self.rows("SELECT level FROM drawing WHERE pack = ? AND text != '' ORDER BY level", (pack,), int)

    def keep_drawing(self, pack: str, level: int, text: str) -> None:
        """Queue the text of a drawing; an empty one deletes it."""
        self.keep(_SAVE_DRAWING, (pack, level), (pack, level, text))

    def looks(self, terminal: str) -> ChosenLooks:
        """Return the looks chosen on a kind of terminal; a damaged row is ignored."""
        query = "SELECT theme, zoom, palette, warns, view FROM looks WHERE terminal = ?"
        return self._find(_SAVE_LOOKS, query, (terminal,), ChosenLooks) or ChosenLooks()

    def keep_looks(self, terminal: str, choice: ChosenLooks) -> None:
        values = (terminal, choice.theme, choice.zoom, choice.palette, int(choice.warns), choice.view)
        self.keep(_SAVE_LOOKS, (terminal,), values)

    # Rows of any table

    def rows(self, query: str, parameters: Sequence[RowValue], make: Callable[..., _Result]) -> list[_Result]:
        """Return ``make(*row)`` for every row of a query but queued ones; raises PackError if none can be read now."""
        try:
            return self._database.read_surely(query, parameters, make)
        except NotReadError as error:
            # The same notice may be there since the file was opened.
            while str(error) in self.notices:
                self.notices.remove(str(error))
            raise PackError(str(error)) from None

    def keep(self, statement: str, key: Sequence[RowValue], values: Sequence[RowValue]) -> None:
        """Queue a row for the next save; of rows with the same statement and key only the last one is written."""
        self.has_kept = True
        self._queue(statement, key, values)

    def save_rows(self) -> str | None:
        """Write everything queued; time played by itself waits for the next push."""
        return self._write() if self._is_waiting else None

    def write(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return the result of a job that writes imported progress, all or nothing; raises NotWrittenError."""
        return self._database.write(job)

    def close(self) -> str | None:
        """Write everything queued, including time played, and close; return a line if something is lost."""
        for play in self._plays.values():
            if play.row and play.waiting is None and play.is_overwritten(self._database):
                play.renew()
        problem = self._write(LOST) if self._is_waiting or self._seconds else None
        self._database.close()
        # Boards that old progress lacks are no loss: they are queued again when their levels are opened.
        is_loss = self._seconds or any(statement != solutions.SAVE_BOARD for statement, *__ in self._rows)
        return problem if is_loss or self._solved or self._has_waiting_play else None

    # Writing

    @property
    def _is_waiting(self) -> bool:
        return bool(self._solved or self._rows) or self._has_waiting_play

    @property
    def _has_waiting_play(self) -> bool:
        return any(play.waiting is not None for play in self._plays.values())

    def _write(self, problem: str = NOT_SAVED_YET) -> str | None:
        try:
            committed = self._database.write(self._write_waiting)
        except NotWrittenError as error:
            for play in self._plays.values():
                play.detach()
            self.has_failed = True
            return labelled(_(problem), str(error))
        self.has_failed = False
        for each in committed:
            each()
        self._solved.clear()
        self._seconds.clear()
        self._rows.clear()
        return None

    def _write_waiting(self, connection: sqlite3.Connection) -> list[Callable[[], None]]:
        now = self._clock()
        committed = [play.write(connection, now) for play in self._plays.values() if play.waiting is not None]
        for solved in self._solved:
            solutions.save_help(connection, solved.row.hash, is_helped=solved.is_helped)
            solutions.keep_better(connection, solved)
            solutions.merge_dates(connection, solved.row.hash, Dates(solved.date, solved.date), None)
        for (statement, *__), values in self._rows.items():
            connection.execute(str(statement), values)
        if self._seconds:
            connection.executemany(solutions.ADD_SECONDS, self._seconds.items())
            day = strftime("%Y-%m-%d", localtime(now))
            connection.execute(solutions.ADD_TO_DAY, (day, sum(self._seconds.values())))
        return committed

    def _renew_plays(self) -> None:
        """Requeue this session's plays for a new file, where other plays may have their ids."""
        self._rows = {row: values for row, values in self._rows.items() if row[0] not in plays.DROP_PLAY}
        for play in self._plays.values():
            play.renew()

    def _queue(self, statement: str, key: Sequence[RowValue], values: Sequence[RowValue]) -> None:
        self._rows.pop((statement, *key), None)  # so that it is written last
        self._rows[statement, *key] = values

    def _find(self, save: str, query: str, key: Sequence[RowValue], make: Callable[..., _Result]) -> _Result | None:
        """Return the columns after the key of a row, as queued by ``save`` or from the database."""
        if (waiting := self._rows.get((save, *key))) is not None:
            return make(*waiting[len(key) :])
        return next(iter(self._database.read(query, key, make)), None)

    def _play_of(self, key: str, level: Level) -> SavedPlay:
        if key not in self._plays:
            self._plays[key] = SavedPlay(key, level)
        return self._plays[key]

    def _waiting_play(self, key: str) -> OpenPlay | None:
        play = self._plays.get(key)
        return play.waiting if play and play.waiting and not play.waiting.is_solved else None

    def _drop_play(self, row: int, revision: int) -> None:
        for statement in plays.DROP_PLAY:
            self._queue(statement, (row,), (row, revision))

    def _add_solution(self, level: Level, solution: Solution, date: float) -> None:
        frame = self._frame(level)
        self._keep_board(frame.hash, level)
        start, lurd = to_canonical(level, solution.lurd, frame)
        row = SolutionRow(frame.hash, *start, lurd)
        is_helped = self._is_helped(self._exact_id(level), solution.lurd)
        self._solved.append(Solved(row, solution, date, is_helped))
        self.has_kept = True

    def _record_leftover(self, level: Level, row: PlayRow) -> None:
        """Record the solution of a play that was solved just before its session was killed."""
        try:
            solution = verify(level.board, level.start, plays.moves_of(self._database, row.id, row.cursor))
        except LurdError as error:
            self.notices.append(labelled(_(PLAY_LEFT_OUT), str(error)))
            return
        self._add_solution(level, solution, row.saved)
        self._drop_play(row.id, row.revision)
        self.save_rows()

    def _keep_board(self, key: str, level: Level) -> None:
        self._queue(solutions.SAVE_BOARD, (key,), StoredBoard.of(key, level))

    def _keep_missing_board(self, key: str, level: Level) -> None:
        """Queue the board of a level whose progress predates stored boards."""
        if not self._database.read("SELECT 1 FROM board WHERE id = ?", (key,), int):
            self._keep_board(key, level)

    # Help given in open plays: the moves up to each hint, and up to where a solution was shown

    def _helps(self, key: str) -> set[str]:
        helps = set(self._database.read("SELECT lurd FROM help WHERE exact_id = ?", (key,), str))
        for (statement, *__), values in self._rows.items():
            if (statement, values[0]) == (_SAVE_HELP, key):
                helps.add(str(values[1]))
            elif (statement, values[0]) == (_DROP_HELP, key):
                helps.clear()
        return helps

    def _is_helped(self, key: str, lurd: str) -> bool:
        """True if the moves pass through a position reached by help, or begin where a solution was shown."""
        return any(map(lurd.startswith, self._helps(key)))

    def _end_help(self, key: str) -> None:
        if self._helps(key):
            self._queue(_DROP_HELP, (key,), (key,))


@contextmanager
def opened_progress(path: str, clock: Callable[[], float], tell: Callable[[str], None]) -> Iterator[ProgressStore]:
    """Open or create progress; ``tell`` gets each problem at the end. Raises LostProgressError if some is lost."""
    store = ProgressStore.open(path, clock)
    lost = None
    try:
        yield store
    finally:
        lost = store.close() or (_(LOST) if store.has_kept and not store.is_on_disk else None)
        for notice in store.notices:
            tell(notice)
    if lost is not None:
        raise LostProgressError(lost)


def known_progress(
    path: str, clock: Callable[[], float], tell: Callable[[str], None]
) -> AbstractContextManager[ProgressStore | None]:
    """Open progress for reading; None if there is no file, and none is created."""
    return opened_progress(path, clock, tell) if os.path.exists(path) else nullcontext()
