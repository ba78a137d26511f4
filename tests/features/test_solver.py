"""The solver beside a play: hints, the replay of its solution, taking over; and what is pasted."""

from tests.features.faces import At, Face, Improvement, Kept, Pasted, Watch, on_all_faces

SOLVED = "rRRR"
OTHER = "######\n#@$ .#\n######"


def test_a_hint_is_a_push_and_counts_as_help(face: Face) -> None:
    face.play("hint", At("rR"), "right", "right", At(SOLVED))
    assert face.kept(1) == Kept(SOLVED, solution=SOLVED, is_helped=True)


def test_a_solution_is_watched_and_left(face: Face) -> None:
    face.play("down", Watch(), "replay: cancel", At("d"))
    assert face.kept(1) == Kept("d")


@on_all_faces
def test_a_replay_is_taken_over(face: Face) -> None:
    face.play(Watch(), "replay: step", "replay: step", At("rR"), "replay: take over", At("rR"), "undo", At(""), "redo")
    assert face.kept(1) == Kept("rR")
    face.play("run right", At(SOLVED))
    assert face.kept(1) == Kept(SOLVED, solution=SOLVED, is_helped=True)


def test_the_best_solution_is_replayed(face: Face) -> None:
    face.play(
        "right", "run right", "undo", "undo", At(""), "replay", "replay: last", At(SOLVED), "replay: cancel", At("")
    )
    assert face.kept(1) == Kept(solution=SOLVED)


@on_all_faces
def test_the_best_solution_is_improved_and_the_better_one_shown(face: Face) -> None:
    face.play("down", "up", "run right", "run right", Improvement(), "replay: last", At(SOLVED), "replay: cancel")
    assert face.kept(1) == Kept(f"du{SOLVED}", solution=f"du{SOLVED}")


@on_all_faces
def test_moves_are_pasted(face: Face) -> None:
    face.play(Pasted("rRR"), At("rRR"), "undo", At(""), "redo", At("rRR"))
    assert face.kept(1) == Kept("rRR")


def test_a_level_is_pasted(face: Face) -> None:
    face.play("down", Pasted(f"{OTHER}\nTitle: Pasted"), "right", "right")
    assert face.kept(1) == Kept("d")
    assert face.kept(1, pasted=OTHER) == Kept("RR", solution="RR")
