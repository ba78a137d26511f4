"""Replay: the move shown, and where steps and pushes lead from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.replay import Replay
from sokoterm.engine.bits import lowest
from sokoterm.engine.level import Level, varied
from sokoterm.engine.lurd import end_of

LEVEL = Level.from_xsb("##########\n#@ $   . #\n#        #\n##########\n")


@pytest.mark.parametrize(
    ("shown", "action", "target"),
    [
        (0, "step", 1), (5, "step back", 4), (0, "push", 2), (2, "push", 3), (5, "push", 5), (5, "push back", 4),
        (3, "push back", 2), (1, "push back", 0), (3, "first", 0), (3, "last", 5), (3, "pause", None),
    ],
)  # fmt: skip
def test_actions_lead_to_a_move(shown: int, action: str, target: int | None) -> None:
    replay = Replay(LEVEL, "", "rRRRR")
    replay.show(shown)
    assert replay.target(action) == target


def test_moves_and_pushes_are_counted_up_to_the_position_shown() -> None:
    replay = Replay(LEVEL, "du", "rRRRR")
    assert (replay.moves, replay.pushes, replay.lurd) == (5, 4, "du")
    replay.show(3)
    assert (replay.k, replay.pushes_shown, replay.lurd) == (3, 2, "durRR")
    for asked, shown in ((-1, 0), (99, 5)):
        replay.show(asked)
        assert replay.k == shown


def test_a_box_that_slides_is_shown_on_the_way_there_and_back() -> None:
    level = varied(LEVEL, {}, {}, LEVEL.board.floor)
    replay = Replay(level, "", "rRd")
    replay.show(1)
    for k, columns in ((2, [4, 5, 6, 7, 8]), (1, [7, 6, 5, 4, 3])):
        replay.glide(k)
        seen = [column_of_box(level, replay)]
        while replay.sliding:
            replay.glide_on()
            seen.append(column_of_box(level, replay))
        assert (replay.k, seen) == (k, columns)
    replay.glide(3)  # a jump
    assert replay.sliding == 0


def column_of_box(level: Level, replay: Replay) -> int:
    return level.board.row_column(lowest(replay.state.boxes))[1]


@given(st.lists(st.integers(0, 300), max_size=12))
def test_the_position_shown_is_that_after_its_moves_wherever_one_jumps(shown: list[int]) -> None:
    lurd = "rRRR" + "llllrrrr" * 40
    replay = Replay(LEVEL, "", lurd)
    for k in shown:
        replay.show(k)
        assert replay.state == end_of(LEVEL.board, LEVEL.start, lurd[: replay.k])
