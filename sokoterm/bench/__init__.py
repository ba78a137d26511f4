"""Benches of the program that ships, one module each with ``run(arguments) -> exit status`` and one row in BENCHES."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.language import N_

BENCHES: Mapping[str, str] = MappingProxyType(
    {
        "solver": N_("solve a pack: what is solved, how fast, and a node count that changes only when the search does"),
        "optimizer": N_("optimize solutions: moves and pushes beside those of another optimizer"),
        "sessions": N_("a server: many sessions at once, each played by script, with one score table"),
    }
)

# Benches of a checkout, in tests/bench; ``sokoterm bench NAME`` says how to run them.
CHECKOUT_BENCHES = ("cluster", "difficulty", "engine", "files", "generator", "library", "planner", "terminal")
