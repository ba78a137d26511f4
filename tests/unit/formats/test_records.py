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


@pytest.mark.parametrize(
    ("below", "records"),
    [
        ("\nTomo\nrrrUU\n", [Record("Tomo", "rrrUU")]),
        ("\nTomo\n\nrrrUU\n", [Record("Tomo", "rrrUU")]),
        ("\nrrrUU\n", [Record("", "rrrUU")]),
        ("rrrUU\n", [Record("", "rrrUU")]),
        ("\nR\n", [Record("", "R")]),
        ("\nTomo\nuR", [Record("Tomo", "uR")]),
        ("\nrrrUU\n\nuuuLL\nr\n\nTomo\nddddd\n", [Record("", "rrrUU"), Record("", "uuuLLr"), Record("Tomo", "ddddd")]),
        ("\nSolver: X\n\nrrrUU\n", [Record("", "rrrUU")]),
        ("\nTime: 00:01\n\nrrrUU\n", [Record("", "rrrUU")]),
        ("\nsome notes\non two lines\n\nrrrUU\n", [Record("", "rrrUU")]),
        ("\nSolution\nr2(3(dr)R)\n", [Record("Solution", "r2(3(dr)R)")]),
        ("\nSolution\nur1\n2R\n", [Record("Solution", "ur12R")]),
        ("\nSolution\nrr  dd uU\tlL\n rR\n", [Record("Solution", "rrdduUlLrR")]),
        ("\nSavegame\nrr*dd\n", [Record("Savegame", "rr*dd")]),
        ("\nSavegame\n[]Urrd[lu]R\n", [Record("Savegame", "[]Urrd[lu]R")]),
        ("\nSolution\n{rddd}Urr{uul}uLU\n", [Record("Solution", "{rddd}Urr{uul}uLU")]),
        ("Solution: rrU\n", [Record("Solution", "rrU")]),
        ("Solution: R\n", [Record("Solution", "R")]),
        ("solution : lull\nuu\n", [Record("solution", "lulluu")]),
        ("Solution 3/2: rr U\n", [Record("Solution 3/2", "rrU")]),
        ("Savegame: rr*U\n", [Record("Savegame", "rr*U")]),
        ("Solution: r1,4-2l2\n", [Record("Solution", "r1,4-2l2")]),
        ("Solution: 2-5u2, 4-4l1\n", [Record("Solution", "2-5u2,4-4l1")]),
        ("Solution: undefined\n", []),
        ("Solution: UNDEFINED\n", []),
    ],
)  # fmt: skip
def test_moves_below_a_board(below: str, records: list[Record]) -> None:
    assert list(only(below).records) == records


@pytest.mark.parametrize(
    "words",
    ["lu", "dull", "Rudd", "by\nRudd", "dull\nis this level", "thanks to\nR. Ull\nRudd", "hjkl", "rrrUUx", "llurrhh",
     "1 2 3", "(1)", "r,r,r,r,r,r", "d. r. u. l. l."],
)  # fmt: skip
def test_letters_of_a_text_are_no_moves(words: str) -> None:
    level = only(f"\n{words}\n\nlast words\nof two lines\n")
    assert level.records == ()
    assert level.comment == f"{words}\nlast words\nof two lines"


def test_short_title_of_the_next_board_is_no_move() -> None:
    pack = read(f"R\n{BOARD}\n\nD\n{OTHER}\n\nL\n\n{BOARD}\n\nUUU\n\n\n{OTHER}\n", 4)
    assert [level.title for level in pack.levels] == ["R", "D", "L", "UUU"]
    assert not any(level.records for level in pack.levels)


def test_moves_without_a_board_above_are_text() -> None:
    pack = parse_xsb("ll6dl3drruul7urrdlul6d3lddrrudlluurr3drruul6u\n\nSolution: rrr\n", "x")
    assert (pack.size, pack.comment) == (0, "ll6dl3drruul7urrdlul6d3lddrrudlluurr3drruul6u")
    assert pack.metadata == (("solution", "rrr"),)


def test_notes_of_records() -> None:
    level, other = read(
        f"Doors\n\n{BOARD}\nnote of the level\n\nAuthor: B\nmade by: hand\n\nBest Solution 1/1 (YASS 2.86)\nR\n\n"
        f"Solver: YASS\nTime: 00:00:01\n\nmore\n\nTomo\nrrrRR\nOptimizer: X\n\nComment: a\n\nb\nComment-End:\n\n"
        f"Date: 7\n\nGates\n\n{OTHER}\n",
        2,
    ).levels
    assert (level.title, level.author, level.comment) == ("Doors", "B", "note of the level\nmade by: hand")
    assert level.metadata == (("date", "7"),)
    assert level.records == (
        Record("Best Solution 1/1 (YASS 2.86)", "R", "Solver: YASS\nTime: 00:00:01\nmore"),
        Record("Tomo", "rrrRR", "Optimizer: X\na\n\nb"),
    )
    assert other.title == "Gates"


def test_texts_below_moves_behind_a_key_speak_of_the_level() -> None:
    level = only("Title: A\nSolution: R\nby hand\nAuthor: B\n")
    assert (level.title, level.author, level.comment) == ("A", "B", "by hand")
    assert level.records == (Record("Solution", "R"),)


def test_solution_that_is_text_or_nothing_stays_text() -> None:
    assert only("Solution: see the web\n").metadata == (("solution", "see the web"),)
    assert only("Solution:\n\nwords\n\nSolution/Moves 1/1\nR\n").comment == "Solution:\nwords"


def test_in_a_quoted_mail() -> None:
    text = f"Doors\n\n{BOARD}\n\nSolution\nrr\nR\n\nTime: 1\n".replace("\n", "\n> ")
    assert read("> " + text).levels[0].records == (Record("Solution", "rrR", "Time: 1"),)


def test_a_run_of_moves_ends_a_board() -> None:
    pack = read(f"{BOARD}\nrrrRRR\n{OTHER}\nSolution: lL\n{BOARD}\n", 3)
    assert [level.records for level in pack.levels] == [(Record("", "rrrRRR"),), (Record("Solution", "lL"),), ()]


def test_title_in_a_file_with_records_stands_alone() -> None:
    pack = read(f"Doors\nby B\n{BOARD}\n\nSolution\nR\n\nGates\n{OTHER}\n", 2)
    assert [(level.title, level.comment) for level in pack.levels] == [("", "Doors\nby B"), ("Gates", "")]


def test_notes_of_programs_are_no_titles_of_boards() -> None:
    pack = read(f"{BOARD}\n\nSolution\nR\n\nTime: 00:00:01\n\n{OTHER}\n", 2)
    assert (pack.levels[0].records[0].notes, pack.levels[1].title) == ("Time: 00:00:01", "")


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
