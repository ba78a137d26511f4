"""A descent on a real pseudo-terminal: floors made while it is played, killed and taken up."""

import os
import signal
from pathlib import Path

from sokoterm.engine.steps import finish
from sokoterm.generator.make import made_by
from sokoterm.generator.recipes import floor_recipe
from tests.system.terminal.screen import sokoterm

_KEYS = str.maketrans("lurdLURD", "hkljhklj")


def keys_of_floor(number: int) -> str:
    return finish(made_by(floor_recipe(7, number))).solution.lurd.translate(_KEYS)


def test_floors_are_played_killed_and_taken_up(tmp_path: Path) -> None:
    first, second = keys_of_floor(1), keys_of_floor(2)
    with sokoterm(tmp_path, "descend", "--seed", "7") as screen:
        screen.wait_for("Descent 7, floor 1")
        screen.wait_for("moves 0")
        screen.type(first, "Enter goes down to floor 2")
        screen.type("\r", "Descent 7, floor 2")
        screen.wait_for("moves 0")
        screen.type(second[:-1], f"moves {len(second) - 1}")
        screen.type("u", f"moves {len(second) - 2}")
        assert os.WIFSIGNALED(screen.end(signal.SIGKILL))
    with sokoterm(tmp_path, "descend") as screen:
        screen.wait_for("Descent 7, floor 2")
        screen.type(second[-2:], "Enter goes down to floor 3")
        screen.wait_for("run on par so far, 1 undo")
        screen.type("\r", "Descent 7, floor 3")
        screen.wait_for("moves 0")
        screen.type("X", "end the run on floor 3? y ends it")
        screen.type("y", "The run is over: sokoterm descend --seed 7: 2 floors, on par, 1 undo")
        screen.type("q")
        assert screen.wait() == 0
