"""Real files with their original bytes, and the content a reader sees in them."""

from pathlib import Path

import pytest

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import exact_id, level_hash
from sokoterm.engine.record import replay
from sokoterm.formats.registry import looks_like_pack, parse
from tests.unit.formats.test_round_trip import WHOLE
from tests.unit.formats.test_round_trip import check as check_round_trip

# Per file: levels, errors, records (solutions and saved games), and records that solve their level.
FILES = {
    "text/Aeternus_200x200.xsb": (1, 0, 0, 0),
    "text/BoxWorld_100.xsb": (100, 0, 0, 0),
    "text/Grigr2002_40.xsb": (40, 0, 0, 0),
    "text/Sasquatch_IV.txt": (50, 0, 0, 0),
    "text/microban01_0008.sok": (1, 0, 0, 0),
    "text/microban01_0008.sol": (0, 0, 0, 0),  # moves alone
    "text/retroban_with_solutions.xsb": (103, 0, 103, 103),
    "sok/Interior_empty_rows.sok": (8, 1, 0, 0),
    "sok/Original_and_Extra.sok": (91, 0, 196, 193),  # three are saved games
    "sok/Parsing.sok": (11, 1, 13, 10),
    "sok/email_quotes_test.sok": (1, 0, 2, 2),
    "sok/parser_test_last_snapshot_notes.sok": (2, 0, 1, 1),
    "sok/parser_test_multiple_snapshots.sok": (1, 0, 3, 3),
    "sok/parser_test_puzzle_no_title.sok": (1, 0, 0, 0),
    "sok/small_collection.sok": (2, 1, 3, 2),  # the third level is of Hexoban, the third record of the reverse mode
    "sok/title_test.sok": (4, 0, 1, 1),
    "encodings/one_arrow.gb18030.xsb": (1, 0, 0, 0),
    "encodings/one_arrow.gbk.xsb": (1, 0, 0, 0),
    "encodings/one_arrow.utf-16.xsb": (1, 0, 0, 0),
    "encodings/one_arrow.utf-8-sig.xsb": (1, 0, 0, 0),
    "encodings/synthetic.cp932.xsb": (1, 0, 0, 0),
    "encodings/synthetic.euc_jp.xsb": (1, 0, 0, 0),
    "encodings/synthetic.shift_jis.xsb": (1, 0, 0, 0),
}


def load(shared: Path, name: str, encoding: str | None = None) -> Pack:
    return parse((shared / "formats" / name).read_bytes(), name, encoding)


def titles(level: Level) -> list[str]:
    return [record.title for record in level.records]


def test_every_file_is_told_of(shared: Path) -> None:
    folder = shared / "formats"
    assert {f"{file.parent.name}/{file.name}" for kind in ("text", "sok", "encodings") for file in (folder / kind).iterdir()} == {*FILES}  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("name", FILES)
def test_levels_and_records(shared: Path, name: str) -> None:
    pack = load(shared, name)
    replays = [replay(level, record) for level in pack.levels for record in level.records]
    solved = [each for each in replays if each.solution]
    assert (len(pack.levels), len(pack.errors), len(replays), len(solved)) == FILES[name]
    assert looks_like_pack((shared / "formats" / name).read_bytes()) == (pack.size > 0)


def test_records_do_what_their_titles_claim(shared: Path) -> None:
    pack = load(shared, "sok/Original_and_Extra.sok")
    assert (pack.title, pack.author) == ("Original & Extra", "Thinking Rabbit")
    assert pack.comment.endswith("\nOriginate from: original.slc\nSome collection notes")
    assert [level.title for level in pack.levels[:38]] == [*(f"Level {number}" for number in range(1, 38)), "Level 37a"]
    assert [level.title for level in pack.levels[-40:]] == [f"Extra {number}" for number in range(1, 41)]
    unsolved = []
    for level in pack.levels:
        for record in level.records:
            found = replay(level, record).solution
            if found is None:
                unsolved.append((level.number, record.title))
            elif record.title != "Tomo":
                assert record.title.split()[1 + record.title.startswith("Best ")] == f"{found.moves}/{found.pushes}"
    assert unsolved == [(16, "SaveGame 30/13"), (18, "SaveGame 153/24"), (19, "SaveGame 1014/289")]


