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

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """What gives the count for some boxes and one more on a square."""
        goals, blocked = self._board.goals, self._blocked
        loose = others & ~goals
        blocking = 0
        free: list[Bitboard] = []
        for box in scan(loose):
            from_here = blocked[box]
            if from_here & loose:
                blocking += 1
            elif from_here:
                free.append(from_here)

        def count(square: Square) -> int:
            if goals >> square & 1:
                return blocking
            total = blocking + 1 if blocked[square] & loose else blocking
            for each in free:
                total += each >> square & 1
            return total

        return count

    def look_at(self, square: Square) -> None:
        """Find the squares from which a box here keeps others from a goal that they could reach without it."""
        lone = LoneBox(self._board, 1 << square)
        blocked = 0
        for goal, towards in self._towards:
            blocked |= towards & ~lone.squares_towards(goal)
        self._blocked[square] = blocked & ~(1 << square)
        self.unknown &= ~(1 << square)
