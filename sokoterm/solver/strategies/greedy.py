"""Greedy best-first search: always expands the state with the least lower bound, however long the path to it.

It solves many levels that A* cannot, with solutions that are a few pushes too long; on an unsolvable level it is as
good a proof as any, since it ends when every state has been seen or proven dead.  Dead states that look near the end
mislead it, so each state is tested for deadlocks before it is expanded, which pays most on small crowded levels.
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.protocol import Limits, Search
from sokoterm.solver.strategies.best_first import best_first


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, or prove that there is none.

    ``perimeter``: positions shared with other searches of the level.
    """
    return best_first("greedy", board, start, limits, _priority, optimal=False, perimeter=perimeter)


def _priority(depth: int, bound: int) -> int:  # noqa: ARG001 - a greedy search ignores the depth
    return bound
