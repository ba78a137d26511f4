"""Text measured in columns of a terminal: wide characters take two, combining ones none."""

from collections.abc import Iterator
from itertools import islice

WIDE_FILLER = "\0"
"""The second column of a character two columns wide."""


def text_width(text: str) -> int:
    """Return the number of columns that text takes."""
    return len(text) if is_simple(text) else sum(1 for _ in columns_of(text))


def clipped(text: str, width: int) -> str:
    """Return text cut to a width, with dots if something was cut off."""
    if len(text) <= width and is_simple(text):
        return text
    cells = list(islice(columns_of(text), width + 1))
    if len(cells) <= width:
        return "".join(cells).replace(WIDE_FILLER, "")
    if width < 2:
        return ""
    kept = cells[: width - 2]
    if kept and cells[width - 2] == WIDE_FILLER:
        kept.pop()
    return "".join(kept).replace(WIDE_FILLER, "") + ".."


def padded(text: str, width: int) -> str:
    """Return text with blanks up to a width; longer text as it is.

    >>> padded("push", 6), padded("推箱", 6)
    ('push  ', '推箱  ')
    """
    return text + " " * (width - text_width(text))


def fitting(forms: tuple[str, ...], width: int) -> str:
    """Return the first form of a message that fits; the last one is cut."""
    return next((form for form in forms if text_width(form) <= width), clipped(forms[-1], width))


def folded(text: str, width: int) -> list[str]:
    """Return text over several lines, cut between words if there are any.

    >>> folded("walks are off: P turns them on", 16)
    ['walks are off: P', 'turns them on']
    """
    if text_width(text) <= width:
        return [text]
    from textwrap import wrap

    is_wide = text_width(text) > len(text)
    return wrap(text, max(1, width // 2 if is_wide else width))


def ascii_text(text: str) -> str:
    """Return text of the same width in ASCII, with question marks for the rest."""
    return "".join(each if each.isascii() and each.isprintable() else "?" for each in columns_of(text))


def is_simple(text: str) -> bool:
    """True if every character takes one column and none means anything to a terminal."""
    return text.isascii() and text.isprintable()


def columns_of(text: str) -> Iterator[str]:
    """Yield one item for each column: a character, or WIDE_FILLER after a wide one."""
    if is_simple(text):
        yield from text
        return
    from unicodedata import combining, east_asian_width

    for character in text:
        if combining(character) or not character.isprintable():
            continue
        yield character
        if east_asian_width(character) in "WF":
            yield WIDE_FILLER
