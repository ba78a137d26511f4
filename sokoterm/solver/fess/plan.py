"""Packing plan: the squares that hold boxes after each step, as found by a search."""

from collections.abc import Callable, Generator, Sequence
from functools import partial, reduce
from operator import or_

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import FAR, BoardTables
from sokoterm.solver.fess.tree import Node
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Sets of boxes whose steps with one more box are cached.
_MOST_STEPS = 20_000


class PackingPlan:
    """A plan: ``masks[k]`` has the squares that hold boxes after k steps, all of them after the last.

    Boxes may be parked for a while, so a mask need not contain those before it.  ``packed[k]``: the squares that hold
    boxes from step k on to the end.
    """

    def __init__(self, masks: Sequence[Bitboard], zones: Sequence[Bitboard], distances: Sequence[int]) -> None:
        """``zones[k]``: the squares out of plan after k steps.

        ``distances``: for each square, the pushes of a box from there to a target of the plan.
        """
        self.masks = tuple(masks)
        self.packed = _for_good(masks)
        self.zones = zones
        self.distances = distances
        self._from_the_last = list(enumerate(masks))[::-1]
        # Only boxes on squares of the plan affect its steps.
        self._squares = reduce(or_, masks)
        self._by_one_more: dict[Bitboard, tuple[int, dict[Square, int]]] = {}

    @property
    def steps(self) -> int:
        return len(self.masks) - 1

    def step(self, boxes: Bitboard) -> int:
        """Return the largest number of steps whose mask is filled."""
        for step, mask in self._from_the_last:
            if mask & boxes == mask:
                return step
        return 0

    def step_by_one_more(self, boxes: Bitboard) -> tuple[int, dict[Square, int]]:
        """Return ``step`` for ``boxes`` and one more: the step on most squares, and the squares where it is higher."""
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
        """Return the empty squares that the plan fills next."""
        step = self.step(boxes)
        return self.masks[step + 1] & ~boxes if step < self.steps else 0


def make_plan(tables: BoardTables, found: Node, meter: Meter) -> Generator[Progress, None, PackingPlan]:
    """Make the plan of a packing search: its line, read from the end.

    If boxes are left off their bases, only goals that are filled for good count, in their order.
    """
    masks = _masks(found, whole=found.boxes == found.bases)
    zones = yield from _zones(masks, tables.live, tables.squares_towards, meter)
    return PackingPlan(masks, zones, tables.to_goal)


def make_return_plan(
    tables: BoardTables, found: Node, bases: Bitboard, meter: Meter
) -> Generator[Progress, None, PackingPlan]:
    """Make the plan to pull boxes to their ``bases``: the line of a clearing search, read from the end."""
    masks = _masks(found, whole=not found.boxes & ~bases)
    pushes = tables.lone.pushes_from(*scan(bases))
    distances = [FAR] * len(tables.to_goal)
    for square, count in pushes.items():
        distances[square] = count
    leading_to = partial(_squares_from, tables.board)
    zones = yield from _zones(masks, bitboard_of(pushes) & tables.live, leading_to, meter)
    return PackingPlan(masks, zones, distances)


def _masks(found: Node, *, whole: bool) -> list[Bitboard]:
    """Return the boxes after each step; unless the line is ``whole``, only those that stay for good, in order."""
    masks = [node.boxes for node in reversed(found.line())]
    if not whole:
        masks = [0, *_for_good(masks)]
    return list(dict.fromkeys(masks))


def _squares_from(board: Board, walls: Bitboard, squares: Bitboard) -> Bitboard:
    """Return where a box can be pushed from ``squares``, and so be pulled to them, with more ``walls``."""
    return bitboard_of(LoneBox(board, walls).pushes_from(*scan(squares)))


def _for_good(masks: Sequence[Bitboard]) -> list[Bitboard]:
    """Return for each step the squares that hold boxes from there to the end."""
    kept: list[Bitboard] = []
    squares = masks[-1]
    for mask in reversed(masks):
        squares &= mask
        kept.append(squares)
    kept.reverse()
    return kept


def _zones(
    masks: Sequence[Bitboard],
    squares: Bitboard,
    leading_to: Callable[[Bitboard, Bitboard], Bitboard],
    meter: Meter,
) -> Generator[Progress, None, list[Bitboard]]:
    """Return for each step the squares *out of plan*: a box there cannot reach any square still to be filled.

    ``leading_to`` returns the squares from which a lone box can reach given squares, after given walls.  Boxes packed
    for good count as walls.  A zone applies from the step after the last change before it, since it should be empty by
    the time it is cut off.
    """
    packed = _for_good(masks)
    closed: list[Bitboard] = []
    for step, walls in enumerate(packed):
        yield meter.progress()
        later = 0
        for mask in masks[step + 1 :]:
            later |= mask
        later &= ~walls
        closed.append(squares & ~walls & ~leading_to(walls, later) if later else 0)
    zones: list[Bitboard] = []
    ahead = 0
    for step in range(len(masks) - 1, -1, -1):
        if step + 1 < len(masks) and closed[step] != closed[step + 1]:
            ahead = closed[step + 1]
        zones.append(ahead or closed[step])
    zones.reverse()
    return zones
