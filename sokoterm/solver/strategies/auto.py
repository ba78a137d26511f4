"""Portfolio: several strategies take turns, each continuing where it stopped.

The push planner solves levels with one box.  On all others A*, FESS, backward search and greedy search take turns until
one of them has an answer:

- A* comes first and solves most levels of ordinary size.  It rarely solves a level after its first turn, so later turns
  are short.
- On small boards, backward and greedy search get most of the time, since FESS either needs few positions there or very
  many.  If greedy search fails for some rounds, backward search is the more likely to succeed.
- On dense boards, which have more arrangements of boxes, the same holds after the first turn of FESS.
- On large boards FESS comes last: its tables take long, and most such levels are roomy.
- On all others FESS gets most of the time.  Greedy search gets a share if there are few arrangements; else it
  matters only in the first turn.

On boards with colours or ice A*, backward and greedy search take turns; without ice so does FESS, with most of the
time.

Two searches that reach the same position from opposite ends also give a solution.  Turns count nodes, not seconds, so
the same limits give the same answer.  A solution is shortened briefly before the search ends.
"""

from collections.abc import Generator, Sequence
from functools import partial
from itertools import count
from math import comb
from typing import NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess.search import OPENING_POSITIONS
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

# Small boards have fewer squares than this, and fewer arrangements of boxes than 2 to the power of these bits.
_SMALL_FLOOR = 80
_FEW_ARRANGEMENTS_BITS = 48

# Dense boards have at most this many squares, and fewer than this many per box.
_DENSE_FLOOR = 90
_DENSE_SQUARES = 5

# Large boards have more squares than this.
_LARGE_FLOOR = 600

# Nodes for improving a solution: more nodes gain little in proportion.
SHORTENING_NODES = 6_000


# Rounds after which greedy search seldom finds a solution any more while backward search still does.
_EARLY_ROUNDS = 10


class Contender(NamedTuple):
    """Strategy of the portfolio, with its nodes for the first turn, later turns, and those after the early rounds."""

    name: str
    strategy: Strategy
    first: int
    later: int
    late: int | None = None

    def nodes(self, number: int) -> int:
        """Return the nodes it may expand in a round; rounds are numbered from 0."""
        if number == 0:
            return self.first
        return self.later if self.late is None or number < _EARLY_ROUNDS else self.late


def search(board: Board, start: State, limits: Limits) -> Search:
    """Search for a solution of at least one push, with the fewest pushes if that is proven in time."""
    if fewest.has_one_box(board, start):
        return fewest.search_pushes(board, start, limits)
    return search_in_turns(board, start, limits, contenders_for(board, start))


def search_in_turns(board: Board, start: State, limits: Limits, contenders: Sequence[Contender]) -> Search:
    return _Portfolio(board, start, limits, contenders).run()


def contenders_for(board: Board, start: State) -> tuple[Contender, ...]:
    """Return the strategies that take turns; the one that suits the board best gets the longest turns."""
    perimeter = Perimeter()
    shortest = partial(Contender, "astar", partial(best_first.astar, perimeter=perimeter))
    by_features = partial(Contender, "fess", partial(search_by_features, perimeter=perimeter))
    backwards = partial(Contender, "backward", partial(backward.search, perimeter=perimeter))
    forwards = partial(Contender, "greedy", partial(best_first.greedy, perimeter=perimeter))
    if board.colors or board.ice:
        return (
            shortest(1_000, 500),
            *(() if board.ice else (by_features(700, 600),)),
            backwards(2_000, 5_000),
            forwards(2_000, 1_000),
        )
    floor, boxes = board.floor.bit_count(), start.boxes.bit_count()
    has_few_arrangements = comb(floor, boxes).bit_length() <= _FEW_ARRANGEMENTS_BITS
    if has_few_arrangements and floor < _SMALL_FLOOR:
        return (
            shortest(1_000, 200),
            by_features(100, 200),
            backwards(10_000, 25_000, 50_000),
            forwards(5_000, 2_000, 1_000),
        )
    if floor > _LARGE_FLOOR:
        return (shortest(500, 100), forwards(2_000, 500), backwards(1_000, 500), by_features(OPENING_POSITIONS, 500))
    # The first turn of FESS is about as long as its opening.
    if floor <= _DENSE_FLOOR and floor < _DENSE_SQUARES * boxes:
        return (
            shortest(500, 100),
            by_features(OPENING_POSITIONS, 350),
            backwards(1_000, 40_000, 80_000),
            forwards(400, 2_000, 1_000),
        )
    return (
        shortest(500, 100),
        by_features(OPENING_POSITIONS, 2_400),
        backwards(5_000, 3_000),
        forwards(400, 1_000 if has_few_arrangements else 100),
    )


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
    def __init__(self, board: Board, start: State, limits: Limits, contenders: Sequence[Contender]) -> None:
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
