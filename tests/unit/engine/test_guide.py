"""Next push of a known solution.

Stretches on which two solutions part: each exchanged alone still solves, and the savings add up.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.board import State
from sokoterm.engine.guide import Guide, Stretch, stretches
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Solution, end_of, verify
from tests.present import present
from tests.unit.solver.optimizer.known import small_levels

ROOM = Level.from_xsb("#######\n#     #\n#@$   #\n#     #\n#   . #\n#######")
SOLUTION = "RRurDD"


def next_push(guide: Guide, state: State) -> str | None:
    advance = guide.find_next_push(state)
    return None if advance is None else "".join(step.letter for step in advance.steps)


@pytest.mark.parametrize(
    ("after", "to_push", "rest"),
    [
        ("", "r", SOLUTION),
        ("R", "r", "RurDD"),
        ("RR", "urd", "urDD"),
        ("RRu", "rd", "rDD"),
        ("RRurD", "d", "D"),
        ("d", "ur", "uRRurDD"),
        ("RRll", "urrrd", "urrrDD"),
    ],
)
def test_the_next_push_and_the_rest_from_anywhere_in_the_same_area(after: str, to_push: str, rest: str) -> None:
    """The rest counts the walk to it."""
    guide, state = Guide(ROOM.board, ROOM.start, SOLUTION), end_of(ROOM.board, ROOM.start, after)
    assert (next_push(guide, state), guide.find_rest(state)) == (to_push, rest)
    advance = present(guide.find_next_push(state))
    assert (advance.moves, advance.pushes) == (len(rest), sum(map(str.isupper, rest)))


@pytest.mark.parametrize("after", [SOLUTION, "RRR", "urD"])
def test_no_push_off_the_solution_or_at_its_end(after: str) -> None:
    guide, state = Guide(ROOM.board, ROOM.start, SOLUTION), end_of(ROOM.board, ROOM.start, after)
    assert (next_push(guide, state), guide.find_rest(state)) == (None, None)


def test_a_detour_of_the_solution_is_not_repeated() -> None:
    # The box goes back and forth once: from the position that occurs twice, the guide follows the second.
    level = Level.from_xsb("#######\n#     #\n#@$ . #\n#     #\n#######")
    guide = Guide(level.board, level.start, "RurrdLulldRR")
    assert next_push(guide, level.start) == "r"
    assert next_push(guide, end_of(level.board, level.start, "R")) == "r"


def test_moves_that_do_not_fit_are_refused() -> None:
    with pytest.raises(LurdError):
        Guide(ROOM.board, ROOM.start, "RRRRRR")


HALL = Level.from_xsb("#########\n#@ $ .  #\n#       #\n#########")


def test_a_detour_is_one_stretch() -> None:
    one, other = (verify(HALL.board, HALL.start, lurd) for lurd in ("rduRR", "rRR"))
    assert stretches(HALL.board, HALL.start, one, other) == [Stretch(1, 3, 1, 1, 2, 0)]
    assert stretches(HALL.board, HALL.start, other, one) == [Stretch(1, 1, 1, 3, -2, 0)]
    assert stretches(HALL.board, HALL.start, one, one) == []


def test_one_cut_of_a_walk_over_the_same_places_is_one_stretch() -> None:
    for long, short in (("rlrlrlrRR", "rlrRR"), ("rdlurdlurdlurlrRR", "rdlurlrRR"), ("rdlurlrRR", "rlrRR")):
        one, other = (verify(HALL.board, HALL.start, lurd) for lurd in (long, short))
        [cut] = stretches(HALL.board, HALL.start, one, other)
        assert (cut.last - cut.first, cut.moves) == (len(long) - len(short), len(long) - len(short))


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
