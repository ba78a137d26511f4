"""Numbers as they are written on the command line."""

MOST_DIGITS = 18
"""Longer numbers are none that anybody means."""


def is_count(text: str) -> bool:
    """Whether it is a whole number over 0, as every count and the number of a level are."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0
