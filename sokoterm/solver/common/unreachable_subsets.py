"""Pruning by pairs and triples of boxes that no solution brings together.

With all other boxes lifted, two or three boxes can reach only some positions by pushes from their starts, or by pulls
from goals.  A position in which two or three boxes form any other arrangement is on no path from start to end.  The
tables come from exhaustive search of the small problems; Junghanns and Schaeffer find such patterns during the search
("Sokoban: enhancing general single-agent search methods using domain knowledge", Artificial Intelligence 129, 2001).
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import combinations
from math import comb

from sokoterm.engine.bits import Bitboard, Direction, Square, bitboard_of, flood, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.player_region import region_after
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Most arrangements of two boxes, and of three, for which tables are built: about half a second of work each.
_MOST_ARRANGEMENTS = {2: 20_000, 3: 60_000}

# Boxes, and the player's area.
_Position = tuple[Bitboard, Bitboard]


class UnreachableSubsets:
    """Table of pairs and triples of boxes that cannot occur, looked up by the box just moved."""

    def __init__(self, board: Board) -> None:
        size = board.stride * board.height
        self._board = board
        # By the player's side and the square of a box beside the player: the squares where no second box can be.
        self._pairs = [[0] * size for _ in board.offsets]
        # The same for two other boxes: the squares of the higher by the bit of the lower, and all lower ones.
        self._higher: list[list[dict[Bitboard, Bitboard]]] = [[{} for _ in range(size)] for _ in board.offsets]
        self._lower = [[0] * size for _ in board.offsets]

    def are_among(self, boxes: Bitboard, square: Square, side: Direction) -> bool:
        """True if the box on a square, with the player beside it on that side, forms an unreachable pair or triple."""
        if boxes & self._pairs[side][square]:
            return True
        lower = boxes & self._lower[side][square]
        while lower:
            bit = lower & -lower
            if boxes & self._higher[side][square][bit]:
                return True
            lower ^= bit
        return False

    def note(self, boxes: tuple[Square, ...], walks: Bitboard) -> None:
        """Add a pair or triple of boxes that occurs only with the player on one of the squares ``walks``."""
        whole = bitboard_of(boxes)
        closed = self._board.floor & ~whole & ~walks
        if not closed:
            return
        for square in boxes:
            others = whole ^ 1 << square
            lower = others & -others
            for side, offset in enumerate(self._board.offsets):
                if not closed >> square + offset & 1 or others & self._pairs[side][square]:
                    continue
                if others == lower:
                    self._pairs[side][square] |= others
                else:
                    self._lower[side][square] |= lower
                    higher = self._higher[side][square]
                    higher[lower] = higher.get(lower, 0) | others ^ lower


def unreachable_from_start(
    board: Board, start: State, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, UnreachableSubsets]:
    """Find the subsets that no pushes lead to from the start; ``squares``: those that boxes can reach."""

    def beginnings(count: int) -> Iterator[_Position]:
        for boxes in combinations(scan(start.boxes), count):
            together = bitboard_of(boxes)
            yield together, flood(1 << start.player, board.floor & ~together, board.stride)

    return (yield from _find_unreachable(board, squares, beginnings, meter, pulls=False))


def unable_to_reach_goals(
    board: Board, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, UnreachableSubsets]:
    """Find the subsets that no pushes lead from to goals; ``squares``: those from which a box can reach a goal."""

    def ends(count: int) -> Iterator[_Position]:
        for boxes in combinations(scan(board.goals), count):
            together = bitboard_of(boxes)
            for region in regions(board.floor & ~together, board.stride):
                yield together, region

    return (yield from _find_unreachable(board, squares, ends, meter, pulls=True))


def _find_unreachable(
    board: Board, squares: Bitboard, first: Callable[[int], Iterable[_Position]], meter: Meter, *, pulls: bool
) -> Generator[Progress, None, UnreachableSubsets]:
    unreachable = UnreachableSubsets(board)
    for count, most in _MOST_ARRANGEMENTS.items():
        if count > board.goals.bit_count() or comb(squares.bit_count(), count) > most:
            break
        walked = yield from _walked(board, first(count), meter, pulls=pulls)
        for boxes in combinations(scan(squares), count):
            unreachable.note(boxes, walked.get(bitboard_of(boxes), 0))
            if meter.is_due():
                yield meter.progress()
    return unreachable


def _walked(
    board: Board, first: Iterable[_Position], meter: Meter, *, pulls: bool
) -> Generator[Progress, None, dict[Bitboard, Bitboard]]:
    """Return, for each set of boxes reachable from the positions ``first``, all squares the player can be on."""
    floor, stride = board.floor, board.stride
    walked: dict[Bitboard, Bitboard] = {}
    waiting: list[_Position] = []
    for boxes, region in first:
        walked[boxes] = walked.get(boxes, 0) | region
        waiting.append((boxes, region))
        if meter.is_due():
            yield meter.progress()
    while waiting:
        boxes, region = waiting.pop()
        free = floor & ~boxes
        if meter.is_due():
            yield meter.progress()
        for box in scan(boxes):
            for offset in board.offsets:
                landing = box + offset
                stands, player = (landing, landing + offset) if pulls else (box - offset, box)
                if not region >> stands & 1 or not free >> landing & 1 or pulls and not free >> player & 1:
                    continue
                after = boxes ^ (1 << box | 1 << landing)
                known = walked.get(after, 0)
                if not known >> player & 1:
                    reached = region_after(region, 1 << player, 1 << box, landing, floor & ~after, stride)
                    walked[after] = known | reached
                    waiting.append((after, reached))
    return walked
