"""Writers for text: XSB with its keys, SOK as in Sokoban YASC and JSoko, RLE, which contains only boards, and links.

Text that a reader could misinterpret is written after a key or between ``Comment:`` and ``Comment-End:``.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from sokoterm.engine.level import RECIPE, Level, Pack, Record
from sokoterm.engine.lurd import run_lengths
from sokoterm.formats.foreign import with_plain_blanks
from sokoterm.formats.grammar import GAME, REMARKS, is_claim, kind, without_mark
from sokoterm.formats.text import foreign_keys, keys_of
from sokoterm.language import _

# As in other programs that write SOK.
_MOVES_IN_LINE = 70
_KEYS = ("id", "date", "difficulty", "copyright", "email", "homepage", GAME)
_PACK_KEYS = (*_KEYS, "title")
_LEVEL_KEYS = (*_KEYS, "collection", RECIPE)
_MOVES = "lurdLURD0123456789()[]{}*,-"
# Fewer letters are moves only if the line above says so.
_FEWEST_LETTERS = 8
# Keys of YASC and JSoko in the notes of solutions, never in levels.
_NOTE = r"(?i)(solver|optimizer|time|optimality|date created|date of last change): \S.*"
_COMMENT_KEY = r"(?i)\s*comment[ _-]?(end)?\s*:"
_NO_TITLE = r"(?is)[\s;:<>|\-=~_`]|.*[:|]|best |saved|savegame|solution|snapshot"
# A line of only these characters may be a row, run-length text or moves.
_CELLS_AND_MOVES = " #@+$*.-_pPbB0123456789()|lurdLURD[]{},"


def to_xsb(pack: Pack, lost: list[str]) -> str:
    """Return plain text, with ``; title`` above the boards, keys and solutions below; add lost fields to ``lost``."""
    paragraphs = [_remarks(pack.metadata), _header(pack)]
    for whole in pack.levels:
        records = tuple(record for record in whole.records if kind(record) == "solutions")
        level = as_text_has_it(whole.replace(records=records), lost)
        above, notes = _texts(level, _is_marked_title)
        paragraphs += [[f"; {above}"] if above else [], _board_rows(level), notes, _remarks(level.metadata)]
        for record in level.records:
            if not _has_moves(record, lost):
                continue
            paragraphs.append([f"Solution: {record.moves}"])
            if record.title.lower() not in ("", "solution"):
                lost.append(_("titles of solutions"))
            if record.notes:
                lost.append(_("notes of solutions"))
        if len(records) < len(whole.records):
            lost.append(_("saved games"))
    return _text(paragraphs)


def to_sok(pack: Pack, lost: list[str]) -> str:
    """Return text with a title line above each board, notes and records below; add lost fields to ``lost``."""
    paragraphs = [_remarks(pack.metadata), _header(pack)]
    levels = [as_text_has_it(level, lost) for level in pack.levels]
    texts = [_texts(level, _is_title_line) for level in levels]
    for index, (level, (above, notes)) in enumerate(zip(levels, texts)):
        paragraphs += [[above], _board_rows(level), notes, _remarks(level.metadata)]
        next_title = texts[index + 1][0] if index + 1 < len(texts) else ""
        for record, after in zip(level.records, [*(each.title for each in level.records[1:]), next_title]):
            paragraphs += _record(record, after, lost)
    return _text(paragraphs)


def to_rle(pack: Pack, lost: list[str]) -> str:
    """Return run-length boards, one per line, with floor as ``-``; add lost decoration to ``lost``."""
    levels = (as_text_has_it(level, lost) for level in pack.levels)
    return "\n".join("|".join(map(run_lengths, _board_rows(level))).replace(" ", "-") + "\n" for level in levels)


def to_link(level: Level, page: str, lurd: str = "") -> str:
    """Return the address of a page that shows a level; other pages than sokoterm's ignore its texts and the moves."""
    from urllib.parse import quote, urlencode  # takes 10 ms, for links only

    level = as_text_has_it(level, [])
    rows = "\n".join(_board_rows(level)).replace(" ", "-")
    # The rows last: a link ends with a wall, which no program takes for the end of a sentence.
    pairs = [("title", level.title), ("author", level.author), *keys_of(level), ("solution", lurd), ("level", rows)]
    query = urlencode([pair for pair in pairs if pair[1]], errors="replace", quote_via=quote)
    return f"{page}{'&' if '?' in page else '?'}{query}"


def as_text_has_it(level: Level, lost: list[str]) -> Level:
    """Return a level as it is read back from text: without a left margin and rows of decoration.

    Rows need a wall or a box on a goal to be recognized; others become blank, and are added to ``lost``.
    """
    rows = [row if "#" in row or "*" in row else "" for row in level.rows]
    if any(map(str.strip, set(level.rows).difference(rows))):
        lost.append(_("decoration away from the walls"))
    solid = [index for index, row in enumerate(rows) if row]
    top, end = solid[0], solid[-1] + 1
    left = min(len(rows[index]) - len(rows[index].lstrip(" ")) for index in solid)
    if (top, end, left) == (0, len(rows), 0) and rows == [*level.rows]:
        return level
    return level.redrawn([row[left:] for row in rows[top:end]], lambda row, column: (row - top, column - left))


def _board_rows(level: Level) -> list[str]:
    """Return the rows of a board as every text reader recognizes them, with ``-`` for a blank one."""
    return [row or "-" for row in level.rows]


