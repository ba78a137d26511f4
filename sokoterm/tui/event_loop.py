"""The event loop on a terminal that shows frames: ``play`` opens the terminal and runs the loop."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from sokoterm.app.keymap import CONTROL_ACTIONS, KEYPAD_ACTIONS, by_place, key_shown_as
from sokoterm.app.options import PlayOptions
from sokoterm.app.request import Ask, FirstRequest
from sokoterm.app.session import Services
from sokoterm.engine.bits import SYMMETRIES, Direction, Symmetry
from sokoterm.language import N_, _, ngettext
from sokoterm.store.packs import PackError
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.terminal import events
from sokoterm.terminal.encoding import speaks_utf8
from sokoterm.terminal.posix_keys import keys_from_terminal
from sokoterm.tui.screen_stack import ScreenStack
from sokoterm.tui.screens.screen import Open, Reaction, Screen
from sokoterm.tui.terminal import Display, Terminal
from sokoterm.tui.widgets.board_view import UPRIGHT, Appearance, square_size, square_sizes, too_small
from sokoterm.tui.widgets.frame import Frame
from sokoterm.tui.widgets.parts import key_at
from sokoterm.tui.widgets.theme import PICTURES, Theme, find_theme, themes_for
from sokoterm.tui.widgets.tiles import PALETTES, UNKNOWN
from sokoterm.wording.outcomes import phrase

_NEEDS_PICTURES = N_("theme {name} needs a terminal that shows pictures")
_WITH_PICTURES = ("xterm-kitty", "xterm-ghostty", "wezterm")  # kinds of terminals
_MOVES_PER_SECOND = 60  # about a third of a second to cross an average board
_DIRECTIONS = {direction.name.lower(): direction for direction in Direction}
_TURN = Symmetry(transposed=True, rows_flipped=False, columns_flipped=True)
_MIRROR = Symmetry(transposed=False, rows_flipped=False, columns_flipped=True)
# In the order of SYMMETRIES.
_VIEWS = (
    N_("view: as written"), N_("view: mirrored left to right"), N_("view: mirrored top to bottom"),
    N_("view: turned by 180 degrees"), N_("view: mirrored, turned to the left"), N_("view: turned to the right"),
    N_("view: turned to the left"), N_("view: mirrored, turned to the right"),
)  # fmt: skip


def play(options: PlayOptions, notices: list[str], services: Services, first: Sequence[FirstRequest]) -> None:
    settings = options.settings
    animation = _MOVES_PER_SECOND if settings.animation is None else settings.animation
    if settings.slow_link or settings.reduce_motion:
        animation = 0
    terminal = _open_terminal(options, glides=animation > 0)
    known = themes_for(utf8=speaks_utf8(), many_colors=terminal.shows_tiles, pictures=terminal.may_picture)
    themes = [theme.dressed(options.looks) for theme in known]
    missed = find_theme(settings.theme) if settings.theme else None
    if missed is not None and missed.name not in (theme.name for theme in themes):
        needs = N_("theme {name} needs a UTF-8 locale")
        if missed.is_painted:
            needs = N_("theme {name} needs a terminal with 256 colours and UTF-8")
        if missed.has_pictures:
            needs = _NEEDS_PICTURES
        notices.append(_(needs, name=missed.name))
    kind = os.environ.get("TERM", "") + (", slow line" if settings.slow_link else "")
    choice = services.store.looks(kind)
    keep = partial(services.store.keep_looks, kind)
    appearance = AppearanceControl(
        themes,
        settings,
        choice,
        shows_tiles=terminal.shows_tiles,
        expects_pictures=kind.startswith(_WITH_PICTURES),
        keep=keep,
    )
    keys_by_place = settings.keys_by_place is not False
    display = Display(terminal, animation, bool(settings.timer), keys_by_place, bool(settings.bell))
    try:
        EventLoop(services._replace(warns=choice.warns), display, appearance, notices).run(first)
    finally:
        if options.stats:
            traffic = _("traffic: bytes sent to this terminal cannot be counted")
            if terminal.sent:
                traffic = ngettext("traffic: {n:,} byte", "traffic: {n:,} bytes", terminal.sent)
            with suppress(OSError):  # the connection may be closed
                print(traffic, file=sys.stderr)


def take_keyboard(options: PlayOptions) -> None:
    """Read keys from the terminal even when a pack was read from standard input; raises PackError without one."""
    if not os.isatty(1) and options.is_hosted:
        raise PackError(_("log in with a terminal: this account only plays Sokoban"))
    if not os.isatty(1):
        command = "`sokoterm --help`"
        problem = N_("standard output is not a terminal; {command} lists the commands that need none")
        raise PackError(_(problem, command=command))
    if os.isatty(0):
        return
    try:
        keys_from_terminal()
    except OSError:
        raise PackError(_("no terminal to read keys from")) from None


def _open_terminal(options: PlayOptions, *, glides: bool) -> Terminal:
    try:
        from sokoterm.tui.curses_terminal import CursesTerminal, can_address_cursor  # fails without curses
    except ImportError:  # Windows without windows-curses, or a Python built without curses
        raise PackError(
            _("Python's curses module is missing; on Windows: {command}", command="pip install windows-curses")
        ) from None
    try:
        is_addressed = can_address_cursor()
    except PackError as error:
        text, command = N_("{problem}; try {command}, or {surely}"), "TERM=xterm sokoterm"
        if options.is_hosted:
            text, command = N_("{problem}; try {command}"), "TERM=xterm ssh"
        raise PackError(_(text, problem=error, command=command, surely="sokoterm --plain")) from None
    if is_addressed:
        return CursesTerminal(
            color=options.settings.color is not False and not os.environ.get("NO_COLOR"),  # no-color.org
            mouse=options.settings.mouse is not False,
            clipboard=options.settings.clipboard is not False,
            slow=bool(options.settings.slow_link),
            title=options.settings.title is not False,
            skin=options.settings.skin,
            # Gliding takes more than twice as many bytes: not over SSH (--host removes its variables).
            glides=glides and not options.is_hosted and "SSH_CONNECTION" not in os.environ,
        )
    from sokoterm.tui.teletype import PlainTerminal  # only for terminals without a cursor

    return PlainTerminal()


class AppearanceControl:
    """The looks of boards (``now``): from the settings, else the player's ``choice``, else what suits the terminal."""

    def __init__(
        self,
        themes: Sequence[Theme],
        settings: Settings,
        choice: ChosenLooks,
        *,
        shows_tiles: bool,
        expects_pictures: bool = False,
        keep: Callable[[ChosenLooks], None] = lambda __: None,
    ) -> None:
        """``themes``: those the terminal can show; ``shows_tiles``: it can show tiles; ``expects_pictures``: it will
        probably report that it shows pictures; ``keep`` is called with each new choice."""
        self.choice = choice
        self._keep = keep
        self._themes = themes
        self._settings = settings
        self._is_slow = bool(settings.slow_link)
        self._has_pictures = False  # until the terminal has answered
        self._usual = usual = "tiles" if shows_tiles and not self._is_slow else ""
        expected = PICTURES if expects_pictures and not self._is_slow else usual
        named = {theme.name: theme for theme in themes}
        zoom = settings.cell if settings.cell is not None else choice.zoom
        self.now = Appearance(
            named.get(settings.theme or choice.theme or expected) or named.get(usual) or themes[0],
            zoom if zoom is not None else int(self._is_slow),
            PALETTES.get(settings.palette or choice.palette or "", UNKNOWN),
            SYMMETRIES[choice.view % len(SYMMETRIES)],
        )

    @property
    def shows_cursor(self) -> bool:
        """True if the cursor is shown, for screen readers; by default only in text themes."""
        is_wanted = self._settings.cursor
        return not self.now.theme.is_painted if is_wanted is None else is_wanted

    def act(self, action: str, columns: int = 0, largest: int = 0) -> str:
        """Change the looks for a key and return a message about it; zooming past the last size fits the window.

        ``columns`` is the width of a square on the screen, ``largest`` the widest there is room for; 0 without a board.
        """
        now, sizes = self.now, [size.columns for size in square_sizes(self.now.theme)]
        sizes = [each for each in sizes if not largest or each <= largest]
        match action:
            case "theme":
                themes = [theme for theme in self._themes if self._has_pictures or not theme.has_pictures]
                theme = themes[(themes.index(now.theme) + 1) % len(themes)] if now.theme in themes else themes[0]
                self.now = now._replace(theme=theme)
                self._choose(theme=theme.name)
                return _("theme {name}", name=theme.name)
            case "zoom in" | "zoom out":
                shown = now.zoom or columns
                if action == "zoom out":
                    shown = min(shown, columns or shown)  # the window may be too small for the chosen size
                at = max((i for i, size in enumerate(sizes) if size <= shown), default=0)
                at += 1 if action == "zoom in" else -1
                zoom = sizes[at] if 0 <= at < len(sizes) else 0
                self.now = now._replace(zoom=zoom)
                self._choose(zoom=zoom)
                if not zoom:
                    return _("zoom: fit to window")
                return ngettext("zoom: {n} column per square", "zoom: {n} columns per square", zoom)
            case "turn view" | "mirror view":
                view = SYMMETRIES.index(now.view.then(_MIRROR if action == "mirror view" else _TURN))
                self.now = now._replace(view=SYMMETRIES[view])
                self._choose(view=view)
                return _(_VIEWS[view])
        self.now = now._replace(has_rulers=not now.has_rulers)
        if now.has_rulers:
            return _("rulers off")
        if now.view.transposed:
            return _("rulers on: columns at the left, rows above")
        return _("rulers on: rows at the left, columns above")

    def on_board(self, action: str) -> str:
        """Translate the direction in a key's action from the view to the board."""
        verb, blank, towards = action.rpartition(" ")
        if self.now.view == UPRIGHT or towards not in _DIRECTIONS:
            return action
        direction = self.now.view.inverse.direction(_DIRECTIONS[towards])
        return f"{verb}{blank}{direction.name.lower()}"

    def set_background(self, name: str) -> None:
        """Use the ``dark`` or ``light`` palette, unless the settings name one."""
        self._choose(palette=name)
        if self._settings.palette is None:
            self.now = self.now._replace(palette=PALETTES[name])

    def note_pictures(self, *, are_shown: bool) -> str:
        """Use pictures or not, as the terminal answered; return an error message if the settings ask for them in vain.

        Without another choice they are remembered for the next session.
        """
        self._has_pictures = are_shown
        wanted = self._settings.theme or self.choice.theme
        pictures = next((theme for theme in self._themes if theme.has_pictures), None)
        if are_shown and pictures and wanted in (None, PICTURES) and (wanted or not self._is_slow):
            self.now = self.now._replace(theme=pictures)
            self._choose(theme=self.choice.theme or PICTURES)
        elif not are_shown and self.now.theme.has_pictures:
            usual = next((theme for theme in self._themes if theme.name == self._usual), self._themes[0])
            self.now = self.now._replace(theme=usual)
            if self.choice.theme == PICTURES:
                self._choose(theme=None)
            if self._settings.theme == PICTURES:
                return _(_NEEDS_PICTURES, name=PICTURES)
        return ""

    def save_bytes(self) -> None:
        """Show one character per square, unless the settings say otherwise."""
        self._is_slow = True
        if self._settings.theme is None:
            self.now = self.now._replace(theme=self._themes[0])
        if self._settings.cell is None:
            self.now = self.now._replace(zoom=1)

    def note_warnings(self, *, are_on: bool) -> None:
        if are_on != self.choice.warns:
            self._choose(warns=are_on)

    def _choose(self, **changes: object) -> None:
        choice = self.choice._replace(**changes)
        if choice != self.choice:
            self.choice = choice
            self._keep(choice)


