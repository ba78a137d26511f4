"""Levels in XML: readers of SLC and SSX, and the writer of SLC.

SLC is the format of sourcecode.se: ``SokobanLevels > Title Description Email Url LevelCollection > Level > L``, with
one L per row (SokobanLev.dtd). The writer uses the new style: UTF-8, no DOCTYPE, elements in the order of
SokobanLev.xsd.

SSX is the format of SokoSolve: ``SokobanLibrary > Details, Categories > Category, Puzzles > Puzzle > PuzzleDescription,
Maps > Map > Row, Solutions > Solution > Steps SolutionDescription`` (SokoSolveLibrary.xsd). ``Details`` and all
descriptions contain Name, Description, Comments and Author. Each Map is a level; the first one of a Puzzle gets the
texts of the Puzzle.

Nothing outside the file is read and no entity is expanded: a DOCTYPE may only name its DTD. Errors contain the line
reported by expat.
"""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from sokoterm.engine.level import Level, LevelError, Pack, Record, level_from_rows
from sokoterm.engine.text import title_of_file
from sokoterm.formats.limits import (
    DEFAULT_LIMITS,
    BeyondLimitsError,
    ReadLimits,
    SquareCount,
    decode,
    decode_as,
    marked,
)
from sokoterm.language import N_, _

_SSX_MARK = "<sokobanlibrary"
# White space of XML.
_BLANKS = " \t\r\n"
# Attributes of the file rather than the levels: namespaces, schema, sizes that follow from the boards.
_SCHEMA = re.compile(r"xmlns(:.*)?|xsi:.*|xml:.*|(max)?(width|height)")
# Limit of elements and attributes of a level, and of its rows in multiples of the largest board: empty rows are
# dropped.
_MOST_ELEMENTS, _ROWS_A_ROW = 2000, 10
# The root appears within this many characters.
_BEGIN = 4096
# Limit of bytes without the end of a tag.
_LONGEST_TOKEN = 4_000_000
_UNFINISHED = (3, 5)  # XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN of expat
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
# Bytes that are undefined in cp1252.
_NO_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")

# For SLC.
_PACK_KEYS = {"email": "email", "url": "homepage"}
_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="SokobanLev.xsd">
"""
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = _ESCAPED | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})
_FLOOR = str.maketrans("-_", "  ")
_ELEMENTS = {"email": "Email", "homepage": "Url"}

# For SSX.
# Void, floor, crate, goal, crate on a goal, player, player on a goal, wall.
_CELLS = {"~": " ", ".": " ", "X": "$", "O": ".", "$": "*", "P": "@", "*": "+", "#": "#", " ": " "}
_TO_XSB = str.maketrans(_CELLS)
_DESCRIPTIONS = ("details", "categorydescription", "puzzledescription", "mapdetails", "solutiondescription")
_STEPS = "lurdLURD"
# Numbers that only link the elements of a file, and the start of solutions, which the board shows.
_NUMBERS = ("libraryid", "maxid", "categoryid", "categoryparentref", "puzzleid", "mapid", "order", "startx", "starty")
# The name of a category is repeated for each of its levels.
_LONGEST_CATEGORY = 100


class _Draft:
    """The level or collection being read; ``rows`` have their text and line."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.metadata: list[tuple[str, str]] = []
        self.rows: list[tuple[str, int]] = []
        self.records: list[Record] = []

    def add(self, key: str, value: str) -> None:
        """Store a value without a field, unless it is blank."""
        if value.strip():
            self.metadata.append((key, value.strip()))

    def add_text(self, field: str, value: str, key: str) -> None:
        """Store a non-blank value as the text of a field or, if the field already has one, as metadata."""
        if self.texts.get(field):
            self.add(key, value)
        elif value.strip():
            self.texts[field] = value


def parse_xml(data: bytes, source: str, limits: ReadLimits = DEFAULT_LIMITS, encoding: str | None = None) -> Pack:
    """Parse a file as SSX or SLC, according to its root; it may be broken.

    ``source`` names the file in errors and is the default title. A level that cannot be read keeps its number and goes
    to ``errors``, and so does the first XML error, after the levels before it. Raises LevelError if the file does not
    fit the given ``encoding`` or exceeds the limits.
    """
    line = _endless_tag(data)
    if line:
        raise LevelError(_("found more than {most:,} bytes without the end of a tag", most=_LONGEST_TOKEN), line=line)
    text, broken = _decoded(data, encoding)
    reader = (_SsxReader if _SSX_MARK in text[:_BEGIN].lower() else _SlcReader)(limits)
    return reader.read(text, broken, source)


