"""Reference implementation of the costs of optimal plans for a box: Dijkstra over single steps."""

from heapq import heappop, heappush

from sokoterm.engine.bits import Square
from sokoterm.engine.board import Board, State


def plain_costs(board: Board, state: State, box: Square, *, pushes_first: bool) -> dict[Square, tuple[int, int]]:
    """Return (pushes, moves) of the best plan to each square: fewest pushes then moves, or fewest moves then pushes."""
    free = board.floor & ~state.boxes | 1 << box
    settled: set[tuple[Square, Square]] = set()
    best: dict[Square, tuple[int, int]] = {}
    waiting = [(0, 0, box, state.player)]
    while waiting:
        first, second, square, player = heappop(waiting)
        if (square, player) in settled:
            continue
        settled.add((square, player))
        best.setdefault(square, (first, second) if pushes_first else (second, first))
        for offset in board.offsets:
            target = player + offset
            if not free >> target & 1 or target == square and not free >> (square + offset) & 1:
                continue
            is_push = target == square
            cost = (first + is_push, second + 1) if pushes_first else (first + 1, second + is_push)
            heappush(waiting, (*cost, square + offset * is_push, target))
    return best
