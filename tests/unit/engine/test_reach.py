"""Bitboards and the eight symmetries; the reachable area and the shortest walk, against plain breadth-first search.

The player's region after a push or pull, against a flood fill.
"""

import random
from collections import Counter, deque
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Direction, Symmetry, flood, lowest, scan, shift, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import PositionsMet, find_walk, may_divide, reachable_area, region_after
from sokoterm.engine.rules import step
from tests.present import present
from tests.slow import others_slow
from tests.unit.engine.drawn import STEPS, Place, levels, picture_of, spread


def distances(level: Level) -> dict[Place, int]:
    """Return the distance of each square from the player, with boxes as obstacles, on the picture itself."""
    picture = picture_of(level.xsb())
    start = next(place for place, cell in picture.items() if cell in "@+")
    found, waiting = {start: 0}, deque([start])
    while waiting:
        row, column = here = waiting.popleft()
        for down, right in STEPS:
            there = row + down, column + right
            if picture.get(there, "#") in " ." and there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


@given(levels)
def test_the_reachable_area_is_what_breadth_first_search_finds(level: Level) -> None:
    area = {level.board.row_column(square) for square in scan(reachable_area(level.board, level.start))}
    assert area == set(distances(level))


@given(levels, st.data())
def test_find_walk_is_a_shortest_walk_without_a_push(level: Level, data: st.DataObject) -> None:
    board = level.board
    known = distances(level)
    target = data.draw(st.integers(0, board.height * board.stride - 1))
    walk = find_walk(board, level.start, target)
    assert (walk is None) == (board.row_column(target) not in known)
    if walk is None:
        return
    assert len(walk) == known[board.row_column(target)]
    state: State | None = level.start
    for direction in walk:
        assert state is not None
        state = step(board, state, direction)
    assert state == State(level.start.boxes, target)


