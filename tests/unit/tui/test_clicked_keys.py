"""Keys that are clicked where they are drawn."""

from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS, key_shown_as, shown
from sokoterm.terminal.events import Event, Pointer
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area
from sokoterm.tui.widgets.parts import key_at, key_lines
from tests.unit.tui.fake_terminal import TWO_LEVELS, Session, play

HINTS = [("u", "undo"), ("Esc", "go back"), ("Ctrl-R", "redo")]


def test_a_key_goes_from_its_chip_to_the_end_of_its_label() -> None:
    for width, drawn in ((40, " u  undo   Esc  go back   Ctrl-R  redo  "), (32, "u undo  Esc go back  Ctrl-R redo")):
        canvas = Canvas(2, width)
        canvas.draw_keys(1, HINTS)
        frame = canvas.frame()
        assert frame.rows[1].text == drawn
        found = [key_at(frame, 1, column) for column in range(width)]
        gaps = [at for at, key in enumerate(found) if not key]
        assert [key for key, before in zip(found, ["", *found]) if key and key != before] == ["u", "Esc", "Ctrl-R"]
        assert all(drawn[at] == " " for at in gaps)
        assert len(gaps) == width - len(drawn.strip()) + 2 * 2 - (width == 40)
        assert {key_at(frame, 0, column) for column in range(width)} == {""}


def test_keys_in_two_columns_have_their_own_labels() -> None:
    canvas = Canvas(4, 40)
    canvas.draw_list(Area(0, 2, 4, 36), key_lines(tuple(HINTS), 36))
    frame = canvas.frame()
    for row, line in enumerate(frame.rows):
        for key, label in HINTS:
            if label in line.text:
                first = line.text.index(label)
                assert {key_at(frame, row, column) for column in range(first, first + len(label))} == {key}


def test_each_key_of_a_keymap_is_found_by_its_name() -> None:
    keys = {key for keymap in KEYMAPS for binding in keymap.bindings for key in binding.keys}
    assert {key: key_shown_as(shown(key)) for key in keys} == {key: key for key in keys}


def clicked(folder: Path, keys: list[Event], label: str, *, size: tuple[int, int] = (24, 80)) -> Session:
    """A session in which a label is clicked after some keys; fails if it is not shown."""
    for name in ("before", "after"):
        (folder / name).mkdir(parents=True)
    lines = play(folder / "before", TWO_LEVELS, keys, size=size).last.split("\n")
    row, column = next((row, line.rindex(label)) for row, line in enumerate(lines) if label in line)
    return play(folder / "after", TWO_LEVELS, [*keys, Pointer(row, column, "left", True)], size=size)


@pytest.mark.parametrize("size", [(24, 80), (30, 120)])
def test_a_click_does_what_the_key_does(tmp_path: Path, size: tuple[int, int]) -> None:
    assert len(clicked(tmp_path / "undo", ["h", "h"], "undo", size=size).saved().lurd) == 1
    assert clicked(tmp_path / "help", [], "help", size=size).shows("Keys: play")
    closed = clicked(tmp_path / "closed", ["?"], "back", size=size)
    assert closed.last == play(tmp_path / "never", TWO_LEVELS, [], size=size).last
