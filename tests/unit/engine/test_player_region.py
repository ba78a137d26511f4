"""The player's region after a push or pull, against a flood fill."""

import random
from collections import Counter

from sokoterm.engine.bits import flood, lowest
from sokoterm.engine.player_region import PositionsMet, may_divide, region_after

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
