"""Export and import of progress as a pack of levels with their solutions and saved games.

Written as SOK, it is a collection that other programs can read. Dates and time played are notes of the level; rows of
tables that do not belong to a level are notes of the collection. A note is ``key: value``.

An open play is exported as its moves so far and, after the mark ``*``, the moves that redo brings back. The grouping of
moves is not exported, so after an import each move is undone separately.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from types import UnionType
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, Pack, Record
from sokoterm.engine.levelhash import canonical, exact_id, from_canonical, level_hash, to_canonical
from sokoterm.engine.lurd import LurdError, Solution, end_of, measure, parse_lurd, play, replay, verify
from sokoterm.formats.grammar import kind
from sokoterm.language import _, ngettext
from sokoterm.store import plays, solutions
from sokoterm.store.database import ROWS_LEFT_OUT, RowValue
from sokoterm.store.known_levels import KnownSolution
from sokoterm.store.packs import PackError, PackFile, bundled_packs, open_pack
from sokoterm.store.plays import OpenPlay
from sokoterm.store.progress import ProgressStore
from sokoterm.store.progress_tables import renumbered
from sokoterm.store.series import SAVE_DAY, SAVE_FLOOR, SAVE_RUN, day_from_text
from sokoterm.store.solutions import Dates, SolutionRow, Solved, StoredBoard, is_date

# Returns packs that have levels with these level hashes.
PacksWith = Callable[[Sequence[str]], Iterable[PackFile]]

# Prefix of the title of a known solution, as opposed to one of the player's own.
_KNOWN = "Solution/Known"
# Tables that do not belong to a level. Existing rows are kept, except in the tables of ``_SAVE``.
_TABLES = (
    *("day_played", "help", "proven", "place", "plain_pack", "last_pack", "drawing", "looks", "day", "run", "floor"),
    *("letslogic_best", "letslogic_collection", "letslogic_sent", "puzzle"),
)
# Tables whose second column is the number of a level in a pack, and the note of exports that have today's numbers.
_NUMBERED = ("place", "drawing")
_ORDER = ("order", "by difficulty")
# Only the time played: dates mean nothing without a solution, and are exported with its level.
_READ = {"puzzle": "SELECT hash, NULL, NULL, seconds FROM puzzle WHERE seconds > 0"}
_SAVE = {
    "day_played": """INSERT INTO day_played VALUES (?, ?)
        ON CONFLICT (day) DO UPDATE SET seconds = max(seconds, excluded.seconds)""",
    "puzzle": """INSERT INTO puzzle (hash, seconds) SELECT ?1, ?4 WHERE ?4 > 0
        ON CONFLICT (hash) DO UPDATE SET seconds = max(seconds, excluded.seconds)""",
    "day": SAVE_DAY,
    "run": SAVE_RUN,
    "floor": SAVE_FLOOR,
}
_SOLUTIONS = "SELECT hash, start_row, start_column, lurd FROM solution ORDER BY hash, start_row, start_column, id"
_FOUND = "SELECT hash, start_row, start_column, lurd, credit FROM found ORDER BY hash, id"
_TYPES: Mapping[str, type] = {"INTEGER": int, "REAL": float}
# Above any number in use; what the program adds to one must still fit a column.
_TOO_LARGE = 1 << 40
# Keys of the notes of a level, and their form.
_FIRST_SOLVED = "first solved"
_LAST_SOLVED = "last solved"
_TIME_PLAYED = "time played"
_SOLVED = "solved"
_HELPED = "only with help"
# A saved game needs a move, so bookmarks of the start go into a note.
_AT_THE_START = "start bookmarks"
_DATE = "%Y-%m-%d %H:%M:%S UTC"
_TIME = re.compile(r"([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])")
# Keys of the notes in which earlier versions kept a daily level or a floor.
_MADE = re.compile(r"daily ([0-9-]{10})|descent ([0-9]+) of ([0-9.]+), floor ([0-9]+)")
_FIGURES = ["recipe", "entered", "played", "ended", "seconds", "undos", "hints", "seen", "solved", "pushes", "moves"]
# The title of the collection marks a file of progress.
TITLE = "sokoterm progress"
_COMMENT = "Solutions and open plays of one person, to be imported by `sokoterm progress import`."


class Exported(NamedTuple):
    """An exported pack, the counts of its content, and a line for everything left out."""

    pack: Pack
    solutions: int
    plays: int
    bookmarks: int
    problems: tuple[str, ...]


class Imported(NamedTuple):
    """Counts of a pack's content (equal solutions once) and of what was new in it, and a line for each failure."""

    levels: int
    solutions: int
    better: int
    plays: int
    bookmarks: int
    problems: tuple[str, ...]


