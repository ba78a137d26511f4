"""Levels with colours, with ice and with both: boards that show all that there is to draw, and some to solve."""

from sokoterm.engine.level import Level
from sokoterm.formats.text import parse_xsb

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

_SOLVED_COLORS = (
    "#######\n#@    ##\n#  .   #\n#####. #\n# $  $.#\n# $   ##\n#   # #\n#######\nBoxorder: 2 99 1\nGoalorder: 99 1 2\n"
)
_SOLVED_ICE = " #######\n##.#@  #\n#  $  ##\n#  #   #\n## $   #\n #.$   #\n #  #. #\n #######\nVariant: sliding\n"
_SOLVED_BOTH = (
    "########\n#.##@  #\n#$ #$# #\n#      #\n##    .#\n#  $# ##\n#    . #\n########\n"
    "Boxorder: 99 1 2\nGoalorder: 99 1 2\n"
    "Ice: -\nIce: -~\nIce: --~---~\nIce: ---~~~\nIce: --~~\nIce: -~~\nIce: -~~~~~\n"
)

SOLVED = {
    "colours": (_SOLVED_COLORS, "rrrrdrddLdlluRdrUdlldlluuRRRRUruLLrdddlldlUluRRRdrU"),
    "sliding": (_SOLVED_ICE, "ddddLdlUuuuRrurDddlLdlUuluRrrurDdrddL"),
    "both": (_SOLVED_BOTH, "DdldRllddrUdrruUlllulUrdRdrrruuulldDldRuRluurrdDlDD"),
}
"""Packs of one level by kind, each with a solution."""


def level_of(pack: str) -> Level:
    """Return the only level of a pack."""
    [level] = parse_xsb(pack, "kinds").levels
    return level
