"""Levels in XML: SLC of sourcecode.se, old, new, broken and hostile, and SSX, the libraries of SokoSolve."""

import pytest

from sokoterm.engine.level import LevelError, Record
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import looks_like_pack, parse, write
from sokoterm.formats.xml_levels import parse_xml
from tests.unit.formats.layouts import layouts_in, shown

ROWS = "<L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>"
LEVEL = f'<Level Id="One">\n{ROWS}\n</Level>'
END = "</LevelCollection></SokobanLevels>"


def slc(*levels: str, head: str = "", attributes: str = "") -> bytes:
    text = f"<SokobanLevels>{head}<LevelCollection{attributes}>\n" + "\n".join(levels) + END
    return text.encode()


def only_error(data: bytes, levels: int = 0, source: str = "x.slc") -> str:
    """Return the one error of a file in which ``levels`` levels are readable."""
    pack = parse_xml(data, source)
    assert len(pack.levels) == levels
    (error,) = pack.errors
    assert error.level == levels + 1
    return str(error)


def test_texts_go_to_their_fields() -> None:
    pack = parse_xml(
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
    assert parse_xml(slc(LEVEL), "folder/name.slc").title == "name"


LAYOUTS = layouts_in("layouts_xml.txt")


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_file_is_read_as_told(name: str) -> None:
    text, read = LAYOUTS[name]
    assert shown(lambda: parse_xml(text.encode(), "x")) == read


def test_lines_are_counted_whatever_ends_them() -> None:
    data = slc(LEVEL, LEVEL.replace("@", "?"))
    for end in (b"\r\n", b"\r"):
        (error,) = parse_xml(data.replace(b"\n", end), "x.slc").errors
        assert (error.line, error.character) == (9, "?")


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252", "gb18030", "utf-16"])
def test_declared_encoding_decides(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + slc(LEVEL, head="<Title>Café</Title>").decode()
    assert parse_xml(text.encode(encoding), "x").title == "Café"
    assert parse_xml(text.encode("utf-8-sig"), "x").title == "Café"
    assert parse_xml(text.encode("cp1252"), "x", encoding="cp1252").title == "Café"


def test_encoding_that_is_not_so() -> None:
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?>' + slc(LEVEL, head="<Title>“A”</Title>").decode()
    assert parse_xml(latin.encode("cp1252"), "x").title == "“A”"
    told = '<?xml version="1.0" encoding="utf-16"?>' + slc(LEVEL).decode()
    assert len(parse_xml(told.encode(), "x").levels) == 1
    unknown = told.replace("utf-16", "klingon").encode()
    assert only_error(unknown) == (
        "x.slc, line 1, level 1: found the encoding 'klingon', expected one such as utf-8 or gb18030"
    )
    assert only_error(unknown.replace(b"klingon", b"utf-7")).startswith("x.slc, line 1, level 1: found the encoding")
    spoilt = slc(LEVEL, LEVEL.replace("One", "\xe9")).decode().encode("latin-1")
    assert only_error(spoilt, 1) == ("x.slc, line 7, column 12, level 2: found the byte 0xe9, expected text in utf-8")
    with pytest.raises(LevelError, match=r"^x, line 7, column 12: found the byte 0xe9, expected text in utf-8$"):
        parse(spoilt, "x", "utf-8")
    with pytest.raises(LevelError, match=r"^x: found the encoding 'klingon'"):
        parse(spoilt, "x", "klingon")


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
        place = f"x.slc, line {3 if 'PUBLIC' not in doctype else 4}, level 1: "
        for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            data = text.encode(encoding)
            assert only_error(data) == (
                place + "found a DOCTYPE with declarations, expected none or one that only names a DTD"
            )


def test_doctype_that_names_a_dtd_is_passed_over() -> None:
    for doctype in ('SYSTEM "file:///etc/passwd"', "PUBLIC '-' \n\">\"", ""):
        pack = parse_xml(f"<!DOCTYPE S {doctype}>".encode() + slc(LEVEL), "x.slc")
        assert (len(pack.levels), pack.errors) == (1, ())
    dropped = slc(LEVEL, "&eacute;")
    assert "found broken XML (&eacute;), expected an SLC file" in only_error(b'<!DOCTYPE S SYSTEM "a">' + dropped, 1)
    twice = b'<!DOCTYPE a SYSTEM "a"><!DOCTYPE a [<!ENTITY l9 "x">]>' + slc(LEVEL, "&l9;")
    assert "broken XML" in only_error(twice)


def test_elements_without_measure_are_refused() -> None:
    problem = "found more than 12,000 elements in a level"
    many = " ".join(f'a{i}=""' for i in range(100_000))
    rows = LEVEL.replace(ROWS, "<L>#</L>" * 100_000)
    for data in ("<SokobanLevels>" + "<a>" * 100_000, f"<SokobanLevels {many}/>"):
        assert problem in only_error(data.encode())
    for hostile in ("<a>b</a>" * 100_000, rows, rows.replace("<L>#</L>", "<L/>")):
        assert problem in only_error(slc(LEVEL, hostile, LEVEL), 1)


def test_limits_are_kept() -> None:
    limits = ReadLimits(width=5, height=3, levels=3)
    wide = LEVEL.replace("#####", "######")
    pack = parse_xml(slc(wide, LEVEL, LEVEL.replace("Level", "a:Level")), "x.slc", limits)
    assert [level.number for level in pack.levels] == [2, 3]
    (error,) = pack.errors
    assert (
        str(error) == "x.slc, line 3, level 1 (One): found a board of 6x3 squares, "
        "expected at most 5x3 (--max-board raises the limit)"
    )
    assert error.title == "One"
    with pytest.raises(LevelError, match=r"^x, line 17: found more than 3 levels"):
        parse(slc(LEVEL, LEVEL, LEVEL, LEVEL), "x", None, limits)


def test_short_rows_are_not_read_beyond_as_many_squares_as_a_file_may_have_bytes() -> None:
    large = f"<Level><L>{'#' * 1000}</L>{'<L>#</L>' * 996}{ROWS}</Level>"
    with pytest.raises(LevelError, match="found boards of more than 2,097,152 squares in total"):
        parse(slc(LEVEL, *[large] * 3), "x.slc", None, ReadLimits(megabytes=2))


@pytest.mark.parametrize("endless", [b"<a " + b"b='' " * 1_000_000, b"<L>" + b"#" * 5_000_000, b"'" * 5_000_000])
def test_what_has_no_end_is_refused_before_it_is_parsed(endless: bytes) -> None:
    read = b"<SokobanLevels><LevelCollection>\n" + LEVEL.encode()
    with pytest.raises(LevelError, match=r"^x, line 6: found more than 4,000,000 bytes without the end of a tag"):
        parse(read + endless, "x")


# SSX

SSX_ROWS = "<Row>#####</Row>\n<Row>#PXO#</Row>\n<Row>#####</Row>"
MAP = f"<Map>\n{SSX_ROWS}\n</Map>"
PUZZLE = f"<Puzzle><PuzzleDescription><Name>One</Name></PuzzleDescription><Maps>\n{MAP}</Maps></Puzzle>"
SSX_END = "</Puzzles></SokobanLibrary>"
NAMESPACE = "http://sokosolve.sourceforge.net/SokoSolveLibrary.xsd"


def ssx(*puzzles: str, head: str = "") -> bytes:
    text = f'<SokobanLibrary xmlns="{NAMESPACE}" LibraryID="L1">{head}<Puzzles>\n' + "\n".join(puzzles) + SSX_END
    return text.encode()


def puzzle(description: str, *maps: str, attributes: str = "") -> str:
    inside = f"<PuzzleDescription>{description}</PuzzleDescription><Maps>{''.join(maps)}</Maps>"
    return f"<Puzzle{attributes}>{inside}</Puzzle>"


def test_solutions_survive_in_sok() -> None:
    solution = "<Solution><Steps>r</Steps></Solution>"
    data = ssx(puzzle("", MAP.replace("</Map>", f"<Solutions>{solution}</Solutions></Map>")))
    assert looks_like_pack(data)
    written = write(parse(data, "x.ssx"), "sok")
    assert written.lost == ()
    assert parse(written.data, "x.sok").levels[0].records == (Record("Solution", "r"),)


@pytest.mark.parametrize(
    ("data", "levels", "problem"),
    [
        (b"<SokobanLibrary/>", 0, "level 1: found no level, expected <Map> elements in <SokobanLibrary>"),
        (ssx(PUZZLE)[:-9], 1, "line 7, level 2: found the end of the file inside the <sokobanlibrary>"),
        (ssx(puzzle("", f"<Map>{MAP}</Map>")), 0, "line 2, level 1: found <Map> inside a <Map>"),
        (ssx(PUZZLE, "<x>y</x>" * 20_000), 1, "line 8, level 2: found more than 12,000 elements in a level"),
    ],
)
def test_broken_ssx_is_one_error_after_the_levels_before_it(data: bytes, levels: int, problem: str) -> None:
    assert only_error(data, levels, "x.ssx").startswith(f"x.ssx, {problem}")


def test_limits_are_kept_in_ssx() -> None:
    (error,) = parse_xml(ssx(PUZZLE), "x", ReadLimits(width=4)).errors
    assert str(error).startswith(
        "x, line 4, level 1 (One): found a board of 5x3 squares, expected at most 4x1,000 (--m"
    )
    for puzzles in (["<Puzzle/>"] * 9, [PUZZLE] * 9):
        with pytest.raises(LevelError, match="found more than 2 levels"):
            parse(ssx(*puzzles), "x", None, ReadLimits(levels=2))
