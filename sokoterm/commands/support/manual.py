"""The manual page ``sokoterm(1)``, written from the parsers of all verbs."""

import re
from collections.abc import Iterator, Sequence

from sokoterm import __version__
from sokoterm.commands import EXIT_STATUSES
from sokoterm.commands.support.command_line import Argument, Verb

# Flags of every verb, told once.
_EVERYWHERE = ("--help", "--data-dir")


def manual_page(verbs: Sequence[Verb]) -> str:
    """Return the page in the language of man(7)."""
    return "\n".join(_lines(verbs)) + "\n"


def _lines(verbs: Sequence[Verb]) -> Iterator[str]:
    main, *others = verbs
    yield f'.TH SOKOTERM 1 "" "sokoterm {__version__}" "Games"'
    yield from (".SH NAME", "sokoterm \\- Sokoban in a terminal, with a solver")
    yield ".SH SYNOPSIS"
    yield from _synopsis(main)
    yield from (".br", ".B sokoterm", "\\fIVERB\\fR [\\fIFLAG\\fR ...]")
    yield ".SH DESCRIPTION"
    yield from _text(main.text.partition("\n\n")[0])
    yield from _text("Without a verb it plays. The keys are explained by ? in the game.")
    yield from (".SS Flags", *_flags(main.flags, everywhere=True))
    yield ".SH VERBS"
    for verb in others:
        yield f'.SS "{_escaped(" ".join(verb.words))}"'
        yield from _synopsis(verb)
        yield from _text(verb.text)
        yield from _flags([*verb.others, *verb.flags], everywhere=False)
        yield from (".PP", "Example:", ".IP", f".B {_escaped(verb.example)}")
    yield ".SH EXIT STATUS"
    for status, meaning in EXIT_STATUSES.items():
        yield from (".TP", f".B {status}", *_text(meaning, begins=False))
    yield from (".SH SEE ALSO", *_text("The pages of the documentation: sokoterm help", begins=False))


def _synopsis(verb: Verb) -> Iterator[str]:
    yield f".B {_escaped(verb.name)}"
    yield "[\\fIFLAG\\fR ...]"
    for each in verb.others:
        yield f"[\\fI{_escaped(each.value)}\\fR{' ...' if each.repeats else ''}]"


def _flags(arguments: Sequence[Argument], *, everywhere: bool) -> Iterator[str]:
    for each in arguments:
        if not everywhere and any(name in _EVERYWHERE for name in each.names):
            continue
        value = f" \\fI{_escaped(each.value)}\\fR" if each.value else ""
        names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in each.names)
        yield from (".TP", (names + value).strip(), *_text(each.help, begins=False))


def _text(text: str, *, begins: bool = True) -> Iterator[str]:
    """Yield paragraphs; lines that are indented, or begin with a name and two spaces, stay lines of their own."""
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
    """Escape what has a meaning for roff; a point or a quote at the begin of a line is one."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    return f"\\&{text}" if text.startswith((".", "'")) else text
