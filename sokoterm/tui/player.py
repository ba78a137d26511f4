"""The player on a terminal that shows pictures."""

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.session import Services
from sokoterm.language import _
from sokoterm.store.packs import PackError
from sokoterm.terminal.encoding import speaks_utf8
from sokoterm.terminal.posix_keys import keys_from_terminal
from sokoterm.tui.appearance import AppearanceControl
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.terminal import Counts, Display, Terminal
from sokoterm.tui.widgets.theme import find_theme, themes_for

_MOVES_PER_SECOND = 60  # a walk across a usual board takes a third of a second, and can be followed


def play(options: PlayOptions, notices: list[str], services: Services, first: Sequence[FirstRequest]) -> None:
    """Play on the screen until the player leaves."""
    terminal = _open_terminal(options)
    themes = [
        theme.dressed(options.looks) for theme in themes_for(utf8=speaks_utf8(), many_colors=terminal.shows_tiles)
    ]
    settings = options.settings
    missed = find_theme(settings.theme) if settings.theme else None
    if missed is not None and missed.name not in (theme.name for theme in themes):
        notices.append(
            _("theme {name} needs a terminal with 256 colours and UTF-8", name=missed.name)
            if missed.is_painted
            else _("theme {name} needs a UTF-8 locale", name=missed.name)
        )
    is_slow = bool(settings.slow_link)
    kind = os.environ.get("TERM", "") + (", slow line" if is_slow else "")
    choice = services.store.looks(kind)
    appearance = AppearanceControl(
        themes,
        settings,
        choice,
        shows_tiles=terminal.shows_tiles,
        is_slow=is_slow,
        keep=partial(services.store.keep_looks, kind),
    )
    traffic = _traffic() if options.stats else None
    keys_by_place = settings.keys_by_place is not False
    display = Display(terminal, _animation(options), traffic, bool(settings.timer), keys_by_place)
    try:
        EventLoop(services._replace(warns=choice.warns), display, appearance, notices).run(first)
    finally:
        if display.traffic is not None:
            with suppress(OSError):  # the line may be gone
                print(display.traffic.report(display.terminal.sent), file=sys.stderr)


def _traffic() -> Counts:
    from sokoterm.tui.traffic import Traffic  # not needed to show a board

    return Traffic(time.monotonic)


def take_keyboard(options: PlayOptions) -> None:
    """Read keys from the terminal, even if a pack came through standard input."""
    if not os.isatty(1):
        raise PackError(
            _("log in with a terminal: this account only plays Sokoban")
            if options.is_hosted
            else _(
                "standard output is not a terminal; {command} lists the verbs that need none",
                command="`sokoterm --help`",
            )
        )
    if os.isatty(0):
        return
    try:
        keys_from_terminal()
    except OSError:
        raise PackError(_("no terminal to read keys from")) from None


def _animation(options: PlayOptions) -> int:
    """Return the moves shown in a second; none on a slow line, or if nothing shall move."""
    if options.settings.slow_link or options.settings.reduce_motion:
        return 0
    return _MOVES_PER_SECOND if options.settings.animation is None else options.settings.animation


def _wants_color(options: PlayOptions) -> bool:
    """Return False if NO_COLOR (no-color.org), the command line or the config file declines colours."""
    return options.settings.color is not False and not os.environ.get("NO_COLOR")


def _open_terminal(options: PlayOptions) -> Terminal:
    try:
        from sokoterm.tui.curses_terminal import (  # fails without curses
            CursesTerminal,
            UnknownTerminalError,
            can_address_cursor,
        )
    except ImportError:  # Windows without windows-curses, or a Python built without curses
        raise PackError(
            _("Python's curses module is missing; on Windows: {command}", command="pip install windows-curses")
        ) from None
    try:
        is_addressed = can_address_cursor()
    except UnknownTerminalError as error:
        raise PackError(
            _("{problem}; try {command}", problem=error, command="TERM=xterm ssh")
            if options.is_hosted
            else _(
                "{problem}; try {command}, or {surely}",
                problem=error,
                command="TERM=xterm sokoterm",
                surely="sokoterm --plain",
            )
        ) from None
    if is_addressed:
        return CursesTerminal(
            color=_wants_color(options),
            mouse=options.settings.mouse is not False,
            clipboard=options.settings.clipboard is not False,
            slow=bool(options.settings.slow_link),
        )
    from sokoterm.tui.teletype import PlainTerminal  # terminals without a cursor only

    return PlainTerminal()
