"""Sentences to be read aloud: the board in words, moves, deadlocks and solutions. Rows and columns count from 1.

Each box has a letter, which it keeps wherever it is pushed.  On boards with colours a goal shows the number of its
colour, and a line below the board names the colours of numbers and of boxes.  Ice is ``~``.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, bitboard_of, lowest, squares_of
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.game import common_prefix
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import boxes_home, color_at, goal_color, legal_pushes, push
from sokoterm.language import N_, _, boxes_text, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.linemode.commands import COUNT, Given, number_in, numbers_in
from sokoterm.store.solutions import Recorded
from sokoterm.wording.kinds import COLOR_NAMES, ICE_SIGN, box_letter, color_name, free_letters

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
_AROUND = 3  # squares to each side of a map, by default
_SIDES = {
    Direction.LEFT: N_("left {ahead}"),
    Direction.RIGHT: N_("right {ahead}"),
    Direction.UP: N_("up {ahead}"),
    Direction.DOWN: N_("down {ahead}"),
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


class BoxNames:
    """The boxes of one level by name: a, b, c ... from the top left of its start, row by row.

    Letters of colours are no names: with colours A and B the first box is c.

    Only the moves that led to a position tell its boxes apart, so the names follow the moves.
    """

    def __init__(self, level: Level) -> None:
        board, boxes = level.board, level.start.boxes
        self._board = board
        self._offsets = board.offsets
        self._player = level.start.player
        self._lurd = ""
        letters = free_letters(board)
        self._at = {square: name_of(index, letters) for index, square in enumerate(squares_of(boxes & board.floor))}
        if board.colors:
            for square, name in self._at.items():
                if (color := color_at(board, boxes, square)) is not None:
                    self._at[square] = ColoredName(name, color)

    def after(self, lurd: str) -> dict[Square, str]:
        """Return the names of the boxes by square, in their order, after these moves from the start of the level.

        Costs as much as the moves that differ from those of the last call.
        """
        shared = shared_moves(self._lurd, lurd)
        for letter in reversed(self._lurd[shared:]):
            offset = self._offsets[direction_of(letter)]
            if letter.isupper():
                box = self._player + offset
                while box not in self._at:  # it slid on
                    box += offset
                self._at[self._player] = self._at.pop(box)
            self._player -= offset
        for letter in lurd[shared:]:
            offset = self._offsets[direction_of(letter)]
            self._player += offset
            if letter.isupper():
                landing = self._end_of_push(direction_of(letter))
                self._at[landing] = self._at.pop(self._player)
        self._lurd = lurd
        return dict(sorted(self._at.items(), key=lambda item: (len(item[1]), item[1])))

    def _end_of_push(self, direction: Direction) -> Square:
        """Return where a box comes to rest that was on the player's square before a push."""
        offset = self._offsets[direction]
        if not self._board.ice:
            return self._player + offset
        before = State(bitboard_of(self._at), self._player - offset)
        after = push(self._board, before, Push(self._player, direction))
        assert after is not None  # the moves are those of a play
        return lowest(after.boxes & ~before.boxes)


