"""``python3 -m tests.tour [FOLDER]``: writes the tour and its stills to docs/tour/, the same bytes on every machine.

The program plays on a fake terminal, by a clock of its own; the progress of the player is made here.  The pictures
``small-*.svg`` are for the README, in rows of three.
"""

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import Mock, patch

from sokoterm.app import planning
from sokoterm.app.catalog import catalog_of
from sokoterm.app.request import Ask
from sokoterm.app.solver import Solver
from sokoterm.engine.game import Game
from sokoterm.engine.lurd import parse_lurd
from sokoterm.generator.recipes import RECIPE
from sokoterm.solver.search import MEGABYTE, Crashed, Found, Outcome, Progress, solve
from sokoterm.solver.strategies.best_first import greedy
from sokoterm.store.packs import bundled_packs, open_pack
from sokoterm.store.progress import ChosenLooks, ProgressStore
from sokoterm.store.series import Day, Effort, MadeLevel, day_of, keep_day
from sokoterm.store.settings import Settings
from sokoterm.terminal.events import Event
from sokoterm.tui.event_loop import AppearanceControl, EventLoop
from sokoterm.tui.screens import planner
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import THEMES
from sokoterm.wording import statistics
from tests.present import present
from tests.tour.terminal_svg import Picture, draw
from tests.unit.app.generated import DAY, ForegroundWorkshop, Home, made_once, solution_of_day
from tests.unit.app.searches import LIMITS
from tests.unit.tui.fake_terminal import Clock, FakeTerminal
from tests.unit.tui.made import keys_of

FOLDER = Path(__file__).parents[2] / "docs" / "tour"
_TODAY = datetime(2026, 11, 27, 12, tzinfo=UTC)
_NOW = _TODAY.timestamp()
_STEPS, _MOVES = 500, 16  # of a search, and of a walk, in a second
# The levels that are solved at first, by pack, and the moves made in a level of One Evening.
_SOLVED = (("variants-first-colours", 16), ("first-steps", 27), ("one-evening", 12), ("one-long-night", 18))
_NUMBER, _LURD = 13, "UruullLLDurrdRurDllL"


class Scene(NamedTuple):
    """Keys, with the seconds between two of them and after the last; what the caption says; ``still``: of its end."""

    shown: str
    words: str
    keys: str
    pace: float
    rest: float
    still: str = ""

    def beats(self) -> Iterator[tuple[str, float]]:
        """Yield each key with the seconds until the next."""
        *keys, last = self.keys.split()
        yield from zip(keys, repeat(self.pace))
        yield last, self.rest


TOUR = (
    Scene("sokoterm", "all packs, and your progress", "wait", 0, 1.6, "first"),
    Scene("Enter", "go on where you left off", "enter", 0, 0.8, "board"),
    Scene("↓ ←", "push boxes onto goals", "down left", 0.25, 0.5),
    Scene("→ ↑ ↑ ← ←", "one push too far: dead", "right up up left left", 0.15, 1.4, "dead"),
    Scene("U", "back to where all is well", "U", 0, 0.8),
    Scene("Tab a b", "plan: box a to square b", "tab a b", 0.8, 0.9, "planner"),
    Scene("Enter", "two pushes, twelve moves", "enter", 0, 1.0),
    Scene("↓ → → ↑ ←", "solved, no pushes wasted", "down right right up left", 0.16, 2.1, "win"),
    Scene("Enter", "on to the next level", "enter", 0, 0.5),
    Scene(".", "a hint makes one push", ".", 0, 1.1),
    Scene("b b /", "search all the levels", "b b / r u i n", 0.2, 0.4),
    Scene("Enter Enter", "play the level found", "enter enter", 0.4, 0.4),
    Scene("S S", "watch the solver search", "S S", 0.3, 0.8, "solver"),
    Scene("S S", "watch the solver search", "wait", 0, 1.3),
    Scene("Enter +", "replay its solution", "enter + + + +", 0, 3.0),
)
_LARGE, _SMALL, _SMALL_WIDTH = Size(30, 100), Size(20, 40), 260  # of terminals, and of a picture in pixels


class Recorder(FakeTerminal):
    """A terminal on which the keys of scenes are pressed; it keeps its pictures, each with its scene."""

    def __init__(self, scenes: Iterable[Scene], clock: Clock) -> None:
        super().__init__((), _LARGE, self._keep, clock)
        self._beats = ((scene, *beat) for scene in scenes for beat in scene.beats())
        self._scene, self._until = TOUR[0], 0.0
        self.shots: list[tuple[Scene, Picture]] = []

    def _keep(self, frame: Frame) -> None:
        keys, words = self._scene.shown.split(), self._scene.words
        picture = Picture(self._clock.now, frame, self.cursors[-1], self.titles[-1], keys, words)
        self.shots.append((self._scene, picture))

    def read_keys(self, timeout: float | None) -> list[Event]:
        if (left := self._until - self._clock.now) > 1e-9:
            self._clock.now += left if timeout is None else min(left, timeout)
            return []
        self._scene, key, seconds = next(self._beats, (self._scene, "hangup", 0.0))
        self._until += seconds
        if key == "shrink":
            self._size = _SMALL
            return ["resize"]
        return [key] if key != "wait" else []


