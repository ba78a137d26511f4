"""Filters of levels typed as words: what is parsed, what is refused, and the same answer on rows and in SQL."""

from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_filter import TERMS, Comparison, FilterError, LevelFilter, parse_filter
from sokoterm.app.pack_session import PackSession
from sokoterm.app.sort_order import SortOrder
from sokoterm.engine.level import Level
from sokoterm.solver.figures import FIGURES_VERSION
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


FOUR = Comparison("boxes", "=", (4,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", LevelFilter()),
        ("boxes:4", LevelFilter(comparisons=(FOUR,))),
        ("BOXES=4 hard>=60", LevelFilter(comparisons=(FOUR, Comparison("hard", ">=", (60,))))),
        ("size<8x10", LevelFilter(comparisons=(Comparison("size", "<", (10, 8)),))),
        ("unsolved", LevelFilter(is_solved=False)),
        ("solved SOLVED", LevelFilter(is_solved=True)),
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
        ("unsolved boxes:4 Solved", "solved", "solved"),
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
    index.keep_grades({hashes[1]: Grade(9, "-")}, FIGURES_VERSION)
    return Catalog(lambda: index, lambda: True, store), files


@given(st.lists(_TERM, max_size=3).filter(lambda terms: not {"solved", "unsolved"} <= {*terms}))
def test_rows_and_the_index_agree(library: "tuple[Catalog, list[PackFile]]", terms: list[str]) -> None:
    catalog, files = library
    wanted = parse_filter(" ".join(terms))
    for file, places in zip(files, _places(files)):
        found = [row.number for row in catalog.level_rows(places) if wanted.matches(row)]
        match = catalog.find_packs(wanted).get(file.key)
        assert (match.levels if match is not None else 0) == len(found)
        if wanted.has_terms:
            assert catalog.level_found(file, wanted) == next(iter(found), None)


def _places(files: list[PackFile]) -> list[list[tuple[str, int]]]:
    """The places of the levels of PACKS, by pack."""
    return [[(files[0].key, 1), (files[0].key, 2)], [(files[1].key, 1)]]


def test_rows_have_the_figures_of_levels(library: "tuple[Catalog, list[PackFile]]") -> None:
    catalog, files = library
    room, two_ways, corner = catalog.level_rows([*chain(*_places(files))])
    assert (room.pack, room.author, room.width, room.height, room.boxes) == ("Alpha", "David Skinner", 8, 5, 1)
    assert (room.hard, room.shown) == (estimate(1, 18), f"~{estimate(1, 18)}")
    assert (corner.hard, corner.shown) == (NO_SOLUTION, "-")
    assert (two_ways.author, corner.author) == ("Ann", "")
    assert [row.is_solved for row in (room, two_ways, corner)] == [True, False, False]
    assert room.last_played is not None
    assert two_ways.last_played is not None
    assert corner.last_played is None


def found(catalog: Catalog, files: list[PackFile], text: str) -> list[str]:
    return [file.name for file in files if catalog.finds(file, parse_filter(text))]


def test_packs_are_found_by_their_levels_and_their_own_names(library: "tuple[Catalog, list[PackFile]]") -> None:
    catalog, files = library
    assert found(catalog, files, "beta") == ["beta 4"]
    assert found(catalog, files, "skinner") == ["Alpha"]
    assert found(catalog, files, "warehouse") == ["Alpha", "beta 4"]
    assert found(catalog, files, "warehouse author:ann") == ["Alpha"]
    assert found(catalog, files, "unsolved") == ["Alpha", "beta 4"]
    assert found(catalog, files, "solved") == ["Alpha"]
    assert [catalog.level_found(file, parse_filter("ware")) for file in files] == [2, 1]
    assert [catalog.level_found(file, parse_filter("beta")) for file in files] == [None, None]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (LevelSort.PLACE, "Alpha"),
        (LevelSort.TITLE, "Alpha"),
        (LevelSort.SIZE, "beta 4"),
        (LevelSort.BOXES, "beta 4"),
        (LevelSort.DIFFICULTY, "Alpha"),
        (LevelSort.PLAYED, "Alpha"),
        (LevelSort.UNSOLVED, "Alpha"),
    ],
)
def test_packs_are_sorted(library: "tuple[Catalog, list[PackFile]]", sort: LevelSort, expected: str) -> None:
    catalog, files = library
    order = SortOrder(catalog)
    order.set(sort)
    assert order.files(files)[0].name == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (LevelSort.PLACE, [1, 2, 3]),
        (LevelSort.TITLE, [2, 1, 3]),
        (LevelSort.SIZE, [3, 2, 1]),
        (LevelSort.BOXES, [3, 1, 2]),
        (LevelSort.PLAYED, [1, 2, 3]),
        (LevelSort.UNSOLVED, [2, 3, 1]),
    ],
)
def test_levels_are_sorted(tmp_path: Path, sort: LevelSort, expected: list[int]) -> None:
    text = f"{ROOM.xsb()}\nTitle: Room 10\n\n{TWO_WAYS.xsb()}\nTitle: room 9\n\n{CORNER}\n"
    (tmp_path / "a.txt").write_text(text)
    (file,) = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    index.learn(file, open_pack(file), stamp_of(file))
    store = open_store(tmp_path)
    store.record(ROOM, ROOM_SOLUTION)
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        pack_session = PackSession(open_pack(file), file.key, file.name, store, catalog)
        order = SortOrder(catalog)
        order.set(sort)
        assert [level.number for level in order.entries(pack_session) if isinstance(level, Level)] == expected
        unsolved = order.found(pack_session, parse_filter("unsolved"))
        assert [level.number for level in unsolved if isinstance(level, Level)] == [n for n in expected if n != 1]
    store.close()


def test_a_level_that_is_solved_or_played_meanwhile_moves(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{ROOM.xsb()}\n\n{TWO_WAYS.xsb()}\n")
    files = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    index.learn(files[0], open_pack(files[0]), stamp_of(files[0]))
    store = open_store(tmp_path)
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        unsolved, every = parse_filter("unsolved"), LevelFilter()
        assert catalog.find_packs(unsolved)[files[0].key].levels == 2
        store.record(TWO_WAYS, FEWEST_MOVES)
        catalog.refresh()
        assert [catalog.find_packs(each)[files[0].key].levels for each in (unsolved, every)] == [1, 2]
        assert catalog.level_found(files[0], unsolved) == 1
        assert list(catalog.last_played()) == [(files[0].key, 2)]
    store.close()
