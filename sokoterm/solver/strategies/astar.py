"""A*: finds a solution with fewest pushes, guided by the matching lower bound.

The matching bound is consistent: a push lowers it by one at most, since distances are exact for a lone box and the
matching has minimum cost.  With pair penalties it is not, so a state found again on a shorter path is expanded again
(Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968).
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
    """Search for a solution with fewest pushes (at least one), or prove that there is none.

    A solution may be yielded before it is proven optimal; a better one may follow.  ``best_known``: the pushes of a
    solution the caller has; only shorter ones are searched for, and SOLVED without a solution means that one: if
    ``optimal`` is set, it has the fewest.  ``perimeter``: positions shared with other searches of the level.
    ``few_boxes``: use tables of unreachable pairs and triples once the search has become long; levels are generated and
    rated by node counts without them.
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
    """Rank by total pushes, then the deepest first."""
    return depth + bound << 32 | bound
