"""The strategy for those who do not want to choose: several in turns, each from where it stopped.

A level of one box is for the push planner.  On all others A*, the search by features, the search backwards and the
greedy search take turns until one of them has an answer.  A* comes first, and has that for most levels of everyday
size; what it does not solve at once it hardly ever solves, so its later turns are short.  On small boards the search
backwards and the greedy search have most of the time, for the search by features solves a level there with a few
positions, or needs very many; what the greedy search has not solved in some rounds, the search backwards solves more
often.  On dense ones, which have more ways to place the boxes, that is so after the first turn of the search by
features.  On large ones the tables of that search take long, and most levels there are roomy: it comes last.  On all
others it has most of the time itself; where there are few ways to place the boxes the greedy search has a part, else
its chance is in the first turn.  Where one of them makes a position that another has met from the other end, that is a
solution too.  Turns count nodes, not seconds, so that the same limits give the same answer again.  What is found is
shortened for a moment.
"""

from collections.abc import Generator
from functools import partial
from itertools import count
from math import comb
from typing import NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.fess.variants import OPENING
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Reason, Search, Status, Strategy
from sokoterm.solver.strategies import astar, backward, greedy, one_box

# Boards with fewer squares, and with few ways to place the boxes, at most as many in bits, are small.
_SMALL_FLOOR = 80
_FEW_WAYS_BITS = 48

# Boards of at most as many squares, and fewer of them for each box, are dense.
_DENSE_FLOOR = 90
_DENSE_SQUARES = 5

# Boards of more squares are large.
_LARGE_FLOOR = 600

# The nodes for which a solution that may have too many pushes is shortened: more gain little.
_SHORTENING_NODES = 5_000


# After so many rounds the greedy search seldom comes to a solution any more, the search backwards still does.
_EARLY_ROUNDS = 10


class _Turn(NamedTuple):
    """A strategy, the nodes that it may expand in the first round, in later ones, and in those after the early ones."""

    strategy: Strategy
    first: int
    later: int
    late: int | None = None

    def nodes(self, number: int) -> int:
        """Those that it may expand in a round; the first has the number 0."""
        if number == 0:
            return self.first
        return self.later if self.late is None or number < _EARLY_ROUNDS else self.late


def search(board: Board, start: State, limits: Limits) -> Search:
    """A solution of at least one push, the one with the fewest where that is proven in time."""
    if one_box.can_solve(start):
        return (yield from one_box.search(board, start, limits))
    return (yield from _Portfolio(board, start, limits).run())


