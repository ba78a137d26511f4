"""Packs by the names that lists show, and what the library knows of their levels."""

import re
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse
from sokoterm.store.packs import bundled_packs, bundled_title, packs_called
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command
from tests.unit.commands.starts import Starts

# Every verb that reads packs, with what it needs besides.
VERBS = [
    ("info", ()), ("hash", ()), ("duplicates", ()), ("convert", ("--to", "xsb")), ("list", ()),
    ("solve", ()), ("optimize", ("--level", "1", "--moves", "R")), ("verify", ("-l", "1", "--moves", "R")),
    ("reach", ("-l", "1", "--box", "2,3")), ("deadlock", ("-l", "1")),
    ("replay", ("-l", "1", "--print", "--moves", "R")),
]  # fmt: skip
MIRRORED = "######\n#. $@#\n######"


def library(command: Command, **packs: str) -> Path:
    """A library with packs of these names and texts; ``__`` stands for the slash after a folder."""
    folder = command.data / "packs"
    for name, text in packs.items():
        command.file(f"sokoterm_data/packs/{name.replace('__', '/')}.sok", text)
    return folder


@pytest.mark.parametrize(("verb", "flags"), VERBS)
def test_every_verb_finds_a_pack_by_its_name(command: Command, verb: str, flags: tuple[str, ...]) -> None:
    library(command, slc544__Zika=f"A\n\n{ONE_PUSH}\n")
    place = ("--in",) if verb == "list" else ()
    result = command(verb, *place, "slc544/Zika", *flags)
    assert (result.status in (0, 1), result.err) == (True, "")
    assert result.out
    unknown = command(verb, *place, "slc544/Zikka", *flags)
    assert unknown.status == 2
    problem = "sokoterm: slc544/Zikka: cannot be read: No such file or directory; is it slc544/Zika?"
    assert unknown.err.splitlines()[0] == problem


@pytest.mark.parametrize("name", ["slc544/Zika", "SLC544/zika", "Zika", "zika", "slc544/My pack", "my-pack"])
def test_capitals_and_folders_may_be_left_out(command: Command, name: str) -> None:
    library(command, slc544__Zika=f"A\n\n{ONE_PUSH}\n")
    library(command, **{"slc544__My pack": f"A\n\n{ONE_PUSH}\n"})
    assert command("hash", name).status == 0


@pytest.mark.parametrize("name", ["first-steps", "First Steps"])
def test_packs_that_ship_have_names_too(command: Command, name: str) -> None:
    assert command("info", name, "-l", "1", "--json").objects[0]["pack_title"] == "First Steps"


def test_packs_that_ship_go_by_their_titles(command: Command) -> None:
    for file in bundled_packs():
        title = bundled_title(file)
        for name in (title, title.lower().replace(" ", "-"), file.name):
            assert [each.name for each in packs_called(name, bundled_packs())] == [file.name]
    assert command("info", "first-ice", "-l", "1", "--json").objects[0]["pack_title"] == "First Ice"
    library(command, **{"First Ice": f"A\n\n{ONE_PUSH}\n"})  # was there before
    assert command("hash", "First Ice", "--json").objects[0]["title"] == "A"


def test_a_folder_of_the_library_stands_for_its_packs(command: Command) -> None:
    library(command, some__one=f"A\n\n{ONE_PUSH}\n", some__two=f"B\n\n{TWO_PUSHES}\n", other=f"C\n\n{ONE_PUSH}\n")
    assert [each["title"] for each in command("hash", "some", "--json").objects] == ["A", "B"]


def test_a_name_of_two_packs_is_not_guessed(command: Command) -> None:
    library(command, one__Zika=f"A\n\n{ONE_PUSH}\n", two__Zika=f"B\n\n{TWO_PUSHES}\n")
    result = command("info", "Zika")
    assert result.status == 2
    assert result.err == "sokoterm: Zika: found 2 packs of this name, expected one of one/Zika, two/Zika\n"


def test_two_packs_of_one_name_are_told_apart_by_suffix_or_path(command: Command) -> None:
    folder = library(command, one__Zika=f"A\n\n{ONE_PUSH}\n", **{"first-steps": f"B\n\n{ONE_PUSH}\n"})
    (folder / "one" / "Zika.xsb").write_text(TWO_PUSHES, "utf-8")
    expected = "found 2 packs of this name, expected one of one/Zika.sok, one/Zika.xsb"
    for name in ("one/Zika", "zika"):
        assert command("info", name).err == f"sokoterm: {name}: {expected}\n"
    for name in ("one/Zika.sok", "ZIKA.SOK"):
        assert [each["title"] for each in command("hash", name, "--json").objects] == ["A"]
    assert command("hash", "zika.xsb", "--json").objects[0]["title"] == ""
    assert "expected one of first-steps.sok, first-steps.txt" in command("info", "first-steps").err


