"""The objects that programs work with: a level, a position to play, a solution.

>>> position = Position(Level.from_xsb("#######\\n#@ $ .#\\n#######"))
>>> position.play("rR")
>>> position.push((1, 4), "r")
>>> position.is_solved, position.lurd
(True, 'rRR')
>>> print(position)
#######
#   @*#
#######
"""

from collections.abc import Iterable
from operator import index
from typing import Self, SupportsIndex

import sokoterm.engine.level as plain
import sokoterm.engine.lurd as lurds
from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, flood, scan
from sokoterm.engine.board import Push
from sokoterm.engine.deadlock.check import Deadlock, FreezeCheck, check_of
from sokoterm.engine.deadlock.detector import THOROUGH_BOUNDS, DeadlockDetector
from sokoterm.engine.level import fields_of
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.planner.box_reach import BoxReach, Fewest
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import DIRECTION, FIRST, PUSHED, WALL, Stepper, boxes_away, no_direction, pushes_from_area
from sokoterm.engine.value import UsageError

__all__ = ["Level", "Position", "Solution"]

DirectionLike = Direction | int | str
"""A Direction, its number from 0 (up, right, down, left), or a letter of LURD in either case."""
SquareLike = SupportsIndex | Iterable[int]
"""A Square, or a pair of row and column, both from 0."""
# In a trail: the player walked to the pushing square before; the steps of the walk are found when they are needed.
_WALKED = 16
_WALKS = bytes(code for code in range(32) if not code & PUSHED)
_NOT_FIRST = bytes(code & ~FIRST for code in range(256))
# Letters of a solution in its repr.
_MOST_LETTERS = 40


class Level(plain.PlainLevel):
    """A level: its board and start, its picture as written in ``rows``, its texts, and the ``records`` it came with.

    Fields never change; ``replace`` and ``turned`` return another level.

    >>> level = Level.from_xsb("######\\n#@$ .#\\n######")
    >>> level.replace(title="Two pushes")
    Level('Two pushes', 6x3, 1 box)
    """

    __slots__ = ()

    @classmethod
    def of(cls, level: "plain.Level | Position") -> Self:
        """Convert a level of the engine to this class; of a Position, return the level that starts with it."""
        if isinstance(level, Position):
            rows = tuple(level.level.picture(level.state))
            return cls(*fields_of(level.level)).replace(start=level.state, rows=rows, records=())
        if not isinstance(level, plain.Level):
            raise UsageError(f"found {type(level).__name__}, expected a Level or a Position")
        return level if isinstance(level, cls) else cls(*fields_of(level))

    @property
    def hash(self) -> str:
        """Id of the puzzle, 32 hex digits: equal for all turned, mirrored and redecorated copies."""
        return level_hash(self)

    def difficulty(self) -> int:
        """Rate the level by a search, usually of a second at most: 0 for one push, over 80 for experts."""
        from sokoterm.solver.difficulty import figures_of  # loads the searches
        from sokoterm.solver.figures import difficulty

        return difficulty(figures_of(self))

    def verify(self, lurd: "str | Solution") -> "Solution":
        """Replay moves and return them as a solution; raises LurdError if they do not solve the level."""
        return Solution.of(self, lurds.verify(self.board, self.start, text_of(lurd)))

    def svg(self, size: int = 32) -> str:
        """Return a picture of the start as SVG, each square ``size`` pixels wide."""
        return Position(self).svg(size)

    def _repr_svg_(self) -> str:
        return self.svg()


class Solution(lurds.PlainSolution):
    """Moves that solve a level, with their metrics; ``level`` is the level, None if made by hand.

    >>> solution = Level.from_xsb("######\\n#@$ .#\\n######").verify("rr")
    >>> solution.lurd, solution.moves, solution.pushes, solution.box_lines
    ('RR', 2, 2, 1)
    """

    level: Level | None = None

    @classmethod
    def of(cls, level: plain.Level, solution: lurds.Solution) -> Self:
        """Convert a solution of the engine to this class."""
        made = cls(*solution)
        made.level = Level.of(level)
        return made

    def __repr__(self) -> str:
        shown = self.lurd if len(self.lurd) <= _MOST_LETTERS else self.lurd[:_MOST_LETTERS] + "..."
        return f"Solution({shown!r}, {_counted(self.moves, 'move')}, {_counted(self.pushes, 'push')})"

    def __str__(self) -> str:
        return self.lurd

    def svg(self, size: int = 32, speed: float = 5.0) -> str:
        """Return the moves as an SVG animation that repeats, ``speed`` moves per second."""
        if self.level is None:
            raise UsageError("the solution has no level: use one that verify() or a search returned")
        from sokoterm.pictures.svg import svg_of  # pictures only

        return svg_of(self.level, self.level.start, self.lurd, size, speed)

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.level is not None else None


