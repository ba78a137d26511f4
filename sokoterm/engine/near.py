"""Near duplicates: levels that differ in a few squares, in any orientation and wherever the player starts.

The comparison covers the walls, floor, goals and boxes within reach, with and without dead ends. A square belongs to
nine tiles of 3x3 squares, so levels that differ in N squares share all but 9 N of their tiles, and at least one of the
9 N + 1 tiles of each that are rarest among all levels. Comparing only levels that share a rare tile therefore misses
none (the prefix filter of Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning",
2006). The time grows with the number of levels, and with the square of the number of similar ones.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import cropped, turns_of

_PICTURES = 9  # tiles of a square
_PLAIN = b"#" * _PICTURES
# Translate a picture into the binary digits of its floor, goals or boxes.
_PLANES = [bytes.maketrans(b"# .$*", digits) for digits in (b"01111", b"00101", b"00011")]

_SKETCH = 1021  # bits; a prime

_Turned = tuple[int, int, tuple[int, ...]]


class _Form(NamedTuple):
    """A picture of the ``level``-th level, and the numbers of its tiles.

    ``figures`` are its numbers of floor squares and boxes. Each tile flips a bit of ``sketch``, so two sketches differ
    in at most as many bits as the forms differ in tiles.
    """

    level: int
    rows: list[bytes]
    figures: tuple[int, int]
    pictures: "array[int]"
    sketch: int


class NearLevels:
    """Levels to compare. Levels with colours or ice are near no other."""

    def __init__(self) -> None:
        self._forms: list[_Form] = []
        self._levels = 0
        self._widest = 0
        # The number of each tile, in each orientation.
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._forms)

    def add(self, level: Level) -> None:
        """Add a level; levels are numbered from 0."""
        board, boxes = level.board, level.start.boxes & level.board.floor
        for floor in dict.fromkeys((board.floor, without_dead_ends(level))) if board.is_ordinary else ():
            rows = cropped(board, floor, boxes)
            self._widest = max(self._widest, len(rows), len(rows[0]))
            pictures, sketch = self._pictures(rows), 0
            for number in pictures:
                sketch ^= 1 << number % _SKETCH
            self._forms.append(_Form(self._levels, rows, (floor.bit_count(), boxes.bit_count()), pictures, sketch))
        self._levels += 1

    def _pictures(self, rows: Sequence[bytes]) -> "array[int]":
        """Return the numbers of the tiles, with the count of earlier equal tiles in the lowest bits."""
        width, numbers = len(rows[0]), self._numbers
        picture = b"".join([b"#" * (width + 1), *rows, b"#" * (width + 1)])
        met: dict[int, int] = {}
        found = array("q")
        for above in range(width * len(rows)):
            here, below = above + width, above + 2 * width
            small = picture[above : above + 3] + picture[here : here + 3] + picture[below : below + 3]
            if small != _PLAIN:
                number = numbers.get(small)
                if number is None:
                    turns = [turn.replace(b";", b"") for turn in turns_of([small[:3], small[3:6], small[6:]])]
                    number = len(numbers)
                    numbers.update(dict.fromkeys(turns, number))
                met[number] = met.get(number, 0) + 1
                found.append(number << 20 | met[number])
        return found

    def pairs(self, most: int) -> Iterator[tuple[int, dict[tuple[int, int], int]]]:
        """Yield the number of forms compared so far, and the pairs found with the squares in which they differ."""
        counts = Counter(number for form in self._forms for number in form.pictures)
        length, stride = _PICTURES * most + 1, self._widest + most
        having: dict[tuple[int, int], dict[int, list[int]]] = {}
        pairs: dict[tuple[int, int], int] = {}
        steps = range(-most, most + 1)
        for place, form in enumerate(self._forms):
            rarest = sorted(form.pictures, key=lambda number: (counts[number], number))[:length]
            if len(rarest) < length:
                rarest.append(-1)  # two small levels may have nothing in common
            others = set[int]()
            floor, boxes = form.figures
            for more_floor, more_boxes in product(steps, steps):
                alike = having.get((floor + more_floor, boxes + more_boxes), {})
                others.update(*map(alike.__getitem__, alike.keys() & rarest))
            turned: list[_Turned] = []
            for other in others:
                its = self._forms[other]
                if (form.sketch ^ its.sketch).bit_count() > 2 * _PICTURES * most or its.level == form.level:
                    continue
                turned = turned or [*_turned(form.rows, stride)]
                squares = _difference(turned, next(_turned(its.rows, stride)), stride, most)
                if squares is not None:
                    pair = its.level, form.level
                    pairs[pair] = min(squares, pairs.get(pair, squares))
            mine = having.setdefault(form.figures, {})
            for number in rarest:
                mine.setdefault(number, []).append(place)
            yield place + 1, pairs


def _turned(rows: Sequence[bytes], stride: int) -> Iterator[_Turned]:
    """Yield height, width and planes of a form in all orientations, beginning with its own."""
    for turn in dict.fromkeys(turns_of(rows)):
        lines = turn.split(b";")
        digits = b"".join([line.ljust(stride, b"#") for line in lines])[::-1]
        yield len(lines), len(lines[0]), tuple([int(digits.translate(plane), 2) for plane in _PLANES])


def _difference(turned: Sequence[_Turned], fixed: _Turned, stride: int, most: int) -> int | None:
    """Return the smallest number of squares in which two forms differ, or None if it is over ``most``."""
    height, width, planes = fixed
    least, margin = None, most * (stride + 1)
    other_floor, other_goals, other_boxes = [plane << margin for plane in planes]
    for high, wide, (floor, goals, boxes) in turned:
        for rows, columns in _shifts(height - high, width - wide, most):
            shift = rows * stride + columns + margin
            squares = floor << shift ^ other_floor
            if squares.bit_count() <= most:  # few are
                count = (squares | goals << shift ^ other_goals | boxes << shift ^ other_boxes).bit_count()
                if count <= most:
                    least = most = count
    return least


@lru_cache(1000)
def _shifts(rows: int, columns: int, most: int) -> list[tuple[int, int]]:
    """Return the useful shifts of a picture on another; each row or column that sticks out costs a square."""
    steps = range(-most, most + 1)
    return [
        (down, right)
        for down, right in product(steps, steps)
        if abs(down) + abs(rows - down) + abs(right) + abs(columns - right) <= most
    ]


def without_dead_ends(level: Level) -> Bitboard:
    """Return the floor without dead ends; squares with boxes or goals are never removed."""
    board, floor = level.board, level.board.floor
    while True:
        up, down, left, right = floor << board.stride, floor >> board.stride, floor << 1, floor >> 1
        fewer = floor & (up & down | left & right | (up | down) & (left | right) | board.goals | level.start.boxes)
        if fewer == floor:
            return floor
        floor = fewer
