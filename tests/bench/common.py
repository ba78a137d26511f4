"""Command lines and tables of the benches."""

from sokoterm.commands.support.parser import Parser, count_up_to

# More of anything tells a bench no more.
measured = count_up_to(1_000_000)
"""A type for argparse: the size of a measurement."""


class BenchParser(Parser):
    """The parser of ``python3 -m tests.bench NAME``; ``flags`` are those of its example."""

    def __init__(self, name: str, description: str, flags: str, epilog: str = "") -> None:
        command = f"python3 -m tests.bench {name}".rstrip()
        super().__init__(name, description, f"{command} {flags}", epilog)
        self.prog = command


def print_figure(name: str, *figures: str, note: str = "", width: int = 40) -> None:
    """Print a row of a table: its name, figures in a column each, and a note on them; ``width`` is that of names."""
    print(f"{name:<{width}}{''.join(f' {figure:>17}' for figure in figures)}  {note}".rstrip(), flush=True)
