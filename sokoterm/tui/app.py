"""The event loop: keys, solver and clock in, pictures out; what screens ask for is done here.

Screens other than the board are imported when they are first shown: the first picture waits for every import.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sokoterm.engine.board import State
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Solution
from sokoterm.library.packs import PackFile
from sokoterm.library.progress import Progress as ProgressStore
from sokoterm.tui.alarm import MakeThinker, Pondering
from sokoterm.tui.course import Course
from sokoterm.tui.desk import SearchDesk
from sokoterm.tui.keymap import KEYMAPS, PLANNER, Keymaps
from sokoterm.tui.pointer import Pointer
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
from sokoterm.tui.terminal import Terminal
from sokoterm.tui.theme import Theme
from sokoterm.tui.views import Appearance, too_small

_IDLE_SECONDS = 60.0  # a longer silence does not count as time played
_ALWAYS = ("redraw", "suspend", "interrupt")  # what control keys do even where letters are text


class Surroundings(NamedTuple):
    """What the app gets from outside.

    ``shelf`` leads to what is known of packs without reading them, ``files`` are the packs the browser lists,
    ``open_course`` reads one (PackError where it cannot); ``clock`` gives seconds that never go back; ``themes``
    are what the terminal can show, ``keymaps`` the keys in force; ``log_crash`` writes the traceback of a crashed
    search and says where; ``make_desk`` brings the solver, which wakes the loop by its argument, and ``make_thinker``
    in the same way what thinks about a position while the player does.  Moves that the player has found are shown at
    ``animation`` moves a second, 0 shows their end at once.
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


