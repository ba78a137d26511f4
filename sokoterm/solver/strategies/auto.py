"""Portfolio: several strategies take turns, each continuing where it stopped.

The push planner solves levels with one box.  On all others A*, greedy search, backward search and FESS take turns until
one of them has an answer.  Each round is half as long again as the one before, so every strategy has a turn in the
first second, and a search that takes long is not cut into many small turns.  A* rarely solves a level after its first
turn, so its later turns are short.  The rest of a round is divided by a rule for which ``python3 -m tests.bench turns``
compares results of all strategies on many levels: on small boards most of it goes to backward and greedy search, on
others to FESS, and nearly all if the goals are in one or two groups.

Turns count nodes, not seconds, so the same limits give the same answer.  The nodes of a turn come from an estimate of
the time that a node takes.

Two searches that reach the same position from opposite ends also give a solution.  A solution is shortened briefly
before the search ends.
"""

import math
from collections.abc import Container, Generator, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from sokoterm.engine.bits import regions
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.optimizer.driver import improve
from sokoterm.solver.search import (
    Found,
    LimitReached,
    Limits,
    Meter,
    Outcome,
    Progress,
    Reason,
    Search,
    Status,
    Strategy,
    cut_short,
)
from sokoterm.solver.strategies import backward, best_first, fewest

# Nodes for improving a solution: more nodes gain little in proportion.
SHORTENING_NODES = 6_000

# Microseconds of the first round, and how each round compares with the one before.
FIRST_ROUND = 500_000
GROWTH = 1.5

# Shares of a round in percent: on boards with fewer squares than this, on others with at most so many groups of goals,
# and on all others.
_SMALL_FLOOR = 73
_SMALL_SHARES = {"astar": 3, "greedy": 30, "backward": 50, "fess": 17}
_FEW_GROUPS = 2
_ROOM_SHARES = {"astar": 2, "greedy": 2, "backward": 8, "fess": 88}
_OTHER_SHARES = {"astar": 3, "greedy": 5, "backward": 17, "fess": 75}
FIRST_SHARE_OF_ASTAR = 20

# Microseconds of a node, times powers of the number of boxes and of squares with these exponents, as measured for the
# same results.
_NODE_TIMES = {
    "astar": (16.0, 0.6, 0.2),
    "greedy": (24.0, 0.5, 0.4),
    "backward": (5.5, 0.8, 0.0),
    "fess": (3.2, 0.3, 1.25),
}


