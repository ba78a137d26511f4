"""SokoMind text: read as it is described, written so that it is read back."""

import pytest
from hypothesis import given

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.rules import color_at
from sokoterm.formats.registry import parse, write
from tests.unit.engine.drawn import varied_levels

SAMPLE = """\
Two and two

OOOOOOO
O a  SO
O  AB O
O XRb O
OOOOOOO

Another
 OOOOO
 OCRcO
 OOOOO
"""


def test_a_sample_as_it_is_described() -> None:
    pack = parse(SAMPLE.encode("ascii"), "rooms.txt")
    assert (pack.title, pack.errors, [level.title for level in pack.levels]) == (
        "rooms",
        (),
        ["Two and two", "Another"],
    )
    level = pack.levels[0]
    board = level.board
    assert level.rows == ("#######", "# .  .#", "#  $$ #", "# $@. #", "#######")
    colors = [color_at(board, level.start.boxes, board.square(*place)) for place in ((2, 3), (2, 4), (3, 2))]
    assert colors == [0, 1, None]
    assert not board.is_ordinary
    assert board.colors == (1 << board.square(1, 2), 1 << board.square(3, 4))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("OOOOO\nOARaO\nO R O\nOOOOO\n", "found 2 players"),
        ("OOOOO\nOARbO\nOOOOO\n", "found 1 box and 0 goals of one colour"),
        ("OOOOO\nOAR O\nOOOOO\n", "found 1 box and 0 goals"),
    ],
)
def test_what_is_no_level(text: str, said: str) -> None:
    pack = parse(f"{SAMPLE}\nBad\n{text}".encode("ascii"), "x.txt")
    assert said in str(pack.errors[0])
    assert (pack.errors[0].level, pack.errors[0].title) == (3, "Bad")


def test_text_with_capitals_is_no_board() -> None:
    for text in ("OOO\nOK GO\nOOO\n", "OO\nO R O\nxyz\n", "O\nORO\nO\n#####\n#@$.#\n#####\n"):
        assert [level.rows for level in parse(text.encode("ascii"), "x").levels] in ([], [("#####", "#@$.#", "#####")])


@given(varied_levels())
def test_what_is_written_is_read_back(level: Level) -> None:
    written = write(Pack("", (level._replace(title="A level"),)), "sokomind")
    board = level.board
    has_no_sign = board.goals & (level.start.boxes | 1 << level.start.player)
    assert ("levels with a box or the player on a goal" in written.lost) == bool(has_no_sign)
    assert ("ice" in written.lost) == bool(board.ice)
    if has_no_sign:
        return
    [back] = parse(written.data, "x").levels
    assert (back.title, back.boxes) == ("A level", level.boxes)
    assert not back.board.ice
    if not board.ice:
        assert level_hash(back) == level_hash(level)
