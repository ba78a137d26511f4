"""``sokoterm add``: packs are copied to the library; with ``--new-only``, levels that it has are left out."""

import gzip
import os
import sqlite3
import threading
from functools import partial
from pathlib import Path
from time import time
from zipfile import ZipFile

import pytest

from sokoterm.commands.support.library import learn_packs, opened_index
from sokoterm.commands.support.parser import Reading
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.registry import write
from sokoterm.store.adding import LibraryFolder
from sokoterm.store.packs import added_packs, bundled_packs, find_packs, open_pack
from sokoterm.store.progress import opened_progress
from tests.slow import others_slow
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.store.archived import zipped

pytestmark = pytest.mark.usefixtures("first_steps_alone")

BROKEN = "####\n#@$#\n####"


def test_a_pack_is_copied_and_known(command: Command) -> None:
    pack = command.pack("small.txt", [ONE_PUSH, TWO_PUSHES])
    result = command("add", pack)
    assert (result.status, result.out, result.err) == (0, "small.txt: 2 levels, all new\n", "")
    copy = command.data / "packs" / "small.txt"
    assert copy.read_bytes() == pack.read_bytes()
    assert os.listdir(copy.parent) == ["small.txt"]
    with command.index() as index:
        (file,) = added_packs(str(copy.parent), index.stamps())
        entry = index.entry(file)
    assert entry is not None
    assert (entry.levels, entry.unreadable) == (2, 0)


def test_the_same_pack_is_not_copied_twice_and_another_gets_a_number(command: Command) -> None:
    pack = command.pack("small.txt", [ONE_PUSH])
    command("add", pack)
    again = command("add", pack)
    assert (again.status, again.out) == (0, "small.txt: 1 level, already there\n")
    command.pack("small.txt", [ONE_PUSH, TWO_PUSHES])
    other = command("add", pack)
    assert other.out == "small 2.txt: 2 levels, 1 of them new\n"
    assert command.added() == ["small", "small 2"]


def test_what_a_killed_add_left_is_removed_where_the_next_one_writes(command: Command) -> None:
    left = [
        command.data / "packs" / ".sokoterm-0123456789ab.tmp",
        command.data / "packs" / "many" / ".sokoterm-0123456789ab.tmp",
    ]
    paths = [command.pack("a.txt", [ONE_PUSH]), command.pack("many/b.txt", [TWO_PUSHES])]
    left[1].parent.mkdir(parents=True)
    for path in left:
        path.write_bytes(b"")
        os.utime(path, (0, 0))
    assert command("add", paths[0]).status == 0
    assert [path.exists() for path in left] == [False, True]
    assert command("add", paths[1].parent).status == 0
    assert [path.exists() for path in left] == [False, False]


def test_what_cannot_be_read_is_named(command: Command) -> None:
    pack = command.pack("small.txt", [ONE_PUSH, BROKEN])
    result = command("add", pack, command.folder / "missing")
    assert result.status == 2
    assert result.out == "small.txt: 1 level, 1 cannot be read, all new\n"
    missing, unreadable = result.err.splitlines()
    assert "missing" in missing
    assert "level 2" in unreadable
    assert command.added() == ["small"]


def test_folders_and_archives_keep_their_names(command: Command) -> None:
    source = command.file("source/a.xsb", ONE_PUSH).parent
    command.file("source/sub/b.txt", TWO_PUSHES)
    with ZipFile(source / "many.zip", "w") as archive:
        archive.writestr("inner/c.sok", STUCK)
    (source / "d.txt.gz").write_bytes(gzip.compress(ONE_PUSH.encode()))
    command.done("add", source)
    assert command.added() == ["source/a", "source/d", "source/many/inner/c", "source/sub/b"]
    assert (command.data / "packs" / "source" / "d.txt").read_text() == ONE_PUSH
    assert (command.data / "packs" / "source" / "many" / "inner" / "c.sok").read_text() == STUCK


@pytest.mark.parametrize("path", ["source", "source/", "source/sub/..", "source.zip", "many.zip"])
def test_what_holds_several_packs_gives_them_its_name(command: Command, path: str) -> None:
    command.file("source/a.xsb", ONE_PUSH)
    command.file("source/sub/b.xsb", TWO_PUSHES)
    for name, above in (("source.zip", "source/"), ("many.zip", "")):
        with ZipFile(command.folder / name, "w") as archive:
            archive.writestr(f"{above}a.xsb", ONE_PUSH)
            archive.writestr(f"{above}b.xsb", TWO_PUSHES)
    assert command("add", f"{command.folder}/{path}").status == 0
    above = "many" if path == "many.zip" else "source"
    assert command.added() == [f"{above}/a", f"{above}/b" if path.endswith("zip") else f"{above}/sub/b"]


