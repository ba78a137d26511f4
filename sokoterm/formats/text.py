"""Text to a Pack: boards, plain or run-length, among titles, keys, comments and moves in all the habits of the wild.

Between two boards stand the notes and records of the one above and the heading of the one below.  The text is cut
into paragraphs at blank lines; what shares a paragraph with a board belongs to it.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.records import (
    Moves,
    RecordDraft,
    is_claim,
    is_moves,
    is_no_word,
    is_record,
    is_title,
    keyed_moves,
)
from sokoterm.formats.rows import (
    is_any_row,
    is_counted,
    is_counted_board,
    is_counted_wall,
    is_floor,
    is_level_row,
    is_nearly_row,
    is_row,
    margin_of,
    read_board,
    without_quotes,
)

_RULER = " -_=~\t"
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
    """A board with the texts above and below that belong to it, and its records."""

    rows: _Rows
    above: list[_Text]
    below: list[_Text]
    records: list[RecordDraft]


def parse_xsb(text: str, source: str, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """The pack in ``text``; ``source`` names it in errors and gives the title where the text has none.

    A board that is no level keeps its number and goes to ``errors``.  Takes time linear in the text; raises LevelError
    where there are more levels than the limits allow, and for nothing else.
    """
    written = split_lines(text)
    lines = without_quotes(written) if ">" in text else written
    try:
        header, drafts = _drafts(lines, limits)
    except LevelError as error:
        raise error.located(source=source, level=error.level) from None
    levels: list[Level] = []
    errors: list[LevelError] = []
    for number, draft in enumerate(drafts, start=1):
        try:
            levels.append(_level(written, lines, draft, number, limits))
        except LevelError as error:
            errors.append(error.located(source=source, level=number))
    values, comment = _gathered(header)
    title = values.pop("collection", "") or values.pop("title", "") or _name(source)
    author = values.pop("author", "")
    return Pack(title, tuple(levels), tuple(errors), author, comment, tuple(values.items()))


def has_board(text: str) -> bool:
    """Whether a board with more in it than walls begins in ``text``."""
    lines = without_quotes(split_lines(text))
    boards = (each for each in _scan(lines) if isinstance(each, _Rows))
    return any(is_level_row(line) for board in boards for line in lines[board.first : board.end])


def split_lines(text: str) -> list[str]:
    """The lines, ended by LF, CRLF or a bare CR; not at the other characters str.splitlines takes for ends."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _key(line: str) -> tuple[str, str] | None:
    """The known key at the begin of a line (the end of a comment is one) and its value."""
    name, colon, value = line.partition(":")
    if not colon or len(name) > 20:
        return None
    name = name.strip().lower()
    return (name, value.strip()) if name in _KEYS or name in _COMMENT_ENDS else None


def _scan(lines: list[str]) -> Iterator[_Text | _Rows | Moves]:
    """Boards, texts and what may be moves in their order."""
    comments = _comments(lines)
    paragraph = index = 0
    while index < len(lines):
        line = lines[index]
        if is_row(line) or _begins_counted(lines, index):
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
            keyed = keyed_moves(line) if ":" in line else None
            if keyed or is_moves(line):
                moves = _moves(lines, index, paragraph, keyed)
                yield moves
                index = moves.end
                continue
            text = _text(line, paragraph)
            if text.key not in _COMMENT_ENDS:
                yield text
        index += 1


def _begins_counted(lines: list[str], index: int) -> bool:
    """Whether a board begins on a line with counts."""
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
    """The run of moves that begins on line ``first``, with title and moves where these are on one line."""
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
    key = _key(line) if ":" in line else None
    if key is not None and (key[1] or key[0] != "solution"):
        return _Text(*key, paragraph)
    bare = line.strip()
    if bare.startswith(_HEADING):
        return _Text(_HEADING, bare.lstrip(_HEADING).strip(), paragraph)
    return _Text("", bare, paragraph)


