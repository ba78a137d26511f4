"""Words of reverse play."""

from sokoterm.app.keymap import Keymap
from sokoterm.app.pulling import Pulling
from sokoterm.engine.lurd import Solution
from sokoterm.language import _
from sokoterm.wording.figures import moves_and_pushes


def title_forms() -> tuple[str, ...]:
    """Return the heading, and a shorter one."""
    return _("Reverse play: pull the boxes from the goals to where they begin"), _("Reverse play")


def counters_forms(pulling: Pulling, home: int) -> tuple[str, ...]:
    """``pulls 12  boxes 2/3 at their start``, and shorter forms; what is left to do if only the player is elsewhere."""
    pulls = _("pulls {n}", n=pulling.pulls)
    if pulling.is_free:
        return (pulls,)
    if pulling.are_boxes_home and pulling.pulls:
        there = _("the boxes are there, but the player cannot get to his start")
        briefly = _("wrong side")
        return f"{pulls}  {there}", f"{pulls}  {briefly}"
    count = f"{home}/{pulling.level.boxes}"
    boxes = _("boxes {count} where they begin", count=count)
    return f"{pulls}  {boxes}", f"{pulls}  {count}"


def end_forms(solution: Solution, keymap: Keymap) -> tuple[str, ...]:
    """``a solution of 97 moves, 23 pushes: Enter takes it``, and a shorter form."""
    enter = keymap.key_of("accept")
    figures = moves_and_pushes(solution)
    long = _("a solution of {figures}: {key} takes it", figures=figures, key=enter)
    return long, _("solved: {key} takes it", key=enter)
