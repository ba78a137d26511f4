"""How much of a file is read before it is refused."""

from typing import NamedTuple

from sokoterm.engine.level import LevelError


class ReadLimits(NamedTuple):
    """The largest file, the largest board and the most levels that are read; beyond them is an error that names them.

    The largest board of the wild has 200 x 200 squares, all public files together hold some 120,000 levels.
    """

    megabytes: int = 64
    width: int = 1000
    height: int = 1000
    levels: int = 100_000

    @property
    def bytes(self) -> int:
        return self.megabytes << 20

    @property
    def too_large(self) -> str:
        """What is wrong with a file beyond the limit."""
        return f"found more than {self.megabytes:,} MB, expected a level pack (--max-file takes larger ones)"

    def check_board(self, width: int, height: int, line: int) -> None:
        """Raises LevelError for a board that is too large, ``line`` being that of its first row."""
        if width > self.width or height > self.height:
            raise LevelError(
                f"found a board of {width:,}x{height:,} squares, expected at most {self.width:,}x{self.height:,}",
                line=line,
            )


DEFAULT_LIMITS = ReadLimits()
