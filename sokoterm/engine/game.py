"""One play of a level: its moves, grouped undo and redo, bookmarks and counters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Direction
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Stance, blocked, parse_directions, stance_after
from sokoterm.engine.rules import PUSHED, Stepper, step, why_blocked
from sokoterm.engine.value import Value
from sokoterm.language import _

MOST_MOVES = 1_000_000
"""Most moves in one play.  The longest known solution has 612,529."""
# Undoing this many moves takes less time than setting up the board again.
_NEAR = 64
# Memory overhead of an edit, in letters.
_EDIT_COST = 16


class Edit(NamedTuple):
    """One undo group: it replaced the moves after the first ``at``, ``removed``, by ``added`` (LURD)."""

    at: int
    removed: str
    added: str

    @property
    def cost(self) -> int:
        """Size in letters, for the limit of a history."""
        return len(self.removed) + len(self.added) + _EDIT_COST


class Stop(Value):
    """The first blocked step of a sequence: its number from 1, its direction and what blocks it."""

    number: int
    direction: Direction
    reason: str


class Game(Stepper):
    """The moves from a level's start to the current position, and the history that undo and redo go through.

    Each command of the player is one Edit, whether it adds a step, runs, restarts, returns to a bookmark or takes over
    a replay.  The first ``cursor`` edits are done; the rest can be redone.

    A play has at most ``most_moves`` moves, and its edits about four times as many letters.  Beyond that, the oldest
    edits are merged and ``was_condensed`` is set.  All changes except walks set ``must_save``.  The caller clears both.
    """

    def __init__(
        self,
        level: Level,
        edits: Sequence[Edit] = (),
        cursor: int = 0,
        bookmarks: Mapping[str, str] | None = None,
        most_moves: int = MOST_MOVES,
    ) -> None:
        """Resume a play; raise LurdError if the edits do not fit the level or each other, even those to be redone."""
        super().__init__(level.board, level.start)
        self.level = level
        self.edits: list[Edit] = []
        self.bookmarks: dict[str, str] = dict(bookmarks or {})
        self.was_condensed = False
        self._most_moves = most_moves
        # In letters: enough for a play of full length and an edit that replaces all of it.
        self._most_kept = 4 * most_moves + 2 * _EDIT_COST
        self._cost = 0
        self.pushes = 0
        self.cursor = 0
        for edit in edits:
            self._take_up(edit)
        if not 0 <= cursor <= self.cursor:
            raise LurdError(f"found {cursor} edits done of {self.cursor}", self.moves)
        while self.cursor > cursor:
            self.undo()
        self._condense()
        self.must_save = False

    @property
    def stance(self) -> Stance:
        moves = self.moves
        return stance_after(moves, self.lurd_from(moves - 1) if moves else "")

    @property
    def is_solved(self) -> bool:
        """True if every box is on a goal and a box was pushed, since some levels begin solved."""
        return self.pushes > 0 and not self._boxes & self._not_home

    @property
    def can_undo(self) -> bool:
        return self.cursor > 0

    @property
    def can_redo(self) -> bool:
        return self.cursor < len(self.edits)

    @property
    def room(self) -> int:
        """Number of moves left; a play saved by an older version may exceed the limit."""
        return max(0, self._most_moves - self.moves)

    def walk_or_push(self, direction: Direction) -> bool:
        """Make one step; False if it is blocked or the play is full."""
        return self.play_legal([direction]) is None

    def run(self, direction: Direction) -> bool:
        """Walk as far as possible or, if the first step is a push, push as far as possible; False if nothing moved."""
        at = self.moves
        while self.room and self.move(direction):
            if (self._trail[-1] ^ self._trail[at]) & PUSHED:
                self._step_back()
                break
        return self._add_steps(at)

    def play(self, steps: Iterable[Direction]) -> None:
        """Make steps as one undo group; raise LurdError, changing nothing, if one is blocked or they are too many."""
        letters = "".join(each.letter for each in steps)
        if letters:
            self._edit(self.moves, letters)

    def play_legal(self, steps: Iterable[Direction]) -> Stop | None:
        """Make steps as one undo group up to the first blocked step, and return that step, or None."""
        at, stop = self.moves, None
        for direction in steps:
            if not self.room or not self.move(direction):
                is_blocked = step(self.board, self.state, direction) is None
                why = why_blocked(self.board, self.state, direction) if is_blocked else too_long()
                stop = Stop(self.moves - at + 1, direction, why)
                break
        self._add_steps(at)
        return stop

    def restart(self) -> bool:
        return self.go_to("")

    def go_to(self, lurd: str) -> bool:
        """Replace all moves by ``lurd`` as one undo group; False if they are the same; raises LurdError as ``play``."""
        shared = shared_moves(self.lurd, lurd)
        if shared == self.moves == len(lurd):
            return False
        self._edit(shared, lurd[shared:])
        return True

    def undo(self) -> bool:
        if not self.can_undo:
            return False
        self.cursor -= 1
        edit = self.edits[self.cursor]
        self._rewind(edit.at)
        self._advance(edit.removed)
        self.must_save = True
        return True

    def redo(self) -> bool:
        if not self.can_redo:
            return False
        edit = self.edits[self.cursor]
        self.cursor += 1
        self._rewind(edit.at)
        self._advance(edit.added)
        self.must_save = True
        return True

    def undo_all(self) -> bool:
        changed = self.can_undo
        while self.undo():
            pass
        return changed

    def redo_all(self) -> bool:
        changed = self.can_redo
        while self.redo():
            pass
        return changed

    def undo_until(self, is_good: Callable[[State], bool]) -> bool:
        """Undo groups until ``is_good`` holds; if it never does, change nothing and return False."""
        cursor = self.cursor
        while not is_good(self.state):
            if not self.undo():
                while self.cursor < cursor:
                    self.redo()
                return False
        return True

    def set_bookmark(self, name: str) -> bool:
        """Store the moves so far under a name; False if the level's bookmarks would hold too many moves."""
        others = sum(len(lurd) + _EDIT_COST for other, lurd in self.bookmarks.items() if other != name)
        if others + self.moves > self._most_kept:
            return False
        self.bookmarks[name] = self.lurd
        self.must_save = True
        return True

    def go_to_bookmark(self, name: str) -> bool:
        """Go to a bookmark as one undo group; False if there is none of that name."""
        if name not in self.bookmarks:
            return False
        self.go_to(self.bookmarks[name])
        return True

    def _take_up(self, edit: Edit) -> None:
        if not 0 <= edit.at <= self.moves or self.lurd_from(edit.at) != edit.removed:
            raise LurdError(f"edit {self.cursor + 1} does not fit the moves before it", self.moves)
        self._rewind(edit.at)
        self._advance(edit.added)
        self.edits.append(edit)
        self._cost += edit.cost
        self.cursor += 1

    def _add_steps(self, at: int) -> bool:
        if added := self.lurd_from(at):
            self.pushes += sum(map(str.isupper, added))
            self._add_edit(Edit(at, "", added))
        return bool(added)

    def _edit(self, at: int, added: str) -> None:
        if at + len(added) > self._most_moves:
            raise LurdError(too_long(), self._most_moves + 1)
        removed = self.lurd_from(at)
        self._rewind(at)
        try:
            self._advance(added)
        except LurdError:
            self._advance(removed)
            raise
        self._add_edit(Edit(at, removed, self.lurd_from(at)))

    def _add_edit(self, edit: Edit) -> None:
        self.must_save = self.must_save or bool(edit.removed) or not edit.added.islower()
        self._cost += edit.cost - sum(each.cost for each in self.edits[self.cursor :])
        self.edits[self.cursor :] = [edit]
        self.cursor += 1
        self._condense()

    def _condense(self) -> None:
        """If the history is over its limit, halve it by merging the oldest edits, except the last one done.

        If that is not enough, as in a history from an older version, drop edits to be redone, the last first.
        """
        if self._cost <= self._most_kept:
            return
        letters: list[str] = []
        count = 0
        while count < self.cursor - 1 and self._cost + len(letters) > self._most_kept // 2:
            edit = self.edits[count]
            self._cost -= edit.cost
            letters[edit.at :] = edit.added
            count += 1
        if count:
            base = Edit(0, "", "".join(letters))
            self._cost += base.cost
            self.edits[:count] = [base]
            self.cursor -= count - 1
        while self._cost > self._most_kept and self.can_redo:
            self._cost -= self.edits.pop().cost
        self.was_condensed = True

    def _rewind(self, at: int) -> None:
        self.pushes -= sum(map(str.isupper, self.lurd_from(at)))
        if not at and self.moves > _NEAR:
            super().__init__(self.board, self.level.start)
        while self.moves > at:
            self._step_back()

    def _advance(self, lurd: str) -> None:
        at = self.moves
        for number, direction in enumerate(parse_directions(lurd)):
            if not self.move(direction):
                while self.moves > at:
                    self._step_back()
                raise blocked(number, direction)
        self.pushes += sum(map(str.isupper, self.lurd_from(at)))


def too_long() -> str:
    return _("a game has at most {most:,} moves", most=MOST_MOVES)


def shared_moves(one: str, other: str) -> int:
    """Return the number of leading moves that two sequences share."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:
        return shorter
    return next(at for at in range(shorter) if one[at] != other[at])
