"""Writer that enters ever better solutions into a score table, to be killed.

    python -m tests.unit.store.score_writer DATABASE NAME COUNT

It prints a line with the number of moves after each; COUNT 0 goes on forever.
"""

import itertools
import sys
import time

from sokoterm.engine.level import Level
from sokoterm.store.score_table import ScoreTable
from tests.unit.store.stores import enter

LEVEL = Level.from_xsb("##########\n#@       #\n# $ .    #\n#        #\n##########")


def solution(detours: int) -> str:
    """Return a solution that walks to and fro before it begins."""
    return "rl" * detours + "dRR"


def main(path: str, name: str, count: int) -> None:
    """Write until done or killed."""
    for number in range(count) if count else itertools.count():
        problems: list[str] = []
        scores = ScoreTable(path, f"{name}{number}", time.time, problems.append)
        enter(scores, LEVEL, solution(number % 50))
        scores.close()
        print(*problems or [str(number)], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
