"""Parser of command lines: help with an example and the paths of files, errors in one line, types of arguments."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn, TypeVar

from sokoterm.commands import LANGUAGE
from sokoterm.commands.support.output import complain
from sokoterm.engine.text import MOST_DIGITS, printable, whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.language import _, ngettext
from sokoterm.store.query import Query

# argparse looks its own texts up in the domain of the process, which is nobody's.
vars(argparse).update(_=_, ngettext=ngettext)

Namespace = TypeVar("Namespace", bound=argparse.Namespace)

# More processes at a time would only take the memory from each other.
_MOST_JOBS = 512
# More of anything tells a bench no more.
_MOST_MEASURED = 1_000_000
# Three years: no system is asked to wait for longer.
_MOST_SECONDS = 100_000_000
_WIDEST_HELP = 80
# An argument that no command line can have.
_DESCRIBE = "\0"
# Start of a line of help that is not joined to the one before: blanks, or a name and a gap.
_ENTRY = r" *\S*[^\s.] {2,}(?=\S)| +(?=\S)"


class Reading(Value):
    """Limits and encoding for reading packs, and the folder given for the data, in which packs are found by name.

    The encoding is guessed if it is None.
    """

    limits: ReadLimits = DEFAULT_LIMITS
    encoding: str | None = None
    data_dir: str | None = None


class Selection(Value):
    """The query that levels are to answer, and the folder given for what the person has solved."""

    query: Query
    data_dir: str | None


class PackArguments(argparse.Namespace):
    """The arguments of ``Parser.add_packs``, packs as given and how to read them, and --where."""

    packs: Sequence[str] = ()
    max_file: int = DEFAULT_LIMITS.megabytes
    max_board: tuple[int, int] = (DEFAULT_LIMITS.width, DEFAULT_LIMITS.height)
    max_levels: int = DEFAULT_LIMITS.levels
    encoding: str | None = None
    where: Query | None = None
    data_dir: str | None = None

    @property
    def selection(self) -> Selection | None:
        """The selection by --where and --data-dir; None without --where."""
        return Selection(self.where, self.data_dir) if self.where is not None else None

    @property
    def reading(self) -> Reading:
        return Reading(ReadLimits(self.max_file, *self.max_board, self.max_levels), self.encoding, self.data_dir)


class _DescribedError(Exception):
    """The way out of a verb that was only asked for its parser."""

    def __init__(self, parser: "Parser") -> None:
        self.parser = parser


class Parser(argparse.ArgumentParser):
    """An argument parser whose help ends with an example and the paths of files, and whose errors take one line."""

    def __init__(self, verb: str, description: str, example: str, epilog: str = "") -> None:
        """``verb`` is empty for the command without a verb.

        ``description`` and ``epilog`` are wrapped to the terminal; lines that are indented, or begin with a name and
        two spaces, are not joined.
        """
        super().__init__(
            prog=f"sokoterm {verb}".rstrip(),
            description=description,
            allow_abbrev=False,
            formatter_class=_formatter(_WIDEST_HELP - 2),  # format_help measures the terminal
        )
        self._description = description
        self.example = example
        self._epilog = epilog

    @property
    def text(self) -> str:
        """Description of the verb and the text after the flags, as paragraphs."""
        return "\n\n".join(filter(None, (self._description, self._epilog)))

    def add_packs(self, default: str = "the packs that ship") -> None:
        """Add PACK ... and the flags of reading; ``default`` names the packs read if none is given."""
        what = f"file, folder, .zip, .gz, http(s) address, - or a name in your library; none: {default}"
        self.add_argument("packs", nargs="*", metavar="PACK", help=what)
        self.add_reading()

    def add_reading(self) -> None:
        """Add the flags of ``PackArguments.reading``."""
        group = self.add_argument_group("limits and encoding")
        limits = DEFAULT_LIMITS
        for flag, kind, default, metavar, noun in (
            ("--max-file", count, limits.megabytes, "MB", "largest pack, unpacked"),
            ("--max-board", board_size, (limits.width, limits.height), "WxH", "largest board"),
            ("--max-levels", count, limits.levels, "N", "most levels in a pack"),
        ):
            shown = "x".join(map(str, default)) if isinstance(default, tuple) else f"{default:,}"
            group.add_argument(flag, type=kind, default=default, metavar=metavar, help=f"{noun} (default: {shown})")
        group.add_argument("--encoding", type=_encoding, metavar="NAME", help="such as gb18030; default: detected")

    def add_jobs(self) -> None:
        what = "levels at a time, each in its own process (default: 1)"
        self.add_argument("--jobs", type=count_up_to(_MOST_JOBS), default=1, metavar="N", help=what)

    def parse(self, arguments: list[str], namespace: Namespace) -> Namespace:
        """Fill ``namespace`` from flags and PACKs in any order, --data-dir among them; raises SystemExit.

        Every verb takes --data-dir, also one that reads nothing there: a script can give it to all.
        """
        self.add_argument("--data-dir", metavar="D", help="folder for progress and packs, instead of the one below")
        self.add_argument(LANGUAGE, metavar="CODE", help="such as de; default: the settings, else the locale")
        if arguments == [_DESCRIBE]:
            raise _DescribedError(self)
        if not any(argument.startswith("-") for argument in arguments):
            return self.parse_args(arguments, namespace)  # the same, without laying out a usage
        # argparse lays out a usage even for errors, which do not show it here.
        if not any("h" in argument for argument in arguments if argument.startswith("-")):
            self.usage = ""
        return self.parse_intermixed_args(arguments, namespace)

    def format_help(self) -> str:
        width = _width()
        self.description = _wrapped(self._description, width)
        epilog = _wrapped(self._epilog, width)
        self.epilog = "\n\n".join(filter(None, (epilog, f"example:\n  {self.example}", _files())))
        self.formatter_class = _formatter(width)
        return super().format_help()

    def format_usage(self) -> str:
        self.formatter_class = _formatter(_width())
        return super().format_usage()

    def error(self, message: str) -> NoReturn:
        complain(f"{message} ({self.prog} --help explains)")
        raise SystemExit(2)


def parser_of(run: Callable[[list[str]], object]) -> Parser:
    """Return the parser that a verb makes, without running the verb."""
    try:
        run([_DESCRIBE])
    except _DescribedError as described:
        return described.parser
    raise AssertionError("a verb that parses no arguments")


def positive(expected: str, most: float = sys.float_info.max) -> Callable[[str], float]:
    """Make a type for argparse: numbers over 0 and at most ``most``, which ``expected`` describes."""

    def parsed(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"found {text!r}, expected {expected}")
        return number

    return parsed


seconds = positive(f"a number of seconds over 0, at most {_MOST_SECONDS:,}", _MOST_SECONDS)
"""A type for argparse: a time limit."""


def count(text: str) -> int:
    """A type for argparse: a count, or the number of a level."""
    number = whole_number(text)
    if not number:
        length = f" of at most {MOST_DIGITS} digits" if len(text) > MOST_DIGITS else ""
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number over 0{length}")
    return number


def count_up_to(most: int, least: int = 1, noun: str = "") -> Callable[[str], int]:
    """Make a type for argparse: whole numbers in a range; ``noun`` names their unit."""

    def counted(text: str) -> int:
        number = whole_number(text)
        if number is None or not least <= number <= most:
            expected = f"{noun and f'{noun}: '}a whole number from {least} to {most:,}"
            raise argparse.ArgumentTypeError(f"found {text!r}, expected {expected}")
        return number

    return counted


measured = count_up_to(_MOST_MEASURED)
"""A type for argparse: the size of a measurement."""


def board_size(text: str) -> tuple[int, int]:
    """A type for argparse: the width and height of the largest board to read."""
    return _size(text, "300x200")


def level_size(text: str) -> tuple[int, int]:
    """A type for argparse: the width and height of a level to make."""
    return _size(text, "10x9")


def _size(text: str, example: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    try:
        return count(width), count(height)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a width and a height such as {example}") from None


def _encoding(text: str) -> str:
    try:
        "".encode(text)
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected an encoding such as utf-8 or gb18030") from None
    return text


def _formatter(width: int) -> "partial[argparse.RawDescriptionHelpFormatter]":
    return partial(argparse.RawDescriptionHelpFormatter, width=width)


def _width() -> int:
    """Return the columns of help: those of the terminal without the two that argparse leaves free, 78 at most."""
    from shutil import get_terminal_size

    return min(get_terminal_size().columns, _WIDEST_HELP) - 2


def _wrapped(text: str, width: int) -> str:
    """Wrap paragraphs to a width; entries ``  name  text`` are wrapped below their text."""
    import re
    from textwrap import TextWrapper

    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    filled: list[str] = []
    is_open = False
    for line in text.split("\n"):
        entry = re.match(_ENTRY, line)
        is_text = bool(line) and entry is None
        if is_text and is_open:
            filled[-1] += f" {line}"
        else:
            filled.append(line)
        is_open = is_text
    for index, line in enumerate(filled):
        entry = re.match(_ENTRY, line)
        begin = entry[0] if entry else ""
        wrapper.initial_indent, wrapper.subsequent_indent = begin, " " * len(begin)
        wrapper.width = max(width, len(begin) + 20)
        filled[index] = wrapper.fill(" ".join(line[len(begin) :].split()))
    return "\n".join(filled)


def _files() -> str:
    from sokoterm.store.paths import bytecode_dir, config_file, crash_dir, data_dir, packs_dir, progress_file

    places = {
        "config": config_file(),
        "progress": progress_file(data_dir()),
        "packs": packs_dir(data_dir()) + os.sep,
        "crash log": crash_dir() + os.sep,
        "bytecode": bytecode_dir() + os.sep,
    }
    return "\n".join(["files:", *(f"  {name:<10} {printable(path)}" for name, path in places.items())])
