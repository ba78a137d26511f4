"""Features of a position (progress in the plan, cut-off regions, boxes out of plan, hotspots), and advisors.

A position differs from its parent by one box: ``Features.lifting`` computes the part of the other boxes once for all
squares that the box can go to.  Each advisor proposes at most one move to try first, never one that unpacks a box.
"""

from collections.abc import Callable, Generator, Sequence
from functools import lru_cache, partial

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.solver.fess.plan import Assignment, PackingPlan, StepOrder
from sokoterm.solver.fess.positions import BoxPath, Positions
from sokoterm.solver.fess.tree import Move, Node, Score
from sokoterm.solver.search import Feature, Progress

# Indices of the features in a score.
PACKED, REGIONS, OUT_OF_PLAN, HOTSPOTS, DISTANCE = range(5)


def shown(score: Score, steps: int) -> tuple[Feature, ...]:
    """Return the features of a score by name; ``steps`` is the most that can be packed."""
    return (
        Feature("packed", -score[PACKED], steps),
        Feature("regions", score[REGIONS]),
        Feature("out of plan", score[OUT_OF_PLAN]),
        Feature("hotspots", score[HOTSPOTS]),
    )


class Features:
    """Scores of positions; lower is better.

    A score has steps packed (negated), regions, boxes out of plan, hotspots (0 if the caller does not count them), and
    the distance of the boxes to their targets in the plan, usually the goals.  With ``spreads`` the distance is
    negated: boxes not packed yet are best far away, out of the way.
    """

    def __init__(self, plan: PackingPlan, order: StepOrder | None = None, *, spreads: bool) -> None:
        """``order``: counts the plan's steps in any feasible order instead of the plan's."""
        self._plan = plan
        self._order = order
        self._distances = [-pushes for pushes in plan.distances] if spreads else plan.distances

    def score(self, boxes: Bitboard, parts: int, hotspots: int = 0) -> Score:
        step = self._plan.step(boxes)
        packed = self._order.count(boxes) if self._order else step
        out_of_plan = (boxes & self._plan.zones[step]).bit_count()
        distance = sum(self._distances[box] for box in scan(boxes))
        return -packed, parts, out_of_plan, hotspots, distance

    def lifting(self, others: Bitboard, distance: int, box: Square) -> Callable[[Square, int, int], Score]:
        """Return a function: (square, regions, hotspots) -> score of ``others`` and one more box on that square.

        ``distance`` is the distance in the score with the box on ``box``.
        """
        zones, distances = self._plan.zones, self._distances
        step_without, step_by = self._plan.step_by_one_more(others)
        count = self._order.with_one_more(others) if self._order else None
        rest = distance - distances[box]
        zone_without = zones[step_without]
        out_without = (others & zone_without).bit_count()

        def score(square: Square, parts: int, hotspots: int) -> Score:
            step = step_by.get(square, step_without)
            packed = count(square) if count else step
            if step == step_without:
                out_of_plan = out_without + (zone_without >> square & 1)
            else:
                out_of_plan = ((others | 1 << square) & zones[step]).bit_count()
            return -packed, parts, out_of_plan, hotspots, rest + distances[square]

        return score


# Move and its index among the moves of a position.
Choice = tuple[int, Move]

# Moves between two yields.
_MANY_MOVES = 1_024


class PlanPaths:
    """Paths to the square that the plan fills next, for the positions of one search."""

    def __init__(self, positions: Positions, plan: PackingPlan, assignment: Assignment | None = None) -> None:
        """``assignment``: prefers boxes that the other steps do not need."""
        self._plan = plan
        self.find = lru_cache(1)(partial(_path_to, positions, plan, assignment))

    def target(self, boxes: Bitboard) -> Square | None:
        wanted = self._plan.next_squares(boxes)
        return lowest(wanted) if wanted else None

    def in_the_way(self, boxes: Bitboard, region: Bitboard) -> int:
        """Count the boxes in the way: all if there is no path."""
        target = self.target(boxes)
        if target is None:
            return 0
        path = self.find(boxes, region, target)
        return (boxes if path is None else path.blockers).bit_count()