class Contender(NamedTuple):
    """Strategy of the portfolio: microseconds of a node, its share of a round in percent, and that of the first."""

    name: str
    strategy: Strategy
    node_time: int
    share: int
    first_share: int | None = None

    def nodes(self, number: int) -> int:
        """Return the nodes it may expand in a round; rounds are numbered from 0."""
        share = self.share if number or self.first_share is None else self.first_share
        return max(1, int(FIRST_ROUND * GROWTH**number) * share // (100 * self.node_time))


def search(board: Board, start: State, limits: Limits, left_out: Container[str] = ()) -> Search:
    """Search for a solution of at least one push, with the fewest pushes if that is proven in time.

    ``left_out``: names of strategies that get no turn, or no more turns once they are in it.
    """
    if fewest.has_one_box(board, start):
        return fewest.search_pushes(board, start, limits)
    return search_in_turns(board, start, limits, contenders_for(board), left_out)


def search_in_turns(
    board: Board, start: State, limits: Limits, contenders: Sequence[Contender], left_out: Container[str] = ()
) -> Search:
    return _Portfolio(board, start, limits, contenders, left_out).run()


def contenders_for(board: Board) -> tuple[Contender, ...]:
    """Return the strategies that take turns, in their order."""
    perimeter = Perimeter()
    strategies: dict[str, Strategy] = {
        "astar": partial(best_first.astar, perimeter=perimeter),
        "greedy": partial(best_first.greedy, perimeter=perimeter),
        "backward": partial(backward.search, perimeter=perimeter),
        "fess": partial(search_by_features, perimeter=perimeter),
    }
    if board.ice:
        del strategies["fess"]
    floor, boxes = board.floor.bit_count(), board.goals.bit_count()
    if floor < _SMALL_FLOOR:
        shares = _SMALL_SHARES
    else:
        shares = _ROOM_SHARES if len(regions(board.goals, board.stride)) <= _FEW_GROUPS else _OTHER_SHARES
    first_shares = {"astar": FIRST_SHARE_OF_ASTAR}
    return tuple(
        Contender(name, strategy, _node_time(name, floor, boxes), shares[name], first_shares.get(name))
        for name, strategy in strategies.items()
    )


def _node_time(name: str, floor: int, boxes: int) -> int:
    """Return the microseconds that a node of a strategy takes on a board, an estimate."""
    microseconds, by_boxes, by_floor = _NODE_TIMES[name]
    return max(1, round(microseconds * math.pow(boxes, by_boxes) * math.pow(floor, by_floor)))


class _Runner:
    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self.search: Search | None = None
        self.began = 0.0
        self.nodes = 0
        self.stored = 0
        self.latest = Progress(contender.name)
        self.end: Outcome | None = None

    def drop(self) -> None:
        """Close the search and free its memory."""
        if self.search is not None:
            self.search.close()
        self.search = None
        self.stored = 0


class _Portfolio:
    def __init__(
        self, board: Board, start: State, limits: Limits, contenders: Sequence[Contender], left_out: Container[str]
    ) -> None:
        self._left_out = left_out
        self._board = board
        self._start = start
        self._limits = limits
        self._began = limits.clock()
        self._runners = [_Runner(contender) for contender in contenders]
        self._found: Solution | None = None
        self._is_cut_short = False
        self._shortening = Meter("shorten", board, limits, bytes_per_state=250)

    def run(self) -> Search:
        """Take turns until one strategy has an answer or none can continue."""
        for number in count():
            for runner in self._runners:
                if runner.end is not None:
                    continue
                if runner.contender.name in self._left_out:
                    runner.drop()
                    runner.end = cut_short(runner.latest, solved=False, reason=None)
                else:
                    runner.end = yield from self._take(runner, runner.nodes + runner.contender.nodes(number))
                if self._found is not None:
                    return (yield from self._finish(runner))
                if (end := runner.end) is None:
                    continue
                if end.status is not Status.GAVE_UP or end.reason in (Reason.TIME, Reason.NODES):
                    return self._summed(end)
                if all(each.end is not None for each in self._runners):
                    return self._summed(end)
        raise AssertionError("rounds without end came to their end")

    def _take(self, runner: _Runner, until: int) -> Generator[Progress | Found, None, Outcome | None]:
        """Take one turn, until the strategy has ``until`` nodes; return its outcome if it ended."""
        if runner.search is None:
            rest = self._limits._replace(
                seconds=self._limits.seconds - self._seconds, nodes=self._limits.nodes - self._nodes
            )
            runner.search = runner.contender.strategy(self._board, self._start, rest)
            runner.began = self._seconds
        nodes, stored = self._nodes - runner.nodes, self._stored - runner.stored  # of the others
        while True:
            try:
                event = next(runner.search)
            except StopIteration as stop:
                end: Outcome = stop.value
                runner.nodes = end.nodes
                runner.drop()
                return end
            if isinstance(event, Found):
                self._found = event.solution
                yield event
                continue
            runner.nodes, runner.stored = event.nodes, event.stored
            runner.latest = event
            counts = nodes + event.nodes, stored + event.stored
            seconds = runner.began + event.seconds
            yield event._replace(nodes=counts[0], stored=counts[1], seconds=seconds, shares=self._shares)
            if counts[0] >= self._limits.nodes:
                return self._broken_off(runner, Reason.NODES)
            if counts[1] >= self._limits.states:
                return self._broken_off(runner, Reason.STATES)
            if event.nodes >= until:
                return None

    def _finish(self, runner: _Runner) -> Search:
        """Let the strategy with the solution improve or prove it for a while, then shorten it, which saves moves."""
        end = runner.end or (yield from self._take(runner, 2 * runner.nodes))
        runner.end = end = end or self._broken_off(runner, Reason.NODES)
        for each in self._runners:
            each.drop()
        if self._found is not None:
            yield from self._shortened(self._found)
        return self._summed(end)

    def _broken_off(self, runner: _Runner, at: Reason) -> Outcome:
        runner.drop()
        return cut_short(runner.latest, self._found is not None, at)._replace(repeatable=True)

    def _shortened(self, found: Solution) -> Generator[Progress | Found, None, None]:
        nodes = min(SHORTENING_NODES, self._limits.nodes - self._nodes)
        try:
            for event in improve(self._board, self._start, found, self._shortening, nodes):
                if isinstance(event, Progress):
                    event = event._replace(
                        nodes=self._nodes, stored=self._stored, seconds=self._seconds, shares=self._shares
                    )
                yield event
        except (LimitReached, MemoryError):
            self._is_cut_short = True

    def _summed(self, end: Outcome) -> Outcome:
        ended = [runner.end for runner in self._runners if runner.end is not None]
        repeatable = not self._is_cut_short and all(each.repeatable for each in ended)
        stored = self._stored + end.stored
        return end._replace(nodes=self._nodes, stored=stored, seconds=self._seconds, repeatable=repeatable)

    @property
    def _shares(self) -> tuple[Progress, ...]:
        return tuple([runner.latest for runner in self._runners])

    @property
    def _seconds(self) -> float:
        return self._limits.clock() - self._began

    @property
    def _nodes(self) -> int:
        return sum(runner.nodes for runner in self._runners) + self._shortening.nodes

    @property
    def _stored(self) -> int:
        return sum(runner.stored for runner in self._runners)
