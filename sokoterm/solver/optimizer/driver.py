"""Optimizer: improves a known solution by one method after another, cheapest first.

Each method goes through the whole solution, in parts if it is long.  Improved parts are searched again, starting from
the cheapest method; after the last method without a gain the optimizer ends.
"""

from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import pairwise
from math import comb
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import is_solved
from sokoterm.solver.common.lower_bound import Matching
from sokoterm.solver.common.state_space import moves_through
from sokoterm.solver.optimizer.objective import Costs, Objective, Steering
from sokoterm.solver.optimizer.route_search import Route, RouteSearch, Vicinity, make_free_boxes
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.optimizer.spine import Spine, Terrain
from sokoterm.solver.search import Feature, Found, LimitReached, Limits, Meter, Progress, Search

# Positions in one search, and memory reserved for each: it takes about two kilobytes, but not all memory that earlier
# searches have freed can be reused.
_MOST_POSITIONS = 80_000
_BYTES_A_POSITION = 6_000

# Cores of one search: positions times sets of displaced boxes.
_MOST_CORES = 150_000

# Positions of the smallest part that is worth a search with displaced boxes.
_LEAST_PART = 16


def optimize(
    board: Board, start: State, known: Solution, objective: Objective, limits: Limits, steering: Steering | None = None
) -> Search:
    """Improve a solution by an objective; each solution yielded is better than the last and verified by the rules.

    The outcome's ``optimal`` names the objective if no solution can be better.
    """
    meter = Meter("optimizer", board, limits, bytes_per_state=1000)
    meter.best = known.pushes
    improving = Improving(board, start, known, objective, meter, steering or Steering())
    try:
        yield from improving.run(limits.nodes)
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    return meter.solved()._replace(optimal=objective.value if improving.is_proven else None)


def improve(
    board: Board, start: State, known: Solution, meter: Meter, nodes: int
) -> Generator[Progress | Found, None, Solution]:
    """Save pushes, then moves, in a solution just found, for ``nodes`` nodes; return the best solution.

    At a limit of the meter the best solution is yielded, then LimitReached is raised.
    """
    improving = Improving(board, start, known, Objective.PUSHES, meter, Steering())
    yield from improving.run(meter.nodes + nodes)
    return improving.best


class Method(NamedTuple):
    """Method of the driver: a vicinity with ``slacks``, ``width`` and ``nearest``, unless one of the others is set.

    ``slacks`` are in moves; for other objectives ``units`` replaces them, in units of the objective.  ``sessions``:
    permutations, which free all boxes that move in this number of sessions.  ``whole``: free all boxes of the level.
    ``reroutes``: nodes for ``shorten``.  ``positions``: the most positions in one search.
    """

    name: str
    slacks: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    width: int | None = None
    nearest: int | None = None
    sessions: int = 0
    whole: bool = False
    reroutes: int = 0
    positions: int = _MOST_POSITIONS


METHODS = (
    Method("reroute", reroutes=3_000),
    Method("whole level", whole=True, positions=2_000),
    Method("rearrangement", slacks=(20, 4), units=(4, 2), width=0),
    Method("vicinity", slacks=(20, 4), units=(4, 2), width=16),
    Method("vicinity", slacks=(60, 15), units=(6, 4), width=32),
    Method("permutations", sessions=6, positions=2_000),
    Method("vicinity", slacks=(60, 30, 10), units=(6, 4, 2), width=16, nearest=10),
    Method("vicinity", slacks=(60, 40), units=(8, 6)),
    Method("whole level", whole=True, positions=10_000),
    Method("vicinity", slacks=(100, 60, 20), units=(8, 6, 4)),
    Method("vicinity", slacks=(100, 60, 20, 10), units=(8, 6, 4, 2), width=8, nearest=6),
    Method("permutations", sessions=10, positions=10_000),
    Method("vicinity", slacks=(100, 100, 40, 20), units=(12, 8, 6, 4), width=24, nearest=10),
    Method("whole level", whole=True, positions=200_000),
    Method("vicinity", slacks=(150, 150, 100, 50), units=(20, 16, 12, 8)),
)