def _text(paragraphs: Iterable[list[str]]) -> str:
    return "\n\n".join("\n".join(lines) for lines in paragraphs if any(lines)) + "\n"


def _header(pack: Pack) -> list[str]:
    author = (("author", pack.author),) if pack.author else ()
    texts = [*_pairs(author), *_metadata(pack.metadata, _PACK_KEYS, pack.comment)]
    # Without this line, readers could assign the texts to the first level.
    return [*_pairs([("collection", pack.title)]), *texts] if pack.title or texts else []


def _texts(level: Level, may_stand_above: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Return the line above a board, which may be the ``heading`` in the metadata, and the lines below."""
    heading = next((pair for pair in level.metadata if pair[0] == "heading"), ("", ""))
    pairs = [("title", level.title), ("author", level.author)]
    metadata = list(level.metadata)
    above = ""
    if level.title and heading[1] and heading[1] != level.title and may_stand_above(heading[1]):
        above = heading[1]
        metadata.remove(heading)
    elif may_stand_above(level.title):
        above = level.title
        del pairs[0]
    foreign = foreign_keys(level)
    metadata = [pair for pair in metadata if pair not in foreign]
    known = _pairs(pair for pair in (*pairs, *keys_of(level), *foreign) if pair[1])
    return above, [*known, *_metadata(metadata, _LEVEL_KEYS, level.comment)]


def _metadata(pairs: Sequence[tuple[str, str]], keys: Collection[str], comment: str) -> Iterator[str]:
    """Yield known keys, then the comment with the other keys at its end, since every reader knows comments."""
    yield from _pairs(pair for pair in pairs if pair[0] in keys)
    others = [f"{key}: {value}" for key, value in pairs if key not in keys and key != REMARKS]
    if comment or others:
        yield from _comment("\n".join(filter(None, [comment.strip("\n"), *others])))


def _remarks(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the remarks after ``::``, which prevents readers from interpreting them."""
    remarks = "\n".join(value for key, value in pairs if key == REMARKS).strip("\n")
    if not remarks:
        return []
    return [f"::{line}" if line.startswith(":") else f":: {line}".rstrip() for line in remarks.split("\n")]


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for key, value in pairs:
        for line in value.split("\n"):
            yield f"{key.capitalize()}: {line.strip()}".rstrip()


def _comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment between marks, which are repeated around lines that readers could misinterpret."""
    yield "Comment:"
    blanks = 0
    for line in text.strip("\n").split("\n"):
        # Readers may look for rows, quoted or run-length, before comments; one quoted row would strip the quote marks
        # from all quoted lines of the file.
        is_rewritten = not line.strip(_CELLS_AND_MOVES + ">\t") and any(mark in line for mark in ">|()0123456789")
        if re.match(_COMMENT_KEY, line) or is_rewritten:
            yield "Comment-End:"
            yield from ["Comment:", "Comment-End:"] * blanks
            yield f"Comment: {line.strip()}"
        elif line:
            yield from [""] * blanks
            yield line
        blanks = 0 if line else blanks + 1
    yield "Comment-End:"


def _is_marked_title(title: str) -> bool:
    return bool(title) and "\n" not in title and not title.startswith(";")


def _is_title_line(title: str) -> bool:
    """True if readers, including other programs, recognize a title on any line of text."""
    if "\n" in title or re.match(_NO_TITLE, title) or without_mark(title) != title:
        return False
    return title.isdecimal() or bool(with_plain_blanks(title).strip(_CELLS_AND_MOVES))


def _has_moves(record: Record, lost: list[str]) -> bool:
    if record.moves and not record.moves.strip(_MOVES):
        return True
    is_saved_game = kind(record) == "saved games"
    lost.append(_("saved games without valid moves") if is_saved_game else _("solutions without valid moves"))
    return False


def _record(record: Record, next_title: str, lost: list[str]) -> Iterator[list[str]]:
    """Yield the paragraphs of a record.

    Its notes become a comment unless they are all known keys and a title line follows, for which readers could
    otherwise mistake the last note.
    """
    if not _has_moves(record, lost):
        return
    title = record.title
    is_counted = any(mark in record.moves for mark in ",-")
    if is_counted and kind(record) == "saved games":
        lost.append(_("saved games with counts after the letters"))
        return
    letters = sum(map(str.isalpha, record.moves))
    is_known = is_claim(title) and ":" not in title and "\n" not in title
    if not is_known and (letters < _FEWEST_LETTERS or title and not _is_title_line(title)):
        is_saved_game = kind(record) == "saved games"
        if title:
            lost.append(_("titles of saved games") if is_saved_game else _("titles of solutions"))
        title = "Savegame" if is_saved_game else "Solution"
    if is_counted and title not in ("", "Solution"):
        lost.append(_("titles of solutions"))
    # A line break could split a count.
    width = _MOVES_IN_LINE if record.moves.isalpha() else len(record.moves)
    moves = [record.moves[start : start + width] for start in range(0, len(record.moves), width)]
    yield [f"Solution: {record.moves}"] if is_counted else [title, *moves] if title else moves
    notes = record.notes.strip("\n").split("\n") if record.notes.strip() else []
    if is_counted and notes:
        lost.append(_("notes of solutions"))  # readers assign text below a key to the level
        return
    if next_title and all(re.fullmatch(_NOTE, each) for each in notes):
        yield notes
    elif notes:
        yield list(_comment("\n".join(notes)))
