"""Settings in config.toml."""

import re
from pathlib import Path

import pytest

from sokoterm.solver.lanes import MOST_CORES
from sokoterm.store.settings import CORES, Config, Entry, Settings, read_config

THEMES = ("ascii", "unicode")


def read(tmp_path: Path, text: str | bytes) -> Config:
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_config(str(file), THEMES)


def test_no_file_is_no_settings(tmp_path: Path) -> None:
    assert read_config(str(tmp_path / "none.toml"), THEMES) == Config() == read(tmp_path, "")


def test_settings(tmp_path: Path) -> None:
    text = 'theme = "unicode"\ncell = 2\ncolor = false\nkeys = "wasd"\nmouse = false\nanimation = 0\nslow_link = true\n'
    assert read(tmp_path, text) == Config(Settings("unicode", 2, False, "wasd", False, 0, slow_link=True))
    assert read(tmp_path, b"\xef\xbb\xbfcell = 1\r\n") == Config(Settings(cell=1))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cell = 3", r":1: found cell = 3, expected 1, 2, 4, 6, 8, 10, 12 or 16"),
        ("\n# x\n  cell=true", r":3: found cell = True, expected 1, 2, 4, 6, 8, 10, 12 or 16"),
        ("theme = 1", r":1: found theme = 1, expected one of ascii unicode"),
        ("\n\ntheme = 'dark'", r":3: found theme = 'dark', expected one of ascii unicode"),
        ("color = 'no'", r":1: found color = 'no', expected true or false"),
        ('keys = "emacs"', r""":1: found keys = 'emacs', expected "vi" or "wasd\""""),
        ('mouse = "on"', r":1: found mouse = 'on', expected true or false"),
        ("animation = -1", r":1: found animation = -1, expected moves per second, from 0 to 1000"),
        ("animation = true", r":1: found animation = True, expected moves per second"),
        ("animation = 2.5", r":1: found animation = 2.5, expected moves per second"),
        (
            "colour = true",
            r":1: found 'colour', expected theme cell color keys .* cursor title .* letslogic_key link_page colors$",
        ),
        ("[theme]\na = 1", r": found theme = \{'a': 1\}, expected one of"),
        (
            "letslogic_key = 271828",
            r":1: found letslogic_key = \(not shown\), expected your key for letslogic.com in quotes",
        ),
        ("keys = 1", r""":1: found keys = 1, expected "vi" or "wasd\""""),
        ('[keys]\nprofile = "emacs"', r""":2: found keys.profile = 'emacs', expected "vi" or "wasd\""""),
        ("keys.play = 1", r":1: found 'play', expected profile or a table \[keys.SCREEN\]"),
        ('cell = 1\nkeys = "vi"\n[keys.play]\n', r":2: found keys = beside \[keys.SCREEN\], expected profile = under"),
        ("colors = 'red'", r":1: found 'colors', expected a table \[colors\]"),
        ("cell = \n", r"^config.toml:1:8: found invalid TOML: Invalid value$"),
        ('cell = 1\ntheme = "\n', r"^config.toml:2:10: found invalid TOML: Illegal character"),
        ("a = [\n", r"^config.toml:1: found invalid TOML: "),
        (b"a = 1\nb = '\xff'", r"^config.toml:2: found the byte 0xff, expected UTF-8"),
        ('theme = ["\\u001b[2J", "' + "x" * 100 + '"]', r":1: found theme = .{40}, expected"),
        ("cell = 1\ncell = 2", r"^config.toml:2: found invalid TOML: "),
        ("cell = " + "9" * 5000, r": found invalid TOML: Exceeds the limit"),
        (
            "cell = 0x" + "f" * 5000,
            r":1: found cell = a number with thousands of digits, expected 1, 2, 4, 6, 8, 10, 12 or 16",
        ),
    ],
)
def test_what_is_not_as_expected_is_one_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    config = read(tmp_path, text)
    (message,) = config.problems
    assert config == Config(problems=(message,))
    assert message.isprintable()
    assert message.startswith("config.toml")
    assert re.search(problem, message), message


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    (problem,) = read_config(str(tmp_path), THEMES).problems
    assert problem.endswith("cannot be read: found a folder, expected a file")


def test_what_is_wrong_leaves_the_rest_in_force(tmp_path: Path) -> None:
    config = read(tmp_path, 'cell = 3\ntheme = "unicode"\n[keys]\nprofile = "emacs"\n')
    assert config.settings.theme == "unicode"
    assert [problem.partition(" found ")[0] for problem in config.problems] == ["config.toml:1:", "config.toml:4:"]


KEYS = """\
[keys]
profile = "wasd"
solver.stop = "X"  # a dotted key
[ keys.play ]
undo = ["u",
  "=", "backspace"]
"run-left" = 5
[colors]
box = "bold yellow"
"""


def test_keys_and_colours_with_the_lines_they_stand_on(tmp_path: Path) -> None:
    config = read(tmp_path, KEYS)
    assert (config.settings.keys, config.problems) == ("wasd", ())
    assert config.bindings == (
        Entry("solver", "stop", "X", "config.toml:3"),
        Entry("play", "undo", ["u", "=", "backspace"], "config.toml:5"),
        Entry("play", "run-left", 5, "config.toml:7"),
    )
    assert config.colors == (Entry("", "box", "bold yellow", "config.toml:9"),)


def test_an_inline_table_is_named_by_its_own_line(tmp_path: Path) -> None:
    config = read(tmp_path, '\nkeys = { profile = "vi", play = { undo = "x" } }')
    assert config == Config(Settings(keys="vi"), bindings=(Entry("play", "undo", "x", "config.toml:2"),))


def test_the_solver_takes_at_most_as_many_cores_as_it_can_use() -> None:
    assert CORES == MOST_CORES
