"""Rows of boards in text, plain or run-length encoded, and the board they make.

A run-length line (RLE) holds one row or, separated by ``|``, several: ``3#4-p.#``, ``5#|#@$.#|5#``. Without another row
next to it only the latter is a board: a line such as ``3#`` may be ordinary text.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, level_from_rows
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.formats.limits import ReadLimits, SquareCount
from sokoterm.language import _

_ROW = "# @+$*.-_\t"
_SOK_ROW = _ROW + "pPbB"
_FLOOR = " -_\t"
_DIGITS = "0123456789"
_COUNTED_ROW = _SOK_ROW + _DIGITS + "()|"
_COUNTED_FLOOR = _FLOOR + _DIGITS + "|"
_FLOOR_TO_SPACE = str.maketrans("-_", "  ")
# A count comes right before a cell or a group, unlike in text such as "#50 (3)".
_COUNT_OF_NOTHING = r"[0-9](?![0-9#@+$*.pPbB(_-])"
_COUNTED_GROUP = r"[0-9]\("
_TAB = 8


class _Rows(NamedTuple):
    """The rows of a board, each with the line (from 0) it came from.

    ``starts`` is the offset in the line of each run-length row, -1 for a plain row, and empty if all rows are plain.
    ``squares`` is the number already spent on run-length rows.
    """

    cells: Sequence[str]
    lines: Sequence[int]
    starts: list[int]
    squares: int = 0


def is_row(line: str) -> bool:
    """True if a line is a plain row: only cells, at least one wall or box on a goal among them."""
    if "#" not in line and "*" not in line:
        return False
    if not line.strip(_ROW):
        return True
    if line.strip(_SOK_ROW):
        return False
    # Text may consist of SOK letters too: a row begins and ends with something solid.
    bare = line.strip(_FLOOR)
    return "#" in bare and bare[0] in "#*" and bare[-1] in "#*"


def is_floor(line: str) -> bool:
    """True if a line, plain or run-length, is a row of floor when it lies between two rows."""
    return not line.strip(_COUNTED_FLOOR) and not line.isspace() and ("-" in line or "_" in line)


def is_counted(line: str) -> bool:
    """True if a line may be one or more run-length rows; it is one if another row is next to it."""
    if "#" not in line and "*" not in line or line.strip(_COUNTED_ROW):
        return False
    bare = line.strip(" \t" if "|" in line else _FLOOR)
    has_counts = "|" in bare or any(digit in bare for digit in _DIGITS)
    if not has_counts or bare.startswith("|") or re.search(_COUNT_OF_NOTHING, bare):
        return False
    # As for plain rows, except that a bar proves a row, which may then end outside the walls.
    return "|" in bare or bare[0] not in "@+$.pPbB" and bare[-1] in "#*)"


def is_counted_board(line: str) -> bool:
    """True if a line that passes ``is_counted`` is a board by itself: several rows, with walls in the outer ones.

    Rows of floor above and below them do not count.
    """
    if "|" not in line or "#" not in line:
        return False
    rows = [row for row in line.split("|") if row.strip(_COUNTED_FLOOR)]
    return len(rows) > 1 and _is_solid(rows[0]) and _is_solid(rows[-1])


def is_counted_wall(line: str) -> bool:
    """True if a line that passes ``is_counted`` has only walls, as the first row of a board."""
    return not line.strip(_COUNTED_FLOOR + "#()")


def is_any_row(line: str) -> bool:
    """True if a line is a row when another row is next to it."""
    return is_row(line) or is_counted(line)


def mended_row(line: str) -> tuple[str, int] | None:
    """Return the line with walls for its foreign characters and the index of the first, None for other lines.

    A row has none to mend. A title has too many: more than two, or fewer than three walls for each.
    """
    foreign = len(line) - sum(map(line.count, _SOK_ROW))
    if foreign not in (1, 2) or line.count("#") < 3 * foreign:
        return None
    mended = "".join([each if each in _SOK_ROW else "#" for each in line])
    return mended, next(i for i, each in enumerate(line) if each not in _SOK_ROW)


def is_level_row(line: str) -> bool:
    """True if a row has more than walls in it."""
    return "#" in line and any(cell in line for cell in "@+$*.pPbB")


def is_ruler(line: str) -> bool:
    """True if a line is a ruler, or a row of walls alone: three signs or more, all ``*`` or all ``#``."""
    signs = "".join(line.split())
    return len(signs) > 2 and signs[0] in "*#" and not signs.strip(signs[0])


