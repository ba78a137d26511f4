"""Words for outcomes: the line that answers an action, the same on a screen and in a line."""

from collections.abc import Mapping

from sokoterm.app.keymap import Keymap
from sokoterm.app.outcome import (
    BadPaste,
    BookmarkSet,
    BuildFailed,
    GaveUp,
    IdleTooLong,
    Improved,
    NoBookmark,
    NoLevel,
    NoNextLevel,
    Note,
    NotSaved,
    OtherSession,
    Outcome,
    PastedMoves,
    SearchFailed,
    TooManyPasted,
)
from sokoterm.app.pack_session import FoundBy, PackSession
from sokoterm.app.request import ShowReplay
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.game import Stop
from sokoterm.engine.text import counted
from sokoterm.solver.protocol import Progress
from sokoterm.wording.packs import words_of

# In braces: the action whose key stands there.
_NOTES: Mapping[Note, str] = {
    Note.RESTARTED: "reset: undo brings the moves back",
    Note.TAKEN_OVER: "taken over: undo returns to your own position",
    Note.NOTHING_TO_UNDO: "nothing to undo",
    Note.NOTHING_TO_REDO: "nothing to redo",
    Note.NOT_DEAD: "not known to be dead",
    Note.DEAD_FROM_START: "dead from the start",
    Note.WARNINGS_ON: "deadlock warnings on",
    Note.WARNINGS_OFF: "deadlock warnings off",
    Note.PLANNING_ON: "walk-to and push-to on in this pack",
    Note.PLANNING_OFF: "walk-to and push-to off in this pack",
    Note.PLANNING_IS_OFF: "walk-to and push-to are off in this pack: {plain} turns them on",
    Note.NO_WAY: "you cannot walk there without pushing",
    Note.GOAL_FILLED: "that goal is filled",
    Note.NO_MOVES: "no moves yet",
    Note.TOO_MANY_MOVES: "a play has at most 1,000,000 moves",
    Note.BOOKMARKS_FULL: "no bookmark set: the bookmarks of this level already hold too many moves",
    Note.BOOKMARK_DOES_NOT_FIT: "that bookmark is damaged: its moves do not fit this level",
    Note.NO_RUN: "no run to end: only a descent has runs",
    Note.FIRST_LEVEL: "this is the first level",
    Note.HINT_GIVEN: "hint: {undo} takes it back",
    Note.HINT_READY: "hint found: {hint} makes the push",
    Note.HINT_ELSEWHERE: "hint found for your earlier position: undo, then {hint}",
    Note.ALREADY_SOLVED: "this level is already solved",
    Note.ALREADY_SEARCHING: "already searching: {solve} shows the search",
    Note.NO_SOLUTION_YET: "no solution yet: {solve} starts the solver",
    Note.SOLUTIONS_BEING_REPLAYED: "solutions are being checked: {replay} shows them in a moment",
    Note.NO_SOLUTION_FROM_THERE: "that position has no solution (proven): {undo} goes back",
    Note.LEVEL_UNSOLVABLE: "this level cannot be solved (proven)",
    Note.SOLUTION_OFFERED: "solution found: {replay} shows it",
    Note.SEARCH_STOPPED: "search stopped",
    Note.SEARCH_OF_OTHER_POSITION_STOPPED: "search stopped: the position has changed",
    Note.PLAY_DOES_NOT_FIT: "the saved position does not fit this level: starting over",
    Note.HISTORY_CONDENSED: "long history: undo takes back the oldest moves in one step",
    Note.NO_OTHER_SOLUTION: "no other solution",
    Note.NOTHING_TO_IMPROVE: "solve the level first: {improve} improves your own solution, in a replay the one shown",
    Note.PASTED_NEITHER: "the pasted text is neither moves nor a level",
    Note.PASTED_OFF_BOARD: "moves can only be pasted on the board",
    Note.DRAWING_FULL: "a drawing has at most 250 rows and columns",
    Note.DRAWING_LEAST: "this is the last one",
    Note.NOT_A_LEVEL: "this is no level yet",
    Note.NO_PULLING_ON_ICE: "no reverse play on ice: a box that slid may have come from several squares",
    Note.GOALS_LEFT_OPEN: "no reverse play: the colours leave open which box belongs on which goal",
    Note.NOTHING_TO_PULL: "no box to pull there, or no room to step back",
    Note.PLAYER_STAYS: "only before the first pull",
    Note.NOT_AT_START: "pull the boxes to where they begin first",
    Note.NOTHING_TO_REVERSE: "reverse play needs a closed board with goals and the player",
    Note.NO_ROWS: "this level has no rows that can be drawn",
}
_SOURCES = {
    FoundBy.PLAYER: "your best",
    FoundBy.SOLVER: "solver",
    FoundBy.OPTIMIZER: "improved",
    FoundBy.FILE: "known",
    FoundBy.COMMAND_LINE: "the given moves",
}

