"""The flags that say how to search and when to give up, and the request that they make."""

import argparse
from collections.abc import Mapping
from functools import partial
from time import monotonic
from types import MappingProxyType

from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser, count, seconds
from sokoterm.commands.support.search_request import Request
from sokoterm.solver.protocol import MEGABYTE, Limits, command_limits
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.strategies import beam
from sokoterm.solver.strategies.beam import DEFAULT_CUT, Cut

# The strategies that prove that no solution has fewer, by what they count; auto does as well.
OPTIMAL: Mapping[str, tuple[str, ...]] = MappingProxyType({"pushes": ("astar", "bfs"), "moves": ()})


class SearchArguments(argparse.Namespace):
    """What ``add_search`` adds."""

    strategy: str
    width: int | None
    anneal: float | None
    seed: int | None
    time: float
    nodes: int
    states: int
    memory: int
    jobs: int

    @property
    def limits(self) -> Limits:
        return Limits(self.time, self.nodes, self.states, monotonic, self.memory * MEGABYTE)

    @property
    def cut(self) -> Cut:
        """How the beam search cuts; raises InputError where that is said of another strategy, or to no end."""
        given = {name: value for name in Cut._fields if (value := getattr(self, name)) is not None}
        if given and self.strategy != "beam":
            raise InputError(f"found --{next(iter(given))} with --strategy {self.strategy}, expected --strategy beam")
        if "seed" in given and "anneal" not in given:
            raise InputError("found --seed without --anneal, which alone draws lots")
        return DEFAULT_CUT._replace(**given)

    def request(self, optimal: str | None = None) -> Request:
        """What is asked for; ``optimal``: with the proof that no solution has fewer of these.

        Raises InputError where the strategy proves nothing of the kind.
        """
        cut = self.cut
        if cut != DEFAULT_CUT and optimal is None:
            return Request(self.strategy, partial(beam.search, cut=cut), self.limits)
        name = _prover(self.strategy, optimal) if optimal else self.strategy
        return Request(name, PROVERS[name] if name in PROVERS else STRATEGIES[name], self.limits)


def add_search(parser: Parser, default_seconds: float) -> None:
    """The flags of SearchArguments."""
    limits = command_limits(monotonic)
    names = ", ".join(STRATEGIES)
    parser.add_argument("--strategy", choices=tuple(STRATEGIES), default="auto", metavar="NAME", help=names)
    for flag, kind, metavar, text in (
        ("--width", count, "N", f"beam: states kept of each layer (default: {DEFAULT_CUT.width:,})"),
        ("--anneal", _number, "C", "beam: keep the N greatest of random * exp(-C * f) instead of the N best"),
        ("--seed", count, "N", f"beam: the seed of that random (default: {DEFAULT_CUT.seed})"),
    ):
        parser.add_argument(flag, type=kind, metavar=metavar, help=text)
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
    parser.add_jobs()


def _number(text: str) -> float:
    """A number over 0, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a number over 0")
    return number


def _prover(name: str, optimal: str) -> str:
    """The prover or strategy that gives the proof."""
    provers = OPTIMAL[optimal]
    if name == "auto":
        return f"fewest {optimal}"
    if name not in provers:
        expected = ", ".join(("auto", *provers))
        raise InputError(f"found the strategy {name}, expected one that proves the fewest {optimal}: {expected}")
    return name
