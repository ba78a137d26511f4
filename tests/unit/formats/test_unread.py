"""Levels of large texts, whose boards are read when they are asked for, are those that are read at once."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.level import Level, Pack
from sokoterm.formats import text, unread
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.formats.text import parse_xsb
from sokoterm.store.packs import bundled_packs, read_bytes

_ROWS = (
    "#####",
    "#@$.#",
    "#  *#",
    "# + #",
    "  ####",
    "  #@.$# ",
    "## ##",
    "#####  #",
    " ####",
    "#.$ #",
    "#\t#",
    "# -p#",
    "",
    "; text",
    "rrUL",
)


def _both(content: str) -> tuple[Pack, Pack]:
    """Return the pack of a text read at once, and with boards that are read later."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "MANY", 1 << 30)
        whole = parse_xsb(content, "a.txt")
        patch.setattr(text, "MANY", 0)
        return whole, parse_xsb(content, "a.txt")


def _check_alike(content: str) -> int:
    """Compare both packs; return the number of levels that were not read."""
    whole, later = _both(content)
    assert [(each.size, each.boxes) for each in later] == [(each.size, each.boxes) for each in whole]
    assert later.levels == whole.levels
    assert list(map(str, later.errors)) == list(map(str, whole.errors))
    return sum(isinstance(level, unread.UnreadLevel) for level in later)


def test_the_levels_that_ship_are_the_same_and_most_are_read_later() -> None:
    for file in bundled_packs():
        content = read_bytes(file).decode()
        count = _check_alike(content)
        assert count > 10 or "variants" in file.name


@given(st.lists(st.sampled_from(_ROWS), max_size=40))
def test_what_is_no_level_is_found_at_once(lines: list[str]) -> None:
    try:
        parse_xsb("\n".join(lines), "a.txt")
    except ValueError:
        return
    _check_alike("\n".join(lines))


def test_a_level_that_is_not_read_can_be_changed_copied_and_compared() -> None:
    whole, later = _both("; One\n\n#####\n#@$.#\n#####\n\n; Two\n\n######\n#@ $.#\n######\n")
    level, same = later.levels[1], whole.levels[1]
    renamed = level.replace(title="Three")
    assert isinstance(renamed, unread.UnreadLevel)
    assert renamed == same.replace(title="Three") != level
    assert level.replace(board=whole.levels[0].board) == same.replace(board=whole.levels[0].board)
    copy = pickle.loads(pickle.dumps(level))
    assert type(copy) is Level
    assert copy == same
    assert hash(level) == hash(same)


def test_levels_drawn_alike_are_compared_without_their_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = "; One\n\n#####\n#@$.#\n#####\n"
    level, further, titled, blank = (
        _both(each)[1].levels[-1].replace(number=1, line=1)
        for each in (drawn, f"{drawn}\n{drawn}", drawn.replace("One", "Two"), drawn.replace(".#", ".#  "))
    )
    assert level == blank
    monkeypatch.setattr(unread, "read_board", None)
    assert level == further
    monkeypatch.undo()
    assert level != titled


def test_only_the_boards_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "KEPT", 1)
    __, later = _both("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n")
    first, second = later
    board = first.board
    assert first.board is board
    assert second.board != board
    assert first.board is not board
    assert first.board == board


def test_boards_beyond_the_limits_are_looked_at_closely() -> None:
    limits = DEFAULT_LIMITS.replace(width=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "MANY", 0)
        pack = parse_xsb("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n", "a.txt", limits)
    assert [level.number for level in pack.levels] == [1]
    assert "6x3" in str(pack.errors[0])


def test_levels_of_others_are_the_same() -> None:
    folder = Path(__file__).parents[4] / "shared" / "levels"
    if not folder.is_dir():
        pytest.skip("no levels of others here")
    for path in folder.iterdir():
        _check_alike(path.read_text(encoding="cp1252"))
