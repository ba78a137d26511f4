"""Levels that are the same puzzle: turned, mirrored, with the player elsewhere, in any number of files."""

import random
from pathlib import Path
from zipfile import ZipFile

import pytest

from sokoterm.engine.bits import SYMMETRIES, scan
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.reach import reachable_area
from sokoterm.formats.registry import parse
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

TURNED = "###\n#.#\n#$#\n#@#\n###"
MIRRORED_TWO = "######\n#. $@#\n######"
MIRRORED = "#####\n#.$@#\n#####"
DECORATED = "##### **\n#@$.# *\n#####"
NOTHING_TO_PLAY = "no boards here\n"


def copies(level: Level, number: int) -> list[str]:
    """So many pictures of a level, turned, mirrored and with the player elsewhere, the same each time."""
    choice = random.Random(level_hash(level))
    area = list(scan(reachable_area(level.board, level.start)))
    pictures = []
    for _ in range(number):
        rows = level.picture(level.start._replace(player=choice.choice(area)))
        turned = choice.choice(SYMMETRIES).rows([row.ljust(level.board.width) for row in rows])
        pictures.append("\n".join(row if row.strip() else "-" for row in turned))
    return pictures


def groups_of(command: Command, *paths: str | Path) -> dict[str, list[tuple[str, int]]]:
    """Return the places of the levels of each hash, as --json says them."""
    result = command.done("duplicates", "--json", *paths)
    found: dict[str, list[tuple[str, int]]] = {}
    for group in result.objects:
        assert list(group) == ["hash", "levels"]
        levels = group["levels"]
        assert isinstance(levels, list)
        assert all(list(level) == ["pack", "level", "title"] for level in levels)
        found[str(group["hash"])] = [(level["pack"], level["level"]) for level in levels]
    return found


def test_equal_levels_stand_below_the_first(command: Command) -> None:
    one = command.pack("one.txt", [ONE_PUSH, TWO_PUSHES, TURNED])
    two = command.pack("two.txt", [STUCK, MIRRORED, DECORATED])
    result = command.done("duplicates", one, two)
    blanks, same = " " * len(str(one)), level_hash(Level.from_xsb(ONE_PUSH))
    assert result.out.splitlines() == [
        f"found  level{blanks}  turn      level hash",
        f"first  {one}:1  A            {same}",
        f"again  {one}:3  C  turned    {same}",
        f"again  {two}:2  B  mirrored  {same}",
        f"again  {two}:3  C            {same}",
        "6 levels, 3 distinct, 3 copies",
    ]


def test_exactly_the_copies_that_were_made_are_found(command: Command) -> None:
    ordinary = bundled_packs()[:5]  # copies of a picture have neither colours nor ice
    levels = [level for file in ordinary for level in open_pack(file).levels]
    expected: dict[str, list[tuple[str, int]]] = {level_hash(level): [] for level in levels}
    assert len(expected) == len(levels)
    made = [(level_hash(level), each) for level in levels for each in copies(level, 1 + level.number % 3)]
    random.Random(7).shuffle(made)
    paths = []
    for name, part in (("a.txt", made[::2]), ("b.txt", made[1::2])):
        paths.append(command.pack(name, [picture for _, picture in part]))
        for number, (level, _) in enumerate(part, start=1):
            expected[level].append((str(paths[-1]), number))
    assert groups_of(command, *paths) == {level: places for level, places in expected.items() if len(places) > 1}


