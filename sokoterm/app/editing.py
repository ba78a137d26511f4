"""Editor of one level: a drawing with a cursor, undo and redo, and a check of the drawing.

Unsaved drawings are stored with the progress, so nothing is lost when the program ends.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from sokoterm.app.deadlock_warning import DeadlockWarning
from sokoterm.app.drawing import (
    Cell,
    Drawing,
    Spot,
    Verdict,
    bounds,
    drawing_in,
    drawing_of,
    drawing_of_rows,
    judge,
    pictured,
    text_of_drawing,
    with_space,
)
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Note, Outcome
from sokoterm.engine.bits import Symmetry, bitboard_of, lowest, scan
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import Deadlock
from sokoterm.engine.level import MOST_COLORS, RECIPE, Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import replay
from sokoterm.formats.registry import rows_as_written, write
from sokoterm.store.packs import PackError, PackFile, pack_from_bytes, read_bytes
from sokoterm.store.progress import ProgressStore

# The most rows or columns of a drawing; the largest known board has 200 x 200.
_MOST_SIDE = 250
# The margins and one square.
_LEAST_SIDE = 3
# Edits that can be undone; each stores the rows it changed.
_MOST_EDITS = 2_000
_DRAWN = "drawn"
_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def drawn_pack(level: Level) -> PackFile:
    """Return a drawn level as a pack to play; like a pasted pack, it does not enter score tables."""
    data = write(Pack(_DRAWN, (level.replace(number=1),)), "xsb").data
    return pack_from_bytes(data, _DRAWN)._replace(is_pasted=True)


class _Moment(NamedTuple):
    drawing: Drawing
    cursor: Spot
    shift: Spot


class Editor:
    """A drawing with a cursor, its history, and the ``brush``: the thing drawn last.

    ``corner`` is the other corner of a marked rectangle, if any. ``shift`` counts the rows and columns added above and
    to the left since the start. ``origin`` is the level as stored in its pack, if any: the drawn level keeps its
    metadata (the recipe only while the board is the same) and those of its solutions that still work. ``problem`` says
    why the opened level cannot be read.
    """

    def __init__(
        self, drawing: Drawing, cursor: Spot | None = None, origin: Level | None = None, problem: str = ""
    ) -> None:
        self._show(drawing, cursor if cursor is not None else drawing.first_place, (0, 0))
        self.corner: Spot | None = None
        self.brush = "wall"
        self.origin = origin
        self.problem = problem
        self._metadata = origin.metadata if origin is not None else ()
        self._hash = level_hash(origin) if origin is not None else ""
        self._records = origin.records if origin is not None else ()
        self._kept = drawing
        self._done: list[_Moment] = []
        self._undone: list[_Moment] = []

    def _show(self, drawing: Drawing, cursor: Spot, shift: Spot) -> None:
        self.drawing, self.cursor, self.shift = drawing, cursor, shift
        for of_the_last in ("picture", "verdict", "warning"):
            self.__dict__.pop(of_the_last, None)

    # State

    @cached_property
    def picture(self) -> Level:
        return pictured(self.drawing)

    @cached_property
    def verdict(self) -> Verdict:
        return judge(self.drawing, self.picture)

    @cached_property
    def warning(self) -> DeadlockWarning | None:
        """The deadlock tests for the level; None if the drawing is invalid or starts solved."""
        level = self.verdict.level
        return DeadlockWarning(level.board) if level is not None and not self.verdict.solved else None

    @property
    def deadlock(self) -> Deadlock | None:
        """The deadlock in the starting position, on the squares of the picture; None if none is known."""
        level = self.verdict.level
        found = self.warning.find(level.start) if self.warning is not None and level is not None else None
        if found is None or level is None:
            return None
        top, left, _, _ = bounds(self.picture.rows)
        places = map(level.board.row_column, scan(found.boxes & level.board.floor))
        squares = (self.drawing.square_at((row + top, column + left)) for row, column in places)
        return found._replace(boxes=bitboard_of(squares))

    @property
    def is_kept(self) -> bool:
        """True if the drawing has not changed since it was opened or saved."""
        return self.drawing == self._kept

    def keep(self) -> None:
        self._kept = self.drawing

    @property
    def marked(self) -> tuple[range, range]:
        """The rows and columns of the marked rectangle, or just those of the cursor."""
        row, column = self.corner or self.cursor
        rows, columns = sorted((row, self.cursor[0])), sorted((column, self.cursor[1]))
        return range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1)

    @property
    def level(self) -> Level | None:
        """The level of the drawing, with metadata and solutions kept from the opened level; None if it is invalid."""
        level = self.verdict.level
        if level is None:
            return None
        holding = tuple(each for each in self._records if replay(level, each).solution is not None)
        is_same = level_hash(level) == self._hash
        metadata = tuple(pair for pair in self._metadata if is_same or pair[0] != RECIPE)
        return level.replace(metadata=metadata, records=holding)

    @property
    def solved_level(self) -> Level | None:
        """The level with exactly one box on each goal; None if the drawing is invalid even so."""
        return judge(self._solved_drawing()).level

    def _solved_drawing(self) -> Drawing:
        cells = self._changed(Cell.solved)
        row, column = self.drawing.first_place
        if self.drawing.cells[row][column].sign == "+":
            # The player's goal gets a box, so the player moves to the first free floor square.
            for row, column in map(self.drawing.place_of, scan(self.picture.board.floor)):
                if cells[row][column].sign == " ":
                    cells[row][column] = cells[row][column]._replace(sign="@")
                    break
        return self.drawing._replace(cells=tuple(map(tuple, cells)))

    def _changed(self, change: Callable[[Cell], Cell]) -> list[list[Cell]]:
        return [[*map(change, line)] for line in self.drawing.cells]

    # Actions

    def act(self, action: str) -> Outcome | None:
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
            case "add row" | "add column" | "remove row" | "remove column":
                what, _, line = action.partition(" ")
                return self._add_or_remove(is_added=what == "add", is_row=line == "row")
            case "undo":
                return None if self._travel(self._done, self._undone) else Note.NOTHING_TO_UNDO
            case "redo":
                return None if self._travel(self._undone, self._done) else Note.NOTHING_TO_REDO
            case "to fault" if self.verdict.place is not None:
                self.go_to(self.verdict.place)
            case "to fault" if (deadlock := self.deadlock) is not None:
                self.go_to(self.drawing.place_of(lowest(deadlock.boxes)))
        return None

    def begin_at(self, state: State, lurd: str) -> None:
        """Make a position of ``solved_level`` the start, as one edit; ``lurd`` is its solution."""
        drawing = self._solved_drawing()
        picture = pictured(drawing)
        top, left, _, _ = bounds(picture.rows)
        solved = judge(drawing, picture).level
        if solved is None:
            return
        board = solved.board
        begun = drawing_of(solved.replace(start=state)).cells
        cells = self._changed(Cell.without_movers)
        for square in scan(board.floor):
            row, column = board.row_column(square)
            cells[row + top][column + left] = begun[row + 1][column + 1]
        self.take(self.drawing._replace(cells=tuple(map(tuple, cells))))
        if lurd:
            self._records = (*self._records, Record("Solution", lurd))

    def put_at(self, place: Spot, thing: str) -> Outcome | None:
        """Go to a spot and draw a thing there, or remove it if it is already there."""
        self.corner = None
        self.go_to(place)
        return self._put(thing, is_toggled=True)

    def fill(self, first: Spot, last: Spot, thing: str) -> Outcome | None:
        """Fill the rectangle between two spots, and move the cursor to the second."""
        self.go_to(first)
        self.corner = self.cursor
        self.go_to(last)
        return self._put(thing, is_toggled=False)

    def go_to(self, place: Spot) -> None:
        """Move the cursor to the nearest spot inside the drawing."""
        row, column = place
        self.cursor = max(0, min(row, self.drawing.height - 1)), max(0, min(column, self.drawing.width - 1))

    def _move(self, direction: str) -> None:
        down, right = _STEPS[direction]
        self.go_to((self.cursor[0] + down, self.cursor[1] + right))

    def _put(self, thing: str, *, is_toggled: bool) -> Outcome | None:
        """Draw a thing in the marked rectangle; without a mark, the same thing can be removed again."""
        rows, columns = self.marked
        is_toggled = is_toggled and self.corner is None
        self.corner = None
        if thing == "player":
            others = [row for row, signs in enumerate(self.picture.rows) if "@" in signs or "+" in signs]
            every, here = range(self.drawing.width), self.cursor
            changed = {*others, here[0]}
            return self._change_in(changed, every, lambda place, cell: cell.with_player(is_here=place == here))
        return self._change_in(rows, columns, lambda _, cell: cell.with_thing(thing, is_toggled=is_toggled))

    def _color(self, *, is_of_goals: bool) -> Outcome | None:
        """Give the marked boxes or goals the colour after the one under the cursor.

        The cycle ends after the first colour that no other square has, with no colour.
        """
        row, column = self.cursor
        here = self.drawing.cells[row][column]
        is_of_goals = is_of_goals or not here.has_box
        now = here.goal if is_of_goals else here.box
        board = self.picture.board
        boxes = board.boxes_by_layer(self.picture.start.boxes)[1:]
        uses = [box.bit_count() + goal.bit_count() for box, goal in zip(boxes, board.colors, strict=True)]
        if now is not None:
            uses[now] -= 1
        last = min(max((color for color, count in enumerate(uses) if count), default=-1) + 1, MOST_COLORS - 1)
        color = 0 if now is None else now + 1 if now < last else None
        rows, columns = self.marked
        self.corner = None
        return self._change_in(rows, columns, lambda _, cell: cell.with_color(color, is_of_goal=is_of_goals))

    def _change_in(self, rows: Iterable[int], columns: range, change: Callable[[Spot, Cell], Cell]) -> Outcome | None:
        """Change the cells of a rectangle as one edit, and grow the drawing at its edges."""
        cells = list(self.drawing.cells)
        for row in rows:
            line = list(cells[row])
            for column in columns:
                line[column] = change((row, column), line[column])
            cells[row] = tuple(line)
        grown, top, left = with_space(tuple(cells))
        if max(len(grown), len(grown[0])) > max(_MOST_SIDE, self.drawing.height, self.drawing.width):
            return Note.DRAWING_FULL.of(most=_MOST_SIDE)
        self.take(self.drawing._replace(cells=grown), (self.cursor[0] + top, self.cursor[1] + left), (top, left))
        return None

    def _turn(self, *, transposed: bool) -> None:
        """Turn the drawing clockwise, or mirror it left to right; the cursor stays on its square."""
        drawing = self.drawing
        symmetry = Symmetry(transposed, False, True)
        cells = tuple(zip(*drawing.cells, strict=True)) if transposed else drawing.cells
        turned = tuple(row[::-1] for row in cells)
        self.corner = None
        self.take(drawing._replace(cells=turned), symmetry.place(*self.cursor, drawing.height, drawing.width))

    def _add_or_remove(self, *, is_added: bool, is_row: bool) -> Outcome | None:
        """Remove the row or column of the cursor, or insert a copy of its walls before it."""
        cells, (row, column) = self.drawing.cells, self.cursor
        lines, at = (cells, row) if is_row else (tuple(zip(*cells, strict=True)), column)
        if is_added and len(lines) >= _MOST_SIDE:
            return Note.DRAWING_FULL.of(most=_MOST_SIDE)
        if not is_added and len(lines) <= _LEAST_SIDE:
            return Note.DRAWING_LEAST
        walls = tuple(Cell("#" if cell.sign == "#" else " ") for cell in lines[at])
        new = [walls, lines[at]] if is_added else []
        lines = (*lines[:at], *new, *lines[at + 1 :])
        grown, top, left = with_space(lines if is_row else tuple(zip(*lines, strict=True)))
        self.corner = None
        self.take(self.drawing._replace(cells=grown), (row + top, column + left))
        return None

    # The history

    def take(self, drawing: Drawing, cursor: Spot | None = None, grown: Spot = (0, 0)) -> None:
        """Add a drawing to the history unless it is unchanged; ``grown`` counts rows and columns added in front."""
        if drawing != self.drawing:
            self._done.append(_Moment(self.drawing, self.cursor, self.shift))
            del self._done[:-_MOST_EDITS]
            self._undone.clear()
            self._show(drawing, self.cursor, (self.shift[0] + grown[0], self.shift[1] + grown[1]))
        self.go_to(cursor or self.cursor)

    def _travel(self, back: list[_Moment], forth: list[_Moment]) -> bool:
        """Show the last drawing of ``back`` and put the current one into ``forth``; False if ``back`` is empty."""
        if not back:
            return False
        forth.append(_Moment(self.drawing, self.cursor, self.shift))
        self._show(*back.pop())
        self.corner = None
        return True


def open_level(pack_session: PackSession, number: int, files: Sequence[PackFile]) -> Editor | None:
    """Open a level of a pack, whose file is among ``files``; None if the level's rows cannot be determined.

    For an unreadable level, the cursor is at the problem. Raises PackError if the file cannot be read again.
    """
    level = pack_session.find_level(number)
    if level is not None:
        return Editor(drawing_of(level), origin=level)
    error = next((each for each in pack_session.pack.errors if each.level == number), None)
    file = next((each for each in files if each.key == pack_session.key), None)
    if error is None or file is None:
        return None
    rows, first = rows_as_written(read_bytes(file), error)
    if not any(row.strip() for row in rows):
        return None
    editor = Editor(drawing_of_rows(rows)._replace(title=error.title), problem=error.problem)
    if error.line and error.column:
        editor.go_to((error.line - first + 1, error.column))
    return editor


class KeptDrawing:
    """Autosave of the drawing in ``editor``, stored under the pack key and number of the opened level.

    New levels have an empty key, and a different number in each session that draws one.
    """

    def __init__(self, store: ProgressStore, editor: Editor, pack: str = "", number: int = 0) -> None:
        self._store = store
        self._editor = editor
        self._level = pack, number
        self._text = self._saved = ""
        self._seen = editor.drawing

    def resume(self) -> bool:
        """Restore the stored drawing as one edit; False if there is none. Raises PackError if it cannot be read now."""
        if not self._level[0]:
            self._level = "", next(iter(self._store.drawn_numbers("")), 0)
        self._text = self._saved = self._store.drawing(*self._level)
        found = drawing_in(self._text) if self._text else None
        if found is None or found[0] == self._editor.drawing:
            return False
        self._editor.take(*found)
        self._seen = self._editor.drawing
        return True

    @property
    def is_due(self) -> bool:
        """True if the drawing has changed since the last ``write``."""
        return self._editor.drawing is not self._seen

    def write(self) -> str | None:
        """Store the drawing, or delete it once it is saved; return the problem if it cannot be written yet."""
        editor = self._editor
        self._seen = editor.drawing
        text = "" if editor.is_kept else text_of_drawing(editor.drawing, editor.cursor)
        if text != self._text and not self._level[0]:
            self._give_way()
        if text == self._text:
            return None
        self._text = text
        self._store.keep_drawing(*self._level, text)
        problem = self._store.save_rows()
        self._saved = self._saved if problem else text
        return problem

    def _give_way(self) -> None:
        """Switch to another number if another session is using this one for its new level."""
        with suppress(PackError):
            if self._store.drawing(*self._level) not in ("", self._text, self._saved):
                self._level = "", self._store.drawn_numbers("")[-1] + 1
                self._text = self._saved = ""

    def saved_as(self, pack: str, number: int) -> str | None:
        """Delete the stored drawing, now saved as this level; store later changes under that level."""
        problem = self.write()
        self._level = pack, number
        return problem
