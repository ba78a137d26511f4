"""Hostile text and random text: each loads or gives one clear error, in time linear in its length."""

import codecs
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.level import LevelError, Pack
from sokoterm.engine.lurd import replay
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import looks_like_pack, parse
from sokoterm.formats.text import parse_xsb

BOARD = "#####\n#@$.#\n#####\n\n"
LIMITS = ReadLimits(levels=100)


@contextmanager
def at_most(megabytes: int) -> Iterator[None]:
    """What is done in the block takes at most so much memory."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes << 20
    finally:
        tracemalloc.stop()


def refused(data: bytes, limits: ReadLimits = LIMITS, encoding: str | None = None) -> str:
    with pytest.raises(LevelError) as caught:
        parse(data, "x", encoding, limits)
    return str(caught.value)


HOSTILE = {
    "levels": (
        BOARD,
        "x, line 401: found more than 100 levels (--max-levels raises the limit)",
    ),
    "run-length levels": ("5#|#@$.#|5#\n\n", "x, line 201: found more than 100 levels"),
    "levels on old Macs": (BOARD.replace("\n", "\r"), "x, line 401: found more than 100 levels"),
    "lines": ("#\n", "found 500,000 lines, expected at most 2,000 (20 for each of 100 levels; --max-levels raises"),
    "blank lines": ("\r", "found 1,000,000 lines, expected at most 2,000"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_is_beyond_the_limits_is_refused_in_little_memory(name: str, encoding: str) -> None:
    piece, problem = HOSTILE[name]
    size = 1_000_000 if piece.isspace() or piece == "#\n" else 9_000
    data = (piece * (size // len(piece))).encode(encoding)
    with at_most(8):
        said = refused(data)
    assert problem in said


def test_as_many_levels_as_the_limit_are_read() -> None:
    assert parse((BOARD * 100).encode(), "x", None, LIMITS).size == 100
    assert refused(b"*\n\n" * 101).startswith("x, line 201: found more than 100 levels")


def test_lines_without_end_are_refused() -> None:
    line = b"#" * 4_000_000
    assert parse(line + b"\n" + line + b"\r" + line, "x").size == 1
    problem = "found a line of more than 4,000,000 characters"
    assert refused(b"\n\r\n\r" + line + b"#\n") == f"x, line 4: {problem}"
    assert refused(line * 15) == f"x, line 1: {problem}"


def test_texts_without_a_board_are_refused() -> None:
    texts = BOARD.encode() + b"; title\n" * 100_001
    assert refused(texts, ReadLimits()) == "x, line 4: found more than 100,000 lines without a board"
    assert parse(BOARD.encode() + b"; title\n" * 99_000 + BOARD.encode(), "x").size == 2


@pytest.mark.parametrize("place", [0, 5, 1_000_000])
def test_nul_bytes_are_refused(place: int) -> None:
    data = bytearray(BOARD.encode() + b"x\n" * 1_000_000)
    data[place] = 0
    assert "found a binary file (a NUL byte), expected text" in refused(bytes(data))
    assert not looks_like_pack(b"\0" + BOARD.encode())
    assert "--encoding" in refused(BOARD.encode("utf-16-le"))
    assert parse(BOARD.encode("utf-16-le"), "x", "utf-16-le").size == 1


def test_rows_that_would_fill_the_memory() -> None:
    limits = ReadLimits()
    for row in ("9" * 9 + "#", "999(" * 300 + "#" + ")" * 300, "\t" * 900_000 + "#", " " * 3_000_000 + "#"):
        data = f"5#\n{row}\n#####\n\n{BOARD}".encode()
        with at_most(30):
            pack = parse(data, "x", None, limits)
        assert [level.number for level in pack.levels] == [2]
        assert "expected at most 1,000" in str(pack.errors[0])
        assert pack.errors[0].line in (1, 2)


def test_bars_that_make_more_rows_than_a_board_may_have_are_counted_before_the_rows_are_made() -> None:
    data = ("#####|#@$.#|" + "|" * 100_000 + "#####\n").encode() * 22
    with at_most(30):
        (error,) = parse(data, "x").errors
    assert "found a board of 5x2,200,066 squares, expected at most 1,000x1,000" in str(error)


LARGE = "1000#|#@$.995-#|" + "#998-#|" * 997 + "1000#\n"
HOSTILE_BOARDS = {
    "boards of counts": f"{LARGE}\n",
    "boards of counts with a broken one at the end": LARGE.replace("1000#\n", "0#\n\n"),
    "short rows": "#" * 1000 + "\n" + "#\n" * 998 + "#@$.#\n\n",
    "rows beside a broken one": f"x####\n{LARGE}\n#x###\n\n",
    "rows of one board": "|".join(["999#"] * 199) + "\n",
}


@pytest.mark.parametrize("name", HOSTILE_BOARDS)
def test_boards_of_few_bytes_are_not_read_beyond_as_many_squares_as_a_file_may_have_bytes(name: str) -> None:
    data = HOSTILE_BOARDS[name].encode() * 40
    with at_most(30):
        said = refused(data, ReadLimits(megabytes=2))
    problem = "found boards of more than 2,097,152 squares in total (--max-file raises"
    assert f": {problem}" in said


def test_the_largest_board_is_read_however_small_a_file_may_be() -> None:
    for limits in (ReadLimits(megabytes=1, width=2000), ReadLimits(megabytes=1, width=2000, is_pasted=True)):
        large = LARGE.replace("1000", "2000").replace("99", "199")
        assert len(parse(large.encode(), "x", None, limits).levels) == 1


def test_as_many_squares_as_bytes_are_read_in_any_spelling() -> None:
    rows = ["#" * 64, "#@$." + " " * 59 + "#", *["#" + " " * 62 + "#"] * 61, "#" * 64]
    plain = ("\n".join(rows) + "\n\n") * 256
    counted = (f"64#|#@$.59-#|{'#62-#|' * 61}64#\n\n") * 256
    limits = ReadLimits(megabytes=1, width=64, height=64)
    for text in (plain, counted):
        assert len(parse_xsb(text, "x", limits).levels) == 256
        with pytest.raises(LevelError, match=r"level 257: found boards of more than 1,048,576 squares in total"):
            parse_xsb(text + BOARD, "x", limits)


def test_a_paste_may_have_four_million_squares() -> None:
    limits = ReadLimits(is_pasted=True)
    assert len(parse((LARGE + "\n").encode() * 4, "x", None, limits).levels) == 4
    said = refused((LARGE + "\n").encode() * 5, limits)
    problem = "found boards of more than 4,000,000 squares in total (the limit for files"
    assert said.startswith(f"x, line 9, level 5: {problem}")
    assert len(parse((LARGE + "\n").encode() * 5, "x").levels) == 5


def check(data: bytes, encoding: str | None = None) -> Pack | None:
    """Assert what holds for any bytes: unique numbers, errors with a place, records that replay or say why not."""
    looks_like_pack(data)
    try:
        pack = parse(data, "x", encoding, LIMITS)
    except LevelError as error:
        refusal = error
    else:
        return check_pack(pack)
    assert refusal.source == "x"
    assert "\n" not in refusal.problem
    return None


def check_pack(pack: Pack) -> Pack:
    numbers = sorted([level.number for level in pack.levels] + [error.level for error in pack.errors])
    assert numbers == list(range(1, pack.size + 1))
    for error in pack.errors:
        assert (error.source, error.line > 0) == ("x", True)
    for level in pack.levels:
        for record in level.records:
            assert record.moves
            assert not any(map(str.isspace, record.moves))
            found = replay(level, record)
            assert (found.solution is None) == bool(found.problem)
    return pack


PIECES = st.sampled_from(
    [
        "#####", "#@$.#", "# $ #", "5#", "#@1$.#", "5#|#@$.#|5#", "2(3(#-)#)", "3-|", "|", "-", "--", "", " ", "#pb.#",
        "; 1", "1", "x", "#x#", "999999999#", "2(", ")", "Title: A", "Comment:", "Comment-End:", "::", "> #####", "> R",
        "12", "\t#+*#", "*", "####", "$", "Author: B", "\x1b[2J", "R", "rrrUU", "3r4U", "dull", "2(r", "[]Urr", "rr*U",
        "Solution", "Solution: rR", "Solution: r1,1-1l2", "Solution:", "Solution: undefined", "Best Solution 1/1 (A)",
        "Savegame:", "Tomo", "Time: 1",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("\n".join) | st.text(max_size=200) | st.text("#@$.-*|3(rRpP\n >", max_size=60)
HEADS = st.sampled_from([b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE, b"<?xml", b"<SokobanLevels>"])
DATA = st.builds(lambda head, text: head + text.encode("utf-8", "replace"), HEADS, TEXTS) | st.binary(max_size=200)
ENCODINGS = st.sampled_from([None, "utf-8", "cp1252", "gb18030", "shift_jis", "euc_jp", "utf-16", "idna", "utf-7", "x"])


@settings(max_examples=100)
@given(DATA, ENCODINGS)
def test_anything_loads_or_is_one_error(data: bytes, encoding: str | None) -> None:
    check(data, encoding)


@given(TEXTS)
def test_any_text_reads_the_same_whatever_its_line_ends_and_encoding(text: str) -> None:
    text = text.encode("utf-8", "replace").decode().replace("\r", "").replace("\0", "").removeprefix("\ufeff")
    plain = check(text.encode())
    if plain is None or text.lstrip().startswith("<"):
        return
    for error in plain.errors:
        if error.character:
            assert text.split("\n")[error.line - 1][error.column - 1] == error.character
    for again in (
        check(text.replace("\n", "\r\n").encode()),
        check(text.replace("\n", "\r").encode()),
        check(codecs.BOM_UTF8 + text.encode()),
        check(codecs.BOM_UTF16_BE + text.encode("utf-16-be")),
    ):
        assert again is not None
        assert again._replace(errors=()) == plain._replace(errors=())
        assert [*map(str, again.errors)] == [*map(str, plain.errors)]
