"""Parser of command lines: help with an example and file locations, one-line errors, and types of arguments."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import Generic, Literal, NoReturn, TypedDict, TypeVar, Unpack, overload

from sokoterm.commands import LANGUAGE
from sokoterm.commands.support.output import complain, without_number
from sokoterm.engine.level import LevelError
from sokoterm.engine.text import MOST_DIGITS, printable, whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.limits import AUTO, DEFAULT_LIMITS, ReadLimits
from sokoterm.language import N_, _, labelled, ngettext
from sokoterm.store.paths import bytecode_dir, config_file, crash_dir, data_dir, packs_dir, progress_file
from sokoterm.wording.columns import folded, padded, text_width

_Type = TypeVar("_Type")
_Value = TypeVar("_Value", covariant=True)

# More processes would only compete for memory.
_MOST_JOBS = 512
# Three years, short enough for every system's timers.
_MOST_SECONDS = 100_000_000
_WIDEST_HELP = 80
# An argument that cannot occur on a command line.
_DESCRIBE = "\0"
# Start of a line of help, to which further lines are indented: blanks, or a name and a gap.
_ENTRY = r" *\S*[^\s.] {2,}(?=\S)| +(?=\S)"


class Reading(Value):
    """Limits and encoding (None: guessed) for reading packs, and the data folder in which packs are found by name."""

    limits: ReadLimits = DEFAULT_LIMITS
    encoding: str | None = None
    data_dir: str | None = None


class Option(Generic[_Value]):
    """A flag or an argument of a verb; ``value`` is available once the command line is parsed."""

    def __init__(self, parser: "Parser", action: argparse.Action) -> None:
        self._parser = parser
        self.name = action.dest

    @property
    def value(self) -> _Value:
        value: _Value = getattr(self._parser.values, self.name)
        return value


class _Told(TypedDict, total=False):
    """Keyword arguments of a flag for argparse, other than its type and default."""

    help: str
    metavar: str
    choices: Sequence[str] | Sequence[int]
    required: bool
    nargs: Literal["?", "*", "+"]
    dest: str
    group: "argparse._ActionsContainer"


class _DescribedError(Exception):
    """Raised to leave a verb that was asked only for its parser."""

    def __init__(self, parser: "Parser") -> None:
        self.parser = parser


class Parser(argparse.ArgumentParser):
    """Parser whose help ends with an example and file locations, and whose errors take one line.

    Verbs declare options with ``flag``, ``argument``, ``several`` and ``switch``, whose values are available after
    ``parse``.
    """

    def __init__(self, verb: str, description: str, example: str, epilog: str = "") -> None:
        """``verb`` is empty for sokoterm without a verb. Each line of ``description`` and ``epilog`` is wrapped."""
        # argparse would look up its own texts in the default domain of the process.
        vars(argparse).update(_=_, ngettext=ngettext)
        super().__init__(
            prog=f"sokoterm {verb}".rstrip(),
            description=description,
            allow_abbrev=False,
            formatter_class=partial(_Formatter, width=_WIDEST_HELP - 2),  # format_help measures the terminal
        )
        self._description = description
        self.example = example
        self._epilog = epilog
        self.words: list[str] = []
        """The words parsed, other than known flags and their values."""
        self.packs_before: Sequence[int] = ()
        """Number of packs before each -l."""
        self.values = argparse.Namespace()

    @property
    def text(self) -> str:
        """The description and the epilog, as paragraphs."""
        return "\n\n".join(filter(None, (self._description, self._epilog)))

    @property
    def data_dir(self) -> str | None:
        folder: str | None = self.values.data_dir
        return folder

    @property
    def folder(self) -> str:
        """The data folder: --data-dir or the default."""
        return data_dir(self.data_dir)

    @overload
    def flag(self, *names: str, **told: Unpack[_Told]) -> Option[str | None]: ...
    @overload
    def flag(self, *names: str, parse: Callable[[str], _Type], **told: Unpack[_Told]) -> Option[_Type | None]: ...
    @overload
    def flag(
        self, *names: str, parse: Callable[[str], _Type], default: _Type, **told: Unpack[_Told]
    ) -> Option[_Type]: ...
    def flag(
        self, *names: str, parse: Callable[[str], object] = str, default: object = None, **told: Unpack[_Told]
    ) -> Option[object]:
        """Add a flag with a value, or an optional argument; ``parse`` is its type for argparse."""
        container = told.pop("group", self)
        return Option(self, container.add_argument(*names, type=parse, default=default, **told))

    def argument(self, name: str, **told: Unpack[_Told]) -> Option[str]:
        return Option(self, self.add_argument(name, **told))

    def several(self, *names: str, parse: Callable[[str], _Type], **told: Unpack[_Told]) -> Option[Sequence[_Type]]:
        """Add arguments or, with ``nargs``, a flag with several values; without it, a repeatable flag."""
        container = told.pop("group", self)
        action = "store" if "nargs" in told else "append"
        return Option(self, container.add_argument(*names, action=action, type=parse, default=[], **told))

    def switch(self, *names: str, **told: Unpack[_Told]) -> Option[bool]:
        container = told.pop("group", self)
        return Option(self, container.add_argument(*names, action="store_true", **told))

    def jobs(self, default: _Type) -> Option[int | _Type]:
        text = _("levels at a time, each in its own process (default: 1)")
        return self.flag("--jobs", parse=count_up_to(_MOST_JOBS), default=default, metavar="N", help=text)

    def parse(self, arguments: list[str]) -> None:
        """Read flags and PACKs in any order; raises SystemExit.

        Every verb accepts --data-dir, so that scripts can always pass it.
        """
        folder = _("folder for progress and packs, instead of the one below")
        self.add_argument("--data-dir", metavar="D", help=folder)
        self.add_argument(LANGUAGE, metavar="CODE", help=_("such as de; default: the settings, else the locale"))
        self.packs_before = self._packs_before(arguments)
        if len(self.packs_before) > 1 and self._option_string_actions["-l"].type is count:
            self.error(without_number(len(self.packs_before)))
        if arguments == [_DESCRIBE]:
            raise _DescribedError(self)
        # argparse formats the usage even for errors, which do not show it, and removes an English "usage: " only.
        is_shown = any(argument.startswith(("-h", "--h")) for argument in arguments)
        self.usage = self.format_usage().removeprefix(_("usage: ")).replace("%", "%%") if is_shown else ""
        self.parse_intermixed_args(arguments, self.values)

    def _packs_before(self, arguments: Sequence[str]) -> list[int]:
        found, is_value = [], False
        for argument in takewhile("--".__ne__, arguments):
            name = argument if argument in self._option_string_actions else argument.partition("=")[0]
            if name not in self._option_string_actions and not name.startswith("--"):
                name = name[:2]  # -l3
            action = self._option_string_actions.get(name)
            if is_value or action is None:
                self.words += [] if is_value else [argument]
                is_value = False
                continue
            if action.dest == "level":
                found.append(len(self.words))
            is_value = name == argument and action.nargs != 0
        return found

    def format_help(self) -> str:
        width = _width()
        self.description = _wrapped(self._description, width)
        epilog = _wrapped(self._epilog, width)
        example = _("example:") + f"\n  {self.example}"
        self.epilog = "\n\n".join(filter(None, (epilog, example, _files())))
        self.formatter_class = partial(_Formatter, width=width)
        text = super().format_help()
        for title in filter(None, (group.title for group in self._action_groups)):
            text = text.replace(f"\n{title}:\n", f"\n{labelled(title, '').rstrip()}\n")
        return text

    def format_usage(self) -> str:
        begin = _("usage: ")
        width = _width() + len(begin) - text_width(begin)  # argparse counts characters
        self.formatter_class = partial(_Formatter, width=width)
        return super().format_usage()

    def error(self, message: str) -> NoReturn:
        complain(_("{problem} ({command} --help explains)", problem=message, command=self.prog))
        raise SystemExit(2)


def parser_of(run: Callable[[list[str]], object]) -> Parser:
    """Return the parser that a verb creates, without running the verb."""
    try:
        run([_DESCRIBE])
    except _DescribedError as described:
        return described.parser
    raise AssertionError("a verb that parses no arguments")


def positive(problem: str, most: float = sys.float_info.max) -> Callable[[str], float]:
    """Make a type for argparse: numbers over 0 and at most ``most``; ``problem`` gets ``found`` and ``most``."""

    def parsed(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(_(problem, found=text, most=most))
        return number

    return parsed


seconds = positive(N_("found {found!r}, expected a number of seconds over 0, at most {most:,}"), _MOST_SECONDS)
"""A type for argparse: a time limit."""


def count(text: str) -> int:
    """A type for argparse: a count, or a level number."""
    number = whole_number(text)
    if not number:
        problem = _("found {found!r}, expected a whole number over 0", found=text)
        if len(text) > MOST_DIGITS:
            problem = ngettext(
                "found {found!r}, expected a whole number over 0 of at most {n} digit",
                "found {found!r}, expected a whole number over 0 of at most {n} digits",
                MOST_DIGITS,
                found=text,
            )
        raise argparse.ArgumentTypeError(problem)
    return number


def count_up_to(
    most: int, least: int = 1, problem: str = N_("found {found!r}, expected a whole number from {least} to {most:,}")
) -> Callable[[str], int]:
    """Make a type for argparse: whole numbers in a range; ``problem`` gets ``found``, ``least`` and ``most``."""

    def parsed(text: str) -> int:
        number = whole_number(text)
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(_(problem, found=text, least=least, most=most))
        return number

    return parsed


def level_size(text: str, example: str = "10x9") -> tuple[int, int]:
    """A type for argparse: the width and height of a board."""
    width, __, height = text.lower().partition("x")
    try:
        return count(width), count(height)
    except argparse.ArgumentTypeError:
        problem = _("found {found!r}, expected a width and a height such as {example}", found=text, example=example)
        raise argparse.ArgumentTypeError(problem) from None


def _encoding(text: str) -> str:
    try:
        "".encode(text)
    except (LookupError, ValueError):
        problem = _("found {found!r}, expected an encoding such as utf-8 or gb18030", found=text)
        raise argparse.ArgumentTypeError(problem) from None
    return text


def _signs(text: str) -> str:
    from sokoterm.formats.notations import told_signs  # few files have other notations

    try:
        if text != AUTO:
            told_signs(text)
    except LevelError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


class ReadingFlags:
    """The flags for limits and encoding of packs."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        group = parser.add_argument_group(_("limits and encoding"))
        limits = DEFAULT_LIMITS
        megabytes, width, height, levels = limits.megabytes, limits.width, limits.height, limits.levels
        text = _("largest pack, unpacked (default: {value:,})", value=megabytes)
        self._file = parser.flag("--max-file", group=group, parse=count, default=megabytes, metavar="MB", help=text)
        text = _("largest board (default: {width}x{height})", width=width, height=height)
        board = partial(level_size, example="300x200")
        self._board = parser.flag(
            "--max-board", group=group, parse=board, default=(width, height), metavar="WxH", help=text
        )
        text = _("most levels in a pack (default: {value:,})", value=levels)
        self._levels = parser.flag("--max-levels", group=group, parse=count, default=levels, metavar="N", help=text)
        text = _("such as gb18030; default: detected")
        self._encoding = parser.flag("--encoding", group=group, parse=_encoding, metavar="NAME", help=text)
        text = _('meaning of the signs on boards: "wall=X box=*"; default: as in XSB, else detected')
        self._signs = parser.flag("--signs", group=group, parse=_signs, default=AUTO, metavar="TEXT", help=text)

    @property
    def reading(self) -> Reading:
        limits = ReadLimits(self._file.value, *self._board.value, self._levels.value, signs=self._signs.value)
        return Reading(limits, self._encoding.value, self.parser.data_dir)


