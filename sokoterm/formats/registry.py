"""Registry of formats: suffixes, readers, writers, and the contents each supports; bytes to a Pack and back.

A new format needs a module, with a writer and a row in FORMATS, or with a reader and a case in ``_reader_of`` (unless
it is text of boards), or with both.
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

# A reader: from the bytes of a file, its name, limits and encoding to a pack.
_Read = Callable[[bytes, str, ReadLimits, str | None], Pack]

_XML_MARKS = ("<sokobanlevels", "<sokobanlibrary")
# Enough for white space and the start of an XML file.
_BEGIN_BYTES = 4096
_BLANKS = "\ufeff \t\r\n"
# Forbidden in texts: they could control a terminal, and XML cannot represent most of them.
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
_FENCED = r"(?ms)^```.*?^```"
_REPLACEMENT = "\ufffd"
# Texts of a pack or level, and their names for a person if a format does not support them.
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
_Owner = TypeVar("_Owner", Pack, Level)


class Holds(Value):
    """Contents of a format besides boards: texts and keys of a pack and of levels, records, colours of boxes.

    Without ``every_level`` it cannot represent some boards.
    """

    pack_fields: Collection[str] = ()
    level_fields: Collection[str] = ()
    records: bool = False
    colors: bool = False
    every_level: bool = True

    def lost(self, pack: Pack) -> Iterator[str]:
        """Yield a name for each unsupported field of the pack; keys of metadata count as fields."""
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
MISREAD = N_("not written: reading it back would change it")


class Format(Value):
    """A format to write, with a writer that adds the names of lost fields to a list; ``holds``: None for everything."""

    suffixes: tuple[str, ...]
    write: Callable[[Pack, list[str]], str]
    holds: Holds | None = None


def _to_slc(pack: Pack, lost: list[str]) -> str:
    from sokoterm.formats.xml_levels import to_slc  # few files have this format

    return to_slc(pack, lost)


def _to_sokomind(pack: Pack, lost: list[str]) -> str:
    from sokoterm.formats.sokomind import to_sokomind  # few files have this format

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
"""Formats to write."""


def format_of(path: str) -> str:
    """Return the format for the suffix of a file, or an empty string."""
    return next((name for name, each in FORMATS.items() if path.lower().endswith(each.suffixes)), "")


def parse(data: bytes, source: str, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Return the pack in ``data``, empty if there is no board; ``source`` names it in errors.

    Raises LevelError if the data do not fit the given ``encoding``, are not text, or exceed the limits.
    """
    try:
        if encoding is not None:
            check_encoding(encoding)
        read = None if limits.are_signs_told else _reader_of(data, encoding)
        return (read or parse_text)(data, source, limits, encoding)
    except LevelError as error:
        raise error.located(source=source, level=error.level) from None


def looks_like_pack(head: bytes, name: str = "") -> bool:
    """True if a file that begins with ``head`` may be a pack: it contains a board or the mark of another format.

    Text with fenced code is a document about levels, not a pack; if its ``name`` is that of a pack, boards outside the
    code count.
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
    from sokoterm.formats.notations import has_levels  # few files have another notation

    return has_levels(text)


def _reader_of(data: bytes, encoding: str | None) -> _Read | None:
    begin = decode_begin(data, encoding, _BEGIN_BYTES).lstrip(_BLANKS)
    if _is_xml(begin.lower()):
        from sokoterm.formats.xml_levels import parse_xml  # few files have this format

        return parse_xml
    if re.search("^ *OO[O ]*$", begin, re.MULTILINE):
        from sokoterm.formats.sokomind import is_sokomind, parse_sokomind  # few files have this format

        return parse_sokomind if is_sokomind(begin) else None
    return None


def _is_xml(begin: str) -> bool:
    """True if a file (in lower case) begins like XML, except a web page, whose boards are read as text."""
    if begin.startswith("<!--"):
        return any(mark in begin for mark in _XML_MARKS)
    return begin.startswith(("<?xml", "<!doctype", *_XML_MARKS)) and not begin.startswith("<!doctype html")


def rows_as_written(data: bytes, error: LevelError) -> tuple[list[str], int]:
    """Return the rows of an unreadable level as written, if possible, and the line (from 1) of the first one."""
    return ([], 0) if _reader_of(data, None) else rows_of_board(decode(data), error.level)


class Written(Value):
    """A file as bytes; ``lost`` describes the kinds of fields that were not written."""

    data: bytes
    lost: tuple[str, ...]


def write(pack: Pack, name: str) -> Written:
    """Write the readable levels of a pack in one of FORMATS, as UTF-8 with LF; raises UsageError for another name.

    Reading it back gives the same boards and texts, except white space around lines, level numbers and ``lost`` fields.
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
    """Return a pack with control characters in its texts replaced."""
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
    if text.isprintable():
        return text
    return re.sub(_CONTROL, _REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))


def check_read_back(written: Written, pack: Pack, name: str, source: str = "") -> Pack:
    """Read back the written file of a pack, and return the result; ``source`` names it in errors.

    Raises LevelError for the first level with a different board, colours, ice, words of texts or records, except
    ``lost`` ones, or if texts of the pack differ.
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
    """True if a level was read as written, except unsupported fields and lost records."""
    if holds is not None:
        kept = without_kinds(level, keeps_colors=holds.colors)
        return exact_id(found) == exact_id(kept) and _has_fields(found, level, holds.level_fields)
    level = as_text_has_it(level, [])
    wanted, moves = ([record.moves for record in each.records] for each in (level, found))
    has_records = moves == wanted or has_lost and Counter(moves) <= Counter(wanted)
    return found.puzzle == level.puzzle and has_records and _has_texts(found, level)


def _has_texts(found: Pack | Level, owner: Pack | Level) -> bool:
    """True if the texts are the same; unknown keys may have moved to the comment."""
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
