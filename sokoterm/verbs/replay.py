"""``sokoterm replay``: moves shown in the player, or every board printed."""

from collections.abc import Iterator

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.verbs.levels import add_one_level, one_level
from sokoterm.verbs.moves import add_moves, read_moves
from sokoterm.verbs.open_player import open_player
from sokoterm.verbs.parser import Parser
from sokoterm.verbs.play import PlayArguments, add_look, options_of


class _Arguments(PlayArguments):
    level: int
    lurd: str | None
    lurd_file: str | None
    print: bool


def run(arguments: list[str]) -> int:
    """Opens the player in replay, or prints the boards; raises LurdError for moves that cannot be played."""
    parser = Parser(
        "replay",
        "Show moves in the player, step by step; they need not solve the level.",
        "sokoterm replay levels.txt -l 3 --lurd rruLLd",
    )
    add_one_level(parser)
    add_moves(parser)
    parser.add_argument("--print", action="store_true", help="print the board of every move instead")
    add_look(parser)
    parser.add_data_dir()
    parsed = parser.parse(arguments, _Arguments())
    lurd = read_moves(parsed.lurd, parsed.lurd_file, parsed.packs, parsed.reading.limits)
    if parsed.print:
        chosen = one_level(parsed.packs, parsed.level, parsed.reading)
        for board in _boards(chosen.level, lurd):
            print(board)
        return 0
    return open_player(options_of(parsed, lurd))


def _boards(level: Level, lurd: str) -> Iterator[str]:
    """The start, then the board after each move, each under a line that says how far it is; raises LurdError."""
    board, steps = level.board, parse_lurd(lurd)
    letters = [letter for _, letter in play(board, level.start, steps)]
    moves, all_pushes, pushes = len(letters), sum(map(str.isupper, letters)), 0
    yield f"move 0/{moves} push 0/{all_pushes}\n{level.xsb()}\n"
    for number, (state, letter) in enumerate(play(board, level.start, steps), start=1):
        pushes += letter.isupper()
        yield f"move {number}/{moves} push {pushes}/{all_pushes}\n{level.xsb(state)}\n"
