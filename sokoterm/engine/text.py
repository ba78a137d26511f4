"""Short texts of every layer: names from level files made safe to show, numbers as typed."""

# Suffixes of level files: our formats, formats of other programs, and containers.
_SUFFIXES = frozenset(
    (
        *("xsb", "txt", "sok", "rle", "slc", "xml", "ssx", "sokomind"),
        *("ban", "def", "hsb", "lev", "level", "levels", "lvl", "map", "skb", "soko", "sokoban"),
        *("htm", "html", "json", "md", "zip"),
    )
)
MOST_DIGITS = 18
"""Longer numbers count as mistakes."""


def printable(text: str) -> str:
    """Return ``text`` on one line, without anything a terminal would act on.

    White space becomes a plain space; other control, format and unassigned characters (escapes, direction overrides,
    lone surrogates ...) become ``?``.  The length does not change.

    >>> printable("Maze\\t\\x1b[31m7")
    'Maze ?[31m7'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each.isspace() else "?" for each in text)


def is_level_file(name: str) -> bool:
    """True if a file name has the suffix of a level file."""
    return stem_of(name) != name


def stem_of(name: str) -> str:
    """Return the name of a level file without its suffix and ``.gz``; other suffixes belong to the name.

    >>> [stem_of(name) for name in ("Zika.sok", "Zika.TXT.gz", "screen.10", "Dr. Fogh", "Set 2.0.xsb")]
    ['Zika', 'Zika', 'screen.10', 'Dr. Fogh', 'Set 2.0']
    """
    whole = name[:-3] if name.lower().endswith(".gz") else name
    stem, __, suffix = whole.rpartition(".")
    return stem if stem and suffix.lower() in _SUFFIXES else whole


def title_of_file(path: str) -> str:
    """Return the default title of a pack: the name of its file without folders and suffix."""
    return stem_of(path.replace("\\", "/").rpartition("/")[2])


_NEW_LINE = " | "


def one_line(text: str) -> str:
    """Return a text for editing on one line, with ``|`` for a line end."""
    return text.replace("\n", _NEW_LINE)


def several_lines(text: str) -> str:
    """Return a text edited on one line, with its line ends restored."""
    return "\n".join(map(str.strip, text.split("|"))).strip()


# Letters that do not decompose, and their plain spellings.
_PLAIN = str.maketrans(dict(zip("øłđħŧıð", "oldhtid", strict=True)) | {"þ": "th", "æ": "ae", "œ": "oe"})
# Combining classes of accents; lower ones are marks that make a different letter, as in Japanese.
_ACCENTS = 200


def folded(text: str) -> str:
    """Return a text as a search compares it, without capitals and accents.

    >>> folded("García, Weiß, Søren, Семён")
    'garcia, weiss, soren, семен'
    """
    if text.isascii():
        return text.lower()
    from unicodedata import combining, normalize  # other letters than ASCII only

    letters = normalize("NFKD", text.casefold()).translate(_PLAIN)
    return normalize("NFC", "".join(each for each in letters if combining(each) < _ACCENTS))


def range_in(text: str) -> tuple[int, int | None] | None:
    """Parse a range of whole numbers, with None for an open end; None for other text.

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
    """Parse ASCII digits; None for other text, and for more than MOST_DIGITS of them.

    >>> whole_number("042"), whole_number("-1"), whole_number("9" * 30)
    (42, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
