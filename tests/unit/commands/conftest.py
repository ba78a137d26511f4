"""The fixture ``command``."""

from pathlib import Path

import pytest

from tests.unit.commands.command import Command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, with every file of its own below a temporary folder."""
    return Command(tmp_path, monkeypatch, capsys)
