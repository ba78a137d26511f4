"""Difficulty rating of a level by a short search.

All figures come from the canonical level only, and limits count positions, so a level and its rotated and mirrored
copies get the same number on every machine.  If no solution is found, figures that need one are lower bounds, and so is
the number.
"""

from collections import deque
from collections.abc import Callable, Generator
from functools import partial
from math import inf

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.deadlock.detector import DeadlockDetector, is_dead_at_sight
from sokoterm.engine.deadlock.subsets import DetectorBounds
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical_level
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.rules import boxes_away, legal_pushes, push
from sokoterm.engine.steps import Events
from sokoterm.solver.common.lower_bound import UNREACHABLE, Distances, Matchings, Place, make_lower_bound
from sokoterm.solver.figures import RATING_SECONDS, DifficultyFigures
from sokoterm.solver.optimizer.driver import improve
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Progress, Reason, Status
from sokoterm.solver.strategies import backward, best_first

# Searches, run in order until one finds a solution, with positions for each: on boards larger than usual proportionally
# fewer, because each takes longer.
_SEARCHES = ((partial(best_first.astar, subsets_at=None), 3_000), (partial(backward.search, few_boxes=False), 10_000))
_USUAL_BITS = 512

# Nodes for shortening a solution: not all searches minimize pushes, and none minimizes walks.
_SHORTENING_NODES = 500

# Positions along the solution, evenly spread, that are checked for losing pushes.
_PLACES = 16
_BOUNDS = DetectorBounds(table=30_000, pushes=300, glance=300, corrals=6, pairs=20, granted=50, saved=300)


def figures_of(level: Level) -> DifficultyFigures:
    """Compute the figures of a level; takes at most a second for a board of the usual size."""
    figures = figures_in_time(level, lambda: 0.0)
    if figures is None:
        raise AssertionError("a rating that did not end")
    return figures


def figures_in_time(level: Level, clock: Callable[[], float]) -> DifficultyFigures | None:
    """Compute the figures of a level, or return None if that takes RATING_SECONDS."""
    rating = Rating(level)
    for _ in rating.search(RATING_SECONDS, clock):
        pass
    return rating.figures


class Rating:
    """Rating of one level; ``search`` sets ``figures``, which stay None if time runs out."""

    def __init__(self, level: Level) -> None:
        self.figures: DifficultyFigures | None = None
        self._level = canonical_level(level)

    def search(self, seconds: float, clock: Callable[[], float]) -> Generator[Progress, None, None]:
        board, start = self._level.board, self._level.start
        limits = Limits(seconds, 1 << 40, 1 << 40, clock, memory=1 << 60, resident=lambda: 0)
        meter = Meter("difficulty", board, limits, bytes_per_state=0)
        figures = _least(board, start)
        if is_dead_at_sight(board, start):  # also on boards too large for the searches
            self.figures = figures._replace(status=meter.unsolvable(start).status)
            return
        try:
            lower_bound, matching = yield from make_lower_bound(board, start, meter)
            if not board.is_ordinary:
                figures = figures._replace(lower_bound=0 if matching is None else matching.cost)
            elif matching is not None:
                figures = figures._replace(lower_bound=matching.cost, pushes=max(matching.cost, figures.pushes))
                lines = yield from least_lines(lower_bound.distances, start, meter)
                figures = figures._replace(box_lines=max(lines, figures.box_lines))
            self.figures = yield from _searched(board, start, limits, meter, figures)
        except LimitReached as end:
            self.figures = figures if end.reason is Reason.SIZE else None


def _least(board: Board, start: State) -> DifficultyFigures:
    """Return the lower bounds known without a search: each box off the goals must be pushed."""
    away = max(1, boxes_away(board, start).bit_count())
    boxes, floor = board.goals.bit_count(), board.floor.bit_count()
    return DifficultyFigures(Status.GAVE_UP, boxes, floor, away, 1, away, away, away, 1, 0, 0)


