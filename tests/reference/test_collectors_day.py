"""A collector's day: 44 packs with copies, solutions, other formats and faults, from `add` to `letslogic`.

All packs are made here from levels with known solutions, so every count is known beforehand.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.commands import letslogic
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import write
from sokoterm.store.paths import data_dir, library_file
from tests.reference.known import KnownSolution, known_solutions
from tests.unit.commands.command import Command
from tests.unit.commands.conftest import command as command
from tests.unit.store.letslogic_server import KEY, online

SIZE = 5
FORMATS = ("xsb", "sok", "slc", "rle")
BROKEN = "#####\n#@$$#\n#####"
# The letters of moves after a turn to the right, and after mirroring.
RIGHT, MIRRORED = str.maketrans("urdlURDL", "rdluRDLU"), str.maketrans("lrLR", "rlRL")
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


class Room(NamedTuple):
    """A level in a pack: a puzzle, by its place in the pool, its picture, and a solution that the file has."""

    puzzle: int
    title: str
    xsb: str
    lurd: str = ""

    @property
    def boxes(self) -> int:
        return self.xsb.count("$") + self.xsb.count("*")

    @property
    def sides(self) -> tuple[int, int]:
        """The longer and the shorter side of the board."""
        rows = self.xsb.split("\n")
        long, short = sorted((len(rows), max(map(len, rows))), reverse=True)
        return long, short

    @property
    def moves(self) -> tuple[int, int]:
        """Moves and pushes of the solution."""
        return len(self.lurd), sum(map(str.isupper, self.lurd))


class Shelf(NamedTuple):
    """A pack to be made: its title, its format and its levels."""

    title: str
    kind: str
    rooms: Sequence[Room]

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.title}.{self.kind}"
        path.write_bytes(self._data())
        return path

    def _data(self) -> bytes:
        if self.kind in ("slc", "rle"):
            levels = [
                Level.from_xsb(room.xsb)._replace(number=number, title=room.title)
                for number, room in enumerate(self.rooms, start=1)
            ]
            return write(Pack(self.title, tuple(levels)), self.kind).data
        parts = [f"Title: {self.title}"]
        for room in self.rooms:
            below = [f"Title: {room.title}"] if self.kind == "xsb" else []
            above = [] if self.kind == "xsb" else [room.title]
            solution = [f"Solution\n{room.lurd}"] if room.lurd else []
            parts += ["\n".join([*above, "", room.xsb, *below]), *solution]
        return "\n\n".join([*parts, ""]).encode()


class Pool:
    """Levels with known solutions, no two of one puzzle, in which the player can walk at once."""

    def __init__(self, shared: Path) -> None:
        found: dict[str, KnownSolution] = {}
        for known in known_solutions(shared):
            if known.moves <= 150 and detour(known.level.xsb()):
                found.setdefault(level_hash(known.level), known)
        self._all = [*found.values()]
        self.hashes = [*found]

    def __len__(self) -> int:
        return len(self._all)

    def room(self, puzzle: int, turns: int = 0, *, has_solution: bool = False, is_longer: bool = False) -> Room:
        """A level of the pool as it is, or turned: 1 to 3 times to the right, from 4 on mirrored before that.

        ``is_longer``: its solution begins with a step there and back.
        """
        known = self._all[puzzle]
        xsb, lurd = known.level.xsb(), known.lurd
        if is_longer:
            lurd = detour(xsb) + lurd
        width = max(map(len, xsb.split("\n")))
        rows = [row.ljust(width) for row in xsb.split("\n")]
        if turns >= 4:
            rows, lurd = [row[::-1] for row in rows], lurd.translate(MIRRORED)
        for _ in range(turns % 4):
            rows, lurd = ["".join(column) for column in zip(*reversed(rows), strict=True)], lurd.translate(RIGHT)
        title = f"copy of {known.name}" if turns else known.name
        return Room(puzzle, title, "\n".join(row.rstrip() for row in rows), lurd if has_solution else "")

    def solution(self, puzzle: int) -> KnownSolution:
        return self._all[puzzle]


def detour(xsb: str) -> str:
    """A step from the start and back; empty if the player cannot walk."""
    rows = xsb.split("\n")
    at = next((row, max(line.find("@"), line.find("+"))) for row, line in enumerate(rows) if {*line} & {*"@+"})
    for letter, (down, right) in STEPS.items():
        row = rows[at[0] + down]
        if at[1] + right < len(row) and row[at[1] + right] in " .":
            return letter + BACK[letter]
    return ""


def first_shelves(pool: Pool) -> Iterator[Shelf]:
    """26 packs: 80 puzzles, 40 copies of which 20 alone have a solution, and 10 with a second solution."""
    for pack in range(16):
        kind = FORMATS[pack % 4]
        numbers = range(SIZE * pack, SIZE * (pack + 1))
        yield Shelf(f"p{pack:02}", kind, [pool.room(each, has_solution=kind == "sok") for each in numbers])
    for pack in range(8):
        kind = "xsb" if pack % 2 else "sok"
        numbers = range(SIZE * pack, SIZE * (pack + 1))
        rooms = [pool.room(each, 1 + each % 7, has_solution=kind == "sok") for each in numbers]
        yield Shelf(f"p{16 + pack:02}", kind, rooms)
    for pack, of in ((24, 1), (25, 5)):
        numbers = range(SIZE * of, SIZE * (of + 1))
        yield Shelf(f"p{pack:02}", "sok", [pool.room(each, 4, has_solution=True, is_longer=True) for each in numbers])


def later_shelves(pool: Pool) -> Iterator[Shelf]:
    """16 packs: twelve with 2 new puzzles among 3 known ones, two without a new one, and two with none else."""
    for pack in range(12):
        new = [80 + 2 * pack, 81 + 2 * pack]
        known = [40 + 3 * pack, 41 + 3 * pack, 42 + 3 * pack] if pack < 11 else [80, 81, 82]
        kind = FORMATS[pack % 2]
        numbers = [known[0], new[0], known[1], new[1], known[2]]
        rooms = [pool.room(each, 0 if each in new else 6, has_solution=kind == "sok") for each in numbers]
        yield Shelf(f"q{pack:02}", kind, rooms)
    for pack, first, turns in ((12, 0, 2), (13, 5, 3), (14, 104, 0), (15, 109, 0)):
        kind = FORMATS[pack % 2]
        rooms = [pool.room(each, turns, has_solution=kind == "sok") for each in range(first, first + SIZE)]
        yield Shelf(f"q{pack:02}", kind, rooms)


class Library(NamedTuple):
    """The levels that are to be in the library, by the names of packs."""

    packs: Mapping[str, Sequence[Room]]

    @property
    def rooms(self) -> list[Room]:
        return [room for rooms in self.packs.values() for room in rooms]

    def count(self, puzzles: set[int]) -> int:
        """The number of levels of these puzzles."""
        return sum(room.puzzle in puzzles for room in self.rooms)


def shelved(pool: Pool) -> Library:
    """The library after a morning of `add`."""
    packs = {f"first/{shelf.title}": shelf.rooms for shelf in first_shelves(pool)}
    there = {room.puzzle for rooms in packs.values() for room in rooms}
    for shelf in later_shelves(pool):
        new = [room for room in shelf.rooms if room.puzzle not in there]
        there |= {room.puzzle for room in new}
        if new:
            packs[f"later/{shelf.title}"] = new
    return Library(packs)


def test_a_collectors_day(command: Command, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(shared)
    assert len(pool) >= 118
    library = shelved(pool)
    assert (len(library.packs), len(library.rooms), len({room.puzzle for room in library.rooms})) == (40, 164, 114)
    packs_are_added(command, pool, tmp_path)
    levels_are_found(command, pool, library)
    packs_are_looked_up(command, pool)
    two_are_solved(command, pool, library)
    a_selection_is_written_twice(command, library, tmp_path)
    copies_become_one(command, pool, library, tmp_path)
    a_merge_of_all_stays(command, pool, library, tmp_path)
    known_solutions_are_replayed(command, pool)
    solved = progress_is_imported(command, library, tmp_path)
    library = packs_get_other_names(command, library, solved)
    library = packs_go_and_come_back(command, library, solved, tmp_path)
    one_is_made_shorter(command, pool)
    progress_goes_to_another_machine(command, tmp_path)
    improvements_are_sent(command, pool, monkeypatch)


def packs_are_added(command: Command, pool: Pool, folder: Path) -> None:
    """42 packs, one with broken levels and one in a foreign encoding."""
    for name, shelves in (("first", first_shelves(pool)), ("later", later_shelves(pool))):
        (folder / name).mkdir()
        for shelf in shelves:
            shelf.write(folder / name)
    result = command("add", folder / "first", "--json")
    assert (result.status, result.err) == (0, "")
    figures = [(each["title"], each["levels"], each["unreadable"], each["new"]) for each in result.objects]
    assert figures == [(f"p{pack:02}", SIZE, 0, SIZE if pack < 16 else 0) for pack in range(26)]
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
    assert [each["added"] for each in result.objects].count(False) == 2
    again = command("add", folder / "first", folder / "later", "--new-only").out.splitlines()
    assert again[-1] == "0 new levels in 0 packs added, 210 levels left out"

    good = [pool.room(puzzle).xsb for puzzle in (114, 115)]
    (folder / "broken.txt").write_text("\n\n".join([BROKEN, good[0], BROKEN, BROKEN, good[1], ""]))
    result = command("add", folder / "broken.txt")
    assert (result.status, result.out) == (2, "broken.txt: 2 levels, 3 cannot be read, all new\n")
    assert re.findall(r"broken\.txt, .*level (\d)", result.err) == ["1", "3", "4"], result.err
    good = [pool.room(puzzle).xsb for puzzle in (116, 117)]
    text = f"Title: Склад\nAuthor: Кладовщик\n\n{good[0]}\nTitle: Первая\n\n{good[1]}\nTitle: Вторая\n"
    (folder / "foreign.txt").write_bytes(text.encode("cp1251"))
    result = command("add", folder / "foreign.txt", "--encoding", "cp1251")
    assert (result.status, result.out, result.err) == (0, "foreign.txt: 2 levels, all new\n", "")


def levels_are_found(command: Command, pool: Pool, library: Library) -> None:
    """Queries and orders, as a table and as JSON."""
    result = command("list", "--in", "first", "later", "foreign", "broken")
    assert (result.status, result.err) == (0, "")  # what is broken was told when it was added
    assert result.out.splitlines()[-1] == "168 levels of 42 packs, 0 solved"
    assert len(command("list", "pack:broken", "--json").objects) == 2
    assert [(each["title"], each["author"]) for each in command("list", "кладовщик", "--json").objects] == [
        ("Первая", "Кладовщик"),
        ("Вторая", "Кладовщик"),
    ]
    rooms = library.rooms
    for query, expected in (
        ("boxes:2", [room for room in rooms if room.boxes == 2]),
        ("size<=8x8", [room for room in rooms if room.sides[0] <= 8]),
        ("boxes>3 size<=9x7", [room for room in rooms if room.boxes > 3 and room.sides[0] <= 9 and room.sides[1] <= 7]),
        ("not (boxes:2 or boxes:3)", [room for room in rooms if room.boxes not in (2, 3)]),
        ("has:solution", [room for room in rooms if room.puzzle in with_known_solution(library, pool)]),
        ("begun", []),
    ):
        result = command("list", query, "--in", "first", "later", "--json")
        assert (result.status, result.err) == (int(not expected), "")
        assert Counter(each["hash"] for each in result.objects) == Counter(
            pool.hashes[room.puzzle] for room in expected
        )
    titled = [(name, room) for name, rooms in library.packs.items() for room in rooms if "copy" in room.title]
    shown = command("list", "title:copy", "--in", "first", "later").out.splitlines()
    assert shown[0].split() == ["pack", "level", "size", "boxes", "hard", "solved", "title", "author"]
    assert [line.split()[0] for line in shown[1:-1]] == [name for name, _ in titled]
    assert shown[-1] == f"{len(titled)} levels of {len({name for name, _ in titled})} packs, 0 solved"
    ordered = command("list", "--in", "first", "--sort=-boxes,size", "--json").objects
    figures = [(-int(str(each["boxes"])), int(str(each["width"])) * int(str(each["height"]))) for each in ordered]
    assert figures == sorted((-room.boxes, room.sides[0] * room.sides[1]) for room in rooms[:130])


def with_solution(library: Library) -> set[int]:
    return {room.puzzle for room in library.rooms if room.lurd}


def with_known_solution(library: Library, pool: Pool) -> set[int]:
    """The same, and the puzzles whose solutions came with levels that were left out."""
    return with_solution(library) | {room.puzzle for shelf in later_shelves(pool) for room in shelf.rooms if room.lurd}


def packs_are_looked_up(command: Command, pool: Pool) -> None:
    """`info` by names; copies have the hashes of their originals, and solutions of their own."""
    found = command("info", "P01", "first/p24", "--json").objects
    assert [each["hash"] for each in found] == [*pool.hashes[5:10]] * 2
    records = [pool.room(puzzle, has_solution=True) for puzzle in range(5, 10)]
    figures = [[(record["moves"], record["pushes"]) for record in listed(each, "records")] for each in found]
    assert figures == [
        *([room.moves] for room in records),
        *([(moves + 2, pushes)] for moves, pushes in (room.moves for room in records)),
    ]
    assert command("info", "first").out.splitlines()[-1] == "26 packs: 130 levels, 0 solved, 50 solutions"
    missing = command("info", "frst/p01")
    assert (missing.status, missing.out, missing.err.count("\n")) == (2, "", 1)
    assert "is it first/p01?" in missing.err


def listed(fields: Mapping[str, object], key: str) -> list[dict[str, object]]:
    found = fields[key]
    assert isinstance(found, list)
    return found


def metadata(fields: Mapping[str, object]) -> dict[str, str]:
    found = fields["metadata"]
    assert isinstance(found, list)
    return dict(found)


def two_are_solved(command: Command, pool: Pool, library: Library) -> None:
    """Solutions found by the program are known for the copies as well, and are nobody's own."""
    found = command("solve", "p03", "-l", "1-2", "--remember", "--json").objects
    assert [(each["status"], each["hash"]) for each in found] == [("solved", each) for each in pool.hashes[15:17]]
    known = with_known_solution(library, pool)
    assert library.count(known | {15, 16}) == library.count(known) + 4
    known |= {15, 16}
    for query, number in (("has:solution", library.count(known)), ("solved", 0)):
        assert len(command("list", query, "--in", "first", "later", "--json").objects) == number


