"""The command line as data, read from the parsers of all verbs: for completions and the manual page."""

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from sokoterm.commands import BENCHES, VERBS
from sokoterm.commands.play import main_parser
from sokoterm.commands.play import run as play
from sokoterm.commands.support.parser import Parser, parser_of
from sokoterm.language import speak

# What stands in for a value that is a file, or a folder.
_FILES = ("DIR", "FILE", "OUT", "PACK")
_FOLDERS = ("D", "DIR")
# A PACK may be the name of a pack, but not where packs come from; these verbs take names of one's own alone.
_NAMED = {"remove": "own", "rename": "own", "add": ""}


class Argument(NamedTuple):
    """A flag, or the arguments without one if it has no ``names``.

    ``value`` stands for its value in the help, empty if it takes none; ``choices`` are its values, if they are few.
    ``named`` is the kind of names that it takes, as ``completion`` lists them: packs, own ones, or empty.
    """

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    help: str
    repeats: bool
    named: str

    @property
    def is_file(self) -> bool:
        return self.value.partition(".")[0] in _FILES and self.named != "own"

    @property
    def is_folder(self) -> bool:
        return self.value in _FOLDERS


class Verb(NamedTuple):
    """A verb with its arguments; ``words`` is empty for the command without one, and two words for a bench."""

    words: tuple[str, ...]
    summary: str
    text: str
    example: str
    flags: tuple[Argument, ...]
    others: tuple[Argument, ...]

    @property
    def name(self) -> str:
        """The verb as it is typed."""
        return " ".join(("sokoterm", *self.words))


def verbs() -> Iterator[Verb]:
    """Yield the command without a verb, all verbs in the order of the help, and after them the benches, in English.

    No other language is spoken after that: a page is made of them, and the program ends.
    """
    speak(None)
    yield _verb((), "play packs", parser_of(lambda arguments: play(arguments, main_parser())))
    for verb, summary in VERBS.items():
        yield _verb((verb,), summary, parser_of(import_module(f"sokoterm.commands.{verb}").run))
    for bench, summary in BENCHES.items():
        yield _verb(("bench", bench), summary, parser_of(import_module(f"sokoterm.bench.{bench}").run))


def _verb(words: tuple[str, ...], summary: str, parser: Parser) -> Verb:
    named = _NAMED.get(words[0] if words else "", "packs")
    arguments = [_argument(parser, action, named) for action in parser._actions if action.help != argparse.SUPPRESS]
    flags = tuple(each for each in arguments if each.names)
    others = tuple(each for each in arguments if not each.names)
    return Verb(words, summary, parser.text, parser.example, flags, others)


def _argument(parser: Parser, action: argparse.Action, named: str) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    value = "" if action.nargs == 0 else metavar or "|".join(choices) or action.dest.upper()
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    repeats = not action.option_strings and action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction)
    named = named if value == "PACK" else ""
    return Argument(tuple(action.option_strings), value, choices, text, repeats, named)
