"""Which encoding and which format some bytes are in: the one way from bytes to a Pack.

A new format is one new module with a ``parse_...`` function and one new row in ``parse``.
"""

import codecs

from sokoterm.engine.level import LevelError, Pack
from sokoterm.formats.text import is_level_row, parse_xsb

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def parse(data: bytes, source: str, encoding: str | None = None) -> Pack:
    """The pack written in ``data``; ``source`` names it in errors.  Without any board the pack is empty.

    Raises LevelError where ``encoding`` is given and does not fit.
    """
    try:
        text = decode(data, encoding)
    except LevelError as error:
        raise error.located(source=source, level=0) from None
    return parse_xsb(text, source)


def looks_like_pack(head: bytes) -> bool:
    """Whether a file that begins with ``head`` may be a pack: a board begins in it."""
    return any(map(is_level_row, decode(head).splitlines()))


def decode(data: bytes, encoding: str | None = None) -> str:
    """``data`` as text, without a byte order mark.

    With ``encoding`` it is that one or a LevelError; else the mark decides, else UTF-8, else cp1252.  Rows of a
    board are ASCII, so a wrong guess spoils a title at worst.
    """
    if encoding is not None:
        return _decode_as(data, encoding).removeprefix("\ufeff")
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(marked, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LevelError(f"found the byte 0x{data[error.start]:02x}, expected text in {encoding}", line=line) from None
    except (LookupError, UnicodeError, ValueError):
        raise LevelError(f"found the encoding {encoding!r}, expected one such as utf-8 or gb18030") from None
