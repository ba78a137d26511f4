"""Where a box can be pushed, with a flood fill for every step: the slow but plain way, to measure the planner by."""

from sokoterm.engine.bits import Square, flood
from sokoterm.engine.board import Board, State


def naive_pushes(board: Board, state: State, box: Square) -> dict[Square, int]:
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
