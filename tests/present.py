"""A value that may be missing and is not."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Return a value, asserting that it is there."""
    assert value is not None
    return value
