"""Strategies by name.  To add one, write a function of type Strategy and add a row here."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.engine.board import Board, State
from sokoterm.engine.value import Value
from sokoterm.language import _
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.search import Limits, Search, Strategy
from sokoterm.solver.strategies import auto, backward, beam, best_first, bfs, fewest


class DoesNotApply(ValueError):  # noqa: N818 - a limit of a strategy, not a fault
    """Strategy used on a kind of board that it does not support."""


class NamedStrategy(Value):
    """Strategy with its name and the kinds of board it supports."""

    name: str
    search: Strategy
    knows_colors: bool = True
    knows_ice: bool = True

    @property
    def why_not(self) -> str:
        if not self.knows_colors:
            return _("strategy {name}: not for levels with colours or ice", name=self.name)
        return _("strategy {name}: not for levels with ice", name=self.name)

    def applies(self, board: Board) -> bool:
        return (self.knows_colors or not board.colors) and (self.knows_ice or not board.ice)

    def __call__(self, board: Board, start: State, limits: Limits) -> Search:
        """Return the search; raise DoesNotApply."""
        if not self.applies(board):
            raise DoesNotApply(self.why_not)
        return self.search(board, start, limits)


_STRATEGIES = (
    NamedStrategy("auto", auto.search),
    NamedStrategy("astar", best_first.astar),
    NamedStrategy("bfs", bfs.search),
    NamedStrategy("greedy", best_first.greedy),
    NamedStrategy("backward", backward.search),
    NamedStrategy("beam", beam.search, knows_colors=False, knows_ice=False),
    NamedStrategy("fess", search_by_features, knows_ice=False),
)
_PROVERS = (NamedStrategy("fewest pushes", fewest.search_pushes), NamedStrategy("fewest moves", fewest.search_moves))
STRATEGIES: Mapping[str, NamedStrategy] = MappingProxyType({each.name: each for each in _STRATEGIES})
PROVERS: Mapping[str, NamedStrategy] = MappingProxyType({each.name: each for each in _PROVERS})
"""Strategies that prove a solution optimal, by metric."""
