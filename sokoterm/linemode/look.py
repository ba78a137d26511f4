"""The board in words: the picture, the surroundings of the player, boxes and goals, and the names of boxes.

Each box has a letter, which it keeps wherever it is pushed.  On boards with colours a goal shows the number of its
colour, and a line below the board names the colours of numbers and of boxes.  Ice is ``~``.
"""

from typing import Protocol

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, bitboard_of, lowest, squares_of
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.game import common_prefix
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import boxes_home, color_at, goal_color, legal_pushes, push
from sokoterm.language import N_, _, in_clauses, listed, moves_text, ngettext, pushes_text
from sokoterm.linemode.commands import COUNT, Given, number_in, numbers_in
from sokoterm.linemode.speech import (
    ColoredName,
    box_called,
    direction_name,
    goal_called,
    goal_with_article,
    home_text,
    homes,
    on_text,
    place,
    with_and,
)
from sokoterm.wording.kinds import ICE_SIGN, box_letter, color_name, free_letters

_AROUND = 3  # squares to each side of a map, by default
_SIDES = {
    Direction.LEFT: N_("left {ahead}"),
    Direction.RIGHT: N_("right {ahead}"),
    Direction.UP: N_("up {ahead}"),
    Direction.DOWN: N_("down {ahead}"),
}


class BoardShown(Protocol):
    """The position on show, of a play or of a replay."""

    @property
    def state(self) -> State: ...

    def names(self) -> dict[Square, str]: ...

    def status(self) -> str: ...


class BoxNames:
    """The boxes of one level by name: a, b, c ... from the top left of its start, row by row.

    Letters of colours are no names: with colours A and B the first box is c.

    Only the moves that led to a position tell its boxes apart, so the names follow the moves.
    """

    def __init__(self, level: Level) -> None:
        board, boxes = level.board, level.start.boxes
        self._board = board
        self._offsets = board.offsets
        self._player = level.start.player
        self._lurd = ""
        letters = free_letters(board)
        self._at = {square: name_of(index, letters) for index, square in enumerate(squares_of(boxes & board.floor))}
        if board.colors:
            for square, name in self._at.items():
                if (color := color_at(board, boxes, square)) is not None:
                    self._at[square] = ColoredName(name, color)

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
                box = self._player + offset
                while box not in self._at:  # it slid on
                    box += offset
                self._at[self._player] = self._at.pop(box)
            self._player -= offset
        for letter in lurd[shared:]:
            offset = self._offsets[direction_of(letter)]
            self._player += offset
            if letter.isupper():
                landing = self._end_of_push(direction_of(letter))
                self._at[landing] = self._at.pop(self._player)
        self._lurd = lurd

    def _end_of_push(self, direction: Direction) -> Square:
        """Return where a box comes to rest that was on the player's square before a push."""
        offset = self._offsets[direction]
        if not self._board.ice:
            return self._player + offset
        before = State(bitboard_of(self._at), self._player - offset)
        after = push(self._board, before, Push(self._player, direction))
        assert after is not None  # the moves are those of a play
        return lowest(after.boxes & ~before.boxes)


def name_of(index: int, letters: str) -> str:
    """Return the name of a box, made of some letters, by its place, from 0, among those of the start.

    >>> [name_of(index, "abcdefghijklmnopqrstuvwxyz") for index in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(letters))
        name = letters[letter] + name
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
            return [*board_lines(level, state, names), *color_lines(board, names)]
        case "map":
            return map_lines(level, state, names, number_in(given.arguments, COUNT, otherwise=_AROUND))
        case "boxes":
            return [_box_place(board, state, square, names) for square in names]
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
        return [_("name a box, or a row and column of the board: where a, where 4,7")]
    return [box_line(board, state, box, names)]


def find_square(board: Board, numbers: list[int]) -> Square | None:
    """Return the square at a row and column counted from 1, None if there is none."""
    if len(numbers) != 2 or not (1 <= numbers[0] <= board.height and 1 <= numbers[1] <= board.width):
        return None
    return board.square(numbers[0] - 1, numbers[1] - 1)


def board_lines(level: Level, state: State, names: dict[Square, str]) -> list[str]:
    """Return the board with a letter for each box, a capital at home; ``$`` and ``*`` if the name is longer."""
    board = level.board
    rows = [list(row) for row in level.picture(state)]
    home = boxes_home(board, state)
    for square, name in names.items():
        row, column = board.row_column(square)
        sign = name if len(name) == 1 else "$"
        rows[row][column] = sign if not home >> square & 1 else name.upper() if len(name) == 1 else "*"
    if not board.is_ordinary:
        for row, cells in enumerate(rows):
            rows[row] = [_sign(board, board.square(row, column), cell) for column, cell in enumerate(cells)]
    return ["".join(row).rstrip() for row in rows]


def _sign(board: Board, square: Square, cell: str) -> str:
    """Return the number of its colour for a goal without a box, and the sign of ice for bare ice."""
    color = goal_color(board, square) if cell == "." else None
    if color is not None:
        return _digit(color)
    return ICE_SIGN if cell == " " and board.ice >> square & 1 else cell


def _digit(color: int) -> str:
    """Return the sign of the goals of a colour on a printed board, 1 again after 0."""
    return str((color + 1) % 10)


def color_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return ``colours: 1 orange (A), box c; 2 blue (B), boxes d and e``; no line for a board without colours."""
    boxes: dict[int, list[str]] = {}
    for name in names.values():
        if isinstance(name, ColoredName):
            boxes.setdefault(name.color, []).append(name)
    parts = []
    for color in range(len(board.colors)):
        some = boxes.get(color, [])
        named = f"{_digit(color)} {color_name(color)} ({box_letter(color)})"
        boxes_named = ngettext("box {names}", "boxes {names}", len(some), names=with_and(some)) if some else ""
        parts.append(listed([named, boxes_named]))
    return [_("colours: {colors}", colors=in_clauses(parts))] if parts else []


