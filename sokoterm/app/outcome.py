"""Outcomes of what the player does: typed values, which ``wording`` phrases for both faces."""

from enum import Enum, auto

from sokoterm.app.improvement import Improvement
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Request
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Stop
from sokoterm.engine.value import Value
from sokoterm.solver.search import Reason


class Note(Enum):
    """An outcome that needs no figures."""

    UNDONE = auto()
    REDONE = auto()
    RESTARTED = auto()
    TAKEN_OVER = auto()
    RETURNED = auto()
    NOTHING_TO_UNDO = auto()
    NOTHING_TO_REDO = auto()
    NOT_DEAD = auto()
    DEAD_FROM_START = auto()
    WARNINGS_ON = auto()
    WARNINGS_OFF = auto()
    PLANNING_ON = auto()
    PLANNING_OFF = auto()
    PLANNING_IS_OFF = auto()
    BOARD_TOO_LARGE = auto()
    NO_WAY = auto()
    GOAL_FILLED = auto()
    NO_MOVES = auto()
    TOO_MANY_MOVES = auto()
    BOOKMARKS_FULL = auto()
    BOOKMARK_DOES_NOT_FIT = auto()
    NO_RUN = auto()
    FIRST_LEVEL = auto()
    HINT_GIVEN = auto()
    HINT_READY = auto()
    HINT_ELSEWHERE = auto()
    SOLUTION_OFFERED = auto()
    ALREADY_SOLVED = auto()
    ALREADY_SEARCHING = auto()
    NO_SOLUTION_YET = auto()
    SOLUTIONS_BEING_REPLAYED = auto()
    NO_SOLUTION_FROM_THERE = auto()
    LEVEL_UNSOLVABLE = auto()
    CANNOT_BE_PLAYED = auto()
    SEARCH_STOPPED = auto()
    SEARCH_OF_OTHER_POSITION_STOPPED = auto()
    PLAY_DOES_NOT_FIT = auto()
    HISTORY_CONDENSED = auto()
    NO_OTHER_SOLUTION = auto()
    NOTHING_TO_IMPROVE = auto()
    PASTED_NEITHER = auto()
    PASTED_OFF_BOARD = auto()
    DRAWING_FULL = auto()
    DRAWING_LEAST = auto()
    NO_ROWS = auto()
    NO_PULLING_ON_ICE = auto()
    GOALS_LEFT_OPEN = auto()
    NOTHING_TO_PULL = auto()
    PLAYER_STAYS = auto()
    NOT_AT_START = auto()
    NOTHING_TO_REVERSE = auto()


class Moved(Value):
    """Moves were made (LURD)."""

    lurd: str


class Blocked(Value):
    """A step was not possible."""

    direction: Direction


class BookmarkSet(Value):
    """The moves so far are kept under a name."""

    name: str


class NoBookmark(Value):
    """Nothing is kept under a name."""

    name: str


class NoLevel(Value):
    """The pack has no level of this number to play."""

    number: int


class NoNextLevel(Value):
    """There is no level behind the one of this number, or, if ``unsolved`` was asked for, no unsolved one."""

    number: int
    unsolved: bool


class NotSaved(Value):
    """Something holds for this session only; the store says why."""

    problem: str


class GaveUp(Value):
    """A search ended at a limit."""

    reason: Reason


class Failed(Value):
    """A search crashed, or the building of a level; ``log`` says where the details are, or why there are none."""

    log: str
    is_building: bool = False


class Improved(Value):
    """An improvement is under way, over or was stopped; ``is_elsewhere``: its level is not the one in play."""

    improvement: Improvement
    pack_session: PackSession
    is_elsewhere: bool = False


class OtherSession(Value):
    """Another session played this level too; its position is kept under a bookmark."""

    bookmark: str


class IdleTooLong(Value):
    """The session ends because there was no sign of the player for some minutes."""

    minutes: float


class PastedMoves(Value):
    """Pasted moves were made, all of them unless there is a ``stop``."""

    moves: int
    stop: Stop | None


class TooManyPasted(Value):
    """More moves were pasted than are made at once."""

    moves: int
    most: int


class BadPaste(Value):
    """Pasted text that was taken for moves is none; ``problem`` is that of the parser."""

    problem: str


Outcome = (
    Note
    | Moved
    | Blocked
    | BookmarkSet
    | NoBookmark
    | NoLevel
    | NoNextLevel
    | NotSaved
    | GaveUp
    | Failed
    | Improved
    | OtherSession
    | IdleTooLong
    | PastedMoves
    | TooManyPasted
    | BadPaste
)

Answer = Outcome | Request | None
"""The answer to an action: an outcome, a request to the session, or nothing."""
