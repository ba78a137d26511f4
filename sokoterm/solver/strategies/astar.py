"""A*: the solution with the fewest pushes, led by the matching lower bound.

The bound of the matching is consistent: a push lowers it by one at most, since each distance is exact for a lone box
and the matching is the cheapest.  What pairs of boxes add to it is not: so a state that is found again on a shorter
way is expanded again (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
paths", 1968).
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.meter import NONE_YET
from sokoterm.solver.protocol import Limits, Search
from sokoterm.solver.strategies.best_first import best_first


def search(
    board: Board,
    start: State,
    limits: Limits,
    best_known: int = NONE_YET,
    perimeter: Perimeter | None = None,
    *,
    few_boxes: bool = True,
) -> Search:
    """The solution with the fewest pushes (at least one), or the proof that there is none.

    A solution may be found before it is known to be the best; a better one may then follow.  ``best_known``: the
    pushes of a solution that the caller has; only shorter ones are searched for, and an outcome of SOLVED without any
    speaks of that solution: with ``optimal`` set it is proven to have the fewest.  ``perimeter``: where it may meet
    other searches of the level.  ``few_boxes``: whether a long search has tables of two and three boxes; levels are
    made and rated by the nodes of one that has none.
    """
    return best_first(
        "astar",
        board,
        start,
        limits,
        _priority,
        optimal=True,
        best_known=best_known,
        perimeter=perimeter,
        few_boxes=few_boxes,
    )


def _priority(depth: int, bound: int) -> int:
    """The fewest pushes in all first, of equal ones the deepest."""
    return depth + bound << 32 | bound
