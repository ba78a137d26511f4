"""Rows of boards in text: what is one, in plain spelling or with counts, and the rows of a board without their margin.

A line with counts (RLE) holds a row or, with ``|`` between them, several: ``3#4-p.#``, ``5#|#@$.#|5#``.  Without
another row beside it only the latter is a board: a line such as ``3#`` may be anybody's text.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, level_from_rows
from sokoterm.engine.run_length import RunLengthError, expand
from sokoterm.formats.limits import ReadLimits, SquareCount

_ROW = "# @+$*.-_\t"
_SOK_ROW = _ROW + "pPbB"
_FLOOR = " -_\t"
_DIGITS = "0123456789"
_COUNTED_ROW = _SOK_ROW + _DIGITS + "()|"
_COUNTED_FLOOR = _FLOOR + _DIGITS + "|"
_FLOOR_TO_SPACE = str.maketrans("-_", "  ")
# A count stands right before a cell or a group.  Text such as "#50 (3)" differs in that.
_COUNT_OF_NOTHING = r"[0-9](?![0-9#@+$*.pPbB(_-])"
_COUNTED_GROUP = r"[0-9]\("
_TAB = 8


class _Rows(NamedTuple):
    """The rows of a board and for each of them the line (from 0) it stands on.

    ``starts`` holds the place in the line of each row with counts, -1 for a plain row; it is empty where all are.
    ``squares`` were spent on rows with counts.
    """

    cells: Sequence[str]
    lines: Sequence[int]
    starts: list[int]
    squares: int = 0


def is_row(line: str) -> bool:
    """Whether a line is a row in plain spelling: cells only, a wall or a box on a goal among them."""
    if "#" not in line and "*" not in line:
        return False
    if not line.strip(_ROW):
        return True
    if line.strip(_SOK_ROW):
        return False
    # Text may be spelled with the letters of SOK too: a row begins and ends with something solid.
    bare = line.strip(_FLOOR)
    return "#" in bare and bare[0] in "#*" and bare[-1] in "#*"


def is_floor(line: str) -> bool:
    """Whether a line, plain or with counts, is a row of floor where it stands between two rows."""
    return not line.strip(_COUNTED_FLOOR) and not line.isspace() and ("-" in line or "_" in line)


def is_counted(line: str) -> bool:
    """Whether a line may be a row, or several, with counts: it is one beside another row."""
    if "#" not in line and "*" not in line or line.strip(_COUNTED_ROW):
        return False
    bare = line.strip(" \t" if "|" in line else _FLOOR)
    has_counts = "|" in bare or any(digit in bare for digit in _DIGITS)
    if not has_counts or bare.startswith("|") or re.search(_COUNT_OF_NOTHING, bare):
        return False
    # As in plain spelling, but what stands outside of the walls may end a row too where a bar shows that it is one.
    return "|" in bare or bare[0] not in "@+$.pPbB" and bare[-1] in "#*)"


def is_counted_board(line: str) -> bool:
    """Whether a line for which ``is_counted`` holds is a board of its own: several rows, walls in the outer ones.

    Rows of floor above and below them are none.
    """
    if "|" not in line or "#" not in line:
        return False
    rows = [row for row in line.split("|") if row.strip(_COUNTED_FLOOR)]
    return len(rows) > 1 and _is_solid(rows[0]) and _is_solid(rows[-1])


def is_counted_wall(line: str) -> bool:
    """Whether a line for which ``is_counted`` holds has only walls, as the first row of a board."""
    return not line.strip(_COUNTED_FLOOR + "#()")


def is_any_row(line: str) -> bool:
    """Whether a line is a row beside another row."""
    return is_row(line) or is_counted(line)


def is_nearly_row(line: str) -> bool:
    """Whether a line that is no row looks like one: walls at both ends, and more of them than of what is no cell."""
    bare = line.strip(_FLOOR)
    if is_any_row(line) or not bare or bare[0] not in "#*" or bare[-1] not in "#*":
        return False
    solid = bare.count("#") + bare.count("*")
    return len(bare) - sum(map(bare.count, _SOK_ROW)) < solid


def mended_row(line: str) -> tuple[str, int] | None:
    """The line with walls for what is no cell in it, and the index of that; None where it is a row or far from one.

    Far is a title: more than two such characters, or fewer than three walls for each.
    """
    foreign = len(line) - sum(map(line.count, _SOK_ROW))
    if foreign not in (1, 2) or line.count("#") < 3 * foreign:
        return None
    mended = "".join([each if each in _SOK_ROW else "#" for each in line])
    return mended, next(i for i, each in enumerate(line) if each not in _SOK_ROW)


def is_level_row(line: str) -> bool:
    """Whether a row has more in it than walls."""
    return "#" in line and any(cell in line for cell in "@+$*.pPbB")


def unquoted(line: str) -> str:
    """The line without the marks of a quoted mail before it."""
    marks = len(line) - len(line.lstrip("> \t"))
    return line[line.rfind(">", 0, marks) + 1 :]


def without_quotes(lines: list[str]) -> list[str]:
    """The lines without the marks of a quoted mail, if any row is quoted."""
    if not any(">" in line and is_any_row(unquoted(line)) for line in lines):
        return lines
    return [unquoted(line) for line in lines]


def read_board(lines: Sequence[str], first: int, number: int, limits: ReadLimits, count: SquareCount) -> Level:
    """The level drawn on ``lines``, the first of which has the index ``first`` in its text.

    Raises LevelError with line and column there: for a board beyond the limits, counts that cannot be expanded, a
    row without wall or box, and all that makes a board no level.
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
    """What is wrong with the counts of a text of nothing else; None where it is another text, or nothing is."""
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
    """The width of the common left margin of plain rows."""
    return _without_margin([_spaced(line) for line in lines])[1]


