"""SokoMind text: letters for boxes that have goals of their own.

``O`` is a wall, ``R`` the robot that pushes, ``X`` a box and ``S`` a goal without a letter; every other capital is a
box for the goals with the same lower-case letter.  A board is a paragraph, with its title on the line above.  Boxes or
the player on goals, and ice, cannot be represented.
"""

import re
from collections.abc import Iterator

from sokoterm.engine.bits import lowest
from sokoterm.engine.level import Level, LevelError, Pack, level_from_rows, varied
from sokoterm.engine.rules import color_at
from sokoterm.engine.text import title_of_file
from sokoterm.formats.foreign import split_lines
from sokoterm.formats.limits import ReadLimits, SquareCount, read_text
from sokoterm.language import _

_WALL, _ROBOT, _BOX, _GOAL = "ORXS"
_NAMES = [chr(code) for code in range(ord("A"), ord("Z") + 1) if chr(code) not in _WALL + _ROBOT + _BOX + _GOAL]
_ROW = re.compile(r" *O(?:[A-Za-z ]*O)? *")
_EDGE = re.compile(r" *O[O ]*")
_LEAST_ROWS = 3


def is_sokomind(begin: str) -> bool:
    """True if text begins with a whole board of this format, perhaps below a title."""
    lines = split_lines(begin)
    first, __, rows = next(_boards(lines), (0, "", []))
    if len(rows) < _LEAST_ROWS or sum(bool(line.strip()) for line in lines[:first]) > 1:
        return False
    return _EDGE.fullmatch(rows[-1]) is not None and "".join(rows).count(_ROBOT) == 1


def parse_sokomind(data: bytes, source: str, limits: ReadLimits, encoding: str | None) -> Pack:
    """Parse SokoMind text; boards that are not levels go to ``errors``."""
    text, __ = read_text(data, encoding, limits)
    levels: list[Level] = []
    errors: list[LevelError] = []
    count = SquareCount(limits)
    for number, (first, title, rows) in enumerate(_boards(split_lines(text)), start=1):
        if number > limits.levels:
            raise limits.too_many_levels(first + 1)
        width = max(map(len, rows))
        limits.check_board(width, len(rows), first + 1)
        count.spend(width * len(rows), first + 1)
        try:
            levels.append(_level(rows, first + 1, number).replace(title=title))
        except LevelError as error:
            errors.append(error.titled(title).located(source=source, level=number))
    return Pack(title_of_file(source), tuple(levels), tuple(errors))


def _boards(lines: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    title, rows = "", list[str]()
    for index, line in enumerate([*lines, ""]):
        if _ROW.fullmatch(line) and (rows or _EDGE.fullmatch(line)):
            rows.append(line.rstrip())
        elif rows:
            yield index - len(rows), title, rows
            title, rows = line.strip(), []
        elif line.strip():
            title = line.strip()


def _level(rows: list[str], line: int, number: int) -> Level:
    signs = {cell: "$" if cell.isupper() else "." for row in rows for cell in row if cell.isalpha()}
    signs |= {_WALL: "#", _ROBOT: "@", _BOX: "$", _GOAL: "."}
    cells = ["".join(signs.get(cell, cell) for cell in row) for row in rows]
    level = level_from_rows(cells, line=line, number=number)
    letters = {
        level.board.square(row, column): cell
        for row, text in enumerate(rows)
        for column, cell in enumerate(text)
        if cell not in _WALL + _ROBOT + _BOX + _GOAL + " " and level.board.floor >> level.board.square(row, column) & 1
    }
    names = sorted({cell.upper() for cell in letters.values()})
    boxes = {square: names.index(cell) for square, cell in letters.items() if cell.isupper()}
    goals = {square: names.index(cell.upper()) for square, cell in letters.items() if cell.islower()}
    return varied(level, boxes, goals)


def to_sokomind(pack: Pack, lost: list[str]) -> str:
    """Return the boards below their titles, and add levels that cannot be represented to ``lost``."""
    paragraphs = []
    for level in pack.levels:
        board, colors = level.board, level.board.colors
        if board.goals & (level.start.boxes | 1 << level.start.player):
            lost.append(_("levels with a box or the player on a goal"))
        elif len(colors) > len(_NAMES):
            lost.append(_("levels of more than {most} colours", most=len(_NAMES)))
        else:
            title = " ".join(level.title.split())
            if _ROW.fullmatch(title):
                lost.append(_("titles of levels"))
                title = ""
            rows = [*_rows(level)]
            if len(rows) < board.height:
                lost.append(_("decoration away from the walls"))
            paragraphs.append([*([title] if title else []), *rows])
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def _rows(level: Level) -> Iterator[str]:
    """Yield the rows of the floor and the walls around it; a blank row beyond would end the board."""
    board, colors = level.board, level.board.colors
    signs = {"#": _WALL, "@": _ROBOT, "$": _BOX, ".": _GOAL, " ": " "}
    rows = range(lowest(board.floor) // board.stride - 1, board.floor.bit_length() // board.stride + 2)
    for row, cells in zip(rows, level.cells(level.start, rows), strict=True):
        line = ""
        for column, cell in enumerate(cells):
            square = board.square(row, column)
            box = color_at(board, level.start.boxes, square)
            goal = next((color for color, goals in enumerate(colors) if goals >> square & 1), None)
            is_floor = board.floor >> square & 1
            if is_floor and box is not None:
                line += _NAMES[box]
            elif is_floor and goal is not None:
                line += _NAMES[goal].lower()
            else:
                line += signs[cell] if is_floor or cell == "#" else " "
        yield line.rstrip()
