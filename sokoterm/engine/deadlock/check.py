"""Kinds of deadlock, the two cheapest tests (dead squares and freeze deadlocks), and a store of deadlock patterns.

Both tests ignore where the player is, so a hit is a proof, but a miss proves nothing.  ``detector`` runs all tests.
"""

from collections import deque
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Direction, Square, flood, scan
from sokoterm.engine.board import Board, State, flattened, layered
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.engine.slides import live_slides

# Up to this product of squares and layers, colours are told apart; this takes a third of a second.
_LARGEST = 4_000_000
# Pushes tried before a level that begins solved counts as playable: at least these, or that many squares of boards.
_FEWEST_PUSHES = 100
_MOST_SQUARES = 1_000_000


class DeadlockKind(StrEnum):
    """Reasons for a position to be dead, in the order of the tests.

    DEAD_SQUARE: a box that cannot reach any goal from its square, given the player's side.  FREEZE: a box off the goals
    that can never move again, or only to a dead square.  CLOSED_DIAGONAL: the same for boxes in a zigzag.  BIPARTITE: a
    set of boxes that can reach fewer goals than it has boxes.  RETROGRADE: a goal that no box can reach any more.
    LEARNED: a set of boxes proven dead by this or an earlier search.  PAIR: two nearby boxes that cannot both reach
    goals.  CORRAL: an area closed to the player, whose boxes can neither leave it nor all reach goals.
    """

    DEAD_SQUARE = "dead square"
    FREEZE = "freeze"
    CLOSED_DIAGONAL = "closed diagonal"
    BIPARTITE = "bipartite"
    RETROGRADE = "retrograde"
    LEARNED = "learned pattern"
    PAIR = "pair"
    CORRAL = "corral"


class Deadlock(NamedTuple):
    """A proof that a position is dead, even with only ``boxes`` on the board; in RETROGRADE they block the goal."""

    kind: DeadlockKind
    boxes: Bitboard


def dead_squares(board: Board, color: int | None = None) -> Bitboard:
    """Return the floor squares from which a lone box of a colour (from 0) cannot be pushed to a goal that accepts it.

    Assumes that the player can reach every side of the box.
    """
    return board.floor & ~live_slides(board).leading_to(board.goals_by_layer[0 if color is None else color + 1])


# For a layer: the dead squares, and the floor squares where a box can never move sideways, or up and down, because of
# a wall or because all these pushes end on dead squares.
LostSquares = tuple[Bitboard, Bitboard, Bitboard]


class FreezeCheck:
    """The two cheapest tests for one board, dead squares and freeze deadlocks, with their tables.

    The tables (see LostSquares) have layers like the boxes of a ``State``.  The tests also hold on ice, where a push
    needs a free square on both sides of the box too, and ``slides`` finds where slides may end.
    """

    def __init__(self, board: Board, lost: Sequence[LostSquares] = ()) -> None:
        """``lost``: tables for each layer, sharper than the default, which ignores the player's side."""
        self.board = board
        self.dead_squares, self.blocked_across, self.blocked_along = (
            layered(first, rest, board.size) for first, *rest in zip(*(lost or _lost_squares(board)))
        )
        self._home = board.home
        self._size = board.size if board.colors else 0

    @property
    def live(self) -> Bitboard:
        return self.board.floor * self.board.all_layers & ~self.dead_squares

    def find(self, boxes: Bitboard) -> Deadlock | None:
        """Return the deadlock of ``boxes``, or None if no test proves one."""
        if dead := boxes & self.dead_squares:
            return Deadlock(DeadlockKind.DEAD_SQUARE, flattened(dead, self._size) if self._size else dead)
        frozen = self.frozen(boxes)
        away = boxes & ~self._home if frozen else 0
        if lost := frozen & (flattened(away, self._size) if self._size else away):
            return Deadlock(DeadlockKind.FREEZE, flood(lost, frozen, self.board.stride))
        return None

    def stuck_beside(self, boxes: Bitboard) -> Bitboard:
        """Return the squares where an additional box without a colour might freeze."""
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        return (across | boxes << 1 | boxes >> 1) & (along | boxes << stride | boxes >> stride)

    def frozen(self, boxes: Bitboard) -> Bitboard:
        """Return the squares of the boxes that can never move again without making the position dead.

        A box is blocked along an axis by the board (see the tables) or by a frozen neighbour.  Starts with all boxes
        and drops those with an unblocked axis until nothing changes: none of the rest can move first.
        """
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        if self._size:
            across, along = flattened(boxes & across, self._size), flattened(boxes & along, self._size)
            boxes &= self.board.floor
        frozen = boxes
        while True:
            left = frozen & (across | frozen << 1 | frozen >> 1) & (along | frozen << stride | frozen >> stride)
            if left == frozen:
                return frozen
            frozen = left


