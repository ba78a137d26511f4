"""Export and import of progress as a pack of levels with their solutions and saved games.

Written as SOK it is a collection that other programs can read. Dates, time played, and the efforts on daily levels and
floors of descents are notes of the level, ``key: value``; rows of other tables are notes of the collection.

An open play is exported as its moves so far and, behind the mark ``*``, those that redo brings back one after the
other. How moves were grouped is not exported, so after an import each is undone by itself.
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
from sokoterm.engine.lurd import LurdError, Solution, end_of, measure, parse_lurd, play, verify
from sokoterm.engine.record import replay
from sokoterm.formats.grammar import kind
from sokoterm.language import _, ngettext
from sokoterm.store import plays, solutions
from sokoterm.store.database import ROWS_LEFT_OUT, RowValue
from sokoterm.store.known_levels import KnownSolution
from sokoterm.store.packs import PackError, PackFile, bundled_packs, open_pack
from sokoterm.store.plays import OpenPlay, lurd_of
from sokoterm.store.progress import Contents, ProgressStore
from sokoterm.store.series import (
    Day,
    Effort,
    Floor,
    MadeLevel,
    Run,
    all_days,
    all_floors,
    all_runs,
    day_from_text,
    keep_day,
    keep_floor,
    keep_run,
)
from sokoterm.store.solutions import Dates, SolutionRow, Solved, StoredBoard, is_date

# Returns packs that have levels with these level hashes.
PacksWith = Callable[[Sequence[str]], Iterable[PackFile]]

# The begin of the title of a known solution, which is not one of the person's own.
_KNOWN = "Solution/Known"
# Tables that are no part of a level, with the types of their columns. What is here stays.
_TABLES: Mapping[str, Mapping[str, type | UnionType]] = {
    "day_played": {"day": str, "seconds": float},
    "help": {"exact_id": str, "lurd": str},
    "proven": {"hash": str, "start_row": int, "start_column": int, "metric": str, "count": int},
    "place": {"pack": str, "level": int},
    "plain_pack": {"pack": str, "is_plain": int},
    "last_pack": {"row": int, "pack": str},
    "drawing": {"pack": str, "level": int, "text": str},
    "looks": {
        "terminal": str,
        "theme": str | None,
        "zoom": int | None,
        "palette": str | None,
        "warns": int,
        "view": int,
    },
    "letslogic_collection": {"server": str, "id": int, "title": str},
    "letslogic_sent": {"person": str, "level": int, "moves": int, "pushes": int, "is_accepted": int, "date": float},
}
_LONGER_DAY = " ON CONFLICT (day) DO UPDATE SET seconds = max(seconds, excluded.seconds)"
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
_DAILY = re.compile(r"daily ([0-9-]{10})")
_FLOOR = re.compile(r"descent ([0-9]{1,9}) of ([0-9.]{1,20}), floor ([0-9]{1,6})")
_FIGURES = ("seconds", "undos", "hints", "seen", "solved", "pushes", "moves")
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
    """Counts of a pack's content and of what was new in it, and a line for everything that could not be imported.

    Equal solutions of a level count once.
    """

    levels: int
    solutions: int
    better: int
    plays: int
    bookmarks: int
    problems: tuple[str, ...]


class _Share(NamedTuple):
    """The content of one level to import."""

    level: Level
    solutions: Sequence[Solution]
    dates: Dates
    play: tuple[str, str] | None
    bookmarks: Mapping[str, str]
    known: Sequence[KnownSolution] = ()


class _ExchangeDraft(NamedTuple):
    """A level to export: its solutions and saved games, and the names of the bookmarks of its start."""

    level: Level
    hash: str
    solutions: list[Record]
    saved_games: list[Record]
    at_the_start: list[str]


class _Export:
    """Levels collected from the store, by Exact-Id."""

    def __init__(self, contents: Contents, packs_with: PacksWith) -> None:
        self._contents = contents
        self._known = _known_levels(contents, packs_with)
        self.drafts: dict[str, _ExchangeDraft] = {}
        self.problems: list[str] = []
        self.plays = self.bookmarks = 0

    def add_plays(self, store: ProgressStore, show: Callable[[int], None]) -> None:
        unknown = []
        for key in self._contents.plays:
            level = self._known.get(key)
            if level is None:
                unknown.append(key)
            elif (opened := store.load_play(level)) is not None:
                self._add_play(key, level, opened)
            show(len(self.drafts))
        if unknown:
            self.problems.append(
                ngettext(
                    "{n} level with an open play ({ids}) left out: board unknown;"
                    " open the level in sokoterm once, then export again",
                    "{n} levels with open plays ({ids}) left out: board unknown;"
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
        """Add solutions, which come by level and start; return the ids of the levels whose boards are unknown."""
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

    def add_times(self, dates: Mapping[str, Dates]) -> None:
        """Add the levels with nothing left but the time they were played."""
        drafted = {draft.hash for draft in self.drafts.values()}
        for key, level in sorted(self._known.items()):
            level_id = level_hash(level)
            time = Dates(seconds=dates.get(level_id, Dates()).seconds)
            if level_id not in drafted and key == exact_id(level) and notes_of(time):
                self._draft(key, level)
                drafted.add(level_id)

    def levels(self, dates: Mapping[str, Dates], made: Mapping[str, Sequence[tuple[str, str]]]) -> tuple[Level, ...]:
        """Return the levels in the order they were solved, then those with only an open play."""
        dated = []
        for key, draft in self.drafts.items():
            of_level = dates.get(draft.hash, Dates())
            notes = (*notes_of(of_level, draft.at_the_start), *made.get(key, ()))
            records = (*draft.solutions, *draft.saved_games)
            first = float("inf") if of_level.first_solved is None else of_level.first_solved // 1
            dated.append((first, draft.hash, key, draft.level._replace(metadata=notes, records=records)))
        dated.sort(key=lambda each: each[:3])
        return tuple(level._replace(number=number) for number, (*_, level) in enumerate(dated, start=1))

    def _draft(self, key: str, level: Level) -> _ExchangeDraft:
        if key not in self.drafts:
            self.drafts[key] = _ExchangeDraft(level, level_hash(level), [], [], [])
        return self.drafts[key]

    def _add_play(self, key: str, level: Level, opened: OpenPlay) -> None:
        done = lurd_of(opened.edits[: opened.cursor])
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

    def _placed(self, level: Level, row: SolutionRow) -> tuple[_ExchangeDraft, KnownSolution] | None:
        """Return a solution, and the level that begins at its start, maybe elsewhere in the player's area.

        None if it is damaged, which is told.
        """
        fitted = from_canonical(level, (row.row, row.column), row.lurd)
        if fitted is None:
            self.problems.append(_("{level}: a solution is damaged: left out", level=_named(level)))
            return None
        walk = len(fitted) - len(row.lurd)
        there = end_of(level.board, level.start, fitted[:walk])
        moved = level._replace(start=there, rows=tuple(level.picture(there)))
        key = exact_id(moved)
        as_played = self._known.get(key, moved)
        draft = self._draft(key, as_played if as_played.title else as_played._replace(title=level.title))
        return draft, KnownSolution(measure(fitted[walk:]), row.credit)


def _some(ids: Sequence[str]) -> str:
    """Return the first ids for a message."""
    return ", ".join([*ids[:3], *(["..."] if len(ids) > 3 else [])])


def export(
    store: ProgressStore, show: Callable[[int], None] = lambda _: None, packs_with: PacksWith = lambda _: ()
) -> Exported:
    """Export everything in the store that concerns puzzles; ``show`` is called with the number of levels done.

    Levels from before boards were stored are looked up in the bundled packs and in those that ``packs_with`` returns
    for the missing level hashes.
    """
    found = _Export(store.contents(), packs_with)
    found.add_plays(store, show)
    # By now a play that was solved when its session was killed has become a solution.
    contents = store.contents()
    if unknown := found.add_solutions(contents.solutions, show, _best_records):
        found.problems.append(
            ngettext(
                "{n} solved level ({ids}) left out: board unknown; open the level in sokoterm once, then export again",
                "{n} solved levels ({ids}) left out: board unknown; open the level in sokoterm once, then export again",
                len(unknown),
                ids=_some(unknown),
            )
        )
    if unknown := found.add_solutions(contents.found, show, _known_records):
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
    found.add_times(contents.dates)
    levels = found.levels(contents.dates, _made_notes(store))
    count = sum(len(draft.solutions) for draft in found.drafts.values())
    rows = [(table, json.dumps(row)) for table, columns in _TABLES.items() for row in store.table(table, columns)]
    pack = empty_export().pack._replace(levels=levels, metadata=tuple(rows))
    return Exported(pack, count, found.plays, found.bookmarks, tuple(found.problems))


def empty_export() -> Exported:
    """Return the export of an empty store."""
    return Exported(Pack(TITLE, (), comment=_COMMENT), 0, 0, 0, ())


def is_progress(pack: Pack) -> bool:
    """True if a pack was made by ``export``."""
    return pack.title == TITLE


def merge(
    store: ProgressStore, pack: Pack, source: str, now: float, show: Callable[[int], None] = lambda _: None
) -> Imported:
    """Import the solutions of a pack, and its plays if it was made by ``export``; raises NotWrittenError.

    ``source`` names the pack in the problems; ``show`` is called with the number of levels done.

    Only what the rules confirm counts. The better solution, the earliest and latest date and the longer time are kept;
    undated solutions get the date ``now`` unless the level was solved before. All is written or nothing.
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
    rows = [*_rows_in(pack)] if is_progress(pack) else []
    if any(row is None for row in rows):
        problems.append(f"{source}: {_(ROWS_LEFT_OUT)}")

    def job(connection: sqlite3.Connection) -> tuple[int, int, int, list[Level]]:
        for statement, row in filter(None, rows):
            connection.execute(statement, row)
        return _write(connection, shares, now)

    better, new_plays, new_bookmarks, left = store.write(job)
    if is_progress(pack):
        for level in pack.levels:
            _keep_made_notes(store, level)
        problems += filter(None, [store.save_rows()])
    problems += [
        _(
            "{source}, level {number}: saved game left out: no free digit for its bookmark",
            source=source,
            number=level.number,
        )
        for level in left
    ]
    count = sum(len(share.solutions) + len(share.known) for share in shares)
    return Imported(len(shares), count, better, new_plays, new_bookmarks, tuple(problems))


