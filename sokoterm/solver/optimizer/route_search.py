"""Search for a cheaper route along a spine, and the neighbourhoods of positions that it may use.

The search is Dijkstra's algorithm over box positions and player squares, many squares at a time: the squares of one box
position that the player reaches at the same cost are one Bitboard, and advancing all of them takes a handful of
operations on ints.  A box position takes some tens of microseconds, as long as a few dozen of its squares would one by
one.  The player stops walking in a position once all useful squares in it have been reached.

A vicinity (S. Gouezel) contains the positions that differ from some position of the spine by a few boxes.  They are not
listed; instead the search measures how far each position it reaches is from the spine.  A position of the spine with a
few boxes lifted is a *core*; a position is near the spine if, with the same number of boxes lifted, it is a core too.
The boxes lifted are *displaced*.  Their distance is limited by cost: a position may cost more than the spine there by a
*slack*, which is smaller the more boxes are displaced.  A box that the spine does not move for a long time, before and
after, may be displaced only to squares on its path: such positions arise when its pushes come earlier or later.

Free boxes find permutations: some boxes move freely over a part of a solution while all others stay where they are.
With all boxes free from start to end, this is a search of the whole level bounded by the cost of the known solution; if
it ends with nothing left to try, no solution costs less.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import reduce
from heapq import heappop, heappush
from itertools import chain, combinations, permutations
from math import comb
from operator import or_, xor
from typing import Generic, NamedTuple, Protocol, TypeVar

from sokoterm.engine.bits import Bitboard, Square, flood, scan, shift
from sokoterm.engine.board import layered_squares
from sokoterm.solver.common.lower_bound import UNREACHABLE, Matching, Matchings
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.optimizer.spine import Spine, Terrain
from sokoterm.solver.search import LimitReached, Meter, Progress

Hint = TypeVar("Hint")

# Work between two looks at the clock, in steps of one position; finding the pushes of a position costs several.  On
# boards with more squares than a large one, a step takes longer in proportion.
_WORK = 256
_LARGE_BOARD = 4_000
_WORK_OF_PUSHES = 8

NOT_ADMITTED = -1

# Node of a position that is dead or was reached at too high a cost.
REFUSED = -1


# From a position after a push and the box's squares before and after it, to the largest cost at which the player may
# reach that position (NOT_ADMITTED if it must not be used), and a hint for its successors.  Squares are layered, as in
# Terrain.
Admit = Callable[[Bitboard, Bitboard, Bitboard], tuple[int, Hint]]


class Neighbourhood(Protocol[Hint]):
    """Box positions that a search may use."""

    def first(self) -> Hint:
        """Return the hint of the position where the search begins."""

    def beside(self, boxes: Bitboard, hint: Hint) -> Admit[Hint]:
        """Return the function that admits the successors of a position with a hint."""


class Route(NamedTuple):
    """Cheaper route: the boxes of its positions, from push ``first`` of the spine to push ``joined``."""

    first: int
    joined: int
    boxes: list[Bitboard]


class RouteSearch(Generic[Hint]):
    """Search from position ``first`` of a spine for a cheaper route to ``last`` or to a position on the way.

    A node is a box position with what the objective must know of the last push (``context``): for box lines and
    sessions whether the player has walked since, for box changes the box pushed.  ``is_complete``: true after a search
    that no limit ended.  ``reached``: last position of the spine that the search came to.
    """

    def __init__(
        self, terrain: Terrain, spine: Spine, first: int, last: int, near: Neighbourhood[Hint], meter: Meter
    ) -> None:
        board, domain = terrain.board, terrain.domain
        self.is_complete = False
        self.reached = first
        self._terrain = terrain
        self._costs = terrain.costs
        self._spine = spine
        self._first, self._last = first, last
        self._near = near
        self._meter = meter
        self._stride = board.stride
        self._floor = board.floor
        self._offsets = board.offsets
        self._bits = (board.stride * board.height).bit_length()
        # Squares that a box may be pushed to next; on layered boards it may slide on, or its colour may not stop there.
        self._ahead = domain.check.live if domain.is_plain else board.floor
        # A context takes as many bits as a square, or none if the objective requires none.
        self._context_bits = self._bits if terrain.costs.extra else 0
        # The last position of a solution ends the search wherever the player is.
        self._final = board.goals if last == spine.last else None
        # Bits of a position that decide whether it is solved.
        self._telling = -1 if domain.is_plain else domain.telling
        self._targets = {spine.boxes[j]: j for j in range(first, last + 1) if spine.is_cut[j]}
        self._gain = 0
        self._best = (first, spine.costs[first])
        self._end: int | None = None
        # Numbers of the nodes, or REFUSED.
        self._nodes: dict[int, int] = {}
        self._boxes: list[Bitboard] = []
        self._contexts: list[int] = []
        # False where the player has pushed and not walked since, if that matters to the objective.
        self._walks: list[bool] = []
        self._hints: list[Hint] = []
        self._latest: list[int] = []
        # Squares that the player has reached; squares of the areas examined; useful squares; and, for each direction,
        # squares to push from.
        self._been: list[Bitboard] = []
        self._seen: list[Bitboard] = []
        self._useful: list[Bitboard] = []
        self._stands: list[tuple[Bitboard, ...]] = []
        # The first push by which each square was reached: its cost, then the cost, node and direction before.
        self._entries: dict[int, tuple[int, int, int, int]] = {}
        self._layers: dict[int, dict[int, Bitboard]] = {}
        self._heap: list[int] = []

    def run(self, most: int) -> Generator[Progress, None, Route | None]:
        """Return the best route found within ``most`` positions or a limit of the meter; None if none is cheaper."""
        spine, meter = self._spine, self._meter
        start = self._add(spine.boxes[self._first], 0, self._near.first(), 1 << 200)
        self._put(spine.costs[self._first], start, 1 << spine.players[self._first])
        with meter.watching(self._nodes, self._entries), suppress(LimitReached):
            yield from self._walk_on(meter.nodes + most)
        return self._route()

    def _walk_on(self, until: int) -> Generator[Progress, None, None]:
        meter, heap, layers, stride = self._meter, self._heap, self._layers, self._stride
        been, seen, useful, boxes, walks = self._been, self._seen, self._useful, self._boxes, self._walks
        floor, walk, stop = self._floor, self._costs.walk, self._spine.costs[self._last]
        final, telling = self._final, self._telling
        work, most_work = 0, min(_WORK, _WORK * _LARGE_BOARD // self._terrain.size)
        while heap:
            cost = heappop(heap)
            if cost + self._gain >= stop:
                break
            following: dict[int, Bitboard] | None = None
            for node, squares in layers.pop(cost).items():
                before = been[node]
                new = squares & ~before
                if not new:
                    continue
                work += 1
                if new & ~seen[node]:
                    if boxes[node] & telling == final:
                        self._end, self._best = node, (self._last, cost)
                        self.is_complete = True
                        return
                    if meter.nodes >= until:
                        return
                    meter.check()
                    meter.nodes += 1
                    work += _WORK_OF_PUSHES
                    self._find_pushes(node, new, cost)
                before |= new
                been[node] = before
                use = useful[node]
                if new & use:
                    self._use(node, new & use, cost)
                if use & ~before and walks[node]:
                    on = (new << 1 | new >> 1 | new << stride | new >> stride) & floor & ~(boxes[node] | before)
                    if on:
                        if following is None:
                            following = layers.get(cost + walk)
                            if following is None:
                                following = layers[cost + walk] = {}
                                heappush(heap, cost + walk)
                        following[node] = following.get(node, 0) | on
                if work >= most_work:
                    work = 0
                    meter.stored = len(self._nodes) + len(self._entries)
                    yield meter.progress()
        self.is_complete = True

    def _add(self, boxes: Bitboard, context: int, hint: Hint, latest: int) -> int:
        node = len(self._boxes)
        self._nodes[boxes << self._context_bits | context] = node
        self._boxes.append(boxes)
        self._contexts.append(context)
        self._walks.append(not context or self._costs.objective is Objective.CHANGES)
        self._hints.append(hint)
        self._latest.append(latest)
        self._been.append(0)
        self._seen.append(0)
        self._useful.append(0)
        self._stands.append((0, 0, 0, 0))
        return node

    def _put(self, cost: int, node: int, squares: Bitboard) -> None:
        layer = self._layers.get(cost)
        if layer is None:
            layer = self._layers[cost] = {}
            heappush(self._heap, cost)
        layer[node] = layer.get(node, 0) | squares

    def _find_pushes(self, node: int, squares: Bitboard, cost: int) -> None:
        """Record the useful squares in an area of a position: those to push from, and where the spine continues."""
        boxes, terrain, nodes, context_bits = self._boxes[node], self._terrain, self._nodes, self._context_bits
        area = flood(squares, self._floor & ~boxes, self._stride) & ~self._seen[node]
        self._seen[node] |= area
        if (target := self._targets.get(boxes)) is not None:
            self._useful[node] |= 1 << self._spine.players[target]
        ahead = self._ahead & ~boxes
        layered = boxes if terrain.domain.is_plain else layered_squares(boxes, terrain.size)
        admit = self._near.beside(layered, self._hints[node])
        push, live, is_deadlock = terrain.push, terrain.domain.check.live, terrain.domain.is_freeze_deadlock
        barred, passes = terrain.barred, terrain.passes
        stands = []
        for offset, known in zip(self._offsets, self._stands[node]):
            pushable = boxes & shift(area, offset) & shift(ahead, -offset)
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
                    latest, its_hint = admit(layered ^ box ^ landing, box, landing)
                    if latest > cost and not is_deadlock(after):
                        self._add(after, 0, its_hint, latest)
                        good |= pushed
                    elif latest >= 0:
                        nodes[after << context_bits] = REFUSED
                elif other >= 0:
                    good |= pushed
            stands.append(known | shift(good, -offset))
        self._stands[node] = tuple(stands)
        self._useful[node] |= stands[0] | stands[1] | stands[2] | stands[3]

    def _use(self, node: int, squares: Bitboard, cost: int) -> None:
        """Push from some squares of a position, and check whether they meet the spine."""
        self._push_from(squares, node, cost)
        if (target := self._targets.get(self._boxes[node])) is not None and squares >> self._spine.players[target] & 1:
            gain = self._spine.costs[target] - cost
            self.reached = max(self.reached, target)
            if (gain, target) > (self._gain, self._best[0]):
                self._gain = gain
                self._best = target, cost

    def _push_from(self, squares: Bitboard, node: int, cost: int) -> None:
        boxes, nodes, latest, been, bits = self._boxes[node], self._nodes, self._latest, self._been, self._bits
        after_push = cost + self._costs.push
        layer = self._layers.get(after_push)
        is_simple = not self._context_bits and self._terrain.domain.is_plain
        direction = -1
        for offset, stands in zip(self._offsets, self._stands[node]):
            direction += 1
            here = stands & squares
            while here:
                stand = here & -here
                here ^= stand
                box = stand << offset if offset > 0 else stand >> -offset
                if not is_simple:
                    landing, _, after = self._terrain.push(boxes, box, offset)
                    self._push(node, direction, cost, after, box, landing)
                    continue
                landing = box << offset if offset > 0 else box >> -offset
                other = nodes[boxes ^ box ^ landing]
                if after_push + self._gain <= latest[other] and not been[other] & box:
                    if layer is None:
                        layer = self._layers[after_push] = {}
                        heappush(self._heap, after_push)
                    layer[other] = layer.get(other, 0) | box
                    entry = other << bits | box.bit_length() - 1
                    if entry not in self._entries:
                        self._entries[entry] = (after_push, cost, node, direction)

    def _push(self, node: int, direction: int, cost: int, after: Bitboard, box: Bitboard, landing: Bitboard) -> None:
        """Push a box; nodes differ by what the objective counts between consecutive pushes."""
        objective, context = self._costs.objective, self._contexts[node]
        contexts: tuple[int, ...]
        if objective is Objective.LINES:
            if context and context != direction + 1:
                return
            goes_on, contexts = bool(context), (0, direction + 1)
        elif objective is Objective.SESSIONS:
            goes_on, contexts = bool(context), (0, 1)
        elif objective is Objective.CHANGES:
            goes_on = context == box.bit_length() - 1
            contexts = (landing.bit_length() - 1,)
        else:
            goes_on, contexts = True, (0,)
        after_push = cost + self._costs.push + (0 if goes_on else self._costs.extra)
        plain = self._nodes[after << self._context_bits]
        if after_push + self._gain > self._latest[plain]:
            return
        for each in contexts:
            other = self._nodes.get(after << self._context_bits | each)
            if other is None:
                other = self._add(after, each, self._hints[plain], self._latest[plain])
            if not self._been[other] & box:
                self._put(after_push, other, box)
                # A push that begins nothing new costs less, and may be found later.
                entry = other << self._bits | box.bit_length() - 1
                if entry not in self._entries or after_push < self._entries[entry][0]:
                    self._entries[entry] = (after_push, cost, node, direction)

    def _route(self) -> Route | None:
        spine, first = self._spine, self._first
        joined, cost = self._best
        if cost >= spine.costs[joined]:
            return None
        # The player must be where the spine continues, or anywhere if the level is solved.
        boxes = spine.boxes[joined]
        nodes = [node for node, those in enumerate(self._boxes) if those == boxes]
        ends = nodes if self._end is None else [self._end]
        squares = -1 if self._end is not None else 1 << spine.players[joined]
        for end in ends:
            positions = self._trail(end, squares, cost)
            if positions is not None:
                return Route(first, joined, positions)
        raise AssertionError("a route without a trail")

    def _trail(self, node: int, squares: Bitboard, cost: int) -> list[Bitboard] | None:
        """Return the boxes of all positions up to a node where the player was on one of ``squares`` at a cost."""
        positions: list[Bitboard] = []
        while True:
            positions.append(self._boxes[node])
            before = self._came_from(node, squares, cost)
            if before is None:
                positions.reverse()
                return positions if node == 0 else None
            cost, node, stand = before
            squares = 1 << stand

    def _came_from(self, node: int, squares: Bitboard, cost: int) -> tuple[int, int, Square] | None:
        """Return cost, node and player's square before the push that led to a node; None at the start."""
        free = self._floor & ~self._boxes[node]
        layer = squares & free
        entries, bits, stride, walk = self._entries, self._bits, self._stride, self._costs.walk
        while layer:
            for square in scan(layer):
                entry = entries.get(node << bits | square)
                if entry is not None and entry[0] == cost:
                    _, before, parent, direction = entry
                    return before, parent, square - self._offsets[direction]
            if not self._walks[node]:
                break
            free &= ~layer
            layer = (layer << 1 | layer >> 1 | layer << stride | layer >> stride) & free
            cost -= walk
        return None


