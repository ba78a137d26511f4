"""Texts between boards, with and without blank lines: what parts levels, and which level a text belongs to."""

import pytest

from sokoterm.engine.level import Pack
from sokoterm.formats.text import parse_xsb, rows_of_board

ONE = "#####\n#@$.#\n#####"
TWO = "######\n#.$ @#\n######"
THREE = "#######\n#@ $ .#\n#######"
BOARDS = (ONE, TWO, THREE)
RULERS = ("-----", "=====", "*****", "* * *", "##########", "**********")


def read(text: str) -> Pack:
    pack = parse_xsb(text, "x")
    assert not pack.errors, list(map(str, pack.errors))
    assert [level.rows for level in pack.levels] == [tuple(board.split("\n")) for board in BOARDS[: len(pack.levels)]]
    assert len(pack.levels) == text.count("@")
    return pack


def titles(text: str) -> list[str]:
    return [level.title for level in read(text).levels]


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
        assert titles(f"{mark}Level 1\n{ONE}\n{blank}{mark}Level 2\n{TWO}\n") == ["Level 1", "Level 2"]


def test_texts_below_every_board_are_their_comments() -> None:
    pack = read(f"{ONE}\nby Ann\n{TWO}\nby Bob\n{THREE}\nby Cid\n")
    assert [(level.title, level.comment) for level in pack.levels] == [("", "by Ann"), ("", "by Bob"), ("", "by Cid")]


@pytest.mark.parametrize("blank", ["", "\n"])
def test_keys_above_all_boards_belong_to_the_boards_below(blank: str) -> None:
    keys = [f"Title: {title}\nAuthor: {author}\n{blank}" for title, author in (("One", "Ann"), ("Two", "Bob"))]
    pack = read(f"{keys[0]}{ONE}\n{blank}{keys[1]}{TWO}\n")
    assert [(level.title, level.author) for level in pack.levels] == [("One", "Ann"), ("Two", "Bob")]
    assert (pack.title, pack.author) == ("x", "")
    pack = read(f"Collection: All\nAuthor: Zoe\n\n{keys[0]}{ONE}\n{blank}{keys[1]}{TWO}\n")
    assert (pack.title, pack.author, pack.levels[1].author) == ("All", "Zoe", "Bob")


@pytest.mark.parametrize("blank", ["", "\n"])
def test_keys_below_all_boards_belong_to_the_boards_above(blank: str) -> None:
    pack = read(f"Title: All\n\n{ONE}\n{blank}Title: One\nAuthor: Ann\n{blank}{TWO}\n{blank}Title: Two\nAuthor: Bob\n")
    assert [(level.title, level.author) for level in pack.levels] == [("One", "Ann"), ("Two", "Bob")]
    assert (pack.title, pack.author) == ("All", "")


def test_titles_above_and_authors_below() -> None:
    for title in ("Title: {}", "{}"):
        text = "".join(
            f"{title.format(each)}\n{board}\nAuthor: by {each}\n" for each, board in zip("ABC", BOARDS, strict=True)
        )
        assert [(level.title, level.author) for level in read(text).levels] == [(each, f"by {each}") for each in "ABC"]


