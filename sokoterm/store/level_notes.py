"""What is known of a puzzle beside its moves, as notes of a level: ``key: value``, in words that a person can read."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.store.solutions import Puzzle

_FIRST_SOLVED = "first solved"
_LAST_SOLVED = "last solved"
_TIME_PLAYED = "time played"
_SOLVED = "solved"
_HELPED = "only with help"
# A saved game needs a move, so bookmarks of the start are named in a note.
_AT_THE_START = "start bookmarks"
_DATE = "%Y-%m-%d %H:%M:%S UTC"
_TIME = re.compile(r"([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])")


class Notes(NamedTuple):
    """The dates and the time of a puzzle in whole seconds, and the names of the bookmarks of the start."""

    puzzle: Puzzle
    at_the_start: tuple[str, ...]


def notes_of(puzzle: Puzzle, at_the_start: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """The notes for a level; nothing is noted of what is not there.

    >>> notes_of(Puzzle(0.0, None, 61.5))
    (('first solved', '1970-01-01 00:00:00 UTC'), ('time played', '0:01:01'))
    """
    notes = [
        (_FIRST_SOLVED, _date(puzzle.first_solved)),
        (_LAST_SOLVED, _date(puzzle.last_solved)),
        (_SOLVED, _HELPED if puzzle.is_helped else ""),
        (_TIME_PLAYED, _clock(puzzle.seconds)),
        (_AT_THE_START, " ".join(at_the_start)),
    ]
    return tuple((key, value) for key, value in notes if value)


def read_notes(level: Level) -> Notes:
    """The notes of a level, whether they are metadata or lines of its comment; what is none of ours is passed over."""
    notes = dict(level.metadata)
    for line in level.comment.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            notes.setdefault(key.strip().lower(), value.strip())
    first, last, time, names = (
        notes.get(key, "") for key in (_FIRST_SOLVED, _LAST_SOLVED, _TIME_PLAYED, _AT_THE_START)
    )
    is_helped = notes.get(_SOLVED) == _HELPED
    puzzle = Puzzle(_seconds_of_date(first), _seconds_of_date(last), _seconds_of_clock(time), is_helped)
    return Notes(puzzle, tuple(names.split()))


def _date(seconds: float | None) -> str:
    """A date to the second; empty for none, and for one that no calendar has."""
    if seconds is not None:
        with suppress(OverflowError, ValueError, OSError):
            return f"{datetime.fromtimestamp(seconds // 1, UTC):{_DATE}}"
    return ""


def _seconds_of_date(text: str) -> float | None:
    with suppress(ValueError):
        return datetime.strptime(text, _DATE).replace(tzinfo=UTC).timestamp()
    return None


def _clock(seconds: float) -> str:
    """A time as hours, minutes and seconds; empty under a second."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" if whole else ""


def _seconds_of_clock(text: str) -> float:
    match = _TIME.fullmatch(text)
    return float(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])) if match else 0.0
