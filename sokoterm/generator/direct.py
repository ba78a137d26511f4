"""Detection of levels that are no puzzle: solved by pushing one box after another straight to its goal."""

from collections.abc import Iterator

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.generator.steps import Steps
from sokoterm.solver.common.successors import Successors
from sokoterm.solver.common.trail import Packing

_MOST_POSITIONS = 5_000


def is_direct(board: Board, start: State) -> Steps[bool]:
    """Return whether, in some order, pushing each box to a goal in one go and leaving it there solves the level.

    Boxes that start on goals stay there.  Also True if there are too many ways to try them all.
    """
    packing = Packing(board)
    first = packing.pack(start.normalized(board))
    seen = {first}
    waiting = [first]
    while waiting:
        yield
        key = waiting.pop()
        boxes = packing.boxes(key)
        if boxes == board.goals or len(seen) > _MOST_POSITIONS:
            return True
        left = boxes & ~board.goals
        while left:
            box = left & -left
            left ^= box
            for after in _brought_home(board, packing, key, box):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return False


def _brought_home(board: Board, packing: Packing, key: int, box: Bitboard) -> Iterator[int]:
    """Yield the keys of the positions after pushing one box to a goal with all others in place."""
    successors = Successors(board, [board.floor] * 4)
    others = packing.boxes(key) ^ box
    seen = {key}
    waiting = [key]
    while waiting:
        state = waiting.pop()
        boxes = packing.boxes(state)
        region = flood(1 << (state & packing.mask), board.floor & ~boxes, board.stride)
        for _, pushed, after in successors.pushes_from(boxes, region, boxes ^ others):
            child = packing.pack(State(after, lowest(flood(pushed, board.floor & ~after, board.stride))))
            if child not in seen:
                seen.add(child)
                waiting.append(child)
                if (after ^ others) & board.goals:
                    yield child