def a_selection_is_written_twice(command: Command, library: Library, folder: Path) -> None:
    """Names and numbers of packs survive two selections in a row."""
    once, twice = folder / "once.sok", folder / "twice.xsb"
    assert command("convert", "first", "--where", "boxes>2", "-o", once).status == 0
    assert command("convert", once, "--where", "boxes<5", "-o", twice).status == 0
    expected = [
        f"{name.removeprefix('first/')} {number}"
        for name, rooms in library.packs.items()
        if name.startswith("first/")
        for number, room in enumerate(rooms, start=1)
        if 2 < room.boxes < 5
    ]
    found = command("info", twice, "--json").objects
    assert [metadata(each)["collection"] for each in found] == expected
    assert len(expected) > 20


def copies_become_one(command: Command, pool: Pool, library: Library, folder: Path) -> None:
    """The copies are found, and one of each is written with the solutions of all."""
    packs = ("first", "later", "foreign")
    puzzles = Counter(room.puzzle for room in library.rooms)
    groups = command("duplicates", *packs, "--json").objects
    assert {str(group["hash"]): len(listed(group, "levels")) for group in groups} == {
        pool.hashes[puzzle]: number for puzzle, number in puzzles.items() if number > 1
    }
    assert command("duplicates", *packs, "--check").out.splitlines()[-1] == "166 levels, 116 distinct, 50 copies"
    out = folder / "all.sok"
    groups = command("duplicates", *packs, "--write", out, "--json").objects
    taken = Counter(each["what"] for group in groups for each in listed(group, "taken"))
    assert taken["solution"] == 30
    assert sum(int(str(group["left_out"])) for group in groups) == 0
    found = command("info", out, "--json").objects
    assert len(found) == 116
    solutions: dict[int, set[tuple[int, int]]] = {}
    for room in library.rooms:
        if room.lurd:
            solutions.setdefault(room.puzzle, set()).add(room.moves)
    assert {
        pool.hashes.index(str(each["hash"])): {
            (record["moves"], record["pushes"]) for record in listed(each, "records")
        }
        for each in found
        if each["records"]
    } == solutions


