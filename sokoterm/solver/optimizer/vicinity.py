"""Vicinity search (S. Gouezel): the positions that differ from some position of the spine by a few boxes.

Instead of listing the positions, the search asks for each one it comes to how far it is from the spine.  With a few
boxes lifted, a position of the spine is a *core*; a position is near the spine if, with as many boxes lifted, it is a
core too.  The boxes lifted are *displaced*.  How far they may stand is measured by what counts: the cost at which a
position is reached may exceed the cost of the spine there by a *slack*, which is the smaller the more boxes are
displaced.  A box that the spine does not move for a long time, before and after, may be displaced only to squares on
its own path: such positions arise where its pushes come earlier or later than in the spine.
"""

from bisect import bisect_left
from collections.abc import Generator, Sequence
from functools import reduce
from itertools import chain, combinations, permutations
from math import comb
from operator import or_, xor

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.solver.meter import Meter
from sokoterm.solver.optimizer.layered_search import NOT_ADMITTED, Admit
from sokoterm.solver.optimizer.spine import Spine
from sokoterm.solver.optimizer.terrain import Terrain
from sokoterm.solver.protocol import Progress

_EVERYWHERE: Bitboard = -1

# Cores found between two looks at the clock.
_CORES = 2_000


# The square of a lifted box, and the squares where it may stand instead.
Lifted = tuple[Bitboard, Bitboard]
# The largest cost near a position of the spine with some boxes lifted, that position's boxes, those lifted, and the
# pushes of kept boxes before it.
Core = tuple[int, Bitboard, tuple[Lifted, ...], int]


class Vicinity:
    """The positions within reach of a spine between two of its positions.

    ``slacks[k]``: what may be lost with *k* boxes displaced, in units of the objective.  ``width``: a box that moves
    within so many pushes may be displaced to any square; None: every box may.  ``nearest``: only to so many squares
    around its own, and to those on its path; None: however far.  ``kept``: the boxes never displaced, by number.
    Several spines may be given, which begin at the same position: their positions are crossed.  ``fill`` fills the
    tables.
    """

    def __init__(
        self,
        spines: Sequence[Spine],
        first: int,
        last: int,
        slacks: Sequence[int],
        width: int | None,
        nearest: int | None,
        terrain: Terrain,
        kept: frozenset[int] = frozenset(),
    ) -> None:
        unit = spines[0].unit
        self._slacks = [slack * unit for slack in slacks]
        self._terrain = terrain
        self._size = terrain.size * len(terrain.board.goals_by_layer)
        self._keys = terrain.keys
        self._on_spine: dict[int, tuple[int, int]] = {}
        self._cores: list[dict[int, Core]] = [{} for _ in slacks]
        self._refused: set[int] = set()
        # The squares of the kept boxes after each of their pushes; how many of these came before a position is part of
        # its hint, in the bits above the squares.
        self._kept = _kept_squares(spines[0], kept)
        self._spines, self._first, self._last, self._kept_boxes = spines, first, last, kept
        self._width, self._nearest = width, nearest

    def fill(self, meter: Meter) -> Generator[Progress, None, None]:
        """Find all cores; a position of the first spine takes the place of the same one of another."""
        for spine in reversed(self._spines[1:]):
            yield from self._lift(spine, 0, spine.last, meter)
        yield from self._lift(self._spines[0], self._first, self._last, meter)

    def _lift(self, spine: Spine, first: int, last: int, meter: Meter) -> Generator[Progress, None, None]:
        """Find the cores of the positions of a spine."""
        paths, kept = _Paths(spine, self._width, self._nearest, self._terrain), self._kept_boxes
        work = 0
        done = sum(mover in kept for mover in spine.movers[: max(0, first - 1)])
        for j, places in enumerate(spine.places(first, last), start=first):
            boxes, cost = spine.squares[j], spine.costs[j]
            key = self._key_of(boxes)
            done += j > 0 and spine.movers[j - 1] in kept
            self._on_spine[key] = cost + self._slacks[0], done
            lifted = [(1 << square, paths.squares(box, j, square)) for square, box in places if box not in kept]
            for count in range(1, len(self._slacks)):
                latest, cores = cost + self._slacks[count], self._cores[count]
                for those in combinations(lifted, count):
                    core = key
                    for square, _ in those:
                        core ^= self._keys[square]
                    cores[core] = (latest, boxes, those, done)
                work += comb(len(lifted), count)
            if work >= _CORES:
                work = 0
                yield meter.progress()

    def _key_of(self, boxes: Bitboard) -> int:
        return reduce(xor, (self._keys[1 << square] for square in scan(boxes)), 0)

    def first(self) -> Bitboard:
        """No box is displaced, and the kept boxes have made the pushes that the spine makes before."""
        spine = self._spines[0]
        return sum(mover in self._kept_boxes for mover in spine.movers[: self._first]) << self._size

    def beside(self, boxes: Bitboard, hint: Bitboard) -> Admit[Bitboard]:
        """Admit positions near the spine; the hint is all boxes that are displaced, measured by one core or other."""
        keys, refused, on_spine = self._keys, self._refused, self._on_spine.get
        size, done = self._size, hint >> self._size
        kept, hint = self._kept[min(done, len(self._kept) - 1)], hint & (1 << size) - 1
        box_keys = []
        left = boxes
        while left:
            box = left & -left
            left ^= box
            box_keys.append(keys[box])
        here = reduce(xor, box_keys, 0)
        single = self._cores[1].get
        most = len(self._slacks) - 1
        displaced_keys = [keys[1 << square] for square in scan(hint)] if most > 1 else []
        sets = {
            count: [reduce(xor, those) for those in combinations(displaced_keys, count)] for count in range(1, most + 1)
        }

        def admit(after: Bitboard, box: Bitboard, landing: Bitboard) -> tuple[int, Bitboard]:
            its_key = keys[landing]
            key = here ^ keys[box] ^ its_key
            if key in refused:
                return NOT_ADMITTED, 0
            done_then = done + bool(box & kept)
            latest, done_there = on_spine(key, (NOT_ADMITTED, 0))
            displaced = done_then << size
            if done_there != done_then:
                latest = NOT_ADMITTED
            for core in filter(None, (single(key ^ its_key), *map(single, map(key.__xor__, box_keys)))):
                each = after & ~core[1]
                if core[3] == done_then and (not each or core[2][0][1] & each):
                    displaced |= each
                    if core[0] > latest:
                        latest = core[0]
            for count in range(2, most + 1):
                cores = self._cores[count].get
                found = chain(
                    map(cores, map(key.__xor__, sets[count])), map(cores, map((key ^ its_key).__xor__, sets[count - 1]))
                )
                for core in filter(None, found):
                    those = after & ~core[1]
                    if core[0] > latest and core[3] == done_then and _may_stand(those, core[2]):
                        displaced |= those
                        latest = core[0]
            if latest == NOT_ADMITTED and len(self._kept) == 1:
                refused.add(key)
            return latest, displaced

        return admit


