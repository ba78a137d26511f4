"""Where the player can walk, and the shortest way there."""

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood
from sokoterm.engine.board import Board, State


def reachable_area(board: Board, state: State) -> Bitboard:
    """Every square the player can walk to without a push, its own included."""
    return flood(1 << state.player, board.floor & ~state.boxes, board.stride)


def find_walk(board: Board, state: State, target: Square) -> list[Direction] | None:
    """A shortest walk from the player to ``target``, or None if there is none; the same one every time.

    Grows the set of squares by one step at a time until it meets the target, then goes back through the layers.
    """
    free = board.floor & ~state.boxes
    target_bit = 1 << target
    seen = layer = 1 << state.player
    layers = []
    while not layer & target_bit:
        layers.append(layer)
        stride = board.stride
        layer = (layer << 1 | layer >> 1 | layer << stride | layer >> stride) & free & ~seen
        if not layer:
            return None
        seen |= layer
    walk: list[Direction] = []
    square = target
    for layer in reversed(layers):
        direction = next(d for d in DIRECTIONS if _holds(layer, square - board.offsets[d]))
        walk.append(direction)
        square -= board.offsets[direction]
    walk.reverse()
    return walk


def _holds(bitboard: Bitboard, square: Square) -> bool:
    return square >= 0 and bool(bitboard >> square & 1)
