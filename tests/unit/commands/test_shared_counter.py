"""A count that several processes add to."""

import os
import tempfile
from errno import ENOENT
from multiprocessing import get_context
from pathlib import Path

import pytest

from sokoterm.commands.support.generation import SharedCounter, add_to
from tests.unit.commands.command import Command


def test_processes_count_together() -> None:
    counter = SharedCounter()
    assert counter.count == 0
    with get_context().Pool(2) as pool:
        pool.map(add_to, [counter.path] * 500, chunksize=10)
    add_to(counter.path)
    assert counter.count == 501
    counter.remove()
    assert not os.path.exists(counter.path)


def test_what_cannot_be_counted_stops_nothing(tmp_path: Path) -> None:
    add_to(str(tmp_path / "missing" / "counter"))
    counter = SharedCounter()
    add_to(counter.path)
    assert counter.count == 1
    os.remove(counter.path)
    assert counter.count == 0
    counter.remove()


def test_levels_are_made_where_no_temporary_file_can_be(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise FileNotFoundError(ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    arguments = ["generate", "--boxes", "2", "--size", "7x6", "--nodes", "2000", "--count", "2", "--jobs", "2"]
    assert command(*arguments).status == 0
