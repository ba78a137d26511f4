"""Line mode: the session of a player without a screen, from the first line to the last."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from errno import EIO
from functools import partial
from time import monotonic

from sokoterm.app.improvement import Improvement, ShowReplay
from sokoterm.app.options import MOST_PASTED, PlayOptions
from sokoterm.app.request import Ask, Copy, FirstRequest, Improve, Note, Outcome, Request, Solve, Start, TakeOver
from sokoterm.app.session import Services, Session
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import N_, _
from sokoterm.linemode.catalog_commands import CatalogCommands
from sokoterm.linemode.commands import (
    DIRECTIONS_BY_NAME,
    LISTS,
    LOOKS,
    PACKS_COMMANDS,
    PLAY_COMMANDS,
    REPLAY_COMMANDS,
    ArgumentError,
    Given,
    Grammar,
    number_in,
)
from sokoterm.linemode.lines import Event, Lines, Pager, Pasting, open_lines
from sokoterm.linemode.play_commands import HINT, Answer, PlayCommands, ReplayCommands
from sokoterm.solver.figures import explained, in_words
from sokoterm.solver.search import Found
from sokoterm.store.packs import PackError
from sokoterm.terminal.posix_keys import keys_from_terminal
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.lists import level_facts
from sokoterm.wording.outcomes import ChoiceWords, improvement_text, phrase, progress
from sokoterm.wording.packs import words_of

_POLL_SECONDS = 0.1  # between two looks at a search or a level being made
_MOMENTS = 2  # ticks of work on a level before the next line is read
_NOT_IN_REPLAY = N_("not possible in a replay: leave first")


def play(options: PlayOptions, notices: list[str], services: Services, first: Sequence[FirstRequest]) -> None:
    """Play line by line until the player leaves."""
    by_place = options.settings.keys_by_place is not False
    LineSession(services, first, notices, open_lines(), partial(print, flush=True), keys_by_place=by_place).run()


def take_keyboard(options: PlayOptions) -> None:
    """Read commands from the terminal if standard input is a pack; raises PackError without a terminal."""
    if "-" not in options.packs:
        return
    try:
        if not os.isatty(0):
            keys_from_terminal()
    except OSError:
        raise PackError(_("no terminal to read commands from: standard input was the pack")) from None


class LineSession:
    """The loop that reads commands and does them until the player leaves."""

    def __init__(
        self,
        services: Services,
        first: Sequence[FirstRequest],
        notices: list[str],
        lines: Lines,
        say: Callable[[str], None],
        *,
        keys_by_place: bool = True,
    ) -> None:
        """``say`` prints one line; the session ends if it raises OSError.  ``keys_by_place`` as in Grammar."""
        self._services = services
        self._first = first
        self._notices = notices
        self._lines = lines
        self._print = say
        self._pager = Pager(lines, self._print_saved)
        self._session = Session(services, self._notify, lines.wake)
        self._catalog_commands = CatalogCommands(self._session, services, self._react)
        self._play_commands: PlayCommands | None = None
        self._replay: ReplayCommands | None = None
        self._pasting: Pasting | None = None
        self._is_running = True
        self._is_left = False
        keymaps = services.keymaps
        self._grammars = {
            "packs": Grammar(PACKS_COMMANDS, keymaps.play, keys_by_place=keys_by_place),
            "play": Grammar(PLAY_COMMANDS, keymaps.play, keys_by_place=keys_by_place),
            "replay": Grammar(REPLAY_COMMANDS, keymaps.replay, keys_by_place=keys_by_place),
        }

    # The loop

    def run(self) -> None:
        """Run until the player quits or input ends; the position is always saved.

        Raises OSError if output cannot be written, unless the terminal is gone.
        """
        self._lines.start()
        try:
            self._pager.say([_("sokoterm, line by line: help lists the commands, q saves and quits")])
            for request in self._first:
                self._pager.say(self._react(request))
            while self._is_running:
                self._rest_of_level()
                self._session.save(only_if_needed=True)
                self._pager.say(self._take_notices())
                if failure := self._session.make_levels(None):
                    self._pager.say([self._phrase(failure)])
                self._hear(self._lines.read(self._timeout()))
        except OSError as error:
            if error.errno != EIO:  # EIO: the terminal is gone, and with it the player
                raise
        finally:
            try:
                self._session.close()
            finally:
                self._lines.stop()
        if self._is_left and not self._notices:
            with suppress(OSError):
                self._pager.say([_("saved") if self._services.store.is_on_disk else _("not saved")])

    def _print_saved(self, line: str) -> None:
        """Print a line after its push is safe on disk."""
        self._session.save(only_if_needed=True)
        self._print(line)

    def _rest_of_level(self) -> None:
        """Do the look-ups and deadlock tests that the heading of a level did not wait for, also where lines wait."""
        play, made = self._session.play, 0
        while play is not None and made < _MOMENTS and (play.wake_after() == 0.0 or not play.warning.is_sharp):
            play.tick()
            made += 1
        if made:
            self._tell_if_lost()

    def _timeout(self) -> float | None:
        play = self._session.play
        waits = [self._session.idle_seconds_left, self._session.retry_after]
        if play is not None and self._replay is None:
            waits.append(play.wake_after())
        waits.append(self._catalog_commands.wake_after())
        return min((wait for wait in waits if wait is not None), default=None)

    def _hear(self, heard: str | Event) -> None:
        match heard:
            case Event.END:
                self._is_running = False
            case Event.INTERRUPT:
                self._interrupt()
            case Event.NOTHING if (why := self._session.why_over) is not None:
                self._pager.say([self._phrase(why)])
                self._is_running = False
            case Event.NOTHING:
                self._listen()
                self._session.seek_proof()
                self._tell_if_lost()
                self._tell_win()
                play = self._session.play
                if play is not None and self._replay is None and play.wake_after() is not None:
                    play.tick()
                if self._catalog_commands.wake_after() is not None:
                    self._catalog_commands.lists.work(self._catalog_commands.pack_session)
            case str(line):
                self._catalog_commands.lists.rest()
                self._session.note_key(is_played=self._replay is None)
                self._listen()
                try:
                    self._pager.say(self._answer(line))
                except (ArgumentError, PackError) as error:
                    self._pager.say([str(error)])
                self._tell_win()
        self._session.seek_proof()

    def _tell_if_lost(self) -> None:
        commands = self._play_commands
        if commands is not None and commands.play.deadlock is not None and (news := commands.news(only_new=True)):
            self._pager.say([news])

    def _tell_win(self) -> None:
        if self._play_commands is not None and self._replay is None:
            self._pager.say(self._play_commands.win_lines())

    def _interrupt(self) -> None:
        """Handle Ctrl-C: drop a paste, else stop a search, else save and quit."""
        if self._pasting is not None:
            self._pasting = None
            self._pager.say([_("paste dropped")])
        elif self._session.is_searching:
            self._pager.say(self._react(Ask.STOP_SEARCH))
        else:
            self._leave()

    def _phrase(self, outcome: Outcome | None) -> str:
        return phrase(outcome, self._services.keymaps.play, self._catalog_commands.pack_session)

    def _notify(self, notice: str | Outcome) -> None:
        text = notice if isinstance(notice, str) else self._phrase(notice)
        if text not in self._notices:
            self._notices.append(text)

    def _leave(self) -> None:
        self._is_running, self._is_left = False, True

    def _take_notices(self) -> list[str]:
        found = list[str]()
        for told in (self._notices, self._services.store.notices, self._services.catalog.notices):
            found += told
            told.clear()
        return found

    # Lines

    @property
    def _grammar(self) -> Grammar:
        return self._grammars["packs" if self._play_commands is None else "play" if self._replay is None else "replay"]

    def _answer(self, line: str) -> Answer:
        """Do the command of a line; raises ArgumentError and PackError, also while the answer is read."""
        if self._pasting is not None:
            return self._take_pasted(line, self._pasting)
        if not line.strip():
            if self._play_commands is None:
                return [_("pack 1 opens the first pack; help lists the commands")]
            return self._do(Given("enter" if self._replay is None else "take over", "", ()))
        if self._replay is not None and line.strip().isdecimal():
            line = f"move {line.strip()}"  # a number alone, as on the screen
        given = self._grammar.read(line)
        if isinstance(given, Given):
            return self._do(given)
        meant = self._grammars["play"].read(line) if self._replay is not None else ""
        if isinstance(meant, str):
            return [given]
        if meant.name == "paste":
            self._pasting = Pasting()
            told = _("not possible in a replay: leave first; pasted lines are dropped up to a line with a single dot")
            return [told]
        return [_(_NOT_IN_REPLAY)]

    def _do(self, given: Given) -> Answer:
        name, arguments, catalog = given.name, given.arguments, self._catalog_commands
        match name:
            case "quit":
                self._leave()
                return []
            case "help":
                return self._grammar.help(" ".join(arguments))
            case "more":
                return self._pager.more()
            case "paste":
                self._pasting = Pasting()
                return [_("paste moves or levels now, up to a line with a single dot")]
            case "statistics":
                return self._react(Ask.SHOW_STATISTICS)
            case "stop":
                return self._react(Ask.STOP_SEARCH)
            case "wait":
                return self._wait()
            case _ if name in catalog.by_name:
                answer = catalog.by_name[name](arguments)
                return self._pager.listed(answer) if name in LISTS else answer
        commands = self._play_commands
        if commands is None:
            return [_("no level is open: pack 1 opens the first pack")]
        play = commands.play
        match name:
            case "levels" if play.is_run_over:
                return self._react(Ask.BROWSE)
            case "levels":
                first = number_in(arguments, N_("the number of a level"), otherwise=1)
                return self._pager.listed(catalog.levels(play.pack_session, first))
            case "facts":
                facts = level_facts(play.pack_session, play.level, with_library=True)
                return [facts or _("no history of this level yet")]
            case "difficulty":
                return _difficulty_lines(play.level)
        shown = self._replay or commands
        if name not in LOOKS:
            return shown.do(given)
        lines = shown.situation.look(given)
        return self._pager.listed(lines) if name in LISTS else lines

    def _take_pasted(self, line: str, pasting: Pasting) -> Answer:
        if not pasting.take(line):
            return []
        self._pasting = None
        if self._replay is not None:
            return [_(_NOT_IN_REPLAY)]
        if pasting.room < 0:
            return [_("paste dropped: it has over {most:,} bytes", most=MOST_PASTED)]
        text = "\n".join(pasting.lines)
        pasted = self._session.lists.paste(text.encode())
        if isinstance(pasted, Start):
            errors = [printable(str(error)) for error in pasted.pack_session.pack.errors[:1]]
            return [*errors, *self._react(pasted)]
        if pasted is None and self._play_commands is not None:
            return self._play_commands.moves(text)
        return [self._phrase(Note.PASTED_NEITHER)]

    # Requests

    def _react(self, asked: Request) -> Answer:
        """Answer a request: the session carries it out, and what is to be told is told here."""
        outcome = self._session.carry_out(asked)
        play, commands, catalog = self._session.play, self._play_commands, self._catalog_commands
        match asked:
            case Start() if play is not None and outcome is None:
                self._replay = None
                self._play_commands = PlayCommands(play, self._services.keymaps.play, self._session, self._react)
                return self._play_commands.heading()
            case Start() if self._session.awaits(asked):
                return self._start_when_made(asked)
            case Start():
                return [phrase(outcome, self._services.keymaps.play, asked.pack_session)]
            case Ask.BROWSE if play is not None and not play.is_run_over:
                return self._pager.listed(catalog.levels(play.pack_session, 1))
            case Ask.BROWSE if len(catalog.lists.files) == 1:
                return catalog.open(("1",))
            case Ask.BROWSE:
                return [*self._pager.listed(catalog.packs()), catalog.how_to_open]
            case Ask.SHOW_STATISTICS:
                return self._pager.listed(catalog.statistics())
            case Solve():
                return [_("searching: a solution will be announced; stop ends the search")]
            case Improve(choices):
                solution = ChoiceWords(choices).solution
                return [_("improving {solution}: what can be saved will be announced; stop ends it", solution=solution)]
            case Ask.WATCH if play is not None and play.hints.progress is not None:
                return [_("searching: {progress}", progress=progress(play.hints.progress))]
            case Ask.WATCH:
                return [_("searching: just begun")]
            case Ask.STOP_SEARCH:
                return [self._phrase(outcome) or _("no search is running")]
            case ShowReplay() if commands is not None:
                self._replay = ReplayCommands(commands, asked, self._services.keymaps.replay, self._react)
                return [self._replay.heading]
            case TakeOver(_, action) if commands is not None:
                self._replay = None
                if action in DIRECTIONS_BY_NAME and outcome is not Note.TOO_MANY_MOVES:
                    commands.play.act(action)
                return commands.tell(outcome, N_("taken over: {change}"), _("this is your own position"))
            case Ask.CLOSE if commands is not None:
                self._replay = None
                return [_("your own position: {status}", status=commands.situation.status)]
            case Copy(lurd):
                return [lurd]
            case Ask.SHARE if play is not None:
                return [words_of(play.pack_session).result(play.level.number)]
            case Ask.END_RUN if outcome is not None:
                return [self._phrase(outcome)]
        return []

    def _start_when_made(self, start: Start) -> Iterator[str]:
        """Wait for a level that is being made, or for the next event."""
        yield _("making {level}", level=words_of(start.pack_session).title(start.number))
        while self._session.awaits(start):
            if failure := self._session.make_levels(start):
                yield self._phrase(failure)
                return
            event = self._lines.pause(_POLL_SECONDS)
            if event is not Event.NOTHING:
                self._hear(event)
                return
        yield from self._react(start)

    def _wait(self) -> Iterator[str]:
        """Wait for the end of the search, or for the next event; solutions are announced."""
        if not self._session.is_searching:
            yield _("no search is running")
        while self._session.is_searching:
            event = self._lines.pause(_POLL_SECONDS)
            if event is not Event.NOTHING:
                self._hear(event)
                return
            self._listen()

    # News from the solver

    def _listen(self) -> None:
        """Take news from the search: a hint is made, a solution only announced, since the player may be typing."""
        commands = self._play_commands
        if commands is None:
            return
        # A hint is made at once, except in a replay.
        for told in self._session.listen(is_watched=self._replay is None):
            match told.news, told.asked:
                case Found(), Improvement() as improvement:
                    answer: Answer = [improvement_text(improvement, commands.keymap)[0]]
                case Found(), Solve(is_hint=True):
                    answer = commands.tell(told.answer, HINT) if told.is_first else []
                case Found(solution), _:
                    figures, key = moves_and_pushes(solution), commands.keymap.key_of("replay")
                    answer = [_("a better solution: {solution}; {key} replays it", solution=figures, key=key)]
                    if told.is_first:
                        answer = [_("solution found: {solution}; {key} replays it", solution=figures, key=key)]
                case _:
                    answer = [self._phrase(told.answer) or _("the search is over")]
            self._pager.say(answer)
            self._tell_win()


def _difficulty_lines(level: Level) -> Iterator[str]:
    """Yield how hard a level is, and why; loads the solver."""
    from sokoterm.solver.difficulty import figures_in_time  # searches, for the difficulty only

    figures = figures_in_time(level, monotonic)
    yield _("difficulty {difficulty}", difficulty=in_words(figures))
    yield from (f"{key}: {text}" for key, text in explained(figures))
