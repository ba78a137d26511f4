"""Shortening of a solution: fewer pushes, then fewer moves.

Either one or two boxes are free over the whole length while the others keep their pushes, which finds most
improvements, or all boxes are free for a few sessions (runs of pushes of one box).  This combines the vicinity search
and the window search of Sokoban optimizers such as YASO.

Both are small A* searches (``Reroute``).  Most end after a few dozen states, or need not start because the pushes
equal the bound, the minimum-cost matching of the free boxes to the squares where they end.  The pushes of the others
are a script that may be delayed but not changed; free boxes may take other paths, move at other times, or swap goals.

When no fewer pushes are found, the same search with exact player squares saves moves.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from operator import xor
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.solver.common.lower_bound import UNREACHABLE, Matching, Matchings, make_column
from sokoterm.solver.common.state_space import BucketQueue, Packing, solution
from sokoterm.solver.search import Feature, Found, LimitReached, Meter, Progress

# Push: the box's squares before and after it.
Shove = tuple[Square, Square]

# A cost in the search for fewer moves is ``pushes * _PUSH + moves``; no solution has this many moves.
_PUSH = 1 << 24

_NO_MATCHING = Matching(UNREACHABLE, (), ())


class PushSequence:
    """Solution as a sequence of pushes, each with the number of its box, counted at the start.

    ``boxes`` and ``players``: the position before each push and after the last, with the player where the push before
    left it.  ``starts`` and ``ends``: first and last square of each box.  ``cuts``: index of the first push of each
    session, and the total number of pushes.
    """

    def __init__(self, start: State, shoves: list[Shove]) -> None:
        number = {square: index for index, square in enumerate(scan(start.boxes))}
        self.starts = list(number)
        self.shoves = shoves
        self.movers: list[int] = []
        self.boxes = [start.boxes]
        self.players = [start.player]
        for box, landing in shoves:
            number[landing] = number.pop(box)
            self.movers.append(number[landing])
            self.boxes.append(self.boxes[-1] ^ 1 << box ^ 1 << landing)
            self.players.append(box)
        self.ends = sorted(number, key=number.__getitem__)
        movers = self.movers
        self.cuts = [place for place in range(len(movers)) if place == 0 or movers[place] != movers[place - 1]]
        self.cuts.append(len(movers))

    def shoves_of(self, movers: Sequence[int]) -> tuple[Shove, ...]:
        return tuple(shove for shove, mover in zip(self.shoves, self.movers) if mover in movers)


class PushLine(NamedTuple):
    """Straight script run of one box: player on ``stand``, box enters ``ahead``; ``changed``: its end squares."""

    stand: Square
    ahead: Bitboard
    changed: Bitboard
    shoves: list[Shove]


class Part(NamedTuple):
    """Pushes ``first`` to ``last`` (exclusive) of a sequence, with some boxes free.

    ``begin`` and ``end``: squares of the free boxes before and after.  ``lines``: the script of the others.  ``fixed``:
    their squares before each line and after the last.
    """

    first: int
    last: int
    pushes: int
    begin: Bitboard
    end: Bitboard
    lines: list[PushLine]
    fixed: list[Bitboard]


def part_of(sequence: PushSequence, first: int, last: int, movers: Sequence[int]) -> Part:
    begins: dict[int, Square] = {}
    ends: dict[int, Square] = {}
    lines: list[PushLine] = []
    pushes = 0
    goes_on = (-1, 0)
    for (box, landing), mover in zip(sequence.shoves[first:last], sequence.movers[first:last]):
        if mover in movers:
            begins.setdefault(mover, box)
            ends[mover] = landing
            pushes += 1
            goes_on = (-1, 0)
            continue
        step = landing - box
        if goes_on == (mover, step):
            line = lines[-1]
            changed = line.changed ^ 1 << box ^ 1 << landing
            lines[-1] = line._replace(ahead=line.ahead | 1 << landing, changed=changed)
        else:
            lines.append(PushLine(box - step, 1 << landing, 1 << box ^ 1 << landing, []))
        lines[-1].shoves.append((box, landing))
        goes_on = (mover, step)
    begin = sum(1 << square for square in begins.values())
    fixed = [*accumulate((line.changed for line in lines), xor, initial=sequence.boxes[first] ^ begin)]
    return Part(first, last, pushes, begin, sum(1 << square for square in ends.values()), lines, fixed)


class Reroute:
    """A* for a route with fewer pushes through a part.

    A state is the number of script lines done, the free boxes and the player (the lowest square within reach), packed
    into one int.  The cost is the pushes of the free boxes; ``limit`` is the cost of the part so far.
    """

    def __init__(self, board: Board, sequence: PushSequence, part: Part, rows: Sequence[Sequence[int]]) -> None:
        self._floor = board.floor
        self._stride = board.stride
        self._offsets = board.offsets
        self._packing = Packing(board)
        self._part = part
        self._sequence = sequence
        self._line_bits = len(part.lines).bit_length()
        self._bound = Matchings(rows)
        self._matchings: dict[Bitboard, Matching] = {}
        self._known: dict[int, tuple[int, int]] = {}
        self._queue: BucketQueue[tuple[int, int]] = BucketQueue()
        self.hit_limit = False
        self._ends_anywhere = part.last == len(sequence.shoves)
        self.limit = part.pushes

    def run(self, most: int, meter: Meter) -> Generator[Progress, None, list[Shove] | None]:
        """Return the pushes of a cheaper route; None if there is none or none was found within ``most`` states."""
        part, sequence, known = self._part, self._sequence, self._known
        matching = yield from self._bound.match(list(scan(part.begin)), meter)
        if matching is None:
            raise AssertionError("boxes that have come to their squares cannot come there")
        self._matchings[part.begin] = matching
        first = self._pack(part.begin, sequence.boxes[part.first], sequence.players[part.first], 0)
        last = self._pack(part.end, sequence.boxes[part.last], sequence.players[part.last], len(part.lines))
        self._put(first, first, 0, self._rest(matching.cost, 0))
        until = meter.nodes + most
        while (entry := self._queue.pop()) is not None:
            key, cost = entry
            if known[key][0] < cost:
                continue
            if meter.nodes >= until:
                self.hit_limit = True
                return None
            meter.stored = len(known)
            meter.check()
            meter.nodes += 1
            if key == last or self._ends_anywhere and self._is_end(key):
                return self._trail(key)
            for child, child_cost, rest in self._children(key, cost):
                if meter.is_due():
                    yield meter.progress()
                self._put(child, key, child_cost, rest)
            if meter.is_due():
                yield meter.progress()
        return None

    def _rest(self, pushes: int, done: int) -> int:  # noqa: ARG002 - the script always costs the same
        """Return a lower bound on the remaining cost: pushes of the free boxes, and the script from a line on."""
        return pushes

    def _pack(self, free: Bitboard, boxes: Bitboard, player: Square, done: int) -> int:
        """Return the key of a state; ``boxes``: all boxes, free and fixed."""
        player = lowest(flood(1 << player, self._floor & ~boxes, self._stride))
        return (free << self._packing.bits | player) << self._line_bits | done

    def _children(self, key: int, cost: int) -> Iterator[tuple[int, int, int]]:
        part = self._part
        done = key & (1 << self._line_bits) - 1
        free, fixed = self._free(key), part.fixed[done]
        floor = self._floor & ~(fixed | free)
        region = flood(1 << (key >> self._line_bits & self._packing.mask), floor, self._stride)
        for offset in self._offsets:
            pushable = free & shift(region, offset) & shift(floor, -offset)
            while pushable:
                square = pushable.bit_length() - 1
                pushable ^= 1 << square
                after = free ^ 1 << square ^ 1 << square + offset
                left = self._pushes_left(free, square, square + offset, after)
                if cost + 1 + left < self.limit:
                    yield self._pack(after, fixed | after, square, done), cost + 1, left
        if done < len(part.lines):
            line = part.lines[done]
            if region >> line.stand & 1 and not line.ahead & free:
                child = self._pack(free, part.fixed[done + 1] | free, line.shoves[-1][0], done + 1)
                yield child, cost, self._matchings[free].cost

    def _is_end(self, key: int) -> bool:
        done = key & (1 << self._line_bits) - 1
        return done == len(self._part.lines) and self._free(key) == self._part.end

    def _free(self, key: int) -> Bitboard:
        return self._packing.boxes(key >> self._line_bits)

    def _put(self, key: int, parent: int, cost: int, rest: int) -> None:
        if cost + rest < self.limit and ((before := self._known.get(key)) is None or cost < before[0]):
            self._known[key] = cost, parent
            self._queue.put(cost + rest, (key, cost))

    def _pushes_left(self, before: Bitboard, box: Square, landing: Square, after: Bitboard) -> int:
        """Return the bound on pushes of the free boxes after a push; ``before`` and ``after``: all their squares."""
        matching = self._matchings.get(after)
        if matching is None:
            parent = self._matchings[before]
            matching = self._bound.moved(parent, parent.places.index(box), landing) or _NO_MATCHING
            self._matchings[after] = matching
        return matching.cost

    def _trail(self, key: int) -> list[Shove]:
        mask = (1 << self._line_bits) - 1
        shoves: list[Shove] = []
        while (parent := self._known[key][1]) != key:
            if key & mask != parent & mask:
                shoves += reversed(self._part.lines[parent & mask].shoves)
            else:
                before, after = self._free(parent), self._free(key)
                shoves.append((lowest(before & ~after), lowest(after & ~before)))
            key = parent
        shoves.reverse()
        return shoves


class FewerMoves(Reroute):
    """Search that minimizes pushes of the free boxes, then all moves; a state has the player's exact square."""

    def __init__(self, board: Board, sequence: PushSequence, part: Part, rows: Sequence[Sequence[int]]) -> None:
        super().__init__(board, sequence, part, rows)
        # Moves of the script from each line on: its pushes, and the walks between them without the free boxes.
        self._moves = [0]
        for place in range(len(part.lines) - 1, -1, -1):
            line = part.lines[place]
            moves = self._moves[-1] + len(line.shoves)
            if place:
                moves += self._walk(part.fixed[place], part.lines[place - 1].shoves[-1][0], line.stand)
            self._moves.append(moves)
        self._moves.reverse()
        self.limit *= _PUSH
        for place in range(part.first, part.last):
            box, landing = sequence.shoves[place]
            self.limit += 1 + self._walk(sequence.boxes[place], sequence.players[place], box + box - landing)

    def _walk(self, boxes: Bitboard, player: Square, target: Square) -> int:
        floor = self._floor & ~boxes
        layer = 1 << player
        steps = 0
        while not layer >> target & 1:
            if not layer:
                raise AssertionError("a walk that a solution needs is blocked")
            floor &= ~layer
            layer = (layer << 1 | layer >> 1 | layer << self._stride | layer >> self._stride) & floor
            steps += 1
        return steps

    def _rest(self, pushes: int, done: int) -> int:
        return pushes * _PUSH + self._moves[done]

    def _pack(self, free: Bitboard, boxes: Bitboard, player: Square, done: int) -> int:  # noqa: ARG002
        return (free << self._packing.bits | player) << self._line_bits | done

    def _children(self, key: int, cost: int) -> Iterator[tuple[int, int, int]]:
        part, stride = self._part, self._stride
        done = key & (1 << self._line_bits) - 1
        free = self._free(key)
        boxes = part.fixed[done] | free
        floor = self._floor & ~boxes
        stands = [(offset, shift(free & shift(floor, -offset), -offset) & floor) for offset in self._offsets]
        line = part.lines[done] if done < len(part.lines) and not part.lines[done].ahead & free else None
        stops = stands[0][1] | stands[1][1] | stands[2][1] | stands[3][1] | (1 << line.stand if line else 0)
        layer = 1 << (key >> self._line_bits & self._packing.mask)
        while layer and stops:
            cost += 1
            here = layer & stops
            stops ^= here
            if line and here >> line.stand & 1:
                child = self._pack(free, boxes, line.shoves[-1][0], done + 1)
                yield child, cost - 1 + len(line.shoves), self._rest(self._matchings[free].cost, done + 1)
            for offset, those in stands if here else ():
                for square in scan(shift(here & those, offset)):
                    after = free ^ 1 << square ^ 1 << square + offset
                    left = self._pushes_left(free, square, square + offset, after)
                    yield self._pack(after, boxes, square, done), cost + _PUSH, self._rest(left, done)
            floor &= ~layer
            layer = (layer << 1 | layer >> 1 | layer << stride | layer >> stride) & floor


