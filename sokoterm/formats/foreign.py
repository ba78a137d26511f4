"""Text in a foreign dress: the lines in web pages, mail and files with doubled lines, and boards in other notations.

What wraps lines is taken off before they are read. Boards in quotes or in other signs are not read; they are named.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from sokoterm.engine.level import LevelError
from sokoterm.formats.grammar import ANY_FLOOR, ANY_ROW, PLAIN, is_row, kind_of
from sokoterm.language import _, listed

# Blanks that are not ASCII, and marks without width: of byte order, of where a word may be cut.
_PLAIN_BLANKS = dict.fromkeys((*map(ord, "\u00a0\u1680\u202f\u205f\u3000"), *range(0x2000, 0x200B)), " ")
_PLAIN_BLANKS |= dict.fromkeys(map(ord, "\ufeff\u200b\u2060"), "")
# Longer texts are no web pages: the tags of a megabyte take some half a second.
_LARGEST_PAGE = 8 << 20
_PAGES = ("<!doctype html", "<html", "<body", "<pre")
_BREAK = r"(?i)<br\s*+/?+>"
_BLOCK = r"(?i)</?(?:pre|p|div|td|tr|table|li|ul|ol|h[1-6]|hr|title|blockquote)\b[^<>]*+>"
_TAG = r"(?i)</?[a-z][^<>]*+>|<![^<>]*+>"

_LITERAL = r"([\"'`])([^\"'`]*+)\1"
# What encloses rows in lists of a programming language.
_BRACKETS = "[](){},;\"'`-_ \t"
_FLOOR = " -_\t"
_CELLS = "@+$*.pPbB"
# A board has a player, boxes and goals, and each of them on a goal; the rest is decoration, or a text.
_FEWEST_SIGNS, _MOST_SIGNS = 3, 7
_USUAL_PLAYERS = "@&PpMm"


class TextLines(NamedTuple):
    """The lines of a text, ``written`` as they are and ``read`` without what wraps them.

    ``numbers`` has the index of the written line of each line read.
    """

    written: list[str]
    read: list[str]
    numbers: Sequence[int]


def split_lines(text: str) -> list[str]:
    """Split at LF, CRLF or a bare CR only, unlike str.splitlines."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def read_lines(text: str) -> TextLines:
    """Return the lines of a text without tags of a web page, mail quotes, blanks beyond ASCII and doubled line ends."""
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
    return TextLines(written, lines, numbers)


def with_plain_blanks(line: str) -> str:
    """Return a row with spaces for blanks beyond ASCII and without marks of no width, other lines as they are."""
    plain = line.translate(_PLAIN_BLANKS)
    return plain if kind_of(plain) in ANY_ROW + ANY_FLOOR else line


def unquoted(line: str) -> str:
    """Return the line without its mail quote marks."""
    marks = len(line) - len(line.lstrip("> \t"))
    return line[line.rfind(">", 0, marks) + 1 :]


def _is_html(line: str) -> bool:
    """True if a line begins a web page or preformatted text in one, or is a row beside tags."""
    if line.lstrip().startswith("<") and any(tag in line.lower() for tag in _PAGES):
        return True
    return any(is_row(with_plain_blanks(piece)) for piece in _without_tags(line) if "<" not in piece)


def _without_tags(line: str) -> list[str]:
    from html import unescape  # forum posts only

    text = re.sub(_BREAK, "\n", line).removesuffix("\n")
    return [unescape(piece) for piece in re.sub(_TAG, "", re.sub(_BLOCK, "\n\n", text)).split("\n")]


def _is_double_spaced(lines: list[str]) -> bool:
    """True if there are plain rows, and a blank line after every other one."""
    was_blank = True
    for line in lines:
        is_blank = not line or line.isspace()
        if not is_blank and not was_blank or "|" in line:
            return False
        was_blank = is_blank
    rows = [index for index, line in enumerate(lines) if "#" in line and kind_of(line) == PLAIN]
    return any(after - index == 2 for index, after in pairwise(rows))


def look_of(lines: Sequence[str]) -> LevelError | None:
    """Return the error of a text with boards in quotes or in other signs than those of XSB; None for other texts."""
    return _in_quotes(lines) or _in_other_signs(lines)


def _in_quotes(lines: Sequence[str]) -> LevelError | None:
    rows, first, has_player = 0, 0, False
    for number, line in enumerate(lines, start=1):
        for literal in re.finditer(_LITERAL, line):
            for piece in literal[2].replace("\\r", "").split("\\n"):
                first = first or number * is_row(piece)
                rows += is_row(piece) and "#" in piece
                has_player = has_player or "@" in piece or "+" in piece
    if rows < 2 or not has_player:
        return None
    text = [line.strip() for line in lines if line and not line.isspace()]
    if text[0][0] in "[{" and text[-1][-1] in "]}":
        return LevelError(_("found boards in JSON, expected plain rows of # @ $ . characters"), line=first)
    return LevelError(_("found boards in quotes, expected plain rows of # @ $ . characters"), line=first)


def _in_other_signs(lines: Sequence[str]) -> LevelError | None:
    boards = list(_boards(lines))
    if not boards:
        return None
    wall = boards[0][1][0][0]
    is_letters = wall.isalnum()
    counts = [Counter("".join(rows)) for __, rows in boards if rows[0][0] == wall]
    total = sum(counts, Counter[str]())
    floor = [sign for sign in _FLOOR if total[sign] and sign != wall]
    signs = [sign for sign, __ in total.most_common() if sign != wall and sign not in _FLOOR]
    if not floor and signs and (total[signs[0]] > total[signs[-1]] or not is_letters and "".join(signs).isalpha()):
        signs = signs[1:]  # nothing is as frequent as the floor, if there is any
    unusual = [sign for sign in (wall, *signs) if sign not in "#" + _CELLS]
    is_sure = len(unusual) > 1 or unusual and (len(counts) > 1 or not wall.isascii() or is_letters)
    if not _FEWEST_SIGNS <= len(signs) <= _MOST_SIGNS or not is_sure or wall == "#" and {*"@$."} <= {*signs}:
        return None
    once = [sign for sign in signs if all(count[sign] == 1 for count in counts)]
    has_player = len(once) == 1 or any(sign in once for sign in _USUAL_PLAYERS)
    if once and is_letters:  # a text in a frame would be in one row
        has_player |= any(sum(bool(row.strip(wall + _FLOOR)) for row in rows) > 1 for __, rows in boards)
    are_pictures = all(not sign.isascii() and not sign.isalnum() for sign in signs)
    if not has_player and not are_pictures and not "".join(signs).isdecimal():
        return None  # a text in a frame
    problem = _("found boards in other signs ({signs}), expected # @ $ . characters", signs=listed(unusual))
    return LevelError(problem, line=boards[0][0])


def _boards(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line, from 1, and the rows of what looks like a board: a frame of one sign around others."""
    bare = [line.strip(_BRACKETS).replace(", ", ",").replace("\ufe0f", "") for line in lines]
    walls = [line[0] if len(line) > 2 and line[0] == line[-1] else "" for line in bare]
    for wall, run in groupby(range(len(lines)), key=walls.__getitem__):
        numbers = list(run)
        rows = [bare[number] for number in numbers]
        if all(len(row) % 2 and not row[1::2].strip(" ,") for row in rows):
            rows = [row[::2] for row in rows]
        if wall and len(rows) > 2 and not any(row.replace(" ", "").strip(wall) for row in (rows[0], rows[-1])):
            yield numbers[0] + 1, rows
