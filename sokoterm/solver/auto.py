"""The strategy for those who do not want to choose: the best solution where it can be had, else any.

A level of one box is for the push planner.  Of the others, A* has a quarter of the limits: it solves most levels of
everyday size in that, with the fewest pushes.  What it cannot, the greedy search tries with the rest.  The outcome
names the one that answered.
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver import astar, greedy, one_box
from sokoterm.solver.protocol import Limits, Outcome, Progress, Search, Status

# Measured on Microban I at 10 s a level and half a million states: see the commit that made this a quarter.
_ASTAR_SHARE = 4


def search(board: Board, start: State, limits: Limits) -> Search:
    """A solution of at least one push, the one with the fewest where that is proven in time."""
    if one_box.can_solve(start):
        return (yield from one_box.search(board, start, limits))
    share = limits._replace(
        seconds=limits.seconds / _ASTAR_SHARE, nodes=limits.nodes // _ASTAR_SHARE, states=limits.states // _ASTAR_SHARE
    )
    first = yield from astar.search(board, start, share)
    if first.status is not Status.GAVE_UP:
        return first
    # The memory of A* is free again, so its states do not count any more.
    rest = limits._replace(seconds=limits.seconds - first.seconds, nodes=limits.nodes - first.nodes)
    return (yield from _added(first, greedy.search(board, start, rest)))


def search_fewest_pushes(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes, with the proof, or none at all."""
    strategy = one_box.search if one_box.can_solve(start) else astar.search
    return (yield from strategy(board, start, limits))


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