def test_first_level_of_original_and_extra(shared: Path) -> None:
    level = load(shared, "sok/Original_and_Extra.sok").levels[0]
    assert (level.title, level.author) == ("Level 1", "author name")
    assert level.comment == "Time: 00:01:00\nSome puzzle notes"
    assert level.metadata == (("boxorder", "1 2 3 4 5 6"), ("goalorder", "6 5 4 3 2 1"))
    assert level.board.is_ordinary
    optimal = "Optimality: Push-optimal solution"
    assert [(record.title, len(record.moves), record.notes.split("\n")) for record in level.records] == [
        (
            "Best Solution 230/97 (YASS 2.86 Optimizer)",
            230,
            ["Solver: only human", "Some snapshot notes", "Optimizer: YASS 2.86", "Time: 00:00:47"],
        ),
        ("Solution 230/97 (YASS 2.36 Optimizer)", 230, ["Optimizer: YASS 2.36", "Time: 00:00:54"]),
        ("Tomo", 258, [""]),
        ("Solution 264/97 (BoxSearch Solver)", 264, ["Solver: BoxSearch Solver", "Time: 00:00:00"]),
        ("Solution 260/97 (PocoSolv 8-bit Solver)", 260, [optimal, "Solver: PocoSolv 8-bit", "Time: 00:00:01"]),
        ("Solution 270/97 (YASS 2.36 Solver)", 270, [optimal, "Solver: YASS 2.36", "Time: 00:00:08"]),
    ]


def test_a_level_with_notes_of_several_lines_between_two_others(shared: Path) -> None:
    levels = load(shared, "sok/Original_and_Extra.sok").levels
    level = next(level for level in levels if level.title == "Level 37a")
    assert titles(level) == ["Solution/Moves 1065/358", "Tomo"]
    told = [
        each for each in levels if "Ovaj level u orginalu nije" in each.comment + "".join(r.notes for r in each.records)
    ]
    assert len(told) == 1


def test_parsing(shared: Path) -> None:
    pack = load(shared, "sok/Parsing.sok")
    assert (pack.title, pack.author) == ("Parsing", "collection author")
    assert pack.metadata == (("email", "collection author email"), ("homepage", "homepage collection autor"))
    assert pack.comment.split("\n") == [
        "Collection comment",
        "author comment: Autor comment Collection",
        "view: collection mustn't have a view!",
        "further collection comment",
    ]
    assert [(level.number, level.title) for level in pack.levels] == [
        (1, "Level 1"),
        (2, "level 2 (explicitly stated)"),
        (
            3,
            (
                "Title very long title that is longer than any fields which that display this title in a sokoban "
                "program. Wow, is this title a long one!"
            ),
        ),
        (4, ""),  # its title is not alone
        (5, "level 05"),
        (6, "xxx"),
        (7, "Original 1"),
        (8, "Sasquatch VII No 10"),
        (9, "Maximal size"),
        (11, "Too huge"),
        (12, "Steaming Hot"),
    ]
    (error,) = pack.errors
    assert (error.level, error.line) == (10, 228)  # Invalid
    assert "not closed" in error.problem


def test_records_of_parsing(shared: Path) -> None:
    levels = {level.number: level for level in load(shared, "sok/Parsing.sok").levels}
    assert [(*record[:2], record.notes) for record in levels[1].records] == [
        ("Solution/Moves 1/1/1/1/1", "R", "solution comment"),
        ("Solution 1/1/1/1/1", "R", ""),
        ("Solution invalid 1/1/1/1/1", "D", ""),
        ("Solution unnecessary long 1/1/1/1/1", "RRRDD", ""),
    ]
    assert levels[1].comment == "comment"
    assert titles(levels[2]) == ["Solution", "Solution", "savegame"]
    assert levels[2].records[0].notes.endswith("\nown solution:    yes\nsolution comment:Testkommentar1")
    assert dict(levels[2].metadata)["difficulty"] == "5"
    assert (levels[2].author, dict(levels[2].metadata)["heading"]) == ("test author", "Level2")
    assert titles(levels[3]) == ["Solution/Moves 40/10/5/3/5", "Solution 40/10/5/3/5 (YASS 2.33)"]
    assert levels[3].records[0].notes.split("\n")[-2:] == ["just some more text", "text between two levels"]
    assert levels[4].comment.split("\n")[:3] == ["level title", "line that destroys the level title", ">comment1"]
    # Counts, one of them split over the end of a line.
    (best,) = levels[7].records
    assert best.title == "Best Solution 230/97"
    assert "3dr10RuRR" in best.moves
    found = replay(levels[7], best).solution
    assert found is not None
    assert (found.moves, found.pushes) == (230, 97)
    assert titles(levels[8]) == ["Solution/Moves 96/25", "Solution/Pushes 116/19", "savegame"]
    assert levels[8].comment == "11\n'derived from SokHard 1'\n| 1234 test commend 98343 lu"
    assert [len(levels[number].rows) for number in (7, 8, 9, 11, 12)] == [11, 9, 40, 45, 17]


