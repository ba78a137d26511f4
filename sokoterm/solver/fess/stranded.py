"""Boxes that can do none of the plan's steps from where they stand, and have to come elsewhere first.

Packed boxes part the board: those on the wrong side then reach no goal that is left, unless they have come over before.
So each box is to have a step of its own among those that are left.  It can do a step if, with nothing else on the board
than the boxes that are packed by then, it could be pushed to beside the step's square and onto it.  The most boxes and
steps that can be paired are found by bipartite matching.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.matching import count_matched
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Some squares that are filled for good, as bits in the order in which the plan fills them.
Steps = int


class Stranding:
    """How many boxes of a position are stranded: made by ``make_stranding``."""

    def __init__(self, plan: Plan, step_of: dict[Square, Steps], steps_from: Sequence[Steps]) -> None:
        """``step_of``: the step that fills a square for good; ``steps_from``: those that a box on a square can do."""
        self._plan = plan
        self._step_of = step_of
        self._steps_from = steps_from
        everything = sum(step_of.values())
        self._left = [everything - sum(step_of[square] for square in scan(packed)) for packed in plan.packed]

    def count(self, boxes: Bitboard) -> int:
        """The steps that are left without a box."""
        step = self._plan.step(boxes)
        left = self._left[step]
        return left.bit_count() - self._most(boxes & ~self._plan.packed[step], left)

    def movers(self, boxes: Bitboard, candidates: Bitboard, target: Square) -> Bitboard:
        """Those of the candidates that can do the step onto a square so that the fewest are stranded after it."""
        this = self._step_of.get(target, 0)
        able = [box for box in scan(candidates) if self._steps_from[box] & this]
        if not able:
            return candidates
        step = self._plan.step(boxes)
        left = self._left[step]
        loose = boxes & ~self._plan.packed[step]
        # Boxes that can do the same steps leave the same ones to the others.
        alike: dict[Steps, Bitboard] = {}
        for box in able:
            alike[self._steps_from[box] & left] = alike.get(self._steps_from[box] & left, 0) | 1 << box
        most = {group: self._most(loose ^ group & -group, left ^ this) for group in alike.values()}
        best = max(most.values())
        return sum(group for group, count in most.items() if count == best)

    def can_do_more(self, before: Square, after: Square) -> bool:
        """Whether a box can do some step from one square that it cannot do from another."""
        return bool(self._steps_from[after] & ~self._steps_from[before])

    def _most(self, boxes: Bitboard, steps: Steps) -> int:
        """The most steps that can have a box each."""
        return count_matched([self._steps_from[box] & steps for box in scan(boxes)])


def make_stranding(ground: Ground, plan: Plan, meter: Meter) -> Generator[Progress, None, Stranding]:
    """What every step of a plan can be done from."""
    step_of: dict[Square, Steps] = {}
    steps_from = [0] * (ground.stride * ground.board.height)
    for before, packed in pairwise([0, *plan.packed]):
        for square in scan(packed & ~before):
            yield meter.progress()
            step_of[square] = 1 << len(step_of)
            for origin in scan(_origins(ground, before, packed, square) | 1 << square):
                steps_from[origin] |= step_of[square]
    return Stranding(plan, step_of, steps_from)


def _origins(ground: Ground, before: Bitboard, packed: Bitboard, square: Square) -> Bitboard:
    """From where a box can be pushed onto a square, which nobody crosses before; if from nowhere, by any way."""
    return LoneBox(ground.board, packed).squares_before(square) or LoneBox(ground.board, before).squares_towards(
        1 << square
    )
