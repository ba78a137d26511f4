"""The README says what the program does."""

from pathlib import Path

import pytest

from sokoterm.tui.keymap import BROWSER, PLAY, REPLAY, Keymap, help_lines

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("heading", "keymap"), [("playing", PLAY), ("replay", REPLAY), ("browser", BROWSER)])
def test_the_key_tables_are_those_of_the_program(heading: str, keymap: Keymap) -> None:
    rows = [f"| `{line.keys}` | {line.text} |" for line in help_lines(keymap)]
    table = "\n".join([f"| {heading} | |", "|---|---|", *rows])
    assert table + "\n\n" in README, f"README.md should have this table:\n\n{table}"
