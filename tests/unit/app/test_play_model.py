"""The level in play, by what comes of each action."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.app.play import PlayModel
from sokoterm.app.request import (
    Ask,
    Blocked,
    Copy,
    Moved,
    NoLevel,
    NoNextLevel,
    Note,
    OpenPlanner,
    Perform,
    Solve,
    Start,
)
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Game
from tests.unit.app.player import Player

PACK = "########\n#@ $  .#\n#      #\n########\n\n#####\n#@$.#\n#####\n"


@pytest.fixture
def model(tmp_path: Path) -> Iterator[PlayModel]:
    """The first level of PACK, with nothing known of it."""
    with Player(tmp_path, PACK) as player:
        yield player.model


def test_moves_pushes_and_walls(model: PlayModel) -> None:
    assert model.act("right") == Moved("r")
    must_save = [model.game.must_save]
    assert model.act("right") == Moved("R")
    assert [*must_save, model.game.must_save] == [False, True]
    assert model.act("up") == Blocked(Direction.UP)
    assert model.act("run right") == Moved("RR")
    assert model.act("run right") == Blocked(Direction.RIGHT)


def test_history(model: PlayModel) -> None:
    assert model.act("undo") is Note.NOTHING_TO_UNDO
    assert model.act("redo") is Note.NOTHING_TO_REDO
    assert model.act("restart") is None
    model.act("right")
    assert model.act("restart") is Note.RESTARTED
    assert model.act("undo") is Note.DONE
    assert model.act("redo") is Note.DONE
    assert model.act("undo dead") is Note.NOT_DEAD


def test_bookmarks(model: PlayModel) -> None:
    model.act("right")
    assert model.set_bookmark("a") == Note.BOOKMARK_SET.of(name="a")
    assert model.go_to_bookmark("b") == Note.NO_BOOKMARK.of(name="b")
    model.act("down")
    assert model.go_to_bookmark("a") is Note.DONE
    assert model.game.lurd == "r"


def test_a_damaged_bookmark_changes_nothing(model: PlayModel) -> None:
    model.act("right")
    model.game.bookmarks["a"] = "uuu"
    assert model.go_to_bookmark("a") is Note.BOOKMARK_DOES_NOT_FIT
    assert model.game.lurd == "r"


def test_walks_and_plans(model: PlayModel) -> None:
    board = model.level.board
    assert model.walk_to(board.square(1, 2)) == Perform("r")
    assert model.walk_to(board.square(1, 3)) is Note.NO_WAY
    assert model.perform("r") == Moved("r")
    assert model.act("plan") == OpenPlanner()
    assert model.act("plain") is Note.PLANNING_OFF
    assert model.act("plan") is Note.PLANNING_IS_OFF
    assert model.walk_to(board.square(1, 1)) is Note.PLANNING_IS_OFF
    assert model.act("plain") is Note.PLANNING_ON


def test_other_levels(model: PlayModel) -> None:
    assert model.act("next level") == Start(model.pack_session, 2)
    assert model.act("previous level") is Note.FIRST_LEVEL
    assert model.act("next unsolved") == Start(model.pack_session, 2)
    assert model.act("accept") is None
    assert model.go_to_level(3) == NoLevel(3)
    assert model.act("end run") is Note.NO_RUN
    level = model.pack_session.pack.levels[1]
    last = PlayModel(model.pack_session, level, Game(level), lambda: 0.0)
    assert last.act("next level") == NoNextLevel(2, unsolved=False)


def test_the_solver_is_asked_once(model: PlayModel) -> None:
    assert model.act("replay") is Note.NO_SOLUTION_YET
    assert model.act("solve") == Solve(model.game.state, "")
    assert model.act("solve") == Ask.WATCH
    assert model.act("hint") is Note.ALREADY_SEARCHING
    assert model.act("cancel") is Ask.STOP_SEARCH
    assert model.search_stopped(Note.SEARCH_STOPPED) is Note.SEARCH_STOPPED
    assert model.act("copy") is Note.NO_MOVES
    model.act("right")
    assert model.act("copy") == Copy("r")