# First method if several solutions are given.
_CROSSING = Method("crossing", slacks=(60, 4), units=(60, 4), width=0)

# The first two methods are tried only once.
_AGAIN = 2

# A method that has saved less than this fraction of the cost is followed by the next one.
_PAYS = 1 / 100

# Pushes before and after an improvement that are searched again together with it.
_MARGIN = 40


class Improving:
    """Work on one solution.  ``best``: best solution so far; ``is_proven``: no solution can be better."""

    def __init__(
        self, board: Board, start: State, known: Solution, objective: Objective, meter: Meter, steering: Steering
    ) -> None:
        self.best = min((known, *steering.others), key=objective.key) if steering.is_free else known
        self.is_proven = False
        self._board = board
        self._level_start = start
        self._objective = objective
        self._meter = meter
        self._costs = Costs(objective)
        self._is_steered = not steering.is_free
        # Moves before the range stay; the work is on the rest, a solution of the position where the range begins.
        self._before = known.lurd[: steering.first]
        self._start, kept = _after(board, start, self._before, steering.kept)
        rest = self.best.lurd[len(self._before) :]
        # The shortest solution of a level that begins solved would be empty.
        self._has_work = not is_solved(board, self._start) and any(map(str.isupper, rest))
        self._moves_after = 0 if steering.last is None else max(0, known.moves - steering.last)
        self._method = "walks"
        self._until = 0
        self._is_reported = self.best == known
        if not self._has_work:
            return
        self._spine = Spine(board, self._start, verify(board, self._start, rest), self._costs)
        others = [other for other in (known, *steering.others) if other != self.best]
        self._others = [each for other in others if (each := self._joined(other)) is not None]
        barred = steering.barred * board.all_layers
        steps = pairwise(self._spine.squares if barred else ())
        passes = frozenset((before & ~after, after & ~before) for before, after in steps if after & ~before & barred)
        self._terrain = Terrain(board, self._costs, barred, passes)
        self._kept = frozenset(box for square, box in self._spine.places(0, 0)[0] if kept >> square % board.size & 1)
        self._boxes = len(self._spine.places(0, 0)[0])

    def _joined(self, other: Solution) -> Spine | None:
        """Return the rest of a solution from where its boxes are as at the start of the range; None if never."""
        state, moves = self._level_start, 0
        if self._before:
            for moves, (state, _) in enumerate(play(self._board, state, parse_lurd(other.lurd)), start=1):
                if state.boxes == self._start.boxes:
                    break
        rest = other.lurd[moves:]
        if state.boxes != self._start.boxes or not any(map(str.isupper, rest)):
            return None
        return Spine(self._board, state, verify(self._board, state, rest), self._costs)

    def run(self, until: int) -> Generator[Progress | Found, None, None]:
        """Go through the methods until none improves, nothing can be better, or the meter has ``until`` nodes.

        At a limit of the meter the best solution is yielded, then LimitReached is raised.
        """
        self._until = until
        if not self._has_work:
            return
        try:
            yield from self._go_through()
        except (LimitReached, MemoryError):
            yield from self._report_better()
            raise

    def _go_through(self) -> Generator[Progress | Found, None, None]:
        at, has_gained = 0, False
        yield from self._straighten()
        first, last = self._range()
        if self._others:
            yield from self._look_through(_CROSSING, first, last)
            first, last = self._range()
        while not self.is_proven and self._meter.nodes < self._until:
            cost = self._spine.costs[-1]
            changed = yield from self._look_through(METHODS[at], first, last)
            first, last = self._range()
            has_gained |= changed is not None
            if changed is not None and cost - self._spine.costs[-1] >= _PAYS * cost:
                first, last = max(first, changed[0] - _MARGIN), min(last, changed[1] + _MARGIN)
                continue
            at += 1
            if at == len(METHODS):
                if not has_gained:
                    return
                at, has_gained = _AGAIN, False

    def _report_better(self) -> Iterator[Found]:
        if not self._is_reported:
            self._is_reported = True
            yield Found(self.best, self._method)

    def _range(self) -> tuple[int, int]:
        moves, spine = self._spine.moves, self._spine
        most = spine.solution.moves - self._moves_after
        return 0, next((j for j in range(spine.last, 0, -1) if moves[j] <= most), 0)

    def _most(self, nodes: int) -> int:
        return min(nodes, self._until - self._meter.nodes, self._meter.memory // _BYTES_A_POSITION)

    def _look_through(
        self, method: Method, first: int, last: int
    ) -> Generator[Progress | Found, None, tuple[int, int] | None]:
        """Apply a method to the positions from ``first`` to ``last``; return the range of positions it changed."""
        if method.reroutes:
            return (yield from self._reroute(method))
        if method.whole and self._is_steered or _LEAST_PART * self._sets(method) > _MOST_CORES:
            return None
        changed: tuple[int, int] | None = None
        place = self._cut_from(first)
        while place < last and self._meter.nodes < self._until:
            # Time is checked here too: a search of a small part may end without reporting progress.
            self._meter.check()
            yield self._meter.progress()
            until = min(last, self._end_of_part(method, place))
            end, route = yield from self._search(method, place, until)
            was_cut_short = end < until
            rest = self._spine.last - until
            if route is not None and self._take(route, method.name):
                yield from self._report_better()
                shift = self._spine.last - rest - until
                last += shift
                until = self._spine.last - rest
                begin = min(changed[0], place) if changed else place
                changed = begin, max(changed[1] + shift, until) if changed else until
            if was_cut_short:
                until = max(end, place + 1)
            if until >= last:
                break
            # The next part begins in the middle of this one.
            place = self._cut_from(max(place + 1, (place + until) // 2))
        return changed

    def _cut_from(self, place: int) -> int:
        """Return the first position from ``place`` on where a part can begin."""
        while not self._spine.is_cut[place]:
            place += 1
        return place

    def _end_of_part(self, method: Method, place: int) -> int:
        spine = self._spine
        if method.whole:
            return spine.last
        if method.sessions:
            end, sessions = place, 0
            while end < spine.last and sessions < method.sessions:
                end += 1
                sessions += end == spine.last or spine.movers[end] != spine.movers[end - 1]
            return end
        return place + _MOST_CORES // self._sets(method)

    def _sets(self, method: Method) -> int:
        boxes = self._boxes - len(self._kept)
        return sum(comb(boxes, displaced) for displaced in range(len(method.slacks)))

    def _search(self, method: Method, first: int, last: int) -> Generator[Progress, None, tuple[int, Route | None]]:
        """Search one part; return the last position reached and the better route, if any."""
        self._meter.strategy = method.name
        self._meter.features = (Feature("shortened to", self._objective.measure(self.best)),)
        search = yield from self._make_search(method, first, last)
        if search is None:
            return last, None
        route = yield from search.run(self._most(method.positions))
        if method.whole:
            self.is_proven = search.is_complete
        # Parts with freed boxes are not made smaller: the rest of a level proves nothing about the whole.
        return last if search.is_complete or not method.slacks else search.reached, route

    def _make_search(
        self, method: Method, first: int, last: int
    ) -> Generator[Progress, None, RouteSearch[Bitboard] | RouteSearch[Matching] | None]:
        """Return the search of a part; None if it is hopeless or would free a box that must keep its pushes."""
        terrain, spine, meter = self._terrain, self._spine, self._meter
        if method.whole or method.sessions:
            boxes = range(self._boxes) if method.whole else sorted(set(spine.movers[first:last]))
            free = None
            if not self._kept.intersection(boxes):
                free = yield from make_free_boxes(terrain, spine, first, last, boxes, meter)
            return RouteSearch(terrain, spine, first, last, free, meter) if free else None
        # The other solutions are crossed once: their cores in each part would take most of the time and memory.
        spines = [spine, *(self._others if method is _CROSSING else ())]
        slacks = method.slacks if self._objective is Objective.MOVES else method.units
        near = Vicinity(spines, first, last, slacks, method.width, method.nearest, terrain, self._kept)
        yield from near.fill(meter)
        return RouteSearch(terrain, spine, first, last, near, meter)

    def _straighten(self) -> Generator[Progress | Found, None, None]:
        last = self._spine.solution.moves - self._moves_after
        self._adopt((yield from straighten(self._board, self._spine, last, self._meter)), "walks")
        yield from self._report_better()

    def _reroute(self, method: Method) -> Generator[Progress | Found, None, tuple[int, int] | None]:
        """Shorten the solution: fewer pushes, which nearly always improves the other objectives as well."""
        if self._is_steered or not self._board.is_ordinary:
            return None
        self._meter.strategy = method.name
        before = self.best
        with suppress(LimitReached):
            for event in shorten(self._board, self._start, before, self._meter, self._most(method.reroutes)):
                if isinstance(event, Progress):
                    yield event
                elif self._adopt(event.solution.lurd, method.name):
                    yield from self._report_better()
        return (0, self._spine.last) if self.best != before else None

    def _take(self, route: Route, method: str) -> bool:
        """Insert a route into the solution; False if that is no better, for example if box lines join at its end."""
        known = self._spine
        lurd, state = known.solution.lurd, State(known.boxes[route.first], known.players[route.first])
        before, rest = lurd[: known.moves[route.first]], lurd[known.moves[route.joined] :]
        between = moves_through(self._board, state, route.boxes)
        if route.joined < known.last:
            # The player may have to walk to where the rest begins.
            pushed = route.boxes[-2] & ~route.boxes[-1] if len(route.boxes) > 1 else 1 << state.player
            walk = find_walk(self._board, State(route.boxes[-1], lowest(pushed)), known.players[route.joined])
            if walk is None:
                raise AssertionError("a route that does not come to where it joins the spine")
            between += "".join(direction.letter for direction in walk)
        return self._adopt(before + between + rest, method)

    def _adopt(self, rest: str, method: str) -> bool:
        """Replace the solution from the start of the range on by moves; False if that is no better."""
        better = verify(self._board, self._level_start, self._before + rest)
        if self._objective.key(better) >= self._objective.key(self.best):
            return False
        solution = verify(self._board, self._start, rest) if self._before else better
        spine = Spine(self._board, self._start, solution, self._costs)
        if self._kept and spine.pushes_of(self._kept) != self._spine.pushes_of(self._kept):
            return False
        self.best, self._method, self._is_reported = better, method, False
        self._meter.best = min(self._meter.best, better.pushes)
        self._spine = spine
        return True


def _after(board: Board, start: State, lurd: str, boxes: Bitboard) -> tuple[State, Bitboard]:
    """Return the position after some moves, and where these have moved some of its boxes."""
    state = start
    for after, _ in play(board, start, parse_lurd(lurd)):
        changed = (state.boxes ^ after.boxes) & board.floor
        if boxes & changed:
            boxes ^= changed
        state = after
    return state, boxes


def straighten(board: Board, spine: Spine, last: int, meter: Meter) -> Generator[Progress, None, str]:
    """Return the LURD letters of a solution with shortest walks up to move ``last``."""
    lurd = spine.solution.lurd
    steps = {direction.letter: board.offsets[direction] for direction in DIRECTIONS}
    parts: list[str] = []
    for boxes, player, begin, end in zip(spine.boxes, spine.players, spine.moves, [*spine.moves[1:], len(lurd)]):
        letters = lurd[begin : min(end, last)]
        walk = letters.rstrip("LURD")
        target = player + sum(map(steps.__getitem__, walk))
        if len(walk) > board.apart(player, target):
            found = find_walk(board, State(boxes, player), target)
            if found is None:
                raise AssertionError("a walk that was walked is blocked")
            parts.append("".join(direction.letter for direction in found))
        else:
            parts.append(walk)
        parts.append(letters[len(walk) :])
        if meter.is_due():
            yield meter.progress()
    return "".join(parts) + lurd[last:]
