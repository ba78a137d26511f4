"""Breadth-first search over pushes: the simplest strategy, and the baseline for the others.

States that differ only by a walk of the player count as one.  Layers are expanded in order, so the first solution has
the fewest pushes.
"""

from collections.abc import Generator

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.state_space import Packing, solution, trail, within_limits
from sokoterm.solver.domain import Domain
from sokoterm.solver.search import Found, Limits, Meter, Progress, Search


def search(board: Board, start: State, limits: Limits) -> Search:
    """Search for a solution with fewest pushes (at least one) or prove that there is none."""
    meter = Meter("bfs", board, limits, bytes_per_state=120)
    return within_limits(board, start, meter, _search(board, start, meter))


def _search(board: Board, start: State, meter: Meter) -> Generator[Progress | Found, None, None]:
    domain, packing = Domain(board), Packing(board)
    successors, is_freeze_deadlock, telling = domain.successors(), domain.is_freeze_deadlock, domain.telling
    floor, goals, stride, bits = board.floor, board.goals, board.stride, packing.bits
    # The parent of every state seen, and all dead box sets, so that nothing is analysed twice.
    first = packing.pack(start.normalized(board))
    parents = {first: first}
    dead: set[Bitboard] = set()
    meter.watch(parents, dead)
    layer = [first]
    while layer:
        next_layer: list[int] = []
        for key in layer:
            meter.stored = len(parents) + len(dead)
            meter.check()
            meter.nodes += 1
            boxes = key >> bits
            region = flood(1 << (key & packing.mask), floor & ~boxes, stride)
            for _, box, _, _, after in successors.pushes_from(boxes, region):
                if meter.is_due():
                    yield meter.progress()
                if after & telling == goals:
                    found = Found(solution(board, start, [*trail(parents.__getitem__, key, packing), after]))
                    meter.best = meter.lower_bound = meter.depth + 1
                    yield found
                    return
                if after in dead:
                    continue
                child = after << bits | lowest(flood(box, floor & ~after, stride))
                if child in parents:
                    continue
                if is_freeze_deadlock(after):
                    dead.add(after)
                    continue
                parents[child] = key
                next_layer.append(child)
        layer = next_layer
        meter.depth = meter.lower_bound = meter.depth + 1
