"""Sessions put together as the command line does it, with accounts, a data folder and packs on disk."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.session import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.linemode.session import LineSession
from sokoterm.terminal.events import Event
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.board_view import Size
from tests.unit.app.searches import on_the_spot
from tests.unit.linemode.fake_lines import FakeLines
from tests.unit.tui.fake_terminal import FakeTerminal, Session, in_ascii


def hosted(folder: Path, account: str, *packs: Path) -> PlayOptions:
    """The session of an account in host mode, on a data folder that all accounts share."""
    return PlayOptions(tuple(map(str, packs)), data_dir=str(folder), account=account, is_hosted=True)


def visit(options: PlayOptions, keys: Iterable[Event], size: tuple[int, int] = (24, 120)) -> Session:
    """One session on the fake terminal; each reading of its clock is a second."""
    terminal = FakeTerminal(keys, Size(*size))

    def play(given: Services, first: Sequence[FirstRequest]) -> None:
        EventLoop(on_the_spot(given), Display(terminal), in_ascii(), []).run(first)

    _open(options, play)
    return Session(terminal)


def visit_by_lines(options: PlayOptions, commands: Iterable[str | LineEvent]) -> list[str]:
    """What one session of the line mode says."""
    said: list[str] = []
    _open(
        options,
        lambda services, first: LineSession(services, first, [], FakeLines(commands, ()), said.append).run(),
    )
    return said


def _open(options: PlayOptions, play: Callable[[Services, Sequence[FirstRequest]], None]) -> None:
    complaints: list[str] = []
    assert with_packs(options, [], complaints.append, lambda: None, play) == 0
    assert complaints == []
