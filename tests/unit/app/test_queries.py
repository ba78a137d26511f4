"""Queries of levels: what is parsed, what is refused, and the same answer in the index and on the levels themselves."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta
from operator import eq, ge, gt, le, lt
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.app.catalog import Catalog
from sokoterm.app.lists import LevelSort, Lists
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.lurd import verify
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.known_levels import NO_SOLUTION, Grade, estimate
from sokoterm.store.library import LibraryIndex, LooseLevels, PackFigures
from sokoterm.store.packs import PackFile, find_packs, open_pack, stamp_of
from sokoterm.store.query import (
    EVERY,
    MOST_NESTED,
    MOST_PARTS,
    TERMS,
    Comparison,
    Query,
    QueryError,
    has_terms,
    parse_query,
)
from sokoterm.wording.lists import query_problem
from tests.unit.store.stores import (
    FEWEST_MOVES,
    FEWEST_PUSHES,
    ROOM,
    ROOM_SOLUTION,
    TWO_WAYS,
    Player,
    open_store,
    ticking,
)

CORNER = "####\n#@ ##\n# $.#\n#  ##\n####"
SLIPPERY = f"{ROOM.xsb()}\nTitle: 10 Pins\nVariant: sliding\n"
COLOURED = "######\n#@$.#\n# $.##\n######\nBoxorder: 1 2\nGoalorder: 1 2\nTitle: Red\n".replace("#@$.#\n", "#@$.##\n")
PACKS = {
    "Alpha": f"Author: David Skinner\n\n{ROOM.xsb()}\nTitle: Straße\n\n"
    f"{TWO_WAYS.xsb()}\nTitle: Warehouse\nAuthor: Ann\n",
    "beta 4": f"{CORNER}\nTitle: warehouse\nAuthor: Søren García\n\n{SLIPPERY}\n{COLOURED}",
}
Library = tuple[Catalog, list[PackFile]]
FOUR = Comparison("boxes", "=", (4,))


def test_a_query_is_parsed_or_a_wrong_word_named_with_its_column() -> None:
    """By what is told in tests/data/queries.txt: the parts of a query, or the message."""
    for line in (Path(__file__).parents[2] / "data" / "queries.txt").read_text("utf-8").splitlines():
        query, _, told = line.partition(" => ")
        found = parsed(query)
        assert told == (query_problem(found) if isinstance(found, QueryError) else repr(found))


@pytest.mark.parametrize(
    ("text", "word", "column", "name"),
    [
        ("(" * MOST_NESTED + "(a", "(", MOST_NESTED + 1, "deep"),
        ("a " * MOST_PARTS + "b", "b", 2 * MOST_PARTS + 1, "many"),
        ("easy colour:red", "colour:red", 6, ""),
        ("solved:1", "solved:1", 1, "solved"),
    ],
)
def test_a_query_has_an_end_and_known_terms(text: str, word: str, column: int, name: str) -> None:
    error = parsed(text)
    assert isinstance(error, QueryError)
    assert (error.word, error.column, error.name) == (word, column, name)


def test_an_unknown_term_is_told_all_there_are() -> None:
    told = query_problem(QueryError("colour:red", 1))
    assert all(name in told for name in TERMS)


@given(st.text(alphabet='abxsz:=<>()"0123456789 \tßİ\ud800\n', max_size=30))
def test_any_text_is_a_query_or_names_a_word_of_it(text: str) -> None:
    shown = text.replace("\ud800", "?").replace("\n", " ")
    found = parsed(text)
    if isinstance(found, QueryError):
        assert 1 <= found.column <= len(text) + 1
        assert shown[found.column - 1 :].startswith(found.word)


def parsed(text: str) -> Query | QueryError:
    try:
        return parse_query(text)
    except QueryError as error:
        return error


def test_a_query_as_deep_as_any_is_asked(library: Library) -> None:
    catalog, files = library
    nots = "not " * (MOST_PARTS - 1) + "boxes:9"
    wide = "or ".join(["boxes:9 "] * (MOST_PARTS // 2))
    nested = "not (boxes:9 or boxes:8 " * MOST_NESTED + ")" * MOST_NESTED
    assert [len(catalog.find_levels(files, parse_query(each))) for each in (nots, wide, nested)] == [5, 0, 5]


class Naive(NamedTuple):
    """A level as a person would write it down."""

    pack: int
    number: int
    title: str
    author: str
    pack_words: tuple[str, str]
    boxes: int
    sides: tuple[int, int]
    hard: int | None
    kinds: str = ""
    is_solved: bool = False
    is_begun: bool = False
    has_solution: bool = False
    moves: int | None = None
    pushes: int | None = None


ALPHA, BETA = ("alpha", "alpha"), ("beta 4", "beta 4")
NAIVE = [
    Naive(0, 1, "strasse", "david skinner", ALPHA, 1, (8, 5), estimate(1, 18), "", is_solved=True, moves=7, pushes=3),
    Naive(
        0,
        2,
        "warehouse",
        "ann",
        ALPHA,
        2,
        (6, 6),
        estimate(2, 15),
        "",
        is_begun=True,
        has_solution=True,
        moves=8,
        pushes=4,
    ),
    Naive(1, 1, "warehouse", "soren garcia", BETA, 1, (5, 5), None),
    Naive(1, 2, "10 pins", "", BETA, 1, (8, 5), estimate(1, 18), "sliding"),
    Naive(1, 3, "red", "", BETA, 2, (6, 4), estimate(2, 6), "colors"),
]
_SIGNS = {":": eq, "=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_TODAY = date.today()

Asked = tuple[str, Callable[[Naive], bool]]
"""The text of a query, and the naive filter it stands for."""


def number(name: str, sign: str, value: int) -> Asked:
    def test(level: Naive) -> bool:
        figures = {"boxes": level.boxes, "hard": level.hard, "stars": 3 * level.is_solved, "copies": 1}
        found = {**figures, "moves": level.moves, "pushes": level.pushes}[name]
        return found is not None and _SIGNS[sign](found, value)

    return f"{name}{sign}{value}", test


def between(first: int, more: int) -> Asked:
    return f"hard:{first}-{first + more}", lambda level: level.hard is not None and first <= level.hard <= first + more


def size(sign: str, one: int, other: int) -> Asked:
    longer, shorter = max(one, other), min(one, other)
    return (
        f"size{sign}{one}x{other}",
        lambda level: _SIGNS[sign](max(level.sides), longer) and _SIGNS[sign](min(level.sides), shorter),
    )


def text(name: str, part: str) -> Asked:
    def test(level: Naive) -> bool:
        places = {"author": [level.author], "title": [level.title], "pack": [*level.pack_words]}
        some = places.get(name) or [each for other in places.values() for each in other]
        return any(part.casefold().replace("í", "i") in each for each in some)

    return f"{name}:{part}" if name else part, test


def added(sign: str, days: int) -> Asked:
    day = _TODAY + timedelta(days)
    return f"added{sign}{day}", lambda _: _SIGNS[sign](_TODAY, day)


_WORDS: list[Asked] = [
    ("solved", lambda level: level.is_solved),
    ("unsolved", lambda level: not level.is_solved),
    ("begun", lambda level: level.is_begun),
    ("has:solution", lambda level: level.has_solution),
    ("variant:none", lambda level: not level.kinds),
    ("variant:colors", lambda level: level.kinds == "colors"),
    ("variant:sliding", lambda level: level.kinds == "sliding"),
]
_TEXTS = ["a", "4", "ware", "STRASSE", "GARCÍA"]
_TERM = st.one_of(
    st.builds(number, st.sampled_from(["boxes", "hard"]), st.sampled_from([*_SIGNS]), st.integers(0, 60)),
    st.builds(number, st.sampled_from(["moves", "pushes"]), st.sampled_from([*_SIGNS]), st.integers(0, 12)),
    st.builds(number, st.sampled_from(["boxes", "stars", "copies"]), st.sampled_from([*_SIGNS]), st.integers(0, 3)),
    st.builds(between, st.integers(20, 50), st.integers(0, 30)),
    st.builds(size, st.sampled_from([*_SIGNS]), st.integers(3, 9), st.integers(3, 9)),
    st.builds(text, st.sampled_from(["author", "title", "pack", ""]), st.sampled_from(_TEXTS)),
    st.builds(added, st.sampled_from([*_SIGNS]), st.integers(-1, 1)),
    st.sampled_from(_WORDS),
)


def negated(asked: Asked) -> Asked:
    return f"not ({asked[0]})", lambda level: not asked[1](level)


def all_of(some: list[Asked]) -> Asked:
    return " ".join(f"({each})" for each, _ in some), lambda level: all(test(level) for _, test in some)


def any_of(some: list[Asked]) -> Asked:
    return " or ".join(each for each, _ in some), lambda level: any(test(level) for _, test in some)


_QUERY = st.recursive(
    _TERM,
    lambda part: st.one_of(
        st.builds(negated, part),
        st.builds(all_of, st.lists(part, min_size=1, max_size=3)),
        st.builds(any_of, st.lists(part, min_size=1, max_size=3)),
    ),
    max_leaves=8,
)


@pytest.fixture(name="library", scope="module")
def _library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The levels of NAIVE: one solved at par, one graded, one with an open play and a solution of the program."""
    folder = tmp_path_factory.mktemp("library")
    index = LibraryIndex.open(str(folder / "library.db"), ticking())
    files = []
    for name, pack in PACKS.items():
        (folder / f"{name}.txt").write_text(pack, "utf-8")
        (file,) = find_packs(str(folder / f"{name}.txt"))
        index.learn(file, open_pack(file), stamp_of(file))
        files.append(file)
    store = open_store(folder)
    solved = store.record(ROOM, ROOM_SOLUTION).solution
    store.keep_proven(ROOM, "pushes", solved.pushes)
    Player(store, TWO_WAYS).moves(FEWEST_MOVES[:-1])
    store.keep_found(TWO_WAYS, verify(TWO_WAYS.board, TWO_WAYS.start, FEWEST_MOVES), "a machine")
    store.save_rows()
    hashes = index.hashes([files[1].key])[files[1].key]
    index.keep_grades({hashes[1]: Grade(9, "-")}, FIGURES_VERSION)
    return Catalog(lambda: index, lambda: True, store), files