class EventLoop:
    """Passes events to the top screen and paints it until the player quits."""

    def __init__(self, services: Services, display: Display, appearance: AppearanceControl, notices: list[str]) -> None:
        """``notices`` are messages for the player; those not shown by the end are left in it."""
        self._services = services
        self._display = display
        self._terminal = display.terminal
        self._appearance = appearance
        self._notices = notices
        self._screens = ScreenStack(services, display, notices)
        self._session = self._screens.session
        # When the top screen ticks next, and the wait that ends then.
        self._next_tick: float | None = None
        self._wait: float | None = None
        self._pressed, self._clicked = events.Pointer(-1, -1, "", True), ""
        self._picture: Frame | None = None

    def run(self, first: Sequence[Reaction]) -> None:
        """Carry out reactions, then run until the player quits; always save the position and restore the terminal."""
        self._wear()
        try:
            self._terminal.start()
            for reaction in first:
                self._screens.react(reaction)
            while not self._screens.is_over:
                self._screens.note_solution()
                self._appearance.note_warnings(are_on=self._session.warns)
                self._session.save(only_if_needed=True)  # before painting: what the player sees is safe on disk
                self._screens.show_notices()
                self._screens.take_mouse_back()
                self._paint()
                if self._screens.make_levels():
                    continue
                for event in self._read():
                    try:
                        if isinstance(event, events.Pointer):
                            self._point(event)
                        elif isinstance(event, str):
                            self._key(event)
                        elif isinstance(event, events.Paste) and not self._screens.is_over:
                            self._note_key()
                            self._screens.paste(event)
                    except PackError as error:  # a pack that cannot be read or written
                        self._screens.top.tell(str(error), is_answer=True)
                    self._screens.note_solution()  # the next key of this read may leave the level
                self._screens.listen()
                self._tick()
                self._leave_if_alone()
                self._session.seek_proof()
        finally:
            try:
                self._session.save()
                self._screens.rescue()
            finally:
                self._terminal.stop()
                self._session.close()

    def _paint(self) -> None:
        if self._screens.is_over:
            return
        size, screen = self._terminal.size(), self._screens.top
        picture = too_small(size)
        if picture is None:
            appearance = self._appearance.now
            if not screen.follows_view:
                appearance = appearance._replace(view=UPRIGHT, has_rulers=False)
            screen.fit(size, appearance)
            picture = screen.view(size, appearance)
        self._terminal.show_cursor(self._appearance.shows_cursor or screen.reads_text)
        self._terminal.paint(picture)
        self._picture = picture

    def _read(self) -> list[events.Event]:
        timeout = self._timeout()
        # A search running meanwhile would double the time to the next frame.
        self._session.solver.go_on()
        read = self._terminal.read_keys(timeout)
        self._session.solver.pause()
        if read:
            self._session.builder.pause(None)  # until the next ``make_levels``
        return read

    def _timeout(self) -> float | None:
        """Return the seconds to wait for a key, None for no limit.

        Nothing moves while a frame is being sent: it would be late, or never seen. Where frames are printed one below
        another, a search is shown only on a key and at its end.
        """
        session, solver, clock = self._session, self._session.solver, self._services.clock
        waits = list[float | None]()
        if not self._terminal.is_busy:
            wait = self._screens.top.wake_after()
            if wait is None:
                self._next_tick = None
            elif self._next_tick is None or wait != self._wait:
                self._next_tick = clock() + wait
            self._wait = wait
            if self._next_tick is not None:
                waits.append(max(0.0, self._next_tick - clock()))
            waits.append(session.retry_after)
            if solver.is_busy and self._terminal.shows_motion:
                waits.append(solver.until_progress())
        waits.append(session.idle_seconds_left)
        return min((each for each in waits if each is not None), default=None)

    def _leave_if_alone(self) -> None:
        if not self._screens.is_over and (why := self._session.why_over) is not None:
            self._notices.append(phrase(why, self._services.keymaps.play))
            self._screens.is_over = True

    def _tick(self) -> None:
        """Tick the top screen, skipping frames that are late, except on a slow line or without animation."""
        if self._next_tick is None or self._terminal.is_busy:
            return
        if self._screens.top.wake_after() != self._wait:
            self._next_tick = None  # the last key started another motion
            return
        now = self._services.clock()
        while self._next_tick is not None and now >= self._next_tick:
            self._screens.top.tick()
            wait = self._screens.top.wake_after()
            keeps_pace = wait == self._wait and self._screens.per_second > 0
            self._next_tick = self._next_tick + wait if wait and keeps_pace else None

    # Keys and the mouse

    def _point(self, pointer: events.Pointer) -> None:
        """Pass on a mouse event, but no release on the pressed square; a click on a drawn key presses that key."""
        self._note_key()
        if pointer.is_press:
            self._pressed, self._clicked = pointer, self._key_under(pointer)
        elif self._clicked or pointer[:2] == self._pressed[:2]:
            return
        if self._screens.is_over or too_small(self._terminal.size()):
            return
        if self._clicked:
            self._press(self._clicked)
        else:
            self._screens.react(self._screens.top.point(pointer))

    def _key_under(self, pointer: events.Pointer) -> str:
        """Return the key that is clicked, "" for none."""
        picture = self._picture
        if pointer.button != "left" or picture is None or pointer.row >= len(picture.rows):
            return ""
        return key_shown_as(key_at(picture, pointer.row, pointer.column))

    def _key(self, key: str) -> None:
        if self._screens.is_over:
            return
        if key == "hangup":
            self._screens.is_over = True
        elif key in ("resize", "resume"):
            self._terminal.forget()
        elif key in (events.DARK_BACKGROUND, events.LIGHT_BACKGROUND):
            self._appearance.set_background("dark" if key == events.DARK_BACKGROUND else "light")
            if self._appearance.now.theme.is_painted:
                self._wear()
        elif key in (events.PICTURES_SHOWN, events.NO_PICTURES):
            if problem := self._appearance.note_pictures(are_shown=key == events.PICTURES_SHOWN):
                self._notices.append(problem)
            elif self._screens.top.message == _(_NEEDS_PICTURES, name=PICTURES):  # shown before a late answer
                self._screens.top.message = ""
            self._wear()
        elif key == events.SLOW_LINE:
            self._spare_line()
        else:
            self._note_key()
            self._press(key)

    def _press(self, key: str) -> None:
        if too_small(self._terminal.size()) and self._services.keymaps.play.find_action(by_place(key)) == "quit":
            self._screens.react(Ask.QUIT)
            return
        screen = self._screens.top
        if self._display.keys_by_place and not screen.reads_text and screen.keymap.find_action(key) is None:
            key = by_place(key)
        action = screen.keymap.find_action(key)
        if action is None and screen.keymap.has_action(KEYPAD_ACTIONS.get(key, "")):
            action = KEYPAD_ACTIONS[key]
        if screen.reads_text and (len(key) == 1 or action not in CONTROL_ACTIONS):
            action = None
        if action is not None and screen.follows_view:
            action = self._appearance.on_board(action)
        if action != "interrupt":
            screen.settle()
        if not self._everywhere(action, screen):
            screen.message = ""
            self._screens.react(screen.update(action, key))

    def _everywhere(self, action: str | None, screen: Screen) -> bool:
        """Carry out an action common to all screens; False if it is not one."""
        match action:
            case "redraw":
                self._terminal.forget()
            case "suspend":
                self._session.save()
                self._terminal.suspend()
                self._next_tick = None
                self._session.note_key(is_played=False)
            case "theme" | "zoom in" | "zoom out" | "turn view" | "mirror view" | "rulers":
                columns = largest = 0
                if (play := self._screens.play) is not None and (place := play.place) is not None:
                    columns, looks = (
                        place.size.columns,
                        self._appearance.now._replace(zoom=sys.maxsize, has_rulers=False),
                    )
                    largest = square_size(looks, play.model.level.board, place.area.height, place.area.width).columns
                screen.tell(self._appearance.act(action, columns, largest), is_answer=True)
                if action == "theme":
                    self._wear()
            case "mouse":
                text = {
                    None: _("no mouse support known for this terminal"),
                    True: _("mouse on"),
                    False: _("mouse off: the terminal selects text again"),
                }[self._terminal.toggle_mouse()]
                screen.tell(text, is_answer=True)
            case "help":
                from sokoterm.tui.screens.pages import HelpScreen  # loaded when first opened

                self._screens.react(Open(HelpScreen(screen.keymap, self._services.keymaps.browser, screen.board)))
            case "interrupt" if self._session.is_searching:
                self._screens.react(Ask.STOP_SEARCH)
            case "interrupt":  # stop a replay; if none is running, save and quit
                if not screen.interrupt():
                    self._screens.react(Ask.QUIT)
            case "quit":
                if not screen.holds_back():
                    self._screens.react(Ask.QUIT)
            case _:
                return False
        return True

    def _wear(self) -> None:
        self._terminal.wear(self._appearance.now.theme.looks, self._appearance.now.palette)

    def _spare_line(self) -> None:
        self._appearance.save_bytes()
        self._screens.stop_motion()
        self._wear()
        keys = self._services.keymaps.play
        self._notices.append(
            _(
                "slow line: small board, no animation; {theme} and {zoom} change that",
                theme=keys.key_of("theme"),
                zoom=keys.key_of("zoom in"),
            )
        )

    def _note_key(self) -> None:
        self._session.note_key(is_played=not self._screens.is_over and self._screens.is_of_board)
