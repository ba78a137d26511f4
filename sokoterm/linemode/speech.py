"""Sentences about moves, deadlocks and solutions, to be read aloud. Rows and columns count from 1."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.bits import Direction, Square, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.rules import boxes_home, goal_color
from sokoterm.language import N_, _, boxes_text, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.store.solutions import Recorded
from sokoterm.wording.kinds import COLOR_NAMES, color_name

_WALLS = {
    Direction.LEFT: N_("a wall is left of you"),
    Direction.RIGHT: N_("a wall is right of you"),
    Direction.UP: N_("a wall is above you"),
    Direction.DOWN: N_("a wall is below you"),
}
# The most boxes that are told with their places, and with their names.
_MOST_PLACED = 2
_MOST_NAMED = 8
# What is wrong with the boxes of a deadlock, if it is one box or several.
_FATES = {
    DeadlockKind.DEAD_SQUARE: (N_("{box} can never reach a goal"), N_("{boxes} can never reach a goal")),
    DeadlockKind.FREEZE: (N_("{box} is frozen"), N_("{boxes} are frozen")),
    DeadlockKind.CLOSED_DIAGONAL: (N_("{box} is stuck in a zigzag"), N_("{boxes} are stuck in a zigzag")),
    DeadlockKind.BIPARTITE: (N_("{box} has no goal left"), N_("{boxes} have too few goals for all of them")),
    DeadlockKind.RETROGRADE: (N_("{box} closes a goal off"), N_("{boxes} close a goal off")),
    DeadlockKind.LEARNED: (N_("{box} cannot be brought home"), N_("{boxes} cannot all be brought home")),
    DeadlockKind.PAIR: (N_("{box} blocks another"), N_("{boxes} block each other")),
    DeadlockKind.CORRAL: (N_("{box} is shut in"), N_("{boxes} are shut in")),
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
    if isinstance(name, ColoredName):
        return _("{color} box {name}", color=color_name(name.color), name=name)
    return _("box {name}", name=name)


def goal_called(board: Board, goal: Square) -> str:
    """Return ``goal``, ``blue goal``."""
    color = goal_color(board, goal)
    return _("{color} goal", color=color_name(color)) if color is not None else _("goal")


def goal_with_article(board: Board, goal: Square) -> str:
    """Return ``a goal``, ``a blue goal``, ``an orange goal``."""
    color = goal_color(board, goal)
    if color is None:
        return _("a goal")
    if COLOR_NAMES[color % len(COLOR_NAMES)][0] in "aeiou":
        # Translators: the same as "a {color} goal", before a vowel.
        return _("an {color} goal", color=color_name(color))
    return _("a {color} goal", color=color_name(color))


def direction_name(direction: Direction) -> str:
    """Return ``left``, as in ``box c pushed left``."""
    match direction:
        case Direction.LEFT:
            return pgettext("way that something moves", "left")
        case Direction.RIGHT:
            return pgettext("way that something moves", "right")
        case Direction.UP:
            return pgettext("way that something moves", "up")
    return pgettext("way that something moves", "down")


def with_and(words: Sequence[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    # Translators: the end of a list: a, b and c.
    return _("{others} and {last}", others=listed(words[:-1]), last=words[-1])


def place(board: Board, square: Square) -> str:
    """Return ``row 4 column 7``."""
    row, column = board.row_column(square)
    return _("row {row} column {column}", row=row + 1, column=column + 1)


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
        rows.append(
            ngettext(
                "row {row} column {columns}",
                "row {row} columns {columns}",
                len(columns),
                row=row + 1,
                columns=with_and(told),
            )
        )
    return listed(rows)


def _run(first: int, last: int) -> list[str]:
    if last > first + 1:
        # Translators: columns of a board: 4 to 7.
        return [_("{first} to {last}", first=first, last=last)]
    return [str(column) for column in range(first, last + 1)]


def homes(board: Board, state: State) -> str:
    """Return ``3 of 6 home``."""
    home, goals = boxes_home(board, state).bit_count(), board.goals.bit_count()
    # Translators: boxes on their goals, of all goals.
    return ngettext("{home} of {n} home", "{home} of {n} home", goals, home=home)


def blocked(board: Board, state: State, direction: Direction, names: dict[Square, str]) -> str:
    """Return what blocks a step: ``a wall is left of you``."""
    ahead = state.player + board.offsets[direction]
    if ahead not in names:
        return _(_WALLS[direction])
    behind = ahead + board.offsets[direction]
    what = box_called(names[behind]) if behind in names else _("a wall")
    return _(
        "{box} cannot be pushed {direction}: {obstacle} behind it",
        box=box_called(names[ahead]),
        direction=direction_name(direction),
        obstacle=what,
    )


def told_moves(board: Board, before: Situation, after: Situation, lurd: str) -> str:
    """Return the result of moves: ``box c pushed left to row 4 column 7, 3 of 6 home``."""
    boxes = moved_boxes(before, after)
    pushes = sum(map(str.isupper, lurd))
    if not pushes:
        return _told_walk(board, after.state.player, lurd)
    score, fates = homes(board, after.state), _fates_of(board, before.state, after.state)
    counts = {"pushes": pushes_text(pushes), "moves": moves_text(len(lurd))}
    if len(boxes) == 1:
        [box] = boxes
        told = _told_line(board, box, lurd) or _(
            "{box} pushed in {pushes} and {moves} to {place}",
            box=box_called(box.name),
            place=place(board, box.after),
            **counts,
        )
        return listed([told, *fates(box), score])
    if not boxes or len(boxes) > _MOST_PLACED:
        names = _boxes([box.name for box in boxes])
        return _("{boxes} pushed in {pushes}, {moves}, {homes}", boxes=names, homes=score, **counts)
    each = [
        listed(
            [
                _("{box} pushed to {place}", box=box_called(box.name), place=place(board, box.after)),
                *fates(box),
            ]
        )
        for box in boxes
    ]
    return in_clauses([*each, listed([*counts.values(), score])])


def _told_line(board: Board, box: Told, lurd: str) -> str:
    """Return the result of a walk and pushes of a box straight on; empty for other moves."""
    walk = lurd.rstrip("LURD")
    line = lurd[len(walk) :]
    if len(set(line)) > 1 or not (walk.islower() or not walk):
        return ""
    name, direction, end = box_called(box.name), direction_name(direction_of(line[0])), place(board, box.after)
    if len(line) == 1:
        pushed = _("{box} pushed {direction} to {place}", box=name, direction=direction, place=end)
    else:
        pushed = ngettext(
            "{box} pushed {n} {direction} to {place}",
            "{box} pushed {n} {direction} to {place}",
            len(line),
            box=name,
            direction=direction,
            place=end,
        )
    return (
        ngettext("walked {n}, then {pushed}", "walked {n}, then {pushed}", len(walk), pushed=pushed) if walk else pushed
    )


def told_back(board: Board, before: Situation, after: Situation) -> str:
    """Return the result of moves taken back: ``box c back to row 4 column 8, 2 of 6 home``."""
    boxes = moved_boxes(before, after)
    if not boxes:
        return _("you are back at {place}", place=place(board, after.state.player))
    score = homes(board, after.state)
    if len(boxes) > _MOST_PLACED:
        return _("{boxes} back where they were, {homes}", boxes=_boxes([box.name for box in boxes]), homes=score)
    each = [_("{box} back to {place}", box=box_called(box.name), place=place(board, box.after)) for box in boxes]
    return listed([with_and(each), score])


def moved_boxes(before: Situation, after: Situation) -> list[Told]:
    """Return the boxes that have moved, by name."""
    now = {name: square for square, name in after.name_of.items()}
    return [Told(name, square, now[name]) for square, name in before.name_of.items() if now[name] != square]


def _boxes(names: Sequence[str]) -> str:
    """Return ``box c``, ``boxes a, b and c``, or their number."""
    if not names:
        return _("no boxes")
    if len(names) > _MOST_NAMED:
        return boxes_text(len(names))
    return box_called(names[0]) if len(names) == 1 else _("boxes {names}", names=with_and(names))


def _fates_of(board: Board, before: State, after: State) -> Callable[[Told], list[str]]:
    """Return what becomes of a box: ``home`` if it is home, ``off its goal`` if it was.

    One that stands on a goal of another colour: ``on a blue goal``.
    """
    were_home, are_home = boxes_home(board, before), boxes_home(board, after)

    def fates(box: Told) -> list[str]:
        if are_home >> box.after & 1:
            return [home_text()]
        off = [_("off its goal")] if were_home >> box.before & 1 else []
        return [*off, on_text(goal_with_article(board, box.after))] if board.goals >> box.after & 1 else off

    return fates


def home_text() -> str:
    """Return ``home``."""
    return pgettext("a box is on its goal", "home")


def on_text(ground: str) -> str:
    """Return ``on a blue goal``, of a box or the player."""
    return _("on {ground}", ground=ground)


def _told_walk(board: Board, player: Square, lurd: str) -> str:
    end = place(board, player)
    if len(set(lurd)) > 1:
        return ngettext("walked {n} to {place}", "walked {n} to {place}", len(lurd), place=end)
    direction = direction_name(direction_of(lurd[0]))
    if len(lurd) == 1:
        return _("walked {direction} to {place}", direction=direction, place=end)
    return ngettext(
        "walked {n} {direction} to {place}",
        "walked {n} {direction} to {place}",
        len(lurd),
        direction=direction,
        place=end,
    )


def lost(deadlock: Deadlock, names: dict[Square, str], back: str) -> str:
    """Return ``box c and box d are frozen: this position is lost; U goes back``; ``back`` is that key, or empty."""
    reason = _fate_of([names[square] for square in squares_of(deadlock.boxes)], deadlock.kind)
    if back:
        return _("{reason}: this position is lost; {key} goes back", reason=reason, key=back)
    return _("{reason}: this position is lost", reason=reason)


def _fate_of(guilty: list[str], kind: DeadlockKind) -> str:
    """Return what is wrong with the boxes of a deadlock: ``box c is frozen``."""
    if not guilty:
        # Translators: of a position: it is proven that it is lost.
        return _("proven")
    one, more = _FATES[kind]
    if len(guilty) == 1:
        return _(one, box=box_called(guilty[0]))
    return _(more, boxes=with_and([*map(box_called, guilty)]) if len(guilty) <= _MOST_PLACED else _boxes(guilty))


def solved(recorded: Recorded, after: str) -> str:
    """Return ``solved in 97 pushes, 230 moves, your best is 95 pushes and 228 moves; next: Enter``."""
    now, before = recorded.solution, recorded.before
    solution = _("{pushes}, {moves}", pushes=pushes_text(now.pushes), moves=moves_text(now.moves))
    moves, pushes = before.by_moves, before.by_pushes
    if moves is None or pushes is None:
        return _("solved in {solution}, your first solution; {after}", solution=solution, after=after)
    best = _("{pushes} and {moves}", pushes=pushes_text(pushes.pushes), moves=moves_text(moves.moves))
    if now.moves < moves.moves or now.pushes < pushes.pushes:
        return _("solved in {solution}, a new best, it was {best}; {after}", solution=solution, best=best, after=after)
    return _("solved in {solution}, your best is {best}; {after}", solution=solution, best=best, after=after)