def test_a_file_goes_before_a_name(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    library(command, Zika=f"A\n\n{ONE_PUSH}\n")
    command.file("Zika", f"Mine\n\n{TWO_PUSHES}\n")
    monkeypatch.chdir(command.folder)
    assert [each["title"] for each in command("hash", "Zika", "--json").objects] == ["Mine"]


def known(command: Command) -> None:
    """A level with a solution of one's own, and others of its file, of another pack, and found by the program."""
    library(
        command,
        mine=f"A\n\n{TWO_PUSHES}\n\nSolution 2/2 (Ann)\nRR\n",
        theirs=f"B\n\n{MIRRORED}\n\nSolution 6/2 (Bob)\nLrlrlL\n",
    )
    assert command("list").status == 0  # indexes the library
    with command.progress() as store:
        level = Level.from_xsb(TWO_PUSHES)
        assert store.record(level, "RlrR").problem is None
        store.keep_found(level, verify(level.board, level.start, "RlrlrlrR"), "the solver")


def test_info_keeps_ones_own_apart_from_what_is_known(command: Command) -> None:
    known(command)
    (found,) = command("info", "theirs", "--json").objects
    assert (found["solved"], found["helped"], found["solutions"]) == (True, False, 2)

    def said(field: str) -> list[tuple[object, object]]:
        solutions = found[field]
        assert isinstance(solutions, list)
        return [(each["lurd"], each.get("credit")) for each in solutions]

    assert said("own") == [("LrlL", "")]
    assert said("records") == [("LrlrlL", None)]
    assert said("known") == [("LrlrlrlL", "the solver"), ("LL", "Ann")]
    sheet = command("info", "theirs", "-l", "1").out
    assert "own best      4 moves, 2 pushes\n" in sheet
    assert "\nknown: 8 moves, 2 pushes, the solver\nknown: 2 moves, 2 pushes, Ann\n" in sheet


def test_replay_shows_ones_own_and_says_if_it_has_another(command: Command) -> None:
    known(command)
    pack = command.pack("in.xsb", [MIRRORED])
    result = command("replay", pack, "-l", "1", "--print")
    assert (result.out.splitlines()[0], result.err) == ("move 0/4 push 0/2", "")
    (command.data / "progress.db").unlink()
    result = command("replay", pack, "-l", "1", "--print")
    assert result.out.splitlines()[0] == "move 0/2 push 0/2"
    assert result.err == "sokoterm: the solution is not your own: 2 moves, 2 pushes, Ann\n"


def test_convert_adds_the_solutions_that_are_asked_for(command: Command) -> None:
    known(command)
    pack = command.pack("in.xsb", [TWO_PUSHES])

    def moves(sources: str) -> list[str]:
        assert command("convert", pack, "--with", sources, "-o", command.folder / "out.sok").status == 0
        (level,) = parse((command.folder / "out.sok").read_bytes(), "out").levels
        return [record.moves for record in level.records]

    assert moves("none") == []
    assert moves("own") == ["RlrR"]
    assert moves("known") == ["RlrlrlrR", "RR"]
    assert moves("all") == ["RlrR", "RlrlrlrR", "RR"]
    assert "\nSolution 2/2 (Ann)\nRR\n" in (command.folder / "out.sok").read_text("utf-8")
    assert command("convert", pack, "--no-progress", "-o", command.folder / "out.sok").status == 0
    assert "Solution" not in (command.folder / "out.sok").read_text("utf-8")


def test_numbered_files_of_one_level_are_played_on_as_one_pack(command: Command) -> None:
    """Their numbers are no suffixes: they stay in the names, and sort as numbers."""
    folder = command.folder / "screens"
    for number in (1, 10, 2):
        command.file(f"screens/screen.{number}", f"#{'#' * number}####\n#@{' ' * number}$.#\n#{'#' * number}####\n")
    names = [f"screen.{number}" for number in (1, 2, 10)]
    assert [each["pack"] for each in command("hash", folder, "--json").objects] == [
        str(folder / name) for name in names
    ]
    converted = command("convert", folder, "--to", "sok").out
    assert re.findall("Collection: (.*)", converted) == [" + ".join(names), *(f"{name} 1" for name in names)]
    assert command("add", folder).out.splitlines() == [f"screens/{name}.txt: 1 level, all new" for name in names]
    assert command("add", folder).out.count("already there") == 3
    assert [line.split()[0] for line in command("list", "--in", "screens").out.splitlines()[1:-1]] == [
        f"screens/{name}" for name in names
    ]
    starts = Starts(command, command.monkeypatch)
    talk = ["pack 1", *["right"] * 2, "enter", *["right"] * 3, "enter", "p", "n", *["right"] * 11, "n", "q"]
    said = starts.talk(talk, folder).out
    assert re.findall(r"(?m)^(screen\S+), level 1", said) == [
        "screen.1",
        "screen.2",
        "screen.10",
        "screen.2",
        "screen.10",
    ]
    assert ("next level: screen.2\n" in said, said.count("this is the last level")) == (True, 1)


def test_only_suffixes_of_level_files_are_cut_from_names(command: Command) -> None:
    folder = command.folder / "sets"
    for name in ("Dr. Fogh", "Set 2.0", "Set 2.0.xsb", "a.lvl", "b.old"):
        command.file(f"sets/{name}", ONE_PUSH if "." in name else TWO_PUSHES)
    assert {str(each["pack_title"]) for each in command("hash", folder, "--json").objects} == {
        "Dr. Fogh",
        "Set 2.0",
        "a",
        "b.old",
    }
    command("add", folder)
    assert command("info", "Dr. Fogh", "set 2.0.xsb", "b", "sets/b.old", "--json").status == 0
