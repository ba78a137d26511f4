"""Drawing of a level in the editor: its squares, the resulting level, or the problem that makes it invalid."""

from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, beside, bitboard_of, flood, lowest, squares_of, tester
from sokoterm.engine.board import Board, State, colors_of, layered, layers_of
from sokoterm.engine.level import CELLS, MOST_COLORS, SPELLINGS, Level, LevelError, level_from_rows, varied
from sokoterm.engine.rules import is_solved

NEW_ROWS = ("########", "#      #", "#      #", "#  @   #", "#      #", "#      #", "########")
"""An empty room with the player in it: a new level."""


class Cell(NamedTuple):
    """A square of a drawing: XSB sign, colours of its box and its goal (from 0, or None), and ice."""

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

    def solved(self) -> "Cell":
        """Return the cell with a box exactly if it has a goal, in the colour of the goal."""
        if self.has_goal:
            return self._replace(sign="*", box=self.goal)
        return self._replace(sign=" ", box=None) if self.has_box else self

    def without_movers(self) -> "Cell":
        if self.has_goal:
            return self._replace(sign=".", box=None)
        return self._replace(sign=" ", box=None) if self.has_box or self.has_player else self

    def with_thing(self, thing: str, *, is_toggled: bool) -> "Cell":
        """Return the cell with a thing added; with ``is_toggled``, a thing that is already there is removed."""
        open_cell = _BLANK if self.sign == "#" else self
        match thing:
            case "wall":
                return _BLANK if is_toggled and self.sign == "#" else _WALL
            case "box":
                has_box = not (is_toggled and self.has_box)
                sign = ("*" if has_box else ".") if open_cell.has_goal else "$" if has_box else " "
                return open_cell._replace(sign=sign, box=open_cell.box if has_box else None)
            case "goal":
                has_goal = not (is_toggled and self.has_goal)
                plain = {"+": "@", "*": "$", ".": " "}.get(open_cell.sign, open_cell.sign)
                sign = {"@": "+", "$": "*", " ": "."}[plain] if has_goal else plain
                return open_cell._replace(sign=sign, goal=open_cell.goal if has_goal else None)
            case "ice":
                return open_cell._replace(is_ice=not (is_toggled and self.is_ice))
        return _BLANK

    def with_player(self, *, is_here: bool) -> "Cell":
        if not is_here:
            return self._replace(sign="." if self.sign == "+" else " ") if self.has_player else self
        open_cell = _BLANK if self.sign == "#" else self
        return open_cell._replace(sign="+" if open_cell.has_goal else "@", box=None)

    def with_color(self, color: int | None, *, is_of_goal: bool) -> "Cell":
        if is_of_goal:
            return self._replace(goal=color) if self.has_goal else self
        return self._replace(box=color) if self.has_box else self


_BLANK = Cell()
_WALL = Cell("#")
_SIGNED = {sign: Cell(sign) for sign in CELLS}
_PLAIN = frozenset(_SIGNED.values())
_SIGNS = CELLS.encode("ascii")
_OF_ROWS = frozenset("#*@+")

Cells = tuple[tuple[Cell, ...], ...]
"""Rows of squares, all of equal length."""

Spot = tuple[int, int]
"""The row and column of a square in a drawing, from 0."""


class Drawing(NamedTuple):
    """A level as drawn, valid or not: squares with a blank margin, and texts."""

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

    def square_at(self, place: Spot) -> Square:
        return place[0] * (self.width + 1) + place[1]

    def place_of(self, square: Square) -> Spot:
        return divmod(square, self.width + 1)

    @property
    def first_place(self) -> Spot:
        """The spot of the first player, else of the first square that is not blank."""
        for signs in "@+", CELLS.replace(" ", ""):
            for row, line in enumerate(self.cells):
                if found := [column for column, cell in enumerate(line) if cell.sign in signs]:
                    return row, found[0]
        return 0, 0


class Verdict(NamedTuple):
    """The level of a drawing, or the problem and, if known, its spot; ``solved`` if every box starts on a goal."""

    level: Level | None
    problem: str = ""
    place: Spot | None = None
    solved: bool = False


def drawing_of_rows(rows: Sequence[str]) -> Drawing:
    """Return the drawing of XSB rows; unknown characters become floor."""
    rows = [row.translate(SPELLINGS) for row in rows] or [""]
    width = max(1, *map(len, rows))
    return Drawing(_with_margin(tuple(tuple([_SIGNED.get(sign, _BLANK) for sign in row.ljust(width)]) for row in rows)))