def name_of(index: int, letters: str) -> str:
    """Return the name of a box, made of some letters, by its place, from 0, among those of the start.

    >>> [name_of(index, "abcdefghijklmnopqrstuvwxyz") for index in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(letters))
        name = letters[letter] + name
    return name


def shared_moves(one: str, other: str) -> int:
    """Return the number of moves at the beginning of both; at once if one is the beginning of the other."""
    if one.startswith(other) or other.startswith(one):
        return min(len(one), len(other))
    return common_prefix(one, other)


def box_named(name: str, names: dict[Square, str]) -> Square | None:
    """Return the square of a box by its name, in upper or lower case; None for an unknown name."""
    return next((square for square, each in names.items() if each == name.casefold()), None)


def look(given: Given, level: Level, shown: Situation, status_line: str) -> list[str]:
    """Answer one of LOOKS, except ``facts`` and ``difficulty``; raises NumberError."""
    board, state, names = level.board, shown.state, shown.name_of
    match given.name:
        case "board":
            return [*board_lines(level, state, names), *color_lines(board, names)]
        case "map":
            return map_lines(level, state, names, number_in(given.arguments, COUNT, otherwise=_AROUND))
        case "boxes":
            return [_box_place(board, state, square, names) for square in names]
        case "goals":
            return goals_lines(board, names)
        case "status":
            return [status_line]
    if not given.arguments:
        return [around_player(board, state, names)]
    square = find_square(board, numbers_in(given.arguments))
    if square is not None:
        return [square_line(board, state, square, names)]
    box = box_named(given.arguments[0], names)
    if box is None:
        return [_("name a box, or a row and column of the board: where a, where 4,7")]
    return [box_line(board, state, box, names)]


def find_square(board: Board, numbers: list[int]) -> Square | None:
    """Return the square at a row and column counted from 1, None if there is none."""
    if len(numbers) != 2 or not (1 <= numbers[0] <= board.height and 1 <= numbers[1] <= board.width):
        return None
    return board.square(numbers[0] - 1, numbers[1] - 1)


def board_lines(level: Level, state: State, names: dict[Square, str]) -> list[str]:
    """Return the board with a letter for each box, a capital at home; ``$`` and ``*`` if the name is longer."""
    board = level.board
    rows = [list(row) for row in level.picture(state)]
    home = boxes_home(board, state)
    for square, name in names.items():
        row, column = board.row_column(square)
        sign = name if len(name) == 1 else "$"
        rows[row][column] = sign if not home >> square & 1 else name.upper() if len(name) == 1 else "*"
    if not board.is_ordinary:
        for row, cells in enumerate(rows):
            rows[row] = [_sign(board, board.square(row, column), cell) for column, cell in enumerate(cells)]
    return ["".join(row).rstrip() for row in rows]


def _sign(board: Board, square: Square, cell: str) -> str:
    """Return the number of its colour for a goal without a box, and the sign of ice for bare ice."""
    color = goal_color(board, square) if cell == "." else None
    if color is not None:
        return _digit(color)
    return ICE_SIGN if cell == " " and board.ice >> square & 1 else cell


def _digit(color: int) -> str:
    """Return the sign of the goals of a colour on a printed board, 1 again after 0."""
    return str((color + 1) % 10)


def color_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return ``colours: 1 orange (A), box c; 2 blue (B), boxes d and e``; no line for a board without colours."""
    boxes: dict[int, list[str]] = {}
    for name in names.values():
        if isinstance(name, ColoredName):
            boxes.setdefault(name.color, []).append(name)
    parts = []
    for color in range(len(board.colors)):
        some = boxes.get(color, [])
        named = f"{_digit(color)} {color_name(color)} ({box_letter(color)})"
        boxes_named = ngettext("box {names}", "boxes {names}", len(some), names=with_and(some)) if some else ""
        parts.append(listed([named, boxes_named]))
    return [_("colours: {colors}", colors=in_clauses(parts))] if parts else []


def map_lines(level: Level, state: State, names: dict[Square, str], reach: int) -> list[str]:
    """Return the part of the board around the player, under a line with its rows and columns."""
    board = level.board
    row, column = board.row_column(state.player)
    top, bottom = max(0, row - reach), min(board.height - 1, row + reach)
    left, right = max(0, column - reach), min(board.width - 1, column + reach)
    rows = board_lines(level, state, names)[top : bottom + 1]
    heading = _(
        "rows {top} to {bottom}, columns {left} to {right}:",
        top=top + 1,
        bottom=bottom + 1,
        left=left + 1,
        right=right + 1,
    )
    return [heading, *(row[left : right + 1].rstrip() for row in rows)]


