"""Imagined boards as targets."""

from collections.abc import Generator, Iterable, Iterator
from itertools import chain, repeat
from typing import Any, ClassVar

import pytest

from sokoterm.engine.board import Board
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.common.state_space import Perimeter
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.positions import Positions, make_positions
from sokoterm.solver.fess.search import FIRST, RunningSearch, Target, Turn
from sokoterm.solver.fess.tree import ExhaustedError, Node
from sokoterm.solver.search import Meter, Progress, Status
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.exhaustive import random_levels, solvable
from tests.unit.solver.fess.test_fess import finished, positions_of, tables_of
from tests.unit.solver.fess.test_search import KeptSearches

# With the box in the door, the player must have come from the left, whatever board is imagined.
TWO_ROOMS = Level.from_xsb("#########\n#   #   #\n#@$ . # #\n#   #   #\n#########")


def backward_search(level: Level) -> BackwardSearch:
    return BackwardSearch(positions_of(tables_of(level.board), level.start))


def test_no_board_is_imagined_before_one_is_met() -> None:
    home = backward_search(SEED_CASE)
    assert home.imagined(0) is None
    assert home.imagined(1) is None


def test_the_imagined_board_is_the_best_one_met_or_a_drawn_one() -> None:
    home = backward_search(SEED_CASE)
    assert finished(home.turn(10)) is None
    bests = [tree.best for tree in home.trees if tree.best is not None]
    assert home.imagined(0) == min(bests, key=lambda node: node.standing).boxes
    drawn = {home.imagined(number) for number in range(1, 100)}
    assert len(drawn) > 5
    assert all(each is not None and each.bit_count() == SEED_CASE.start.boxes.bit_count() for each in drawn)
    assert home.imagined(7) == home.imagined(7)


def test_reaching_an_imagined_board_solves_nothing_with_the_player_in_another_region() -> None:
    board, start = TWO_ROOMS.board, TWO_ROOMS.start
    region = reachable_area(board, start)
    meter = Meter("fess", board, NO_LIMITS, 1)
    positions = finished(make_positions(board, start.boxes, region, meter))
    assert positions is not None
    for is_imagined in (False, True):
        target = Target(positions, Perimeter().from_goals, is_imagined=is_imagined)
        started = finished(target.begin(FIRST))
        assert started is not None
        if is_imagined:
            with pytest.raises(ExhaustedError):
                finished(target.go_on(started, 1_000))
        else:
            assert finished(target.go_on(started, 1_000)) is not None


def imagining(monkeypatch: pytest.MonkeyPatch, backwards: int, numbers: Iterable[int], expansions: int) -> list[Board]:
    """Make searches begin with some backward positions and imagined boards; collect the boards targeted."""
    targeted = []

    def recording(board: Board, *others: Any) -> Generator[Progress, None, Positions | None]:
        targeted.append(board)
        return (yield from make_positions(board, *others))

    first = [Turn(None, backwards), *(Turn(FIRST._replace(imagined=number), expansions) for number in numbers)]
    monkeypatch.setattr(fess, "turns", lambda _draw: chain(first, repeat(Turn(FIRST, 10))))
    monkeypatch.setattr(fess, "make_positions", recording)
    return targeted


class TellsReached(Target):
    """A target that notes when an imagined board or a position beyond it is reached."""

    reached: ClassVar[list["TellsReached"]] = []

    def __init__(self, *some: Any, is_imagined: bool) -> None:
        super().__init__(*some, is_imagined=is_imagined)
        self.is_imagined = is_imagined

    def go_on(self, running: RunningSearch, expansions: int) -> Generator[Progress, None, Node | None]:
        end = yield from super().go_on(running, expansions)
        if end is not None and self.is_imagined:
            TellsReached.reached.append(self)
        return end


def test_a_level_is_solved_through_an_imagined_board_only_if_it_has_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "Target", TellsReached)
    monkeypatch.setattr(TellsReached, "reached", [])
    stored: list[int] = []

    def turns(_draw: int) -> Iterator[Turn]:
        yield Turn(None, 1)
        for number in range(3):
            stored[:] = [KeptSearches.latest.meter.stored]
            yield Turn(FIRST._replace(imagined=number), 10)
            assert KeptSearches.latest.meter.stored == stored[0]
        yield from repeat(Turn(FIRST, 10))

    monkeypatch.setattr(fess, "turns", turns)
    for level in random_levels(3, 500, size=8, boxes=4):
        if level.start.boxes == level.board.goals:
            continue
        before = len(TellsReached.reached)
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=300))
        if len(TellsReached.reached) > before:
            assert outcome.stored == stored[0]
        if outcome.status is not Status.GAVE_UP:
            region = reachable_area(level.board, level.start)
            can_be_solved = (level.start.boxes, region) in solvable(level.board)
            assert outcome.status is (Status.SOLVED if can_be_solved else Status.UNSOLVABLE), level.xsb()
    assert len(TellsReached.reached) > 5


def test_an_unreachable_imagined_board_does_not_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level.from_xsb("#######\n#.  $ #\n#  $ +#\n#######")
    exhausted = []
    go_on = Target.go_on

    def recording(target: Target, *others: Any) -> Generator[Progress, None, Node | None]:
        try:
            return (yield from go_on(target, *others))
        except ExhaustedError:
            exhausted.append(target)
            raise

    monkeypatch.setattr(Target, "go_on", recording)
    imagining(monkeypatch, 1, range(12), 200)
    assert run("fess", level)[1].status is Status.SOLVED
    assert exhausted


def test_no_board_is_imagined_twice_and_never_the_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    targeted = imagining(monkeypatch, 10, [0, 0, *range(100)], 1)
    go_on = Target.go_on

    def ends_nothing(target: Target, *others: Any) -> Generator[Progress, None, None]:
        yield from go_on(target, *others)

    monkeypatch.setattr(Target, "go_on", ends_nothing)
    run("fess", SEED_CASE, NO_LIMITS._replace(nodes=400))
    boards = [board.goals for board in targeted]
    assert len(boards) == len(set(boards)) > 5
    assert boards[0] == SEED_CASE.board.goals
