"""What all tests of the player need."""

import pytest

from sokoterm.solver import protocol


@pytest.fixture(autouse=True)
def room_for_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a search is bounded by that of its process, and this process keeps what many tests left."""
    monkeypatch.setattr(protocol, "MEGABYTE", 1 << 30)
