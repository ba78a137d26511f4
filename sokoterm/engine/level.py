"""A level (board, start, texts), a pack of levels, and the reader of XSB rows."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import attrgetter
from typing import Any, NamedTuple, Self

from sokoterm.engine.bits import Bitboard, Square, Symmetry, bytes_of, flood, lowest, squares_of
from sokoterm.engine.board import Board, State, colors_of, layered, layers_of
from sokoterm.engine.text import printable
from sokoterm.engine.value import SokotermError, Value
from sokoterm.language import _, boxes_text, goals_text, listed, ngettext

RECIPE = "recipe"
"""Metadata key of a generated level: the figures of a solution with the fewest pushes, and the arguments."""
CELLS = "# @+$*."
SPELLINGS = str.maketrans("-_pPbB", "  @+$*")
"""Other characters of rows, translated into CELLS."""
# Translate a picture into the binary digits of its walls, players, boxes or goals.
_CELL_BYTES = CELLS.encode("ascii")
_WALLS = bytes.maketrans(_CELL_BYTES, b"1000000")
_PLAYERS = bytes.maketrans(_CELL_BYTES, b"0011000")
_THINGS = bytes.maketrans(_CELL_BYTES, b"0011111")
_BOXES = bytes.maketrans(_CELL_BYTES, b"0000110")
_GOALS = bytes.maketrans(_CELL_BYTES, b"0001011")
_WALK = r"([0-9]{1,6})-([0-9]{1,6})"
MOST_COLORS = 250
"""Most colours of the boxes of a level."""
# Limit of squares times colours: a position has that many bits.
_MOST_LAYERED = 1 << 24
# Longer titles are shortened to keep an error on one line.
_LONGEST_TITLE = 40


class LevelError(SokotermError, ValueError):
    """A level that cannot be read.

    ``source`` names the text, ``line`` and ``column`` count from 1 in it (0: unknown), and ``character`` was found
    there.  ``level`` is the number of the level in its pack (0: unknown), ``title`` its title.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str = "",
        level: int = 0,
        line: int = 0,
        column: int = 0,
        character: str = "",
        title: str = "",
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.source = source
        self.level = level
        self.line = line
        self.column = column
        self.character = character
        self.title = title

    def located(self, *, source: str, level: int) -> "LevelError":
        return LevelError(**vars(self) | {"source": source, "level": level})

    def titled(self, title: str) -> "LevelError":
        return LevelError(**vars(self) | {"title": title})

    def __str__(self) -> str:
        where = [self.source] if self.source else []
        if self.line:
            where.append(_("line {line}", line=self.line))
        if self.column:
            where.append(_("column {column}", column=self.column))
        if self.level:
            title = printable(self.title)
            title = title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 3] + "..."
            # Many titles are just the number.
            if title in ("", str(self.level)):
                where.append(_("level {number}", number=self.level))
            else:
                where.append(_("level {number} ({title})", number=self.level, title=title))
        return f"{listed(where)}: {self.problem}" if where else self.problem


class Record(NamedTuple):
    """A solution or saved game that came with a level, unchecked; ``lurd.replay`` plays it.

    ``title`` is as written (``Solution 230/97 (YASS 2.86 Optimizer)``, ``Savegame``), ``moves`` has no white space, and
    ``notes`` are the lines below the moves.
    """

    title: str
    moves: str
    notes: str = ""


_LEVEL_FIELDS = ("board", "start", "rows", "title", "author", "comment", "metadata", "number", "line", "records")
fields_of: Callable[["PlainLevel"], tuple[Any, ...]] = attrgetter(*_LEVEL_FIELDS)


