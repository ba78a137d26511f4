"""Byte order marks, and the codecs that may decode a file."""

import codecs

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# XML without a mark may still be UTF-16.
WIDE_XML = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
# Not character sets, or not linear in time.
_NO_ENCODINGS = frozenset(("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"))


def is_of_texts(encoding: str) -> bool:
    """True if files may be decoded with this codec; raises LookupError or ValueError for an unknown name."""
    return codecs.lookup(encoding).name.replace("_", "-") not in _NO_ENCODINGS


def marked(data: bytes) -> str | None:
    """Return the encoding that the byte order mark names, None without a mark."""
    return next((encoding for mark, encoding in MARKS if data.startswith(mark)), None)
