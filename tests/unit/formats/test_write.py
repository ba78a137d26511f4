"""Output of the writers, as a person or another program sees it."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.registry import write

BOARD = " ####\n##  #\n#@$.#\n#####"
SOLUTION = Record("Solution/Moves 1/1", "R", "Solver: me")
SAVED = Record("Savegame", "l" * 150)


def level(board: str = BOARD, *records: Record, **texts: str) -> Level:
    return Level.from_xsb(board).replace(records=records, **texts)


def pack(*levels: Level, title: str = "A set", author: str = "", comment: str = "", **metadata: str) -> Pack:
    return Pack(title, levels, (), author, comment, tuple(metadata.items()))


FULL = pack(
    level(BOARD, SOLUTION, SAVED, title="First", author="Somebody", comment="Two\nlines").replace(
        metadata=(("difficulty", "5"), ("set by", "hand"))
    ),
    level(),
    author="Me",
    comment="All of it",
    email="a@b",
)


def text(pack: Pack, name: str) -> str:
    return write(pack, name).data.decode("utf-8")


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("xsb", ["titles of solutions", "notes of solutions", "saved games"]),
        ("sok", []),
        (
            "rle",
            [
                *("title of the collection", "author of the collection", "comment of the collection"),
                *("email of the collection", "titles of levels", "authors of levels", "comments of levels"),
                *("difficulty of levels", "set by of levels", "solutions", "saved games"),
            ],
        ),
        ("slc", ["comments of levels", "difficulty of levels", "set by of levels", "solutions", "saved games"]),
    ],
)
def test_a_pack_in_every_format_is_as_in_its_file(name: str, lost: list[str]) -> None:
    written = write(FULL, name)
    assert written.data == (Path(__file__).parents[2] / "data" / "written" / f"pack.{name}").read_bytes()
    assert written.lost == (*lost,)


@pytest.mark.parametrize("name", ["xsb", "sok"])
def test_remarks_stand_first_in_the_file_and_below_their_board(name: str) -> None:
    one = level(BOARD, SOLUTION).replace(metadata=(("remarks", "of one"),))
    written = write(pack(one, remarks="::::\nFree, if credited.\n\n  3#|"), name)
    assert "remarks" not in " ".join(written.lost)
    paragraphs = written.data.decode().split("\n\n")
    assert paragraphs[:4] == [
        "::::::\n:: Free, if credited.\n::\n::   3#|", "Collection: A set", BOARD, ":: of one",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["rle", "slc"])
def test_remarks_are_named_where_they_are_lost(name: str) -> None:
    lost = write(pack(level().replace(metadata=(("remarks", "x"),)), remarks="y"), name).lost
    assert {"remarks of the collection", "remarks of levels"} <= set(lost)


def test_notes_that_could_be_anything_else_are_comments_in_sok() -> None:
    for notes in ("#####\n#@$.#\n#####", "This could be a title", "Title: x", "rrr", "a\n\nSolution\nrrr"):
        records = [
            Record("Solution", "R", notes),
            Record("Solution", "RR", "Time: 1"),
            Record("", "RRRRRRRR", "Time: 2"),
        ]
        written = write(pack(level(BOARD, *records), level()), "sok")
        assert written.lost == ()
        assert (
            f"\n\nSolution\nR\n\nComment:\n{notes}\nComment-End:\n\n"
            "Solution\nRR\n\nComment:\nTime: 1\nComment-End:\n\nRRRRRRRR\n\nComment:\nTime: 2\nComment-End:\n\n ####\n"
        ) in written.data.decode()


@pytest.mark.parametrize(
    ("records", "written", "lost"),
    [
        (
            [Record("####", "R"), Record("Solution", "undefined"), Record("Savegame", "")],
            "Solution\nR",
            ["titles of solutions", "solutions without valid moves", "saved games without valid moves"],
        ),
        # A few moves have a title that says so.
        ([Record("", "R"), Record("", "r2,1-1R")], "Solution\nR\n\nSolution: r2,1-1R", []),
        *([[Record(title, "R")], "Solution\nR", ["titles of solutions"]] for title in ("A record", "####")),
        ([Record("save of mine", "R")], "Savegame\nR", ["titles of saved games"]),
        # Walks and counts stand behind a key.
        (
            [Record("Solution", "r1,4-2l2"), Record("Solution 3/2", "4-2l2"), Record("Savegame", "4-2l2")],
            "Solution: r1,4-2l2\n\nSolution: 4-2l2",
            ["titles of solutions", "saved games with counts after the letters"],
        ),
        ([Record("Solution", "12r" * 40)], "Solution\n" + "12r" * 40, []),  # on one line
    ],
)
def test_records_in_sok_and_what_it_has_no_place_for(records: list[Record], written: str, lost: list[str]) -> None:
    found = write(pack(level(BOARD, *records)), "sok")
    assert found.data.decode().endswith(f"#####\n\n{written}\n")
    assert found.lost == (*lost,)


def test_slc_escapes_what_means_something_to_xml() -> None:
    nasty = "<a b=\"c\" d='e'> & ]]> &lt; é"
    written = text(pack(level(title=nasty + "\n\tf"), title=nasty, comment=nasty, author=nasty), "slc")
    root = ET.fromstring(written)
    collection = root.find("LevelCollection")
    assert collection is not None
    assert (root.findtext("Title"), root.findtext("Description")) == (nasty, f"\n{nasty}\n  ")
    assert (collection.get("Copyright"), collection[0].get("Id")) == (nasty, nasty + "\n\tf")


def test_slc_has_one_email_on_one_line() -> None:
    several = Pack("A\nB", (level(),), metadata=(("email", "a\nb"), ("homepage", "c"), ("email", "d")))
    written = write(several, "slc")
    assert b"<Title>A B</Title>" in written.data
    assert written.data.count(b"<Email>a b</Email>") == written.data.count(b"Email>") // 2 == 1
    assert written.lost == (
        "line breaks in the title of the collection",
        "line breaks in the email of the collection",
        "more than one email of the collection",
    )


@pytest.mark.parametrize("name", ["xsb", "sok", "slc"])
def test_no_control_character_is_written(name: str) -> None:
    for character in ("\x00", "\x07", "\x1b", "\x7f", "\x9b", "\x85", "\ud800", "\uffff", "\x0b"):
        written = write(pack(level(title=f"A{character}[31mB")), name)
        assert "A\ufffd[31mB" in written.data.decode()
        assert written.lost == ("control characters in texts",)


@pytest.mark.parametrize("name", ["xsb", "sok", "rle"])
def test_rows_that_no_reader_of_text_would_know_lose_their_decoration(name: str) -> None:
    board = Level.from_xsb("$\n#####\n\n  .\n#####\n#@$.# $\n##### *\n*\n  *\n. .")
    rows = ["#####", "-", "-", "#####", "#@$.# $", "##### *", "*", "  *"]
    written = write(Pack("", (board,)), name)
    assert written.lost == ("decoration away from the walls",)
    if name == "rle":
        assert written.data == b"5#|-|-|5#|#@$.#-$|5#-*|*|2-*\n"
    else:
        assert written.data.decode().split("\n") == [*rows, ""]
    assert write(Pack("", (board,)), "slc").lost == ()


@pytest.mark.parametrize(
    "title",
    [
        *("#####", "3#4-p.#", "5#|#@$.#|5#", "***", "----", "::", "rrULd", "r1,4-2l2", "1#", "; x", "Title: x"),
        *("Comment-End:", "Solution 3/2", "Best Solution", "Savegame", "> #####", "key: value", "one\ntwo", ""),
    ],
)
def test_titles_that_are_something_else_stand_behind_their_key_in_sok(title: str) -> None:
    written = text(pack(level(title=title)), "sok")
    above, _, below = written.partition("####")
    assert above == "Collection: A set\n\n "
    assert below == "\n##  #\n#@$.#\n#####\n" + (
        "".join(f"\nTitle: {line}\n" if i == 0 else f"Title: {line}\n" for i, line in enumerate(title.split("\n")))
        if title
        else ""
    )


def test_format_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="found the format 'zip', expected one of xsb, sok, rle, slc"):
        write(FULL, "zip")