class PlainLevel:
    """A board with its start position and the texts that came with it.

    ``rows`` is the picture as written (XSB characters, floor as spaces, ragged on the right), with decoration outside
    the floor.  ``number`` counts from 1 in the pack, ``line`` is the line of the first row in its text, ``metadata``
    contains the keys without a field, and ``records`` the solutions and saved games that came with the level.
    """

    __slots__ = _LEVEL_FIELDS  # as small as a tuple: a pack may have tens of thousands
    board: Board
    start: State
    rows: tuple[str, ...]
    title: str
    author: str
    comment: str
    metadata: tuple[tuple[str, str], ...]
    number: int
    line: int
    records: tuple[Record, ...]

    def __init__(
        self,
        board: Board,
        start: State,
        rows: tuple[str, ...],
        title: str = "",
        author: str = "",
        comment: str = "",
        metadata: tuple[tuple[str, str], ...] = (),
        number: int = 1,
        line: int = 1,
        records: tuple[Record, ...] = (),
    ) -> None:
        values = board, start, rows, title, author, comment, metadata, number, line, records
        for store, value in zip(_STORE, values):
            store(self, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Level.{name} never changes: replace() returns a level that differs")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainLevel) and fields_of(self) == fields_of(other)

    def __hash__(self) -> int:
        return hash((self.board, self.start, self.rows, self.title))

    def __reduce__(self) -> tuple[type["Level"], tuple[object, ...]]:
        return type(self), fields_of(self)

    def __repr__(self) -> str:
        boxes = "1 box" if self.boxes == 1 else f"{self.boxes} boxes"
        return f"Level({self.title!r}, {self.board.width}x{self.board.height}, {boxes})"

    def replace(self, **changes: object) -> Self:
        """Return a copy with some fields changed.

        >>> Level.from_xsb("#####\\n#@$.#\\n#####").replace(title="One push")
        Level('One push', 5x3, 1 box)
        """
        make: Callable[..., Self] = type(self)
        return make(**{**dict(zip(_LEVEL_FIELDS, fields_of(self))), **changes})

    _replace = replace
    """The name in NamedTuples and in earlier versions."""

    @classmethod
    def from_xsb(cls, text: str) -> Self:
        """Parse the level drawn in ``text``; raise LevelError if it cannot be read.

        >>> Level.from_xsb("#####\\n#@$.#\\n#####").start.player
        7
        """
        lines = text.splitlines()
        first = next((i for i, line in enumerate(lines) if line.strip()), 0)
        last = next((i for i in range(len(lines), 0, -1) if lines[i - 1].strip()), 0)
        level = level_from_rows(lines[first:last], line=first + 1)
        return cls(level.board, level.start, level.rows, line=level.line)

    @property
    def puzzle(self) -> tuple[Board, State]:
        """A key that differs if any id of the level differs."""
        return self.board, self.start

    @property
    def boxes(self) -> int:
        """Number of boxes in play."""
        return self.board.goals.bit_count()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board."""
        return self.board.width, self.board.height

    def __str__(self) -> str:
        return self.xsb()

    def turned(self, symmetry: Symmetry) -> Self:
        """Return the level turned or mirrored, with its colours, ice, texts and records.

        >>> print(Level.from_xsb("######\\n#@$ .#\\n######").turned(Symmetry(False, False, True)))
        ######
        #. $@#
        ######
        """
        height, width = self.board.height, self.board.width
        level = self.redrawn(symmetry.rows(self.rows), lambda row, column: symmetry.place(row, column, height, width))
        return level.replace(
            records=tuple(record._replace(moves=symmetry.moves(record.moves)) for record in level.records)
        )

    def redrawn(self, rows: Sequence[str], place: Callable[[int, int], tuple[int, int]]) -> Self:
        """Return the level drawn in other rows; ``place(row, column)`` maps its squares, colours, ice and walks."""
        board, plain = self.board, level_from_rows(rows, line=self.line, number=self.number)

        def square(old: Square) -> Square:
            return plain.board.square(*place(*board.row_column(old)))

        boxes, goals = (
            {square(each): color for each, color in colors_of(layers).items()}
            for layers in (board.boxes_by_layer(self.start.boxes)[1:], board.colors)
        )
        level = varied(plain, boxes, goals, sum(1 << square(each) for each in squares_of(board.ice)))

        def walk(found: re.Match[str]) -> str:  # to a column and row, as in ksokoban
            row, column = place(int(found[2]), int(found[1]))
            return f"{column}-{row}"

        records = tuple(record._replace(moves=re.sub(_WALK, walk, record.moves)) for record in self.records)
        return self.replace(board=level.board, start=level.start, rows=level.rows, records=records)

    def xsb(self, state: State | None = None) -> str:
        """Return the picture of a state (default: the start) with decoration, without a final newline."""
        return "\n".join(self.picture(self.start if state is None else state))

    def picture(self, state: State) -> list[str]:
        """Return the rows of ``xsb``."""
        return ["".join(cells[: len(row)]) for cells, row in zip(self.cells(state), self.rows, strict=True)]

    def cells(self, state: State, rows: range | None = None) -> list[list[str]]:
        """Return the XSB characters of some rows (default: all) with decoration, padded to the board's width."""
        board, rows = self.board, range(self.board.height) if rows is None else rows
        stride, first, size = board.stride, board.stride * rows.start, board.stride * len(rows)
        mask = (1 << size) - 1
        floor, goals, boxes = board.floor >> first & mask, board.goals >> first & mask, state.boxes >> first & mask
        text = "".join([self.rows[row].ljust(stride) for row in rows])
        drawn = _squares(text.encode("ascii")[::-1], _THINGS)
        cells, is_goal, is_box = [*text], bytes_of(goals, size), bytes_of(boxes, size)
        for square in compress(count(), bytes_of(floor & (goals | boxes | drawn), size)):
            cells[square] = (".*" if is_goal[square] else " $")[is_box[square]]
        player = state.player - first
        if 0 <= player < size:
            cells[player] = "+" if is_goal[player] else "@"
        return [cells[start : start + board.width] for start in range(0, size, stride)]


# Bypasses ``__setattr__`` in a quarter of the time of ``object.__setattr__``.
_STORE = tuple([vars(PlainLevel)[name].__set__ for name in _LEVEL_FIELDS])
Level = PlainLevel
"""The name used internally; for the library, ``position`` defines a Level with pictures and a rating."""


class PlainPack(Value):
    """Levels in order, with the texts of the collection; a sequence of ``levels``.

    A level that cannot be read keeps its number and appears in ``errors`` instead of ``levels``. ``likelier`` are
    encodings that fit the texts better than the guessed one. ``read_as`` describes how another notation was read.
    """

    title: str
    levels: tuple[Level, ...]
    errors: tuple[LevelError, ...] = ()
    author: str = ""
    comment: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    likelier: tuple[str, ...] = ()
    read_as: str = ""

    def __iter__(self) -> Iterator[Level]:
        return iter(self.levels)

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def size(self) -> int:
        """Number of levels, readable or not."""
        return len(self.levels) + len(self.errors)

    def find_level(self, number: int) -> Level | None:
        """Return the level with this number, or None if no readable level has it."""
        index = bisect_left(self.levels, number, key=lambda level: level.number)
        found = self.levels[index : index + 1]
        return found[0] if found and found[0].number == number else None


Pack = PlainPack
"""The name used internally; for the library, ``library`` defines a Pack with files."""


def level_from_rows(rows: Sequence[str], *, line: int = 1, number: int = 1) -> Level:
    """Parse the level drawn in ``rows``, whose first row is on ``line`` of its text.

    Raises LevelError for an unknown character, no player or several, no boxes or not as many as goals within reach, and
    a board that is not closed.
    """
    cells = _cells(rows, line)
    width, height = max(map(len, cells), default=0), len(cells)
    stride = width + 1
    # Last square first, like the digits of a number.
    picture = "".join([row.ljust(stride) for row in cells]).encode("ascii")[::-1]
    if picture.count(b"@") + picture.count(b"+") != 1:
        raise _player_error(_squares(picture, _PLAYERS), stride, line)
    player = len(picture) - 1 - max(picture.find(b"@"), picture.find(b"+"))
    walls = _squares(picture, _WALLS)
    full_row = (1 << width) - 1
    first_column = ((1 << stride * height) - 1) // ((1 << stride) - 1)
    floor = flood(1 << player, full_row * first_column & ~walls, stride)
    edge = floor & (first_column | first_column << width - 1 | full_row | full_row << stride * (height - 1))
    if edge:
        row, column = divmod(lowest(edge), stride)
        problem = _("the board is not closed: there is a gap in its wall")
        raise LevelError(problem, line=line + row, column=column + 1)
    boxes = _squares(picture, _BOXES) & floor
    goals = _squares(picture, _GOALS) & floor
    if not boxes or boxes.bit_count() != goals.bit_count():
        raise _box_error(boxes, goals, line)
    board = Board(width, height, stride, walls, floor, goals)
    return Level(board, State(boxes, player), cells, "", "", "", (), number, line)


def varied(level: Level, boxes: Mapping[Square, int], goals: Mapping[Square, int], ice: Bitboard = 0) -> Level:
    """Return the level with colours of some boxes and goals, numbered from 0, and with ice.

    Raises LevelError for more boxes of a colour than goals that accept them, or too many colours: over MOST_COLORS,
    fewer on a large board.
    """
    board, size = level.board, level.board.size
    count = max((*boxes.values(), *goals.values()), default=-1) + 1
    most = min(MOST_COLORS, _MOST_LAYERED // size)
    if count > most:
        problem = ngettext(
            "found {n} colour, expected at most {most} on a board of this size",
            "found {n} colours, expected at most {most} on a board of this size",
            count,
            most=most,
        )
        raise LevelError(problem, line=level.line)
    boxes_of, goals_of = Counter(boxes.values()), Counter(goals.values())
    surplus = {color: boxes_of[color] - goals_of[color] for color in range(count) if boxes_of[color] > goals_of[color]}
    if sum(surplus.values()) > board.goals.bit_count() - len(goals):
        color = min(surplus)
        problem = _(
            "found {boxes} and {goals} of one colour, expected goals for all boxes",
            boxes=boxes_text(boxes_of[color]),
            goals=goals_text(goals_of[color]),
        )
        raise LevelError(problem, line=level.line)
    start = level.start._replace(boxes=layered(level.start.boxes, layers_of(boxes, count), size))
    board = board._replace(colors=tuple(layers_of(goals, count)), ice=ice & board.floor)
    return level.replace(board=board, start=start)


# Rows repeat, in other packs too: equal ones are one string, which takes a third of the memory of a level.
_bare = lru_cache(1 << 14)(str.rstrip)


def _cells(rows: Sequence[str], line: int) -> tuple[str, ...]:
    """Return the rows in standard XSB characters without trailing blanks; raise LevelError for any other character."""
    text = "".join(rows)
    if text.isascii() and not text.encode("ascii").translate(None, _CELL_BYTES):
        return tuple(map(_bare, rows))
    cells = [row.translate(SPELLINGS) for row in rows]
    for index, row in enumerate(cells):
        if row.strip(CELLS):
            column = next(i for i, character in enumerate(row, start=1) if character not in CELLS)
            raise LevelError(
                _("found {found!r}, expected one of # @ + $ * . - _ or a space", found=row[column - 1]),
                line=line + index,
                column=column,
                character=row[column - 1],
            )
    return tuple([row.rstrip(" ") for row in cells])


def _squares(picture: bytes, digits: bytes) -> Bitboard:
    return int(picture.translate(digits) or b"0", 2)


def _player_error(players: Bitboard, stride: int, line: int) -> LevelError:
    if not players:
        return LevelError(_("found no player, expected one @ or +"), line=line)
    row, column = divmod(lowest(players & players - 1), stride)
    problem = ngettext(
        "found {n} player, expected one: this is the second",
        "found {n} players, expected one: this is the second",
        players.bit_count(),
    )
    return LevelError(problem, line=line + row, column=column + 1)


def _box_error(boxes: Bitboard, goals: Bitboard, line: int) -> LevelError:
    if not boxes and not goals:
        return LevelError(_("found no box within the player's reach, expected at least one"), line=line)
    problem = _(
        "found {boxes} and {goals} within the player's reach, expected as many boxes as goals",
        boxes=boxes_text(boxes.bit_count()),
        goals=goals_text(goals.bit_count()),
    )
    return LevelError(problem, line=line)
