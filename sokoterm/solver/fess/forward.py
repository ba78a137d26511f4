"""The search for a solution: pushes forward, scored by how far the plan has come."""

from collections.abc import Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, lowest, scan
from sokoterm.solver.fess.advisors import DISTANCE, Advisors, Hotspots
from sokoterm.solver.fess.battery import Battery
from sokoterm.solver.fess.corral import find_pi_corral
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.macro import macro_moves, regions, touching
from sokoterm.solver.fess.plan import Plan
from sokoterm.solver.fess.tree import Move, Node, Score, weighed
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


class Manner(NamedTuple):
    """How a search differs from others: what decides between moves of equal features, and what it leaves out.

    ``prunes``: where there is a PI-corral, only its moves are looked at.  ``spreads``: boxes that are not packed yet
    are best far from the goals, where they are in nobody's way; else near to them.
    """

    prunes: bool
    spreads: bool


class Forward:
    """Scores: steps packed (negative), regions, boxes out of plan, hotspots, distance of the boxes from the goals.

    The first three are the features that make the cells.
    """

    cell_size = 3

    def __init__(self, ground: Ground, plan: Plan, battery: Battery, meter: Meter, manner: Manner) -> None:
        self._ground = ground
        self._plan = plan
        self._battery = battery
        self._meter = meter
        self._manner = manner
        self._sign = -1 if manner.spreads else 1
        self._hotspots = Hotspots(ground)
        self._advisors = Advisors(ground, plan)
        self._seen: set[tuple[Bitboard, int]] = set()

    def root(self, boxes: Bitboard, region: Bitboard) -> Move:
        """The position to begin with."""
        self._seen.add((boxes, lowest(region)))
        parts = len(regions(self._ground.floor & ~boxes, self._ground.stride))
        distance = self._sign * sum(map(self._ground.to_goal.__getitem__, scan(boxes)))
        return Move(0, self._score(boxes, parts, distance), boxes, region, 0, 0, 0)

    def is_goal(self, boxes: Bitboard) -> bool:
        return boxes == self._ground.goals

    def is_dead(self, move: Move) -> bool:
        return self._battery.is_dead(move.boxes, move.region)

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        ground, stride, meter, seen = self._ground, self._ground.stride, self._meter, self._seen
        boxes, region, to_goal = node.boxes, node.region, ground.to_goal
        meter.nodes += 1
        meter.stored = len(seen)
        meter.check()
        free = ground.floor & ~boxes
        frozen = ground.frozen(boxes)
        movable = boxes & ~frozen
        if self._manner.prunes and (fence := find_pi_corral(ground, boxes, region, frozen)) is not None:
            movable &= fence
        moves: list[Move] = []
        for box in touching(movable, region, stride):
            yield meter.progress()
            lifted = free | 1 << box
            area = flood(1 << box, lifted, stride)
            others = len(regions(lifted ^ area, stride))
            for square, after, pieces in macro_moves(
                ground.board, area, region, box, lifted & ground.live, pulls=False
            ):
                if meter.is_due():
                    yield meter.progress()
                there = boxes ^ 1 << box | 1 << square
                key = there, lowest(after)
                if key in seen and there != ground.goals or ground.frozen(there) & ~ground.goals:
                    continue
                seen.add(key)
                distance = node.score[DISTANCE] + self._sign * (to_goal[square] - to_goal[box])
                moves.append(Move(1, self._score(there, others + pieces, distance), there, after, 0, box, square))
        if len(moves) <= 2:
            return weighed(moves, iter(range(1)))
        return weighed(moves, self._advisors.advise(node, moves))

    def _score(self, boxes: Bitboard, parts: int, distance: int) -> Score:
        packed = self._plan.packed(boxes)
        out_of_plan = (boxes & self._plan.zones[packed]).bit_count()
        return -packed, parts, out_of_plan, self._hotspots.count(boxes), distance
