"""Editor of one level: a drawing of squares with a cursor, edits with undo and redo, and the verdict on the drawing."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.app.deadlock_warning import DeadlockWarning
from sokoterm.app.outcome import Note
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.bits import Square, Symmetry, flood, lowest, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock
from sokoterm.engine.level import (
    CELLS,
    MOST_COLORS,
    SPELLINGS,
    Level,
    LevelError,
    Pack,
    Record,
    level_from_rows,
    numbered,
    varied,
)
from sokoterm.engine.record import replay
from sokoterm.engine.rules import is_solved
from sokoterm.engine.variant import Variant, colors_of, layered, layers_of
from sokoterm.formats.registry import rows_as_written, write
from sokoterm.store.packs import PackFile, pack_from_bytes, read_bytes

# Rows or columns to which a drawing grows; the largest known board has 200 x 200.
_MOST_SIDE = 250
# Edits that can be undone: each holds the rows that it changed.
_MOST_EDITS = 2_000
_DRAWN = "drawn"
_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
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


def pictured(drawing: Drawing) -> Level:
    """Return the drawing as a level to be shown; it keeps no rule of a level that can be read.

    Its floor is what the one player reaches, beyond a gap in the walls too; without one player there is none.
    """
    height, width = drawing.height, drawing.width
    stride = width + 1
    every = [(square, cell) for square, cell in _squares(drawing)]
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
    top, left, bottom, right = _bounds(drawing.cells)
    cells = [row[left:right] for row in drawing.cells[top:bottom]]
    try:
        level = _built(cells)
    except LevelError as error:
        place = (top + error.line - 1, left + error.column - 1) if error.line and error.column else None
        return Verdict(None, error.problem, place)
    level = level._replace(title=drawing.title, author=drawing.author, comment=drawing.comment)
    return Verdict(level, solved=is_solved(level.board, level.start))


def drawn_pack(level: Level) -> PackFile:
    """Return a drawn level as a pack to be played; like pasted ones it is no part of any table of scores."""
    data = write(Pack(_DRAWN, (numbered(level, 1),)), "xsb").data
    return pack_from_bytes(data, _DRAWN)._replace(is_pasted=True)


class Editor:
    """A drawing with a cursor, its history and the thing drawn last.

    ``cursor`` is the place under it, ``corner`` the other corner of a marked rectangle, None without one. ``origin`` is
    the level that was opened, if any: its metadata and those of its solutions that still hold go with the level.
    """

    def __init__(self, drawing: Drawing, cursor: Place | None = None, origin: Level | None = None) -> None:
        self.drawing = drawing
        self.cursor = cursor if cursor is not None else _first_place(drawing)
        self.corner: Place | None = None
        self.brush = "wall"
        self._metadata = origin.metadata if origin is not None else ()
        # Those that the drawing does not keep to any more are left out of its level.
        self._records = origin.records if origin is not None else ()
        self._kept = drawing
        self._done: list[tuple[Drawing, Place]] = []
        self._undone: list[tuple[Drawing, Place]] = []
        self._judged: tuple[Drawing, Verdict, DeadlockWarning | None] | None = None
        self._picture: tuple[Drawing, Level] | None = None

    # What there is

    @property
    def picture(self) -> Level:
        """The drawing as a level to be shown: see ``pictured``."""
        if self._picture is None or self._picture[0] is not self.drawing:
            self._picture = self.drawing, pictured(self.drawing)
        return self._picture[1]

    @property
    def verdict(self) -> Verdict:
        """The level that the drawing makes, or what is wrong with it."""
        return self._judge()[1]

    @property
    def deadlock(self) -> Deadlock | None:
        """The reason why the level is lost from the start, on the squares of the picture; None if it is not known."""
        _, verdict, warning = self._judge()
        if verdict.level is None or warning is None:
            return None
        found = warning.find(verdict.level.start)
        if found is None:
            return None
        top, left, _, _ = _bounds(self.drawing.cells)
        stride, board = self.drawing.width + 1, verdict.level.board
        places = map(board.row_column, scan(found.boxes & board.floor))
        return found._replace(boxes=sum(1 << (row + top) * stride + column + left for row, column in places))

    @property
    def is_sharp(self) -> bool:
        """False while ``sharpen`` may still find a deadlock."""
        warning = self._judge()[2]
        return warning is None or warning.is_sharp

    def sharpen(self) -> None:
        """Look for deadlocks by all tests that take no noticeable time."""
        if (warning := self._judge()[2]) is not None:
            warning.sharpen()

    @property
    def is_kept(self) -> bool:
        """True if the drawing is as it was opened, or saved last."""
        return self.drawing == self._kept

    def keep(self) -> None:
        """Note that the drawing has been saved."""
        self._kept = self.drawing

    @property
    def marked(self) -> tuple[range, range]:
        """The rows and columns of the marked rectangle, or of the cursor alone."""
        row, column = self.corner or self.cursor
        rows, columns = sorted((row, self.cursor[0])), sorted((column, self.cursor[1]))
        return range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1)

    @property
    def level(self) -> Level | None:
        """The level that the drawing makes, with what is kept of the one that was opened; None if it makes none."""
        level = self.verdict.level
        if level is None:
            return None
        holding = tuple(each for each in self._records if replay(level, each).solution is not None)
        return level._replace(metadata=self._metadata, records=holding)

    @property
    def solved_level(self) -> Level | None:
        """The level with a box on each goal and no others; None if the drawing is no level even so."""
        return judge(self._solved_drawing()).level

    def _solved_drawing(self) -> Drawing:
        cells = [[_solved_cell(cell) for cell in row] for row in self.drawing.cells]
        if (player := self._place_off_goals(cells)) is not None:
            cells[player[0]][player[1]] = cells[player[0]][player[1]]._replace(sign="@")
        return self.drawing._replace(cells=tuple(map(tuple, cells)))

    def _place_off_goals(self, cells: Sequence[Sequence[Cell]]) -> Place | None:
        """Return a place for the player if he stands on a goal, which gets a box: the first floor he could reach."""
        row, column = _first_place(self.drawing)
        if self.drawing.cells[row][column].sign != "+":
            return None
        floor = self.picture.board.floor
        places = (self.drawing.place_of(square) for square in scan(floor))
        return next(((row, column) for row, column in places if cells[row][column].sign == " "), None)

    def _judge(self) -> tuple[Drawing, Verdict, DeadlockWarning | None]:
        if self._judged is None or self._judged[0] is not self.drawing:
            verdict = judge(self.drawing)
            warning = DeadlockWarning(verdict.level.board) if verdict.level is not None and not verdict.solved else None
            self._judged = self.drawing, verdict, warning
        return self._judged

    # Actions

    def act(self, action: str) -> Note | None:
        """Do an action of the keymap."""
        match action:
            case "up" | "down" | "left" | "right":
                self._move(action)
            case "draw up" | "draw down" | "draw left" | "draw right":
                self._move(action.rpartition(" ")[2])
                return self._put(self.brush, is_toggled=False)
            case "wall" | "floor" | "box" | "goal" | "player" | "ice":
                self.brush = action
                return self._put(action, is_toggled=True)
            case "color" | "goal color":
                return self._color(is_of_goals=action == "goal color")
            case "mark":
                self.corner = self.cursor if self.corner is None else None
            case "turn":
                self._turn(transposed=True)
            case "mirror":
                self._turn(transposed=False)
            case "add row" | "add column":
                return self._add(is_row=action == "add row")
            case "remove row" | "remove column":
                return self._remove(is_row=action == "remove row")
            case "undo":
                return None if self._travel(self._done, self._undone) else Note.NOTHING_TO_UNDO
            case "redo":
                return None if self._travel(self._undone, self._done) else Note.NOTHING_TO_REDO
            case "to fault":
                self._go_to_fault()
        return None

    def write(self, title: str, author: str, comment: str) -> None:
        """Change the texts, as one edit."""
        self._edit(self.drawing._replace(title=title, author=author, comment=comment))

    def begin_at(self, state: State, lurd: str) -> None:
        """Take a position of ``solved_level`` as the start, as one edit; ``lurd`` solves it."""
        drawing = self._solved_drawing()
        top, left, _, _ = _bounds(drawing.cells)
        solved = judge(drawing).level
        if solved is None:
            return
        board = solved.board
        begun = drawing_of(solved._replace(start=state)).cells
        cells = [list(map(_without_movers, row)) for row in self.drawing.cells]
        for square in scan(board.floor):
            row, column = board.row_column(square)
            # The drawing of a level has a margin.
            cells[row + top][column + left] = begun[row + 1][column + 1]
        self._edit(self.drawing._replace(cells=tuple(map(tuple, cells))))
        if lurd:
            self._records = (*self._records, Record("Solution", lurd))

    def put_at(self, place: Place, thing: str) -> Note | None:
        """Go to a place and draw a thing there; if it is there, take it away."""
        self.corner = None
        self.go_to(place)
        return self._put(thing, is_toggled=True)

    def fill(self, first: Place, last: Place, thing: str) -> Note | None:
        """Fill the rectangle between two places; the cursor goes to the second."""
        self.go_to(first)
        self.corner = self.cursor
        self.go_to(last)
        return self._put(thing, is_toggled=False)

    def go_to(self, place: Place) -> None:
        """Move the cursor to a place of the drawing."""
        row, column = place
        self.cursor = max(0, min(row, self.drawing.height - 1)), max(0, min(column, self.drawing.width - 1))

    def take(self, drawing: Drawing) -> None:
        """Take another drawing in place of this one, as one edit."""
        self._edit(drawing)

    def _move(self, direction: str) -> None:
        down, right = _STEPS[direction]
        self.go_to((self.cursor[0] + down, self.cursor[1] + right))

    def _go_to_fault(self) -> None:
        verdict, deadlock = self.verdict, self.deadlock
        if verdict.place is not None:
            self.go_to(verdict.place)
        elif deadlock is not None:
            self.go_to(self.drawing.place_of(lowest(deadlock.boxes)))

    def _put(self, thing: str, *, is_toggled: bool) -> Note | None:
        """Draw a thing in the marked rectangle; under the cursor alone the same thing again is taken away."""
        rows, columns = self.marked
        is_toggled = is_toggled and self.corner is None
        self.corner = None
        if thing == "player":
            rows, columns, here = range(self.drawing.height), range(self.drawing.width), self.cursor
            return self._change_in(rows, columns, lambda place, cell: _with_player(cell, is_here=place == here))
        return self._change_in(rows, columns, lambda _, cell: _with_thing(cell, thing, is_toggled=is_toggled))

    def _color(self, *, is_of_goals: bool) -> Note | None:
        """Give the boxes or the goals of the marked rectangle the colour after that of the one under the cursor.

        After the first colour that no other square has comes none.
        """
        row, column = self.cursor
        here = self.drawing.cells[row][column]
        is_of_goals = is_of_goals or not here.has_box
        now = here.goal if is_of_goals else here.box
        others = [cell.box for _, cell in _squares(self.drawing)] + [cell.goal for _, cell in _squares(self.drawing)]
        if now is not None:
            others.remove(now)
        last = min(max((color for color in others if color is not None), default=-1) + 1, MOST_COLORS - 1)
        color = 0 if now is None else now + 1 if now < last else None
        rows, columns = self.marked
        self.corner = None
        return self._change_in(rows, columns, lambda _, cell: _with_color(cell, color, is_of_goal=is_of_goals))

    def _change_in(self, rows: range, columns: range, change: Callable[[Place, Cell], Cell]) -> Note | None:
        """Change the squares of a rectangle, as one edit, and let the drawing grow at its edges."""
        cells = list(self.drawing.cells)
        for row in rows:
            line = list(cells[row])
            for column in columns:
                line[column] = change((row, column), line[column])
            cells[row] = tuple(line)
        grown, top, left = _grown(tuple(cells))
        if max(len(grown), len(grown[0])) > max(_MOST_SIDE, self.drawing.height, self.drawing.width):
            return Note.DRAWING_FULL
        self._edit(self.drawing._replace(cells=grown), (self.cursor[0] + top, self.cursor[1] + left))
        return None

    def _turn(self, *, transposed: bool) -> None:
        """Turn the drawing to the right, or mirror it left to right; the cursor stays on its square."""
        drawing = self.drawing
        symmetry = Symmetry(transposed, False, True)
        cells = tuple(zip(*drawing.cells, strict=True)) if transposed else drawing.cells
        turned = tuple(row[::-1] for row in cells)
        self.corner = None
        self._edit(drawing._replace(cells=turned), symmetry.place(*self.cursor, drawing.height, drawing.width))

    def _add(self, *, is_row: bool) -> Note | None:
        """Insert a row above the cursor or a column left of it: a copy of its walls, the rest floor."""
        cells, (row, column) = self.drawing.cells, self.cursor
        if (len(cells) if is_row else len(cells[0])) >= _MOST_SIDE:
            return Note.DRAWING_FULL
        if is_row:
            cells = (*cells[:row], _walls_alone(cells[row]), *cells[row:])
        else:
            cells = tuple((*line[:column], *_walls_alone(line[column : column + 1]), *line[column:]) for line in cells)
        self.corner = None
        self._edit(self.drawing._replace(cells=_grown(cells)[0]), self.cursor)
        return None

    def _remove(self, *, is_row: bool) -> Note | None:
        """Remove the row or column of the cursor; the last ones stay."""
        cells, (row, column) = self.drawing.cells, self.cursor
        if (len(cells) if is_row else len(cells[0])) <= _LEAST_SIDE:
            return Note.DRAWING_LEAST
        if is_row:
            cells = (*cells[:row], *cells[row + 1 :])
        else:
            cells = tuple((*line[:column], *line[column + 1 :]) for line in cells)
        grown, top, left = _grown(cells)
        self.corner = None
        self._edit(self.drawing._replace(cells=grown), (row + top, column + left))
        return None

    # The history

    def _edit(self, drawing: Drawing, cursor: Place | None = None) -> None:
        """Take a drawing as the next in the history, unless it is the same."""
        before = self.drawing, self.cursor
        if drawing != self.drawing:
            self._done.append(before)
            del self._done[:-_MOST_EDITS]
            self._undone.clear()
            self.drawing = drawing
        self.go_to(cursor or self.cursor)

    def _travel(self, back: list[tuple[Drawing, Place]], forth: list[tuple[Drawing, Place]]) -> bool:
        """Go to the last drawing of a list, and put this one into the other; False if it is empty."""
        if not back:
            return False
        forth.append((self.drawing, self.cursor))
        self.drawing, self.cursor = back.pop()
        self.corner = None
        return True


class Opened(NamedTuple):
    """An editor, and the problem with a level that cannot be read, at whose place the cursor is."""

    editor: Editor
    problem: str = ""


def open_level(pack_session: PackSession, number: int, files: Sequence[PackFile]) -> Opened | None:
    """Open a level of a pack, readable or not; ``files`` has its file.  None where its rows cannot be told.

    Raises PackError if the file cannot be read again.
    """
    level = pack_session.find_level(number)
    if level is not None:
        return Opened(Editor(drawing_of(level), origin=level))
    error = next((each for each in pack_session.pack.errors if each.level == number), None)
    file = next((each for each in files if each.key == pack_session.key), None)
    if error is None or file is None:
        return None
    rows, first = rows_as_written(read_bytes(file), error)
    if not any(row.strip() for row in rows):
        return None
    # The margin comes before the first row and column.
    place = (error.line - first + 1, error.column) if error.line and error.column else None
    editor = Editor(drawing_of_rows(rows)._replace(title=error.title))
    if place is not None:
        editor.go_to(place)
    return Opened(editor, error.problem)


# A margin and one square.
_LEAST_SIDE = 3


def _solved_cell(cell: Cell) -> Cell:
    """Return a square with a box on its goal, in its colour, and else without one."""
    if cell.has_goal:
        return cell._replace(sign="*", box=cell.goal)
    return cell._replace(sign=" ", box=None) if cell.has_box else cell


def _without_movers(cell: Cell) -> Cell:
    """Return a square without box or player."""
    if cell.has_goal:
        return cell._replace(sign=".", box=None)
    return cell._replace(sign=" ", box=None) if cell.has_box or cell.has_player else cell


def _cell_of(sign: str) -> Cell:
    return Cell(sign) if sign in CELLS else _BLANK


def _first_place(drawing: Drawing) -> Place:
    """Return the place of the first player, else of the first square that is not blank."""
    places = [(row, column, cell) for row, line in enumerate(drawing.cells) for column, cell in enumerate(line)]
    chosen = next((each for each in places if each[2].has_player), None)
    chosen = chosen or next((each for each in places if each[2] != _BLANK), places[0])
    return chosen[0], chosen[1]


def _squares(drawing: Drawing) -> Iterator[tuple[Square, Cell]]:
    """Yield the squares that are not blank, on the board of ``pictured``."""
    stride = drawing.width + 1
    for row, line in enumerate(drawing.cells):
        for column, cell in enumerate(line):
            if cell != _BLANK:
                yield row * stride + column, cell


def _bounds(cells: Cells) -> tuple[int, int, int, int]:
    """Return the first row and column with a sign, and those after the last ones; all of it if there is none."""
    rows = [row for row, line in enumerate(cells) if any(cell.sign != " " for cell in line)]
    columns = [column for column, line in enumerate(zip(*cells, strict=True)) if any(cell.sign != " " for cell in line)]
    if not rows:
        return 0, 0, len(cells), len(cells[0])
    return rows[0], columns[0], rows[-1] + 1, columns[-1] + 1


def _built(cells: Sequence[Sequence[Cell]]) -> Level:
    """Return the level of some squares; raises LevelError with line and column in them."""
    level = level_from_rows(["".join(cell.sign for cell in row) for row in cells])
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


def _grown(cells: Cells) -> tuple[Cells, int, int]:
    """Return squares with a blank margin where they have none, and the rows and columns added above and left."""
    top, bottom = (any(cell != _BLANK for cell in cells[row]) for row in (0, -1))
    left, right = (any(row[column] != _BLANK for row in cells) for column in (0, -1))
    if left or right:
        cells = tuple((*(_BLANK,) * left, *row, *(_BLANK,) * right) for row in cells)
    edge = ((_BLANK,) * len(cells[0]),)
    return (*edge * top, *cells, *edge * bottom), int(top), int(left)


def _walls_alone(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    return tuple(_WALL if cell == _WALL else _BLANK for cell in cells)


def _with_thing(cell: Cell, thing: str, *, is_toggled: bool) -> Cell:
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


def _with_player(cell: Cell, *, is_here: bool) -> Cell:
    """Return a square with the player, or without one."""
    if not is_here:
        return cell._replace(sign="." if cell.sign == "+" else " ") if cell.has_player else cell
    open_cell = _BLANK if cell.sign == "#" else cell
    return open_cell._replace(sign="+" if open_cell.has_goal else "@", box=None)


def _with_color(cell: Cell, color: int | None, *, is_of_goal: bool) -> Cell:
    """Return a square with its goal, or its box, in a colour."""
    if is_of_goal:
        return cell._replace(goal=color) if cell.has_goal else cell
    return cell._replace(box=color) if cell.has_box else cell
