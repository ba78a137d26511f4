"""Push planning: boxes that can be pushed, risky squares for a box, and boxes that can reach a square."""

from collections.abc import Iterable
from enum import StrEnum
from time import monotonic

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, bytes_of, flood, scan, shift, squares_of, tester
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.planner.box_reach import BoxReach, boxes_that_might_reach
from sokoterm.engine.planner.cut_vertices import CutVertices
from sokoterm.engine.rules import boxes_away, boxes_taken, color_at

_TELL_SECONDS = 0.25  # minimum time between two updates of a search's progress

# Offsets of every second square of a board in both directions: no two squares of a class are adjacent.
_CLASSES = ((0, 0), (0, 1), (1, 0), (1, 1))


class LandingRisk(StrEnum):
    FINE = "fine"
    DEAD = "dead"
    FREEZES = "freezes"


def boxes_at_hand(board: Board, state: State) -> list[Square]:
    """Return the boxes that can be pushed, nearest to the player first, ties from the top left.

    A breadth-first search, at most linear in the size of the board.
    """
    free = board.floor & ~state.boxes
    area = flood(1 << state.player, free, board.stride)
    boxes_of: dict[Square, list[Square]] = {}
    for offset in board.offsets:
        for box in squares_of(state.boxes & shift(area, offset) & shift(free, -offset)):
            boxes_of.setdefault(box - offset, []).append(box)
    missing = {box for boxes in boxes_of.values() for box in boxes}
    order: list[Square] = []
    reached, seen = [state.player], bytearray(bytes_of(free, board.size, 0, 1))
    seen[state.player] = 1
    while missing:
        met = sorted({box for square in reached for box in boxes_of.get(square, ())} & missing)
        order += met
        missing.difference_update(met)
        after = []
        for square in reached:
            for offset in board.offsets:
                if not seen[square + offset]:
                    seen[square + offset] = 1
                    after.append(square + offset)
        reached = after
    return order


def box_way(board: Board, state: State, box: Square, lurd: str) -> list[Square]:
    """Return the squares on the path of a pushed box, starting with its own, including those it slides over."""
    is_ice, is_free = tester(board.ice, board.size), tester(board.floor & ~state.boxes | 1 << box, board.size)
    way = [box]
    for each in filter(str.isupper, lurd):
        offset = board.offsets[direction_of(each)]
        way.append(way[-1] + offset)
        while is_ice(way[-1]) and is_free(way[-1] + offset):
            way.append(way[-1] + offset)
    return way


def landing_risks(
    check: FreezeCheck, boxes: Bitboard, box: Square, squares: Iterable[Square]
) -> dict[Square, LandingRisk]:
    """Return the squares that are not FINE for a box while the other boxes stay where they are.

    DEAD squares come from ``dead_squares``. A square FREEZES the box if it would join a group of frozen boxes with at
    least one off the goals; other groups do not count.
    """
    board, asked, color = check.board, bitboard_of(squares), color_at(check.board, boxes, box)
    layer = 0 if color is None else (color + 1) * board.size

    def alike(some: Bitboard) -> Bitboard:
        return some | some << layer

    others = boxes & ~alike(1 << box)
    dead = asked & check.dead_squares >> layer
    # Test many at once: a box that is not frozen among many boxes is not frozen without them either.
    suspects = 0
    for row, column in _CLASSES:
        some = asked & ~dead & _lattice(board, row, column)
        suspects |= some & check.frozen(others | alike(some))
    freezing = [each for each in scan(suspects) if _freezes(check, others | alike(1 << each), each)]
    return dict.fromkeys(squares_of(dead), LandingRisk.DEAD) | dict.fromkeys(freezing, LandingRisk.FREEZES)


def _freezes(check: FreezeCheck, boxes: Bitboard, square: Square) -> bool:
    """True if the box on a square belongs to a group of frozen boxes with at least one off the goals."""
    board = check.board
    frozen = flood(1 << square, check.frozen(boxes), board.stride)
    return bool(frozen & boxes_away(board, State(boxes, -1)))


def _lattice(board: Board, row: int, column: int) -> Bitboard:
    """Return every second square of every second row, starting at ``row`` and ``column``."""
    line = int("01" * (board.stride // 2 + 1), 2) << column & (1 << board.stride) - 1
    return sum(line << each * board.stride for each in range(row, board.height, 2))


class ReachSearch:
    """Incremental search for the boxes that can reach a goal of their colour, run in slices between keys.

    ``found`` has the boxes in the given order, of ``total`` to look at. ``told`` is a snapshot of ``looked_at`` and
    ``found``, updated at a pace suited to display.
    """

    def __init__(
        self, board: Board, state: State, blocks: CutVertices, boxes: Iterable[Square], square: Square
    ) -> None:
        """``boxes`` are the boxes that can be pushed, ``blocks`` the cut vertices of the position."""
        self.square = square
        self.found: list[Square] = []
        self.looked_at = 0
        self.told: tuple[int, tuple[Square, ...]] = 0, ()
        self._board = board
        self._state = state
        self._blocks = blocks
        might = boxes_that_might_reach(board, state, square)
        is_candidate = tester(might & boxes_taken(board, state.boxes, square), board.size)
        self._boxes = [box for box in boxes if is_candidate(box)]
        self.total = len(self._boxes)
        self._told_at = monotonic()

    @property
    def is_done(self) -> bool:
        return self.looked_at == self.total

    def work(self, seconds: float) -> None:
        """Look at one or more boxes, until all are done or the time is up."""
        now = monotonic()
        end = now + seconds
        while not self.is_done:
            box = self._boxes[self.looked_at]
            self.looked_at += 1
            if self.square in BoxReach(self._board, self._state, box, self._blocks).pushes:
                self.found.append(box)
            now = monotonic()
            if now >= end:
                break
        if now >= self._told_at + _TELL_SECONDS:
            self.told, self._told_at = (self.looked_at, tuple(self.found)), now
