"""The strategy for those who do not want to choose: the best solution where it can be had, else any.

A* has a quarter of the limits: it solves most levels of everyday size in that, with the fewest pushes.  What it
cannot, the greedy search tries with the rest.  The outcome names the one that answered.
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver import astar, greedy
from sokoterm.solver.protocol import Limits, Outcome, Progress, Search, Status

# Measured on Microban I at 10 s a level and half a million states: see the commit that made this a quarter.
_ASTAR_SHARE = 4


def search(board: Board, start: State, limits: Limits) -> Search:
    """A solution of at least one push, the one with the fewest where that is proven in time."""
    share = limits._replace(
        seconds=limits.seconds / _ASTAR_SHARE, nodes=limits.nodes // _ASTAR_SHARE, states=limits.states // _ASTAR_SHARE
    )
    first = yield from astar.search(board, start, share)
    if first.status is not Status.GAVE_UP:
        return first
    # The memory of A* is free again, so its states do not count any more.
    rest = limits._replace(seconds=limits.seconds - first.seconds, nodes=limits.nodes - first.nodes)
    return (yield from _added(first, greedy.search(board, start, rest)))


def _added(first: Outcome, search: Search) -> Search:
    """A search whose nodes and seconds count on from those of the one before."""
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            last: Outcome = end.value
            return last._replace(
                nodes=first.nodes + last.nodes,
                stored=max(first.stored, last.stored),
                seconds=first.seconds + last.seconds,
                repeatable=first.repeatable and last.repeatable,
            )
        if isinstance(event, Progress):
            event = event._replace(nodes=first.nodes + event.nodes, seconds=first.seconds + event.seconds)
        yield event
