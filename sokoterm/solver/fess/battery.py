"""Tests by which a position is dead, the dearer ones after the cheap ones.

Each leaves something out of the position, boxes or the player's whereabouts, so "dead" is a proof.
"""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, scan
from sokoterm.solver.fess.corral import CorralSearch
from sokoterm.solver.fess.ground import Ground, LoneBox, can_match

# As many sets of frozen boxes have their tables at a time.
_MOST_TABLES = 1_000


class _Table(NamedTuple):
    """Where lone boxes can be pushed beside frozen ones: for each open goal the sides from which it is reached."""

    lone: LoneBox
    goals: list[Square]
    sides: list[list[int]]


class Battery:
    """The tests of one board; what they find out is kept for the positions to come."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._tables: dict[Bitboard, _Table] = {}
        self._corrals = CorralSearch(ground)

    def is_dead(self, boxes: Bitboard, region: Bitboard) -> bool:
        """Whether the position is proven to be lost."""
        frozen = self._ground.frozen(boxes)
        return (
            bool(frozen & ~self._ground.goals)
            or self._has_no_matching(boxes, region, frozen)
            or self._corrals.finds_deadlock(boxes, region, frozen)
        )

    def _has_no_matching(self, boxes: Bitboard, region: Bitboard, frozen: Bitboard) -> bool:
        """Whether the boxes that are not frozen cannot all have goals of their own, each pushed as if it were alone."""
        table = self._table(frozen)
        rows = []
        for box in scan(boxes & ~frozen):
            sides = self._sides_of_player(table.lone, box, region)
            row = 0
            for number, (goal, towards) in enumerate(zip(table.goals, table.sides)):
                if box == goal or towards[box] & sides:
                    row |= 1 << number
            if not row:
                return True
            rows.append(row)
        return not can_match(rows)

    def _sides_of_player(self, lone: LoneBox, box: Square, region: Bitboard) -> int:
        """The sides of a box to which the player can come if only the frozen boxes stand in the way."""
        free_sides = lone.free_sides(box)
        if not free_sides:
            return 0
        joined = lone.joined(box, lowest(free_sides))
        if joined == free_sides:
            return joined
        area = flood(region & -region, lone.free & ~(1 << box), self._ground.stride)
        offsets = self._ground.board.offsets
        return sum(1 << side for side, offset in enumerate(offsets) if area >> box + offset & 1)

    def _table(self, frozen: Bitboard) -> _Table:
        table = self._tables.get(frozen)
        if table is None:
            lone = LoneBox(self._ground.board, frozen)
            goals = [goal for goal in self._ground.goal_squares if not frozen >> goal & 1]
            table = _Table(lone, goals, [lone.sides_towards(1 << goal) for goal in goals])
            if len(self._tables) >= _MOST_TABLES:
                self._tables.clear()
            self._tables[frozen] = table
        return table