def search_fewest_pushes(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes, with the proof, or none at all."""
    strategy = one_box.search if one_box.can_solve(start) else astar.search
    return (yield from strategy(board, start, limits))


def _turns(board: Board, start: State) -> tuple[_Turn, ...]:
    """Who searches in a round of some seconds: the longest what suits the board best."""
    perimeter = Perimeter()
    fewest = partial(astar.search, perimeter=perimeter)
    by_features = partial(search_by_features, perimeter=perimeter)
    backwards = partial(backward.search, perimeter=perimeter)
    forwards = partial(greedy.search, perimeter=perimeter)
    floor, boxes = board.floor.bit_count(), start.boxes.bit_count()
    has_few_ways = comb(floor, boxes).bit_length() <= _FEW_WAYS_BITS
    if has_few_ways and floor < _SMALL_FLOOR:
        return (
            _Turn(fewest, 1_000, 200),
            _Turn(by_features, 100, 200),
            _Turn(backwards, 10_000, 25_000, 50_000),
            _Turn(forwards, 5_000, 2_000, 1_000),
        )
    if floor > _LARGE_FLOOR:
        return (
            _Turn(fewest, 500, 100),
            _Turn(forwards, 2_000, 500),
            _Turn(backwards, 1_000, 500),
            _Turn(by_features, OPENING, 500),
        )
    # The first turn of the search by features is about as long as its opening.
    if floor <= _DENSE_FLOOR and floor < _DENSE_SQUARES * boxes:
        return (
            _Turn(fewest, 500, 100),
            _Turn(by_features, OPENING, 350),
            _Turn(backwards, 1_000, 40_000, 80_000),
            _Turn(forwards, 400, 2_000, 1_000),
        )
    return (
        _Turn(fewest, 500, 100),
        _Turn(by_features, OPENING, 2_400),
        _Turn(backwards, 5_000, 3_000),
        _Turn(forwards, 400, 1_000 if has_few_ways else 100),
    )


class _Runner:
    """One strategy of several, with what it has done so far."""

    def __init__(self, turn: _Turn) -> None:
        self.turn = turn
        self.search: Search | None = None
        self.nodes = 0
        self.stored = 0
        self.latest: Progress | None = None
        self.end: Outcome | None = None

    def drop(self) -> None:
        """Give back what the search holds."""
        if self.search is not None:
            self.search.close()
        self.search = None
        self.stored = 0


class _Portfolio:
    """Searches of one level under common limits."""

    def __init__(self, board: Board, start: State, limits: Limits) -> None:
        self._board = board
        self._start = start
        self._limits = limits
        self._began = limits.clock()
        self._runners = [_Runner(turn) for turn in _turns(board, start)]
        self._found: Solution | None = None
        self._is_cut_short = False
        self._shortening = Meter("shorten", board, limits, bytes_per_state=250)

    def run(self) -> Search:
        """Take turns until one strategy has an answer, or none can go on."""
        for number in count():
            for runner in self._runners:
                if runner.end is not None:
                    continue
                runner.end = yield from self._take(runner, runner.nodes + runner.turn.nodes(number))
                if self._found is not None:
                    return (yield from self._finish(runner))
                if runner.end is not None and self._is_last(runner.end):
                    return self._summed(runner.end)
        raise AssertionError("rounds without end came to their end")

    def _take(self, runner: _Runner, until: int) -> Generator[Progress | Found, None, Outcome | None]:
        """One turn, to so many nodes; the outcome of the strategy if it came to its end."""
        if runner.search is None:
            rest = self._limits._replace(
                seconds=self._limits.seconds - self._seconds, nodes=self._limits.nodes - self._nodes
            )
            runner.search = runner.turn.strategy(self._board, self._start, rest)
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
            yield event._replace(nodes=self._nodes, stored=self._stored, seconds=self._seconds)
            if self._nodes >= self._limits.nodes:
                return self._broken_off(runner, event, Reason.NODES)
            if self._stored >= self._limits.states:
                return self._broken_off(runner, event, Reason.STATES)
            if event.nodes >= until:
                runner.latest = event
                return None

    def _finish(self, runner: _Runner) -> Search:
        """What is left to do with a solution: its strategy may prove it, or find better ones, and it is shortened.

        That saves moves where the pushes are proven to be the fewest.
        """
        end = runner.end or (yield from self._take(runner, 2 * runner.nodes))
        if end is None:
            if runner.latest is None:
                raise AssertionError("a turn without progress that did not end")
            end = self._broken_off(runner, runner.latest, Reason.NODES)
        runner.end = end
        for each in self._runners:
            each.drop()
        if self._found is not None:
            yield from self._shortened(self._found)
        return self._summed(end)

    def _broken_off(self, runner: _Runner, latest: Progress, at: Reason) -> Outcome:
        """The outcome of a strategy that is not let to its end."""
        runner.drop()
        status, reason = (Status.SOLVED, None) if self._found else (Status.GAVE_UP, at)
        return Outcome(status, latest.strategy, reason, None, latest.nodes, latest.stored, latest.seconds)

    def _shortened(self, found: Solution) -> Generator[Progress | Found, None, None]:
        """Better solutions than the one found, as long as they come soon."""
        nodes = min(_SHORTENING_NODES, self._limits.nodes - self._nodes)
        try:
            for event in shorten(self._board, self._start, found, self._shortening, nodes):
                if isinstance(event, Progress):
                    event = event._replace(nodes=self._nodes, stored=self._stored, seconds=self._seconds)
                yield event
        except (LimitReached, MemoryError):
            self._is_cut_short = True

    def _is_last(self, end: Outcome) -> bool:
        """Whether the end of one strategy is that of all."""
        if end.status is not Status.GAVE_UP or end.reason in (Reason.TIME, Reason.NODES):
            return True
        return all(runner.end is not None for runner in self._runners)

    def _summed(self, end: Outcome) -> Outcome:
        """The outcome of one strategy as that of all."""
        ended = [runner.end for runner in self._runners if runner.end is not None]
        repeatable = not self._is_cut_short and all(each.repeatable for each in ended)
        stored = self._stored + end.stored
        return end._replace(nodes=self._nodes, stored=stored, seconds=self._seconds, repeatable=repeatable)

    @property
    def _seconds(self) -> float:
        return self._limits.clock() - self._began

    @property
    def _nodes(self) -> int:
        return sum(runner.nodes for runner in self._runners) + self._shortening.nodes

    @property
    def _stored(self) -> int:
        return sum(runner.stored for runner in self._runners)