@given(_QUERY)
@settings(max_examples=100)
def test_a_query_answers_as_a_naive_filter_over_all_levels_does(library: Library, asked: Asked) -> None:
    catalog, files = library
    query = parse_query(asked[0])
    wanted = [level for level in NAIVE if asked[1](level)]
    assert [(row.key, row.number) for row in catalog.find_levels(files, query)] == [
        (files[each.pack].key, each.number) for each in wanted
    ]
    for place, file in enumerate(files):
        numbers = [each.number for each in wanted if each.pack == place]
        match = catalog.find_packs(query).get(file.key)
        assert (match.levels if match is not None else 0) == len(numbers)
        if has_terms(query):
            assert lists_of(catalog, files).level_found(file, query) == next(iter(numbers), None)
        pack = open_pack(file)
        assert catalog.marks.numbers_in(query, pack, file.name, stamp_of(file)) == set(numbers)


def test_unique_levels_are_the_first_of_those_that_the_other_terms_find(tmp_path: Path) -> None:
    mirrored = "\n".join(row[::-1] for row in ROOM.xsb().splitlines())
    packs = {"a": [f"{ROOM.xsb()}\nTitle: One", f"{mirrored}\nTitle: Two", CORNER], "b": [TWO_WAYS.xsb(), ROOM.xsb()]}
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    files = []
    for name, levels in packs.items():
        (tmp_path / f"{name}.txt").write_text("\n\n".join(levels), "utf-8")
        files += find_packs(str(tmp_path / f"{name}.txt"))
        index.learn(files[-1], open_pack(files[-1]), stamp_of(files[-1]))
    with closing(Catalog(lambda: index, lambda: True, open_store(tmp_path))) as catalog:
        for text, places in (
            ("unique", ["a 1", "a 3", "b 1"]),
            ("unique title:two", ["a 2"]),
            ("pack:b unique", ["b 1", "b 2"]),
            ("copies:3", ["a 1", "a 2", "b 2"]),
            ("copies>1 unique", ["a 1"]),
            ("copies<2", ["a 3", "b 1"]),
            ("not copies<=9", []),
        ):
            query, lists = parse_query(text), lists_of(catalog, files)
            rows = catalog.find_levels(files, query)
            assert (text, [f"{row.pack} {row.number}" for row in rows]) == (text, places)
            found = {place[0] for place in places}
            assert [file.name for file in lists.packs(query)] == sorted(found)
            assert lists.count(query) == (len(places), len(found))
            for file in files:
                numbers = [int(place[2:]) for place in places if place[0] == file.name]
                assert lists.level_found(file, query) == next(iter(numbers), None)
        pack = open_pack(files[0])
        assert catalog.marks.numbers_in(parse_query("unique"), pack, "a", None) == {1, 3}
        assert catalog.marks.numbers_in(parse_query("copies>2"), pack, "a", None) == {1, 2}
        (tmp_path / "b.txt").unlink()
        assert len(catalog.find_levels(files, parse_query("copies:2"))) == 3