def test_near_levels_are_listed_with_the_squares_in_which_they_differ(command: Command) -> None:
    longer = TWO_PUSHES.replace("#@$ .#", "#@$  .#").replace("######", "#######")
    one = command.pack("one.txt", [TWO_PUSHES, SEED, MIRRORED_TWO])
    two = command.pack("two.txt", [longer, "####\n#@ ###\n#  $.#\n######"])
    blanks = " " * len(str(one))
    result = command.done("duplicates", one, two, "--near")
    lines = [line.rsplit(maxsplit=1)[0].split(maxsplit=1) for line in result.out.splitlines()[:-1]]
    assert result.out.splitlines()[0] == f"found  level{blanks}  squares  level hash"
    assert [(met, place.split()[0], place.split()[-1]) for met, place in lines[1:]] == [
        ("first", f"{one}:1", "0"), ("again", f"{one}:3", "0"), ("near", f"{two}:1", "2"),
    ]  # fmt: skip
    assert result.out.splitlines()[-1] == "5 levels, 4 distinct, 1 copy, 2 near others"
    (group,) = command.done("duplicates", one, two, "--near", "3", "--json").objects
    assert isinstance(group["levels"], list)
    assert [(each["level"], each["squares"]) for each in group["levels"]] == [(1, 0), (3, 0), (1, 2)]
    assert command("duplicates", "--near=1", "--check", two).status == 0
    assert command("duplicates", "--check", "--near", one, two).status == 1
    refused = command("duplicates", "--near", one, "--write", command.folder / "out.xsb")
    assert (refused.status, "near levels are different puzzles" in refused.err) == (2, True)


def test_a_file_named_twice_repeats_itself(command: Command) -> None:
    pack = command.pack("one.txt", [ONE_PUSH])
    assert list(groups_of(command, pack, pack).values()) == [[(str(pack), 1), (str(pack), 1)]]


def test_check_answers_by_its_status(command: Command) -> None:
    different = command.pack("different.txt", [ONE_PUSH, TWO_PUSHES])
    equal = command.pack("equal.txt", [ONE_PUSH, TURNED])
    assert command("duplicates", "--check", different).status == 0
    assert command("duplicates", "--check", equal).status == 1
    assert command("duplicates", equal).status == 0


@pytest.mark.parametrize("content", ["", NOTHING_TO_PLAY])
def test_a_file_without_levels_is_said(command: Command, content: str) -> None:
    pack = command.file("empty.txt", content)
    result = command("duplicates", "--check", pack, command.folder / "missing.txt")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 2)


@pytest.mark.parametrize("name", ["all.xsb", "all.txt", "all.sok", "all.rle", "all.slc"])
def test_a_collection_is_written_without_the_copies(command: Command, name: str) -> None:
    one = command.pack("one.txt", [TWO_PUSHES, ONE_PUSH, TURNED])
    two = command.pack("two.txt", [MIRRORED, STUCK, TWO_PUSHES])
    out = command.folder / name
    assert command("duplicates", "--write", out, one, two).status == 0
    result = command("duplicates", "--check", out)
    assert (result.status, result.out) == (0, "3 levels, 3 distinct, 0 copies\n")
    hashes = [each["hash"] for each in command("hash", out, "--json").objects]
    assert hashes == [level_hash(Level.from_xsb(level)) for level in (TWO_PUSHES, ONE_PUSH, STUCK)]


def test_one_pack_keeps_its_texts_and_several_are_named(command: Command) -> None:
    one = command.file("one.txt", f"Title: First\nAuthor: Ann\n\n{ONE_PUSH}\nTitle: A\n\n{TURNED}\nTitle: B\n")
    two = command.file("two.txt", f"Title: Second\nAuthor: Bob\n\n{TWO_PUSHES}\nTitle: C\n")
    alone, both = command.folder / "alone.slc", command.folder / "both.slc"
    assert command("duplicates", one, "--write", alone).status == 0
    assert command("duplicates", one, two, "--write", both).status == 0
    assert "First" in alone.read_text(encoding="utf-8")
    text = both.read_text(encoding="utf-8")
    assert all(word in text for word in ("<Title>First + Second</Title>", "Ann", "Bob"))


def test_the_format_may_be_named(command: Command) -> None:
    pack = command.pack("one.txt", [ONE_PUSH])
    out = command.folder / "all.levels"
    assert command("duplicates", pack, "--write", out).status == 2
    assert not out.exists()
    assert command("duplicates", pack, "--write", out, "--to", "slc").status == 0
    assert out.read_text(encoding="utf-8").startswith("<?xml")
    assert command("duplicates", pack, "--to", "slc").status == 2


