"""``sokoterm replay``: moves shown in the player, printed board by board, or written as a recording or a picture."""

import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterator

from sokoterm.commands.play import PlayArguments, add_player, options_of
from sokoterm.commands.support.files import write_data
from sokoterm.commands.support.known import kept_moves
from sokoterm.commands.support.levels import (
    Chosen,
    MovesArguments,
    add_moves,
    add_one_level,
    one_level,
)
from sokoterm.commands.support.open_player import flags_given, open_player
from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser, count_up_to
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, play
from sokoterm.engine.text import printable, whole_number

_MOVES_PER_SECOND = 5  # in files; slow enough to follow
_HEAD_BYTES = 4096
_MOST_SIDE = 1000
_MOST_MOVES = 99_999_999


class _ReplayArguments(PlayArguments, MovesArguments):
    level: int
    print: bool
    cast: str | None
    svg: str | None
    at: int | None
    size: tuple[int, int] | None


def run(arguments: list[str]) -> int:
    """Open the player in replay, print or write; raises LurdError for moves that cannot be played."""
    parser = Parser(
        "replay",
        "Show moves in the player, step by step; they need not solve the level. Without --moves they are those of "
        "your best solution, else of the best that is known: from the level's file, from another pack of your library, "
        "or found by the program; a line on stderr says so.\n\n"
        "--cast and --svg write files instead, without a terminal, at --animation moves a second (default: "
        f"{_MOVES_PER_SECOND}). OUT may be - for stdout, or a file of the same kind, which is replaced.",
        "sokoterm replay levels.txt -l 3 --moves rruLLd",
    )
    add_one_level(parser)
    add_moves(parser)
    _add_outputs(parser)
    add_player(parser)
    parsed = parser.parse(arguments, _ReplayArguments())
    _check(parser, parsed)
    is_played = not parsed.print and parsed.cast is None and parsed.svg is None
    lurd = parsed.read_moves() if parsed.has_moves else None
    if lurd is None and is_played and "-" in parsed.packs:
        raise InputError("found a pack on standard input alone, expected --moves too")
    if is_played and lurd is not None:
        return open_player(options_of(parsed, lurd))
    chosen = one_level(parsed.packs, parsed.level, parsed.reading)
    if lurd is None:
        is_of_level = parsed.at == 0 and parsed.cast is None  # a picture that needs no moves
        lurd = "" if is_of_level else kept_moves(chosen, parsed.data_dir)
    if is_played:
        return open_player(options_of(parsed, lurd))
    if parsed.print:
        for board in _boards(chosen.level, lurd):
            print(board)
    else:
        _write(parsed, chosen, lurd)
    return 0


def _add_outputs(parser: Parser) -> None:
    parser.add_argument("--print", action="store_true", help="print the board of every move instead")
    group = parser.add_argument_group("recordings and pictures")
    group.add_argument("--cast", metavar="OUT", help="write a recording of a terminal (asciicast v2, for asciinema)")
    group.add_argument(
        "--size",
        type=_size,
        metavar="COLSxROWS",
        help="size of that terminal; default: 80x24, or more for a large level",
    )
    group.add_argument("--svg", metavar="OUT", help="write an animated picture, for a browser")
    group.add_argument(
        "--at",
        type=count_up_to(_MOST_MOVES, 0),
        metavar="N",
        help="with --svg: the position after N moves, a still picture",
    )


def _check(parser: Parser, parsed: _ReplayArguments) -> None:
    """End with a complaint if flags contradict each other."""
    is_written = parsed.cast is not None or parsed.svg is not None
    if parsed.print and is_written:
        parser.error("found --print with --cast or --svg, expected one of them")
    if parsed.cast is not None and parsed.cast == parsed.svg:
        parser.error(f"found {parsed.cast} twice, expected another file for --svg than for --cast")
    if parsed.size and parsed.cast is None:
        parser.error("found --size without --cast")
    if parsed.at is not None and parsed.svg is None:
        parser.error("found --at without --svg")
    if parsed.animation == 0 and is_written:
        parser.error("found --animation 0, expected at least 1 move a second in a recording")
    if parsed.print or is_written:
        used = ["--theme", "--cell", "--palette", "--no-color"] if is_written else []
        if is_written and (parsed.cast is not None or parsed.at is None):
            used.append("--animation")
        for flag in flags_given(options_of(parsed)):
            if flag not in used:
                parser.error(f"found {flag}, which has no effect on what is {'printed' if parsed.print else 'written'}")


