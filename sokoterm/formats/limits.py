"""Decoding of level files, and the limits on files, texts, boards and levels.

Before parsing, the encoding is found by a byte order mark or by trial; then NUL characters and lines are checked, which
bounds the time and memory of all later steps.
"""

import codecs
import re

from sokoterm.engine.level import LevelError
from sokoterm.engine.value import Value
from sokoterm.language import _, ngettext

# The longest known solution has 612,529 moves, and some files have it on one line.
_LONGEST_LINE = 4_000_000
_LONG_LINE = rf"(?:\A|\n|\r)[^\r\n]{{{_LONGEST_LINE + 1}}}"
# A real level takes about 15 lines with its title, solutions and notes.
_LINES_OF_LEVEL = 20
# Pasted text is read while the player waits: this many squares take about 0.3 s.
_PASTED_SQUARES = 4_000_000

# UTF-32 before UTF-16: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    # XML without a mark may still be UTF-16.
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
# For files that are neither marked nor UTF-8.
GUESSED = "cp1252"
# Other possible encodings of such files.
_OTHERS = ("cp1250", "cp1251", "koi8-r", "shift_jis", "gbk", "euc_jp", "euc_kr")
# Bytes that are enough to judge an encoding.
_JUDGED_BYTES = 1 << 16
# Symbols between letters count as part of a word, and show that it is misread.
_SYMBOL = "[\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2500-\u25ff]"
_WORD = rf"[^\W\d_]+(?:{_SYMBOL}[^\W\d_]+)*"
_LATIN, _FOREIGN = "A-Za-z\xc0-\u024f", "\u0250-\uffff"
_SMALL = "a-z\xdf-\xff\u0153\u0161\u017e\u0192\u0430-\u045f"
_CAPITAL = "A-Z\xc0-\xde\u0152\u0160\u017d\u0178\u0400-\u042f"
# Signs of a wrong encoding: a capital after a small letter, two scripts in a word, half-width katakana, or four accents
# in a row. Compiled on first use, in 10 ms.
_ODD = (
    rf"[{_SMALL}][{_CAPITAL}]|[{_LATIN}][{_FOREIGN}]|[{_FOREIGN}][{_LATIN}]|[\uff61-\uff9f]|[\xc0-\u024f]{{4}}"
    rf"|[{_LATIN}{_FOREIGN}]{_SYMBOL}[{_LATIN}{_FOREIGN}]"
)
# Not character sets, or slower than linear.
_NO_ENCODINGS = frozenset(("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "utf-7"))


class BeyondLimitsError(LevelError):
    """A pack with more levels or squares than the limits allow, which is not read at all."""


AUTO = "auto"
"""Value of ``signs`` that finds their meaning."""


class ReadLimits(Value):
    """The largest file and board and the most levels to read.

    The largest known board has 200 x 200 squares; all public files together contain about 120,000 levels. ``is_pasted``
    marks pasted text, which is read while the player waits. ``signs`` are the signs on squares, such as
    ``wall=X box=*``; AUTO finds them if they are unambiguous, and the empty string allows only XSB.
    """

    megabytes: int = 64
    width: int = 1000
    height: int = 1000
    levels: int = 100_000
    is_pasted: bool = False
    signs: str = AUTO

    @property
    def are_signs_told(self) -> bool:
        return self.signs not in ("", AUTO)

    @property
    def bytes(self) -> int:
        return self.megabytes << 20

    @property
    def squares(self) -> int:
        """The most squares in all boards of a pack, since a few bytes can expand to a large board.

        One square per byte of the largest file (fewer for pasted text), but enough for the largest board.
        """
        return max(_PASTED_SQUARES if self.is_pasted else self.bytes, self.width * self.height)

    @property
    def too_large(self) -> str:
        return _("found more than {most:,} MB (--max-file raises the limit)", most=self.megabytes)

    def too_many_levels(self, line: int) -> "BeyondLimitsError":
        """Return the error for too many levels, the first of which is on ``line``."""
        problem = ngettext(
            "found more than {n:,} level (--max-levels raises the limit)",
            "found more than {n:,} levels (--max-levels raises the limit)",
            self.levels,
        )
        return BeyondLimitsError(problem, line=line)

    def check_board(self, width: int, height: int, line: int) -> None:
        """Raise LevelError if a board is too large; its first row is on ``line``."""
        if width > self.width or height > self.height:
            problem = _(
                "found a board of {width:,}x{height:,} squares, expected at most {most_width:,}x{most_height:,}"
                " (--max-board raises the limit)",
                width=width,
                height=height,
                most_width=self.width,
                most_height=self.height,
            )
            raise LevelError(problem, line=line)


UNLIMITED = ReadLimits(megabytes=4096, width=10_000, height=10_000, levels=10_000_000)
"""Limits for files written by the program itself."""


class SquareCount:
    """Budget of squares for the boards of one pack."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._left = limits.squares

    def spend(self, squares: int, line: int) -> None:
        """Count squares on a line before they are processed; raise BeyondLimitsError if they are too many."""
        self._left -= squares
        if self._left < 0:
            if self._limits.is_pasted:
                problem = ngettext(
                    "found boards of more than {n:,} square in total (the limit for files is higher)",
                    "found boards of more than {n:,} squares in total (the limit for files is higher)",
                    self._limits.squares,
                )
            else:
                problem = ngettext(
                    "found boards of more than {n:,} square in total (--max-file raises the limit)",
                    "found boards of more than {n:,} squares in total (--max-file raises the limit)",
                    self._limits.squares,
                )
            raise BeyondLimitsError(problem, line=line)


def read_text(data: bytes, encoding: str | None, limits: ReadLimits) -> tuple[str, bool]:
    """Return the text of a file, and True if its encoding is a guess.

    Raises LevelError as ``decode`` does, and for a NUL, an overlong line, or more lines than the allowed levels need,
    so that parsing takes bounded time and memory.
    """
    text, is_guess = _decoded(data, encoding)
    nul = text.find("\0")
    if nul >= 0:
        problem = _(
            "found a binary file (a NUL byte), expected text (UTF-16 without a byte order mark needs --encoding)"
        )
        raise LevelError(problem, line=_line_at(text, nul))
    long = re.search(_LONG_LINE, text) if len(text) > _LONGEST_LINE else None
    if long:
        problem = _("found a line of more than {most:,} characters", most=_LONGEST_LINE)
        raise LevelError(problem, line=_line_at(text, long.end()))
    lines, most = _line_at(text, len(text)) - 1, _LINES_OF_LEVEL * limits.levels
    if lines > most:
        problem = ngettext(
            "found {lines:,} lines, expected at most {most:,} ({each} for {n:,} level; --max-levels raises the limit)",
            "found {lines:,} lines, expected at most {most:,}"
            " ({each} for each of {n:,} levels; --max-levels raises the limit)",
            limits.levels,
            lines=lines,
            most=most,
            each=_LINES_OF_LEVEL,
        )
        raise LevelError(problem)
    return text, is_guess


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode ``data``, without its byte order mark.

    Uses the given ``encoding`` or raises LevelError; without one, tries the mark, UTF-8 and GUESSED. Rows of boards are
    ASCII, so at worst a wrong guess spoils a title.
    """
    return _decoded(data, encoding)[0]


def _decoded(data: bytes, encoding: str | None) -> tuple[str, bool]:
    if encoding is not None:
        text, broken = decode_as(data, encoding)
        if broken is not None:
            raise broken
        return text, False
    by_mark = marked(data)
    if by_mark:
        return data.decode(by_mark, "replace").removeprefix("\ufeff"), False
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode(GUESSED, "replace"), True


def decode_as(data: bytes, encoding: str) -> tuple[str, LevelError | None]:
    """Return the text up to the first invalid byte, and the error for it; raise LevelError as ``check_encoding``."""
    check_encoding(encoding)
    try:
        return data.decode(encoding).removeprefix("\ufeff"), None
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore").removeprefix("\ufeff")
        problem = _(
            "found the byte 0x{byte}, expected text in {encoding}", byte=f"{data[error.start]:02x}", encoding=encoding
        )
        column = len(before) - max(before.rfind("\n"), before.rfind("\r"))
        return before, LevelError(problem, line=_line_at(before, len(before)), column=column)
    except (UnicodeError, ValueError):
        return "", LevelError(_("found bytes that are not {encoding} text", encoding=encoding))


def _line_at(text: str, index: int) -> int:
    return text.count("\n", 0, index) + text.count("\r", 0, index) - text.count("\r\n", 0, index) + 1


def marked(data: bytes) -> str | None:
    """Return the encoding that the first bytes prove, or None."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def decode_begin(data: bytes, encoding: str | None, size: int) -> str:
    """Return about the first ``size`` bytes as text, without undecodable bytes, to recognize the format."""
    return data[:size].decode(encoding or marked(data) or "latin-1", "ignore")


def check_encoding(encoding: str) -> None:
    """Raise LevelError if the encoding is unknown or does not decode to text."""
    try:
        if codecs.lookup(encoding).name.replace("_", "-") in _NO_ENCODINGS:
            raise LookupError(encoding)
        b"#".decode(encoding, "ignore")
    except (LookupError, UnicodeError, ValueError):
        problem = _("found the encoding {found!r}, expected one such as utf-8 or gb18030", found=encoding)
        raise LevelError(problem) from None


def likelier_encodings(data: bytes) -> tuple[str, ...]:
    """Return the encodings that fit the words beyond ASCII in a file; empty if GUESSED fits them."""
    lines: list[bytes] = []
    size = 0
    for line in re.finditer(rb"[^\r\n]+", data):
        if not line[0].isascii() and size + len(line[0]) <= _JUDGED_BYTES:
            size += len(line[0])
            lines.append(line[0])
    sample = b"\n".join(lines)
    return () if _fits(sample, GUESSED) else tuple(name for name in _OTHERS if _fits(sample, name))


def _fits(sample: bytes, encoding: str) -> bool:
    """True if most words beyond ASCII look like words of a language in this encoding."""
    try:
        words = [word for word in re.findall(_WORD, sample.decode(encoding)) if not word.isascii()]
    except UnicodeDecodeError:
        return False
    return 4 * sum(re.search(_ODD, word) is not None for word in words) <= len(words)


DEFAULT_LIMITS = ReadLimits()
