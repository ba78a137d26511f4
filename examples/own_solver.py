"""A solver of your own: a strategy that sokoterm runs within limits, checks by the rules, and reports on.

python3 examples/own_solver.py [PACK [LEVEL]]
"""

import sys
from collections import deque
from collections.abc import Iterator

from sokoterm import Pack, Position, Progress, Solution, solve


def breadth_first(start: Position) -> Iterator[Solution | None]:
    """Yield None for each position examined, and a solution with the fewest pushes once it is found."""
    met = {start.key}
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        yield None
        for push in position.legal_pushes:
            after = position.copy()
            after.push(push)
            if after.is_solved:
                yield after.solution
                return
            if after.key not in met and not after.deadlock():
                met.add(after.key)
                waiting.append(after)


def tell(news: Progress | Solution) -> None:
    """Show how many positions were examined."""
    if isinstance(news, Progress):
        print(f"{news.nodes:,} positions in {news.seconds:.1f} s", file=sys.stderr)


def main(path: str = "levels/first-steps.txt", number: str = "25") -> None:
    """Solve one level."""
    level = Pack.load(path)[int(number) - 1]
    solution, outcome = solve(level, seconds=60, strategy=breadth_first, progress=tell)
    print(level)
    if solution is None:
        print(f"no solution: {outcome.status} after {outcome.nodes:,} positions")
    else:
        print(f"{solution.pushes} pushes, {solution.moves} moves: {solution}")


if __name__ == "__main__":
    main(*sys.argv[1:])