def is_framed_text(line: str) -> bool:
    """True if a line that is not a row is text, maybe between ``#`` or ``*``, rather than a broken row."""
    frame = line.strip()
    inner = frame.strip("#*")
    text = inner.strip()
    is_set_off = len(inner) - len(inner.lstrip()) > 0 < len(inner) - len(inner.rstrip())
    is_word = len(text) > 2 or is_set_off
    if any(cell in text for cell in "@$+"):
        return inner == frame and is_word and any(map(str.isalnum, text))
    return bool(text) and (inner == frame or is_word and any(map(str.isalnum, text)))


def closed_rooms(lines: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Return the first and the last of the lines around each closed room with a player, from the top.

    Rooms that share lines count as one. What is not a row is open. Takes time linear in the squares, of which counts
    make ``most`` at most.
    """
    rows: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        pieces = [line.expandtabs(_TAB) if is_row(line) or is_floor(line) else ""]
        if not pieces[0] and is_counted(line):
            with suppress(RunLengthError):
                pieces = [expand(piece.strip(" \t"), most) for piece in line.split("|")]
                most -= sum(map(len, pieces))
        rows += pieces
        numbers += [number] * len(pieces)
    runs = [[run.span() for run in re.finditer("[^#]+", row)] for row in rows]
    seen: set[tuple[int, int]] = set()
    found: list[tuple[int, int]] = []
    for row, cells in enumerate(rows):
        for player in re.finditer("[@+pP]", cells):
            start = row, bisect_right(runs[row], (player.start(), len(cells))) - 1
            if start not in seen and (room := _room(rows, runs, seen, start)):
                first, last = numbers[room[0]], numbers[room[1]]
                while found and found[-1][1] >= first:
                    before = found.pop()
                    first, last = min(first, before[0]), max(last, before[1])
                found.append((first, last))
    return found


def _room(
    rows: Sequence[str], runs: Sequence[Sequence[tuple[int, int]]], seen: set[tuple[int, int]], start: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the rows of the walls above and below the room of a run of squares, None if it is open.

    ``runs`` are the squares without walls in each row, from one column to another; those of the room become ``seen``.
    """
    top = bottom = start[0]
    is_closed = True
    seen.add(start)
    left = [start]
    while left:
        row, index = left.pop()
        begin, end = runs[row][index]
        top, bottom = min(top, row), max(bottom, row)
        is_closed = is_closed and begin > 0 and end < len(rows[row])
        for beside in (row - 1, row + 1):
            if not 0 <= beside < len(rows):
                is_closed = False
                continue
            is_closed = is_closed and end <= len(rows[beside])
            near = runs[beside]
            for other in range(max(0, bisect_right(near, (begin, end)) - 1), len(near)):
                if near[other][0] >= end:
                    break
                if near[other][1] > begin and (beside, other) not in seen:
                    seen.add((beside, other))
                    left.append((beside, other))
    return (top - 1, bottom + 1) if is_closed else None


def read_board(lines: Sequence[str], first: int, number: int, limits: ReadLimits, count: SquareCount) -> Level:
    """Return the level drawn on ``lines``; ``first`` is the index of the first of them in the text.

    Raises LevelError with line and column in the text: for a board beyond the limits, counts that cannot be expanded, a
    row without wall or box, and everything that makes a board invalid.
    """
    may_be_large = len(lines) > limits.height or max(map(len, lines)) > limits.width
    if may_be_large:
        _check_size(lines, first, limits)
    text = "".join(lines)
    if not text.strip(_ROW) and "-" not in text and "_" not in text and "\t" not in text:
        rows = _Rows(lines, range(first, first + len(lines)), [])
    else:
        rows = _spelled_rows(lines, first, limits, count)
        may_be_large = True
    cells, margin = _without_margin(rows.cells)
    width, height = max(map(len, cells)), len(cells)
    if may_be_large:
        limits.check_board(width, height, first + 1)
    count.spend(max(0, width * height - rows.squares), first + 1)
    try:
        _check_solid(cells, first + 1)
        return level_from_rows(cells, line=first + 1, number=number)
    except LevelError as error:
        if not error.column:
            raise
        row = error.line - first - 1
        line = rows.lines[row]
        if rows.starts and rows.starts[row] >= 0:
            raise LevelError(error.problem, line=line + 1, column=rows.starts[row] + 1) from None
        column = _column(lines[line - first], margin + error.column)
        raise LevelError(error.problem, line=line + 1, column=column, character=error.character) from None


def find_broken_counts(lines: Sequence[str], limits: ReadLimits) -> LevelError | None:
    """Return the error in a text that is all run-length rows; None if it is another kind of text or has no error."""
    found: LevelError | None = None
    for number, line in enumerate(lines, start=1):
        if not line or line.isspace():
            continue
        if line.strip(_COUNTED_ROW) or not (is_counted(line) or re.search(_COUNTED_GROUP, line)):
            return None
        start = 0
        for piece in line.split("|") if found is None else ():
            try:
                expand(piece, limits.width)
            except RunLengthError as error:
                column = start + error.place
                found = LevelError(error.problem, line=number, column=column, character=error.character)
                break
            start += len(piece) + 1
    return found


def margin_of(lines: Sequence[str]) -> int:
    """Return the width of the common left margin of plain rows."""
    return _without_margin([_spaced(line) for line in lines])[1]


def _spelled_rows(lines: Sequence[str], first: int, limits: ReadLimits, count: SquareCount) -> _Rows:
    """Return the rows on ``lines``, expanded, with spaces for tabs and floor."""
    rows = _Rows(lines, range(first, first + len(lines)), [])
    if any("|" in line or any(digit in line for digit in _DIGITS) for line in lines):
        rows = _expanded(lines, first, limits, count)
    return rows._replace(cells=[_spaced(row) for row in rows.cells])


def _spaced(row: str) -> str:
    """Return the row with spaces for tabs and floor, and none at its end."""
    return row.rstrip(_FLOOR).expandtabs(_TAB).translate(_FLOOR_TO_SPACE)


def _without_margin(rows: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the rows without their common left margin, and its width."""
    for row in rows:
        if row[:1] not in _FLOOR:
            return rows, 0
    margin = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
    return [row[margin:] for row in rows], margin


def _check_size(lines: Sequence[str], first: int, limits: ReadLimits) -> None:
    """Raise LevelError if a board is too large however its rows are spelled.

    A margin wider than the widest board is ignored.
    """
    width, height = 0, 0
    for line in lines:
        bare = line.strip(_FLOOR)
        if "|" in bare or any(digit in bare for digit in _DIGITS):
            # The expanded width is checked when the counts are expanded.
            pieces = bare.removesuffix("|").split("|")
            height += len(pieces) - 1
            width = max(width, min(max(map(len, pieces)), limits.width))
        else:
            far = len(line.rstrip(_FLOOR))
            width = max(width, far if far > 2 * limits.width else len(bare))
        height += 1
    limits.check_board(width, height, first + 1)


def _expanded(lines: Sequence[str], first: int, limits: ReadLimits, count: SquareCount) -> _Rows:
    """Expand the run-length rows among ``lines`` and drop rows of floor above and below the board."""
    squares = 0
    rows: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    for number, line in enumerate(lines, start=first):
        if not line.strip(_ROW) or not (is_counted(line) or is_floor(line)):
            rows.append(line)
            starts.append(-1)
            numbers.append(number)
            continue
        bare = line.rstrip(" \t").removesuffix("|")
        start = len(bare) - len(bare.lstrip(" \t")) if "|" in bare else 0  # blanks indent the line, not its first row
        pieces = bare[start:].split("|")
        indent = _indent(pieces)
        for index, piece in enumerate(pieces):
            skipped = min(indent, len(piece)) if index else 0
            try:
                rows.append(expand(piece[skipped:].rstrip(" \t"), limits.width))
            except RunLengthError as error:
                column = start + skipped + error.place
                raise LevelError(error.problem, line=number + 1, column=column, character=error.character) from None
            squares += len(rows[-1])
            count.spend(len(rows[-1]), number + 1)
            starts.append(start + skipped)
            numbers.append(number)
            start += len(piece) + 1
    first_row = next((i for i, row in enumerate(rows) if row.strip(_FLOOR)), 0)
    end = next((i for i in range(len(rows), 0, -1) if rows[i - 1].strip(_FLOOR)), len(rows))
    return _Rows(rows[first_row:end], numbers[first_row:end], starts[first_row:end], squares)


def _indent(pieces: Sequence[str]) -> int:
    """Return the number of blanks after every bar of a line; they are not cells, as the first row has none."""
    return min((len(piece) - len(piece.lstrip(" \t")) for piece in pieces[1:] if piece.strip(" \t")), default=0)


def _check_solid(rows: Sequence[str], line: int) -> None:
    """Raise LevelError for a row of cells without a wall or a box on a goal; ``line`` is that of the first row."""
    for index, row in enumerate(rows):
        if "#" not in row and "*" not in row and row and not row.strip(_SOK_ROW):
            column = len(row) - len(row.lstrip(" "))
            if column < len(row):
                problem = _(
                    "found {found!r} in a row with nothing else, expected a wall # or a box on a goal * in it",
                    found=row[column],
                )
                raise LevelError(
                    problem,
                    line=line + index,
                    column=column + 1,
                    character=row[column],
                )


def _column(line: str, column: int) -> int:
    """Convert a column counted with expanded tabs to one in the line as written."""
    if "\t" not in line:
        return min(column, len(line))
    place = 0
    for index, character in enumerate(line, start=1):
        place += _TAB - place % _TAB if character == "\t" else 1
        if place >= column:
            return index
    return len(line)


def _is_solid(row: str) -> bool:
    return "#" in row or "*" in row
