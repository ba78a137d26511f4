"""Which boxes can do which steps of the plan from where they stand, and how many steps lack a box.

Packed boxes part the board: those on the wrong side then reach no goal that is left, unless they have come over before.
So each step that is left should have a box of its own.  A box can do a step if, with nothing else on the board than the
boxes that are packed by then, it could be pushed to beside the step's square and onto it; where no box could from
anywhere, if it could with the square itself free to cross.  The most steps that can have boxes are found by bipartite
matching.
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

# As many sets of packed boxes have the steps that are left kept.
_MOST_LEFT = 20_000

# Some squares that are filled for good, as bits in the order in which the plan fills them.
Steps = int


class Assignment:
    """Steps of a plan and the boxes that can do them: made by ``make_assignment``."""

    def __init__(self, plan: PackingPlan, step_of: dict[Square, Steps], steps_from: Sequence[Steps]) -> None:
        """``step_of``: the step that fills a square for good; ``steps_from``: those that a box on a square can do."""
        self._plan = plan
        self._step_of = step_of
        self._steps_from = steps_from
        self._left: dict[Bitboard, Steps] = {}

    def unmatched(self, boxes: Bitboard) -> int:
        """The steps that are left and lack a box."""
        loose, left = self._loose(boxes)
        return left.bit_count() - self._most(loose, left)

    def steps_from(self, square: Square) -> Steps:
        """The steps that a box on a square can do."""
        return self._steps_from[square]

    def movers(self, boxes: Bitboard, candidates: Bitboard, target: Square) -> Bitboard:
        """Those of the candidates that can do the next step, onto a square, and leave the most boxes to the others.

        All of them where none can do it, or it only parks a box.
        """
        packed = self._plan.packed[self._plan.step(boxes) + 1]
        this = self._step_of[target] if packed >> target & 1 else 0
        loose, left = self._loose(boxes)
        left &= ~this
        # Boxes that can do the same of the other steps leave the same ones to the others.
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
        """The boxes that are not packed yet, and the steps that are left to them."""
        packed = self._plan.packed[self._plan.step(boxes)] & boxes
        left = self._left.get(packed)
        if left is None:
            if len(self._left) >= _MOST_LEFT:
                self._left.clear()
            done = sum(self._step_of[square] for square in scan(packed))
            left = self._left[packed] = sum(self._step_of.values()) ^ done
        return boxes ^ packed, left

    def _most(self, boxes: Bitboard, steps: Steps) -> int:
        """The most steps that can have a box each."""
        return count_matched([self._steps_from[box] & steps for box in scan(boxes)])


def make_assignment(tables: BoardTables, plan: PackingPlan, meter: Meter) -> Generator[Progress, None, Assignment]:
    """What every step of a plan can be done from."""
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
    """From where a box can be pushed onto a square, which nobody crosses before; if from nowhere, by any way."""
    return LoneBox(tables.board, packed).squares_before(square) or LoneBox(tables.board, before).squares_towards(
        1 << square
    )
