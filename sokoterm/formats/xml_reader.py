"""Reader of packs in XML, whatever their elements: encoding, DOCTYPE, limits, rows, and errors.

A format is a subclass of XmlReader. Nothing outside the file is read and no entity is expanded: a DOCTYPE may only
name its DTD. Errors have the line that expat gives, and its column where an element is meant.
"""

import re
from collections.abc import Mapping
from itertools import islice
from typing import ClassVar

from sokoterm.engine.level import Level, LevelError, Pack, Record, level_from_rows
from sokoterm.engine.text import stem_of
from sokoterm.formats.encodings import is_of_texts, marked, wide_xml
from sokoterm.formats.limits import ReadLimits, SquareCount, TooManySquaresError
from sokoterm.language import _

# The deepest known file nests 4 elements; the longest text has some thousand characters.
_DEPTH = 50
_ATTRIBUTES = 100
_TEXTS = 1000
# Empty rows around a level are dropped, so it may have this many times the rows of the largest board.
_ROWS_A_ROW = 10
_LONGEST_TEXT = 1_000_000
BLANKS = " \t\r\n"
"""White space of XML."""
# Attributes about the file rather than the levels: namespaces, the schema, sizes that follow from the boards.
_PLUMBING = re.compile(r"xmlns(:.*)?|xsi:.*|xml:.*|(max)?(width|height)")
_EXPAT_UNFINISHED = (3, 5)  # XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN

# Bytes without the end of a tag: the longest text allowed, in any encoding, with its tag.
_LONGEST_TOKEN = 4_000_000 + 4096

_DECLARED = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_C1 = re.compile(rb"[\x80-\x9f]")
# The line and column of an element, each counted from 1.
Place = tuple[int, int]
# An open element: its lower-case name, its place, its text so far.
_Element = tuple[str, Place, list[str]]
# A row as written, with its line.
XmlRow = tuple[str, int]