def a_merge_of_all_stays(command: Command, pool: Pool, library: Library, folder: Path) -> None:
    """A pack whose boards begin after more than 64 KiB of texts is found by every verb, also when the index is gone."""
    told = folder / "told"
    for name, rooms in library.packs.items():
        (told / name).parent.mkdir(parents=True, exist_ok=True)
        path = Shelf(name, "sok", rooms).write(told)
        path.write_text(f":: {name}: {'terms of use ' * 200}\n{path.read_text()}")
    merged, short = folder / "merged.sok", folder / "short.sok"
    assert command("duplicates", told, "--write", merged, "--texts").status == 0
    assert command("convert", told, "-o", short).err.count("left out: 105 kB of texts about 40 packs") == 1
    assert (merged.read_text().index("#####") > 1 << 16, short.read_text().index("#####") < 1 << 10) == (True, True)
    assert command("duplicates", told, "--write", merged, "--texts").status == 0  # in place of itself
    assert command("add", merged).status == 0
    queries = ("", "has:solution", "not has:solution", "boxes>3", "--in merged", "has:solution --in merged")
    before = [command("list", *query.split(), "--json").objects for query in queries]
    assert len(before[4]) == len({room.puzzle for room in library.rooms})
    assert len(before[5]) == len(with_known_solution(library, pool) | {15, 16})  # two were found by the program
    Path(library_file(data_dir())).unlink()
    known = command("convert", "merged", "--with", "known", "--to", "sok").out
    assert len(re.findall("^Solution", known, re.MULTILINE)) >= len(before[5])
    Path(library_file(data_dir())).unlink()
    assert [command("list", *query.split(), "--json").objects for query in queries] == before
    assert command("info", "merged").out.splitlines()[-1].startswith(f"{len(before[4])} levels, 0 solved")
    assert command("rename", "merged", "all of it").status == 0
    assert command("remove", "all of it", "--yes").status == 0


