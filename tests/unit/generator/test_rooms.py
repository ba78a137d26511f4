"""Rooms: closed, connected, without idle space."""

import pytest

from sokoterm.engine.bits import Bitboard, around, bitboard_of, scan
from sokoterm.generator.rooms import draw_goals, draw_room, find_halls, is_connected, squares_beside, without_blind_ends
from sokoterm.solver.common.dice import Dice

STRIDE = 10


def floor_of(picture: str) -> Bitboard:
    rows = picture.splitlines()
    return bitboard_of(
        (row + 1) * STRIDE + column + 1
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell == "."
    )


@pytest.mark.parametrize("size", [(9, 8), (5, 12), (14, 5)])
def test_rooms_are_sound(size: tuple[int, int]) -> None:
    rooms = [draw_room(Dice.of(number), *size) for number in range(60)]
    assert len({room.floor for room in rooms}) > 50
    for room in rooms:
        inside = {row * room.stride + column for row in range(1, size[1] - 1) for column in range(1, size[0] - 1)}
        assert set(scan(room.floor)) <= inside
        assert room.walls == around(room.floor, room.stride)
        assert is_connected(room.floor, room.stride)
        assert not find_halls(room.floor, room.stride)
        assert without_blind_ends(room.floor, room.stride) == room.floor


def test_halls_are_found() -> None:
    assert find_halls(floor_of("....\n....\n...."), STRIDE)
    assert find_halls(floor_of("......\n......"), STRIDE)
    assert not find_halls(floor_of("....\n.#..\n...."), STRIDE)
    assert not find_halls(floor_of("...\n...\n..."), STRIDE)


def test_blind_corridors_are_removed_and_alcoves_stay() -> None:
    room = "...\n...\n"
    assert without_blind_ends(floor_of(room + ".##\n.##\n.##"), STRIDE) == floor_of(room + ".##")
    kept = floor_of("###\n###\n###\n.##")
    assert without_blind_ends(floor_of(room + ".##\n.##\n.##"), STRIDE, kept) == floor_of(room + ".##\n.##")


def test_goals_are_on_squares_off_which_a_box_can_be_pulled() -> None:
    for number in range(40):
        dice = Dice.of(number)
        room = draw_room(dice, 9, 8)
        goals = draw_goals(dice, room, 4)
        assert goals & ~room.floor == 0
        assert goals.bit_count() == 4
        for goal in scan(goals):
            assert any(room.floor >> goal + step & 1 and room.floor >> goal + 2 * step & 1 for step in room.offsets)


def test_walls_that_may_become_floor_are_inside_the_frame() -> None:
    corner = 1 << 1 * STRIDE + 1
    assert squares_beside(corner, 9, 8) == [STRIDE + 2, 2 * STRIDE + 1]
