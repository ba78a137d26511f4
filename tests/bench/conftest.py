"""The fixture ``bench``."""

from pathlib import Path

import pytest

from tests.bench.__main__ import main
from tests.unit.commands.command import Command


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """``python3 -m tests.bench``, with every file of the program below a temporary folder."""
    return Command(tmp_path, monkeypatch, capsys, main)
