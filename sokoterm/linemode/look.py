"""The board in words: the picture, the surroundings of the player, boxes and goals, and the names of boxes.

Each box has a letter, which it keeps wherever it is pushed.
"""

from typing import Protocol

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.game import common_prefix
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import legal_pushes
from sokoterm.engine.text import counted
from sokoterm.linemode.commands import COUNT, Given, number_in, numbers_in
from sokoterm.linemode.speech import DIRECTION_NAMES, homes, listed, place

_AROUND = 3  # squares to each side of a map, by default
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class BoardShown(Protocol):
    """The position on show, of a play or of a replay."""

    @property
    def state(self) -> State: ...

    def names(self) -> dict[Square, str]: ...

    def status(self) -> str: ...


class BoxNames:
    """The boxes of one level by name: a, b, c ... from the top left of its start, row by row.

    Only the moves that led to a position tell its boxes apart, so the names follow the moves.
    """

    def __init__(self, level: Level) -> None:
        self._offsets = level.board.offsets
        self._player = level.start.player
        self._lurd = ""
        self._at = {square: name_of(index) for index, square in enumerate(squares_of(level.start.boxes))}

    def now(self) -> dict[Square, str]:
        """Return the names of the boxes by square, in the order of the names."""
        return dict(sorted(self._at.items(), key=lambda item: (len(item[1]), item[1])))

    def find(self, name: str) -> Square | None:
        """Return the square of a box by its name, in upper or lower case; None for an unknown name."""
        return next((square for square, each in self._at.items() if each == name.casefold()), None)

    def follow(self, lurd: str) -> None:
        """Go to the position after these moves from the start; costs as much as the moves that differ."""
        shared = shared_moves(self._lurd, lurd)
        for letter in reversed(self._lurd[shared:]):
            offset = self._offsets[direction_of(letter)]
            if letter.isupper():
                self._at[self._player] = self._at.pop(self._player + offset)
            self._player -= offset
        for letter in lurd[shared:]:
            offset = self._offsets[direction_of(letter)]
            self._player += offset
            if letter.isupper():
                self._at[self._player + offset] = self._at.pop(self._player)
        self._lurd = lurd


