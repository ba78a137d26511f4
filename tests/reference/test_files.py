"""Real files with their original bytes, and the content a reader sees in them."""

import csv
from pathlib import Path

import pytest

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import exact_id, ids, level_hash
from sokoterm.engine.lurd import replay
from sokoterm.formats.registry import looks_like_pack, parse
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.formats.layouts import shown
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


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("sok/")])
def test_what_a_reader_sees(shared: Path, name: str) -> None:
    """If it is to change, delete the file in tests/data/read, run the test twice and look at the diff."""
    read = Path(__file__).parents[1] / "data" / "read" / f"{Path(name).stem}.txt"
    # Of long lines the beginning, and of large packs the first levels.
    found = "".join(f"{line[:300]}\n" for line in shown(lambda: load(shared, name)).split("\n")[:60])
    if not read.exists():
        read.write_text(found, encoding="utf-8")
        pytest.fail(f"{read} has been written: look at it")
    assert found == read.read_text(encoding="utf-8")


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
    for level in load(shared, "sok/Original_and_Extra.sok").levels:
        for record in level.records:
            found = replay(level, record).solution
            if found is not None and record.title != "Tomo":
                assert record.title.split()[1 + record.title.startswith("Best ")] == f"{found.moves}/{found.pushes}"


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
        levels = tuple(level.replace(number=number) for number, level in enumerate(pack.levels, start=1))
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


def test_the_ids_of_the_reference_table(shared: Path) -> None:
    packs: dict[str, dict[int, Level]] = {}
    wrong = []
    rows = (shared / "hashes.tsv").read_text(encoding="ascii").splitlines()[1:]
    for name, number, *expected in (row.split("\t") for row in rows):
        if name not in packs:
            pack = parse((shared / "levels" / f"{name}.txt").read_bytes(), name)
            packs[name] = {level.number: level for level in pack.levels}
        if list(ids(packs[name][int(number)])) != expected:
            wrong.append((name, number))
    assert (len(rows), wrong) == (1110, [])


def test_no_level_that_ships_is_known_from_elsewhere(shared: Path) -> None:
    with open(shared / "hashes.tsv", encoding="ascii", newline="") as table:
        known = {row["article_hash"] for row in csv.DictReader(table, delimiter="\t")}
    assert len(known) > 1000
    packs = [open_pack(file) for file in bundled_packs()]
    assert len(packs) == 11
    shipped = {(pack.title, level.number): level_hash(level) for pack in packs for level in pack.levels}
    assert len(shipped) == sum(pack.size for pack in packs) > 160
    assert [place for place, found in shipped.items() if found in known] == []
