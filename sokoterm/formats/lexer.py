"""Lexer for text: boards, texts and possible moves, in order.

Blank lines separate paragraphs; text in the same paragraph as a board belongs to it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sokoterm.formats.records import Moves, is_moves, is_no_word, keyed_moves
from sokoterm.formats.rows import (
    is_any_row,
    is_counted,
    is_counted_board,
    is_counted_wall,
    is_floor,
    is_nearly_row,
    is_row,
)

_RULER = " -_=~\t"
BOX_ORDER, GOAL_ORDER, VARIANT, ICE = VARIANT_KEYS = ("boxorder", "goalorder", "variant", "ice")
"""Keys of levels with colours or ice."""

KEYS = frozenset(
    (
        "title",
        "author",
        "comment",
        "id",
        "date",
        "difficulty",
        "collection",
        "copyright",
        "email",
        "homepage",
        "solution",
        *VARIANT_KEYS,
    )
)
_COMMENT_ENDS = frozenset(("comment-end", "comment_end", "comment end"))
HEADING = ";"
# Text behind this mark is kept verbatim; it is never a title or a board.
_REMARK = "::"
REMARKS = "remarks"
UNKEYED = ("", HEADING)


class Text(NamedTuple):
    """A text between boards: ``key`` is a known key, ``remarks`` (behind ``::``), ``;`` for a heading, or empty."""

    key: str
    value: str
    paragraph: int


class BoardLines(NamedTuple):
    """The lines of one board: indices of the first and one past the last."""

    first: int
    end: int
    paragraph: int


def split_lines(text: str) -> list[str]:
    """Split at LF, CRLF or a bare CR only, unlike str.splitlines."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _key(line: str) -> tuple[str, str] | None:
    """Return the known key at the start of a line (the end of a comment counts) and its value."""
    name, colon, value = line.partition(":")
    if not colon or len(name) > 20:
        return None
    name = name.strip().lower()
    return (name, value.strip()) if name in KEYS or name in _COMMENT_ENDS else None


def scan(lines: list[str]) -> Iterator[Text | BoardLines | Moves]:
    """Yield boards, texts and possible moves in order."""
    comments = _comments(lines)
    paragraph = index = 0
    while index < len(lines):
        line = lines[index]
        if is_row(line) or _begins_counted(lines, index):
            end = _board_end(lines, index)
            if end > index + 1 or line.strip().strip("#"):
                yield BoardLines(index, end, paragraph)
            index = end
            continue
        if _is_blank(line):
            paragraph += 1
            if line.startswith(_REMARK):
                yield Text(REMARKS, line.removeprefix(_REMARK).removeprefix(" ").rstrip(), paragraph)
        elif index in comments:
            end = comments[index]
            within = [line.partition(":")[2].strip(), *lines[index + 1 : end], lines[end].partition(":")[2].strip()]
            yield Text("comment", "\n".join(within).strip("\n"), paragraph)
            index = end
        else:
            keyed = keyed_moves(line) if ":" in line else None
            if keyed or is_moves(line):
                moves = _moves(lines, index, paragraph, keyed)
                yield moves
                index = moves.end
                continue
            text = text_of(line, paragraph)
            if text.key not in _COMMENT_ENDS:
                yield text
            elif text.value:
                yield text._replace(key="comment")
        index += 1


def _begins_counted(lines: list[str], index: int) -> bool:
    """True if a board begins on a run-length line."""
    line = lines[index]
    if not is_counted(line):
        return False
    after = index + 1
    while after < len(lines) and is_floor(lines[after]):
        after += 1
    if after == index + 1 and is_counted_wall(line) and after < len(lines) and _is_broken_row(lines[after]):
        after += 1
    return is_counted_board(line) or after < len(lines) and is_any_row(lines[after])


def _moves(lines: list[str], first: int, paragraph: int, keyed: tuple[str, str] | None) -> Moves:
    """Return the run of moves that begins on line ``first``; ``keyed`` is its title and moves if both are there."""
    key, text = keyed or ("", "")
    begin = end = first + 1 if keyed else first
    if not keyed or text:
        while end < len(lines) and is_moves(lines[end]):
            end += 1
    text += "".join("".join(lines[begin:end]).split())
    after = end
    while after < len(lines) and _is_blank(lines[after]):
        after += 1
    is_whole = after > end or after == len(lines)
    return Moves(text, first, end, paragraph, key, is_whole and not (after < len(lines) and is_any_row(lines[after])))


def _comments(lines: list[str]) -> dict[int, int]:
    """Map the line of each ``Comment:`` that has a ``Comment-End:`` to the line of that end."""
    comments: dict[int, int] = {}
    begin: int | None = None
    for index, line in enumerate(lines):
        key = _key(line) if ":" in line else None
        if key is None:
            continue
        if key[0] == "comment":
            begin = index
        elif key[0] in _COMMENT_ENDS and begin is not None:
            comments[begin] = index
            begin = None
    return comments


def _is_blank(line: str) -> bool:
    """True if a line is empty, a ruler or a ``::`` remark."""
    return not line.strip(_RULER) or line.isspace() or line.startswith(_REMARK)


def _is_plain(line: str) -> bool:
    """True if a line that is not a row is not blank, a key or a heading."""
    return not _is_blank(line) and _key(line) is None and not line.lstrip().startswith(HEADING)


def text_of(line: str, paragraph: int) -> Text:
    """Return the text of a line that is not blank, a row or moves."""
    key = _key(line) if ":" in line else None
    if key is not None and (key[1] or key[0] != "solution"):
        return Text(*key, paragraph)
    bare = line.strip()
    if bare.startswith(HEADING):
        return Text(HEADING, bare.lstrip(HEADING).strip(), paragraph)
    return Text("", bare, paragraph)


def _board_end(lines: list[str], first: int) -> int:
    """Return the index after the last row of the board that begins on line ``first``.

    Between two rows the board also takes in rows of floor, and broken rows: one line that is not a row, or several that
    are nearly rows.
    """
    end = first + 1
    while end < len(lines):
        if is_row(lines[end]) or is_counted(lines[end]):
            end += 1
            continue
        after = end
        while after < len(lines) and is_floor(lines[after]):
            after += 1
        if after == end:
            while after < len(lines) and is_nearly_row(lines[after]):
                after += 1
            after = max(after, end + _is_broken_row(lines[end]))
        if after >= len(lines) or not is_any_row(lines[after]):
            break
        end = after + 1
    return end


def _is_broken_row(line: str) -> bool:
    """True if a line that is not a row was probably meant as one, being between two rows."""
    if not line or is_any_row(line):
        return False
    return _is_plain(line) and not (is_moves(line) and is_no_word(line)) and keyed_moves(line) is None