def _write(connection: sqlite3.Connection, shares: Sequence[_Share], now: float) -> tuple[int, int, int, list[Level]]:
    """Return the numbers of new or better solutions, new plays, new bookmarks, and the levels out of digits."""
    better = new_plays = new_bookmarks = 0
    left: list[Level] = []
    for share in shares:
        better += _merge_level(connection, share, now)
        better += sum(
            [solutions.save_found(connection, share.level, each.solution, each.credit) for each in share.known]
        )
        key = exact_id(share.level)
        connection.execute(solutions.SAVE_BOARD, StoredBoard.of(key, share.level))
        merged = plays.merge_play(connection, key, share.play, share.bookmarks, now)
        new_plays += merged.is_new
        new_bookmarks += merged.bookmarks
        left += [share.level] * merged.left
    return better, new_plays, new_bookmarks, left


def _rows_in(pack: Pack) -> Iterator[tuple[str, list[RowValue]] | None]:
    """Yield the statements for the rows of other tables in a file of progress; None for a damaged row."""
    for table, text in (*pack.metadata, *(line.split(": ", 1) for line in pack.comment.split("\n") if ": " in line)):
        if table not in _TABLES:
            continue
        kinds = _TABLES[table]
        try:
            row = json.loads(text)
            is_whole = isinstance(row, list) and len(row) == len(kinds) and all(map(_is_value, row, kinds.values()))
        except (ValueError, RecursionError):
            is_whole = False
        places = ", ".join("?" * len(kinds))
        statement = f"INSERT OR IGNORE INTO {table} ({', '.join(kinds)}) VALUES ({places})"
        yield (statement + (_LONGER_DAY if table == "day_played" else ""), row) if is_whole else None


