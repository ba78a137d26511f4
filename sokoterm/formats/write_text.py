"""A Pack as text: XSB with its keys, and SOK as Sokoban YASC and JSoko have it, with solutions and saved games.

A text that could be taken for anything else on the way back stands behind a key or between ``Comment:`` and
``Comment-End:``, where nothing is looked for.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.losses import kind
from sokoterm.formats.records import is_claim
from sokoterm.formats.scan import REMARKS
from sokoterm.formats.write_boards import board_rows

# As the programs that write SOK do.
_MOVES_IN_LINE = 70
_KEYS = ("id", "date", "difficulty", "copyright", "email", "homepage")
_PACK_KEYS = (*_KEYS, "title")
_LEVEL_KEYS = (*_KEYS, "collection")
_MOVES = "lurdLURD0123456789()[]{}*,-"
# Fewer letters than these are moves only where the line above says so.
_FEWEST_LETTERS = 8
# The keys of YASC and JSoko in the notes of solutions, none of which is one of a level.
_NOTE = re.compile(r"(solver|optimizer|time|optimality|date created|date of last change): \S.*", re.IGNORECASE)
_COMMENT_KEY = re.compile(r"\s*comment[ _-]?(end)?\s*:", re.IGNORECASE)
_NO_TITLE = re.compile(r"[\s;:>|\-=~_]|.*[:|]|best |saved|savegame|solution|snapshot", re.IGNORECASE | re.DOTALL)
# A line of these alone may be a row of a board, run-length text or moves.
_CELLS_AND_MOVES = " #@+$*.-_pPbB0123456789()|lurdLURD[]{},"


def to_xsb(pack: Pack, lost: list[str]) -> str:
    """Plain text with ``; title`` above the boards, keys and solutions below; what it cannot hold goes to ``lost``."""
    paragraphs = [_remarks(pack.metadata), _header(pack)]
    for level in pack.levels:
        above, notes = _texts(level, _is_marked_title)
        paragraphs += [[f"; {above}"] if above else [], board_rows(level, lost), notes, _remarks(level.metadata)]
        for record in level.records:
            if kind(record) == "saved games":
                lost.append("saved games")
                continue
            if not _has_moves(record, lost):
                continue
            paragraphs.append([f"Solution: {record.moves}"])
            if record.title.lower() != "solution":
                lost.append("titles of solutions")
            if record.notes:
                lost.append("notes of solutions")
    return _text(paragraphs)


def to_sok(pack: Pack, lost: list[str]) -> str:
    """Text with a title line above the boards, notes below, then solutions and saved games with theirs.

    What it cannot hold goes to ``lost``.
    """
    paragraphs = [_remarks(pack.metadata), _header(pack)]
    texts = [_texts(level, _is_title_line) for level in pack.levels]
    for index, (level, (above, notes)) in enumerate(zip(pack.levels, texts)):
        paragraphs += [[above], board_rows(level, lost), notes, _remarks(level.metadata)]
        next_title = texts[index + 1][0] if index + 1 < len(texts) else ""
        for record, after in zip(level.records, [*(each.title for each in level.records[1:]), next_title]):
            paragraphs += _record(record, after, lost)
    return _text(paragraphs)


def _text(paragraphs: Iterable[list[str]]) -> str:
    return "\n\n".join("\n".join(lines) for lines in paragraphs if any(lines)) + "\n"


def _header(pack: Pack) -> list[str]:
    pairs = [(key, value) for key, value in (("Collection", pack.title), ("Author", pack.author)) if value]
    return [*_pairs(pairs), *_metadata(pack.metadata, _PACK_KEYS, pack.comment)]


def _texts(level: Level, may_stand_above: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The line above a board, empty for none, and the lines below.

    Where readers found two titles, one above and one behind its key, the former is the ``heading`` in the metadata.
    """
    heading = next((pair for pair in level.metadata if pair[0] == "heading"), ("", ""))
    pairs = [("Title", level.title), ("Author", level.author)]
    metadata = list(level.metadata)
    above = ""
    if level.title and heading[1] and heading[1] != level.title and may_stand_above(heading[1]):
        above = heading[1]
        metadata.remove(heading)
    elif may_stand_above(level.title):
        above = level.title
        del pairs[0]
    known = _pairs((key, value) for key, value in pairs if value)
    return above, [*known, *_metadata(metadata, _LEVEL_KEYS, level.comment)]