# States for each search over the whole length in the first round, and the factor for each later round.  Most
# improvements take fewer than a hundred, and many small searches find more than a few large ones.  Searches of a few
# sessions with all boxes free get a fraction of it.
_FIRST_SEARCH = 500
_SEARCHES_GROW = 3
_SESSIONS_PART = 3
_NO_LIMIT = 1 << 60

# Sessions searched together to save moves; larger numbers pay only after smaller ones.
_SESSIONS_FOR_MOVES = (4, 6, 8, 12)

# Divisor of the nodes that gives the share reserved for saving moves.
_MOVES_PART = 4


def shorten(
    board: Board, start: State, known: Solution, meter: Meter, nodes: int
) -> Generator[Progress | Found, None, Solution]:
    """Improve a solution with ``nodes`` more nodes: fewer pushes, or as many and fewer moves; return the best one.

    Each better solution is yielded as soon as it is found.  At a limit of the meter the last one is yielded, then
    LimitReached is raised.  Ends early if nothing is left to try.  A level that begins solved keeps its solution, as
    the shortest would be empty.  Each search counts as a node too.
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

    ``_tried``: searches made with their limits of states; none is repeated without a higher limit.  ``_hit_limit``:
    true if some search of the round hit its limit.
    """

    def __init__(self, board: Board, start: State, known: Solution, meter: Meter, nodes: int) -> None:
        self.best = known
        self._board = board
        self._start = start
        self._meter = meter
        self._nodes = nodes
        self._until = meter.nodes
        steps = play(board, start, parse_lurd(known.lurd))
        line = [start.boxes, *(state.boxes for state, letter in steps if letter.isupper())]
        shoves = [(lowest(before & ~after), lowest(after & ~before)) for before, after in pairwise(line)]
        self._sequence = PushSequence(start, shoves)
        self._is_better = False
        self._columns: dict[Square, list[int]] = {}
        self._tried: dict[tuple[object, ...], int] = {}
        self._most = 0
        self._hit_limit = False

    def run(self) -> Generator[Progress | Found, None, None]:
        self._until += self._nodes - self._nodes // _MOVES_PART
        yield from self._rounds(self._round_for_pushes)
        self._until += self._nodes // _MOVES_PART
        yield from self._rounds(self._round_for_moves)

    def report_better(self) -> Iterator[Found]:
        if self._is_better:
            self._is_better = False
            self.best = solution(self._board, self._start, self._sequence.boxes)
            self._meter.best = min(self._meter.best, self.best.pushes)
            yield Found(self.best)

    def _rounds(
        self, one: Callable[[], Iterator[Generator[Progress, None, None]]]
    ) -> Generator[Progress | Found, None, None]:
        """Run rounds of ever larger searches until the nodes are spent or no search hits its limit."""
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
        """Yield the searches of a round: few sessions in the first round, since those are quick, more in later ones."""
        is_first = self._most == _FIRST_SEARCH
        yield self._free_one()
        for sessions in (2, 4) if is_first else (6,):
            yield self._free_in_windows(sessions, Reroute)
        yield self._free_two()
        if not is_first:
            yield self._free_in_windows(8, Reroute)

    def _round_for_moves(self) -> Iterator[Generator[Progress, None, None]]:
        return (self._free_in_windows(sessions, FewerMoves) for sessions in _SESSIONS_FOR_MOVES)

    def _free_one(self) -> Generator[Progress, None, None]:
        """Free one box after another over the whole length until none improves."""
        boxes = len(self._sequence.starts)
        box = since = 0
        while since < boxes and not self._is_over:
            sequence = self._sequence
            whole, end = len(sequence.shoves), sequence.ends[box]
            yield from self._fill_column(end)
            if sequence.movers.count(box) > self._columns[end][sequence.starts[box]]:
                better = yield from self._search(Reroute, 0, whole, (box,), (), self._most)
                since = 0 if better else since
            since += 1
            box = (box + 1) % boxes

    def _free_two(self) -> Generator[Progress, None, None]:
        """Free each pair of boxes over the whole length, most excess pushes first."""
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
                    better = yield from self._search(Reroute, 0, len(self._sequence.shoves), pair, (), self._most)
                    if better:
                        break

    def _pairs(self) -> Generator[Progress, None, list[tuple[int, int]]]:
        """Return the pairs of boxes with more pushes than a lone pair needs, most excess first."""
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

    def _free_in_windows(self, sessions: int, kind: type[Reroute]) -> Generator[Progress, None, None]:
        """Slide a window of sessions to the end, freeing all its boxes to save pushes or each to save moves."""
        place = 0
        while place + sessions < len(self._sequence.cuts) and not self._is_over:
            sequence = self._sequence
            first, last = sequence.cuts[place], sequence.cuts[place + sessions]
            movers = tuple(sorted(set(sequence.movers[first:last])))
            if kind is Reroute:
                ends = (sequence.players[first], sequence.players[last])
                better = yield from self._search(kind, first, last, movers, ends, self._most // _SESSIONS_PART)
            else:
                tag = (sequence.players[first], *sequence.shoves[first:last])
                for mover in movers:
                    better = yield from self._search(kind, first, last, (mover,), tag, self._most)
                    if better or self._is_over:
                        break
            place = max(0, place - sessions) if better else place + 1

    def _search(
        self, kind: type[Reroute], first: int, last: int, movers: tuple[int, ...], tag: tuple[object, ...], most: int
    ) -> Generator[Progress, None, bool]:
        """Free ``movers`` in a part; return whether that improved it.  ``tag``: what else identifies this search."""
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