def test_an_archive_of_one_pack_is_that_pack(command: Command) -> None:
    with ZipFile(command.folder / "one.zip", "w") as archive:
        archive.writestr("small.xsb", ONE_PUSH)
    command("add", command.folder / "one.zip")
    assert command.added() == ["small"]


def test_a_pack_of_which_no_level_is_new_is_added_and_that_is_said(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH, TWO_PUSHES]))
    turned = command.pack("turned.txt", ["#####\n#.$@#\n#####", "######\n#. $@#\n######"])
    assert command("add", turned) == (0, "turned.txt: 2 levels, added, though no level is new\n", "")
    one = command.pack("one.txt", [TWO_PUSHES])
    assert command("add", one) == (0, "one.txt: 1 level, added, though its level is not new\n", "")
    assert command.added() == ["one", "small", "turned"]
    assert command("add", one).out == "one.txt: 1 level, already there\n"


def test_a_pack_may_be_given_a_name(command: Command) -> None:
    command.feed(ONE_PUSH)
    assert command("add", "-", "--name", "Mine/first") == (
        0,
        f"{os.path.join('Mine', 'first.txt')}: 1 level, all new\n",
        "",
    )
    assert command("add", command.pack("small.txt", [TWO_PUSHES]), "--name", "second").status == 0
    assert command.added() == ["Mine/first", "second"]
    with command.index() as index:
        assert {"first", "second"} <= set(index.titles().values())
    assert command.refusal("add", command.folder, "--name", "all")


def test_help_says_where_packs_lie_and_how_they_are_taken_out(command: Command) -> None:
    text = " ".join(command("add", "--help").out.split())
    assert "Use `sokoterm remove` and `sokoterm rename` to" in text
    assert f"packs {command.data / 'packs'}" in text


@pytest.mark.parametrize("lock", others_slow(["EXCLUSIVE", "IMMEDIATE"]))
@pytest.mark.parametrize("is_first", [False, True])
def test_another_session_that_writes_is_waited_for(command: Command, is_first: bool, lock: str) -> None:
    if is_first:
        command.data.mkdir()
    else:
        command("add", command.pack("small.txt", [ONE_PUSH]))
    blocker = sqlite3.connect(command.data / "library.db", isolation_level=None, check_same_thread=False)
    blocker.execute(f"BEGIN {lock}")
    release = threading.Timer(0.5, lambda: blocker.execute("ROLLBACK"))
    release.start()
    result = command("add", command.pack("other.txt", [TWO_PUSHES]))
    release.join()
    blocker.close()
    assert result == (0, "other.txt: 1 level, all new\n", "")
    with command.index() as index:
        assert "other" in index.titles().values()


def test_what_is_listed_already_is_not_copied(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH]))
    assert command("add", command.data / "packs").out == "small.txt: 1 level, already there\n"
    shipped = "first-steps.txt: 32 levels, already listed: it is bundled with sokoterm\n"
    assert command.done("add", bundled_packs()[0].path).out == shipped
    assert command.added() == ["small"]


def test_a_folder_that_cannot_be_written_is_said(command: Command) -> None:
    command.file("sokoterm_data/packs", "in the way")
    assert "cannot be" in command.refusal("add", command.pack("small.txt", [ONE_PUSH]))


def test_limits_and_the_encoding_can_be_set(command: Command) -> None:
    pack = command.folder / "named.txt"
    pack.write_bytes(f"{ONE_PUSH}\nTitle: 推箱子\n\n{TWO_PUSHES}\n".encode("gb18030"))
    result = command("add", pack, "--max-levels", "1")
    assert (result.status, result.out, "found more than 1 level" in result.err) == (2, "", True)
    assert command("add", pack, "--encoding", "gb18030").status == 0
    assert "推箱子" in command("info", command.data / "packs" / "named.txt").out
    assert "already there" in command("add", pack, "--encoding", "gb18030").out


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "README.md",
            "# A program\n\nFor `boxes`.\n\n| key | |\n|---|---|\n| `#` | wall |\n",
            "expected boards of # @ $ .",
        ),
        ("titles.txt", "Title: A\n", "found no levels, expected boards of # @ $ . characters"),
        ("broken.txt", BROKEN, "no readable level"),
        (
            "empty.slc",
            "<SokobanLevels><Title>A</Title><LevelCollection></LevelCollection></SokobanLevels>",
            "found no level",
        ),
    ],
)
def test_what_has_no_level_is_refused(command: Command, name: str, text: str, said: str) -> None:
    assert said in command.refusal("add", command.file(name, text))
    assert command.added() == []