def map_lines(level: Level, state: State, names: dict[Square, str], reach: int) -> list[str]:
    """Return the part of the board around the player, under a line with its rows and columns."""
    board = level.board
    row, column = board.row_column(state.player)
    top, bottom = max(0, row - reach), min(board.height - 1, row + reach)
    left, right = max(0, column - reach), min(board.width - 1, column + reach)
    rows = board_lines(level, state, names)[top : bottom + 1]
    heading = _(
        "rows {top} to {bottom}, columns {left} to {right}:",
        top=top + 1,
        bottom=bottom + 1,
        left=left + 1,
        right=right + 1,
    )
    return [heading, *(row[left : right + 1].rstrip() for row in rows)]


def status(board: Board, state: State, moves: int, pushes: int) -> str:
    """Return ``13 moves, 7 pushes, 3 of 6 home, you are at row 4 column 8``."""
    return _(
        "{moves}, {pushes}, {homes}, you are at {place}",
        moves=moves_text(moves),
        pushes=pushes_text(pushes),
        homes=homes(board, state),
        place=place(board, state.player),
    )


def around_player(board: Board, state: State, names: dict[Square, str]) -> str:
    """Return the place of the player, and for each direction what comes first: ``left 3 free, then a wall``."""
    sides = [_(_SIDES[direction], ahead=_ahead(board, state, direction, names)) for direction in DIRECTIONS]
    here = [_("you are at {place}", place=place(board, state.player))]
    if board.goals >> state.player & 1 or _is_ice(board, state.player):
        here.append(on_text(_ground(board, state.player)))
    return in_clauses([listed(here), *sides])


def _ground(board: Board, square: Square) -> str:
    """Return ``floor``, ``ice``, ``a goal``, ``a blue goal on ice``."""
    if not board.goals >> square & 1:
        return _("ice") if _is_ice(board, square) else _("floor")
    goal = goal_with_article(board, square)
    return _("{goal} on ice", goal=goal) if _is_ice(board, square) else goal


def _is_ice(board: Board, square: Square) -> bool:
    return bool(board.ice >> square & 1)


def _ahead(board: Board, state: State, direction: Direction, names: dict[Square, str]) -> str:
    offset = board.offsets[direction]
    square, free = state.player + offset, 0
    while square not in names and square >= 0 and board.floor >> square & 1:
        square, free = square + offset, free + 1
    what = _("a wall")
    if square in names:
        can_move = square + offset not in names and board.floor >> max(0, square + offset) & 1
        what = box_called(names[square])
        what = what if can_move else _("{box}, blocked", box=what)
    # Translators: squares between the player and a wall or a box.
    return ngettext("{n} free, then {obstacle}", "{n} free, then {obstacle}", free, obstacle=what) if free else what


def box_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return ``box c at row 4 column 7, home``, and the directions in which it can be pushed now."""
    pushes = [direction_name(push.direction) for push in legal_pushes(board, state) if push.box == square]
    box = _box_place(board, state, square, names)
    if not pushes:
        return _("{box}; cannot be pushed from here", box=box)
    return _("{box}; can be pushed {directions}", box=box, directions=with_and(pushes))


def _box_place(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return ``box c at row 4 column 7, home``, or on a goal of another colour ``, on a blue goal``."""
    told = [_("{box} at {place}", box=box_called(names[square]), place=place(board, square))]
    if board.goals >> square & 1:
        is_home = boxes_home(board, state) >> square & 1
        told.append(home_text() if is_home else on_text(goal_with_article(board, square)))
    return listed(told)


def goals_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return a line for each goal: its place, and its box."""
    return [
        _("{goal} at {place}: {box}", goal=called, place=where, box=box_called(names[goal]))
        if goal in names
        else _("{goal} at {place}: empty", goal=called, place=where)
        for goal in squares_of(board.goals)
        for called, where in [(goal_called(board, goal), place(board, goal))]
    ]


def square_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return the content of a square, and if the player can walk there."""
    where = place(board, square)
    if square in names:
        return box_line(board, state, square, names)
    if not board.floor >> square & 1:
        if board.walls >> square & 1:
            return _("{place}: a wall", place=where)
        return _("{place}: outside the board", place=where)
    what = _ground(board, square)
    if square == state.player:
        return _("{place}: {ground}, and you", place=where, ground=what)
    if reachable_area(board, state) >> square & 1:
        return _("{place}: {ground}; you can walk there", place=where, ground=what)
    return _("{place}: {ground}; you cannot walk there without pushing", place=where, ground=what)