def _is_value(value: object, kind: type | UnionType) -> bool:
    """True for a value that a column of this type can hold; raises UnicodeEncodeError for half a character."""
    if isinstance(value, str):
        value.encode()
    if kind is float:
        return is_date(value)
    return isinstance(value, kind) and (not isinstance(value, int) or abs(value) < 1 << 63)


def _merge_level(connection: sqlite3.Connection, share: _Share, now: float) -> int:
    """Write the solutions and dates of a level; return how many solutions were new or better."""
    frame = canonical(share.level)
    better = 0
    if share.solutions:
        solutions.save_help(connection, frame.hash, is_helped=share.dates.is_helped)
        connection.execute(solutions.SAVE_BOARD, StoredBoard.of(frame.hash, share.level))
    for solution in share.solutions:
        start, lurd = to_canonical(share.level, solution.lurd, frame)
        row = SolutionRow(frame.hash, *start, lurd)
        better += solutions.keep_better(connection, Solved(row, solution.moves, solution.pushes, now))
    solutions.merge_dates(connection, frame.hash, share.dates, now if share.solutions else None)
    return better


def _known_levels(contents: Contents, packs_with: PacksWith) -> dict[str, Level]:
    """Return the levels whose boards are known, by level hash and by Exact-Id."""
    known: dict[str, Level] = {}
    others: dict[str, Level] = {}
    for key, board in contents.boards.items():
        with suppress(LevelError):  # a damaged row counts as missing
            level = board.level()
            ids = (level_hash(level), exact_id(level))
            if key in ids:
                known[key] = level
                others |= dict.fromkeys(ids, level)
    known = others | known
    solved = (row.hash for rows in (contents.solutions, contents.found) for row in rows)
    wanted = [key for key in dict.fromkeys(solved) if key not in known]
    if wanted or not known.keys() >= set(contents.plays):
        for level in _levels_in([*bundled_packs(), *packs_with(wanted)]):
            known.setdefault(level_hash(level), level)
            known.setdefault(exact_id(level), level)
    return known


