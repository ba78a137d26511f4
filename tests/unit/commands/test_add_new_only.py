"""``sokoterm add --new-only``: levels that the library has are left out."""

import random
from pathlib import Path
from time import time

from sokoterm.commands.add import LibraryFolder
from sokoterm.commands.support.library import opened_index
from sokoterm.commands.support.parser import Reading
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import write
from sokoterm.store.packs import added_packs, bundled_packs, find_packs, open_pack
from sokoterm.store.progress import opened_progress
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

TURNED = "######\n#. $@#\n######"  # TWO_PUSHES from the other side
BROKEN = "####\n#@$#\n####"


def _folder(command: Command) -> Path:
    return command.folder / "sokoterm_data" / "packs"


def _packs(command: Command) -> list[str]:
    return [pack.name for pack in added_packs(str(_folder(command)), {})]


def test_what_the_library_has_is_left_out_and_counted(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH, TWO_PUSHES]))
    more = command.pack("more.txt", [TURNED, SEED, STUCK])
    assert command("add", "--new-only", more) == (0, "more.txt: 3 levels, 2 of them new, 1 left out\n", "")
    pack = open_pack(find_packs(str(_folder(command) / "more.txt"))[0])
    assert [level.xsb() for level in pack.levels] == [SEED, STUCK]
    assert [level.title for level in pack.levels] == ["B", "C"]
    assert command("add", "--new-only", more).out == f"{more}: 3 levels, not added: no level is new\n"
    assert _packs(command) == ["more", "small"]


def test_a_pack_of_new_levels_is_copied_as_it_is(command: Command) -> None:
    pack = command.folder / "odd.txt"
    pack.write_bytes(f"Remark\r\n\r\n{ONE_PUSH}\r\n\r\n{BROKEN}\r\n".encode())
    result = command("add", "--new-only", pack)
    assert (result.status, result.out) == (2, "odd.txt: 1 level, 1 cannot be read, all new\n")
    assert (_folder(command) / "odd.txt").read_bytes() == pack.read_bytes()


def test_a_pack_without_a_new_level_is_not_added_and_that_is_said(command: Command) -> None:
    pack = bundled_packs()[0]
    copy = command.folder / "copy.txt"
    copy.write_text(open_pack(pack).levels[4].xsb())
    assert command("add", "--new-only", copy) == (0, f"{copy}: 1 level, not added: its level is not new\n", "")
    assert _packs(command) == []


def test_no_puzzle_is_added_twice_from_the_packs_given(command: Command) -> None:
    first = command.pack("first.txt", [TWO_PUSHES, ONE_PUSH, TURNED])
    second = command.pack("second.txt", [ONE_PUSH, SEED])
    result = command("add", "--new-only", first, second)
    assert result.out.splitlines() == [
        "first.txt: 3 levels, 2 of them new, 1 left out",
        "second.txt: 2 levels, 1 of them new, 1 left out",
        "3 new levels in 2 packs added, 2 levels left out",
    ]


def test_texts_numbers_and_solutions_are_kept(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH]))
    mixed = command.folder / "mixed.sok"
    step = Level.from_xsb(ONE_PUSH)._replace(title="Step", records=(Record("Solution (Ann)", "R"),))
    corridor = Level.from_xsb(TWO_PUSHES)._replace(
        number=2, title="Corridor", author="Bob", comment="My favourite.", records=(Record("Solution (Bob)", "RR"),)
    )
    pack = Pack("Mixed", (step, corridor), author="Ann", comment="A word about all.")
    mixed.write_bytes(write(pack, "sok").data)
    result = command("add", "--new-only", mixed)
    out = "mixed.sok: 2 levels, 1 of them new, 1 left out (solutions and saved games: 1, kept as known: 1)\n"
    assert result == (0, out, "")
    before = open_pack(find_packs(str(mixed))[0])
    after = open_pack(find_packs(str(_folder(command) / "mixed.sok"))[0])
    assert (after.title, after.author, after.comment) == (before.title, before.author, before.comment)
    kept, (level,) = before.levels[1], after.levels
    assert (level.title, level.author, level.comment) == (kept.title, kept.author, kept.comment)
    assert level.records == kept.records
    assert dict(level.metadata)["collection"] == "Mixed 2"


def test_a_format_that_cannot_note_numbers_becomes_sok(command: Command) -> None:
    levels = command.pack("small.txt", [ONE_PUSH, SEED])
    command("convert", levels, "-o", command.folder / "made.slc")
    command("add", command.pack("there.txt", [ONE_PUSH]))
    assert command("add", "--new-only", command.folder / "made.slc").out.startswith("made.sok: 2 levels, 1 of")
    command("convert", command.pack("last.txt", [STUCK, ONE_PUSH]), "-o", command.folder / "last.slc")
    assert command("add", "--new-only", command.folder / "last.slc").out.startswith("last.slc: 2 levels, 1 of")
    assert [len(open_pack(pack).levels) for pack in added_packs(str(_folder(command)), {})] == [1, 1, 1]


def test_packs_put_into_the_folder_by_hand_count(command: Command) -> None:
    (_folder(command) / "mine").mkdir(parents=True)
    (_folder(command) / "mine" / "own.txt").write_text(TURNED)
    pack = command.pack("small.txt", [TWO_PUSHES])
    assert "its level is not new" in command("add", "--new-only", pack).out


def test_json_tells_what_is_left_out(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH]))
    packs = [command.pack("more.txt", [ONE_PUSH, SEED]), command.pack("none.txt", [ONE_PUSH])]
    more, none = command("add", "--new-only", "--json", *packs).objects
    names = ("levels", "new", "added", "left_out", "records_left_out", "solutions_kept")
    assert [more[name] for name in names] == [2, 1, True, 1, 0, 0]
    assert [none[name] for name in names] == [1, 0, False, 1, 0, 0]
    assert (more["file"], none["file"]) == (str(_folder(command) / "more.txt"), None)


