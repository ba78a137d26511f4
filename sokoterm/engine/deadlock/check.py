"""Kinds of deadlock, and the two cheapest tests: dead squares and freeze deadlocks.

Both ignore where the player is, so a hit is a proof; a miss proves nothing.  ``detector`` runs these and the more
expensive tests in order.  Sets of boxes that are proven dead once are kept as patterns.
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

# Squares times layers up to which it is found where boxes can come to goals; that takes a third of a second.
_LARGEST = 4_000_000
# Pushes tried before a level that begins solved is taken to be playable: these, or so many squares of the board.
_FEWEST_PUSHES = 100
_MOST_SQUARES = 1_000_000


class DeadlockKind(StrEnum):
    """Reasons for a position to be dead, in the order of the tests.

    DEAD_SQUARE: a box that cannot reach any goal from its square, given the player's side.  FREEZE: a box off the goals
    that can never move again, or only to a dead square.  CLOSED_DIAGONAL: the same for boxes in a zigzag.  BIPARTITE:
    a set of boxes that can reach fewer goals than there are boxes in it.  RETROGRADE: a goal that no box can be pushed
    onto any more.  LEARNED: a set of boxes proven dead by this or an earlier search.  PAIR: two nearby boxes that
    cannot both reach goals.  CORRAL: an area closed to the player, whose boxes can neither leave it nor all reach
    goals.
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
    """A proof that a position is dead: it stays dead if only ``boxes`` are left on the board.

    In a RETROGRADE deadlock ``boxes`` are those that block the goal, which none of the others can reach.
    """

    kind: DeadlockKind
    boxes: Bitboard


def dead_squares(board: Board, color: int | None = None) -> Bitboard:
    """Return the floor squares from which a lone box of a colour, from 0, cannot be pushed to a goal that takes it.

    The player is taken to be on whichever side is needed.
    """
    return board.floor & ~live_slides(board).leading_to(board.goals_by_layer[0 if color is None else color + 1])


# The dead squares of a layer, and the floor squares where a box of it can never move sideways, or up and down: it has a
# wall on one side, or all pushes end on squares that are dead to it.
LostSquares = tuple[Bitboard, Bitboard, Bitboard]


class FreezeCheck:
    """The two cheapest tests for one board, dead squares and freeze deadlocks, with their tables.

    The tables are in layers, as the boxes of a ``State``: see LostSquares.  The tests hold on ice too: a push needs a
    free square on both sides of the box on any kind of board, and where a slide may end is told by ``slides``.
    """

    def __init__(self, board: Board, lost: Sequence[LostSquares] = ()) -> None:
        """``lost``: sharper tables, one for each layer, than those computed here, which ignore the player's side."""
        self.board = board
        self.dead_squares, self.blocked_across, self.blocked_along = (
            layered(first, rest, board.size) for first, *rest in zip(*(lost or _lost_squares(board)))
        )
        self._home = board.home
        self._size = board.size if board.colors else 0

    @property
    def live(self) -> Bitboard:
        """The squares that are not dead, in layers."""
        return self.board.floor * self.board.all_layers & ~self.dead_squares

    def find(self, boxes: Bitboard) -> Deadlock | None:
        """Return the deadlock of ``boxes``, or None if no test proves one; dead squares come first."""
        if dead := boxes & self.dead_squares:
            return Deadlock(DeadlockKind.DEAD_SQUARE, flattened(dead, self._size) if self._size else dead)
        frozen = self.frozen(boxes)
        away = boxes & ~self._home if frozen else 0
        if lost := frozen & (flattened(away, self._size) if self._size else away):
            return Deadlock(DeadlockKind.FREEZE, flood(lost, frozen, self.board.stride))
        return None

    def stuck_beside(self, boxes: Bitboard) -> Bitboard:
        """Return the squares where an added box without a colour might freeze; on any other square it can move."""
        across, along, stride = self.blocked_across, self.blocked_along, self.board.stride
        return (across | boxes << 1 | boxes >> 1) & (along | boxes << stride | boxes >> stride)

    def frozen(self, boxes: Bitboard) -> Bitboard:
        """Return the squares of the boxes that can never move again without making the position dead.

        A box is blocked along an axis by the board (see the tables) or by a frozen neighbour.  Start with all boxes
        frozen and drop those with an unblocked axis until nothing changes: none of the rest can move first.
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
    """Return for each layer the goals that take its boxes; all goals, if it takes too long to look at each colour."""
    layers = board.goals_by_layer
    return layers if board.floor.bit_count() * len(layers) <= _LARGEST else [board.goals] * len(layers)


@lru_cache(maxsize=2)
def check_of(board: Board) -> FreezeCheck:
    """Return the two cheapest tests for a board, the same for all who show one position."""
    return FreezeCheck(board)


def cannot_be_played(board: Board, start: State) -> bool:
    """True if a level begins solved and no pushes lead back to a solved position, as a short search proves.

    Any other level that begins solved is solved by leaving the goals and coming back.
    """
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

    A pattern is a set of boxes and an area: a position that contains these boxes, with the player in the area, is dead
    whatever other boxes there are.

    Two threads may share a store, as the game and its background prover do; at worst a pattern is lost.
    """

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        # Each pattern is indexed by two of its boxes (or its only one, twice); ``_others``: the second for each first.
        self._by_box: dict[Square, dict[Square, list[tuple[Bitboard, Bitboard]]]] = {}
        self._others: dict[Square, Bitboard] = {}
        self._places: deque[tuple[Square, Square]] = deque()
        # Patterns ever learned, including those dropped since.
        self.learned = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, boxes: Bitboard, area: Bitboard) -> None:
        """Add a pattern; ``area`` is the player's full region with only its boxes on the board."""
        if self.find(boxes, area):
            return
        # Index by the boxes with the fewest patterns, to keep lookups short.
        first, *rest = sorted(scan(boxes), key=lambda each: len(self._by_box.get(each, ())))
        second = rest[0] if rest else first
        if len(self._places) >= self._most:
            self._forget(*self._places.popleft())
        self.learned += 1
        # The order matters to a thread in ``find`` at the same time.
        self._others[first] = self._others.get(first, 0) | 1 << second
        self._by_box.setdefault(first, {}).setdefault(second, []).append((boxes, area))
        self._places.append((first, second))

    def _forget(self, first: Square, second: Square) -> None:
        """Drop the oldest pattern indexed by these two boxes."""
        patterns = self._by_box[first].get(second, [])
        del patterns[:1]
        if not patterns:
            self._by_box[first].pop(second, None)
            self._others[first] &= ~(1 << second)

    def find(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return the boxes of a pattern that the position contains, or 0 if it contains none."""
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
