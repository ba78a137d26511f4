"""Encoding of the terminal: what its keyboard sends, and whether it shows UTF-8."""

import codecs
import os
import sys


def locale_codeset() -> str:
    """Return the name of the locale's encoding, on POSIX, without importing ``locale``, which takes 2 ms."""
    from _locale import CODESET, nl_langinfo  # POSIX

    return nl_langinfo(CODESET)


def speaks_utf8() -> bool:
    """True for a UTF-8 locale, judged by its encoding, not its name: it may not be installed."""
    if sys.platform == "win32":
        return True
    return locale_codeset().upper().replace("-", "") == "UTF8"


def has_wide_lines() -> bool:
    """True in GNU screen with a Chinese, Japanese or Korean locale, where lines and blocks take two columns."""
    name = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return "STY" in os.environ and name.startswith(("ja", "ko", "zh"))


def keyboard_encoding() -> str:
    """Return the encoding of a POSIX terminal's keyboard: that of the locale, or UTF-8 if that is ASCII."""
    try:
        name = codecs.lookup(locale_codeset()).name
    except LookupError:
        return "utf-8"
    return "utf-8" if name == "ascii" else name