def test_rows_of_floor(shared: Path) -> None:
    pack = load(shared, "sok/Interior_empty_rows.sok")
    assert [(level.number, level.title, len(level.rows)) for level in pack.levels] == [
        (1, "Interior empty rows", 9),
        (2, "Interior empty rows 2", 12),
        (3, "Negative test: Following empty lines are comments", 3),
        (4, "Positive test: Following empty lines are comments 2", 6),
        (6, "", 3),
        (7, "RLE", 9),
        (8, "Interior empty rows RLE", 9),
        (9, "RLE rows and normal board rows", 9),
    ]
    (error,) = pack.errors  # an empty line ends the board
    assert (error.level, error.line, error.problem) == (5, 51, "found no player, expected one @ or +")
    assert pack.levels[0].rows == pack.levels[5].rows == pack.levels[6].rows


def test_small_collection(shared: Path) -> None:
    pack = load(shared, "sok/small_collection.sok")
    assert (pack.title, pack.author) == ("Mixed collection", "ZOMG! Collection author")
    assert pack.comment.endswith("\nRandom collection notes...")
    first, third = pack.levels
    assert (first.title, first.author, first.comment) == (
        "Sokoban Level 1",
        "Thinking Rabbit",
        "Level notes\nTime: 00:01:00",
    )
    assert [(record.title, record.moves[:6], record.notes) for record in first.records] == [
        ("First Sokoban snapshot", "ullluu", ""),
        ("Second Sokoban snapshot", "ullluu", "Solver: ZOMG! Snapshot solver"),
        ("Third Sokoban snapshot", "[]ulll", "Solver: ZOMG! Snapshot solver"),
    ]
    assert (third.title, third.author) == ("Sokoban level 3", "Thinking Rabbit")
    assert not third.board.is_ordinary
    assert [each.bit_count() for each in third.board.colors] == [1] * 5
    assert (third.boxes, third.comment, third.metadata) == (20, "", ())
    assert (pack.errors[0].level, pack.errors[0].line) == (3, 199)


def test_snapshots_without_titles(shared: Path) -> None:
    (level,) = load(shared, "sok/parser_test_multiple_snapshots.sok").levels
    assert level.title == "Normal Level - Multiple snapshots, no headings"
    note = (
        "This is note for first snapshot, but parser can't know that and should recognize it as heading of next "
        "snapshot."
    )
    assert titles(level) == ["", note, ""]
    assert {len(record.moves) for record in level.records} == {230}
    first, second = load(shared, "sok/parser_test_last_snapshot_notes.sok").levels
    assert (first.title, titles(first)) == ("Normal Level", ["Snapshot1"])
    assert second.title == "This is note for last snapshot, not heading line"
    assert second.comment == "but parser can't know that and should recognize it as heading line"


def test_notes_and_titles(shared: Path) -> None:
    pack = load(shared, "sok/parser_test_puzzle_no_title.sok")
    assert (pack.levels[0].title, pack.levels[0].comment) == ("", "Level without heading line")
    assert len(pack.comment.split("\n")) == 5
    pack = load(shared, "sok/title_test.sok")
    assert [level.title for level in pack.levels] == ["Title 1", "Title 2", "Title 3", "#50 (3)"]
    assert pack.levels[1].comment == "test text1"
    assert pack.levels[1].records == (("Solution/Moves 1/1/1/1/1", "R", "test text2"),)


def test_quoted_mail(shared: Path) -> None:
    (level,) = load(shared, "sok/email_quotes_test.sok").levels
    assert level.rows[:2] == (" ########", "##@$ .. #")
    assert level.title == '"YASGen 2", by Brian Damgaard'
    assert [(record.title, len(record.moves)) for record in level.records] == [
        ("Solution/Moves (Built-in)", 314),
        ("Solution/Pushes (Built-in)", 332),
    ]


