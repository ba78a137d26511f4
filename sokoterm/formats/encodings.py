"""What tells the encoding of a file, and which codecs are none of texts."""

import codecs

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# XML without a mark may be UTF-16 all the same.
WIDE_XML = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
# Codecs that are no character sets, or whose time is not linear.
_NO_ENCODINGS = frozenset(("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"))


def is_of_texts(encoding: str) -> bool:
    """Whether files may be read in an encoding; raises LookupError or ValueError where none has that name."""
    return codecs.lookup(encoding).name.replace("_", "-") not in _NO_ENCODINGS


def marked(data: bytes) -> str | None:
    """The encoding that the byte order mark tells of."""
    return next((encoding for mark, encoding in MARKS if data.startswith(mark)), None)
