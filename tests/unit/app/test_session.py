"""Levels played without a face: what is solved, recorded, saved and searched for, and where the player goes on."""

import sqlite3
from contextlib import closing
from pathlib import Path
from time import time

import pytest

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.request import Moved, NoNextLevel, Note, Solve, Start, TakeOver
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import count_pushes
from sokoterm.store.known_levels import Source
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import Best, Summary
from tests.unit.app.player import Player
from tests.unit.app.searches import FIRST, SOLVED, SlowSearch, found_by, saying

PACK = """\
##########
#@ $   . #
#        #
##########

#######
#@$ . #
#     #
#     #
#######

#########
#       #
# $ $.@ #
#  .    #
#########
"""
SOLUTION, DETOUR = "rRRRR", "durRRRR"
ONE_PUSH = "#####\n#@$.#\n#####"
ROOM = "########\n#@     #\n#  $   #\n#    . #\n########"
UNSOLVABLE = "#####\n#.@ #\n#  $#\n#####"


def figures(best: Best) -> tuple[int, int] | None:
    """The fewest moves and pushes of a level; None if it was never solved."""
    if best.by_moves is None or best.by_pushes is None:
        return None
    return best.by_moves.moves, best.by_pushes.pushes


def test_a_level_that_is_solved_is_recorded_and_leads_to_the_next_unsolved_one(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        assert player.act("run right", "run right") == Moved("RRRRR")
        assert (player.model.game.moves, player.model.game.pushes) == (6, 5)
        player.act("restart", *["right"] * 4)
    with Player(tmp_path, PACK) as player:
        assert (player.lurd, player.records) == (SOLUTION[:-1], [])
        player.move("R")
        (recorded,) = player.records
        assert (recorded.solution.lurd, recorded.before, recorded.problem) == (SOLUTION, Best(), None)
    with Player(tmp_path, PACK) as player:
        assert player.lurd == SOLUTION
        assert figures(player.model.pack_session.best(player.model.level)) == (5, 4)
        assert player.act("accept") == Start(player.model.pack_session, 2)
    with Player(tmp_path, PACK) as player:
        assert player.model.level.number == 2
        player.act("previous level")
        assert player.lurd == ""
        assert player.act("accept") == Start(player.model.pack_session, 2)


def test_a_pack_is_done_when_every_level_is_solved(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.move(SOLUTION)
        assert player.act("accept") == Start(player.model.pack_session, 2)
        player.move("RR")
        assert player.model.pack_session.next_unsolved(2) == 3
        assert isinstance(player.act("accept", "solve"), Solve)
        assert player.hear() == [Note.SOLUTION_OFFERED]
        replay = player.act("replay")
        assert isinstance(replay, ShowReplay)
        assert player.ask(TakeOver(replay.lurd, "")) is Note.TAKEN_OVER
        assert not player.model.has_next
    with Player(tmp_path, PACK) as player:
        assert player.act("accept") == player.act("next unsolved") == NoNextLevel(3, unsolved=True)
        assert player.model.pack_session.is_solved(3)


def test_a_damaged_bookmark_changes_nothing(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.move("r")
        player.model.game.bookmarks["a"] = "uuu"
        assert player.model.go_to_bookmark("a") is Note.BOOKMARK_DOES_NOT_FIT
        assert player.lurd == "r"


def test_warnings_and_the_way_back_from_a_lost_position(tmp_path: Path) -> None:
    with Player(tmp_path, PACK.replace("#@ $   . #", "#@ $  .  #")) as player:
        player.move("rRRRRR")
        square = player.model.level.board.square(1, 8)
        assert player.look() == Deadlock(DeadlockKind.DEAD_SQUARE, 1 << square)
        assert player.model.has_way_back
        assert player.act("undo dead") is Note.DONE
        assert (player.lurd, player.look()) == ("rRRRR", None)
        assert player.act("warnings") is Note.WARNINGS_OFF
        player.move("R")
        assert player.look() is None


def test_the_position_of_a_replay_is_taken_over_as_one_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Player(tmp_path, PACK) as player:
        player.move("d")
        assert player.ask(TakeOver("durR", "")) is Note.TAKEN_OVER
        assert player.ask(TakeOver("durR", "")) is None
    with Player(tmp_path, PACK) as player:
        assert player.lurd == "durR"
        player.act("undo")
        assert player.lurd == "d"
        monkeypatch.setattr("sokoterm.app.play.MOST_MOVES", 1)
        assert player.ask(TakeOver("rR", "")) is Note.TOO_MANY_MOVES
        assert player.lurd == "d"


def test_where_the_solver_proved_that_there_is_no_solution_undo_is_of_use_behind_a_push(tmp_path: Path) -> None:
    with Player(tmp_path, PACK.replace("#@ $   . #", "#@ $  .  #")) as player:
        player.act("run right", "run right", "hint")
        assert player.hear() == [Note.NO_SOLUTION_FROM_THERE]
        assert player.act("replay") is Note.NO_SOLUTION_FROM_THERE


@pytest.mark.parametrize(("actions", "asked"), [([], "solve"), (["right"], "hint")])
def test_where_no_push_was_made_the_level_has_no_solution(tmp_path: Path, actions: list[str], asked: str) -> None:
    with Player(tmp_path, UNSOLVABLE) as player:
        player.act(*actions, asked)
        assert player.hear() == [Note.LEVEL_UNSOLVABLE]
        assert player.act("right", "replay") is Note.LEVEL_UNSOLVABLE


def test_a_solution_is_offered_and_shown_when_it_is_asked_for(tmp_path: Path) -> None:
    with Player(tmp_path, PACK, SlowSearch) as player:
        player.act("solve")
        assert player.hear(2) == [Note.SOLUTION_OFFERED]
        offered = [player.model.hints.has_offer]
        assert isinstance(player.act("replay"), ShowReplay)
        offered.append(player.model.hints.has_offer)
        assert offered == [True, False]
        assert player.hear(2) == []
        assert (player.model.hints.has_offer, player.session.is_searching) == (True, True)
        assert player.model.hints.find_offer() == ShowReplay("", SOLUTION, Source.SOLVER)


def test_a_solution_for_a_player_who_has_moved_on_is_offered(tmp_path: Path) -> None:
    solution = found_by(Level.from_xsb(PACK.partition("\n\n")[0]), SOLUTION)
    with Player(tmp_path, PACK, saying(FIRST, solution, SOLVED)) as player:
        player.act("solve", "down")
        assert player.hear(3) == [Note.SOLUTION_OFFERED]
        assert (player.model.hints.has_offer, player.lurd) == (True, "d")


def test_leaving_the_level_ends_its_search(tmp_path: Path) -> None:
    with Player(tmp_path, PACK, SlowSearch) as player:
        player.act("solve", "next level")
        assert player.notices == [Note.SEARCH_OF_OTHER_POSITION_STOPPED]
        assert (player.session.solver.is_busy, player.hear(3)) == (False, [])
        assert not player.model.hints.has_offer


def test_a_save_that_failed_is_tried_again_while_nothing_is_played(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player, closing(sqlite3.connect(tmp_path / "progress.db")) as lock:
        player.move("R")
        lock.execute("BEGIN IMMEDIATE")
        player.move("RR")
        assert player.store.has_failed
        assert {*player.notices} == {"progress not saved yet: the database is locked by another program"}
        lock.execute("ROLLBACK")
        while player.session.retry_after is not None:
            player.session.save(only_if_needed=True)  # its clock goes on by itself
        other = ProgressStore.open(str(tmp_path / "progress.db"), time)
        level = player.model.level
        assert count_pushes(level.board, level.start, other.open_moves(level)) == 2
        other.close()


@pytest.mark.parametrize(
    ("script", "is_helped"),
    [
        ("right", False),
        ("hint", True),
        ("hint, undo, right", True),
        ("watch, take over", True),
        ("watch, right", True),
        ("right, replay", False),
        ("right, next level, previous level, restart, hint", False),
        ("hint, next level, previous level, restart, next level, previous level, right", False),
        ("hint, restart, right", False),
        ("watch, take over, restart, right", False),
        ("hint, restart, undo", True),
        ("hint, restart, undo, next level, previous level", True),
        ("hint, restart, undo, restart, right", False),
        ("right, restart, undo, next level, previous level", False),
        ("hint, undo, redo", True),
        ("hint, restart, hint", True),
    ],
)
def test_a_level_is_solved_with_help_until_it_is_solved_without(tmp_path: Path, script: str, is_helped: bool) -> None:
    with Player(tmp_path, f"{ONE_PUSH}\n\n{ROOM}") as player:
        for step in script.split(", "):
            match step:
                case "watch":
                    player.act("solve")
                    player.hear()
                    shown = player.act("replay")
                case "take over":
                    assert isinstance(shown, ShowReplay)
                    player.ask(TakeOver(shown.before + shown.lurd, ""))
                case "hint":
                    player.act(step)
                    player.hear()
                case _:
                    player.act(step)
        pack_session = player.model.pack_session
        figures_of = [pack_session.figures(level) for level in pack_session.pack.levels]
    assert figures_of == [Summary(1, 1, is_helped), None]


def test_a_hint_that_was_taken_back_is_no_help_on_another_way(tmp_path: Path) -> None:
    room = ROOM.replace("#@     #", "#@     #\n#      #")
    with Player(tmp_path, room) as player:
        player.act("hint")
        player.hear()
        player.act("undo")
    with Player(tmp_path, room) as player:
        player.move("ddrrrurd")
        assert player.model.game.is_solved
        assert not player.store.best(player.model.level).dates.is_helped
