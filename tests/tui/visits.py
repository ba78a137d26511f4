"""Sessions put together as the command line does it, with accounts, a data folder and packs on disk."""

from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from sokoterm.app.opening import Opened, with_packs
from sokoterm.app.options import PlayOptions
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.linemode.session import LineSession
from sokoterm.tui.event_loop import App
from sokoterm.tui.surroundings import Surroundings
from sokoterm.tui.terminal.pointer import Event
from sokoterm.tui.widgets.board_view import Appearance, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.linemode.fake_lines import FakeLines
from tests.tui.fake_terminal import FakeTerminal, ForegroundSearch, Session


def hosted(folder: Path, account: str, *packs: Path) -> PlayOptions:
    """The session of an account in host mode, on a data folder that all accounts share."""
    return PlayOptions(tuple(map(str, packs)), data_dir=str(folder), account=account, is_hosted=True)


def visit(options: PlayOptions, keys: Iterable[Event], size: tuple[int, int] = (24, 120)) -> Session:
    """One session on the fake terminal; each reading of its clock is a second."""
    ticks = count()
    terminal = FakeTerminal(keys, Size(*size))

    def play(opened: Opened) -> None:
        outside = Surroundings(
            terminal=terminal,
            store=opened.store,
            shelf=opened.shelf,
            files=opened.files,
            open_course=opened.open_course,
            clock=lambda: float(next(ticks)),
            log_crash=opened.log_crash,
            make_solver=ForegroundSearch,
            themes=THEMES,
            keymaps=opened.keymaps,
            animation=0,
            make_builder=opened.make_builder,
        )
        App(outside, Appearance(THEMES[0], 1), opened.notices).run(opened.first)

    _open(options, play)
    return Session(terminal.frames)


def visit_by_lines(options: PlayOptions, commands: Iterable[str | LineEvent]) -> list[str]:
    """What one session of the line mode says."""
    said: list[str] = []
    _open(options, lambda opened: LineSession(opened, FakeLines(commands, ()), said.append, lambda: 0.0).run())
    return said


def _open(options: PlayOptions, play: Callable[[Opened], None]) -> None:
    complaints: list[str] = []
    assert with_packs(options, [], complaints.append, lambda: None, play) == 0
    assert complaints == []