def known_solutions_are_replayed(command: Command, pool: Pool) -> None:
    """Known solutions solve the levels of which they are known, and turned ones their copies."""
    for puzzle in range(2 * SIZE):
        pack, number = divmod(puzzle, SIZE)
        known = pool.solution(puzzle)
        (found,) = command("verify", f"p{pack:02}", "-l", str(number + 1), "--moves", known.lurd, "--json").objects
        assert (found["solved"], found["moves"], found["pushes"]) == (True, known.moves, known.pushes)
        copy = pool.room(puzzle, 1 + puzzle % 7, has_solution=True)
        where = (f"p{16 + pack}", "-l", str(number + 1), "--moves")
        boards = command("replay", *where, copy.lurd, "--print").out.split("\n\n")
        assert len(boards) == known.moves + 2
        assert "$" not in boards[-2]
        assert command("verify", *where, copy.lurd[:-1]).status == 1


def progress_is_imported(command: Command, library: Library, folder: Path) -> set[int]:
    """Solutions of a file count as one's own, for every copy; return the puzzles that are solved."""
    solved = with_solution(library)
    number = len({(room.puzzle, room.moves) for room in library.rooms if room.lurd})
    result = command("progress", "import", folder / "all.sok")
    assert (result.status, result.err) == (0, "")
    assert result.out == f"{len(solved)} levels, {number} solutions: {len(solved)} new or better, 0 open plays\n"
    check_solved(command, library, solved)
    return solved