def drawing_of(level: Level) -> Drawing:
    board = level.board
    start = level.start._replace(boxes=level.start.boxes & board.floor)
    rows = [[*map(_SIGNED.__getitem__, row)] for row in level.cells(start)]
    boxes = colors_of(board.boxes_by_layer(level.start.boxes)[1:])
    goals, ice = colors_of(board.colors), {*squares_of(board.ice)}
    for square in boxes.keys() | goals.keys() | ice:
        row, column = board.row_column(square)
        sign = rows[row][column].sign
        rows[row][column] = Cell(sign, boxes.get(square), goals.get(square), square in ice)
    return Drawing(_with_margin(tuple(map(tuple, rows))), level.title, level.author, level.comment)


def text_of_drawing(drawing: Drawing, cursor: Spot) -> str:
    """Return a drawing and its cursor as JSON, for ``drawing_in``."""
    import json  # takes 2 ms, for the editor only

    signs, kinds = _read(drawing.cells)
    return json.dumps(
        {
            "rows": signs,
            "kinds": [(*place, *cell[1:]) for place, cell in kinds],
            "texts": drawing[1:],
            "cursor": cursor,
        },
        separators=(",", ":"),
    )


def drawing_in(text: str) -> tuple[Drawing, Spot] | None:
    """Return the drawing and cursor from the JSON of ``text_of_drawing``; None if it is damaged."""
    import json  # takes 2 ms, for the editor only

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
    """Return the drawing as a level for display only, which may violate every rule of a level.

    Its floor is everything the player reaches, even through a gap in the walls; empty unless there is one player.
    """
    height, width = drawing.height, drawing.width
    stride = width + 1
    rows, kinds = _read(drawing.cells)
    # Last square first, as the digits of a binary number.
    text = "".join([f"{row} " for row in rows]).encode("ascii")[::-1]
    walls, boxes, goals = (_squares(text, signs) for signs in (b"#", b"$*", b".*+"))
    player, floor = len(text) - 1 - max(text.find(b"@"), text.find(b"+")), 0
    if text.count(b"@") + text.count(b"+") == 1:
        inside = int((b"0" + b"1" * width) * height, 2)
        floor = flood(1 << player, inside & ~walls, stride)
    colored = [(drawing.square_at(place), cell) for place, cell in kinds]
    box_colors = {square: cell.box for square, cell in colored if cell.box is not None}
    goal_colors = {square: cell.goal for square, cell in colored if cell.goal is not None}
    ice = bitboard_of(square for square, cell in colored if cell.is_ice)
    count = max((*box_colors.values(), *goal_colors.values()), default=-1) + 1
    board = Board(width, height, stride, walls, floor, goals, tuple(layers_of(goal_colors, count)), ice)
    start = State(layered(boxes, layers_of(box_colors, count), board.size), player if floor else -stride)
    return Level(board, start, tuple(rows))


def judge(drawing: Drawing, picture: Level | None = None) -> Verdict:
    """Return the level of a drawing, cropped to its bounds, or the first problem.

    ``picture`` is the result of ``pictured``, if already available.
    """
    picture = picture or pictured(drawing)
    top, left, *_ = bounds(picture.rows)
    try:
        level = _built(drawing, picture)
    except LevelError as error:
        place = (top + error.line - 1, left + error.column - 1) if error.line and error.column else None
        gap = find_gap(picture.board, picture.start.player) if picture.board.floor else None
        return Verdict(None, error.problem, place if gap is None else drawing.place_of(gap))
    level = level.replace(title=drawing.title, author=drawing.author, comment=drawing.comment)
    return Verdict(level, solved=is_solved(level.board, level.start))


def bounds(rows: Sequence[str]) -> tuple[int, int, int, int]:
    """Return the level's rows and columns as (top, left, bottom, right), bottom and right exclusive.

    The whole picture, if no row belongs to a level.
    """
    drawn = [row for row, signs in enumerate(rows) if _is_row(signs)]
    if not drawn:
        return 0, 0, len(rows), len(rows[0])
    left = min(len(rows[row]) - len(rows[row].lstrip()) for row in drawn)
    return drawn[0], left, drawn[-1] + 1, max(len(rows[row].rstrip()) for row in drawn)


