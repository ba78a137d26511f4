"""Words for outcomes, with the keys that are in force."""

import pytest

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.keymap import KEYMAPS, with_wasd
from sokoterm.app.request import (
    IdleTooLong,
    Moved,
    Note,
    Outcome,
    PastedMoves,
)
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Stop
from sokoterm.store.known_levels import Source
from sokoterm.wording.outcomes import phrase, source

# The board says it all, or a screen has a line of its own.
SILENT = {Note.DONE}
FIGURES = {
    "pack": "Favourites",
    "number": 3,
    "name": "a",
    "log": "see crash.log",
    "moves": 1_000_001,
    "most": 1_000_000,
    "problem": "a wall",
}


@pytest.mark.parametrize("note", Note)
def test_a_note_is_one_line_with_the_keys_in_force(note: Note) -> None:
    for keymaps in (KEYMAPS, with_wasd(KEYMAPS)):
        has_figures = any(f"{{{name}" in note.value for name in (*FIGURES, "keys"))
        line = phrase(note.of(**FIGURES) if has_figures else note, keymaps.play)
        assert (line == "") == (note in SILENT)
        assert "{" not in line
        assert line == line.strip()


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (None, ""),
        (Moved("R"), ""),
        (Note.HINT_GIVEN, "hint: u takes it back"),
        (Note.HINT_READY, "hint found: . makes the push"),
        (Note.HINT_ELSEWHERE, "hint found for your earlier position: undo, then ."),
        (Note.PLANNING_IS_OFF, "walk-to and push-to are off in this pack: P turns them on"),
        (Note.BOARD_TOO_LARGE, "the board is too large for this"),
        (Note.TOO_MANY_MOVES, "a game has at most 1,000,000 moves"),
        (Note.TAKEN_OVER, "taken over: undo returns to your own position"),
        (Note.NO_SOLUTION_FROM_THERE, "that position has no solution (proven): u goes back"),
        (Note.LEVEL_UNSOLVABLE, "this level cannot be solved (proven)"),
        (Note.DEAD_FROM_START, "dead from the start"),
        (Note.ALREADY_SEARCHING, "already searching: S shows the search"),
        (Note.NO_SOLUTION_YET, "no solution yet: S starts the solver"),
        (Note.RESTARTED, "reset: undo brings the moves back"),
        (Note.NOTHING_TO_UNDO, "nothing to undo"),
        (Note.NOTHING_TO_REDO, "nothing to redo"),
        (Note.NOT_DEAD, "not known to be dead"),
        (Note.WARNINGS_ON, "deadlock warnings on"),
        (Note.WARNINGS_OFF, "deadlock warnings off"),
        (Note.PLANNING_ON, "walk-to and push-to on in this pack"),
        (Note.PLANNING_OFF, "walk-to and push-to off in this pack"),
        (Note.NO_WAY, "you cannot walk there without pushing"),
        (Note.GOAL_FILLED, "that goal is filled"),
        (Note.NO_MOVES, "no moves yet"),
        (Note.BOOKMARKS_FULL, "no bookmark set: the bookmarks of this level already contain too many moves"),
        (Note.BOOKMARK_DOES_NOT_FIT, "that bookmark is damaged: its moves do not fit this level"),
        (Note.NO_RUN, "there is no descent to end"),
        (Note.FIRST_LEVEL, "this is the first level"),
        (Note.ALREADY_SOLVED, "this level is already solved"),
        (Note.SOLUTIONS_BEING_REPLAYED, "solutions are being checked: R shows them in a moment"),
        (Note.SOLUTION_OFFERED, "solution found: R shows it"),
        (Note.SEARCH_STOPPED, "search stopped"),
        (Note.SEARCH_OF_OTHER_POSITION_STOPPED, "search stopped: the position has changed"),
        (Note.PLAY_DOES_NOT_FIT, "the saved position does not fit this level: starting over"),
        (Note.HISTORY_CONDENSED, "long history: the oldest moves can only be undone all together"),
        (Note.NO_OTHER_SOLUTION, "no other solution"),
        (Note.PASTED_NEITHER, "the pasted text is neither moves nor a level"),
        (Note.PASTED_OFF_BOARD, "moves can only be pasted on the board"),
        (Note.BOOKMARK_SET.of(name="a"), "bookmark a set: 'a returns here"),
        (Note.NO_BOOKMARK.of(name="a"), "no bookmark a"),
        (Note.OTHER_SESSION.of(name="o"), "another session also played this level: 'o goes to its position"),
        (Note.NOT_SAVED.of(problem="progress not saved yet"), "progress not saved yet"),
        (Note.NO_SOLUTION_IN_TIME, "no solution found: time limit reached"),
        (Note.SOLVER_CRASHED.of(log="see crash.log"), "the solver crashed: see crash.log"),
        (Note.LEVEL_NOT_MADE.of(log="see crash.log"), "a level could not be generated: see crash.log"),
        (Note.HINT_GIVEN.of(log="not in its text"), "hint: u takes it back"),
        (IdleTooLong(1), "no key pressed for 1 minute: saved and quit"),
        (IdleTooLong(2.5), "no key pressed for 2.5 minutes: saved and quit"),
        (PastedMoves(1, None), "pasted 1 move: u takes it back"),
        (PastedMoves(17, Stop(18, Direction.RIGHT, "a wall")), "pasted 17 moves; move 18, R: a wall"),
        (PastedMoves(11, Stop(12, Direction.UP, "a wall")), "pasted 11 moves; move 12, U: a wall"),
        (
            Note.PASTED_TOO_MANY.of(moves=1_000_001, most=1_000_000),
            "too many pasted moves: 1,000,001 (at most 1,000,000)",
        ),
        (
            Note.PASTED_WRONG.of(problem="found '(' without ')' after it"),
            "pasted moves: found '(' without ')' after it",
        ),
    ],
)
def test_an_outcome_is_a_line(outcome: Outcome | None, line: str) -> None:
    assert phrase(outcome, KEYMAPS.play) == line


def test_a_solution_is_told_with_who_found_it() -> None:
    assert source(ShowReplay("", "rrRR", Source.KNOWN, "YASS 2.86")) == "known, 4 moves, 2 pushes (YASS 2.86)"
    assert source(ShowReplay("rr", "R", Source.SOLVER)) == "solver, 1 move, 1 push"
    assert source(ShowReplay("", "R", Source.GIVEN)) == "the given moves"
