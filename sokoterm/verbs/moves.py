"""Moves given on the command line: ``--lurd TEXT`` or ``--lurd-file FILE``, and ``--moves TEXT`` to begin with."""

from collections.abc import Sequence

from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, end_of
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.library.packs import read_file, read_stdin
from sokoterm.verbs.output import InputError
from sokoterm.verbs.parser import Parser


def add_moves(parser: Parser) -> None:
    """The flags --lurd and --lurd-file, of which one must be given."""
    moves = parser.add_mutually_exclusive_group(required=True)
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
