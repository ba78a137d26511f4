"""Search: the strategies by name.

A new strategy is one file with a function of the type Strategy, and one row here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.solver import astar, auto, bfs, greedy
from sokoterm.solver.protocol import Strategy

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "auto": auto.search,
        "astar": astar.search,
        "bfs": bfs.search,
        "greedy": greedy.search,
    }
)
