"""The search for a cheaper route along a spine on boards with colours or ice: other pushes, and all else the same."""

from typing import TypeVar

from sokoterm.engine.bits import Bitboard, shift
from sokoterm.engine.variant import layered_squares
from sokoterm.solver.optimizer.layered_search import REFUSED, LayeredSearch

Hint = TypeVar("Hint")


class VariantSearch(LayeredSearch[Hint]):
    """A layered search with the pushes of a board with colours or ice; its neighbourhood sees layered squares."""

    def _stands_in(self, area: Bitboard, node: int, cost: int) -> tuple[Bitboard, ...]:
        boxes, terrain, nodes, context_bits = self._boxes[node], self._terrain, self._nodes, self._context_bits
        live, barred, passes = terrain.live, terrain.barred, terrain.passes
        push, find_deadlock = terrain.pushes.push, terrain.check.find
        free = self._floor & ~boxes
        squares = layered_squares(boxes, terrain.size)
        admit = self._near.beside(squares, self._hints[node])
        stands = []
        for offset, known in zip(self._offsets, self._stands[node]):
            pushable = boxes & shift(area, offset) & shift(free, -offset)
            good = 0
            while pushable:
                pushed = pushable & -pushable
                pushable ^= pushed
                to, base, after = push(boxes, pushed, offset)
                box, landing = pushed << base, to << base
                if not landing & live or landing & barred and (box, landing) not in passes:
                    continue
                other = nodes.get(after << context_bits)
                if other is None:
                    latest, its_hint = admit(squares ^ box ^ landing, box, landing)
                    if latest > cost and find_deadlock(after) is None:
                        self._add(after, 0, its_hint, latest)
                        good |= pushed
                    elif latest >= 0:
                        nodes[after << context_bits] = REFUSED
                elif other >= 0:
                    good |= pushed
            stands.append(known | shift(good, -offset))
        return tuple(stands)

    def _push_from(self, squares: Bitboard, node: int, cost: int) -> None:
        boxes, push = self._boxes[node], self._terrain.pushes.push
        for direction, (offset, stands) in enumerate(zip(self._offsets, self._stands[node])):
            here = stands & squares
            while here:
                stand = here & -here
                here ^= stand
                box = shift(stand, offset)
                landing, _, after = push(boxes, box, offset)
                self._push(node, direction, cost, after, box, landing)
