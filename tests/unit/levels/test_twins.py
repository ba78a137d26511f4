"""Levels that are too much alike to stand in one collection."""

from levels.make.twins import best_solution, is_twin
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify

ROOM = "#######\n#  .  #\n# #   #\n#.$$@ #\n#   ###\n#####"
OTHER = "######\n#@.  #\n## .$##\n # $  #\n ##   #\n  #####"


def turned(xsb: str, number: int) -> Level:
    rows = xsb.splitlines()
    width = max(map(len, rows))
    return Level.from_xsb("\n".join(SYMMETRIES[number].rows([row.ljust(width) for row in rows])))


def test_rooms_that_differ_in_a_few_squares_are_twins_however_turned() -> None:
    level = Level.from_xsb(ROOM)
    assert is_twin(level, turned(ROOM.replace("# #   #", "#     #"), 3))
    assert not is_twin(level, Level.from_xsb(OTHER))


def test_levels_of_the_same_pushes_in_other_rooms_are_twins_however_turned() -> None:
    wider = "######\n#@.  ####\n## .$## #\n # $    #\n ##   ###\n  #####"
    one = Level.from_xsb(OTHER)
    for number in range(len(SYMMETRIES)):
        assert is_twin(one, turned(wider, number))


def test_the_best_solution_has_the_fewest_pushes() -> None:
    level = Level.from_xsb(OTHER)
    solution = best_solution(level)
    assert verify(level.board, level.start, solution.lurd) == solution
    assert solution.pushes == 8
