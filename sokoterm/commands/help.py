"""``sokoterm help [TOPIC]``: prints the documents, pages in ``docs/`` with a row in TOPICS, as plain text."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby, zip_longest
from pkgutil import get_data
from textwrap import wrap
from types import MappingProxyType

from sokoterm.commands import VERBS
from sokoterm.commands.completion import manual_page, verbs
from sokoterm.commands.support.output import complain, print_data
from sokoterm.commands.support.parser import Parser
from sokoterm.language import N_, _, listed
from sokoterm.wording.columns import folded

TOPICS: Mapping[str, str] = MappingProxyType(
    {
        "playing": N_("keys, mouse, planner, hints and solver, settings, themes, files"),
        "commands": N_("every verb with an example, JSON, exit statuses"),
        "levels-and-formats": N_("formats and limits, your library, more levels"),
        "skins": N_("pixel art for boards: ours, and how to make your own"),
        "solver": N_("how the solver works"),
        "experiments": N_("solver measurements, and ideas that did not help"),
        "hosting": N_("a server for others: sshd, accounts, scores"),
        "library": N_("the engine in programs of your own"),
        "design": N_("the layers of the code, walks through it, a glossary"),
    }
)

_WIDTH = 80
_GAP = "  "
_INDENT = "    "
_LEAST_COLUMN = 8
_FENCE = "```"
_ITEM = re.compile(r"( *)(?:[-*]|\d+\.) +")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_WEB_LINK = re.compile(r"\[([^\]]*)\]\((https?://[^)]*)\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_STRONG = re.compile(r"(?<![*\w\\])(\*\*?)(?=[^\s*])(.+?)(?<=[^\s*])\1(?![*\w])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# Splits text into prose and code.
_CODE = re.compile(r"(`[^`]*`)")


def run(arguments: list[str]) -> int:
    """Print the page of a topic, the help of a verb, or the list of topics; return 2 for an unknown topic."""
    topics = "\n".join(f"  {topic:<18}  {_(summary)}" for topic, summary in TOPICS.items())
    verbs_help = _("sokoterm VERB --help explains a verb")
    parser = Parser(
        "help",
        _("Print a page of the documentation."),
        "sokoterm help playing",
        "\n".join((_("topics:"), topics, "", f"  {verbs_help}")),
    )
    asked = parser.flag("topic", nargs="?", metavar="TOPIC", help=_("page to print; none: list the topics"))
    man = parser.switch("--man", help=_("print the manual page, for man -l - or a file sokoterm.1"))
    parser.parse(arguments)
    topic = asked.value
    if man.value:
        print(manual_page([*verbs()]), end="")
        return 0
    if topic is None:
        print(topics, "", listed([_("sokoterm help TOPIC prints a page"), verbs_help]), sep="\n")
        return 0
    if topic not in TOPICS:
        if topic in VERBS:
            explain: Callable[[list[str]], int] = import_module(f"sokoterm.commands.{topic}").run
            return explain(["--help"])
        complain(_("help: unknown topic {topic!r}; expected one of {names}", topic=topic, names=", ".join(TOPICS)))
        return 2
    print_data(f"{plain_text(_page(topic))}\n".encode())
    return 0


def _page(topic: str) -> str:
    """Read the Markdown of a topic: from the package if installed, from docs/ in a checkout."""
    try:
        data = get_data("sokoterm", f"docs/{topic}.md")
    except FileNotFoundError:
        data = get_data("sokoterm", f"../docs/{topic}.md")
    return (data or b"").decode("utf-8")


def plain_text(markdown: str) -> str:
    r"""Return Markdown as text of 80 columns; code is not wrapped.

    >>> print(plain_text("# Keys\n\n`u` is **undo**, see\n[more](x.md).\n\n| key | |\n|---|---|\n| `u` | undo |"))
    Keys
    ====
    <BLANKLINE>
    `u` is undo, see more.
    <BLANKLINE>
    key
    ---  ----
    u    undo
    """
    text = _COMMENT.sub("", markdown)
    pieces: list[str] = []
    for index, part in enumerate(re.split(rf"^{_FENCE}", text, flags=re.MULTILINE)):
        if index % 2:
            code = part.rstrip().splitlines()[1:]
            pieces.append("\n".join(f"{_INDENT}{line}".rstrip() for line in code))
        else:
            pieces += ["\n".join(_block(block.split("\n"))) for block in part.strip("\n").split("\n\n")]
    return "\n\n".join(filter(None, pieces))


def _block(lines: Sequence[str]) -> Iterator[str]:
    if lines[0].startswith("#"):
        marks, __, title = lines[0].partition(" ")
        heading = _inline(title)
        yield heading
        if len(marks) < 3:
            yield "=-"[len(marks) - 1] * len(heading)
        lines = lines[1:]
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        some = list(group)
        yield from _table(some) if is_table else _paragraphs(some)


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    filled: list[str] = []
    for line in lines:
        if filled and not _ITEM.match(line):
            filled[-1] += f" {line.strip()}"
        else:
            filled.append(line)
    for paragraph in filled:
        item = _ITEM.match(paragraph)
        begin = item[0] if item else ""
        yield from folded(_inline(paragraph[len(begin) :]), _WIDTH, begin, cut_words=False)


def _table(lines: Sequence[str]) -> Iterator[str]:
    rows = [[_cell(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    head, body = rows[0], rows[2:]
    widths = [max(map(len, column)) for column in zip(head, *body)]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > _WIDTH and max(widths) > _LEAST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    for row in (head, ["-" * width for width in widths] if any(head) else [], *body):
        cells = [wrap(cell, width, break_on_hyphens=False) for cell, width in zip(row, widths)]
        for line in zip_longest(*cells, fillvalue=""):
            if text := _GAP.join(f"{cell:<{width}}" for cell, width in zip(line, widths)).rstrip():
                yield text


def _cell(text: str) -> str:
    return _inline(text.strip()).replace("`", "").replace("\\|", "|")


def _inline(text: str) -> str:
    """Remove Markdown marks except backquotes: a bare key `.` would look like the end of a sentence."""
    parts = _CODE.split(_WEB_LINK.sub(r"\1 (\2)", _IMAGE.sub("", text)))
    text = "".join(part if i % 2 else _ESCAPED.sub(r"\1", _STRONG.sub(r"\2", part)) for i, part in enumerate(parts))
    return _LINK.sub(r"\1", text)
