"""Reader and writer of SLC, the XML format of sourcecode.se.

``SokobanLevels > Title Description Email Url LevelCollection > Level > L``, one L a row (SokobanLev.dtd). Written is
the new style: UTF-8, no DOCTYPE, elements in the order of SokobanLev.xsd.
"""

from collections.abc import Iterator

from sokoterm.engine.level import Level, Pack
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.xml_reader import BLANKS, Place, XmlDraft, XmlReader, on_one_line, paragraphs
from sokoterm.language import N_, _

_PACK_KEYS = {"email": "email", "url": "homepage"}
_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="SokobanLev.xsd">
"""
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = _ESCAPED | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})
_FLOOR = str.maketrans("-_", "  ")
_ELEMENTS = {"email": "Email", "homepage": "Url"}


def parse_slc(data: bytes, source: str, limits: ReadLimits = DEFAULT_LIMITS, encoding: str | None = None) -> Pack:
    """Return the pack in an SLC file, as XmlReader.read says."""
    return _SlcReader.read(data, source, limits, encoding)


class _SlcReader(XmlReader):
    root = "SokobanLevels"
    level_element = "Level"
    row_element = "L"
    format_words = N_("an SLC file")

    def opened(self, name: str, attributes: dict[str, str], place: Place) -> None:
        if name == "level":
            draft = self.start_level(place)
            draft.texts["title"] = attributes.pop("id", "").strip()
            # Levels of a second collection have the author of that one.
            author = self.collection.texts.get("copyright", "")
            draft.texts["author"] = attributes.pop("copyright", "").strip() or author
        elif name == "levelcollection":
            author = attributes.pop("copyright", "").strip()
            if self.next == 1:
                self.author = author
            self.collection.texts["copyright"] = author if author != self.author else ""
        for key, value in attributes.items():
            self.owner.add(key if name in ("level", "levelcollection", "sokobanlevels") else f"{name} {key}", value)

    def closed(self, name: str, text: str, place: Place) -> None:
        if name in ("level", "levelcollection", "sokobanlevels"):
            self.owner.add("text", text)
            if name == "level":
                self.end_level(place)
        elif self.owner is not self.collection:
            self.owner.add(name, text)
        elif name == "title":
            self.collection.add_text(name, on_one_line(text), name)
        elif name == "description":
            self.collection.add_text("comment", paragraphs(text), name)
        else:
            self.collection.add(_PACK_KEYS.get(name, name), on_one_line(text))

    def cells(self, draft: XmlDraft) -> list[str]:
        rows = [row[0].rstrip(BLANKS) for row in draft.rows]
        drawn = "".join(rows)
        return [row.translate(_FLOOR).rstrip(BLANKS) for row in rows] if "-" in drawn or "_" in drawn else rows


def to_slc(pack: Pack, lost: list[str]) -> str:
    """Return the text of an SLC file; fields it cannot hold are added to ``lost``."""
    return _HEAD + "".join(f"{line}\n" for line in _lines(pack, lost)) + "</SokobanLevels>\n"


def _lines(pack: Pack, lost: list[str]) -> Iterator[str]:
    yield f"  <Title>{_element_text(pack.title, 'title', lost)}</Title>"
    # The schema requires the element; on lines of its own the text keeps its leading space.
    yield (
        f"  <Description>\n{pack.comment.translate(_ESCAPED)}\n  </Description>"
        if pack.comment
        else ("  <Description></Description>")
    )
    written = set()
    for key, element in _ELEMENTS.items():
        for value in (value for each, value in pack.metadata if each == key):
            if key in written:
                lost.append(_("more than one {key} of the collection", key=key))
            else:
                yield f"  <{element}>{_element_text(value, key, lost)}</{element}>"
            written.add(key)
    sizes = [(max(map(len, level.rows)), len(level.rows)) for level in pack.levels]
    attributes = _attribute("Copyright", pack.author)
    if sizes:
        attributes += (
            f' MaxWidth="{max(width for width, __ in sizes)}" MaxHeight="{max(height for __, height in sizes)}"'
        )
    yield f"  <LevelCollection{attributes}>"
    for level, size in zip(pack.levels, sizes):
        yield from _level_lines(level, *size)
    yield "  </LevelCollection>"


def _level_lines(level: Level, width: int, height: int) -> Iterator[str]:
    attributes = f' Id="{level.title.translate(_ATTRIBUTE)}" Width="{width}" Height="{height}"'
    yield f"    <Level{attributes}{_attribute('Copyright', level.author)}>"
    for row in level.rows:
        yield f"      <L>{row}</L>"  # no cell needs escaping
    yield "    </Level>"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value.translate(_ATTRIBUTE)}"' if value else ""


def _element_text(text: str, key: str, lost: list[str]) -> str:
    """Return the text of an element that takes one line."""
    if "\n" in text:
        lost.append(_("line breaks in the {key} of the collection", key=key))
    return on_one_line(text).translate(_ESCAPED)
