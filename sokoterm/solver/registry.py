"""Registry of strategies by name.

A new strategy is a module or package with a function of type Strategy, and a row here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.protocol import Strategy
from sokoterm.solver.strategies import auto, backward, beam, best_first, bfs, fewest_moves

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "auto": auto.search,
        "astar": best_first.astar,
        "bfs": bfs.search,
        "greedy": best_first.greedy,
        "backward": backward.search,
        "beam": beam.search,
        "fess": search_by_features,
    }
)

# The strategies that prove a solution optimal, by metric.
PROVERS: Mapping[str, Strategy] = MappingProxyType(
    {
        "fewest pushes": auto.search_fewest_pushes,
        "fewest moves": fewest_moves.search,
    }
)
