"""Play a level by random pushes, never into a position that is plainly dead, and start again when stuck.

python3 examples/random_player.py [PACK [LEVEL]]
"""

import random
import sys

from sokoterm import Pack, Position


def play(position: Position, dice: random.Random, most: int = 300) -> bool:
    """Push at random until the level is solved; False if no push is left, or after ``most``."""
    for _ in range(most):
        pushes = position.legal_pushes
        dice.shuffle(pushes)
        for push in pushes:
            position.push(push)
            if position.is_solved:
                return True
            if not position.deadlock():
                break
            position.pop()
        else:
            return False
    return False


def main(path: str = "levels/first-steps.txt", number: str = "25") -> None:
    """Play one level, up to 1,000 times."""
    level = Pack.load(path)[int(number) - 1]
    dice = random.Random(1)
    for attempt in range(1, 1001):
        position = Position(level)
        if play(position, dice):
            print(f"solved at attempt {attempt}: {position.moves} moves, {position.pushes} pushes")
            print(position.lurd)
            return
    print("not solved")


if __name__ == "__main__":
    main(*sys.argv[1:])
