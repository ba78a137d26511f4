"""Levels in links: what is written is read back, and so is what other pages read; bad links are one line each."""

from base64 import urlsafe_b64encode
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.text import printable
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.links import is_linked_level, unwrapped
from sokoterm.formats.registry import looks_like_pack, parse
from sokoterm.formats.write_text import as_text_has_it, to_link
from tests.unit.engine.drawn import levels as drawn_levels
from tests.unit.engine.drawn import varied_levels
from tests.unit.formats.test_round_trip import TITLE

PAGE = "https://example.org/sokoban/"
ROWS = ("#####", "#@$.#", "#####")
EASY = f"{PAGE}?level=" + quote("\n".join(ROWS))


def read(text: str) -> Pack:
    return parse(text.encode(), "x.txt")


@given(
    drawn_levels | varied_levels(),
    TITLE,
    TITLE,
    st.text("lurdLURD", max_size=99),
    st.sampled_from([PAGE, f"{PAGE}?lang=de"]),
)
def test_what_is_written_is_read_back(level: Level, title: str, author: str, lurd: str, page: str) -> None:
    link = to_link(level.replace(title=title, author=author), page, lurd)
    assert link.isascii()
    assert link.isprintable()
    pack = read(f"Look: {link}.\n")
    (there,) = pack.levels
    assert there.puzzle == as_text_has_it(level, []).puzzle
    assert [there.title or "Look:", there.author] == [
        " ".join(printable(text).split()) or other for text, other in ((title, "Look:"), (author, ""))
    ]
    assert [record.moves for record in there.records] == [lurd] * bool(lurd)
    assert pack.errors == ()


def test_sokobanscript_reads_the_rows_that_are_written() -> None:
    """It splits them at line ends, and knows only these characters."""
    link = to_link(Level.from_xsb(" ####\n##. #\n#@$ #\n#####"), PAGE, "ruL")
    (rows,) = parse_qs(urlsplit(link).query)["level"]
    assert rows == "-####\n##.-#\n#@$-#\n#####"


@pytest.mark.parametrize(
    "link",
    [
        EASY,
        EASY.replace("level", "puzzle"),
        EASY.replace("level", "map"),
        EASY.replace("https", "HTTP"),
        EASY.replace("%0A", "%0D%0A"),
        f"{EASY}%0A&id=7",
        f"{EASY}#top",
        f"{PAGE}?id=7&level=5%23|%23@$.%23|5%23",
        f"{PAGE}?level=5%23%0A%23%40%24.%23%0A5%23",
        f"{PAGE}?level=5#|#@$.#|5#",
        f"{PAGE}?level=#####%0A#@$.#%0A#####",
        f"{PAGE}?base64=" + urlsafe_b64encode("\n".join(ROWS).encode()).decode(),
        f"{PAGE}?base64=" + urlsafe_b64encode("\n".join(ROWS).encode()).decode().rstrip("="),
    ],
)
def test_links_of_other_pages(link: str) -> None:
    assert is_linked_level(link)
    assert looks_like_pack(link.encode())
    (level,) = read(link).levels
    assert level.rows == ROWS


def test_plus_and_underscore_are_floor() -> None:
    (level,) = read(f"{PAGE}?level=%23%23%23%23%23%23%0A%23%40%24+.%23%0A%23_%2D%20_%23%0A6%23&title=A+b").levels
    assert (level.rows[1:3], level.title) == (("#@$ .#", "#    #"), "A b")


