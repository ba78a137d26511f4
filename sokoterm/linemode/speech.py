"""Sentences about moves, deadlocks and solutions, to be read aloud. Rows and columns count from 1."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.bits import Direction, Square, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.rules import boxes_home, goal_color
from sokoterm.engine.text import counted
from sokoterm.store.solutions import Recorded
from sokoterm.wording.kinds import color_name

DIRECTION_NAMES = {
    Direction.LEFT: "left", Direction.RIGHT: "right", Direction.UP: "up", Direction.DOWN: "down",
}  # fmt: skip
_SIDES = {
    Direction.LEFT: "left of", Direction.RIGHT: "right of", Direction.UP: "above", Direction.DOWN: "below",
}  # fmt: skip
# The most boxes that are told with their places, and with their names.
_MOST_PLACED = 2
_MOST_NAMED = 8
# What is wrong with the boxes of a deadlock, if it is one box or several.
_FATES = {
    DeadlockKind.DEAD_SQUARE: ("can never reach a goal", "can never reach a goal"),
    DeadlockKind.FREEZE: ("is frozen", "are frozen"),
    DeadlockKind.CLOSED_DIAGONAL: ("is stuck in a zigzag", "are stuck in a zigzag"),
    DeadlockKind.BIPARTITE: ("has no goal left", "have too few goals for all of them"),
    DeadlockKind.RETROGRADE: ("closes a goal off", "close a goal off"),
    DeadlockKind.LEARNED: ("cannot be brought home", "cannot all be brought home"),
    DeadlockKind.PAIR: ("blocks another", "block each other"),
    DeadlockKind.CORRAL: ("is shut in", "are shut in"),
}


class Situation(NamedTuple):
    """A position, and the names of its boxes by square, in order."""

    state: State
    name_of: dict[Square, str]


class Told(NamedTuple):
    """A box that was moved, with its squares before and after."""

    name: str
    before: Square
    after: Square


class ColoredName(str):
    """The name of a box that has a colour, from 0."""

    __slots__ = ("color",)
    color: int

    def __new__(cls, name: str, color: int) -> "ColoredName":
        self = super().__new__(cls, name)
        self.color = color
        return self


def box_called(name: str) -> str:
    """Return ``box c``, ``blue box c``."""
    return f"{color_name(name.color)} box {name}" if isinstance(name, ColoredName) else f"box {name}"


def goal_called(board: Board, goal: Square) -> str:
    """Return ``goal``, ``blue goal``."""
    color = goal_color(board, goal)
    return f"{color_name(color)} goal" if color is not None else "goal"


def with_article(noun: str) -> str:
    """Return ``a blue goal``, ``an orange goal``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def listed(words: Sequence[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def place(board: Board, square: Square) -> str:
    """Return ``row 4 column 7``."""
    row, column = board.row_column(square)
    return f"row {row + 1} column {column + 1}"


def places(board: Board, squares: Iterable[Square]) -> str:
    """Return ``row 3 columns 4 to 7 and 9, row 5 column 2``."""
    rows = []
    for row, some in groupby(sorted(squares), key=lambda square: board.row_column(square)[0]):
        columns = [board.row_column(square)[1] + 1 for square in some]
        runs: list[list[int]] = []
        for column in columns:
            if runs and runs[-1][1] == column - 1:
                runs[-1][1] = column
            else:
                runs.append([column, column])
        told = [word for first, last in runs for word in _run(first, last)]
        rows.append(f"row {row + 1} column{'s' if len(columns) > 1 else ''} {listed(told)}")
    return ", ".join(rows)


def _run(first: int, last: int) -> list[str]:
    return [f"{first} to {last}"] if last > first + 1 else [str(column) for column in range(first, last + 1)]


def homes(board: Board, state: State) -> str:
    """Return ``3 of 6 home``."""
    return f"{boxes_home(board, state).bit_count()} of {board.goals.bit_count()} home"


def blocked(board: Board, state: State, direction: Direction, names: dict[Square, str]) -> str:
    """Return what blocks a step: ``a wall is left of you``."""
    ahead = state.player + board.offsets[direction]
    if ahead not in names:
        return f"a wall is {_SIDES[direction]} you"
    behind = ahead + board.offsets[direction]
    what = box_called(names[behind]) if behind in names else "a wall"
    return f"{box_called(names[ahead])} cannot be pushed {DIRECTION_NAMES[direction]}: {what} behind it"


def told_moves(board: Board, before: Situation, after: Situation, lurd: str) -> str:
    """Return the result of moves: ``box c pushed left to row 4 column 7, 3 of 6 home``."""
    boxes = moved_boxes(before, after)
    pushes = sum(map(str.isupper, lurd))
    if not pushes:
        return _told_walk(board, after.state.player, lurd)
    figures = f"{counted(pushes, 'push')}, {counted(len(lurd), 'move')}"
    score, fate = homes(board, after.state), _fates_of(board, before.state, after.state)
    if len(boxes) == 1:
        [box] = boxes
        walk = lurd.rstrip("LURD")
        line = lurd[len(walk) :]
        ending = f"to {place(board, box.after)}{fate(box)}"
        if walk.islower() or not walk:
            begin = f"walked {len(walk)}, then " if walk else ""
            if len(set(line)) == 1:
                count = f"{len(line)} " if len(line) > 1 else ""
                return f"{begin}{box_called(box.name)} pushed {count}{_name(line[0])} {ending}, {score}"
        return f"{box_called(box.name)} pushed in {figures.replace(', ', ' and ')} {ending}, {score}"
    if not boxes or len(boxes) > _MOST_PLACED:
        return f"{_boxes([box.name for box in boxes])} pushed in {figures}, {score}"
    each = [f"{box_called(box.name)} pushed to {place(board, box.after)}{fate(box)}" for box in boxes]
    return f"{'; '.join(each)}; {figures}, {score}"


def told_back(board: Board, before: Situation, after: Situation) -> str:
    """Return the result of moves taken back: ``box c back to row 4 column 8, 2 of 6 home``."""
    boxes = moved_boxes(before, after)
    if not boxes:
        return f"you are back at {place(board, after.state.player)}"
    score = homes(board, after.state)
    if len(boxes) > _MOST_PLACED:
        return f"{_boxes([box.name for box in boxes])} back where they were, {score}"
    return f"{listed([f'{box_called(box.name)} back to {place(board, box.after)}' for box in boxes])}, {score}"


def moved_boxes(before: Situation, after: Situation) -> list[Told]:
    """Return the boxes that have moved, by name."""
    now = {name: square for square, name in after.name_of.items()}
    return [Told(name, square, now[name]) for square, name in before.name_of.items() if now[name] != square]


def _boxes(names: Sequence[str]) -> str:
    """Return ``box c``, ``boxes a, b and c``, or their number."""
    if not names or len(names) > _MOST_NAMED:
        return f"{len(names) or 'no'} boxes"
    return box_called(names[0]) if len(names) == 1 else f"boxes {listed(names)}"


def _fates_of(board: Board, before: State, after: State) -> Callable[[Told], str]:
    """Return what becomes of a box: ``, home`` if it is home, ``, off its goal`` if it was.

    One that stands on a goal of another colour: ``, on a blue goal``.
    """
    were_home, are_home = boxes_home(board, before), boxes_home(board, after)

    def fate(box: Told) -> str:
        if are_home >> box.after & 1:
            return ", home"
        elsewhere = f", on {with_article(goal_called(board, box.after))}" if board.goals >> box.after & 1 else ""
        return (", off its goal" if were_home >> box.before & 1 else "") + elsewhere

    return fate


def _told_walk(board: Board, player: Square, lurd: str) -> str:
    if len(set(lurd)) > 1:
        return f"walked {len(lurd)} to {place(board, player)}"
    count = f"{len(lurd)} " if len(lurd) > 1 else ""
    return f"walked {count}{_name(lurd[0])} to {place(board, player)}"


def _name(letter: str) -> str:
    return DIRECTION_NAMES[direction_of(letter)]


def lost(deadlock: Deadlock, names: dict[Square, str], back: str) -> str:
    """Return ``box c and box d are frozen: this position is lost; U goes back``; ``back`` is that key, or empty."""
    ending = f": this position is lost{f'; {back} goes back' if back else ''}"
    guilty = [names[square] for square in squares_of(deadlock.boxes)]
    if not guilty:
        return f"proven{ending}"
    one, more = _FATES[deadlock.kind]
    if len(guilty) <= _MOST_PLACED:
        return f"{listed([*map(box_called, guilty)])} {one if len(guilty) == 1 else more}{ending}"
    return f"{_boxes(guilty)} {more}{ending}"


def solved(recorded: Recorded, after: str) -> str:
    """Return ``solved in 97 pushes, 230 moves, your best is 95 pushes and 228 moves; next: Enter``."""
    now, before = recorded.solution, recorded.before
    text = f"solved in {counted(now.pushes, 'push')}, {counted(now.moves, 'move')}"
    moves, pushes = before.by_moves, before.by_pushes
    if moves is None or pushes is None:
        return f"{text}, your first solution; {after}"
    best = f"{counted(pushes.pushes, 'push')} and {counted(moves.moves, 'move')}"
    is_best = now.moves < moves.moves or now.pushes < pushes.pushes
    return f"{text}, {'a new best, it was' if is_best else 'your best is'} {best}; {after}"
