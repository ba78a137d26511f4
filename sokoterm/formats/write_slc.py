"""Writer for SLC in its new style: UTF-8, no DOCTYPE, elements in the order of SokobanLev.xsd."""

from collections.abc import Iterator

from sokoterm.engine.level import Level, Pack
from sokoterm.formats.losses import lost_fields

_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="SokobanLev.xsd">
"""
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = _TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})
_ELEMENTS = {"email": "Email", "homepage": "Url"}


def to_slc(pack: Pack, lost: list[str]) -> str:
    """Return the text of an SLC file; fields it cannot hold are added to ``lost``."""
    lost += lost_fields(pack, pack_fields=("title", "author", "comment", *_ELEMENTS), level_fields=("title", "author"))
    return _HEAD + "".join(f"{line}\n" for line in _lines(pack, lost)) + "</SokobanLevels>\n"


def _lines(pack: Pack, lost: list[str]) -> Iterator[str]:
    yield f"  <Title>{_one_line(pack.title, 'title', lost)}</Title>"
    # The schema requires the element; on lines of its own the text keeps its leading space.
    yield (
        f"  <Description>\n{pack.comment.translate(_TEXT)}\n  </Description>"
        if pack.comment
        else ("  <Description></Description>")
    )
    written = set()
    for key, element in _ELEMENTS.items():
        for value in (value for each, value in pack.metadata if each == key):
            if key in written:
                lost.append(f"more than one {key} of the collection")
            else:
                yield f"  <{element}>{_one_line(value, key, lost)}</{element}>"
            written.add(key)
    sizes = [(max(map(len, level.rows)), len(level.rows)) for level in pack.levels]
    attributes = _attribute("Copyright", pack.author)
    if sizes:
        attributes += f' MaxWidth="{max(width for width, _ in sizes)}" MaxHeight="{max(height for _, height in sizes)}"'
    yield f"  <LevelCollection{attributes}>"
    for level, size in zip(pack.levels, sizes):
        yield from _level(level, *size)
    yield "  </LevelCollection>"


def _level(level: Level, width: int, height: int) -> Iterator[str]:
    attributes = f' Id="{level.title.translate(_ATTRIBUTE)}" Width="{width}" Height="{height}"'
    yield f"    <Level{attributes}{_attribute('Copyright', level.author)}>"
    for row in level.rows:
        yield f"      <L>{row}</L>"  # no cell needs escaping
    yield "    </Level>"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value.translate(_ATTRIBUTE)}"' if value else ""


def _one_line(text: str, name: str, lost: list[str]) -> str:
    """Return the text of an element that takes one line."""
    if "\n" in text:
        lost.append(f"line breaks in the {name} of the collection")
    return " ".join(filter(None, map(str.strip, text.split("\n")))).translate(_TEXT)
