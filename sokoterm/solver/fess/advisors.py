"""Advisors: each proposes at most one move of a position to make first, never one that unpacks a box."""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.box_path import BoxPath
from sokoterm.solver.fess.features import HOTSPOTS, OUT_OF_PLAN, PACKED, REGIONS, ROOMS
from sokoterm.solver.fess.plan import PackingPlan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.tree import Move, Node, Score
from sokoterm.solver.protocol import Progress

# A move with its index among the moves of a position.
Choice = tuple[int, Move]

# Moves between two yields.
_MANY_MOVES = 1_024


class PlanPaths:
    """Paths to the square that the plan fills next, for the positions of one search."""

    def __init__(self, positions: Positions, plan: PackingPlan, assignment: Assignment | None = None) -> None:
        """``assignment``: prefers boxes that the other steps can do without."""
        self._positions = positions
        self._plan = plan
        self._assignment = assignment
        self._latest: tuple[tuple[Bitboard, Bitboard], BoxPath | None] = ((0, 0), None)

    def target(self, boxes: Bitboard) -> Square | None:
        """Return the square that the plan fills next, or None after the last step."""
        wanted = self._plan.next_squares(boxes)
        return lowest(wanted) if wanted else None

    def find(self, boxes: Bitboard, region: Bitboard, target: Square) -> BoxPath | None:
        """Return the path of a box to the target, with packed and frozen boxes as walls; None if there is none.

        The result for the last position is cached; the target depends on the position.
        """
        if self._latest[0] != (boxes, region):
            self._latest = (boxes, region), self._find(boxes, region, target)
        return self._latest[1]

    def in_the_way(self, boxes: Bitboard, region: Bitboard) -> int:
        """Count the boxes in the way; all boxes if there is no path."""
        target = self.target(boxes)
        if target is None:
            return 0
        path = self.find(boxes, region, target)
        return (boxes if path is None else path.blockers).bit_count()

    def _find(self, boxes: Bitboard, region: Bitboard, target: Square) -> BoxPath | None:
        positions = self._positions
        walls = boxes & self._plan.masks[self._plan.step(boxes)] | positions.tables.frozen(boxes)
        candidates = boxes & ~walls
        movers = self._assignment.movers(boxes, candidates, target) if self._assignment else candidates
        path = positions.find_path(boxes, region, walls, movers, 1 << target)
        if path is None and movers != candidates:
            path = positions.find_path(boxes, region, walls, candidates, 1 << target)
        return path


class Advisors:
    """The advisors of a search with a plan; see SearchSettings for ``clears``."""

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
        """Return the indices of the moves to make first; None stands for an advisor without a proposal."""
        before = node.score
        kept: list[Choice] = []
        steady: list[Choice] = []
        # Moves that improve each feature, and moves that open a door.
        better: dict[int, list[Choice]] = {each: [] for each in (PACKED, REGIONS, ROOMS, HOTSPOTS, OUT_OF_PLAN)}
        opening: list[Choice] = []
        for choice in enumerate(moves):
            index, move = choice
            if index % _MANY_MOVES == _MANY_MOVES - 1:
                yield self._meter.progress()
            score = move.score
            if score[PACKED] > before[PACKED]:
                continue
            kept.append(choice)
            if score[PACKED] < before[PACKED]:
                better[PACKED].append(choice)
            if move.opens:
                opening.append(choice)
            if score[REGIONS] > before[REGIONS]:
                continue
            steady.append(choice)
            if score[REGIONS] < before[REGIONS]:
                better[REGIONS].append(choice)
            if score[OUT_OF_PLAN] < before[OUT_OF_PLAN]:
                better[OUT_OF_PLAN].append(choice)
            if score[ROOMS] < before[ROOMS]:
                better[ROOMS].append(choice)
            if score[HOTSPOTS] < before[HOTSPOTS]:
                better[HOTSPOTS].append(choice)
        advised = [best(each) for each in better.values()]
        advised.append(best(opening))
        if self._assignment:
            advised.append((yield from self._matching(self._assignment, node, kept)))
        yield from self._pause(moves)
        if not better[PACKED]:
            advised.append(self._opener(node, kept, steady))
        return set(advised)

    def _pause(self, moves: Sequence[Move]) -> Iterator[Progress]:
        """Yield once if one pass over the moves takes long."""
        if len(moves) >= _MANY_MOVES:
            yield self._meter.progress()

    def _matching(
        self, assignment: Assignment, node: Node, moves: Sequence[Choice]
    ) -> Generator[Progress, None, int | None]:
        """Return the best move that leaves fewer steps of the plan without a box."""
        unmatched = assignment.unmatched(node.boxes)
        if not unmatched:
            return None
        # Moves with the same steps possible before and after have the same effect.
        in_vain = set()
        for number, (index, move) in enumerate(sorted(moves, key=_score_of), start=1):
            if number % _MANY_MOVES == 0:
                yield self._meter.progress()
            before, after = assignment.steps_from(move.origin), assignment.steps_from(move.square)
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
        """Return the move that takes a box nearest to ``target`` farthest from it."""
        if not moves:
            return None
        apart = {origin: self._apart(origin, target) for origin in {move.origin for _, move in moves}}
        nearest = min(apart.values())
        near = [each for each in moves if apart[each[1].origin] == nearest]
        return max(near, key=lambda each: self._apart(each[1].square, target))[0]


def off_the_path(path: BoxPath, *choices: Sequence[Choice]) -> list[Choice]:
    """Return the moves that clear a box off a path, from the first of ``choices`` that has any."""
    for moves in choices:
        clearing = [
            (i, move) for i, move in moves if path.blockers >> move.origin & 1 and not path.squares >> move.square & 1
        ]
        if clearing:
            return clearing
    return []


def best(moves: Sequence[Choice]) -> int | None:
    """Return the index of the move with the best score, or None if there are no moves."""
    return min(moves, key=_score_of)[0] if moves else None


def _score_of(choice: Choice) -> Score:
    return choice[1].score
