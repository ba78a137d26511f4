"""Solutions and saved games among the texts below a board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.record import replay
from sokoterm.formats.text import parse_xsb

BOARD = "#####\n#@$.#\n#####"
OTHER = "######\n#.$ @#\n######"


def read(text: str, count: int = 1) -> Pack:
    pack = parse_xsb(text, "x")
    assert [*map(str, pack.errors)] == []
    assert len(pack.levels) == count
    return pack


def only(below: str) -> Level:
    return read(f"{BOARD}\n{below}").levels[0]


@pytest.mark.parametrize(
    "title",
    [
        "Solution", "Solution 230/97 (YASS 2.86 Optimizer)", "Best Solution 1/1", "Solution/Moves 1/1",
        "Solution/Pushes", "Solution/Moves (Built-in)", "Savegame", "SaveGame 428/162", "Saved game", "savegame",
        "Snapshot 3",
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["", ":", "\n", ":\n"])
def test_title_that_claims_moves(title: str, end: str) -> None:
    assert only(f"\n{title}{end}\nr\n").records == (Record(title, "r"),)
    assert only(f"{title}{end}\nr\n").records == (Record(title, "r"),)
    assert only(f"Author: B\n{title}{end}\nlu\n\nby hand\n").records == (Record(title, "lu", "by hand"),)


def test_in_a_quoted_mail() -> None:
    text = f"Doors\n\n{BOARD}\n\nSolution\nrr\nR\n\nTime: 1\n".replace("\n", "\n> ")
    assert read("> " + text).levels[0].records == (Record("Solution", "rrR", "Time: 1"),)


def test_walks_count_their_columns_in_the_board_as_drawn() -> None:
    for margin in ("", "  ", "\t", "--"):
        width = len(margin.expandtabs())
        drawn = f"{margin}#######\n{margin}#@  $.#\n{margin}#######\nSolution: r1,{3 + width}-1r1\n"
        (level,) = read(drawn).levels
        assert level.records[0].moves == "r1,3-1r1"
        assert replay(level, level.records[0]).lurd == "rrR"


MOVES = st.text("lurdLURD", min_size=5, max_size=300)


@given(MOVES, st.sampled_from([7, 70, 1000]), st.sampled_from(["Solution 3/2", "Savegame", "Tomo", ""]))
def test_moves_come_back_however_they_are_wrapped(moves: str, width: int, title: str) -> None:
    lines = [moves[i : i + width] for i in range(0, len(moves), width)]
    text = "\n".join(["", title, *lines, "", "Time: 1", "", ""])
    levels = read(f"Doors\n\n{BOARD}\n{text}\nGates\n\n{OTHER}\n", 2).levels
    assert [level.title for level in levels] == ["Doors", "Gates"]
    assert levels[0].records == (Record(title, moves, "Time: 1"),)


def test_blanks_among_moves_are_none() -> None:
    assert only("\nSolution\nrr  dd uU\tlL\n rR\n").records == (Record("Solution", "rrdduUlLrR"),)
