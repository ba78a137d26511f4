"""The event loop: keys, solver and clock in, pictures out."""

from collections.abc import Sequence

from sokoterm.app.keymap import CONTROL_ACTIONS, KEYPAD_ACTIONS, REPLAY, by_place
from sokoterm.app.request import Quit, StopSearch
from sokoterm.app.session import Services
from sokoterm.language import _
from sokoterm.terminal.events import DARK_BACKGROUND, LIGHT_BACKGROUND, SLOW_LINE, Event, Paste, Pointer
from sokoterm.tui.appearance import AppearanceControl
from sokoterm.tui.screen_stack import ScreenStack
from sokoterm.tui.screens.screen import Open, Reaction, Screen
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.board_view import too_small
from sokoterm.wording.outcomes import phrase


class EventLoop:
    """Passes keys to the top screen and paints it, until the player quits."""

    def __init__(self, services: Services, display: Display, appearance: AppearanceControl, notices: list[str]) -> None:
        """``notices`` are lines for the player; those that were not shown are still in it at the end."""
        self._services = services
        self._display = display
        self._terminal = display.terminal
        self._appearance = appearance
        self._notices = notices
        self._screens = ScreenStack(services, display, notices)
        self._session = self._screens.session
        # The time of the next tick of the top screen, and the wait of which it is the end.
        self._next_tick: float | None = None
        self._wait: float | None = None
        self._pressed = Pointer(-1, -1, "", True)

    # The loop

    def run(self, first: Sequence[Reaction]) -> None:
        """Begin with some reactions (Start a level, or Open a screen) and go on until the player quits.

        Whatever happens, the position is saved and the terminal given back.
        """
        self._wear()
        try:
            self._terminal.start()
            for reaction in first:
                self._screens.react(reaction)
            while not self._screens.is_over:
                self._screens.note_solution()
                self._appearance.note_warnings(are_on=self._session.warns)
                self._session.save(only_if_needed=True)  # before the picture: what is seen is safe on disk
                self._screens.show_notices()
                self._screens.take_mouse_back()
                self._paint()
                if self._screens.make_levels():
                    continue
                for event in self._read():
                    if isinstance(event, Pointer):
                        self._point(event)
                    elif isinstance(event, Paste):
                        self._paste(event)
                    else:
                        self._key(event)
                    self._screens.note_solution()  # the next key of the same read may leave the level
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
        sent, size, screen = self._terminal.sent, self._terminal.size(), self._screens.top
        picture = too_small(size)
        if picture is None:
            appearance = self._appearance.now if screen.follows_view else self._appearance.now.upright
            screen.fit(size, appearance)
            picture = screen.view(size, appearance)
        self._terminal.paint(picture)
        if self._display.traffic is not None:
            self._display.traffic.painted(self._terminal.sent - sent, *self._what_goes_on())

    def _what_goes_on(self) -> tuple[str, int | None]:
        """Return ``solving``, ``replaying`` or nothing, and the moves of the play if its board is shown."""
        screen, play = self._screens.top, self._screens.play
        if screen.keymap.name == REPLAY.name and screen.wake_after() is not None:
            return "replaying", None
        activity = "solving" if self._session.is_searching else ""
        return activity, play.model.game.moves if play is not None and screen is play else None

    def _read(self) -> list[Event]:
        timeout = self._timeout()
        # A search beside it would double the time to the next picture.
        self._session.solver.go_on()
        events = self._terminal.read_keys(timeout)
        self._session.solver.pause()
        if events:
            self._session.pause_building()
        if self._display.traffic is not None:
            self._display.traffic.pressed(events)
        return events

    def _timeout(self) -> float | None:
        """Return the seconds to wait for a key; None for no limit, unless a replay or a search is to be shown.

        While a picture is on its way nothing moves by itself: it would be late, or not be seen at all.
        Where every picture is printed below the last one, a search is shown when keys are pressed, and at its end.
        """
        waits = [] if self._terminal.is_busy else self._waits()
        if (left := self._session.idle_seconds_left) is not None:
            waits.append(left)
        return min(waits, default=None)

    def _waits(self) -> list[float]:
        """Return the seconds until the next tick of the screen and the next picture of a search."""
        waits = []
        wait = self._screens.top.wake_after()
        if wait is None:
            self._next_tick = None
        elif self._next_tick is None or wait != self._wait:
            self._next_tick = self._services.clock() + wait
        self._wait = wait
        if self._next_tick is not None:
            waits.append(max(0.0, self._next_tick - self._services.clock()))
        if (retry := self._session.retry_after) is not None:
            waits.append(retry)
        solver = self._session.solver
        if solver.is_busy and self._terminal.shows_motion:
            waits.append(solver.until_progress())
        return waits

    def _leave_if_alone(self) -> None:
        if not self._screens.is_over and (why := self._session.why_over) is not None:
            self._notices.append(phrase(why, self._services.keymaps.play))
            self._screens.is_over = True

    def _tick(self) -> None:
        """Tick the top screen; what is late is not shown, except on a slow line or without motion."""
        if self._next_tick is None or self._terminal.is_busy:
            return
        if self._screens.top.wake_after() != self._wait:
            self._next_tick = None  # something else moves since the last key
            return
        now = self._services.clock()
        while self._next_tick is not None and now >= self._next_tick:
            self._screens.top.tick()
            wait = self._screens.top.wake_after()
            keeps_pace = wait == self._wait and self._screens.has_motion
            self._next_tick = self._next_tick + wait if wait and keeps_pace else None

    # Keys and the mouse

    def _point(self, pointer: Pointer) -> None:
        """Pass on the mouse, except for the end of a click: the picture may have scrolled since it began."""
        self._note_key()
        if pointer.is_press:
            self._pressed = pointer
        elif pointer[:2] == self._pressed[:2]:
            return
        if not self._screens.is_over and not too_small(self._terminal.size()):
            self._screens.react(self._screens.top.point(pointer))

    def _key(self, key: str) -> None:
        if self._screens.is_over:
            return
        if key == "hangup":
            self._screens.is_over = True
        elif key in ("resize", "resume"):
            self._terminal.forget()
        elif key in (DARK_BACKGROUND, LIGHT_BACKGROUND):
            self._appearance.set_background("dark" if key == DARK_BACKGROUND else "light")
            if self._appearance.now.theme.is_painted:
                self._wear()
        elif key == SLOW_LINE:
            self._spare_line()
        else:
            self._note_key()
            self._press(key)

    def _press(self, key: str) -> None:
        if too_small(self._terminal.size()) and self._services.keymaps.play.find_action(by_place(key)) == "quit":
            self._screens.react(Quit())
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
            self._screens.react(screen.update(action, key))

    def _paste(self, paste: Paste) -> None:
        if not self._screens.is_over:
            self._note_key()
            self._screens.paste(paste)

    def _everywhere(self, action: str | None, screen: Screen) -> bool:
        """Do an action of all screens; False if it is the screen's own."""
        match action:
            case "redraw":
                self._terminal.forget()
            case "suspend":
                self._session.save()
                self._terminal.suspend()
                if self._display.traffic is not None:
                    self._display.traffic.resumed()
                self._next_tick = None
                self._session.note_key(is_played=False)
            case "theme":
                screen.tell(self._appearance.next_theme(), is_answer=True)
                self._wear()
            case "zoom in" | "zoom out":
                place = self._screens.play.place if self._screens.play is not None else None
                columns = place.size.columns if place is not None else 0
                screen.tell(self._appearance.zoom(1 if action == "zoom in" else -1, columns), is_answer=True)
            case "turn view" | "mirror view":
                screen.tell(self._appearance.turn_view(is_mirrored=action == "mirror view"), is_answer=True)
            case "mouse":
                self._toggle_mouse(screen)
            case "help":
                from sokoterm.tui.screens.pages import HelpScreen  # loaded when it is first opened

                self._screens.react(Open(HelpScreen(screen.keymap, self._services.keymaps.browser, screen.board)))
            case "interrupt":
                self._interrupt(screen)
            case "quit":
                if not screen.holds_back():
                    self._screens.react(Quit())
            case _:
                return False
        return True

    def _wear(self) -> None:
        self._terminal.wear(self._appearance.now.theme.looks, self._appearance.now.palette)

    def _spare_line(self) -> None:
        """Show small boards without motion on a line that has turned out to be slow."""
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

    def _toggle_mouse(self, screen: Screen) -> None:
        match self._terminal.toggle_mouse():
            case None:
                text = _("no mouse support known for this terminal")
            case True:
                text = _("mouse on")
            case False:
                text = _("mouse off: the terminal selects text again")
        screen.tell(text, is_answer=True)

    def _interrupt(self, screen: Screen) -> None:
        """Stop a search or a replay; with none running, save and quit."""
        if self._session.is_searching:
            self._screens.react(StopSearch())
        elif not screen.interrupt():
            self._screens.react(Quit())

    def _note_key(self) -> None:
        self._session.note_key(is_played=not self._screens.is_over and self._screens.is_of_board)
