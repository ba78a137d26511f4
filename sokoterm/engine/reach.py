"""The player's reachable squares, and shortest walks."""

from collections.abc import Sequence

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, beside, flood
from sokoterm.engine.board import Board, State


def reachable_area(board: Board, state: State) -> Bitboard:
    """Return every square the player can walk to without a push, including its own."""
    return flood(1 << state.player, board.floor & ~state.boxes, board.stride)


def find_walk(board: Board, state: State, target: Square) -> list[Direction] | None:
    """Return a shortest walk from the player to ``target``, the first by its directions; None if there is none.

    Spreads from the target over the whole board, step by step; a long way on a large board is found square by square,
    in time and memory linear in the board.
    """
    free = board.floor & ~state.boxes | 1 << state.player
    layers = [1 << target & free if target >= 0 else 0]
    for _ in range(_MOST_BITS // board.size):
        layer = layers[-1]
        if layer >> state.player & 1:
            return _walk_through(board, state.player, layers[-2::-1])
        if not layer:
            return None
        free &= ~layer
        layers.append(beside(layer, board.stride) & free)
    return _find_by_squares(board, state, target)


# Bits of the layers kept: 32 MB.
_MOST_BITS = 1 << 28


def _walk_through(board: Board, square: Square, layers: Sequence[Bitboard]) -> list[Direction]:
    """Return the walk whose squares lie in these layers."""
    walk = []
    for layer in layers:
        for direction, offset in zip(DIRECTIONS, board.offsets):
            if square + offset >= 0 and layer >> square + offset & 1:
                walk.append(direction)
                square += offset
                break
    return walk


def _find_by_squares(board: Board, state: State, target: Square) -> list[Direction] | None:
    free = f"{board.floor & ~state.boxes:b}"[::-1].ljust(board.stride * (board.height + 1), "0")
    came_by: dict[Square, Direction] = {}
    reached = [state.player]
    for square in reached:
        if square == target:
            return _walk_back(board, came_by, state.player, target)
        for direction in DIRECTIONS:
            neighbour = square + board.offsets[direction]
            if neighbour >= 0 and free[neighbour] == "1" and neighbour not in came_by and neighbour != state.player:
                came_by[neighbour] = direction
                reached.append(neighbour)
    return None


def _walk_back(board: Board, came_by: dict[Square, Direction], start: Square, target: Square) -> list[Direction]:
    walk: list[Direction] = []
    while target != start:
        walk.append(came_by[target])
        target -= board.offsets[walk[-1]]
    walk.reverse()
    return walk
