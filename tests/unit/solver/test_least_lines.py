"""Lower bound on box lines: never more than a solution has, and exact for a lone box."""

from sokoterm.engine.bits import lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.solver.common.lower_bound import make_distances
from sokoterm.solver.difficulty import least_lines
from sokoterm.solver.search import Meter
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.exhaustive import random_levels


def _least(level: Level) -> int:
    meter = Meter("test", level.board, NO_LIMITS, 0)
    steps = make_distances(level.board, meter)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            distances = end.value
            break
    lines = least_lines(distances, level.start, meter)
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


def _by_rules(board: Board, start: State) -> int | None:
    """Return the fewest lines of a lone box, layer by layer; the player may walk between any two pushes."""
    goal = lowest(board.goals)
    fewest: dict[tuple[State, int], int] = {}
    waiting = [(0, start, -1)]
    while waiting:
        waiting.sort(key=lambda each: each[0], reverse=True)
        lines, state, last = waiting.pop()
        if lowest(state.boxes) == goal:
            return lines
        if fewest.setdefault((state, last), lines) < lines:
            continue
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            assert after is not None
            # A line continues while the player is behind the box already, as after every push in that direction.
            cost = lines + (each.direction != last)
            if fewest.get((after, each.direction), 1 << 30) > cost:
                fewest[after, each.direction] = cost
                waiting.append((cost, after, each.direction))
    return None


def test_the_bound_of_a_lone_box() -> None:
    assert _least(Level.from_xsb(ONE_PUSH)) == _least(Level.from_xsb(TWO_PUSHES)) == 1
    checked = 0
    for level in random_levels(11, 60, boxes=1):
        expected = _by_rules(level.board, level.start)
        assert _least(level) == (expected or 0)
        checked += bool(expected)
    assert checked > 10


def test_no_solution_has_fewer() -> None:
    for level in (SEED_CASE, *random_levels(12, 60, boxes=3)):
        solution, _ = run("astar", level)
        if solution is not None:
            assert _least(level) <= solution.box_lines