def least_lines(distances: Distances, start: State, meter: Meter) -> Generator[Progress, None, int]:
    """Return a lower bound on the box lines of a solution; 0 if the boxes cannot be matched to the goals.

    It is the matching of the push bound in lines instead of pushes: a straight run of pushes is one line.
    """
    goals = list(scan(distances.board.goals))
    rows: dict[Place, list[int]] = {}
    for box in scan(start.boxes):
        lines = yield from _lines_from(distances, box, distances.place(box, start.player), meter)
        rows[box] = [lines.get(goal, UNREACHABLE) for goal in goals]
    matching = yield from Matchings(rows).match(list(rows), meter)
    return 0 if matching is None else matching.cost


def _lines_from(
    distances: Distances, box: Square, place: Place, meter: Meter
) -> Generator[Progress, None, dict[Square, int]]:
    """Return the fewest lines of a lone box from a place to each square; 0-1 breadth-first search."""
    behind, floor, offsets = distances.behind, distances.board.floor, distances.board.offsets
    fewest = {box: 0}
    done: set[tuple[Square, Direction]] = set()
    waiting = deque((1, box, direction) for direction in DIRECTIONS if behind[direction][box] == place)
    while waiting:
        if meter.is_due():
            yield meter.progress()
        lines, square, direction = waiting.popleft()
        landing = square + offsets[direction]
        if (square, direction) in done or not floor >> landing & 1:
            continue
        done.add((square, direction))
        fewest.setdefault(landing, lines)
        after = behind[direction][landing]
        waiting.appendleft((lines, landing, direction))
        waiting.extend(
            (lines + 1, landing, turn) for turn in DIRECTIONS if turn != direction and behind[turn][landing] == after
        )
    return fewest


def _searched(
    board: Board, start: State, limits: Limits, meter: Meter, least: DifficultyFigures
) -> Generator[Progress, None, DifficultyFigures]:
    """Return the figures of a solution found by the searches, or the bounds ``least`` raised by them."""
    bits = board.stride * board.height
    found: Solution | None = None
    bound, nodes = least.pushes, 0
    for strategy, most in _SEARCHES:
        nodes_left = most * _USUAL_BITS // max(bits, _USUAL_BITS)
        search = Events(strategy(board, start, limits._replace(nodes=nodes_left, seconds=inf)))
        for event in search:
            if isinstance(event, Found):
                found = event.solution
            else:
                bound = max(bound, event.lower_bound)
                yield meter.progress()
        outcome = search.result
        nodes += outcome.nodes
        if outcome.status is not Status.GAVE_UP:
            break
    figures = least._replace(status=outcome.status, nodes=max(1, nodes))
    if found is None:
        return figures._replace(pushes=bound)
    # Even a search for fewest pushes ignores the player's walks.
    for event in (shorten if board.is_ordinary else improve)(board, start, found, meter, _SHORTENING_NODES):
        if isinstance(event, Found):
            found = event.solution
        else:
            yield event
    tried, lost = yield from _losing_pushes(board, start, found, meter)
    steps = (found.pushes, found.box_lines, found.box_changes, found.pushing_sessions)
    return DifficultyFigures(figures.status, *figures[1:5], *steps, tried, lost)


def _losing_pushes(
    board: Board, start: State, found: Solution, meter: Meter
) -> Generator[Progress, None, tuple[int, int]]:
    """Count the pushes, not onto dead squares, that a player might try before each box line, and those that lose."""
    detector, dead = DeadlockDetector(board, bounds=_BOUNDS), dead_squares(board)
    tried = lost = 0
    for state in _places(board, start, found):
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is None or after.boxes & ~state.boxes & dead:
                continue
            tried += 1
            lost += detector.is_dead(after.boxes, flood(1 << each.box, board.floor & ~after.boxes, board.stride))
            yield meter.progress()
    return tried, lost


def _places(board: Board, start: State, found: Solution) -> list[State]:
    """Return up to _PLACES positions at the start of box lines of a solution, evenly spread."""
    places = []
    state, previous = start, ""
    for after, letter in play(board, start, parse_lurd(found.lurd)):
        if letter.isupper() and letter != previous:
            places.append(state)
        state, previous = after, letter
    count = min(_PLACES, len(places))
    return [places[i * len(places) // count] for i in range(count)]
