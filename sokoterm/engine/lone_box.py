"""Push reachability of a box alone on the board, taking the player's side into account.

A box may split the rest of the floor; the part with the player, and thus the *sides* of the box within reach, decides
where the box can be pushed.  A set of (square, side) pairs is stored as four Bitboards, one for each side.
"""

from functools import cached_property

from sokoterm.engine.bits import Bitboard, Square, flood, lowest
from sokoterm.engine.board import Board
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, Cuts, CutVertices, Sides

# For each side in the order of Directions: squares of a box with the player on that side.
BySide = tuple[Bitboard, Bitboard, Bitboard, Bitboard]


class LoneBox:
    """Push reachability of a box on a board without other boxes, except those fixed in ``walls``."""

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        self.free = board.floor & ~walls
        self._board = board
        self._offsets = board.offsets
        self._walls = walls

    @cached_property
    def _cut_vertices(self) -> CutVertices:
        return CutVertices(self._board, self._walls)

    @cached_property
    def _joined(self) -> Cuts:
        # The box itself is not an obstacle, so any free square serves as its square.
        return self._cut_vertices.joined(lowest(self.free)) if self.free else (0, 0, 0, 0, 0, 0)

    @cached_property
    def pairs(self) -> bytes:
        """For each square, the pairs of sides joined around a box there (see ``CutVertices.joined_pairs``)."""
        return self._cut_vertices.joined_pairs(lowest(self.free)) if self.free else bytes(self._board.size)

    def free_sides(self, square: Square) -> Sides:
        return sum([1 << side for side, offset in enumerate(self._offsets) if self.free >> square + offset & 1])

    def areas(self, square: Square) -> list[tuple[Bitboard, Sides]]:
        """Return the areas next to a box on ``square``, each with the sides of the box that lie in it."""
        rest = self.free & ~(1 << square)
        found = []
        left = self.free_sides(square)
        for side, offset in enumerate(self._offsets):
            if left >> side & 1:
                area = flood(1 << square + offset, rest, self._board.stride)
                sides = sum([1 << each for each, step in enumerate(self._offsets) if area >> square + step & 1])
                found.append((area, sides))
                left &= ~sides
        return found

    def pushes_from(self, *origins: Square) -> dict[Square, int]:
        """Return the fewest pushes from any of ``origins`` to each reachable square, the player starting anywhere."""
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
        """Return the squares, by the player's side, from which a box can be pushed to one of the targets."""
        free, stride = self.free, self._board.stride
        targets &= free
        return self._leading_to(
            targets & free << stride, targets & free >> 1, targets & free >> stride, targets & free << 1
        )

    def squares_before(self, square: Square) -> Bitboard:
        """Return the squares from which a box can be pushed one push short of ``square``, which is a wall."""
        free, stride, wall = self.free, self._board.stride, 1 << square
        up, right = wall >> stride & free & free << stride, wall << 1 & free & free >> 1
        down, left = wall << stride & free & free >> stride, wall >> 1 & free & free << 1
        up, right, down, left = self._leading_to(up, right, down, left)
        return up | right | down | left

    def _leading_to(self, up: Bitboard, right: Bitboard, down: Bitboard, left: Bitboard) -> BySide:
        """Return the squares, by the player's side, from which a box can be pushed to the given squares and sides."""
        free, stride = self.free, self._board.stride
        upright, level = free & free << stride & free >> stride, free & free << 1 & free >> 1
        up_right, down_right, down_left, up_left, up_down, right_left = self._joined
        while True:
            # Walk around the box, then reverse one push in each direction.
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
        """Return the squares from which a box can be pushed, from some side, to one of the targets."""
        up, right, down, left = self.towards(targets)
        return up | right | down | left | targets & self.free
