"""Opening the player: terminal, progress, packs and settings put together; and what happens when it fails."""

import os
import time
from collections.abc import Callable, Sequence
from functools import partial

from sokoterm.engine.level import Pack
from sokoterm.engine.lurd import LurdError, end_of
from sokoterm.engine.printable import printable
from sokoterm.library.known import stamp_of
from sokoterm.library.packs import PackError, PackFile, bundled_packs, find_packs, open_pack
from sokoterm.library.paths import config_file, data_dir, library_file, packs_dir, progress_file
from sokoterm.library.progress import Progress as ProgressStore
from sokoterm.tui.alarm import Thinker
from sokoterm.tui.app import App, Surroundings
from sokoterm.tui.course import Course
from sokoterm.tui.desk import SearchDesk
from sokoterm.tui.keymap import KEYMAPS, with_wasd
from sokoterm.tui.options import PlayOptions
from sokoterm.tui.reactions import Open, Reaction, ShowReplay, Start
from sokoterm.tui.shelf import Library, Shelf
from sokoterm.tui.terminal import Terminal, speaks_utf8
from sokoterm.tui.theme import THEMES, find_theme, themes_for
from sokoterm.tui.thread_switching import ThreadSwitching
from sokoterm.tui.views import Appearance

_MOVES_PER_SECOND = 40  # a walk across a usual board takes less than half a second, and can be followed


def run(options: PlayOptions, complain: Callable[[str], None]) -> int:
    """Play until the player quits; returns the exit status: 0, or 2 where a pack of several could not be read.

    Raises PackError for input that cannot be read and for a missing terminal.  ``complain`` says on stderr what the
    player has not been told on the screen.
    """
    notices: list[str] = []
    files = _find_files(options, notices)
    status = 2 if notices else 0
    _take_keyboard()
    options = _settled(options, notices)
    folder = data_dir(options.data_dir)
    store = ProgressStore.open(progress_file(folder), time.time)
    read = partial(open_pack, encoding=options.encoding, limits=options.limits)
    shelf = _shelf(folder, store, read)
    try:
        if not files:
            # A level by its number is one of the pack that ships.
            files = bundled_packs() if options.level is not None else _own_packs(packs_dir(folder), shelf)
        _play(options, files, read, store, shelf, notices)
    finally:
        if shelf.is_open:
            notices += shelf.library.notices
            shelf.library.close()
        for notice in [*notices, *store.notices, store.close()]:
            if notice:
                complain(notice)
    return status


def _play(
    options: PlayOptions,
    files: Sequence[PackFile],
    read: Callable[[PackFile], Pack],
    store: ProgressStore,
    shelf: Shelf,
    notices: list[str],
) -> None:
    def open_course(file: PackFile) -> Course:
        stamp = stamp_of(file)
        return Course(read(file), file.key, file.name, store, shelf, stamp)

    themes = themes_for(utf8=speaks_utf8())
    theme = find_theme(options.theme or "") or themes[0]
    if theme not in themes:
        notices.append(f"theme {theme.name} needs a UTF-8 locale")
        theme = themes[0]
    first = _first_reactions(options, files, open_course, shelf, notices)
    switching = ThreadSwitching()
    outside = Surroundings(
        terminal=_open_terminal(options),
        store=store,
        shelf=shelf,
        files=files,
        open_course=open_course,
        clock=time.monotonic,
        log_crash=_log_crash,
        make_desk=partial(_make_desk, switching),
        make_thinker=partial(_make_thinker, switching),
        themes=themes,
        keymaps=with_wasd(KEYMAPS) if options.keys == "wasd" else KEYMAPS,
        animation=_MOVES_PER_SECOND if options.animation is None else options.animation,
    )
    appearance = Appearance(theme, options.cell or 0)
    App(outside, appearance, notices).run(first)


def _find_files(options: PlayOptions, notices: list[str]) -> list[PackFile]:
    """The packs that were named, none if none were; raises PackError where none can be found."""
    files: list[PackFile] = []
    problems = []
    for path in options.packs:
        try:
            files += find_packs(path, options.limits)
        except PackError as error:
            problems.append(error)
    if problems and not files:
        raise problems[0]
    notices += map(str, problems)
    return files


def _shelf(folder: str, store: ProgressStore, read: Callable[[PackFile], Pack]) -> Shelf:
    """The way to what is known of packs, in a data folder."""
    path = library_file(folder)

    def open_library() -> Library:
        from sokoterm.library.index import LibraryIndex
        from sokoterm.tui.library import IndexedLibrary

        return IndexedLibrary(LibraryIndex.open(path, time.time), store, read)

    return Shelf(open_library, lambda: os.path.exists(path))


