"""Sokoban rules, levels, solutions, deadlocks: pure functions and values, without files, clocks or threads.

Code inside the package imports from the modules instead.  Nothing is loaded lazily, since the game needs nearly all of
it before the first paint.  ``__all__`` omits Level, Pack and Solution: the classes of these names in ``sokoterm`` do
more.

>>> from sokoterm.engine import Level, verify
>>> level = Level.from_xsb("#######\\n#@ $ .#\\n#######")
>>> verify(level.board, level.start, "3r").lurd
'rRR'
"""

from sokoterm.engine.bits import Bitboard, Direction, Square, Symmetry, flood, lowest, scan, shift
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, FreezeCheck, dead_squares
from sokoterm.engine.game import Edit, Game
from sokoterm.engine.guide import Guide
from sokoterm.engine.level import Level as Level
from sokoterm.engine.level import LevelError, Record, level_from_rows
from sokoterm.engine.level import Pack as Pack
from sokoterm.engine.levelhash import (
    Canonical,
    canonical,
    exact_id,
    from_canonical,
    level_hash,
    normal_form,
    to_canonical,
    unique_id,
)
from sokoterm.engine.lurd import LurdError, end_of, measure, parse_lurd, play, run_lengths, verify
from sokoterm.engine.lurd import Solution as Solution
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.rules import is_solved, legal_moves, legal_pushes, perft, perft_pushes, push, step, step_back

__all__ = [
    "Bitboard", "Board", "Canonical", "Deadlock", "DeadlockKind", "Direction", "Edit", "FreezeCheck", "Game",
    "Guide", "LevelError", "LurdError", "Push", "Record", "Square", "State", "Symmetry", "canonical",
    "dead_squares", "end_of", "exact_id", "find_walk", "flood", "from_canonical", "is_solved", "legal_moves",
    "legal_pushes", "level_from_rows", "level_hash", "lowest", "measure", "normal_form", "parse_lurd", "perft",
    "perft_pushes", "play", "push", "reachable_area", "run_lengths", "scan", "shift", "step", "step_back",
    "to_canonical", "unique_id", "verify",
]  # fmt: skip
