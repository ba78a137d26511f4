"""SSX, the libraries of SokoSolve: texts, cells, several maps, faulty and hostile files."""

import pytest

from sokoterm.engine.level import LevelError, Record
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import looks_like_pack, parse, write
from sokoterm.formats.xml_levels import parse_xml

ROWS = "<Row>#####</Row>\n<Row>#PXO#</Row>\n<Row>#####</Row>"
MAP = f"<Map>\n{ROWS}\n</Map>"
PUZZLE = f"<Puzzle><PuzzleDescription><Name>One</Name></PuzzleDescription><Maps>\n{MAP}</Maps></Puzzle>"
END = "</Puzzles></SokobanLibrary>"
NAMESPACE = "http://sokosolve.sourceforge.net/SokoSolveLibrary.xsd"


def ssx(*puzzles: str, head: str = "") -> bytes:
    text = f'<SokobanLibrary xmlns="{NAMESPACE}" LibraryID="L1">{head}<Puzzles>\n' + "\n".join(puzzles) + END
    return text.encode()


def puzzle(description: str, *maps: str, attributes: str = "") -> str:
    inside = f"<PuzzleDescription>{description}</PuzzleDescription><Maps>{''.join(maps)}</Maps>"
    return f"<Puzzle{attributes}>{inside}</Puzzle>"


def only_error(data: bytes, levels: int = 0) -> str:
    """Return the one error of a file in which ``levels`` levels are readable."""
    pack = parse_xml(data, "x.ssx")
    assert len(pack.levels) == levels
    (error,) = pack.errors
    assert error.level == levels + 1
    return str(error)


def test_texts_go_to_their_fields() -> None:
    details = (
        '<Details License="Free" Date="2001-12-01"><Name>A\n set</Name><Description>It says\n\nmuch.</Description>'
        '<Comments>2 puzzles</Comments><Author Name=" B " Email="b@c" Homepage="http://d" /></Details>'
    )
    second = (
        '<Name>Two &amp; 3</Name><Description>Easy</Description><Comments>or not</Comments><Author Name="E" Email=""/>'
    )
    pack = parse_xml(ssx(PUZZLE, puzzle(second, MAP, attributes=' Rating="5.5" PuzzleID="P3"'), head=details), "x.ssx")
    assert (pack.title, pack.author, pack.comment) == ("A set", "B", "It says\n\nmuch.\n2 puzzles")
    assert pack.metadata == (("license", "Free"), ("date", "2001-12-01"), ("email", "b@c"), ("homepage", "http://d"))
    first, last = pack.levels
    assert (first.title, first.author, first.comment, first.metadata) == ("One", "", "", ())
    assert (last.title, last.author, last.comment) == ("Two & 3", "E", "Easy\nor not")
    assert last.metadata == (("rating", "5.5"),)
    assert parse_xml(ssx(PUZZLE), "folder/name.ssx").title == "name"


def test_cells_are_those_of_sokosolve() -> None:
    rows = "".join(f"<Row >{row}</Row>" for row in ("", "~~~#####", "~~~#..O#", "####$X.#", "#..X.*.#", "########"))
    (level,) = parse_xml(ssx(puzzle("", f"<Map>{rows}</Map>")), "x.ssx").levels
    assert level.rows == ("   #####", "   #  .#", "####*$ #", "#  $ + #", "########")


def test_first_map_of_a_puzzle_has_its_texts() -> None:
    second = MAP.replace("</Map>", "<MapDetails><Name>Other</Name></MapDetails></Map>")
    pack = parse_xml(ssx(puzzle("<Name>One</Name><Comments>C</Comments>", MAP, second, MAP)), "x.ssx")
    assert [(level.number, level.title, level.comment) for level in pack.levels] == [
        (1, "One", "C"),
        (2, "Other", ""),
        (3, "", ""),
    ]


