"""Lines of web pages, mail and double-spaced files, without tags, quote marks, extra blank lines and links."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.formats.grammar import ANY_FLOOR, ANY_ROW, PLAIN, is_row, kind_of

# Blanks beyond ASCII, and invisible marks: byte order marks and word joiners.
_PLAIN_BLANKS = dict.fromkeys((*map(ord, "\u00a0\u1680\u202f\u205f\u3000"), *range(0x2000, 0x200B)), " ")
_PLAIN_BLANKS |= dict.fromkeys(map(ord, "\ufeff\u200b\u2060"), "")
# Longer texts are not searched for tags and links: the tags of a megabyte take about half a second.
_LARGEST_PAGE = 8 << 20
_PAGES = ("<!doctype html", "<html", "<body", "<pre")
_BREAK = r"(?i)<br\s*+/?+>"
_BLOCK = r"(?i)</?(?:pre|p|div|td|tr|table|li|ul|ol|h[1-6]|hr|title|blockquote)\b[^<>]*+>"
_TAG = r"(?i)</?[a-z][^<>]*+>|<![^<>]*+>"


class TextLines(NamedTuple):
    """The lines of a text as ``written`` and as ``read``; ``numbers``: the index of the original of each line read.

    ``problems`` say why a level in a link cannot be read, by the index of the line read for it.
    """

    written: list[str]
    read: list[str]
    numbers: Sequence[int]
    problems: Mapping[int, str] = MappingProxyType({})


def split_lines(text: str) -> list[str]:
    """Split at LF, CRLF or a bare CR only, unlike str.splitlines."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    known: dict[str, str] = {}
    return [known.setdefault(line, line) for line in text.split("\n")]  # rows repeat: sharing them saves 90 % memory


def read_lines(text: str) -> TextLines:
    """Return the lines of a text without HTML tags, mail quotes, blanks beyond ASCII, double spacing and links."""
    lines = written = split_lines(text)
    numbers: Sequence[int] = range(len(lines))
    if "<" in text and len(text) < _LARGEST_PAGE and any("<" in line and _is_html(line) for line in lines):
        pieces = [(number, piece) for number, line in enumerate(lines) for piece in _without_tags(line)]
        lines, numbers = [piece for __, piece in pieces], [number for number, __ in pieces]
    if ">" in text and any(">" in line and is_row(unquoted(line)) for line in lines):
        lines = [unquoted(line) for line in lines]
    if lines is not written or not text.isascii():
        lines = [line if line.isascii() else with_plain_blanks(line) for line in lines]
    if _is_double_spaced(lines):
        kept = [index for index, line in enumerate(lines) if line.strip() or not index or not lines[index - 1].strip()]
        lines, numbers = [lines[index] for index in kept], [numbers[index] for index in kept]
    if "://" not in text or len(text) >= _LARGEST_PAGE:
        return TextLines(written, lines, numbers)
    from sokoterm.formats.links import without_links  # loads urllib, for texts with addresses only

    found = [(number, piece) for number, line in zip(numbers, lines) for piece in without_links(line)]
    problems = {index: piece.problem for index, (__, piece) in enumerate(found) if piece.problem}
    return TextLines(written, [piece.line for __, piece in found], [number for number, __ in found], problems)


def with_plain_blanks(line: str) -> str:
    """Return a row with plain spaces and no invisible marks; other lines do not change."""
    plain = line.translate(_PLAIN_BLANKS)
    return plain if kind_of(plain) in ANY_ROW + ANY_FLOOR else line


def unquoted(line: str) -> str:
    """Return the line without its mail quote marks."""
    marks = len(line) - len(line.lstrip("> \t"))
    return line[line.rfind(">", 0, marks) + 1 :]


def _is_html(line: str) -> bool:
    """True if a line begins a web page or preformatted text, or is a row with tags."""
    if line.lstrip().startswith("<") and any(tag in line.lower() for tag in _PAGES):
        return True
    return any(is_row(with_plain_blanks(piece)) for piece in _without_tags(line) if "<" not in piece)


def _without_tags(line: str) -> list[str]:
    from html import unescape  # forum posts only

    text = re.sub(_BREAK, "\n", line).removesuffix("\n")
    return [unescape(piece) for piece in re.sub(_TAG, "", re.sub(_BLOCK, "\n\n", text)).split("\n")]


def _is_double_spaced(lines: list[str]) -> bool:
    was_blank = True
    for line in lines:
        is_blank = not line or line.isspace()
        if not is_blank and not was_blank or "|" in line:
            return False
        was_blank = is_blank
    rows = [index for index, line in enumerate(lines) if "#" in line and kind_of(line) == PLAIN]
    return any(after - index == 2 for index, after in pairwise(rows))