class XmlDraft:
    """The level or collection being read."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.metadata: list[tuple[str, str]] = []
        self.rows: list[XmlRow] = []
        self.records: list[Record] = []

    def add(self, key: str, value: str) -> None:
        """Keep a non-blank value that has no field of its own."""
        if value.strip():
            self.metadata.append((key, value.strip()))

    def add_text(self, field: str, value: str, key: str) -> None:
        """Keep a non-blank value as the text of a field; any but the first of a field goes behind the key."""
        if self.texts.get(field):
            self.add(key, value)
        elif value.strip():
            self.texts[field] = value


class XmlReader:
    """Handlers of the XML parser for one file; the open elements are its state.

    A subclass names the root, the elements of levels and of their rows, says which cells its characters are, and takes
    the other elements: ``opened`` and ``closed`` get names in lower case and the place of the element.
    """

    root: ClassVar[str]
    level_element: ClassVar[str]
    row_element: ClassVar[str]
    format_words: ClassVar[str]

    def __init__(self, limits: ReadLimits, source: str) -> None:
        self._limits = limits
        self._most_rows = _ROWS_A_ROW * limits.height
        self._count = SquareCount(limits)
        self._source = source
        self._row_name = self.row_element.lower()
        self._open: list[_Element] = []
        self._level: XmlDraft | None = None
        self._levels: list[Level] = []
        self._errors: list[LevelError] = []
        self._length = 0
        self.collection = XmlDraft()
        self.author = ""

    def opened(self, name: str, attributes: dict[str, str], place: Place) -> None:
        """Take the start of an element that is no row."""
        raise NotImplementedError

    def closed(self, name: str, text: str, place: Place) -> None:
        """Take the end of an element that is no row, with the text directly in it."""
        raise NotImplementedError

    def cells(self, draft: XmlDraft) -> list[str]:
        """Return the rows of a level in XSB characters, without blanks at their ends; may raise LevelError."""
        raise NotImplementedError

    @classmethod
    def read(cls, data: bytes, source: str, limits: ReadLimits, encoding: str | None) -> Pack:
        """Return the pack in a file; ``source`` names it in errors and is its title if it has none.

        A level that cannot be read keeps its number and goes to ``errors``. Where the file stops being XML, that error
        goes there too, after the levels before it. Raises LevelError if ``encoding`` is given and does not fit, or if
        there are clearly more levels than the limits allow.
        """
        # UTF-16 has a zero byte in each character.
        begin = rb"\0?".join(re.escape(each.encode()) for each in f"<{cls.level_element}") + rb"\0?[ \t\r\n/>]"
        if any(islice(re.finditer(begin, data, re.IGNORECASE), limits.levels, None)):
            raise limits.too_many_levels().located(source=source, level=0)
        end = _token_beyond(data)
        text, broken = _decode_xml(data if end is None else data[:end], encoding, source)
        if end is not None and broken is None:
            problem = _("found over {most:,} bytes without the end of a tag, expected elements", most=_LONGEST_TOKEN)
            broken = LevelError(problem, line=_line_after(text))
        reader = cls(limits, source)
        try:
            reader.feed(text, is_whole=broken is None)
        except LevelError as error:
            broken = error
        return reader.pack(broken)

    def feed(self, text: str, *, is_whole: bool) -> None:
        """Parse ``text``, the beginning of a file unless ``is_whole``; raises LevelError if it is not XML."""
        from xml.parsers import expat

        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.SkippedEntityHandler = self._entity
        try:
            # In one call: before expat 2.6 long tokens fed in pieces took quadratic time.
            parser.Parse(text.encode("utf-8"), is_whole)
        except expat.ExpatError as error:
            raise self._broken(error.code, expat.ErrorString(error.code), (error.lineno, error.offset + 1)) from None

    def pack(self, broken: LevelError | None) -> Pack:
        """Return what was read; ``broken`` is the error that stopped the reading early, if any."""
        if broken is None and not self._levels and not self._errors:
            problem = _(
                "found no level, expected <{element}> elements in <{root}>", element=self.level_element, root=self.root
            )
            broken = LevelError(problem)
        if broken is not None:
            self._errors.append(broken.located(source=self._source, level=self.next))
        texts = self.collection.texts
        return Pack(
            texts.get("title") or stem_of(self._source.replace("\\", "/").rpartition("/")[2]),
            tuple(self._levels),
            tuple(self._errors),
            self.author,
            texts.get("comment", ""),
            tuple(self.collection.metadata),
        )

    @property
    def next(self) -> int:
        """Number of the next level."""
        return len(self._levels) + len(self._errors) + 1

    @property
    def parent(self) -> str:
        """Name of the innermost open element, empty for none."""
        return self._open[-1][0] if self._open else ""

    @property
    def owner(self) -> XmlDraft:
        """The level being read, else the collection: what texts belong to."""
        return self.collection if self._level is None else self._level

    @property
    def _place(self) -> Place:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _doctype(self, __: str, ___: str | None, ____: str | None, has_declarations: bool) -> None:
        if has_declarations:  # which could be of entities
            problem = _("found a DOCTYPE with declarations of its own, expected none or one that only names a DTD")
            raise placed(problem, self._place)

    def _entity(self, name: str, __: bool) -> None:
        """Refuse an entity that only the DTD could declare."""
        raise self._broken(0, f"&{name};", self._place)

    def _start(self, written: str, attributes: Mapping[str, str]) -> None:
        place = self._place
        self._length = 0
        # Nearly every element is a row.
        if written == self.row_element and not attributes and 0 < len(self._open) < _DEPTH:
            self._open.append((self._row_name, place, []))
            return
        name = written.rpartition(":")[2].lower()
        if not self._open and name != self.root.lower():
            problem = _("found the element <{found}>, expected <{root}>", found=written[:40], root=self.root)
            raise placed(problem, place)
        if len(self._open) >= _DEPTH:
            raise placed(_("found {count} nested elements, expected fewer", count=_DEPTH + 1), place)
        if len(attributes) > _ATTRIBUTES:
            problem = _("found an element with {count:,} attributes, expected fewer", count=len(attributes))
            raise placed(problem, place)
        known = {each.lower(): value for each, value in attributes.items() if not _PLUMBING.fullmatch(each.lower())}
        self.opened(name, known, place)
        self._open.append((name, place, []))

    def start_level(self, place: Place) -> XmlDraft:
        """Return the draft of a new level."""
        if self._level is not None:
            element = self.level_element
            problem = _("found <{element}> inside a <{element}>, expected </{element}>", element=element)
            raise placed(problem, place)
        self.check_number(place)
        self._level = XmlDraft()
        return self._level

    def check_number(self, place: Place) -> None:
        """Raise LevelError if no more levels may be read."""
        if self.next > self._limits.levels:
            problem = _(
                "found a level after {most:,}, expected at most that many (--max-levels raises the limit):"
                " the rest is not read",
                most=self._limits.levels,
            )
            raise placed(problem, place)

    def end_level(self, place: Place) -> None:
        """Read the level of the draft, whose element has this place; one that cannot be read becomes an error."""
        draft, self._level = self._level, None
        assert draft is not None
        try:
            self._levels.append(self._read_level(draft, place, self.next))
        except TooManySquaresError:
            raise
        except LevelError as error:
            self.add_error(error.titled(draft.texts.get("title", "")))

    def add_error(self, error: LevelError) -> None:
        """Add a level that cannot be read."""
        self._errors.append(error.located(source=self._source, level=self.next))

    def _characters(self, text: str) -> None:
        self._length += len(text)
        if self._length > _LONGEST_TEXT:
            problem = _("found a text of over {most:,} characters, expected a shorter one", most=_LONGEST_TEXT)
            raise placed(problem, self._place)
        self._open[-1][2].append(text)

    def _end(self, __: str) -> None:
        name, place, texts = self._open.pop()
        text = "".join(texts)
        self._length = 0
        if name == self._row_name and self._level is not None:
            if len(self._level.rows) == self._most_rows:
                problem = _(
                    "found over {rows:,} rows in a level, expected at most {most:,} (--max-board raises the limit)",
                    rows=self._most_rows,
                    most=self._limits.height,
                )
                raise placed(problem, place)
            self._level.rows.append((text, place[0]))
            return
        if len(self.owner.metadata) > _TEXTS:
            raise placed(_("found over {most:,} texts besides rows, expected fewer", most=_TEXTS), place)
        self.closed(name, text, place)

    def _read_level(self, draft: XmlDraft, place: Place, number: int) -> Level:
        """Return the level of a draft, whose element has this place; raises LevelError with its line."""
        rows = self.cells(draft)
        first = next((i for i, row in enumerate(rows) if row), len(rows))
        end = next((i for i in range(len(rows), first, -1) if rows[i - 1]), first)
        rows = rows[first:end]
        if not rows:
            problem = _("found a level without rows, expected <{row}> elements", row=self.row_element)
            raise placed(problem, place)
        width, height, line = max(map(len, rows)), len(rows), draft.rows[first][1]
        self._limits.check_board(width, height, line)
        self._count.spend(width * height, line)
        is_at_edge = "#" in [row[:1] for row in rows]
        margin = 0 if is_at_edge else min([len(row) - len(row.lstrip(" ")) for row in rows if row])
        try:
            level = level_from_rows([row[margin:] for row in rows] if margin else rows, number=number)
        except LevelError as error:
            line = draft.rows[first + max(error.line, 1) - 1][1]
            raise LevelError(error.problem, line=line, character=error.character) from None
        texts = draft.texts
        return Level(
            level.board,
            level.start,
            level.rows,
            texts.get("title", ""),
            texts.get("author", ""),
            texts.get("comment", ""),
            tuple(draft.metadata),
            number,
            line,
            tuple(draft.records),
        )

    def _broken(self, code: int, reason: str, place: Place) -> LevelError:
        if code in _EXPAT_UNFINISHED and self._open:
            inside, (line, __), ___ = self._open[-1]
            problem = _(
                "found the end of the file inside the <{element}> of line {line}, expected </{element}>",
                element=inside,
                line=line,
            )
        else:
            expected = _(self.format_words)
            problem = _("found broken XML ({reason}), expected {expected}", reason=reason, expected=expected)
        return placed(problem, place)


def placed(problem: str, place: Place) -> LevelError:
    """Return an error at a place of the file."""
    line, column = place
    return LevelError(problem, line=line, column=column)


def on_one_line(text: str) -> str:
    """Return the lines of a text on one line."""
    return " ".join(filter(None, map(str.strip, text.split("\n"))))


def paragraphs(text: str) -> str:
    """Strip the blank lines around a text, and the surrounding space of one that shares its line with its tags."""
    lines = text.split("\n")
    if len(lines) == 1:
        return text.strip()
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    end = next((i for i in range(len(lines), first, -1) if lines[i - 1].strip()), first)
    return "\n".join(lines[first:end])


def _decode_xml(data: bytes, encoding: str | None, source: str) -> tuple[str, LevelError | None]:
    """Return the text up to the first undecodable byte, and the error of that byte.

    The encoding is the one given, else that of the mark, else the declared one, else UTF-8. Raises LevelError if the
    given one does not fit.
    """
    chosen = encoding or _encoding(data)
    text = ""
    try:
        if encoding is None and not is_of_texts(chosen):
            raise LookupError
        return data.decode(chosen).removeprefix("\ufeff"), None
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(chosen, "ignore").removeprefix("\ufeff")
        line, column = _line_after(text), _column_after(text)
        byte = f"{data[error.start]:02x}"
        problem = _("found the byte 0x{byte}, expected text in {encoding}", byte=byte, encoding=chosen)
        broken = LevelError(problem, source=source, line=line, column=column)
    except (LookupError, ValueError):
        problem = _("found the encoding {found!r}, expected one such as utf-8 or iso-8859-1", found=chosen)
        broken = LevelError(problem, source=source, line=0 if encoding else 1)
    if encoding:
        raise broken
    return text, broken


def _token_beyond(data: bytes) -> int | None:
    """Return the offset of an endless tag, longer than in any real file, None for none; takes linear time."""
    begin = 0
    while len(data) - begin > _LONGEST_TOKEN:
        end = data.rfind(b">", begin, begin + _LONGEST_TOKEN)
        if end < 0:
            return begin
        begin = end + 1
    return None


def _encoding(data: bytes) -> str:
    """Return the encoding of the file: by its mark, else as declared, else UTF-8."""
    certain = marked(data) or wide_xml(data)
    match = _DECLARED.match(data)
    declared = match[1].decode("ascii").lower() if match else "utf-8"
    if certain or declared.startswith(("utf-16", "utf-32", "utf16", "utf32", "ucs")):
        return certain or "utf-8"  # a declaration readable as ASCII cannot be UTF-16
    if declared in ("iso-8859-1", "latin1", "latin-1") and _C1.search(data) and _is_cp1252(data):
        return "cp1252"  # Windows programs declare latin-1 and write cp1252; browsers assume the same
    return declared


def _is_cp1252(data: bytes) -> bool:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


def _column_after(text: str) -> int:
    """Return the column that follows the text."""
    return len(text) - max(text.rfind("\n"), text.rfind("\r"))


def _line_after(text: str) -> int:
    """Return the number of the line on which the text ends."""
    return text.count("\n") + text.count("\r") - text.count("\r\n") + 1
