"""Notes of an exported level, ``key: value`` in plain words: dates, time played, daily levels and floors.

The notes of daily levels and of floors carry the streak and the runs to another machine along with the solutions.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.store.progress import ProgressStore
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
from sokoterm.store.solutions import Dates, is_date

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


class Notes(NamedTuple):
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


def read_notes(level: Level) -> Notes:
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
    return Notes(dates, tuple(names.split()))


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


def made_notes(store: ProgressStore) -> dict[str, list[tuple[str, str]]]:
    """Return the notes of all daily levels and all floors entered, by the Exact-Id of their levels."""
    found: dict[str, list[tuple[str, str]]] = {}
    for key, made, words in [*_days(store), *_floors(store)]:
        with suppress(LevelError):  # a damaged row counts as missing
            found.setdefault(exact_id(Level.from_xsb(made.xsb)), []).append((key, words))
    return found


def keep_made_notes(store: ProgressStore, level: Level) -> None:
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