def _may_stand(displaced: Bitboard, lifted: Sequence[Lifted]) -> bool:
    """True if displaced boxes stand where the lifted ones may, one each."""
    boxes = [1 << square for square in scan(displaced)]
    return any(all(those & box for box, (_, those) in zip(boxes, order)) for order in permutations(lifted, len(boxes)))


def _kept_squares(spine: Spine, kept: frozenset[int]) -> list[Bitboard]:
    """Return the squares of the kept boxes at the start and after each of their pushes."""
    squares = reduce(or_, (1 << square for square, box in spine.places(0, 0)[0] if box in kept), 0)
    found = [squares]
    for j, mover in enumerate(spine.movers):
        if mover in kept:
            squares ^= spine.squares[j] ^ spine.squares[j + 1]
            found.append(squares)
    return found


class _Paths:
    """The squares that each box of a spine may be displaced to."""

    def __init__(self, spine: Spine, width: int | None, nearest: int | None, terrain: Terrain) -> None:
        self._width, self._nearest, self._terrain = width, nearest, terrain
        self._moves: dict[int, list[int]] = {}
        self._path: dict[int, Bitboard] = {box: 1 << square for square, box in spine.places(0, 0)[0]}
        for j, box in enumerate(spine.movers, start=1):
            self._moves.setdefault(box, []).append(j)
            self._path[box] |= spine.squares[j] & ~spine.squares[j - 1]

    def squares(self, box: int, j: int, square: Square) -> Bitboard:
        """Return where a box may stand at a position of the spine, where it is on ``square``."""
        if self._width is not None:
            moves = self._moves.get(box, [])
            soon = bisect_left(moves, j - self._width)
            if soon == len(moves) or moves[soon] > j + self._width:
                return self._path[box]
        return _EVERYWHERE if self._nearest is None else self._terrain.nearest(square, self._nearest) | self._path[box]