def _path_to(
    positions: Positions,
    plan: PackingPlan,
    assignment: Assignment | None,
    boxes: Bitboard,
    region: Bitboard,
    target: Square,
) -> BoxPath | None:
    """Return the path of a box to the target, with packed and frozen boxes as walls; None if there is none."""
    walls = boxes & plan.masks[plan.step(boxes)] | positions.tables.frozen(boxes)
    candidates = boxes & ~walls
    movers = assignment.movers(boxes, candidates, target) if assignment else candidates
    path = positions.find_path(boxes, region, walls, movers, 1 << target)
    if path is None and movers != candidates:
        path = positions.find_path(boxes, region, walls, candidates, 1 << target)
    return path


class Advisors:
    """Advisors of a search with a plan; see SearchSettings for ``clears``."""

    def __init__(
        self, positions: Positions, paths: PlanPaths, assignment: Assignment | None = None, *, clears: bool
    ) -> None:
        """``assignment``: adds an advisor that reduces unmatched steps."""
        self._apart = positions.tables.apart
        self._paths = paths
        self._meter = positions.meter
        self._assignment = assignment
        self._clears = clears

    def advise(self, node: Node, moves: Sequence[Move]) -> Generator[Progress, None, set[int | None]]:
        """Return the indices of the moves to make first; None comes from an advisor without a proposal."""
        before = node.score
        kept = [each for each in enumerate(moves) if each[1].score[PACKED] <= before[PACKED]]
        steady = [each for each in kept if each[1].score[REGIONS] <= before[REGIONS]]
        packing = improving(PACKED, before, kept)
        advised = [best(packing), best([each for each in kept if each[1].opens])]
        for feature in (REGIONS, HOTSPOTS, OUT_OF_PLAN):
            advised.append(best(improving(feature, before, steady)))
        if len(moves) >= _MANY_MOVES:
            yield self._meter.progress()
        if self._assignment:
            advised.append((yield from self._matching(self._assignment, node, kept)))
        if not packing:
            advised.append(self._opener(node, kept, steady))
        return set(advised)

    def _matching(
        self, assignment: Assignment, node: Node, moves: Sequence[Choice]
    ) -> Generator[Progress, None, int | None]:
        """Return the best move that leaves fewer steps of the plan without a box."""
        unmatched = assignment.unmatched(node.boxes)
        if not unmatched:
            return None
        # Moves between squares that allow the same steps have the same effect.
        in_vain = set()
        for number, (index, move) in enumerate(sorted(moves, key=_score_of), start=1):
            if number % _MANY_MOVES == 0:
                yield self._meter.progress()
            before, after = assignment.steps_from[move.origin], assignment.steps_from[move.square]
            if not after & ~before or (before, after) in in_vain:
                continue
            if assignment.unmatched(move.boxes) < unmatched:
                return index
            in_vain.add((before, after))
        return None

    def _opener(self, node: Node, kept: Sequence[Choice], steady: Sequence[Choice]) -> int | None:
        """Return the move that makes room for the next step of the plan."""
        target = self._paths.target(node.boxes)
        if target is None:
            return None
        path = self._paths.find(node.boxes, node.region, target) if self._clears else None
        clearing = off_the_path(path, steady, kept) if path is not None else []
        return best(clearing) if clearing else self._make_room(target, steady)

    def _make_room(self, target: Square, moves: Sequence[Choice]) -> int | None:
        """Return the move that takes one of the boxes nearest to ``target`` farthest from it."""
        if not moves:
            return None
        apart = {origin: self._apart(origin, target) for origin in {move.origin for _, move in moves}}
        nearest = min(apart.values())
        near = [each for each in moves if apart[each[1].origin] == nearest]
        return max(near, key=lambda each: self._apart(each[1].square, target))[0]


def off_the_path(path: BoxPath, *choices: Sequence[Choice]) -> list[Choice]:
    """Return the moves that take a box off a path, from the first of ``choices`` that has any."""
    for moves in choices:
        clearing = [
            (i, move) for i, move in moves if path.blockers >> move.origin & 1 and not path.squares >> move.square & 1
        ]
        if clearing:
            return clearing
    return []


def improving(feature: int, score: Score, moves: Sequence[Choice]) -> list[Choice]:
    before = score[feature]
    return [each for each in moves if each[1].score[feature] < before]


def best(moves: Sequence[Choice]) -> int | None:
    return min(moves, key=_score_of)[0] if moves else None


def _score_of(choice: Choice) -> Score:
    return choice[1].score
