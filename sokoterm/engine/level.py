"""One level (board, start, texts) and a pack of them; XSB rows to Level."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.printable import printable

CELLS = "# @+$*."
_SPELLINGS = str.maketrans("-_pPbB", "  @+$*")
# Which of the cells hold a wall, a player, a box, a goal: a picture becomes the digits of a Bitboard.
_CELL_BYTES = CELLS.encode("ascii")
_WALLS = bytes.maketrans(_CELL_BYTES, b"1000000")
_PLAYERS = bytes.maketrans(_CELL_BYTES, b"0011000")
_BOXES = bytes.maketrans(_CELL_BYTES, b"0000110")
_GOALS = bytes.maketrans(_CELL_BYTES, b"0001011")
# An error stands on one line.
_LONGEST_TITLE = 40


class LevelError(ValueError):
    """A level that cannot be read.

    ``line`` and ``column`` count from 1 in the text that was given (0: not known), ``character`` is what was
    found there, ``level`` the number of the level in its pack (0: not known) and ``title`` its title, ``source`` the
    name of the text.
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
        """The same error with the name of its text and the number of its level."""
        return LevelError(
            self.problem,
            source=source,
            level=level,
            line=self.line,
            column=self.column,
            character=self.character,
            title=self.title,
        )

    def titled(self, title: str) -> "LevelError":
        """The same error with the title of its level."""
        error = self.located(source=self.source, level=self.level)
        error.title = title
        return error

    def __str__(self) -> str:
        where = [self.source] if self.source else []
        if self.line:
            where.append(f"line {self.line}")
        if self.column:
            where.append(f"column {self.column}")
        if self.level:
            title = printable(self.title)
            title = title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 3] + "..."
            # Many a title is the number alone.
            where.append(f"level {self.level}" + (f" ({title})" if title not in ("", str(self.level)) else ""))
        return ", ".join(where) + ": " + self.problem if where else self.problem


class Record(NamedTuple):
    """Moves that came with a level: a solution or a saved game, as its file tells of it.

    ``title`` is the claim as written (``Solution 230/97 (YASS 2.86 Optimizer)``, ``Savegame``), ``moves`` are as
    written without white space, ``notes`` the lines below them.  What they really do is for ``record.replay`` to say.
    """

    title: str
    moves: str
    notes: str = ""


class Level(NamedTuple):
    """A board with its start position and the texts that came with it.

    ``rows`` is the picture as written (XSB characters, floor as spaces, ragged on the right); it also shows the
    decoration that lies outside the board's floor.  ``number`` counts from 1 in the pack, ``line`` is the line of
    the first row in its text, ``metadata`` holds the keys and values that have no field of their own, ``records``
    the solutions and saved games that came with the level.
    """

    board: Board
    start: State
    rows: tuple[str, ...]
    title: str = ""
    author: str = ""
    comment: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    number: int = 1
    line: int = 1
    records: tuple[Record, ...] = ()

    @classmethod
    def from_xsb(cls, text: str) -> "Level":
        """The level drawn in ``text``; raises LevelError.

        >>> Level.from_xsb("#####\\n#@$.#\\n#####").start.player
        7
        """
        lines = text.splitlines()
        first = next((i for i, line in enumerate(lines) if line.strip()), 0)
        last = next((i for i in range(len(lines), 0, -1) if lines[i - 1].strip()), 0)
        return level_from_rows(lines[first:last], line=first + 1)

    @property
    def boxes(self) -> int:
        """The number of boxes in play."""
        return self.start.boxes.bit_count()

    def xsb(self, state: State | None = None) -> str:
        """The picture of a state (the start, if none is given), decoration included, without a final newline."""
        return "\n".join(self.picture(self.start if state is None else state))

    def picture(self, state: State) -> list[str]:
        """The rows of a state as XSB text, decoration included."""
        return ["".join(self.row_cells(state, row)[: len(self.rows[row])]) for row in range(self.board.height)]

    def row_cells(self, state: State, row: int) -> list[str]:
        """The XSB characters of one row of a state, decoration included, padded to the board's width."""
        board = self.board
        first = row * board.stride
        mask = (1 << board.width) - 1
        floor, goals, boxes = (bits >> first & mask for bits in (board.floor, board.goals, state.boxes))
        cells = list(self.rows[row].ljust(board.width))
        for column in range(board.width):
            if floor >> column & 1:
                cells[column] = (".*" if goals >> column & 1 else " $")[boxes >> column & 1]
        player = state.player - first
        if 0 <= player < board.width:
            cells[player] = "+" if goals >> player & 1 else "@"
        return cells


