"""Words of reverse play."""

from sokoterm.app.keymap import Keymap
from sokoterm.app.pulling import Pulling
from sokoterm.engine.lurd import Solution
from sokoterm.wording.figures import moves_and_pushes

TITLE = ("Reverse play: pull the boxes from the goals to where they begin", "Reverse play")
"""The heading, and a shorter one."""


def counters_forms(pulling: Pulling, home: int) -> tuple[str, ...]:
    """``pulls 12  boxes 2/3 at their start``, and shorter forms; what is left to do if only the player is elsewhere."""
    pulls = f"pulls {pulling.pulls}"
    if pulling.is_free:
        return (pulls,)
    if pulling.are_boxes_home and pulling.pulls:
        return f"{pulls}  the boxes are there, but the player cannot get to his start", f"{pulls}  wrong side"
    count = f"{home}/{pulling.level.boxes}"
    return f"{pulls}  boxes {count} where they begin", f"{pulls}  {count}"


def end_forms(solution: Solution, keymap: Keymap) -> tuple[str, ...]:
    """``a solution of 97 moves, 23 pushes: Enter takes it``, and a shorter form."""
    enter = keymap.key_of("accept")
    figures = moves_and_pushes(solution)
    return f"a solution of {figures}: {enter} takes it", f"solved: {enter} takes it"
