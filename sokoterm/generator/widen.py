"""Squares given back to a pruned room: where there is no way but one, a level is walked and not solved."""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.generator.dice import Dice
from sokoterm.generator.rooms import find_halls, room_of, squares_beside
from sokoterm.generator.steps import Steps
from sokoterm.solver.protocol import Found, Limits
from sokoterm.solver.strategies import astar

# Squares that are tried, and how many are given back at most.
_TRIED = 14
_GIVEN = 3
# A square is worth it where the search for the fewest pushes has to look at a quarter more positions, or more.
_MORE = 4
_ENOUGH_MORE = 5
# One square in so many may be idle, in one level of so many.
_IDLE = 12
_IDLE_LEVELS = 3

# No clock, and no look at the machine's memory: where a search ends is the same everywhere.
LIMITS = Limits(1.0, 0, 0, clock=lambda: 0.0, resident=lambda: 0)


class SolvedRoom(NamedTuple):
    """The solution with the fewest pushes, and the positions that the search for it looked at."""

    solution: Solution
    nodes: int


def solve_by_nodes(board: Board, start: State, nodes: int) -> Steps[SolvedRoom | None]:
    """The solution with the fewest pushes, if it is found within so many nodes."""
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
    """The squares where the player or a box stands at any time, and the goals."""
    used = board.goals | start.boxes | 1 << start.player
    for state, _ in play(board, start, parse_lurd(lurd)):
        used |= state.boxes | 1 << state.player
    return used


def widened(board: Board, start: State, solved: SolvedRoom, dice: Dice) -> Steps[tuple[Board, SolvedRoom]]:
    """The board with some squares more, which make it harder to find the way and leave it no shorter."""
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
    """Whether no box is pushed less or straighter, and more has to be looked at."""
    longer = tried.solution.pushes >= solved.solution.pushes and tried.solution.box_lines >= solved.solution.box_lines
    changes = tried.solution.box_changes >= solved.solution.box_changes
    return longer and changes and _MORE * tried.nodes >= _ENOUGH_MORE * solved.nodes
