"""Moves copied out of the player."""

from collections.abc import Iterator
from pathlib import Path

from sokoterm.app.request import Note
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.search import News
from tests.unit.app.searches import ForegroundSearch, SlowSearch
from tests.unit.tui.fake_terminal import line_for, play

BOARD = """\
##########
#@ $   . #
#        #
##########"""
PACK = f"Collection: Try\n\n{BOARD}\nTitle: One\n"


def test_copied_moves_are_those_that_lead_here_and_stand_on_the_screen(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["L", "right", "right", "Y"])
    assert session.copied == ["rRR"]
    assert session.shows("Moves of Try 1: 3 moves, 2 pushes")
    assert session.last.splitlines()[2] == "rRR"
    assert "#" not in session.last


def test_nothing_is_copied_before_the_first_move(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["Y"])
    assert session.copied == []
    assert session.shows(line_for(Note.NO_MOVES))


def test_a_refusal_is_said_and_the_moves_are_shown_all_the_same(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["right", "Y"], copy_problem="no clipboard here")
    assert session.shows("no clipboard here: select them here")
    assert session.last.splitlines()[2] == "r"


def test_any_key_goes_back_to_the_board(tmp_path: Path) -> None:
    for key in ("esc", "q", "Y", "M"):
        assert play(tmp_path, PACK, ["r", "right", "Y", key]).shows("moves 1")


def test_the_terminal_has_the_mouse_while_the_moves_are_shown(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["right", "Y"]).uses_mouse is False
    assert play(tmp_path, PACK, ["right", "Y", "esc"]).uses_mouse is True
    assert play(tmp_path, PACK, ["right", "M", "Y", "esc"]).uses_mouse is False


def test_long_moves_fill_the_lines_and_turn_by_pages(tmp_path: Path) -> None:
    walk = ["down", "right", "up", "left"] * 40
    session = play(tmp_path, PACK, [*walk, "Y", "space", "down", "pgup"], size=(8, 30))
    lurd = "drul" * 40
    shown = ["\n".join(screen.splitlines()[2:6]) for screen in session.screens[-4:]]
    assert session.copied == [lurd]
    assert shown[0].replace("\n", "") == lurd[:120]
    assert shown[1].splitlines()[-1] == lurd[150:]
    assert shown[1] == shown[2]
    assert shown[3] == shown[0]
    assert "lines 1-4 of 6" in session.last


def test_a_replay_copies_the_moves_up_to_what_it_shows(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["L", *["right"] * 6])
    session = play(tmp_path, PACK, ["r", "R", "home", "Y", "right", "right", "Y"])
    assert session.copied == ["rR"]
    session = play(tmp_path, PACK, ["r", "R", "end", "Y"])
    level = Level.from_xsb(BOARD)
    assert verify(level.board, level.start, session.copied[0]).pushes == 4


def test_the_best_solution_of_a_solved_level_is_copied(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l"] * 5)
    longer = play(tmp_path, PACK, ["r", "l", "h", *["l"] * 5, "Y"])
    assert longer.shows("Your best solution of Try 1: 5 moves, 4 pushes")
    assert play(tmp_path, PACK, ["Y"]).copied == longer.copied == ["rRRRR"]
    assert play(tmp_path, PACK, ["r", "l", "Y"]).copied == ["r"]


def test_a_replay_from_the_middle_copies_from_the_start_of_the_level(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["right", "S", "R", "end", "Y"])
    assert session.copied == ["rRRRR"]


def test_the_solver_copies_the_moves_to_here_and_on_to_the_end(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["right", "S", "S", "Y"], make_solver=SlowSearch)
    assert session.copied == ["rRRRR"]
    assert session.shows("Moves of Try 1: 5 moves, 4 pushes")
    assert play(tmp_path, PACK, ["S", "S", "Y"], make_solver=_SilentSearch).copied == []


class _SilentSearch(ForegroundSearch):
    """Never comes to anything."""

    def news(self) -> Iterator[News]:
        return iter(())
