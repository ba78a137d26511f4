"""Short texts of every layer: names from level files made safe to show, numbers as typed."""

MOST_DIGITS = 18
"""Longer numbers are taken for mistakes."""


def printable(text: str) -> str:
    """Return ``text`` on one line, without anything a terminal would act on.

    White space of any kind becomes a plain space; other control, format and unassigned characters (escape sequences,
    direction overrides, lone surrogates ...) become ``?``.  The length does not change.

    >>> printable("Maze\\t\\x1b[31m7")
    'Maze ?[31m7'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each.isspace() else "?" for each in text)


# Letters that have no accent to take off, and how they are typed without.
_PLAIN = str.maketrans(dict(zip("øłđħŧıð", "oldhtid", strict=True)) | {"þ": "th", "æ": "ae", "œ": "oe"})
# Combining classes from here on are of accents; those below are of marks that make another letter, as in Japanese.
_ACCENTS = 200


def folded(text: str) -> str:
    """Return a text by which it is searched for: without capitals and accents.

    >>> folded("García, Weiß, Søren, Семён")
    'garcia, weiss, soren, семен'
    """
    if text.isascii():
        return text.lower()
    from unicodedata import combining, normalize

    letters = normalize("NFKD", text.casefold()).translate(_PLAIN)
    return normalize("NFC", "".join(each for each in letters if combining(each) < _ACCENTS))


def range_in(text: str) -> tuple[int, int | None] | None:
    """The range of whole numbers that a text spells, None for its open end; None for other text.

    >>> range_in("20-60"), range_in("20-"), range_in("-60")
    ((20, 60), (20, None), (0, 60))
    >>> range_in("60-20"), range_in("20"), range_in("-"), range_in("a-b")
    (None, None, None, None)
    """
    begin, dash, end = text.partition("-")
    first, last = whole_number(begin or "0"), whole_number(end)
    if not dash or text == dash or first is None or end and (last is None or last <= first):
        return None
    return first, last


def whole_number(text: str) -> int | None:
    """The number that ASCII digits spell; None for other text, and for more than MOST_DIGITS of them.

    >>> whole_number("042"), whole_number("-1"), whole_number("9" * 30)
    (42, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