def _levels_in(files: Iterable[PackFile]) -> Iterator[Level]:
    for file in files:
        with suppress(PackError):
            for level in open_pack(file).levels:
                yield StoredBoard.of("", level).level()  # as the store would keep it


def _undone(opened: OpenPlay, done: str) -> str:
    """Return the moves that redo appends to those so far, up to the first edit that does not append."""
    lurd = done
    for edit in opened.edits[opened.cursor :]:
        if edit.at != len(lurd):
            break
        lurd += edit.added
    return lurd[len(done) :]


def _best_records(solved: Sequence[KnownSolution]) -> list[Record]:
    """Return a record of the best solution by moves, and one of that by pushes if it is another."""
    found = [each.solution for each in solved]
    by_moves = min(found, key=lambda each: (each.moves, each.pushes))
    by_pushes = min(found, key=lambda each: (each.pushes, each.moves))
    titles = (
        [("Solution", by_moves)]
        if by_moves == by_pushes
        else [("Solution/Moves", by_moves), ("Solution/Pushes", by_pushes)]
    )
    return [Record(f"{title} {each.moves}/{each.pushes}", each.lurd) for title, each in titles]


def _known_records(known: Sequence[KnownSolution]) -> list[Record]:
    return [
        Record(f"{_KNOWN} {each.solution.moves}/{each.solution.pushes}", each.solution.lurd, each.credit)
        for each in known
    ]


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
    notes = _read_notes(level)
    bookmarks |= dict.fromkeys(notes.at_the_start, "")
    # Dates mean nothing without a solution.
    dates = notes.dates if found else Dates(seconds=notes.dates.seconds)
    return _Share(level, found, dates, open_plays[0] if open_plays else None, bookmarks, known)


def _is_saved_game(record: Record) -> bool:
    return kind(record) == "saved games"


def _moves_of(level: Level, record: Record) -> tuple[str, str]:
    """Return the moves of a saved game before and after its mark, in the right case; raises LurdError."""
    before, __, behind = record.moves.partition("*")
    steps = parse_lurd(before)
    done = len(steps)
    letters = "".join(letter for __, letter in play(level.board, level.start, [*steps, *parse_lurd(behind)]))
    return letters[:done], letters[done:]


def _named(level: Level) -> str:
    return f"{level.title or _('a level without a title')} ({level_hash(level)})"


class _Notes(NamedTuple):
    """Dates and time of a level in whole seconds, and the names of the bookmarks of its start."""

    dates: Dates
    at_the_start: tuple[str, ...]