def test_a_very_long_walk_is_found_square_by_square() -> None:
    """On a board this large the layers of a walk of so many steps are not kept."""
    side = 301
    walls = "#" * (side - 3)
    rows = [f"#{'':{side - 2}}#", f"#{walls} #", f"#{'':{side - 2}}#", f"# {walls}#"] * (side // 4)
    level = Level.from_xsb("\n".join(["#" * side, *rows[:-1], "#" * side]).replace("   ", "@$.", 1))
    board = level.board
    walk = present(find_walk(board, level.start._replace(boxes=0), board.square(side - 2, 1)))
    assert len(walk) == board.floor.bit_count() - 1


STRIDE, ROWS = 9, 8


def drawn(rng: random.Random) -> tuple[int, list[int]]:
    """Make a floor within walls, and some of its squares in random order."""
    inside = [row * STRIDE + column for row in range(1, ROWS - 1) for column in range(1, STRIDE - 2)]
    squares = rng.sample(inside, rng.randint(len(inside) // 2, len(inside)))
    return sum(1 << square for square in squares), squares


def test_region_after_pushes_and_pulls_of_any_length_is_the_flood_fill() -> None:
    rng = random.Random(5)
    kept = {True: 0, False: 0}
    moved: Counter[int] = Counter()
    for _ in range(4_000):
        floor, squares = drawn(rng)
        boxes = sum(1 << square for square in squares[: rng.randint(1, 6)])
        box, offset = rng.choice(squares[: boxes.bit_count()]), rng.choice((1, -1, STRIDE, -STRIDE))
        free, steps = floor & ~boxes, rng.choice((1, 1, 1, 2, 3))
        landing = box + steps * offset
        if not all(free >> box + step * offset & 1 for step in range(1, steps + 1)):
            continue
        after = floor & ~(boxes ^ 1 << box | 1 << landing)
        moved[steps] += 1
        for stands, player in ((box - offset, landing - offset), (box + offset, landing + offset)):
            if free >> stands & 1 and (after >> player & 1):
                region = flood(1 << stands, free, STRIDE)
                found = region_after(region, 1 << player, 1 << box, landing, after, STRIDE)
                assert found == flood(1 << player, after, STRIDE)
                kept[found & region == region & ~(1 << landing)] += 1
    assert min(kept.values()) > 50
    assert min(moved[steps] for steps in (1, 2, 3)) > 50


def test_an_area_that_may_not_divide_stays_connected() -> None:
    rng = random.Random(6)
    told = 0
    for _ in range(2_000):
        area, squares = drawn(rng)
        square = squares[0]
        if not may_divide(area, square, STRIDE):
            told += 1
            whole, rest = flood(1 << square, area, STRIDE), area & ~(1 << square)
            beside = whole & ~(1 << square)
            assert not beside or flood(beside & -beside, rest, STRIDE) == beside
    assert told > 200


def test_a_position_was_met_if_the_player_is_in_a_known_region() -> None:
    rng = random.Random(8)
    again = 0
    for _ in range(60):
        floor, squares = drawn(rng)
        met, plain = PositionsMet(), set[tuple[int, int]]()
        for _ in range(60):
            *placed, stands = rng.sample(squares[:9], rng.randint(4, 6))
            boxes = sum(1 << square for square in placed)
            region = flood(1 << stands, floor & ~boxes, STRIDE)
            position = boxes, lowest(region)
            assert met.hold(boxes, 1 << stands) == (position in plain)
            if position in plain:
                again += 1
            else:
                met.add(boxes, region)
                plain.add(position)
            assert len(met) == len(plain)
    assert again > 50


# Bitboards and symmetries

symmetries = st.sampled_from(SYMMETRIES)
bitboards = st.integers(0, 1 << 200)


def test_direction_letters_and_opposites() -> None:
    assert [direction.letter for direction in DIRECTIONS] == ["u", "r", "d", "l"]
    assert Direction.UP.opposite is Direction.DOWN
    assert Direction.LEFT.opposite is Direction.RIGHT


@given(bitboards)
def test_scan_gives_each_square_once_lowest_first(bitboard: int) -> None:
    squares = list(scan(bitboard))
    assert squares == [i for i in range(bitboard.bit_length()) if bitboard >> i & 1]
    assert squares_of(bitboard) == squares
    assert lowest(bitboard) == (squares[0] if squares else -1)


@given(bitboards, st.integers(-210, 210))
def test_shift_moves_each_square(bitboard: int, offset: int) -> None:
    assert list(scan(shift(bitboard, offset))) == [i + offset for i in scan(bitboard) if i + offset >= 0]


@given(levels)
def test_flood_is_the_connected_component(level: Level) -> None:
    board = level.board
    free = board.floor & ~level.start.boxes
    expected = spread(board.row_column(level.start.player), {board.row_column(square) for square in scan(free)})
    assert flood(1 << level.start.player, free, board.stride) == sum(1 << board.square(*place) for place in expected)


def test_flood_does_not_wrap_into_the_next_row_and_is_empty_for_a_seed_that_is_not_free() -> None:
    # Two rows of three squares, stride 4: the end of the first and the start of the second are not adjacent.
    assert flood(0b0100, 0b0001_0100, 4) == 0b0100
    assert flood(0b01, 0b10, 4) == 0


@given(levels)
def test_states_a_walk_apart_have_equal_normalized_states(level: Level) -> None:
    board, (boxes, player) = level.board, level.start
    area = flood(1 << player, board.floor & ~boxes, board.stride)
    assert {State(boxes, square).normalized(board) for square in scan(area)} == {State(boxes, lowest(area))}


def test_the_eight_symmetries_are_different() -> None:
    turned = {tuple(symmetry.rows(["ab", "cd", "ef"])) for symmetry in SYMMETRIES}
    assert len(SYMMETRIES) == len(turned) == 8
    assert SYMMETRIES[0].rows(["ab", "cd", "ef"]) == ["ab", "cd", "ef"]
    assert Symmetry(True, False, False).rows(["ab", "cd", "ef"]) == ["ace", "bdf"]
    assert Symmetry(True, False, True).rows(["ab", "cd", "ef"]) == ["eca", "fdb"]  # a quarter turn to the right


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_inverse_undoes_a_symmetry(symmetry: Symmetry) -> None:
    rows = ["abc", "def"]
    assert symmetry.inverse.rows(symmetry.rows(rows)) == rows
    assert [symmetry.inverse.direction(symmetry.direction(each)) for each in DIRECTIONS] == list(DIRECTIONS)


@given(symmetries, st.integers(1, 7), st.integers(1, 7), st.data())
def test_place_agrees_with_rows(symmetry: Symmetry, height: int, width: int, data: st.DataObject) -> None:
    rows = [[chr(ord("0") + row * width + column) for column in range(width)] for row in range(height)]
    row, column = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    turned = symmetry.rows(["".join(characters) for characters in rows])
    new_row, new_column = symmetry.place(row, column, height, width)
    assert turned[new_row][new_column] == rows[row][column]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_direction_agrees_with_place(symmetry: Symmetry, direction: Direction) -> None:
    down, right = STEPS[direction]
    row, column = symmetry.place(2, 2, 5, 6)
    new_row, new_column = symmetry.place(2 + down, 2 + right, 5, 6)
    assert (new_row - row, new_column - column) == STEPS[symmetry.direction(direction)]


@pytest.mark.parametrize("closed_row", [None, 101])
def test_flood_follows_a_long_corridor_to_its_end(closed_row: int | None) -> None:
    # Walls between the rows are open at alternating ends; the corridor zigzags within each pair of rows too.
    stride, rows = 62, 200
    corridor = 0
    for row in range(rows):
        if row == closed_row:
            continue
        bits = (1 << stride - 2) - 1 if row % 4 == 0 else 0
        bits = bits or (1 << (stride - 3 if row % 8 < 4 else 0))
        corridor |= bits << (row * stride + 1)
    expected = corridor if closed_row is None else corridor & (1 << closed_row * stride) - 1
    assert flood(1 << 1, corridor, stride) == expected


@pytest.mark.parametrize("closed_column", [None, 101])
def test_flood_follows_corridors_up_and_down(closed_column: int | None) -> None:
    stride, height = 200, 61
    places = {(row, column) for row in range(height) for column in range(0, stride - 1, 2)}
    places |= {((0, height - 1)[column % 4 == 1], column) for column in range(1, stride - 1, 2)}
    expected = {place for place in places if closed_column is None or place[1] < closed_column}
    free, found = (
        sum(1 << row * stride + column for row, column in each if column != closed_column)
        for each in (places, expected)
    )
    assert flood(1, free, stride) == found


@pytest.mark.parametrize("walls", [0.1, 0.3, 0.35, 0.4])
@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_flood_finds_its_way_through_a_large_maze(seed: int, walls: float) -> None:
    random = Random(seed)
    width, height = random.randint(60, 90), random.randint(60, 90)
    stride = width + 1
    places = {(row, column) for row in range(height) for column in range(width) if random.random() > walls}
    start = random.choice(sorted(places))
    free = sum(1 << row * stride + column for row, column in places)
    expected = sum(1 << row * stride + column for row, column in spread(start, places))
    assert flood(1 << start[0] * stride + start[1], free, stride) == expected
