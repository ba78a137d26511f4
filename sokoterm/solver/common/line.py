"""A line of moves that seeds a search: its positions, and those from which searches start."""

from typing import NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import parse_lurd, play


class MoveLine(NamedTuple):
    """A line of moves.

    ``states``: the start, then the position after each push.  ``moves``: how many of the moves lead to each of them.
    ``lurd``: all moves, in letters of the right case.
    """

    states: tuple[State, ...]
    moves: tuple[int, ...]
    lurd: str

    @property
    def pushes(self) -> int:
        return len(self.states) - 1

    def until(self, pushes: int) -> str:
        """Return the moves up to a number of pushes."""
        return self.lurd[: self.moves[pushes]]


def read_line(board: Board, start: State, lurd: str) -> MoveLine:
    """Replay moves by the rules; raise LurdError at a blocked step.

    >>> from sokoterm.engine import Level
    >>> level = Level.from_xsb("########\\n#@ $  .#\\n########")
    >>> line = read_line(level.board, level.start, "2RRl")
    >>> line.pushes, line.until(1), line.lurd
    (2, 'rR', 'rRRl')
    """
    states, moves = [start], [0]
    letters: list[str] = []
    for state, letter in play(board, start, parse_lurd(lurd)):
        letters.append(letter)
        if letter.isupper():
            states.append(state)
            moves.append(len(letters))
    return MoveLine(tuple(states), tuple(moves), "".join(letters))


def starts_on(pushes: int) -> list[int]:
    """Return after how many pushes of a line searches start: at its end, then up to four times twice as far back.

    A mistake mostly stands near the end of a line, so the places are close together there; the last is the start.

    >>> starts_on(80), starts_on(3), starts_on(0)
    ([80, 70, 60, 40, 0], [3, 2, 0], [0])
    """
    return list(dict.fromkeys(pushes - pushes // part for part in (pushes + 1, 8, 4, 2, 1)))
