"""Hotspots: boxes that keep others from goals."""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import Board
from sokoterm.engine.lone_box import LoneBox


class Hotspots:
    """Which boxes keep others from goals: ``look_at`` a square before a box stands there."""

    def __init__(self, board: Board, lone: LoneBox) -> None:
        """``lone``: what a box can do on the board when no other is there."""
        self._board = board
        # The squares that have not been looked at; boxes on goals keep no other from anything.
        self.unknown = board.floor & ~board.goals
        self._blocked: dict[Square, Bitboard] = {}
        self._towards = [(1 << goal, lone.squares_towards(1 << goal)) for goal in scan(board.goals)]

    def count(self, boxes: Bitboard) -> int:
        """How many boxes off the goals block some other box off the goals."""
        loose = boxes & ~self._board.goals
        return sum(bool(self._blocked[box] & loose) for box in scan(loose))

    def lifting(self, boxes: Bitboard) -> Callable[[Square], Callable[[Square], int]]:
        """What gives, by the square of one of some boxes, the count by the square to which that box goes."""
        goals, blocked = self._board.goals, self._blocked
        loose = boxes & ~goals
        blocking = 0
        # Boxes with what they would block: those that block none of the others, and by that one those that block one.
        harmless: list[tuple[Square, Bitboard]] = []
        blocking_one: dict[Square, list[tuple[Square, Bitboard]]] = {}
        for box in scan(loose):
            from_here = blocked[box]
            met = from_here & loose
            if met:
                blocking |= 1 << box
                if not met & met - 1:
                    blocking_one.setdefault(met.bit_length() - 1, []).append((box, from_here))
            elif from_here:
                harmless.append((box, from_here))

        def without(origin: Square) -> Callable[[Square], int]:
            others = loose & ~(1 << origin)
            freed = blocking_one.get(origin, [])
            steady = (blocking & others).bit_count() - len(freed)
            fields = [from_here for box, from_here in harmless + freed if box != origin]

            def count(square: Square) -> int:
                if goals >> square & 1:
                    return steady
                total = steady + 1 if blocked[square] & others else steady
                for each in fields:
                    total += each >> square & 1
                return total

            return count

        return without

    def look_at(self, square: Square) -> None:
        """Find the squares from which a box here keeps others from a goal that they could reach without it."""
        lone = LoneBox(self._board, 1 << square)
        blocked = 0
        for goal, towards in self._towards:
            blocked |= towards & ~lone.squares_towards(goal)
        self._blocked[square] = blocked & ~(1 << square)
        self.unknown &= ~(1 << square)