def _write(parsed: _ReplayArguments, chosen: Chosen, lurd: str) -> None:
    """Write the files once all are made; raises InputError if one must not or cannot be written."""
    from sokoterm.commands.support.pictures import animated_svg, still_svg
    from sokoterm.commands.support.recordings import ReplayStyle, asciicast
    from sokoterm.tui.widgets.board_view import Size
    from sokoterm.tui.widgets.theme import THEMES, find_theme
    from sokoterm.tui.widgets.tiles import DARK, PALETTES

    level = chosen.level
    title = printable(f"{chosen.title} {level.number}  {level.title.strip()}".strip())
    theme = find_theme(parsed.theme or "") or THEMES[0]
    speed = parsed.animation or _MOVES_PER_SECOND
    palette = PALETTES.get(parsed.palette or "", DARK)
    style = ReplayStyle(theme, parsed.cell or 0, parsed.color is not False, speed, palette)
    made: list[tuple[str, bytes]] = []
    if parsed.cast is not None:
        _check_kind(parsed.cast, rb'\s*\{.*"version"', "recording")
        width, height = level.board.width * (parsed.cell or 1), level.board.height + 2
        columns, rows = parsed.size or (max(80, width), max(24, height))
        timestamp = whole_number(os.environ.get("SOURCE_DATE_EPOCH", ""))
        made.append((parsed.cast, asciicast(level, lurd, title, style, Size(rows, columns), timestamp)))
    if parsed.svg is not None:
        _check_kind(parsed.svg, rb".*<svg[\s>]", "SVG picture")
        if parsed.at is None:
            svg = animated_svg(level, lurd, title, style)
        else:
            moves = len(parse_lurd(lurd))
            if parsed.at > moves:
                raise InputError(f"found --at {parsed.at}, expected a move from 0 to {moves}")
            svg = still_svg(level, lurd, title, style, parsed.at)
        made.append((parsed.svg, svg))
    for path, data in made:
        write_data(path, data)


def _check_kind(path: str, begin: bytes, kind: str) -> None:
    """Raise InputError if ``path`` is a file that does not begin as this kind does."""
    if path == "-" or not os.path.isfile(path) or not os.path.getsize(path):
        return
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if not re.match(begin, head, re.DOTALL):
        raise InputError(f"{path}: not replaced: it is no {kind}")


def _size(text: str) -> tuple[int, int]:
    """A type for argparse: columns and rows."""
    match = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (20 <= columns <= _MOST_SIDE and 6 <= rows <= _MOST_SIDE):
        expected = f"columns and rows such as 80x24, from 20x6 to {_MOST_SIDE}x{_MOST_SIDE}"
        raise ArgumentTypeError(f"found {text!r}, expected {expected}")
    return columns, rows


def _boards(level: Level, lurd: str) -> Iterator[str]:
    """Yield the start and the board after each move, each below the number of its move; raises LurdError."""
    board, steps = level.board, parse_lurd(lurd)
    letters = [letter for _, letter in play(board, level.start, steps)]
    moves, all_pushes, pushes = len(letters), sum(map(str.isupper, letters)), 0
    yield f"move 0/{moves} push 0/{all_pushes}\n{level.xsb()}\n"
    for number, (state, letter) in enumerate(play(board, level.start, steps), start=1):
        pushes += letter.isupper()
        yield f"move {number}/{moves} push {pushes}/{all_pushes}\n{level.xsb(state)}\n"
