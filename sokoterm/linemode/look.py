"""Answers to who would know how the board looks: the picture, what is around the player, boxes and goals."""

from typing import Protocol

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import legal_pushes
from sokoterm.engine.text import counted
from sokoterm.linemode.commands import COUNT, Given, number_in, numbers_in
from sokoterm.linemode.speech import DIRECTION_NAMES, homes, listed, place

_AROUND = 3  # how far a map goes in each direction, unless it is said


class BoardShown(Protocol):
    """A position that is looked at: that of a play, or of a replay."""

    @property
    def state(self) -> State: ...

    def names(self) -> dict[Square, str]: ...

    def status(self) -> str: ...


def look(given: Given, shown: BoardShown, level: Level) -> list[str]:
    """The answer to one of LOOKS, but for what is known of the level; raises NumberError."""
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
        return ["say a box, or a row and a column of the board: where a, where 4,7"]
    return [box_line(board, state, box, names)]


def find_square(board: Board, numbers: list[int]) -> Square | None:
    """The square at a row and column counted from 1; None where there is none."""
    if len(numbers) != 2 or not (1 <= numbers[0] <= board.height and 1 <= numbers[1] <= board.width):
        return None
    return board.square(numbers[0] - 1, numbers[1] - 1)


def board_lines(level: Level, state: State, names: dict[Square, str]) -> list[str]:
    """The board with the boxes as letters, capitals for those at home; ``$`` and ``*`` where a name is longer."""
    rows = [list(row) for row in level.picture(state)]
    for square, name in names.items():
        row, column = level.board.row_column(square)
        if len(name) == 1:
            rows[row][column] = name.upper() if level.board.goals >> square & 1 else name
    return ["".join(row).rstrip() for row in rows]


def map_lines(level: Level, state: State, names: dict[Square, str], reach: int) -> list[str]:
    """The part of the board around the player, below a line that says which part it is."""
    board = level.board
    row, column = board.row_column(state.player)
    top, bottom = max(0, row - reach), min(board.height - 1, row + reach)
    left, right = max(0, column - reach), min(board.width - 1, column + reach)
    rows = board_lines(level, state, names)[top : bottom + 1]
    heading = f"rows {top + 1} to {bottom + 1}, columns {left + 1} to {right + 1}:"
    return [heading, *(row[left : right + 1].rstrip() for row in rows)]


def status(board: Board, state: State, moves: int, pushes: int) -> str:
    """``13 moves, 7 pushes, 3 of 6 home, you are at row 4 column 8``."""
    figures = f"{counted(moves, 'move')}, {counted(pushes, 'push')}, {homes(board, state)}"
    return f"{figures}, you are at {place(board, state.player)}"


def around_player(board: Board, state: State, names: dict[Square, str]) -> str:
    """Where the player is, and in each direction how far it is to what: ``left 3 free, then a wall``."""
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
        what = f"box {names[square]}{'' if can_move else ', which is blocked'}"
    return f"{free} free, then {what}" if free else what


def box_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """``box c at row 4 column 7, home``, and where it can be pushed from here."""
    pushes = [DIRECTION_NAMES[push.direction] for push in legal_pushes(board, state) if push.box == square]
    home = ", home" if board.goals >> square & 1 else ""
    can = f"can be pushed {listed(pushes)}" if pushes else "cannot be pushed from here"
    return f"box {names[square]} at {place(board, square)}{home}; {can}"


def boxes_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Where each box is, and whether at home."""
    home = {square: ", home" if board.goals >> square & 1 else "" for square in names}
    return [f"box {name} at {place(board, square)}{home[square]}" for square, name in names.items()]


def goals_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Where each goal is, and which box it has."""
    goals = squares_of(board.goals)
    has = {goal: f"has box {names[goal]}" if goal in names else "is empty" for goal in goals}
    return [f"the goal at {place(board, goal)} {has[goal]}" for goal in goals]


def square_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """What is on a square, and whether the player can walk there."""
    where = place(board, square)
    if square in names:
        return box_line(board, state, square, names)
    if not board.floor >> square & 1:
        return f"{where}: {'a wall' if board.walls >> square & 1 else 'outside of the board'}"
    what = "a goal" if board.goals >> square & 1 else "floor"
    if square == state.player:
        return f"{where}: {what}, and you"
    can = "you can walk there" if reachable_area(board, state) >> square & 1 else "no way there without a push"
    return f"{where}: {what}; {can}"
