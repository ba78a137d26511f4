"""``python3 -m tests.bench planner``: its figures, and the boards it makes for itself."""

import pytest

from sokoterm.engine.bits import lowest
from sokoterm.engine.planner.box_reach import BoxReach
from tests.bench import planner
from tests.bench.made_boards import crowded_board, maze, open_board
from tests.bench.naive_planner import naive_pushes
from tests.unit.commands.command import FEWER_MOVES, SEED, Command


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards, measured once."""
    for name, value in (("_SIZES", (10, 12)), ("_MAZE", 20), ("_CROWD", 12), ("_ROUNDS", 1), ("_GROWTH_ROUNDS", 1)):
        monkeypatch.setattr(planner, name, value)


def test_the_boards_are_open_crowded_or_a_maze_whose_goal_is_reached() -> None:
    hall, crowd, rooms = open_board(10), crowded_board(12), maze(20)
    assert (hall.board.floor.bit_count(), hall.boxes) == (64, 1)
    assert crowd.boxes == 9
    reach = BoxReach(rooms.board, rooms.start, lowest(rooms.start.boxes))
    assert reach.pushes[lowest(rooms.board.goals)] > 20
    assert rooms == maze(20)


def test_the_table(bench: Command) -> None:
    result = bench("planner", "--clicks", "3")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "maze: 20x20, 1 box"
    names = ["squares in reach", "and the tables", "flood fills", "fewest pushes", "fewest moves"]
    assert [line[:17].strip() for line in lines[1:6]] == names
    assert "the same" in lines[3]
    assert [line.split()[0] for line in lines[8:10]] == ["10x10", "12x12"]
    names = ["click", "its picture", "next box", "plan", "next plan", "boxes to a goal"]
    assert [line[:17].strip() for line in lines[-6:]] == names


def test_the_suite_gives_the_level_of_one_box_and_the_largest_board(bench: Command) -> None:
    pack = bench.pack("levels.txt", [FEWER_MOVES, SEED])
    result = bench("planner", "--suite", pack)
    assert (result.status, result.err) == (0, "")
    assert f"{pack}:1: 6x6, 1 box\n" in result.out
    assert f"{pack}:2: 8x8, 4 boxes, " in result.out
    assert "2 pushes, 10 moves" in result.out
    assert "4 pushes, 8 moves" in result.out


def test_other_squares_than_those_of_the_plain_search_are_status_1(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner, "naive_pushes", lambda *arguments: naive_pushes(*arguments) | {0: 1})
    result = bench("planner", "--suite", bench.pack("levels.txt", [FEWER_MOVES]))
    assert (result.status, "NOT the same" in result.out) == (1, True)


def test_a_pack_that_cannot_be_read_is_said_and_the_rest_measured(bench: Command) -> None:
    missing = bench.folder / "missing.txt"
    result = bench("planner", "--suite", missing, bench.pack("levels.txt", [SEED]))
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "boxes to a goal" in result.out
    assert bench("planner", "--suite", missing).status == 2
