"""Figures as text."""

import pytest

from sokoterm.wording.figures import duration


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 s"), (60, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (3725, "1 h 2 min")]
)
def test_a_duration_has_two_figures_at_most(seconds: int, words: str) -> None:
    assert duration(seconds) == words
