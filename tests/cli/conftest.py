"""The fixture ``command``."""

from pathlib import Path

import pytest

from tests.cli.command import Command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, with every file of its own below a temporary folder."""
    for variable in ("SOKOTERM_DATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    return Command(tmp_path, capsys)