class _Share(NamedTuple):
    level: Level
    solutions: Sequence[Solution]
    dates: Dates
    play: tuple[str, str] | None
    bookmarks: Mapping[str, str]
    known: Sequence[KnownSolution] = ()


class _Draft(NamedTuple):
    """A level to export: its solutions and saved games, and the names of bookmarks at its start."""

    level: Level
    hash: str
    solutions: list[Record]
    saved_games: list[Record]
    at_the_start: list[str]


class _Export:
    """Levels collected from the store, by Exact-Id."""

    def __init__(self, store: ProgressStore, packs_with: PacksWith) -> None:
        query = "SELECT exact_id FROM play UNION SELECT exact_id FROM bookmark ORDER BY 1"
        self._plays = store.rows(query, (), str)
        self._known = _known_levels(store, self._plays, packs_with)
        self.drafts: dict[str, _Draft] = {}
        self.problems: list[str] = []
        self.plays = self.bookmarks = 0

    def add_plays(self, store: ProgressStore, show: Callable[[int], None]) -> None:
        unknown = []
        for key in self._plays:
            level = self._known.get(key)
            if level is None:
                unknown.append(key)
            elif (opened := store.load_play(level)) is not None:
                self._add_play(key, level, opened)
            show(len(self.drafts))
        if unknown:
            self.problems.append(
                ngettext(
                    "{n} level with an unfinished game ({ids}) left out: board unknown;"
                    " open the level in sokoterm once, then export again",
                    "{n} levels with unfinished games ({ids}) left out: board unknown;"
                    " open the level in sokoterm once, then export again",
                    len(unknown),
                    ids=_some(unknown),
                )
            )

    def add_solutions(
        self,
        rows: Iterable[SolutionRow],
        show: Callable[[int], None],
        records_of: Callable[[Sequence[KnownSolution]], Iterable[Record]],
    ) -> list[str]:
        """Add solutions, sorted by level and start; return the ids of levels whose boards are unknown."""
        unknown = []
        for level_id, some in groupby(rows, key=lambda row: row.hash):
            level = self._known.get(level_id)
            if level is None:
                unknown.append(level_id)
                continue
            for __, of_start in groupby(some, key=lambda row: row[:3]):
                placed = [each for row in of_start if (each := self._placed(level, row)) is not None]
                for draft, __ in placed[:1]:
                    draft.solutions.extend(records_of([known for __, known in placed]))
            show(len(self.drafts))
        return unknown

    def levels(self, dates: Mapping[str, Dates]) -> tuple[Level, ...]:
        """Return the levels in the order they were solved, then those with only an open play."""
        dated = []
        for key, draft in self.drafts.items():
            of_level = dates.get(draft.hash, Dates())
            notes = notes_of(of_level, draft.at_the_start)
            records = (*draft.solutions, *draft.saved_games)
            first = float("inf") if of_level.first_solved is None else of_level.first_solved // 1
            dated.append((first, draft.hash, key, draft.level.replace(metadata=notes, records=records)))
        dated.sort(key=lambda each: each[:3])
        return tuple(level.replace(number=number) for number, (*_, level) in enumerate(dated, start=1))

    def _draft(self, key: str, level: Level) -> _Draft:
        if key not in self.drafts:
            self.drafts[key] = _Draft(level, level_hash(level), [], [], [])
        return self.drafts[key]

    def _add_play(self, key: str, level: Level, opened: OpenPlay) -> None:
        done = opened.lurd
        undone = _undone(opened, done)
        if not (done or undone or opened.bookmarks):
            return
        draft = self._draft(key, level)
        if done or undone:
            draft.saved_games.append(Record("Savegame", f"{done}*{undone}" if undone else done))
            self.plays += 1
        for name, lurd in sorted(opened.bookmarks.items()):
            if lurd:
                draft.saved_games.append(Record(f"Savegame {name}", lurd))
            else:
                draft.at_the_start.append(name)
            self.bookmarks += 1

    def _placed(self, level: Level, row: SolutionRow) -> tuple[_Draft, KnownSolution] | None:
        """Return a solution with the draft of the level as it starts there; None, and a problem, if it is damaged."""
        fitted = from_canonical(level, (row.row, row.column), row.lurd)
        if fitted is None:
            title = level.title or _("a level without a title")
            named = f"{title} ({level_hash(level)})"
            self.problems.append(_("{level}: a solution is damaged: left out", level=named))
            return None
        walk = len(fitted) - len(row.lurd)
        there = end_of(level.board, level.start, fitted[:walk])
        moved = level.replace(start=there, rows=tuple(level.picture(there)))
        key = exact_id(moved)
        as_played = self._known.get(key, moved)
        draft = self._draft(key, as_played if as_played.title else as_played.replace(title=level.title))
        return draft, KnownSolution(measure(fitted[walk:]), row.credit)


