"""Searches that say what a script has, and plays beside them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sokoterm.app.search_monitor import SearchMonitor
from sokoterm.app.solver_service import News, SearchEnd, why_unsolved
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.protocol import MEGABYTE, Found, Limits, Outcome, Progress, Status
from tests.unit.tui.fake_terminal import ForegroundSearch, Session, play

ROWS = """\
    #####
    #   #####
    # # #   #
  ### #   $ #
###   # # # #
#..   $ $   #
#. @  #######
#######"""
PACK = f"Collection: Golden\n\n{ROWS}\nTitle: Three boxes and a pillar\nAuthor: A. Person\n\n#####\n#@$.#\n#####\n"
LEVEL = Level.from_xsb(ROWS)
EASY = "#######\n#@$ . #\n#     #\n#######\n"

FIRST = Progress("astar", 4000, 5200, 17, 41, 1.0)
Said = Progress | Found | Outcome


class ScriptedSearch(ForegroundSearch):
    """Says what a script has, one piece each time it is asked; the clock goes on by two seconds before each."""

    def __init__(self, wake: Callable[[], None], script: Iterable[Said]) -> None:
        super().__init__(wake)
        self._script = iter(script)
        self._seconds = 0.0

    def start(self, board: Board, state: State) -> None:
        super().start(board, state)
        limits = Limits(60.0, 0, 0, lambda: self._seconds, 256 * MEGABYTE, lambda: 143 * MEGABYTE)
        self.watched = SearchMonitor("auto", board, state, limits)

    def news(self) -> Iterator[News]:
        watched, said = self.watched, next(self._script, None) if self._task is not None else None
        self._seconds += 2
        if watched is None:
            return
        match said:
            case Progress():
                watched.look(said)
                yield said
            case Found(solution):
                watched.found(solution)
                yield solution
            case Outcome():
                self._task = None
                watched.ended(said)
                yield SearchEnd(why_unsolved(said))


def scripted(
    folder: Path,
    keys: list[str],
    script: Iterable[Said],
    pack: str = PACK,
    size: tuple[int, int] = (24, 80),
    cell: int = 0,
) -> Session:
    """A play with these keys beside searches that say what the script has."""
    return play(folder, pack, keys, size=size, cell=cell, make_solver=lambda wake: ScriptedSearch(wake, script))


def found_by(level: Level, lurd: str) -> Found:
    """What a search says of the solution that these moves are."""
    return Found(verify(level.board, level.start, lurd))


EASY_LEVEL = Level.from_xsb(EASY)
SHORT = found_by(EASY_LEVEL, "RR")
LONG = found_by(EASY_LEVEL, "duRR")
SOLVED = Outcome(Status.SOLVED, "astar", None, "pushes", 12, 20, 0.1)
