"""What all command lines have in common: help with an example and the paths, errors in one line."""

import argparse
import os
from typing import NoReturn, TypeVar

from sokoterm.verbs.output import complain

Namespace = TypeVar("Namespace", bound=argparse.Namespace)


class Parser(argparse.ArgumentParser):
    """A parser whose help ends with an example and the paths of the files, and whose errors take one line."""

    def __init__(self, verb: str, description: str, example: str, epilog: str = "") -> None:
        """``verb`` may be empty: the command without a verb."""
        super().__init__(
            prog=f"sokoterm {verb}".rstrip(),
            description=description,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self._example = example
        self._epilog = epilog

    def add_packs(self) -> None:
        """The positional arguments PACK ..."""
        self.add_argument("packs", nargs="*", metavar="PACK", help="file, folder or -; none: the bundled packs")

    def add_data_dir(self) -> None:
        self.add_argument("--data-dir", metavar="D", help="where progress lies, instead of the folder named below")

    def parse(self, arguments: list[str], namespace: Namespace) -> Namespace:
        """``namespace`` filled from the arguments, flags and PACKs in any order; SystemExit as argparse does."""
        return self.parse_intermixed_args(arguments, namespace)

    def format_help(self) -> str:
        self.epilog = "\n\n".join(filter(None, (self._epilog, f"example:\n  {self._example}", _files())))
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        complain(f"{message} ({self.prog} --help tells more)")
        raise SystemExit(2)


def seconds(text: str) -> float:
    """A time limit, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a number of seconds over 0")
    return number


def count(text: str) -> int:
    """A count or the number of a level, for argparse."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number over 0")
    return int(text)


def _files() -> str:
    from sokoterm.library.paths import bytecode_dir, config_file, crash_dir, data_dir, progress_file

    return f"""files:
  config     {config_file()}
  progress   {progress_file(data_dir())}
  crash log  {crash_dir()}{os.sep}
  bytecode   {bytecode_dir()}{os.sep}"""