def test_levels_that_were_only_looked_at_are_new(command: Command) -> None:
    pack = command.pack("looked at/a.txt", [ONE_PUSH, TWO_PUSHES])
    folder = pack.parent
    with command.index() as index:
        (file,) = find_packs(str(folder))
        index.learn(file, open_pack(file), None)  # as the list of packs does when a folder is opened
    assert command("add", folder).out == "looked at/a.txt: 2 levels, all new\n"
    pack.write_text(f"{TWO_PUSHES}\n\n{SEED}")
    assert command("add", pack).out == "a.txt: 2 levels, 1 of them new\n"


@pytest.mark.parametrize("name", others_slow(["all.sok", "all.txt", "all.xsb.gz", "all.zip"]))
def test_a_pack_whose_boards_are_far_down_stays_in_the_library(command: Command, name: str) -> None:
    """Longer texts than a file is judged by; fenced code in them is no reason to pass it over."""
    shelf = command.folder / "shelf"
    shelf.mkdir()
    text = (":: terms\n" * 10_000 + f"::\n```\n\n{ONE_PUSH}\n\n{TWO_PUSHES}\n").encode()
    packed = {"all.zip": zipped({"all.txt": text}), "all.xsb.gz": gzip.compress(text)}
    (shelf / name).write_bytes(packed.get(name, text))
    assert command("add", shelf).out.startswith("shelf/all")
    (command.data / "library.db").unlink()
    assert command("list", "pack:all").out.endswith("2 levels of 1 pack, 0 solved\n")
    assert command("info", "shelf/all").status == 0
    assert command("rename", "all", "none").status == 0
    assert command("remove", "none", "--yes").status == 0


def test_a_merge_with_long_texts_keeps_its_solutions_without_the_index_and_elsewhere(command: Command) -> None:
    """Texts of packs that fill more than a file is judged by, 16 solutions of files, and one that the solver found."""
    for number in range(24):
        corridor = f"#@{' ' * number}$ .#"
        rows = "\n".join(["#" * len(corridor), corridor, "#" * len(corridor)])
        solution = f"Solution\n{'r' * number}RR\n" if number % 3 else ""
        command.file(f"shelf/{number}.sok", f":: {number}: {'terms of use ' * 230}\n\n{rows}\n{solution}")
    merged, there = command.folder / "merged.sok", command.folder / "there"
    assert command("duplicates", command.folder / "shelf", "--write", merged, "--texts").status == 0
    assert merged.read_bytes().index(b"#####") > 1 << 16
    assert command("add", merged).out == "merged.sok: 24 levels, all new\n"
    assert command("solve", "merged", "-l", "1", "--remember").status == 0

    def counts(*pack: str | Path) -> list[int]:
        queries = ("has:solution", "not has:solution", "solved")
        return [len(command("list", query, "--json", "--in", *pack).objects) for query in queries]

    assert counts("merged") == [17, 7, 0]
    (command.data / "library.db").unlink()
    assert counts("merged") == [17, 7, 0]
    assert command("progress", "import", merged).out.startswith("16 levels, 16 solutions: 16 new or better")
    exports = [command.folder / name for name in ("here.sok", "there.sok")]
    assert command("progress", "export", exports[0]).status == 0
    assert command("progress", "import", exports[0], "--data-dir", there).status == 0
    assert command("progress", "export", exports[1], "--data-dir", there).status == 0
    assert exports[0].read_bytes() == exports[1].read_bytes()
    assert counts(merged, "--data-dir", there) == counts("merged") == [17, 7, 16]


def test_a_file_named_as_packs_alone_are_is_listed_though_it_is_damaged(command: Command) -> None:
    for name in ("lost.sok", "notes.txt"):
        command.file(f"sokoterm_data/packs/{name}", "")
    result = command("list", "boxes:1")
    assert (result.status, result.err.count("\n"), "lost.sok: found an empty file" in result.err) == (2, 1, True)


TURNED = "######\n#. $@#\n######"  # TWO_PUSHES from the other side


def test_what_the_library_has_is_left_out_and_counted(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH, TWO_PUSHES]))
    more = command.pack("more.txt", [TURNED, SEED, STUCK])
    assert command("add", "--new-only", more) == (0, "more.txt: 3 levels, 2 of them new, 1 left out\n", "")
    pack = open_pack(find_packs(str(command.data / "packs" / "more.txt"))[0])
    assert [level.xsb() for level in pack.levels] == [SEED, STUCK]
    assert [level.title for level in pack.levels] == ["B", "C"]
    assert command("add", "--new-only", more).out == f"{more}: 3 levels, not added: no level is new\n"
    assert command.added() == ["more", "small"]


