"""Programs that write beside others, and are killed.

python -m tests.unit.store.writers play DATABASE SEED
python -m tests.unit.store.writers score DATABASE NAME COUNT
python -m tests.unit.store.writers put FOLDER NAME COUNT
"""

import itertools
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from sokoterm.engine.bits import DIRECTIONS
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.store.library_folder import named_own
from sokoterm.store.own_levels import put_level
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from tests.unit.store.stores import enter

TWO_BOXES = Level.from_xsb("##########\n#@       #\n# $ .    #\n#   $ .  #\n#        #\n##########")
ONE_BOX = Level.from_xsb("##########\n#@       #\n# $ .    #\n#        #\n##########")
ONE_PUSH = Level.from_xsb("#####\n#@$.#\n#####")


def writer(*arguments: object) -> "subprocess.Popen[str]":
    """Start one of the programs."""
    command = [sys.executable, "-m", "tests.unit.store.writers", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3], text=True)


def line_of(game: Game) -> str:
    """Return a line that identifies a play, ended by a full stop."""
    return f"{len(game.edits)} {game.cursor} {game.lurd} {sorted(game.bookmarks.items())}."


def play(path: str, seed: int) -> None:
    """Make random moves until killed; print each play before its save, and ``saved`` when the save is confirmed."""
    dice = random.Random(seed)
    store = ProgressStore.open(path, time.time)
    opened = store.load_play(TWO_BOXES)
    game = Game(TWO_BOXES) if opened is None else Game(TWO_BOXES, opened.edits, opened.cursor, opened.bookmarks)
    while True:
        match dice.randrange(12):
            case 0:
                game.undo()
            case 1:
                game.redo()
            case 2:
                game.run(dice.choice(DIRECTIONS))
            case 3 if dice.random() < 0.05:
                game.restart()
            case 4:
                game.set_bookmark(dice.choice("abc"))
            case _:
                game.walk_or_push(dice.choice(DIRECTIONS))
        if game.is_solved:
            game.restart()
        print(line_of(game), flush=True)
        if store.save_play(TWO_BOXES, game.edits, game.cursor, game.bookmarks, 0.01) is None:
            print("saved", flush=True)


def with_detours(detours: int) -> str:
    """Return a solution of one box that walks to and fro before it begins."""
    return "rl" * detours + "dRR"


def score(path: str, name: str, count: int) -> None:
    """Enter solutions, for ever if ``count`` is 0; print the number of each."""
    for number in range(count) if count else itertools.count():
        problems: list[str] = []
        scores = ScoreTable(path, f"{name}{number}", time.time, problems.append)
        enter(scores, ONE_BOX, with_detours(number % 50))
        scores.close()
        print(*problems or [str(number)], flush=True)


def put(folder: str, name: str, count: int) -> None:
    """Save levels into one pack; print the number that each got, and its title."""
    for number in range(count):
        level = ONE_PUSH.replace(title=f"{os.getpid()} and {number}")
        print(put_level(folder, named_own(folder, name), level), level.title, flush=True)


if __name__ == "__main__":
    _, _kind, _place, *_rest = sys.argv
    {"play": play, "score": score, "put": put}[_kind](_place, *_rest[:-1], int(_rest[-1]))  # type: ignore[operator]
