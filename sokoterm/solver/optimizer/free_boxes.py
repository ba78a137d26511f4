"""Permutations: some boxes move freely over a part of a solution, while all others stay where they are.

With all boxes free from the start to the end this is a search of the whole level, bounded by the cost of the known
solution: where it ends with nothing left to try, no solution costs less.
"""

from collections.abc import Generator, Sequence

from sokoterm.engine.bits import Bitboard
from sokoterm.solver.common.distances import UNREACHABLE
from sokoterm.solver.common.lower_bound import Matching, Matchings
from sokoterm.solver.domain import LayeredSquare
from sokoterm.solver.meter import Meter
from sokoterm.solver.optimizer.layered_search import NOT_ADMITTED, Admit
from sokoterm.solver.optimizer.spine import Spine
from sokoterm.solver.optimizer.terrain import Terrain
from sokoterm.solver.protocol import Progress


class FreeBoxes:
    """The positions between two of a spine with all boxes but some where they were, by ``make_free_boxes``.

    A position is admitted while the fewest pushes that the free boxes still need leave a chance of a lower cost.
    """

    def __init__(self, matching: Matching, matchings: Matchings, fixed: Bitboard, most: int, push: int) -> None:
        """``most``: the largest cost that is of use.  ``push``: the least cost of a push."""
        self._first = matching
        self._matchings = matchings
        self._fixed = fixed
        self._most = most
        self._push = push
        self._refused: set[Bitboard] = set()

    def first(self) -> Matching:
        """Return the matching of the free boxes to the squares where they end."""
        return self._first

    def beside(self, boxes: Bitboard, hint: Matching) -> Admit[Matching]:  # noqa: ARG002 - the hint has all it takes
        """Admit positions by the matching of their free boxes, which is their hint."""
        places, moved, fixed, refused = hint.places, self._matchings.moved, self._fixed, self._refused

        def admit(after: Bitboard, box: Bitboard, landing: Bitboard) -> tuple[int, Matching]:
            if box & fixed or after in refused:
                return NOT_ADMITTED, hint
            matching = moved(hint, places.index(box.bit_length() - 1), landing.bit_length() - 1)
            if matching is None or matching.cost >= UNREACHABLE:
                refused.add(after)
                return NOT_ADMITTED, hint
            return self._most - matching.cost * self._push, matching

        return admit


def make_free_boxes(
    terrain: Terrain, spine: Spine, first: int, last: int, free: Sequence[int], meter: Meter
) -> Generator[Progress, None, FreeBoxes | None]:
    """Free the boxes with these numbers between two positions; None if the tables show no route for them."""
    before, after = (_squares(spine, place, free) for place in (first, last))
    fixed = spine.squares[first]
    for square in before:
        fixed ^= 1 << square
    columns = []
    for square in after:
        columns.append((yield from terrain.column(square, meter, is_end=last == spine.last)))
        yield meter.progress()
    matchings = Matchings(list(zip(*columns)))
    matching = yield from matchings.match(before, meter)
    if matching is None:
        return None
    return FreeBoxes(matching, matchings, fixed, spine.costs[last] - 1, terrain.costs.push)


def _squares(spine: Spine, place: int, boxes: Sequence[int]) -> list[LayeredSquare]:
    """Return the layered squares of some boxes at a position of the spine."""
    those = set(boxes)
    return [square for square, box in spine.places(place, place)[0] if box in those]
