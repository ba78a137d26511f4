"""Benches, one module each with ``run(arguments) -> exit status``; a new one is one module and one row in BENCHES."""

from collections.abc import Mapping
from types import MappingProxyType

BENCHES: Mapping[str, str] = MappingProxyType(
    {
        "solver": "solve a pack: what is solved, how fast, and a node count that only a change of the search changes",
        "difficulty": "how hard packs are by the numbers of their levels, and whether they come in their order",
        "files": "packs: levels parsed and hashed a second, copies found among 40,000 levels",
        "library": "a library of 500 packs: indexing it, first paint of the list, key to screen while paging",
        "planner": "the push planner: squares in reach of a box, plans, growth with the board, clicks",
        "generator": "levels made of each difficulty beside those of packs: the same figures, and seconds to make one",
        "sessions": "a server: many sessions at once, each played by script, with one score table",
        "terminal": "the player in a terminal: first paint, bytes a move, silence, key to screen",
    }
)
