"""Words for outcomes: the line that answers an action, the same on a screen and in a line."""

from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import Keymap
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import (
    IdleTooLong,
    Improved,
    NoLevel,
    NoNextLevel,
    Note,
    NoteOf,
    Outcome,
    PastedMoves,
    RunOver,
)
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.game import MOST_MOVES, Stop
from sokoterm.language import N_, _, listed, moves_text, ngettext, pushes_text
from sokoterm.language import number as number_text
from sokoterm.solver.search import Progress
from sokoterm.wording.improvement import finder, improved_text
from sokoterm.wording.packs import words_of

# Translators: at most 40 columns, shown beside the counters of a play.
_DEADLOCK_REASONS = {
    DeadlockKind.DEAD_SQUARE: N_("a box that can reach no goal"),
    DeadlockKind.FREEZE: N_("boxes that no push can move"),
    DeadlockKind.CLOSED_DIAGONAL: N_("boxes stuck in a zigzag"),
    DeadlockKind.BIPARTITE: N_("too few goals for these boxes"),
    DeadlockKind.RETROGRADE: N_("a goal is closed off"),
    DeadlockKind.PAIR: N_("boxes that block each other"),
    DeadlockKind.CORRAL: N_("boxes that are shut in"),
}


def deadlock_reason(kind: DeadlockKind) -> str:
    """Return why a position is dead, of the marked boxes; short, for the room beside the counters of a play."""
    return _(_DEADLOCK_REASONS.get(kind, ""))


def phrase(outcome: Outcome | None, keymap: Keymap, pack_session: PackSession | None = None) -> str:
    """Return the line for an outcome; empty if the board says it all.

    ``keymap`` is that of play; ``pack_session`` is needed for a level that it does not have.
    """
    match outcome:
        case Note.TOO_MANY_MOVES:
            return _(Note.TOO_MANY_MOVES.value, most=MOST_MOVES)
        case Note():
            return _(outcome.value).format_map(_Keys(keymap))
        case NoteOf(note, values):
            keys = keymap.typed("to bookmark", str(values["name"])) if "name" in values else ""
            return _(note.value, **values, keys=keys)
        case Improved():
            return improved_text(outcome, keymap)
        case RunOver(run):
            from sokoterm.wording.generated import run_over_text  # the end of a run only

            return run_over_text(run)
        case NoLevel(number) if pack_session is not None:
            return words_of(pack_session).why_missing(number)
        case NoNextLevel(number, unsolved) if pack_session is not None:
            words = words_of(pack_session)
            return words.why_no_unsolved(number) if unsolved else words.why_no_next(number)
        case IdleTooLong(minutes):
            # Languages have plural forms for whole numbers.
            told, whole = f"{minutes:g}", int(minutes) if minutes == int(minutes) else 2
            return ngettext(
                "no key pressed for {minutes} minute: saved and quit",
                "no key pressed for {minutes} minutes: saved and quit",
                whole,
                minutes=told,
            )
        case PastedMoves(moves, stop):
            return _pasted_text(moves, stop, keymap.key_of("undo"))
    return ""


class _Keys(dict[str, str]):
    """The first key of each action, by its name."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap

    def __missing__(self, action: str) -> str:
        return self._keymap.key_of(action)


def _pasted_text(moves: int, stop: Stop | None, undo: str) -> str:
    """``pasted 17 moves; move 18, R: a wall``; ``undo`` is the key that takes them back.

    >>> from sokoterm.engine.bits import Direction
    >>> _pasted_text(0, Stop(1, Direction.UP, "a wall"), "u")
    'pasted 0 moves; move 1, U: a wall'
    """
    if stop is None:
        return ngettext(
            "pasted {n:,} move: {key} takes it back", "pasted {n:,} moves: {key} takes them back", moves, key=undo
        )
    made = ngettext("pasted {n:,} move", "pasted {n:,} moves", moves)
    letter = stop.direction.letter.upper()
    return _(
        "{pasted}; move {number}, {letter}: {why}", pasted=made, number=stop.number, letter=letter, why=stop.reason
    )


def source(replay: ShowReplay) -> str:
    """The finder and the length of a solution: ``known, 97 moves, 23 pushes (YASS 2.86)``."""
    if replay.found_by is FoundBy.COMMAND_LINE:
        return finder(replay.found_by)
    pushes = sum(map(str.isupper, replay.lurd))
    text = listed([finder(replay.found_by), moves_text(len(replay.lurd)), pushes_text(pushes)])
    return _("{solution} ({credit})", solution=text, credit=replay.credit) if replay.credit else text


def progress(latest: Progress) -> str:
    """``nodes 1200 depth 31 bound 43 2.5 s``: depth and lower bound in pushes, if the strategy counts them."""
    seconds = number_text(latest.seconds, 1)
    if not latest.depth:
        return _("nodes {nodes} {seconds} s", nodes=latest.nodes, seconds=seconds)
    return _(
        "nodes {nodes} depth {depth} bound {bound} {seconds} s",
        nodes=latest.nodes,
        depth=latest.depth,
        bound=latest.lower_bound,
        seconds=seconds,
    )
