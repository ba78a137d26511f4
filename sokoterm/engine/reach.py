"""The player's reachable squares, and shortest walks."""

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood
from sokoterm.engine.board import Board, State


def reachable_area(board: Board, state: State) -> Bitboard:
    """Return every square the player can walk to without a push, including its own."""
    return flood(1 << state.player, board.floor & ~state.boxes, board.stride)


def find_walk(board: Board, state: State, target: Square) -> list[Direction] | None:
    """Return a shortest walk from the player to ``target``, the same one every time; None if there is none.

    Breadth-first by squares: time and memory are linear in the board, even for a maze of one long corridor.
    """
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
