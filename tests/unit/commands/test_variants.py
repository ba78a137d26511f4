"""Verbs that search, on levels with colours or ice."""

import pytest

from sokoterm.solver.registry import STRATEGIES
from tests.unit.commands.command import ONE_PUSH, Command

ICE = "#######\n#     #\n#@$   #\n#     #\n#    .#\n#######\nVariant: sliding"
LOST_ICE = "#######\n#     #\n#@$   #\n#  .  #\n#     #\n#######\nVariant: sliding"
COLORS = "########\n#@     #\n# $ $  #\n#      #\n# .  . #\n########\nBoxorder: 1 2\nGoalorder: 2 1"


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if each.knows_ice])
def test_levels_are_solved(command: Command, name: str) -> None:
    pack = command.pack("levels.txt", [ICE, COLORS, LOST_ICE])
    result = command("solve", pack, "--strategy", name, "--json")
    assert (result.status, result.err) == (1, "")
    assert [each["status"] for each in result.objects] == ["solved", "solved", "unsolvable"]
    assert result.objects[0]["pushes"] == 2


@pytest.mark.parametrize("verb", [["solve"], ["solve", "--moves", "R"], ["bench", "solver", "--suite"]])
@pytest.mark.parametrize(("name", "kinds"), [("beam", "colours or ice"), ("fess", "ice")])
def test_a_strategy_that_does_not_apply_says_so(command: Command, name: str, kinds: str, verb: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, ICE])
    result = command(*verb, pack, "-l", "2", "--strategy", name)
    assert (result.status, result.out) == (2, "")
    others = ", ".join(each.name for each in STRATEGIES.values() if each.knows_ice)
    assert (
        result.err
        == f"sokoterm: strategy {name}: not for levels with {kinds}; found level 2, expected one of {others}\n"
    )


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_fewest_are_proven(command: Command, metric: str) -> None:
    pack = command.pack("levels.txt", [ICE, COLORS])
    result = command("solve", pack, "--optimal", metric, "--json")
    assert result.status == 0
    assert [each["optimal"] for each in result.objects] == [metric, metric]


def test_a_position_on_ice_is_proven_dead_as_a_whole(command: Command) -> None:
    pack = command.pack("levels.txt", [LOST_ICE])
    result = command("deadlock", pack, "-l", "1", "--json")
    (found,) = result.objects
    assert (result.status, found["dead"], found["boxes"]) == (0, True, [[3, 3]])


def test_difficulty_comes_from_the_searches_of_the_kind(command: Command) -> None:
    pack = command.pack("levels.txt", [ICE, LOST_ICE])
    solved, lost = (each["difficulty"] for each in command("info", pack, "--json", "--difficulty").objects)
    assert isinstance(solved, dict)
    assert isinstance(lost, dict)
    assert (solved["status"], solved["pushes"], solved["lower_bound"], solved["box_lines"]) == ("solved", 2, 2, 2)
    assert (lost["status"], lost["number"]) == ("unsolvable", None)


def test_pictures_have_letters_and_ice(command: Command) -> None:
    pack = command.pack("levels.txt", [COLORS, ICE])
    assert "# A B  #\n#      #\n# b  a #\n" in command("info", pack, "-l", "1").out
    assert "#~~~~~#\n#@$~~~#\n" in command("info", pack, "-l", "2").out
    assert "3 #xAoBox#" in command("reach", pack, "-l", "1", "--box", "3,3").out
    assert "2 #xx~~x#" in command("reach", pack, "-l", "2", "--box", "3,3").out
    assert "5 # b  a #" in command("deadlock", pack, "-l", "1").out


@pytest.mark.parametrize("other", [COLORS.replace("2 1", "1 2"), COLORS + "\nVariant: sliding"])
def test_rows_of_a_bench_with_other_colours_or_ice_are_refused(command: Command, other: str) -> None:
    command.monkeypatch.setattr("sokoterm.bench.solver.signature_suite", list)
    record = command.folder / "record"
    bench = ("bench", "solver", "--nodes", "100", "--resume", record, "--suite")
    assert command(*bench, command.pack("levels.txt", [COLORS])).status == 0
    assert "found rows of suite 1 level" in command.refusal(*bench, command.pack("other.txt", [other]))
