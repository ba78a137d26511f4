"""Round trips: each format reads back what was written, except for what the writer reports as lost."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sokoterm.engine.level import Pack, Record
from sokoterm.formats.grammar import kind
from sokoterm.formats.registry import FORMATS, check_read_back, parse, write
from tests.unit.engine.drawn import levels as drawn_levels
from tests.unit.engine.drawn import varied_levels

# SokoMind has no sign for a box on a goal.
WHOLE = [name for name in FORMATS if name != "sokomind"]
NASTY = (
    *("#####", "#@$.#", "  #*#", "3#4-p.#", "5#|#@$.#|5#", "*", "***", "- - -", "----", "====", "::", ":: raw", "-"),
    *("rrULd", "lurd", "2(3(dr)R)", "LULL", "r1,4-2l2", "[]Urrd", "R", "full", "dull", "DURRRD", "1", "44", "1.", "#1"),
    *("; x", ";", ";;", ";screen.01", "Title: x", "Author: y", "Comment: z", "Comment:", "Comment-End:", "Date :1"),
    *("comment end: u", "Comment_End:", "Solution: rrr", "Solution 3/2", "Solution", "Best Solution 9/9", "Savegame:"),
    *("Savegame", "Saved Game 3", "Collection: c", "Solver: YASS", "Time: 00:01", "key:value", ": :", "Snapshot"),
    *("> #####", ">", ">> Title: q", "é 箱 “x”", "a  b", "a\tb", "]]>", "<L>", "&amp; &#10;", "\"'", "<!DOCTYPE a ["),
    *(
        "Solution/Moves 230/97 (YASS 2.86 Optimizer)", "\u2028", "\ufeffx", "x\x1a", "\x1b[31m", "\x85", "\x00",
        "\ud800",
    ),
    *("Id: 3", "Copyright: me", "Difficulty: 5", "heading", "Heading: h", "Undefined", "Solution: undefined"),
)  # fmt: skip
LINE = st.one_of(st.sampled_from(NASTY), st.text(max_size=8), st.text("lurdLURD#@$.*-_ :;>|3(", max_size=8)).map(
    lambda text: " ".join(text.split("\n"))
)
TITLE = LINE.map(str.strip)
RAW = st.lists(st.one_of(LINE, st.just(""), LINE.map("  {}".format)), max_size=6)
COMMENT = RAW.map("\n".join).map(lambda text: text.rstrip().strip("\n"))
MOVES = st.one_of(
    st.text("lurdLURD", min_size=1, max_size=200), st.just("rR*lL"), st.just("[]UrrD[ul]d"), st.just("r1,4-2l2")
)
KEYS = ("id", "date", "difficulty", "copyright", "email", "homepage", "title", "collection", "heading", "remarks")
_FIGURES = "9 moves, 2 box lines, 1 box changes, 1 pushing sessions, 3 of 4 floor squares used"
RECIPES = st.integers(1, 999).map(lambda pushes: (("recipe", f"{pushes} pushes, {_FIGURES}"),))
RECORDS = st.builds(
    Record,
    st.sampled_from(("Solution", "Solution 3/2 (A B)", "Solution/Moves 230/97", "Savegame", "Best Solution 1/1", "")),
    MOVES,
    COMMENT,
)


REMARKS = RAW.map("\n".join).filter(lambda text: bool(plain(text))).map(lambda text: (("remarks", text),))


def pairs(keys: tuple[str, ...]) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    return st.dictionaries(st.sampled_from(keys), TITLE.filter(bool), max_size=3).map(
        lambda found: tuple(found.items())
    )


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    """Packs with drawn boards and texts that resemble everything else."""
    levels = tuple(
        level.replace(
            title=draw(TITLE),
            author=draw(TITLE),
            comment=draw(COMMENT),
            metadata=draw(pairs(("id", "date", "difficulty", "email", "set by")))
            + draw(RECIPES | st.just(()))
            + draw(REMARKS | st.just(())),
            records=tuple(draw(st.lists(RECORDS, max_size=2))),
            number=number,
        )
        for number, level in enumerate(draw(st.lists(drawn_levels | varied_levels(), min_size=1, max_size=3)), start=1)
    )
    metadata = draw(pairs(("email", "homepage", "date", "copyright", "made with"))) + draw(REMARKS | st.just(()))
    return Pack(draw(TITLE), levels, (), draw(TITLE), draw(COMMENT), metadata)


def plain(text: str) -> str:
    """Return a text as it is kept: no white space around lines, control characters replaced."""
    text = "".join(each if each in "\t\n\r" or is_kept(each) else "\ufffd" for each in text)
    return "\n".join(line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip("\n")


def is_kept(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in "\ufffe\uffff"


def comment_of(comment: str, metadata: tuple[tuple[str, str], ...]) -> str:
    """Return the comment with the unknown keys that become part of it."""
    return plain(
        "\n".join(filter(None, [plain(comment), *(f"{key}: {value}" for key, value in metadata if key not in KEYS)]))
    )


def told(pack: Pack, keys_lost: bool) -> dict[str, object]:
    """Return the fields of a pack by the names under which writers report losses."""
    unknown = () if keys_lost else pack.metadata
    fields: dict[str, object] = {
        "title of the collection": plain(pack.title),
        "author of the collection": plain(pack.author),
        "comment of the collection": comment_of(pack.comment, unknown),
        "titles of levels": [plain(level.title) for level in pack.levels],
        "authors of levels": [plain(level.author) for level in pack.levels],
        "comments of levels": [comment_of(level.comment, () if keys_lost else level.metadata) for level in pack.levels],
    }
    fields |= {f"{key} of the collection": plain(value) for key, value in pack.metadata if key in KEYS}
    for key in KEYS:
        fields[f"{key} of levels"] = [
            (level.number, plain(value)) for level in pack.levels for each, value in level.metadata if each == key
        ]
    records = [(level.number, *record) for level in pack.levels for record in level.records]
    saved = [record for record in records if kind(Record(*record[1:])) == "saved games"]
    solutions = [record for record in records if record not in saved]
    fields["saved games"] = [(number, title, moves, plain(notes)) for number, title, moves, notes in saved]
    fields["solutions"] = [(number, moves) for number, _, moves, _ in solutions]
    # Moves without a title may be told from words by one.
    fields["titles of solutions"] = [(number, title or "Solution") for number, title, _, _ in solutions]
    fields["notes of solutions"] = [(number, plain(notes)) for number, _, _, notes in solutions]
    return fields


def check(pack: Pack, name: str) -> Pack:
    """Write the pack, read it back and compare."""
    written = write(pack, name)
    text = written.data.decode("utf-8")
    assert all(is_kept(each) or each in "\n\t" for each in text), text
    source = plain(pack.title) if "/" not in pack.title else ""
    back = parse(written.data, f"{source}.x")
    check_read_back(written, pack, name)
    assert back.errors == (), text
    assert [level.rows for level in back.levels] == [level.rows for level in pack.levels], text
    for level, written_level in zip(back.levels, pack.levels):
        keeps_kind = FORMATS[name].holds is None
        floor = written_level.board.floor
        assert (level.start.player, level.start.boxes & floor) == (
            written_level.start.player,
            written_level.start.boxes & floor,
        )
        written_board = written_level.board if keeps_kind else written_level.board.ordinary
        assert (level.board.colors, level.board.ice) == (written_board.colors, written_board.ice)
        assert not keeps_kind or level.start == written_level.start
    before, after = (told(each, keys_lost=FORMATS[name].holds is not None) for each in (pack, back))
    if not pack.title:
        del before["title of the collection"]
    lost = {
        each.removeprefix("line breaks in the ").partition(" that ")[0].partition(" with ")[0] for each in written.lost
    }
    if "solutions" in lost:
        lost |= {"titles of solutions", "notes of solutions"}
    for field in before:
        if field not in lost:
            assert after.get(field) == before[field], (field, written.lost, text)
    return back


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=40)
@given(pack=packs())
def test_packs_come_back(pack: Pack, name: str) -> None:
    check(pack, name)


@pytest.mark.long
@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
@given(pack=packs())
def test_many_packs_come_back(pack: Pack, name: str) -> None:
    check(pack, name)
