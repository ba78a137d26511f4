"""Answers to the player's actions: outcomes, put into words by ``wording``, and requests to the session."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from sokoterm.app.improvement import ImproveChoices, Improvement, ShowReplay
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import State
from sokoterm.engine.game import Stop
from sokoterm.engine.level import Level
from sokoterm.engine.value import Value
from sokoterm.language import N_
from sokoterm.store.packs import PackFile

if TYPE_CHECKING:
    from sokoterm.app.generated import DescentPack


class Asked(Value):
    """A request to the session, from the level in play or a screen."""


class Ask(Enum):
    """A request to the session without arguments."""

    QUIT = "save and end the program"
    CLOSE = "go back to the screen below"
    BROWSE = "open the browser on the pack in play"
    LEAVE_PACK = "open the browser on the pack to continue with, after the one in play is done"
    WATCH = "show the running search"
    STOP_SEARCH = "cancel the search, and tell the player"
    SHARE = "copy the result of the level in play for others, and show it for selection"
    END_RUN = "end the descent in play for good, and show its result"
    SHOW_STATISTICS = "show the player's statistics"
    SHOW_ONLINE = "show the collections of letslogic.com"
    COMPARE_ONLINE = "compare the level in play with letslogic.com, and offer to send better solutions"
    SEND = "send these solutions"
    OPEN_REVERSE = "play the level in play in reverse"


class Start(Asked):
    """Save the current game, and play a level."""

    pack_session: PackSession
    number: int


class Solve(Asked):
    """Search for a solution or a hint from a position, which follows the moves ``before``."""

    state: State
    before: str
    is_hint: bool = False


class ChooseImprovement(Asked):
    choices: ImproveChoices


class Improve(Asked):
    choices: ImproveChoices


class TakeOver(Asked):
    """Close the replay, make these moves the history, and perform an action of the play screen, if not empty."""

    lurd: str
    action: str


class OpenPlanner(Asked):
    """Open the push planner with the squares for a box, the boxes that reach a goal, or else all boxes or all goals."""

    box: Square | None = None
    goal: Square | None = None
    asks_goal: bool = False


class Perform(Asked):
    """Return to the play screen and make these moves there, as one undo group but animated."""

    lurd: str


class Copy(Asked):
    """Copy moves from the start of the level in play, or links, and show them; ``is_best``: the best solution."""

    lurd: str
    is_best: bool = False


class ShowRuns(Asked):
    run: "DescentPack"


class OpenEditor(Asked):
    """Open the editor on a level, readable or not; without a pack session, on a new one."""

    pack_session: PackSession | None = None
    number: int = 0


class PlayDrawn(Asked):
    """Play the level drawn in the editor; with ``solves``, start the solver."""

    file: PackFile
    number: int
    solves: bool


class Reread(Asked):
    """Read a changed pack again: the level numbered ``was`` is now ``number``; 0 means not in the pack."""

    file: PackFile
    number: int
    was: int = 0

    def number_of(self, before: int) -> int:
        """Return the new number of a level, 0 if it is gone.

        >>> [Reread(None, 1, 3).number_of(number) for number in (1, 2, 3, 4)]
        [2, 3, 1, 4]
        """
        if before == self.was:
            return self.number
        number = before - (0 < self.was < before)
        return number + (0 < self.number <= number)


class Collect(Asked):
    """Collect a level in the player's pack named ``into``, or in the current collection (see ``Lists.collect``)."""

    pack_session: PackSession
    number: int
    into: str = ""


class CopyText(Asked):
    """Copy a level as text, or a link to it, and show it."""

    text: str
    level: Level


FirstRequest = Start | ShowReplay | Ask
"""A request that can start a session."""

Request = Asked | Ask | ShowReplay


class Happened(Value):
    """An outcome with data, put into words by ``wording``."""