def test_category_is_kept_where_there_are_several() -> None:
    def category(name: str) -> str:
        described = f"<CategoryDescription><Name>{name * 20}</Name></CategoryDescription>"
        return f'<Category CategoryID="{name}">{described}</Category>'

    def categories_of(head: str) -> list[tuple[tuple[str, str], ...]]:
        puzzles = [puzzle("", MAP, attributes=f' CategoryREF="{name}"') for name in ("Some", "None")]
        return [level.metadata for level in parse_xml(ssx(*puzzles, head=head), "x").levels]

    assert categories_of(f"<Categories>{category('Some')}</Categories>") == [(), ()]
    several = f"<Categories>{category('Some')}{category('Others')}</Categories>"
    assert categories_of(several) == [(("category", "Some" * 20),), ()]


@pytest.mark.parametrize(
    ("name", "title"),
    [("<Name>Solution</Name>", "Solution"), ("", "Solution"), ("<Name>By hand</Name>", "Solution (By hand)")],
)
def test_solutions_are_kept_and_written(name: str, title: str) -> None:
    described = f'<SolutionDescription License="CC">{name}<Comments>Quick</Comments><Author Name="B"/>'
    solution = f'<Solution StartX="1" StartY="1"><Steps>\n r\n </Steps>{described}</SolutionDescription></Solution>'
    todo = "<Solution><Steps>TODO</Steps></Solution>"
    (level,) = parse_xml(
        ssx(puzzle("", MAP.replace("</Map>", f"<Solutions>{solution}{todo}</Solutions></Map>"))), "x"
    ).levels
    assert level.records == (Record(title, "r", "Quick\nAuthor: B\nLicense: CC"),)
    assert level.metadata == (("solution", "TODO"),)


def test_solutions_survive_in_sok() -> None:
    solution = "<Solution><Steps>r</Steps></Solution>"
    data = ssx(puzzle("", MAP.replace("</Map>", f"<Solutions>{solution}</Solutions></Map>")))
    assert looks_like_pack(data)
    written = write(parse(data, "x.ssx"), "sok")
    assert written.lost == ()
    assert parse(written.data, "x.sok").levels[0].records == (Record("Solution", "r"),)


def test_faulty_levels_keep_their_numbers() -> None:
    broken = PUZZLE.replace("PXO", "PX@")
    problem = "found 0 boxes and 2 goals within the player's reach, expected as many boxes as goals"
    pack = parse_xml(ssx(PUZZLE, broken, "<Puzzle/>", PUZZLE.replace("X", "O"), puzzle("", "<Map/>"), PUZZLE), "x.ssx")
    assert [level.number for level in pack.levels] == [1, 6]
    assert list(map(str, pack.errors)) == [
        "x.ssx, line 11, level 2 (One): found '@', expected one of ~ # . X O $ P * or a space",
        "x.ssx, line 14, level 3: found a puzzle without a map, expected a <Map>",
        f"x.ssx, line 17, level 4 (One): {problem}",
        "x.ssx, line 21, level 5: found a level without rows, expected <Row> elements",
    ]


@pytest.mark.parametrize(
    ("data", "levels", "problem"),
    [
        (b"<SokobanLibrary/>", 0, "level 1: found no level, expected <Map> elements in <SokobanLibrary>"),
        (ssx(PUZZLE)[:-9], 1, "line 7, level 2: found the end of the file inside the <sokobanlibrary>"),
        (ssx(puzzle("", f"<Map>{MAP}</Map>")), 0, "line 2, level 1: found <Map> inside a <Map>"),
        (ssx(PUZZLE, "<x>y</x>" * 20_000), 1, "line 8, level 2: found over 12,000 elements in a level"),
    ],
)
def test_broken_file_is_one_error_after_the_levels_before_it(data: bytes, levels: int, problem: str) -> None:
    assert only_error(data, levels).startswith(f"x.ssx, {problem}")


def test_limits_are_kept() -> None:
    (error,) = parse_xml(ssx(PUZZLE), "x", ReadLimits(width=4)).errors
    assert str(error).startswith(
        "x, line 4, level 1 (One): found a board of 5x3 squares, expected at most 4x1,000 (--m"
    )
    for puzzles in (["<Puzzle/>"] * 9, [PUZZLE] * 9):
        with pytest.raises(LevelError, match="found more than 2 levels, expected at most 2 levels"):
            parse(ssx(*puzzles), "x", None, ReadLimits(levels=2))