DEADLOCK_REASONS = {
    DeadlockKind.DEAD_SQUARE: "a box that can reach no goal",
    DeadlockKind.FREEZE: "boxes that no push can move",
    DeadlockKind.CLOSED_DIAGONAL: "boxes stuck in a zigzag",
    DeadlockKind.BIPARTITE: "too few goals for these boxes",
    DeadlockKind.RETROGRADE: "a goal is closed off",
    DeadlockKind.PAIR: "boxes that block each other",
    DeadlockKind.CORRAL: "boxes that are shut in",
}
"""Reasons for a position to be dead, of the marked boxes; short enough for the room beside the counters of a play."""


def phrase(outcome: Outcome | None, keymap: Keymap, pack_session: PackSession | None = None) -> str:
    """Return the line for an outcome; empty if the board says it all.

    ``keymap`` is that of play; ``pack_session`` is needed for a level that it does not have.
    """
    match outcome:
        case Note():
            return _NOTES.get(outcome, "").format_map(_Keys(keymap))
        case BookmarkSet(name):
            return f"bookmark {name} set: {keymap.typed('to bookmark', name)} returns here"
        case NoBookmark(name):
            return f"no bookmark {name}"
        case OtherSession(name):
            return f"another session also played this level: {keymap.typed('to bookmark', name)} goes to its position"
        case NotSaved(problem):
            return problem
        case GaveUp("too large"):
            return "no solution found: the board is too large"
        case GaveUp(reason):
            return f"no solution found: limit of {reason} reached"
        case SearchFailed(log):
            return f"the solver crashed: {log}"
        case Improved():
            from sokoterm.wording.improvement import improved_text

            return improved_text(outcome, keymap)
        case BuildFailed(log):
            return f"a level could not be made: {log}"
        case NoLevel(number) if pack_session is not None:
            return words_of(pack_session).why_missing(number)
        case NoNextLevel(number, unsolved) if pack_session is not None:
            words = words_of(pack_session)
            return words.why_no_unsolved(number) if unsolved else words.why_no_next(number)
        case IdleTooLong(minutes):
            return f"no key pressed for {minutes:g} {'minute' if minutes == 1 else 'minutes'}: saved and quit"
        case PastedMoves(moves, stop):
            return _pasted_text(moves, stop, keymap.key_of("undo"))
        case TooManyPasted(moves, most):
            return f"pasted moves: {moves:,}, expected at most {most:,}"
        case BadPaste(problem):
            return f"pasted moves: {problem}"
    return ""


class _Keys(dict[str, str]):
    """The first key of each action, by its name."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap

    def __missing__(self, action: str) -> str:
        return self._keymap.key_of(action)


def _pasted_text(moves: int, stop: Stop | None, undo: str) -> str:
    """``pasted 17 moves; 18th, R: a wall``; ``undo`` is the key that takes them back.

    >>> from sokoterm.engine.bits import Direction
    >>> _pasted_text(0, Stop(1, Direction.UP, "a wall"), "u")
    'pasted no moves; 1st, U: a wall'
    """
    made = f"pasted {counted(moves, 'move') if moves else 'no moves'}"
    if stop is None:
        return f"{made}: {undo} takes {'it' if moves == 1 else 'them'} back"
    return f"{made}; {_ordinal(stop.number)}, {stop.direction.letter.upper()}: {stop.reason}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def source(replay: ShowReplay) -> str:
    """The finder and the length of a solution: ``known, 97 moves, 23 pushes (YASS 2.86)``."""
    if replay.found_by is FoundBy.COMMAND_LINE:
        return finder(replay.found_by)
    pushes = sum(map(str.isupper, replay.lurd))
    figures = f"{counted(len(replay.lurd), 'move')}, {counted(pushes, 'push')}"
    return f"{finder(replay.found_by)}, {figures}" + (f" ({replay.credit})" if replay.credit else "")


def finder(found_by: FoundBy) -> str:
    """``your best``, ``known``."""
    return _SOURCES[found_by]


def progress(latest: Progress) -> str:
    """``nodes 1200 depth 31 bound 43 2.5 s``: depth and lower bound in pushes, if the strategy counts them."""
    pushes = f"depth {latest.depth} bound {latest.lower_bound} " if latest.depth else ""
    return f"nodes {latest.nodes} {pushes}{latest.seconds:.1f} s"