_EVERYWHERE: Bitboard = -1

# Cores found between two looks at the clock.
_CORES = 2_000

# Square of a lifted box, and the squares where it may be instead.
Lifted = tuple[Bitboard, Bitboard]
# Largest cost near a position of the spine with some boxes lifted, that position's boxes, those lifted, and the pushes
# of kept boxes before it.
Core = tuple[int, Bitboard, tuple[Lifted, ...], int]


class Vicinity:
    """Positions near a spine between two of its positions; ``fill`` fills the tables.

    ``slacks[k]``: what *k* displaced boxes may cost, in units of the objective.  ``width``: a box that moves within
    this many pushes may be displaced to any square (None: every box may).  ``nearest``: how many squares around its own
    a box may be displaced to, in addition to its path (None: all).  ``kept``: numbers of the boxes never displaced.
    Several spines that begin at the same position may be given; their positions are crossed.
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
        # Squares of the kept boxes after each of their pushes.  The number of these pushes before a position is part of
        # its hint, in the bits above the squares.
        self._kept = _kept_squares(spines[0], kept)
        self._spines, self._first, self._last, self._kept_boxes = spines, first, last, kept
        self._width, self._nearest = width, nearest

    def fill(self, meter: Meter) -> Generator[Progress, None, None]:
        """Find all cores; a position of the first spine replaces the same one of another."""
        for spine in reversed(self._spines[1:]):
            yield from self._lift(spine, 0, spine.last, meter)
        yield from self._lift(self._spines[0], self._first, self._last, meter)

    def _lift(self, spine: Spine, first: int, last: int, meter: Meter) -> Generator[Progress, None, None]:
        kept, keys, work = self._kept_boxes, self._keys, 0
        squares_of = _displaceable(spine, self._width, self._nearest, self._terrain)
        done = sum(mover in kept for mover in spine.movers[: max(0, first - 1)])
        for j, places in enumerate(spine.places(first, last), start=first):
            boxes, cost = spine.squares[j], spine.costs[j]
            key = reduce(xor, (keys[1 << square] for square, _ in places), 0)
            done += j > 0 and spine.movers[j - 1] in kept
            self._on_spine[key] = cost + self._slacks[0], done
            lifted = [(1 << square, squares_of(box, j, square)) for square, box in places if box not in kept]
            for count in range(1, len(self._slacks)):
                latest, cores = cost + self._slacks[count], self._cores[count]
                for those in combinations(lifted, count):
                    core = key
                    for square, _ in those:
                        core ^= keys[square]
                    cores[core] = (latest, boxes, those, done)
                work += comb(len(lifted), count)
            if work >= _CORES:
                work = 0
                yield meter.progress()

    def first(self) -> Bitboard:
        """Return the hint without displaced boxes, after the kept boxes' pushes that the spine makes before."""
        spine = self._spines[0]
        return sum(mover in self._kept_boxes for mover in spine.movers[: self._first]) << self._size

    def beside(self, boxes: Bitboard, hint: Bitboard) -> Admit[Bitboard]:
        """Admit positions near the spine; the hint is all boxes that are displaced relative to some core."""
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
    """True if displaced boxes are where the lifted ones may be, one each."""
    boxes = [1 << square for square in scan(displaced)]
    return any(all(those & box for box, (_, those) in zip(boxes, order)) for order in permutations(lifted, len(boxes)))