@pytest.mark.parametrize("form", ["; {0}|; hint: {0}", "{0};by {0}|hint: {0}", "; {0}|; hint|; {0} again", "{0}|- {0}"])
@pytest.mark.parametrize("blanks", ["", "d", "acd", "abcd"])
def test_as_many_lines_above_and_below_every_board(form: str, blanks: str) -> None:
    """Blank lines: ``a`` after a heading, ``b`` after a board, ``c`` after a remark, ``d`` before a heading."""
    a, b, c, d = ("\n" * (each in blanks) for each in "abcd")
    above, __, below = form.replace(";by", "\nby").partition("|")
    lines = [(above.format(each), below.replace("|", "\n").format(each)) for each in "ABC"]
    text = "".join(f"{d}{up}\n{a}{board}\n{b}{down}\n{c}" for (up, down), board in zip(lines, BOARDS, strict=True))
    assert titles(text) == [up.split("\n")[0].removeprefix("; ") for up, __ in lines]
    for level, (up, down) in zip(read(text).levels, lines, strict=True):
        assert level.comment.split("\n") == [*up.split("\n")[1:], *down.replace("; ", "").split("\n")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A blank line says more than numbers of lines.
        (f"A\n{ONE}\n\nB\nby Bob\n{TWO}\nend\n", ["A", "B"]),
        (f"A\n\n{ONE}\nhint\nhint\n\nB\n\n{TWO}\n\nend\nend\n", ["A", "B"]),
        (f"; A\n\n{ONE}\n\n; hint\n; B\n\n{TWO}\n\n; hint\n", ["A", "B"]),
        (f"A\n\n{ONE}\n\nhint\nhint\n\n{TWO}\n\nhint\n", ["A", ""]),
        (f"; A\n\n{ONE}\n\nAuthor: a\nIce: 1,1\n\n{TWO}\n\nAuthor: b\n", ["A", ""]),
        # A heading of a part does not take the title of a level, nor a number that of a quoted name.
        (f"Level 1\n{ONE}\nPart 2\nLevel 2\n{TWO}\nLevel 3\n{THREE}\n", ["Level 1", "Level 2", "Level 3"]),
        (f"; 7/38\n'One'\n{ONE}\n\n; 7/39\n'Two'\n{TWO}\n", ["'One'", "'Two'"]),
        # Letters of moves above all boards are titles, and fences of code are none.
        (f"L\n{ONE}\nR\n{TWO}\nU\n{THREE}\n", ["L", "R", "U"]),
        (f"```sokoban\n{ONE}\n```\n", [""]),
        (f"# A\n\n```\n{ONE}\n```\n~~~ xsb\n{TWO}\n~~~\n", ["A", ""]),
        # Angle brackets in ordinary files are text.
        (f"<b>A</b>\n{ONE}\n\nAuthor: <a at b>\n", ["<b>A</b>"]),
    ],
)
def test_what_is_a_title(text: str, expected: list[str]) -> None:
    assert titles(text) == expected


@pytest.mark.parametrize("form", ["Level {}", "level {}: Two", "{}", "#{}", "{}. Two", "{}/40", "; Two"])
def test_a_heading_line_between_tight_boards_begins_the_heading(form: str) -> None:
    heading = form.format(2)
    for lines in ("by Bob\nhard", "by Bob", "Author: Bob"):
        for above in ("", "Solution: R\n") if heading[0] == ";" else ("", "nice\n", "Solution: R\n"):
            one, two = read(f"{ONE}\n{above}{heading}\n{lines}\n{TWO}\n").levels
            assert (one.title, two.title) == ("", heading.removeprefix("; "))
            assert two.comment == lines or two.author == "Bob"
            assert one.comment == above.strip() or one.records
    for mark in ("", "; "):
        text = f"{mark}Level 1\n{ONE}\n{mark}hint\n{mark}2 pushes\n{mark}Level 2\nby Bob\n{TWO}\n{mark}hint\n"
        assert titles(text) == ["Level 1", "Level 2"]
    assert titles(f"{ONE}\n1. left\n2. right\nTwo\n{TWO}\n") == ["", "Two"]


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_heading_of_several_lines_stays_together(blank: str) -> None:
    for heading in (("Level {}", "; {}/40", "'Name'"), ("Level {}", "by Ann", "and Bob")):
        lines = ["\n".join(heading).replace("{}", number) for number in "12"]
        one, two = read(f"{lines[0]}\n{ONE}\n{blank}{lines[1]}\n{TWO}\n").levels
        assert (one.title, two.title) == ("Level 1", "Level 2")
        assert "2" not in one.comment
        assert two.comment.count("\n") == 1


@pytest.mark.parametrize("moves", ["R", "R\nR", "Solution: R", "Solution\nR", "rrrrRR"])
def test_solutions_part_boards(moves: str) -> None:
    pack = read(f"{ONE}\n{moves}\n{TWO}\n{moves}\n{THREE}\n{moves}\n")
    assert [[record.moves for record in level.records] for level in pack.levels] == [
        [moves.rpartition(":")[2].removeprefix("Solution").replace("\n", "").strip()]
    ] * 3
    assert [level.title for level in pack.levels] == [""] * 3


@pytest.mark.parametrize("ruler", RULERS)
def test_rulers_are_no_levels(ruler: str) -> None:
    assert titles(f"{ONE}\n{ruler}\n{TWO}\n{ruler}\n{THREE}\n") == ["", "", ""]
    for blank in ("", "\n"):
        for lines in ("{0}\n{1}\n", "{0}\n{1}\n{0}\n", "{0}\n\n{1}\n\n"):
            first, second = (lines.format(ruler, f"Level {number}") + blank for number in (1, 2))
            pack = parse_xsb(f"{first}{ONE}\n{blank}{second}{TWO}\n", "x")
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
            assert len(read(f"{lines}{ONE}\n{blank}{lines}{TWO}\n").levels) == 2
    assert read(f"{edge}\n{line}\n{edge}\n").size == 0


