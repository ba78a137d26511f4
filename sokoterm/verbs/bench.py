"""``sokoterm bench NAME``: measurements, each in a module of sokoterm.bench."""

import argparse
from collections.abc import Callable
from importlib import import_module

from sokoterm.bench import BENCHES
from sokoterm.verbs.parser import Parser


class _Arguments(argparse.Namespace):
    bench: str


def run(arguments: list[str]) -> int:
    """Runs the bench named first in the arguments."""
    if arguments and arguments[0] in BENCHES:
        bench, *rest = arguments
        run_bench: Callable[[list[str]], int] = import_module(f"sokoterm.bench.{bench}").run
        return run_bench(rest)
    names = "\n".join(f"  {name:<9} {summary}" for name, summary in BENCHES.items())
    parser = Parser(
        "bench",
        "Measure.",
        "sokoterm bench solver --time 2",
        f"benches:\n{names}\n\n  sokoterm bench NAME --help tells more",
    )
    parser.add_argument("bench", choices=tuple(BENCHES), metavar="NAME", help="what to measure")
    parser.parse(arguments, _Arguments())
    raise AssertionError("argparse accepts no name that is no bench")