def _metadata(pairs: Iterable[tuple[str, str]], keys: Collection[str], comment: str) -> Iterator[str]:
    """Known keys as such, then the comment, others below it, for all readers know it."""
    known = [pair for pair in pairs if pair[0] in keys]
    yield from _pairs((key.capitalize(), value) for key, value in known)
    others = [f"{key}: {value}" for key, value in pairs if key not in keys and key != REMARKS]
    if comment or others:
        yield from _comment("\n".join(filter(None, [comment.strip("\n"), *others])))


def _remarks(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The lines that are for those who read the file itself, behind marks that keep them from all else."""
    remarks = "\n".join(value for key, value in pairs if key == REMARKS).strip("\n")
    if not remarks:
        return []
    return [f"::{line}" if line.startswith(":") else f":: {line}".rstrip() for line in remarks.split("\n")]


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A line ``Key: value`` for each line of each value."""
    for key, value in pairs:
        for line in value.split("\n"):
            yield f"{key}: {line.strip()}".rstrip()


def _comment(text: str) -> Iterator[str]:
    """The lines of a comment between its marks.

    A line that would be a mark itself stands behind a mark that begins anew; blank lines before it have their own.
    """
    yield "Comment:"
    blanks = 0
    for line in text.strip("\n").split("\n"):
        if _COMMENT_KEY.match(line) or _is_rewritten(line):
            yield "Comment-End:"
            yield from ["Comment:", "Comment-End:"] * blanks
            yield f"Comment: {line.strip()}"
        elif line:
            yield from [""] * blanks
            yield line
        blanks = 0 if line else blanks + 1
    yield "Comment-End:"


def _is_rewritten(line: str) -> bool:
    """Whether a reader may take a line for a row of a quoted mail or of run lengths before it looks for comments.

    One quoted row would take the marks from all quoted lines of the file.
    """
    return not line.strip(_CELLS_AND_MOVES + ">\t") and any(mark in line for mark in ">|()0123456789")


def _is_marked_title(title: str) -> bool:
    """Whether a title comes back from behind ``;``."""
    return bool(title) and "\n" not in title and not title.startswith(";")


def _is_title_line(title: str) -> bool:
    """Whether a title is one wherever it stands as a line of text, for other programs too."""
    if "\n" in title or _NO_TITLE.match(title):
        return False
    return title.isdecimal() or bool(title.strip(_CELLS_AND_MOVES))


def _has_moves(record: Record, lost: list[str]) -> bool:
    if record.moves and not record.moves.strip(_MOVES):
        return True
    lost.append(f"{kind(record)} that are no moves")
    return False


def _record(record: Record, next_title: str, lost: list[str]) -> Iterator[list[str]]:
    """The paragraphs of a record.

    Its notes stand as they are where each is a key of its own and a title line follows, for the last line could be
    taken for one; else between the marks of a comment.
    """
    if not _has_moves(record, lost):
        return
    title = record.title
    is_counted = any(mark in record.moves for mark in ",-")
    if is_counted and kind(record) == "saved games":
        lost.append("saved games with counts behind the letters")
        return
    letters = sum(map(str.isalpha, record.moves))
    is_known = is_claim(title) and ":" not in title and "\n" not in title
    if not is_known and (letters < _FEWEST_LETTERS or title and not _is_title_line(title)):
        lost.append(f"titles of {kind(record)}")
        title = "Savegame" if kind(record) == "saved games" else "Solution"
    if is_counted and title != "Solution":
        lost.append("titles of solutions")
    # Lines of RLE or of counts could break in a number.
    width = _MOVES_IN_LINE if record.moves.isalpha() else len(record.moves)
    moves = [record.moves[start : start + width] for start in range(0, len(record.moves), width)]
    yield [f"Solution: {record.moves}"] if is_counted else [title, *moves] if title else moves
    notes = record.notes.strip("\n").split("\n") if record.notes.strip() else []
    if is_counted and notes:
        lost.append("notes of solutions")  # what stands below a key speaks of the level
        return
    if next_title and all(map(_NOTE.fullmatch, notes)):
        yield notes
    elif notes:
        yield list(_comment("\n".join(notes)))