def _lost_squares(board: Board) -> list[LostSquares]:
    slides, floor = live_slides(board), board.floor

    @cache
    def lost(goals: Bitboard) -> LostSquares:
        live = slides.leading_to(goals)
        across = slides.pulled(live, Direction.RIGHT) | slides.pulled(live, Direction.LEFT)
        along = slides.pulled(live, Direction.DOWN) | slides.pulled(live, Direction.UP)
        return floor & ~live, floor & ~across, floor & ~along

    return [*map(lost, goals_told_apart(board))]


def goals_told_apart(board: Board) -> Sequence[Bitboard]:
    """Return for each layer the goals that accept its boxes, or all goals if separate colours would take too long."""
    layers = board.goals_by_layer
    return layers if board.floor.bit_count() * len(layers) <= _LARGEST else [board.goals] * len(layers)


@lru_cache(maxsize=2)
def check_of(board: Board) -> FreezeCheck:
    """Return the cached FreezeCheck of a board."""
    return FreezeCheck(board)


def cannot_be_played(board: Board, start: State) -> bool:
    """True if a level begins solved and a short search proves that no pushes lead back to a solved position."""
    return is_solved(board, start) and _never_returns(board, start)


@lru_cache(64)
def _never_returns(board: Board, start: State) -> bool:
    check, left = check_of(board), max(_FEWEST_PUSHES, _MOST_SQUARES // board.size)
    first = start.normalized(board)
    met, waiting = {first}, [first]
    while waiting:
        state = waiting.pop()
        for each in legal_pushes(board, state):
            after, left = push(board, state, each), left - 1
            if after is None or check.find(after.boxes) is not None:
                continue
            if left < 0 or is_solved(board, after):
                return False
            if (after := after.normalized(board)) not in met:
                met.add(after)
                waiting.append(after)
    return True


class Patterns:
    """Store of at most ``most`` deadlock patterns; the oldest are dropped.

    A pattern is a set of boxes and an area: every position that contains these boxes, with the player in the area, is
    dead.  Two threads may share a store, as the game and its background prover do; at worst a pattern is lost.
    """

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        # Each pattern is indexed by two of its boxes (or twice by its only one); ``_others``: the second of each first.
        self._by_box: dict[Square, dict[Square, list[tuple[Bitboard, Bitboard]]]] = {}
        self._others: dict[Square, Bitboard] = {}
        self._places: deque[tuple[Square, Square]] = deque()
        # All patterns ever learned, including dropped ones.
        self.learned = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, boxes: Bitboard, area: Bitboard) -> None:
        """Add a pattern; ``area`` is the player's region with only these boxes on the board."""
        if self.find(boxes, area):
            return
        # Index by the boxes with the fewest patterns, to keep lookups short.
        first, *rest = sorted(scan(boxes), key=lambda each: len(self._by_box.get(each, ())))
        second = rest[0] if rest else first
        if len(self._places) >= self._most:
            self._forget(*self._places.popleft())
        self.learned += 1
        # The order matters if another thread is in ``find``.
        self._others[first] = self._others.get(first, 0) | 1 << second
        self._by_box.setdefault(first, {}).setdefault(second, []).append((boxes, area))
        self._places.append((first, second))

    def _forget(self, first: Square, second: Square) -> None:
        patterns = self._by_box[first].get(second, [])
        del patterns[:1]
        if not patterns:
            self._by_box[first].pop(second, None)
            self._others[first] &= ~(1 << second)

    def find(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return the boxes of a pattern in the position, or 0 if it contains none."""
        by_box, others = self._by_box, self._others
        # A large board of many colours takes seconds to scan.
        for box in scan(boxes) if by_box else ():
            if box in by_box:
                under = by_box[box]
                for other in scan(others[box] & boxes):
                    for pattern, area in under.get(other, ()):
                        if pattern & boxes == pattern and area & region:
                            return pattern
        return 0
