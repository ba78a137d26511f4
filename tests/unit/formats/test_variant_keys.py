"""Keys of colours and ice: kept as text where they do not fit, and written below a picture."""

import pytest
from hypothesis import given

from sokoterm.engine.level import Level
from sokoterm.formats.text import parse_xsb
from sokoterm.formats.variant_keys import from_picture, pictured
from tests.unit.engine.drawn import varied_levels

BOARD = "#######\n#.$@$.#\n#######"


@pytest.mark.parametrize(
    "keys",
    [
        "Boxorder: A B",
        "Boxorder: 1,2",
        "Boxorder: 1 2 3",
        "Boxorder: 1 2\nBoxorder: 1 2",
        "Boxorder: 1 1\nGoalorder: 2 2",
        "Boxorder: 0 99",
        "Ice: ~\nIce: ~\nIce: ~\nIce: ~",
        "Ice: none",
        "Variant: foo",
    ],
)
def test_keys_that_do_not_fit_leave_an_ordinary_level_and_stay(keys: str) -> None:
    [level] = parse_xsb(f"{BOARD}\n{keys}\n", "x").levels
    assert level.board.variant is None
    assert level.start.boxes == Level.from_xsb(BOARD).start.boxes
    assert [f"{key.capitalize()}: {line}" for key, value in level.metadata for line in value.split("\n")] == keys.split(
        "\n"
    )


def test_orders_that_the_solution_of_the_file_does_not_keep_stay_text() -> None:
    keys = "Boxorder: 1 2\nGoalorder: 2 1"
    [kept] = parse_xsb(f"{BOARD}\n{keys}\n", "x").levels
    [plain] = parse_xsb(f"{BOARD}\n{keys}\n\nSolution: LrR\n", "x").levels
    assert kept.board.variant is not None
    assert kept.metadata == ()
    assert plain.board.variant is None
    assert plain.metadata == (("boxorder", "1 2"), ("goalorder", "2 1"))


@given(varied_levels())
def test_a_picture_with_keys_is_the_whole_level(level: Level) -> None:
    found = from_picture(pictured(level))
    assert (found.board, found.start, found.rows) == (level.board, level.start, level.rows)
