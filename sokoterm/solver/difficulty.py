"""How hard a level is: one number, made of figures that can each be explained.

All figures come from the level alone, in the orientation of its hash, and limits count positions: so the number of a
level is the same on every machine, and for each of its turned and mirrored copies.  A short search is all it takes.
Where that finds no solution, figures that need one stand at the least they can be, and the number is one that the level
does not stay below.
"""

from collections.abc import Generator
from functools import partial
from typing import NamedTuple

from sokoterm.engine.bits import flood
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.deadlock.detector import DeadlockDetector, DetectorBounds
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical_level
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.solver.common.bounds import make_bounds
from sokoterm.solver.common.lower_bound import least_lines
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.protocol import Found, Limits, Outcome, Progress, Search, Status
from sokoterm.solver.strategies import astar, backward

# To be raised whenever the number of some level becomes another: by what stands here, or by a change of the searches.
# What was kept is then found out anew.
FIGURES_VERSION = 1

# Who searches in turn until there is a solution, and the positions that each may look at; on a board with more bits
# than is usual as many times fewer, for each takes longer.
_SEARCHES = ((partial(astar.search, few_boxes=False), 3_000), (partial(backward.search, few_boxes=False), 10_000))
_USUAL_BITS = 512

# What a solution is shortened for: some of these searches do not care how far they go, none how the player walks.
_SHORTENING_NODES = 500

# As many positions along the solution are looked at for pushes that lose, evenly spread.
_PLACES = 16
_BOUNDS = DetectorBounds(table=30_000, pushes=300, glance=300, corrals=6, pairs=20, granted=50, saved=300)

# A doubling of these figures adds so many points; these parts of a whole add so many for all of it.  Chosen so that
# known packs come out in their order, by ``python3 -m tests.bench difficulty``: Minicosmos and Microban below Microban
# II and Sasquatch, these below XSokoban and a pack of small crowded levels.
_FOR_STEPS = 4
_FOR_NODES = 4
_FOR_GAP = 1
_FOR_MISTAKES = 10
_FOR_CROWDING = 100
# A room where more than this part of the floor has boxes on it is a pattern rather than a puzzle.
_MOST_CROWDING = 30


class Figures(NamedTuple):
    """What is known of how hard a level is.

    ``status``: SOLVED where the figures are those of a solution, a shortened one, else the least they can be.
    ``lower_bound``: the pushes if no box were in the way of another; ``nodes``: positions that the search looked at;
    ``tried``: pushes that were possible along the solution and not onto a dead square, of which ``lost`` lead to
    where no solution is, as far as that can be told.
    """

    status: Status
    boxes: int
    floor: int
    lower_bound: int
    nodes: int
    pushes: int
    box_lines: int
    box_changes: int
    pushing_sessions: int
    tried: int
    lost: int

    @property
    def is_solved(self) -> bool:
        return self.status is Status.SOLVED

    @property
    def gap(self) -> int:
        """The pushes that the boxes cost by being in each other's way."""
        return self.pushes - self.lower_bound


