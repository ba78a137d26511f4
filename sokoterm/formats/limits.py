"""How much of a file is read before it is refused."""

import re
from itertools import chain, islice

from sokoterm.engine.level import LevelError
from sokoterm.engine.value import Value

# The longest known solution has 612,529 moves, and some files have it on one line.
_LONGEST_LINE = 4_000_000
# With its title, solutions and notes a level of the wild takes some 15 lines.
_LINES_OF_LEVEL = 20
# Lines between two boards: a solution of a million moves takes 15,000.
_LONGEST_TEXT = 100_000
_ROW_BEGIN = rb"[\r\n][ \t>0-9(_|-]*+[#*]"
# What is pasted is read while the player waits: these take some 0.3 s.
_PASTED_SQUARES = 4_000_000
# Which option raises a limit.
LARGER_BOARDS = "--max-board takes larger ones"
MORE_LEVELS = "--max-levels takes more"
MORE_SQUARES = "--max-file takes more"
# A row that holds a player, as most levels have it once: from one wall on, plain or with counts.
_PLAYER_ROW = rb"[\r\n][ \t>0-9(_-]*+[#*][ \t#$*.bB0-9()|_-]*+[@+pP][ \t#$*.bB0-9()|@+pP_-]*+(?![^\r\n])"


class TooManySquaresError(LevelError):
    """A pack whose boards have more squares in all than the limits allow: it is not read any further."""


class ReadLimits(Value):
    """The largest file, the largest board and the most levels that are read; beyond them is an error that names them.

    The largest board of the wild has 200 x 200 squares, all public files together hold some 120,000 levels.
    ``is_pasted`` says that the player waits for what he has pasted.
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
        """The same limits for what is pasted."""
        return ReadLimits(self.megabytes, self.width, self.height, self.levels, is_pasted=True)

    @property
    def squares(self) -> int:
        """How many squares the boards of a pack may have in all: as many as bytes, where they are not counted out.

        Counts and short rows make a large board of few bytes.
        """
        return max(_PASTED_SQUARES if self.is_pasted else self.bytes, self.width * self.height)

    @property
    def too_large(self) -> str:
        """What is wrong with a file beyond the limit."""
        return f"found more than {self.megabytes:,} MB, expected a level pack (--max-file takes larger ones)"

    def too_many_levels(self, line: int = 0) -> LevelError:
        """The error of a file with more levels than the limit, ``line`` being that of the first one beyond."""
        most = f"{self.levels:,} levels"
        return LevelError(f"found more than {most}, expected at most {most} ({MORE_LEVELS})", line=line)

    def check_board(self, width: int, height: int, line: int) -> None:
        """Raises LevelError for a board that is too large, ``line`` being that of its first row."""
        if width > self.width or height > self.height:
            found = f"found a board of {width:,}x{height:,} squares"
            expected = f"expected at most {self.width:,}x{self.height:,} ({LARGER_BOARDS})"
            raise LevelError(f"{found}, {expected}", line=line)


class SquareCount:
    """The squares that the boards of a pack may still have."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._left = limits.squares

    def spend(self, squares: int, line: int) -> None:
        """Count some more before work is done on them, ``line`` being theirs; raises TooManySquaresError."""
        self._left -= squares
        if self._left < 0:
            found = f"found boards of more than {self._limits.squares:,} squares in all"
            more = "a file may have more" if self._limits.is_pasted else MORE_SQUARES
            raise TooManySquaresError(f"{found}, expected at most that many ({more})", line=line)


def check_bytes(data: bytes, limits: ReadLimits) -> None:
    """Raises LevelError for the bytes of a text (in UTF-8 or the like) on which no work should be spent.

    Those are a file with a NUL, too long a line, too many lines, too many without a row of a board among them, or
    clearly more levels than the limit.  Takes no memory and, for a file of usual size, little time.
    """
    nul = data.find(b"\0")
    if nul >= 0:
        line = _line_ends(data, 0, nul) + 1
        raise LevelError(
            "found a binary file (a NUL byte), expected text (UTF-16 without a mark needs --encoding)", line=line
        )
    line = _line_beyond(data, _LONGEST_LINE)
    if line:
        raise LevelError(f"found a line of more than {_LONGEST_LINE:,} bytes, expected a shorter one", line=line)
    lines = _line_ends(data, 0, len(data))
    if lines > limits.levels and any(islice(re.finditer(_PLAYER_ROW, data), limits.levels, None)):
        raise limits.too_many_levels()
    if lines > _LONGEST_TEXT:
        line = _text_beyond(data, _LONGEST_TEXT)
        if line:
            problem = f"found over {_LONGEST_TEXT:,} lines without a board among them, expected a level pack"
            raise LevelError(problem, line=line)
    most = _LINES_OF_LEVEL * limits.levels
    if lines > most:
        each = f"{_LINES_OF_LEVEL} for each of {limits.levels:,} levels"
        raise LevelError(f"found {lines:,} lines, expected at most {most:,} ({each}; {MORE_LEVELS})")


def _line_ends(data: bytes, begin: int, end: int) -> int:
    """How many lines, ended by LF, CRLF or a bare CR, end between two places."""
    return data.count(b"\n", begin, end) + data.count(b"\r", begin, end) - data.count(b"\r\n", begin, end)


def _line_beyond(data: bytes, most: int) -> int:
    """The number of the first line longer than ``most`` bytes, 0 for none; takes linear time."""
    begin = 0
    while len(data) - begin > most:
        end = max(data.rfind(mark, begin, begin + most + 1) for mark in (b"\n", b"\r"))
        if end < 0:
            return _line_ends(data, 0, begin) + 1
        begin = end + 1
    return 0


def _text_beyond(data: bytes, most: int) -> int:
    """The number of the first of more than ``most`` lines in succession that are no rows of boards, 0 for none."""
    begin = 0
    for end in chain((match.start() for match in re.finditer(_ROW_BEGIN, data)), (len(data),)):
        if end - begin > most and _line_ends(data, begin, end) > most:
            return _line_ends(data, 0, begin + 1) + 2 if begin else 1
        begin = end
    return 0


DEFAULT_LIMITS = ReadLimits()