def _solved(rows: str, *records: Record) -> str:
    return write(Pack("", (Level.from_xsb(rows)._replace(records=records),)), "sok").data.decode()


def _known(command: Command, pack: Path) -> list[tuple[object, object]]:
    """The moves and the credit of the known solutions of the one level of a pack, which nobody has solved."""
    (row,) = command("info", pack, "--json").objects
    assert not row["solved"]
    assert isinstance(row["known"], list)
    return [(each["lurd"], each["credit"]) for each in row["known"]]


def test_solutions_of_a_level_left_out_are_known_if_they_are_better(command: Command) -> None:
    there = command.pack("there.txt", [FEWER_MOVES])
    command("add", there)
    brought = command.folder / "brought.sok"
    moves = {"pushes": "ullddrUluR", "moves": "LdlUluRR"}
    turned = "\n".join(line[::-1] for line in FEWER_MOVES.split("\n"))
    mirrored = {name: lurd.translate(str.maketrans("lrLR", "rlRL")) for name, lurd in moves.items()}
    for records, kept in (
        ([Record("Solution (Ann)", f"ud{mirrored['moves']}")], 1),
        ([Record("Solution", mirrored["moves"]), Record("Solution (Ann)", f"ud{mirrored['moves']}")], 1),
        ([Record("Solution", mirrored["moves"])], 0),
        ([Record("Savegame", mirrored["pushes"][:4]), Record("Solution", mirrored["moves"][:4])], 0),
        ([Record("Solution (Bob)", mirrored["pushes"])], 1),
    ):
        brought.write_text(_solved(turned, *records))
        (row,) = command("add", "--new-only", "--json", brought).objects
        assert (row["added"], row["records_left_out"], row["solutions_kept"]) == (False, len(records), kept)
    assert _known(command, there) == [(moves["pushes"], "Bob"), (moves["moves"], "from brought")]


def test_a_solution_that_the_library_has_is_not_kept_beside_it(command: Command) -> None:
    there = command.folder / "there.sok"
    there.write_text(_solved(TWO_PUSHES, Record("Solution (Ann)", "RR")))
    command("add", there)
    bare, brought = command.pack("bare.txt", [TWO_PUSHES]), command.folder / "brought.sok"
    brought.write_text(_solved(TURNED, Record("Solution (Bob)", "LL")))
    result = command("add", "--new-only", brought)
    assert result.out == f"{brought}: 1 level, not added: its level is not new (solutions and saved games: 1)\n"
    assert _known(command, bare) == [("RR", "Ann")]


def test_a_solution_known_from_the_file_itself_is_kept(command: Command) -> None:
    """The file was looked at before, so the index has its solutions, but only as long as it is there."""
    there = command.pack("there.txt", [TWO_PUSHES])
    command("add", there)
    brought = command.folder / "brought.sok"
    brought.write_text(_solved(TURNED, Record("Solution (Bob)", "LL")))
    assert len(command("list", "--in", brought, "--json").objects) == 1
    assert _known(command, there) == [("RR", "Bob")]
    assert command("add", "--new-only", "--json", brought).objects[0]["solutions_kept"] == 1
    assert _known(command, there) == [("RR", "Bob")]
    (command.folder / "sokoterm_data" / "library.db").unlink()
    assert _known(command, there) == [("RR", "Bob")]


def test_a_solution_of_a_second_copy_in_a_pack_is_known(command: Command) -> None:
    pack = command.folder / "pack.sok"
    pack.write_text(f"{TWO_PUSHES}\n\n{TURNED}\n\nSolution (Bob)\nLL\n")
    out = "pack.sok: 2 levels, 1 of them new, 1 left out (solutions and saved games: 1, kept as known: 1)\n"
    assert command("add", "--new-only", pack) == (0, out, "")
    assert _known(command, _folder(command) / "pack.sok") == [("RR", "Bob")]


def test_many_packs_give_each_puzzle_once(command: Command) -> None:
    chance = random.Random(1)
    corridors = [_corridor(before, between) for before in range(5) for between in range(6)]
    folder = command.folder / "many"
    folder.mkdir()
    used = set[str]()
    for number in range(6):
        some = chance.sample(corridors, 8)
        used.update(map(level_hash, some))
        command.pack(f"many/{number}.txt", [level.turned(chance.choice(SYMMETRIES)).xsb() for level in some])
    command("add", "--new-only", folder)
    found = [level_hash(level) for pack in added_packs(str(_folder(command)), {}) for level in open_pack(pack).levels]
    assert len(found) == len(set(found))
    assert set(found) == used


def _corridor(before: int, between: int) -> Level:
    row = f"#@{' ' * before}$ {' ' * between}.#"
    return Level.from_xsb("\n".join(["#" * len(row), row, "#" * len(row)]))


def test_a_level_that_another_session_adds_meanwhile_is_not_new(command: Command) -> None:
    data = command.folder / "sokoterm_data"
    first, second = command.pack("first.txt", [ONE_PUSH]), command.pack("second.txt", [ONE_PUSH, TWO_PUSHES])
    with opened_index(str(data)) as index, opened_progress(str(data / "progress.db"), time, print) as progress:
        mine, other = (LibraryFolder(index, str(data / "packs"), Reading(), progress=progress) for _ in range(2))
        assert [other.add(file).new for file in find_packs(str(first))] == [1]
        assert [(added := mine.add(file)).new for file in find_packs(str(second))] == [1]
    assert len(added.left_out) == 1
