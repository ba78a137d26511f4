"""Learned patterns: found in every position that contains them, until they are dropped."""

import sys
import tracemalloc
from types import FrameType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.deadlock import patterns as patterns_module
from sokoterm.engine.deadlock.patterns import Patterns

ROOM = (1 << 12) - 1
some_boxes = st.integers(1, ROOM)


@given(st.lists(st.tuples(some_boxes, some_boxes), max_size=30), st.integers(1, 8), some_boxes, some_boxes)
def test_find_returns_what_was_added_and_not_dropped(
    learned: list[tuple[int, int]], most: int, boxes: int, region: int
) -> None:
    patterns = Patterns(most=most)
    kept: list[tuple[int, int]] = []
    for pattern, area in learned:
        if not any(each & pattern == each and side & area for each, side in kept):
            kept = [*kept, (pattern, area)][-most:]
        patterns.add(pattern, area)
    dead = [pattern for pattern, area in kept if pattern & boxes == pattern and area & region]
    found = patterns.find(boxes, region)
    assert found in dead if dead else not found
    assert len(patterns) == len(kept)


class AllBoxes(int):
    """A position full of boxes, which notes the masks that a lookup compares with it."""

    compared: list[int]

    def __rand__(self, mask: int) -> int:
        self.compared.append(mask)
        return mask & int(self)


def test_a_dropped_pattern_leaves_nothing_behind() -> None:
    patterns = Patterns(most=3)
    tracemalloc.start()
    for _ in range(100):
        for first in range(12):
            for second in range(first):
                patterns.add(1 << first | 1 << second, ROOM)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(patterns), patterns.learned) == (3, 6_600)
    assert used < 20_000
    boxes = AllBoxes(ROOM)
    boxes.compared = []
    assert not patterns.find(boxes, 0)
    # The second box of each pattern, then both.
    assert sum(mask.bit_count() for mask in boxes.compared) == 3 * (1 + 2)


def test_patterns_can_be_looked_up_while_one_is_added() -> None:
    patterns = Patterns(most=2)
    added = 0b00110, 0b01010, 0b10010
    found = set[int]()

    def look_up(frame: FrameType, event: str, _: object) -> Any:
        """Look a position up before each line of the store, as another thread might."""
        if frame.f_code.co_filename != patterns_module.__file__:
            return None
        if event == "line":
            found.add(patterns.find(0b11110, 1))
        return look_up

    sys.settrace(look_up)
    try:
        for pattern in added:
            patterns.add(pattern, 1)
    finally:
        sys.settrace(None)
    assert {0, added[0]} < found <= {0, *added}
    assert patterns.find(added[-1], 1) == added[-1]
