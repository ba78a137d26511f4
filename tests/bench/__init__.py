"""Benches of a checkout, one module each with ``run(arguments) -> exit status`` and one row in BENCHES.

``python3 -m tests.bench NAME`` runs one; ``sokoterm bench solver`` ships.
"""

from collections.abc import Mapping
from types import MappingProxyType

BENCHES: Mapping[str, str] = MappingProxyType(
    {
        "answers": "200 command lines: status, outputs and files written, beside another checkout",
        "cluster": "many levels on a Dask cluster whose processes are killed: one worker and two, memory, results",
        "difficulty": "how hard packs are by the numbers of their levels, and whether they come in their order",
        "engine": "the rules: moves verified and sequences counted a second, beside plain code on sets of tuples",
        "files": "packs: levels parsed and hashed a second, copies found among 40,000 levels",
        "generator": "levels made of each difficulty beside those of packs: the same figures, and seconds to make one",
        "library": "a library of 544 packs: indexing it, first paint of the list, key to screen, what a minute grades",
        "optimizer": "solutions made better: moves and pushes beside those of another optimizer",
        "planner": "the push planner: squares in reach of a box, plans, growth with the board, clicks",
        "sessions": "a server: many sessions at once, each played by script, with one score table",
        "terminal": "the player in a terminal: first paint, bytes a move, silence, key to screen",
        "turns": "how auto should divide its time, from results of each strategy alone",
    }
)
