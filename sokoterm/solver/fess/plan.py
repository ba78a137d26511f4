"""What a search found, as a plan: which squares hold boxes after each of its steps."""

from collections.abc import Callable, Generator, Sequence
from functools import reduce
from operator import or_

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import FAR, BoardTables
from sokoterm.solver.fess.tree import Node
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# As many sets of boxes have the steps kept that one more box may do.
_MOST_STEPS = 20_000


class PackingPlan:
    """``masks[k]``: the squares that hold boxes after k steps, all after the last.

    Boxes may be parked for a time: a mask need not hold those before it.  ``packed[k]``: the squares that do from then
    on.
    """

    def __init__(self, masks: Sequence[Bitboard], zones: Sequence[Bitboard], distances: Sequence[int]) -> None:
        """``zones[k]``: the squares out of plan after k steps.

        ``distances``: for each square the pushes that a box there needs to where boxes are wanted.
        """
        self.masks = tuple(masks)
        self.packed = _for_good(masks)
        self.zones = zones
        self.distances = distances
        self._from_the_last = list(enumerate(masks))[::-1]
        # What one more box makes of some boxes is a matter of those on squares of the plan alone.
        self._squares = reduce(or_, masks)
        self._by_one_more: dict[Bitboard, tuple[int, dict[Square, int]]] = {}

    @property
    def steps(self) -> int:
        return len(self.masks) - 1

    def step(self, boxes: Bitboard) -> int:
        """The number of steps after which the plan wants boxes where they are, the greatest there is."""
        for step, mask in self._from_the_last:
            if mask & boxes == mask:
                return step
        return 0

    def step_by_one_more(self, boxes: Bitboard) -> tuple[int, dict[Square, int]]:
        """``step`` of some boxes and one more: what it is by most squares, and the squares by which it is more."""
        boxes &= self._squares
        known = self._by_one_more.get(boxes)
        if known is None:
            if len(self._by_one_more) >= _MOST_STEPS:
                self._by_one_more.clear()
            known = self._by_one_more[boxes] = self._find_steps(boxes)
        return known

    def _find_steps(self, boxes: Bitboard) -> tuple[int, dict[Square, int]]:
        more: dict[Square, int] = {}
        for step, mask in self._from_the_last:
            missing = mask & ~boxes
            if not missing:
                return step, more
            if not missing & missing - 1:
                more.setdefault(missing.bit_length() - 1, step)
        return 0, more

    def next_squares(self, boxes: Bitboard) -> Bitboard:
        """The squares without a box that the plan wants filled next."""
        step = self.step(boxes)
        return self.masks[step + 1] & ~boxes if step < self.steps else 0


def make_plan(tables: BoardTables, found: Node, meter: Meter) -> Generator[Progress, None, PackingPlan]:
    """The plan that a line of the packing search makes, read from its end.

    Where boxes are left that stand elsewhere than they begin, only the goals count that are filled for good, in their
    order.
    """
    masks = _masks(found, whole=found.boxes == found.bases)
    zones = yield from _zones(tables.board, masks, tables.live, LoneBox.squares_towards, meter)
    return PackingPlan(masks, zones, tables.to_goal)


def make_plan_home(
    tables: BoardTables, found: Node, bases: Bitboard, meter: Meter
) -> Generator[Progress, None, PackingPlan]:
    """The plan by which boxes are pulled to their ``bases``: what a line of the clearing makes, read from its end."""
    masks = _masks(found, whole=not found.boxes & ~bases)
    pushes = tables.lone.pushes_from(*scan(bases))
    distances = [FAR] * len(tables.to_goal)
    for square, count in pushes.items():
        distances[square] = count
    zones = yield from _zones(tables.board, masks, bitboard_of(pushes) & tables.live, _squares_from, meter)
    return PackingPlan(masks, zones, distances)


def _masks(found: Node, *, whole: bool) -> list[Bitboard]:
    """The boxes after each step; unless the line is a whole one, only what stays for good, in its order."""
    masks = [node.boxes for node in reversed(found.line())]
    if not whole:
        masks = [0, *_for_good(masks)]
    return list(dict.fromkeys(masks))


def _squares_from(lone: LoneBox, squares: Bitboard) -> Bitboard:
    """Where a box can be pushed to from one of some squares: from there it can be pulled to them."""
    return bitboard_of(lone.pushes_from(*scan(squares)))


def _for_good(masks: Sequence[Bitboard]) -> list[Bitboard]:
    """For each step the squares that hold boxes from there to the end."""
    kept: list[Bitboard] = []
    squares = masks[-1]
    for mask in reversed(masks):
        squares &= mask
        kept.append(squares)
    kept.reverse()
    return kept


def _zones(
    board: Board,
    masks: Sequence[Bitboard],
    squares: Bitboard,
    leading_to: Callable[[LoneBox, Bitboard], Bitboard],
    meter: Meter,
) -> Generator[Progress, None, list[Bitboard]]:
    """For each step the squares *out of plan*: a box there comes to none of the squares that are still to be filled.

    ``leading_to`` tells from where a lone box comes to some squares.  Boxes that are packed for good count as walls.
    A zone holds from the step after the last change before it, for its squares should be empty when it closes.
    """
    packed = _for_good(masks)
    closed: list[Bitboard] = []
    for step, walls in enumerate(packed):
        yield meter.progress()
        later = 0
        for mask in masks[step + 1 :]:
            later |= mask
        later &= ~walls
        closed.append(squares & ~walls & ~leading_to(LoneBox(board, walls), later) if later else 0)
    zones: list[Bitboard] = []
    ahead = 0
    for step in range(len(masks) - 1, -1, -1):
        if step + 1 < len(masks) and closed[step] != closed[step + 1]:
            ahead = closed[step + 1]
        zones.append(ahead or closed[step])
    zones.reverse()
    return zones
