"""Reverse play: the player pulls boxes from the goals back to their starting squares, which yields a solution."""

from typing import NamedTuple

from sokoterm.app.request import Note
from sokoterm.engine.bits import Direction, Square, flood, lowest, regions
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, letter, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import pull, solved_boxes, step


class _Moment(NamedTuple):
    """A position, and the move of the solution that leads from it to the previous one; empty before the first pull."""

    state: State
    letter: str


def why_no_pulling(level: Level) -> Note | None:
    """Return the reason why a level cannot be played in reverse; None if it can."""
    if level.board.ice:
        return Note.NO_PULLING_ON_ICE
    return Note.GOALS_LEFT_OPEN if solved_boxes(level.board, level.start.boxes) is None else None


class Pulling:
    """A game in reverse from the solved position; requires that ``why_no_pulling`` returns None.

    Until the first pull, the player may stand anywhere. The game is over once the boxes are on their starting squares
    and the player can reach his; with ``is_free``, it has no aim.
    """

    def __init__(self, level: Level, *, is_free: bool = False) -> None:
        self.board = board = level.board
        boxes = solved_boxes(board, level.start.boxes)
        assert boxes is not None  # see ``why_no_pulling``
        self.level = level
        self.is_free = is_free
        free = board.floor & ~boxes
        player = level.start.player if free >> level.start.player & 1 else lowest(free)
        # The history including undone moments, and the current index.
        self._moments = [_Moment(State(boxes, max(0, player)), "")]
        self._at = 0

    @property
    def state(self) -> State:
        return self._moments[self._at].state

    @property
    def pulls(self) -> int:
        return sum(map(str.isupper, self.lurd))

    @property
    def shown(self) -> Level:
        """The level to display, with the boxes' starting squares as goals unless ``is_free``."""
        board, start = self.board, self.level.start
        if self.is_free:
            return self.level
        colors = tuple(board.boxes_by_layer(start.boxes)[1:])
        return self.level.replace(board=board._replace(goals=start.boxes & board.floor, colors=colors))

    @property
    def are_boxes_home(self) -> bool:
        """True if all boxes are on their starting squares, unless ``is_free``."""
        return not self.is_free and self.state.boxes == self.level.start.boxes

    @property
    def solution(self) -> Solution | None:
        """The resulting solution, verified; None until the start is reached."""
        if self.is_free or not self.are_boxes_home or not self.pulls:
            return None
        walk = find_walk(self.board, self.level.start, self.state.player)
        if walk is None:
            return None
        return verify(self.board, self.level.start, "".join(each.letter for each in walk) + self.lurd)

    @property
    def lurd(self) -> str:
        """The moves from this position to the solved position."""
        return "".join([each.letter for each in self._moments[self._at :: -1]])

    def act(self, action: str) -> Note | None:
        match action:
            case "left" | "down" | "up" | "right":
                self._walk(Direction[action.upper()])
            case "pull left" | "pull down" | "pull up" | "pull right":
                return self._pull(Direction[action.rpartition(" ")[2].upper()])
            case "undo" if self._at == 0:
                return Note.NOTHING_TO_UNDO
            case "redo" if self._at == len(self._moments) - 1:
                return Note.NOTHING_TO_REDO
            case "undo" | "redo":
                self._at += 1 if action == "redo" else -1
            case "undo all":
                self._at = 0
            case "redo all":
                self._at = len(self._moments) - 1
            case "next area":
                return self._next_area()
        return None

    def go_to(self, square: Square) -> Note | None:
        """Walk to a square; before the first pull, jump there."""
        free = self.board.floor & ~self.state.boxes
        if not free >> square & 1:
            return None
        if not self.pulls:
            self._add(_Moment(State(self.state.boxes, square), ""))
            return None
        walk = find_walk(self.board, self.state, square)
        if walk is None:
            return Note.NO_WAY
        for direction in walk:
            self._walk(direction)
        return None

    def _walk(self, direction: Direction) -> None:
        after = step(self.board, State(0, self.state.player), direction)
        if after is None or self.state.boxes >> after.player & 1:
            return
        move = letter(direction.opposite, False) if self.pulls else ""
        self._add(_Moment(State(self.state.boxes, after.player), move))

    def _pull(self, direction: Direction) -> Note | None:
        after = pull(self.board, self.state, direction)
        if after is None:
            return Note.NOTHING_TO_PULL
        self._add(_Moment(after, letter(direction.opposite, True)))
        return None

    def _next_area(self) -> Note | None:
        """Move to the next area of floor separated by boxes; only before the first pull."""
        if self.pulls:
            return Note.PLAYER_STAYS
        boxes, stride = self.state.boxes & self.board.floor, self.board.stride
        areas = regions(self.board.floor & ~boxes, stride)
        here = flood(1 << self.state.player, self.board.floor & ~boxes, stride)
        area = areas[(areas.index(here) + 1) % len(areas)]
        self._add(_Moment(State(self.state.boxes, lowest(area)), ""))
        return None

    def _add(self, moment: _Moment) -> None:
        if moment != self._moments[self._at]:
            self._at += 1
            self._moments[self._at :] = [moment]