def test_run_length_boards_are_parted_too() -> None:
    for rows in ("5#|#@$.#|5#", "5#\n#@$.#\n5#"):
        pack = parse_xsb(f"Level 1\n{rows}\nLevel 2\n{rows}\n", "x")
        assert [(level.title, len(level.rows)) for level in pack.levels] == [("Level 1", 3), ("Level 2", 3)]


def test_a_level_that_is_none_does_not_spoil_its_neighbours() -> None:
    for bad in ("#####\n#@$. \n#####", "#####\n# $.#\n#####", "#####\n#@x.#\n#####", "#####\n#@$$#\n#####"):
        pack = parse_xsb(f"Level 1\n{ONE}\nLevel 2\n{bad}\nLevel 3\n{THREE}\nLevel 4\n{ONE}\n", "x")
        assert [level.number for level in pack.levels] == [1, 3, 4]
        assert [(error.level, error.title) for error in pack.errors] == [(2, "Level 2")]


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#@$.#\nx\n#####", "#####\n#@ x#\n# $.#\n#####", "#####\n#@$.#\n#####\n#x #\n####",
        "##########\n####x#####\n#####\n#@$.#\n#####", "#####\n#@$.#\n#####\n#@$.#\n#####",
    ],
)  # fmt: skip
def test_broken_rows_are_no_texts(text: str) -> None:
    pack = parse_xsb(text, "x")
    assert (len(pack.levels), len(pack.errors)) == (0, 1)


def test_rows_of_floor_and_stars_in_one_board_are_rows() -> None:
    text = "*****\n#####\n#@ ##\n-\n#  ##\n# $.#\n#####"
    assert len(parse_xsb(text.replace("\n-\n", "\n#---#\n"), "x").levels[0].rows) == 7


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\r\n"])
def test_any_line_ends(end: str) -> None:
    text = f"Level 1\n{ONE}\nLevel 2\n{TWO}\n".replace("\n", end)
    assert titles(text) == ["Level 1", "Level 2"]


def test_doubled_line_ends_leave_numbers_of_lines_as_they_are() -> None:
    text = f"Level 1\n\n{ONE}\n#x#\n#####\n".replace("\n", "\n\n")
    (error,) = parse_xsb(text, "x").errors
    assert (error.line, error.column) == (11, 2)
    assert rows_of_board(text, 1) == ([*ONE.split("\n"), "#x#", "#####"], 5)
    assert parse_xsb(f"{ONE}\n".replace("\n", "\n\n"), "x").levels[0].line == 1


@pytest.mark.parametrize("blank", "\xa0\u2003\u3000\u202f")
def test_blanks_beyond_ascii_are_floor(blank: str) -> None:
    text = f"A{blank}B\n{THREE.replace(' ', blank)}\n\n\ufeff{ONE}\n"
    pack = parse_xsb(text, "x")
    assert ([level.rows for level in pack.levels], pack.levels[0].title) == (
        [tuple(THREE.split("\n")), tuple(ONE.split("\n"))],
        f"A{blank}B",
    )


@pytest.mark.parametrize(
    "page",
    [
        "<html><body>\n<h2>A</h2>\n<pre>{0}</pre>\n<h2>B</h2>\n<pre>{1}</pre>\n</body></html>\n",
        "<p>A<pre class='x'>\n{0}\n</pre>\n<p>B<pre>\n{1}\n</pre>\n",
        "<h1>A</h1><p>{0}</p><h1>B</h1><p>{1}</p>".replace("{0}", ONE.replace("\n", "<br>").replace(" ", "&nbsp;")),
    ],
)
def test_boards_in_web_pages(page: str) -> None:
    assert titles(page.format(ONE, TWO)) == ["A", "B"]
    (error,) = parse_xsb(page.format(ONE, TWO).replace(".$ @", ".x @"), "x").errors
    assert error.level == 2
    assert page.format(ONE, TWO).replace(".$ @", ".x @").split("\n")[error.line - 1][error.column - 1] == "x"
