"""``sokoterm collect``: levels put into packs of one's own, taken out, moved, and given other texts."""

from pathlib import Path

import pytest

from sokoterm.store.library_folder import named_own
from sokoterm.store.packs import open_pack
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, WIDE, Command

pytestmark = pytest.mark.usefixtures("first_steps_alone")


@pytest.fixture(name="source")
def _source(command: Command) -> Path:
    titled = [
        f"Title: {title}\n\n{board}\n\nAuthor: Ann"
        for title, board in (("One", ONE_PUSH), ("Two", TWO_PUSHES), ("Wide", WIDE))
    ]
    return command.pack("more.sok", [f"{titled[0]}\n\nSolution\nR", *titled[1:], f"D\n\n{TWO_PUSHES[::-1]}"])


def titles(command: Command, name: str) -> list[str]:
    return [level.title for level in open_pack(named_own(str(command.data / "packs"), name)).levels]


def test_levels_go_to_the_favourites_or_to_a_named_pack_once(command: Command, source: Path) -> None:
    assert command("collect", source, "-l", "1-2") == (
        0,
        "added as level 1 of Favourites\nadded as level 2 of Favourites\n",
        "",
    )
    # The last one is the second, turned.
    result = command("collect", source, "-l", "2-4", "--into", "favourites", "--json")
    assert [(each["level"], each["title"], each["changed"]) for each in result.objects] == [
        (2, "Two", False),
        (3, "Wide", True),
        (2, "D", False),
    ]
    assert command("collect", source, "--into", "sub/all").status == 0
    assert command.added() == ["Favourites", "sub/all"]
    (one, *_) = open_pack(named_own(str(command.data / "packs"), "sub/all")).levels
    assert (one.title, one.author, one.records[0].moves) == ("One", "Ann", "R")


def test_levels_that_a_query_finds_are_collected(command: Command, source: Path) -> None:
    assert command("collect", source, "--where", "boxes:1", "--into", "easy").status == 0
    assert titles(command, "easy") == ["One", "Two"]
    assert command("collect", source, "--where", "boxes:99").status == 1


def test_levels_are_moved_entitled_and_taken_out(command: Command, source: Path) -> None:
    command("collect", source, "-l", "1-3", "--into", "mine")
    moved = "level 1 of mine is now level 2\nlevel 2 of mine is now level 3\n"
    assert command("collect", "mine", "-l", "1-2", "--move", "2") == (0, moved, "")
    assert titles(command, "mine") == ["Wide", "One", "Two"]
    assert (
        command("collect", "mine", "-l", "1", "--title", "A hall", "--note", "a | b", "--author", "").out
        == "saved: level 1 of mine\n"
    )
    first = open_pack(named_own(str(command.data / "packs"), "mine")).levels[0]
    assert (first.title, first.author, first.comment) == ("A hall", "", "a\nb")
    result = command("collect", "mine", "--where", "boxes:1", "--out", "--json")
    assert [(each["pack"], each["level"], each["title"]) for each in result.objects] == [
        ("mine", 2, "One"),
        ("mine", 3, "Two"),
    ]
    assert titles(command, "mine") == ["A hall"]


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["-l", "1", "--out", "--move", "2"], "use only one of --into, --out, --move and the options for texts"),
        (["--out"], "choose the levels with -l or --where"),
        (["-l", "1-2", "--title", "x"], "--title works with one level, not 2: use -l N"),
        (["first-steps", "-l", "1", "--out"], "found 2 packs; name one pack of your own"),
    ],
)
def test_what_cannot_be_meant_is_told_in_one_line(
    command: Command, source: Path, flags: list[str], problem: str
) -> None:
    command("collect", source, "--into", "mine")
    before = titles(command, "mine")
    result = command("collect", "mine", *flags)
    assert (result.status, result.out) == (2, "")
    assert problem in result.err
    assert titles(command, "mine") == before


def test_what_is_not_ones_own_is_left_alone(command: Command, source: Path) -> None:
    assert command("collect", "first-steps", "-l", "1", "--out").err.endswith(
        "first-steps: ships with sokoterm, and stays as it is\n"
    )
    assert command("collect", source, "-l", "1", "--out").status == 2
    assert command("collect").status == 2
    assert command.added() == []
