"""Writer: a Pack to the bytes of a file in any format that can be read, and the fields the format could not hold.

A new format is one new module with a ``to_...`` function, one new name in FORMATS and one new row in ``write``.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from sokoterm.engine.level import Level, Pack, Record

FORMATS = ("xsb", "sok", "rle", "slc")

# Forbidden in texts: they could control a terminal, and XML cannot represent most of them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_REPLACEMENT = "\ufffd"
# A pack or level, whose texts are cleaned.
_Owner = TypeVar("_Owner", Pack, Level)


class Written(NamedTuple):
    """A file as bytes; ``lost`` names in words, once each, the kinds of fields that only the pack has."""

    data: bytes
    lost: tuple[str, ...]


def write(pack: Pack, name: str) -> Written:
    """Write the pack in one of FORMATS, as UTF-8 with LF; unreadable levels are left out.

    Reading it back gives the same boards and texts, except for white space around lines, level numbers and what
    ``lost`` names.
    """
    cleaned = _clean_pack(pack)
    lost = [] if cleaned == pack else ["control characters in texts"]
    if name == "slc":
        from sokoterm.formats.write_slc import to_slc

        text = to_slc(cleaned, lost)
    elif name == "rle":
        from sokoterm.formats.write_text import to_rle

        text = to_rle(cleaned, lost)
    elif name == "sok":
        from sokoterm.formats.write_text import to_sok

        text = to_sok(cleaned, lost)
    elif name == "xsb":
        from sokoterm.formats.write_text import to_xsb

        text = to_xsb(cleaned, lost)
    else:
        raise ValueError(f"found the format {name!r}, expected one of {', '.join(FORMATS)}")
    return Written(text.encode("utf-8"), tuple(dict.fromkeys(lost)))


def _clean_pack(pack: Pack) -> Pack:
    """Replace every control character in the texts of the pack, except line ends and tabs."""
    return _clean_texts(pack)._replace(levels=tuple(map(_clean_level, pack.levels)))


def _clean_level(level: Level) -> Level:
    return _clean_texts(level)._replace(records=tuple(Record(*map(_clean, record)) for record in level.records))


def _clean_texts(owner: _Owner) -> _Owner:
    return owner._replace(
        title=_clean(owner.title),
        author=_clean(owner.author),
        comment=_clean(owner.comment),
        metadata=_clean_pairs(owner.metadata),
    )


def _clean_pairs(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((_clean(key), _clean(value)) for key, value in pairs)


def _clean(text: str) -> str:
    if text.isprintable():
        return text
    return _CONTROL.sub(_REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n"))
