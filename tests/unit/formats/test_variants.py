"""Colours and ice: as keys, kept as text where they do not fit, and in SokoMind text, read back as it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import scan
from sokoterm.engine.level import Level, Pack, varied
from sokoterm.engine.levelhash import exact_id, level_hash
from sokoterm.engine.rules import color_at
from sokoterm.formats.registry import check_read_back, parse, write
from sokoterm.formats.text import from_picture, pictured
from tests.unit.engine.drawn import varied_levels

BOARD = "#######\n#.$@$.#\n#######"


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
    pack = Pack("A pack", (level, level.replace(number=2)))
    written = write(pack, name)
    check_read_back(written, pack, name)
    assert written.lost == ("decoration away from the walls",)
    assert [exact_id(each) for each in parse(written.data, "x").levels] == [exact_id(level)] * 2


STRAY_ROWS = st.lists(st.text("* ", max_size=6) | st.text(" #*$.", max_size=6), max_size=3)


@pytest.mark.parametrize("name", ["xsb", "sok"])
@given(
    level=varied_levels(),
    above=STRAY_ROWS,
    below=STRAY_ROWS,
    title=st.sampled_from(("", "One", "***", "#\u3000#")),
    comment=st.sampled_from(("", "***", "a\n****\nb")),
    foreign=st.sampled_from(((), (("variant", "a b"),), (("boxorder", "1 2"),), (("ice", "~"),))),
)
def test_levels_among_stray_rows_come_back_whole(
    name: str,
    level: Level,
    above: list[str],
    below: list[str],
    title: str,
    comment: str,
    foreign: tuple[tuple[str, str], ...],
) -> None:
    rows = [*above, *level.rows, *below]
    strayed = level.redrawn(rows, lambda row, column: (row + len(above), column))
    strayed = strayed._replace(title=title, comment=comment, metadata=foreign)
    pack = Pack("A pack", (strayed, strayed._replace(number=2)), comment=comment)
    check_read_back(write(pack, name), pack, name)


@pytest.mark.parametrize("foreign", [("variant", "a b"), ("boxorder", "1 2"), ("ice", "~"), ("goalorder", "x")])
def test_keys_of_another_meaning_beside_ice_and_colours_change_no_level(foreign: tuple[str, str]) -> None:
    plain = Level.from_xsb(BOARD)
    (box, *__), (goal, *__) = [*scan(plain.start.boxes)], [*scan(plain.board.goals)]
    for level in (plain, varied(plain, {}, {}, plain.board.floor), varied(plain, {box: 0}, {goal: 0}, 1 << box)):
        pack = Pack("A pack", (level.replace(metadata=(foreign,)),))
        check_read_back(write(pack, "xsb"), pack, "xsb")


# SokoMind

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
    written = write(Pack("", (level.replace(title="A level"),)), "sokomind")
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
