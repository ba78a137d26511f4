"""Opening the player without a screen."""

import os
from collections.abc import Callable, Sequence

from sokoterm.app.opening import First, with_packs
from sokoterm.app.options import PlayOptions
from sokoterm.app.services import Services
from sokoterm.linemode.lines import open_lines
from sokoterm.linemode.session import LineSession
from sokoterm.store.packs import PackError


def run(options: PlayOptions, notices: list[str], complain: Callable[[str], None]) -> int:
    """Play by lines until the player leaves; status and errors are those of ``with_packs``."""

    def take_keyboard() -> None:
        if "-" in options.packs:
            _take_terminal()

    def play(services: Services, first: Sequence[First]) -> None:
        LineSession(services, first, notices, open_lines(), _say).run()

    return with_packs(options, notices, complain, take_keyboard, play)


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
