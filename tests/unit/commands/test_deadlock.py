"""``sokoterm deadlock``."""

import pytest

from sokoterm.engine.deadlock.check import DeadlockKind
from tests.unit.commands.command import ONE_PUSH, PLACE, SEED, Command

CORRAL = "######\n#.$  #\n#@*  #\n#  *##\n######"
# After a push to the right only trying everything tells that it is lost.
TRIED = "######\n#   .#\n# *# #\n#  $ #\n# @$.#\n######"
# A margin in the file, which does not count.
FROZEN = "   #####\n   #$  #\n   #@ .#\n   #####"


def test_a_deadlock_is_named_with_its_boxes(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED, CORRAL])
    result = command.done("deadlock", pack, "-l", "2", "--json")
    (found,) = result.objects
    assert (found["pack"], found["level"], found["dead"], found["kind"]) == (str(pack), 2, True, "corral")
    assert found["boxes"] == [[2, 3], [3, 3], [4, 4]]
    assert list(found) == [*PLACE, "dead", "kind", "boxes"]


def test_the_guilty_boxes_are_shown_on_the_board(command: Command) -> None:
    pack = command.pack("levels.txt", [FROZEN])
    result = command.done("deadlock", pack, "-l", "1")
    assert result.out.splitlines() == [
        f"{pack}:1  A",
        "dead: dead square, a box on a square from which it can reach no goal",
        "guilty (row,column): 2,2; shown as x (X on a goal)",
        "",
        "  12345",
        "1 #####",
        "2 #x  #",
        "3 #@ .#",
        "4 #####",
    ]


def test_no_deadlock_is_status_1(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED])
    result = command("deadlock", pack, "-l", "1")
    assert (result.status, result.err) == (1, "")
    assert "no deadlock found, which is no proof of a solution\n" in result.out
    result = command("deadlock", pack, "-l", "1", "--json")
    (found,) = result.objects
    assert (result.status, found["dead"], found["kind"], found["boxes"]) == (1, False, None, [])
    solved = command("deadlock", command.pack("one.txt", [ONE_PUSH]), "-l", "1", "--moves", "R")
    assert (solved.status, "not dead: every box is on a goal\n" in solved.out) == (1, True)


def test_moves_are_played_first_and_positions_tried(command: Command) -> None:
    pack = command.pack("levels.txt", [TRIED])
    assert command("deadlock", pack, "-l", "1").status == 1
    result = command("deadlock", pack, "-l", "1", "--moves", "r", "--json")
    (found,) = result.objects
    assert (result.status, found["kind"], found["boxes"]) == (0, "learned_pattern", [[3, 3], [4, 4], [5, 5]])
    assert command("deadlock", pack, "-l", "1", "--moves", "r", "--nodes", "1").status == 1


@pytest.mark.parametrize(
    ("moves", "error"),
    [("2r", "step 2 (r) is blocked"), ("lx", "found 'x', expected one of l u r d L U R D or a count")],
)
def test_moves_that_cannot_be_played_are_an_error_of_input(command: Command, moves: str, error: str) -> None:
    result = command("deadlock", command.pack("levels.txt", [TRIED]), "-l", "1", "--moves", moves)
    assert (result.status, result.out, result.err) == (2, "", f"sokoterm: --moves: {error}\n")


def test_every_kind_is_explained_in_the_help(command: Command) -> None:
    page = command("deadlock", "--help").out
    assert [kind for kind in DeadlockKind if f"\n  {kind.value.replace(' ', '_')} " not in page] == []


def test_every_verb_says_of_a_level_that_it_begins_solved_and_cannot_be_played(command: Command) -> None:
    pack = command.pack("levels.txt", ["#####\n#@* #\n#####"])
    outs = [
        command(*words.split(), pack, "-l", "1").out
        for words in ("deadlock", "solve --cores 1", "info", "verify --moves R", "verify --moves l")
    ]
    assert ["the level begins solved and cannot be played" in out for out in outs] == [True] * 4 + [False]
    assert not any("unsolvable" in out for out in outs)
    assert command("solve", pack, "--json").objects[0]["status"] == "begins_solved"