def check_solved(command: Command, library: Library, solved: set[int]) -> None:
    """Compare the whole library, the two packs that are no collection aside."""
    folders = sorted({name.split("/")[0] for name in library.packs})
    result = command("list", "--in", *folders, "--json")
    assert (result.status, len(result.objects)) == (0, len(library.rooms))
    assert sum(each["solved"] is True for each in result.objects) == library.count(solved)


def packs_get_other_names(command: Command, library: Library, solved: set[int]) -> Library:
    """A pack and a folder; what is solved stays solved."""
    assert command("rename", "p03", "best/Best rooms").out == "first/p03.rle: now best/Best rooms.rle\n"
    assert command("rename", "later", "Second hand").out == "later: now Second hand, 14 packs\n"
    names = {"first/p03": "best/Best rooms"}
    packs = {names.get(name, name.replace("later/", "Second hand/")): rooms for name, rooms in library.packs.items()}
    assert len(command("info", "second-hand/q14", "best-rooms", "--json").objects) == 2 * SIZE
    refused = command("rename", "p04", "first/p05")
    assert (refused.status, refused.err) == (2, "sokoterm: first/p05: there is a pack of this name\n")
    check_solved(command, Library(packs), solved)
    return Library(packs)


def packs_go_and_come_back(command: Command, library: Library, solved: set[int], folder: Path) -> Library:
    """Two packs and a folder are removed; one pack is added again, and its levels are solved still."""
    result = command("remove", "p22", "p23", "Second hand", "foreign", "--yes")
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[2:] == ["Second hand: 14 packs removed", "foreign.txt: removed"]
    gone = ("first/p22", "first/p23", "Second hand/")
    packs = {name: rooms for name, rooms in library.packs.items() if not name.startswith(gone)}
    assert len(packs) == 24
    check_solved(command, Library(packs), solved)
    assert command("add", folder / "first" / "p22.sok", "--name", "first/p22").status == 0
    packs["first/p22"] = library.packs["first/p22"]
    check_solved(command, Library(packs), solved)
    assert command("list", "--in", "p22").out.splitlines()[-1] == "5 levels of 1 pack, 5 solved"
    return Library(packs)


