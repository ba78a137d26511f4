"""Encoding and format detection: the one way from bytes to a Pack.

A new format is one new module with a ``parse_...`` function and one new row in ``parse``.
"""

from sokoterm.engine.level import LevelError, Pack
from sokoterm.formats.encodings import MARKS, WIDE_XML, is_of_texts, marked
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits, check_bytes
from sokoterm.formats.scan import split_lines
from sokoterm.formats.text import has_board, parse_xsb

_XML = ("<?xml", "<sokobanlevels", "<!doctype")
# Enough for white space and the start of an XML file.
_BEGIN_BYTES = 4096


def parse(data: bytes, source: str, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Return the pack in ``data``; ``source`` names it in errors. Data without a board give an empty pack.

    Raises LevelError if ``encoding`` is given and does not fit, if the data are not text, or if they exceed the limits.
    """
    try:
        if encoding is not None:
            _check_encoding(encoding)
        if _is_xml(data, encoding):
            from sokoterm.formats.slc import parse_slc

            return parse_slc(data, source, limits, encoding)
        mark = marked(data) if encoding is None else None
        wide = encoding is not None and not _is_ascii_compatible(encoding) or mark not in (None, "utf-8")
        if not wide:
            check_bytes(data, limits)
        text = decode(data, encoding)
        if wide:
            check_bytes(text.encode("utf-8", "surrogatepass"), limits)
        return parse_xsb(text, source, limits)
    except LevelError as error:
        raise error.located(source=source, level=error.level) from None


def looks_like_pack(head: bytes) -> bool:
    """True if a file that begins with ``head`` may be a pack: a board begins in it, or it is SLC.

    Text with fenced code is a document about levels, not a pack.
    """
    if _is_xml(head, None):
        return "<sokobanlevels" in _begin(head, None, len(head)).lower()
    mark = marked(head)
    if b"\0" in head and mark in (None, "utf-8"):
        return False
    text = decode(head)
    return not ("```" in text and any(line.startswith("```") for line in split_lines(text))) and has_board(text)


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode ``data``, without its byte order mark.

    A given ``encoding`` is used or raises LevelError. Otherwise the mark decides, then UTF-8, then cp1252. Rows of
    boards are ASCII, so a wrong guess spoils a title at worst.
    """
    if encoding is not None:
        return _decode_as(data, encoding).removeprefix("\ufeff")
    for mark, marked_encoding in MARKS:
        if data.startswith(mark):
            return str(memoryview(data)[len(mark) :], marked_encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _decode_as(data: bytes, encoding: str) -> str:
    _check_encoding(encoding)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore").replace("\r\n", "\n").replace("\r", "\n")
        problem = f"found the byte 0x{data[error.start]:02x}, expected text in {encoding}"
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise LevelError(problem, line=line, column=column) from None
    except (UnicodeError, ValueError):
        raise LevelError(f"found bytes that are not {encoding} text") from None


def _check_encoding(encoding: str) -> None:
    """Raise LevelError if the encoding is unknown or does not decode to text."""
    try:
        if not is_of_texts(encoding):
            raise LookupError(encoding)
        b"#".decode(encoding, "ignore")
    except (LookupError, UnicodeError, ValueError):
        raise LevelError(f"found the encoding {encoding!r}, expected one such as utf-8 or gb18030") from None


def _is_ascii_compatible(encoding: str) -> bool:
    """True if ASCII text has the same bytes in the encoding."""
    try:
        return "#\n\0".encode(encoding) == b"#\n\0"
    except UnicodeError:
        return True


def _is_xml(data: bytes, encoding: str | None) -> bool:
    """True if the data begin as XML does. A web page does not count: its boards are read as text."""
    begin = _begin(data, encoding, _BEGIN_BYTES).lstrip("\ufeff \t\r\n").lower()
    if begin.startswith("<!--"):
        return "<sokobanlevels" in begin
    return begin.startswith(_XML) and not begin.startswith("<!doctype html")


def _begin(data: bytes, encoding: str | None, size: int) -> str:
    wide = next((wide for begin, wide in WIDE_XML if data.startswith(begin)), "latin-1")
    return data[:size].decode(encoding or marked(data) or wide, "ignore")
