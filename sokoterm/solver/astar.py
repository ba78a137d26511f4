"""A*: the solution with the fewest pushes, led by the matching lower bound.

The bound is consistent: a push lowers it by one at most, since each distance is exact for a lone box and the matching
is the cheapest.  So the depth of a state is final when it leaves the queue, and none is expanded twice (Hart, Nilsson
and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968).
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver.best_first import best_first
from sokoterm.solver.protocol import Limits, Search


def search(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes (at least one), or the proof that there is none.

    A solution may be found before it is known to be the best; a better one may then follow.
    """
    return best_first("astar", board, start, limits, _priority, optimal=True)


def _priority(depth: int, bound: int) -> int:
    """The fewest pushes in all first, of equal ones the deepest."""
    return depth + bound << 32 | bound
