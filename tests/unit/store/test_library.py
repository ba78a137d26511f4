import os
import re
import sqlite3
from contextlib import closing
from itertools import chain, product
from pathlib import Path

import pytest

from sokoterm.engine.level import Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.store.known_levels import Grade, LevelPlace, solutions_of
from sokoterm.store.library import MIGRATIONS, LibraryIndex, PackFigures
from sokoterm.store.packs import PackFile, find_packs, open_pack, pack_from_bytes, stamp_of
from sokoterm.store.query import EVERY, condition, parse_query
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, ROOM, ROOM_SOLUTION, TWO_WAYS, ticking, turned

TWO_LEVELS = f"Title: Rooms\n\n{ROOM.xsb()}\nTitle: One\n\n{TWO_WAYS.xsb()}\nTitle: Two\n"


def found_in(index: LibraryIndex, file: PackFile, text: str = "") -> list[int]:
    """The numbers of the levels of a pack that answer a query."""
    asked = condition(parse_query(text), lambda _: (), lambda _: {})
    return [row.number for row in index.find_levels([file.key], asked, 1)]


def _open(folder: Path) -> LibraryIndex:
    index = LibraryIndex.open(str(folder / "library.db"), ticking())
    assert index.notices == []
    return index


def _file(folder: Path, name: str, text: str) -> PackFile:
    path = folder / name
    path.write_text(text, "utf-8")
    (file,) = find_packs(str(path))
    return file


def _learn(index: LibraryIndex, file: PackFile) -> PackFigures:
    return index.learn(file, open_pack(file), stamp_of(file))


def test_a_pack_is_known_at_the_next_start(tmp_path: Path) -> None:
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS + "\n####\n#@$#\n####\n")
    with closing(_open(tmp_path)) as index:
        assert index.entry(file) is None
        assert _learn(index, file).unreadable == 1
    with closing(_open(tmp_path)) as index:
        entry = index.entry(file)
        assert entry is not None
        assert (entry.levels, entry.unreadable) == (2, 1)
        assert index.hashes([file.key]) == {file.key: {1: level_hash(ROOM), 2: level_hash(TWO_WAYS)}}
        assert index.stamps() == {file.key: stamp_of(file)}