def _some(ids: Sequence[str]) -> str:
    return ", ".join([*ids[:3], *(["..."] if len(ids) > 3 else [])])


def export(
    store: ProgressStore, show: Callable[[int], None] = lambda _: None, packs_with: PacksWith = lambda _: ()
) -> Exported:
    """Export everything in the store that concerns puzzles; ``show`` is called with the number of levels done.

    Boards that early versions did not store are looked up in the bundled packs and in those that ``packs_with`` returns
    for the missing level hashes.
    """
    found = _Export(store, packs_with)
    # Before the solutions: a play that was solved when its session was killed becomes one.
    found.add_plays(store, show)
    if unknown := found.add_solutions(store.rows(_SOLUTIONS, (), SolutionRow), show, _best_records):
        found.problems.append(
            ngettext(
                "{n} solved level ({ids}) left out: board unknown; open the level in sokoterm once, then export again",
                "{n} solved levels ({ids}) left out: board unknown; open the level in sokoterm once, then export again",
                len(unknown),
                ids=_some(unknown),
            )
        )
    known = store.rows(_FOUND, (), SolutionRow)
    if unknown := found.add_solutions(
        known, show, lambda some: [_record(_KNOWN, each.solution, each.credit) for each in some]
    ):
        found.problems.append(
            ngettext(
                "{n} level with known solutions ({ids}) left out: board unknown;"
                " add its pack to your library, then export again",
                "{n} levels with known solutions ({ids}) left out: board unknown;"
                " add their packs to your library, then export again",
                len(unknown),
                ids=_some(unknown),
            )
        )
    levels = found.levels(store.all_dates())
    count = sum(len(draft.solutions) for draft in found.drafts.values())
    rows = [(table, json.dumps(row)) for table in _TABLES for row in _rows_of(store, table)]
    pack = empty_export().pack._replace(levels=levels, metadata=(_ORDER, *rows))
    return Exported(pack, count, found.plays, found.bookmarks, tuple(found.problems))


def empty_export() -> Exported:
    return Exported(Pack(TITLE, (), comment=_COMMENT), 0, 0, 0, ())


def is_progress(pack: Pack) -> bool:
    """True if a pack was made by ``export``."""
    return pack.title == TITLE


