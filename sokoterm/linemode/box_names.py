"""What boxes are called: a letter for each, which it keeps wherever it is pushed."""

from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.game import common_prefix
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name_of(index: int) -> str:
    """The name of the box that stands at this place, from 0, among those of the start.

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
    """How many moves both begin with; at once where one of them is the beginning of the other."""
    if one.startswith(other) or other.startswith(one):
        return min(len(one), len(other))
    return common_prefix(one, other)


class BoxNames:
    """The boxes of one level by name: from the top left of its start, row by row, they are a, b, c ...

    Of a position only the moves that led there tell which box is which, so those are followed.
    """

    def __init__(self, level: Level) -> None:
        self._offsets = level.board.offsets
        self._player = level.start.player
        self._lurd = ""
        self._at = {square: name_of(index) for index, square in enumerate(squares_of(level.start.boxes))}

    def now(self) -> dict[Square, str]:
        """The names of the boxes by the squares they are on, in the order of the names."""
        return dict(sorted(self._at.items(), key=lambda item: (len(item[1]), item[1])))

    def find(self, name: str) -> Square | None:
        """Where a box is, in either case; None for a name that no box has."""
        return next((square for square, each in self._at.items() if each == name.casefold()), None)

    def follow(self, lurd: str) -> None:
        """Go to the position after these moves from the start; the cost is that of the moves that differ."""
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
