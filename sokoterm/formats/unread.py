"""Levels of a large text with boards parsed on demand, so that tens of thousands take little memory.

A quick test finds boards that are surely levels, many at a time: those of equal width form one tall board. For these,
only the lines are stored, and the boards used last are cached.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Self, cast

from sokoterm.engine.bits import bytes_of, flood
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import CELLS, Level, fields_of
from sokoterm.formats.grammar import PLAIN, BoardLines, read_board, without_margin
from sokoterm.formats.limits import UNLIMITED, ReadLimits, SquareCount

# Boards tested together: with more, each round of a flood takes longer, and the longest corridor delays all.
_TOGETHER = 64
# Squares of the largest of these boards, and thus rounds of a flood.
_MOST_SQUARES = 2_000
# Boards in the cache.
KEPT = 500
_CELLS = CELLS.encode("ascii")
_WALLS, _PLAYERS, _BOXES, _GOALS = (
    bytes.maketrans(_CELLS, digits) for digits in (b"1000000", b"0011000", b"0000110", b"0001011")
)


def surely_levels(lines: Sequence[str], boards: Sequence[BoardLines], limits: ReadLimits) -> dict[int, int]:
    """Return the boxes, by index, of the boards that surely are levels within the limits; others need a closer look."""
    by_width: dict[int, list[int]] = {}
    squares = 0
    for index, (first, end, __, kinds) in enumerate(boards):
        width, height = max(map(len, lines[first:end])), end - first
        squares += width * height
        is_within = 2 < width <= limits.width and 2 < height <= limits.height and width * height <= _MOST_SQUARES
        if is_within and not kinds.strip(PLAIN):
            by_width.setdefault(width, []).append(index)
    sure = dict[int, int]()
    for width, indices in by_width.items() if squares <= limits.squares else ():
        for begin in range(0, len(indices), _TOGETHER):
            some = indices[begin : begin + _TOGETHER]
            rows = [lines[boards[index].first : boards[index].end] for index in some]
            sure.update((index, boxes) for index, boxes in zip(some, _boxes_of_levels(rows, width)) if boxes)
    return sure


def _boxes_of_levels(boards: Sequence[Sequence[str]], width: int) -> Iterator[int]:
    """Yield the boxes of each board that is closed and has one player and as many goals within reach, else 0.

    All have this width; yields nothing if any of them contains an unknown character.
    """
    stride = width + 1
    picture = "".join([row.ljust(stride) for rows in boards for row in (*rows, "")]).encode("utf-8")[::-1]
    if picture.translate(None, _CELLS):
        return
    full, sides, beyond = b"1" * width + b"0", b"1" + b"0" * (width - 2) + b"10", b"0" * stride
    heights = [len(rows) - 2 for rows in boards]
    # Last square first, like the digits of a number; a row without floor separates two boards.
    inside, edge = (
        int(b"".join([full + middle * height + full + beyond for height in heights])[::-1], 2)
        for middle in (full, sides)
    )
    walls, players, boxes, goals = (int(picture.translate(each), 2) for each in (_WALLS, _PLAYERS, _BOXES, _GOALS))
    floor = flood(players, inside & ~walls, stride, _MOST_SQUARES)
    found = [bytes_of(each & floor, len(picture)) for each in (players, edge, boxes, goals)]
    begin = 0
    for height in heights:
        end = begin + (height + 3) * stride
        here, ways_out, crates, marks = (each.count(1, begin, end) for each in found)
        yield crates if here == 1 and not ways_out and crates == marks else 0
        begin = end


class BoardsOfText:
    """The boards on the lines of a text, parsed on demand."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.level = lru_cache(KEPT)(self._level)
        """Return a level without texts, given lines that ``surely_levels`` has found."""

    def lines(self, board: BoardLines) -> list[str]:
        return self._lines[board.first : board.end]

    def _level(self, board: BoardLines) -> Level:
        return read_board(self._lines, board, 1, UNLIMITED, SquareCount(UNLIMITED))


_TEXTS = ("title", "author", "comment", "metadata", "number", "line", "records")
_texts_of: Callable[[Level], tuple[object, ...]] = attrgetter(*_TEXTS)


class UnreadLevel(Level):
    """A level of a text that stores only the place of its board, which is parsed on demand."""

    __slots__ = ("_boards", "_place", "boxes")
    _boards: BoardsOfText
    _place: BoardLines

    def __init__(self, *fields: object) -> None:
        """``fields``: the boards, the place of this one, its number of boxes, and the fields of a Level after rows."""
        for store, field in zip(_STORE, fields, strict=True):
            store(self, field)

    @property
    def board(self) -> Board:  # type: ignore[override]  # a slot of the base
        return self._boards.level(self._place).board

    @property
    def start(self) -> State:  # type: ignore[override]
        return self._boards.level(self._place).start

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        return self._boards.level(self._place).rows

    @property
    def size(self) -> tuple[int, int]:
        rows, __ = without_margin([*map(str.rstrip, self._boards.lines(self._place))])
        return max(map(len, rows)), len(rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UnreadLevel) and self._boards.lines(self._place) == other._boards.lines(other._place):
            return _texts_of(self) == _texts_of(other)
        return super().__eq__(other)

    __hash__ = Level.__hash__

    def __reduce__(self) -> tuple[type[Level], tuple[object, ...]]:
        return Level, fields_of(self)

    def replace(self, **changes: object) -> Self:
        texts = dict(zip(_TEXTS, _texts_of(self)))
        if changes.keys() <= texts.keys():
            return type(self)(self._boards, self._place, self.boxes, *(texts | changes).values())
        whole: Level = Level(*fields_of(self)).replace(**changes)
        return cast(Self, whole)

    _replace = replace


_STORE = tuple([vars(UnreadLevel)[each].__set__ for each in UnreadLevel.__slots__])
_STORE += tuple([vars(Level)[each].__set__ for each in _TEXTS])