@pytest.mark.parametrize("change", ["size", "time", "reader", "gone"])
def test_an_entry_holds_only_as_long_as_its_file(change: str, tmp_path: Path) -> None:
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    index = _open(tmp_path)
    _learn(index, file)
    match change:
        case "size":
            stamp = os.stat(file.path)
            Path(file.path).write_text(TWO_LEVELS + "\n", "utf-8")
            os.utime(file.path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        case "time":
            os.utime(file.path, ns=(1, 1))
        case "reader":
            with closing(sqlite3.connect(tmp_path / "library.db")) as connection, connection:
                connection.execute("UPDATE pack SET reader = 'another'")
        case "gone":
            os.remove(file.path)
    assert index.entry(file) is None


def test_a_file_of_a_time_that_no_index_can_hold_is_known_all_the_same(tmp_path: Path) -> None:
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    os.utime(file.path, (10_413_792_000, 10_413_792_000))  # in the year 2300
    with closing(_open(tmp_path)) as index:
        _learn(index, file)
        assert index.entry(file) is not None
        assert index.stamps() == {file.key: stamp_of(file)}


def test_learning_again_takes_the_place_of_what_was_known(tmp_path: Path) -> None:
    index = _open(tmp_path)
    _learn(index, _file(tmp_path, "rooms.txt", TWO_LEVELS))
    file = _file(tmp_path, "rooms.txt", ROOM.xsb())
    _learn(index, file)
    assert index.hashes([file.key]) == {file.key: {1: level_hash(ROOM)}}
    assert index.names_of(level_hash(TWO_WAYS)) == []


def test_what_came_through_standard_input_is_known_by_its_content(tmp_path: Path) -> None:
    index = _open(tmp_path)
    _learn(index, pack_from_bytes(ROOM.xsb().encode()))
    assert index.entry(pack_from_bytes(ROOM.xsb().encode())) == PackFigures("standard input", 1, 0)
    assert index.entry(pack_from_bytes(TWO_WAYS.xsb().encode())) is None


def test_a_level_is_found_under_all_its_names(tmp_path: Path) -> None:
    index = _open(tmp_path)
    rooms = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    other = _file(tmp_path, "turned.txt", f"{TWO_WAYS.xsb()}\n\n{turned(ROOM, 3).xsb()}\n")
    _learn(index, rooms)
    _learn(index, other)
    title = open_pack(rooms).title or "rooms"
    assert index.names_of(level_hash(ROOM)) == [LevelPlace(rooms.key, title, 1), LevelPlace(other.key, "turned", 2)]
    os.remove(other.path)
    assert [place.key for place in index.names_of(level_hash(ROOM))] == [rooms.key]
    index.forget_missing(str(tmp_path))
    assert index.titles() == {rooms.key: title}


def _with_records(tmp_path: Path, *records: Record) -> tuple[LibraryIndex, PackFile]:
    index = _open(tmp_path)
    file = _file(tmp_path, "two.txt", TWO_WAYS.xsb())
    level = TWO_WAYS.replace(records=records)
    index.learn(file, open_pack(file)._replace(levels=(level,)), stamp_of(file))
    return index, file


@pytest.mark.parametrize("turn", range(8))
def test_solutions_of_files_fit_every_level_of_equal_hash(turn: int, tmp_path: Path) -> None:
    claim = Record("Solution 12/2 (YASS 2.86)", FEWEST_PUSHES.lower())
    bare = Record("Solution", FEWEST_MOVES, "Solver: Festival\nTime: 1 s")
    index, _ = _with_records(tmp_path, claim, bare)
    level = turned(TWO_WAYS, turn)
    by_pushes, by_moves = index.known(level)
    assert (by_pushes.solution.pushes, by_pushes.credit) == (2, "YASS 2.86")
    assert (by_moves.solution.moves, by_moves.credit) == (8, "Festival")
    for known in (by_pushes, by_moves):
        assert verify(level.board, level.start, known.solution.lurd) == known.solution


def test_of_equal_solutions_that_of_the_own_pack_is_known(tmp_path: Path) -> None:
    index = _open(tmp_path)
    files = [_file(tmp_path, f"{name}.txt", TWO_WAYS.xsb()) for name in ("one", "two", "three")]
    for file in files:
        level = TWO_WAYS.replace(records=(Record(f"Solution 8/3 ({file.name})", FEWEST_MOVES),))
        index.learn(file, open_pack(file)._replace(levels=(level,)), stamp_of(file))
    assert [index.replay_best(TWO_WAYS, index.known_rows(TWO_WAYS, file.key))[0].credit for file in files] == [
        "one",
        "two",
        "three",
    ]
    assert index.known(TWO_WAYS)[0].credit == "one"


@pytest.mark.parametrize(
    ("title", "notes", "name"),
    [
        ("Best Solution 8/3 (YASS 2.86 Optimizer)", "Optimizer: YASS 3", "YASS 2.86 Optimizer"),
        ("Solution/Moves 8/3", "Solver: Festival", "Festival"),
        ("Solution/Moves 8/3", "", "from here"),
        ("Tomo", "", "Tomo"),
        ("Tomo", "Solver: Festival", "Festival"),
        ("SaveGame 3", "", "from here"),
        ("Snapshot1", "", "from here"),
        ("12", "", "from here"),
        ("", "", "from here"),
        ("A sentence that goes on and on, and is no name at all", "", "from here"),
    ],
)
def test_a_solution_is_named_as_its_record_claims(title: str, notes: str, name: str) -> None:
    (known,) = solutions_of(TWO_WAYS.replace(records=(Record(title, FEWEST_MOVES, notes),)), "here")
    assert known.credit == name


def test_all_solutions_of_a_level_are_told_once() -> None:
    records = tuple(Record(name, moves) for name, moves in zip("abc", (FEWEST_MOVES, FEWEST_PUSHES, FEWEST_MOVES)))
    known = solutions_of(TWO_WAYS.replace(records=records), "two")
    assert [each.credit for each in known] == ["b", "a"]


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_of_an_index_of_an_earlier_version_the_grades_are_kept(tmp_path: Path, version: int) -> None:
    with closing(sqlite3.connect(tmp_path / "library.db")) as connection, connection:
        for statement in chain.from_iterable(MIGRATIONS[:version]):
            connection.execute(statement)
        for statement in ("CREATE TABLE pack (key TEXT)", "CREATE TABLE level (hash TEXT)"):
            connection.execute(statement)
        if version > 2:
            values = "(hash, version, number, shown) VALUES ('hash', 1, 71, '71+')"
            connection.execute(f"INSERT INTO grade {values}")
        connection.execute(f"PRAGMA user_version = {version}")
    index = _open(tmp_path)
    assert index.titles() == {}
    assert index.graded(["hash"], 1) == ({"hash": Grade(71, "71+")} if version > 2 else {})
    file = _file(tmp_path, "rooms.txt", "Author: A. Person\n\n" + ROOM.xsb())
    assert _learn(index, file) == index.entry(file)


def test_what_does_not_solve_its_level_is_not_kept(tmp_path: Path) -> None:
    index, _ = _with_records(tmp_path, Record("Solution", "rrr"), Record("Savegame", FEWEST_MOVES[:3]))
    assert index.known(TWO_WAYS) == []


def test_the_pack_is_named_where_no_one_else_is(tmp_path: Path) -> None:
    index, _ = _with_records(tmp_path, Record("Solution/Moves", FEWEST_MOVES))
    (known,) = index.known(TWO_WAYS)
    assert known.credit == "from two"


def test_the_solutions_of_a_large_pack_are_known_however_long(tmp_path: Path) -> None:
    # Walks to and fro without a push, a million and a half steps, and then the shortest solution.
    walks = [Record("Solution", "rl" * count + FEWEST_MOVES) for count in (15_000, 300_000, 400_000, 0)]
    index, _ = _with_records(tmp_path, *walks)
    assert [known.solution.moves for known in index.known(TWO_WAYS)] == [8]
    index, _ = _with_records(tmp_path, walks[1])
    assert [known.solution.moves for known in index.known(TWO_WAYS)] == [600_008]


def test_a_level_is_not_called_without_a_solution_if_not_all_its_records_were_looked_at(tmp_path: Path) -> None:
    short, long = Record("Solution", "2(rl)" + FEWEST_MOVES), Record("Savegame", "999999(rl)")
    for records, has, has_not in (
        ((Record("Solution", "4000000(rl)" + FEWEST_MOVES), Record("Solution", "3(" + FEWEST_MOVES)), 0, 1),
        ((long, short), 1, 0),
        ((long,) * 6 + (short,), 0, 0),
    ):
        index, file = _with_records(tmp_path, *records)
        for text, number in (("has:solution", has), ("not has:solution", has_not)):
            assert (text, len(found_in(index, file, text))) == (text, number)
    (known,) = solutions_of(TWO_WAYS.replace(records=(long, short)), "two")
    assert known.solution.moves == 12


def test_learning_slowly_stops_after_each_level(tmp_path: Path) -> None:
    index = _open(tmp_path)
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    assert list(index.learning(file, open_pack(file), stamp_of(file))) == [None, None]
    assert index.entry(file) is not None


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"no database" * 1000)
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    assert len(index.notices) == 1
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    _learn(index, file)
    assert index.entry(file) is not None


