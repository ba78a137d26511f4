"""XSB text in all common layouts: texts, rows with counts, and the solutions and saved games below a board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level, LevelError, Pack, Record
from sokoterm.engine.lurd import replay
from sokoterm.engine.text import printable
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.text import has_board, moves_in, parse_xsb, rows_of_board
from tests.unit.formats.layouts import layouts_in, shown

BOARD = "#####\n#@$.#\n#####"
OTHER = "######\n#.$ @#\n######"


def read(text: str, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    return parse_xsb(text, "some/pack.xsb", limits)


def read_levels(text: str, count: int) -> Pack:
    pack = read(text)
    assert not pack.errors, list(map(str, pack.errors))
    assert [level.number for level in pack.levels] == list(range(1, count + 1))
    return pack


def below_board(text: str) -> Level:
    return read_levels(f"{BOARD}\n{text}", 1).levels[0]


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ("; 1\n\n", "1"),
        ("; 44 'Duh!'\n\n", "44 'Duh!'"),
        (";screen.01\n", "screen.01"),
        ("1\n\n", "1"),
        ("1\n", "1"),
        ("The Door\n", "The Door"),
        ("The Door\n\n", "The Door"),
        ("\n\n  The Door  \n\n\n", "The Door"),
        ("", ""),
    ],
)
def test_title_above_the_board(above: str, title: str) -> None:
    pack = read_levels(f"{above}{BOARD}\n\n{above}{OTHER}\n", 2)
    assert [level.title for level in pack.levels] == [title, title]
    assert not pack.comment


@pytest.mark.parametrize("key", ["Title:", "title:", "TITLE :", "  Title  :  "])
def test_title_below_the_board_wins_over_the_heading(key: str) -> None:
    pack = read_levels(f"; 7\n\n{BOARD}\n{key} The Door\n\n; 8\n\n{OTHER}\n", 2)
    assert [level.title for level in pack.levels] == ["The Door", "8"]
    assert dict(pack.levels[0].metadata) == {"heading": "7"}


def test_title_of_a_collection_is_its_file_name_where_it_has_none() -> None:
    assert read(BOARD).title == "pack"
    assert parse_xsb(BOARD, r"C:\levels\Doors 2.0.txt").title == "Doors 2.0"
    assert parse_xsb(BOARD, "standard input").title == "standard input"


LAYOUTS = layouts_in("layouts.txt")


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_text_is_read_as_told(name: str) -> None:
    text, read = LAYOUTS[name]
    assert shown(lambda: parse_xsb(text, "x")) == read


def test_other_line_breaks_of_unicode_end_no_line_and_the_end_of_a_file_of_dos_is_no_text() -> None:
    (level,) = read_levels(f"A\x0bB\x0cC\x1cD\x85E\u2028F\n{BOARD}\n\x1a", 1).levels
    assert (level.title, level.comment) == ("A\x0bB\x0cC\x1cD\x85E\u2028F", "")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(end: str, last: bool) -> None:
    text = "\ufeff" + f"; 1\n{BOARD}\nTitle: A\n\n{OTHER}{chr(10) * last}".replace("\n", end)
    pack = read_levels(text, 2)
    assert pack.levels[0].rows == tuple(BOARD.splitlines())
    assert (pack.levels[0].title, pack.levels[1].line) == ("A", 7)


def test_control_characters_stay_in_the_model_and_not_in_print() -> None:
    evil = "\x1b]0;x\x07\x9b31m\x00 Do\u202eor"
    level = read_levels(f"{BOARD}\nTitle: {evil}\nAuthor: {evil}\nComment: {evil}\n", 1).levels[0]
    assert level.title == level.author == level.comment == evil
    assert printable(evil) == "?]0;x??31m? Do?or"
    assert printable("a\tb\nc\xa0d e漢é") == "a b c d e漢é"


@given(st.text())
def test_printable_text_is_of_one_line_and_printable(text: str) -> None:
    assert printable(text).isprintable()
    assert len(printable(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "-#####\n-#@$.#\n-#####", "_#####__\n-#@$.#-\n #####", "\t#####\n\t#@$.#\n\t#####",
        "\t#####\n        #@$.#\n\t#####\t", "      #####   \n      #@$.#\n      #####", "> #####\n> #@$.#\n> #####",
        ">> #####\n>> #@$.#\n>> #####", "> > #####\n> > #@$.#\n> > #####", "#####\n#pb.#\n#####",
    ],
)  # fmt: skip
def test_spellings_of_the_same_board(text: str) -> None:
    assert read_levels(f"{text}\n", 1).levels[0].rows == tuple(BOARD.splitlines())


def test_blank_line_ends_a_board() -> None:
    pack = read_levels(f"{BOARD}\n  \t \n{OTHER}\n\n####\n\n{BOARD}\n", 3)
    assert pack.levels[1].rows == tuple(OTHER.splitlines())


@pytest.mark.parametrize(
    ("row", "column", "character"),
    [
        ("#@x.#", 3, "x"), ("#@3,#", 3, "3"), ("## Door", 4, "D"), ("\t#\x1b#", 3, "\x1b"), ("$ .", 1, "$"),
        (" @ ", 2, "@"), ("漢#", 1, "漢"),
    ],
)  # fmt: skip
def test_broken_row_is_named_and_the_rest_loads(row: str, column: int, character: str) -> None:
    pack = read(f"; 1\n{BOARD}\n\n; 2\n#####\n{row}\n#####\n\n; 3\n{OTHER}\n")
    assert [level.number for level in pack.levels] == [1, 3]
    (error,) = pack.errors
    assert (error.source, error.level, error.line) == ("some/pack.xsb", 2, 8)
    assert (error.column, error.character) == (column, character)
    assert str(error).startswith(f"some/pack.xsb, line 8, column {column}, level 2: found {character!r}")


def test_column_of_an_error_counts_in_the_text_as_written() -> None:
    (error,) = read("> \t ######\n> \t # \tx@#\n> \t ######\n").errors
    assert (error.line, error.column, error.character) == (2, 8, "x")
    (error,) = read("   #####\n   #@$.#\n   ### #\n").errors
    assert (error.line, error.column) == (3, 7), "the board is open there"


@pytest.mark.parametrize(
    ("board", "problem"),
    [
        ("#####\n# $.#\n#####", "found no player"),
        ("#####\n#@@$.#\n#####", "found 2 players"),
        ("######\n#@$$.#\n######", "found 2 boxes and 1 goal"),
        ("#####\n#@$. \n#####", "not closed"),
        ("####\n#@ #\n####", "found no box"),
        ("*", "found no player"),
    ],
)
def test_level_that_is_none_keeps_its_number(board: str, problem: str) -> None:
    pack = read(f"{board}\n\n{BOARD}\n")
    assert [level.number for level in pack.levels] == [2]
    (error,) = pack.errors
    assert problem in str(error)
    assert (error.level, pack.size) == (1, 2)


def test_text_without_boards_is_an_empty_pack() -> None:
    assert read("").size == read("hello\n\nTitle: A\n----\n#####\n").size == 0


def test_board_beyond_the_limits_is_an_error() -> None:
    limits = ReadLimits(width=20, height=10)
    wide, high = "#" * 21, "#####\n" * 11
    pack = parse_xsb(f"{BOARD}\n\n{wide}\n#@$.#\n#####\n\n{high}\n{OTHER}\n", "x", limits)
    assert [level.number for level in pack.levels] == [1, 4]
    assert [str(error) for error in pack.errors] == [
        "x, line 5, level 2: found a board of 21x3 squares, expected at most 20x10 (--max-board raises the limit)",
        "x, line 9, level 3: found a board of 5x11 squares, expected at most 20x10 (--max-board raises the limit)",
    ]
    assert parse_xsb(" " * 20 + "#####\n" + " " * 20 + "#@$.#\n" + " " * 20 + "#####", "x", limits).levels


@given(st.data())
def test_any_spelling_of_a_level_reads_the_same(data: st.DataObject) -> None:
    level = read("########\n#  @ $.#\n########").levels[0] if data.draw(st.booleans()) else read(OTHER).levels[0]
    margin = data.draw(st.sampled_from(["", " ", "   ", "\t", "-", "_"]))
    quote = data.draw(st.sampled_from(["", "> ", ">", ">> "]))
    end = data.draw(st.sampled_from(["\n", "\r", "\r\n"]))
    lines = []
    for row in level.rows:
        spelled = "".join(data.draw(st.sampled_from(" -_")) if cell == " " else cell for cell in row)
        lines.append(quote + margin + spelled + data.draw(st.sampled_from(["", " ", "  ", "-"])))
    again = read_levels(end.join(["; A", *lines, "Title: B"]), 1).levels[0]
    assert (again.rows, again.start, again.title) == (level.rows, level.start, "B")


def test_lines_for_those_who_read_the_file_are_kept_and_are_no_texts() -> None:
    remarks = "::::::::\n:: Freely distributed, provided\n::  that I am credited.\n::\n:: 3#|\n"
    pack = read_levels(f"{remarks}\n; 1\n{BOARD}\n:: of one\nTitle: A\n\n:: more\n\n; 2\n:: low\n{OTHER}\n::\n", 2)
    assert pack.metadata == (("remarks", "::::::\nFreely distributed, provided\n that I am credited.\n\n3#|"),)
    assert (pack.title, pack.comment, [level.title for level in pack.levels]) == ("pack", "", ["A", "2"])
    one, two = pack.levels
    assert (dict(one.metadata)["remarks"], one.comment) == ("of one\nmore\nlow", "")
    assert (two.metadata, two.comment) == ((), "")
    assert not has_board(remarks)


def test_a_recipe_for_a_cake_is_a_text_like_others() -> None:
    level = read(f"Recipe: Chocolate Cake\n\n{BOARD}\nTitle: A\nRecipe: take two eggs\n").levels[0]
    assert (level.comment, level.metadata) == ("Recipe: take two eggs", (("heading", "Recipe: Chocolate Cake"),))


def test_errors_name_the_title_of_their_level() -> None:
    broken = "#####\n#@$ #\n#####"
    pack = read(f"; 1\n\n{BOARD}\n\n; The\x1b Door\n\n{broken}\n\n{broken}\nTitle: {'long ' * 100}\n\n{broken}\n")
    assert [error.title[:9] for error in pack.errors] == ["The\x1b Door", "long long", ""]
    places = [str(error).partition(": ")[0] for error in pack.errors]
    assert places == [
        "some/pack.xsb, line 9, level 2 (The? Door)",
        f"some/pack.xsb, line 13, level 3 ({('long ' * 8)[:37]}...)",
        "some/pack.xsb, line 18, level 4",
    ]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("2r\n\n\t R\n", "2rR"),
        ("\ufeffr*RR\r\n", "r*RR"),
        ("Solution: rRR", "rRR"),
        ("My way\n\nSolution/Moves 3/2 (Ann)\nrR\nR\nTime: 3 seconds\nDull work\n", "rRR"),
        (f"{BOARD}\n\nSolution\nr*RR\n", "r*RR"),
        ("2-1r2,0-1", "2-1r2,0-1"),
        ("Solution: 2-1r2", "2-1r2"),
        ("My way\nMoves: rRR\nPushes: 2\n", "rRR"),
        ("Moves: 34", "34"),
        ("Solution/Moves\nrRR\n\nSolution/Pushes\nrRR\n", "rRR"),
        ("> r[R]R", "r[R]R"),
        ("```\nAlice\nrR\n```\nrather\n\nlong\n", "rR"),
        ("dull", "dull"),
        ("2(r", "2(r"),
        (" \n", ""),
    ],
)
def test_moves_are_found_in_a_text_as_below_a_board(text: str, moves: str) -> None:
    assert moves_in(text) == moves


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("rRx", 0, 0, "x"),
        ("Solution: rRx", 0, 0, "x"),
        ("My way\nMoves: rxR", 2, 9, "x"),
        ("Solution\nrrrrrx\nrr", 2, 6, "x"),
        ("rr\n\nrrrr rrrr;rr", 3, 10, ";"),
        ("rr\nrrqRR", 2, 3, "q"),
        ("rr\n\nrrqRR", 3, 3, "q"),
        ("rrq\nrR", 1, 3, "q"),
        ("Solution\nrR\nend", 3, 1, "e"),
        ("rR\nR?\n", 2, 2, "?"),
        ("Hello\n", 1, 1, "H"),
        ("Solution/Moves\nrR\n\nSolution/Pushes\nrRR", 5, 0, ""),
    ],
)
def test_what_is_no_move_is_named_with_its_place(text: str, line: int, column: int, found: str) -> None:
    with pytest.raises(LevelError) as raised:
        moves_in(text)
    assert (raised.value.line, raised.value.column, raised.value.character) == (line, column, found)


# Texts between boards: what parts levels, and which level a text belongs to

THREE = "#######\n#@ $ .#\n#######"
BOARDS = (BOARD, OTHER, THREE)
RULERS = ("-----", "=====", "*****", "* * *", "##########", "**********")


def read_boards(text: str) -> Pack:
    pack = parse_xsb(text, "x")
    assert not pack.errors, list(map(str, pack.errors))
    assert [level.rows for level in pack.levels] == [tuple(board.split("\n")) for board in BOARDS[: len(pack.levels)]]
    assert len(pack.levels) == text.count("@")
    return pack


def titles(text: str) -> list[str]:
    return [level.title for level in read_boards(text).levels]


@pytest.mark.parametrize(
    "form",
    ["Level {}", "{}", "{}.", "{})", "Level {}:", "Maze: {}", "'Level {}'", "; {}", "#{}", "Level {} #", "- {} -"],
)
def test_a_line_parts_boards_without_blank_lines(form: str) -> None:
    text = "".join(f"{form.format(number)}\n{board}\n" for number, board in enumerate(BOARDS, start=1))
    assert titles(text) == [form.format(number).removeprefix("; ") for number in (1, 2, 3)]


@pytest.mark.parametrize("mark", ["# ", "// ", "//", "## ", "% "])
def test_marks_of_comments_are_no_part_of_a_title(mark: str) -> None:
    for blank in ("", "\n"):
        assert titles(f"{mark}Level 1\n{BOARD}\n{blank}{mark}Level 2\n{OTHER}\n") == ["Level 1", "Level 2"]


@pytest.mark.parametrize("form", ["; {0}|; hint: {0}", "{0};by {0}|hint: {0}", "; {0}|; hint|; {0} again", "{0}|- {0}"])
@pytest.mark.parametrize("blanks", ["", "d", "acd", "abcd"])
def test_as_many_lines_above_and_below_every_board(form: str, blanks: str) -> None:
    """Blank lines: ``a`` after a heading, ``b`` after a board, ``c`` after a remark, ``d`` before a heading."""
    a, b, c, d = ("\n" * (each in blanks) for each in "abcd")
    above, __, below = form.replace(";by", "\nby").partition("|")
    lines = [(above.format(each), below.replace("|", "\n").format(each)) for each in "ABC"]
    text = "".join(f"{d}{up}\n{a}{board}\n{b}{down}\n{c}" for (up, down), board in zip(lines, BOARDS, strict=True))
    assert titles(text) == [up.split("\n")[0].removeprefix("; ") for up, __ in lines]
    for level, (up, down) in zip(read_boards(text).levels, lines, strict=True):
        assert level.comment.split("\n") == [*up.split("\n")[1:], *down.replace("; ", "").split("\n")]


@pytest.mark.parametrize("form", ["Level {}", "level {}: Two", "{}", "#{}", "{}. Two", "{}/40", "; Two"])
def test_a_heading_line_between_tight_boards_begins_the_heading(form: str) -> None:
    heading = form.format(2)
    for lines in ("by Bob\nhard", "by Bob", "Author: Bob"):
        for above in ("", "Solution: R\n") if heading[0] == ";" else ("", "nice\n", "Solution: R\n"):
            one, two = read_boards(f"{BOARD}\n{above}{heading}\n{lines}\n{OTHER}\n").levels
            assert (one.title, two.title) == ("", heading.removeprefix("; "))
            assert two.comment == lines or two.author == "Bob"
            assert one.comment == above.strip() or one.records
    for mark in ("", "; "):
        text = f"{mark}Level 1\n{BOARD}\n{mark}hint\n{mark}2 pushes\n{mark}Level 2\nby Bob\n{OTHER}\n{mark}hint\n"
        assert titles(text) == ["Level 1", "Level 2"]
    assert titles(f"{BOARD}\n1. left\n2. right\nTwo\n{OTHER}\n") == ["", "Two"]


@pytest.mark.parametrize("ruler", RULERS)
def test_rulers_are_no_levels(ruler: str) -> None:
    assert titles(f"{BOARD}\n{ruler}\n{OTHER}\n{ruler}\n{THREE}\n") == ["", "", ""]
    for blank in ("", "\n"):
        for lines in ("{0}\n{1}\n", "{0}\n{1}\n{0}\n", "{0}\n\n{1}\n\n"):
            first, second = (lines.format(ruler, f"Level {number}") + blank for number in (1, 2))
            pack = parse_xsb(f"{first}{BOARD}\n{blank}{second}{OTHER}\n", "x")
            assert [level.title for level in pack.levels] == ["Level 1", "Level 2"]
            assert not pack.errors
            assert not any("*" in row for level in pack.levels for row in level.rows)


@pytest.mark.parametrize("sign", "#*")
@pytest.mark.parametrize("text", ["Level 1", "1", "by Ann <a at b>"])
def test_frames_around_texts_are_no_levels(sign: str, text: str) -> None:
    edge, empty = sign * (len(text) + 6), sign + " " * (len(text) + 4) + sign
    line = f"{sign}  {text}  {sign}"
    for blank in ("", "\n"):
        for frame in ((edge, line, edge), (edge, empty, line, empty, edge), (edge, line, line, edge)):
            lines = "\n".join(frame) + f"\n{blank}"
            assert len(read_boards(f"{lines}{BOARD}\n{blank}{lines}{OTHER}\n").levels) == 2
    assert read_boards(f"{edge}\n{line}\n{edge}\n").size == 0


def test_a_level_that_is_none_does_not_spoil_its_neighbours() -> None:
    for bad in ("#####\n#@$. \n#####", "#####\n# $.#\n#####", "#####\n#@x.#\n#####", "#####\n#@$$#\n#####"):
        pack = parse_xsb(f"Level 1\n{BOARD}\nLevel 2\n{bad}\nLevel 3\n{THREE}\nLevel 4\n{BOARD}\n", "x")
        assert [level.number for level in pack.levels] == [1, 3, 4]
        assert [(error.level, error.title) for error in pack.errors] == [(2, "Level 2")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\r\n"])
def test_any_line_ends(end: str) -> None:
    text = f"Level 1\n{BOARD}\nLevel 2\n{OTHER}\n".replace("\n", end)
    assert titles(text) == ["Level 1", "Level 2"]


def test_doubled_line_ends_leave_numbers_of_lines_as_they_are() -> None:
    text = f"Level 1\n\n{BOARD}\n#x#\n#####\n".replace("\n", "\n\n")
    (error,) = parse_xsb(text, "x").errors
    assert (error.line, error.column) == (11, 2)
    assert rows_of_board(text, 1) == ([*BOARD.split("\n"), "#x#", "#####"], 5)
    assert parse_xsb(f"{BOARD}\n".replace("\n", "\n\n"), "x").levels[0].line == 1


@pytest.mark.parametrize("blank", "\xa0\u2003\u3000\u202f")
def test_blanks_beyond_ascii_are_floor(blank: str) -> None:
    text = f"A{blank}B\n{THREE.replace(' ', blank)}\n\n\ufeff{BOARD}\n"
    pack = parse_xsb(text, "x")
    assert ([level.rows for level in pack.levels], pack.levels[0].title) == (
        [tuple(THREE.split("\n")), tuple(BOARD.split("\n"))],
        f"A{blank}B",
    )


# Solutions and saved games


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
    assert below_board(f"\n{title}{end}\nr\n").records == (Record(title, "r"),)
    assert below_board(f"{title}{end}\nr\n").records == (Record(title, "r"),)
    assert below_board(f"Author: B\n{title}{end}\nlu\n\nby hand\n").records == (Record(title, "lu", "by hand"),)


def test_in_a_quoted_mail() -> None:
    text = f"Doors\n\n{BOARD}\n\nSolution\nrr\nR\n\nTime: 1\n".replace("\n", "\n> ")
    assert read_levels("> " + text, 1).levels[0].records == (Record("Solution", "rrR", "Time: 1"),)


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
    levels = read_levels(f"Doors\n\n{BOARD}\n{text}\nGates\n\n{OTHER}\n", 2).levels
    assert [level.title for level in levels] == ["Doors", "Gates"]
    assert levels[0].records == (Record(title, moves, "Time: 1"),)


def test_blanks_among_moves_are_none() -> None:
    assert below_board("\nSolution\nrr  dd uU\tlL\n rR\n").records == (Record("Solution", "rrdduUlLrR"),)


# Rows with counts, and rows told from other text


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
    for each in (text, f"{text}\n"):
        assert read_levels(each, 1).levels[0].rows == tuple(BOARD.split("\n"))


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
        ("5#|#@$.#|" + "9" * 1_000_000 + "#", 19, "found a count over 999,999,999, which is too large"),
        ("5#\n2" + "(" * 100_000 + "#\n5#", 1002, "more than 1,000 groups are nested in each other"),
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
    assert str(error) == "some/pack.xsb, line 1, column 10, level 1: found a count that makes 10, expected at most 9"
    (error,) = read("5#|#@$.#|5#|#|#", limits).errors
    assert "level 1: found a board of 5x5 squares, expected at most 9x4 (--max-board raises the limit)" in str(error)
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
    (error,) = read(text, ReadLimits(width=7, height=3)).errors
    assert "line 1, level 1: found a board of 9x4 squares, expected at most 7x3 (--max-board raises" in str(error)
