"""``sokoterm add --new-only``: levels that the library has are left out."""

import random
from pathlib import Path

from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import write
from sokoterm.store.library_folder import added_packs
from sokoterm.store.packs import bundled_packs, find_packs, open_pack
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

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
    out = "mixed.sok: 2 levels, 1 of them new, 1 left out (solutions and saved games: 1)\n"
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
    names = ("levels", "new", "added", "left_out", "records_left_out")
    assert [more[name] for name in names] == [2, 1, True, 1, 0]
    assert [none[name] for name in names] == [1, 0, False, 1, 0]
    assert (more["file"], none["file"]) == (str(_folder(command) / "more.txt"), None)


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
