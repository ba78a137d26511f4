"""``sokoterm list``, and ``--where QUERY``: levels that answer a query."""

from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse
from sokoterm.store.known_levels import estimate
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

pytestmark = pytest.mark.usefixtures("first_steps_alone")


def places(command: Command, *arguments: str) -> list[tuple[object, object]]:
    """The titles of packs and the numbers of levels that a list has."""
    result = command("list", *arguments, "--json")
    assert (result.status, result.err) == (int(not result.objects), "")
    return [(each["pack_title"], each["level"]) for each in result.objects]


@pytest.fixture(name="library")
def _library(command: Command) -> Command:
    """A library of two packs."""
    packs = [command.pack("ash.txt", [ONE_PUSH, SEED]), command.pack("elm.txt", [TWO_PUSHES, STUCK])]
    assert command("add", *packs).status == 0
    return command


def test_the_library_and_what_ships_are_listed(library: Command) -> None:
    found = places(library)
    assert found[0] == ("First Steps", 1)
    assert found[-4:] == [("ash", 1), ("ash", 2), ("elm", 1), ("elm", 2)]
    assert places(library, "pack:ash", "or", "pack:elm") == found[-4:]
    assert places(library, "(pack:ash or pack:elm)", "not", "boxes>1") == [("ash", 1), ("elm", 1), ("elm", 2)]


@pytest.mark.parametrize("code", ["fr"], indirect=True)
@pytest.mark.usefixtures("code")
def test_titles_and_authors_that_ship_are_found_and_shown_in_the_language(command: Command) -> None:
    for query in ("circulez", "title:circulez", "MOVE ALONG"):
        assert places(command, query) == [("First Steps", 9)]
    assert len(places(command, "pack:premiers")) == len(places(command, "author:projet")) > 9
    assert "Circulez  le projet sokoterm" in command("list", "circulez").out
    assert not places(command, "boxes>1", "not author:projet")
    sheet = command("info", "first-steps", "-l", "9").out
    assert "9  Circulez\n" in sheet
    assert "Une caisse rangée gêne." in sheet


def test_packs_that_were_put_into_the_library_or_changed_there_are_read(library: Command) -> None:
    (folder,) = {each.parent for each in library.folder.rglob("ash.txt") if "packs" in each.parts}
    (folder / "yew.txt").write_text(ONE_PUSH, "utf-8")
    (folder / "ash.txt").write_text(f"{TWO_PUSHES}\n\n{TWO_PUSHES}\n\n{TWO_PUSHES}\n", "utf-8")
    wanted = ["pack:ash or pack:yew"]
    assert places(library, *wanted) == [("ash", 1), ("ash", 2), ("ash", 3), ("yew", 1)]
    (folder / "yew.txt").unlink()
    assert places(library, *wanted) == [("ash", 1), ("ash", 2), ("ash", 3)]


def test_packs_that_are_named_are_listed_alone(library: Command) -> None:
    pack = library.pack("yew.txt", [ONE_PUSH, STUCK])
    result = library("list", "--json", "--in", pack, library.folder / "ash.txt")
    assert [(each["pack"], each["level"]) for each in result.objects] == [
        (str(pack), 1), (str(pack), 2), (str(library.folder / "ash.txt"), 1), (str(library.folder / "ash.txt"), 2),
    ]  # fmt: skip


def test_an_object_has_the_figures_of_its_level(library: Command) -> None:
    (found,) = library("list", "boxes>2", "--in", library.folder / "ash.txt", "--json").objects
    level = Level.from_xsb(SEED)
    assert (found["title"], found["boxes"], found["goals"], found["width"], found["height"]) == ("B", 4, 4, 8, 8)
    assert (found["floor"], found["hash"]) == (level.board.floor.bit_count(), level_hash(level))
    assert (found["variant"], found["solved"], found["rating"]) == ([], False, f"~{found['difficulty']}")


def test_levels_are_sorted_by_keys_one_after_the_other(library: Command) -> None:
    both = ["pack:ash or pack:elm"]
    assert places(library, *both, "--sort=-boxes,size") == [("ash", 2), ("ash", 1), ("elm", 1), ("elm", 2)]
    assert places(library, *both, "--sort", "boxes,-size,-title") == [("elm", 2), ("elm", 1), ("ash", 1), ("ash", 2)]
    assert places(library, *both, "--sort", "title,pack") == [("ash", 1), ("elm", 1), ("ash", 2), ("elm", 2)]
    found = library("list", *both, "--sort", "hard,colour")
    assert found.status == 2
    assert found.err.startswith("sokoterm: argument --sort: found 'colour', expected hard, boxes, ")


