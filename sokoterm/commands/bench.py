"""``sokoterm bench NAME``: benches, each a module of sokoterm.bench."""

import shlex
from collections.abc import Callable
from importlib import import_module

from sokoterm.commands import BENCHES, CHECKOUT_BENCHES
from sokoterm.commands.support.output import complain
from sokoterm.commands.support.parser import Parser
from sokoterm.language import _


def run(arguments: list[str]) -> int:
    """Run the bench named first in the arguments; return 2 for one that only a checkout has."""
    if arguments and arguments[0] in BENCHES:
        bench, *rest = arguments
        run_bench: Callable[[list[str]], int] = import_module(f"sokoterm.bench.{bench}").run
        return run_bench(rest)
    if arguments and arguments[0] in CHECKOUT_BENCHES:
        command = f"python3 -m tests.bench {shlex.join(arguments)}"
        problem = _(
            "bench {name}: not installed; in a checkout of sokoterm, run: {command}", name=arguments[0], command=command
        )
        complain(problem)
        return 2
    names = "\n".join(f"  {name:<9} {_(summary)}" for name, summary in BENCHES.items())
    explains = _("sokoterm bench NAME --help explains a bench")
    others = _("In a checkout, python3 -m tests.bench NAME measures {names}.", names=", ".join(CHECKOUT_BENCHES))
    parser = Parser(
        "bench",
        _("Measure the solver, the optimizer, or many sessions at once."),
        "sokoterm bench solver --time 2",
        "\n".join((_("benches:"), names, "", f"  {explains}", "", others)),
    )
    parser.argument("bench", choices=tuple(BENCHES), metavar="NAME", help=_("what to measure"))
    parser.parse(arguments)
    raise AssertionError("argparse accepts names of benches alone")
