"""Player that makes random moves and saves after every command, to be killed.

    python saver.py DATABASE SEED

It prints a line with the play before each save, and ``saved`` when the save is confirmed.
"""

import itertools
import random
import sys
import time

from sokoterm.engine.bits import DIRECTIONS
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.store.progress import ProgressStore

LEVEL = Level.from_xsb("##########\n#@       #\n# $ .    #\n#   $ .  #\n#        #\n##########")


def line_of(game: Game) -> str:
    """Return a line that identifies a play, ended by a full stop."""
    return f"{len(game.edits)} {game.cursor} {game.lurd} {sorted(game.bookmarks.items())}."


def main(path: str, seed: int) -> None:
    """Play until killed."""
    dice = random.Random(seed)
    store = ProgressStore.open(path, time.time)
    play = store.load_play(LEVEL)
    game = Game(LEVEL) if play is None else Game(LEVEL, play.edits, play.cursor, play.bookmarks)
    for _ in itertools.count():
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
        if store.save_play(LEVEL, game.edits, game.cursor, game.bookmarks, 0.01) is None:
            print("saved", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
