"""Sentences to be read aloud: the board in words, moves, deadlocks and solutions.

Rows and columns count from 1. Each box has a letter, which it keeps when pushed. On boards with colours, a goal shows
the number of its colour, and a line below lists the colours. Ice is ``~``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction, Square, lowest, squares_of
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock
from sokoterm.engine.game import shared_moves
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import direction_of
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import boxes_home, color_at, goal_color, legal_pushes, step, step_back
from sokoterm.language import N_, _, boxes_text, in_clauses, joined, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.linemode.commands import COUNT, Given, number_in, numbers_in
from sokoterm.store.solutions import Recorded
from sokoterm.wording import kinds
from sokoterm.wording.outcomes import DEADLOCKS

_WALLS = {
    Direction.LEFT: N_("a wall is left of you"),
    Direction.RIGHT: N_("a wall is right of you"),
    Direction.UP: N_("a wall is above you"),
    Direction.DOWN: N_("a wall is below you"),
}
# The most boxes described with places, and with names.
_MOST_PLACED = 2
_MOST_NAMED = 8
_AROUND = 3  # squares to each side of a map, by default
_SIDES = {
    Direction.LEFT: N_("left {ahead}"),
    Direction.RIGHT: N_("right {ahead}"),
    Direction.UP: N_("up {ahead}"),
    Direction.DOWN: N_("down {ahead}"),
}


class Situation(NamedTuple):
    """A position of a level after the moves ``lurd``, with the names of its boxes by square, in order."""

    level: Level
    state: State
    lurd: str
    names: dict[Square, str]

    @property
    def board(self) -> Board:
        return self.level.board

    # What is asked for

    def find_box(self, name: str) -> Square | None:
        """Return the square of a box by name, ignoring case."""
        return next((square for square, each in self.names.items() if each == name.casefold()), None)

    def find_square(self, numbers: list[int]) -> Square | None:
        """Return the square at a row and column, if it is on the board."""
        board = self.board
        if len(numbers) != 2 or not (1 <= numbers[0] <= board.height and 1 <= numbers[1] <= board.width):
            return None
        return board.square(numbers[0] - 1, numbers[1] - 1)

    def look(self, given: Given) -> list[str]:
        """Answer one of LOOKS, except ``facts`` and ``difficulty``; raises ArgumentError."""
        match given.name:
            case "board":
                return self.picture()
            case "map":
                return self._map(number_in(given.arguments, COUNT, otherwise=_AROUND))
            case "boxes":
                return [self._box_place(square) for square in self.names]
            case "goals":
                return self._goals()
            case "status":
                return [self.status]
        if not given.arguments:
            return [self._around()]
        square = self.find_square(numbers_in(given.arguments))
        if square is None:
            square = self.find_box(given.arguments[0])
        if square is None:
            return [_("name a box, or a row and column of the board: where a, where 4,7")]
        return [self.on(square)]

    # Names

    def box(self, square: Square) -> str:
        """``box c``, ``blue box c``."""
        return kinds.box_text(self.board, self.state.boxes, square, self.names[square])

    def place(self, square: Square) -> str:
        """``row 4 column 7``."""
        return kinds.place_text(self.board, square)

    def places(self, squares: Iterable[Square]) -> str:
        """``row 3 columns 4 to 7 and 9, row 5 column 2``."""
        rows = []
        for row, some in groupby(map(self.board.row_column, sorted(squares)), key=lambda place: place[0]):
            columns, told = [column + 1 for __, column in some], list[str]()
            for __, run in groupby(enumerate(columns), key=lambda each: each[1] - each[0]):
                first, *others = [column for __, column in run]
                if len(others) > 1:
                    # Translators: columns of a board: 4 to 7.
                    told.append(_("{first} to {last}", first=first, last=others[-1]))
                else:
                    told += map(str, [first, *others])
            at = {"row": row + 1, "columns": with_and(told)}
            rows.append(ngettext("row {row} column {columns}", "row {row} columns {columns}", len(columns), **at))
        return listed(rows)

    def _boxes(self, squares: Sequence[Square]) -> str:
        """``box c``, ``boxes a, b and c``, or their number."""
        if not squares:
            return _("no boxes")
        if len(squares) > _MOST_NAMED:
            return boxes_text(len(squares))
        if len(squares) == 1:
            return self.box(squares[0])
        return _("boxes {names}", names=with_and([self.names[square] for square in squares]))

    def _goal_with_article(self, goal: Square) -> str:
        """``a goal``, ``a blue goal``, ``an orange goal``."""
        color = goal_color(self.board, goal)
        if color is None:
            return _("a goal")
        if kinds.COLOR_NAMES[color % len(kinds.COLOR_NAMES)][0] in "aeiou":
            # Translators: the same as "a {color} goal", before a vowel.
            return _("an {color} goal", color=kinds.color_name(color))
        return _("a {color} goal", color=kinds.color_name(color))

    def _ground(self, square: Square) -> str:
        """``floor``, ``ice``, ``a goal``, ``a blue goal on ice``."""
        is_ice = self.board.ice >> square & 1
        if not self.board.goals >> square & 1:
            return _("ice") if is_ice else _("floor")
        goal = self._goal_with_article(square)
        return _("{goal} on ice", goal=goal) if is_ice else goal

    # The whole position

    @property
    def homes(self) -> str:
        """``3 of 6 home``."""
        home, goals = boxes_home(self.board, self.state).bit_count(), self.board.goals.bit_count()
        # Translators: boxes on their goals, of all goals.
        return ngettext("{home} of {n} home", "{home} of {n} home", goals, home=home)

    @property
    def status(self) -> str:
        """``13 moves, 7 pushes, 3 of 6 home, you are at row 4 column 8``."""
        counts = {"moves": moves_text(len(self.lurd)), "pushes": pushes_text(sum(map(str.isupper, self.lurd)))}
        place = self.place(self.state.player)
        return _("{moves}, {pushes}, {homes}, you are at {place}", homes=self.homes, place=place, **counts)

    def picture(self) -> list[str]:
        """The board, with a letter per box (capital: home; ``$`` or ``*``: longer name), and a line on colours."""
        board, home = self.board, boxes_home(self.board, self.state)
        marks = [(goals, ".", _digit(color)) for color, goals in enumerate(board.colors)]
        marks.append((board.ice, " ", kinds.ICE_SIGN))
        for square, name in self.names.items():
            letter, sign = (name.upper(), "*") if home >> square & 1 else (name, "$")
            marks.append((1 << square, "$*", letter if len(name) == 1 else sign))
        rows = kinds.marked_picture(self.level, self.state, marks)
        return [*map(str.rstrip, rows), *self._colors()]

    def _colors(self) -> list[str]:
        """``colours: 1 orange (A), box c; 2 blue (B), boxes d and e``; nothing for a board without colours."""
        color_of = {name: color_at(self.board, self.state.boxes, square) for square, name in self.names.items()}
        parts = []
        for color in range(len(self.board.colors)):
            some = [name for name in self.names.values() if color_of[name] == color]
            name = f"{_digit(color)} {kinds.color_name(color)}"
            named = _("{figure} ({more})", figure=name, more=kinds.box_letter(color))
            boxes = ngettext("box {names}", "boxes {names}", len(some), names=with_and(some)) if some else ""
            parts.append(listed([named, boxes]))
        return [_("colours: {colors}", colors=in_clauses(parts))] if parts else []

    def _map(self, reach: int) -> list[str]:
        board = self.board
        row, column = board.row_column(self.state.player)
        top, bottom = max(0, row - reach), min(board.height - 1, row + reach)
        left, right = max(0, column - reach), min(board.width - 1, column + reach)
        ends = {"top": top + 1, "bottom": bottom + 1, "left": left + 1, "right": right + 1}
        heading = _("rows {top} to {bottom}, columns {left} to {right}:", **ends)
        return [heading, *(row[left : right + 1].rstrip() for row in self.picture()[top : bottom + 1])]

    def _goals(self) -> list[str]:
        lines = []
        for goal in squares_of(self.board.goals):
            color, place = goal_color(self.board, goal), self.place(goal)
            called = _("{color} goal", color=kinds.color_name(color)) if color is not None else _("goal")
            if goal in self.names:
                lines.append(_("{goal} at {place}: {box}", goal=called, place=place, box=self.box(goal)))
            else:
                lines.append(_("{goal} at {place}: empty", goal=called, place=place))
        return lines

    # Squares

    def on(self, square: Square) -> str:
        """The content of a square, and whether the player can walk there, or where its box can be pushed."""
        place = self.place(square)
        if square in self.names:
            box, pushes = self._box_place(square), legal_pushes(self.board, self.state)
            directions = with_and([direction_name(push.direction) for push in pushes if push.box == square])
            if not directions:
                return _("{box}; cannot be pushed from here", box=box)
            return _("{box}; can be pushed {directions}", box=box, directions=directions)
        if not self.board.floor >> square & 1:
            if self.board.walls >> square & 1:
                return _("{place}: a wall", place=place)
            return _("{place}: outside the board", place=place)
        ground = self._ground(square)
        if square == self.state.player:
            return _("{place}: {ground}, and you", place=place, ground=ground)
        if reachable_area(self.board, self.state) >> square & 1:
            return _("{place}: {ground}; you can walk there", place=place, ground=ground)
        return _("{place}: {ground}; you cannot walk there without pushing", place=place, ground=ground)

    def _box_place(self, square: Square) -> str:
        """``box c at row 4 column 7, home``, or on a goal of another colour ``, on a blue goal``."""
        told = _("{box} at {place}", box=self.box(square), place=self.place(square))
        return listed([told, self._standing(square)])

    def _standing(self, square: Square) -> str:
        """``home`` for a box on a goal that accepts it, ``on a blue goal`` on another one, else empty."""
        if self._is_home(square):
            return pgettext("a box is on its goal", "home")
        return on_text(self._goal_with_article(square)) if self.board.goals >> square & 1 else ""

    def _is_home(self, square: Square) -> bool:
        return bool(boxes_home(self.board, self.state) >> square & 1)

    def _around(self) -> str:
        """The player's place, and the first thing in each direction: ``left 3 free, then a wall``."""
        board, player = self.board, self.state.player
        sides = [_(_SIDES[direction], ahead=self._ahead(direction)) for direction in DIRECTIONS]
        here = [_("you are at {place}", place=self.place(player))]
        if (board.goals | board.ice) >> player & 1:
            here.append(on_text(self._ground(player)))
        return in_clauses([listed(here), *sides])

    def _ahead(self, direction: Direction) -> str:
        board, offset = self.board, self.board.offsets[direction]
        square, free = self.state.player + offset, 0
        while square not in self.names and square >= 0 and board.floor >> square & 1:
            square, free = square + offset, free + 1
        what = _("a wall")
        if square in self.names:
            can_move = square + offset not in self.names and board.floor >> max(0, square + offset) & 1
            what = self.box(square)
            what = what if can_move else _("{box}, blocked", box=what)
        # Translators: squares between the player and a wall or a box.
        return ngettext("{n} free, then {obstacle}", "{n} free, then {obstacle}", free, obstacle=what) if free else what

    def blocked(self, direction: Direction) -> str:
        """The reason why a step is blocked: ``a wall is left of you``."""
        offset = self.board.offsets[direction]
        ahead = self.state.player + offset
        if ahead not in self.names:
            return _(_WALLS[direction])
        told = {"box": self.box(ahead), "direction": direction_name(direction)}
        obstacle = self.box(ahead + offset) if ahead + offset in self.names else _("a wall")
        return _("{box} cannot be pushed {direction}: {obstacle} behind it", obstacle=obstacle, **told)

    def lost(self, deadlock: Deadlock, back: str) -> str:
        """``box c and box d are frozen: this position is lost; U goes back``, where ``back`` is that key or empty."""
        guilty, (__, one, more, __) = squares_of(deadlock.boxes), DEADLOCKS[deadlock.kind]
        if not guilty:
            # Translators: it is proven that a position is lost.
            reason = _("proven")
        elif len(guilty) == 1:
            reason = _(one, box=self.box(guilty[0]))
        else:
            boxes = with_and([*map(self.box, guilty)]) if len(guilty) <= _MOST_PLACED else self._boxes(guilty)
            reason = _(more, boxes=boxes)
        if back:
            return _("{reason}: this position is lost; {key} goes back", reason=reason, key=back)
        return _("{reason}: this position is lost", reason=reason)

    # Changes

    def since(self, before: "Situation") -> str:
        """The changes by moves made or undone; empty if there are none."""
        shared = shared_moves(before.lurd, self.lurd)
        if shared == len(before.lurd) == len(self.lurd):
            return ""
        if shared == len(before.lurd):
            return self._moved(before, self.lurd[shared:])
        return self._taken_back(before) if shared == len(self.lurd) else self.status

    def _moved(self, before: "Situation", lurd: str) -> str:
        """``box c pushed left to row 4 column 7, 3 of 6 home``."""
        pushes, moved = sum(map(str.isupper, lurd)), self._moved_boxes(before)
        if not pushes:
            return self._walked(lurd)
        counts = {"pushes": pushes_text(pushes), "moves": moves_text(len(lurd))}
        if len(moved) == 1:
            ((square, now),) = moved
            told = self._pushed_on(now, lurd) or _(
                "{box} pushed in {pushes} and {moves} to {place}", box=self.box(now), place=self.place(now), **counts
            )
            return listed([told, *self._fates(before, square, now), self.homes])
        if not moved or len(moved) > _MOST_PLACED:
            boxes = self._boxes([now for __, now in moved])
            return _("{boxes} pushed in {pushes}, {moves}, {homes}", boxes=boxes, homes=self.homes, **counts)
        each = []
        for square, now in moved:
            told = _("{box} pushed to {place}", box=self.box(now), place=self.place(now))
            each.append(listed([told, *self._fates(before, square, now)]))
        return in_clauses([*each, listed([*counts.values(), self.homes])])

    def _moved_boxes(self, before: "Situation") -> list[tuple[Square, Square]]:
        """The old and new squares of boxes that have moved, in the order of their names."""
        return [(square, now) for square, now in zip(before.names, self.names, strict=True) if square != now]

    def _fates(self, before: "Situation", square: Square, now: Square) -> list[str]:
        """New state of a box: ``home``, ``off its goal`` if it was home, or ``on a blue goal`` of another colour."""
        is_off = before._is_home(square) and not self._is_home(now)
        return [_("off its goal") if is_off else "", self._standing(now)]

    def _pushed_on(self, box: Square, lurd: str) -> str:
        """The result of a walk followed by pushes of a box in one direction; empty for other moves."""
        walk = lurd.rstrip("LURD")
        line = lurd[len(walk) :]
        if len(set(line)) > 1 or not (walk.islower() or not walk):
            return ""
        told = {"box": self.box(box), "direction": direction_name(direction_of(line[0])), "place": self.place(box)}
        if len(line) == 1:
            pushed = _("{box} pushed {direction} to {place}", **told)
        else:
            pushed = ngettext(
                "{box} pushed {n} {direction} to {place}", "{box} pushed {n} {direction} to {place}", len(line), **told
            )
        if not walk:
            return pushed
        return ngettext("walked {n}, then {pushed}", "walked {n}, then {pushed}", len(walk), pushed=pushed)

    def _walked(self, lurd: str) -> str:
        place, steps = self.place(self.state.player), len(lurd)
        if len(set(lurd)) > 1:
            return ngettext("walked {n} to {place}", "walked {n} to {place}", steps, place=place)
        told = {"direction": direction_name(direction_of(lurd[0])), "place": place}
        if steps == 1:
            return _("walked {direction} to {place}", **told)
        return ngettext("walked {n} {direction} to {place}", "walked {n} {direction} to {place}", steps, **told)

    def _taken_back(self, before: "Situation") -> str:
        """``box c back to row 4 column 8, 2 of 6 home``."""
        boxes = [now for __, now in self._moved_boxes(before)]
        if not boxes:
            return _("you are back at {place}", place=self.place(self.state.player))
        if len(boxes) > _MOST_PLACED:
            return _("{boxes} back where they were, {homes}", boxes=self._boxes(boxes), homes=self.homes)
        each = [_("{box} back to {place}", box=self.box(box), place=self.place(box)) for box in boxes]
        return listed([with_and(each), self.homes])