class _Reader:
    """Handlers of the XML parser for one file; the state is the stack of open elements.

    A subclass defines the root, the elements of levels and rows, and the meaning of cells, and handles other elements:
    ``opened`` and ``closed`` get names in lower case.
    """

    root: ClassVar[str]
    level_element: ClassVar[str]
    row_element: ClassVar[str]
    format_words: ClassVar[str]

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._most = _MOST_ELEMENTS + _ROWS_A_ROW * limits.height
        self._elements = 0
        self._count = SquareCount(limits)
        self._row_name = self.row_element.lower()
        # Open elements: lower-case name, line, text so far.
        self._open: list[tuple[str, int, list[str]]] = []
        self._level: _Draft | None = None
        self._levels: list[Level] = []
        self._errors: list[LevelError] = []
        self.collection = _Draft()
        self.author = ""

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element other than a row."""
        raise NotImplementedError

    def closed(self, name: str, text: str, line: int) -> None:
        """Handle the end of an element other than a row, with its first line and the text directly in it."""
        raise NotImplementedError

    def cells(self, draft: _Draft) -> list[str]:
        """Return the rows of a level in XSB characters, without trailing blanks; may raise LevelError."""
        raise NotImplementedError

    def read(self, text: str, broken: LevelError | None, source: str) -> Pack:
        """Return the pack in ``text``, which is incomplete if the file is ``broken``."""
        from xml.parsers import expat  # few files are of this format

        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = self._entity
        try:
            # In one call, because before expat 2.6 long tokens in pieces took quadratic time.
            parser.Parse(text.encode("utf-8"), broken is None)
        except BeyondLimitsError:
            raise
        except LevelError as error:
            broken = error
        except expat.ExpatError as error:
            broken = self._broken(expat.ErrorString(error.code), error.lineno)
            if error.code in _UNFINISHED and self._open:
                inside, line, __ = self._open[-1]
                problem = _(
                    "found the end of the file inside the <{element}> of line {line}, expected </{element}>",
                    element=inside,
                    line=line,
                )
                broken = LevelError(problem, line=error.lineno)
        if broken is None and self.next == 1:
            problem = _(
                "found no level, expected <{element}> elements in <{root}>", element=self.level_element, root=self.root
            )
            broken = LevelError(problem)
        if broken is not None:
            self.add_error(broken)
        texts = self.collection.texts
        return Pack(
            texts.get("title") or title_of_file(source),
            tuple(self._levels),
            tuple([error.located(source=source, level=error.level) for error in self._errors]),
            self.author,
            texts.get("comment", ""),
            tuple(self.collection.metadata),
        )

    @property
    def next(self) -> int:
        return len(self._levels) + len(self._errors) + 1

    @property
    def parent(self) -> str:
        return self._open[-1][0] if self._open else ""

    @property
    def owner(self) -> _Draft:
        """The owner of texts: the level being read, else the collection."""
        return self.collection if self._level is None else self._level

    def error(self, problem: str) -> LevelError:
        return LevelError(problem, line=self._parser.CurrentLineNumber)

    def start_level(self) -> _Draft:
        if self._level is not None:
            problem = _("found <{element}> inside a <{element}>, expected </{element}>", element=self.level_element)
            raise self.error(problem)
        self.check_number()
        self._level = _Draft()
        return self._level

    def check_number(self) -> None:
        if self.next > self._limits.levels:
            raise self._limits.too_many_levels(self._parser.CurrentLineNumber)

    def end_level(self, line: int) -> None:
        """Add the level of the draft, whose element begins on a line, or its error."""
        draft, self._level, self._elements = self._level, None, 0
        assert draft is not None
        try:
            self._levels.append(self._read_level(draft, line, self.next))
        except BeyondLimitsError:
            raise
        except LevelError as error:
            self.add_error(error.titled(draft.texts.get("title", "")))

    def add_error(self, error: LevelError) -> None:
        self._errors.append(error.located(source="", level=self.next))

    def _broken(self, reason: str, line: int) -> LevelError:
        problem = _("found broken XML ({reason}), expected {expected}", reason=reason, expected=_(self.format_words))
        return LevelError(problem, line=line)

    def _doctype(self, __: str, ___: str | None, ____: str | None, has_declarations: bool) -> None:
        if has_declarations:  # which could be of entities
            problem = _("found a DOCTYPE with declarations, expected none or one that only names a DTD")
            raise self.error(problem)

    def _entity(self, name: str, __: bool) -> None:
        # Only the DTD could declare it.
        raise self._broken(f"&{name};", self._parser.CurrentLineNumber)

    def _start(self, written: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1 + len(attributes)
        if self._elements > self._most:
            raise self.error(_("found more than {most:,} elements in a level", most=self._most))
        line = self._parser.CurrentLineNumber
        # Nearly every element is a row.
        if written == self.row_element and not attributes and self._open:
            self._open.append((self._row_name, line, []))
            return
        name = written.rpartition(":")[2].lower()
        if not self._open and name != self.root.lower():
            problem = _("found the element <{found}>, expected <{root}>", found=written[:40], root=self.root)
            raise self.error(problem)
        self.opened(name, {key.lower(): attributes[key] for key in attributes if not _SCHEMA.fullmatch(key.lower())})
        self._open.append((name, line, []))

    def _characters(self, text: str) -> None:
        self._open[-1][2].append(text)

    def _end(self, __: str) -> None:
        name, line, texts = self._open.pop()
        text = "".join(texts)
        if name == self._row_name and self._level is not None:
            self._level.rows.append((text, line))
        else:
            self.closed(name, text, line)

    def _read_level(self, draft: _Draft, line: int, number: int) -> Level:
        rows = self.cells(draft)
        first = next((i for i, row in enumerate(rows) if row), len(rows))
        end = next((i for i in range(len(rows), first, -1) if rows[i - 1]), first)
        rows = rows[first:end]
        if not rows:
            problem = _("found a level without rows, expected <{row}> elements", row=self.row_element)
            raise LevelError(problem, line=line)
        width, height, line = max(map(len, rows)), len(rows), draft.rows[first][1]
        self._limits.check_board(width, height, line)
        self._count.spend(width * height, line)
        margin = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
        try:
            level = level_from_rows([row[margin:] for row in rows], line=line, number=number)
        except LevelError as error:
            at = draft.rows[first + error.line - line][1]
            raise LevelError(error.problem, line=at, character=error.character) from None
        texts = draft.texts
        return level.replace(
            title=texts.get("title", ""),
            author=texts.get("author", ""),
            comment=texts.get("comment", ""),
            metadata=tuple(draft.metadata),
            records=tuple(draft.records),
        )


class _SlcReader(_Reader):
    root = "SokobanLevels"
    level_element = "Level"
    row_element = "L"
    format_words = N_("an SLC file")

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "level":
            draft = self.start_level()
            draft.texts["title"] = attributes.pop("id", "").strip()
            # Levels of a second collection get its author.
            author = self.collection.texts.get("copyright", "")
            draft.texts["author"] = attributes.pop("copyright", "").strip() or author
        elif name == "levelcollection":
            author = attributes.pop("copyright", "").strip()
            if self.next == 1:
                self.author = author
            self.collection.texts["copyright"] = author if author != self.author else ""
        for key, value in attributes.items():
            self.owner.add(key if name in ("level", "levelcollection", "sokobanlevels") else f"{name} {key}", value)

    def closed(self, name: str, text: str, line: int) -> None:
        if name in ("level", "levelcollection", "sokobanlevels"):
            self.owner.add("text", text)
            if name == "level":
                self.end_level(line)
        elif self.owner is not self.collection:
            self.owner.add(name, text)
        elif name == "title":
            self.collection.add_text(name, _on_one_line(text), name)
        elif name == "description":
            self.collection.add_text("comment", _paragraphs(text), name)
        else:
            self.collection.add(_PACK_KEYS.get(name, name), _on_one_line(text))

    def cells(self, draft: _Draft) -> list[str]:
        rows = [row[0].rstrip(_BLANKS) for row in draft.rows]
        drawn = "".join(rows)
        return [row.translate(_FLOOR).rstrip(_BLANKS) for row in rows] if "-" in drawn or "_" in drawn else rows


class _SsxReader(_Reader):
    root = "SokobanLibrary"
    level_element = "Map"
    row_element = "Row"
    format_words = N_("an SSX file")

    def __init__(self, limits: ReadLimits) -> None:
        super().__init__(limits)
        self._category = ""
        self._categories: dict[str, str] = {}
        self._puzzle: _Draft | None = None
        self._is_mapped = False
        # Texts of the last description, and steps of the open solution.
        self._described = _Draft()
        self._steps = ""

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "category":
            self._category = attributes.get("categoryid", "")
        elif name == "puzzle":
            self._puzzle, self._is_mapped = _Draft(), False
            self._category = attributes.pop("categoryref", "")
        elif name == "map":
            self._open_map()
        elif name == "solution":
            self._described, self._steps = _Draft(), ""
        elif name in _DESCRIPTIONS:
            self._described = _Draft()
        owner = self._described if name in _DESCRIPTIONS or self.parent in _DESCRIPTIONS else self.owner
        if name == "author":
            owner.add_text(name, attributes.pop("name", "").strip(), name)
        for key, value in attributes.items():
            if key not in _NUMBERS:
                owner.add(key, value)

    def closed(self, name: str, text: str, line: int) -> None:
        described = self._described
        if self.parent in _DESCRIPTIONS:
            if name == "name":
                described.add_text("title", _on_one_line(text), name)
            elif name in ("description", "comments"):
                described.add_text(name, _paragraphs(text), name)
            else:
                described.add(name, text)
        elif name == "categorydescription":
            self._categories[self._category] = described.texts.get("title", "")[:_LONGEST_CATEGORY]
        elif name in ("details", "puzzledescription", "mapdetails"):
            if name == "details":
                self.author = described.texts.pop("author", "")
            for field in ("title", "author"):
                self.owner.add_text(field, described.texts.get(field, ""), field)
            self.owner.add_text("comment", _comment(described.texts), "description")
            self.owner.metadata += described.metadata
        elif name == "steps":
            self._steps = "".join(text.split())
        elif name == "solution":
            self._close_solution()
        elif name == "map":
            self.end_level(line)
        elif name == "puzzle":
            self._close_puzzle(line)
        elif name != "solutiondescription":
            self.owner.add(name, text)

    def cells(self, draft: _Draft) -> list[str]:
        rows = [row[0].rstrip(_BLANKS) for row in draft.rows]
        for row, written in zip(rows, draft.rows):
            if row.strip("".join(_CELLS)):
                found = next(each for each in row if each not in _CELLS)
                problem = _("found {found!r}, expected one of ~ # . X O $ P * or a space", found=found)
                raise LevelError(problem, line=written[1], character=found)
        return [row.translate(_TO_XSB).rstrip(_BLANKS) for row in rows]

    @property
    def owner(self) -> _Draft:
        owner = super().owner
        return self._puzzle if owner is self.collection and self._puzzle is not None else owner

    def _open_map(self) -> None:
        """Start a level, with the texts of its puzzle if it is the first."""
        level = self.start_level()
        if self._puzzle is not None:
            level.texts, level.metadata = self._puzzle.texts, self._puzzle.metadata
            self._puzzle = _Draft()
        if len(self._categories) > 1:
            level.add("category", self._categories.get(self._category, ""))
        self._is_mapped = True

    def _close_puzzle(self, line: int) -> None:
        puzzle, self._puzzle = self._puzzle, None
        if puzzle is not None and not self._is_mapped:
            self.check_number()
            error = LevelError(_("found a puzzle without a map, expected a <Map>"), line=line)
            self.add_error(error.titled(puzzle.texts.get("title", "")))

    def _close_solution(self) -> None:
        """Add the solution of a map; other steps than moves, such as ``TODO``, become metadata."""
        moves, texts = self._steps, self._described.texts
        if not moves or moves.strip(_STEPS):
            self.owner.add("solution", moves)
            return
        name = texts.get("title", "")
        title = name if name.lower().startswith("solution") else f"Solution ({name})" if name else "Solution"
        pairs = [("author", texts.get("author", "")), *self._described.metadata]
        notes = [_comment(texts), *(f"{key.capitalize()}: {value}" for key, value in pairs if value)]
        self.owner.records.append(Record(title, moves, "\n".join(filter(None, notes))))


def _comment(texts: dict[str, str]) -> str:
    return "\n".join(filter(None, map(texts.get, ("description", "comments"))))


def _on_one_line(text: str) -> str:
    return " ".join(filter(None, map(str.strip, text.split("\n"))))


def _paragraphs(text: str) -> str:
    """Strip the blank lines around a text, or all surrounding space if it is on the same line as its tags."""
    lines = text.split("\n")
    if len(lines) == 1:
        return text.strip()
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    end = next((i for i in range(len(lines), first, -1) if lines[i - 1].strip()), first)
    return "\n".join(lines[first:end])


def _decoded(data: bytes, encoding: str | None) -> tuple[str, LevelError | None]:
    """Return the text up to the first undecodable byte, and the error for it; raise LevelError as ``decode``."""
    if encoding is not None:
        return decode(data, encoding), None
    try:
        return decode_as(data, _encoding(data))
    except LevelError as error:
        return "", LevelError(error.problem, line=1)


def _endless_tag(data: bytes) -> int:
    """Return the line of a tag or text longer than in any real file, or 0; takes linear time."""
    begin = 0
    while len(data) - begin > _LONGEST_TOKEN:
        end = data.rfind(b">", begin, begin + _LONGEST_TOKEN)
        if end < 0:
            return data.count(b"\n", 0, begin) + 1
        begin = end + 1
    return 0


def _encoding(data: bytes) -> str:
    certain = marked(data)
    match = _DECLARED.match(data)
    declared = match[1].decode("ascii").lower() if match else "utf-8"
    if certain or declared.startswith(("utf-16", "utf-32", "utf16", "utf32", "ucs")):
        return certain or "utf-8"  # a declaration that is readable as ASCII cannot be UTF-16
    if declared in ("iso-8859-1", "latin1", "latin-1") and not _NO_CP1252.search(data):
        return "cp1252"  # Windows programs declare latin-1 and write cp1252; browsers assume the same
    return declared


def to_slc(pack: Pack, lost: list[str]) -> str:
    """Return the text of an SLC file, and add lost fields to ``lost``."""
    return _HEAD + "".join(f"{line}\n" for line in _lines(pack, lost)) + "</SokobanLevels>\n"


def _lines(pack: Pack, lost: list[str]) -> Iterator[str]:
    yield f"  <Title>{_element_text(pack.title, 'title', lost)}</Title>"
    # The schema requires the element; separate lines preserve leading space.
    comment = f"\n{pack.comment.translate(_ESCAPED)}\n  " if pack.comment else ""
    yield f"  <Description>{comment}</Description>"
    for key, element in _ELEMENTS.items():
        values = [value for each, value in pack.metadata if each == key]
        if values:
            yield f"  <{element}>{_element_text(values[0], key, lost)}</{element}>"
        if len(values) > 1:
            lost.append(_("more than one {key} of the collection", key=key))
    sizes = [(max(map(len, level.rows)), len(level.rows)) for level in pack.levels]
    attributes = _attribute("Copyright", pack.author)
    if sizes:
        width, height = map(max, zip(*sizes))
        attributes += f' MaxWidth="{width}" MaxHeight="{height}"'
    yield f"  <LevelCollection{attributes}>"
    for level, (width, height) in zip(pack.levels, sizes):
        attributes = f' Id="{level.title.translate(_ATTRIBUTE)}" Width="{width}" Height="{height}"'
        yield f"    <Level{attributes}{_attribute('Copyright', level.author)}>"
        for row in level.rows:
            yield f"      <L>{row}</L>"  # cells never need escaping
        yield "    </Level>"
    yield "  </LevelCollection>"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value.translate(_ATTRIBUTE)}"' if value else ""


def _element_text(text: str, key: str, lost: list[str]) -> str:
    if "\n" in text:
        lost.append(_("line breaks in the {key} of the collection", key=key))
    return _on_one_line(text).translate(_ESCAPED)
