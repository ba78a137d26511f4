"""Search: the strategies by name.

A new strategy is one file, or one package, with a function of the type Strategy, and one row here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.protocol import Strategy
from sokoterm.solver.strategies import astar, auto, backward, beam, bfs, fewest_moves, greedy

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "auto": auto.search,
        "astar": astar.search,
        "bfs": bfs.search,
        "greedy": greedy.search,
        "backward": backward.search,
        "beam": beam.search,
        "fess": search_by_features,
    }
)

# What ``auto`` stands for where the proof that no solution has fewer is asked for.
PROVERS: Mapping[str, Strategy] = MappingProxyType(
    {
        "fewest pushes": auto.search_fewest_pushes,
        "fewest moves": fewest_moves.search,
    }
)
