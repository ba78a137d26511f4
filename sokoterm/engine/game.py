"""One play of a level: its moves, grouped undo and redo, bookmarks and counters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Direction
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Stance, direction_of, letter, parse_lurd, play, stance_after
from sokoterm.engine.rules import is_solved, step, step_back, why_blocked
from sokoterm.engine.value import Value
from sokoterm.language import _

MOST_MOVES = 1_000_000
"""Most moves in one play.  The longest known solution has 612,529."""
# Memory overhead of an edit, in letters.
_EDIT_COST = 16


class Edit(NamedTuple):
    """One undo group: the moves after the first ``at`` were ``removed`` and are now ``added`` (LURD)."""

    at: int
    removed: str
    added: str

    @property
    def cost(self) -> int:
        """Size counted against the limit of a history, in letters."""
        return len(self.removed) + len(self.added) + _EDIT_COST


class Stop(Value):
    """The first blocked step of a sequence: its number from 1, its direction and what blocks it."""

    number: int
    direction: Direction
    reason: str


class Game:
    """The moves from a level's start to the current position, and the history that undo and redo go through.

    Each command of the player is one Edit of the moves, whether it adds a step, runs, restarts, returns to a bookmark
    or takes over a replay; the first ``cursor`` edits are done, the rest can be redone.

    A play has at most ``most_moves`` moves, and its edits hold about four times as many letters.  Above that, the
    oldest edits are merged into one and ``was_condensed`` is set.  ``must_save`` is set by all changes but walks.  The
    caller clears both.
    """

    def __init__(
        self,
        level: Level,
        edits: Sequence[Edit] = (),
        cursor: int = 0,
        bookmarks: Mapping[str, str] | None = None,
        most_moves: int = MOST_MOVES,
    ) -> None:
        """Resume a play; raise LurdError if the edits do not fit the level or one another.

        All edits are played, including those to be redone, so undo and redo cannot fail later.
        """
        self.level = level
        self.state = level.start
        self.edits: list[Edit] = []
        self.bookmarks: dict[str, str] = dict(bookmarks or {})
        self.was_condensed = False
        self._most_moves = most_moves
        # In letters: always enough for a play of full length and an edit that replaces all of it.
        self._most_kept = 4 * most_moves + 2 * _EDIT_COST
        self._letters: list[str] = []
        self._pushes = 0
        self._judged: tuple[State | None, bool] = None, False
        self._cost = 0
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
    def moves(self) -> int:
        """Number of moves from the start to the current position."""
        return len(self._letters)

    @property
    def pushes(self) -> int:
        """Number of pushes from the start to the current position."""
        return self._pushes

    @property
    def lurd(self) -> str:
        """Moves from the start to the current position."""
        return "".join(self._letters)

    @property
    def stance(self) -> Stance:
        """Pose of the player after the last move."""
        return stance_after(self.moves, self._letters[-1] if self._letters else "")

    def lurd_from(self, number: int) -> str:
        """The moves after the first ``number``."""
        return "".join(self._letters[number:])

    @property
    def is_solved(self) -> bool:
        """True if every box is on a goal and a box was pushed: some levels begin solved."""
        if self._judged[0] is not self.state:  # it is asked several times a key
            self._judged = self.state, self._pushes > 0 and is_solved(self.level.board, self.state)
        return self._judged[1]

    @property
    def can_undo(self) -> bool:
        return self.cursor > 0

    @property
    def can_redo(self) -> bool:
        return self.cursor < len(self.edits)

    @property
    def room(self) -> int:
        """Number of moves left before the play is full; a play from an older version may be over the limit."""
        return max(0, self._most_moves - self.moves)

    def walk_or_push(self, direction: Direction) -> bool:
        """Make one step; False if it is blocked or the play is full."""
        return self.play_legal([direction]) is None

    def run(self, direction: Direction) -> bool:
        """Walk as far as possible without a push or, if the first step is a push, push until blocked.

        False if nothing moved.
        """
        board = self.level.board
        pushing: bool | None = None
        state = self.state
        letters: list[str] = []
        while len(letters) < self.room and (after := step(board, state, direction)) is not None:
            pushed = after.boxes != state.boxes
            if pushing is not None and pushed != pushing:
                break
            pushing = pushed
            letters.append(letter(direction, pushed))
            state = after
        if letters:
            self._append("".join(letters), state)
        return bool(letters)

    def play(self, steps: Iterable[Direction]) -> None:
        """Make several steps as one undo group; raise LurdError, changing nothing, if one is blocked or too many."""
        letters = "".join(each.letter for each in steps)
        if letters:
            self._edit(self.moves, letters)

    def play_legal(self, steps: Iterable[Direction]) -> Stop | None:
        """Make the steps up to the first blocked one, as one undo group; return that one, or None if all were made."""
        board, state = self.level.board, self.state
        letters: list[str] = []
        stop = None
        for direction in steps:
            after = step(board, state, direction)
            if after is None or len(letters) == self.room:
                why = too_long() if after is not None else why_blocked(board, state, direction)
                stop = Stop(len(letters) + 1, direction, why)
                break
            letters.append(letter(direction, after.boxes != state.boxes))
            state = after
        if letters:
            self._append("".join(letters), state)
        return stop

    def restart(self) -> bool:
        """Go back to the start, as one undo group."""
        return self.go_to("")

    def go_to(self, lurd: str) -> bool:
        """Replace the moves from the start by ``lurd``, as one undo group; False if they are the same.

        Raises LurdError if a step is blocked or they are too many.
        """
        shared = common_prefix(self._letters, lurd)
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
        """Undo every group; False if there was none."""
        changed = self.can_undo
        while self.undo():
            pass
        return changed

    def redo_all(self) -> bool:
        """Redo every group; False if there was none."""
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
        if not 0 <= edit.at <= self.moves or "".join(self._letters[edit.at :]) != edit.removed:
            raise LurdError(f"edit {self.cursor + 1} does not fit the moves before it", self.moves)
        self._rewind(edit.at)
        self._advance(edit.added)
        self.edits.append(edit)
        self._cost += edit.cost
        self.cursor += 1

    def _append(self, letters: str, after: State) -> None:
        """Add moves that the rules have just made, as one undo group; they lead to ``after``."""
        at = self.moves
        self.state = after
        self._letters += letters
        self._pushes += sum(map(str.isupper, letters))
        self._add_edit(Edit(at, "", letters))

    def _edit(self, at: int, added: str) -> None:
        """Replace the moves from ``at`` on; raises LurdError where the new ones are blocked or too many."""
        if at + len(added) > self._most_moves:
            raise LurdError(too_long(), self._most_moves + 1)
        removed = "".join(self._letters[at:])
        self._rewind(at)
        try:
            self._advance(added)
        except LurdError:
            self._rewind(at)
            self._advance(removed)
            raise
        self._add_edit(Edit(at, removed, "".join(self._letters[at:])))

    def _add_edit(self, edit: Edit) -> None:
        """Append a done edit; edits that could be redone are dropped."""
        self.must_save = self.must_save or bool(edit.removed) or not edit.added.islower()
        self._cost += edit.cost - sum(each.cost for each in self.edits[self.cursor :])
        self.edits[self.cursor :] = [edit]
        self.cursor += 1
        self._condense()

    def _condense(self) -> None:
        """If the history is over its limit, merge the oldest done edits, except the last, until half of it is left.

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
        board = self.level.board
        if not at:
            self.state, self._pushes = self.level.start, 0
            self._letters.clear()
            return
        for each in reversed(self._letters[at:]):
            self.state = step_back(board, self.state, direction_of(each), each.isupper())
            self._pushes -= each.isupper()
        del self._letters[at:]

    def _advance(self, lurd: str) -> None:
        for self.state, each in play(self.level.board, self.state, parse_lurd(lurd)):
            self._letters.append(each)
            self._pushes += each.isupper()


def too_long() -> str:
    """Return why no more moves are made."""
    return _("a play has at most {most:,} moves", most=MOST_MOVES)


def common_prefix(letters: Sequence[str], lurd: str) -> int:
    """Return the length of the longest common prefix of two plays."""
    for index, (mine, theirs) in enumerate(zip(letters, lurd, strict=False)):
        if mine != theirs:
            return index
    return min(len(letters), len(lurd))
