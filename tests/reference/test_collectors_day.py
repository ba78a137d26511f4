"""A collector's library: 40 packs with copies, solutions and other formats, from `add` to `remove`.

All packs are made here from levels with known solutions, so every count is known beforehand.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import write
from tests.reference.known import KnownSolution, known_solutions
from tests.unit.commands.command import Command
from tests.unit.commands.conftest import command as command

SIZE = 5
FORMATS = ("xsb", "sok", "slc", "rle")


class Room(NamedTuple):
    """A level in a pack, and the place of its puzzle in the pool; it has a solution where its file has one."""

    puzzle: int
    level: Level

    @property
    def sides(self) -> list[int]:
        """The longer and the shorter side of the board."""
        return sorted((self.level.board.width, self.level.board.height), reverse=True)


class Shelf(NamedTuple):
    """A pack to be made: its title, its format and its levels."""

    title: str
    kind: str
    rooms: Sequence[Room]

    def write(self, folder: Path) -> None:
        levels = [room.level._replace(number=number) for number, room in enumerate(self.rooms, start=1)]
        (folder / f"{self.title}.{self.kind}").write_bytes(write(Pack(self.title, tuple(levels)), self.kind).data)


class Pool:
    """Levels with known solutions, no two of one puzzle."""

    def __init__(self, shared: Path) -> None:
        known = [each for each in known_solutions(shared) if each.moves <= 150]
        self.known: Mapping[str, KnownSolution] = {level_hash(each.level): each for each in reversed(known)}
        self.hashes = [*self.known]

    def shelf(self, title: str, kind: str, puzzles: Mapping[int, int]) -> Shelf:
        """A pack of puzzles, each as it is or by the symmetry of a number, with their solutions if it can hold them."""
        rooms = []
        for puzzle, turn in puzzles.items():
            known = self.known[self.hashes[puzzle]]
            level = known.level._replace(title=f"copy of {known.name}" if turn else known.name, records=())
            if kind == "sok":
                level = level._replace(records=(Record("Solution", known.lurd),))
            rooms.append(Room(puzzle, level.turned(SYMMETRIES[turn])))
        return Shelf(title, kind, rooms)

    def first_shelves(self) -> Iterator[Shelf]:
        """24 packs: 80 puzzles, and 40 copies of which 20 alone have a solution."""
        for pack in range(24):
            kind = FORMATS[pack % 4] if pack < 16 else FORMATS[1 - pack % 2]
            begin = SIZE * (pack % 16)
            turns = {each: 0 if pack < 16 else 1 + each % 7 for each in range(begin, begin + SIZE)}
            yield self.shelf(f"p{pack:02}", kind, turns)

    def later_shelves(self) -> Iterator[Shelf]:
        """16 packs: twelve with 2 new puzzles among 3 known ones, two without a new one, and two with none else."""
        for pack in range(12):
            new = 80 + 2 * pack
            known = 40 + 3 * pack if pack < 11 else 80
            turns = {known: 6, new: 0, known + 1: 6, new + 1: 0, known + 2: 6}
            yield self.shelf(f"q{pack:02}", FORMATS[pack % 2], turns)
        for pack, first, turn in ((12, 0, 2), (13, 5, 3), (14, 104, 0), (15, 109, 0)):
            yield self.shelf(f"q{pack}", FORMATS[pack % 2], dict.fromkeys(range(first, first + SIZE), turn))


def rooms_of_library(pool: Pool) -> list[Room]:
    """The levels in the library after a morning of `add`."""
    rooms = [room for shelf in pool.first_shelves() for room in shelf.rooms]
    for shelf in pool.later_shelves():
        there = {room.puzzle for room in rooms}
        rooms += [room for room in shelf.rooms if room.puzzle not in there]
    return rooms


@pytest.mark.slow
def test_a_collectors_day(command: Command, shared: Path, tmp_path: Path) -> None:
    pool = Pool(shared)
    rooms = rooms_of_library(pool)
    assert (len(rooms), len({room.puzzle for room in rooms})) == (154, 114)
    packs_are_added(command, pool, tmp_path)
    levels_are_found(command, pool, rooms)
    copies_become_one(command, pool, rooms, tmp_path)
    progress_is_imported(command, rooms, tmp_path)


def packs_are_added(command: Command, pool: Pool, folder: Path) -> None:
    for name, shelves in (("first", pool.first_shelves()), ("later", pool.later_shelves())):
        (folder / name).mkdir()
        for shelf in shelves:
            shelf.write(folder / name)
    result = command("add", folder / "first", "--json")
    assert (result.status, result.err) == (0, "")
    figures = [(each["title"], each["levels"], each["unreadable"], each["new"]) for each in result.objects]
    assert figures == [(f"p{pack:02}", SIZE, 0, SIZE if pack < 16 else 0) for pack in range(24)]
    result = command("add", folder / "later", "--new-only", "--json")
    assert (result.status, result.err) == (0, "")
    names = ("title", "new", "left_out", "records_left_out", "solutions_kept")
    kept = {1: 2, 3: 2, 5: 3, 7: 3, 11: 2}  # by pack; the others have solutions of puzzles that had the same already
    assert [tuple(each[name] for name in names) for each in result.objects] == [
        *((f"q{pack:02}", 2, 3, 3 * (pack % 2), kept.get(pack, 0)) for pack in range(12)),
        ("q12", 0, 5, 0, 0),
        ("q13", 0, 5, 5, 0),
        ("q14", 5, 0, 0, 0),
        ("q15", 5, 0, 0, 0),
    ]
    again = command("add", folder / "first", folder / "later", "--new-only").out.splitlines()
    assert again[-1] == "0 new levels in 0 packs added, 200 levels left out"


def levels_are_found(command: Command, pool: Pool, rooms: Sequence[Room]) -> None:
    # Also those whose solutions came with levels that were left out.
    solved = {room.puzzle for shelf in pool.later_shelves() for room in shelf.rooms if room.level.records}
    solved |= {room.puzzle for room in rooms if room.level.records}
    for query, expected in (
        ("boxes:2", [room for room in rooms if room.level.boxes == 2]),
        ("size<=8x8", [room for room in rooms if room.sides[0] <= 8]),
        (
            "boxes>3 size<=9x7",
            [room for room in rooms if room.level.boxes > 3 and room.sides[0] <= 9 and room.sides[1] <= 7],
        ),
        ("not (boxes:2 or boxes:3)", [room for room in rooms if room.level.boxes not in (2, 3)]),
        ("title:copy", [room for room in rooms if "copy" in room.level.title]),
        ("has:solution", [room for room in rooms if room.puzzle in solved]),
        ("begun", []),
    ):
        result = command("list", query, "--in", "first", "later", "--json")
        assert (result.status, result.err) == (int(not expected), "")
        assert Counter(each["hash"] for each in result.objects) == Counter(
            pool.hashes[room.puzzle] for room in expected
        ), query
    assert command("list", "--in", "first", "later").out.splitlines()[-1] == "154 levels of 38 packs, 0 solved"


def copies_become_one(command: Command, pool: Pool, rooms: Sequence[Room], folder: Path) -> None:
    """The copies are found, and one of each is written with the solutions of all."""
    puzzles = Counter(room.puzzle for room in rooms)
    groups = command("duplicates", "first", "later", "--write", folder / "all.sok", "--json").objects
    assert {group["hash"]: len(listed(group, "levels")) for group in groups} == {
        pool.hashes[puzzle]: number for puzzle, number in puzzles.items() if number > 1
    }
    assert sum(int(str(group["left_out"])) for group in groups) == 0
    solved = {room.puzzle for room in rooms if room.level.records}
    for each in command("info", folder / "all.sok", "--json").objects:
        known = pool.known[str(each["hash"])]
        figures = [(record["moves"], record["pushes"]) for record in listed(each, "records")]
        has_solution = pool.hashes.index(str(each["hash"])) in solved
        assert figures == ([(known.moves, known.pushes)] if has_solution else []), known.name


def listed(fields: Mapping[str, object], key: str) -> list[dict[str, object]]:
    found = fields[key]
    assert isinstance(found, list)
    return found


def progress_is_imported(command: Command, rooms: Sequence[Room], folder: Path) -> None:
    """Solutions of a file count as one's own, for every copy, also of a pack that goes and comes back."""
    solved = {room.puzzle for room in rooms if room.level.records}
    result = command("progress", "import", folder / "all.sok")
    assert (result.status, result.err) == (0, "")
    assert result.out == f"{len(solved)} levels, {len(solved)} solutions: {len(solved)} new or better, 0 open plays\n"
    result = command("list", "--in", "first", "later", "--json")
    assert sum(each["solved"] is True for each in result.objects) == sum(room.puzzle in solved for room in rooms)
    assert command("remove", "p22", "later", "--yes").status == 0
    assert command("add", folder / "first" / "p22.xsb", "--name", "first/p22").status == 0
    assert command("list", "--in", "p22").out.splitlines()[-1] == "5 levels of 1 pack, 5 solved"
