"""Lines of moves, and where searches start on them."""

import pytest

from sokoterm.engine.lurd import LurdError, end_of
from sokoterm.solver.strategies.beam import starts_on
from sokoterm.solver.strategies.from_line import read_line
from tests.unit.solver.cases import SEED_CASE


def test_the_positions_are_those_after_each_push() -> None:
    line = read_line(SEED_CASE.board, SEED_CASE.start, "drl u")
    assert (line.pushes, line.lurd) == (1, "Drlu")
    assert [line.until(pushes) for pushes in (0, 1)] == ["", "D"]
    assert line.states == (SEED_CASE.start, end_of(SEED_CASE.board, SEED_CASE.start, "D"))


def test_a_blocked_step_is_an_error() -> None:
    with pytest.raises(LurdError, match=r"step 3 \(r\) is blocked"):
        read_line(SEED_CASE.board, SEED_CASE.start, "lrr")


def test_searches_start_from_five_places_at_most_the_end_first_and_the_start_last() -> None:
    for pushes in range(200):
        starts = starts_on(pushes)
        assert (starts[0], starts[-1]) == (pushes, 0)
        assert starts == sorted(set(starts), reverse=True)
        assert len(starts) <= 5
