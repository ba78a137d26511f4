"""The flags that say how to search and when to give up, and the request that they make."""

import argparse
from collections.abc import Mapping
from time import monotonic
from types import MappingProxyType

from sokoterm.solver import PROVERS, STRATEGIES
from sokoterm.solver.protocol import MEGABYTE, Limits, command_limits
from sokoterm.verbs.output import InputError
from sokoterm.verbs.parser import Parser, count, seconds
from sokoterm.verbs.searches import Request

# The strategies that prove that no solution has fewer, by what they count; auto does as well.
OPTIMAL: Mapping[str, tuple[str, ...]] = MappingProxyType({"pushes": ("astar", "bfs"), "moves": ()})


class SearchArguments(argparse.Namespace):
    """What ``add_search`` adds."""

    strategy: str
    time: float
    nodes: int
    states: int
    memory: int
    jobs: int

    @property
    def limits(self) -> Limits:
        return Limits(self.time, self.nodes, self.states, monotonic, self.memory * MEGABYTE)

    def request(self, optimal: str | None = None) -> Request:
        """What is asked for; ``optimal``: with the proof that no solution has fewer of these.

        Raises InputError where the strategy proves nothing of the kind.
        """
        name = _prover(self.strategy, optimal) if optimal else self.strategy
        return Request(name, PROVERS[name] if name in PROVERS else STRATEGIES[name], self.limits)


def add_search(parser: Parser, default_seconds: float) -> None:
    """The flags of SearchArguments."""
    limits = command_limits(monotonic)
    names = ", ".join(STRATEGIES)
    parser.add_argument("--strategy", choices=tuple(STRATEGIES), default="auto", metavar="NAME", help=names)
    parser.add_argument(
        "--time", type=seconds, default=default_seconds, metavar="S", help="seconds a level (default: %(default)g)"
    )
    for flag, default, metavar, noun in (
        ("--nodes", limits.nodes, "N", "expanded states"),
        ("--states", limits.states, "N", "stored states"),
        ("--memory", limits.memory // MEGABYTE, "MB", "memory of its process"),
    ):
        text = f"{noun}, a level (default: {default:,})"
        parser.add_argument(flag, type=count, default=default, metavar=metavar, help=text)
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="levels at a time, each in a process")


def _prover(name: str, optimal: str) -> str:
    """The prover or strategy that gives the proof."""
    provers = OPTIMAL[optimal]
    if name == "auto":
        return f"fewest {optimal}"
    if name not in provers:
        expected = ", ".join(("auto", *provers))
        raise InputError(f"found the strategy {name}, expected one that proves the fewest {optimal}: {expected}")
    return name