class Note(Enum):
    """An outcome by its text, in which ``{action}`` is replaced with the key of an action.

    Texts with plural forms ("1 box", "5 boxes") need their own class and a case in ``phrase`` instead.
    """

    DONE = ""  # the board says it all
    RESTARTED = N_("reset: undo brings the moves back")
    TAKEN_OVER = N_("taken over: undo returns to your own position")
    NOTHING_TO_UNDO = N_("nothing to undo")
    NOTHING_TO_REDO = N_("nothing to redo")
    NOT_DEAD = N_("not known to be dead")
    DEAD_FROM_START = N_("dead from the start")
    WARNINGS_ON = N_("deadlock warnings on")
    WARNINGS_OFF = N_("deadlock warnings off")
    PLANNING_ON = N_("walk-to and push-to on in this pack")
    PLANNING_OFF = N_("walk-to and push-to off in this pack")
    NOT_SAVED = "{problem}"  # it holds for this session only; the store says why
    PLANNING_IS_OFF = N_("walk-to and push-to are off in this pack: {plain} turns them on")
    BOARD_TOO_LARGE = N_("the board is too large for this")
    NO_WAY = N_("you cannot walk there without pushing")
    GOAL_FILLED = N_("that goal is filled")
    NO_MOVES = N_("no moves yet")
    TOO_MANY_MOVES = N_("a game has at most {most:,} moves")
    BOOKMARK_SET = N_("bookmark {name} set: {keys} returns here")
    OTHER_SESSION = N_("another session also played this level: {keys} goes to its position")
    NO_BOOKMARK = N_("no bookmark {name}")
    BOOKMARKS_FULL = N_("no bookmark set: the bookmarks of this level already contain too many moves")
    BOOKMARK_DOES_NOT_FIT = N_("that bookmark is damaged: its moves do not fit this level")
    ONLINE_OFF = N_("letslogic.com is not available for accounts or in host mode")
    ONLINE_BUSY = N_("another request to letslogic.com is still running")
    NOT_ONLINE = N_("this level is not in a collection fetched from letslogic.com")
    NO_RUN = N_("there is no descent to end")
    FIRST_LEVEL = N_("this is the first level")
    HINT_GIVEN = N_("hint: {undo} takes it back")
    HINT_READY = N_("hint found: {hint} makes the push")
    HINT_ELSEWHERE = N_("hint found for your earlier position: undo, then {hint}")
    SOLUTION_OFFERED = N_("solution found: {replay} shows it")
    ALREADY_SOLVED = N_("this level is already solved")
    ALREADY_SEARCHING = N_("already searching: {solve} shows the search")
    NO_SOLUTION_YET = N_("no solution yet: {solve} starts the solver")
    SOLUTIONS_BEING_REPLAYED = N_("solutions are being checked: {replay} shows them in a moment")
    NO_SOLUTION_FROM_THERE = N_("that position has no solution (proven): {undo} goes back")
    LEVEL_UNSOLVABLE = N_("this level cannot be solved (proven)")
    CANNOT_BE_PLAYED = N_("this level begins solved and cannot be played: {accept} continues")
    SEARCH_STOPPED = N_("search stopped")
    SEARCH_OF_OTHER_POSITION_STOPPED = N_("search stopped: the position has changed")
    PLAY_DOES_NOT_FIT = N_("the saved position does not fit this level: starting over")
    HISTORY_CONDENSED = N_("long history: the oldest moves can only be undone all together")
    # By the limit that a search has hit: see ``Reason``.
    NO_SOLUTION_IN_TIME = N_("no solution found: time limit reached")
    NO_SOLUTION_IN_NODES = N_("no solution found: node limit reached")
    NO_SOLUTION_IN_STATES = N_("no solution found: state limit reached")
    NO_SOLUTION_IN_MEMORY = N_("no solution found: memory limit reached")
    NO_SOLUTION_IN_SIZE = N_("no solution found: the board is too large")
    SOLVER_CRASHED = N_("the solver crashed: {log}")
    LEVEL_NOT_MADE = N_("a level could not be generated: {log}")
    NO_OTHER_SOLUTION = N_("no other solution")
    NOTHING_TO_IMPROVE = N_("solve the level first, or press {improve} in a replay to improve that solution")
    PASTED_TOO_MANY = N_("too many pasted moves: {moves:,} (at most {most:,})")
    PASTED_WRONG = N_("pasted moves: {problem}")
    PASTED_ADDRESS = N_("the pasted address contains no level, and is not downloaded here")
    PASTED_NEITHER = N_("the pasted text is neither moves nor a level")
    PASTED_OFF_BOARD = N_("moves can only be pasted on the board")
    DRAWING_FULL = N_("a drawing has at most {most} rows and columns")
    DRAWING_LEAST = N_("the last row or column cannot be removed")
    NO_ROWS = N_("this level has no rows that can be drawn")
    NO_PULLING_ON_ICE = N_("no reverse play on ice: a box that slid may have come from several squares")
    GOALS_LEFT_OPEN = N_("no reverse play: the colours do not say which box goes on which goal")
    NOTHING_TO_PULL = N_("no box to pull there, or no room to step back")
    PLAYER_STAYS = N_("only before the first pull")
    NOT_AT_START = N_("first pull the boxes to their starting squares")
    COLLECTED = N_("added as level {number} of {pack}")
    IS_COLLECTED = N_("already there as level {number} of {pack}")
    TAKEN_OUT = N_("taken out of {pack}: {collect} puts it back")
    NOTHING_TO_REVERSE = N_("reverse play needs a closed board with goals and the player")

    def of(self, **values: object) -> "NoteOf":
        return NoteOf(self, values)


class NoteOf(Happened):
    """A note and the values of its placeholders; a ``name`` of a bookmark implies ``keys``, the keys to go there."""

    note: Note
    values: Mapping[str, object]


class Moved(Happened):
    """Moves were made (LURD)."""

    lurd: str


class Blocked(Happened):
    direction: Direction


class NoLevel(Happened):
    number: int


class NoNextLevel(Happened):
    number: int
    unsolved: bool


class Improved(Happened):
    """An improvement is running or over; ``is_elsewhere``: its level is not the one in play."""

    improvement: Improvement
    pack_session: PackSession
    is_elsewhere: bool = False


class RunOver(Happened):
    run: "DescentPack"


class IdleTooLong(Happened):
    minutes: float


class PastedMoves(Happened):
    """Pasted moves were made, up to the ``stop`` if there is one."""

    moves: int
    stop: Stop | None


def collected_in(file: PackFile, outcome: NoteOf) -> Reread:
    number = int(str(outcome.values["number"]))
    return Reread(file, 0, number) if outcome.note is Note.TAKEN_OUT else Reread(file, number)


Outcome = Note | Happened

Answer = Outcome | Request | None
"""The answer to an action: an outcome, a request to the session, or nothing."""
