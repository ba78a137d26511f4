"""Pasted moves: made by the rules as one undo group, as far as they are possible."""

from pathlib import Path

import pytest

from sokoterm.app.lists import is_of_moves
from sokoterm.app.request import Note, Outcome, PastedMoves
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Stop
from tests.unit.app.player import Player

PACK = "##########\n#@ $   . #\n#        #\n##########\n"


def stopped(made: int, direction: Direction, reason: str) -> PastedMoves:
    return PastedMoves(made, Stop(made + 1, direction, reason))


@pytest.mark.parametrize(
    ("text", "outcome", "moves"),
    [
        ("dr", PastedMoves(2, None), 2),
        ("d", PastedMoves(1, None), 1),
        ("drrul", stopped(3, Direction.UP, "a box against a wall"), 3),
        ("u", stopped(0, Direction.UP, "a wall"), 0),
        ("dl", stopped(1, Direction.LEFT, "a wall"), 1),
        ("3(drlu)d9r", stopped(20, Direction.RIGHT, "a wall"), 20),
        ("2(rlrl)rlru", stopped(11, Direction.UP, "a wall"), 11),
        ("1000001r", Note.PASTED_TOO_MANY.of(moves=1_000_001, most=1_000_000), 0),
        ("2(rd", Note.PASTED_WRONG.of(problem="found '(' without ')' after it"), 0),
        ("0r", Note.PASTED_WRONG.of(problem="found a count of 0, expected 1 or more"), 0),
        ("r4R", None, 5),
        ("\ufeffSolution/Moves\r\nr*RRRR\r\n", None, 5),
        ("Solution: 2-1r4", None, 5),
        (
            "[r]",
            Note.PASTED_WRONG.of(problem="moves in reverse mode or with several players are kept but not played"),
            0,
        ),
    ],
)
def test_a_paste_stops_at_the_first_step_that_is_not_possible(
    tmp_path: Path, text: str, outcome: Outcome | None, moves: int
) -> None:
    with Player(tmp_path, PACK) as player:
        assert player.model.paste(text) == outcome
        assert player.model.game.moves == moves
        player.act("undo")
        assert player.lurd == ""


@pytest.mark.parametrize(
    ("text", "of_moves"),
    [
        ("Solution: rxR", True),
        ("Moves: rRR", True),
        ("> rrrrxrrR", True),
        ("Moves: 34", False),
        ("Moves: 34, pushes: 12", False),
        ("Solution: go left", False),
        ("x\nR qd", False),
        ("rR\nend", True),
        ("rrrr#rrrr", False),
    ],
)
def test_a_paste_of_nearly_moves_is_of_moves(text: str, of_moves: bool) -> None:
    assert is_of_moves(text) is of_moves


def test_two_boxes_in_a_row_are_in_the_way(tmp_path: Path) -> None:
    with Player(tmp_path, "########\n#@ $$..#\n########\n") as player:
        assert player.model.paste("rr") == stopped(1, Direction.RIGHT, "a box against a box")
