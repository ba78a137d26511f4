"""Registry of formats: suffixes, readers, writers and what each can hold; bytes to a Pack and back.

A new format is a module with a writer and a row in FORMATS, or with a reader, if it is not text of boards, and a case
in ``_reader_of``, or both.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from sokoterm.engine.level import Level, LevelError, Pack, Record
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.value import UsageError, Value
from sokoterm.formats.foreign import split_lines
from sokoterm.formats.grammar import kind
from sokoterm.formats.limits import DEFAULT_LIMITS, UNLIMITED, ReadLimits, check_encoding, decode, decode_begin, marked
from sokoterm.formats.text import has_board, parse_text, rows_of_board, without_kinds
from sokoterm.formats.write_text import as_text_has_it, to_rle, to_sok, to_xsb
from sokoterm.language import N_, _

# The bytes of a file, its name, limits and encoding to its levels.
_Read = Callable[[bytes, str, ReadLimits, str | None], Pack]

_XML_MARKS = ("<sokobanlevels", "<sokobanlibrary")
# Enough for white space and the start of an XML file.
_BEGIN_BYTES = 4096
_BLANKS = "\ufeff \t\r\n"
# Forbidden in texts: they could control a terminal, and XML cannot represent most of them.
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
_FENCED = r"(?ms)^```.*?^```"
_REPLACEMENT = "\ufffd"
# Texts of a pack or level, and their names for a person where a format cannot hold them.
_PACK_FIELDS = {
    "title": N_("title of the collection"),
    "author": N_("author of the collection"),
    "comment": N_("comment of the collection"),
}
_LEVEL_FIELDS = {
    "title": N_("titles of levels"),
    "author": N_("authors of levels"),
    "comment": N_("comments of levels"),
}
# A pack or level, whose texts are cleaned.
_Owner = TypeVar("_Owner", Pack, Level)


class Holds(Value):
    """Contents of a format beside boards: texts and keys of a pack and of levels, records, colours of boxes.

    Without ``every_level`` some boards have no place in it.
    """

    pack_fields: Collection[str] = ()
    level_fields: Collection[str] = ()
    records: bool = False
    colors: bool = False
    every_level: bool = True

    def lost(self, pack: Pack) -> Iterator[str]:
        """Yield a name for each field of the pack that cannot be held; keys of metadata count as fields."""
        for owners, held, fields, of_key in (
            ([pack], self.pack_fields, _PACK_FIELDS, N_("{key} of the collection")),
            (pack.levels, self.level_fields, _LEVEL_FIELDS, N_("{key} of levels")),
        ):
            for field, words in fields.items():
                if field not in held and any(getattr(each, field) for each in owners):
                    yield _(words)
            for key in dict.fromkeys(key for each in owners for key, __ in each.metadata):
                if key not in held:
                    yield _(of_key, key=key)
        if not self.colors and any(level.board.colors for level in pack.levels):
            yield _("colours of boxes")
        if any(level.board.ice for level in pack.levels):
            yield _("ice")
        if not self.records:
            yield from (_(kind(record)) for level in pack.levels for record in level.records)


_CHECKED = ("title", "author")
MISREAD = N_("not written: it would not be read back as it is")


class Format(Value):
    """A format to write: ``write`` returns the text of a file and adds the names of fields it could not hold to a list.

    ``holds`` is None if the format has a place for every field.
    """

    suffixes: tuple[str, ...]
    write: Callable[[Pack, list[str]], str]
    holds: Holds | None = None


# Few runs need XML or SokoMind: their modules are imported on first use.
def _to_slc(pack: Pack, lost: list[str]) -> str:
    from sokoterm.formats.xml_levels import to_slc  # few files are of this format

    return to_slc(pack, lost)


def _to_sokomind(pack: Pack, lost: list[str]) -> str:
    from sokoterm.formats.sokomind import to_sokomind  # few files are of this format

    return to_sokomind(pack, lost)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "xsb": Format((".xsb", ".txt"), to_xsb),
        "sok": Format((".sok",), to_sok),
        "rle": Format((".rle",), to_rle, Holds()),
        "slc": Format(
            (".slc", ".xml"),
            _to_slc,
            Holds(("title", "author", "comment", "email", "homepage"), ("title", "author")),
        ),
        "sokomind": Format((".sokomind",), _to_sokomind, Holds((), ("title",), colors=True, every_level=False)),
    }
)
"""Formats that are written."""


def format_of(path: str) -> str:
    """Return the format that the suffix of a file names; empty for none."""
    return next((name for name, each in FORMATS.items() if path.lower().endswith(each.suffixes)), "")


def parse(data: bytes, source: str, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Return the pack in ``data``; ``source`` names it in errors. Data without a board give an empty pack.

    Raises LevelError if ``encoding`` is given and does not fit, if the data are not text, or if they exceed the limits.
    """
    try:
        if encoding is not None:
            check_encoding(encoding)
        read = None if limits.are_signs_told else _reader_of(data, encoding)
        return (read or parse_text)(data, source, limits, encoding)
    except LevelError as error:
        raise error.located(source=source, level=error.level) from None


def looks_like_pack(head: bytes, name: str = "") -> bool:
    """True if a file that begins with ``head`` may be a pack: a board begins in it, or the mark of another format.

    Text with fenced code is a document about levels, not a pack; if the file has a ``name`` as packs have, that is true
    only of the boards in the code.
    """
    if _reader_of(head, None):
        begin = decode_begin(head, None, len(head)).lower()
        return not _is_xml(begin.lstrip(_BLANKS)) or any(mark in begin for mark in _XML_MARKS)
    if b"\0" in head and marked(head) in (None, "utf-8"):
        return False
    text = decode(head)
    if "```" in text and any(line.startswith("```") for line in split_lines(text)):
        return bool(format_of(name.lower().removesuffix(".gz"))) and has_board(re.sub(_FENCED, "", text))
    if has_board(text):
        return True
    from sokoterm.formats.notations import has_levels  # few files have other notations

    return has_levels(text)


