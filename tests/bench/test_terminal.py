"""``python3 -m tests.bench terminal``: what it makes of the player's output."""

import pytest

from tests.bench.terminal import is_searching


@pytest.mark.parametrize(
    ("output", "searches"),
    [
        (b"moves 0  solving: nodes 12\r\nsearching", True),
        (b"solving: nodes 12 \x1b[1mno solution found: limit of memory reached", False),
        (b"solving: nodes 12 \x1b[1msolution found: Enter shows it", False),
        (b"solving: nodes 12 \x1b[1mthis level cannot be solved (proven)", False),
        (b"moves 0", False),
    ],
)
def test_a_search_that_is_over_is_seen(output: bytes, searches: bool) -> None:
    assert is_searching(output) == searches