class PacedSearch(Solver):
    """The search of the game without a thread: it makes as many steps as the clock allows."""

    def __init__(self, wake: Callable[[], None], clock: Clock) -> None:
        super().__init__(wake, LIMITS._replace(clock=clock, resident=lambda: 61 * MEGABYTE))
        self._clock = clock

    def begin(self, work: Generator[Progress | Found | None, None, Outcome]) -> None:
        self._searching, self._due, self.is_busy = work, self._clock.now, True
        self._progress: Progress | None = None

    @property
    def latest(self) -> Progress | None:
        return self._progress

    def events(self) -> Iterator[Found | Crashed | Outcome]:
        while self.is_busy and self._due < self._clock.now:
            self._due += 1 / _STEPS
            try:
                event = next(self._searching)
            except StopIteration as end:
                self.is_busy = False
                yield end.value
            else:
                if isinstance(event, Progress):
                    self._progress = event
                elif event is not None:
                    yield event


def _keep_progress(folder: Path) -> None:
    """Keep what a player has solved, with the daily levels of late, and an open play."""
    now, files = Clock(), bundled_packs()
    store = ProgressStore.open(str(folder / "progress.db"), now)
    index = catalog_of(str(folder), store)
    while index.has_work(files):
        index.work(files)
    index.close()
    packs = {file.name: open_pack(file) for file in files}
    levels = [level for name, solved in _SOLVED for level in packs[name].levels[:solved]]
    backs = [1 + n * 2 // 5 if n < 30 else 15 + n * n % 83 for n in range(len(levels))]  # days: each of the last twelve
    plays = [(level, present(solve(level.board, level.start, greedy, LIMITS)[0]).lurd) for level in levels]
    plays.append((present(packs["one-evening"].find_level(_NUMBER)), _LURD))
    for (level, lurd), back in zip(plays, [*reversed(backs), 1], strict=True):
        now.now = _NOW - back * DAY
        game = Game(level)
        game.play(parse_lurd(lurd))
        store.save_play(level, game.edits, game.cursor, {}, 3.0 * game.moves, is_solved=game.is_solved)
        if game.is_solved:
            store.record(level, lurd)
        if game.is_solved and back < 13:
            effort = Effort(solved=now.now, pushes=game.pushes + back % 3 // 2 * back, moves=game.moves)
            keep_day(store, Day(day_of(now.now), MadeLevel(RECIPE, "\n".join(level.rows), lurd), effort))
    store.save_place(files[1].key, _NUMBER)
    assert not store.close()


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the name of each file and what it holds."""
    daily = " ".join(("esc b b home down enter", *keys_of(solution_of_day(_NOW).lurd), "enter"))
    stills = (
        Scene("", "", "esc i", 1, 1, "statistics"),
        Scene("", "", daily, 2, 2, "daily"),
        Scene("", "", "shrink", 0, 1, "small-daily"),
        Scene("", "", "b b / f o l d e d enter enter tab a", 0.8, 1, "small-planner"),
        Scene("", "", "esc esc b b / r u i n enter enter S S", 0.3, 0.8, "small-solver"),
    )
    clock, settings = Clock(), Settings(theme="tiles", palette="dark")
    recorder = Recorder((*TOUR, *stills), clock)
    looks = AppearanceControl(THEMES, settings, ChosenLooks(), shows_tiles=True)
    with TemporaryDirectory() as folder, patch("sokoterm.generator.make.made_by", made_once):
        _keep_progress(Path(folder))
        home = Home(Path(folder), now=_NOW)
        makers = {"make_solver": lambda wake: PacedSearch(wake, clock), "make_builder": ForegroundWorkshop}
        services = home.services(bundled_packs(), series=home.series, lists_series=True, clock=clock, **makers)
        EventLoop(services, Display(recorder, _MOVES), looks, []).run([Ask.BROWSE])
        home.close()
    live = {picture.at: picture for scene, picture in recorder.shots if scene in TOUR}  # the last of each moment
    yield "tour.svg", draw([*live.values()], sum(seconds for scene in TOUR for __, seconds in scene.beats()))
    last = {scene.still: picture for scene, picture in recorder.shots if scene.still}
    for name, picture in last.items():
        yield f"{name}.svg", draw([picture], shown_width=_SMALL_WIDTH if name.startswith("small") else None)


def main(folder: Path = FOLDER) -> None:
    """Write the files, on a day and in a time zone of their own, with all the time that is wanted."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    today = Mock(wraps=date, today=_TODAY.date)
    for module, name in ((planning, "monotonic"), (planner, "monotonic"), (statistics, "date")):
        setattr(module, name, today if name == "date" else lambda: 0.0)
    folder.mkdir(exist_ok=True)
    for name, data in files():
        (folder / name).write_bytes(data)
        print(f"{len(data):9,} {name}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
