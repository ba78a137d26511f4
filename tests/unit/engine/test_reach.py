"""The reachable area and the shortest walk, against plain breadth-first search.

The player's region after a push or pull, against a flood fill.
"""

import random
from collections import Counter, deque

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Direction, flood, lowest, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import PositionsMet, find_walk, may_divide, reachable_area, region_after
from sokoterm.engine.rules import step
from tests.unit.engine.drawn import STEPS, Place, levels, picture_of


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


def test_a_walk_to_the_players_own_square_is_empty() -> None:
    level = Level.from_xsb("#####\n#@$.#\n#####")
    assert find_walk(level.board, level.start, level.start.player) == []


def test_a_walk_onto_a_box_or_a_wall_or_behind_a_box_is_none() -> None:
    level = Level.from_xsb("#####\n#@$.#\n#####")
    assert [find_walk(level.board, level.start, level.board.square(1, column)) for column in (0, 2, 3)] == [None] * 3


def test_find_walk_always_returns_the_same_shortest_walk() -> None:
    level = Level.from_xsb("######\n#@   #\n#  $.#\n#    #\n######")
    target = level.board.square(3, 2)
    first = find_walk(level.board, level.start, target)
    assert first is not None
    assert sorted(first) == sorted([Direction.DOWN, Direction.DOWN, Direction.RIGHT])
    assert all(find_walk(level.board, level.start, target) == first for _ in range(3))


def test_a_very_long_walk_is_found_square_by_square() -> None:
    """On a board this large the layers of a walk of so many steps are not kept."""
    side = 301
    walls = "#" * (side - 3)
    rows = [f"#{'':{side - 2}}#", f"#{walls} #", f"#{'':{side - 2}}#", f"# {walls}#"] * (side // 4)
    level = Level.from_xsb("\n".join(["#" * side, *rows[:-1], "#" * side]).replace("   ", "@$.", 1))
    board = level.board
    walk = find_walk(board, level.start._replace(boxes=0), board.square(side - 2, 1))
    assert walk is not None
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