def _kept_squares(spine: Spine, kept: frozenset[int]) -> list[Bitboard]:
    squares = reduce(or_, (1 << square for square, box in spine.places(0, 0)[0] if box in kept), 0)
    found = [squares]
    for j, mover in enumerate(spine.movers):
        if mover in kept:
            squares ^= spine.squares[j] ^ spine.squares[j + 1]
            found.append(squares)
    return found


def _displaceable(
    spine: Spine, width: int | None, nearest: int | None, terrain: Terrain
) -> Callable[[int, int, Square], Bitboard]:
    """Return a function: (box, position of a spine, its square there) -> where the box may be displaced."""
    moves: dict[int, list[int]] = {}
    path: dict[int, Bitboard] = {box: 1 << square for square, box in spine.places(0, 0)[0]}
    for j, box in enumerate(spine.movers, start=1):
        moves.setdefault(box, []).append(j)
        path[box] |= spine.squares[j] & ~spine.squares[j - 1]

    def squares(box: int, j: int, square: Square) -> Bitboard:
        if width is not None:
            those = moves.get(box, [])
            soon = bisect_left(those, j - width)
            if soon == len(those) or those[soon] > j + width:
                return path[box]
        return _EVERYWHERE if nearest is None else terrain.nearest(square, nearest) | path[box]

    return squares


class FreeBoxes:
    """Positions between two of a spine that differ from the first only by some free boxes; see ``make_free_boxes``.

    A position is admitted while the fewest pushes that the free boxes still need may lead to a lower cost.
    """

    def __init__(self, matching: Matching, matchings: Matchings, fixed: Bitboard, most: int, push: int) -> None:
        """``most``: largest useful cost.  ``push``: least cost of a push."""
        self._first = matching
        self._matchings = matchings
        self._fixed = fixed
        self._most = most
        self._push = push
        self._refused: set[Bitboard] = set()

    def first(self) -> Matching:
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
    those = set(free)
    before, after = (
        [square for square, box in spine.places(place, place)[0] if box in those] for place in (first, last)
    )
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
