"""Texts in the player's language, by the standard library's gettext.

The sources hold English. A text for the player is a whole sentence with named values, such as
``_("undo takes back {count} moves", count=3)``, and the key of its translations (``ru.po`` ...). Texts in tables built
at import are marked by ``N_`` and translated by ``_`` where they are shown. English needs no catalog, and none is
loaded for it.

Counts used by every layer, such as ``1,200 moves``, are worded at the end.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that name the locale: the first that is set decides."""

_ENGLISH = ("C", "POSIX", "en")


class Translations(Protocol):
    """The part of ``gettext.NullTranslations`` that is used."""

    def gettext(self, message: str) -> str: ...
    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...
    def pgettext(self, context: str, message: str) -> str: ...


_translations: Translations | None = None


def speak(translations: Translations | None) -> None:
    """Translate by ``translations`` from now on; None for English."""
    global _translations
    _translations = translations


def spoken() -> object:
    """Return what identifies the language in use, for caches."""
    return _translations


def codes_in(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the codes of the languages that an environment asks for, best first; none for English.

    The first of LC_ALL, LC_MESSAGES and LANG that is set decides; unless it is C, LANGUAGE, which may be a list, comes
    before it, as in the manual of GNU gettext.

    >>> [*codes_in({"LANG": "de_AT.UTF-8"})], [*codes_in({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"})]
    (['de_AT', 'de'], [])
    >>> [*codes_in({"LANGUAGE": "fr:en:de", "LANG": "de_DE.UTF-8"})]
    ['fr']
    """
    locale = next((value for name in VARIABLES if (value := environ.get(name))), "C")
    listed = environ.get("LANGUAGE", "").split(":") if locale.partition(".")[0] not in ("C", "POSIX") else []
    for name in [*listed, locale]:
        code = name.partition(".")[0].partition("@")[0]
        short = code.partition("_")[0]
        if short in _ENGLISH:
            return
        yield from dict.fromkeys(filter(None, (code, short)))


def _(message: str, /, **values: object) -> str:
    """Return a text in the player's language, with the values filled in.

    >>> _("level {number} of {pack}", number=3, pack="First Steps")
    'level 3 of First Steps'
    >>> _("{pushes:,} pushes are {percent} % of your best", pushes=1200, percent=80)
    '1,200 pushes are 80 % of your best'
    """
    # An empty key is the header of a catalog.
    text = message if _translations is None or not message else _translations.gettext(message)
    return text.format_map(_shown(values)) if values else text


def ngettext(singular: str, plural: str, number: int, /, **values: object) -> str:
    """Return a text in the plural form that fits ``number``, which is filled in as ``n``.

    >>> [ngettext("{n} push", "{n} pushes", number) for number in (0, 1, 2)]
    ['0 pushes', '1 push', '2 pushes']
    >>> ngettext("{n:,} level in {pack}", "{n:,} levels in {pack}", 43619, pack="all packs")
    '43,619 levels in all packs'
    """
    if _translations is None:
        text = singular if number == 1 else plural
    else:
        text = _translations.ngettext(singular, plural, number)
    return text.format_map(_shown({"n": number, **values}))


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Return the translation of an ambiguous text; ``context`` tells translators which meaning is intended.

    >>> pgettext("heading of a column", "best")
    'best'
    """
    text = message if _translations is None else _translations.pgettext(context, message)
    return text.format_map(_shown(values)) if values else text


def N_(message: str) -> str:  # noqa: N802 - the usual name
    """Mark a text for the catalogs; it is translated where it is shown."""
    return message


def listed(texts: Iterable[str]) -> str:
    """Join texts with commas; empty ones are left out.

    >>> listed(["13x8", "", "3 boxes"])
    '13x8, 3 boxes'
    """
    return pgettext("between the items of a list", ", ").join(filter(None, texts))


def joined(words: Iterable[str]) -> str:
    """Join words or names, as Chinese has another comma between them than between clauses.

    >>> joined(["a", "b"])
    'a, b'
    """
    return pgettext("between the words of a list", ", ").join(words)


def labelled(name: object, text: str) -> str:
    """Return a name and what it stands for.

    >>> labelled("moves", "3")
    'moves: 3'
    """
    between = pgettext("between a name and what it stands for", ": ")
    return f"{name}{between}{text}"


def in_clauses(texts: Iterable[str]) -> str:
    """Join texts with semicolons; empty ones are left out.

    >>> in_clauses(["solved", "a new best"])
    'solved; a new best'
    """
    return pgettext("between clauses", "; ").join(filter(None, texts))


def number(value: float, places: int = 0) -> str:
    """Return a number with the decimal point and thousands separators of the player's language.

    >>> number(1200), number(3.14159, 1)
    ('1,200', '3.1')
    """
    return _localized(f"{value:,.{places}f}")


class _Number(int):
    """A number formatted with the thousands separators of the player's language."""

    def __format__(self, form: str) -> str:
        return _localized(int.__format__(self, form))


def _shown(values: Mapping[str, object]) -> Mapping[str, object]:
    if _translations is None:
        return values
    return {name: _Number(value) if type(value) is int else value for name, value in values.items()}


def _localized(digits: str) -> str:
    if _translations is None:
        return digits
    # Translators: between groups of thousands, as in 1,200; French and Russian use a no-break space.
    separator = pgettext("groups of thousands", ",")
    # Translators: before the decimals, as in 3.5.
    point = pgettext("decimal point", ".")
    return digits.translate({ord(","): separator, ord("."): point})


def moves_text(number: int) -> str:
    """Return ``97 moves``."""
    return ngettext("{n:,} move", "{n:,} moves", number)


def pushes_text(number: int) -> str:
    """Return ``23 pushes``.

    >>> pushes_text(1), pushes_text(0), pushes_text(1200)
    ('1 push', '0 pushes', '1,200 pushes')
    """
    return ngettext("{n:,} push", "{n:,} pushes", number)


def boxes_text(number: int) -> str:
    return ngettext("{n:,} box", "{n:,} boxes", number)


def goals_text(number: int) -> str:
    return ngettext("{n:,} goal", "{n:,} goals", number)


def levels_text(number: int) -> str:
    return ngettext("{n:,} level", "{n:,} levels", number)


def levels_done(done: int, total: int) -> str:
    """Return ``1,500 of 3,000 levels``; ``1,500 levels`` if the total is 0, which is unknown."""
    if not total:
        return levels_text(done)
    return ngettext("{done:,} of {n:,} level", "{done:,} of {n:,} levels", total, done=done)


def packs_done(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} pack", "{done:,} of {n:,} packs", total, done=done)


def solutions_text(number: int) -> str:
    return ngettext("{n:,} solution", "{n:,} solutions", number)


def packs_text(number: int) -> str:
    return ngettext("{n:,} pack", "{n:,} packs", number)
