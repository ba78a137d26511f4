"""Filters of levels typed as words: what is parsed, what is refused, and the same answer on rows and in SQL."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_filter import TERMS, Comparison, FilterError, LevelFilter, parse_filter
from sokoterm.store.known_levels import Grade, estimate
from sokoterm.store.level_rows import NO_SOLUTION, LevelSort
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, find_packs, open_pack, stamp_of
from sokoterm.wording.lists import filter_problem
from tests.unit.store.stores import FEWEST_MOVES, ROOM, ROOM_SOLUTION, TWO_WAYS, Player, open_store, ticking

CORNER = "####\n#@ ##\n# $.#\n#  ##\n####"
PACKS = {
    "Alpha": f"Author: David Skinner\n\n{ROOM.xsb()}\nTitle: Straße\n\n"
    f"{TWO_WAYS.xsb()}\nTitle: Warehouse\nAuthor: Ann\n",
    "beta 4": f"{CORNER}\nTitle: warehouse\n",
}
VERSION = 1


FOUR = Comparison("boxes", "=", (4,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", LevelFilter()),
        ("boxes:4", LevelFilter(comparisons=(FOUR,))),
        ("BOXES=4 hard>=60", LevelFilter(comparisons=(FOUR, Comparison("hard", ">=", (60,))))),
        ("size<8x10", LevelFilter(comparisons=(Comparison("size", "<", (10, 8)),))),
        ("unsolved", LevelFilter(is_solved=False)),
        ("unsolved solved", LevelFilter(is_solved=True)),
        ("author:Skinner", LevelFilter(authors=("skinner",))),
        ('author:"david skinner" x', LevelFilter(authors=("david skinner",), words=("x",))),
        ("pack:micro Ware house", LevelFilter(packs=("micro",), words=("ware", "house"))),
        ('"unsolved" "boxes:4"', LevelFilter(words=("unsolved", "boxes:4"))),
        ("12", LevelFilter(words=("12",))),
    ],
)
def test_a_filter_is_parsed(text: str, expected: LevelFilter) -> None:
    assert parse_filter(text) == expected


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("easy colour:red", "colour:red", ""),
        ("boxes:", "boxes:", "boxes"),
        ("hard>x", "hard>x", "hard"),
        ("size<10", "size<10", "size"),
        ("author<a", "author<a", "author"),
        ("pack:", "pack:", "pack"),
        ("solved:1", "solved:1", ""),
    ],
)
def test_a_word_that_is_no_term_is_named(text: str, word: str, name: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert (caught.value.word, caught.value.name) == (word, name)
    assert filter_problem(caught.value).startswith(f"found {word}, expected ")


def test_an_unknown_term_is_told_all_there_are() -> None:
    told = filter_problem(FilterError("colour:red"))
    assert all(name in told for name in TERMS)


@given(st.text(alphabet='abxsz:=<>"0123456789 \tßİ', max_size=30))
def test_any_text_is_a_filter_or_names_a_word_of_it(text: str) -> None:
    found, more = parsed(text), parsed(f"boxes:4 {text}")
    if isinstance(found, FilterError):
        assert found.word in text.replace('"', "").casefold()
        assert isinstance(more, FilterError)
    else:
        comparisons = (FOUR, *found.comparisons)
        assert more == LevelFilter(found.words, found.authors, found.packs, comparisons, found.is_solved)


def parsed(text: str) -> LevelFilter | FilterError:
    try:
        return parse_filter(text)
    except FilterError as error:
        return error


_TERM = st.one_of(
    st.builds("{}{}{}".format, st.sampled_from(["boxes", "hard"]), st.sampled_from(":=<>"), st.integers(0, 60)),
    st.builds("boxes{}{}".format, st.sampled_from(["<=", ">="]), st.integers(0, 4)),
    st.builds("size{}{}x{}".format, st.sampled_from(["<", "<=", ":", ">"]), st.integers(3, 9), st.integers(3, 9)),
    st.builds("{}{}".format, st.sampled_from(["author:", "pack:", ""]), st.sampled_from(["a", "4", "ware", "STRASSE"])),
    st.sampled_from(["solved", "unsolved"]),
)


@pytest.fixture(name="library", scope="module")
def _library(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Catalog, list[PackFile]]":
    """A library of three levels: one solved, one graded, one with an open play."""
    folder = tmp_path_factory.mktemp("library")
    index = LibraryIndex.open(str(folder / "library.db"), ticking())
    files = []
    for name, text in PACKS.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
        (file,) = find_packs(str(folder / f"{name}.txt"))
        index.learn(file, open_pack(file), stamp_of(file))
        files.append(file)
    store = open_store(folder)
    store.record(ROOM, ROOM_SOLUTION)
    Player(store, TWO_WAYS).moves("u")
    (hashes,) = index.hashes([files[1].key]).values()
    index.keep_grades({hashes[1]: Grade(9, "-")}, VERSION)
    return Catalog(lambda: index, lambda: True, store), files


@given(st.lists(_TERM, max_size=3))
def test_rows_and_the_index_agree(library: "tuple[Catalog, list[PackFile]]", terms: list[str]) -> None:
    catalog, files = library
    wanted = parse_filter(" ".join(terms))
    rows = catalog.level_rows(catalog.find_levels(files, LevelFilter()))
    assert len(rows) == 3
    assert catalog.find_levels(files, wanted) == [(row.key, row.number) for row in rows if wanted.matches(row)]


def names(catalog: Catalog, files: list[PackFile], text: str = "", sort: LevelSort = LevelSort.PLACE) -> list[str]:
    return [row.title for row in catalog.level_rows(catalog.find_levels(files, parse_filter(text), sort))]


def test_rows_have_the_figures_of_levels(library: "tuple[Catalog, list[PackFile]]") -> None:
    catalog, files = library
    room, two_ways, corner = catalog.level_rows(catalog.find_levels(files, LevelFilter()))
    assert (room.pack, room.author, room.width, room.height, room.boxes) == ("Alpha", "David Skinner", 8, 5, 1)
    assert (room.hard, room.shown) == (estimate(1, 18), f"~{estimate(1, 18)}")
    assert (corner.hard, corner.shown) == (NO_SOLUTION, "-")
    assert (two_ways.author, corner.author) == ("Ann", "")
    assert [row.is_solved for row in (room, two_ways, corner)] == [True, False, False]
    assert room.last_played is not None
    assert two_ways.last_played is not None
    assert corner.last_played is None


def test_levels_are_sorted(library: "tuple[Catalog, list[PackFile]]") -> None:
    catalog, files = library
    assert names(catalog, files) == ["Straße", "Warehouse", "warehouse"]
    assert names(catalog, files[::-1]) == ["warehouse", "Straße", "Warehouse"]
    assert names(catalog, files[:1]) == ["Straße", "Warehouse"]
    assert names(catalog, files, sort=LevelSort.SIZE) == ["warehouse", "Warehouse", "Straße"]
    assert names(catalog, files, sort=LevelSort.BOXES)[-1] == "Warehouse"
    assert names(catalog, files, sort=LevelSort.DIFFICULTY)[-1] == "warehouse"
    assert names(catalog, files, sort=LevelSort.UNSOLVED) == ["Warehouse", "warehouse", "Straße"]
    assert names(catalog, files, sort=LevelSort.PLAYED)[2] == "warehouse"  # the only one that was never played
    assert names(catalog, files, sort=LevelSort.TITLE) == ["Straße", "warehouse", "Warehouse"]


def test_a_level_that_is_solved_or_played_meanwhile_moves(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{ROOM.xsb()}\n\n{TWO_WAYS.xsb()}\n")
    files = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    index.learn(files[0], open_pack(files[0]), stamp_of(files[0]))
    store = open_store(tmp_path)
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        assert len(catalog.find_levels(files, parse_filter("unsolved"))) == 2
        store.record(TWO_WAYS, FEWEST_MOVES)
        catalog.refresh()
        assert catalog.find_levels(files, parse_filter("unsolved")) == [(files[0].key, 1)]
        assert catalog.find_levels(files, LevelFilter(), LevelSort.PLAYED)[0] == (files[0].key, 2)
    store.close()
