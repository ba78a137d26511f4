"""Lexer for text: boards, texts and possible moves, in order.

Blank lines separate paragraphs; text in the same paragraph as a board belongs to it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sokoterm.formats.records import Moves, is_moves, is_no_word, keyed_moves
from sokoterm.formats.rows import (
    closed_rooms,
    is_any_row,
    is_counted,
    is_counted_board,
    is_counted_wall,
    is_floor,
    is_framed_text,
    is_level_row,
    is_row,
    is_ruler,
)

_RULER = " -_=~\t"
BOX_ORDER, GOAL_ORDER, VARIANT, ICE = VARIANT_KEYS = ("boxorder", "goalorder", "variant", "ice")
"""Keys of levels with colours or ice."""
GAME = "game"

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
        GAME,
        *VARIANT_KEYS,
    )
)
_PLAYERS = "@+pP"
# The marks of comments before a title.
_MARKS = "#/%"
_FLOOR, _SOLID = " -_\t", ("#", "*")
# More squares of a text are not searched for boards without a blank line between them: as many take some seconds.
_MOST_SQUARES = 1 << 21
# In the kinds of rows: texts with the rulers or the frame around them.
_PARTING = re.compile("(?<!F)F*(?:[HF]P*+T[TPF]*[HF]|T[TF]*)F*")
# Blanks that are not ASCII, and marks without width: of byte order, of where a word may be cut.
_PLAIN_BLANKS = dict.fromkeys(map(ord, "\u00a0\u1680\u202f\u205f\u3000"), " ") | dict.fromkeys(
    range(0x2000, 0x200B), " "
)
_PLAIN_BLANKS |= dict.fromkeys(map(ord, "\ufeff\u200b\u2060"), "")
_PAGES = ("<!doctype html", "<html", "<body", "<pre")
_BREAK = re.compile(r"<br\s*+/?+>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:pre|p|div|td|tr|table|li|ul|ol|h[1-6]|hr|title|blockquote)\b[^<>]*+>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*+>|<![^<>]*+>", re.IGNORECASE)
_COMMENT_ENDS = frozenset(("comment-end", "comment_end", "comment end"))
HEADING = ";"
# Text behind this mark is kept verbatim; it is never a title or a board.
_REMARK = "::"
_FENCES = ("```", "~~~")
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
    if "<" in text and any("<" in line and _is_html(line) for line in lines):
        pieces = [(number, piece) for number, line in enumerate(lines) for piece in _without_tags(line)]
        lines, numbers = [piece for __, piece in pieces], [number for number, __ in pieces]
    if ">" in text and any(">" in line and is_any_row(unquoted(line)) for line in lines):
        lines = [unquoted(line) for line in lines]
    if lines is not written or not text.isascii():
        lines = [line if line.isascii() else _with_plain_blanks(line) for line in lines]
    if _is_double_spaced(lines):
        kept = [index for index, line in enumerate(lines) if line.strip() or not index or not lines[index - 1].strip()]
        lines, numbers = [lines[index] for index in kept], [numbers[index] for index in kept]
    return TextLines(written, lines, numbers)


def _with_plain_blanks(line: str) -> str:
    """Return a row with spaces for blanks beyond ASCII and without marks of no width, other lines as they are."""
    plain = line.translate(_PLAIN_BLANKS)
    return plain if is_any_row(plain) or is_floor(plain) else line


def unquoted(line: str) -> str:
    """Return the line without its mail quote marks."""
    marks = len(line) - len(line.lstrip("> \t"))
    return line[line.rfind(">", 0, marks) + 1 :]


def _is_html(line: str) -> bool:
    """True if a line begins a web page or preformatted text in one, or is a row beside tags."""
    if line.lstrip().startswith("<") and any(tag in line.lower() for tag in _PAGES):
        return True
    return any(is_any_row(_with_plain_blanks(piece)) for piece in _without_tags(line) if "<" not in piece)


def _without_tags(line: str) -> list[str]:
    """Return the lines of text in a line of a web page."""
    from html import unescape

    text = _BREAK.sub("\n", line).removesuffix("\n")
    return [unescape(piece) for piece in _TAG.sub("", _BLOCK.sub("\n\n", text)).split("\n")]


def _is_double_spaced(lines: list[str]) -> bool:
    """True if there are plain rows, and a blank line after every other one."""
    if any(line and not line.isspace() and after and not after.isspace() for line, after in pairwise(lines)):
        return False
    rows = [index for index, line in enumerate(lines) if is_row(line) and "#" in line]
    return any(after - index == 2 for index, after in pairwise(rows)) and not any("|" in line for line in lines)


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
    written, lines = lines, _without_rulers(lines)
    boards: dict[int, int] = {}
    paragraph = index = looked = 0
    left = _MOST_SQUARES
    while index < len(lines):
        line = lines[index]
        if index >= looked and (is_row(line) or _begins_counted(lines, index)):
            looked, texts = _rows_end(lines, index)
            boards = {index: looked}
            rows = lines[index:looked]
            if (texts or _may_be_several(rows)) and (squares := sum(map(len, rows))) <= left:
                left -= squares
                found = _boards(rows, {each - index for each in texts}, left)
                boards = {index + start: index + end for start, end in found.items()}
        if index in boards:
            yield BoardLines(index, boards[index], paragraph)
            index = boards[index]
            continue
        if _is_blank(line) or index < looked and is_any_row(line):
            paragraph += 1
            if line.startswith(_REMARK):
                yield Text(REMARKS, line.removeprefix(_REMARK).removeprefix(" ").rstrip(), paragraph)
        elif index in comments:
            end = comments[index]
            within = [line.partition(":")[2].strip(), *written[index + 1 : end], lines[end].partition(":")[2].strip()]
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


def _without_rulers(lines: list[str]) -> list[str]:
    """Return the lines with nothing for rulers of stars, where they stand by themselves and beside boards."""
    rulers = {
        line
        for index, line in enumerate(lines)
        if line[:1] == "*" and is_ruler(line)
        if not any(map(is_any_row, (*lines[index - 1 : index], *lines[index + 1 : index + 2])))
    }
    return ["" if line in rulers else line for line in lines] if rulers else lines


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
    """True if a line is empty, a ruler, a fence of code or a ``::`` remark."""
    return not line.strip(_RULER) or line.isspace() or line.startswith(_REMARK) or line.lstrip().startswith(_FENCES)


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


def without_mark(text: str) -> str:
    """Return a title without the mark of a comment before it.

    >>> [without_mark(text) for text in ("# One", "// Two", "#3", "# Four #")]
    ['One', 'Two', '#3', '# Four #']
    """
    bare = text.lstrip(_MARKS)
    is_comment = text.startswith("//") or text != bare and bare[:1].isspace()
    return bare.strip() if is_comment and bare and bare[-1] not in _MARKS else text


def _rows_end(lines: list[str], first: int) -> tuple[int, list[int]]:
    """Return the index after the last of the rows that begin on line ``first``, and the lines among them that are none.

    Between two rows may be rows of floor, and text or broken rows: one line that is not a row, or several that are
    nearly rows or in a frame.
    """
    end = first + 1
    texts: list[int] = []
    while end < len(lines) and lines[end]:
        if is_row(lines[end]) or is_counted(lines[end]):
            end += 1
            continue
        after = end
        while after < len(lines) and is_floor(lines[after]):
            after += 1
        is_text = after == end
        if is_text:
            while after < len(lines) and _is_in_frame(lines[after]):
                after += 1
            after = max(after, end + _is_broken_row(lines[end]))
        if after >= len(lines) or not is_any_row(lines[after]):
            break
        texts += range(end, after) if is_text else ()
        end = after + 1
    return end, texts


def _may_be_several(rows: list[str]) -> bool:
    """True if rows without texts among them may be other than one board: with several players, or a ruler."""
    text = "".join(rows)
    is_ruled = "*" in rows[0] or len(rows) == 1 and "|" not in text
    return is_ruled or sum(map(text.count, _PLAYERS)) > 1


def _boards(rows: list[str], texts: Collection[int], most: int) -> dict[int, int]:
    """Return the boards in rows and the ``texts`` among them: the index after each by that of its first row.

    A text parts two boards if each has a player and one at least is closed; so does a ruler if both are closed. Rulers,
    and frames around texts, are no boards.
    """
    kinds = "".join([_kind(row, is_row=index not in texts) for index, row in enumerate(rows)])
    rooms = closed_rooms(rows, most)
    boards: dict[int, int] = {}
    begin = 0
    for start, end in (*_cuts(rows, kinds, rooms), (len(rows), len(rows))):
        board = kinds[begin:start]
        if "R" in board or "X" in board or not rooms and not _is_frame(rows, kinds):
            # A ruler beside a cut is none of the board's rows.
            first = start - len(board.lstrip("F") if begin else board)
            boards[first] = begin + len(board.rstrip("F") if start < len(rows) else board)
        begin = end
    return boards


def _kind(row: str, *, is_row: bool) -> str:
    """Return R for a row of a level, F for floor or a ruler of stars, H for one of walls, P for another row.

    T is a text, X a line that may be a text or a broken row.
    """
    if not is_row:
        return "T" if is_framed_text(row) else "X"
    if is_ruler(row) or not row.strip().strip("#"):
        return "F" if "*" in row else "H"
    return "F" if is_floor(row) else "R" if is_level_row(row) else "P"


def _is_frame(rows: list[str], kinds: str) -> bool:
    """True if rows are a ruler, or rulers or a frame around texts, as wide as those in it."""
    if "T" not in kinds:
        return not kinds.strip("F") or kinds == "H"
    rulers = [len(row) for row, kind in zip(rows, kinds) if kind in "FH"]
    texts = [
        len(row) for row, kind in zip(rows, kinds) if kind == "T" and {row.strip()[0], row.strip()[-1]} & {"#", "*"}
    ]
    return "R" not in kinds and "X" not in kinds and max(rulers, default=-1) >= max(texts, default=0)


def _cuts(rows: list[str], kinds: str, rooms: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the rows that part boards, above, between and below the closed rooms."""
    begins, ends = [0, *(last + 1 for __, last in rooms)], [*(top for top, __ in rooms), len(rows)]
    for index, (begin, end) in enumerate(zip(begins, ends)) if rooms else ():
        between = kinds[begin:end]
        is_inner = 0 < index < len(rooms)
        if is_inner and "T" not in between:
            between = between.replace("X", "T")
        parts = [(begin + part.start(), begin + part.end()) for part in _PARTING.finditer(between)]
        if is_inner and parts:
            yield from (parts[0], parts[-1])
        elif parts:
            start, after = parts[0] if index else parts[-1]
            beyond = slice(after, None) if index else slice(start)
            has_player = any(cell in row for row in rows[beyond] for cell in _PLAYERS)
            if len(rooms) > 1 or has_player or not {"R", "X"}.intersection(kinds[beyond]):
                yield start, after
        elif len(rooms) > 1 and not between.strip("FH" if is_inner else "F"):
            yield begin, end
        elif is_inner and "F" in between:
            yield begin + between.index("F"), begin + between.rindex("F") + 1


def _is_in_frame(line: str) -> bool:
    """True if a line that is not a row begins and ends with a wall, as a broken row does and a text in a frame."""
    bare = line.strip(_FLOOR)
    return bare[:1] in _SOLID and bare[-1:] in _SOLID and not is_any_row(line)


def _is_broken_row(line: str) -> bool:
    """True if a line that is not a row was probably meant as one, being between two rows."""
    if not line or is_any_row(line):
        return False
    return _is_plain(line) and not (is_moves(line) and is_no_word(line)) and keyed_moves(line) is None