class PackFlags(ReadingFlags):
    """The argument PACK ..., and the flags for reading."""

    def __init__(self, parser: Parser, default: str = "") -> None:
        """``default`` describes the packs read without PACK."""
        text = _(
            "file, folder, .zip, .gz, http(s) address, - or a name in your library; none: {default}",
            default=default or _("the bundled packs"),
        )
        self._packs = parser.several("packs", parse=str, nargs="*", metavar="PACK", help=text)
        super().__init__(parser)

    @property
    def packs(self) -> Sequence[str]:
        return self._packs.value


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """The formatter of argparse, wrapping the help of flags by columns, as wide characters take two."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return folded(_with_single_blanks(text), width)


def _with_single_blanks(text: str) -> str:
    """Return text for wrapping; no-break blanks stay, as in ``100 000``."""
    return " ".join(re.findall(r"[^ \t\n]+", text))


def _width() -> int:
    """Return the columns of help: those of the terminal minus two that argparse leaves free, at most 78."""
    from shutil import get_terminal_size  # loads compression, for help only

    return min(get_terminal_size().columns, _WIDEST_HELP) - 2


def _wrapped(text: str, width: int) -> str:
    """Wrap each line to a width, indenting ``  name  text`` entries to their text."""
    lines: list[str] = []
    for line in text.split("\n"):
        entry = re.match(_ENTRY, line)
        begin = entry[0] if entry else ""
        rest = _with_single_blanks(line[len(begin) :])
        lines += folded(rest, max(width, text_width(begin) + 20), begin, cut_words=False)
    return "\n".join(lines)


def _files() -> str:
    places = {
        _("config"): config_file(),
        _("progress"): progress_file(data_dir()),
        _("packs"): packs_dir(data_dir()) + os.sep,
        _("crash log"): crash_dir() + os.sep,
        _("bytecode"): bytecode_dir() + os.sep,
    }
    width = max(10, *map(text_width, places))
    return "\n".join([_("files:"), *(f"  {padded(name, width)} {printable(path)}" for name, path in places.items())])
