"""``sokoterm verify``: replays moves by the rules."""

from sokoterm.commands.support.levels import MovesFlags, OneLevelFlags
from sokoterm.commands.support.output import json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.lurd import LurdError, Solution, steps_of, verify
from sokoterm.language import _, listed

_METRICS = ("moves", "pushes", "box_lines", "box_changes", "pushing_sessions", "player_lines")


def run(arguments: list[str]) -> int:
    """Print whether the moves solve the level, with their figures; return 1 if they do not."""
    parser = Parser(
        "verify",
        _("Check by the rules whether moves solve a level, and print the figures."),
        "sokoterm verify levels.txt -l 3 --moves rruLLd",
    )
    one_level = OneLevelFlags(parser)
    moves_flags = MovesFlags(parser, one_level, is_required=True)
    as_json = parser.switch("--json", help=_("print a JSON object"))
    parser.parse(arguments)
    moves = moves_flags.read()
    chosen = one_level.chosen()
    solution, problem = None, None
    try:
        steps = steps_of(chosen.level.board, chosen.level.start, moves.text)
        solution = verify(chosen.level.board, chosen.level.start, "".join(each.letter for each in steps))
    except LurdError as error:
        problem = error
    if as_json.value:
        figures = {metric: getattr(solution, metric, None) for metric in _METRICS}
        problems = {"error": str(problem) if problem else None, "step": problem.step if problem else None}
        print(json_line({**chosen.place, "solved": solution is not None, **figures, **problems}))
    else:
        print(_figures(solution) if solution else _("not solved: {error}", error=problem))
    return 0 if solution else 1


def _figures(solution: Solution) -> str:
    figures = (
        _("moves {n}", n=solution.moves),
        _("pushes {n}", n=solution.pushes),
        _("box lines {n}", n=solution.box_lines),
        _("box changes {n}", n=solution.box_changes),
        _("pushing sessions {n}", n=solution.pushing_sessions),
        _("player lines {n}", n=solution.player_lines),
    )
    return _("solved: {figures}", figures=listed(figures))