def test_a_pack_of_new_levels_is_copied_as_it_is(command: Command) -> None:
    pack = command.folder / "odd.txt"
    pack.write_bytes(f"Remark\r\n\r\n{ONE_PUSH}\r\n\r\n{BROKEN}\r\n".encode())
    result = command("add", "--new-only", pack)
    assert (result.status, result.out) == (2, "odd.txt: 1 level, 1 cannot be read, all new\n")
    assert (command.data / "packs" / "odd.txt").read_bytes() == pack.read_bytes()


def test_a_pack_without_a_new_level_is_not_added_and_that_is_said(command: Command) -> None:
    pack = bundled_packs()[0]
    copy = command.file("copy.txt", open_pack(pack).levels[4].xsb())
    assert command("add", "--new-only", copy) == (0, f"{copy}: 1 level, not added: its level is not new\n", "")
    assert command.added() == []


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
    step = Level.from_xsb(ONE_PUSH).replace(title="Step", records=(Record("Solution (Ann)", "R"),))
    corridor = Level.from_xsb(TWO_PUSHES).replace(
        number=2, title="Corridor", author="Bob", comment="My favourite.", records=(Record("Solution (Bob)", "RR"),)
    )
    pack = Pack("Mixed", (step, corridor), author="Ann", comment="A word about all.")
    mixed.write_bytes(write(pack, "sok").data)
    result = command("add", "--new-only", mixed)
    out = "mixed.sok: 2 levels, 1 of them new, 1 left out (solutions and saved games: 1, kept as known: 1)\n"
    assert result == (0, out, "")
    before = open_pack(find_packs(str(mixed))[0])
    after = open_pack(find_packs(str(command.data / "packs" / "mixed.sok"))[0])
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
    assert [len(open_pack(pack).levels) for pack in added_packs(str(command.data / "packs"), {})] == [1, 1, 1]


def test_packs_put_into_the_folder_by_hand_count(command: Command) -> None:
    command.file("sokoterm_data/packs/mine/own.txt", TURNED)
    pack = command.pack("small.txt", [TWO_PUSHES])
    assert "its level is not new" in command("add", "--new-only", pack).out


def test_json_tells_what_is_left_out(command: Command) -> None:
    command("add", command.pack("small.txt", [ONE_PUSH]))
    packs = [command.pack("more.txt", [ONE_PUSH, SEED]), command.pack("none.txt", [ONE_PUSH])]
    more, none = command("add", "--new-only", "--json", *packs).objects
    names = ("levels", "new", "added", "left_out", "records_left_out", "solutions_kept")
    assert [more[name] for name in names] == [2, 1, True, 1, 0, 0]
    assert [none[name] for name in names] == [1, 0, False, 1, 0, 0]
    assert (more["file"], none["file"]) == (str(command.data / "packs" / "more.txt"), None)


def _solved(rows: str, *records: Record) -> str:
    return write(Pack("", (Level.from_xsb(rows).replace(records=records),)), "sok").data.decode()


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
    (command.data / "library.db").unlink()
    assert _known(command, there) == [("RR", "Bob")]


def test_a_solution_of_a_second_copy_in_a_pack_is_known(command: Command) -> None:
    pack = command.file("pack.sok", f"{TWO_PUSHES}\n\n{TURNED}\n\nSolution (Bob)\nLL\n")
    out = "pack.sok: 2 levels, 1 of them new, 1 left out (solutions and saved games: 1, kept as known: 1)\n"
    assert command("add", "--new-only", pack) == (0, out, "")
    assert _known(command, command.data / "packs" / "pack.sok") == [("RR", "Bob")]


def test_a_level_that_another_session_adds_meanwhile_is_not_new(command: Command) -> None:
    data = command.data
    first, second = command.pack("first.txt", [ONE_PUSH]), command.pack("second.txt", [ONE_PUSH, TWO_PUSHES])
    with opened_index(str(data)) as index, opened_progress(str(command.data / "progress.db"), time, print) as progress:
        learn = partial(learn_packs, index, reading=Reading())
        mine, other = (LibraryFolder(str(command.data / "packs"), index, learn, progress=progress) for _ in range(2))
        assert [other.add(file).new for file in find_packs(str(first))] == [1]
        assert [(added := mine.add(file)).new for file in find_packs(str(second))] == [1]
    assert len(added.left_out) == 1
