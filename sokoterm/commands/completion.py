"""``sokoterm completion SHELL``, and the manual page, from the parsers of all verbs.

The scripts get names of packs from ``sokoterm completion packs`` (or ``own``, for the library only).
"""

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from shlex import quote
from typing import NamedTuple

from sokoterm import __version__
from sokoterm.commands import EXIT_STATUSES, VERBS, play
from sokoterm.commands.support.parser import Parser, parser_of
from sokoterm.language import _, speak
from sokoterm.store.packs import added_packs, bundled_data, bundled_packs
from sokoterm.store.paths import data_dir, packs_dir

# Placeholders of values that are files, or folders. --near without its number may be followed by packs.
_FILES = ("DIR", "FILE", "OUT", "PACK", "[N]")
_FOLDERS = ("D", "DIR")
_OWN = "OWN"  # placeholder for the name of one of the player's packs
# These verbs accept only names of the player's packs, and add no names; elsewhere PACK may be any pack's name.
_NAMED = {"remove": "own", "rename": "own", "add": ""}


class Argument(NamedTuple):
    """A flag, or a positional argument without ``names``; ``value`` is its placeholder, empty for a switch.

    ``named``: the names it accepts, as ``completion`` lists them: packs, own, or empty.
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
    """A verb with its arguments; ``name`` is empty for sokoterm without a verb."""

    name: str
    summary: str
    parser: Parser
    flags: tuple[Argument, ...]
    others: tuple[Argument, ...]

    @property
    def has_files(self) -> bool:
        return any(each.is_file for each in self.others)


def verbs() -> Iterator[Verb]:
    """Yield sokoterm without a verb, then all verbs in the order of the help; switches to English for good."""
    speak(None)
    yield _verb("", "play packs", lambda arguments: play.run(arguments, play.main_parser()))
    for verb, summary in VERBS.items():
        yield _verb(verb, summary, import_module(f"sokoterm.commands.{verb}").run)


def _verb(name: str, summary: str, run: Callable[[list[str]], int]) -> Verb:
    parser, named = parser_of(run), _NAMED.get(name, "packs")
    arguments = [_argument(parser, action, named) for action in parser._actions if action.help != argparse.SUPPRESS]
    flags = tuple(each for each in arguments if each.names)
    return Verb(name, summary, parser, flags, tuple(each for each in arguments if not each.names))


def _argument(parser: Parser, action: argparse.Action, named: str) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    value = "" if action.nargs == 0 else metavar or "|".join(choices) or action.dest.upper()
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    repeats = not action.option_strings and action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction)
    named = "own" if value == _OWN else named if value in ("PACK", "[N]") else ""
    return Argument(tuple(action.option_strings), value, choices, text, repeats, named)


def _script(shell: str) -> str:
    return bundled_data(os.path.join(os.path.dirname(__file__), "shells", f"{shell}.txt")).decode("ascii")


# One name per line, as names may contain blanks.
_BASH_NAMES = 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen %s -- "$current"%s); return'


def bash(verbs: Sequence[Verb]) -> str:
    values, flags, others = [], [], []
    for verb in verbs:
        name = quote(verb.name)
        by_value: dict[str, list[str]] = {}
        for flag in (each for each in verb.flags if each.value):
            by_value.setdefault(_bash_value(flag), []).extend(quote(f"{verb.name}:{each}") for each in flag.names)
        values += [f"        {'|'.join(names)}) {value} ;;" for value, names in by_value.items()]
        names = quote(" ".join(each for flag in verb.flags for each in flag.names))
        flags.append(f"            {name}) words={names} ;;")
        choices = quote(" ".join(choice for each in verb.others for choice in each.choices))
        named = max((each.named for each in verb.others), default="")
        others.append(f"            {name}) words={choices} files={'1' * verb.has_files} named={named} ;;")
    return _script("bash") % {
        "verbs": "|".join(VERBS),
        "values": "\n".join(values),
        "flags": "\n".join(flags),
        "others": "\n".join(others),
        "words": " ".join(VERBS),
    }


def _bash_value(flag: Argument) -> str:
    if flag.is_file:
        return _BASH_NAMES % ("-f", f"; _sokoterm_names {flag.named}" if flag.named else "")
    if flag.is_folder:
        return _BASH_NAMES % ("-d", "")
    if flag.named:
        return _BASH_NAMES % ("-W ''", f"; _sokoterm_names {flag.named}")
    if flag.choices:
        return f'COMPREPLY=($(compgen -W {quote(" ".join(flag.choices))} -- "$current")); return'
    return "return"


def zsh(verbs: Sequence[Verb]) -> str:
    arguments = []
    for verb in verbs:
        specs = " \\\n                ".join(map(quote, _zsh_specs(verb)))
        arguments.append(f"        {quote(verb.name)})\n            _arguments -s \\\n                {specs} ;;")
    return _script("zsh") % {
        "verbs": "\n".join(f"        {quote(f'{verb}:{_zsh(summary)}')}" for verb, summary in VERBS.items()),
        "names": "|".join(VERBS),
        "arguments": "\n".join(arguments),
    }


def _zsh_specs(verb: Verb) -> Iterator[str]:
    for flag in verb.flags:
        value = f":{_zsh(flag.value)}:{_zsh_action(flag)}" if flag.value else ""
        for name in flag.names:
            others = "" if flag.repeats else f"({' '.join(flag.names)})"
            more = "*" if flag.repeats else ""
            equals = "=" if value and name.startswith("--") else ""
            yield f"{others}{more}{name}{equals}[{_zsh(_brief(flag.help))}]{value}"
    for number, each in enumerate(verb.others, start=1):
        place = "*" if each.repeats else str(number)
        yield f"{place}:{_zsh(each.value)}:{_zsh_action(each)}"


def _zsh_action(argument: Argument) -> str:
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    if argument.named:
        return f" _sokoterm_{argument.named}"  # zsh inserts arguments of its own without the blank
    return "_files" if argument.is_file else "_files -/" if argument.is_folder else " "


def _zsh(text: str) -> str:
    return re.sub(r"([\\:\[\]])", r"\\\1", text)


def fish(verbs: Sequence[Verb]) -> str:
    lines = [_script("fish") % {"verbs": " ".join(VERBS)}]
    for verb, summary in VERBS.items():
        lines.append(f"complete -c sokoterm -n __sokoterm_begins -a {verb} -d {quote(summary)}\n")
    for each in verbs:
        begin = f"complete -c sokoterm -n {quote(f'__sokoterm_verb {each.name}')}"
        if not each.has_files:
            lines.append(f"{begin} -f\n")
        for other in each.others:
            if other.choices:
                lines.append(f"{begin} -a {quote(' '.join(other.choices))}\n")
            if other.named:
                lines.append(f"{begin} -a {_fish_names(other)}\n")
        for flag in each.flags:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names)
            lines.append(f"{begin} {names}{_fish_value(flag)} -d {quote(_brief(flag.help))}\n")
    return "".join(lines)


def _fish_value(flag: Argument) -> str:
    if not flag.value:
        return ""
    if flag.choices:
        return f" -x -a {quote(' '.join(flag.choices))}"
    if flag.is_folder and not flag.is_file:
        return " -x -a '(__fish_complete_directories)'"
    names = f" -a {_fish_names(flag)}" if flag.named else ""
    return f" -r -F{names}" if flag.is_file else f" -x{names}"


def _fish_names(argument: Argument) -> str:
    return quote(f"(sokoterm completion {argument.named} (commandline -ct) 2>/dev/null)")


def _brief(text: str) -> str:
    return re.split(r"[;(]", text, maxsplit=1)[0].strip()


# Flags of every verb, listed once.
_EVERYWHERE = {"--help", "--data-dir"}


def manual_page(verbs: Sequence[Verb]) -> str:
    """Return the page as roff, see man(7)."""
    main, *others = verbs
    about = main.parser.text.partition("\n\n")[0]
    lines = [f'.TH SOKOTERM 1 "" "sokoterm {__version__}" "Games"']
    lines += [".SH NAME", "sokoterm \\- Sokoban in a terminal, with a solver"]
    lines += [".SH SYNOPSIS", *_synopsis(main), ".br", ".B sokoterm", "\\fIVERB\\fR [\\fIFLAG\\fR ...]"]
    lines += [".SH DESCRIPTION", *_text(about)]
    lines += _text("Without a verb, sokoterm plays. Press ? in the game to see the keys.")
    lines += [".SS Flags", *_flags(main.flags), ".SH VERBS"]
    for verb in others:
        own = [each for each in (*verb.others, *verb.flags) if not {*each.names} & _EVERYWHERE]
        lines += [f'.SS "{_escaped(verb.name)}"', *_synopsis(verb), *_text(verb.parser.text), *_flags(own)]
        lines += [".PP", "Example:", ".IP", f".B {_escaped(verb.parser.example)}"]
    lines.append(".SH EXIT STATUS")
    for status, meaning in EXIT_STATUSES.items():
        lines += [".TP", f".B {status}", *_text(meaning, begins=False)]
    lines += [".SH SEE ALSO", *_text("The pages of the documentation: sokoterm help", begins=False)]
    return "\n".join(lines) + "\n"


def _synopsis(verb: Verb) -> Iterator[str]:
    yield f".B {_escaped(f'sokoterm {verb.name}'.rstrip())}"
    yield "[\\fIFLAG\\fR ...]"
    for each in verb.others:
        yield f"[\\fI{_escaped(each.value)}\\fR{' ...' if each.repeats else ''}]"


def _flags(arguments: Iterable[Argument]) -> Iterator[str]:
    for each in arguments:
        value = f" \\fI{_escaped(each.value)}\\fR" if each.value else ""
        names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in each.names)
        yield from (".TP", (names + value).strip(), *_text(each.help, begins=False))


def _text(text: str, *, begins: bool = True) -> Iterator[str]:
    """Yield paragraphs; indented lines, and lines of a name and two spaces, are kept apart."""
    for paragraph in text.split("\n\n"):
        if begins:
            yield ".PP"
        for number, line in enumerate(paragraph.splitlines()):
            if entry := re.match(r" *(\S+) {2,}(.*)", line):
                yield from (".TP", f".B {_escaped(entry[1])}", _escaped(entry[2]))
            else:
                if number and line.startswith(" "):
                    yield ".br"
                yield _escaped(line.strip())


def _escaped(text: str) -> str:
    """Escape characters special to roff, including a dot or a quote at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    return f"\\&{text}" if text.startswith((".", "'")) else text


_SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def run(arguments: list[str]) -> int:
    """Print the completion script of a shell, or for use by the scripts, the pack names that start with an argument."""
    if arguments[:1] in (["packs"], ["own"]):
        files = [*(bundled_packs() if arguments[0] == "packs" else ()), *added_packs(packs_dir(data_dir()), {})]
        parts = [file.name.split("/") for file in files]
        for name in dict.fromkeys("/".join(each[:depth]) for each in parts for depth in range(1, len(each) + 1)):
            if name.startswith("".join(arguments[1:2])) and name.isprintable():
                print(name)
        return 0
    parser = Parser(
        "completion",
        _(
            "Print the completion script of a shell, for verbs, flags and their values. A wheel installs the scripts "
            "of all three shells, and a manual page, in share/."
        ),
        "sokoterm completion fish > ~/.config/fish/completions/sokoterm.fish",
        _(
            "shells:\n"
            '  bash  in ~/.bashrc: eval "$(sokoterm completion bash)"\n'
            '  zsh  in ~/.zshrc, after compinit: eval "$(sokoterm completion zsh)"\n'
            "  fish  as a file: see the example\n"
        ),
    )
    shell = parser.argument("shell", choices=tuple(_SHELLS), metavar="SHELL", help=", ".join(_SHELLS))
    parser.parse(arguments)
    print(_SHELLS[shell.value]([*verbs()]), end="")
    return 0
