"""The two cheapest tests on boards with colours or ice: dead squares and freeze deadlocks.

Which tests hold there is told in ``variant_detector``.
"""

from functools import cached_property, lru_cache

from sokoterm.engine.bits import Bitboard, Direction, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, FreezeCheck
from sokoterm.engine.rules import is_solved, legal_pushes, push
from sokoterm.engine.slides import live_slides
from sokoterm.engine.variant import Variant

# Squares times layers up to which it is found where boxes can come to goals; that takes a third of a second.
_LARGEST = 4_000_000
# Pushes tried before a level that begins solved is taken to be playable: these, or so many squares of the board.
_FEWEST_PUSHES = 100
_MOST_SQUARES = 1_000_000


class VariantCheck:
    """Dead squares and freeze deadlocks of a board with a variant; boxes have layers as in ``State``.

    ``live[layer]``: the squares from which a box of a layer may come to a goal that takes it.
    """

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        """``walls``: squares of boxes that never move; their goals are taken."""
        self.board = board
        self._variant = board.variant or Variant()
        self._goals = self._variant.goals_by_layer(board.goals & ~walls)
        self._slides = slides = live_slides(board, walls)
        is_large = board.floor.bit_count() * len(self._goals) > _LARGEST
        self.live = [board.floor if is_large else slides.leading_to(goals) for goals in self._goals]
        # Squares where a box of each layer can never move along a row, or along a column: a wall is on one side, or
        # all pushes end on squares that are dead to it.
        right, left, down, up = Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP
        self._across = [~(slides.pulled(each, right) | slides.pulled(each, left)) for each in self.live]
        self._along = [~(slides.pulled(each, down) | slides.pulled(each, up)) for each in self.live]

    def find(self, boxes: Bitboard) -> Deadlock | None:
        """Return the deadlock of all boxes of a position that can move, or None; dead squares come first."""
        layers = self._variant.boxes_by_layer(boxes, self.board.size)
        dead = lost = 0
        for those, live, goals in zip(layers, self.live, self._goals):
            dead |= those & ~live
            lost |= those & ~goals
        if dead:
            return Deadlock(DeadlockKind.DEAD_SQUARE, dead)
        frozen = self._frozen(layers) if lost else 0
        if frozen & lost:
            return Deadlock(DeadlockKind.FREEZE, flood(frozen & lost, frozen, self.board.stride))
        return None

    def frozen(self, boxes: Bitboard) -> Bitboard:
        """Return the squares of the boxes that can never move again without making the position dead."""
        return self._frozen(self._variant.boxes_by_layer(boxes, self.board.size))

    def _frozen(self, layers: list[Bitboard]) -> Bitboard:
        """Drop the boxes that can move until nothing changes, as ``FreezeCheck.frozen`` does.

        A push needs a free square on both sides of the box on any kind of board.
        """
        frozen = across = along = 0
        for those, blocked_across, blocked_along in zip(layers, self._across, self._along):
            frozen |= those
            across |= those & blocked_across
            along |= those & blocked_along
        stride = self.board.stride
        while True:
            left = frozen & (across | frozen << 1 | frozen >> 1) & (along | frozen << stride | frozen >> stride)
            if left == frozen:
                return frozen
            frozen = left

    def rows(self, boxes: Bitboard) -> list[tuple[Bitboard, int]]:
        """Return each box as a Bitboard, with the goals it may reach as bits in the order of ``scan``."""
        rows = []
        for those, goals in zip(self._variant.boxes_by_layer(boxes, self.board.size), self._goals):
            taking = [(1 << number, towards) for number, (goal, towards) in enumerate(self._towards) if goals & goal]
            for box in scan(those):
                rows.append((1 << box, sum(bit for bit, towards in taking if towards >> box & 1)))
        return rows

    @cached_property
    def _towards(self) -> list[tuple[Bitboard, Bitboard]]:
        """For each goal, the squares from which a box may come to it."""
        return [(1 << goal, self._slides.leading_to(1 << goal)) for goal in scan(self._goals[0])]


@lru_cache(maxsize=2)
def check_of(board: Board) -> FreezeCheck | VariantCheck:
    """Return the two cheapest tests for a board of any kind."""
    return FreezeCheck(board) if board.variant is None else VariantCheck(board)


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
