"""Levels with a solution that is not the best one."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.search import solve
from sokoterm.solver.strategies.best_first import greedy
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, SEED_PUSHES
from tests.unit.solver.exhaustive import Positions, pushes_to_solve, random_levels, random_varied, reachable


class Small(Positions):
    """A small level with a solution."""

    def solution(self, choices: Sequence[int]) -> Solution:
        """Return a solution that starts with ``len(choices)`` needless pushes, then takes a shortest path."""
        state = self.level.start.normalized(self.level.board)
        boxes = [state.boxes]
        for choice in choices:
            after = [each for each in self.successors[state] if each in self.pushes]
            state = after[choice % len(after)] if after else state
            boxes += [state.boxes] if after else []
        while self.pushes[state] or len(boxes) == 1:
            state = min((each for each in self.successors[state] if each in self.pushes), key=self.pushes.__getitem__)
            boxes.append(state.boxes)
        return solution(self.level.board, self.level.start, boxes)


@cache
def long_solution() -> Solution:
    """Draw a solution of the case that is not the shortest."""
    found = present(solve(SEED_CASE.board, SEED_CASE.start, greedy, NO_LIMITS)[0])
    assert found.pushes > SEED_PUSHES
    return found


@cache
def small_levels() -> list[Small]:
    """Return random levels with a solution that do not begin solved."""
    return list(_solvable(random_levels(7, 60, size=6)))


@cache
def small_varied_levels() -> list[Small]:
    """Return the same with colours, ice or both."""
    return list(_solvable(random_varied(5, 250, size=6)))


def _solvable(levels: Iterable[Level]) -> Iterator[Small]:
    for level in levels:
        board, start = level.board, level.start
        successors = reachable(board, start)
        pushes = pushes_to_solve(board, successors)
        if pushes.get(start.normalized(board)):
            yield Small(level, successors, pushes)
