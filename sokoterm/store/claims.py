"""What the records of a file come to: the solutions among them, and who claims to have found each."""

import re
from collections.abc import Iterable, Sequence

from sokoterm.engine.level import Level, Record
from sokoterm.engine.printable import printable
from sokoterm.engine.record import replay_slowly
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.engine.slices import Slices, finish
from sokoterm.store.known import Known

# A step takes half a microsecond: what is longer is replayed when its solutions are asked for, and what is longer than
# that (the longest known solution has 612,529 moves) not at all.
STEPS_A_RECORD = 20_000
_STEPS_A_LEVEL = 2_000_000
_LONGEST_NAME = 40
_COUNT = re.compile("[0-9]{1,9}")

_CREDIT = re.compile(r"\(([^()]*[A-Za-z][^()]*)\)\s*$")
# What a title begins with that names no one: ``Solution/Moves 517/155``, ``SaveGame 3``, ``Snapshot1``.
_NO_CREDIT = re.compile(r"\s*(?:best\s+|reverse\s+)?(?:solution|saved?\s*game|snapshot)", re.IGNORECASE)
_CREDIT_NOTE = re.compile(r"^\s*(?:solver|optimizer|author)\s*[:=]\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)


def solutions_of(level: Level, pack: str) -> list[Known]:
    """The solutions that came with a level, all of its records replayed that can be in a few seconds."""
    return finish(solutions_of_slowly(level, pack))


def solutions_of_slowly(level: Level, pack: str) -> Slices[list[Known]]:
    """The same in slices."""
    found = yield from replayed_slowly(level, affordable(level), pack)
    return distinct(found.values())


def replayed_slowly(level: Level, places: Iterable[int], pack: str) -> Slices[dict[int, Known]]:
    """The solutions among the records at some places, by their places."""
    found = {}
    for place in places:
        record = level.records[place]
        solution = (yield from replay_slowly(level, record)).solution
        if solution is not None:
            found[place] = Known(solution, credit(record, pack))
    return found


def distinct(known: Iterable[Known]) -> list[Known]:
    """Each solution once, under the first of its names: those of the fewest pushes first, then of the fewest moves."""
    first: dict[str, Known] = {}
    for each in known:
        first.setdefault(each.solution.lurd, each)
    return sorted(first.values(), key=lambda each: (each.solution.pushes, each.solution.moves))


def best_known(known: Sequence[Known]) -> list[Known]:
    """The one of the fewest pushes, and then the one of the fewest moves if that is better in moves."""
    if not known:
        return []
    by_pushes = min(known, key=lambda each: (each.solution.pushes, each.solution.moves))
    by_moves = min(known, key=lambda each: (each.solution.moves, each.solution.pushes))
    return [by_pushes, by_moves] if by_moves.solution.moves < by_pushes.solution.moves else [by_pushes]


def affordable(level: Level) -> list[int]:
    """The places of the records that are replayed for one level, the first ones first."""
    budget = _STEPS_A_LEVEL
    places = []
    for place, steps in enumerate(map(count_steps, level.records)):
        if steps <= budget:
            budget -= steps
            places.append(place)
    return places


def count_steps(record: Record) -> int:
    """About how many steps a record has, more than are ever replayed where that is not known."""
    if "(" in record.moves:
        try:
            return len(expand(record.moves, _STEPS_A_LEVEL))
        except RunLengthError:
            return _STEPS_A_LEVEL + 1
    return len(record.moves) + sum(map(int, _COUNT.findall(record.moves)))


def credit(record: Record, pack: str) -> str:
    """Who found a solution, as its title or its notes tell, else the pack it came with.

    ``Solution 230/97 (YASS 2.86 Optimizer)`` gives ``YASS 2.86 Optimizer``, and ``Tomo`` is a name by itself.
    """
    match = _CREDIT.search(record.title) or _CREDIT_NOTE.search(record.notes)
    if match:
        return printable(match[1].strip())
    title = printable(record.title.strip())
    is_name = any(map(str.isalpha, title)) and not _NO_CREDIT.match(title) and len(title) <= _LONGEST_NAME
    return title if is_name else f"from {pack}"
