"""What was done of the levels that the program made, as notes of a level: ``key: value``, one for each day and floor.

So a streak and the runs go to another machine with the solutions.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.store.days import Day, all_days, day_from_text, keep_day
from sokoterm.store.rows import Effort, MadeLevel, Store, is_date
from sokoterm.store.runs import Floor, Run, all_floors, all_runs, keep_floor, keep_run

_DAILY = re.compile(r"daily ([0-9-]{10})")
_FLOOR = re.compile(r"descent ([0-9]{1,9}) of ([0-9.]{1,20}), floor ([0-9]{1,6})")
_FIGURES = ("seconds", "undos", "hints", "seen", "solved", "pushes", "moves")


def made_notes(store: Store) -> dict[str, list[tuple[str, str]]]:
    """The notes of all days and floors that were come to, by the Exact-Id of their levels."""
    found: dict[str, list[tuple[str, str]]] = {}
    for key, made, words in [*_days(store), *_floors(store)]:
        with suppress(LevelError):  # of a damaged row: as good as none
            found.setdefault(exact_id(Level.from_xsb(made.xsb)), []).append((key, words))
    return found


def keep_made_notes(store: Store, level: Level) -> None:
    """Have the notes of a level written with what else is; what does not fit the level is passed over."""
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
            begun = _date(match[2])
            if begun is None:
                continue
            played = _date(words.get("played", ""))
            run = Run(int(match[1]), begun, begun if played is None else played, _date(words.get("ended", "")))
            keep_run(store, run)
            keep_floor(store, run, Floor(int(match[3]), made, _date(words.get("entered", "")), _effort(words)))


def _days(store: Store) -> Iterator[tuple[str, MadeLevel, str]]:
    for day in all_days(store):
        yield f"daily {day.date.isoformat()}", day.made, _words(day.made, day.effort)


def _floors(store: Store) -> Iterator[tuple[str, MadeLevel, str]]:
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
    """The level as it was made, with a solution that the rules confirm."""
    with suppress(LurdError):
        if words.get("par") and words.get("recipe", "").isdecimal():
            lurd = verify(level.board, level.start, words["par"]).lurd
            return MadeLevel(int(words["recipe"][:9]), "\n".join(level.rows), lurd)
    return None


def _effort(words: dict[str, str]) -> Effort:
    undos, hints, seen, pushes, moves = (
        int(_number(words.get(name, ""))) for name in ("undos", "hints", "seen", "pushes", "moves")
    )
    return Effort(_number(words.get("seconds", "")), undos, hints, seen, _date(words.get("solved", "")), pushes, moves)


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,20})?", text) else 0.0


def _date(text: str) -> float | None:
    date = _number(text)
    return date if date and is_date(date) else None