class Position(Stepper):
    """A level in play: a position that changes in place, with the moves that led to it.

    Squares are numbers, ``row * board.stride + column``, or pairs (row, column), both from 0. Directions are letters of
    LURD, Directions or their numbers. Positions with the same board, boxes and player are equal and have equal hashes,
    whatever their moves; as a key, use a copy that no longer changes.

    >>> position = Position("######\\n#@$ .#\\n######")
    >>> position.move("r"), position.move("u"), position
    (True, False, Position(Level('', 6x3, 1 box), 1 move, 1 push))
    """

    def __init__(self, level: plain.Level | str, lurd: str | Solution = "") -> None:
        """Start a level, given as a Level or as XSB text, and play some moves of it.

        Raises LevelError for invalid text, LurdError for moves that cannot be played.
        """
        self.level = Level.from_xsb(level) if isinstance(level, str) else Level.of(level)
        super().__init__(self.level.board, self.level.start)
        # For each push whose walk was not written out yet: the player, the area and the boxes before, and where the box
        # landed.
        self._before: list[tuple[int, Bitboard | None, Bitboard, int]] = []
        # Shared by copies, as what they learn applies to the whole board.
        self._check: FreezeCheck | None = None
        self._detectors: list[DeadlockDetector] = []
        if lurd:
            self.play(lurd)

    @property
    def player(self) -> Square:
        """The player's square."""
        return self._player - self._stride

    @property
    def boxes(self) -> list[Square]:
        """The squares of the boxes, lowest first."""
        return [*scan(self._boxes & self.board.floor)]

    @property
    def boxes_away(self) -> int:
        """The number of boxes that are not on a goal that accepts them."""
        return boxes_away(self.board, self.state).bit_count()

    @property
    def area(self) -> Bitboard:
        """The squares to which the player can walk without a push."""
        if self._area is None:
            free = self.board.floor & ~self._boxes
            self._area = flood(1 << self._player - self._stride, free, self.board.stride)
        return self._area

    @property
    def key(self) -> tuple[Bitboard, Square]:
        """Equal for positions on a board that allow the same pushes; for the set of positions a search has seen."""
        return self._boxes, (self.area & -self.area).bit_length() - 1

    @property
    def legal_moves(self) -> list[Direction]:
        """The directions in which the player can walk or push."""
        cells, player = self._cells, self._player
        return [
            direction
            for direction, offset in zip(DIRECTIONS, self.board.offsets)
            if not cells[player + offset] or cells[player + offset] < WALL and not cells[player + 2 * offset]
        ]

    @property
    def legal_pushes(self) -> list[Push]:
        """Every push that the player can walk to, each a pair to pass to ``push``."""
        return pushes_from_area(self.board, self._boxes, self.area)

    @property
    def lurd(self) -> str:
        """The moves so far."""
        self._write_walks()
        return super().lurd

    @property
    def moves(self) -> int:
        """The number of moves so far."""
        self._write_walks()
        return len(self._trail)

    @property
    def pushes(self) -> int:
        """The number of pushes so far."""
        return len(self._trail.translate(None, _WALKS))

    @property
    def solution(self) -> Solution | None:
        """The moves so far with their metrics; None unless they solve the level with at least one push."""
        return self.level.verify(self.lurd) if self.is_solved and self.pushes else None

    def push(self, box: SquareLike | Push, direction: DirectionLike | None = None) -> None:
        """Walk to a box and push it by one square; a push of ``legal_pushes`` replaces both arguments.

        Raises UsageError for an invalid square or direction, and LurdError, changing nothing, for an impossible push.
        """
        cells = self._cells
        if direction is None and isinstance(box, Push):
            box, direction = box
        square = box if box.__class__ is int and 0 <= box < self._size else self._square(box)
        try:
            offset, code = self._steps[direction]
        except (KeyError, TypeError):
            raise no_direction(direction) from None
        place = square + self._stride
        if not 0 < cells[place] < WALL:
            raise self._impossible(square, code, "there is no box")
        if cells[place + offset]:
            raise self._impossible(square, code, "the way is blocked")
        if self._player != place - offset and not (self._area or self.area) >> square - offset & 1:
            raise self._impossible(square, code, "the player cannot get behind it")
        self._before.append((self._player, self._area, self._boxes, self._shift(place, place + offset, offset)))
        self._player = place
        self._trail.append(code | PUSHED | _WALKED)

    def play(self, lurd: str | Solution) -> None:
        """Make moves, given as LURD text in either case, with counts and groups, or as a solution.

        Raises LurdError, changing nothing, if a move is blocked or the text cannot be read.
        """
        begun = len(self._trail)
        for number, direction in enumerate(lurds.parse_directions(text_of(lurd))):
            if not self.move(direction):
                while len(self._trail) > begun:
                    self._step_back()
                raise lurds.blocked(number, direction)
        self._trail[begun + 1 :] = self._trail[begun + 1 :].translate(_NOT_FIRST)

    def push_to(self, box: SquareLike, square: SquareLike, fewest: str = Fewest.PUSHES) -> None:
        """Push a box to a square of ``reach`` with the fewest "pushes" or "moves"; else raise UsageError."""
        if fewest not in [*Fewest]:
            raise UsageError(f"found fewest {fewest!r}, expected one of {', '.join(Fewest)}")
        reach = BoxReach(self.board, self.state, self._square(box))
        self.play(reach.plan(self._square(square), Fewest(fewest)).lurd)

    def pop(self) -> None:
        """Undo the last ``move``, ``push`` (with its walk) or ``play``; raises UsageError at the start."""
        if not self._trail:
            raise UsageError("there is no move to undo")
        if self._trail[-1] & _WALKED:
            self._unpush()
        else:
            while not self._step_back() & FIRST:
                pass

    def reach(self, box: SquareLike) -> dict[Square, int]:
        """Return the squares to which a box can be pushed while the others stay, with the fewest pushes to each."""
        return dict(BoxReach(self.board, self.state, self._square(box)).pushes)

    def deadlock(self, thorough: bool = False) -> Deadlock | None:
        """Return a proof that the position cannot be solved, with the boxes responsible; None proves nothing.

        Two tests that take a microsecond look for boxes on dead squares and frozen boxes; ``thorough`` runs all tests,
        which may take milliseconds.
        """
        if not thorough:
            self._check = check = self._check or check_of(self.board)
            return check.find(self._boxes)
        if not self._detectors:
            self._detectors.append(DeadlockDetector(self.board, bounds=THOROUGH_BOUNDS))
        return self._detectors[0].find(self._boxes, self.area)

    def copy(self) -> Self:
        """Return an independent copy."""
        copied = self.__class__.__new__(self.__class__)
        copied.__dict__.update(self.__dict__)
        copied._cells, copied._trail, copied._before = self._cells.copy(), self._trail.copy(), self._before.copy()
        return copied

    __copy__ = copy

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_check": None, "_detectors": []}  # caches cannot be pickled

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self._boxes, self._player, self.board) == (other._boxes, other._player, other.board)

    def __hash__(self) -> int:
        return hash((self._boxes, self._player))

    def __str__(self) -> str:
        return self.level.xsb(self.state)

    def __repr__(self) -> str:
        return f"Position({self.level!r}, {_counted(self.moves, 'move')}, {_counted(self.pushes, 'push')})"

    def svg(self, size: int = 32) -> str:
        """Return a picture as SVG, each square ``size`` pixels wide."""
        from sokoterm.pictures.svg import svg_of  # pictures only

        return svg_of(self.level, self.state, "", size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _unpush(self) -> int:
        """Undo a push whose walk was not written out; return its byte."""
        cells, place = self._cells, self._player
        self._player, self._area, self._boxes, landing = self._before.pop()
        cells[place], cells[landing] = cells[landing], 0
        return self._trail.pop()

    def _write_walks(self) -> None:
        """Write out the walks of pushes: go back to the first of them and replay from there."""
        again = []
        while self._before:
            place, walked = self._player, self._trail[-1] & _WALKED
            again.append((self._unpush() if walked else self._step_back(), place))
        for code, place in reversed(again):
            if code & _WALKED:
                pushing = place - self.board.offsets[code & DIRECTION]
                if walk := find_walk(self.board, self.state, pushing - self._stride):
                    self._trail += bytes([walk[0] | FIRST, *walk[1:]])
                    self._player = pushing
                    code &= ~FIRST
            self.move(code & DIRECTION)
            self._trail[-1] = code & ~_WALKED

    def _square(self, place: SquareLike) -> Square:
        board = self.board
        try:
            row, column = map(index, place) if isinstance(place, Iterable) else board.row_column(index(place))
        except (TypeError, ValueError):
            raise UsageError(f"found the square {place!r}, expected a number or a pair (row, column)") from None
        if not (0 <= row < board.height and 0 <= column < board.width):
            expected = f"rows 0 to {board.height - 1} and columns 0 to {board.width - 1}"
            raise UsageError(f"found row {row}, column {column}, expected {expected}")
        return board.square(row, column)

    def _impossible(self, box: Square, code: int, why: str) -> lurds.LurdError:
        direction = DIRECTIONS[code & DIRECTION].name.lower()
        text = f"cannot push the box at {self.board.row_column(box)} {direction}: {why}"
        return lurds.LurdError(text, self.moves + 1)


def text_of(moves: object) -> str:
    """Return moves, given as LURD text or a solution, as text; raises UsageError for anything else."""
    text = getattr(moves, "lurd", moves)
    if not isinstance(text, str):
        raise UsageError(f"found {type(moves).__name__}, expected moves: LURD text or a Solution")
    return text


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('h') else 's'}"