def direction_name(direction: Direction) -> str:
    """``left``, as in ``box c pushed left``."""
    return {
        Direction.LEFT: pgettext("way that something moves", "left"),
        Direction.RIGHT: pgettext("way that something moves", "right"),
        Direction.UP: pgettext("way that something moves", "up"),
        Direction.DOWN: pgettext("way that something moves", "down"),
    }[direction]


def with_and(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    # Translators: the end of a list: a, b and c.
    return _("{others} and {last}", others=joined(words[:-1]), last=words[-1])


def on_text(ground: str) -> str:
    """``on a blue goal``, of a box or the player."""
    return _("on {ground}", ground=ground)


def _digit(color: int) -> str:
    """Return the sign of goals of a colour on a printed board: 1 to 9, 0, then again from 1."""
    return str((color + 1) % 10)


def solved(recorded: Recorded, after: str) -> str:
    """``solved in 97 pushes, 230 moves, your best is 95 pushes and 228 moves; next: Enter``."""
    now, before = recorded.solution, recorded.before
    solution = listed([pushes_text(now.pushes), moves_text(now.moves)])
    moves, pushes = before.by_moves, before.by_pushes
    if moves is None or pushes is None:
        return _("solved in {solution}, your first solution; {after}", solution=solution, after=after)
    best = _("{pushes} and {moves}", pushes=pushes_text(pushes.pushes), moves=moves_text(moves.moves))
    if now.moves < moves.moves or now.pushes < pushes.pushes:
        return _("solved in {solution}, a new best (it was {best}); {after}", solution=solution, best=best, after=after)
    return _("solved in {solution}, your best is {best}; {after}", solution=solution, best=best, after=after)


class BoxNames:
    """The names of boxes: a, b, c ... from the top left of the start, without colour letters.

    As positions do not identify boxes, the names follow the moves.
    """

    def __init__(self, level: Level) -> None:
        self._level = level
        self._state = level.start
        self._lurd = ""
        letters = kinds.free_letters(level.board)
        boxes = squares_of(level.start.boxes & level.board.floor)
        self._at = {square: name_of(index, letters) for index, square in enumerate(boxes)}

    def situation(self, lurd: str) -> Situation:
        """Return the position after these moves; the cost depends on the moves that differ from the last call."""
        board, shared = self._level.board, shared_moves(self._lurd, lurd)
        for letter in reversed(self._lurd[shared:]):
            self._go(step_back(board, self._state, direction_of(letter), pushed=letter.isupper()))
        for letter in lurd[shared:]:
            after = step(board, self._state, direction_of(letter))
            assert after is not None  # the moves are those of a play
            self._go(after)
        self._lurd = lurd
        names = dict(sorted(self._at.items(), key=lambda item: (len(item[1]), item[1])))
        return Situation(self._level, self._state, lurd, names)

    def _go(self, state: State) -> None:
        """Apply one step forward or back, renaming the box it moves."""
        if moved := (state.boxes ^ self._state.boxes) & self._level.board.floor:
            self._at[lowest(moved & state.boxes)] = self._at.pop(lowest(moved & self._state.boxes))
        self._state = state


def name_of(index: int, letters: str) -> str:
    """Return the name of the box with this index, made of ``letters``.

    >>> [name_of(index, "abcdefghijklmnopqrstuvwxyz") for index in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(letters))
        name = letters[letter] + name
    return name