def status(board: Board, state: State, moves: int, pushes: int) -> str:
    """Return ``13 moves, 7 pushes, 3 of 6 home, you are at row 4 column 8``."""
    return _(
        "{moves}, {pushes}, {homes}, you are at {place}",
        moves=moves_text(moves),
        pushes=pushes_text(pushes),
        homes=homes(board, state),
        place=place(board, state.player),
    )


def around_player(board: Board, state: State, names: dict[Square, str]) -> str:
    """Return the place of the player, and for each direction what comes first: ``left 3 free, then a wall``."""
    sides = [_(_SIDES[direction], ahead=_ahead(board, state, direction, names)) for direction in DIRECTIONS]
    here = [_("you are at {place}", place=place(board, state.player))]
    if board.goals >> state.player & 1 or _is_ice(board, state.player):
        here.append(on_text(_ground(board, state.player)))
    return in_clauses([listed(here), *sides])


def _ground(board: Board, square: Square) -> str:
    """Return ``floor``, ``ice``, ``a goal``, ``a blue goal on ice``."""
    if not board.goals >> square & 1:
        return _("ice") if _is_ice(board, square) else _("floor")
    goal = goal_with_article(board, square)
    return _("{goal} on ice", goal=goal) if _is_ice(board, square) else goal


def _is_ice(board: Board, square: Square) -> bool:
    return bool(board.ice >> square & 1)


def _ahead(board: Board, state: State, direction: Direction, names: dict[Square, str]) -> str:
    offset = board.offsets[direction]
    square, free = state.player + offset, 0
    while square not in names and square >= 0 and board.floor >> square & 1:
        square, free = square + offset, free + 1
    what = _("a wall")
    if square in names:
        can_move = square + offset not in names and board.floor >> max(0, square + offset) & 1
        what = box_called(names[square])
        what = what if can_move else _("{box}, blocked", box=what)
    # Translators: squares between the player and a wall or a box.
    return ngettext("{n} free, then {obstacle}", "{n} free, then {obstacle}", free, obstacle=what) if free else what


def box_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return ``box c at row 4 column 7, home``, and the directions in which it can be pushed now."""
    pushes = [direction_name(push.direction) for push in legal_pushes(board, state) if push.box == square]
    box = _box_place(board, state, square, names)
    if not pushes:
        return _("{box}; cannot be pushed from here", box=box)
    return _("{box}; can be pushed {directions}", box=box, directions=with_and(pushes))


def _box_place(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return ``box c at row 4 column 7, home``, or on a goal of another colour ``, on a blue goal``."""
    told = [_("{box} at {place}", box=box_called(names[square]), place=place(board, square))]
    if board.goals >> square & 1:
        is_home = boxes_home(board, state) >> square & 1
        told.append(home_text() if is_home else on_text(goal_with_article(board, square)))
    return listed(told)


def goals_lines(board: Board, names: dict[Square, str]) -> list[str]:
    """Return a line for each goal: its place, and its box."""
    return [
        _("{goal} at {place}: {box}", goal=called, place=where, box=box_called(names[goal]))
        if goal in names
        else _("{goal} at {place}: empty", goal=called, place=where)
        for goal in squares_of(board.goals)
        for called, where in [(goal_called(board, goal), place(board, goal))]
    ]


def square_line(board: Board, state: State, square: Square, names: dict[Square, str]) -> str:
    """Return the content of a square, and if the player can walk there."""
    where = place(board, square)
    if square in names:
        return box_line(board, state, square, names)
    if not board.floor >> square & 1:
        if board.walls >> square & 1:
            return _("{place}: a wall", place=where)
        return _("{place}: outside the board", place=where)
    what = _ground(board, square)
    if square == state.player:
        return _("{place}: {ground}, and you", place=where, ground=what)
    if reachable_area(board, state) >> square & 1:
        return _("{place}: {ground}; you can walk there", place=where, ground=what)
    return _("{place}: {ground}; you cannot walk there without pushing", place=where, ground=what)
