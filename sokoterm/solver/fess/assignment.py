"""Assignment of boxes to the remaining steps of a plan, and the number of steps without a box.

Packed boxes divide the board: boxes left on the wrong side cannot reach the remaining goals any more.  So each
remaining step should have a box of its own.  A box can do a step if, with only the boxes packed by then on the board,
it could be pushed next to the step's square and then onto it; if no box could from anywhere, the square itself may be
crossed on the way.  A maximum bipartite matching counts the steps that can have boxes.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.matching import count_matched
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Sets of packed boxes whose remaining steps are cached.
_MOST_LEFT = 20_000

# A set of steps, each filling a square for good, as bits in the order of the plan.
Steps = int


class Assignment:
    """Steps of a plan and the squares they can be done from; built by ``make_assignment``."""

    def __init__(self, plan: PackingPlan, step_of: dict[Square, Steps], steps_from: Sequence[Steps]) -> None:
        """``step_of``: the step that fills a square for good; ``steps_from``: the steps a box on a square can do."""
        self._plan = plan
        self._step_of = step_of
        self._steps_from = steps_from
        self._left: dict[Bitboard, Steps] = {}

    def unmatched(self, boxes: Bitboard) -> int:
        """Return the number of remaining steps without a box."""
        loose, left = self._loose(boxes)
        return left.bit_count() - self._most(loose, left)

    def steps_from(self, square: Square) -> Steps:
        """Return the steps that a box on a square can do."""
        return self._steps_from[square]

    def movers(self, boxes: Bitboard, candidates: Bitboard, target: Square) -> Bitboard:
        """Return the candidates for the next step, onto ``target``, that leave a box for the most other steps.

        Returns all candidates if none can do it, or if the step only parks a box.
        """
        packed = self._plan.packed[self._plan.step(boxes) + 1]
        this = self._step_of[target] if packed >> target & 1 else 0
        loose, left = self._loose(boxes)
        left &= ~this
        # Boxes that can do the same other steps are interchangeable.
        alike: dict[Steps, Bitboard] = {}
        for box in scan(candidates):
            if self._steps_from[box] & this:
                others = self._steps_from[box] & left
                alike[others] = alike.get(others, 0) | 1 << box
        if not alike:
            return candidates
        most = {group: self._most(loose ^ group & -group, left) for group in alike.values()}
        best = max(most.values())
        return sum(group for group, count in most.items() if count == best)

    def _loose(self, boxes: Bitboard) -> tuple[Bitboard, Steps]:
        """Return the boxes that are not packed yet, and the remaining steps."""
        packed = self._plan.packed[self._plan.step(boxes)] & boxes
        left = self._left.get(packed)
        if left is None:
            if len(self._left) >= _MOST_LEFT:
                self._left.clear()
            done = sum(self._step_of[square] for square in scan(packed))
            left = self._left[packed] = sum(self._step_of.values()) ^ done
        return boxes ^ packed, left

    def _most(self, boxes: Bitboard, steps: Steps) -> int:
        """Return the largest number of steps that can each have a box of their own."""
        return count_matched([self._steps_from[box] & steps for box in scan(boxes)])


def make_assignment(tables: BoardTables, plan: PackingPlan, meter: Meter) -> Generator[Progress, None, Assignment]:
    """Build the assignment of a plan."""
    step_of: dict[Square, Steps] = {}
    steps_from = [0] * (tables.stride * tables.board.height)
    for before, packed in pairwise([0, *plan.packed]):
        for square in scan(packed & ~before):
            yield meter.progress()
            step_of[square] = 1 << len(step_of)
            for origin in scan(_origins(tables, before, packed, square) | 1 << square):
                steps_from[origin] |= step_of[square]
    return Assignment(plan, step_of, steps_from)


def _origins(tables: BoardTables, before: Bitboard, packed: Bitboard, square: Square) -> Bitboard:
    """Return the squares from which a box can be pushed onto ``square`` without crossing it before.

    If there are none, crossing it is allowed.
    """
    return LoneBox(tables.board, packed).squares_before(square) or LoneBox(tables.board, before).squares_towards(
        1 << square
    )
