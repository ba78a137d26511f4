"""Equal levels made one: nothing that solves a level is lost, whatever turned copies it is spread over."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import SYMMETRIES, scan
from sokoterm.engine.level import Level, Record
from sokoterm.engine.levelhash import to_canonical
from sokoterm.engine.lurd import replay, verify
from sokoterm.engine.reach import reachable_area
from sokoterm.formats.uniting import (
    OTHER_AUTHORS,
    OTHER_TITLES,
    SOLUTION,
    LevelCopy,
    in_letters,
    is_real_author,
    is_real_title,
    united,
    with_shared_records,
)
from tests.unit.engine.drawn import elsewhere, solved_levels

ROOM = Level.from_xsb("######\n#@   #\n# $ .#\n######")
TITLES = st.sampled_from(["", "1", "Level 7", "Maze", "Labyrinth", "#12"])
AUTHORS = st.sampled_from(["", "Ann", "Bob", "unknown"])
COMMENTS = st.sampled_from(["", "Nice", "Hard\n\nbut fair"])


def copy_of(level: Level, pack: str = "a", author: str = "") -> LevelCopy:
    return LevelCopy(pack, author, level)


def pushes_of(level: Level, lurd: str) -> str:
    """Return a solution as moves of the canonical picture from its first push: the walk to that may differ."""
    return to_canonical(level, lurd)[1].lstrip("urdl")


def solutions_of(level: Level) -> set[str]:
    found = (replay(level, record).solution for record in level.records)
    return {pushes_of(level, solution.lurd) for solution in found if solution is not None}


@st.composite
def equal_levels(draw: st.DrawFn) -> list[LevelCopy]:
    """Draw copies of a level, turned, with the player elsewhere, and with moves of which some solve it."""
    level, lurd = draw(solved_levels())
    moves = ["", "lr", lurd.lower(), lurd, lurd + "lrlr", f"lr{lurd}", lurd[:-1]]
    copies = []
    for number in range(draw(st.integers(2, 4))):
        records = [Record("Solution 3/2", each) for each in draw(st.lists(st.sampled_from(moves), max_size=3))]
        turned = level.replace(records=tuple(records)).turned(draw(st.sampled_from(SYMMETRIES)))
        if draw(st.booleans()):
            area = [*scan(reachable_area(turned.board, turned.start))]
            turned = elsewhere(turned, draw(st.sampled_from(area))).replace(records=turned.records)
        turned = turned.replace(title=draw(TITLES), author=draw(AUTHORS), comment=draw(COMMENTS), number=number + 1)
        copies.append(copy_of(turned, f"pack {number}", draw(AUTHORS)))
    return copies


@given(equal_levels())
def test_no_solution_that_replays_is_lost(copies: Sequence[LevelCopy]) -> None:
    result = united(copies)
    assert solutions_of(result.level) == set[str]().union(*(solutions_of(copy.level) for copy in copies))
    for record in result.level.records[len(copies[0].level.records) :]:
        assert verify(result.level.board, result.level.start, record.moves).lurd == record.moves
    assert (result.level.board, result.level.start) == copies[0].level.puzzle


@given(equal_levels())
def test_to_unite_once_more_changes_nothing(copies: Sequence[LevelCopy]) -> None:
    result = united(copies).level
    again = united([copy_of(result, author=copies[0].pack_author), *copies])
    assert (again.level, again.taken) == (result, ())


@given(equal_levels(), st.randoms(use_true_random=False))
def test_the_order_decides_what_is_preferred_and_nothing_else(copies: list[LevelCopy], choice: Random) -> None:
    first = _content(copies)
    choice.shuffle(copies)
    assert _content(copies) == first


def _content(copies: Sequence[LevelCopy]) -> Sequence[set[str]]:
    """Return solutions, comments, real titles and named authors of united copies."""
    level = united(copies).level
    texts = dict(level.metadata)
    titles = {level.title, *texts.get(OTHER_TITLES, "").split("\n")}
    authors = {level.author or copies[0].pack_author, *texts.get(OTHER_AUTHORS, "").split("\n")}
    return (
        solutions_of(level),
        {*level.comment.split("\n\n")},
        {*filter(is_real_title, titles)},
        {*filter(is_real_author, authors)},
    )


@given(equal_levels())
def test_shared_records_leave_every_level_as_it_is(copies: Sequence[LevelCopy]) -> None:
    all_of_them = set[str]().union(*(solutions_of(copy.level) for copy in copies))
    for copy, level in zip(copies, with_shared_records(copies), strict=True):
        assert level.replace(records=()) == copy.level.replace(records=())
        assert solutions_of(level) == all_of_them


def test_the_figures_in_a_title_follow_the_walk_in_front() -> None:
    there = elsewhere(ROOM, ROOM.board.square(1, 4)).replace(records=(Record("Solution 6/2 (me)", "lll dRR"),))
    (record,) = united([copy_of(ROOM), copy_of(there, "b")]).level.records
    assert record == Record("Solution 3/2 (me)", "dRR")


@pytest.mark.parametrize("saved", ["dR", "d*R", "*dR", "dR*"])
def test_saved_games_are_turned_too(saved: str) -> None:
    there = ROOM.replace(records=(Record("Savegame", saved), Record("Savegame", "uuu"))).turned(SYMMETRIES[3])
    result = united([copy_of(ROOM), copy_of(there, "b")])
    assert [(record.title, record.moves) for record in result.level.records] == [("Savegame", saved)]
    assert result.left_out == 1


def test_the_title_that_says_something_and_the_author_who_is_named_win() -> None:
    plain, named = ROOM.replace(title="12"), ROOM.replace(title="Maze", author="Ann", number=7)
    other = ROOM.replace(title="Labyrinth", author="Bob")
    result = united([copy_of(plain, author="unknown"), copy_of(named, "b"), copy_of(other, "c")])
    assert (result.level.title, result.level.author) == ("Maze", "Ann")
    assert result.level.metadata == ((OTHER_TITLES, "Labyrinth"), (OTHER_AUTHORS, "Bob"))
    assert [(each.pack, each.number, each.what) for each in result.taken] == [("b", 7, "title"), ("b", 7, "author")]


def test_what_a_level_has_is_taken_from_nobody() -> None:
    level = ROOM.replace(title="Maze", author="Ann", comment="Nice", records=(Record("Solution", "dRR"),))
    assert united([copy_of(level), copy_of(level, "b")]) == (level, (), 0)


def test_a_solution_says_which_pack_it_comes_from() -> None:
    there = ROOM.replace(records=(Record("Solution", "drRR"), Record("Solution", "dRR")), number=4)
    taken = united([copy_of(ROOM), copy_of(there, "b")]).taken
    assert [(each.pack, each.number, each.what, each.text) for each in taken] == [("b", 4, SOLUTION, "dRR")]


@pytest.mark.parametrize(
    ("moves", "written"), [("2R", "RR"), ("1-1d1r2", "dRR"), ("[1]R", "[1]R"), ("R*R", "R*R"), ("2(lr)", "lrlr")]
)
def test_moves_are_spelled_out(moves: str, written: str) -> None:
    level = ROOM.replace(records=(Record("Solution", moves),))
    assert [record.moves for record in in_letters(level).records] == [written]


def test_walks_that_solve_nothing_are_kept_as_text() -> None:
    level = in_letters(ROOM.replace(comment="Nice\n", records=(Record("Solution", "4-2l2"),)))
    assert (level.comment, level.records) == ("Nice\nSolution, which does not solve this level: 4-2l2", ())


@pytest.mark.parametrize("author", ["", "?", "Unknown", "anonymous", "n/a"])
def test_nobody_is_no_author(author: str) -> None:
    assert not is_real_author(author)