def test_what_the_format_cannot_hold_is_said_once(command: Command) -> None:
    pack = command.file("one.txt", f"{ONE_PUSH}\nTitle: A\nAuthor: Ann\n\n{TWO_PUSHES}\nTitle: B\nAuthor: Bob\n")
    result = command("duplicates", pack, "--write", command.folder / "all.rle")
    assert result.status == 0
    assert result.err.count("authors of levels") == 1


# The same puzzle as HERE, mirrored and turned, with the player elsewhere in its area.
HERE = "######\n#@   #\n# $ .#\n######"
THERE = "####\n#  #\n#$ #\n#  #\n#.@#\n####"


def test_a_level_gets_what_only_its_copies_have(command: Command) -> None:
    """The first copy has a number for a title, the second one a solution."""
    one = command.file("one.sok", f"1\n\n{HERE}\nComment:\nMine\nComment-End:\n\nSolution\nrldRR\n")
    two = command.file(
        "two.sok", f"Maze\n\n{THERE}\nAuthor: Ann\nComment:\nNice\nComment-End:\n\nSolution 6/2 (me)\nuuulDDrd\n"
    )
    out = command.folder / "all.sok"
    result = command("duplicates", one, two, "--write", out)
    assert (result.status, result.err) == (0, f"sokoterm: {out}: 1 level written\n")
    assert result.out.splitlines()[-2:] == [
        "2 levels, 1 distinct, 1 copy",
        f"added from copies in {two}: 1 title, 1 author, 1 comment, 1 solution",
    ]
    (level,) = parse(out.read_bytes(), "all").levels
    assert (level.title, level.author, level.comment) == ("Maze", "Ann", "Mine\n\nNice")
    assert level.rows == tuple(HERE.split("\n"))
    assert [record.moves for record in level.records] == ["rldRR", "dRR"]


@pytest.mark.parametrize("by_title", [False, True])
def test_the_levels_of_the_preferred_pack_are_written_in_their_order(command: Command, by_title: bool) -> None:
    one = command.pack("one.xsb", [ONE_PUSH, TWO_PUSHES])
    two, out = command.pack("two.xsb", [STUCK, MIRRORED_TWO, TURNED]), command.folder / "all.xsb"
    assert command("duplicates", one, two, "--write", out, "--prefer", "two" if by_title else two).status == 0
    levels = parse(out.read_bytes(), "all").levels
    assert ["\n".join(level.rows) for level in levels] == [STUCK, MIRRORED_TWO, TURNED]
    result = command("duplicates", one, two, "--write", out, "--prefer", "three")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "--prefer three is neither the path nor the title of a pack that is read" in result.err


def test_moves_of_copies_that_solve_nothing_are_left_out_and_counted(command: Command) -> None:
    pack, out = command.folder / "one.sok", command.folder / "all.sok"
    pack.write_text(f"A\n\n{ONE_PUSH}\n\nSolution\nR\n\nB\n\n{TURNED}\n\nSolution\nD\n")
    result = command("duplicates", pack, "--write", out)
    assert result.status == 0
    assert result.err.endswith("left out: 1 record of copies whose moves do not solve the level by the rules\n")
    assert out.read_text("utf-8").count("Solution") == 1
    assert command("duplicates", pack).err == ""


@pytest.mark.parametrize("is_archive", [False, True])
def test_a_file_that_cannot_be_read_at_all_is_not_written_over(command: Command, is_archive: bool) -> None:
    good, bad = command.pack("good.xsb", [ONE_PUSH]), command.folder / "bad.xsb"
    bad.write_bytes(b"\0 no text")
    if is_archive:
        bad = command.folder / "bad.zip"
        with ZipFile(bad, "w") as file:
            file.write(good, "good.xsb")
            file.writestr("broken.xsb", "####\n#@$#\n####\n")
    before = bad.read_bytes()
    result = command("duplicates", good, bad, "--write", bad, "--to", "xsb")
    assert (result.status, bad.read_bytes()) == (2, before)
    assert "not replaced" in result.err
