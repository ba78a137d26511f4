"""Generated packs of one person, made on the spot; the calendar is the test's."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

from sokoterm.app.background import BuildJob, LevelBuilder
from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import GeneratedPack, GeneratedSeries
from sokoterm.app.pack_session import PackSession
from sokoterm.app.session import Services
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.steps import Steps, finish
from sokoterm.generator.make import Made, made_by
from sokoterm.generator.recipes import Recipe, day_recipe, floor_recipe
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import day_of, number_of
from tests.unit.app.searches import ForegroundSearch, IdleProver

TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
# Small levels: it gets harder through the week, to the Sunday that is today.
MONDAY = TODAY + DAY
TUESDAY = MONDAY + DAY


class ForegroundWorkshop(LevelBuilder):
    """A LevelBuilder that makes what stands first on the spot."""

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        for order in jobs[: 0 if gives_way else 1]:
            finish(order.steps())()
        return ""


class Home:
    """One person's pack sessions over a store that is opened anew for each session."""

    def __init__(self, folder: Path, scores: ScoreTable | None = None, now: float = TODAY, seed: int = 7) -> None:
        self.store = ProgressStore.open(str(folder / "progress.db"), lambda: now)
        self.scores, library = scores, folder / "library.db"
        self.catalog = Catalog(lambda: LibraryIndex.open(str(library), lambda: now), library.exists, self.store)
        self.series = GeneratedSeries(self.store, self.catalog, scores, lambda: now, lambda: seed)

    def open_pack_session(self, file: PackFile) -> PackSession:
        return PackSession(open_pack(file), file.key, file.name, self.store, self.catalog, stamp_of(file), self.scores)

    def services(self, files: Sequence[PackFile] = (), **given: object) -> Services:
        """Return what a session gets: searches on the spot, no proofs, a second for each look at the clock."""
        ticks = count()
        usual = Services(
            store=self.store,
            catalog=self.catalog,
            files=files,
            open_pack_session=self.open_pack_session,
            clock=lambda: float(next(ticks)),
            log_crash=lambda _: "details in the log",
            make_solver=ForegroundSearch,
            make_prover=IdleProver,
        )
        return usual._replace(**given)

    def close(self) -> None:
        self.store.close()
        self.catalog.close()


@cache
def made(recipe: Recipe) -> Made:
    """The level of a recipe, made once for all tests."""
    return finish(made_by(recipe))


def made_soon(recipe: Recipe) -> Made:
    """The first level of a recipe, however hard it is: that of a Sunday takes seconds otherwise."""
    return made(recipe._replace(tries=1))


def made_once(recipe: Recipe, *__: object) -> Steps[Made]:
    """Take the place of ``made_by`` with levels that are made soon, and once for all tests."""
    yield
    return made_soon(recipe)


def solution_of_floor(seed: int, number: int) -> Solution:
    """The fewest pushes of a floor."""
    return made_soon(floor_recipe(seed, number)).solution


def solution_of_day(moment: float) -> Solution:
    """The fewest pushes of the day of a moment."""
    day = day_of(moment)
    return made_soon(day_recipe(number_of(day), day.weekday(), day.isoformat())).solution


def build(pack: GeneratedPack, number: int) -> Level:
    """Do the first job for a player at a level, and return that level."""
    with patch("sokoterm.generator.make.made_by", made_once):
        finish(pack.jobs(number)[0].steps())()
    level = pack.find_level(number)
    assert level is not None
    return level
