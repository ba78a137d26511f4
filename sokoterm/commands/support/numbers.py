"""Numbers as they are written on the command line."""

MOST_DIGITS = 18
"""Longer numbers are none that anybody means."""


MOST_JOBS = 512
"""More processes at a time would only take the memory from each other."""

MOST_MEASURED = 1_000_000
"""More of anything tells a bench no more."""

MOST_SECONDS = 100_000_000
"""Three years: no system is asked to wait for longer."""


def is_count(text: str) -> bool:
    """Whether it is a whole number over 0, as every count and the number of a level are."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0
