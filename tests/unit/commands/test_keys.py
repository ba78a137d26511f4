"""``sokoterm keys``."""

import json
from pathlib import Path

import pytest

from sokoterm.cli import main


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "sokoterm").mkdir()
    return tmp_path / "sokoterm" / "config.toml"


def test_the_keys_of_every_screen(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('[keys]\nprofile = "wasd"\n[keys.play]\nundo = "x"\n')
    assert main(["keys"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["undo", "x", "undo"] in lines
    assert ["left", "Left", "h", "a", "move,", "push"] in lines
    screens = [line[0] for before, line in zip([[], *lines], lines, strict=False) if line and not before]
    assert screens == ["play", "replay", "solver", "browser", "planner", "improve", "editor", "reverse"]


def test_json(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('keys = "vi"\n')
    assert main(["keys", "--json", "--keys", "wasd"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"screen": "play", "action": "undo-all", "keys": ["Home"], "help": "undo all"} in rows
    assert rows[0] == {"screen": "play", "action": "left", "keys": ["Left", "h", "a"], "help": "move, push"}


def test_what_cannot_be_followed_is_told_beside_the_rest(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('cell = 9\n[keys.play]\nfly = "x"\nundo = "x"\n[colors]\nbox = "puce"\n')
    assert main(["keys"]) == 2
    printed = capsys.readouterr()
    assert "undo" in printed.out
    assert printed.err.splitlines()[0] == "sokoterm: config.toml:1: found cell = 9, expected 1, 2, 4, 6 or 8"
    assert printed.err.splitlines()[2].startswith(
        "sokoterm: config.toml:6: found box = 'puce', expected a colour: black"
    )
    assert printed.err.splitlines()[1].startswith(
        "sokoterm: config.toml:3: found 'fly', expected an action of play: left"
    )