def test_the_fewest_pushes_and_moves_are_those_of_all_known_solutions(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{TWO_WAYS.xsb()}\n\nSolution\n{FEWEST_MOVES}\n\n{ROOM.xsb()}\n", "utf-8")
    files = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    store = open_store(tmp_path)
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        pack = open_pack(files[0])

        def numbers(text: str) -> frozenset[int]:
            catalog.refresh()
            return catalog.marks.numbers_in(parse_query(text), pack, "a", None)

        assert [numbers(text) for text in ("pushes:4", "pushes<4", "moves<9")] == [{1}, set(), {1}]  # in no index
        index.learn(files[0], pack, stamp_of(files[0]))
        assert [numbers(text) for text in ("pushes:4", "moves:8", "moves<8")] == [{1}, {1}, set()]
        store.record(TWO_WAYS, FEWEST_PUSHES)
        store.record(ROOM, ROOM_SOLUTION)
        for text, expected in (("pushes:2", [1]), ("moves:8", [1]), ("moves>7", [1]), ("pushes<4", [1, 2])):
            assert numbers(text) == {*expected}
            assert (text, [row.number for row in catalog.find_levels(files, parse_query(text))]) == (text, expected)
    store.close()


def test_a_query_that_is_typed_asks_the_same_rows_letter_by_letter(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog, files = library
    pack = open_pack(files[0])
    taken: list[Pack] = []
    take = LooseLevels.take

    def counted(self: LooseLevels, pack: Pack, *others: Any, **named: Any) -> None:
        taken.append(pack)
        take(self, pack, *others, **named)

    monkeypatch.setattr(LooseLevels, "take", counted)
    for text, count in (("r", 1), ("ro", 1), ("ro solved", 2), ("solved", 2), ("solution", 3), ("hard>1", 4), ("r", 5)):
        numbers = catalog.marks.numbers_in(parse_query(text), pack, files[0].name, stamp_of(files[0]))
        assert len(taken) == count
        rows = catalog.find_levels(files[:1], parse_query(text))
        assert numbers == {row.number for row in rows}
    assert catalog.marks.numbers_in(parse_query("r"), open_pack(files[0]), files[0].name, None)
    assert len(taken) == 6


def test_a_filter_of_one_pack_finds_the_same_in_the_index_and_in_the_pack(library: Library) -> None:
    catalog, files = library
    catalog.figures(files)
    texts = (
        "",
        "2",
        "1 alpha",
        "warehouse",
        "title:10",
        "author:ann",
        "boxes:2",
        "hard>1",
        "variant:sliding",
        "unique",
    )
    for file in files:
        pack = open_pack(file)
        for text in texts:
            query = parse_query(text)
            found = catalog.find_numbers(file.key, query)
            loose = catalog.marks.numbers_in(query, pack, file.name, stamp_of(file), is_numbered=True)
            assert (text, found) == (text, sorted(loose))
    assert catalog.find_numbers(files[0].key, parse_query("2")) == [2]
    assert catalog.find_numbers("unknown", EVERY) is None


def test_rows_have_the_figures_of_levels(library: Library) -> None:
    catalog, files = library
    found = [catalog.level_row(files[each.pack].key, each.number) for each in NAIVE]
    rows = [row for row in found if row is not None]
    room, two_ways, corner = rows[:3]
    assert [(row.goals, row.floor, row.kinds) for row in rows[2:]] == [(1, 7, ""), (1, 18, "sliding"), (2, 6, "colors")]
    assert (room.pack, room.author, room.width, room.height, room.boxes) == ("Alpha", "David Skinner", 8, 5, 1)
    assert (room.hard, room.shown) == (estimate(1, 18), f"~{estimate(1, 18)}")
    assert (corner.hard, corner.shown) == (NO_SOLUTION, "-")
    assert (two_ways.author, corner.author) == ("Ann", "Søren García")
    assert room.last_played is not None
    assert two_ways.last_played is not None
    assert corner.last_played is None


def lists_of(catalog: Catalog, files: list[PackFile]) -> Lists:
    return Lists(files, lambda file: pytest.fail(file.name), catalog)


def found(catalog: Catalog, files: list[PackFile], text: str) -> list[str]:
    return [file.name for file in lists_of(catalog, files).packs(parse_query(text))]


def test_packs_are_found_by_their_levels_and_their_own_names(library: Library) -> None:
    catalog, files = library
    assert found(catalog, files, "beta") == ["beta 4"]
    assert found(catalog, files, "skinner") == ["Alpha"]
    assert found(catalog, files, "warehouse") == ["Alpha", "beta 4"]
    assert found(catalog, files, "warehouse author:ann") == ["Alpha"]
    assert found(catalog, files, "unsolved") == ["Alpha", "beta 4"]
    assert found(catalog, files, "solved") == ["Alpha"]
    lists = lists_of(catalog, files)
    assert [lists.level_found(file, parse_query("ware")) for file in files] == [2, 1]
    assert [lists.level_found(file, parse_query("beta")) for file in files] == [None, None]
    assert [lists.count(parse_query(text)) for text in ("ware", "boxes>1", "boxes>9")] == [(2, 2), (2, 2), (0, 0)]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (LevelSort.PLACE, "Alpha"),
        (LevelSort.TITLE, "Alpha"),
        (LevelSort.SIZE, "beta 4"),
        (LevelSort.BOXES, "beta 4"),
        (LevelSort.DIFFICULTY, "beta 4"),
        (LevelSort.PLAYED, "Alpha"),
        (LevelSort.UNSOLVED, "Alpha"),
    ],
)
def test_packs_are_sorted(library: Library, sort: LevelSort, expected: str) -> None:
    catalog, files = library
    lists = Lists(files, lambda file: pytest.fail(file.name), catalog)
    lists.set(sort)
    assert lists.packs()[0].name == expected


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
        lists = Lists([file], lambda file: pytest.fail(file.name), catalog)
        lists.set(sort)
        assert [level.number for level in lists.levels(pack_session) if isinstance(level, Level)] == expected
        unsolved = lists.levels(pack_session, parse_query("unsolved"))
        assert [level.number for level in unsolved if isinstance(level, Level)] == [n for n in expected if n != 1]
    store.close()


