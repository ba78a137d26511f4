"""The rows of a level as text formats have them, and RLE, which has nothing else."""

import re

from sokoterm.engine.level import Level, Pack
from sokoterm.formats.losses import lost_fields

_RUN = re.compile(r"(.)\1+")


def to_rle(pack: Pack, lost: list[str]) -> str:
    """Run-length boards, one a line; what the format cannot hold is named in ``lost``.

    >>> run_lengths(" ####")
    '-4#'
    """
    lost += lost_fields(pack)
    return "\n".join("|".join(map(run_lengths, board_rows(level, lost))) + "\n" for level in pack.levels)


def run_lengths(row: str) -> str:
    """A row with a count before each character that stands several times in a row, floor as ``-``."""
    return _RUN.sub(lambda match: f"{len(match[0])}{match[1]}", row.replace(" ", "-"))


def board_rows(level: Level, lost: list[str]) -> list[str]:
    """The rows of a board as all readers of text know them again.

    Each has a wall or a box on a goal in it, or else is a single ``-`` between two that do: what there is in other
    rows is decoration that no reader would take for a row.
    """
    solid = ["#" in row or "*" in row for row in level.rows]
    if any(row.strip() and not is_solid for row, is_solid in zip(level.rows, solid)):
        lost.append("decoration apart from all walls")
    first = solid.index(True)
    end = len(solid) - solid[::-1].index(True)
    return [row if is_solid else "-" for row, is_solid in zip(level.rows[first:end], solid[first:end])]
