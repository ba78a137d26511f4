"""A language in which every text is the English one between marks."""

import re

from sokoterm.language import Translations

BEGIN, END = "«", "»"


class Marked(Translations):
    """Translations that mark every text."""

    def gettext(self, message: str) -> str:
        return f"{BEGIN}{message}{END}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002
        return self.gettext(message)


def unmarked(text: str) -> str:
    """Return the English text."""
    return text.replace(BEGIN, "").replace(END, "")


def outside_of_marks(text: str) -> str:
    """Return what of a text stands outside of all marks, be they within each other."""
    while text != (shorter := re.sub(f"{BEGIN}[^{BEGIN}{END}]*{END}", "", text)):
        text = shorter
    return text
