"""Bytes to text: byte order marks, the encoding of a file, and the codecs that may decode one."""

import codecs
import re
from collections.abc import Iterator

from sokoterm.engine.level import LevelError
from sokoterm.language import _

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# XML without a mark may still be UTF-16.
_WIDE_XML = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
# Where a file is neither marked nor UTF-8.
GUESSED = "cp1252"
# What else such files are.
_OTHERS = ("cp1250", "cp1251", "koi8-r", "shift_jis", "gbk", "euc_jp", "euc_kr")
# Enough text to judge by.
_JUDGED_BYTES = 1 << 16
_LINE = re.compile(rb"[^\r\n]+")
# Symbols between letters belong to a word: they show that it is misread.
_SYMBOL = "[\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2500-\u25ff]"
_WORD = re.compile(rf"[^\W\d_]+(?:{_SYMBOL}[^\W\d_]+)*")
_LATIN, _FOREIGN = "A-Za-z\xc0-\u024f", "\u0250-\uffff"
_SMALL = "a-z\xdf-\xff\u0153\u0161\u017e\u0192\u0430-\u045f"
_CAPITAL = "A-Z\xc0-\xde\u0152\u0160\u017d\u0178\u0400-\u042f"
# No word has small letters before a capital, two scripts, katakana of half width, or four accents in a row.
_ODD = re.compile(
    rf"[{_SMALL}][{_CAPITAL}]|[{_LATIN}][{_FOREIGN}]|[{_FOREIGN}][{_LATIN}]|[\uff61-\uff9f]|[\xc0-\u024f]{{4}}"
    rf"|[{_LATIN}{_FOREIGN}]{_SYMBOL}[{_LATIN}{_FOREIGN}]"
)
# Not character sets, or not linear in time.
_NO_ENCODINGS = frozenset(("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"))


def marked(data: bytes) -> str | None:
    """Return the encoding that the byte order mark names, None without a mark."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def wide_xml(data: bytes) -> str | None:
    """Return the encoding of XML in UTF-16 without a mark, None for anything else."""
    return next((encoding for begin, encoding in _WIDE_XML if data.startswith(begin)), None)


def is_of_texts(encoding: str) -> bool:
    """True if files may be decoded with this codec; raises LookupError or ValueError for an unknown name."""
    return codecs.lookup(encoding).name.replace("_", "-") not in _NO_ENCODINGS


def is_ascii_compatible(encoding: str) -> bool:
    """True if ASCII text has the same bytes in the encoding."""
    try:
        return "#\n\0".encode(encoding) == b"#\n\0"
    except UnicodeError:
        return True


def check_encoding(encoding: str) -> None:
    """Raise LevelError if the encoding is unknown or does not decode to text."""
    try:
        if not is_of_texts(encoding):
            raise LookupError(encoding)
        b"#".decode(encoding, "ignore")
    except (LookupError, UnicodeError, ValueError):
        problem = _("found the encoding {found!r}, expected one such as utf-8 or gb18030", found=encoding)
        raise LevelError(problem) from None


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode ``data``, without its byte order mark.

    A given ``encoding`` is used or raises LevelError. Otherwise the mark decides, then UTF-8, then GUESSED. Rows of
    boards are ASCII, so a wrong guess spoils a title at worst.
    """
    if encoding is not None:
        return _decode_as(data, encoding).removeprefix("\ufeff")
    for mark, marked_encoding in _MARKS:
        if data.startswith(mark):
            return str(memoryview(data)[len(mark) :], marked_encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(GUESSED, "replace")


def likelier_encodings(data: bytes) -> tuple[str, ...]:
    """Return the encodings that fit the words of a file which GUESSED, in which it is read, does not fit.

    Empty if the encoding is no guess, or nothing speaks against it. Judged are the lines beyond ASCII.
    """
    if data.isascii() or marked(data) or _is_utf8(data):
        return ()
    sample = b"\n".join(_judged_lines(data))
    return () if _fits(sample, GUESSED) else tuple(name for name in _OTHERS if _fits(sample, name))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _judged_lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines beyond ASCII until there is enough text to judge by."""
    size = 0
    for line in _LINE.finditer(data):
        if not line[0].isascii() and size + len(line[0]) <= _JUDGED_BYTES:
            size += len(line[0])
            yield line[0]


def _fits(sample: bytes, encoding: str) -> bool:
    """True if text may be in the encoding: most of its words beyond ASCII are like those of a language."""
    try:
        words = [word for word in _WORD.findall(sample.decode(encoding)) if not word.isascii()]
    except UnicodeDecodeError:
        return False
    return 4 * sum(_ODD.search(word) is not None for word in words) <= len(words)


def decode_begin(data: bytes, encoding: str | None, size: int) -> str:
    """Return about the first ``size`` bytes as text, to recognize the format; undecodable bytes are left out."""
    return data[:size].decode(encoding or marked(data) or wide_xml(data) or "latin-1", "ignore")


def _decode_as(data: bytes, encoding: str) -> str:
    check_encoding(encoding)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore").replace("\r\n", "\n").replace("\r", "\n")
        byte = f"{data[error.start]:02x}"
        problem = _("found the byte 0x{byte}, expected text in {encoding}", byte=byte, encoding=encoding)
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise LevelError(problem, line=line, column=column) from None
    except (UnicodeError, ValueError):
        raise LevelError(_("found bytes that are not {encoding} text", encoding=encoding)) from None
