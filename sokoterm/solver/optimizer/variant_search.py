"""The search for a cheaper way along a spine on boards with colours or ice: other pushes, and all else the same."""

from typing import TypeVar

from sokoterm.engine.bits import Bitboard, shift
from sokoterm.engine.variant import layered_squares
from sokoterm.solver.optimizer.layered_search import REFUSED, LayeredSearch

Hint = TypeVar("Hint")


class VariantSearch(LayeredSearch[Hint]):
    """A layered search with the pushes of a board with colours or ice; its neighbourhood sees layered squares."""

    def _stands_in(self, area: Bitboard, node: int, cost: int) -> tuple[Bitboard, ...]:
        boxes, terrain, nodes = self._boxes[node], self._terrain, self._nodes
        squares = layered_squares(boxes, terrain.size)
        admit = self._near.beside(squares, self._hints[node])
        stands = [*self._stands[node]]
        for direction, square, to, stand, after in terrain.pushes.pushes(boxes, area):
            box, landing = 1 << square, 1 << to
            if landing & terrain.barred and (box, landing) not in terrain.passes:
                continue
            key = after << self._context_bits
            if key not in nodes:
                latest, hint = admit(squares ^ box ^ landing, box, landing)
                if latest > cost and terrain.variant_check.find(after) is None:
                    self._add(after, 0, hint, latest)
                elif latest >= 0:
                    nodes[key] = REFUSED
            if nodes.get(key, REFUSED) >= 0:
                stands[direction] |= shift(stand, -self._offsets[direction])
        return tuple(stands)

    def _push_from(self, squares: Bitboard, node: int, cost: int) -> None:
        boxes, pushes = self._boxes[node], self._terrain.pushes
        for direction, (offset, stands) in enumerate(zip(self._offsets, self._stands[node])):
            here = stands & squares
            while here:
                stand = here & -here
                here ^= stand
                box = shift(stand, offset)
                landing, after = pushes.push(boxes, box, offset)
                self._push(node, direction, cost, after, box, landing)