def test_encodings_in_the_wild(shared: Path) -> None:
    """Told the encoding, texts are read; where it is guessed, boards survive."""
    arrow = exact_id(load(shared, "encodings/one_arrow.utf-16.xsb").levels[0])
    for name in FILES:
        if not name.startswith("encodings/"):
            continue
        told, guessed = load(shared, name, name.split(".")[1]), load(shared, name)
        assert told.levels[0].rows == guessed.levels[0].rows
        if "one_arrow" in name:
            assert (told.title, told.author) == ("一箭十万 (102547步)", "20603")
            assert exact_id(told.levels[0]) == arrow
        else:
            assert (told.title, told.author) == ("倉庫番 レベル1", "今林宏行")


def test_slc_level_of_the_wild_with_a_stray_character(shared: Path) -> None:
    pack = load(shared, "slc-old/Patera.slc")
    assert [level.number for level in pack.levels] == [1, 2, 3, 4, 5, 6, 7, 9, 10]
    (error,) = pack.errors
    assert (error.level, error.line, error.character) == (8, 130, "|")


@pytest.mark.parametrize(
    ("name", "levels", "title", "author", "first"),
    [
        ("text/Grigr2002_40.xsb", 40, "Grigr2002_40", "", "Double choice #101"),
        ("text/BoxWorld_100.xsb", 100, "BoxWorld_100", "Thinking Rabbit", "Boxworld 1"),
        ("text/Sasquatch_IV.txt", 50, "Sasquatch_IV", "", "1"),
        ("slc-old/Fly.slc", 3, "Fly", "Tim LeFevre", "The Fly_1"),
        ("slc-old/MasterHead.slc", 45, "Master Head", "Union Software of Silesia", "1"),
        ("slc-old/Novoban.slc", 50, "Novoban", "François Marques", "Be ban 10"),
        ("slc-old/microban.slc", 155, "Microban", "David W Skinner", "1"),
        ("slc-new/Choriban.slc", 53, "Choriban Levels", "Martí Homs Caussa", "1"),
        ("slc-new/MiniCosmos.slc", 40, "Mini Cosmos", "Aymeric du Peloux", "MINICOSMOS 01"),
        ("slc-new/Novoban.slc", 50, "Novoban", "François Marques", "Be ban 10"),
    ],
)
def test_titles_and_authors(shared: Path, name: str, levels: int, title: str, author: str, first: str) -> None:
    pack = load(shared, name)
    assert (len(pack.levels), pack.errors) == (levels, ())
    assert (pack.title, pack.author, pack.levels[0].title) == (title, author, first)


def test_comments_keys_and_walks_of_text_files(shared: Path) -> None:
    grigr = load(shared, "text/Grigr2002_40.xsb")
    assert grigr.comment.startswith("These levels are made GRIGoRusha\n")
    assert (grigr.levels[38].author, grigr.levels[38].comment) == ("GRIGoRusha", "color purple")
    assert "-- level 26 and level 54 are identical.\n" in load(shared, "text/BoxWorld_100.xsb").comment
    retroban = load(shared, "text/retroban_with_solutions.xsb")
    assert {*map(len, map(titles, retroban.levels))} == {1}
    assert retroban.levels[1].records[0].moves == "d2l1u1l2d1r2,3-1d1r1d1l1,1-2r1,3-1d1,5-4l1,2-4u1l1u1r1"


def test_files_of_the_wild_come_back_in_every_format(shared: Path) -> None:
    files = [*(shared / "levels").iterdir(), *(shared / "formats").rglob("*.*")]
    for file in sorted(file for file in files if file.suffix in (".txt", ".xsb", ".sok", ".slc")):
        data = file.read_bytes()
        pack = parse(data, file.name)
        assert pack.levels or file.name == "microban01_0008.sol", file
        # Numbers go on without those that could not be read.
        levels = tuple(level._replace(number=number) for number, level in enumerate(pack.levels, start=1))
        for name in WHOLE:
            check_round_trip(pack._replace(levels=levels, errors=()), name)


def test_level_hash_is_the_same_from_every_file(shared: Path) -> None:
    for path in ("formats/slc-old/Novoban.slc", "formats/slc-new/Novoban.slc", "levels/novoban.txt"):
        pack = parse((shared / path).read_bytes(), path)
        if path.endswith(".slc"):
            assert pack.metadata == (("email", "sokoban@online.fr"), ("homepage", "http://sokoban.online.fr"))
        for name in WHOLE:
            level = check_round_trip(pack, name).levels[39]
            assert level_hash(level) == "E492652B5736882BF56A44302DA8EBA5"
