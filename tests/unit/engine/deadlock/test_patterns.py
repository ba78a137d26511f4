"""Learned patterns: found in every position that contains them, until they are dropped."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Bitboard, Square
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


def test_a_dropped_pattern_leaves_nothing_behind() -> None:
    patterns = Patterns(most=3)
    for first in range(12):
        for second in range(first):
            patterns.add(1 << first | 1 << second, ROOM)
    assert sum(len(under) for under in patterns._by_box.values()) == len(patterns) == 3
    assert sum(others.bit_count() for others in patterns._others.values()) == 3
    assert patterns.learned == 66


class LookedUp(dict[Square, dict[Square, list[tuple[Bitboard, Bitboard]]]]):
    """The table of patterns, with a lookup at each change."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self.times = 0

    def setdefault(
        self, box: Square, default: dict[Square, list[tuple[Bitboard, Bitboard]]] | None = None
    ) -> dict[Square, list[tuple[Bitboard, Bitboard]]]:
        self._look_up()
        found = super().setdefault(box, default or {})
        self._look_up()
        return found

    def _look_up(self) -> None:
        self.times += 1
        assert self._patterns.find(0b11110, 1) in {0, *PATTERNS}


PATTERNS = 0b00110, 0b01010, 0b10010


def test_patterns_can_be_looked_up_while_one_is_added() -> None:
    patterns = Patterns(most=2)
    patterns._by_box = table = LookedUp(patterns)
    for pattern in PATTERNS:
        patterns.add(pattern, 1)
    assert table.times == 2 * len(PATTERNS)
    assert patterns.find(PATTERNS[-1], 1) == PATTERNS[-1]
