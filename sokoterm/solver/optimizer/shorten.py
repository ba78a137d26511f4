"""Solution optimizer: fewer pushes, then fewer moves.

It searches again for a few boxes, or for a part of the solution.  Either one or two boxes are free over the whole
length while the others keep their pushes, which finds most improvements; or all boxes are free for a few sessions (runs
of pushes of one box).  Both are small A* searches (``reroute``): most end after some dozens of states, or need not
start because the pushes equal the bound.  This combines the vicinity search and the window search of Sokoban optimizers
such as YASO.

Once it finds no fewer pushes, the same search with exact player squares saves moves.
"""

from collections.abc import Callable, Generator, Iterator
from itertools import combinations

from sokoterm.engine.bits import Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.common.distances import make_column
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.optimizer.reroute import FewerMoves, FewerPushes, PushSequence, Reroute, part_of, shoves_of
from sokoterm.solver.protocol import Feature, Found, Progress

# States for each search over the whole length in the first round, and the factor for each later round: most finds
# take fewer than a hundred, and many small searches find more than a few large ones.  Searches of a few sessions
# with all boxes free get a fraction of it.
_FIRST_SEARCH = 500
_SEARCHES_GROW = 3
_SESSIONS_PART = 3
_NO_LIMIT = 1 << 60

# Sessions searched at once to save moves; larger numbers pay only after smaller ones.
_SESSIONS_FOR_MOVES = (4, 6, 8, 12)

# Divisor of the nodes that gives the share reserved for saving moves.
_MOVES_PART = 4


def shorten(
    board: Board, start: State, known: Solution, meter: Meter, nodes: int
) -> Generator[Progress | Found, None, Solution]:
    """Improve a solution with ``nodes`` more nodes: fewer pushes, or as many and fewer moves; return the best one.

    Each better solution is yielded as it is found.  At a limit of the meter the last one is yielded, then LimitReached
    is raised.  Ends early if nothing is left to try.  A level that begins solved keeps its solution, as the shortest
    would be empty.  Each search counts as a node too.
    """
    if start.boxes == board.goals:
        return known
    shortening = _Shortening(board, start, known, meter, nodes)
    try:
        yield from shortening.run()
    except (LimitReached, MemoryError):
        yield from shortening.report_better()
        raise
    return shortening.best


