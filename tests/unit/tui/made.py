"""A player of levels that the program makes: they are made on the spot, and the calendar is the test's."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

from sokoterm.app.catalog import Catalog
from sokoterm.app.level_builder import BuildJob, MakeBuilder
from sokoterm.app.options import Series
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Browse
from sokoterm.app.series.series import GeneratedSeries
from sokoterm.app.services import Services
from sokoterm.app.solver_service import SolverService
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Steps, finish
from sokoterm.generator.make import Made, made_by
from sokoterm.generator.recipes import Recipe, day_recipe, floor_recipe
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, bundled_packs, open_pack
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score import Scoreboard
from sokoterm.store.series import day_of, number_of
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.terminal.terminal import Display, Event
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.app.searches import ForegroundSearch
from tests.unit.tui.fake_terminal import FakeTerminal, Session

TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
_KEYS = str.maketrans("lurdLURD", "hkljhklj")


class ForegroundWorkshop:
    """A LevelBuilder that makes what stands first on the spot."""

    def __init__(self, wake: Callable[[], None]) -> None:  # noqa: ARG002
        self.made: list[str] = []

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        for order in jobs[: 0 if gives_way else 1]:
            finish(order.steps())()
        return ""

    def pause(self) -> None:
        """Nothing goes on."""

    def close(self) -> None:
        """Nothing goes on."""


class Home:
    """One person's pack sessions over a store that is opened anew for each session."""

    def __init__(self, folder: Path, scores: Scoreboard | None = None, now: float = TODAY, seed: int = 7) -> None:
        self.store = ProgressStore.open(str(folder / "progress.db"), lambda: now)
        library = folder / "library.db"
        self.catalog = Catalog(lambda: LibraryIndex.open(str(library), lambda: now), library.exists, self.store)
        self.series = GeneratedSeries(self.store, self.catalog, scores, lambda: now, lambda: seed)

    def open_pack_session(self, file: PackFile) -> PackSession:
        return PackSession(open_pack(file), file.key, file.name, self.store, self.catalog)

    def close(self) -> None:
        self.store.close()
        self.catalog.close()


def today(home: Home) -> Reaction:
    """The level of the day."""
    return home.series.start(Series(False))


def descent(home: Home) -> Reaction:
    """The run that is open, or a new one."""
    return home.series.start(Series(True))


def browse(home: Home) -> Reaction:  # noqa: ARG001
    """The list of packs."""
    return Browse()


def play_made(
    folder: Path,
    first: Callable[[Home], Reaction],
    keys: Iterable[Event],
    *,
    now: float = TODAY,
    seed: int = 7,
    size: tuple[int, int] = (24, 80),
    scores: Scoreboard | None = None,
    make_builder: MakeBuilder = ForegroundWorkshop,
    make_solver: Callable[[Callable[[], None]], SolverService] = ForegroundSearch,
) -> Session:
    """One session at a moment; a descent without a seed begins with ``seed``."""
    home = Home(folder, scores, now, seed)
    terminal = FakeTerminal(keys, Size(*size))
    ticks = count()
    services = Services(
        store=home.store,
        catalog=home.catalog,
        files=bundled_packs(),
        open_pack_session=home.open_pack_session,
        clock=lambda: float(next(ticks)),
        log_crash=lambda _: "details in the log",
        make_solver=make_solver,
        make_builder=make_builder,
        series=home.series,
        lists_series=True,
    )
    notices: list[str] = []
    making = patch("sokoterm.generator.make.made_by", made_once)
    try:
        with making:
            EventLoop(services, Display(terminal, THEMES), Appearance(THEMES[0], 1), notices).run([first(home)])
    finally:
        home.close()
    assert notices == []
    return Session(terminal.frames, terminal.copied, uses_mouse=terminal.uses_mouse)


@cache
def _made(recipe: Recipe) -> Made:
    return finish(made_by(recipe))


def made_once(recipe: Recipe) -> Steps[Made]:
    """What ``made_by`` gives, made once for all tests."""
    yield
    return _made(recipe)


def solution_of_floor(seed: int, number: int) -> Solution:
    """The fewest pushes of a floor."""
    return _made(floor_recipe(seed, number)).solution


def solution_of_day(moment: float) -> Solution:
    """The fewest pushes of the day of a moment."""
    day = day_of(moment)
    return _made(day_recipe(number_of(day), day.weekday(), day.isoformat())).solution


def keys_of(lurd: str) -> list[str]:
    """The keys that make these moves."""
    return [*lurd.translate(_KEYS)]


def floor_keys(seed: int, number: int) -> list[str]:
    """The keys that solve a floor with the fewest pushes."""
    return keys_of(solution_of_floor(seed, number).lurd)