def name_of(index: int) -> str:
    """Return the name of a box by its place, from 0, among those of the start.

    >>> [name_of(index) for index in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(_LETTERS))
        name = _LETTERS[letter] + name
    return name


def shared_moves(one: str, other: str) -> int:
    """Return the number of moves at the beginning of both; at once if one is the beginning of the other."""
    if one.startswith(other) or other.startswith(one):
        return min(len(one), len(other))
    return common_prefix(one, other)


def look(given: Given, shown: BoardShown, level: Level) -> list[str]:
    """Answer one of LOOKS, except ``facts`` and ``difficulty``; raises NumberError."""
    board, state, names = level.board, shown.state, shown.names()
    match given.name:
        case "board":
            return board_lines(level, state, names)
        case "map":
            return map_lines(level, state, names, number_in(given.arguments, COUNT, otherwise=_AROUND))
        case "boxes":
            return boxes_lines(board, names)
        case "goals":
            return goals_lines(board, names)
        case "status":
            return [shown.status()]
    if not given.arguments:
        return [around_player(board, state, names)]
    square = find_square(board, numbers_in(given.arguments))
    if square is not None:
        return [square_line(board, state, square, names)]
    box = next((square for square, name in names.items() if name == given.arguments[0].casefold()), None)
    if box is None:
        return ["name a box, or a row and column of the board: where a, where 4,7"]
    return [box_line(board, state, box, names)]


def find_square(board: Board, numbers: list[int]) -> Square | None:
    """Return the square at a row and column counted from 1, None if there is none."""
    if len(numbers) != 2 or not (1 <= numbers[0] <= board.height and 1 <= numbers[1] <= board.width):
        return None
    return board.square(numbers[0] - 1, numbers[1] - 1)


def board_lines(level: Level, state: State, names: dict[Square, str]) -> list[str]:
    """Return the board with a letter for each box, a capital at home; ``$`` and ``*`` if the name is longer."""
    rows = [list(row) for row in level.picture(state)]
    for square, name in names.items():
        row, column = level.board.row_column(square)
        if len(name) == 1:
            rows[row][column] = name.upper() if level.board.goals >> square & 1 else name
    return ["".join(row).rstrip() for row in rows]


def map_lines(level: Level, state: State, names: dict[Square, str], reach: int) -> list[str]:
    """Return the part of the board around the player, under a line with its rows and columns."""
    board = level.board
    row, column = board.row_column(state.player)
    top, bottom = max(0, row - reach), min(board.height - 1, row + reach)
    left, right = max(0, column - reach), min(board.width - 1, column + reach)
    rows = board_lines(level, state, names)[top : bottom + 1]
    heading = f"rows {top + 1} to {bottom + 1}, columns {left + 1} to {right + 1}:"
    return [heading, *(row[left : right + 1].rstrip() for row in rows)]


def status(board: Board, state: State, moves: int, pushes: int) -> str:
    """Return ``13 moves, 7 pushes, 3 of 6 home, you are at row 4 column 8``."""
    figures = f"{counted(moves, 'move')}, {counted(pushes, 'push')}, {homes(board, state)}"
    return f"{figures}, you are at {place(board, state.player)}"


def around_player(board: Board, state: State, names: dict[Square, str]) -> str:
    """Return the place of the player, and for each direction what comes first: ``left 3 free, then a wall``."""
    sides = [f"{DIRECTION_NAMES[direction]} {_ahead(board, state, direction, names)}" for direction in DIRECTIONS]
    goal = ", on a goal" if board.goals >> state.player & 1 else ""
    return f"you are at {place(board, state.player)}{goal}; {'; '.join(sides)}"


def _ahead(board: Board, state: State, direction: Direction, names: dict[Square, str]) -> str:
    offset = board.offsets[direction]
    square, free = state.player + offset, 0
    while square not in names and square >= 0 and board.floor >> square & 1:
        square, free = square + offset, free + 1
    what = "a wall"
    if square in names:
        can_move = square + offset not in names and board.floor >> max(0, square + offset) & 1
        what = f"box {names[square]}{'' if can_move else ', blocked'}"
    return f"{free} free, then {what}" if free else what


def box_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return ``box c at row 4 column 7, home``, and the directions in which it can be pushed now."""
    pushes = [DIRECTION_NAMES[push.direction] for push in legal_pushes(board, state) if push.box == square]
    home = ", home" if board.goals >> square & 1 else ""
    can = f"can be pushed {listed(pushes)}" if pushes else "cannot be pushed from here"
    return f"box {names[square]} at {place(board, square)}{home}; {can}"


def boxes_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return a line for each box: its place, and if it is home."""
    home = {square: ", home" if board.goals >> square & 1 else "" for square in names}
    return [f"box {name} at {place(board, square)}{home[square]}" for square, name in names.items()]


def goals_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return a line for each goal: its place, and its box."""
    return [
        f"goal at {place(board, goal)}: {f'box {names[goal]}' if goal in names else 'empty'}"
        for goal in squares_of(board.goals)
    ]


def square_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return the content of a square, and if the player can walk there."""
    where = place(board, square)
    if square in names:
        return box_line(board, state, square, names)
    if not board.floor >> square & 1:
        return f"{where}: {'a wall' if board.walls >> square & 1 else 'outside the board'}"
    what = "a goal" if board.goals >> square & 1 else "floor"
    if square == state.player:
        return f"{where}: {what}, and you"
    can_walk = reachable_area(board, state) >> square & 1
    can = "you can walk there" if can_walk else "you cannot walk there without pushing"
    return f"{where}: {what}; {can}"
