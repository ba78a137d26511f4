"""Sanitized display of text from level files."""


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
