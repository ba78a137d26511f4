"""Searches for the tests of lanes; a lane, whose process has nothing but the standard library, imports them too."""

import os
import sys
import time
from collections.abc import Container
from pathlib import Path

from sokoterm.engine.board import Board, State
from sokoterm.solver.search import Found, Limits, Progress, Search
from sokoterm.solver.strategies.best_first import astar

PATIENCE = 20.0  # seconds, for a machine under load
_PACE_SECONDS = 0.001


def endless(_board: Board, _start: State, limits: Limits, left_out: Container[str] = ()) -> Search:  # noqa: ARG001 - of auto
    """A search that never ends; ``depth`` of its progress is the process, ``lower_bound`` the memory it may take."""
    nodes = 0
    while True:
        nodes += 1
        time.sleep(_PACE_SECONDS)
        yield Progress("endless", nodes, limits.states, os.getpid(), limits.memory, nodes * _PACE_SECONDS)


def never_done(board: Board, start: State, limits: Limits) -> Search:
    """A search that goes on after its first solution, without end."""
    for event in astar(board, start, limits):
        yield event
        if isinstance(event, Found):
            break
    return (yield from endless(board, start, limits))


def silent(_board: Board, _start: State, _limits: Limits) -> Search:
    """A search that reports its process once, as ``endless`` does, and never yields again."""
    yield Progress("silent", 1, 1, os.getpid(), 0, 0.0)
    while True:
        time.sleep(_PACE_SECONDS)


def killed(_board: Board, _start: State, _limits: Limits) -> Search:
    """A search whose process ends without a word after its first progress."""
    yield Progress("killed", 1, 1, os.getpid(), 0, 0.0)
    os._exit(1)


def broken(_board: Board, _start: State, _limits: Limits, left_out: Container[str] = ()) -> Search:  # noqa: ARG001 - of auto
    """A search that raises after its first progress."""
    yield Progress("broken", 1, 1, os.getpid(), 0, 0.0)
    raise ZeroDivisionError("a mistake in a search")


def is_alive(process: int) -> bool:
    """True unless a process has ended; a dead one that nobody waits for has. Skips the test on Windows."""
    if sys.platform == "win32":  # where signal 0 is Ctrl-C, for this program too
        import pytest  # not in the processes of searches

        pytest.skip("asks as POSIX does")
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()
