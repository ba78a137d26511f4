"""How the searches of many levels ended, by which strategies, and what they took, as a table."""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.commands.support.search_request import Answer
from sokoterm.solver.protocol import Reason, Status

_HEAD = f"{'':<20} levels     seconds          nodes    pushes      moves"


class SearchTotals(NamedTuple):
    """What became of one level; ``ending`` as ``status_text`` has it, pushes and moves 0 without a solution."""

    ending: str
    strategy: str
    seconds: float
    nodes: int
    pushes: int
    moves: int


def status_text(status: Status, reason: Reason | None) -> str:
    """How a search ended, and at which limit."""
    return status.replace("_", " ") + (f": {reason}" if reason else "")


def figures(answer: Answer) -> SearchTotals:
    """The figures of an answer."""
    outcome, solution = answer.outcome, answer.solution
    pushes, moves = (solution.pushes, solution.moves) if solution else (0, 0)
    ending = status_text(outcome.status, outcome.reason)
    return SearchTotals(ending, outcome.strategy, outcome.seconds, outcome.nodes, pushes, moves)


def summary(levels: Sequence[SearchTotals]) -> str:
    """A line for each way to end that occurred, below it one for each strategy where there are several; the totals."""
    lines = [_HEAD]
    for ending in _ENDINGS:
        ended = [each for each in levels if each.ending == ending]
        if ended:
            lines.append(_line(ending, ended))
        strategies = sorted({each.strategy for each in ended})
        if len(strategies) > 1:
            lines += [_line(f"  {name}", [each for each in ended if each.strategy == name]) for name in strategies]
    return "\n".join([*lines, _line("all", levels)])


_ENDINGS = (
    status_text(Status.SOLVED, None),
    status_text(Status.UNSOLVABLE, None),
    *(status_text(Status.GAVE_UP, reason) for reason in Reason),
)


def _line(name: str, levels: Sequence[SearchTotals]) -> str:
    seconds, nodes = sum(each.seconds for each in levels), sum(each.nodes for each in levels)
    pushes, moves = sum(each.pushes for each in levels), sum(each.moves for each in levels)
    return f"{name:<20} {len(levels):6,} {seconds:11,.2f} {nodes:14,} {pushes:9,} {moves:10,}"
