"""Run-length rows, and rows told from other text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level, Pack
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.text import parse_xsb

BOARD = "#####\n#@$.#\n#####"
ROWS = tuple(BOARD.split("\n"))


def read(text: str, limits: ReadLimits | None = None) -> Pack:
    return parse_xsb(text, "x", limits or ReadLimits())


def only(text: str) -> Level:
    pack = read(text)
    assert [*map(str, pack.errors)] == []
    (level,) = pack.levels
    return level


@pytest.mark.parametrize(
    "text",
    [
        "5#|#@$.#|5#", "5#|#@$.#|5#|", "  5#|#@$.#|5#| ", "5#|\n#@$.#|\n5#|", "5#\n#@$.#\n5#", "5#\n#@$.#|5#",
        "5#|#@$.#\n#####", "#####\n#@$.#\n5#", "#####|#@$.#|#####", "5(#)\n#1@1$1.#\n2(2#)1#", "2(2#)#|#pb.#|5#",
        "-5#|-#@$.#|-5#", "05#|#@$.#|0005#", "> 5#|#@$.#|5#", "> 5#\n> #@$.#\n> 5#", "\t5#\n\t#@$.#\n\t5#",
        "--|5#|#@$.#|5#|", "-|3_|5#|#@$.#|5#|--|-", "  -- | 5# | #@$.# | 5# | --", "5# | #@$.# | 5#",
        "5#| #@$.#| 5# |", "-5# | -#@$.# | -5#", "#####\t|\t#@$.#\t|\t#####",
    ],
)  # fmt: skip
def test_counts(text: str) -> None:
    assert only(text).rows == ROWS
    assert only(text + "\n").rows == ROWS


@pytest.mark.parametrize(
    "line",
    ["; 11", "| 1234 test commend 98343 lu", "3 boxes", "#50 (3)", "#1", "1", "10 - 3", "(3)", "3#", "2*", "**1**",
     ":: 5#|#@$.#|5#", "| * | # |", "|---|---|", "* 1", "#|", "1.", "-|", "--|3#|--", "--|--", "3-|-|",
     "x5#|#@$.#|5#", "|5#|#@$.#|5#", "3-", "12"],
)  # fmt: skip
def test_text_with_digits_is_no_board(line: str) -> None:
    assert read(line).size == 0
    pack = read(f"{BOARD}\n\n{line}\n\n{BOARD}\n")
    assert (len(pack.levels), pack.errors) == (2, ())
    first, second = pack.levels
    if not line.startswith("::"):
        assert line.lstrip("; ") in (second.title, first.comment)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("5#|#@$.#|" + "9" * 1_000_000 + "#", 19, "found a count over 999,999,999, expected a smaller one"),
        ("5#\n2" + "(" * 100_000 + "#\n5#", 1002, "found over 1,000 groups nested in each other, expected fewer"),
        ("5#\n" + "9(" * 900 + "#" + ")" * 900 + "\n5#", 0, "found a count that makes "),
    ],
)
def test_endless_counts_make_no_board(text: str, column: int, problem: str) -> None:
    pack = read(f"{text}\n\n{BOARD}\n")
    assert [level.number for level in pack.levels] == [2]
    (error,) = pack.errors
    assert error.problem.startswith(problem)
    assert (error.line, error.level) == (1 + (text[2] != "|"), 1)
    assert error.column == column or not column


def test_rows_beyond_the_limits() -> None:
    limits = ReadLimits(width=9, height=4)
    for text in ("9#|#@$.4-#|9#", "9#\n#@$.4-#\n2(4#)#"):
        assert read(text, limits).levels
    (error,) = read("9#|#@$.5-#|9#", limits).errors
    assert str(error) == "x, line 1, column 10, level 1: found a count that makes 10, expected at most 9"
    (error,) = read("5#|#@$.#|5#|#|#", limits).errors
    assert (
        str(error)
        == "x, line 1, level 1: found a board of 5x5 squares, expected at most 9x4 (--max-board raises the limit)"
    )
    (error,) = read("#|" * 1_000_000 + "#", limits).errors
    assert "x1,000,001 squares, expected at most 9x4 (--max-board raises the limit)" in error.problem


CELLS = st.text("# @$.*+", min_size=1, max_size=12).map(lambda row: "#" + row + "#")


def spelled(row: str, data: st.DataObject) -> str:
    """Return the row with random repeat counts."""
    pieces, place = [], 0
    row = row.replace(" ", "-")
    while place < len(row):
        end = place + 1
        while end < len(row) and row[end] == row[place] and data.draw(st.booleans()):
            end += 1
        count = end - place
        one_by_one = row[place:end]
        pieces.append(data.draw(st.sampled_from([f"{count}{row[place]}", f"{count}({row[place]})", one_by_one])))
        place = end
    return "".join(pieces)


@given(st.data())
def test_any_spelling_with_counts_reads_as_the_plain_one(data: st.DataObject) -> None:
    rows = data.draw(st.lists(CELLS, min_size=2, max_size=6))
    plain = read("\n".join(rows))
    text = "".join(spelled(row, data) + data.draw(st.sampled_from(["|", "\n", "|\n"])) for row in rows)
    counted = read(text)
    assert [level.rows for level in counted.levels] == [level.rows for level in plain.levels]
    assert [level.start for level in counted.levels] == [level.start for level in plain.levels]
    assert [error.problem for error in counted.errors] == [error.problem for error in plain.errors]


def test_a_board_too_high_and_too_wide_is_told_at_its_size_without_its_margin() -> None:
    text = "   #########\n   #@ $   .#\n   #########\n   #########\n"
    pack = read(text, ReadLimits(width=7, height=3))
    assert [str(error) for error in pack.errors] == [
        "x, line 1, level 1: found a board of 9x4 squares, expected at most 7x3 (--max-board raises the limit)"
    ]
