"""Opening the player without a screen."""

import os
from collections.abc import Sequence

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import First
from sokoterm.app.services import Services
from sokoterm.linemode.lines import open_lines
from sokoterm.linemode.session import LineSession
from sokoterm.store.packs import PackError


def play(options: PlayOptions, notices: list[str], services: Services, first: Sequence[First]) -> None:  # noqa: ARG001
    """Play by lines until the player leaves."""
    LineSession(services, first, notices, open_lines(), _say).run()


def take_keyboard(options: PlayOptions) -> None:
    """Read commands from the terminal if standard input is a pack; raises PackError without a terminal."""
    if "-" in options.packs:
        _take_terminal()


def _say(line: str) -> None:
    print(line, flush=True)


def _take_terminal() -> None:
    """Read commands from the terminal, for standard input was the pack; raises PackError where there is none."""
    try:
        from sokoterm.tui.terminal.posix_keys import keys_from_terminal

        if not os.isatty(0):
            keys_from_terminal()
    except (ImportError, OSError):
        raise PackError("found no terminal to read commands from: standard input was the pack") from None
