"""The measure by which recipes choose levels: it must never change, or days and floors would be other levels.

It is the difficulty of earlier versions, in points for steps, positions searched, mistakes and crowding.  The number
that players see (``solver.figures``) agrees better with them.
"""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.deadlock.subsets import DetectorBounds
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.rules import boxes_away, legal_pushes, push
from sokoterm.generator.puzzle import LIMITS
from sokoterm.solver.common.lower_bound import UNREACHABLE, Distances, Matchings, Place, make_distances
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.figures import DifficultyFigures, doublings
from sokoterm.solver.search import Meter, Progress

# Points for each doubling of steps, positions searched and gap, and for a share of 100 % of mistakes and crowding.
_FOR_STEPS = 4
_FOR_NODES = 4
_FOR_GAP = 1
_FOR_MISTAKES = 10
_FOR_CROWDING = 100
# Cap for crowding: a room with boxes on more than this percentage of the floor is a pattern rather than a puzzle.
_MOST_CROWDING = 30

# Positions along the solution, evenly spread, that are checked for losing pushes.
_PLACES = 16
_BOUNDS = DetectorBounds(table=30_000, pushes=300, glance=300, corrals=6, pairs=20, granted=50, saved=300)


class Measure(NamedTuple):
    """The measure of a level; ``lost``: the pushes proven to lose of those ``tried`` along a solution."""

    number: int
    tried: int
    lost: int


def measure(rating: Rating, figures: DifficultyFigures) -> Generator[Progress, None, Measure]:
    """Return the measure of a level by its rating, which has ended with these figures."""
    found, board, start = rating.solution, rating.level.board, rating.level.start
    meter = Meter("measure", board, LIMITS, bytes_per_state=0)
    tried = lost = 0
    if found is not None:
        steps = found.box_lines + found.box_changes + found.pushing_sessions
        tried, lost = yield from _losing_pushes(board, start, found, meter)
    else:
        away = max(1, boxes_away(board, start).bit_count())
        distances = (yield from make_distances(board, meter)) if board.is_ordinary else None
        lines = 0 if distances is None else (yield from least_lines(distances, start, meter))
        steps = max(lines, away) + away + 1
    sixteenths = (
        _FOR_STEPS * (doublings(steps) - doublings(3))
        + _FOR_NODES * doublings(figures.nodes)
        + _FOR_GAP * doublings(1 + figures.gap)
        + 16 * _FOR_MISTAKES * lost // max(1, tried)
        + min(16 * _MOST_CROWDING, 16 * _FOR_CROWDING * (figures.boxes - 1) // figures.floor)
    )
    return Measure(max(0, sixteenths) // 16, tried, lost)


def least_lines(distances: Distances, start: State, meter: Meter) -> Generator[Progress, None, int]:
    """Return a lower bound on the box lines of a solution; 0 if the boxes cannot be matched to the goals.

    It is the matching of the push bound in lines instead of pushes: a straight run of pushes is one line.
    """
    rows: dict[Place, list[int]] = {}
    for box in scan(start.boxes):
        lines = _lines_from(distances, box, distances.place(box, start.player))
        rows[box] = [lines.get(goal, UNREACHABLE) for goal in scan(distances.board.goals)]
    matching = yield from Matchings(rows).match(list(rows), meter)
    return 0 if matching is None else matching.cost


def _lines_from(distances: Distances, box: Square, place: Place) -> dict[Square, int]:
    """Return the fewest lines of a lone box from a place to each square."""
    behind, floor, offsets = distances.behind, distances.board.floor, distances.board.offsets
    fewest, lines = {box: 0}, 1
    done: set[tuple[Square, Direction]] = set()
    runs = [(box, direction) for direction in DIRECTIONS if behind[direction][box] == place]
    while runs:
        turns = []
        for square, direction in runs:
            while (square, direction) not in done and floor >> square + offsets[direction] & 1:
                done.add((square, direction))
                square += offsets[direction]
                fewest.setdefault(square, lines)
                after = behind[direction][square]
                turns += [(square, turn) for turn in DIRECTIONS if turn != direction and behind[turn][square] == after]
        runs, lines = turns, lines + 1
    return fewest


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