def merge(
    store: ProgressStore, pack: Pack, source: str, now: float, show: Callable[[int], None] = lambda _: None
) -> Imported:
    """Import the solutions of a pack, and its plays if it was made by ``export``; all or nothing (NotWrittenError).

    Everything is replayed by the rules. The better solution, the earliest and latest date and the longer time are kept;
    undated solutions get the date ``now`` unless the level was solved before. ``source`` names the pack in the
    problems; ``show`` is called with the number of levels done.
    """
    problems = [str(error) for error in pack.errors]
    shares = []
    for number, level in enumerate(pack.levels, start=1):
        share = _share(level, source, problems, is_own=is_progress(pack))
        if share.solutions or share.known or share.play or share.bookmarks or share.dates != Dates():
            shares.append(share)
        show(number)
    saved_games = sum(_is_saved_game(record) for level in pack.levels for record in level.records)
    if saved_games and not is_progress(pack):
        told = ngettext(
            "{source}: saved games left out ({n}): they come from another program",
            "{source}: saved games left out ({n}): they come from another program",
            saved_games,
            source=source,
        )
        problems.append(told)
    rows = [*_rows_in(pack, store)] if is_progress(pack) else []
    if None in rows:
        problems.append(f"{source}: {_(ROWS_LEFT_OUT)}")

    def job(connection: sqlite3.Connection) -> list[tuple[int, int, int, int]]:
        for statement, row in filter(None, rows):
            connection.execute(statement, row)
        return [_write(connection, share, now) for share in shares]

    new = store.write(job)
    problems += [
        _(
            "{source}, level {number}: saved game left out: no free digit for its bookmark",
            source=source,
            number=share.level.number,
        )
        for share, counts in zip(shares, new)
        for __ in range(counts[3])
    ]
    better, new_plays, new_bookmarks = (sum(counts[number] for counts in new) for number in range(3))
    count = sum(len(share.solutions) + len(share.known) for share in shares)
    return Imported(len(shares), count, better, new_plays, new_bookmarks, tuple(problems))


def _write(connection: sqlite3.Connection, share: _Share, now: float) -> tuple[int, int, int, int]:
    """Return the numbers of new or better solutions, new plays, new bookmarks, and bookmarks left out."""
    level, frame, key = share.level, canonical(share.level), exact_id(share.level)
    better = 0
    if share.solutions:
        solutions.save_help(connection, frame.hash, is_helped=share.dates.is_helped)
        connection.execute(solutions.SAVE_BOARD, StoredBoard.of(frame.hash, level))
    for solution in share.solutions:
        start, lurd = to_canonical(level, solution.lurd, frame)
        row = SolutionRow(frame.hash, *start, lurd)
        better += solutions.keep_better(connection, Solved(row, solution, now))
    solutions.merge_dates(connection, frame.hash, share.dates, now if share.solutions else None)
    for each in share.known:
        better += solutions.save_found(connection, level, each.solution, each.credit)
    connection.execute(solutions.SAVE_BOARD, StoredBoard.of(key, level))
    return better, *plays.merge_play(connection, key, share.play, share.bookmarks, now)


# Rows of tables that do not belong to a level


def _columns_of(store: ProgressStore, table: str) -> dict[str, type | UnionType]:
    query = "SELECT name, type, [notnull] OR pk FROM pragma_table_info(?)"
    rows = store.rows(query, (table,), tuple[str, str, int])
    return {
        name: _TYPES.get(kind, str) if is_needed else _TYPES.get(kind, str) | None for name, kind, is_needed in rows
    }


def _rows_of(store: ProgressStore, table: str) -> list[tuple[RowValue, ...]]:
    def row(*values: RowValue) -> tuple[RowValue, ...]:
        return values

    row.__annotations__ = _columns_of(store, table)
    return store.rows(f"{_READ.get(table, f'SELECT * FROM {table}')} ORDER BY 1, 2", (), row)


def _rows_in(pack: Pack, store: ProgressStore) -> Iterator[tuple[str, list[RowValue]] | None]:
    """Yield the statement and values for each row of ``_TABLES`` in a progress file; None for a damaged row."""
    columns = {table: _columns_of(store, table) for table in _TABLES}
    notes = (*pack.metadata, *(line.split(": ", 1) for line in pack.comment.split("\n") if ": " in line))
    rows = [(table, _loaded(text)) for table, text in notes if table in columns]
    has_new_numbers = _ORDER in map(tuple, notes)
    for table, row in (*rows, *(row for level in pack.levels for row in _made_rows(level))):
        if isinstance(row, list) and _is_whole(row, columns[table]):
            if table in _NUMBERED and not has_new_numbers:
                row[1] = renumbered(*row[:2])
            places = ", ".join("?" * len(row))
            yield _SAVE.get(table, f"INSERT OR IGNORE INTO {table} VALUES ({places})"), row
        else:
            yield None


