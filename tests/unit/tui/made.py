"""A player of levels that the program makes: they are made on the spot, and the calendar is the test's."""

from collections.abc import Callable, Iterable
from pathlib import Path
from unittest.mock import patch

from sokoterm.app.background import LevelBuilder
from sokoterm.app.options import Series
from sokoterm.app.request import Ask, Start
from sokoterm.app.solver import Solver
from sokoterm.store.packs import bundled_packs
from sokoterm.store.score_table import ScoreTable
from sokoterm.terminal.events import Event
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.frame import Size
from tests.unit.app.generated import TODAY, ForegroundWorkshop, Home, made_once, solution_of_floor
from tests.unit.app.searches import ForegroundSearch
from tests.unit.tui.fake_terminal import FakeTerminal, Session, in_ascii

_KEYS = str.maketrans("lurdLURD", "hkljhklj")


def today(home: Home) -> Reaction:
    """The level of the day."""
    return Start(*home.series.start(Series(False)))


def descent(home: Home) -> Reaction:
    """The run that is open, or a new one."""
    return Start(*home.series.start(Series(True)))


def browse(home: Home) -> Reaction:  # noqa: ARG001
    """The list of packs."""
    return Ask.BROWSE


def play_made(
    folder: Path,
    first: Callable[[Home], Reaction],
    keys: Iterable[Event],
    *,
    now: float = TODAY,
    seed: int = 7,
    size: tuple[int, int] = (24, 80),
    scores: ScoreTable | None = None,
    make_builder: Callable[[Callable[[], None]], LevelBuilder] = ForegroundWorkshop,
    make_solver: Callable[[Callable[[], None]], Solver] = ForegroundSearch,
) -> Session:
    """One session at a moment; a descent without a seed begins with ``seed``."""
    home = Home(folder, scores, now, seed)
    terminal = FakeTerminal(keys, Size(*size))
    makers = {"make_solver": make_solver, "make_builder": make_builder}
    services = home.services(bundled_packs(), series=home.series, lists_series=True, **makers)
    notices: list[str] = []
    try:
        with patch("sokoterm.generator.make.made_by", made_once):
            EventLoop(services, Display(terminal), in_ascii(), notices).run([first(home)])
    finally:
        home.close()
    assert notices == []
    return Session(terminal)


def keys_of(lurd: str) -> list[str]:
    """The keys that make these moves."""
    return [*lurd.translate(_KEYS)]


def floor_keys(seed: int, number: int) -> list[str]:
    """The keys that solve a floor with the fewest pushes."""
    return keys_of(solution_of_floor(seed, number).lurd)
