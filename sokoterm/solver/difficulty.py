"""Difficulty rating of a level by a short search.

All figures come from the canonical level only, and limits count positions, so a level and its rotated and mirrored
copies get the same number on every machine.  Without a solution ``pushes`` is a lower bound, and so is the number.
"""

from collections.abc import Callable, Generator
from functools import partial
from math import inf

from sokoterm.engine.bits import flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import canonical_level
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.reach import region_after
from sokoterm.engine.rules import boxes_away
from sokoterm.engine.steps import Events
from sokoterm.solver.common.lower_bound import LowerBound, Matching, QueueEntry, make_lower_bound
from sokoterm.solver.common.state_space import Packing
from sokoterm.solver.domain import Domain
from sokoterm.solver.figures import RATING_SECONDS, DifficultyFigures
from sokoterm.solver.optimizer.driver import improve
from sokoterm.solver.optimizer.shorten import shorten
from sokoterm.solver.search import Found, LimitReached, Limits, Meter, Progress, Reason, Status
from sokoterm.solver.strategies import backward, best_first

# Searches, run in order until one finds a solution, with positions for each: on boards larger than usual proportionally
# fewer, because each takes longer.
_SEARCHES = ((partial(best_first.astar, subsets_at=None), 3_000), (partial(backward.search, few_boxes=False), 10_000))
_USUAL_BITS = 512

# Children between two yields, so that a list that is rated while it is shown answers keys within 20 ms.
_CHILDREN = 64

# Nodes for shortening a solution: not all searches minimize pushes, and none minimizes walks.
_SHORTENING_NODES = 500

# Positions on shortest solutions that are followed: enough for all of 87 % of the levels that people were measured on.
_FOLLOWED = 3_000
_LEAST_FOLLOWED = 3  # after each push

# Bits for each push in the chance of a player who pushes at random: more than choosing among all pushes takes.
_BITS_A_PUSH = 8


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
    """Rating of one level; ``search`` sets ``figures``, which stay None if time runs out, and a ``solution`` found."""

    def __init__(self, level: Level) -> None:
        self.figures: DifficultyFigures | None = None
        self.solution: Solution | None = None
        self.level = canonical_level(level)

    def search(self, seconds: float, clock: Callable[[], float]) -> Generator[Progress, None, None]:
        board, start = self.level.board, self.level.start
        limits = Limits(seconds, 1 << 40, 1 << 40, clock, memory=1 << 60, resident=lambda: 0, children=_CHILDREN)
        meter = Meter("difficulty", board, limits, bytes_per_state=0)
        away = max(1, boxes_away(board, start).bit_count())  # each of them must be pushed
        boxes, floor = board.goals.bit_count(), board.floor.bit_count()
        figures = DifficultyFigures(Status.GAVE_UP, boxes, floor, away, 1, away, 0, 0)
        if is_dead_at_sight(board, start):  # also on boards too large for the searches
            self.figures = figures._replace(status=meter.unsolvable(start).status)
            return
        try:
            lower_bound, matching = yield from make_lower_bound(board, start, meter)
            if matching is not None:
                figures = figures._replace(lower_bound=matching.cost, pushes=max(matching.cost, figures.pushes))
            figures = yield from self._searched(board, start, limits, meter, figures)
            if self.solution is not None and matching is not None:
                found = figures._replace(pushes=self.solution.pushes)
                ways, luck = yield from _ways(board, start, self.solution, lower_bound, matching, meter)
                figures = found._replace(ways=ways, luck=luck)
            self.figures = figures
        except LimitReached as end:
            self.figures = figures if end.reason is Reason.SIZE else None

    def _searched(
        self, board: Board, start: State, limits: Limits, meter: Meter, least: DifficultyFigures
    ) -> Generator[Progress, None, DifficultyFigures]:
        """Search and set ``solution``; return the bounds ``least``, raised by the searches."""
        bits = board.stride * board.height
        bound, nodes = least.pushes, 0
        for strategy, most in _SEARCHES:
            nodes_left = most * _USUAL_BITS // max(bits, _USUAL_BITS)
            search = Events(strategy(board, start, limits._replace(nodes=nodes_left, seconds=inf)))
            for event in search:
                if isinstance(event, Found):
                    self.solution = event.solution
                else:
                    bound = max(bound, event.lower_bound)
                    yield meter.progress()
            outcome = search.result
            nodes += outcome.nodes
            if outcome.status is not Status.GAVE_UP:
                break
        if self.solution is not None:
            # Even a search for fewest pushes ignores the player's walks.
            shortening = shorten if board.is_ordinary else improve
            for event in shortening(board, start, self.solution, meter, _SHORTENING_NODES):
                if isinstance(event, Found):
                    self.solution = event.solution
                else:
                    yield event
        return least._replace(status=outcome.status, nodes=max(1, nodes), pushes=bound)


def _ways(
    board: Board, start: State, found: Solution, lower_bound: LowerBound, matching: Matching, meter: Meter
) -> Generator[Progress, None, tuple[int, int]]:
    """Return the positions on solutions of as many pushes as ``found``, and the luck that finding one takes, in bits.

    The luck is that of a player who makes a push at random, except onto dead squares or into a frozen position.  Where
    there are too many positions, the likeliest after each push are followed, and always those of ``found``.
    """
    domain, packing = Domain(board), Packing(board)
    pushes_from, floor = domain.successors(lower_bound.distances.live).pushes_from, board.floor
    most = max(_LEAST_FOLLOWED, _FOLLOWED // found.pushes)
    first = packing.pack(start.normalized(board))
    bits = _BITS_A_PUSH * found.pushes
    layer, chances = {first: QueueEntry(first, 0, matching.cost, matching)}, {first: 1 << bits}
    befores: list[dict[int, list[int]]] = []
    after_pushes = [after for after, letter in play(board, start, parse_lurd(found.lurd)) if letter.isupper()]
    for depth, state in enumerate(after_pushes, start=1):
        own = packing.pack(state.normalized(board))
        entries: dict[int, QueueEntry] = {}
        before: dict[int, list[int]] = {}
        chances_after: dict[int, int] = {}
        for key, entry in layer.items():
            yield meter.progress()
            boxes, held = packing.boxes(key), lower_bound.matching(entry)
            region = flood(1 << (key & packing.mask), floor & ~boxes, board.stride)
            children = []
            for direction, box, landing, base, after in pushes_from(boxes, region):
                square, to = box.bit_length() - 1, landing.bit_length() - 1
                player = lowest(region_after(region, box, box, to, floor & ~after, board.stride))
                pushed = packing.pack(State(after, player))
                child = lower_bound.entry(pushed, depth, held, direction, base + square, base + to)
                if child is not None and not domain.is_freeze_deadlock(after):
                    children.append(child)
            for child in children:
                if depth + child.bound <= found.pushes:
                    entries.setdefault(child.key, child)
                    before.setdefault(child.key, []).append(key)
                    chances_after[child.key] = chances_after.get(child.key, 0) + chances[key] // len(children)
        likeliest = sorted(entries, key=lambda key: (key != own, -chances_after[key]))[:most]
        layer, chances = {key: entries[key] for key in likeliest}, chances_after
        befores.append(before)
    ends = {key for key in layer if packing.boxes(key) & domain.telling == board.goals}
    ways, luck = len(ends), bits + 1 - sum(chances[key] for key in ends).bit_length()
    for before in reversed(befores):
        ends = {each for key in ends for each in before[key]}
        ways += len(ends)
    return ways, luck
