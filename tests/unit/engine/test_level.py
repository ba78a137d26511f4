"""Reading XSB rows, with errors that say what is wrong and where."""

import pytest
from hypothesis import given

from sokoterm.engine.bits import scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level, LevelError, Pack, level_from_rows
from tests.unit.engine.drawn import Picture, picture_of, pictures, spread, text_of


def error_of(*rows: str, line: int = 1) -> LevelError:
    with pytest.raises(LevelError) as caught:
        level_from_rows(rows, line=line)
    return caught.value


def test_a_small_board_square_by_square() -> None:
    level = Level.from_xsb("#####\n#+$*#\n#####")
    assert level.board == Board(
        width=5, height=3, stride=6, walls=0b011111_010001_011111, floor=0b1110 << 6, goals=0b1010 << 6
    )
    assert level.start == State(boxes=0b1100 << 6, player=7)
    assert level.boxes == 2
    assert level.board.square(1, 2) == 8
    assert level.board.row_column(8) == (1, 2)


@given(pictures())
def test_floor_boxes_and_goals_are_those_in_reach(picture: Picture) -> None:
    level = Level.from_xsb(text_of(picture))
    board = level.board
    player = next(place for place, cell in picture.items() if cell in "@+")
    reached = spread(player, {place for place, cell in picture.items() if cell != "#"})

    def places(bitboard: int) -> set[tuple[int, int]]:
        return {board.row_column(square) for square in scan(bitboard)}

    assert places(board.floor) == reached
    assert places(board.goals) == {place for place in reached if picture[place] in ".*+"}
    assert places(level.start.boxes) == {place for place in reached if picture[place] in "$*"}
    assert places(board.walls) == {place for place, cell in picture.items() if cell == "#"}
    assert board.row_column(level.start.player) == player
    assert picture_of(level.xsb()) == picture


def test_other_spellings_of_floor_boxes_and_player() -> None:
    plain = level_from_rows(["#######", "#@ $$.#", "#  *. #", "#######"])
    assert level_from_rows(["#######", "#p-bb.#", "#__B.-#", "#######"]) == plain
    assert level_from_rows(["#####", "#P b#", "#####"]) == level_from_rows(["#####", "#+ $#", "#####"])


def test_blanks_and_blank_lines_around_the_picture_are_ignored_but_counted() -> None:
    level = level_from_rows(["  ####   ", "###@.# -", "#  $ #", "# ####", "###"])
    assert level.rows == ("  ####", "###@.#", "#  $ #", "# ####", "###")
    assert (level.board.width, level.board.height) == (6, 5)
    level = Level.from_xsb("\n\n#####\n#@$.#\n#####\n\n")
    assert (level.line, level.board.height) == (3, 3)
    with pytest.raises(LevelError, match="no player"):
        Level.from_xsb("\n \n")


def test_decoration_out_of_reach_stays_in_the_picture_and_out_of_the_game() -> None:
    text = "##### *\n#@$.##$.\n#####.#\n  $ ###"
    level = Level.from_xsb(text)
    assert level.boxes == 1
    assert level.board.goals == 1 << level.board.square(1, 3)
    assert level.xsb() == text
    pushed = State(boxes=1 << level.board.square(1, 3), player=level.board.square(1, 2))
    assert level.xsb(pushed) == "##### *\n# @*##$.\n#####.#\n  $ ###"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["#####", "# $.#", "#####"], "line 7: found no player, expected one @ or +"),
        ([], "line 7: found no player, expected one @ or +"),
        (["######", "#@$.+#", "######"], "line 8, column 5: found 2 players, expected one: this is the second"),
        (["#####", "#@x$.#", "#####"], "line 8, column 3: found 'x', expected one of # @ + $ * . - _ or a space"),
        (["#####", "#P-x#", "#####"], "line 8, column 4: found 'x', expected one of # @ + $ * . - _ or a space"),
        (["#####", "#@  #", "#####"], "line 7: found no box within the player's reach, expected at least one"),
    ],
)
def test_errors_say_what_and_where(rows: list[str], said: str) -> None:
    assert str(error_of(*rows, line=7)) == said


@pytest.mark.parametrize("character", ["\t", "0", "|", "é", "\N{FULLWIDTH NUMBER SIGN}", "\u2028", "d"])
def test_no_unknown_character_is_read_as_floor(character: str) -> None:
    error = error_of("#####", f"#@{character}$.#", "######")
    assert (error.line, error.column, error.character) == (2, 3, character)


def test_a_row_with_a_line_end_is_refused() -> None:
    with pytest.raises(LevelError, match=r"^line 5, column 6: found '\\n'"):
        level_from_rows(["#####", "#@$.#\n#####"], line=4)


def test_an_unknown_character_right_of_the_board_is_refused() -> None:
    assert error_of("#####", "#@$.#  \t", "#####").column == 8


@pytest.mark.parametrize(
    ("rows", "line", "column"),
    [
        (["#####", "#@$. ", "#####"], 2, 5),
        (["## ##", "#@$.#", "#####"], 1, 3),
        (["#####", "#@$.#", "### #"], 3, 4),
        (["#####", "#@$.#", "#   #"], 3, 2),
        (["#####", "#@$.", "#####"], 2, 5),
        (["####", "#@$.", "####"], 2, 4),
        (["@"], 1, 1),
        (["#####", "#@$.#####", "#       #", "###   ###", "  #"], 5, 4),
    ],
)
def test_an_open_board_is_reported_where_it_opens(rows: list[str], line: int, column: int) -> None:
    error = error_of(*rows)
    assert error.problem == "the board is not closed: there is a gap in its wall"
    assert (error.line, error.column) == (line, column)


def test_a_board_that_meets_only_at_a_corner_is_closed() -> None:
    assert Level.from_xsb(" ####\n##@.#\n# $#\n####").boxes == 1


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("#@$..#", "1 box and 2 goals"),
        ("#@$$.#", "2 boxes and 1 goal"),
        ("#@ $ #", "1 box and 0 goals"),
        ("#+  *#", "1 box and 2 goals"),
    ],
)
def test_boxes_that_do_not_match_goals(row: str, found: str) -> None:
    error = error_of("######", row, "######", line=4)
    assert str(error) == f"line 4: found {found} within the player's reach, expected as many boxes as goals"


def test_boxes_and_goals_out_of_reach_do_not_count() -> None:
    assert level_from_rows(["########", "#@$.#$ #", "########"]).boxes == 1
    assert "2 boxes" in str(error_of("########", "#@$$.#.#", "########"))


def test_a_located_error_names_source_and_level() -> None:
    error = error_of("#####", "#@x.#", "#####").located(source="mine.txt", level=12)
    assert str(error).startswith("mine.txt, line 2, column 3, level 12: found 'x'")
    assert isinstance(error, ValueError)
    assert (error.source, error.level, error.line, error.column, error.character) == ("mine.txt", 12, 2, 3, "x")


def test_a_pack_keeps_the_numbers_of_levels_that_cannot_be_read() -> None:
    level = Level.from_xsb("#####\n#@$.#\n#####")
    pack = Pack("three", (level.replace(number=1), level.replace(number=3)), (LevelError("broken", level=2),))
    assert pack.size == 3
    assert pack.find_level(3) == level.replace(number=3)
    assert pack.find_level(2) is None


def test_levels_can_be_keys() -> None:
    first, second = (Level.from_xsb("#####\n#@$.#\n#####") for _ in range(2))
    assert {first: "seen"}[second] == "seen"
