"""Labels typed letter by letter to choose among squares, and the square under the cursor.

As in the link hints of Vimium no label begins another one: what is typed chooses as soon as it is whole.
"""

from collections.abc import Mapping, Sequence

from sokoterm.app.keymap import LETTERS
from sokoterm.engine.bits import Direction, Square


def make_labels(count: int, letters: str = LETTERS) -> list[str]:
    """Return ``count`` different labels of some letters, none the beginning of another, the shortest first.

    As many single letters as can be: the last letters begin the longer labels.

    >>> make_labels(28)[24:]
    ['y', 'za', 'zb', 'zc']
    """
    labels = list(letters)
    # Labels of one length at a time: the last become the beginnings of longer ones, one a letter.
    done: list[str] = []
    while len(done) + len(labels) < count:
        missing = count - len(done) - len(labels)
        begun = min(len(labels), -(-missing // (len(letters) - 1)))
        kept = len(labels) - begun
        done += labels[:kept]
        labels = [first + letter for first in labels[kept:] for letter in letters]
    return (done + labels)[:count]


class Choices:
    """Squares in the order of their labels, and the one under the cursor (None before the first choice)."""

    def __init__(
        self,
        squares: Sequence[Square],
        cursor: Square | None = None,
        labels: Mapping[Square, str] | None = None,
        *,
        letters: str = LETTERS,
    ) -> None:
        """``cursor`` may be another square, where it waits for the first key.

        ``labels`` are those that the squares have already; by default they get new ones of ``letters``, in their order.
        """
        self.squares = squares
        known = map(labels.__getitem__, squares) if labels is not None else make_labels(len(squares), letters)
        self.labels = dict(zip(squares, known, strict=True))
        self.cursor = cursor
        self.typed = ""

    def rest(self, square: Square) -> str:
        """Return the part of a square's label that is still to be typed; empty if another label was begun."""
        label = self.labels.get(square, "")
        return label[len(self.typed) :] if label.startswith(self.typed) else ""

    def type(self, letter: str) -> Square | None:
        """Add a letter; return the square whose label is complete, now under the cursor. A wrong letter is ignored."""
        typed = self.typed + letter
        begun = [square for square, label in self.labels.items() if label.startswith(typed)]
        if begun and self.labels[begun[0]] == typed:
            self.typed, self.cursor = "", begun[0]
            return self.cursor
        self.typed = typed if begun else self.typed
        return None

    def cycle(self, step: int) -> None:
        """Move the cursor ``step`` squares on in the order of the labels, round at the ends."""
        self.typed = ""
        if not self.squares:
            return
        place = min(0, step)
        if self.cursor is not None and self.cursor in self.labels:
            place = self.squares.index(self.cursor) + step
        self.cursor = self.squares[place % len(self.squares)]

    def move(self, direction: Direction, stride: int) -> bool:
        """Move the cursor to the nearest square in a direction; False where there is none.

        Squares that lie more aside than in the direction come last.
        """
        self.typed = ""
        if self.cursor is None:
            return False
        row, column = divmod(self.cursor, stride)
        found = list[tuple[bool, int, int, Square]]()
        for square in self.squares:
            other_row, other_column = divmod(square, stride)
            down, right = other_row - row, other_column - column
            along, aside = ((-down, right), (right, down), (down, right), (-right, down))[direction]
            if along > 0:
                found.append((abs(aside) > along, along + abs(aside), abs(aside), square))
        if found:
            self.cursor = min(found)[-1]
        return bool(found)

    def jump(self, *, to_last: bool) -> None:
        """Move the cursor to the first or the last square in the order of the labels."""
        self.typed = ""
        if self.squares:
            self.cursor = self.squares[-1 if to_last else 0]