def test_a_list_is_cut_and_drawn_by_lot(library: Command) -> None:
    both = ["pack:ash or pack:elm"]
    assert places(library, *both, "--limit", "3") == [("ash", 1), ("ash", 2), ("elm", 1)]
    assert places(library, *both, "--sort=-boxes", "--limit", "1") == [("ash", 2)]
    every = places(library, *both)
    assert sorted(places(library, *both, "--random", "--limit", "9")) == every
    drawn = {tuple(places(library, *both, "--random", "--limit", "2", "--sort", "pack,title")) for _ in range(20)}
    assert len(drawn) > 1
    assert all([*each] == sorted(each) and {*each} < {*every} for each in drawn)


def test_equal_levels_are_counted_and_left_out(library: Command) -> None:
    assert library("add", library.pack("yew.txt", [STUCK, ONE_PUSH])).status == 0
    assert places(library, "copies>1") == [("ash", 1), ("elm", 2), ("yew", 1), ("yew", 2)]
    assert places(library, "copies>1", "unique") == [("ash", 1), ("elm", 2)]
    assert places(library, "unique", "pack:yew") == [("yew", 1), ("yew", 2)]
    out = library.folder / "out.sok"
    packs = [library.folder / f"{name}.txt" for name in ("elm", "yew", "ash")]
    assert library("convert", *packs, "--where", "unique boxes<4", "-o", out).status == 0
    assert collections(out) == [("A", "elm 1"), ("B", "elm 2"), ("B", "yew 2")]


def test_levels_without_the_key_come_last_in_either_order(command: Command) -> None:
    path = command.file("a.txt", f"{ONE_PUSH}\n\n{TWO_PUSHES}\nTitle: B\n\n{STUCK}\nTitle: A\n")
    for sort, numbers in (("title", [3, 2, 1]), ("-title", [2, 3, 1])):
        assert [number for _, number in places(command, f"--sort={sort}", "--in", str(path))] == numbers


def test_a_table_ends_with_totals(library: Command) -> None:
    pack = library.folder / "elm.txt"
    heading, row, totals = library("list", "size:6x3", "--in", pack).out.splitlines()
    assert heading.split() == ["pack", "level", "size", "boxes", "hard", "solved", "title", "author"]
    assert row.split() == ["elm", "1", "6x3", "1", f"~{estimate(1, 4)}", "A"]
    assert totals == "1 level of 1 pack, 0 solved"
    assert library("list", "boxes:99").out.splitlines()[-1] == "0 levels of 0 packs, 0 solved"


def test_a_wrong_query_takes_one_line(command: Command) -> None:
    assert command.refusal("list", "boxes:4", "colour:red").startswith("column 9: found colour:red, expected ")


def test_a_file_in_place_of_a_query_is_named(library: Command) -> None:
    pack = library.folder / "elm.txt"
    result = library("list", str(pack))
    assert (result.status, result.out) == (2, "")
    assert f"{pack} is a file or folder, not a term; --in {pack} lists its levels" in result.err


def test_the_status_says_whether_a_level_was_found(library: Command) -> None:
    assert library("list", "boxes:99").status == 1
    assert library("list", "boxes:1").status == 0


def test_a_word_that_finds_levels_may_also_be_a_file(library: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (library.folder / "elm").write_text("", "utf-8")
    monkeypatch.chdir(library.folder)
    assert library("list", "elm").status == 0


def test_a_term_behind_in_is_told_from_a_pack(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    said = "sokoterm: boxes:1: cannot be read: No such file or directory; put terms before --in\n"
    assert command("list", "--in", pack, "boxes:1").err == said
    missing = command("list", "--in", "missing.txt").err
    assert missing.startswith("sokoterm: missing.txt: ")
    assert "--in" not in missing


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
    with_record = command.file("record.sok", f"A\n\n{ONE_PUSH}\n\nSolution 1/1\nR\n\nB\n\n{STUCK}\n\nSolution 1/1\nR\n")
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
    result = command.done(*verb, packs[0], "--where", "boxes:1 not title:d")
    assert [each["level"] for each in result.objects] == levels


def test_duplicates_are_sought_among_the_levels_that_answer(command: Command, packs: tuple[Path, Path]) -> None:
    assert command("duplicates", *packs).out.splitlines()[-1] == "6 levels, 4 distinct, 2 copies"
    assert command("duplicates", *packs, "--where", "size:6x3").out.splitlines()[-1] == "2 levels, 1 distinct, 1 copy"


@pytest.mark.parametrize("verb", ["info", "solve", "optimize", "hash", "duplicates", "convert"])
def test_no_answer_and_a_wrong_query_take_one_line(command: Command, packs: tuple[Path, Path], verb: str) -> None:
    to = ["--to", "xsb"] if verb == "convert" else []
    result = command(verb, *packs, *to, "--where", "boxes:99")
    assert (result.status, result.out, result.err) == (1, "", "sokoterm: no level matches the query\n")
    assert command.refusal(verb, *packs, *to, "--where", "boxes:x").startswith(
        "argument --where: column 1: found boxes:x, expected a number: boxes:4"
    )
