"""Decoder for SLC: bytes to text that is safe to parse, without its DOCTYPE and without endless tags."""

import re

from sokoterm.engine.level import LevelError
from sokoterm.formats.encodings import WIDE_XML, is_of_texts, marked

# Bytes without the end of a tag: the longest text allowed, in any encoding, with its tag.
LONGEST_TOKEN = 4_000_000 + 4096

_DECLARED = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_C1 = re.compile(rb"[\x80-\x9f]")
_DOCTYPE = "<!DOCTYPE"
_DOCTYPE_HEAD = re.compile(r"(?:[^\"'\[>]++|\"[^\"]*+\"|'[^']*+')*+")
_BLANKS = re.compile(r"[ \t\r\n]*+")
_NO_LINE_END = re.compile(r"[^\r\n]")
_MISC = (("<!--", "-->"), ("<?", "?>"))


def decode_slc(data: bytes, encoding: str | None, source: str) -> tuple[str, LevelError | None]:
    """Return the text up to the first undecodable byte, and the error of that byte.

    The encoding is the one given, else that of the mark, else the declared one, else UTF-8. Raises LevelError if the
    given one does not fit.
    """
    chosen = encoding or _encoding(data)
    text = ""
    try:
        if encoding is None and not is_of_texts(chosen):
            raise LookupError
        return data.decode(chosen).removeprefix("\ufeff"), None
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(chosen, "ignore").removeprefix("\ufeff")
        line, column = line_after(text), column_after(text)
        problem = f"found the byte 0x{data[error.start]:02x}, expected text in {chosen}"
        broken = LevelError(problem, source=source, line=line, column=column)
    except (LookupError, ValueError):
        problem = f"found the encoding {chosen!r}, expected one such as utf-8 or iso-8859-1"
        broken = LevelError(problem, source=source, line=0 if encoding else 1)
    if encoding:
        raise broken
    return text, broken


def token_beyond(data: bytes) -> int | None:
    """Return the offset of an endless tag, longer than in any real file, None for none; takes linear time."""
    begin = 0
    while len(data) - begin > LONGEST_TOKEN:
        end = data.rfind(b">", begin, begin + LONGEST_TOKEN)
        if end < 0:
            return begin
        begin = end + 1
    return None


def _encoding(data: bytes) -> str:
    """Return the encoding of the file: by its mark, else as declared, else UTF-8."""
    wide = next((name for begin, name in WIDE_XML if data.startswith(begin)), None)
    certain = marked(data) or wide
    match = _DECLARED.match(data)
    declared = match[1].decode("ascii").lower() if match else "utf-8"
    if certain or declared.startswith(("utf-16", "utf-32", "utf16", "utf32", "ucs")):
        return certain or "utf-8"  # a declaration readable as ASCII cannot be UTF-16
    if declared in ("iso-8859-1", "latin1", "latin-1") and _C1.search(data) and _is_cp1252(data):
        return "cp1252"  # Windows programs declare latin-1 and write cp1252; browsers assume the same
    return declared


def _is_cp1252(data: bytes) -> bool:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


def without_doctype(text: str) -> str:
    """Return the text with its DOCTYPE blanked, so that the parser never sees one; linear time.

    Raises LevelError for a DOCTYPE with an internal subset, which could declare entities.
    """
    place = _after_misc(text)
    if not text.startswith(_DOCTYPE, place):
        return text
    match = _DOCTYPE_HEAD.match(text, place)
    end = match.end() if match else place
    if text[end : end + 1] == "[":
        problem = "found a DOCTYPE with declarations of its own, expected none or one that only names a DTD"
        raise LevelError(problem, line=line_after(text[:end]), column=end - text.rfind("\n", 0, end), character="[")
    if text[end : end + 1] != ">":
        return text  # the parser reports the error
    return text[:place] + _NO_LINE_END.sub(" ", text[place : end + 1]) + text[end + 1 :]


def _after_misc(text: str) -> int:
    """Return the offset of the first thing that is not white space, a comment or a processing instruction."""
    place = 0
    while True:
        match = _BLANKS.match(text, place)
        place = match.end() if match else place
        mark = next(((begin, end) for begin, end in _MISC if text.startswith(begin, place)), None)
        if mark is None:
            return place
        found = text.find(mark[1], place + len(mark[0]))
        place = found + len(mark[1]) if found >= 0 else len(text)


def column_after(text: str) -> int:
    """Return the column that follows the text."""
    return len(text) - max(text.rfind("\n"), text.rfind("\r"))


def line_after(text: str) -> int:
    """Return the number of the line on which the text ends."""
    return text.count("\n") + text.count("\r") - text.count("\r\n") + 1
