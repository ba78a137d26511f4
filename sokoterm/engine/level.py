"""One level (board, start, texts) and a pack of them; XSB rows to Level."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, flood, scan
from sokoterm.engine.board import Board, State

CELLS = "# @+$*."
_SPELLINGS = str.maketrans("-_pPbB", "  @+$*")
# Which of the cells hold a wall, a player, a box, a goal: a picture becomes the digits of a Bitboard.
_WALLS = str.maketrans(CELLS, "1000000")
_PLAYERS = str.maketrans(CELLS, "0011000")
_BOXES = str.maketrans(CELLS, "0000110")
_GOALS = str.maketrans(CELLS, "0001011")


class LevelError(ValueError):
    """A level that cannot be read.

    ``line`` and ``column`` count from 1 in the text that was given (0: not known), ``character`` is what was
    found there, ``level`` the number of the level in its pack (0: not known), ``source`` the name of the text.
    """

    def __init__(
        self, problem: str, *, source: str = "", level: int = 0, line: int = 0, column: int = 0, character: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.source = source
        self.level = level
        self.line = line
        self.column = column
        self.character = character

    def located(self, *, source: str, level: int) -> "LevelError":
        """The same error with the name of its text and the number of its level."""
        return LevelError(
            self.problem, source=source, level=level, line=self.line, column=self.column, character=self.character
        )

    def __str__(self) -> str:
        where = [self.source] if self.source else []
        if self.line:
            where.append(f"line {self.line}")
        if self.column:
            where.append(f"column {self.column}")
        if self.level:
            where.append(f"level {self.level}")
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
    cells = [_cells(row, line + index) for index, row in enumerate(rows)]
    width = max((len(row) for row in cells), default=0)
    height = len(cells)
    stride = width + 1
    picture = "".join(row.ljust(stride) for row in cells)
    players = _squares(picture, _PLAYERS)
    if players.bit_count() != 1:
        raise _player_error(list(scan(players)), stride, line)
    walls = _squares(picture, _WALLS)
    inside = _rectangle(width, height, stride)
    floor = flood(players, inside & ~walls, stride)
    edge = floor & ~_inner(width, height, stride)
    if edge:
        row, column = divmod(next(scan(edge)), stride)
        raise LevelError("the board is not closed: the player can leave it here", line=line + row, column=column + 1)
    boxes = _squares(picture, _BOXES) & floor
    goals = _squares(picture, _GOALS) & floor
    if boxes.bit_count() != goals.bit_count():
        raise LevelError(
            f"found {_count(boxes, 'box', 'boxes')} and {_count(goals, 'goal', 'goals')} within the player's reach, "
            "expected as many boxes as goals",
            line=line,
        )
    if not boxes:
        raise LevelError("found no box within the player's reach, expected at least one", line=line)
    board = Board(width, height, stride, walls, floor, goals)
    player = players.bit_length() - 1
    return Level(board, State(boxes, player), tuple(cells), number=number, line=line)


def numbered(level: Level, number: int) -> Level:
    """The same level under another number."""
    return level._replace(number=number)


def _cells(row: str, line: int) -> str:
    cells = row.translate(_SPELLINGS).rstrip(" ")
    if cells.strip(CELLS):
        column = next(i for i, character in enumerate(cells, start=1) if character not in CELLS)
        raise LevelError(
            f"found {row[column - 1]!r}, expected one of # @ + $ * . - _ or a space",
            line=line,
            column=column,
            character=row[column - 1],
        )
    return cells


def _squares(picture: str, digits: Mapping[int, int]) -> Bitboard:
    return int(picture[::-1].translate(digits) or "0", 2)


def _rectangle(width: int, height: int, stride: int) -> Bitboard:
    full_row = (1 << width) - 1
    return sum(full_row << row * stride for row in range(height))


def _inner(width: int, height: int, stride: int) -> Bitboard:
    inner_row = (1 << width - 1) - 2 if width > 2 else 0
    return sum(inner_row << row * stride for row in range(1, height - 1))


def _player_error(players: list[int], stride: int, line: int) -> LevelError:
    if not players:
        return LevelError("found no player, expected one @ or +", line=line)
    row, column = divmod(players[1], stride)
    return LevelError(
        f"found {len(players)} players, expected one: this is the second", line=line + row, column=column + 1
    )


def _count(bitboard: Bitboard, one: str, many: str) -> str:
    number = bitboard.bit_count()
    return f"{number} {one if number == 1 else many}"
