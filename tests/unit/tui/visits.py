"""Sessions put together as the command line does it, with accounts, a data folder and packs on disk."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.services import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.linemode.session import LineSession
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.terminal.terminal import Display, Event
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.linemode.fake_lines import FakeLines
from tests.unit.tui.fake_terminal import FakeTerminal, ForegroundSearch, Session


def hosted(folder: Path, account: str, *packs: Path) -> PlayOptions:
    """The session of an account in host mode, on a data folder that all accounts share."""
    return PlayOptions(tuple(map(str, packs)), data_dir=str(folder), account=account, is_hosted=True)


def visit(options: PlayOptions, keys: Iterable[Event], size: tuple[int, int] = (24, 120)) -> Session:
    """One session on the fake terminal; each reading of its clock is a second."""
    ticks = count()
    terminal = FakeTerminal(keys, Size(*size))

    def play(given: Services, first: Sequence[FirstRequest]) -> None:
        services = Services(
            store=given.store,
            catalog=given.catalog,
            files=given.files,
            open_pack_session=given.open_pack_session,
            clock=lambda: float(next(ticks)),
            log_crash=given.log_crash,
            make_solver=ForegroundSearch,
            keymaps=given.keymaps,
            make_builder=given.make_builder,
            series=given.series,
            lists_series=given.lists_series,
        )
        EventLoop(services, Display(terminal, THEMES), Appearance(THEMES[0], 1), []).run(first)

    _open(options, play)
    return Session(terminal.frames)


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