def _spelled_rows(lines: Sequence[str], first: int, limits: ReadLimits, count: SquareCount) -> _Rows:
    """The rows on ``lines``, with spaces for tabs and floor."""
    rows = _Rows(lines, range(first, first + len(lines)), [])
    if any("|" in line or any(digit in line for digit in _DIGITS) for line in lines):
        rows = _expanded(lines, first, limits, count)
    return rows._replace(cells=[_spaced(row) for row in rows.cells])


def _spaced(row: str) -> str:
    """The row with spaces for tabs and floor, none at its end."""
    return row.rstrip(_FLOOR).expandtabs(_TAB).translate(_FLOOR_TO_SPACE)


def _without_margin(rows: Sequence[str]) -> tuple[Sequence[str], int]:
    """The rows without the common left margin, and its width."""
    for row in rows:
        if row[:1] not in _FLOOR:
            return rows, 0
    margin = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
    return [row[margin:] for row in rows], margin


def _check_size(lines: Sequence[str], first: int, limits: ReadLimits) -> None:
    """Raises LevelError for a board that is too large however its rows are spelled.

    A margin wider than the widest board is none.
    """
    width, height = 0, 0
    for line in lines:
        bare = line.strip(_FLOOR)
        if "|" in bare or any(digit in bare for digit in _DIGITS):
            # What the counts make of it is seen when they are expanded.
            pieces = bare.removesuffix("|").split("|")
            height += len(pieces) - 1
            width = max(width, min(max(map(len, pieces)), limits.width))
        else:
            far = len(line.rstrip(_FLOOR))
            width = max(width, far if far > 2 * limits.width else len(bare))
        height += 1
    limits.check_board(width, height, first + 1)


def _expanded(lines: Sequence[str], first: int, limits: ReadLimits, count: SquareCount) -> _Rows:
    """The rows of lines some of which have counts, without rows of floor above and below the others."""
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
    """How many blanks stand behind every bar of a line: those are no cells, for the first row has none before it."""
    return min((len(piece) - len(piece.lstrip(" \t")) for piece in pieces[1:] if piece.strip(" \t")), default=0)


def _check_solid(rows: Sequence[str], line: int) -> None:
    """Raises LevelError for a row of cells without a wall or a box on a goal, ``line`` being that of the first."""
    for index, row in enumerate(rows):
        if "#" not in row and "*" not in row and row and not row.strip(_SOK_ROW):
            column = len(row) - len(row.lstrip(" "))
            if column < len(row):
                raise LevelError(
                    f"found {row[column]!r} in a row with nothing else, expected a wall # or a box on a goal * in it",
                    line=line + index,
                    column=column + 1,
                    character=row[column],
                )


def _column(line: str, column: int) -> int:
    """The column in a line with tabs of one counted where the tabs are spaces."""
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
