"""A search backwards for a position to be imagined: all boxes as near as they can be to where they begin.

None leaves the board, so the line to that position, read from its end, is a way to the goals.  What is left to find is
the way to the imagined position: mostly a short one, where boxes that begin in each other's way have to change places.
"""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.solver.fess.ground import FAR, Ground
from sokoterm.solver.fess.packing import Unpacking, WayOut
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.tree import Move, Node, Score, search_farthest
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


def search_imagined(ground: Ground, bases: Bitboard, meter: Meter, effort: int) -> Generator[Progress, None, Node]:
    """The node with the most boxes where they begin, all at best; ``effort`` is that of ``search_farthest``."""
    return (yield from search_farthest(_Homing(ground, bases, meter), effort))


def imagined_plan(ground: Ground, found: Node, meter: Meter) -> Generator[Progress, None, Plan]:
    """The plan to come to the position found, and from there along its line to the goals.

    Until then every square is out of plan where the imagined position has no box.
    """
    masks = [0, *dict.fromkeys(node.boxes for node in reversed(found.line()))]
    zones = [ground.live & ~found.boxes, *[0] * (len(masks) - 1)]
    distances = [FAR] * len(ground.to_goal)
    for square in scan(ground.live):
        yield meter.progress()
        pushes = ground.lone.pushes_from(square)
        distances[square] = min(pushes.get(imagined, FAR) for imagined in scan(found.boxes))
    return Plan(masks, zones, distances)


class _Homing(Unpacking):
    """Scores: boxes off the bases, 0, regions, distance of the boxes from the bases."""

    def __init__(self, ground: Ground, bases: Bitboard, meter: Meter) -> None:
        super().__init__(ground, bases, WayOut(), meter)
        self._to_base: list[int] = []

    def prepare(self) -> Generator[Progress, None, None]:
        yield from super().prepare()
        for square in range(len(self._ground.to_goal)):
            yield self._meter.progress()
            self._to_base.append(min(pushes.get(square, FAR) for pushes in self._pushes.values()))

    def is_goal(self, move: Move) -> bool:
        return move.boxes == self._bases

    def _first_score(self, count: int) -> Score:
        goals = self._ground.goals
        return (goals & ~self._bases).bit_count(), 0, count, sum(self._to_base[goal] for goal in scan(goals))

    def _pulled(self, score: Score, box: Square, square: Square, count: int) -> Score:
        off_bases = score[0] + (self._bases >> box & 1) - (self._bases >> square & 1)
        return off_bases, 0, count, score[3] + self._to_base[square] - self._to_base[box]

    def _advised(self, moves: list[Move], score: Score) -> Iterator[int]:
        """The best move that brings a box home, the one that brings boxes nearest, and those of all such searches."""
        steady = [i for i, move in enumerate(moves) if move.score[2] <= score[2]]
        home = [i for i in steady if moves[i].score[0] < score[0]]
        if home:
            yield min(home, key=lambda i: moves[i].score)
        if steady:
            yield min(steady, key=lambda i: moves[i].score[2:])
        yield from super()._advised(moves, score)

    def _sinks(self, boxes: Bitboard, bases: Bitboard) -> Sequence[Bitboard]:  # noqa: ARG002 - no box leaves
        return ()
