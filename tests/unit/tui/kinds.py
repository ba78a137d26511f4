"""Levels with colours, with ice and with both: boards that show all that there is to draw, and some to solve."""

from functools import cache
from pathlib import Path

from sokoterm.engine.level import Level
from sokoterm.formats.registry import write
from sokoterm.formats.text import parse_xsb
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import solve
from tests.unit.solver.cases import NO_LIMITS

_BOARD = """\
#############
#           #
# +$ *. $   #
#  **.      #
# $   $ .   #
#           #
#############
"""
_COLORS = "Boxorder: 2 1 99 3 2 4 99\nGoalorder: 1 1 2 1 99 3 4\n"
_ICE = "Ice: -\nIce: -~~~~~~~~~~~\nIce: -~\nIce: -----~--~~~~\nIce: -~\n"

SHOWN = {
    "colours": f"{_BOARD}Title: Shown\n{_COLORS}",
    "sliding": f"{_BOARD}Title: Shown\n{_ICE}",
    "both": f"{_BOARD}Title: Shown\n{_COLORS}{_ICE}",
}

_SOLVED_COLORS = """\
#######
#@    ##
#  .   #
#####. #
# $  $.#
# $   ##
#   # #
#######
Boxorder: 2 99 1
Goalorder: 99 1 2
"""
_SOLVED_ICE = """\
 #######
##.#@  #
#  $  ##
#  #   #
## $   #
 #.$   #
 #  #. #
 #######
Variant: sliding
"""
_SOLVED_BOTH = """\
########
#.##@  #
#$ #$# #
#      #
##    .#
#  $# ##
#    . #
########
Boxorder: 99 1 2
Goalorder: 99 1 2
Ice: -
Ice: -~
Ice: --~---~
Ice: ---~~~
Ice: --~~
Ice: -~~
Ice: -~~~~~
"""

SOLVED = {
    "colours": (_SOLVED_COLORS, "rrrrdrddLdlluRdrUdlldlluuRRRRUruLLrdddlldlUluRRRdrU"),
    "sliding": (_SOLVED_ICE, "ddddLdlUuuuRrurDddlLdlUuluRrrurDdrddL"),
    "both": (_SOLVED_BOTH, "DdldRllddrUdrruUlllulUrdRdrrruuulldDldRuRluurrdDlDD"),
}
"""Packs of one level by kind, each with a solution."""

TAUGHT = [f"{name} {number}" for name in ("colours", "ice", "ice and colours") for number in (4, 9, 16)]
"""Three levels of each pack that teaches a kind."""

_FILES = {"colours": "first-colours", "ice": "first-ice", "ice and colours": "ice-and-colours"}
_LEVELS = Path(__file__).parents[3] / "levels"


@cache
def game(kind: str) -> tuple[str, str]:
    """Return a pack of one level, and a solution: one of SOLVED, or a level of TAUGHT as the solver solves it."""
    if kind in SOLVED:
        return SOLVED[kind]
    name, _, number = kind.rpartition(" ")
    file = _LEVELS / f"variants-{_FILES[name]}.txt"
    pack = parse_xsb(file.read_text(encoding="utf-8"), file.name)
    level = pack.find_level(int(number))
    assert level is not None
    solution, _ = solve(level.board, level.start, STRATEGIES["auto"], NO_LIMITS)
    assert solution is not None
    return write(pack._replace(levels=(level,)), "xsb").data.decode(), solution.lurd


def level_of(pack: str) -> Level:
    """Return the only level of a pack."""
    [level] = parse_xsb(pack, "kinds").levels
    return level
