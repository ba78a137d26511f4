"""A session made of lists: commands come from a script, what is said is kept."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.request import Ask, FirstRequest, Start
from sokoterm.app.solver import Solver
from sokoterm.linemode.lines import Event, Lines
from sokoterm.linemode.session import LineSession
from sokoterm.store.packs import pack_from_bytes
from tests.unit.app.generated import Home
from tests.unit.app.searches import ForegroundSearch, IdleProver


class FakeLines(Lines):
    """Gives one command after the other, and then the end."""

    def __init__(self, commands: Iterable[str | Event], pauses: Iterable[Event]) -> None:
        self._commands: Iterator[str | Event] = iter(commands)
        self._pauses = iter(pauses)
        self.is_started = False

    def start(self) -> None:
        self.is_started = True

    def stop(self) -> None:
        self.is_started = False

    def wake(self) -> None:
        """Nothing waits."""

    def read(self, timeout: float | None) -> str | Event:  # noqa: ARG002
        return next(self._commands, Event.END)

    def pause(self, seconds: float) -> Event:  # noqa: ARG002
        return next(self._pauses, Event.NOTHING)


class Told:
    """All that was said: first the beginning of a level, then the answers."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    @property
    def last(self) -> str:
        return self.lines[-1]

    def says(self, words: str) -> bool:
        """Whether some line has these words."""
        return any(words in line for line in self.lines)


def play(
    folder: Path,
    packs: str | Sequence[str],
    commands: Iterable[str | Event],
    *,
    minutes: float | None = None,
    clock: Callable[[], float] = lambda: 0.0,
    pauses: Iterable[Event] = (),
    hear: Callable[[str], None] = lambda _: None,
    make_solver: Callable[[Callable[[], None]], Solver] = ForegroundSearch,
    make_prover: Callable[[Callable[[], None]], Prover] = IdleProver,
) -> Told:
    """One session with packs, its progress in ``folder``; of one pack a level is played, of several one is chosen.

    After ``minutes`` of the ``clock`` without a command it ends; ``pauses`` are what comes between lines that are said,
    and ``hear`` is called with each of them.
    """
    home = Home(folder, now=1e9)
    texts = [packs] if isinstance(packs, str) else packs
    files = [pack_from_bytes(text.encode(), f"test{number}.txt") for number, text in enumerate(texts, start=1)]

    pack_session = home.open_pack_session(files[0])
    first: FirstRequest = Start(pack_session, pack_session.start_number() or 0) if len(files) == 1 else Ask.BROWSE
    makers = {"make_solver": make_solver, "make_prover": make_prover}
    services = home.services(files, clock=clock, idle_minutes=minutes, **makers)
    said: list[str] = []
    lines = FakeLines(commands, pauses)

    def say(line: str) -> None:
        hear(line)
        said.append(line)

    session = LineSession(services, [first], [], lines, say)
    try:
        session.run()
    finally:
        home.close()
    assert not lines.is_started
    assert all("\n" not in line and "\r" not in line and "\x1b" not in line for line in said)
    return Told(said)
