"""Plot how a level branches: the number of positions at each depth in pushes, and of pushes from each position.

python3 examples/branching.py [PACK [LEVEL [DEPTH]]]
"""

import sys

from sokoterm import Pack, Position


def main(path: str = "levels/first-steps.txt", number: str = "25", depth: str = "8") -> None:
    """Print a line for each depth."""
    start = Position(Pack.load(path)[int(number) - 1])
    met, layer = {start.key}, [start]
    for pushes in range(int(depth) + 1):
        after: list[Position] = []
        branches = 0
        for position in layer:
            for push in position.legal_pushes:
                position.push(push)
                if not position.deadlock():
                    branches += 1
                    if position.key not in met:
                        met.add(position.key)
                        after.append(position.copy())
                position.pop()
        mean = branches / len(layer)
        print(f"{pushes:3} {len(layer):7,} positions {mean:6.2f} pushes each {'#' * round(4 * mean)}")
        layer = after
        if not layer:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
