"""XSB text to a Pack: rows of boards among titles, keys and comments in all the habits of the wild.

Between two boards stand the notes of the one above and the heading of the one below.  The text is cut into
paragraphs at blank lines; what shares a paragraph with a board belongs to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, Pack, level_from_rows

# The largest board seen has 200 x 200 squares; work on one board grows faster than its size.
MAX_SQUARES = 100_000
# All public files together hold some 120,000 levels.
MAX_LEVELS = 200_000

_ROW = "# @+$*.-_\t"
_SOK_ROW = _ROW + "pPbB"
_FLOOR = " -_\t"
_RULER = " -_=~\t"
_FLOOR_TO_SPACE = str.maketrans("-_", "  ")
_KEYS = frozenset(
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
    )
)
_COMMENT_ENDS = frozenset(("comment-end", "comment_end", "comment end"))
_HEADING = ";"
_UNKEYED = ("", _HEADING)
_TAB = 8


class _Text(NamedTuple):
    """A text between boards: ``key`` is a known key, ``;`` for a heading, or empty for a plain line."""

    key: str
    value: str
    paragraph: int


class _Rows(NamedTuple):
    """The lines of one board, as indices of the first and after the last."""

    first: int
    end: int
    paragraph: int


class _Draft(NamedTuple):
    """A board with the texts above and below that belong to it."""

    rows: _Rows
    above: list[_Text]
    below: list[_Text]


def parse_xsb(text: str, source: str) -> Pack:
    """The pack in ``text``; ``source`` names it in errors and gives the title where the text has none.

    A board that is no level keeps its number and goes to ``errors``.  Never raises; takes time linear in the text.
    """
    written = _split(text)
    lines = _without_quotes(written)
    header, drafts = _drafts(lines)
    levels: list[Level] = []
    errors: list[LevelError] = []
    for number, draft in enumerate(drafts[:MAX_LEVELS], start=1):
        try:
            levels.append(_level(written, lines, draft, number))
        except LevelError as error:
            errors.append(error.located(source=source, level=number))
    if len(drafts) > MAX_LEVELS:
        problem = f"found {len(drafts)} levels, expected at most {MAX_LEVELS}: the rest is not read"
        line = drafts[MAX_LEVELS].rows.first + 1
        errors.append(LevelError(problem, source=source, level=MAX_LEVELS + 1, line=line))
    values, comment = _gathered(header)
    title = values.pop("collection", "") or values.pop("title", "") or _name(source)
    author = values.pop("author", "")
    return Pack(title, tuple(levels), tuple(errors), author, comment, tuple(values.items()))


def is_level_row(line: str) -> bool:
    """Whether a line, quoted or not, is a row of a board with more in it than walls."""
    row = _unquoted(line)
    return "#" in row and _is_row(row) and any(cell in row for cell in "@+$*.pPbB")


def _split(text: str) -> list[str]:
    """The lines, ended by LF, CRLF or a bare CR; not at the other characters str.splitlines takes for ends."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _without_quotes(lines: list[str]) -> list[str]:
    """The lines without the marks of a quoted mail, if any row is quoted."""
    if not any(">" in line and _is_row(_unquoted(line)) for line in lines):
        return lines
    return [_unquoted(line) for line in lines]


def _unquoted(line: str) -> str:
    """The line without the marks of a quoted mail before it."""
    end = 0
    if ">" in line:
        for index, character in enumerate(line, start=1):
            if character == ">":
                end = index
            elif character not in " \t":
                break
    return line[end:]


def _is_row(line: str) -> bool:
    if "#" not in line and "*" not in line:
        return False
    if not line.strip(_ROW):
        return True
    if line.strip(_SOK_ROW):
        return False
    # Text may be spelled with the letters of SOK too: a row begins and ends with something solid.
    bare = line.strip(_FLOOR)
    return "#" in bare and bare[0] in "#*" and bare[-1] in "#*"


def _key(line: str) -> tuple[str, str] | None:
    """The known key at the begin of a line (the end of a comment is one) and its value."""
    name, colon, value = line.partition(":")
    if not colon or len(name) > 20:
        return None
    name = name.strip().lower()
    return (name, value.strip()) if name in _KEYS or name in _COMMENT_ENDS else None


def _scan(lines: list[str]) -> Iterator[_Text | _Rows]:
    """Boards and texts in their order."""
    comments = _comments(lines)
    paragraph = index = 0
    while index < len(lines):
        line = lines[index]
        if _is_row(line):
            end = _board_end(lines, index)
            if end > index + 1 or line.strip().strip("#"):
                yield _Rows(index, end, paragraph)
            index = end
            continue
        if _is_blank(line):
            paragraph += 1
        elif index in comments:
            end = comments[index]
            first = line.partition(":")[2].strip()
            yield _Text("comment", "\n".join([first, *lines[index + 1 : end]]).strip("\n"), paragraph)
            index = end
        else:
            text = _text(line, paragraph)
            if text.key not in _COMMENT_ENDS:
                yield text
        index += 1


def _comments(lines: list[str]) -> dict[int, int]:
    """For each ``Comment:`` that has its ``Comment-End:``, the line of the one to that of the other."""
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
    """Whether a line says nothing: empty, a ruler, or a comment for those who read the file itself."""
    return not line.strip(_RULER) or line.isspace() or line.startswith("::")


def _is_plain(line: str) -> bool:
    """Whether a line that is no row is neither blank nor a key nor a heading."""
    return not _is_blank(line) and _key(line) is None and not line.lstrip().startswith(_HEADING)


