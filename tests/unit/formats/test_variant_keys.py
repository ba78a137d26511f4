"""Keys of colours and ice: kept as text where they do not fit, and written below a picture."""

import pytest
from hypothesis import given

from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level, Pack, varied
from sokoterm.engine.levelhash import exact_id
from sokoterm.formats.registry import check_read_back, parse, write
from sokoterm.formats.text import parse_xsb
from sokoterm.formats.variant_keys import from_picture, pictured
from tests.unit.engine.drawn import varied_levels

BOARD = "#######\n#.$@$.#\n#######"


@pytest.mark.parametrize(
    "keys",
    [
        "Boxorder: A B", "Boxorder: 1,2", "Boxorder: 1 2 3", "Boxorder: 1 2\nBoxorder: 1 2",
        "Boxorder: 1 1\nGoalorder: 2 2", "Boxorder: 0 99", "Ice: ~\nIce: ~\nIce: ~\nIce: ~", "Ice: none",
        "Variant: foo",
    ],
)  # fmt: skip
def test_keys_that_do_not_fit_leave_an_ordinary_level_and_stay(keys: str) -> None:
    [level] = parse_xsb(f"{BOARD}\n{keys}\n", "x").levels
    assert level.board.is_ordinary
    assert level.start.boxes == Level.from_xsb(BOARD).start.boxes
    assert [f"{key.capitalize()}: {line}" for key, value in level.metadata for line in value.split("\n")] == keys.split(
        "\n"
    )


def test_orders_that_the_solution_of_the_file_does_not_keep_stay_text() -> None:
    keys = "Boxorder: 1 2\nGoalorder: 2 1"
    [kept] = parse_xsb(f"{BOARD}\n{keys}\n", "x").levels
    [plain] = parse_xsb(f"{BOARD}\n{keys}\n\nSolution: LrR\n", "x").levels
    assert not kept.board.is_ordinary
    assert kept.metadata == ()
    assert plain.board.is_ordinary
    assert plain.metadata == (("boxorder", "1 2"), ("goalorder", "2 1"))


@given(varied_levels())
def test_a_picture_with_keys_is_the_whole_level(level: Level) -> None:
    found = from_picture(pictured(level))
    assert (found.board, found.start, found.rows) == (level.board, level.start, level.rows)


STRAYS = "  $ .\n" + "\n".join(f"  {row}" for row in BOARD.split("\n")) + "\n.\n  # #\n$"


@pytest.mark.parametrize("name", ["xsb", "sok"])
@pytest.mark.parametrize("kind", ["colours", "ice", "all ice"])
def test_rows_of_decoration_alone_move_no_colour_and_no_ice(name: str, kind: str) -> None:
    plain = Level.from_xsb(STRAYS)
    boxes, goals = (
        {square: color for color, square in enumerate(scan(some))} for some in (plain.start.boxes, plain.board.goals)
    )
    ice = plain.board.floor if kind == "all ice" else 1 << plain.start.player
    level = varied(plain, boxes, goals) if kind == "colours" else varied(plain, {}, {}, ice)
    pack = Pack("A pack", (level, level._replace(number=2)))
    written = write(pack, name)
    check_read_back(written, pack, name)
    assert written.lost == ("decoration away from the walls",)
    assert [exact_id(each) for each in parse(written.data, "x").levels] == [exact_id(level)] * 2


@pytest.mark.parametrize("foreign", [("variant", "a b"), ("boxorder", "1 2"), ("ice", "~"), ("goalorder", "x")])
def test_keys_of_another_meaning_beside_ice_and_colours_change_no_level(foreign: tuple[str, str]) -> None:
    plain = Level.from_xsb(BOARD)
    (box, *__), (goal, *__) = [*scan(plain.start.boxes)], [*scan(plain.board.goals)]
    for level in (plain, varied(plain, {}, {}, plain.board.floor), varied(plain, {box: 0}, {goal: 0}, 1 << box)):
        pack = Pack("A pack", (level._replace(metadata=(foreign,)),))
        check_read_back(write(pack, "xsb"), pack, "xsb")