def _own_packs(folder: str, shelf: Shelf) -> list[PackFile]:
    """The packs that ship, and then those that were added to the folder."""
    if not os.path.isdir(folder):
        return bundled_packs()
    from sokoterm.library.folder import added_packs

    return bundled_packs() + added_packs(folder, shelf.library.stamps())


def _first_reactions(
    options: PlayOptions,
    files: Sequence[PackFile],
    open_course: Callable[[PackFile], Course],
    shelf: Shelf,
    notices: list[str],
) -> list[Reaction]:
    """A level of the one pack that was named, else the browser."""
    if options.level is not None and len(files) > 1:
        raise PackError(f"found {len(files)} packs, expected one to find level {options.level} in")
    if options.level is None and (len(files) > 1 or not options.packs):
        from sokoterm.tui.screens.browser import BrowserScreen

        return [Open(BrowserScreen(files, open_course, shelf))]
    course = open_course(files[0])
    unreadable = course.pack.errors
    number = course.start_number() if options.level is None else options.level
    if number is None:
        raise PackError(f"{course.name}: no level that can be read; the first: {unreadable[0]}")
    level = course.pack.find_level(number)
    if level is None:
        raise PackError(f"{course.name}: {course.why_missing(number)}")
    if unreadable:
        others = f"; and {len(unreadable) - 1} more" if len(unreadable) > 1 else ""
        notices.append(f"{printable(str(unreadable[0]))}{others}")
    start = Start(course, number)
    if options.lurd is None:
        return [start]
    try:
        end_of(level.board, level.start, options.lurd)
    except LurdError as error:
        raise PackError(f"{course.name} {number}: {error}") from None
    return [start, ShowReplay("", options.lurd, "the moves given")]


def _take_keyboard() -> None:
    """See to it that keys come from the terminal, also where a pack came through standard input."""
    if not os.isatty(1):
        raise PackError("standard output is not a terminal; `sokoterm --help` names the verbs that need none")
    if os.isatty(0):
        return
    from sokoterm.tui.posix_keys import keys_from_terminal

    try:
        keys_from_terminal()
    except OSError:
        raise PackError("found no terminal to read keys from") from None


def _settled(options: PlayOptions, notices: list[str]) -> PlayOptions:
    """The options, and what the config file says where they say nothing."""
    path = config_file()
    if not os.path.exists(path):
        return options
    from sokoterm.library.config import ConfigError, read_config

    try:
        config = read_config(path)
    except ConfigError as error:
        notices.append(str(error))
        return options
    if config.theme is not None and find_theme(config.theme) is None:
        names = ", ".join(theme.name for theme in THEMES)
        notices.append(f"{os.path.basename(path)}: theme: found {printable(config.theme)!r}, expected one of {names}")
    settled = {name: value for name, value in config._asdict().items() if getattr(options, name) is None}
    return options._replace(**settled)


def _wants_color(options: PlayOptions) -> bool:
    """Colour unless it was declined: by NO_COLOR (no-color.org), by the command or by the config file."""
    return options.color is not False and not os.environ.get("NO_COLOR")


def _open_terminal(options: PlayOptions) -> Terminal:
    try:
        from sokoterm.tui.curses_terminal import CursesTerminal, can_address_cursor
    except ImportError:  # Windows without windows-curses, or a Python built without curses
        raise PackError("found no curses module; on Windows: pip install windows-curses") from None
    if can_address_cursor():
        return CursesTerminal(
            color=_wants_color(options), mouse=options.mouse is not False, clipboard=options.clipboard is not False
        )
    from sokoterm.tui.plain_terminal import PlainTerminal

    return PlainTerminal()


def _log_crash(traceback: str) -> str:
    from sokoterm.library.crash import log_crash

    return log_crash(traceback)


def _make_desk(switching: ThreadSwitching, wake: Callable[[], None]) -> SearchDesk:
    from sokoterm.tui.search import BackgroundSearch  # the solver is not needed to show a board

    return BackgroundSearch(wake, time.monotonic, switching)


def _make_thinker(switching: ThreadSwitching, wake: Callable[[], None]) -> Thinker:
    from sokoterm.tui.background_thinker import BackgroundThinker

    return BackgroundThinker(wake, time.monotonic, switching)