class Pack(NamedTuple):
    """Levels in their order, with the texts of the collection.

    A level that could not be read keeps its number and stands in ``errors`` instead of ``levels``.
    """

    title: str
    levels: tuple[Level, ...]
    errors: tuple[LevelError, ...] = ()
    author: str = ""
    comment: str = ""
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        """How many levels the pack numbers, readable or not."""
        return len(self.levels) + len(self.errors)

    def find_level(self, number: int) -> Level | None:
        """The level with this number, or None if there is none that can be read."""
        index = bisect_left(self.levels, number, key=lambda level: level.number)
        found = self.levels[index : index + 1]
        return found[0] if found and found[0].number == number else None


def level_from_rows(rows: Sequence[str], *, line: int = 1, number: int = 1) -> Level:
    """The level drawn in ``rows``, whose first one stands on ``line`` of its text.

    Raises LevelError for a character that is no cell, no player or several, no boxes, boxes that do not match the
    goals where the player can come, and a board that is not closed.
    """
    cells = _cells(rows, line)
    width, height = max(map(len, cells), default=0), len(cells)
    stride = width + 1
    # Last square first, as the digits of a number stand.
    picture = "".join([row.ljust(stride) for row in cells]).encode("ascii")[::-1]
    if picture.count(b"@") + picture.count(b"+") != 1:
        raise _player_error(_squares(picture, _PLAYERS), stride, line)
    player = len(picture) - 1 - max(picture.find(b"@"), picture.find(b"+"))
    walls = _squares(picture, _WALLS)
    full_row = (1 << width) - 1
    first_column = _first_column(stride, height)
    floor = flood(1 << player, full_row * first_column & ~walls, stride)
    edge = floor & (first_column | first_column << width - 1 | full_row | full_row << stride * (height - 1))
    if edge:
        row, column = divmod(lowest(edge), stride)
        problem = "the board is not closed: found a way out of it, expected a wall here or before"
        raise LevelError(problem, line=line + row, column=column + 1)
    boxes = _squares(picture, _BOXES) & floor
    goals = _squares(picture, _GOALS) & floor
    if not boxes or boxes.bit_count() != goals.bit_count():
        raise _box_error(boxes, goals, line)
    board = Board(width, height, stride, walls, floor, goals)
    return Level(board, State(boxes, player), cells, "", "", "", (), number, line)


def numbered(level: Level, number: int) -> Level:
    """The same level under another number."""
    return level._replace(number=number)


def _cells(rows: Sequence[str], line: int) -> tuple[str, ...]:
    """The rows in the usual spelling, without blanks on the right; raises LevelError for what is no cell."""
    text = "".join(rows)
    if text.isascii() and not text.encode("ascii").translate(None, _CELL_BYTES):
        return tuple([row.rstrip(" ") for row in rows])
    cells = [row.translate(_SPELLINGS) for row in rows]
    for index, row in enumerate(cells):
        if row.strip(CELLS):
            column = next(i for i, character in enumerate(row, start=1) if character not in CELLS)
            raise LevelError(
                f"found {row[column - 1]!r}, expected one of # @ + $ * . - _ or a space",
                line=line + index,
                column=column,
                character=row[column - 1],
            )
    return tuple([row.rstrip(" ") for row in cells])


def _squares(picture: bytes, digits: bytes) -> Bitboard:
    return int(picture.translate(digits) or b"0", 2)


def _first_column(stride: int, height: int) -> Bitboard:
    """The first square of every row."""
    return ((1 << stride * height) - 1) // ((1 << stride) - 1)


def _player_error(players: Bitboard, stride: int, line: int) -> LevelError:
    if not players:
        return LevelError("found no player, expected one @ or +", line=line)
    row, column = divmod(lowest(players & players - 1), stride)
    return LevelError(
        f"found {players.bit_count()} players, expected one: this is the second", line=line + row, column=column + 1
    )


def _box_error(boxes: Bitboard, goals: Bitboard, line: int) -> LevelError:
    if not boxes and not goals:
        return LevelError("found no box within the player's reach, expected at least one", line=line)
    return LevelError(
        f"found {_count(boxes, 'box', 'boxes')} and {_count(goals, 'goal', 'goals')} within the player's reach, "
        "expected as many boxes as goals",
        line=line,
    )


def _count(bitboard: Bitboard, one: str, many: str) -> str:
    number = bitboard.bit_count()
    return f"{number} {one if number == 1 else many}"
