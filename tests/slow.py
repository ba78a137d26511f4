"""Parameters of which the default run takes the first few; ``pytest -m slow`` takes the others."""

from collections.abc import Iterable

import pytest


def others_slow(values: Iterable[object], first: int = 1) -> list[object]:
    """Return values for ``parametrize``, all but the first ones marked as slow."""
    return [value if number < first else slow(value) for number, value in enumerate(values)]


def slow(*values: object) -> object:
    """Return one row of values for ``parametrize``, marked as slow."""
    return pytest.param(*values, marks=pytest.mark.slow)
