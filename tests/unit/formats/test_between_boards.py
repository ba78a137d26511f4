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


def test_a_level_that_is_none_does_not_spoil_its_neighbours() -> None:
    for bad in ("#####\n#@$. \n#####", "#####\n# $.#\n#####", "#####\n#@x.#\n#####", "#####\n#@$$#\n#####"):
        pack = parse_xsb(f"Level 1\n{ONE}\nLevel 2\n{bad}\nLevel 3\n{THREE}\nLevel 4\n{ONE}\n", "x")
        assert [level.number for level in pack.levels] == [1, 3, 4]
        assert [(error.level, error.title) for error in pack.errors] == [(2, "Level 2")]


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
