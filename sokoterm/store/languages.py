"""Catalogs of the player's language, found beside the program and compiled where necessary.

A language is added as one file, ``sokoterm/language/CODE.po``; see CONTRIBUTING.md.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import NamedTuple

from sokoterm.language import speak
from sokoterm.language.po import Message, compiled, messages_of, with_french_blanks
from sokoterm.store.packs import bundled_data, bundled_folder, bundled_names
from sokoterm.store.paths import catalogs_dir
from sokoterm.store.whole_files import unfinished

SOON, LATER = "soon", "later"
"""Parts of a catalog: the texts of screens, and those of errors, line mode and verbs, which no first picture needs."""

ENGLISH = "en"

_FOLDER = "language"
# Marks a cached catalog as complete; gettext does not read this far.
_END = b"end of catalog"

# Prefixes of the source files whose texts no first picture shows.
_OF_LATER = (
    *("sokoterm/commands/", "sokoterm/cli.py", "sokoterm/linemode/", "argparse.py"),
    *("sokoterm/store/", "sokoterm/formats/", "sokoterm/solver/"),
)


class LanguageCatalog(NamedTuple):
    """An available language; ``load`` returns the compiled messages of a part."""

    code: str
    load: Callable[[str], bytes]

    def speak(self) -> None:
        """Translate by this catalog from now on; its second part is loaded when first needed."""
        translations = GNUTranslations(BytesIO(self.load(SOON)))
        translations.add_fallback(_Later(self))
        speak(translations)


class _Later(NullTranslations):
    """The second part of a catalog, loaded when one of its texts is needed."""

    def __init__(self, catalog: LanguageCatalog) -> None:
        super().__init__()
        self._catalog = catalog

    @cached_property
    def _loaded(self) -> NullTranslations:
        return GNUTranslations(BytesIO(self._catalog.load(LATER)))

    def gettext(self, message: str) -> str:
        return self._loaded.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._loaded.ngettext(msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        return self._loaded.pgettext(context, message)


def find_catalog(codes: Iterable[str]) -> LanguageCatalog | None:
    """Return the catalog of the first language that has one; None if none has, or English comes first."""
    code = next(filter(None, map(nearest_language, codes)), ENGLISH)
    return _catalog(code) if code != ENGLISH else None


def nearest_language(asked: str) -> str | None:
    """Return the code of a language as spelled here, else of one that differs only by country or script, else None.

    ``zh``, ``zh-Hans`` and ``zh_TW.UTF-8`` all give ``zh_CN``.
    """
    wanted = asked.partition(".")[0].partition("@")[0].replace("-", "_").lower()
    codes = {code.lower(): code for code in languages()}
    related = (codes[each] for each in codes if each.partition("_")[0] == wanted.partition("_")[0])
    return codes.get(wanted) or next(related, None)


def languages() -> list[str]:
    """Return the codes of all languages, including English."""
    names = bundled_names(bundled_folder(_FOLDER))
    return sorted({ENGLISH, *(name.partition(".")[0] for name in names if name.endswith((".po", ".mo")))})


def compiled_catalogs() -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each compiled file that an installed sokoterm has beside its modules."""
    for code in languages():
        if (catalog := find_catalog([code])) is not None:
            for part in (SOON, LATER):
                yield _compiled_name(code, part), catalog.load(part)


def _is_in(part: str, message: Message) -> bool:
    """True if a message belongs to a part of its catalog; the header belongs to both."""
    is_of_later = bool(message.sources) and all(source.startswith(_OF_LATER) for source in message.sources)
    return not message.text or is_of_later == (part == LATER)


def _compiled_name(code: str, part: str) -> str:
    return f"{code}.{part}.mo"


def _catalog(code: str) -> LanguageCatalog | None:
    """Return the catalog of a language, shipped compiled or else as source; None if there is none."""
    folder = bundled_folder(_FOLDER)
    with suppress(OSError):
        bundled_data(os.path.join(folder, _compiled_name(code, SOON)))
        return LanguageCatalog(code, lambda part: bundled_data(os.path.join(folder, _compiled_name(code, part))))
    source = os.path.join(folder, f"{code}.po")
    return LanguageCatalog(code, lambda part: _compiled_once(source, part)) if os.path.exists(source) else None


def _compiled_once(source: str, part: str) -> bytes:
    """Return the compiled messages of a part of a .po file, from the cache if it has an intact copy of this age."""
    code = os.path.splitext(os.path.basename(source))[0]
    path = os.path.join(catalogs_dir(), _compiled_name(code, part))
    changed = os.stat(source).st_mtime_ns
    if os.path.isfile(path):  # opening a pipe could block forever
        with suppress(OSError), open(path, "rb") as file:
            if os.fstat(file.fileno()).st_mtime_ns == changed and (data := file.read()).endswith(_END):
                return data
    with open(source, encoding="utf-8") as text:
        messages = [each for each in messages_of(text.read()) if _is_in(part, each)]
    data = compiled(map(with_french_blanks, messages) if code.startswith("fr") else messages) + _END
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with unfinished(path, data) as whole:
            os.utime(whole, ns=(changed, changed))
            os.replace(whole, path)  # other sessions read the file meanwhile
    return data
