"""``python3 -m tests.catalogs [CODE ...]``: brings the catalogs of languages up to date with the sources.

New messages are added without a translation, unused ones go; a CODE without a catalog gets one.  Prints for each
language how many messages wait for a translation.  The comment at the head of a catalog stays: it is the glossary, one
line ``# term: word`` for each of `TERMS`, then perhaps ``(never: word, word)``.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import cache
from io import StringIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po, write_po

from sokoterm.app.keymap import KEYMAPS, MODIFIERS, MOUSE, NAMED_KEYS, english
from sokoterm.store.packs import bundled_packs, key_of_text, open_pack

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "sokoterm" / "language"
_KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
# What every glossary has a word for.
TERMS = ("box", "goal", "home", "dead", "lost", "push", "par", "run", "descent", "replay", "hint", "take over")
_COMMENT = """\
# sokoterm in {name}
#
# Glossary: one word for one thing in all texts.
{terms}
"""
_HEADER = """\
msgid ""
msgstr ""
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


@cache
def template() -> Catalog:
    """Return all messages of the program, each with its files and the comments for translators."""
    catalog = Catalog(project="sokoterm")
    # Babel prints a line for each f-string among the values; test_marked.py finds those that matter.
    with redirect_stderr(StringIO()):
        found = extract_from_dir(
            ROOT / "sokoterm",
            [("**.py", "python")],
            keywords=_KEYWORDS,
            comment_tags=("Translators:",),
            strip_comment_tags=True,
        )
        for name, line, message, comments, context in found:
            catalog.add(message, None, [(f"sokoterm/{name}", line)], auto_comments=comments, context=context)
    names = (english(key) for key in NAMED_KEYS if key.lower() == key and not key[1:].isdecimal())
    for name in (*names, *MODIFIERS.values()):
        catalog.add(name, None, [("sokoterm/app/keymap.py", 0)], context="key")
    for text in texts_of_keys():
        catalog.add(text, None, [("sokoterm/app/keymap.py", 0)])
    for name, text in texts_of_levels():
        catalog.add(text, None, [(name, 0)])
    # argparse brings texts of its own, which are shown for bad arguments and by --help.
    for line, message, comments, context in extract_from_file("python", argparse.__file__, keywords=_KEYWORDS):
        catalog.add(message, None, [("argparse.py", line)], context=context)
    return catalog


def texts_of_keys() -> Iterator[str]:
    """Yield the help of each key, and the texts on the mouse and on the marks of each kind of screen."""
    yield MOUSE
    for keymap in KEYMAPS:
        for binding in keymap.bindings:
            yield from filter(None, (binding.help, binding.screen_only, binding.group))
        for line in (*keymap.mouse, *keymap.legend):
            yield from filter(None, (line.keys, line.text))


def texts_of_levels() -> Iterator[tuple[str, str]]:
    """Yield the titles and the lessons of the packs that ship, each with its file."""
    for file in bundled_packs():
        pack = open_pack(file)
        texts = [pack.title, pack.author, *pack.comment.splitlines()]
        for level in pack.levels:
            texts += (level.title, *level.comment.splitlines())
        for text in filter(None, map(str.strip, texts)):
            if any(map(str.isalpha, text)):
                yield f"levels/{file.name}.txt", key_of_text(text)


def catalog_of(code: str) -> Catalog:
    """Read the catalog of a language."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def glossary_of(code: str) -> dict[str, tuple[str, list[str]]]:
    """Return for each term at the head of a catalog its word, and the words that no translation may have."""
    lines = re.findall(r"^# ([a-z ]+): ([^(\n]+?)(?: \(never: (.*)\))?$", _comment_of(code), re.MULTILINE)
    return {term: (word, never.split(", ") if never else []) for term, word, never in lines}


def _comment_of(code: str) -> str:
    """Return the comment at the head of a catalog, with the end of its last line."""
    text = (FOLDER / f"{code}.po").read_text(encoding="utf-8")
    return text[: text.index("msgid ")]


def main(arguments: list[str]) -> int:
    """Update the catalogs of the languages, by default all."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.catalogs", description=main.__doc__)
    parser.add_argument("codes", nargs="*", metavar="CODE")
    codes = parser.parse_args(arguments).codes
    known = {path.stem: catalog_of(path.stem) for path in sorted(FOLDER.glob("*.po"))}
    fresh = template()
    for code in codes or known:
        catalog = known.get(code) or Catalog(code, project="sokoterm", fuzzy=False)
        catalog.update(fresh, no_fuzzy_matching=True)
        if code in known:
            comment = _comment_of(code)
        else:
            name = catalog.locale.english_name if catalog.locale is not None else code
            comment = _COMMENT.format(name=name, terms="\n".join(f"# {term}: " for term in TERMS))
        with (FOLDER / f"{code}.po").open("wb") as file:
            file.write((comment + _HEADER.format(code=code, plural_forms=catalog.plural_forms)).encode())
            write_po(file, catalog, width=110, omit_header=True, ignore_obsolete=True, include_lineno=False)
        waiting = sum(1 for message in catalog if message.id and not is_translated(message.string))
        print(f"{code}: {len(catalog)} messages, {waiting} without a translation")
    return 0


def is_translated(string: object) -> bool:
    """True if all forms of a message are translated."""
    return all(string) if isinstance(string, tuple) else bool(string)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
