"""Drawing of a level, readable or not: its squares, the level that it makes, and the problem with it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sokoterm.app.gaps import find_gap
from sokoterm.engine.bits import Square, flood
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import CELLS, MOST_COLORS, SPELLINGS, Level, LevelError, level_from_rows, varied
from sokoterm.engine.rules import is_solved
from sokoterm.engine.variant import Variant, colors_of, layered, layers_of

_ROOM = ("########", "#      #", "#      #", "#  @   #", "#      #", "#      #", "########")


class Cell(NamedTuple):
    """A square of a drawing: its XSB sign, the colours from 0 of its box and its goal (None: none), and ice."""

    sign: str = " "
    box: int | None = None
    goal: int | None = None
    is_ice: bool = False

    @property
    def has_box(self) -> bool:
        return self.sign in "$*"

    @property
    def has_goal(self) -> bool:
        return self.sign in ".*+"

    @property
    def has_player(self) -> bool:
        return self.sign in "@+"


_BLANK = Cell()
_WALL = Cell("#")
_SIGNED = {sign: Cell(sign) for sign in CELLS}

Cells = tuple[tuple[Cell, ...], ...]
"""Rows of squares, all of equal length."""

Place = tuple[int, int]
"""The row and column of a square in a drawing, from 0."""


class Drawing(NamedTuple):
    """A level as it is drawn, readable or not: squares with a blank margin around them, and its texts."""

    cells: Cells
    title: str = ""
    author: str = ""
    comment: str = ""

    @property
    def height(self) -> int:
        return len(self.cells)

    @property
    def width(self) -> int:
        return len(self.cells[0])

    @property
    def boxes(self) -> int:
        """The boxes drawn, those outside of the walls too."""
        return sum(cell.sign in "$*" for row in self.cells for cell in row)

    def square_at(self, place: Place) -> Square:
        """Return the square of a place on the board of ``pictured``."""
        return place[0] * (self.width + 1) + place[1]

    def place_of(self, square: Square) -> Place:
        """Return the place of a square on the board of ``pictured``."""
        return divmod(square, self.width + 1)


class Verdict(NamedTuple):
    """The level that a drawing makes, or the problem with it and its place, if it has one.

    ``solved``: every box begins on a goal.
    """

    level: Level | None
    problem: str = ""
    place: Place | None = None
    solved: bool = False


def new_drawing() -> Drawing:
    """Return an empty room with the player in it."""
    return drawing_of_rows(_ROOM)


def drawing_of_rows(rows: Sequence[str]) -> Drawing:
    """Return the drawing of XSB rows; characters that are none of a board become floor."""
    rows = [row.translate(SPELLINGS) for row in rows]
    width = max(map(len, rows), default=0)
    return Drawing(_with_margin(tuple(tuple(_cell_of(sign) for sign in row.ljust(width)) for row in rows)))


def drawing_of(level: Level) -> Drawing:
    """Return the drawing of a level, with its colours, its ice and its decoration."""
    board, variant = level.board, level.board.variant
    boxes: dict[Square, int] = {}
    goals: dict[Square, int] = {}
    ice = 0
    if variant is not None:
        boxes = colors_of(variant.boxes_by_layer(level.start.boxes, board.size)[1:])
        goals, ice = colors_of(variant.colors), variant.ice
    rows = []
    for row in range(board.height):
        signs = level.row_cells(level.start, row)
        first = row * board.stride
        rows.append(
            tuple(
                Cell(sign, boxes.get(square), goals.get(square), bool(ice >> square & 1))
                for square, sign in enumerate(signs, start=first)
            )
        )
    return Drawing(_with_margin(tuple(rows)), level.title, level.author, level.comment)


def text_of_drawing(drawing: Drawing, cursor: Place) -> str:
    """Return a drawing and its cursor as JSON, for ``drawing_in``."""
    import json

    places = ((row, column, cell) for row, line in enumerate(drawing.cells) for column, cell in enumerate(line))
    return json.dumps(
        {
            "rows": ["".join(cell.sign for cell in line) for line in drawing.cells],
            "kinds": [(row, column, *cell[1:]) for row, column, cell in places if cell[1:] != _BLANK[1:]],
            "texts": drawing[1:],
            "cursor": cursor,
        },
        separators=(",", ":"),
    )


def drawing_in(text: str) -> tuple[Drawing, Place] | None:
    """Return the drawing and cursor in a text of ``text_of_drawing``; None if the text is damaged."""
    import json

    try:
        found = json.loads(text)
        cells = [[_SIGNED[sign] for sign in row] for row in found["rows"]]
        for row, column, box, goal, is_ice in found["kinds"]:
            if not all(color is None or type(color) is int and 0 <= color < MOST_COLORS for color in (box, goal)):
                return None
            cells[row][column] = Cell(cells[row][column].sign, box, goal, bool(is_ice))
        drawing = Drawing(tuple(map(tuple, cells)), *map(str, found["texts"]))
        row, column = map(int, found["cursor"])
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        return None
    is_whole = {len(line) for line in cells} == {drawing.width} and min(drawing.height, drawing.width) > 1
    return (drawing, (row, column)) if is_whole else None


def pictured(drawing: Drawing) -> Level:
    """Return the drawing as a level to be shown; it keeps no rule of a level that can be read.

    Its floor is what the one player reaches, beyond a gap in the walls too; without one player there is none.
    """
    height, width = drawing.height, drawing.width
    stride = width + 1
    every = [(square, cell) for square, cell in drawn_squares(drawing)]
    walls = sum(1 << square for square, cell in every if cell.sign == "#")
    players = [square for square, cell in every if cell.has_player]
    floor = 0
    if len(players) == 1:
        inside = sum((1 << width) - 1 << row * stride for row in range(height))
        floor = flood(1 << players[0], inside & ~walls, stride)
    box_colors = {square: cell.box for square, cell in every if cell.box is not None}
    goal_colors = {square: cell.goal for square, cell in every if cell.goal is not None}
    ice = sum(1 << square for square, cell in every if cell.is_ice)
    count = max((*box_colors.values(), *goal_colors.values()), default=-1) + 1
    variant = Variant(tuple(layers_of(goal_colors, count)), ice)
    goals = sum(1 << square for square, cell in every if cell.has_goal)
    boxes = sum(1 << square for square, cell in every if cell.has_box)
    board = Board(width, height, stride, walls, floor, goals, variant if any(variant) else None)
    player = players[0] if floor else -stride
    rows = tuple("".join(cell.sign for cell in row) for row in drawing.cells)
    return Level(board, State(layered(boxes, layers_of(box_colors, count), board.size), player), rows)


def judge(drawing: Drawing) -> Verdict:
    """Return the level of a drawing, without the blank rows and columns around it, or the first problem with it."""
    top, left, bottom, right = bounds(drawing.cells)
    cells = [row[left:right] for row in drawing.cells[top:bottom]]
    try:
        level = _built(cells)
    except LevelError as error:
        place = (top + error.line - 1, left + error.column - 1) if error.line and error.column else None
        picture = pictured(drawing)
        gap = find_gap(picture.board, picture.start.player) if picture.board.floor else None
        return Verdict(None, error.problem, place if gap is None else drawing.place_of(gap))
    level = level._replace(title=drawing.title, author=drawing.author, comment=drawing.comment)
    return Verdict(level, solved=is_solved(level.board, level.start))


def solved_cell(cell: Cell) -> Cell:
    """Return a square with a box on its goal, in its colour, and else without one."""
    if cell.has_goal:
        return cell._replace(sign="*", box=cell.goal)
    return cell._replace(sign=" ", box=None) if cell.has_box else cell


def without_movers(cell: Cell) -> Cell:
    """Return a square without box or player."""
    if cell.has_goal:
        return cell._replace(sign=".", box=None)
    return cell._replace(sign=" ", box=None) if cell.has_box or cell.has_player else cell


def _cell_of(sign: str) -> Cell:
    return Cell(sign) if sign in CELLS else _BLANK


def first_place(drawing: Drawing) -> Place:
    """Return the place of the first player, else of the first square that is not blank."""
    places = [(row, column, cell) for row, line in enumerate(drawing.cells) for column, cell in enumerate(line)]
    chosen = next((each for each in places if each[2].has_player), None)
    chosen = chosen or next((each for each in places if each[2] != _BLANK), places[0])
    return chosen[0], chosen[1]


def drawn_squares(drawing: Drawing) -> Iterator[tuple[Square, Cell]]:
    """Yield the squares that are not blank, on the board of ``pictured``."""
    stride = drawing.width + 1
    for row, line in enumerate(drawing.cells):
        for column, cell in enumerate(line):
            if cell != _BLANK:
                yield row * stride + column, cell


def bounds(cells: Cells) -> tuple[int, int, int, int]:
    """Return the first row and column of the level, and those after the last ones; all of it if it has no row."""
    rows = [row for row, line in enumerate(cells) if _is_row(line)]
    if not rows:
        return 0, 0, len(cells), len(cells[0])
    columns = [column for column in range(len(cells[0])) if any(cells[row][column].sign != " " for row in rows)]
    return rows[0], columns[0], rows[-1] + 1, columns[-1] + 1


def _is_row(line: Sequence[Cell]) -> bool:
    """True for a row of a level; one of decoration alone is none in files either."""
    return any(cell.sign in "#*@+" for cell in line)


def _built(cells: Sequence[Sequence[Cell]]) -> Level:
    """Return the level of some squares; raises LevelError with line and column in them."""
    level = level_from_rows(["".join(cell.sign for cell in row) if _is_row(row) else "" for row in cells])
    board = level.board
    boxes: dict[Square, int] = {}
    goals: dict[Square, int] = {}
    ice = 0
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            square = board.square(row, column)
            if board.floor >> square & 1:
                boxes |= {square: cell.box} if cell.box is not None else {}
                goals |= {square: cell.goal} if cell.goal is not None else {}
                ice |= cell.is_ice << square
    numbers = {color: number for number, color in enumerate(sorted({*boxes.values(), *goals.values()}))}
    if not numbers and not ice:
        return level
    return varied(level, _renumbered(boxes, numbers), _renumbered(goals, numbers), ice)


def _renumbered(colors: dict[Square, int], numbers: dict[int, int]) -> dict[Square, int]:
    return {square: numbers[color] for square, color in colors.items()}


def _with_margin(cells: Cells) -> Cells:
    """Return squares with a blank row or column on each side."""
    width = max(map(len, cells), default=0)
    edge = (_BLANK,) * (max(1, width) + 2)
    inner = tuple((_BLANK, *row, _BLANK) for row in cells) if width else (edge,)
    return (edge, *inner, edge)


def with_space(cells: Cells) -> tuple[Cells, int, int]:
    """Return squares with a blank margin where they have none, and the rows and columns added above and left."""
    top, bottom = (any(cell != _BLANK for cell in cells[row]) for row in (0, -1))
    left, right = (any(row[column] != _BLANK for row in cells) for column in (0, -1))
    if left or right:
        cells = tuple((*(_BLANK,) * left, *row, *(_BLANK,) * right) for row in cells)
    edge = ((_BLANK,) * len(cells[0]),)
    return (*edge * top, *cells, *edge * bottom), int(top), int(left)


def walls_alone(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    return tuple(_WALL if cell == _WALL else _BLANK for cell in cells)


def with_thing(cell: Cell, thing: str, *, is_toggled: bool) -> Cell:
    """Return a square with a wall, floor, box, goal or ice on it; taken away if it is there and that ``is_toggled``."""
    open_cell = _BLANK if cell.sign == "#" else cell
    match thing:
        case "wall":
            return _BLANK if is_toggled and cell.sign == "#" else _WALL
        case "box":
            has_box = not (is_toggled and cell.has_box)
            sign = ("*" if has_box else ".") if open_cell.has_goal else "$" if has_box else " "
            return open_cell._replace(sign=sign, box=open_cell.box if has_box else None)
        case "goal":
            has_goal = not (is_toggled and cell.has_goal)
            plain = {"+": "@", "*": "$", ".": " "}.get(open_cell.sign, open_cell.sign)
            sign = {"@": "+", "$": "*", " ": "."}[plain] if has_goal else plain
            return open_cell._replace(sign=sign, goal=open_cell.goal if has_goal else None)
        case "ice":
            return open_cell._replace(is_ice=not (is_toggled and cell.is_ice))
    return _BLANK


def with_player(cell: Cell, *, is_here: bool) -> Cell:
    """Return a square with the player, or without one."""
    if not is_here:
        return cell._replace(sign="." if cell.sign == "+" else " ") if cell.has_player else cell
    open_cell = _BLANK if cell.sign == "#" else cell
    return open_cell._replace(sign="+" if open_cell.has_goal else "@", box=None)


def with_color(cell: Cell, color: int | None, *, is_of_goal: bool) -> Cell:
    """Return a square with its goal, or its box, in a colour."""
    if is_of_goal:
        return cell._replace(goal=color) if cell.has_goal else cell
    return cell._replace(box=color) if cell.has_box else cell