def difficulty(figures: Figures) -> int:
    """The number: 0 for a level of one push, and open above.

    It never falls as a figure grows, but for the floor, which makes room.  Whole numbers alone decide.
    """
    steps = figures.box_lines + figures.box_changes + figures.pushing_sessions
    sixteenths = (
        _FOR_STEPS * (_doublings(steps) - _doublings(3))
        + _FOR_NODES * _doublings(figures.nodes)
        + _FOR_GAP * _doublings(1 + figures.gap)
        + 16 * _FOR_MISTAKES * figures.lost // max(1, figures.tried)
        + min(16 * _MOST_CROWDING, 16 * _FOR_CROWDING * (figures.boxes - 1) // figures.floor)
    )
    return max(0, sixteenths) // 16


def in_words(figures: Figures) -> str:
    """The number as it is told.

    >>> least = Figures(Status.GAVE_UP, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0)
    >>> in_words(least), in_words(least._replace(status=Status.SOLVED))
    ('at least 0', '0')
    """
    number = str(difficulty(figures))
    return {Status.SOLVED: number, Status.GAVE_UP: f"at least {number}"}.get(figures.status, "no solution")


def in_short(figures: Figures) -> str:
    """The number in a column: ``71+`` where it is the least that it can be, ``-`` where there is no solution."""
    number = str(difficulty(figures))
    return {Status.SOLVED: number, Status.GAVE_UP: f"{number}+"}.get(figures.status, "-")


def explained(figures: Figures) -> list[tuple[str, str]]:
    """What the number is made of: each figure in words beside what it is of."""
    least = "" if figures.is_solved else "at least "
    lines, changes = _counted(figures.box_lines, "box line"), _counted(figures.box_changes, "box change")
    gap = f", {figures.gap} of them since boxes are in each other's way" if figures.gap else ""
    search = "solved" if figures.is_solved else "not solved"
    told = [
        ("steps", f"{least}{lines}, {changes}, {_counted(figures.pushing_sessions, 'pushing session')}"),
        ("pushes", f"{least}{figures.pushes}{gap}"),
        ("search", f"{search} within {_counted(figures.nodes, 'position')}"),
        ("room", f"{_counted(figures.boxes, 'box', 'es')} on {_counted(figures.floor, 'square')}"),
    ]
    if figures.tried:
        lead = "leads" if figures.tried == 1 else "lead"
        told.append(
            ("mistakes", f"{figures.lost} of {_counted(figures.tried, 'push', 'es')} on the way {lead} to a dead end")
        )
    return told


def _counted(number: int, noun: str, ending: str = "s") -> str:
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def figures_of(level: Level) -> Figures:
    """The figures of a level; a second of work at most where it is of a usual size."""
    rating = Rating(level)
    for _ in rating.search(level.board, level.start, Limits(1.0, 0, 0, clock=lambda: 0.0)):
        pass
    if rating.figures is None:
        raise AssertionError("a rating that did not end")
    return rating.figures


class Rating:
    """The figures of one level, to be found by ``search``, a Strategy: None until that has ended."""

    def __init__(self, level: Level) -> None:
        self.figures: Figures | None = None
        self._level = canonical_level(level)

    def search(self, _board: Board, _start: State, limits: Limits) -> Search:
        """Of the limits only the clock counts, which decides nothing; no solution is yielded."""
        board, start, _ = self._level[:3]
        limits = limits._replace(seconds=1e9, nodes=1 << 40, states=1 << 40, memory=1 << 60, resident=lambda: 0)
        meter = Meter("difficulty", board, limits, bytes_per_state=0)
        figures = _least(board, start)
        try:
            bounds = yield from make_bounds(board, meter)
            matching = yield from bounds.match(start, meter)
        except LimitReached as end:
            self.figures = figures
            return meter.stopped(end)
        if matching is not None:
            figures = figures._replace(lower_bound=matching.cost, pushes=max(matching.cost, figures.pushes))
            lines = yield from least_lines(bounds.distances, start, meter)
            figures = figures._replace(box_lines=max(lines, figures.box_lines))
        self.figures, outcome = yield from _searched(board, start, limits, meter, figures)
        return outcome


def _doublings(number: int) -> int:
    """Sixteen times the binary logarithm, rounded down; 0 for 0."""
    return (max(1, number) ** 16).bit_length() - 1


def _least(board: Board, start: State) -> Figures:
    """What can be said of a level without a search: each box that is not on a goal has to be pushed."""
    away = max(1, (start.boxes & ~board.goals).bit_count())
    boxes, floor = start.boxes.bit_count(), board.floor.bit_count()
    return Figures(Status.GAVE_UP, boxes, floor, away, 1, away, away, away, 1, 0, 0)


def _searched(
    board: Board, start: State, limits: Limits, meter: Meter, least: Figures
) -> Generator[Progress, None, tuple[Figures, Outcome]]:
    """The figures after the searches: of the solution, or the least with what they have found out."""
    bits = board.stride * board.height
    found: Solution | None = None
    bound, nodes = least.pushes, 0
    for strategy, most in _SEARCHES:
        search = strategy(board, start, limits._replace(nodes=most * _USUAL_BITS // max(bits, _USUAL_BITS)))
        while True:
            try:
                event = next(search)
            except StopIteration as end:
                outcome: Outcome = end.value
                break
            if isinstance(event, Found):
                found = event.solution
            else:
                bound = max(bound, event.lower_bound)
                yield meter.progress()
        nodes += outcome.nodes
        if outcome.status is not Status.GAVE_UP:
            break
    figures = least._replace(status=outcome.status, nodes=max(1, nodes))
    if found is None:
        return figures._replace(pushes=bound), outcome
    found = yield from _shortened(board, start, found, meter)
    tried, lost = yield from _losing_pushes(board, start, found, meter)
    steps = (found.pushes, found.box_lines, found.box_changes, found.pushing_sessions)
    return Figures(figures.status, *figures[1:5], *steps, tried, lost), outcome


def _shortened(board: Board, start: State, found: Solution, meter: Meter) -> Generator[Progress, None, Solution]:
    """A solution that goes about less: a search for the fewest pushes does not care how the player walks."""
    for event in shorten(board, start, found, meter, _SHORTENING_NODES):
        if isinstance(event, Found):
            found = event.solution
        else:
            yield event
    return found


def _losing_pushes(
    board: Board, start: State, found: Solution, meter: Meter
) -> Generator[Progress, None, tuple[int, int]]:
    """The pushes that a player might try along the solution, where each line of pushes begins, and those that lose.

    Pushes onto dead squares are none of them: nobody tries these for long.
    """
    detector, dead = DeadlockDetector(board, bounds=_BOUNDS), dead_squares(board)
    tried = lost = 0
    for state in _spread(_places(board, start, found)):
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is None or after.boxes & ~state.boxes & dead:
                continue
            tried += 1
            lost += detector.is_dead(after.boxes, flood(1 << each.box, board.floor & ~after.boxes, board.stride))
            yield meter.progress()
    return tried, lost


def _places(board: Board, start: State, found: Solution) -> list[State]:
    """The positions before each box line."""
    places = []
    state, previous = start, ""
    for after, letter in play(board, start, parse_lurd(found.lurd)):
        if letter.isupper() and letter != previous:
            places.append(state)
        state, previous = after, letter
    return places


def _spread(places: list[State]) -> list[State]:
    """No more than are looked at, evenly spread."""
    count = min(_PLACES, len(places))
    return [places[i * len(places) // count] for i in range(count)]
