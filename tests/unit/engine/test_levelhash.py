"""Level ids, and solutions shared by every level with an equal hash."""

from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import SYMMETRIES, Symmetry, scan
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import (
    canonical,
    exact_id,
    from_canonical,
    ids,
    level_hash,
    normal_form,
    to_canonical,
    unique_id,
)
from sokoterm.engine.lurd import verify
from sokoterm.engine.reach import reachable_area
from tests.present import present
from tests.unit.engine.drawn import (
    Picture,
    elsewhere,
    even_out,
    levels,
    pictures,
    reach_of,
    solved_levels,
    text_of,
)
from tests.unit.engine.plain_ids import plain_ids

EXAMPLE = "#####\n# @ #####\n#...# * #\n#$$$#####\n#    #\n#    #\n######"
OTHER_EXAMPLE = "###########\n##### *. ##\n####  @# ##\n#  $.$#####\n#   #  $ .#\n##### $  .#\n###########"
LOPSIDED = "#######\n#     #\n# #$# #\n#@  $ #\n#  ..##\n######"
ROOM = "#######\n#     #\n#@$   #\n#     #\n#   . ##\n########"

symmetries = st.sampled_from(SYMMETRIES)


def turned(level: Level, symmetry: Symmetry) -> Level:
    width = level.board.width
    return Level.from_xsb("\n".join(symmetry.rows([row.ljust(width) for row in level.rows])))


def test_the_worked_example_and_the_same_with_a_margin() -> None:
    level, margin = Level.from_xsb(EXAMPLE), Level.from_xsb("\n".join(" " + row for row in EXAMPLE.split("\n")))
    assert ";".join(normal_form(level)) == "######;#@@@##;#+++##;#$$$##;#    #;#    #;######"
    assert level_hash(level) == level_hash(margin) == "FC1DCABE2E461BB6431A82A22FF9A4FE"


def test_the_ids_of_the_other_example() -> None:
    level = Level.from_xsb(OTHER_EXAMPLE)
    assert (unique_id(level), exact_id(level)) == ("1674E2D1AC70B61C", "4C58C6973860C790")


@given(levels)
def test_the_hash_is_that_of_the_first_symmetry_that_gives_it(level: Level) -> None:
    texts = [";".join(symmetry.rows(normal_form(level))) for symmetry in SYMMETRIES]
    digests = [md5(text.encode("ascii"), usedforsecurity=False).hexdigest().upper() for text in texts]
    frame = canonical(level)
    assert (frame.hash, frame.symmetry) == (max(digests), SYMMETRIES[digests.index(max(digests))])


@given(pictures())
def test_the_ids_agree_with_the_reference_implementation(picture: Picture) -> None:
    level = Level.from_xsb(text_of(picture))
    assert ids(level) == (level_hash(level), unique_id(level), exact_id(level)) == plain_ids(picture)


@given(levels, st.data())
def test_moving_the_player_within_reach_keeps_the_hash(level: Level, data: st.DataObject) -> None:
    area = list(scan(reachable_area(level.board, level.start)))
    other = elsewhere(level, data.draw(st.sampled_from(area)))
    assert ids(other)[:2] == ids(level)[:2]
    assert (exact_id(other) == exact_id(level)) == (other.start == level.start)


@given(pictures(), st.data())
def test_every_wall_box_and_goal_in_reach_counts(picture: Picture, data: st.DataObject) -> None:
    inside = sorted(place for place in reach_of(picture) if picture[place] not in "@+")
    changes = data.draw(st.dictionaries(st.sampled_from(inside), st.sampled_from(" #$.*"), min_size=1, max_size=3))
    changed = picture | changes
    even_out(changed)
    before, after = Level.from_xsb(text_of(picture)), Level.from_xsb(text_of(changed))
    assert (exact_id(after) == exact_id(before)) == all(changed[place] == picture[place] for place in inside)
    same = plain_ids(changed)[0] == plain_ids(picture)[0]
    assert (level_hash(after) == level_hash(before)) == (unique_id(after) == unique_id(before)) == same


@given(levels)
def test_the_canonical_frame_leads_to_the_picture_that_is_hashed(level: Level) -> None:
    frame = canonical(level)
    form = normal_form(level)
    assert frame.hash == level_hash(level)
    assert (len(form), len(form[0])) == (frame.height, frame.width)
    for square in scan(level.board.floor):
        row, column = level.board.row_column(square)
        cell = form[row - frame.top][column - frame.left]
        assert (cell in "$*") == bool(level.start.boxes >> square & 1)
        assert (cell in ".*+") == bool(level.board.goals >> square & 1)


@given(solved_levels())
def test_a_solution_goes_into_the_canonical_orientation_and_back(solved: tuple[Level, str]) -> None:
    level, lurd = solved
    start, turned_lurd = to_canonical(level, lurd)
    assert from_canonical(level, start, turned_lurd) == verify(level.board, level.start, lurd).lurd
    frame = canonical(level)
    assert to_canonical(level, lurd, frame) == (start, turned_lurd)
    assert from_canonical(level, start, turned_lurd, frame) == from_canonical(level, start, turned_lurd)


@given(solved_levels(), symmetries, st.data())
def test_a_solution_fits_every_level_with_an_equal_hash(
    solved: tuple[Level, str], symmetry: Symmetry, data: st.DataObject
) -> None:
    level, lurd = solved
    area = list(scan(reachable_area(level.board, level.start)))
    other = turned(elsewhere(level, data.draw(st.sampled_from(area))), symmetry)
    found = present(from_canonical(other, *to_canonical(level, lurd)))
    assert verify(other.board, other.start, found).pushes == verify(level.board, level.start, lurd).pushes


@pytest.mark.parametrize(
    ("start", "lurd"),
    [
        ((0, 0), "RRurDD"),  # in a wall
        ((-1, 2), "RRurDD"),
        ((2, 99), "RRurDD"),
        (None, "RRu"),  # not to the end
        (None, "RRurDDD"),  # into a wall
        (None, ""),
        (None, "moves"),
        (None, "3"),
    ],
)
def test_moves_that_do_not_solve_the_level_give_none(start: tuple[int, int] | None, lurd: str) -> None:
    level = Level.from_xsb(ROOM)
    place, _ = to_canonical(level, "")
    _, turned_lurd = to_canonical(level, lurd)
    assert from_canonical(level, place if start is None else start, turned_lurd) is None


def test_a_solution_of_another_level_or_from_out_of_the_players_reach_gives_none() -> None:
    assert from_canonical(Level.from_xsb(LOPSIDED), *to_canonical(Level.from_xsb(ROOM), "RRurDD")) is None
    level = Level.from_xsb("########\n#  #   #\n#@ $ . #\n#  #   #\n########")
    place = canonical(level).symmetry.place(2, 4, 5, 8)
    _, lurd = to_canonical(level, "lll")
    assert from_canonical(level, place, lurd) is None