def _made_rows(level: Level) -> Iterator[tuple[str, object]]:
    """Yield the rows of daily levels and floors, which earlier versions kept in notes of their levels."""
    for key, value in _notes_in(level):
        if match := _MADE.fullmatch(key):
            words = dict(re.findall("(?<![a-z])([a-z]++) ([^,]+)", value))
            recipe, entered, played, ended, *effort = (_loaded(words.get(name, "null")) for name in _FIGURES)
            made = [recipe, "\n".join(level.rows), words.get("par")]
            *run, number = map(_loaded, match.groups("null")[1:])
            if match[1]:
                yield "day", [match[1], *made, *effort]
            else:
                yield "run", [*run, played, ended]
                yield "floor", [*run, number, *made, entered, *effort]


def _loaded(text: str) -> object:
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def _is_whole(row: Sequence[object], columns: Mapping[str, type | UnionType]) -> bool:
    """True for a row that a table can hold; a generated level must have a solution, a daily one a valid date."""
    named = dict(zip(columns, row))
    try:
        if len(row) != len(columns) or not all(map(_is_value, row, columns.values())):
            return False
        if "xsb" in named:
            level = Level.from_xsb(str(named["xsb"]))
            is_solved = verify(level.board, level.start, str(named["lurd"])).lurd == named["lurd"]
            return is_solved and ("date" not in named or day_from_text(str(named["date"])) is not None)
    except ValueError:
        return False
    return True


def _is_value(value: object, kind: type | UnionType) -> bool:
    """True for a value that a column of this type can hold; raises UnicodeEncodeError for a lone surrogate."""
    if isinstance(value, str):
        value.encode()
    if kind in (float, float | None):
        return is_date(value) or value is None and kind is not float
    return isinstance(value, kind) and (not isinstance(value, int) or abs(value) < _TOO_LARGE)


def _known_levels(store: ProgressStore, plays: Iterable[str], packs_with: PacksWith) -> dict[str, Level]:
    known: dict[str, Level] = {}
    for board in store.rows("SELECT id, xsb, title FROM board", (), StoredBoard):
        with suppress(LevelError):  # a damaged row counts as missing
            level = board.level()
            ids = (level_hash(level), exact_id(level))
            if board.id in ids:
                for key in ids:
                    known.setdefault(key, level)
                known[board.id] = level
    solved = store.rows("SELECT hash FROM solution UNION SELECT hash FROM found ORDER BY 1", (), str)
    wanted = [key for key in solved if key not in known]
    if wanted or not known.keys() >= set(plays):
        for file in (*bundled_packs(), *packs_with(wanted)):
            with suppress(PackError):
                for each in open_pack(file).levels:
                    level = StoredBoard.of("", each).level()  # as the store would keep it
                    known.setdefault(level_hash(level), level)
                    known.setdefault(exact_id(level), level)
    return known


def _undone(opened: OpenPlay, done: str) -> str:
    """Return the moves that redo would append, up to the first edit that does more than append."""
    lurd = done
    for edit in opened.edits[opened.cursor :]:
        if edit.at != len(lurd):
            break
        lurd += edit.added
    return lurd[len(done) :]


def _best_records(solved: Sequence[KnownSolution]) -> list[Record]:
    """Return a record of the best solution by moves and, if different, of the best by pushes."""
    found = [each.solution for each in solved]
    by_moves = min(found, key=lambda each: (each.moves, each.pushes))
    by_pushes = min(found, key=lambda each: (each.pushes, each.moves))
    if by_moves == by_pushes:
        return [_record("Solution", by_moves)]
    return [_record("Solution/Moves", by_moves), _record("Solution/Pushes", by_pushes)]


def _record(title: str, solution: Solution, credit: str = "") -> Record:
    return Record(f"{title} {solution.moves}/{solution.pushes}", solution.lurd, credit)