def _is_row(signs: str) -> bool:
    """True for a row of a level; as in files, a row of only decoration is not one."""
    return not _OF_ROWS.isdisjoint(signs)


def _read(cells: Sequence[Sequence[Cell]]) -> tuple[list[str], list[tuple[Spot, Cell]]]:
    """Return the signs of each row, and the cells with a colour or ice."""
    rows = ["".join([cell.sign for cell in line]) for line in cells]
    some = [(row, line) for row, line in enumerate(cells) if not _PLAIN.issuperset(line)]
    return rows, [
        ((row, column), cell) for row, line in some for column, cell in enumerate(line) if cell[1:] != _BLANK[1:]
    ]


def _squares(text: bytes, signs: bytes) -> Bitboard:
    """Return the squares with one of ``signs`` in a text that starts with the last square."""
    return int(text.translate(bytes.maketrans(_SIGNS, bytes(b"01"[sign in signs] for sign in _SIGNS))), 2)


def _built(drawing: Drawing, picture: Level) -> Level:
    """Return the level of a drawing; raises LevelError with line and column relative to ``bounds``."""
    rows = picture.rows
    top, left, bottom, right = bounds(rows)
    level = level_from_rows([row[left:right] if _is_row(row) else "" for row in rows[top:bottom]])
    if not (picture.board.colors or picture.board.ice):
        return level
    board = level.board
    kinds = _read([line[left:right] for line in drawing.cells[top:bottom]])[1]
    is_floor = tester(board.floor, board.size)
    cells = {square: cell for place, cell in kinds if is_floor(square := board.square(*place))}
    colors = sorted({color for cell in cells.values() for color in (cell.box, cell.goal) if color is not None})
    boxes = {square: colors.index(cell.box) for square, cell in cells.items() if cell.box is not None}
    goals = {square: colors.index(cell.goal) for square, cell in cells.items() if cell.goal is not None}
    return varied(level, boxes, goals, bitboard_of(square for square, cell in cells.items() if cell.is_ice))


def _with_margin(cells: Cells) -> Cells:
    edge = ((_BLANK,) * (len(cells[0]) + 2),)
    return (*edge, *((_BLANK, *row, _BLANK) for row in cells), *edge)


def with_space(cells: Cells) -> tuple[Cells, int, int]:
    """Return cells with a blank margin added where missing, and the rows added above and columns added on the left."""
    top, bottom = (any(cell != _BLANK for cell in cells[row]) for row in (0, -1))
    left, right = (any(row[column] != _BLANK for row in cells) for column in (0, -1))
    if left or right:
        cells = tuple((*(_BLANK,) * left, *row, *(_BLANK,) * right) for row in cells)
    edge = ((_BLANK,) * len(cells[0]),)
    return (*edge * top, *cells, *edge * bottom), int(top), int(left)


# Squares to try: the player is waiting, and a gap is usually among the first.
_MOST_TRIES = 100
# Bits of all layers together, which takes a tenth of a second.
_MOST_BITS = 1 << 29


def find_gap(board: Board, player: Square) -> Square | None:
    """Return the square where one wall would close the board, the outermost if there are several; None if none would.

    The board's floor is everything the player reaches, up to the edge.
    """
    stride, floor = board.stride, board.floor
    row = (1 << board.width) - 1
    inside = sum(1 << each * stride for each in range(board.height))
    inner = row * inside & ~(inside | inside << board.width - 1 | row | row << stride * (board.height - 1))
    edge = floor & ~inner
    layers = [1 << player]
    reached = layers[0]
    most = _MOST_BITS // board.size
    while layers[-1] and not layers[-1] & edge:
        if len(layers) > most:
            return None
        layers.append(beside(layers[-1], stride) & floor & ~reached)
        reached |= layers[-1]
    # Back along all shortest paths: they meet in a gap, and perhaps in the square before it.
    ways, outer, tries = edge, None, 0
    for layer in reversed(layers[1:]):
        ways &= layer
        is_narrow = ways.bit_count() == 1 and (around(ways, stride) & ~floor).bit_count() > 1
        tries += is_narrow
        is_gap = is_narrow and not flood(layers[0], floor & ~ways, stride) & edge
        if is_gap and (beside(ways, stride) & ~floor).bit_count() > 1:
            return lowest(ways)
        if outer is not None or tries == _MOST_TRIES:
            break
        outer = lowest(ways) if is_gap else None
        ways = beside(ways, stride)
    return outer
