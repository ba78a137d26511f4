"""Advisors: each names at most one move of a position that is worth making first.

None of them takes a move that unpacks something.
"""

from collections.abc import Iterator, Sequence

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.solver.fess.ground import Ground, LoneBox
from sokoterm.solver.fess.macro import pushable
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.tree import Move, Node

# The places of the features in a score.
PACKED, REGIONS, OUT_OF_PLAN, HOTSPOTS, DISTANCE = range(5)


class Advisors:
    """The advisors of the search for a solution."""

    def __init__(self, ground: Ground, plan: Plan) -> None:
        self._ground = ground
        self._plan = plan

    def advise(self, node: Node, moves: Sequence[Move]) -> Iterator[int]:
        """The indices of the moves that are worth making first."""
        kept = [(i, move) for i, move in enumerate(moves) if move.score[PACKED] <= node.score[PACKED]]
        steady = [(i, move) for i, move in kept if move.score[REGIONS] <= node.score[REGIONS]]
        packing = [each for each in kept if each[1].score[PACKED] < node.score[PACKED]]
        yield from _best(packing)
        yield from _best([each for each in kept if each[1].score[REGIONS] < node.score[REGIONS]])
        yield from _best([each for each in steady if each[1].score[HOTSPOTS] < node.score[HOTSPOTS]])
        yield from _best([each for each in steady if each[1].score[OUT_OF_PLAN] < node.score[OUT_OF_PLAN]])
        yield from _best(self._doors(node, kept))
        if not packing:
            yield from self._opener(node, steady)

    def _doors(self, node: Node, moves: Sequence[tuple[int, Move]]) -> list[tuple[int, Move]]:
        """Moves that can be taken back and open a way for the player to push another box."""
        ground, stride = self._ground, self._ground.stride
        before = pushable(node.boxes, node.region, ground.floor & ~node.boxes & ground.live, stride)
        found = []
        for index, move in moves:
            if not ground.reach[move.square] >> move.origin & 1 or not move.region & ~node.region & ~(1 << move.origin):
                continue
            after = pushable(move.boxes, move.region, ground.floor & ~move.boxes & ground.live, stride)
            if any(now & ~then & node.boxes for now, then in zip(after, before)):
                found.append((index, move))
        return found

    def _opener(self, node: Node, moves: Sequence[tuple[int, Move]]) -> Iterator[int]:
        """The move that takes the box nearest to the next square of the plan farthest from it."""
        wanted = self._plan.next_squares(-node.score[PACKED], node.boxes)
        if not wanted or not moves:
            return
        place = lowest(wanted)
        nearest = min(self._apart(move.origin, place) for _, move in moves)
        near = [each for each in moves if self._apart(each[1].origin, place) == nearest]
        yield max(near, key=lambda each: self._apart(each[1].square, place))[0]

    def _apart(self, square: Square, other: Square) -> int:
        row, column = divmod(square, self._ground.stride)
        other_row, other_column = divmod(other, self._ground.stride)
        return abs(row - other_row) + abs(column - other_column)


def _best(moves: Sequence[tuple[int, Move]]) -> Iterator[int]:
    if moves:
        yield min(moves, key=lambda each: each[1].score)[0]


class Hotspots:
    """Which boxes keep others from goals: found for a square when a box first stands there."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._blocked: dict[Square, Bitboard] = {}
        self._towards = [ground.lone.squares_towards(1 << goal) for goal in ground.goal_squares]

    def count(self, boxes: Bitboard) -> int:
        """How many boxes off the goals block some other box off the goals."""
        loose = left = boxes & ~self._ground.goals
        blocked = self._blocked
        count = 0
        while left:
            box = left.bit_length() - 1
            left ^= 1 << box
            if box not in blocked:
                blocked[box] = self._blocked_by(box)
            if blocked[box] & loose:
                count += 1
        return count

    def _blocked_by(self, box: Square) -> Bitboard:
        """The squares from which a box on ``box`` keeps others from a goal that they could reach without it."""
        lone = LoneBox(self._ground.board, 1 << box)
        blocked = 0
        for goal, towards in zip(self._ground.goal_squares, self._towards):
            if goal != box:
                blocked |= towards & ~lone.squares_towards(1 << goal)
        return blocked & ~(1 << box)
