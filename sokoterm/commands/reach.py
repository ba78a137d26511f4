"""``sokoterm reach``: prints the squares in reach of one box while all others stand still, or the moves to one."""

import argparse
import re
from collections.abc import Mapping

from sokoterm.commands.support.levels import (
    Chosen,
    MovesArguments,
    add_moves,
    add_one_level,
    marked_board,
    one_level,
    place_of,
    state_after,
)
from sokoterm.commands.support.output import InputError, json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.bits import Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, PushPlan
from sokoterm.engine.text import counted

_PLACE = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")
# Marks of squares in reach, by the cell there.
_MARKS = {" ": "o", ".": "O", "@": "p", "+": "P"}
_LOST_MARKS = {" ": "x", "@": "q"}
_LEGEND = (
    "o in reach   O a goal in reach   p P the same, and the player stands there\n"
    "x in reach, but the box is lost there: it could reach no goal any more   q the same, under the player"
)
# Nearest boxes named if there is none on a square.
_NEAREST = 3
_OUTSIDE = "a square outside the walls"

_Place = tuple[int, int]


class _ReachArguments(MovesArguments):
    level: int
    box: _Place
    to: _Place | None
    fewest: str
    json: bool


def run(arguments: list[str]) -> int:
    """Print the squares in reach of the box, or the plan to one; return 1 if that one is not in reach."""
    parser = Parser(
        "reach",
        "Print the squares to which one box can be pushed while all others stand still, or the moves to one of them.\n"
        "Rows and columns count from 1, from the top left of the board; a left margin of blanks that all rows of a\n"
        "file share does not count.",
        "sokoterm reach levels.txt -l 3 --box 4,5 --to 2,7 --fewest moves",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _ReachArguments())
    chosen = one_level(parsed.packs, parsed.level, parsed.reading)
    state = state_after(chosen.level, parsed.read_moves())
    reach = BoxReach(chosen.level.board, state, _find_box(chosen.level, state, parsed.box))
    if parsed.to is None:
        print(_json(chosen, reach, {}) if parsed.json else _picture(chosen, state, reach))
        return 0
    square = _target(chosen.level, parsed.to)
    plan = reach.plan(square, Fewest(parsed.fewest)) if square in reach.pushes else None
    if parsed.json:
        print(_json(chosen, reach, plan._asdict() if plan else dict.fromkeys(PushPlan._fields)))
    else:
        print(_plan(chosen.level, state, reach.box, square, plan))
    return 0 if plan else 1


def _add_arguments(parser: Parser) -> None:
    add_one_level(parser)
    parser.add_argument("--box", type=_place, required=True, metavar="ROW,COL", help="where the box stands")
    parser.add_argument("--to", type=_place, metavar="ROW,COL", help="print the moves that push it there")
    parser.add_argument(
        "--fewest",
        choices=[each.value for each in Fewest],
        default=Fewest.PUSHES.value,
        help="what to minimize on the way to --to (default: %(default)s)",
    )
    add_moves(parser, "moves to play first, before --box and the answer")
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _place(text: str) -> _Place:
    """A type for argparse: a row and a column."""
    match = _PLACE.fullmatch(text.replace(" ", ""))
    row, column = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (row and column):
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a row and a column from 1, such as 4,5")
    return row, column


def _square(level: Level, place: _Place, flag: str) -> Square:
    """Return the square of a row and a column; raises InputError if it is not on the board."""
    row, column = place
    board = level.board
    if row > board.height or column > board.width:
        raise InputError(
            f"{flag} {row},{column}: found a board of {board.height} rows and {board.width} columns, "
            "expected a square of it"
        )
    return board.square(row - 1, column - 1)


def _target(level: Level, place: _Place) -> Square:
    """Return the square of --to; raises InputError also if it is outside the walls."""
    square = _square(level, place, "--to")
    if not level.board.floor >> square & 1 and _what_is_off_floor(level, square) == _OUTSIDE:
        row, column = place
        raise InputError(f"--to {row},{column}: found {_OUTSIDE}, expected a square inside them")
    return square


def _find_box(level: Level, state: State, place: _Place) -> Square:
    """Return the square of a box; raises InputError with the nearest boxes if there is none."""
    square = _square(level, place, "--box")
    if state.boxes >> square & 1:
        return square
    row, column = place

    def distance(box: Square) -> int:
        box_row, box_column = place_of(level, box)
        return abs(box_row - row) + abs(box_column - column)

    nearest = sorted(scan(state.boxes), key=distance)[:_NEAREST]
    boxes = " ".join(_text(level, box) for box in nearest)
    noun = "the boxes nearest to it are" if level.boxes > 1 else "the only one is"
    raise InputError(f"--box {row},{column}: found {_what(level, state, square)}, expected a box; {noun} {boxes}")


def _what(level: Level, state: State, square: Square) -> str:
    """Name what is on a square."""
    board = level.board
    if not board.floor >> square & 1:
        return _what_is_off_floor(level, square)
    if square == state.player:
        return "the player"
    return "an empty goal" if board.goals >> square & 1 else "an empty square"


def _what_is_off_floor(level: Level, square: Square) -> str:
    row, column = level.board.row_column(square)
    if level.rows[row][column : column + 1] in ("$", "*"):
        return "a box that the player can never reach"
    return "a wall" if level.board.walls >> square & 1 else _OUTSIDE


def _text(level: Level, square: Square) -> str:
    row, column = place_of(level, square)
    return f"{row},{column}"


def _picture(chosen: Chosen, state: State, reach: BoxReach) -> str:
    """Return the figures, and the board with the squares in reach."""
    level = chosen.level
    dead = FreezeCheck(level.board).dead_squares
    board = marked_board(level, state, {each: _LOST_MARKS if dead >> each & 1 else _MARKS for each in reach.pushes})
    farthest = max(reach.pushes, key=lambda square: reach.pushes[square])
    count = len(reach.pushes)
    figures = f"box {_text(level, reach.box)}: {counted(count, 'square', ',')} in reach, including its own"
    if count > 1:
        figures += f"; the farthest {_text(level, farthest)} with {counted(reach.pushes[farthest], 'push', ',')}"
    return f"{chosen.heading}\n{figures}\n\n{board}\n\n{_LEGEND}"


def _plan(level: Level, state: State, box: Square, square: Square, plan: PushPlan | None) -> str:
    way = f"box {_text(level, box)} to {_text(level, square)}"
    if plan:
        figures = f"{counted(plan.pushes, 'push', ',')}, {counted(plan.moves, 'move', ',')}"
        return f"{way}: {figures}\n{plan.lurd}".rstrip()
    if not level.board.floor >> square & 1 or state.boxes >> square & 1:
        found = "another box" if state.boxes >> square & 1 else _what(level, state, square)
        return f"{way}: cannot be pushed there: found {found}"
    return f"{way}: cannot be pushed there while the other boxes stand still"


def _json(chosen: Chosen, reach: BoxReach, plan: Mapping[str, object]) -> str:
    level = chosen.level
    return json_line(
        {
            "pack": chosen.pack,
            "level": level.number,
            "box": place_of(level, reach.box),
            "squares": [[*place_of(level, square), reach.pushes[square]] for square in sorted(reach.pushes)],
            **plan,
        }
    )