def _reader_of(data: bytes, encoding: str | None) -> _Read | None:
    """Return the reader of a format that is not text of boards, if the data begin like it."""
    begin = decode_begin(data, encoding, _BEGIN_BYTES).lstrip(_BLANKS)
    if _is_xml(begin.lower()):
        from sokoterm.formats.xml_levels import parse_xml  # few files are of this format

        return parse_xml
    if re.search("^ *OO[O ]*$", begin, re.MULTILINE):
        from sokoterm.formats.sokomind import is_sokomind, parse_sokomind  # few files are of this format

        return parse_sokomind if is_sokomind(begin) else None
    return None


def _is_xml(begin: str) -> bool:
    """True if a file in lower case begins as XML does. A web page does not count: its boards are read as text."""
    if begin.startswith("<!--"):
        return any(mark in begin for mark in _XML_MARKS)
    return begin.startswith(("<?xml", "<!doctype", *_XML_MARKS)) and not begin.startswith("<!doctype html")


def rows_as_written(data: bytes, error: LevelError) -> tuple[list[str], int]:
    """Return the rows of a level that cannot be read, as they are in a file, and the line from 1 of the first one.

    No rows where the file is no plain text, or has none that can be shown.
    """
    return ([], 0) if _reader_of(data, None) else rows_of_board(decode(data), error.level)


class Written(Value):
    """A file as bytes; ``lost`` names in words, once each, the kinds of fields that only the pack has."""

    data: bytes
    lost: tuple[str, ...]


def write(pack: Pack, name: str) -> Written:
    """Write the pack in one of FORMATS, as UTF-8 with LF; unreadable levels are left out.

    Reading it back gives the same boards and texts, except for white space around lines, level numbers and what
    ``lost`` names. Raises UsageError for another name.
    """
    if name not in FORMATS:
        raise UsageError(f"found the format {name!r}, expected one of {', '.join(FORMATS)}")
    chosen = FORMATS[name]
    clean = cleaned(pack)
    lost = [] if clean == pack else [_("control characters in texts")]
    if chosen.holds is not None:
        lost += chosen.holds.lost(clean)
    text = chosen.write(clean, lost)
    return Written(text.encode("utf-8"), tuple(dict.fromkeys(lost)))


def cleaned(pack: Pack) -> Pack:
    """Return a pack with control characters in its texts replaced, as it is written."""
    levels = (
        _clean_texts(level).replace(records=tuple(Record(*map(_clean, record)) for record in level.records))
        for level in pack.levels
    )
    return _clean_texts(pack)._replace(levels=tuple(levels))


def _clean_texts(owner: _Owner) -> _Owner:
    return owner.replace(
        title=_clean(owner.title),
        author=_clean(owner.author),
        comment=_clean(owner.comment),
        metadata=tuple((_clean(key), _clean(value)) for key, value in owner.metadata),
    )


def _clean(text: str) -> str:
    """Replace the control characters in a text, except line ends and tabs."""
    if text.isprintable():
        return text
    return re.sub(_CONTROL, _REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))


def check_read_back(written: Written, pack: Pack, name: str, source: str = "") -> Pack:
    """Return what is read of the file of a pack.

    Raises LevelError for the first level that it does not hold whole, or for the pack's own texts. Boards, colours, ice
    and the words of texts are compared, and records, but for what is ``lost``; ``source`` names the file.
    """
    pack, holds = cleaned(pack), FORMATS[name].holds
    there = parse(written.data, source, "utf-8", UNLIMITED)
    rest = iter(there.levels)
    found = next(rest, None)
    for level in pack.levels:
        if found is not None and is_whole(found, level, holds, has_lost=bool(written.lost)):
            found = next(rest, None)
        elif holds is None or holds.every_level:
            raise LevelError(_(MISREAD), source=source, level=level.number, title=level.title)
    if found is not None or holds is None and not _has_texts(there, pack._replace(title=pack.title or there.title)):
        raise LevelError(_(MISREAD), source=source)
    return there


def is_whole(found: Level, level: Level, holds: Holds | None = None, *, has_lost: bool = False) -> bool:
    """True if a level was read as it was written, but for what its format does not hold, and records that were lost."""
    if holds is not None:
        kept = without_kinds(level, keeps_colors=holds.colors)
        return exact_id(found) == exact_id(kept) and _has_fields(found, level, holds.level_fields)
    level = as_text_has_it(level, [])
    wanted, moves = ([record.moves for record in each.records] for each in (level, found))
    has_records = moves == wanted or has_lost and Counter(moves) <= Counter(wanted)
    return found.puzzle == level.puzzle and has_records and _has_texts(found, level)


def _has_texts(found: Pack | Level, owner: Pack | Level) -> bool:
    """True if all texts are there, none twice, and no others; keys that are unknown to text may be in the comment."""
    if not (found.comment or found.metadata or owner.comment or owner.metadata):
        return _has_fields(found, owner, _CHECKED)
    least = _words([owner.comment, *(value for _, value in owner.metadata)])
    most = _words([owner.comment, *(f"{key}: {value}" for key, value in owner.metadata)])
    there = _words([found.comment, *(value for _, value in found.metadata)])
    return least <= there <= most and _has_fields(found, owner, _CHECKED)


def _has_fields(found: Pack | Level, owner: Pack | Level, fields: Collection[str]) -> bool:
    return all(getattr(found, each).split() == getattr(owner, each).split() for each in _CHECKED if each in fields)


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in text.split())
