"""Playing a level: moves, undo, bookmarks, the next level, and coming back."""

import pytest

from tests.features.faces import At, AtOnce, Face, HangUp, Kept, on_all_faces

SOLVED = "rRRR"


def test_walk_and_push(face: Face) -> None:
    face.play(At(""), "right", At("r"), "right", At("rR"), "down", At("rRd"), "left", At("rRdl"))
    assert face.kept(1) == Kept("rRdl")
    assert face.place == 1


def test_a_wall_stops_a_move(face: Face) -> None:
    face.play("up", "left", At(""), "down", "down", At("d"))
    assert face.kept(1) == Kept("d")


def test_run_until_something_blocks(face: Face) -> None:
    face.play("run down", "run right", "run up", "run left", At("drrrrrull"), "run left", At("drrrrrullLL"))
    assert face.kept(1) == Kept("drrrrrullLL")


def test_undo_and_redo(face: Face) -> None:
    face.play("right", "right", "undo", At("r"), "redo", At("rR"), "undo", "undo", At(""), "redo", At("r"))
    assert face.kept(1) == Kept("r")


def test_undo_all_and_redo_all(face: Face) -> None:
    face.play("right", "right", "down", "undo all", At(""), "redo all", At("rRd"))
    assert face.kept(1) == Kept("rRd")


def test_restart_is_taken_back_by_undo(face: Face) -> None:
    face.play("right", "right", "restart", At(""), "undo", At("rR"), "restart", "down", At("d"))
    assert face.kept(1) == Kept("d")


@on_all_faces
def test_bookmark(face: Face) -> None:
    face.play("right", "right", "bookmark a", "down", At("rRd"), "to bookmark a", At("rR"), "undo", At("rRd"))
    assert face.kept(1) == Kept("rRd", (("a", "rR"),))


@on_all_faces
def test_solved_by_hand_and_on_to_the_next_level(face: Face) -> None:
    face.play("right", "right", "right", "right", At(SOLVED), "accept", At("", level=2), "down", At("d", level=2))
    assert face.kept(1) == Kept(solution=SOLVED)
    assert face.kept(2) == Kept("d")
    assert face.place == 2


def test_undo_and_redo_around_a_win(face: Face) -> None:
    face.play(
        "right", "run right", At(SOLVED), "undo", At("r"), "redo", At(SOLVED), "restart", At(""), "undo", At(SOLVED)
    )
    assert face.kept(1).solution == SOLVED


@pytest.mark.parametrize("then", ["undo", "next unsolved", "quit"])
def test_a_solution_counts_whatever_is_typed_right_behind_it(face: Face, then: str) -> None:
    face.play("right", AtOnce(("run right", then)))
    assert face.kept(1).solution == SOLVED
    face.play("go to level 3", "right", "run right", "next unsolved", At("", level=2), "next unsolved")
    assert face.place == 2


def test_a_better_solution_takes_the_place_of_the_first(face: Face) -> None:
    face.play("down", "up", "right", "run right", At("durRRR"))
    assert face.kept(1) == Kept("durRRR", solution="durRRR")
    face.play("go to level 1", "right", "run right", At(SOLVED))
    assert face.kept(1) == Kept(SOLVED, solution=SOLVED)


def test_levels_by_number_and_one_after_the_other(face: Face) -> None:
    face.play("next level", At("", level=2), "next level", At("", level=3), "previous level", At("", level=2))
    assert face.place == 2
    face.play(At("", level=2), "go to level 3", At("", level=3))
    assert face.place == 3


def test_another_level_and_back(face: Face) -> None:
    face.play("right", "right", "next level", "right", At("R", level=2), "previous level", At("rR"))
    assert (face.kept(1), face.kept(2)) == (Kept("rR"), Kept("R"))


def test_the_next_unsolved_level(face: Face) -> None:
    face.play("right", "run right", "next unsolved", At("", level=2), "next unsolved", At("", level=3), "next unsolved")
    assert face.place == 2


def test_saved_and_resumed(face: Face) -> None:
    face.play("next level", "right", "down", At("Rd", level=2))
    face.play(At("Rd", level=2), "undo", At("R", level=2))
    face.play(At("R", level=2), "redo", At("Rd", level=2), "undo", "right", At("RR", level=2))
    assert face.kept(2) == Kept("RR")


@on_all_faces
def test_a_line_that_drops_loses_nothing(face: Face) -> None:
    face.play("right", "right", "bookmark b", "down", At("rRd"), HangUp())
    assert face.kept(1) == Kept("rRd", (("b", "rR"),))
    face.play(At("rRd"), "to bookmark b", At("rR"))


@on_all_faces
def test_search_in_the_list(face: Face) -> None:
    face.play("right", "search Last", At("", level=3), "right", At("r", level=3))
    assert (face.kept(1), face.kept(3)) == (Kept("r"), Kept("r"))
    assert face.place == 3
