"""Registry of strategies by name.

A new strategy is a module or package with a function of type Strategy, and a row here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.engine.board import Board, State
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.protocol import Limits, Search, Strategy
from sokoterm.solver.strategies import auto, backward, beam, best_first, bfs, fewest_moves
from sokoterm.solver.variants import backward as variant_backward
from sokoterm.solver.variants import best_first as variant_best_first
from sokoterm.solver.variants import fess as variant_fess
from sokoterm.solver.variants import fewest_moves as variant_fewest_moves


class DoesNotApply(ValueError):  # noqa: N818 - a limit of a strategy, not a fault
    """Raised for a strategy that does not know the kind of the board."""


class ByKind(Value):
    """A Strategy that calls one for ordinary boards or one for those with a variant; None if there is none for them.

    ``on_ice``: the latter knows ice, not colours alone.
    """

    name: str
    ordinary: Strategy
    with_variant: Strategy | None = None
    on_ice: bool = True

    @property
    def why_not(self) -> str:
        """The reason why it does not apply, in words."""
        if self.with_variant is None:
            return _("strategy {name}: not for levels with colours or ice", name=self.name)
        return _("strategy {name}: not for levels with ice", name=self.name)

    def applies(self, board: Board) -> bool:
        """True if it knows the kind of the board."""
        return board.variant is None or self.with_variant is not None and (self.on_ice or not board.variant.ice)

    def __call__(self, board: Board, start: State, limits: Limits) -> Search:
        """Return the search; raise DoesNotApply."""
        if board.variant is None:
            return self.ordinary(board, start, limits)
        if self.with_variant is None or not self.applies(board):
            raise DoesNotApply(self.why_not)
        return self.with_variant(board, start, limits)


def _by_name(*strategies: ByKind) -> Mapping[str, ByKind]:
    return MappingProxyType({each.name: each for each in strategies})


STRATEGIES = _by_name(
    ByKind("auto", auto.search, auto.search),
    ByKind("astar", best_first.astar, variant_best_first.astar),
    ByKind("bfs", bfs.search, variant_best_first.bfs),
    ByKind("greedy", best_first.greedy, variant_best_first.greedy),
    ByKind("backward", backward.search, variant_backward.search),
    ByKind("beam", beam.search),
    ByKind("fess", search_by_features, variant_fess.search, on_ice=False),
)

# The strategies that prove a solution optimal, by metric.
PROVERS = _by_name(
    ByKind("fewest pushes", auto.search_fewest_pushes, variant_best_first.astar),
    ByKind("fewest moves", fewest_moves.search, variant_fewest_moves.search),
)


def prover_of_fewest(metric: str) -> Strategy:
    """Return the strategy that proves a solution to have the fewest moves or pushes."""
    return PROVERS[f"fewest {metric}"]