class _Shortening:
    """State of the optimization of one solution.

    ``_tried``: the searches made and their limits of states, so none is repeated without a higher limit.
    ``_hit_limit``: true if some search of the round hit its limit.
    """

    def __init__(self, board: Board, start: State, known: Solution, meter: Meter, nodes: int) -> None:
        self.best = known
        self._board = board
        self._start = start
        self._meter = meter
        self._nodes = nodes
        self._until = meter.nodes
        self._sequence = PushSequence(start, shoves_of(board, start, known))
        self._is_better = False
        self._columns: dict[Square, list[int]] = {}
        self._tried: dict[tuple[object, ...], int] = {}
        self._most = 0
        self._hit_limit = False

    def run(self) -> Generator[Progress | Found, None, None]:
        """Search for fewer pushes, then for fewer moves."""
        self._until += self._nodes - self._nodes // _MOVES_PART
        yield from self._rounds(self._round_for_pushes)
        self._until += self._nodes // _MOVES_PART
        yield from self._rounds(self._round_for_moves)

    def report_better(self) -> Iterator[Found]:
        """Yield the current sequence as a solution, if it is better than the last."""
        if self._is_better:
            self._is_better = False
            self.best = solution(self._board, self._start, self._sequence.boxes)
            self._meter.best = min(self._meter.best, self.best.pushes)
            yield Found(self.best)

    def _rounds(
        self, one: Callable[[], Iterator[Generator[Progress, None, None]]]
    ) -> Generator[Progress | Found, None, None]:
        """Run rounds of ever larger searches, until the nodes are spent or no search hits its limit."""
        self._most = _FIRST_SEARCH
        self._hit_limit = True
        while self._hit_limit and not self._is_over:
            self._hit_limit = False
            for searches in one():
                self._meter.features = (Feature("shortened to", len(self._sequence.shoves)),)
                yield self._meter.progress()
                yield from searches
                yield from self.report_better()
            self._most *= _SEARCHES_GROW

    @property
    def _is_over(self) -> bool:
        return self._meter.nodes >= self._until

    def _round_for_pushes(self) -> Iterator[Generator[Progress, None, None]]:
        """Yield the searches of a round: few sessions in the first, as those are quick, and more in all others."""
        is_first = self._most == _FIRST_SEARCH
        yield self._free_one()
        yield self._free_all(2 if is_first else 6)
        if is_first:
            yield self._free_all(4)
        yield self._free_two()
        if not is_first:
            yield self._free_all(8)

    def _round_for_moves(self) -> Iterator[Generator[Progress, None, None]]:
        for sessions in _SESSIONS_FOR_MOVES:
            yield self._free_each(sessions)

    def _free_one(self) -> Generator[Progress, None, None]:
        """Free one box after another over the whole length, until none improves."""
        boxes = len(self._sequence.starts)
        box = since = 0
        while since < boxes and not self._is_over:
            sequence = self._sequence
            whole, end = len(sequence.shoves), sequence.ends[box]
            yield from self._fill_column(end)
            if sequence.movers.count(box) > self._columns[end][sequence.starts[box]]:
                better = yield from self._search(FewerPushes, 0, whole, (box,), (), self._most)
                since = 0 if better else since
            since += 1
            box = (box + 1) % boxes

    def _free_two(self) -> Generator[Progress, None, None]:
        """Free each pair of boxes over the whole length, those with the most excess pushes first."""
        met: set[tuple[object, ...]] = set()
        better = True
        while better:
            better = False
            for pair in (yield from self._pairs()):
                if self._is_over:
                    return
                if self._meter.is_due():
                    yield self._meter.progress()
                own = (pair, self._sequence.shoves_of(pair))
                if own not in met:
                    met.add(own)
                    better = yield from self._search(FewerPushes, 0, len(self._sequence.shoves), pair, (), self._most)
                    if better:
                        break

    def _pairs(self) -> Generator[Progress, None, list[tuple[int, int]]]:
        """Return the pairs of boxes with more pushes than they would need alone, those with the most excess first."""
        sequence = self._sequence
        for end in sequence.ends:
            yield from self._fill_column(end)
        pushes = [sequence.movers.count(box) for box in range(len(sequence.starts))]
        columns = [self._columns[end] for end in sequence.ends]
        found = []
        for one, other in combinations(range(len(sequence.starts)), 2):
            to_one, to_other = columns[one], columns[other]
            start, other_start = sequence.starts[one], sequence.starts[other]
            least = min(to_one[start] + to_other[other_start], to_one[other_start] + to_other[start])
            if pushes[one] + pushes[other] > least:
                found.append((least - pushes[one] - pushes[other], one, other))
            if self._meter.is_due():
                yield self._meter.progress()
        return [(one, other) for _, one, other in sorted(found)]

    def _free_all(self, sessions: int) -> Generator[Progress, None, None]:
        """Free all boxes for a window of sessions, moved from the start to the end."""
        most = self._most // _SESSIONS_PART
        place = 0
        while place + sessions < len(self._sequence.cuts) and not self._is_over:
            first, last = self._sequence.cuts[place], self._sequence.cuts[place + sessions]
            movers = tuple(sorted(set(self._sequence.movers[first:last])))
            ends = (self._sequence.players[first], self._sequence.players[last])
            better = yield from self._search(FewerPushes, first, last, movers, ends, most)
            place = max(0, place - sessions) if better else place + 1

    def _free_each(self, sessions: int) -> Generator[Progress, None, None]:
        """Free each box for a window of sessions, moved from the start to the end, to save moves."""
        place = 0
        while place + sessions < len(self._sequence.cuts) and not self._is_over:
            first, last = self._sequence.cuts[place], self._sequence.cuts[place + sessions]
            better = False
            for mover in sorted(set(self._sequence.movers[first:last])):
                tag = (self._sequence.players[first], *self._sequence.shoves[first:last])
                better = yield from self._search(FewerMoves, first, last, (mover,), tag, self._most)
                if better or self._is_over:
                    break
            place = max(0, place - sessions) if better else place + 1

    def _search(
        self,
        kind: type[Reroute],
        first: int,
        last: int,
        movers: tuple[int, ...],
        tag: tuple[object, ...],
        most: int,
    ) -> Generator[Progress, None, bool]:
        """Free the boxes ``movers`` for a part of the sequence; return whether that improved it.

        ``tag``: whatever identifies this search, in addition to the boxes and the positions at both ends.
        """
        sequence = self._sequence
        tag = (kind, movers, last - first, sequence.boxes[first], sequence.boxes[last], *tag)
        if self._is_over or self._tried.get(tag, 0) >= most:
            return False
        part = part_of(sequence, first, last, movers)
        ends = list(scan(part.end))
        for end in ends:
            yield from self._fill_column(end)
        search = kind(self._board, sequence, part, list(zip(*(self._columns[end] for end in ends))))
        self._meter.nodes += 1
        shoves = yield from search.run(min(most, self._until - self._meter.nodes), self._meter)
        if shoves is None:
            self._tried[tag] = most if search.hit_limit else _NO_LIMIT
            self._hit_limit |= search.hit_limit
            return False
        self._sequence = PushSequence(self._start, [*sequence.shoves[:first], *shoves, *sequence.shoves[last:]])
        self._is_better = True
        return True

    def _fill_column(self, end: Square) -> Generator[Progress, None, None]:
        if end not in self._columns:
            self._columns[end] = yield from make_column(self._board, end, self._meter)
