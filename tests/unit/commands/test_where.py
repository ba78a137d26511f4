"""``--where QUERY``: the verbs on the levels that answer a query."""

from pathlib import Path

import pytest

from sokoterm.formats.registry import parse
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

ALL_FOUR = [ONE_PUSH, SEED, TWO_PUSHES, STUCK]


@pytest.fixture(name="packs")
def _packs(command: Command) -> tuple[Path, Path]:
    return command.pack("ash.txt", ALL_FOUR), command.pack("elm.txt", [STUCK, TWO_PUSHES])


def collections(path: Path) -> list[tuple[str, str]]:
    """The titles of levels, and the packs and numbers they come from."""
    return [(level.title, dict(level.metadata)["collection"]) for level in parse(path.read_bytes(), path.name).levels]


@pytest.mark.parametrize("suffix", ["xsb", "sok"])
def test_a_selection_keeps_the_names_and_numbers_of_its_packs_in_any_number_of_steps(
    command: Command, packs: tuple[Path, Path], suffix: str
) -> None:
    steps = [command.folder / f"step{number}.{suffix}" for number in range(4)]
    queries = ["boxes:1", "boxes:1 not title:a", "not size:5x3", "pack:step2 or boxes:99"]
    sources = [packs, *((step,) for step in steps)]
    for source, step, query in zip(sources, steps, queries):
        result = command("convert", *source, "--where", query, "-o", step)
        assert (result.status, result.out, result.err.count("\n")) == (0, "", 1)
    found = [("A", "ash 1"), ("C", "ash 3"), ("D", "ash 4"), ("A", "elm 1"), ("B", "elm 2")]
    assert collections(steps[0]) == found
    assert collections(steps[1]) == [each for each in found if each[0] != "A"]
    assert collections(steps[2]) == collections(steps[3]) == [("C", "ash 3"), ("D", "ash 4"), ("B", "elm 2")]


def test_levels_of_one_pack_keep_their_numbers_too(command: Command, packs: tuple[Path, Path]) -> None:
    first, second = command.folder / "first.sok", command.folder / "second.sok"
    assert command("convert", packs[0], "-l", "2-4", "-o", first).status == 0
    assert command("convert", first, "--where", "boxes:1", "-o", second).status == 0
    assert collections(second) == [("C", "ash 3"), ("D", "ash 4")]
    whole = command.folder / "whole.sok"
    assert command("convert", packs[0], "-o", whole).status == 0
    assert "ollection: ash 1" not in whole.read_text("utf-8")


def test_without_a_pack_the_library_is_asked(command: Command, packs: tuple[Path, Path]) -> None:
    assert command("add", *packs).status == 0
    out = command.folder / "out.sok"
    assert command("convert", "--where", "(pack:ash or pack:elm) title:b", "-o", out).status == 0
    assert collections(out) == [("B", "ash 2"), ("B", "elm 2")]
    (inside,) = {each for each in command.folder.rglob("elm.txt") if "packs" in each.parts}
    result = command("convert", "--where", "pack:ash", "-o", inside)
    assert (result.status, result.err) == (
        2,
        f"sokoterm: {inside}: not replaced: it is one of the packs that were read\n",
    )
    found = command("hash", "--where", "pack:elm", "-l", "2", "--json").objects
    assert [(each["pack"], each["level"]) for each in found] == [(str(inside), 2)]


def test_solved_levels_and_known_solutions_count(command: Command, packs: tuple[Path, Path]) -> None:
    roomy = command.pack("yew.txt", [STUCK, "######\n# @$.#\n######", "######\n#.$@ #\n######"])
    assert command("optimize", roomy, "-l", "2", "--moves", "lrR", "--time", "1").status == 0
    assert [each["level"] for each in command("hash", roomy, "--where", "has:solution", "--json").objects] == [2, 3]
    assert command("hash", *packs, "--where", "solved").status == 1
    assert len(command("hash", *packs, "--where", "unsolved", "--json").objects) == 6
    with_record = command.folder / "record.sok"
    with_record.write_text(f"A\n\n{ONE_PUSH}\n\nSolution 1/1\nR\n\nB\n\n{STUCK}\n\nSolution 1/1\nR\n", "utf-8")
    assert [each["title"] for each in command("hash", with_record, "--where", "has:solution", "--json").objects] == [
        "A"
    ]


@pytest.mark.parametrize(
    ("verb", "levels"),
    [
        (["info", "--json"], [1, 3]),
        (["solve", "--json"], [1, 3]),
        (["optimize", "--time", "1", "--json"], [1, 3]),
        (["hash", "--json"], [1, 3]),
    ],
)
def test_a_verb_takes_the_levels_that_answer(
    command: Command, packs: tuple[Path, Path], verb: list[str], levels: list[int]
) -> None:
    result = command(*verb, packs[0], "--where", "boxes:1 not title:d")
    assert (result.status, result.err) == (0, "")
    assert [each["level"] for each in result.objects] == levels


def test_duplicates_are_sought_among_the_levels_that_answer(command: Command, packs: tuple[Path, Path]) -> None:
    assert command("duplicates", *packs).out.splitlines()[-1] == "6 levels, 4 distinct, 2 copies"
    assert command("duplicates", *packs, "--where", "size:6x3").out.splitlines()[-1] == "2 levels, 1 distinct, 1 copy"


@pytest.mark.parametrize("verb", ["info", "solve", "optimize", "hash", "duplicates", "convert"])
def test_no_answer_and_a_wrong_query_take_one_line(command: Command, packs: tuple[Path, Path], verb: str) -> None:
    to = ["--to", "xsb"] if verb == "convert" else []
    result = command(verb, *packs, *to, "--where", "boxes:99")
    assert (result.status, result.out, result.err) == (1, "", "sokoterm: found no level that answers the query\n")
    result = command(verb, *packs, *to, "--where", "boxes:x")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("sokoterm: argument --where: column 1: found boxes:x, expected a number: boxes:4")
    assert result.err.count("\n") == 1