def one_is_made_shorter(command: Command, pool: Pool) -> None:
    """The step there and back goes, at least."""
    flags = ("-l", "1", "--from", "file", "--for", "moves", "--time", "2", "--json")
    (found,) = command("optimize", "p24", *flags).objects
    known = pool.solution(SIZE)
    assert (found["moves_before"], found["pushes_before"]) == (known.moves + 2, known.pushes)
    assert int(str(found["moves"])) <= known.moves


def progress_goes_to_another_machine(command: Command, folder: Path) -> None:
    """An import into an empty folder has all of it, the known solutions too, and is exported the same."""
    files = [folder / "here.sok", folder / "there.sok"]
    there = ("--data-dir", folder / "there")
    exported = command("progress", "export", files[0])
    assert (exported.status, exported.err) == (0, "")
    assert files[0].read_text().count("\nSolution/Known ") > 12
    imported = command("progress", "import", files[0], *there)
    assert (imported.status, imported.err) == (0, "")
    assert command("progress", "export", files[1], *there) == exported
    assert files[0].read_bytes() == files[1].read_bytes()


def improvements_are_sent(command: Command, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of seven levels on the server one is better solved here and three are solved here alone; no other is sent."""
    puzzles = [10, 11, 20, 21, 25, 26, 50]  # the last is not solved here
    monkeypatch.setattr(letslogic, "sleep", lambda _: None)
    monkeypatch.setenv("SOKOTERM_LETSLOGIC_KEY", KEY)
    rooms = [pool.room(puzzle, 5, has_solution=True) for puzzle in puzzles]
    with online(monkeypatch, [room.xsb for room in rooms]) as web:
        for number, more in ((100, 2), (101, 0), (102, -2)):
            moves, pushes = rooms[number - 100].moves
            figures = {"rank": 1, "points": 1, "moves": moves + more, "pushes": pushes}
            web.records[str(number)] = {"blue": figures, "green": figures}
        run = ("--server", web.url)
        assert command("letslogic", "fetch", "12", *run).out.startswith("letslogic/Six_Rooms.txt: 7 levels")
        sent = command("letslogic", "submit", "--yes", "--json", *run)
        assert sent.status == 0
        assert [(each["id"], each["status"]) for each in sent.objects] == [
            (number, "accepted") for number in (100, 103, 104, 105)
        ]
        assert web.sent == [(f"level/{number}", rooms[number - 100].lurd) for number in (100, 103, 104, 105)]
        assert command("letslogic", "submit", "--yes", *run).out.startswith("nothing to send")
