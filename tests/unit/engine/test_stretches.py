"""Stretches on which two solutions part: each exchanged alone still solves, and the savings add up."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.engine.stretches import Stretch, stretches
from tests.unit.solver.optimizer.known import small_levels

HALL = Level.from_xsb("#########\n#@ $ .  #\n#       #\n#########")


def test_a_detour_is_one_stretch() -> None:
    one, other = (verify(HALL.board, HALL.start, lurd) for lurd in ("rduRR", "rRR"))
    assert stretches(HALL.board, HALL.start, one, other) == [Stretch(1, 3, 1, 1, 2, 0)]
    assert stretches(HALL.board, HALL.start, other, one) == [Stretch(1, 1, 1, 3, -2, 0)]


def test_one_cut_of_a_walk_over_the_same_places_is_one_stretch() -> None:
    for long, short in (("rlrlrlrRR", "rlrRR"), ("rdlurdlurdlurlrRR", "rdlurlrRR"), ("rdlurlrRR", "rlrRR")):
        one, other = (verify(HALL.board, HALL.start, lurd) for lurd in (long, short))
        [cut] = stretches(HALL.board, HALL.start, one, other)
        assert (cut.last - cut.first, cut.moves) == (len(long) - len(short), len(long) - len(short))


def test_equal_solutions_do_not_part() -> None:
    one = verify(HALL.board, HALL.start, "rRR")
    assert stretches(HALL.board, HALL.start, one, one) == []


@given(st.data())
def test_each_stretch_may_be_exchanged_alone_and_together_they_save_the_difference(data: st.DataObject) -> None:
    small = data.draw(st.sampled_from(small_levels()))
    choices = st.lists(st.integers(0, 50), max_size=12)
    one, other = small.solution(data.draw(choices)), small.solution(data.draw(choices))
    board, start = small.level.board, small.level.start
    found = stretches(board, start, one, other)
    assert sum(each.moves for each in found) == one.moves - other.moves
    assert sum(each.pushes for each in found) == one.pushes - other.pushes
    for each in found:
        exchanged: Solution = verify(
            board,
            start,
            one.lurd[: each.first] + other.lurd[each.other_first : each.other_last] + one.lurd[each.last :],
        )
        assert exchanged.moves == one.moves - each.moves
        assert exchanged.pushes == one.pushes - each.pushes
