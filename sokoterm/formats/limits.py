"""Limits on the files, boards and levels that are read, checked before any work is spent."""

import re
from itertools import chain, islice

from sokoterm.engine.level import LevelError
from sokoterm.engine.value import Value
from sokoterm.language import _, ngettext

# The longest known solution has 612,529 moves, and some files have it on one line.
_LONGEST_LINE = 4_000_000
# A real level takes some 15 lines with its title, solutions and notes.
_LINES_OF_LEVEL = 20
# Lines between two boards: a solution of a million moves takes 15,000.
_LONGEST_TEXT = 100_000
_ROW_BEGIN = rb"[\r\n][ \t>0-9(_|-]*+[#*]"
# Pasted text is read while the player waits: this many squares take some 0.3 s.
_PASTED_SQUARES = 4_000_000
# A row with a player, which most levels have once: it begins with a wall, plain or with counts.
_PLAYER_ROW = rb"[\r\n][ \t>0-9(_-]*+[#*][ \t#$*.bB0-9()|_-]*+[@+pP][ \t#$*.bB0-9()|@+pP_-]*+(?![^\r\n])"


class TooManySquaresError(LevelError):
    """A pack whose boards exceed the limit of squares in total; reading stops there."""


class ReadLimits(Value):
    """The largest file and board and the most levels to read; an error names the limit that was exceeded.

    The largest known board has 200 x 200 squares; all public files together hold some 120,000 levels. ``is_pasted``
    marks pasted text, which is read while the player waits.
    """

    megabytes: int = 64
    width: int = 1000
    height: int = 1000
    levels: int = 100_000
    is_pasted: bool = False

    @property
    def bytes(self) -> int:
        return self.megabytes << 20

    @property
    def of_paste(self) -> "ReadLimits":
        """The same limits for pasted text."""
        return ReadLimits(self.megabytes, self.width, self.height, self.levels, is_pasted=True)

    @property
    def squares(self) -> int:
        """The most squares in all boards of a pack; a few bytes can make a large board.

        One square per byte of the largest file (fewer for pasted text), but always enough for the largest board.
        """
        return max(_PASTED_SQUARES if self.is_pasted else self.bytes, self.width * self.height)

    @property
    def too_large(self) -> str:
        """The problem of a file beyond the limit."""
        return _(
            "found more than {most:,} MB, expected a level pack (--max-file raises the limit)", most=self.megabytes
        )

    def too_many_levels(self, line: int = 0) -> LevelError:
        """Return the error for too many levels; ``line`` is that of the first one beyond the limit."""
        problem = ngettext(
            "found more than {n:,} level, expected at most {n:,} level (--max-levels raises the limit)",
            "found more than {n:,} levels, expected at most {n:,} levels (--max-levels raises the limit)",
            self.levels,
        )
        return LevelError(problem, line=line)

    def check_board(self, width: int, height: int, line: int) -> None:
        """Raise LevelError if a board is too large; ``line`` is that of its first row."""
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
"""Limits for files that the program has written itself, however large."""


class SquareCount:
    """Budget of squares for the boards of one pack."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._left = limits.squares

    def spend(self, squares: int, line: int) -> None:
        """Count squares before they are processed; ``line`` is where they are. Raises TooManySquaresError."""
        self._left -= squares
        if self._left < 0:
            if self._limits.is_pasted:
                problem = ngettext(
                    "found boards of more than {n:,} square in all, expected at most that many"
                    " (the limit for files is higher)",
                    "found boards of more than {n:,} squares in all, expected at most that many"
                    " (the limit for files is higher)",
                    self._limits.squares,
                )
            else:
                problem = ngettext(
                    "found boards of more than {n:,} square in all, expected at most that many"
                    " (--max-file raises the limit)",
                    "found boards of more than {n:,} squares in all, expected at most that many"
                    " (--max-file raises the limit)",
                    self._limits.squares,
                )
            raise TooManySquaresError(problem, line=line)


def check_bytes(data: bytes, limits: ReadLimits) -> None:
    """Raise LevelError if the bytes of a text (in UTF-8 or the like) are not worth parsing.

    Refused are a NUL, an overlong line, too many lines, too many without a row of a board among them, and clearly more
    levels than the limit. Takes no memory and, for a file of usual size, little time.
    """
    nul = data.find(b"\0")
    if nul >= 0:
        line = _line_ends(data, 0, nul) + 1
        raise LevelError(
            _("found a binary file (a NUL byte), expected text (UTF-16 without a byte order mark needs --encoding)"),
            line=line,
        )
    line = _line_beyond(data, _LONGEST_LINE)
    if line:
        problem = _("found a line of more than {most:,} bytes, expected a shorter one", most=_LONGEST_LINE)
        raise LevelError(problem, line=line)
    lines = _line_ends(data, 0, len(data))
    if lines > limits.levels and any(islice(re.finditer(_PLAYER_ROW, data), limits.levels, None)):
        raise limits.too_many_levels()
    if lines > _LONGEST_TEXT:
        line = _text_beyond(data, _LONGEST_TEXT)
        if line:
            problem = _("found over {most:,} lines without a board, expected a level pack", most=_LONGEST_TEXT)
            raise LevelError(problem, line=line)
    most = _LINES_OF_LEVEL * limits.levels
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


def _line_ends(data: bytes, begin: int, end: int) -> int:
    """Return the number of line ends (LF, CRLF or a bare CR) between two offsets."""
    return data.count(b"\n", begin, end) + data.count(b"\r", begin, end) - data.count(b"\r\n", begin, end)


def _line_beyond(data: bytes, most: int) -> int:
    """Return the number of the first line longer than ``most`` bytes, 0 for none; linear time."""
    begin = 0
    while len(data) - begin > most:
        end = max(data.rfind(mark, begin, begin + most + 1) for mark in (b"\n", b"\r"))
        if end < 0:
            return _line_ends(data, 0, begin) + 1
        begin = end + 1
    return 0


def _text_beyond(data: bytes, most: int) -> int:
    """Return the number of the first of more than ``most`` consecutive lines without a row of a board, 0 for none."""
    begin = 0
    for end in chain((match.start() for match in re.finditer(_ROW_BEGIN, data)), (len(data),)):
        if end - begin > most and _line_ends(data, begin, end) > most:
            return _line_ends(data, 0, begin + 1) + 2 if begin else 1
        begin = end
    return 0


DEFAULT_LIMITS = ReadLimits()
