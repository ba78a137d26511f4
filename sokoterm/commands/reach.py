"""``sokoterm reach``: prints the squares that one box can be pushed to without moving others, or the moves to one."""

from collections.abc import Generator
from time import monotonic
from typing import TypeVar

from sokoterm.commands.support import levels
from sokoterm.commands.support.output import InputError, json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.level import Level
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, PushPlan
from sokoterm.engine.rules import color_at, goals_taking
from sokoterm.engine.steps import Events
from sokoterm.language import N_, _, in_clauses, listed, moves_text, ngettext, pushes_text

_Result = TypeVar("_Result")

# Time limit of the planner, reached only on very large boards with ice.
_SECONDS = 10.0

# Marks of squares in reach, by the cell there.
_MARKS = {" ": "o", ".": "O", "@": "p", "+": "P"}
_FLOOR_MARKS = {".": "o", "+": "p"}  # of goals that do not take the box
_LOST_MARKS = {" ": "x", "@": "q"}
_LEGEND = (
    N_("o in reach   O a goal in reach   p P the same, under the player"),
    N_("x in reach, but a dead end: from there the box can reach no goal   q the same, under the player"),
)


def run(arguments: list[str]) -> int:
    """Print the squares in reach of the box, or a plan to push it to --to; return 1 if that is out of reach."""
    parser = Parser(
        "reach",
        _(
            "Print the squares that one box can be pushed to without moving other boxes, or the moves to one of "
            "them. Rows and columns count from 1, from the top left of the board; blanks at the left that all rows "
            "of a file share do not count."
        ),
        "sokoterm reach levels.txt -l 3 --box 4,5 --to 2,7 --fewest moves",
    )
    one_level = levels.OneLevelFlags(parser)
    # The flag is required, so its default is never used.
    box_flag = parser.flag(
        "--box", parse=levels.place, default=(1, 1), required=True, metavar="ROW,COL", help=_("where the box is")
    )
    to_flag = parser.flag("--to", parse=levels.place, metavar="ROW,COL", help=_("print the moves that push it there"))
    text, names = _("what to minimize on the way to --to (default: %(default)s)"), [each.value for each in Fewest]
    fewest = parser.flag("--fewest", parse=str, choices=names, default=Fewest.PUSHES.value, help=text)
    moves = levels.MovesFlags(parser, one_level, _("moves to play first, before --box and the answer"))
    as_json = parser.switch("--json", help=_("print a JSON object"))
    parser.parse(arguments)
    chosen = one_level.chosen()
    level = chosen.level
    state, __ = moves.read().played(level)
    reach = BoxReach(level.board, state, levels.box_at(level, state, box_flag.value, "--box"), at_once=False)
    _in_time(reach.explore())
    if to_flag.value is None:
        print(json_line(_fields(chosen, reach)) if as_json.value else _picture(chosen, state, reach))
        return 0
    square = levels.inner_square(level, to_flag.value, "--to")
    plan = _in_time(reach.plan_in_steps(square, Fewest(fewest.value))) if square in reach.pushes else None
    if as_json.value:
        print(json_line(_fields(chosen, reach) | (plan._asdict() if plan else dict.fromkeys(PushPlan._fields))))
    else:
        print(_plan(level, state, reach.box, square, plan))
    return 0 if plan else 1


def _in_time(steps: Generator[int, None, _Result]) -> _Result:
    """Return the planner's result; raise InputError if it takes too long."""
    until, work = monotonic() + _SECONDS, Events(steps)
    for __ in work:
        if monotonic() >= until:
            problem = N_("no answer within {seconds} s: the board is too large")
            raise InputError(_(problem, seconds=round(_SECONDS)))
    return work.result


def _fields(chosen: levels.Chosen, reach: BoxReach) -> dict[str, object]:
    return {
        **chosen.place,
        "box": levels.place_of(chosen.level, reach.box),
        "squares": [[*levels.place_of(chosen.level, square), reach.pushes[square]] for square in sorted(reach.pushes)],
    }


def _picture(chosen: levels.Chosen, state: State, reach: BoxReach) -> str:
    level = chosen.level
    dead = dead_squares(level.board, color_at(level.board, state.boxes, reach.box))
    others = level.board.goals & ~goals_taking(level.board, state.boxes, reach.box)
    # `dead >> square` would take time linear in the size of the board for each square.
    marks = dict.fromkeys(reach.pushes, _MARKS)
    for squares, mark in ((others, _FLOOR_MARKS), (dead, _LOST_MARKS)):
        marks.update(dict.fromkeys(reach.pushes.keys() & squares_of(squares), mark))
    board = levels.marked_board(level, state, marks)
    farthest = max(reach.pushes, key=lambda square: reach.pushes[square])
    count = len(reach.pushes)
    in_reach = ngettext(
        "box {box}: {n:,} square in reach, including its own",
        "box {box}: {n:,} squares in reach, including its own",
        count,
        box=levels.written(level, reach.box),
    )
    pushes = pushes_text(reach.pushes[farthest])
    # Translators: the square in reach that takes the most pushes.
    last = _("the farthest {square} with {pushes}", square=levels.written(level, farthest), pushes=pushes)
    figures = in_clauses([in_reach, last if count > 1 else ""])
    legend = "\n".join(map(_, _LEGEND))
    return f"{chosen.heading}\n{figures}\n\n{board}\n\n{legend}"


def _plan(level: Level, state: State, box: Square, square: Square, plan: PushPlan | None) -> str:
    begin, end = levels.written(level, box), levels.written(level, square)
    if plan:
        figures = listed([pushes_text(plan.pushes), moves_text(plan.moves)])
        way = _("box {box} to {square}: {figures}", box=begin, square=end, figures=figures)
        return f"{way}\n{plan.lurd}".rstrip()
    if not level.board.floor >> square & 1 or state.boxes >> square & 1:
        found = _("another box") if state.boxes >> square & 1 else levels.content(level, state, square)
        return _(
            "box {box} to {square}: cannot be pushed onto {found}",
            box=begin,
            square=end,
            found=found,
        )
    return _("box {box} to {square}: cannot be pushed there without moving other boxes", box=begin, square=end)
