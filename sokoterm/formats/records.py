"""Solutions and saved games in the text below a board: lines of moves and their titles.

Moves are lines of ``lurdLURD`` with counts and groups, ``*``, brackets and braces (SOK file format 0.19). Behind the
key ``Solution:`` the walks and counts of ksokoban are moves too.
"""

import re

from sokoterm.engine.level import Record
from sokoterm.engine.value import Value
from sokoterm.language import N_

_LETTERS = "lurdLURD"
_MOVES = _LETTERS + "0123456789()[]{}* \t"
_FIRST = frozenset(_MOVES)
_KSOKOBAN = _LETTERS + "0123456789-, \t"
# Beginnings of titles that announce moves below.
_CLAIMS = ("solution", "savegame", "save game", "saved game", "snapshot")
# Programs write these below solutions; they are no titles of text that follows.
_NOTE_KEYS = ("solver:", "optimizer:", "optimality:", "time:", "date:", "boxorder:", "goalorder:")
# No word spelled with the letters of moves is longer.
_LONGEST_WORD = 4
# The target column of a ksokoban walk.
_COLUMN = r"(?<![0-9])[0-9]{1,6}(?=-)"


class Moves(Value):
    """A run of lines of moves; ``text`` is their content without white space.

    ``key`` is the title in front of moves on the same line, or empty. ``is_whole`` is true if neither text nor a board
    follows directly.
    """

    text: str
    first: int
    end: int
    paragraph: int
    key: str = ""
    is_whole: bool = True


class RecordDraft(Value):
    """A record whose notes are still being read; ``takes_notes`` is true if the text below belongs to it."""

    title: str
    moves: str
    notes: list[str]
    takes_notes: bool

    def record(self, margin: int) -> Record:
        """Return the record, its notes joined; columns of walks are shifted left by the margin of the board."""
        moves = self.moves
        if margin and "-" in moves:
            moves = re.sub(_COLUMN, lambda column: str(max(int(column[0]) - margin, 0)), moves)
        return Record(self.title, moves, "\n".join(self.notes).strip("\n"))


def is_moves(line: str) -> bool:
    """True if a line holds only characters of move notation, at least one letter among them."""
    return line[:1] in _FIRST and not line.strip(_MOVES) and not line.isspace() and _letters(line) > 0


def is_no_word(line: str) -> bool:
    """True if a line that passes ``is_moves`` is too long to be a word."""
    return _letters(line) + sum(map(str.isdecimal, line[:_LONGEST_WORD])) > _LONGEST_WORD


def find_mistake(line: str, first: int = 0) -> int | None:
    """Return the index of the first character from ``first`` on that is no move, None without one."""
    return next((i for i in range(first, len(line)) if line[i] not in _MOVES), None)


def is_nearly_moves(line: str) -> bool:
    """True if a line is too long to be a word and has one foreign character for four letters of moves at most.

    Behind a title that announces moves, a word and one for each letter are enough.
    """
    moves = line[behind_title(line) :]
    foreign, letters = sum(each not in _MOVES for each in moves), _letters(moves)
    return 4 * foreign <= letters and is_no_word(moves) or foreign <= letters > 0 and moves != line


def is_walks(line: str) -> bool:
    """True if a line has moves with commas or walks, as ksokoban writes them."""
    return ("," in line or "-" in line) and not line.strip(_KSOKOBAN) and _letters(line) > 0


def is_claim(title: str) -> bool:
    """True if a title announces moves below it."""
    return title.lower().removeprefix("best ").startswith(_CLAIMS)


def is_title(text: str) -> bool:
    """True if a line of text may be the title of the lines below it."""
    return not text.lower().startswith(_NOTE_KEYS)


def behind_title(line: str) -> int:
    """Return the index behind the colon of a title that announces moves on its line, 0 without one."""
    title, colon, moves = line.partition(":")
    is_title = is_claim(title.strip()) or title.strip().lower() == "moves"
    return len(title) + 1 if colon and is_title and moves.strip() else 0


def keyed_moves(line: str) -> tuple[str, str] | None:
    """Return the title and moves of a line such as ``Solution: rrU`` or ``Solution: r2,4-2l2``, None for other lines.

    The moves are empty if the line says that there are none (``undefined``).
    """
    begin = behind_title(line)
    if not begin:
        return None
    title, moves = line[: begin - 1].strip(), line[begin:].strip()
    if moves.lower() == "undefined":
        return title, ""
    if moves.strip(_MOVES) and moves.strip(_KSOKOBAN) or not _letters(moves):
        return None
    return title, "".join(moves.split())


def is_record(moves: Moves, title: str) -> bool:
    """True if a run of lines under a title (empty for none) is moves rather than letters of a text.

    A title that announces moves is believed. Without one, anything that could be a word is rejected: at most four
    letters that are not their whole paragraph, or that do not end in a push, as every solution does.
    """
    if moves.key or is_claim(title) or is_no_word(moves.text):
        return True
    return moves.is_whole and moves.text[-1] in "LURD"


def kind(record: Record) -> str:
    """Return "saved games" or "solutions", judged by the title of a record; an untitled record is a solution."""
    title = record.title.lower()
    return N_("saved games") if "save" in title or "snapshot" in title else N_("solutions")


def _letters(text: str) -> int:
    return sum(map(text.count, _LETTERS))
