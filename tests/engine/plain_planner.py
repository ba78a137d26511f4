"""Where a box can be pushed, the slow but plain way: a flood fill for every step, and Dijkstra over single steps."""

from heapq import heappop, heappush

from sokoterm.engine.bits import Square, flood
from sokoterm.engine.board import Board, State


def plain_pushes(board: Board, state: State, box: Square) -> dict[Square, int]:
    """The fewest pushes of one box to each square, by a search over box squares and player areas."""
    free = board.floor & ~state.boxes | 1 << box
    pushes = {box: 0}
    start = (box, flood(1 << state.player, free & ~(1 << box), board.stride))
    seen, layer = {start}, [start]
    count = 0
    while layer:
        count += 1
        reached = []
        for square, area in layer:
            for offset in board.offsets:
                landing = square + offset
                if area >> (square - offset) & 1 and free >> landing & 1:
                    place = landing, flood(1 << square, free & ~(1 << landing), board.stride)
                    if place not in seen:
                        seen.add(place)
                        reached.append(place)
                        pushes.setdefault(landing, count)
        layer = reached
    return pushes


def plain_costs(board: Board, state: State, box: Square, *, pushes_first: bool) -> dict[Square, tuple[int, int]]:
    """(pushes, moves) of the best plan to each square; fewest pushes then moves, or fewest moves then pushes."""
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
