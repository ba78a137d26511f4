"""Records of a file, replayed: the solutions among them, and the credit each claims."""

import re
from collections.abc import Iterable, Sequence

from sokoterm.engine.level import Level, Record
from sokoterm.engine.record import replay_slowly
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.engine.slices import Slices, finish
from sokoterm.engine.text import printable
from sokoterm.store.known import Known

# A step takes half a microsecond.  Longer records are replayed when the solutions of their level are asked for, those
# beyond the second limit (the longest known solution has 612,529 moves) never.
STEPS_A_RECORD = 20_000
_STEPS_A_LEVEL = 2_000_000
_LONGEST_NAME = 40
_COUNT = re.compile("[0-9]{1,9}")

_CREDIT = re.compile(r"\(([^()]*[A-Za-z][^()]*)\)\s*$")
# Beginnings of titles that are no credit: ``Solution/Moves 517/155``, ``SaveGame 3``, ``Snapshot1``.
_NO_CREDIT = re.compile(r"\s*(?:best\s+|reverse\s+)?(?:solution|saved?\s*game|snapshot)", re.IGNORECASE)
_CREDIT_NOTE = re.compile(r"^\s*(?:solver|optimizer|author)\s*[:=]\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)


def solutions_of(level: Level, pack: str) -> list[Known]:
    """Return the solutions that came with a level, from all records that can be replayed in a few seconds."""
    return finish(solutions_of_slowly(level, pack))


def solutions_of_slowly(level: Level, pack: str) -> Slices[list[Known]]:
    """Do the same in slices."""
    found = yield from replayed_slowly(level, affordable(level), pack)
    return distinct(found.values())


def replayed_slowly(level: Level, places: Iterable[int], pack: str) -> Slices[dict[int, Known]]:
    """Return the solutions among the records at the given places, by place."""
    found = {}
    for place in places:
        record = level.records[place]
        solution = (yield from replay_slowly(level, record)).solution
        if solution is not None:
            found[place] = Known(solution, credit(record, pack))
    return found


def distinct(known: Iterable[Known]) -> list[Known]:
    """Return each solution once, under its first credit: fewest pushes first, then fewest moves."""
    first: dict[str, Known] = {}
    for each in known:
        first.setdefault(each.solution.lurd, each)
    return sorted(first.values(), key=lambda each: (each.solution.pushes, each.solution.moves))


def best_known(known: Sequence[Known]) -> list[Known]:
    """Return the solution of the fewest pushes, followed by that of the fewest moves if it has fewer."""
    if not known:
        return []
    by_pushes = min(known, key=lambda each: (each.solution.pushes, each.solution.moves))
    by_moves = min(known, key=lambda each: (each.solution.moves, each.solution.pushes))
    return [by_pushes, by_moves] if by_moves.solution.moves < by_pushes.solution.moves else [by_pushes]


def affordable(level: Level) -> list[int]:
    """Return the places of the records to replay for one level, earlier ones first."""
    budget = _STEPS_A_LEVEL
    places = []
    for place, steps in enumerate(map(count_steps, level.records)):
        if steps <= budget:
            budget -= steps
            places.append(place)
    return places


def count_steps(record: Record) -> int:
    """Return the approximate number of steps of a record; if unknown, more than are ever replayed."""
    if "(" in record.moves:
        try:
            return len(expand(record.moves, _STEPS_A_LEVEL))
        except RunLengthError:
            return _STEPS_A_LEVEL + 1
    return len(record.moves) + sum(map(int, _COUNT.findall(record.moves)))


def credit(record: Record, pack: str) -> str:
    """Return the credit for a solution: from its title or notes, else the pack it came with.

    ``Solution 230/97 (YASS 2.86 Optimizer)`` gives ``YASS 2.86 Optimizer``, and ``Tomo`` is a name by itself.
    """
    match = _CREDIT.search(record.title) or _CREDIT_NOTE.search(record.notes)
    if match:
        return printable(match[1].strip())
    title = printable(record.title.strip())
    is_name = any(map(str.isalpha, title)) and not _NO_CREDIT.match(title) and len(title) <= _LONGEST_NAME
    return title if is_name else f"from {pack}"
