"""What all tests of the player need."""

import pytest

from sokoterm.app import catalog, planning
from sokoterm.solver import search
from sokoterm.tui.screens import planner


@pytest.fixture(autouse=True)
def room_for_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a search is bounded by that of its process, and this process keeps what many tests left."""
    monkeypatch.setattr(search, "GAME_MEMORY", 1 << 38)


@pytest.fixture(autouse=True)
def time_to_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack is indexed at once, however busy the machine is."""
    monkeypatch.setattr(catalog, "perf_counter", lambda: 0.0)


@pytest.fixture(autouse=True)
def time_to_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the planner shows is worked out at once, however busy the machine is."""
    for module in (planner, planning):
        monkeypatch.setattr(module, "monotonic", lambda: 0.0)
