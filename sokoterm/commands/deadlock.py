"""``sokoterm deadlock``: checks whether a position is dead, and names the test that proves it and the guilty boxes."""

import time
from collections.abc import Sequence

from sokoterm.commands.support.levels import MovesFlags, OneLevelFlags, marked_board, place_of
from sokoterm.commands.support.output import json_line
from sokoterm.commands.support.parser import Parser, count
from sokoterm.engine.bits import scan
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, cannot_be_played
from sokoterm.engine.deadlock.detector import THOROUGH_BOUNDS, DeadlockDetector, game_bounds
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import begins_solved
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved
from sokoterm.language import N_, _
from sokoterm.solver.proof import prover
from sokoterm.solver.search import Limits, Status, solve
from sokoterm.wording.outcomes import DEADLOCKS

_NODES = 2_000
# Ample for _NODES positions on a board of usual size.
_SECONDS = 10.0

# Floor squares times goals of the largest board on which every test runs, in a few seconds.
_LARGEST_TABLE = 500_000
# Floor squares above which even one position takes too long.
_LARGEST_FLOOR = 20_000

_MARKS = {"$": "x", "*": "X"}  # of guilty boxes


def run(arguments: list[str]) -> int:
    """Print whether the position is dead; return 1 if no deadlock is found."""
    parser = Parser(
        "deadlock",
        _(
            "Check whether a position is dead, that is, can never be solved, and show which test proves it and which "
            "boxes are guilty: these alone make it dead. A position without a known deadlock may still have no "
            "solution.\n\n"
            "Exit status: 0 if it is dead; 1 if no deadlock was found; 2 for wrong usage or unreadable input."
        ),
        "sokoterm deadlock levels.txt -l 3 --moves rrD --json",
        # Translators: a heading, the kinds of deadlocks.
        "\n".join([_("kinds:"), *(f"  {_name(kind):<16} {_(text)}" for kind, (*__, text) in DEADLOCKS.items())]),
    )
    one_level = OneLevelFlags(parser)
    moves = MovesFlags(parser, one_level, _("moves to play first"))
    text = N_(
        "positions to search if no test decides (default: %(default)s); only on boards of up to {most:,} floor squares"
    )
    text = _(text, most=_LARGEST_FLOOR)
    nodes = parser.flag("--nodes", parse=count, default=_NODES, metavar="N", help=text)
    as_json = parser.switch("--json", help=_("print a JSON object"))
    parser.parse(arguments)
    chosen = one_level.chosen()
    level = chosen.level
    state, __ = moves.read().played(level)
    deadlock = _find(level, state, nodes.value)
    guilty = [*scan(deadlock.boxes)] if deadlock else []
    places = [place_of(level, box) for box in guilty]
    if as_json.value:
        kind = _name(deadlock.kind) if deadlock else None
        print(json_line({**chosen.place, "dead": deadlock is not None, "kind": kind, "boxes": places}))
    else:
        board = marked_board(level, state, dict.fromkeys(guilty, _MARKS))
        print(chosen.heading, _verdict(level, state, deadlock, places), "", board, sep="\n")
    return 0 if deadlock else 1


def _find(level: Level, state: State, nodes: int) -> Deadlock | None:
    board = level.board
    size = board.floor.bit_count() * board.goals.bit_count()
    detector = DeadlockDetector(board, bounds=THOROUGH_BOUNDS if size <= _LARGEST_TABLE else game_bounds(board))
    region = reachable_area(board, state)
    deadlock = detector.explain(state.boxes, region)
    if deadlock is None and not is_solved(board, state) and board.floor.bit_count() <= _LARGEST_FLOOR:
        limits = Limits(nodes=nodes, seconds=_SECONDS, clock=time.monotonic)
        __, outcome = solve(board, state, prover(detector.patterns), limits)
        if outcome.status is Status.UNSOLVABLE:
            return detector.explain(state.boxes, region)
    return deadlock


def _name(kind: DeadlockKind) -> str:
    return kind.value.replace(" ", "_")


def _verdict(level: Level, state: State, deadlock: Deadlock | None, places: Sequence[Sequence[int]]) -> str:
    if deadlock is None:
        if cannot_be_played(level.board, level.start):
            return begins_solved()
        if is_solved(level.board, state):
            return _("not dead: every box is on a goal")
        return _("no deadlock found; this does not prove that there is a solution")
    boxes = " ".join(f"{row},{column}" for row, column in places)
    # Translators: the name of the test, and what it finds.
    dead = _("dead: {kind}, {explained}", kind=deadlock.kind, explained=_(DEADLOCKS[deadlock.kind][-1]))
    guilty = _("guilty (row,column): {boxes}; shown as x (X on a goal)", boxes=boxes)
    return f"{dead}\n{guilty}"
