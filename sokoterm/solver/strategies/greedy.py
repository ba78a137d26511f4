"""Greedy search: always on from the state that seems nearest to a solution, however long the way there was.

It solves many levels that A* cannot, by solutions that are some pushes too long; on a level without a solution it is
as good a proof as any, since in the end every state has been seen or proven dead.  What leads it astray are dead states
that seem near to the end, so a state is tested for deadlocks before it is expanded: on small crowded levels that pays
most.
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver.common.perimeter import Perimeter
from sokoterm.solver.protocol import Limits, Search
from sokoterm.solver.strategies.best_first import best_first


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """A solution of at least one push, or the proof that there is none.

    ``perimeter``: where it may meet other searches of the level.
    """
    return best_first("greedy", board, start, limits, _priority, optimal=False, perimeter=perimeter)


def _priority(depth: int, bound: int) -> int:  # noqa: ARG001 - the depth is what a greedy search leaves out
    return bound