def _share(level: Level, source: str, problems: list[str], *, is_own: bool) -> _Share:
    """Return the content of a level, replayed by the rules; failures are added to ``problems``."""

    def complain(record: Record, problem: str) -> None:
        problems.append(
            _(
                "{source}, level {number}: {record}: {problem}",
                source=source,
                number=level.number,
                record=record.title or _("moves"),
                problem=problem,
            )
        )

    found: list[Solution] = []
    known: list[KnownSolution] = []
    open_plays: list[tuple[str, str]] = []
    bookmarks: dict[str, str] = {}
    for record in level.records:
        if is_own and _is_saved_game(record):
            try:
                done, undone = _moves_of(level, record)
            except LurdError as error:
                complain(record, str(error))
                continue
            if name := record.title.partition(" ")[2].strip():
                bookmarks[name] = done
            else:
                open_plays.append((done, undone))
            continue
        replayed = replay(level, record)
        if replayed.solution:
            if is_own and record.title.startswith(_KNOWN):
                known.append(KnownSolution(replayed.solution, record.notes))
            elif replayed.solution not in found:
                found.append(replayed.solution)
        elif not _is_saved_game(record):
            complain(record, replayed.problem)
    bookmarks |= {f"play {number}": done for number, (done, _) in enumerate(open_plays[1:], start=2)}
    if not is_own:
        return _Share(level, found, Dates(), None, {})
    notes = dict(reversed(_notes_in(level)))
    bookmarks |= dict.fromkeys(notes.get(_AT_THE_START, "").split(), "")
    dates = Dates(seconds=_seconds_of_clock(notes.get(_TIME_PLAYED, "")))
    if found:  # dates mean nothing without a solution
        first, last = (_seconds_of_date_text(notes.get(key, "")) for key in (_FIRST_SOLVED, _LAST_SOLVED))
        dates = Dates(first, last, dates.seconds, notes.get(_SOLVED) == _HELPED)
    return _Share(level, found, dates, open_plays[0] if open_plays else None, bookmarks, known)


def _is_saved_game(record: Record) -> bool:
    return kind(record) == "saved games"


def _moves_of(level: Level, record: Record) -> tuple[str, str]:
    """Return the moves of a saved game before and after its mark, with only pushes in capitals; raises LurdError."""
    before, __, behind = record.moves.partition("*")
    steps = parse_lurd(before)
    done = len(steps)
    letters = "".join(letter for __, letter in play(level.board, level.start, [*steps, *parse_lurd(behind)]))
    return letters[:done], letters[done:]


def notes_of(dates: Dates, at_the_start: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the notes of a level that have a value.

    >>> notes_of(Dates(0.0, None, 61.5))
    (('first solved', '1970-01-01 00:00:00 UTC'), ('time played', '0:01:01'))
    """
    notes = [
        (_FIRST_SOLVED, _date_text(dates.first_solved)),
        (_LAST_SOLVED, _date_text(dates.last_solved)),
        (_SOLVED, _HELPED if dates.is_helped else ""),
        (_TIME_PLAYED, _clock(dates.seconds)),
        (_AT_THE_START, " ".join(at_the_start)),
    ]
    return tuple((key, value) for key, value in notes if value)


def _notes_in(level: Level) -> list[tuple[str, str]]:
    """Return the notes of a level, from its metadata and the lines of its comment."""
    lines = (line.partition(":") for line in level.comment.splitlines() if ":" in line)
    return [*level.metadata, *((key.strip().lower(), value.strip()) for key, __, value in lines)]


def _date_text(seconds: float | None) -> str:
    """Return a date to the second; empty for None and for a date outside the calendar."""
    if seconds is not None:
        with suppress(OverflowError, ValueError, OSError):
            return f"{datetime.fromtimestamp(seconds // 1, UTC):{_DATE}}"
    return ""


def _seconds_of_date_text(text: str) -> float | None:
    with suppress(ValueError):
        seconds = datetime.strptime(text, _DATE).replace(tzinfo=UTC).timestamp()
        return seconds if is_date(seconds) else None
    return None


def _clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds; empty under a second."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" if whole else ""


def _seconds_of_clock(text: str) -> float:
    match = _TIME.fullmatch(text)
    return float(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])) if match else 0.0
