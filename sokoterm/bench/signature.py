"""What every strategy does with a fixed suite: the same on every machine, until the search itself is changed."""

from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.library.packs import bundled_packs, open_pack
from sokoterm.solver.job import solve
from sokoterm.solver.protocol import Limits, Strategy

# Enough for each strategy to solve most of the levels and to give up on some.
NODES = 1_000


class Signature(NamedTuple):
    """The levels solved, and the sums over all of them."""

    solved: int
    nodes: int
    pushes: int
    moves: int


def signature_suite() -> list[Level]:
    """The levels of First Steps, the first of the packs that ship: all strategies are soon through with these."""
    return [*open_pack(bundled_packs()[0]).levels]


def signature(levels: list[Level], strategy: Strategy) -> Signature:
    """What a strategy does with the levels by nodes alone, whatever the clock and the memory say."""
    limits = Limits(float("inf"), NODES, 1 << 62, lambda: 0.0, 1 << 62, lambda: 0)
    answers = [solve(level.board, level.start, strategy, limits) for level in levels]
    solutions = [solution for solution, _ in answers if solution is not None]
    return Signature(
        len(solutions),
        sum(outcome.nodes for _, outcome in answers),
        sum(solution.pushes for solution in solutions),
        sum(solution.moves for solution in solutions),
    )
