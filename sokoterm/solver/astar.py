"""A*: the solution with the fewest pushes, led by the matching lower bound.

The bound is consistent: one push changes it by one at most downwards, since each distance is exact for a lone box
and the matching is cheapest.  So the first time a state leaves the queue its depth is final and no state is
expanded twice (Hart, Nilsson and Raphael, 1968).
"""

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock import DeadlockCheck
from sokoterm.solver.distances import make_distances
from sokoterm.solver.lower_bound import LowerBound, Matching
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Found, Limits, Reason, Search
from sokoterm.solver.successors import Successors
from sokoterm.solver.trail import Packing, solution, trail

Entry = tuple[int, int, Matching]


class BucketQueue:
    """Entries by ``depth + bound``, the least first; of equal ones the deepest, of those the youngest."""

    def __init__(self) -> None:
        self._buckets: list[list[list[Entry]]] = []
        self._total = 0
        self._bound = 0

    def put(self, depth: int, bound: int, entry: Entry) -> None:
        total = depth + bound
        while total >= len(self._buckets):
            self._buckets.append([])
        bucket = self._buckets[total]
        while bound >= len(bucket):
            bucket.append([])
        bucket[bound].append(entry)
        if total == self._total and bound < self._bound:
            self._bound = bound

    def pop(self) -> tuple[int, Entry] | None:
        """The sum and the entry, or None if there is none left."""
        while self._total < len(self._buckets):
            bucket = self._buckets[self._total]
            while self._bound < len(bucket):
                if bucket[self._bound]:
                    return self._total, bucket[self._bound].pop()
                self._bound += 1
            bucket.clear()
            self._total += 1
            self._bound = 0
        return None


def search(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes (at least one), or the proof that there is none.

    A solution may be found before it is known to be the best; a better one then follows.
    """
    meter = Meter("astar", board, limits)
    yield meter.progress()
    distances = yield from make_distances(board, meter)
    if distances is None:
        return meter.gave_up(Reason.MEMORY)
    bound = LowerBound(distances.to_goals)
    matching = yield from bound.match(distances.places(start), meter)
    check = DeadlockCheck(board)
    if matching is None or check.find(start.boxes):
        return meter.unsolvable()
    successors = Successors(board, distances.live)
    packing = Packing(board)
    floor, goals, stride, bits = board.floor, board.goals, board.stride, packing.bits
    first = packing.pack(start.normalized(board))
    parents = {first: first}
    depths = {first: 0}
    dead: set[Bitboard] = set()
    queue = BucketQueue()
    queue.put(0, matching.cost, (first, 0, matching))
    best = 1 << 30
    children = 0
    while (popped := queue.pop()) is not None:
        total, (key, depth, matching) = popped
        if total >= best:
            return meter.solved("pushes")
        if depth != depths[key]:
            continue
        meter.stored = len(depths) + len(dead)
        meter.depth, meter.lower_bound = depth, total
        if reason := meter.find_reason():
            return meter.gave_up(reason)
        meter.nodes += 1
        for direction, box, after in successors.pushes(key >> bits, 1 << (key & packing.mask)):
            children += 1
            if children == meter.children_per_yield:
                children = 0
                yield meter.progress()
                if meter.out_of_time():
                    return meter.gave_up(Reason.TIME)
            if after == goals:
                if depth + 1 < best:
                    best = depth + 1
                    yield Found(solution(board, start, [*trail(parents, key, packing), after]))
                continue
            if after in dead:
                continue
            child = after << bits | lowest(flood(box, floor & ~after, stride))
            known = depths.get(child)
            if known is not None and known <= depth + 1:
                continue
            if known is None and check.frozen(after) & ~goals:
                dead.add(after)
                continue
            square = box.bit_length() - 1
            behind = distances.behind[direction]
            old = behind[square]
            child_matching = bound.moved(
                matching, matching.places.index(old), behind[square + board.offsets[direction]]
            )
            if child_matching is None:
                depths[child] = 0
                continue
            if depth + 1 + child_matching.cost >= best:
                continue
            depths[child] = depth + 1
            parents[child] = key
            queue.put(depth + 1, child_matching.cost, (child, depth + 1, child_matching))
    return meter.solved("pushes") if best < 1 << 30 else meter.unsolvable()
