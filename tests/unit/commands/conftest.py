"""The command line, and packs that ship for it."""

import multiprocessing
from pathlib import Path

import pytest

from tests.unit.commands.command import Command

# What a test replaces is replaced in processes too, also where they are not forked by default: macOS, Python 3.14.
if "fork" in multiprocessing.get_all_start_methods():
    multiprocessing.set_start_method("fork", force=True)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, with every file of its own below a temporary folder."""
    return Command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def first_steps_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pack ships: to index all of them takes a quarter of a second."""
    monkeypatch.setattr("sokoterm.store.packs.bundled_names", lambda _: ["first-steps.txt"])
