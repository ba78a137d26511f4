"""The stack of screens, and the reactions they return."""

from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from sokoterm.app import request
from sokoterm.app.improvement import ShowReplay
from sokoterm.app.keymap import PLANNER, REPLAY
from sokoterm.app.session import Services, Session
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import measure
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, labelled, pgettext
from sokoterm.solver.search import Found
from sokoterm.store.packs import PackError, PackFile
from sokoterm.terminal.events import Paste
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import Open, Reaction, Screen
from sokoterm.tui.terminal import Display
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.outcomes import phrase
from sokoterm.wording.packs import words_of

if TYPE_CHECKING:
    from sokoterm.app.generated import DescentPack
    from sokoterm.tui.screens.letslogic import LetslogicScreen


_NAME = "sokoterm"  # of the window, until a level is opened
_BELL_SECONDS = 10.0  # a search that takes longer rings the bell


class ScreenStack:
    """The board of the level in play, if there is one, and the screens above it.

    ``session`` keeps that level and ``play`` is its board, visible or not; ``is_over``: the player quits. Moves are
    shown at ``per_second``, 0 for no animation.
    """

    def __init__(self, services: Services, display: Display, notices: list[str]) -> None:
        """``notices`` are messages for the player; those not shown by the end are left in it."""
        self.is_over = False
        self.session = Session(services, self._notify, display.terminal.wake)
        self._services = services
        self._keymaps = services.keymaps
        self.per_second = display.animation if display.terminal.shows_motion else 0
        self._has_timer = display.has_timer
        self._terminal = display.terminal
        self._terminal.name_window(_NAME)
        self._has_bell = display.has_bell
        # When the player asked for the current search, or for the level being made.
        self._asked_at = inf
        self._notices = notices
        self.play: PlayScreen | None = None
        self._stack: list[Screen] = []
        # The screen for which the mouse is off, so that its text can be selected.
        self._without_mouse: Screen | None = None
        # The level that is being made, and its MakingScreen.
        self._awaited: tuple[request.Start, Screen] | None = None
        # The editor opened last, and the level that plays its drawing.
        self._editor: Screen | None = None
        self._drawn: request.Start | None = None

    @property
    def top(self) -> Screen:
        """The screen that is painted and receives the keys."""
        return self._stack[-1]

    @property
    def is_of_board(self) -> bool:
        """True if the top screen is the board or the push planner on it."""
        return self.top is self.play or self.top.keymap.name == PLANNER.name

    def stop_motion(self) -> None:
        """Stop animating moves."""
        self.per_second = 0
        if self.play is not None:
            self.play.per_second = 0

    # Messages

    def _text_of(self, told: str | request.Outcome) -> str:
        return told if isinstance(told, str) else phrase(told, self._keymaps.play)

    def _notify(self, notice: str | request.Outcome) -> None:
        text = self._text_of(notice)
        if text not in self._notices:
            self._notices.append(text)

    def _say(self, told: str | request.Outcome) -> None:
        text = printable(self._text_of(told))
        if not self.top.tell(text, is_answer=True):
            self._notices.append(text)

    def show_notices(self) -> None:
        """Show one notice, if the screen has room for it."""
        for told in (self._services.store.notices, self._services.catalog.notices):
            for notice in told:
                self._notify(notice)
            told.clear()
        if self._notices and self.top.tell(self._notices[0]):
            del self._notices[0]

    def react(self, reaction: Reaction | None) -> None:
        """Carry out a reaction and show the result; other screens are imported when first opened, to start quickly."""
        if reaction is None:
            return
        outcome = None if isinstance(reaction, Open) else self.session.carry_out(reaction)
        play, session = self.play, self.session
        if isinstance(reaction, (request.Solve, request.Improve)):
            self._asked_at = self._services.clock()
        match reaction:
            case request.Ask.QUIT:
                self.is_over = True
            case Open(screen):
                self._stack.append(screen)
            case request.Ask.CLOSE if len(self._stack) > 1:
                self._stack.pop()
            case request.Start() as start if outcome is None:
                self._show_level(start)
            case request.Start() as start if session.awaits(start):
                self._await(start)
            case request.Ask.BROWSE | request.Ask.LEAVE_PACK:
                self._browse(leaves_pack=reaction is request.Ask.LEAVE_PACK)
            case request.Ask.WATCH if play is not None and session.solver.watched is not None:
                from sokoterm.tui.screens.solver import SolverScreen  # when first opened

                self._stack.append(SolverScreen(play, play.model.hints.asked or "", session.solver.watched))
            case request.Ask.STOP_SEARCH if isinstance(outcome, request.Improved):
                if not self._is_on_board(outcome):
                    self._say(outcome)
            case request.Ask.STOP_SEARCH if outcome is not None and play is not None:
                play.say(outcome)
            case request.ChooseImprovement(choices):
                from sokoterm.tui.screens.improve import ImproveScreen  # when first opened

                self._stack.append(ImproveScreen(choices, self._keymaps.improve))
            case request.Improve():
                self._stack.pop()
            case ShowReplay() as replay if play is not None:
                from sokoterm.tui.screens.replay import ReplayScreen  # when first opened

                self._stack = [play, ReplayScreen(play, replay)]
            case request.TakeOver(_, action) if play is not None:
                self._stack = [play]
                if outcome is not None:
                    play.say(outcome)
                if action and outcome is not request.Note.TOO_MANY_MOVES:
                    self.react(play.act(action))
            case request.Copy(lurd, is_best) if play is not None:
                title = N_("Your best solution of {level}: {figures}") if is_best else N_("Moves of {level}: {figures}")
                label, figures = words_of(play.model.pack_session).label(play.model.level), measure(lurd)
                title = _(title, level=label, figures=moves_and_pushes(figures))
                self._show_copied(pgettext("to be copied", "moves"), title, lurd, play.model.credited_level)
            case request.CopyText(text, level):
                title = pgettext("heading above a copied level", "Level")
                self._show_copied(pgettext("to be copied", "text"), title, text, level)
            case request.Ask.SHARE if play is not None:
                text = "\n".join(words_of(play.model.pack_session).shared(play.model.level))
                if not play.is_solved_day or self._terminal.copy(text):  # show text that cannot be sent, to be selected
                    self._show_copied("", _("Result to share"), text)
                else:
                    play.shows_day = True
                    self._say(_("sent to the clipboard"))
            case request.OpenEditor() as edit:
                self._edit(edit)
            case request.Ask.OPEN_REVERSE if play is not None:
                from sokoterm.tui.screens.reverse import ReverseScreen  # when first opened

                self._stack.append(ReverseScreen(play.model.level, self._keymaps.reverse))
            case request.Reread() as changed:
                from sokoterm.wording.lists import level_text  # after a level was written

                self._reread(changed)
                self.top.tell(level_text(changed))
            case request.Collect() if isinstance(outcome, request.NoteOf):
                self._reread(request.collected_in(session.lists.collection, outcome))
                self._say(outcome)
            case request.PlayDrawn() as drawn:
                self._play_drawn(drawn)
            case request.Ask.END_RUN if isinstance(outcome, request.RunOver):
                self._browse()
                self._show_runs(outcome.run, outcome.run)
            case request.ShowRuns(run):
                self._show_runs(run)
            case request.Ask.SHOW_STATISTICS:
                from sokoterm.tui.screens.statistics import StatisticsScreen  # when first opened
                from sokoterm.wording.statistics import StatisticsPage

                page = StatisticsPage(self._services.store, self._services.catalog, self.session.lists.files)
                self._stack.append(StatisticsScreen(page, self._keymaps.browser))
            case request.Ask.SHOW_ONLINE | request.Ask.COMPARE_ONLINE if outcome is not None:
                self._say(outcome)
            case request.Ask.COMPARE_ONLINE if play is not None and session.online and session.online.is_busy:
                play.wait_for_site()
            case request.Ask.SHOW_ONLINE | request.Ask.COMPARE_ONLINE:
                self._stack.append(self._letslogic.begun())
            case request.OpenPlanner(box, goal, asks_goal) if play is not None:
                from sokoterm.tui.screens.planner import PlannerScreen  # when first opened

                self._stack = [play, PlannerScreen(play, box, goal, asks_goal=asks_goal)]
            case request.Perform(lurd) if play is not None:
                self._stack = [play]
                play.perform(lurd)

    def _show_level(self, start: request.Start) -> None:
        model = self.session.play
        assert model is not None
        self.play = play = PlayScreen(
            model,
            self._keymaps,
            per_second=self.per_second,
            has_timer=self._has_timer,
            improving_elsewhere=lambda: self.session.improving_elsewhere,
            collection=lambda: self.session.lists.collection.name,
        )
        if model.game.is_solved:
            play.solved_before = start.pack_session.best(model.level)
            play.shows_day = play.is_solved_day
        self._stack = [play]
        self._terminal.name_window(labelled(_NAME, words_of(start.pack_session).label(model.level)))

    def _await(self, start: request.Start) -> None:
        from sokoterm.tui.screens.runs import MakingScreen  # only for generated packs

        below: list[Screen] = [self.play] if self.play is not None else []
        if below:
            self.session.save(is_over=True)
        screen = MakingScreen(start, self._keymaps.play, self._services.clock, is_alone=not below)
        self._stack = [*below, screen]
        self._awaited = start, screen
        self._asked_at = self._services.clock()

    def make_levels(self) -> bool:
        """Make the levels that are wanted; if the awaited one is ready, start it and return True."""
        if self._awaited is not None and self._awaited[1] not in self._stack:
            self._awaited = None
        start, screen = self._awaited or (None, None)
        if failure := self.session.make_levels(start):
            self._say(failure)
        if start is not None and screen is self.top and not self.session.awaits(start):
            self._awaited = None
            self._ring()
            self.react(start)
            return True
        return False

    def _show_runs(self, run: "DescentPack", over: "DescentPack | None" = None) -> None:
        from sokoterm.tui.screens.runs import RunsScreen  # when first opened

        score = None if run.is_over else run.score
        try:
            self._stack.append(RunsScreen(run.series, self._keymaps.browser, score, over))
        except PackError as error:
            self._say(_("Descents: {problem}", problem=str(error)))

    @cached_property
    def _letslogic(self) -> "LetslogicScreen":
        from sokoterm.tui.screens.letslogic import LetslogicScreen  # when first opened

        assert self.session.online is not None
        return LetslogicScreen(self.session.online, self._keymaps.browser, self._services.clock)

    def _browse(self, *, leaves_pack: bool = False) -> None:
        from sokoterm.tui.screens.browser import BrowserScreen  # when first opened

        services, play = self._services, self.play
        series = services.series.entries if services.series is not None and services.lists_series else ()
        if play is not None:
            services.catalog.refresh()
        browser = BrowserScreen(self.session.lists, services.catalog, self._keymaps.browser, series)
        self._stack.append(browser)
        if leaves_pack and (following := self.session.lists.resume()) is not None:
            if browser.lists.resume is None:  # the cursor is there
                browser.lists.choose_pack(following.file.key)
        elif play is not None and not play.model.is_run_over:
            pack_session = play.model.pack_session
            file = self.session.lists.own_file(pack_session)  # a level may have been removed from it since
            opened = self.session.lists.open(file) if file is not None else None
            browser.lists.show(opened or pack_session, play.model.level.number)
        elif browser.lists.resume is None or services.store.last_pack in [entry.key for entry in series]:
            browser.lists.choose_pack(services.store.last_pack or "")

    def _show_copied(self, name: str, title: str, text: str, level: Level | None = None) -> None:
        """Send a text to the clipboard, and show it and the links to a level, to be selected if that fails."""
        from sokoterm.tui.screens.copied import Copied, CopiedScreen, links_to  # when first opened

        texts = [Copied(name, title, text)] if text else []
        if level is not None:
            texts += links_to(level, text, self.session)
        screen = CopiedScreen(texts, self._terminal.copy, self._keymaps.play, self._keymaps.browser)
        self._stack.append(screen)
        if self._terminal.uses_mouse:
            self._terminal.toggle_mouse()
            self._without_mouse = screen

    def take_mouse_back(self) -> None:
        """Turn the mouse on again once the screen without it is closed."""
        if self._without_mouse is not None and self.top is not self._without_mouse:
            self._without_mouse = None
            self._terminal.toggle_mouse()

    def paste(self, paste: Paste) -> None:
        """Use a paste as the text asked for, else as moves, else as levels to play."""
        text = paste.data.decode("utf-8", "replace")
        line = printable(" ".join(text.split()))
        if paste.problem:
            self._say(_("paste ignored: {problem}", problem=paste.problem))
        elif line and not self.top.paste(line):
            try:
                pasted = self.session.lists.paste(paste.data)
            except PackError as error:
                self._say(str(error))
                return
            if isinstance(pasted, request.Start):
                self._play_pasted(pasted)
            elif pasted is not None:
                self._say(pasted)
            elif self.play is not None and self.top.keymap.name in (self.play.keymap.name, PLANNER.name):
                self._stack = [self.play]
                self.play.interrupt()
                self.play.say(self.play.model.paste(text))
            else:
                self._say(request.Note.PASTED_OFF_BOARD)

    def _play_pasted(self, pasted: request.Start) -> None:
        self.react(pasted)
        self._notices += map(str, pasted.pack_session.pack.errors[:1])
        self._say(_("pasted; press {key} to see it in the list", key=self._keymaps.play.key_of("browse")))

    # The editor

    def _edit(self, edit: request.OpenEditor) -> None:
        """Open the editor on a level, or on the drawing being played."""
        from sokoterm.app.drawing import NEW_ROWS, drawing_of_rows  # when first opened
        from sokoterm.app.editing import Editor, KeptDrawing, open_level
        from sokoterm.tui.screens.editor import EditorScreen

        drawn = self._drawn and request.OpenEditor(self._drawn.pack_session, self._drawn.number)
        if self._editor is not None and edit == drawn:
            self._stack.append(self._editor)
            return
        self.rescue()
        pack_session, lists = edit.pack_session, self.session.lists
        try:
            editor: Editor | None = Editor(drawing_of_rows(NEW_ROWS))
            if pack_session is not None:
                editor = open_level(pack_session, edit.number, lists.files)
            if editor is None:
                self._say(request.Note.NO_ROWS)
                return
            key = pack_session.key if pack_session is not None else ""
            kept = KeptDrawing(self._services.store, editor, key, edit.number)
            file = lists.own_file(pack_session)
            home = (file, edit.number) if file is not None else None
            self._editor = EditorScreen(editor, self._keymaps, kept, lists, home)
        except PackError as error:
            self._say(str(error))
            return
        self._drawn = None
        self._stack.append(self._editor)

    def rescue(self) -> None:
        """Keep an unsaved drawing before another one replaces it or the session ends."""
        if self._editor is not None and (line := self._editor.rescue()):
            self._notify(line)
        self._editor = None

    def _opened(self, file: PackFile, number: int) -> request.Start | None:
        try:
            return request.Start(self._services.open_pack_session(file), number)
        except PackError as error:
            self._say(str(error))
            return None

    def _reread(self, changed: request.Reread) -> None:
        """Show a changed pack; a removed level stays in play, a drawing in play becomes the level saved from it."""
        for screen in self._stack:
            screen.reread(changed)
        play = self.play
        is_drawn = play is not None and self._drawn is not None and self._drawn.pack_session is play.model.pack_session
        if play is None or not is_drawn and play.model.pack_session.key != changed.file.key:
            return
        above = [screen for screen in self._stack if screen is not play]
        number = changed.number if is_drawn else changed.number_of(play.model.level.number)
        start = self._opened(changed.file, number) if number else None
        if start is None:
            return
        if is_drawn:
            self._drawn = start
        self.react(start)
        self._stack += above

    def _play_drawn(self, asked: request.PlayDrawn) -> None:
        """Play the level in the editor; the key ``edit`` returns to it."""
        start = self._opened(asked.file, asked.number)
        if start is None:
            return
        self._drawn = start
        self.react(start)
        if self.play is not None:
            self.play.is_drawn = True
            if asked.solves:
                self.react(self.play.act("solve"))

    def listen(self) -> None:
        """Show solver results, or offer them if the player is elsewhere, and report answers from a website."""
        answered = self.session.hear_online()
        if answered is not None and (text := self._letslogic.take(answered, self.play, self._stack)):
            self._say(text)
        play = self.play
        if play is None:
            return
        for told in self.session.listen(is_watched=self.top is play and not play.reads_text):
            answer = told.answer
            if told.is_first or not isinstance(told.news, Found):
                self._ring()
            if not isinstance(answer, request.Improved):
                if answer is not None:
                    self.react(play.say(answer))
            elif self.top.keymap.name == REPLAY.name:
                self._say(answer)
            elif not self._is_on_board(answer):
                self._notify(answer)

    def _ring(self) -> None:
        """Ring the bell once for a finished search or level, if that took long and the player wants the bell."""
        if self._has_bell and self._services.clock() - self._asked_at > _BELL_SECONDS:
            self._asked_at = inf
            self._terminal.ring()

    def _is_on_board(self, over: request.Improved) -> bool:
        return self.top is self.play and over.improvement.has_news and not over.is_elsewhere

    def note_solution(self) -> None:
        """Record a level that has just been solved and celebrate it."""
        recorded = self.session.record_solution()
        if recorded is None or self.play is None:
            return
        self.play.message = ""
        self.play.solved_before = recorded.before
        win = self.play.model.win
        if win is not None and win.lurd == recorded.solution.lurd:
            self.play.celebrate()
