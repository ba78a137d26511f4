"""The strategy for those who do not want to choose: the best solution where it can be had, else any.

A level of one box is for the push planner.  Of the others, A* has a share of the limits: it solves most levels of
everyday size in that, with the fewest pushes.  What it cannot, the search by features tries, and at last the greedy
search.  The outcome names the one that answered.
"""

from sokoterm.engine.board import Board, State
from sokoterm.solver import astar, greedy, one_box
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.protocol import Limits, Outcome, Progress, Search, Status

# What part of the limits each has; the last one has what is left.
_SHARES = ((astar.search, 6), (search_by_features, 2))


def search(board: Board, start: State, limits: Limits) -> Search:
    """A solution of at least one push, the one with the fewest where that is proven in time."""
    if one_box.can_solve(start):
        return (yield from one_box.search(board, start, limits))
    # The memory of a search is free again after it, so its states do not count any more.
    before: Outcome | None = None
    for strategy, share in _SHARES:
        part = limits._replace(
            seconds=limits.seconds / share, nodes=limits.nodes // share, states=limits.states // share
        )
        before = yield from _added(before, strategy(board, start, part))
        if before.status is not Status.GAVE_UP:
            return before
    spent = (before.seconds, before.nodes) if before else (0.0, 0)
    rest = limits._replace(seconds=limits.seconds - spent[0], nodes=limits.nodes - spent[1])
    return (yield from _added(before, greedy.search(board, start, rest)))


def search_fewest_pushes(board: Board, start: State, limits: Limits) -> Search:
    """The solution with the fewest pushes, with the proof, or none at all."""
    strategy = one_box.search if one_box.can_solve(start) else astar.search
    return (yield from strategy(board, start, limits))


def _added(first: Outcome | None, search: Search) -> Search:
    """A search whose nodes and seconds count on from those of the one before."""
    if first is None:
        return (yield from search)
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
