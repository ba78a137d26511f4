"""The event loop: keys, solver and clock in, pictures out; what screens ask for is done here.

Screens other than the board are imported when they are first shown: the first picture waits for every import.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sokoterm.engine.lurd import Solution
from sokoterm.engine.printable import printable
from sokoterm.library.packs import PackError, PackFile
from sokoterm.library.progress import Progress as ProgressStore
from sokoterm.tui.alarm import MakeThinker
from sokoterm.tui.course import Course
from sokoterm.tui.desk import SearchDesk
from sokoterm.tui.keymap import KEYMAPS, PLANNER, REPLAY, Keymaps
from sokoterm.tui.pointer import Event, Paste, Pointer
from sokoterm.tui.presence import Presence
from sokoterm.tui.reactions import (
    Browse,
    Close,
    Copy,
    Open,
    Perform,
    Plan,
    Quit,
    Reaction,
    Screen,
    ShowReplay,
    Solve,
    Start,
    StopSearch,
    TakeOver,
    Watch,
)
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.play_view import solved_text
from sokoterm.tui.shelf import Shelf
from sokoterm.tui.sitting import Sitting
from sokoterm.tui.terminal import Counts, Terminal
from sokoterm.tui.theme import Theme
from sokoterm.tui.views import Appearance, too_small

_ALWAYS = ("redraw", "suspend", "interrupt")  # what control keys do even where letters are text


class Surroundings(NamedTuple):
    """What the app gets from outside.

    ``shelf`` leads to what is known of packs without reading them, ``files`` are the packs the browser lists,
    ``open_course`` reads one (PackError where it cannot); ``clock`` gives seconds that never go back; ``themes``
    are what the terminal can show, ``keymaps`` the keys in force; ``log_crash`` writes the traceback of a crashed
    search and says where; ``make_desk`` brings the solver, which wakes the loop by its argument, and ``make_thinker``
    in the same way what thinks about a position while the player does.  Moves that the player has found are shown at
    ``animation`` moves a second, 0 shows their end at once.  After ``idle_minutes`` without a key or the mouse (None:
    never) the session is saved and ends.  ``statistics`` are told what is read and painted, if they are wanted.
    """

    terminal: Terminal
    store: ProgressStore
    shelf: Shelf
    files: Sequence[PackFile]
    open_course: Callable[[PackFile], Course]
    clock: Callable[[], float]
    themes: Sequence[Theme]
    log_crash: Callable[[str], str]
    make_desk: Callable[[Callable[[], None]], SearchDesk]
    animation: int
    make_thinker: MakeThinker | None = None
    keymaps: Keymaps = KEYMAPS
    idle_minutes: float | None = None
    statistics: Counts | None = None


class App:
    """A stack of screens; the top one gets the keys and is painted."""

    def __init__(self, outside: Surroundings, appearance: Appearance, notices: list[str]) -> None:
        """``notices`` are lines for the player to see; those that were not shown are still there in the end."""
        self._outside = outside
        self._terminal = outside.terminal
        self._appearance = appearance
        self._notices = notices
        self._stack: list[Screen] = []
        self._presence = Presence(outside.idle_minutes, outside.clock)
        self._is_running = True
        self._next_tick: float | None = None
        self._pressed = Pointer(-1, -1, "", True)
        # What is shown without the mouse, so that the terminal selects text from it.
        self._without_mouse: Screen | None = None
        self._files = list(outside.files)
        self._sitting = Sitting(
            outside.store,
            outside.clock,
            notices,
            outside.terminal.wake,
            outside.make_desk,
            outside.make_thinker,
            outside.keymaps,
        )

    @property
    def _play(self) -> PlayScreen | None:
        return self._sitting.play

    # The loop

    def run(self, first: Sequence[Reaction]) -> None:
        """Begin with some reactions (Start a level, or Open a screen) and go on until the player quits.

        Whatever happens, the position is saved and the terminal given back.
        """
        self._terminal.wear(self._appearance.theme.looks)
        try:
            self._terminal.start()
            for reaction in first:
                self._react(reaction)
            while self._is_running:
                self._note_solution()
                self._show_notices()
                self._take_mouse_back()
                self._paint()
                self._sitting.save(only_if_needed=True)
                for event in self._read():
                    if isinstance(event, Pointer):
                        self._point(event)
                    elif isinstance(event, Paste):
                        self._paste(event)
                    else:
                        self._key(event)
                self._sitting.listen(self)
                self._tick()
                self._leave_if_alone()
                self._sitting.ponder()
        finally:
            try:
                self._sitting.save()
            finally:
                self._terminal.stop()
                self._sitting.close()

    def _paint(self) -> None:
        if not self._is_running:
            return
        sent = self._terminal.sent
        self._terminal.paint(self._stack[-1].view(self._terminal.size(), self._appearance))
        if self._outside.statistics is not None:
            self._outside.statistics.painted(self._terminal.sent - sent, *self._what_goes_on())

    def _what_goes_on(self) -> tuple[str, int | None]:
        """What goes on by itself, and the moves made where they are to be seen."""
        screen, play = self._stack[-1], self._play
        if screen.keymap.name == REPLAY.name and screen.wake_after() is not None:
            return "replaying", None
        activity = "solving" if self._sitting.is_searching else ""
        return activity, play.game.moves if play is not None and screen is play else None

    def _read(self) -> list[Event]:
        events = self._terminal.read_keys(self._timeout())
        if self._outside.statistics is not None:
            self._outside.statistics.pressed(events)
        return events

    def _timeout(self) -> float | None:
        """Seconds to wait for a key: for ever, unless a replay runs or a search is to be shown.

        While a picture is on its way nothing moves by itself: it would not be seen, or be behind its time.
        Where every picture is printed below the last one, a search is shown when keys are pressed, and at its end.
        """
        waits = [] if self._terminal.is_busy else self._waits()
        if (left := self._presence.seconds_left) is not None:
            waits.append(left)
        return min(waits, default=None)

    def _waits(self) -> list[float]:
        """Seconds until each thing that moves by itself."""
        waits = []
        wake_after = self._stack[-1].wake_after()
        if wake_after is None:
            self._next_tick = None
        else:
            if self._next_tick is None:
                self._next_tick = self._outside.clock() + wake_after
            waits.append(max(0.0, self._next_tick - self._outside.clock()))
        desk = self._sitting.desk
        if desk is not None and desk.is_busy and self._terminal.shows_motion:
            waits.append(desk.until_progress())
        return waits

    def _leave_if_alone(self) -> None:
        if self._is_running and self._presence.seconds_left == 0:
            self._notices.append(self._presence.farewell)
            self._is_running = False

    def _tick(self) -> None:
        if self._next_tick is None or self._terminal.is_busy:
            return
        if self._outside.clock() >= self._next_tick:
            self._next_tick = None
            self._stack[-1].tick()

    # Keys and the mouse

    def _point(self, pointer: Pointer) -> None:
        """Pass on what the mouse does, but for the end of a click: the picture may have scrolled under it since."""
        self._presence.note()
        if pointer.is_press:
            self._pressed = pointer
        elif pointer[:2] == self._pressed[:2]:
            return
        if self._is_running and not too_small(self._terminal.size()):
            self._count_time()
            self._react(self._stack[-1].point(pointer))

    def _key(self, key: str) -> None:
        if not self._is_running:
            return
        if key == "hangup":
            self._is_running = False
        elif key in ("resize", "resume"):
            self._terminal.forget()
        else:
            self._presence.note()
            self._press(key)

    def _press(self, key: str) -> None:
        if too_small(self._terminal.size()) and self._outside.keymaps.play.find_action(key) == "quit":
            self._react(Quit())
        else:
            self._count_time()
            screen = self._stack[-1]
            if not self._everywhere(self._find_action(key, screen), screen):
                self._react(screen.update(key))

    def _paste(self, paste: Paste) -> None:
        """Put what was pasted where text is asked for; else it is moves, or levels to play."""
        from sokoterm.tui.pasted import NEITHER, is_of_moves, on_one_line

        if not self._is_running:
            return
        self._presence.note()
        self._count_time()
        text = paste.data.decode("utf-8", "replace")
        line = on_one_line(text)
        if paste.problem:
            self._say(f"what was pasted is not used: {paste.problem}")
        elif not line or self._stack[-1].paste(line):
            pass
        elif is_of_moves(text):
            self._paste_moves(text)
        elif "#" in text:
            self._paste_levels(paste.data)
        else:
            self._say(NEITHER)

    def _paste_moves(self, text: str) -> None:
        """Make moves on the board, where that or the push planner is shown."""
        from sokoterm.tui.pasted import paste_moves

        if self._play is not None and self._stack[-1].keymap.name in (self._play.keymap.name, PLANNER.name):
            self._stack = [self._play]
            paste_moves(self._play, text)
        else:
            self._say("moves are pasted on the board")

    def _paste_levels(self, data: bytes) -> None:
        """Play levels as a pack of their own, which the browser lists from now on."""
        from sokoterm.tui.pasted import open_pasted

        try:
            pasted = open_pasted(data, self._files, self._outside.open_course)
        except PackError as error:
            self._say(str(error))
            return
        if pasted.file not in self._files:
            self._files.append(pasted.file)
        before = f" and {self._play.course.name}" if self._play is not None else ""
        self._react(Start(pasted.course, pasted.number))
        self._notices += map(str, pasted.course.pack.errors[:1])
        self._say(f"pasted: {self._outside.keymaps.play.key_of('browse')} lists it{before}")

    def _say(self, text: str) -> None:
        """Answer at once, or once there is a line for it."""
        text = printable(text)
        if not self._stack[-1].tell(text, is_answer=True):
            self._notices.append(text)

    def _find_action(self, key: str, screen: Screen) -> str | None:
        """What a key does; of keys that are text to a screen, nothing."""
        if not screen.reads_text:
            return screen.keymap.find_action(key)
        action = self._outside.keymaps.play.find_action(key) if len(key) > 1 else None
        return action if action in _ALWAYS else None

    def _everywhere(self, action: str | None, screen: Screen) -> bool:
        """Do what an action does on every screen; False where it is the screen's own."""
        match action:
            case "redraw":
                self._terminal.forget()
            case "suspend":
                self._sitting.save()
                self._terminal.suspend()
                self._presence.note()
            case "theme":
                themes = self._outside.themes
                theme = themes[(themes.index(self._appearance.theme) + 1) % len(themes)]
                self._appearance = self._appearance._replace(theme=theme)
                self._terminal.wear(theme.looks)
                screen.tell(f"theme {theme.name}", is_answer=True)
            case "mouse":
                self._toggle_mouse(screen)
            case "help":
                from sokoterm.tui.screens.help import HelpScreen

                self._react(Open(HelpScreen(screen.keymap, self._outside.keymaps.browser)))
            case "interrupt":
                self._interrupt(screen)
            case "quit":
                self._react(Quit())
            case _:
                return False
        return True

    def _toggle_mouse(self, screen: Screen) -> None:
        match self._terminal.toggle_mouse():
            case None:
                text = "this terminal is not known to have a mouse"
            case True:
                text = "mouse on"
            case False:
                text = "mouse off: the terminal selects text again"
        screen.tell(text, is_answer=True)

    def _take_mouse_back(self) -> None:
        """Ask for the mouse again once nothing is shown any more for which it was left to the terminal."""
        if self._without_mouse is not None and self._stack[-1] is not self._without_mouse:
            self._without_mouse = None
            self._terminal.toggle_mouse()

    def _interrupt(self, screen: Screen) -> None:
        """Ctrl-C: stop a search or a replay; with none running, save and quit."""
        if self._sitting.is_searching:
            self._react(StopSearch("search stopped"))
        elif not screen.interrupt():
            self._react(Quit())

    # Reactions

    def _react(self, reaction: Reaction | None) -> None:
        match reaction:
            case Quit():
                self._is_running = False
            case Open(screen):
                self._stack.append(screen)
            case Close():
                if len(self._stack) > 1:
                    self._stack.pop()
            case Start(course, number):
                self._start(course, number)
            case Browse():
                self._browse()
            case Solve(state):
                self._sitting.solve(state)
            case Watch(before):
                self._watch(before)
            case StopSearch(why):
                self._sitting.stop_search(why)
            case ShowReplay() as replay:
                self._show_replay(replay)
            case TakeOver(lurd, action):
                self._take_over(lurd, action)
            case Copy(lurd):
                self._copy(lurd)
            case Plan() as plan:
                self._plan(plan)
            case Perform(lurd) if self._play is not None:
                self._stack = [self._play]
                self._play.perform(lurd, self._outside.animation if self._terminal.shows_motion else 0)
                self._next_tick = None

    def _start(self, course: Course, number: int) -> None:
        """Put another level, as it was left, at the bottom of the stack."""
        play = self._sitting.start(course, number)
        if play is None:
            return
        if play.game.is_solved:
            play.solved_text = solved_text(play, course.best(play.level))
        self._stack = [play]

    def _browse(self) -> None:
        from sokoterm.tui.screens.browser import BrowserScreen

        outside = self._outside
        browser = BrowserScreen(self._files, outside.open_course, outside.shelf, outside.keymaps.browser)
        if self._play is not None:
            self._sitting.save()
            browser.show(self._play.course, self._play.level.number)
        self._stack.append(browser)

    def _take_over(self, lurd: str, action: str) -> None:
        if self._play is None:
            return
        self._stack = [self._play]
        self._play.take_over(lurd)
        if action:
            self._react(self._play.act(action))

    def _plan(self, plan: Plan) -> None:
        from sokoterm.tui.screens.planner import PlannerScreen

        if self._play is not None:
            uses_mouse = self._terminal.uses_mouse
            planner = PlannerScreen(
                self._play,
                plan.box,
                plan.goal,
                asks_goal=plan.asks_goal,
                uses_mouse=uses_mouse,
                keymaps=self._outside.keymaps,
            )
            self._stack = [self._play, planner]

    def _show_replay(self, replay: ShowReplay) -> None:
        from sokoterm.tui.offers import solution_after
        from sokoterm.tui.screens.replay import ReplayScreen

        play = self._play
        if play is None:
            return
        play.has_offer = False
        title = f"{play.course.name} {play.level.number}, {replay.source}"
        other = solution_after(play.course, play.level, replay)
        screen = ReplayScreen(
            play.level,
            replay.before,
            replay.lurd,
            title,
            find_better=play.find_offer,
            other=other,
            keymap=self._outside.keymaps.replay,
        )
        self._stack = [play, screen]

    def _copy(self, lurd: str) -> None:
        from sokoterm.tui.screens.copied import copied_screen

        play = self._play
        if play is None:
            return
        screen = copied_screen(
            play.course.name, play.level, lurd, self._terminal.copy(lurd), self._outside.keymaps.browser
        )
        self._stack.append(screen)
        if self._terminal.uses_mouse:
            self._terminal.toggle_mouse()
            self._without_mouse = screen

    # Solver

    def _watch(self, before: str) -> None:
        desk = self._sitting.desk
        if self._play is not None and desk is not None and (screen := desk.watch(self._play, before)):
            self._stack.append(screen)

    def search_progressed(self, text: str) -> None:
        if self._play is not None:
            self._play.progress = text

    def search_found(self, solution: Solution) -> None:
        """Show a solution by itself if the player waits for it, offer it otherwise."""
        if self._play is None:
            return
        self._react(self._play.found(solution, is_watched=self._stack[-1] is self._play and not self._play.reads_text))

    def search_ended(self, text: str) -> None:
        if self._play is not None:
            self._play.search_stopped(text)

    def search_crashed(self, traceback: str) -> None:
        if self._play is not None:
            where = self._outside.log_crash(traceback)
            self._play.search_stopped(f"the solver failed; details in {where}")

    # What is kept

    def _note_solution(self) -> None:
        """Record a level that has just been solved, and say so."""
        recorded = self._sitting.record_solution()
        if recorded is not None and self._play is not None:
            self._play.solved_text = solved_text(self._play, recorded.before)

    def _count_time(self) -> None:
        is_played = self._stack[-1] is self._play or self._stack[-1].keymap.name == PLANNER.name
        self._sitting.count_time(is_played=is_played)

    def _show_notices(self) -> None:
        """Say one thing the player should know, where nothing else is being said."""
        shelf = self._outside.shelf
        for told in (self._outside.store.notices, shelf.library.notices if shelf.is_open else []):
            self._notices += told
            told.clear()
        if self._notices and self._stack[-1].tell(self._notices[0]):
            del self._notices[0]
