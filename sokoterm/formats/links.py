"""Levels in links to web pages: ``https://PAGE/?level=`` and percent-encoded rows.

SokobanScript (src/URLParameterParser.ts) reads rows in ``level`` or ``puzzle``, or in ``base64`` as base64url;
sokoban-ai reads them in ``map``. Here, bars may separate rows as well, and counts may repeat cells. Such pages ignore
other parameters. sokoterm writes them with the keys of text, such as ``title`` and ``solution``.
"""

import re
from base64 import urlsafe_b64decode
from typing import NamedTuple
from urllib.parse import parse_qsl

from sokoterm.engine.level import LevelError
from sokoterm.engine.text import printable
from sokoterm.formats.grammar import BOARD, COUNTED_ROW, ICE, VARIANT_KEYS, kind_of
from sokoterm.language import _

_ROWS = ("level", "puzzle", "map")
_BASE64 = "base64"
_SCHEME = "(?i)https?://"
# What may follow a link in a sentence, and never ends a level.
_BEHIND = ".,;:!>\"'])"
_KEYS = ("title", "author", *VARIANT_KEYS, "solution", "moves")
_MOST_FIELDS = 100
# Twice what the largest known board takes, of 200x200 squares; servers and browsers refuse much shorter links.
_LONGEST = 1 << 18
_UNREADABLE = "##|##"  # a line that counts as a board
_FEWEST_BARS = 2  # other pages have a number in the query, and perhaps a fragment after a #
_SHOWN = 20  # cells in a message
_FLOOR = str.maketrans(" _", "--")


def is_linked_level(text: str) -> bool:
    """True if a text contains a link to a level, which may be unreadable."""
    return len(without_links(text)) > 1


def unwrapped(text: str) -> str:
    """Return a link without the line breaks of the window or the mail it was copied from; other text unchanged."""
    words = text.split()
    is_link = text.count("://") == 1 and re.match(_SCHEME, words[0]) and len(words) == len(text.strip().splitlines())
    return "".join(words) if is_link else text


class Piece(NamedTuple):
    """A line of text for a link or for the words beside it; with a ``problem`` it is a level that cannot be read."""

    line: str
    problem: str = ""


def without_links(line: str) -> list[Piece]:
    """Replace the links in a line by their levels, each a run-length line and keys before a blank line."""
    pieces, words = list[Piece](), list[str]()
    for word in line.split() if "://" in line and any(f"{name}=" in line for name in (*_ROWS, _BASE64)) else ():
        try:
            level = [*map(Piece, _level_in(word))] if "://" in word else []
        except LevelError as error:
            level = [Piece(_UNREADABLE, error.problem)]
        if level:
            pieces += [*_sentence(words), *level, Piece("")]
            words.clear()
        else:
            words.append(word)
    return [*pieces, *_sentence(words)] if pieces else [Piece(line)]


def _sentence(words: list[str]) -> list[Piece]:
    """Return words beside a link, without quote marks and bullets."""
    text = " ".join(words).lstrip("> -*")
    return [Piece(text)] if any(map(str.isalpha, text)) else []


def _level_in(link: str) -> list[str]:
    """Return the level in a link as lines of text, a run-length one and keys; empty if no parameter has rows.

    Raises LevelError for a link that is too long, and for rows that no board can have.
    """
    if len(link) > _LONGEST:
        raise LevelError(_("found a line of more than {most:,} characters", most=_LONGEST))
    start = re.search(_SCHEME, link)
    query = link[start.end() :].partition("?")[2] if start else ""
    if "%23" in query:  # a wall; a # as such begins the fragment
        query = query.partition("#")[0]
    try:
        fields = dict(parse_qsl(query.rstrip(_BEHIND), max_num_fields=_MOST_FIELDS))
    except ValueError:
        return []
    rows = next((fields[name] for name in _ROWS if name in fields), "") or _from_base64(fields.get(_BASE64, ""))
    rows = "|".join(re.split(r"\r\n?|\n", rows.strip("\r\n|"))).translate(_FLOOR)
    if "#" not in rows or rows.count("|") < _FEWEST_BARS:
        return []
    if kind_of(rows) != BOARD:
        found = next((cell for cell in rows if cell not in COUNTED_ROW), rows[:_SHOWN])
        problem = _("found {found!r} in the level of a link, expected rows of # @ $ . characters", found=found)
        raise LevelError(problem)
    keys = (f"{key}: {line}" for key in _KEYS if key in fields for line in _lines(key, fields[key]))
    return [rows, *keys]


def _lines(key: str, value: str) -> list[str]:
    words = printable(value).split()
    return words if key == ICE else [" ".join(words)]


def _from_base64(text: str) -> str:
    try:
        return urlsafe_b64decode(text + "==").decode("utf-8", "replace")
    except ValueError:
        return ""
