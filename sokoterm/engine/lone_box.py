"""Where a box can be pushed that is alone on the board, the player's side of it counted.

With a box on a square the rest of the floor may fall apart; in which part the player is, so on which *sides* of the
box, decides where it can be pushed.  Squares with a side of them are kept as four Bitboards, one for each side.
"""

from functools import cached_property

from sokoterm.engine.bits import Bitboard, Square, flood, lowest
from sokoterm.engine.board import Board
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, CutVertices, Sides

# For each side, in the order of Directions, the squares of a box with the player there.
BySide = tuple[Bitboard, Bitboard, Bitboard, Bitboard]


class LoneBox:
    """Where a box can be pushed when nothing stands in its way but ``walls``: the frozen boxes, or none at all."""

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        self.free = board.floor & ~walls
        self._board = board
        self._offsets = board.offsets
        self._size = board.stride * board.height
        self._blocks = CutVertices(board, walls)
        # Any free square stands for that of the box.
        self._joined = self._blocks.joined(lowest(self.free)) if self.free else (0, 0, 0, 0, 0, 0)

    @cached_property
    def pairs(self) -> bytes:
        """``CutVertices.joined_pairs``."""
        return self._blocks.joined_pairs(lowest(self.free)) if self.free else bytes(self._size)

    def free_sides(self, square: Square) -> Sides:
        """The sides of a square that are free."""
        return sum(1 << side for side, offset in enumerate(self._offsets) if self.free >> square + offset & 1)

    def areas(self, square: Square) -> list[tuple[Bitboard, Sides]]:
        """The parts into which a box on a square divides what is around it, each with the sides that lie in it."""
        rest = self.free & ~(1 << square)
        found = []
        left = self.free_sides(square)
        for side, offset in enumerate(self._offsets):
            if left >> side & 1:
                area = flood(1 << square + offset, rest, self._board.stride)
                sides = sum(1 << each for each, step in enumerate(self._offsets) if area >> square + step & 1)
                found.append((area, sides))
                left &= ~sides
        return found

    def pushes_from(self, *origins: Square) -> dict[Square, int]:
        """The fewest pushes from one of some squares to others, the player beginning on any side."""
        free, offsets, pairs = self.free, self._offsets, self.pairs
        pushes = dict.fromkeys(origins, 0)
        layer = [(origin, self.free_sides(origin)) for origin in origins]
        seen = dict(layer)
        count = 0
        while layer:
            count += 1
            reached = []
            for box, sides in layer:
                for side in range(4):
                    landing = box - offsets[side]
                    if sides >> side & 1 and free >> landing & 1 and not seen.get(landing, 0) >> side & 1:
                        new = JOINED_SIDES[side][pairs[landing]]
                        seen[landing] = seen.get(landing, 0) | new
                        pushes.setdefault(landing, count)
                        reached.append((landing, new))
            layer = reached
        return pushes

    def towards(self, targets: Bitboard) -> BySide:
        """From where a box can be pushed to one of the targets, for each side of the player."""
        free, stride = self.free, self._board.stride
        targets &= free
        return self._leading_to(
            targets & free << stride, targets & free >> 1, targets & free >> stride, targets & free << 1
        )

    def squares_before(self, square: Square) -> Bitboard:
        """The squares from which a box can be pushed, from some side, to where the next push brings it onto a wall.

        ``square``: of the wall, which is no way for the player.
        """
        free, stride, wall = self.free, self._board.stride, 1 << square
        up, right = wall >> stride & free & free << stride, wall << 1 & free & free >> 1
        down, left = wall << stride & free & free >> stride, wall >> 1 & free & free << 1
        up, right, down, left = self._leading_to(up, right, down, left)
        return up | right | down | left

    def _leading_to(self, up: Bitboard, right: Bitboard, down: Bitboard, left: Bitboard) -> BySide:
        """From where a box can be pushed to one of some squares, those for each side of the player there."""
        free, stride = self.free, self._board.stride
        upright, level = free & free << stride & free >> stride, free & free << 1 & free >> 1
        up_right, down_right, down_left, up_left, up_down, right_left = self._joined
        while True:
            # The player walks round the box; then each push is taken back, along the whole line.
            new_up = up | right & up_right | left & up_left | down & up_down
            new_right = right | up & up_right | down & down_right | left & right_left
            new_down = down | right & down_right | left & down_left | up & up_down
            new_left = left | up & up_left | down & down_left | right & right_left
            new_up |= new_up >> stride & upright
            new_right |= new_right << 1 & level
            new_down |= new_down << stride & upright
            new_left |= new_left >> 1 & level
            if (new_up, new_right, new_down, new_left) == (up, right, down, left):
                return up, right, down, left
            up, right, down, left = new_up, new_right, new_down, new_left

    def squares_towards(self, targets: Bitboard) -> Bitboard:
        """The squares from which a box can be pushed to one of the targets, from some side."""
        up, right, down, left = self.towards(targets)
        return up | right | down | left | targets & self.free