def test_a_key_in_the_wrong_place_of_a_damaged_file_stops_nothing(tmp_path: Path) -> None:
    """With a flipped bit the file gives rows of other packs than those asked for."""
    files = [_file(tmp_path, f"{name}.txt", TWO_LEVELS) for name in "abcdefgh"]
    with closing(_open(tmp_path)) as index:
        entries = {file.key: _learn(index, file) for file in files}
    path = tmp_path / "library.db"
    content = path.read_bytes()
    matches = [match for file in files for match in re.finditer(re.escape(file.key.encode()), content)]
    places = [match.end() - len("a.txt") for match in matches]
    assert len(places) == 16
    keys = list(entries)
    for place, bit in product(places, range(5)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
        with closing(LibraryIndex.open(str(path), ticking())) as index:
            assert index.entries(files).items() <= entries.items()
            assert index.hashes(keys).keys() == entries.keys()
            assert not any(index.grades(key, 1) for key in keys)
            every = condition(EVERY, lambda _: (), lambda _: {})
            assert {row.key for row in index.find_levels(keys, every, 1)} <= entries.keys()


def test_a_folder_that_cannot_be_had_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = LibraryIndex.open(str(tmp_path / "file" / "library.db"), ticking())
    (notice,) = index.notices
    assert notice.endswith("the library is not saved")
    file = _file(tmp_path, "rooms.txt", TWO_LEVELS)
    assert _learn(index, file) == index.entry(file)


def test_what_does_not_last_is_known_in_this_session_alone(tmp_path: Path) -> None:
    passing = pack_from_bytes(f"{ROOM.xsb()}\nTitle: Heard\n\nSolution\n{ROOM_SOLUTION}\n".encode())
    grade = {level_hash(ROOM): Grade(7, "7")}
    with closing(_open(tmp_path)) as index:
        _learn(index, passing)
        _learn(index, _file(tmp_path, "ways.txt", TWO_WAYS.xsb()))
        index.keep_grades(grade, 1)
        assert index.entry(passing) is not None
        assert index.grades(passing.key, 1) == {1: Grade(7, "7")}
        assert found_in(index, passing, "heard") == [1]
        assert [place.key for place in index.names_of(level_hash(ROOM))] == [passing.key]
        (known,) = index.known(ROOM)
        assert known.solution.lurd == ROOM_SOLUTION
        with closing(_open(tmp_path)) as other:
            _assert_unknown(other, passing)
            assert other.grades(passing.key, 1) == {}
    with closing(_open(tmp_path)) as index:
        _assert_unknown(index, passing)
        assert len(index.titles()) == 1
    with closing(sqlite3.connect(tmp_path / "library.db")) as connection:
        assert connection.execute("SELECT count(*) FROM grade").fetchone() == (0,)


def _assert_unknown(index: LibraryIndex, file: PackFile) -> None:
    assert index.entry(file) is None
    assert index.hashes([file.key]) == {file.key: {}}
    assert not found_in(index, file)
    assert index.names_of(level_hash(ROOM)) == []
    assert index.known(ROOM) == []
