"""Next push of a known solution."""

import pytest

from sokoterm.engine.board import State
from sokoterm.engine.guide import Guide
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, end_of

ROOM = Level.from_xsb("#######\n#     #\n#@$   #\n#     #\n#   . #\n#######")
SOLUTION = "RRurDD"


def hint(after: str) -> str | None:
    """Return the moves to the next push, after these moves from the start."""
    return next_push(Guide(ROOM.board, ROOM.start, SOLUTION), end_of(ROOM.board, ROOM.start, after))


def next_push(guide: Guide, state: State) -> str | None:
    advance = guide.find_next_push(state)
    return None if advance is None else "".join(step.letter for step in advance.steps)


@pytest.mark.parametrize(
    ("after", "expected"),
    [("", "r"), ("R", "r"), ("RR", "urd"), ("RRu", "rd"), ("RRurD", "d"), ("d", "ur"), ("RRll", "urrrd")],
)
def test_the_next_push_from_anywhere_in_the_same_area(after: str, expected: str | None) -> None:
    assert hint(after) == expected


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("", SOLUTION),
        ("R", "RurDD"),
        ("RR", "urDD"),
        ("RRu", "rDD"),
        ("RRurD", "D"),
        ("d", "uRRurDD"),
        ("RRll", "urrrDD"),
    ],
)
def test_the_rest_of_the_solution_from_anywhere_in_the_same_area(after: str, expected: str) -> None:
    assert Guide(ROOM.board, ROOM.start, SOLUTION).find_rest(end_of(ROOM.board, ROOM.start, after)) == expected


@pytest.mark.parametrize("after", [SOLUTION, "RRR", "urD"])
def test_no_push_off_the_solution_or_at_its_end(after: str) -> None:
    assert hint(after) is None
    assert Guide(ROOM.board, ROOM.start, SOLUTION).find_rest(end_of(ROOM.board, ROOM.start, after)) is None


def test_a_detour_of_the_solution_is_not_repeated() -> None:
    # The box goes back and forth once: from the position that occurs twice, the guide follows the second.
    level = Level.from_xsb("#######\n#     #\n#@$ . #\n#     #\n#######")
    guide = Guide(level.board, level.start, "RurrdLulldRR")
    assert next_push(guide, level.start) == "r"
    assert next_push(guide, end_of(level.board, level.start, "R")) == "r"


@pytest.mark.parametrize(
    ("after", "pushes", "moves"), [("", 4, 6), ("R", 3, 5), ("RR", 2, 4), ("RRu", 2, 3), ("d", 4, 7), ("RRurD", 1, 1)]
)
def test_the_rest_of_the_solution_counts_the_walk_to_it(after: str, pushes: int, moves: int) -> None:
    advance = Guide(ROOM.board, ROOM.start, SOLUTION).find_next_push(end_of(ROOM.board, ROOM.start, after))
    assert advance is not None
    assert (advance.pushes, advance.moves) == (pushes, moves)


def test_moves_that_do_not_fit_are_refused() -> None:
    with pytest.raises(LurdError):
        Guide(ROOM.board, ROOM.start, "RRRRRR")