class App:
    """A stack of screens; the top one gets the keys and is painted."""

    def __init__(self, outside: Surroundings, appearance: Appearance, notices: list[str]) -> None:
        """``notices`` are lines for the player to see; those that were not shown are still there in the end."""
        self._outside = outside
        self._terminal = outside.terminal
        self._appearance = appearance
        self._notices = notices
        self._stack: list[Screen] = []
        self._play: PlayScreen | None = None
        self._last_key = outside.clock()
        self._seconds_played = 0.0
        self._is_running = True
        self._next_tick: float | None = None
        self._pressed = Pointer(-1, -1, "", True)
        # What is shown without the mouse, so that the terminal selects text from it.
        self._without_mouse: Screen | None = None
        self._desk: SearchDesk | None = None
        self._pondering = Pondering(outside.make_thinker, outside.terminal.wake)

    # The loop

    def run(self, first: Sequence[Reaction]) -> None:
        """Begin with some reactions (Start a level, or Open a screen) and go on until the player quits.

        Whatever happens, the position is saved and the terminal given back.
        """
        self._terminal.start()
        try:
            for reaction in first:
                self._react(reaction)
            while self._is_running:
                self._note_solution()
                self._show_notices()
                self._take_mouse_back()
                self._paint()
                self._save(only_if_needed=True)
                for event in self._terminal.read_keys(self._timeout()):
                    if isinstance(event, Pointer):
                        self._point(event)
                    else:
                        self._key(event)
                if self._desk is not None:
                    self._desk.tell(self)
                self._tick()
                self._pondering.follow(self._play)
        finally:
            try:
                self._pondering.close()
                if self._desk is not None:
                    self._desk.close()
                self._save()
            finally:
                self._terminal.stop()

    def _paint(self) -> None:
        if self._is_running:
            self._terminal.paint(self._stack[-1].view(self._terminal.size(), self._appearance))

    def _timeout(self) -> float | None:
        """Seconds to wait for a key: for ever, unless a replay runs or a search is to be shown.

        Where every picture is printed below the last one, a search is shown when keys are pressed, and at its end.
        """
        waits = []
        wake_after = self._stack[-1].wake_after()
        if wake_after is None:
            self._next_tick = None
        else:
            if self._next_tick is None:
                self._next_tick = self._outside.clock() + wake_after
            waits.append(max(0.0, self._next_tick - self._outside.clock()))
        if self._desk is not None and self._desk.is_busy and self._terminal.shows_motion:
            waits.append(self._desk.until_progress())
        return min(waits, default=None)

    def _tick(self) -> None:
        if self._next_tick is not None and self._outside.clock() >= self._next_tick:
            self._next_tick = None
            self._stack[-1].tick()

    # Keys and the mouse

    def _point(self, pointer: Pointer) -> None:
        """Pass on what the mouse does, but for the end of a click: the picture may have scrolled under it since."""
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
        elif too_small(self._terminal.size()) and self._outside.keymaps.play.find_action(key) == "quit":
            self._react(Quit())
        else:
            self._count_time()
            screen = self._stack[-1]
            if not self._everywhere(self._find_action(key, screen), screen):
                self._react(screen.update(key))

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
                self._save()
                self._terminal.suspend()
            case "theme":
                themes = self._outside.themes
                theme = themes[(themes.index(self._appearance.theme) + 1) % len(themes)]
                self._appearance = self._appearance._replace(theme=theme)
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
        if self._desk is not None and self._desk.is_busy:
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
                self._solve(state)
            case Watch(before):
                self._watch(before)
            case StopSearch(why):
                self._stop_search(why)
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
        """Save what is played and put another level, as it was left, at the bottom of the stack."""
        level = course.pack.find_level(number)
        if level is None:
            return
        if self._desk is not None and self._desk.is_busy:
            self._notices.append("search stopped: it was for the other position")
        self._stop_search("")
        self._save(is_over=True)
        self._seconds_played = 0.0
        warns = self._play.warns if self._play is not None else True
        game = self._resumed(level)
        self._play = PlayScreen(course, level, game, self._outside.clock, warns=warns, keymaps=self._outside.keymaps)
        if game.is_solved:
            self._play.solved_lurd = game.lurd
            self._play.solved_text = solved_text(self._play, course.best(level))
        self._stack = [self._play]
        self._last_key = self._outside.clock()
        self._warn(self._outside.store.save_place(course.key, number))

    def _resumed(self, level: Level) -> Game:
        """The game as it was left; a play that does not fit the level any more is not resumed."""
        play = self._outside.store.load_play(level)
        if play is None:
            return Game(level)
        try:
            game = Game(level, play.edits, play.cursor, play.bookmarks)
        except LurdError:
            self._notices.append("the saved position does not fit this level: begun anew")
            return Game(level)
        for name in play.others:
            self._notices.append(f"another session played this level too: '{name} goes to its position")
        return game

    def _browse(self) -> None:
        from sokoterm.tui.screens.browser import BrowserScreen

        outside = self._outside
        browser = BrowserScreen(outside.files, outside.open_course, outside.shelf, outside.keymaps.browser)
        if self._play is not None:
            self._save()
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

        if self._play is None:
            return
        screen = copied_screen(self._play.course.name, self._play.level, lurd, self._terminal.copy(lurd))
        self._stack.append(screen)
        if self._terminal.uses_mouse:
            self._terminal.toggle_mouse()
            self._without_mouse = screen

    # Solver

    def _solve(self, state: State) -> None:
        if self._play is None:
            return
        self._pondering.stop()
        if self._desk is None:
            self._desk = self._outside.make_desk(self._terminal.wake)
        self._desk.start(self._play.level.board, state)

    def _watch(self, before: str) -> None:
        if self._play is not None and self._desk is not None and (screen := self._desk.watch(self._play, before)):
            self._stack.append(screen)

    def _stop_search(self, why: str) -> None:
        if self._desk is not None and self._desk.is_busy:
            self._desk.cancel()
            if self._play is not None:
                self._play.search_stopped(why)

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
        play = self._play
        if play is None or not play.game.is_solved or play.solved_lurd == play.game.lurd:
            return
        play.solved_lurd = play.game.lurd
        self._save(is_over=True)
        recorded = self._outside.store.record(play.level, play.solved_lurd)
        self._warn(recorded.problem)
        play.course.refresh()
        play.message = ""
        play.solved_text = solved_text(play, recorded.before)

    def _save(self, *, only_if_needed: bool = False, is_over: bool = False) -> None:
        """Write the position with its history; walks alone wait for the next push.

        A solved position is resumed by the next session, but not once its level ``is_over``.
        """
        play = self._play
        if play is None or only_if_needed and not play.must_save:
            return
        game, seconds = play.game, self._seconds_played
        self._seconds_played = 0.0
        play.must_save = False
        problem = self._outside.store.save_play(
            play.level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=is_over and game.is_solved
        )
        self._warn(problem)

    def _warn(self, problem: str | None) -> None:
        if problem is not None and problem not in self._notices:
            self._notices.append(problem)

    def _count_time(self) -> None:
        now = self._outside.clock()
        if self._stack[-1] is self._play or self._stack[-1].keymap.name == PLANNER.name:
            self._seconds_played += min(now - self._last_key, _IDLE_SECONDS)
        self._last_key = now

    def _show_notices(self) -> None:
        """Say one thing the player should know, where nothing else is being said."""
        shelf = self._outside.shelf
        for told in (self._outside.store.notices, shelf.library.notices if shelf.is_open else []):
            self._notices += told
            told.clear()
        if self._notices and self._stack[-1].tell(self._notices[0]):
            del self._notices[0]
