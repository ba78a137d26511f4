"""SLC, the XML format of sourcecode.se: old, new, broken and hostile files."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.level import LevelError
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.slc import parse_slc

ROWS = "<L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>"
LEVEL = f'<Level Id="One">\n{ROWS}\n</Level>'
END = "</LevelCollection></SokobanLevels>"


def slc(*levels: str, head: str = "", attributes: str = "") -> bytes:
    text = f"<SokobanLevels>{head}<LevelCollection{attributes}>\n" + "\n".join(levels) + END
    return text.encode()


def only_error(data: bytes, levels: int = 0) -> str:
    """Return the one error of a file in which ``levels`` levels are readable."""
    pack = parse_slc(data, "x.slc")
    assert len(pack.levels) == levels
    (error,) = pack.errors
    assert error.level == levels + 1
    return str(error)


def test_texts_go_to_their_fields() -> None:
    pack = parse_slc(
        slc(
            LEVEL,
            '<Level Id="Two &amp; 3" Copyright="B">' + ROWS + "</Level>",
            head="<Title>\n A  set </Title><Description>\n\n  It says\nmuch. \n </Description><Email>a@b</Email>"
            "<Url>http://c</Url>",
            attributes=' Copyright="A" MaxWidth="99"',
        ),
        "x.slc",
    )
    assert (pack.title, pack.author, pack.comment) == ("A  set", "A", "  It says\nmuch. ")
    assert pack.metadata == (("email", "a@b"), ("homepage", "http://c"))
    assert [(level.title, level.author) for level in pack.levels] == [("One", ""), ("Two & 3", "B")]
    assert parse_slc(slc(LEVEL), "folder/name.slc").title == "name"


def test_what_has_no_field_is_kept_as_metadata() -> None:
    pack = parse_slc(
        slc(
            f'<Level Id="1" Difficulty="5" Width="9"><Note kind="n">all\nof it</Note>{ROWS}stray</Level>',
            head="<Date>2001</Date><Title>A</Title><Title>B</Title>",
            attributes=' Place="here"',
        ),
        "x.slc",
    )
    assert pack.metadata == (("date", "2001"), ("title", "B"), ("place", "here"))
    assert pack.levels[0].metadata == (
        ("difficulty", "5"),
        ("note kind", "n"),
        ("note", "all\nof it"),
        ("text", "stray"),
    )


def test_second_collection_has_its_own_author() -> None:
    second = f'</LevelCollection><LevelCollection Copyright="B">{LEVEL}'
    pack = parse_slc(slc(LEVEL, second, attributes=' Copyright="A"'), "x.slc")
    assert (pack.author, [level.author for level in pack.levels]) == ("A", ["", "B"])
    pack = parse_slc(slc(LEVEL, second), "x.slc")
    assert (pack.author, [level.author for level in pack.levels]) == ("", ["", "B"])


def test_empty_rows_do_not_split_a_level() -> None:
    rows = "<L/><L>#####</L><L></L><L>  -_ </L><L>-#####</L><L>_#pb.#</L><L>-#####  </L><L/>"
    (level,) = parse_slc(slc(f"<Level>{rows}</Level>"), "x.slc").levels
    assert level.rows == ("#####", "", "", " #####", " #@$.#", " #####")


def test_margin_is_taken_away() -> None:
    broken = "<Level><L>  #####</L>\n<L>  #@$&#120;#</L>\n<L>  #####</L></Level>"
    pack = parse_slc(slc(LEVEL, broken, LEVEL.replace("<L>", "<L>   ")), "x.slc")
    assert [level.rows for level in pack.levels] == [("#####", "#@$.#", "#####")] * 2
    assert [level.number for level in pack.levels] == [1, 3]
    assert [level.line for level in pack.levels] == [3, 11]
    (error,) = pack.errors
    assert str(error).startswith("x.slc, line 8, level 2: found 'x', expected one of # @ + $ * . - _")


def test_lines_are_counted_whatever_ends_them() -> None:
    data = slc(LEVEL, LEVEL.replace("@", "?"))
    for end in (b"\r\n", b"\r"):
        (error,) = parse_slc(data.replace(b"\n", end), "x.slc").errors
        assert (error.line, error.character) == (9, "?")


def test_columns_are_those_of_elements_in_characters() -> None:
    data = slc(*["<Level/>é"] * 3).replace(b"\n", b"")
    first = data.index(b"<Level/>") + 1
    found = [(error.line, error.column) for error in parse_slc(data, "x").errors]
    assert found == [(1, first), (1, first + 9), (1, first + 18)]


def test_level_that_breaks_the_rules_leaves_the_others() -> None:
    pack = parse_slc(slc(LEVEL, LEVEL.replace("$", " "), "<Level/>", "<Level><L> </L></Level>", LEVEL), "x.slc")
    assert [level.number for level in pack.levels] == [1, 5]
    assert [(error.level, error.line) for error in pack.errors] == [(2, 8), (3, 12), (4, 13)]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252", "gb18030", "utf-16"])
def test_declared_encoding_decides(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + slc(LEVEL, head="<Title>Café</Title>").decode()
    assert parse_slc(text.encode(encoding), "x").title == "Café"
    assert parse_slc(text.encode("utf-8-sig"), "x").title == "Café"
    assert parse_slc(text.encode("cp1252"), "x", encoding="cp1252").title == "Café"


def test_encoding_that_is_not_so() -> None:
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?>' + slc(LEVEL, head="<Title>“A”</Title>").decode()
    assert parse_slc(latin.encode("cp1252"), "x").title == "“A”"
    told = '<?xml version="1.0" encoding="utf-16"?>' + slc(LEVEL).decode()
    assert len(parse_slc(told.encode(), "x").levels) == 1
    unknown = told.replace("utf-16", "klingon").encode()
    assert only_error(unknown) == (
        "x.slc, line 1, level 1: found the encoding 'klingon', expected one such as utf-8 or iso-8859-1"
    )
    assert only_error(unknown.replace(b"klingon", b"utf-7")).startswith("x.slc, line 1, level 1: found the encoding")
    spoilt = slc(LEVEL, LEVEL.replace("One", "\xe9")).decode().encode("latin-1")
    assert only_error(spoilt, 1) == ("x.slc, line 7, column 12, level 2: found the byte 0xe9, expected text in utf-8")
    with pytest.raises(LevelError, match=r"^x, line 7, column 12: found the byte 0xe9, expected text in utf-8$"):
        parse_slc(spoilt, "x", encoding="utf-8")
    with pytest.raises(LevelError, match=r"^x: found the encoding 'klingon'"):
        parse_slc(spoilt, "x", encoding="klingon")


@pytest.mark.parametrize(
    ("data", "levels", "problem"),
    [
        (b"", 0, "line 1, column 1, level 1: found broken XML (no element found)"),
        (b"<html></html>", 0, "line 1, column 1, level 1: found the element <html>, expected <SokobanLevels>"),
        (b"<SokobanLevels/>", 0, "level 1: found no level, expected <Level> elements in <SokobanLevels>"),
        (slc(LEVEL)[:-9], 1, "line 6, column 27, level 2: found the end of the file inside the <sokobanlevels>"),
        (slc(LEVEL, LEVEL)[:-65], 1, "line 9, column 4, level 2: found the end of the file inside the <l> of line 9"),
        (slc(LEVEL, "<Level>\n<L>#</M>"), 1, "line 8, column 7, level 2: found broken XML (mismatched tag), expected"),
        (
            slc(LEVEL, "A & B"),
            1,
            "line 7, column 4, level 2: found broken XML (not well-formed (invalid token)), expected",
        ),
        (slc(LEVEL, "&eacute;"), 1, "line 7, column 1, level 2: found broken XML (undefined entity), expected"),
        (
            slc(LEVEL) + b"\n!",
            1,
            "line 7, column 1, level 2: found broken XML (not well-formed (invalid token)), expected",
        ),
        (slc(LEVEL, f"<Level>{LEVEL}</Level>"), 1, "line 7, column 8, level 2: found <Level> inside a <Level>"),
    ],
)
def test_broken_xml_is_one_error_after_the_levels_before_it(data: bytes, levels: int, problem: str) -> None:
    assert only_error(data, levels).startswith(f"x.slc, {problem}")


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY l0 "ha">' + LAUGHS,
        f'<!ENTITY l9 "{"a" * 50_000}">',
        '<!ENTITY l9 SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;',
        '<!ATTLIST Level Id CDATA "x">',
        "",
    ],
)
def test_doctype_with_declarations_is_refused_before_anything_is_expanded(subset: str) -> None:
    body = slc(LEVEL, head=f"<Title>{'&l9;' * 1000}</Title>").decode()
    for doctype in ("<!DOCTYPE SokobanLevels [{}]>", "<!DOCTYPE S\nPUBLIC '-' \">[\" [\n{}]>"):
        text = '<?xml version="1.0"?>\n<!-- <a> -->\n' + doctype.format(subset) + body
        line, column = (3, 25) if "PUBLIC" not in doctype else (4, 17)
        place = f"x.slc, line {line}, column {column}, level 1: "
        for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            data = text.encode(encoding)
            assert only_error(data) == (
                place + "found a DOCTYPE with declarations of its own, expected none or one that only names a DTD"
            )


def test_doctype_that_names_a_dtd_is_passed_over() -> None:
    for doctype in ('SYSTEM "file:///etc/passwd"', "PUBLIC '-' \n\">\"", ""):
        pack = parse_slc(f"<!DOCTYPE S {doctype}>".encode() + slc(LEVEL), "x.slc")
        assert (len(pack.levels), pack.errors) == (1, ())
    dropped = slc(LEVEL, "&eacute;")
    assert "found broken XML (&eacute;), expected an SLC file" in only_error(b'<!DOCTYPE S SYSTEM "a">' + dropped, 1)
    twice = b'<!DOCTYPE a SYSTEM "a"><!DOCTYPE a [<!ENTITY l9 "x">]>' + slc(LEVEL, "&l9;")
    assert "broken XML" in only_error(twice)


def test_elements_without_measure_are_refused() -> None:
    assert "found 51 nested elements" in only_error(b"<SokobanLevels>" + b"<a>" * 100_000)
    many = " ".join(f'a{i}=""' for i in range(100_000)).encode()
    assert "found an element with 100,000 attributes" in only_error(b"<SokobanLevels " + many + b"/>")
    assert "found a text of over 1,000,000 characters" in only_error(
        slc(LEVEL, head=f"<Title>{'x' * 2_000_000}</Title>")
    )


def test_limits_are_kept() -> None:
    limits = ReadLimits(width=5, height=3, levels=2)
    wide = LEVEL.replace("#####", "######")
    prefixed = LEVEL.replace("Level", "a:Level")
    pack = parse_slc(slc(wide, LEVEL, prefixed), "x.slc", limits)
    assert [level.number for level in pack.levels] == [2]
    first, second = map(str, pack.errors)
    assert (
        first == "x.slc, line 3, level 1 (One): found a board of 6x3 squares, "
        "expected at most 5x3 (--max-board raises the limit)"
    )
    assert pack.errors[0].title == "One"
    assert second.startswith(
        "x.slc, line 12, column 1, level 3: found a level after 2, expected at most that many "
        "(--max-levels raises the limit)"
    )


def test_short_rows_are_not_read_beyond_as_many_squares_as_a_file_may_have_bytes() -> None:
    large = f"<Level><L>{'#' * 1000}</L>{'<L>#</L>' * 996}{ROWS}</Level>"
    pack = parse_slc(slc(LEVEL, *[large] * 3), "x.slc", ReadLimits(megabytes=2))
    assert [level.number for level in pack.levels] == [1, 2, 3]
    *_, last = pack.errors
    problem = (
        "found boards of more than 2,097,152 squares in all, expected at most that many (--max-file raises the limit)"
    )
    assert (last.level, last.problem) == (4, problem)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_more_levels_than_the_limit_are_an_error_before_any_is_read(encoding: str) -> None:
    data = slc(*[LEVEL] * 3).decode().encode(encoding)
    assert len(parse_slc(data, "x.slc", ReadLimits(levels=3)).levels) == 3
    with pytest.raises(
        LevelError, match=r"^x\.slc: found more than 2 levels, expected at most 2 levels \(--max-levels"
    ):
        parse_slc(data, "x.slc", ReadLimits(levels=2))


def test_texts_and_rows_without_number_are_refused() -> None:
    texts = "<a>b</a>" * 100_000
    assert "found over 1,000 texts besides rows, expected fewer" in only_error(slc(LEVEL, texts, LEVEL), 1)
    for rows in ("<L>#</L>", "<L/>"):
        tall = LEVEL.replace(ROWS, rows * 100_000)
        found = only_error(slc(LEVEL, tall, LEVEL), 1)
        assert "found over 10,000 rows in a level, expected at most 1,000 (--max-board raises the limit)" in found


@pytest.mark.parametrize("endless", [b"<a " + b"b='' " * 1_000_000, b"<L>" + b"#" * 5_000_000, b"'" * 5_000_000])
def test_what_has_no_end_ends_the_file_before_it_is_parsed(endless: bytes) -> None:
    read = b"<SokobanLevels><LevelCollection>" + LEVEL.encode() + b"\n"
    (error,) = parse_slc(read + endless, "x.slc").errors
    assert str(error).startswith("x.slc, line ")
    assert "bytes without the end of a tag, expected elements" in str(error)
    assert error.level == 2


def check_any(data: bytes) -> None:
    pack = parse_slc(data, "x")
    assert sorted(each.number for each in pack.levels) == [each.number for each in pack.levels]
    assert not any("\n" in str(each) for each in pack.errors)
    numbers = [each.number for each in pack.levels] + [each.level for each in pack.errors]
    assert sorted(numbers) == list(range(1, pack.size + 1))
    assert pack.size


PARTS = st.sampled_from(
    (
        *(b"<SokobanLevels>", b"<LevelCollection>", b"</LevelCollection>", END.encode(), LEVEL.encode(), b"<Level>"),
        *(b"<L>", b"</L>", b"</Level>", b"<L>#@$.#</L>", b"<!DOCTYPE a", b"[", b">", b'<?xml version="1.0" encoding="'),
        *(b'"?>', b"<!-- ", b" -->", b"<![CDATA[", b"]]>", b"&amp;", b"&x;", b"\xff\xfe", b"\r", b"utf-16"),
        b"<!ENTITY x 'y'>",
    )
)
SPOILT = st.lists(st.one_of(PARTS, st.binary(max_size=8)), max_size=40).map(b"".join)
CHANGED = st.tuples(st.integers(0, 300), st.binary(max_size=3), st.integers(0, 4)).map(
    lambda change: slc(LEVEL, LEVEL)[: change[0]] + change[1] + slc(LEVEL, LEVEL)[change[0] + change[2] :]
)


@given(st.one_of(st.binary(max_size=200), SPOILT, CHANGED))
def test_any_bytes_are_levels_or_errors(data: bytes) -> None:
    check_any(data)


@pytest.mark.slow
@settings(max_examples=20_000)
@given(st.one_of(st.binary(max_size=200), SPOILT, CHANGED))
def test_many_bytes_are_levels_or_errors(data: bytes) -> None:
    check_any(data)
