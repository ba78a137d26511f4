"""What of a plan must be done before what: mostly its steps may be taken in other orders than its own.

A step fills a square.  It must wait for those before it that it would make impossible: with a box on its square, which
counts as a wall, boxes no longer come to theirs from where they come by the plan.  Only single squares are looked at,
not what some of them do together, so the order is good for guidance and proves nothing.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Some steps of a plan, as bits.
Steps = int

# As many sets of boxes have their number of steps kept.
_MOST_COUNTS = 20_000


class StepOrder:
    """How many steps of a plan a position has done, not counting those that should have waited."""

    def __init__(self, done_by: Mapping[Square, Steps], waits_for: Sequence[Steps]) -> None:
        """``done_by``: the steps that a box on a square has done, for each step those that it waits for."""
        self._done_by = done_by
        self._waits_for = waits_for
        self._squares = bitboard_of(done_by)
        self._counts: dict[Bitboard, int] = {}

    @property
    def steps(self) -> int:
        """The number of all steps, the squares on which boxes stay from the beginning among them."""
        return len(self._waits_for)

    def count(self, boxes: Bitboard) -> int:
        """The number of steps that are done and had not to wait."""
        boxes &= self._squares
        count = self._counts.get(boxes)
        if count is None:
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            count = self._counts[boxes] = self._done(boxes).bit_count()
        return count

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """What gives the count for some boxes and one more on a square."""
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
    """A box comes to a square, from one where it was parked or, without ``origin``, from any base.

    ``boxes``: the other boxes of the plan that are there then; ``parkings``: the steps by which it came before.
    """

    square: Square
    boxes: Bitboard
    origin: Bitboard
    parkings: Steps


def make_step_order(
    tables: BoardTables, masks: Sequence[Bitboard], bases: Bitboard, meter: Meter
) -> Generator[Progress, None, StepOrder]:
    """The order of a plan's masks; ``bases`` are the squares on which boxes begin."""
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
    """The steps that lead from each mask to the next, after those that were done in the first one."""
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
    """Those of some squares on which a box would keep that of a step from coming, from where it could come before."""
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
