"""A terminal made of lists: keys come from a script, pictures are kept."""

import re
from collections.abc import Callable, Iterable
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Outcome, Start
from sokoterm.app.solver import Solver
from sokoterm.store.packs import PackFile, open_pack, pack_from_bytes
from sokoterm.store.plays import lurd_of
from sokoterm.store.progress import ChosenLooks, ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.settings import Settings
from sokoterm.terminal.events import Event
from sokoterm.tui.event_loop import AppearanceControl, EventLoop
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.terminal import Display, Terminal
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import COLORS, THEMES, Looks
from sokoterm.tui.widgets.tiles import DARK, Palette
from sokoterm.wording.outcomes import phrase
from tests.present import present
from tests.unit.app.generated import Home
from tests.unit.app.searches import ForegroundSearch, IdleProver, Said, ScriptedSearch
from tests.unit.tui.planned import PILLARS


class Clock:
    """A clock that the terminal moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


TO_TILES = ["T"] * [theme.name for theme in THEMES].index("tiles")
"""The keys from the first theme to the tiles."""
TILES = THEMES[len(TO_TILES)]


class FakeTerminal(Terminal):
    """Gives one key or click of the script at a time, those of a list at once; where it ends, the terminal hangs up.

    ``size 24 80`` resizes it, ``wait`` is a while without a key, ``wait 0.5`` one of half a second.
    """

    shows_motion = True
    shows_tiles = True
    may_picture = False
    is_busy = False
    sent = 0

    def __init__(
        self,
        keys: Iterable[Event | list[Event]],
        size: Size,
        painted: Callable[[Frame], None] | None = None,
        clock: Clock | None = None,
        seconds: float = 0,
    ) -> None:
        """``painted`` is called with each picture shown; a key takes ``seconds`` of a ``clock``, a wait its time."""
        self._clock = clock or Clock()
        self._seconds = seconds
        self.limits = list[float | None]()  # of its waits for keys
        self._script = iter(keys)
        self._painted = painted
        self._size = size
        self.frames: list[Frame] = []
        self.is_taken = False
        self.looks = COLORS
        self._has_mouse = True
        self.palette = DARK
        self.copied: list[str] = []
        self.copy_problem = ""
        self.cursors = list[bool]()  # of each picture, whether the cursor is seen
        self.titles = list[str]()
        self.rings = 0
        self._shows_cursor = True

    def start(self) -> None:
        self.is_taken = True

    def stop(self) -> None:
        self.is_taken = False

    def size(self) -> Size:
        return self._size

    def wear(self, looks: Looks, palette: Palette) -> None:
        self.looks, self.palette = looks, palette

    def paint(self, frame: Frame) -> None:
        assert len(frame.rows) == self._size.rows
        assert all(len(row.text) == len(row.styles) == self._size.columns for row in frame.rows)
        self.frames.append(frame)
        self.cursors.append(self._shows_cursor)
        if self._painted is not None:
            self._painted(frame)

    def show_cursor(self, is_shown: bool) -> None:
        self._shows_cursor = is_shown

    def name_window(self, title: str) -> None:
        self.titles.append(title)

    def ring(self) -> None:
        self.rings += 1

    def forget(self) -> None:
        """Nothing is taken for granted here."""

    @property
    def uses_mouse(self) -> bool:
        return self._has_mouse

    def toggle_mouse(self) -> bool | None:
        self._has_mouse = not self._has_mouse
        return self._has_mouse

    def read_keys(self, timeout: float | None) -> list[Event]:
        self.limits.append(timeout)
        key = next(self._script, "hangup")
        self._clock.now += self._seconds
        if isinstance(key, list):
            return key
        if not isinstance(key, str):
            return [key]
        if key.startswith("size "):
            rows, columns = map(int, key.split()[1:])
            self._size = Size(rows, columns)
            return ["resize"]
        if key == "wait" or key.startswith("wait "):
            self._clock.now += float(key[5:] or timeout or 0)
            return []
        return [key]

    def wake(self) -> None:
        """Nothing waits."""

    def copy(self, text: str) -> str:
        self.copied.append(text)
        return self.copy_problem

    def suspend(self) -> None:
        """Nobody to give the terminal to."""


class Saved(NamedTuple):
    """A level on disk: the moves of its open play, and the best solution."""

    lurd: str = ""
    solution: str = ""

    @property
    def moves(self) -> int:
        return len(self.lurd)

    @property
    def pushes(self) -> int:
        return sum(map(str.isupper, self.lurd))


def _saved(folder: Path, file: PackFile) -> Saved:
    store = ProgressStore.open(str(folder / "progress.db"), clock=lambda: 1e9)
    level = present(open_pack(file).find_level(store.load_place(file.key) or 0))
    play, best = store.load_play(level), store.best(level).by_moves
    store.close()
    lurd = lurd_of(play.edits[: play.cursor]) if play is not None else ""
    return Saved(lurd, best.lurd if best is not None else "")


def _text(frame: Frame) -> str:
    return "\n".join(row.text.rstrip() for row in frame.rows)


class Session:
    """What the player saw in one session."""

    def __init__(self, terminal: FakeTerminal, saved: Callable[[], Saved] = Saved) -> None:
        """``saved`` is what the session left on disk of the level it ended on."""
        self.frames, self.copied, self.limits = terminal.frames, terminal.copied, terminal.limits
        self.looks, self.uses_mouse = terminal.looks, terminal.uses_mouse
        self.cursors, self.titles, self.rings = terminal.cursors, terminal.titles, terminal.rings
        self.saved = saved

    @property
    def screens(self) -> list[str]:
        """The pictures as text, lines cut on the right."""
        return [_text(frame) for frame in self.frames]

    @property
    def last(self) -> str:
        """The last picture."""
        return _text(self.frames[-1])

    def shows(self, *words: str) -> bool:
        """Whether the last picture has all these words, however far apart."""
        shown = re.sub(" +", " ", self.last)
        return all(re.sub(" +", " ", each) in shown for each in words)


def pane_lines(session: Session, column: int = 0) -> list[str]:
    """The lines inside of the pane at a column in the last picture."""
    lines = [line[column:] for line in session.last.split("\n")]
    top = next(row for row, line in enumerate(lines) if line.startswith("╭"))
    width = lines[top].index("╮")
    inside = takewhile(lambda line: line.startswith("│"), lines[top + 1 :])
    return [line[2 : width - 1] for line in inside]


def in_ascii(columns: int = 1) -> AppearanceControl:
    """Return the control of looks that begins with ASCII, in so many columns a square."""
    return AppearanceControl(THEMES, Settings(theme="ascii", cell=columns), ChosenLooks(), shows_tiles=True)


def line_for(outcome: Outcome) -> str:
    """Return the line that tells the player of an outcome, with the usual keys."""
    return phrase(outcome, KEYMAPS.play)


def play(
    folder: Path,
    pack: str,
    keys: Iterable[Event],
    *,
    first: Callable[[PackSession], list[Reaction]] | None = None,
    size: tuple[int, int] = (24, 80),
    cell: int = 1,
    make_solver: Callable[[Callable[[], None]], Solver] = ForegroundSearch,
    animation: int = 0,
    make_prover: Callable[[Callable[[], None]], Prover] = IdleProver,
    copy_problem: str = "",
    keymaps: Keymaps = KEYMAPS,
    idle_minutes: float | None = None,
    notices: list[str] | None = None,
    scores: ScoreTable | None = None,
    painted: Callable[[Frame], None] | None = None,
    keys_by_place: bool = True,
    has_bell: bool = False,
) -> Session:
    """One session with a pack, its progress in ``folder``; each key takes a second.

    With an ``animation`` the time goes on while no key comes, and stands still otherwise.

    ``notices`` gets what the player was not shown.
    """
    clock = Clock()
    terminal = FakeTerminal(keys, Size(*size), painted, clock, seconds=0 if animation else 1)
    terminal.copy_problem = copy_problem
    home, file = Home(folder, scores, 1e9), pack_from_bytes(pack.encode(), "test.txt")
    pack_session = home.open_pack_session(file)
    makers = {"make_solver": make_solver, "make_prover": make_prover}
    services = home.services([file], clock=clock, keymaps=keymaps, idle_minutes=idle_minutes, **makers)
    number = present(pack_session.start_number())
    try:
        display = Display(terminal, animation, keys_by_place=keys_by_place, has_bell=has_bell)
        EventLoop(services, display, in_ascii(cell), [] if notices is None else notices).run(
            first(pack_session) if first else [Start(pack_session, number)]
        )
    finally:
        home.close()
    assert not terminal.is_taken
    return Session(terminal, lambda: _saved(folder, file))


TWO_LEVELS = (
    f"Collection: Golden\n\n{PILLARS}\nTitle: Three boxes and a pillar\nAuthor: A. Person\n\n#####\n#@$.#\n#####\n"
)


def scripted(
    folder: Path,
    keys: list[str],
    script: Iterable[Said],
    pack: str = TWO_LEVELS,
    size: tuple[int, int] = (24, 80),
    cell: int = 0,
    has_bell: bool = False,
) -> Session:
    """A play with these keys beside searches that say what the script has."""

    def make_solver(wake: Callable[[], None]) -> Solver:
        return ScriptedSearch(wake, script)

    return play(folder, pack, keys, size=size, cell=cell, make_solver=make_solver, has_bell=has_bell)
