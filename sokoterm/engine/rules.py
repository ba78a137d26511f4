"""The rules of every kind of Sokoban, for play, replay, verification, perft and tests."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, bytes_of, flood, scan, shift, squares_of
from sokoterm.engine.board import Board, Push, State, flattened, layered
from sokoterm.engine.value import UsageError
from sokoterm.language import _


def step(board: Board, state: State, direction: Direction) -> State | None:
    """Return the state after the player walks or pushes one square, or None if the way is blocked."""
    offset = board.offsets[direction]
    target = state.player + offset
    target_bit = 1 << target if target >= 0 else 0
    if not board.floor & target_bit:
        return None
    if not state.boxes & target_bit:
        return State(state.boxes, target)
    return push(board, state, Push(target, direction))


def push(board: Board, state: State, push: Push) -> State | None:
    """Return the state after a push and any slide, wherever the player is; None if the box is blocked or absent."""
    landing = push.box + board.offsets[push.direction]
    box_bit = 1 << push.box
    landing_bit = 1 << landing if landing >= 0 else 0
    if not state.boxes & box_bit or not board.floor & ~state.boxes & landing_bit:
        return None
    if not board.is_ordinary:
        offset, free = board.offsets[push.direction], board.floor & ~state.boxes
        while board.ice >> landing & 1 and free >> landing + offset & 1:
            landing += offset
        return State(moved(board, state.boxes, push.box, landing), push.box)
    return State(state.boxes ^ box_bit ^ landing_bit, push.box)


def moved(board: Board, boxes: Bitboard, box: Square, landing: Square) -> Bitboard:
    """Return boxes after one of them moved to another square, also in the layer of its colour."""
    change = 1 << box ^ 1 << landing
    color = color_at(board, boxes, box)
    return boxes ^ change if color is None else boxes ^ change ^ change << (color + 1) * board.size


def slide(board: Board, before: State, after: State) -> Iterator[State]:
    """Yield the positions in between while a box slides, square by square; none if it moves only one square."""
    if not board.ice or before.boxes == after.boxes:
        return
    box, offset = after.player, after.player - before.player
    landing = box + offset
    while not after.boxes >> landing & 1:
        yield State(moved(board, before.boxes, box, landing), box)
        landing += offset


# Numbers above _BOX are boxes with colours, at most level.MOST_COLORS of them.
_FREE, _BOX, WALL = 0, 1, 255


class InPlace:
    """A position that changes in place: a table of squares instead of bitboards, checked against ``step`` by a test."""

    def __init__(self, board: Board, start: State) -> None:
        self.board = board
        self._stride, self._size = board.stride, board.size
        self._player = start.player + board.stride
        # A number per square: free, a wall, or a box with its layer. A row of wall above and below replaces all checks
        # for the edge of the board.
        self._cells = [*_padded(board, board.floor, _FREE, WALL)]
        for layer, boxes in enumerate(board.boxes_by_layer(start.boxes) if board.colors else [start.boxes]):
            for box in squares_of(boxes & board.floor):
                self._cells[box + board.stride] = _BOX + layer
        self._ice = _padded(board, board.ice, 1, 0) if board.ice else b""


class Stepper(InPlace):
    """A position played forwards and backwards, with its boxes also as a Bitboard; ``_trail``: a byte for each step."""

    def __init__(self, board: Board, start: State) -> None:
        super().__init__(board, start)
        self._steps = _codes_of(board.stride)
        self._boxes = start.boxes
        self._not_home = board.floor * board.all_layers & ~board.home
        self._trail = bytearray()
        # The squares the player can walk to, or None if not computed yet.
        self._area: Bitboard | None = None

    @property
    def state(self) -> State:
        return State(self._boxes, self._player - self._stride)

    @property
    def is_solved(self) -> bool:
        return not self._boxes & self._not_home

    @property
    def moves(self) -> int:
        return len(self._trail)

    @property
    def lurd(self) -> str:
        return self.lurd_from(0)

    def lurd_from(self, number: int) -> str:
        """The moves after the first ``number``."""
        return self._trail[number:].translate(_LETTERS_OF).decode("ascii")

    def move(self, direction: Direction | int | str) -> bool:
        """Walk or push one square; change nothing and return False if the way is blocked.

        ``direction``: a Direction, its number, or its letter in either case; raises UsageError for anything else.
        """
        try:
            offset, code = self._steps[direction]
        except (KeyError, TypeError):
            raise no_direction(direction) from None
        cells, target = self._cells, self._player + offset
        if cell := cells[target]:
            landing = target + offset
            if cell == WALL or cells[landing]:
                return False
            self._shift(target, landing, offset)
            code |= PUSHED
        self._player = target
        self._trail.append(code)
        return True

    def _shift(self, box: Square, landing: Square, offset: int = 0) -> Square:
        """Move a box to a free square and on over ice by ``offset``; return the square where it stops."""
        cells = self._cells
        if offset and self._ice:
            while self._ice[landing] and not cells[landing + offset]:
                landing += offset
        cells[landing] = cell = cells[box]
        cells[box] = _FREE
        change = (1 << box ^ 1 << landing) >> self._stride
        self._boxes ^= change if cell == _BOX else change ^ change << (cell - _BOX) * self._size
        self._area = None
        return landing

    def _step_back(self) -> int:
        code = self._trail.pop()
        offset = self.board.offsets[code & DIRECTION]
        if code & PUSHED:
            box = self._player + offset
            while not self._cells[box]:  # it slid away from the player
                box += offset
            self._shift(box, self._player)
        self._player -= offset
        return code


def no_direction(found: object) -> UsageError:
    return UsageError(f"found the direction {found!r}, expected one of l u r d, or a Direction")


# A byte of a trail: the direction, and flags for a push and for the first step of a call.
DIRECTION, PUSHED, FIRST = 3, 4, 8
_LETTERS_OF = bytes.maketrans(bytes(range(16)), b"urdlURDL" * 2)


@lru_cache(maxsize=16)
def _codes_of(stride: int) -> Mapping[object, tuple[int, int]]:
    codes = {each: (offset, each | FIRST) for each, offset in zip(DIRECTIONS, (-stride, 1, stride, -1))}
    return {name: code for each, code in codes.items() for name in (each, each.letter, each.letter.upper())}


class Replayer(InPlace):
    """A position that plays many steps in a row, ten times as fast as ``step``.

    ``pushed`` and ``landings`` are the squares where each push of the last ``take`` began and ended, on a board with an
    extra row above it.
    """

    def __init__(self, board: Board, start: State) -> None:
        super().__init__(board, start)
        # The goals that accept a box, by its number.
        self._goals = [b"", *(_padded(board, each, 1, 0) for each in board.goals_by_layer)]
        self._away = boxes_away(board, start).bit_count()
        self.pushed: list[Square] = []
        self.landings: list[Square] = []

    @property
    def is_solved(self) -> bool:
        return not self._away

    @property
    def state(self) -> State:
        cells = bytes(self._cells[self.board.stride : -self.board.stride])
        boxes = _bits(cells, range(_BOX, WALL))
        for layer in range(1, len(self._goals) - 1):
            boxes |= _bits(cells, (_BOX + layer,)) << layer * self.board.size
        return State(boxes, self._player - self.board.stride)

    def take(self, directions: Sequence[int], *, to_solution: bool = False) -> str:
        """Play steps up to the first blocked one or, if asked, the first push that solves; return their letters."""
        cells, goals, ice, player, away = self._cells, self._goals, self._ice, self._player, self._away
        offsets = self.board.offsets
        letters = bytearray(directions).translate(_LETTERS)
        pushed, landings = self.pushed, self.landings = [], []
        for number, direction in enumerate(directions):
            offset = offsets[direction]
            player += offset
            if cell := cells[player]:
                landing = player + offset
                if cell == WALL or cells[landing]:
                    player -= offset
                    del letters[number:]
                    break
                if ice:
                    while ice[landing] and not cells[landing + offset]:
                        landing += offset
                cells[player] = _FREE
                cells[landing] = cell
                letters[number] ^= _CASE
                pushed.append(player)
                landings.append(landing)
                taking = goals[cell]
                away += taking[player] - taking[landing]
                if to_solution and not away:
                    del letters[number + 1 :]
                    break
        self._player, self._away = player, away
        return letters.decode("ascii")


_LETTERS = bytes.maketrans(b"\0\1\2\3", b"urdl")
_CASE = ord("u") ^ ord("U")


def _padded(board: Board, squares: Bitboard, inside: int, outside: int) -> bytes:
    """Return a byte for each square, with a row of ``outside`` above and below."""
    row = bytes([outside]) * board.stride
    return row + bytes_of(squares & board.floor, board.size, inside, outside) + row


def _bits(cells: bytes, values: Sequence[int]) -> Bitboard:
    table = bytearray(b"0" * 256)
    for value in values:
        table[value] = ord("1")
    return int(cells.translate(table)[::-1], 2)


def why_blocked(board: Board, state: State, direction: Direction) -> str:
    offset = board.offsets[direction]
    target = state.player + offset
    if target < 0 or not board.floor >> target & 1:
        return _("a wall")
    landing = target + offset
    return _("a box against a box") if landing >= 0 and state.boxes >> landing & 1 else _("a box against a wall")


def step_back(board: Board, state: State, direction: Direction, pushed: bool) -> State:
    """Return the state before a step in ``direction`` that led to ``state``; ``pushed`` if it moved a box."""
    offset = board.offsets[direction]
    boxes = state.boxes
    if pushed and not board.is_ordinary:
        box = state.player + offset
        while not boxes >> box & 1:  # it slid away from the player
            box += offset
        boxes = moved(board, boxes, box, state.player)
    elif pushed:
        boxes ^= 1 << state.player + offset | 1 << state.player
    return State(boxes, state.player - offset)


def pull(board: Board, state: State, direction: Direction) -> State | None:
    """Return the state after the player steps in ``direction`` and pulls the box behind along: a push in reverse.

    None if there is no box behind or the way is blocked.  Not for ice, where a box may have slid from several squares.
    """
    offset = board.offsets[direction]
    target, box = state.player + offset, state.player - offset
    is_free = target >= 0 and board.floor & ~state.boxes & 1 << target
    if not is_free or box < 0 or not board.floor & state.boxes & 1 << box:
        return None
    return step_back(board, state, direction.opposite, pushed=True)


def solved_boxes(board: Board, boxes: Bitboard) -> Bitboard | None:
    """Return the boxes on the goals, with their colours; None if the colours do not determine which goes where."""
    counts = [layer.bit_count() for layer in board.boxes_by_layer(boxes)[1:]]
    if counts != [goals.bit_count() for goals in board.colors]:
        return None
    return layered(board.goals, board.colors, board.size)


def legal_moves(board: Board, state: State) -> list[Direction]:
    """Return the directions of all possible steps."""
    return [direction for direction in DIRECTIONS if step(board, state, direction) is not None]


def legal_pushes(board: Board, state: State) -> list[Push]:
    """Return every push whose pushing square the player can walk to, sorted by direction, then by box."""
    region = flood(1 << state.player, board.floor & ~state.boxes, board.stride)
    return pushes_from_area(board, state.boxes, region)


def pushes_from_area(board: Board, boxes: Bitboard, area: Bitboard) -> list[Push]:
    """``legal_pushes`` for a player who can walk to all squares of ``area``."""
    free = board.floor & ~boxes
    pushes = []
    for direction in DIRECTIONS:
        offset = board.offsets[direction]
        for box in scan(boxes & shift(area, offset) & shift(free, -offset)):
            pushes.append(Push(box, direction))
    return pushes


def is_solved(board: Board, state: State) -> bool:
    """True if every box is on a goal that accepts it."""
    return not state.boxes & ~board.home


def boxes_away(board: Board, state: State) -> Bitboard:
    """Return the squares of the boxes that are not on a goal that accepts them."""
    return flattened(state.boxes & ~board.home, board.size)


def boxes_home(board: Board, state: State) -> Bitboard:
    """Return the squares of the boxes on goals that accept them."""
    return state.boxes & board.floor & ~boxes_away(board, state)


def goals_taking(board: Board, boxes: Bitboard, box: Square) -> Bitboard:
    """Return the goals that accept the box on a square."""
    color = color_at(board, boxes, box)
    return board.goals_by_layer[0 if color is None else color + 1]


def boxes_taken(board: Board, boxes: Bitboard, goal: Square) -> Bitboard:
    """Return the squares of the boxes that a goal accepts."""
    color = goal_color(board, goal)
    if color is None:
        return boxes & board.floor
    layers = board.boxes_by_layer(boxes)
    return layers[0] | layers[color + 1]


def color_at(board: Board, boxes: Bitboard, square: Square) -> int | None:
    """Return the colour of the box on a square, from 0; None if it has none."""
    firsts = range(board.size, (1 + len(board.colors)) * board.size, board.size)
    return next((color for color, first in enumerate(firsts) if boxes >> first + square & 1), None)


def goal_color(board: Board, goal: Square) -> int | None:
    """Return the colour of a goal, from 0; None if it has none."""
    return next((color for color, goals in enumerate(board.colors) if goals >> goal & 1), None)


def perft(board: Board, state: State, depth: int) -> int:
    """Count the sequences of ``depth`` steps, to check the rules as in chess (Chess Programming Wiki, "Perft").

    Time and memory grow with the positions within ``depth`` steps, not with the sequences. Raises UsageError if
    ``depth`` is below 0.
    """
    return _perft(lambda state: [step(board, state, direction) for direction in DIRECTIONS], state, depth)


def perft_pushes(board: Board, state: State, depth: int) -> int:
    """Count the sequences of ``depth`` pushes, whatever the walks between them; otherwise as ``perft``."""
    return _perft(lambda state: [push(board, state, each) for each in legal_pushes(board, state)], state, depth)


def _perft(successors: Callable[[State], Sequence[State | None]], start: State, depth: int) -> int:
    if depth < 0:
        raise UsageError(f"found a depth of {depth}, expected 0 or more")
    # The number of sequences to each position.
    sequences = {start: 1}
    for __ in range(depth):
        after: dict[State, int] = {}
        for state, count in sequences.items():
            for successor in filter(None, successors(state)):
                after[successor] = after.get(successor, 0) + count
        sequences = after
    return sum(sequences.values())
