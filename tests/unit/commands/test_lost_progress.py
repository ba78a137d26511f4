"""ProgressStore that cannot be saved in the end: the player leaves with one line and a status of its own."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import Command
from tests.unit.commands.starts import Starts
from tests.unit.store.stores import ROOM, Player, ticking


@pytest.fixture
def starts(command: Command, monkeypatch: pytest.MonkeyPatch) -> Starts:
    return Starts(command, monkeypatch)


@pytest.fixture(autouse=True)
def _limits() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill_disk(folder: Path) -> None:
    """Let no file grow from now on."""
    largest = max(path.stat().st_size for path in folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def on_full_disk(folder: Path, before: list[str], after: list[str], *, is_freed: bool) -> Iterator[str]:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield from before
    fill_disk(folder)
    yield from after
    if is_freed:
        resource.setrlimit(resource.RLIMIT_FSIZE, hard)


KEYS = ["l", "h"] * 30


def test_lost_progress_is_said_once_and_in_the_status(starts: Starts) -> None:
    result = starts.play(on_full_disk(starts.data, ["n", "l"], [*KEYS, "q"], is_freed=False), starts.pack)
    assert result.status == 74
    (line,) = result.err.splitlines()
    assert line.startswith("sokoterm: progress is lost: ")


def test_lost_progress_in_a_session_of_lines(starts: Starts) -> None:
    result = starts.talk(on_full_disk(starts.data, ["n", "l"], [*KEYS, "q"], is_freed=False), starts.pack)
    assert result.status == 74
    (line,) = result.err.splitlines()
    assert line.startswith("sokoterm: progress is lost: ")
    assert not result.out.endswith("saved\n")


def test_progress_that_could_be_saved_in_the_end_is_not_lost(starts: Starts) -> None:
    result = starts.play(on_full_disk(starts.data, ["n", "l"], [*KEYS, "k"], is_freed=True), starts.pack)
    assert (result.status, result.err) == (0, "")
    store = ProgressStore.open(str(starts.data / "progress.db"), ticking())
    assert Player(store, ROOM).game.moves > len(KEYS) / 2
