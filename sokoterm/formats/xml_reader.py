"""Reader of packs in XML, whatever their elements: encoding, DOCTYPE, limits, rows, and the places of errors.

A format is a subclass of XmlReader. Nothing outside the file is read and no entity is expanded: a DOCTYPE may only
name its DTD.
"""

import re
from collections.abc import Mapping
from itertools import islice
from typing import ClassVar

from sokoterm.engine.level import Level, LevelError, Pack, Record, level_from_rows
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
_DOCTYPE = "<!DOCTYPE"
_DOCTYPE_HEAD = re.compile(r"(?:[^\"'\[>]++|\"[^\"]*+\"|'[^']*+')*+")
_BLANKS = re.compile(r"[ \t\r\n]*+")
_NO_LINE_END = re.compile(r"[^\r\n]")
_MISC = (("<!--", "-->"), ("<?", "?>"))
# An open element: its lower-case name, its first byte, its text so far.
_Element = tuple[str, int, list[str]]
# A row as written, with the first byte of its element and that of the end tag.
XmlRow = tuple[str, int, int]


class _Places:
    """Lines and columns of the bytes of a text, counted from 1."""

    def __init__(self, text: str) -> None:
        self.data = (text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text).encode("utf-8")
        self._known = (0, 1)
        self._known_column = (0, 1)

    def line(self, byte: int) -> int:
        """Return the line of a byte; takes time linear in the distance to the byte asked for before."""
        known, line = self._known
        line += self.data.count(b"\n", known, byte) if byte >= known else -self.data.count(b"\n", byte, known)
        self._known = byte, line
        return line

    def column(self, byte: int) -> int:
        """Return the column of a byte; takes the same time, as a whole file may be one line."""
        known, column = self._known_column if self._known_column[0] <= byte else (0, 1)
        if begin := self.data.rfind(b"\n", known, byte) + 1:
            known, column = begin, 1
        column += len(self.data[known:byte].decode("utf-8", "ignore"))
        self._known_column = byte, column
        return column


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
    the other elements: ``opened`` and ``closed`` get names in lower case and the first byte of the element.
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
        self._places = _Places("")
        self.collection = XmlDraft()
        self.author = ""

    def opened(self, name: str, attributes: dict[str, str], first: int) -> None:
        """Take the start of an element that is no row."""
        raise NotImplementedError

    def closed(self, name: str, text: str, first: int) -> None:
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
            broken = LevelError(problem, line=_line_after(text), column=_column_after(text))
        reader = cls(limits, source)
        try:
            reader.feed(_without_doctype(text), is_whole=broken is None)
        except LevelError as error:
            broken = error
        return reader.pack(broken)

    def feed(self, text: str, *, is_whole: bool) -> None:
        """Parse ``text``, the beginning of a file unless ``is_whole``; raises LevelError if it is not XML."""
        from xml.parsers import expat

        self._places = _Places(text)
        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        # Without a DOCTYPE neither can occur; if one does, it is refused before it has an effect.
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        try:
            # In one call: before expat 2.6 long tokens fed in pieces took quadratic time.
            parser.Parse(self._places.data, is_whole)
        except expat.ExpatError as error:
            raise self._broken(error.code, expat.ErrorString(error.code), error.lineno, error.offset) from None

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
        name = self._source.replace("\\", "/").rpartition("/")[2]
        return Pack(
            texts.get("title") or name.rpartition(".")[0] or name,
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

    def error(self, problem: str, byte: int) -> LevelError:
        """Return an error at a byte of the file."""
        return LevelError(problem, line=self._places.line(byte), column=self._places.column(byte))

    def _refuse(self, *__: object) -> None:
        raise self.error(_("found a DOCTYPE or ENTITY, expected elements only"), self._parser.CurrentByteIndex)

    def _start(self, written: str, attributes: Mapping[str, str]) -> None:
        first = self._parser.CurrentByteIndex
        self._length = 0
        # Nearly every element is a row.
        if written == self.row_element and not attributes and 0 < len(self._open) < _DEPTH:
            self._open.append((self._row_name, first, []))
            return
        name = written.rpartition(":")[2].lower()
        if not self._open and name != self.root.lower():
            problem = _("found the element <{found}>, expected <{root}>", found=written[:40], root=self.root)
            raise self.error(problem, first)
        if len(self._open) >= _DEPTH:
            raise self.error(_("found {count} nested elements, expected fewer", count=_DEPTH + 1), first)
        if len(attributes) > _ATTRIBUTES:
            problem = _("found an element with {count:,} attributes, expected fewer", count=len(attributes))
            raise self.error(problem, first)
        known = {each.lower(): value for each, value in attributes.items() if not _PLUMBING.fullmatch(each.lower())}
        self.opened(name, known, first)
        self._open.append((name, first, []))

    def start_level(self, first: int) -> XmlDraft:
        """Return the draft of a new level."""
        if self._level is not None:
            element = self.level_element
            problem = _("found <{element}> inside a <{element}>, expected </{element}>", element=element)
            raise self.error(problem, first)
        self.check_number(first)
        self._level = XmlDraft()
        return self._level

    def check_number(self, first: int) -> None:
        """Raise LevelError at a byte of the file if no more levels may be read."""
        if self.next > self._limits.levels:
            problem = _(
                "found a level after {most:,}, expected at most that many (--max-levels raises the limit):"
                " the rest is not read",
                most=self._limits.levels,
            )
            raise self.error(problem, first)

    def end_level(self, first: int) -> None:
        """Read the level of the draft, whose element has this first byte; one that cannot be read becomes an error."""
        draft, self._level = self._level, None
        assert draft is not None
        try:
            self._levels.append(self._read_level(draft, first, self.next))
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
            raise self.error(problem, self._parser.CurrentByteIndex)
        self._open[-1][2].append(text)

    def _end(self, __: str) -> None:
        name, first, texts = self._open.pop()
        text = "".join(texts)
        self._length = 0
        if name == self._row_name and self._level is not None:
            if len(self._level.rows) == self._most_rows:
                problem = _(
                    "found over {rows:,} rows in a level, expected at most {most:,} (--max-board raises the limit)",
                    rows=self._most_rows,
                    most=self._limits.height,
                )
                raise self.error(problem, first)
            self._level.rows.append((text, first, self._parser.CurrentByteIndex))
            return
        if len(self.owner.metadata) > _TEXTS:
            raise self.error(_("found over {most:,} texts besides rows, expected fewer", most=_TEXTS), first)
        self.closed(name, text, first)

    def _read_level(self, draft: XmlDraft, element: int, number: int) -> Level:
        """Return the level of a draft, whose element has this byte; raises LevelError with line and column."""
        rows = self.cells(draft)
        first = next((i for i, row in enumerate(rows) if row), len(rows))
        end = next((i for i in range(len(rows), first, -1) if rows[i - 1]), first)
        rows = rows[first:end]
        if not rows:
            problem = _("found a level without rows, expected <{row}> elements", row=self.row_element)
            raise self.error(problem, element)
        width, height, line = max(map(len, rows)), len(rows), self._places.line(draft.rows[first][1])
        self._limits.check_board(width, height, line)
        self._count.spend(width * height, line)
        is_at_edge = "#" in [row[:1] for row in rows]
        margin = 0 if is_at_edge else min([len(row) - len(row.lstrip(" ")) for row in rows if row])
        try:
            level = level_from_rows([row[margin:] for row in rows] if margin else rows, number=number)
        except LevelError as error:
            row = draft.rows[first + max(error.line, 1) - 1]
            raise self.placed(error, row, margin + error.column if error.column else 0) from None
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

    def placed(self, error: LevelError, row: XmlRow, column: int) -> LevelError:
        """Return an error with its place in the file; ``column`` counts from 1 in a row (0: in none of its own)."""
        byte = self._byte_of(row, column)
        found = self._places.column(byte) if column else 0
        return LevelError(error.problem, line=self._places.line(byte), column=found, character=error.character)

    def _byte_of(self, row: XmlRow, column: int) -> int:
        """Return the byte of a column of a row, counted from 1 (0: of the row): it is read again, piece by piece."""
        from xml.parsers import expat

        begin, last = row[1:]
        found, before, depth = begin, 0, 0

        def start(*__: object) -> None:
            nonlocal depth
            depth += 1

        def end(__: str) -> None:
            nonlocal depth
            depth -= 1

        def characters(text: str) -> None:
            nonlocal found, before
            if depth == 1 and before < column:
                found = begin + parser.CurrentByteIndex + len(text[: column - before - 1].encode("utf-8"))
                before += len(text)

        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = characters
        parser.Parse(self._places.data[begin:last])
        return found

    def _broken(self, code: int, message: str, line: int, offset: int) -> LevelError:
        if code in _EXPAT_UNFINISHED and self._open:
            inside, first, __ = self._open[-1]
            problem = _(
                "found the end of the file inside the <{element}> of line {line}, expected </{element}>",
                element=inside,
                line=self._places.line(first),
            )
            return LevelError(problem, line=line, column=offset + 1)
        lines = self._places.data.decode("utf-8").split("\n")
        character = lines[line - 1][offset : offset + 1] if 0 < line <= len(lines) else ""
        expected = _(self.format_words)
        if character:
            problem = _(
                "found broken XML ({reason}) at {character!r}, expected {expected}",
                reason=message,
                character=character,
                expected=expected,
            )
        else:
            problem = _("found broken XML ({reason}), expected {expected}", reason=message, expected=expected)
        return LevelError(problem, line=line, column=offset + 1, character=character)


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


def _without_doctype(text: str) -> str:
    """Return the text with its DOCTYPE blanked, so that the parser never sees one; linear time.

    Raises LevelError for a DOCTYPE with an internal subset, which could declare entities.
    """
    place = _after_misc(text)
    if not text.startswith(_DOCTYPE, place):
        return text
    match = _DOCTYPE_HEAD.match(text, place)
    end = match.end() if match else place
    if text[end : end + 1] == "[":
        problem = _("found a DOCTYPE with declarations of its own, expected none or one that only names a DTD")
        raise LevelError(problem, line=_line_after(text[:end]), column=end - text.rfind("\n", 0, end), character="[")
    if text[end : end + 1] != ">":
        return text  # the parser reports the error
    return text[:place] + _NO_LINE_END.sub(" ", text[place : end + 1]) + text[end + 1 :]


def _after_misc(text: str) -> int:
    """Return the offset of the first thing that is not white space, a comment or a processing instruction."""
    place = 0
    while True:
        match = _BLANKS.match(text, place)
        place = match.end() if match else place
        mark = next(((begin, end) for begin, end in _MISC if text.startswith(begin, place)), None)
        if mark is None:
            return place
        found = text.find(mark[1], place + len(mark[0]))
        place = found + len(mark[1]) if found >= 0 else len(text)


def _column_after(text: str) -> int:
    """Return the column that follows the text."""
    return len(text) - max(text.rfind("\n"), text.rfind("\r"))


def _line_after(text: str) -> int:
    """Return the number of the line on which the text ends."""
    return text.count("\n") + text.count("\r") - text.count("\r\n") + 1
