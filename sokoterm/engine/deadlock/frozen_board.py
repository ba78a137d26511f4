"""A board with some boxes turned into walls, and tables of where a lone box can still go."""

from collections.abc import Iterator
from functools import cached_property

from sokoterm.engine.bits import Bitboard, Square, flood, regions, scan, shift
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import FreezeCheck, LostSquares
from sokoterm.engine.lone_box import BySide, LoneBox


class FrozenBoard:
    """Tables for one board and one set of fixed boxes, made on demand.

    ``board``: the board with those boxes as walls and without their goals.  ``live_landings``: for each side of the
    player, the squares from which a box just pushed there from that side can still reach a goal.
    """

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        self.board = board.walled(walls)
        self.lone = LoneBox(self.board)
        self.live_landings: BySide = self.lone.towards(self.board.goals)
        self.check = FreezeCheck(self.board, self._lost_squares())
        self._rows: dict[Square, list[tuple[Bitboard, int]]] = {}
        self._ways: dict[Square, list[tuple[Bitboard, bool]]] = {}

    def _lost_squares(self) -> LostSquares:
        free, goals, stride = self.board.floor, self.board.goals, self.board.stride
        up, right, down, left = self.live_landings
        sideways = right << 1 & free >> 1 | left >> 1 & free << 1
        upright = up >> stride & free << stride | down << stride & free >> stride
        return LostSquares(free & ~(up | right | down | left | goals), free & ~sideways, free & ~upright)

    def pushes(self, boxes: Bitboard, movable: Bitboard, region: Bitboard) -> Iterator[tuple[Bitboard, Bitboard]]:
        """Yield the boxes after each push of a ``movable`` one, and the player's square then, as a Bitboard.

        Pushes that freeze a box off the goals, or from where it can reach none, are left out.
        """
        goals, stride, check = self.board.goals, self.board.stride, self.check
        free, stuck = self.board.floor & ~boxes, check.stuck_beside(boxes)
        up, right, down, left = self.live_landings
        # For each side of the player: the boxes to push, and the offset.
        for pushable, offset in (
            (movable & region << stride & (free & up) >> stride, stride),
            (movable & region >> 1 & (free & right) << 1, -1),
            (movable & region >> stride & (free & down) << stride, -stride),
            (movable & region << 1 & (free & left) >> 1, 1),
        ):
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                landing = shift(box, offset)
                after = boxes ^ box | landing
                if not landing & stuck or not check.frozen(after) & ~goals:
                    yield after, box

    def reaches_goal(self, box: Square, region: Bitboard) -> bool:
        """True if a box is on a goal or can reach one with no other box on the board: if ``goals_of`` returns any."""
        if self.board.goals >> box & 1:
            return True
        ways = self._ways.get(box)
        if ways is None:
            ways = [(area, bool(_sides(self.live_landings, box) & sides)) for area, sides in self.lone.areas(box)]
            self._ways[box] = ways
        return any(leads for area, leads in ways if area & region)

    def goals_of(self, box: Square, region: Bitboard) -> int:
        """Return the goals that a box can reach with no other box on the board, as bits in the order of ``scan``."""
        areas = self._rows.get(box)
        if areas is None:
            areas = self._rows[box] = self._goals_by_area(box)
        for area, row in areas:
            if area & region:
                return row
        # The player cannot get to the box, so it stays.
        here = self.board.goals & 1 << box
        return 1 << (self.board.goals & here - 1).bit_count() if here else 0

    def _goals_by_area(self, box: Square) -> list[tuple[Bitboard, int]]:
        found = []
        for area, sides in self.lone.areas(box):
            row = 0
            for number, (goal, towards) in enumerate(self._towards):
                if goal == box or _sides(towards, box) & sides:
                    row |= 1 << number
            found.append((area, row))
        return found

    @cached_property
    def _towards(self) -> list[tuple[Square, BySide]]:
        return [(goal, self.lone.towards(1 << goal)) for goal in scan(self.board.goals)]

    @cached_property
    def never_filled(self) -> list[Bitboard]:
        """For each area the player can end in, the goals that no box can be pushed onto.

        Works backwards: with all goals filled, boxes that can be pulled one square are taken off until none can.  Those
        left must have been there from the start.  Empty if some end leaves no such goal.
        """
        floor, goals, stride = self.board.floor, self.board.goals, self.board.stride
        found = []
        for area in regions(floor & ~goals, stride) or [0]:
            left = goals
            while True:
                pulled = 0
                for offset in self.board.offsets:
                    pulled |= left & shift(area, -offset) & shift(area, -2 * offset)
                if not pulled:
                    break
                left ^= pulled
                area = flood(area & -area, floor & ~left, stride)
            if not left:
                return []
            found.append(left)
        return found


def _sides(squares: BySide, box: Square) -> int:
    """Return the sides of a square that is among the squares of these sides."""
    up, right, down, left = squares
    return up >> box & 1 | right >> box << 1 & 2 | down >> box << 2 & 4 | left >> box << 3 & 8