def test_a_level_that_is_solved_or_played_meanwhile_moves(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{ROOM.xsb()}\n\n{TWO_WAYS.xsb()}\n")
    files = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    index.learn(files[0], open_pack(files[0]), stamp_of(files[0]))
    store = open_store(tmp_path)
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        unsolved, every = parse_query("unsolved"), EVERY
        assert catalog.find_packs(unsolved)[files[0].key].levels == 2
        store.record(TWO_WAYS, FEWEST_MOVES)
        catalog.refresh()
        assert [catalog.find_packs(each)[files[0].key].levels for each in (unsolved, every)] == [1, 2]
        assert lists_of(catalog, files).level_found(files[0], unsolved) == 1
        assert list(catalog.last_played()) == [(files[0].key, 2)]
    store.close()


def test_a_slow_first_look_into_the_index_takes_no_time_from_indexing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text(f"{ROOM.xsb()}\n")
    (file,) = find_packs(str(tmp_path / "a.txt"))
    index = LibraryIndex.open(str(tmp_path / "library.db"), ticking())
    store = open_store(tmp_path)
    entries, seconds = index.entries, [0.0]

    def slow(files: Sequence[PackFile]) -> Mapping[str, PackFigures]:
        seconds[0] += 1.0
        return entries(files)

    monkeypatch.setattr(index, "entries", slow)
    monkeypatch.setattr("sokoterm.app.catalog.perf_counter", lambda: seconds[0])
    with closing(Catalog(lambda: index, lambda: True, store)) as catalog:
        catalog.begin(file, open_pack(file), stamp_of(file))
        catalog.work(())
        assert [*catalog.find_packs(EVERY)] == [file.key]
        assert not catalog.has_work(())
    store.close()
