"""Moves given on the command line: ``--lurd TEXT`` or ``--lurd-file FILE``, and ``--moves TEXT`` to begin with."""

import os
from collections.abc import Sequence

from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, end_of
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store.packs import read_file, read_stdin
from sokoterm.store.paths import data_dir, progress_file
from sokoterm.store.progress import ProgressStore


def add_moves(parser: Parser, *, is_required: bool = True) -> None:
    """The flags --lurd and --lurd-file, of which one must be given if that ``is_required``."""
    moves = parser.add_mutually_exclusive_group(required=is_required)
    moves.add_argument("--lurd", metavar="TEXT", help="moves; counts before a letter repeat it: 2R4D")
    moves.add_argument("--lurd-file", metavar="FILE", help="file that holds the moves; - is standard input")


def read_moves(
    lurd: str | None, lurd_file: str | None, packs: Sequence[str], limits: ReadLimits = DEFAULT_LIMITS
) -> str:
    """The text of the moves; raises PackError, or InputError where standard input is to be a pack as well."""
    if lurd is not None:
        return lurd
    if lurd_file is None or lurd_file == "-":
        if "-" in packs:
            raise InputError("found - twice, expected standard input to be the pack or the moves")
        return read_stdin(limits).decode("ascii", "replace")
    return read_file(lurd_file, limits).decode("ascii", "replace")


def state_after(level: Level, moves: str) -> State:
    """The position after what --moves says; raises InputError for moves that cannot be played."""
    try:
        return end_of(level.board, level.start, moves)
    except LurdError as error:
        raise InputError(f"--moves: {error}") from None


def kept_moves(level: Level, pack: str, data_folder: str | None) -> str:
    """The player's best solution of a level by moves, else the best that came with it; raises InputError for none."""
    from sokoterm.store.known import solutions_of

    path = progress_file(data_dir(data_folder))
    if os.path.exists(path):
        from time import time

        progress = ProgressStore.open(path, time)
        try:
            best = progress.best(level).by_moves
        finally:
            progress.close()
        if best is not None:
            return best.lurd
    known = solutions_of(level, pack)
    if not known:
        raise InputError(f"{pack}, level {level.number}: found no solution, expected --lurd or --lurd-file")
    return known[0].solution.lurd


def numbered(rows: Sequence[str]) -> list[str]:
    """A board with the numbers of its rows at the left and those of its columns on top, read downwards."""
    margin, width = len(str(len(rows))), len(rows[0])
    lines = []
    for power in reversed(range(len(str(width)))):
        ten = 10**power
        digits = (
            str(column // ten % 10) if column >= ten and not (power and column % ten) else " "
            for column in range(1, width + 1)
        )
        lines.append(f"{'':{margin}} {''.join(digits)}".rstrip())
    return lines + [f"{number:{margin}} {row}".rstrip() for number, row in enumerate(rows, start=1)]
