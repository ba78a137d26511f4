"""Game: moves, undo groups, bookmarks and counters, against a plain list of move texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Direction
from sokoterm.engine.game import Edit, Game, too_long
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, end_of
from sokoterm.engine.rules import step
from tests.present import present
from tests.unit.engine.drawn import roomy_levels

UP, RIGHT, DOWN, LEFT = DIRECTIONS
HALL = Level.from_xsb("##########\n#        #\n#@  $  $.#\n#       .#\n##########")
COMMANDS = ("step", "run", "play", "restart", "undo", "redo", "undo all", "redo all", "mark", "jump", "go to")


def picture(game: Game) -> str:
    """Return the middle row of HALL."""
    return game.level.picture(game.state)[2]


def command(game: Game, name: str, direction: Direction, earlier: str) -> bool:
    """Run one command of the player; return whether it should be an undo group."""
    before = game.lurd
    match name:
        case "step":
            game.walk_or_push(direction)
        case "run":
            game.run(direction)
        case "play":
            if step(game.level.board, game.state, direction) is not None:
                game.play([direction])
        case "restart":
            game.restart()
        case "mark":
            game.set_bookmark("a")
        case "jump":
            game.go_to_bookmark("a")
        case "go to":
            game.go_to(earlier)
    return game.lurd != before


@given(roomy_levels, st.lists(st.tuples(st.sampled_from(COMMANDS), st.sampled_from(DIRECTIONS)), max_size=40))
def test_every_command_is_one_undo_group(level: Level, commands: list[tuple[str, Direction]]) -> None:
    game = Game(level)
    texts, done = [""], 0
    for name, direction in commands:
        if name == "undo":
            assert game.undo() == (done > 0)
            done = max(done - 1, 0)
        elif name == "redo":
            assert game.redo() == (done < len(texts) - 1)
            done = min(done + 1, len(texts) - 1)
        elif name == "undo all":
            assert game.undo_all() == (done > 0)
            done = 0
        elif name == "redo all":
            assert game.redo_all() == (done < len(texts) - 1)
            done = len(texts) - 1
        elif command(game, name, direction, texts[-1]):
            texts[done + 1 :] = [game.lurd]
            done += 1
        assert (game.lurd, game.cursor, len(game.edits)) == (texts[done], done, len(texts) - 1)
        assert game.state == end_of(level.board, level.start, game.lurd)
        assert (game.moves, game.pushes) == (len(game.lurd), sum(map(str.isupper, game.lurd)))
        assert (game.can_undo, game.can_redo) == (done > 0, done < len(texts) - 1)
    again = Game(level, game.edits, game.cursor, game.bookmarks)
    assert (again.lurd, again.state, again.pushes) == (game.lurd, game.state, game.pushes)
    assert (again.edits, again.cursor, again.bookmarks) == (game.edits, game.cursor, game.bookmarks)


def test_a_run_walks_up_to_a_box_and_pushes_up_to_the_next() -> None:
    game = Game(HALL)
    assert game.run(RIGHT)
    assert (game.lurd, picture(game)) == ("rr", "#  @$  $.#")
    assert game.run(RIGHT)
    assert (game.lurd, picture(game)) == ("rrRR", "#    @$$.#")
    assert not game.run(RIGHT)
    assert (game.moves, game.pushes, len(game.edits)) == (4, 2, 2)


def test_a_blocked_step_and_a_sequence_with_one_change_nothing() -> None:
    game = Game(HALL)
    assert not game.walk_or_push(LEFT)
    assert (game.lurd, game.edits, game.can_undo) == ("", [], False)
    game.walk_or_push(RIGHT)
    with pytest.raises(LurdError, match="step 2"):
        game.play([UP, UP])
    for lurd in ("rrrrrrrrr", "uu"):
        with pytest.raises(LurdError):
            game.go_to(lurd)
    assert (game.lurd, len(game.edits)) == ("r", 1)
    assert game.state == end_of(HALL.board, HALL.start, "r")


def test_go_to_keeps_the_common_prefix() -> None:
    game = Game(HALL)
    game.go_to("rrRR")
    game.go_to("rrRlu")
    assert game.edits[-1] == Edit(3, "R", "lu")
    assert not game.go_to("rrRlu")


def test_undo_until_stops_at_the_first_good_position() -> None:
    game = Game(HALL)
    for _ in range(4):
        game.walk_or_push(RIGHT)
    assert game.undo_until(lambda state: state.boxes == HALL.start.boxes)
    assert game.lurd == "rr"
    game.redo_all()
    assert not game.undo_until(lambda state: state.boxes == 0)
    assert (game.lurd, game.cursor) == ("rrRR", 4)


def test_a_level_that_begins_solved_is_solved_only_after_a_push() -> None:
    game = Game(Level.from_xsb("#######\n#     #\n# @*  #\n#     #\n#######"))
    assert not game.is_solved
    game.go_to("ul")
    assert not game.is_solved
    game.go_to("RurrdL")
    assert game.is_solved


@pytest.mark.parametrize(
    ("edits", "cursor"),
    [
        ([Edit(0, "", "rrRRRRRR")], 1),  # into a box
        ([Edit(0, "", "rr"), Edit(3, "", "u")], 2),  # behind the end
        ([Edit(0, "", "rr"), Edit(-1, "r", "u")], 2),
        ([Edit(0, "", "rr"), Edit(1, "u", "u")], 2),  # what was removed was never there
        ([Edit(0, "", "rr"), Edit(2, "", "RRRR")], 1),  # what could be redone is blocked
        ([Edit(0, "", "rr")], 2),
        ([Edit(0, "", "rr")], -1),
        ([Edit(0, "", "hello")], 1),
    ],
)
def test_edits_that_do_not_fit_are_refused_on_resume(edits: list[Edit], cursor: int) -> None:
    with pytest.raises(LurdError):
        Game(HALL, edits, cursor)


@given(roomy_levels, st.lists(st.tuples(st.sampled_from(COMMANDS), st.sampled_from(DIRECTIONS)), max_size=60))
def test_a_history_is_bounded_and_loses_only_old_undo_steps(
    level: Level, commands: list[tuple[str, Direction]]
) -> None:
    """Compare a play of at most 12 moves with one whose history has room for everything."""
    game, free = Game(level, most_moves=12), Game(level)
    for name, direction in commands:
        if name in ("undo", "redo", "undo all", "redo all"):
            continue
        before = game.lurd
        try:
            command(game, name, direction, "")
        except LurdError:
            assert game.lurd == before
        free.go_to(game.lurd)
        free.bookmarks = dict(game.bookmarks)
        assert game.state == free.state
        assert (game.moves, game.pushes) == (free.moves, free.pushes)
        assert game.moves <= 12
        assert sum(len(edit.removed) + len(edit.added) for edit in game.edits) <= 4 * 12 + 32
        if game.lurd != before:
            assert game.undo()
            assert game.lurd == before
            assert game.redo()
    again = Game(level, game.edits, game.cursor, game.bookmarks, most_moves=12)
    assert (again.lurd, again.edits) == (game.lurd, game.edits)
    game.undo_all()
    assert game.lurd == ""


def test_the_oldest_moves_become_one_undo_step() -> None:
    game = Game(HALL, most_moves=30)
    for _ in range(10):
        game.play([RIGHT, LEFT])
    assert game.was_condensed
    assert game.lurd == "rl" * 10
    undone = [game.moves for _ in range(20) if game.undo()]
    assert undone[:2] == [18, 16]
    assert undone[-1] == 0
    assert len(undone) < 10


def test_a_play_ends_at_its_bound() -> None:
    game = Game(HALL, most_moves=5)
    stop = present(game.play_legal([RIGHT, LEFT] * 4))
    assert (game.moves, stop.number, stop.reason) == (5, 6, too_long())
    assert not game.walk_or_push(LEFT)
    assert not game.run(LEFT)
    with pytest.raises(LurdError):
        game.play([LEFT])
    with pytest.raises(LurdError):
        game.go_to("rlrlrl")
    assert game.lurd == "rlrlr"
    game.undo()
    assert game.run(RIGHT)


def test_a_history_from_an_older_version_that_is_too_long_is_cut() -> None:
    old = Game(HALL)
    for _ in range(30):
        old.play([RIGHT, LEFT, RIGHT, LEFT])
        old.restart()
    for _ in range(40):
        old.undo()
    game = Game(HALL, old.edits, old.cursor, most_moves=10)
    assert game.was_condensed
    assert game.lurd == old.lurd
    assert sum(len(edit.removed) + len(edit.added) for edit in game.edits) <= 4 * 10 + 32
    game.redo_all()
    game.undo_all()
    assert game.lurd == ""


def test_a_play_from_an_older_version_that_is_too_long_gets_no_longer() -> None:
    old = Game(HALL)
    old.play([RIGHT, LEFT] * 5)
    game = Game(HALL, old.edits, old.cursor, most_moves=6)
    stop = present(game.play_legal([RIGHT]))
    assert (game.room, stop.number, stop.reason) == (0, 1, too_long())
    assert not game.walk_or_push(RIGHT)
    assert game.moves == 10


def test_bookmarks_are_bounded() -> None:
    game = Game(HALL, most_moves=10)
    game.play([RIGHT, LEFT] * 5)
    assert [game.set_bookmark(name) for name in "abcd"] == [True, True, True, False]
    assert game.set_bookmark("a")
    assert sorted(game.bookmarks) == ["a", "b", "c"]
