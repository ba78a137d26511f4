"""Moves given on the command line: ``--lurd TEXT`` or ``--lurd-file FILE``."""

from collections.abc import Sequence

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
