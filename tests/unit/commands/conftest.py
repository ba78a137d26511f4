"""The command line, and packs that ship for it."""

from pathlib import Path

import pytest

from tests.unit.commands.command import Command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, with every file of its own below a temporary folder."""
    return Command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def first_steps_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pack ships: to index all of them takes a quarter of a second."""
    monkeypatch.setattr("sokoterm.store.packs.bundled_names", lambda _: ["first-steps.txt"])