def _board_end(lines: list[str], first: int) -> int:
    """The line after the last row of the board that begins on line ``first``.

    Rows of floor belong to it only between two rows, and so do broken rows: one line that is no row, or several that
    nearly are.
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
    """Whether a line that is no row may be meant as one, where it stands between two."""
    if not line or is_any_row(line):
        return False
    return _is_plain(line) and not (is_moves(line) and is_no_word(line)) and keyed_moves(line) is None


def _drafts(lines: list[str], limits: ReadLimits) -> tuple[list[_Text], list[_Draft]]:
    """The texts of the collection, and the boards with theirs; raises LevelError where these are too many."""
    header: list[_Text] = []
    drafts: list[_Draft] = []
    texts: list[_Text] = []
    above = -1
    for each in _scan(lines):
        if isinstance(each, _Text):
            texts.append(each)
        elif isinstance(each, Moves):
            if drafts and _add_record(drafts[-1], texts, each):
                above = each.paragraph
                texts = []
            else:
                texts += _unread(lines, each)
        else:
            if len(drafts) == limits.levels:
                raise limits.too_many_levels(each.first + 1)
            cut = _heading_start(texts, above, each.paragraph)
            _place(texts[:cut], drafts[-1] if drafts else None, header)
            drafts.append(_Draft(each, texts[cut:], [], []))
            above = each.paragraph
            texts = []
    _place(texts, drafts[-1] if drafts else None, header)
    if drafts and not any(text.key in _KEYS for draft in drafts[1:] for text in draft.above):
        # Keys before the first board speak of the collection, but for a file that has them above every board.
        first = drafts[0].above
        header += [text for text in first if text.key in _KEYS]
        first[:] = [text for text in first if text.key not in _KEYS]
    if any(record.takes_notes for draft in drafts for record in draft.records):
        # Files of such records are SOK, where a title stands alone; elsewhere it is the first line right above.
        for draft in drafts:
            plain = [text for text in draft.above if not text.key]
            if len(plain) > 1:
                draft.above[:] = [text if text.key else text._replace(key="comment") for text in draft.above]
    return header, drafts


def _place(texts: list[_Text], draft: _Draft | None, header: list[_Text]) -> None:
    """Give texts to what they speak of: the collection, a level, or the notes of its last record."""
    if draft is None:
        header += texts
        return
    if not draft.records or not draft.records[-1].takes_notes:
        draft.below.extend(texts)
        return
    for text in texts:
        if text.key in _UNKEYED or text.key == "comment":
            draft.records[-1].notes.append(text.value)
        else:
            draft.below.append(text)


def _add_record(draft: _Draft, texts: list[_Text], moves: Moves) -> bool:
    """Give moves to the board above, with the title among the texts before them; False where they are no moves."""
    title = moves.key
    cut = len(texts)
    if not title and texts and texts[-1].key in _UNKEYED:
        last = texts[-1]
        is_alone = len(texts) == 1 or texts[-2].paragraph != last.paragraph
        if is_claim(last.value) or is_alone and not last.key and is_title(last.value):
            cut -= 1
            title = last.value.removesuffix(":").rstrip() if is_claim(last.value) else last.value
    if not is_record(moves, title):
        return False
    _place(texts[:cut], draft, [])
    if moves.text:
        draft.records.append(RecordDraft(title, moves.text, [], takes_notes=not moves.key))
    return True


def _unread(lines: list[str], moves: Moves) -> list[_Text]:
    """The lines of what are no moves after all."""
    return [_text(line, moves.paragraph) for line in lines[moves.first : moves.end]]


def _heading_start(texts: list[_Text], above: int, below: int) -> int:
    """Where in the texts between two boards, which stand in those paragraphs, the heading of the lower one begins.

    Moves count for the board above them.
    """
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
    if paragraph == below:
        return last
    return last if last == len(texts) - 1 and not texts[last].key and is_title(texts[last].value) else len(texts)


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


def _level(written: list[str], lines: list[str], draft: _Draft, number: int, limits: ReadLimits) -> Level:
    """The level of a draft; raises LevelError with line and column in the text as written."""
    first, end, _ = draft.rows
    try:
        level = read_board(lines[first:end], first, number, limits)
    except LevelError as error:
        row = error.line - 1
        column = error.column and error.column + len(written[row]) - len(lines[row])
        raise LevelError(error.problem, line=error.line, column=column, character=error.character) from None
    if not (draft.above or draft.below or draft.records):
        return level
    heading = next((i for i, text in enumerate(draft.above) if text.key in _UNKEYED), len(draft.above))
    title = draft.above[heading].value if heading < len(draft.above) else ""
    margin = margin_of(lines[first:end]) if any("-" in record.moves for record in draft.records) else 0
    records = tuple([record.record(margin) for record in draft.records])
    if len(draft.above) <= 1 and not draft.below and title:
        return level._replace(title=title, records=records)
    values, comment = _gathered([*draft.above[:heading], *draft.above[heading + 1 :], *draft.below])
    keyed = values.pop("title", "")
    if title and keyed and keyed != title:
        values["heading"] = title
    return level._replace(
        title=keyed or title,
        author=values.pop("author", ""),
        comment=comment,
        metadata=tuple(values.items()),
        records=records,
    )


def _name(source: str) -> str:
    """A title for a collection that has none: the name of its file."""
    name = source.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[0] or name
