"""``python3 -m tests.bench NAME``: measurements for those who work on sokoterm, run from the root of a checkout."""

import sys
from collections.abc import Callable
from importlib import import_module

from sokoterm.cli import status_of
from tests.bench import BENCHES
from tests.bench.common import BenchParser


def main(arguments: list[str]) -> int:
    """Run the bench named first in the arguments; returns the exit status."""
    return status_of(_run, arguments)


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in BENCHES:
        bench, *rest = arguments
        run: Callable[[list[str]], int] = import_module(f"tests.bench.{bench}").run
        return run(rest)
    names = "\n".join(f"  {name:<10} {summary}" for name, summary in BENCHES.items())
    parser = BenchParser(
        "",
        "Measure.",
        "terminal --runs 20",
        f"benches:\n{names}\n\n  python3 -m tests.bench NAME --help explains a bench; sokoterm bench solver is another",
    )
    parser.argument("bench", choices=tuple(BENCHES), metavar="NAME", help="what to measure")
    parser.parse(arguments)
    raise AssertionError("argparse accepts no name that is no bench")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
