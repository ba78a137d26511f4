"""Moves among the texts below a board: which lines are a solution or a saved game, and which is its title.

Moves are lines of ``lurdLURD`` with counts and groups, ``*``, brackets and braces (SOK file format 0.19), or behind
the key ``Solution:``, where the walks and counts of ksokoban are moves too.
"""

import re

from sokoterm.engine.level import Record
from sokoterm.engine.value import Value

_LETTERS = "lurdLURD"
_MOVES = _LETTERS + "0123456789()[]{}* \t"
_FIRST = frozenset(_MOVES)
_KSOKOBAN = _LETTERS + "0123456789-, \t"
# How a title says that moves stand below it.
_CLAIMS = ("solution", "savegame", "save game", "saved game", "snapshot")
# What programs write below solutions: no titles of what comes next.
_NOTE_KEYS = ("solver:", "optimizer:", "optimality:", "time:", "date:", "boxorder:", "goalorder:")
# No word that is spelled with the letters of moves is as long.
_LONGEST_WORD = 4
# The column that a walk of ksokoban leads to.
_COLUMN = r"(?<![0-9])[0-9]{1,6}(?=-)"


class Moves(Value):
    """A run of lines of moves; ``text`` is what they hold, without white space.

    ``key`` is the title in front of moves on one line, or empty.  ``is_whole`` is whether neither text nor a board
    stands right below.
    """

    text: str
    first: int
    end: int
    paragraph: int
    key: str = ""
    is_whole: bool = True


class RecordDraft(Value):
    """A record whose notes are still being read; ``takes_notes`` where the texts below belong to it."""

    title: str
    moves: str
    notes: list[str]
    takes_notes: bool

    def record(self, margin: int) -> Record:
        """The record, with its notes as one text; the columns of walks count without the margin of the board."""
        moves = self.moves
        if margin and "-" in moves:
            moves = re.sub(_COLUMN, lambda column: str(max(int(column[0]) - margin, 0)), moves)
        return Record(self.title, moves, "\n".join(self.notes).strip("\n"))


def is_moves(line: str) -> bool:
    """Whether a line holds only what moves are written with, a letter among it."""
    return line[:1] in _FIRST and not line.strip(_MOVES) and not line.isspace() and _letters(line) > 0


def is_no_word(line: str) -> bool:
    """Whether a line for which ``is_moves`` holds is too long to be a word."""
    return _letters(line) + sum(map(str.isdecimal, line[:_LONGEST_WORD])) > _LONGEST_WORD


def is_claim(title: str) -> bool:
    """Whether a title says that moves stand below it."""
    return title.lower().removeprefix("best ").startswith(_CLAIMS)


def is_title(text: str) -> bool:
    """Whether a line of text may be the title of what stands below."""
    return not text.lower().startswith(_NOTE_KEYS)


def keyed_moves(line: str) -> tuple[str, str] | None:
    """The title and the moves of a line such as ``Solution: rrU`` or ``Solution: r2,4-2l2``.

    The moves are empty where the line says that there are none (``undefined``).
    """
    title, colon, moves = line.partition(":")
    title, moves = title.strip(), moves.strip()
    if not colon or not moves or not is_claim(title):
        return None
    if moves.lower() == "undefined":
        return title, ""
    if moves.strip(_MOVES) and moves.strip(_KSOKOBAN) or not _letters(moves):
        return None
    return title, "".join(moves.split())


def is_record(moves: Moves, title: str) -> bool:
    """Whether a run of lines under a title (empty for none) is moves rather than some letters of a text.

    A title that claims so is believed.  Else what could be a word is none: it has at most four letters and is not all
    of its paragraph, or does not end in a push, as every solution does.
    """
    if moves.key or is_claim(title) or is_no_word(moves.text):
        return True
    return moves.is_whole and moves.text[-1] in "LURD"


def _letters(text: str) -> int:
    return sum(map(text.count, _LETTERS))
