"""Catalogs of messages: the text files that translators edit (.po), and what gettext reads (.mo).

Formats: the manual of GNU gettext, "The Format of PO Files" and "The Format of GNU MO Files".
"""

import re
import struct
from collections.abc import Iterable
from typing import NamedTuple

_MAGIC = 0x950412DE
_HEADER_WORDS = 7
# Between a context and its message.
_CONTEXT_END = "\x04"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_KEYWORDS = ("msgctxt", "msgid", "msgid_plural", "msgstr")


class PoError(ValueError):
    """A catalog that cannot be read; the text names line, what was found and what was expected."""


class Message(NamedTuple):
    """An entry of a catalog, with one translation, or with a ``plural`` one for each form, or with none yet.

    ``sources`` are the files that use the message; ``is_fuzzy`` marks a guess that nobody has confirmed.
    """

    context: str
    text: str
    plural: str
    translations: tuple[str, ...]
    sources: tuple[str, ...]
    is_fuzzy: bool

    @property
    def is_translated(self) -> bool:
        """True if all its forms have a confirmed translation."""
        return bool(self.translations) and all(self.translations) and not self.is_fuzzy


def messages_of(text: str) -> list[Message]:
    """Return the entries of a .po file; the first is its header, whose message is empty.

    Raises PoError for a line that is neither a comment, a keyword nor a text.

    >>> [message] = messages_of('msgid "{n} push"\\nmsgid_plural "{n} pushes"\\nmsgstr[0] "{n} Schub"\\nmsgstr[1] ""')
    >>> message.translations, message.is_translated
    (('{n} Schub', ''), False)
    """
    found: list[Message] = []
    fields: dict[str, str] = {}
    sources: list[str] = []
    is_fuzzy, field = False, ""
    for line, row in enumerate([*text.splitlines(), "#"], 1):
        row = row.strip()
        keyword, blank, value = row.partition(" ")
        if "msgid" in fields and (row.startswith("#") or keyword in ("msgctxt", "msgid")):
            context, message, plural = (fields.pop(name, "") for name in ("msgctxt", "msgid", "msgid_plural"))
            found.append(Message(context, message, plural, tuple(fields.values()), tuple(sources), is_fuzzy))
            fields, sources, is_fuzzy = {}, [], False
        if row.startswith("#"):
            if row.startswith("#:"):
                sources += [place.partition(":")[0] for place in row[2:].split()]
            is_fuzzy |= row.startswith("#,") and "fuzzy" in row
        elif keyword.partition("[")[0] in _KEYWORDS and blank:
            field = keyword
            fields[field] = _text_of(value.strip(), line)
        elif row.startswith('"') and field in fields:
            fields[field] += _text_of(row, line)
        elif row:
            raise PoError(
                f"line {line}: found {row[:20]!r}, expected one of {', '.join(_KEYWORDS)} or a text in quotes"
            )
    return found


def _text_of(quoted: str, line: int) -> str:
    if len(quoted) < 2 or quoted[0] != '"' or quoted[-1] != '"':
        raise PoError(f"line {line}: found {quoted[:20]!r}, expected a text in quotes")
    first, *others = quoted[1:-1].split("\\")
    spelled = [first]
    escaped = iter(others)
    for part in escaped:
        if not part:  # two backslashes
            spelled.append("\\" + next(escaped, ""))
        elif part[0] in _ESCAPES:
            spelled.append(_ESCAPES[part[0]] + part[1:])
        else:
            raise PoError(f'line {line}: found \\{part[0]}, expected one of \\n \\t \\r \\" \\\\')
    return "".join(spelled)


def with_french_blanks(message: Message) -> Message:
    """Return a message whose French translations break no line before a mark: translators type plain blanks.

    The header stays as it is, because it contains a formula.

    >>> with_french_blanks(Message("", "so", "", ("« a » : 5 % ?",), (), False)).translations
    ('«\\xa0a\\xa0»\\xa0: 5\\xa0%\\xa0?',)
    """
    spaced = (re.sub(r" (?=[:;?!»]|%(?![\w(]))|(?<=«) ", "\u00a0", text) for text in message.translations)
    return message._replace(translations=tuple(spaced)) if message.text else message


def compiled(messages: Iterable[Message]) -> bytes:
    """Return the .mo file of the entries that are translated.

    >>> from io import BytesIO
    >>> from gettext import GNUTranslations
    >>> header = 'msgid ""\\nmsgstr "Content-Type: text/plain; charset=UTF-8"\\n'
    >>> catalog = compiled(messages_of(header + 'msgid "undo"\\nmsgstr "zurück"'))
    >>> GNUTranslations(BytesIO(catalog)).gettext("undo")
    'zurück'
    """
    texts = []
    for message in messages:
        if message.is_translated or not message.text:
            context = message.context + _CONTEXT_END if message.context else ""
            key = context + message.text + ("\0" + message.plural if message.plural else "")
            texts.append((key.encode(), "\0".join(message.translations).encode()))
    texts.sort()
    count = len(texts)
    tables = _HEADER_WORDS * 4
    start = tables + count * 16
    keys = b"".join(key + b"\0" for key, _ in texts)
    numbers: list[int] = []
    for column, offset in ((0, start), (1, start + len(keys))):
        for each in texts:
            numbers += (len(each[column]), offset)
            offset += len(each[column]) + 1
    header = (_MAGIC, 0, count, tables, tables + count * 8, 0, start)
    values = b"".join(value + b"\0" for _, value in texts)
    return struct.pack(f"<{_HEADER_WORDS}I{4 * count}I", *header, *numbers) + keys + values