def _text(line: str, paragraph: int) -> _Text:
    key = _key(line)
    if key is not None:
        return _Text(*key, paragraph)
    bare = line.strip()
    if bare.startswith(_HEADING):
        return _Text(_HEADING, bare.lstrip(_HEADING).strip(), paragraph)
    return _Text("", bare, paragraph)


def _board_end(lines: list[str], first: int) -> int:
    """The line after the last row of the board that begins on line ``first``.

    Rows of floor belong to it only between two rows, and so does one line that is no row: it is a broken one.
    """
    end = first + 1
    while end < len(lines):
        after = end
        while after < len(lines) and lines[after].strip() and not lines[after].strip(_FLOOR):
            after += 1
        if after == end and not _is_row(lines[end]) and _is_plain(lines[end]):
            after += 1
        if after >= len(lines) or not _is_row(lines[after]):
            break
        end = after + 1
    return end


def _drafts(lines: list[str]) -> tuple[list[_Text], list[_Draft]]:
    """The texts of the collection, and the boards with theirs."""
    header: list[_Text] = []
    drafts: list[_Draft] = []
    texts: list[_Text] = []
    for each in _scan(lines):
        if isinstance(each, _Text):
            texts.append(each)
            continue
        above = drafts[-1].rows.paragraph if drafts else -1
        cut = _heading_start(texts, above, each.paragraph)
        (drafts[-1].below if drafts else header).extend(texts[:cut])
        drafts.append(_Draft(each, texts[cut:], []))
        texts = []
    (drafts[-1].below if drafts else header).extend(texts)
    if drafts and not any(text.key in _KEYS for draft in drafts[1:] for text in draft.above):
        # Keys before the first board speak of the collection, but for a file that has them above every board.
        first = drafts[0].above
        header += [text for text in first if text.key in _KEYS]
        first[:] = [text for text in first if text.key not in _KEYS]
    return header, drafts


def _heading_start(texts: list[_Text], above: int, below: int) -> int:
    """Where in the texts between two boards, which stand in those paragraphs, the heading of the lower one begins."""
    start = 0
    if above != below:
        start = next((i for i, text in enumerate(texts) if text.paragraph != above), len(texts))
    marked = [i for i in range(start, len(texts)) if texts[i].key == _HEADING]
    if marked:
        paragraph = texts[marked[-1]].paragraph
        return next(i for i in marked if texts[i].paragraph == paragraph)
    if start == len(texts):
        return start
    paragraph = texts[-1].paragraph
    last = next(i for i in range(start, len(texts)) if texts[i].paragraph == paragraph)
    if above == below:
        return len(texts) if texts[-1].key else len(texts) - 1
    if paragraph == below or last == len(texts) - 1 and not texts[last].key:
        return last
    return len(texts)


def _gathered(texts: Iterable[_Text]) -> tuple[dict[str, str], str]:
    """The values of the keys, and everything that is comment."""
    values: dict[str, list[str]] = {}
    comment: list[str] = []
    for text in texts:
        if text.key in _UNKEYED or text.key == "comment":
            comment.append(text.value)
        else:
            values.setdefault(text.key, []).append(text.value)
    return {key: "\n".join(value) for key, value in values.items()}, "\n".join(comment).strip("\n")


def _level(written: list[str], lines: list[str], draft: _Draft, number: int) -> Level:
    """The level of a draft; raises LevelError with line and column in the text as written."""
    first, end, _ = draft.rows
    rows, margin = _without_margin(lines[first:end], first + 1)
    try:
        level = level_from_rows(rows, line=first + 1, number=number)
    except LevelError as error:
        if not error.column:
            raise
        row = error.line - 1
        column = len(written[row]) - len(lines[row]) + _column(lines[row], margin + error.column)
        raise LevelError(error.problem, line=error.line, column=column, character=error.character) from None
    heading = next((i for i, text in enumerate(draft.above) if text.key in _UNKEYED), len(draft.above))
    values, comment = _gathered([*draft.above[:heading], *draft.above[heading + 1 :], *draft.below])
    title = draft.above[heading].value if heading < len(draft.above) else ""
    if title and values.get("title", title) != title:
        values["heading"] = title
    return level._replace(
        title=values.pop("title", title),
        author=values.pop("author", ""),
        comment=comment,
        metadata=tuple(values.items()),
    )


def _without_margin(lines: Sequence[str], line: int) -> tuple[list[str], int]:
    """The rows with tabs and the common left margin taken away, and the width of that margin.

    Raises LevelError for a board too large to work on, and for a row without wall or box.
    """
    widest = max(map(len, lines)) * (_TAB if any("\t" in row for row in lines) else 1)
    if len(lines) * widest > MAX_SQUARES:
        raise LevelError(f"found a board over {MAX_SQUARES} squares, expected a smaller one", line=line)
    rows = [row.expandtabs(_TAB).translate(_FLOOR_TO_SPACE).rstrip() for row in lines]
    margin = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
    for index, row in enumerate(rows):
        if row and not row.strip(_ROW) and not _is_row(row):
            column = len(row) - len(row.lstrip(" "))
            problem = f"found {row[column]!r} in a row without a wall # or a box on a goal *"
            raise LevelError(problem, line=line + index, column=column - margin + 1, character=row[column])
    return [row[margin:] for row in rows], margin


def _column(line: str, column: int) -> int:
    """The column in a line with tabs of one counted where the tabs are spaces."""
    place = 0
    for index, character in enumerate(line, start=1):
        place += _TAB - place % _TAB if character == "\t" else 1
        if place >= column:
            return index
    return len(line)


def _name(source: str) -> str:
    """A title for a collection that has none: the name of its file."""
    name = source.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[0] or name