def test_links_among_words_and_boards() -> None:
    board = "\n".join(ROWS)
    text = f"> 1. Easy: {EASY}, and another one ({EASY}&moves=R)\n- {EASY}&title=Own\n\n; Drawn\n\n{board}\n"
    pack = read(text)
    assert [level.title for level in pack.levels] == ["1. Easy:", "and another one", "Own", "Drawn"]
    assert [level.line for level in pack.levels] == [1, 1, 2, 6]
    assert [len(level.records) for level in pack.levels] == [0, 1, 0, 0]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/sokoban?level=3",
        "https://example.org/sokoban?level=3#board",
        "https://example.org/?q=%23%0A%23%0A%23",
        "https://example.org/level=%23%0A%23%0A%23",
        "https://example.org/?base64=x",
        "https://example.org/?" + "&" * 100 + EASY.partition("?")[2],
    ],
)
def test_other_addresses_are_text(address: str) -> None:
    assert not is_linked_level(address)
    pack = read("\n".join([*ROWS, address]))
    assert (pack.size, pack.levels[0].comment) == (1, address)


FOREIGN = "in the level of a link, expected rows of # @ $ . characters"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("level=%ZZ%23%23%0A%23%40%24.%23%0A%23%23%23", f"found '%' {FOREIGN}"),
        ("level=%23%23%23%0A%23%00%24.%23%0A%23%23%23", rf"found '\x00' {FOREIGN}"),
        ("level=%23%23%23%0A%23%1B[2J%23%0A%23%23%23", rf"found '\x1b' {FOREIGN}"),
        ("level=%23%23%23%0A%23%FF%24.%23%0A%23%23%23", f"found '\ufffd' {FOREIGN}"),
        ("level=999999999%23|%23|%23", "found a count that makes 999,999,999, expected at most 1,000"),
        ("level=" + "9" * 9999 + "%23|%23|%23", "found a count over 999,999,999, which is too large"),
        ("level=0%23|%23|%23", "found a count of 0, expected 1 or more"),
        ("level=" + "9(" * 20 + "%23" + ")" * 20 + "|%23|%23", "found a count that makes "),
        ("level=" + "9(" * 2000 + "%23|%23|%23", "more than 1,000 groups are nested in each other"),
        ("level=%23" + "%0A%23" * 1000, "found a board of 1x1,001 squares, expected at most 1,000x1,000"),
        ("level=" + "%23" * 1001 + "%0A%23%0A%23", "found a count that makes 1,001, expected at most 1,000"),
        ("level=%23%0A%23%0A%23&title=" + "x" * 300_000, "found a line of more than 262,144 characters"),
        ("level=%23" + "%0A%23" * 90_000, "found a line of more than 262,144 characters"),
        ("level=%23%23%23%0A%23%40%24.%23%0A%23%23%23", "the board is not closed: there is a gap in its wall"),
        ("level=%23%0A%23%0A%23&ice=%1B%0A~&title=%1B%00%0A&solution=%00", "found no player, expected one @ or +"),
    ],
)
def test_hostile_links_are_one_line_each_and_the_rest_is_read(query: str, said: str) -> None:
    pack = read(f"{PAGE}?{query}\n{EASY}\n")
    (error,) = pack.errors
    assert (error.level, error.line, error.column) == (1, 1, 0)
    assert error.problem.startswith(said)
    assert str(error).isprintable()
    assert [level.number for level in pack.levels] == [2]
    assert is_linked_level(f"{PAGE}?{query}")


def test_control_characters_in_texts_of_a_link_stay_out() -> None:
    (level,) = read(f"{EASY}&title=a%00%1B[31m%0A%0A5%23%0Ab&author=%E2%80%AE").levels
    assert (level.title, level.author) == ("a??[31m 5# b", "?")


def test_many_links_count_as_levels() -> None:
    with pytest.raises(LevelError, match="more than 3 levels"):
        parse(f"{EASY}\n".encode() * 4, "x.txt", limits=ReadLimits(levels=3))


def test_a_link_copied_from_a_window_is_put_together() -> None:
    assert unwrapped(f" {EASY[:40]}\r\n{EASY[40:]}\n") == EASY
    for text in (f"{EASY} I like it", f"{EASY}\n{EASY}", "r\nR", "", f"a {EASY}"):
        assert unwrapped(text) == text
