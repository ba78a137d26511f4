"""Partial order of the steps of a plan: mostly they may also be done in other orders than the plan's own.

A step fills a square.  It must wait for earlier steps that it would make impossible: with its box as a wall, another
box could no longer get to its square from where the plan brings it.  Only single squares are considered, not their
combinations, so the order is a guide and proves nothing.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# A set of steps of a plan, as bits.
Steps = int

# Sets of boxes whose counts are cached.
_MOST_COUNTS = 20_000


class StepOrder:
    """Counter of the steps of a plan that a position has done, leaving out those that should have waited."""

    def __init__(self, done_by: Mapping[Square, Steps], waits_for: Sequence[Steps]) -> None:
        """``done_by``: the steps done by a box on a square; ``waits_for``: for each step, those it must wait for."""
        self._done_by = done_by
        self._waits_for = waits_for
        self._squares = bitboard_of(done_by)
        self._counts: dict[Bitboard, int] = {}

    @property
    def steps(self) -> int:
        """Total number of steps, including squares that hold boxes from the start."""
        return len(self._waits_for)

    def count(self, boxes: Bitboard) -> int:
        """Count the steps done that did not have to wait."""
        boxes &= self._squares
        count = self._counts.get(boxes)
        if count is None:
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            count = self._counts[boxes] = self._done(boxes).bit_count()
        return count

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """Return a function from a square to the count for ``others`` and one more box there."""
        squares, here = self._squares, others & self._squares
        without = self.count(here)

        def count(square: Square) -> int:
            return self.count(here | 1 << square) if squares >> square & 1 else without

        return count

    def _done(self, boxes: Bitboard) -> Steps:
        left = 0
        for square in scan(boxes):
            left |= self._done_by[square]
        done = 0
        while left:
            step = left & -left
            left ^= step
            awaited = self._waits_for[step.bit_length() - 1]
            if awaited & done == awaited:
                done |= step
        return done


class _Step(NamedTuple):
    """A step: a box moves to a square, from a square where it was parked or, if ``origin`` is 0, from any base.

    ``boxes``: the other boxes of the plan at that time; ``parkings``: the earlier steps of the same box.
    """

    square: Square
    boxes: Bitboard
    origin: Bitboard
    parkings: Steps


def make_step_order(
    tables: BoardTables, masks: Sequence[Bitboard], bases: Bitboard, meter: Meter
) -> Generator[Progress, None, StepOrder]:
    """Build the order for a plan's masks; ``bases``: the starting squares of boxes."""
    steps = _steps(masks)
    done_by: dict[Square, Steps] = {}
    for number, step in enumerate(steps):
        done_by[step.square] = done_by.get(step.square, 0) | step.parkings | 1 << number
    waits_for = [0] * len(steps)
    vacated_by: dict[Square, Steps] = {}
    for number, step in enumerate(steps):
        waits_for[number] |= vacated_by.get(step.square, 0)
        vacated_by.update((square, 1 << number) for square in scan(step.origin))
        later = range(number + 1, len(steps))
        cutting_off = yield from _cutting_off(tables, step, bases, bitboard_of(steps[i].square for i in later), meter)
        for i in later:
            if cutting_off >> steps[i].square & 1 and not steps[i].parkings >> number & 1:
                waits_for[i] |= 1 << number
    return StepOrder(done_by, waits_for)


def _steps(masks: Sequence[Bitboard]) -> list[_Step]:
    """Return the steps from each mask to the next, preceded by those already done in the first mask."""
    steps = [_Step(square, masks[0] ^ 1 << square, 1 << square, 0) for square in scan(masks[0])]
    came_by = {step.square: 1 << number for number, step in enumerate(steps)}
    for before, after in pairwise(masks):
        left = before & ~after
        parkings = sum(came_by.pop(square) for square in scan(left))
        for square in scan(after & ~before):
            came_by[square] = parkings | 1 << len(steps)
            steps.append(_Step(square, before & after, left, parkings))
    return steps


def _cutting_off(
    tables: BoardTables, step: _Step, bases: Bitboard, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, Bitboard]:
    """Return the ``squares`` where a box would cut the box of a step off from an origin it could come from before."""
    target = 1 << step.square
    origins = step.origin or bases
    origins &= LoneBox(tables.board, step.boxes).squares_towards(target) & ~target
    if not origins:
        return 0
    found = 0
    for square in scan(squares & ~step.boxes & ~target):
        yield meter.progress()
        box = 1 << square
        if origins & ~box & ~LoneBox(tables.board, step.boxes | box).squares_towards(target):
            found |= box
    return found
