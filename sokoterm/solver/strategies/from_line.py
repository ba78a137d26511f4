"""Search that continues from a line of moves, of which only the beginning may be good.

The line is lost from the first position that the deadlock detector proves dead; the positions before it seed the
search.  A strategy starts from the last of them and, if that is unsolvable or uses up its share of the limits, from
earlier ones and finally from the start of the level.  Each gets half of the seconds and nodes left, the start all of
them.  A beam takes all positions together.

Solutions begin at the start of the level, and are shortened like those of ``auto``.
"""

from collections.abc import Generator
from functools import partial
from typing import NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.lurd import parse_lurd, play, verify
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved
from sokoterm.engine.steps import Events
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.optimizer.driver import improve
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Outcome, Progress, Search, Status, Strategy
from sokoterm.solver.strategies import beam
from sokoterm.solver.strategies.auto import SHORTENING_NODES


class MoveLine(NamedTuple):
    """Line of moves.

    ``states``: the start, then the position after each push.  ``moves``: the number of moves up to each of them.
    ``lurd``: all moves, with pushes in upper case.
    """

    states: tuple[State, ...]
    moves: tuple[int, ...]
    lurd: str

    @property
    def pushes(self) -> int:
        return len(self.states) - 1

    def until(self, pushes: int) -> str:
        return self.lurd[: self.moves[pushes]]


def read_line(board: Board, start: State, lurd: str) -> MoveLine:
    """Replay moves by the rules; raise LurdError at a blocked step.

    >>> from sokoterm.engine import Level
    >>> level = Level.from_xsb("########\\n#@ $  .#\\n########")
    >>> line = read_line(level.board, level.start, "2RRl")
    >>> line.pushes, line.until(1), line.lurd
    (2, 'rR', 'rRRl')
    """
    states, moves = [start], [0]
    letters: list[str] = []
    for state, move in play(board, start, parse_lurd(lurd)):
        letters.append(move)
        if move.isupper():
            states.append(state)
            moves.append(len(letters))
    return MoveLine(tuple(states), tuple(moves), "".join(letters))


def search(board: Board, start: State, limits: Limits, line: MoveLine, strategy: Strategy | beam.Cut) -> Search:
    """Search with a strategy from each position of a line, last one first, or with a beam from all of them at once.

    UNSOLVABLE is proven for the start of the level.
    """
    return _FromLine(board, start, limits, line).run(strategy)


class _FromLine:
    def __init__(self, board: Board, start: State, limits: Limits, line: MoveLine) -> None:
        self._board = board
        self._start = start
        self._limits = limits
        self._line = line
        self._meter = Meter("line", board, limits, bytes_per_state=250)
        self._nodes = 0
        self._found: Found | None = None
        self._is_repeatable = True

    def run(self, strategy: Strategy | beam.Cut) -> Search:
        last = yield from self._last_alive()
        if isinstance(last, Outcome):
            return last
        starts = beam.starts_on(last)
        if isinstance(strategy, beam.Cut):
            starts, strategy = [0], partial(beam.search, cut=strategy, line=self._line.states[: last + 1])
        for pushes in starts:
            if pushes and self._limits.nodes - self._nodes < 2:
                continue
            end = yield from self._search(pushes, strategy, 2 if pushes else 1)
            if self._found is not None:
                break
        return (yield from self._finish(end._replace(optimal=None) if pushes else end))

    def _last_alive(self) -> Generator[Progress | Found, None, int | Outcome]:
        """Return the pushes after which the line is not proven dead, or an outcome if the line itself is an answer."""
        board, line = self._board, self._line
        try:
            yield self._meter.progress()
            detector = None if is_too_large(board) else DeadlockDetector(board, bounds=game_bounds(board))
            for pushes, state in enumerate(line.states):
                yield self._meter.progress()
                if pushes and is_solved(board, state):
                    yield self._join(pushes, "")
                    return (yield from self._finish(self._meter.solved()))
                if detector is not None and detector.is_dead(state.boxes, reachable_area(board, state)):
                    return max(0, pushes - 1)
        except (LimitReached, MemoryError) as end:
            return self._meter.stopped(end)
        return line.pushes

    def _search(self, pushes: int, strategy: Strategy, share: int) -> Search:
        """Search from the position after ``pushes`` pushes, with one part in ``share`` of the remaining limits."""
        limits, before = self._limits, self._nodes
        part = limits._replace(
            seconds=(limits.seconds - self._meter.seconds) / share, nodes=(limits.nodes - before) // share
        )
        search = Events(strategy(self._board, self._line.states[pushes], part))
        for event in search:
            if isinstance(event, Found):
                left = pushes if event.left_after is None else event.left_after
                yield self._join(pushes, event.solution.lurd, left)
            else:
                yield event._replace(nodes=before + event.nodes, seconds=self._meter.seconds)
        self._nodes = before + search.result.nodes
        self._is_repeatable &= search.result.repeatable
        return search.result

    def _join(self, pushes: int, lurd: str, left: int | None = None) -> Found:
        """Return the solution that follows the line for ``pushes`` pushes and continues with ``lurd``."""
        solution = verify(self._board, self._start, self._line.until(pushes) + lurd)
        self._found = Found(solution, left_after=pushes if left is None else left)
        self._meter.best = solution.pushes
        return self._found

    def _finish(self, end: Outcome) -> Search:
        meter, found = self._meter, self._found
        if found is not None:
            nodes = min(SHORTENING_NODES, self._limits.nodes - self._nodes)
            try:
                for event in improve(self._board, self._start, found.solution, meter, nodes):
                    if isinstance(event, Found):
                        yield event._replace(left_after=found.left_after)
                    else:
                        yield event._replace(nodes=self._nodes + event.nodes)
            except (LimitReached, MemoryError):
                self._is_repeatable = False
            end = end._replace(status=Status.SOLVED, reason=None)
        return end._replace(nodes=self._nodes + meter.nodes, seconds=meter.seconds, repeatable=self._is_repeatable)
