"""Several packs as one, for a file of one of the formats that are written."""

import os
from collections.abc import Iterator, Sequence

from sokoterm.engine.level import Level, Pack

_SUFFIXES = {".xsb": "xsb", ".txt": "xsb", ".sok": "sok", ".rle": "rle", ".slc": "slc", ".xml": "slc"}
# How many titles of collections fit into the title of one.
_TITLES = 3


def format_of(path: str) -> str:
    """The format that the suffix of a file names; empty if none."""
    return _SUFFIXES.get(os.path.splitext(path)[1].lower(), "")


def merged(packs: Sequence[Pack]) -> tuple[Pack, list[str]]:
    """One pack with the levels of all, and what of their texts it has no place for.

    Texts that are the same in all of them stay as they are; others stand one after the other, an author beside the
    levels.
    """
    titles = _distinct(pack.title for pack in packs)
    title = " + ".join(titles[:_TITLES])
    if len(titles) > _TITLES:
        title += f" and {len(titles) - _TITLES} more"
    authors = {pack.author for pack in packs}
    author = authors.pop() if len(authors) == 1 else ""
    levels: list[Level] = []
    for pack in packs:
        for level in pack.levels:
            level_author = level.author or ("" if author else pack.author)
            levels.append(level._replace(author=level_author, number=len(levels) + 1))
    comment = "\n\n".join(_distinct(pack.comment for pack in packs))
    metadata = tuple(dict.fromkeys(pair for pack in packs for pair in pack.metadata))
    lost = [f"titles of {len(titles)} collections"] if len(titles) > _TITLES else []
    return Pack(title, tuple(levels), (), author, comment, metadata), lost


def _distinct(texts: Iterator[str]) -> list[str]:
    return list(filter(None, dict.fromkeys(texts)))
