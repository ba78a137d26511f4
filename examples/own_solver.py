"""A solver of one's own: breadth-first search by pushes, so that a solution has as few pushes as possible.

python3 examples/own_solver.py [PACK [LEVEL]]
"""

import sys
from collections import deque

from sokoterm import Level, Pack, Position, Solution


def solve(level: Level, most: int = 100_000) -> Solution | None:
    """Return a solution with the fewest pushes; None if there is none, or not among ``most`` positions."""
    start = Position(level)
    met = {start.key}
    waiting = deque([start])
    while waiting and len(met) < most:
        position = waiting.popleft()
        for push in position.legal_pushes:
            after = position.copy()
            after.push(push)
            if after.is_solved:
                return after.solution
            if after.key not in met and not after.deadlock():
                met.add(after.key)
                waiting.append(after)
    return None


def main(path: str = "levels/first-steps.txt", number: str = "25") -> None:
    """Solve one level."""
    level = Pack.load(path)[int(number) - 1]
    solution = solve(level)
    print(level)
    print(f"{solution.pushes} pushes, {solution.moves} moves: {solution}" if solution else "no solution found")


if __name__ == "__main__":
    main(*sys.argv[1:])
