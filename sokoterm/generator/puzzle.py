"""Tests of rooms: a solution that a search finds soon, and no way to solve the room without thinking."""

from collections.abc import Iterator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.slices import Steps
from sokoterm.generator.rooms import room_of
from sokoterm.solver.common.state_space import Packing
from sokoterm.solver.domain import Successors
from sokoterm.solver.protocol import Found, Limits
from sokoterm.solver.strategies import best_first

# Nodes of A* to show that a box may stay on its goal, and positions looked at for a way to push boxes straight home.
_PROOF_NODES = 4_000
_MOST_POSITIONS = 5_000

# No clock and no memory measurement, so a search ends at the same point on every machine.
LIMITS = Limits(1.0, 0, 0, clock=lambda: 0.0, resident=lambda: 0)


class SolvedRoom(NamedTuple):
    """A solution with fewest pushes, and the positions expanded to find it."""

    solution: Solution
    nodes: int


def solve_by_nodes(board: Board, start: State, nodes: int) -> Steps[SolvedRoom | None]:
    """Search for a solution with fewest pushes; None if it is not found within ``nodes``."""
    limits = LIMITS._replace(nodes=nodes, states=20 * nodes)
    search = best_first.astar(board, start, limits, subsets_at=None)
    found = None
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            return found and SolvedRoom(found, end.value.nodes)
        if isinstance(event, Found):
            found = event.solution
        yield


def squares_used(board: Board, start: State, lurd: str) -> Bitboard:
    """Return the squares the player or a box is on at any time, and the goals."""
    used = board.goals | start.boxes | 1 << start.player
    for state, _ in play(board, start, parse_lurd(lurd)):
        used |= state.boxes | 1 << state.player
    return used


def is_puzzle(board: Board, start: State) -> Steps[bool]:
    """Return whether no box starts dead, each has to move, and pushing boxes to goals one by one does not solve it."""
    if FreezeCheck(board).find(start.boxes) or (yield from is_direct(board, start)):
        return False
    for box in scan(start.boxes & board.goals):
        if (yield from _may_stay(board, start, box)):
            return False
    return True


def _may_stay(board: Board, start: State, box: int) -> Steps[bool]:
    """Return whether the level has a solution with a wall in place of a box on a goal."""
    area = flood(1 << start.player, board.floor & ~(1 << box), board.stride)
    if start.boxes & ~area != board.goals & ~area:
        return False
    rest = room_of(area, board.width, board.height, board.goals & area)
    return (yield from solve_by_nodes(rest, start._replace(boxes=start.boxes & area), _PROOF_NODES)) is not None


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
        for _, pushed, _, _, after in successors.pushes_from(boxes, region, boxes ^ others):
            child = packing.pack(State(after, lowest(flood(pushed, board.floor & ~after, board.stride))))
            if child not in seen:
                seen.add(child)
                waiting.append(child)
                if (after ^ others) & board.goals:
                    yield child
