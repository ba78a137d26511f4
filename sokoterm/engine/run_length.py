"""Run-length text of boards and moves: ``3#4-p.#`` is ``###----p.#``, ``2(3(dr)R)`` is ``drdrdrRdrdrdrR``.

A count precedes the character or group it repeats (SOK file format 0.19 of Sokoban YASC).
"""

from collections.abc import Iterator

from sokoterm.language import _

_LONGEST_COUNT = 9
# Real files nest a few groups at most; a million would exhaust memory.
_MOST_OPEN = 1000


class RunLengthError(ValueError):
    """Run-length text that cannot be expanded; ``place`` is the position in it, from 1."""

    def __init__(self, problem: str, place: int, character: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.character = character


def expand(text: str, limit: int) -> str:
    """Expand counts and groups, in time linear in the text and the result.

    Raises RunLengthError if the result is longer than ``limit``, for a count of 0 or of nothing, and for an unmatched
    bracket.

    >>> expand("2(3(dr)R)", 100)
    'drdrdrRdrdrdrR'
    """
    if text.isascii() and not any(character in text for character in "()0123456789"):
        _check_length(len(text), limit, 1)
        return text
    pieces: list[str] = []
    length = 0
    # For each open group: the pieces and the length before it, its count and its position.
    outer: list[tuple[list[str], int, int, int]] = []
    for place, character, count in _counted(text):
        if character == "(":
            if len(outer) == _MOST_OPEN:
                problem = _("found over {most:,} groups nested in each other, expected fewer", most=_MOST_OPEN)
                raise RunLengthError(problem, place, character)
            outer.append((pieces, length, count, place))
            pieces, length = [], 0
            continue
        group = character
        if character == ")":
            if not outer:
                raise RunLengthError(_("found ')' without '(' before it"), place, character)
            if count > 1:
                raise RunLengthError(_("found a count before ')', expected it before a character"), place, character)
            group = "".join(pieces)
            pieces, length, count, __ = outer.pop()
        length += len(group) * count
        _check_length(length, limit, place)
        pieces.append(group * count)
    if outer:
        raise RunLengthError(_("found '(' without ')' after it"), outer[-1][3], "(")
    return "".join(pieces)


def _counted(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield each non-digit as (position, character, count before it); raise RunLengthError."""
    digits = ""
    for place, character in enumerate(text, start=1):
        if "0" <= character <= "9":
            digits = (digits + character).lstrip("0") or "0"
            if len(digits) > _LONGEST_COUNT:
                most = 10**_LONGEST_COUNT - 1
                raise RunLengthError(_("found a count over {most:,}, expected a smaller one", most=most), place)
            continue
        if digits == "0":
            raise RunLengthError(_("found a count of 0, expected 1 or more"), place - 1, "0")
        yield place, character, int(digits or "1")
        digits = ""
    if digits:
        problem = _("found nothing after the count {count}, expected what it repeats", count=digits)
        raise RunLengthError(problem, len(text))


def _check_length(length: int, limit: int, place: int) -> None:
    if length > limit:
        problem = _("found a count that makes {length:,}, expected at most {limit:,}", length=length, limit=limit)
        raise RunLengthError(problem, place)