def notes_of(dates: Dates, at_the_start: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the notes of a level, without those that have no value.

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


def _read_notes(level: Level) -> _Notes:
    """Read the notes of a level from its metadata or the lines of its comment; unknown ones are skipped."""
    notes = dict(level.metadata)
    for line in level.comment.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            notes.setdefault(key.strip().lower(), value.strip())
    first, last, time, names = (
        notes.get(key, "") for key in (_FIRST_SOLVED, _LAST_SOLVED, _TIME_PLAYED, _AT_THE_START)
    )
    is_helped = notes.get(_SOLVED) == _HELPED
    dates = Dates(_seconds_of_date_text(first), _seconds_of_date_text(last), _seconds_of_clock(time), is_helped)
    return _Notes(dates, tuple(names.split()))


def _date_text(seconds: float | None) -> str:
    """Return a date to the second; empty for none, and for one outside the calendar."""
    if seconds is not None:
        with suppress(OverflowError, ValueError, OSError):
            return f"{datetime.fromtimestamp(seconds // 1, UTC):{_DATE}}"
    return ""


def _seconds_of_date_text(text: str) -> float | None:
    with suppress(ValueError):
        return datetime.strptime(text, _DATE).replace(tzinfo=UTC).timestamp()
    return None


def _clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds; empty under a second."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" if whole else ""


def _seconds_of_clock(text: str) -> float:
    match = _TIME.fullmatch(text)
    return float(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])) if match else 0.0


def _made_notes(store: ProgressStore) -> dict[str, list[tuple[str, str]]]:
    """Return the notes of all daily levels and all floors entered, by the Exact-Id of their levels."""
    found: dict[str, list[tuple[str, str]]] = {}
    for key, made, words in [*_days(store), *_floors(store)]:
        with suppress(LevelError):  # a damaged row counts as missing
            found.setdefault(exact_id(Level.from_xsb(made.xsb)), []).append((key, words))
    return found


def _keep_made_notes(store: ProgressStore, level: Level) -> None:
    """Queue what the notes of a level say for the next save; notes that do not fit the level are skipped."""
    notes = [*level.metadata, *(_pair(line) for line in level.comment.splitlines())]
    for key, value in notes:
        words = dict(_word(part) for part in value.split(", "))
        made = _made(level, words)
        if made is None:
            continue
        if match := _DAILY.fullmatch(key):
            day = day_from_text(match[1])
            if day is not None:
                keep_day(store, Day(day, made, _effort(words)))
        elif match := _FLOOR.fullmatch(key):
            begun = _date_in(match[2])
            if begun is None:
                continue
            played = _date_in(words.get("played", ""))
            run = Run(int(match[1]), begun, begun if played is None else played, _date_in(words.get("ended", "")))
            keep_run(store, run)
            keep_floor(store, run, Floor(int(match[3]), made, _date_in(words.get("entered", "")), _effort(words)))


def _days(store: ProgressStore) -> Iterator[tuple[str, MadeLevel, str]]:
    for day in all_days(store):
        yield f"daily {day.date.isoformat()}", day.made, _words(day.made, day.effort)


def _floors(store: ProgressStore) -> Iterator[tuple[str, MadeLevel, str]]:
    floors = all_floors(store)
    for run in all_runs(store):
        for floor in floors.get((run.seed, run.begun), ()):
            if floor.entered is not None:
                ended = f", ended {run.ended}" if run.ended is not None else ""
                words = f"{_words(floor.made, floor.effort)}, entered {floor.entered}, played {run.played}{ended}"
                yield f"descent {run.seed} of {run.begun}, floor {floor.number}", floor.made, words


def _words(made: MadeLevel, effort: Effort) -> str:
    figures = [f"{name} {value}" for name, value in zip(_FIGURES, effort) if value is not None]
    return ", ".join([f"recipe {made.recipe}", *figures, f"par {made.lurd}"])


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip().lower(), value.strip()


def _word(part: str) -> tuple[str, str]:
    name, _, value = part.partition(" ")
    return name, value


def _made(level: Level, words: dict[str, str]) -> MadeLevel | None:
    """Return the level as it was generated, with a solution that the rules confirm."""
    with suppress(LurdError):
        if words.get("par") and words.get("recipe", "").isdecimal():
            lurd = verify(level.board, level.start, words["par"]).lurd
            return MadeLevel(int(words["recipe"][:9]), "\n".join(level.rows), lurd)
    return None


def _effort(words: dict[str, str]) -> Effort:
    undos, hints, seen, pushes, moves = (
        int(_number(words.get(name, ""))) for name in ("undos", "hints", "seen", "pushes", "moves")
    )
    return Effort(
        _number(words.get("seconds", "")), undos, hints, seen, _date_in(words.get("solved", "")), pushes, moves
    )


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,20})?", text) else 0.0


def _date_in(text: str) -> float | None:
    date = _number(text)
    return date if date and is_date(date) else None
