"""Widening of a pruned room by a few squares: with only one way through, a level takes walking, not thinking."""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.generator.dice import Dice
from sokoterm.generator.rooms import find_halls, room_of, squares_beside
from sokoterm.generator.steps import Steps
from sokoterm.solver.protocol import Found, Limits
from sokoterm.solver.strategies import astar

# Most squares tried, and most squares added.
_TRIED = 14
_GIVEN = 3
# A square is worth it if the search for fewest pushes needs at least a quarter more positions.
_MORE = 4
_ENOUGH_MORE = 5
# One level out of ``_IDLE_LEVELS`` may have idle squares, one in ``_IDLE``.
_IDLE = 12
_IDLE_LEVELS = 3

# No clock and no memory measurement, so a search ends at the same point on every machine.
LIMITS = Limits(1.0, 0, 0, clock=lambda: 0.0, resident=lambda: 0)


class SolvedRoom(NamedTuple):
    """A solution with fewest pushes, and the positions expanded to find it."""

    solution: Solution
    nodes: int


def solve_by_nodes(board: Board, start: State, nodes: int) -> Steps[SolvedRoom | None]:
    """Search for a solution with fewest pushes; None if it is not found within ``nodes``."""
    search = astar.search(board, start, LIMITS._replace(nodes=nodes, states=20 * nodes), few_boxes=False)
    found = None
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            return found and SolvedRoom(found, end.value.nodes)
        if isinstance(event, Found):
            found = event.solution
        yield


def squares_used(board: Board, start: State, lurd: str) -> Bitboard:
    """Return the squares the player or a box is on at any time, and the goals."""
    used = board.goals | start.boxes | 1 << start.player
    for state, _ in play(board, start, parse_lurd(lurd)):
        used |= state.boxes | 1 << state.player
    return used


def widened(board: Board, start: State, solved: SolvedRoom, dice: Dice) -> Steps[tuple[Board, SolvedRoom]]:
    """Return the board with a few more squares that make the solution harder to find, but no shorter."""
    idle_allowed = board.floor.bit_count() // _IDLE if dice.below(_IDLE_LEVELS) == 0 else 0
    given = 0
    for square in dice.shuffled(squares_beside(board.floor, board.width, board.height))[:_TRIED]:
        floor = board.floor | 1 << square
        if find_halls(floor, board.stride):
            continue
        wider = room_of(floor, board.width, board.height, board.goals)
        tried = yield from solve_by_nodes(wider, start, 10 * solved.nodes + 1_000)
        if tried is None or not _is_better(tried, solved):
            continue
        if (floor & ~squares_used(wider, start, tried.solution.lurd)).bit_count() > idle_allowed:
            continue
        board, solved = wider, tried
        given += 1
        if given == _GIVEN:
            break
    return board, solved


def _is_better(tried: SolvedRoom, solved: SolvedRoom) -> bool:
    """True if pushes, box lines and box changes are no fewer, and the search needs enough more positions."""
    longer = tried.solution.pushes >= solved.solution.pushes and tried.solution.box_lines >= solved.solution.box_lines
    changes = tried.solution.box_changes >= solved.solution.box_changes
    return longer and changes and _MORE * tried.nodes >= _ENOUGH_MORE * solved.nodes
