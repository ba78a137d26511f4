"""Line mode: a session without a screen."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from errno import EIO
from functools import partial
from time import monotonic

from sokoterm.app import request
from sokoterm.app.improvement import Improvement, ShowReplay
from sokoterm.app.lists import LevelSort, ListedLevel
from sokoterm.app.options import MOST_PASTED, PlayOptions, Series, is_seed
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.session import Services, Session
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import one_line, printable, several_lines
from sokoterm.language import N_, _, boxes_text, joined, labelled, listed, moves_text, pgettext, pushes_text
from sokoterm.linemode import commands as grammar
from sokoterm.linemode.commands import ArgumentError, Arguments, Given, Grammar, number_in, numbers_in
from sokoterm.linemode.lines import Event, Lines, Pager, Pasting, open_lines
from sokoterm.linemode.online import ask_online
from sokoterm.linemode.play_commands import HINT, Answer, PlayCommands, React, ReplayCommands
from sokoterm.solver.figures import explained, in_words
from sokoterm.solver.search import Found
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.store.packs import PackError, PackFile
from sokoterm.store.query import Query, QueryError, parse_query
from sokoterm.store.series import find_number
from sokoterm.terminal.posix_keys import keys_from_terminal
from sokoterm.wording import lists as wording
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.outcomes import ChoiceWords, improvement_text, phrase, progress
from sokoterm.wording.packs import DailyWords, DescentWords, spoken_run, words_of

_NOT_HERE = N_("not in this session: start sokoterm --plain without a pack")
_PACK, _LEVEL = N_("the number of a pack"), N_("the number of a level")
_AT_ONCE = 50  # levels whose figures are read in one batch


class CatalogCommands:
    """Commands for packs; ``by_name`` has those that need no level. May raise ArgumentError and PackError."""

    def __init__(self, session: Session, services: Services, react: React) -> None:
        self.lists = session.lists
        self.by_name: Mapping[str, Callable[[Arguments], Answer]] = {
            "packs": self.packs,
            "continue": self._resume,
            "pack": self.open,
            "rename": self._rename,
            "remove": self._remove,
            "move level": self._move_level,
            "take out": self._take_out,
            "title": partial(self._alter, "title"),
            "note": partial(self._alter, "comment"),
            "daily": self._daily,
            "descend": self._descend,
            "runs": self._runs,
            "order": self._order,
            "search": self._search,
            "series": self._play_found,
        }
        self._session = session
        self._services = services
        self._series = services.series
        self._catalog = services.catalog
        self._react = react

    @property
    def pack_session(self) -> PackSession | None:
        return self._session.play.pack_session if self._session.play is not None else None

    def wake_after(self) -> float | None:
        """Seconds until ``lists.work`` is due; nothing is done before the library is used."""
        is_asked = self._catalog.is_open or self.lists.is_by_difficulty
        return self.lists.wake_after(self.pack_session) if is_asked else None

    # Lists

    def packs(self, arguments: Arguments = ()) -> Iterator[str]:
        """Yield a line for each pack, starting at a number."""
        first, numbers = number_in(arguments, _PACK, otherwise=1), self._numbers
        self._catalog.work(())
        if first == 1 and (resumed := self._resumed):
            yield labelled("continue", resumed)
        if first == 1 and self._series is not None:
            try:
                yield labelled("daily", DailyWords(self._series.daily()).facts)
                yield labelled("descend", DescentWords(self._series.descent()).facts)
            except PackError as error:
                yield labelled(joined(["daily", "descend"]), str(error))
        files = [file for file in self.lists.packs() if numbers[file.key] >= first]
        for file, known, problem, hard in self.lists.about_packs(files):
            number, name = numbers[file.key], wording.pack_name(file, known)
            if problem:
                yield _("{number}: {pack}, cannot be read: {problem}", number=number, pack=name, problem=problem)
            elif known is None:
                yield labelled(number, name)
            else:
                facts = [
                    name,
                    wording.solved_text(known.solved, known.levels),
                    wording.unreadable_text(known.unreadable),
                ]
                yield labelled(number, listed([*facts, wording.difficulty_text(hard)]))

    @property
    def _numbers(self) -> dict[str, int]:
        return {file.key: number for number, file in enumerate(self.lists.files, start=1)}

    @property
    def how_to_open(self) -> str:
        if not (resumed := self._resumed):
            return _("pack N opens one, for example pack 1")
        return _("type continue to play {pack}, or pack N to open another pack", pack=resumed)

    @property
    def _resumed(self) -> str:
        """The pack to continue with, and its level; empty if all are solved."""
        if (resume := self.lists.resume()) is None:
            return ""
        return wording.spoken_resume(resume, self._catalog.figures([resume.file]).get(resume.file.key))

    def levels(self, pack_session: PackSession, first: int) -> Iterator[str]:
        """Yield a line for each level of a pack, starting at a number."""
        entries = [entry for entry in self.lists.levels(pack_session) if number_of(entry) >= first]
        if not entries:
            yield words_of(pack_session).why_missing(first)
        yield from self._level_lines(pack_session, entries)

    def _level_lines(self, pack_session: PackSession, entries: Sequence[Level | LevelError]) -> Iterator[str]:
        for start in range(0, len(entries), _AT_ONCE):
            for level in self.lists.about_levels(pack_session, entries[start : start + _AT_ONCE]):
                facts = [*_level_facts(pack_session, level), wording.difficulty_text(level.hard)]
                yield labelled(number_of(level.entry), listed(facts))

    def _runs(self, arguments: Arguments) -> Answer:  # noqa: ARG002 - it takes none
        rows = self._series.table() if self._series is not None else ()
        return [*map(spoken_run, rows)] or [_("no runs yet: descend begins one")]

    def statistics(self) -> Iterator[str]:
        """Yield the lines of the statistics page."""
        from sokoterm.wording.statistics import StatisticsPage  # rarely needed

        self._catalog.work(())
        yield from filter(None, StatisticsPage(self._services.store, self._catalog, self.lists.files).lines())

    def _order(self, arguments: Arguments) -> Answer:
        word = " ".join(arguments).casefold()
        if not word:
            self.lists.turn(1)
        elif word in {*LevelSort}:
            self.lists.set(LevelSort(word))
        else:
            return [_("found {found}, expected one of {names}", found=word, names=joined(LevelSort))]
        return [_("lists are sorted {order}", order=wording.order_text(self.lists.sort))]

    def _search(self, arguments: Arguments) -> Iterator[str]:
        """Yield the levels of the pack in play and the packs that match a query."""
        if not arguments:
            yield _("type what to search for: search bottle, search boxes:4 unsolved")
            return
        wanted, pack_session = _query_of(arguments), self.pack_session
        self._catalog.refresh()
        found = self.lists.levels(pack_session, wanted) if pack_session is not None else []
        if pack_session is not None:
            for line in self._level_lines(pack_session, found):
                # Translators: a level of a list: its number, title and figures.
                yield _("level {level}", level=line)
        self._catalog.work(())
        packs, numbers = self.lists.packs(wanted), self._numbers
        if packs:
            yield wording.found_text(*self.lists.count(wanted))
        for file, known, _problem, _hard in self.lists.about_packs(packs):
            number, name = numbers[file.key], wording.pack_name(file, known)
            level = self.lists.level_found(file, wanted)
            if level is None:
                yield _("pack {number}: {pack}", number=number, pack=name)
            else:
                yield _("pack {number}: {pack}, level {level}", number=number, pack=name, level=level)
        unknown = wording.unknown_text(self._catalog.count_unknown(self.lists.files))
        if unknown or not found and not packs:
            yield unknown or _("nothing found")

    # Levels to play

    def open(self, arguments: Arguments) -> Answer:
        """Play a pack by number, optionally at a level."""
        numbers, files = numbers_in(arguments), self.lists.files
        are_whole = all(each.replace(",", "").isdecimal() for each in arguments)
        if not numbers or not are_whole or not 1 <= numbers[0] <= len(files):
            return [_("give the number of a pack, from 1 to {last}: pack 1", last=len(files))]
        file = files[numbers[0] - 1]
        pack_session = self.lists.open(file)
        if pack_session is None:
            return [self._catalog.problem(file)]
        number = numbers[1] if len(numbers) > 1 else pack_session.start_number()
        if number is None:
            return [words_of(pack_session).none_readable]
        if pack_session.pack.find_level(number) is None:
            return [words_of(pack_session).why_missing(number)]
        return self._react(request.Start(pack_session, number))

    def _resume(self, arguments: Arguments) -> Answer:  # noqa: ARG002 - it takes none
        resume = self.lists.resume()
        return self.open((str(self._numbers[resume.file.key]),)) if resume is not None else [_("every level is solved")]

    def _play_found(self, arguments: Arguments) -> Answer:
        if not arguments:
            return [_("type a query for the levels to play: series unsolved hard<50")]
        query = _query_of(arguments)
        self._catalog.work(())
        self._catalog.refresh()
        start = self.lists.open_found(" ".join(arguments), query)
        unknown = [wording.unknown_text(number)] if (number := self._catalog.count_unknown(self.lists.files)) else []
        return [*unknown, *self._react(start)] if start is not None else unknown or [_(wording.NOTHING_FOUND)]

    def _daily(self, arguments: Arguments) -> Answer:
        if self._series is None:
            return [_(_NOT_HERE)]
        pack_session = self._series.daily()
        number = find_number("-".join(arguments)) if arguments else pack_session.start_number()
        if arguments and (number is None or not pack_session.has_level(number)):
            return [_("found {found}, expected a day up to today (UTC): daily 2026-11-22", found=" ".join(arguments))]
        return self._react(request.Start(pack_session, number or 1))

    def _descend(self, arguments: Arguments) -> Answer:
        if self._series is None:
            return [_(_NOT_HERE)]
        word = " ".join(arguments)
        if word and not is_seed(word):
            return [_("found {found}, expected a seed, a whole number: descend 4711", found=word)]
        return self._react(request.Start(*self._series.start(Series(True, int(word) if word else None))))

    # Packs of the player's own

    def _rename(self, arguments: Arguments) -> Answer:
        file = self._own(arguments)
        return [wording.changed_text(file, self.lists.rename(file, " ".join(arguments[1:])))]

    def _remove(self, arguments: Arguments) -> Answer:
        file = self._own(arguments)
        if arguments[1:] == ("yes",):
            self.lists.remove(file)
            return [wording.changed_text(file, None)]
        told = _(
            "this cannot be undone, but your solutions stay: to remove {pack}, type remove {number} yes",
            pack=printable(file.name),
            number=arguments[0],
        )
        return [told]

    def _own(self, arguments: Arguments) -> PackFile:
        """Return a pack by number; raises ArgumentError if it is not the player's own."""
        with suppress(ArgumentError, IndexError):
            file = self.lists.files[number_in(arguments[:1], _PACK) - 1]
            if self.lists.is_own(file):
                return file
        raise ArgumentError(_(wording.WHY_NOT_OWN))

    # Levels in them

    def _move_level(self, arguments: Arguments) -> Answer:
        file, level = self._own_level(arguments)
        return self._react(self.lists.move(file, level, number_in(arguments[1:2], _LEVEL)))

    def _take_out(self, arguments: Arguments) -> Answer:
        file, level = self._own_level(arguments)
        if arguments[1:] == ("yes",):
            return self._react(self.lists.take_out(file, level))
        told = N_("to take level {number} out of {pack}, type take out {number} yes")
        return [_(told, number=level.number, pack=printable(file.name))]

    def _alter(self, field: str, arguments: Arguments) -> Answer:
        (file, level), text = self._own_level(arguments), " ".join(arguments[1:])
        if not text and (there := printable(one_line(getattr(level, field)))):
            return [there]
        text = several_lines(text) if field == "comment" else text
        return self._react(self.lists.alter(file, level, **{field: text}))

    def _own_level(self, arguments: Arguments) -> tuple[PackFile, Level]:
        """Return a level by number; raises ArgumentError if the pack in play is not the player's own."""
        pack_session = self.pack_session
        file, number = self.lists.own_file(pack_session), number_in(arguments[:1], _LEVEL)
        level = pack_session.find_level(number) if pack_session is not None else None
        if pack_session is None or file is None:
            raise ArgumentError(_(wording.WHY_NOT_OWN))
        if level is None:
            raise ArgumentError(words_of(pack_session).why_missing(number))
        return file, level


def _query_of(arguments: Arguments) -> Query:
    try:
        return parse_query(" ".join(arguments))
    except QueryError as error:
        raise ArgumentError(wording.query_problem(error)) from None


def _level_facts(pack_session: PackSession, told: ListedLevel) -> Iterator[str]:
    level, figures = told.entry, told.figures
    if isinstance(level, LevelError):
        yield _("cannot be read: {problem}", problem=printable(level.problem))
        return
    yield words_of(pack_session).listed_title(level)
    yield pgettext("of a level", "collected") if told.is_collected else ""
    yield boxes_text(level.boxes)
    if figures is not None:
        counts = {"moves": moves_text(figures.moves), "pushes": pushes_text(figures.pushes)}
        if figures.is_helped:
            yield _("solved with help in {moves}, {pushes}", **counts)
        else:
            yield _("solved in {moves}, {pushes}", **counts)
            yield _("{stars:,} of {most:,} stars", stars=told.stars, most=MOST_STARS)
    elif told.is_begun:
        yield pgettext("of a level", "begun")


_POLL_SECONDS = 0.1  # between two looks at a search or a level being made
_MOMENTS = 2  # ticks of work on a level before the next line is read
_NOT_IN_REPLAY = N_("not possible in a replay: leave first")


def play(options: PlayOptions, notices: list[str], services: Services, first: Sequence[request.FirstRequest]) -> None:
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
    """The loop that reads and runs commands until the player leaves."""

    def __init__(
        self,
        services: Services,
        first: Sequence[request.FirstRequest],
        notices: list[str],
        lines: Lines,
        say: Callable[[str], None],
        *,
        keys_by_place: bool = True,
    ) -> None:
        """``say`` prints one line; the session ends if it raises OSError. ``keys_by_place`` as in Grammar."""
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
            "packs": Grammar(grammar.PACKS_COMMANDS, keymaps.play, keys_by_place=keys_by_place),
            "play": Grammar(grammar.PLAY_COMMANDS, keymaps.play, keys_by_place=keys_by_place),
            "replay": Grammar(grammar.REPLAY_COMMANDS, keymaps.replay, keys_by_place=keys_by_place),
        }

    # The loop

    def run(self) -> None:
        """Run until the player quits or input ends, saving the position; raises OSError if output cannot be written."""
        self._lines.start()
        try:
            self._pager.say([_("sokoterm, line by line: help lists the commands, q saves and quits")])
            for asked in self._first:
                self._pager.say(self._react(asked))
            while self._is_running:
                self._rest_of_level()
                self._session.save(only_if_needed=True)
                for told in (self._notices, self._services.store.notices, self._services.catalog.notices):
                    self._pager.say(told)
                    told.clear()
                if failure := self._session.make_levels(None):
                    self._pager.say([self._phrase(failure)])
                self._hear(self._lines.read(self._timeout()))
        except OSError as error:
            if error.errno != EIO:  # EIO: the terminal is gone
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
        """Print a line once its push is safe on disk."""
        self._session.save(only_if_needed=True)
        self._print(line)

    def _rest_of_level(self) -> None:
        """Do look-ups and deadlock tests that the heading of a level did not wait for, even if lines are waiting."""
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
            self._pager.say(self._react(request.Ask.STOP_SEARCH))
        else:
            self._leave()

    def _phrase(self, outcome: request.Outcome | None) -> str:
        return phrase(outcome, self._services.keymaps.play, self._catalog_commands.pack_session)

    def _notify(self, notice: str | request.Outcome) -> None:
        text = notice if isinstance(notice, str) else self._phrase(notice)
        if text not in self._notices:
            self._notices.append(text)

    def _leave(self) -> None:
        self._is_running, self._is_left = False, True

    # Lines

    @property
    def _grammar(self) -> Grammar:
        return self._grammars["packs" if self._play_commands is None else "play" if self._replay is None else "replay"]

    def _answer(self, line: str) -> Answer:
        """Run the command of a line; raises ArgumentError and PackError, also while the answer is iterated."""
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
        meant = self._grammars["play"].read(line)
        if isinstance(meant, str):
            return [given]
        if self._replay is None:  # and no level is open
            return self._do(meant)
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
                return self._react(request.Ask.SHOW_STATISTICS)
            case "stop":
                return self._react(request.Ask.STOP_SEARCH)
            case "wait":
                return self._wait()
            case "letslogic":
                return self._pager.listed(ask_online(self._session, self._lines, arguments, self._phrase, self._hear))
            case _ if name in catalog.by_name:
                answer = catalog.by_name[name](arguments)
                return self._pager.listed(answer) if name in grammar.LISTS else answer
        commands = self._play_commands
        if commands is None:
            return [_("no level is open: pack 1 opens the first pack")]
        play = commands.play
        match name:
            case "levels" if play.is_run_over:
                return self._react(request.Ask.BROWSE)
            case "levels":
                first = number_in(arguments, _LEVEL, otherwise=1)
                return self._pager.listed(catalog.levels(play.pack_session, first))
            case "collect":
                into = " ".join(arguments) or (catalog.lists.collection.name if given.action == "collect into" else "")
                return self._react(request.Collect(play.pack_session, play.level.number, into))
            case "facts":
                facts = wording.level_facts(play.pack_session, play.level, with_library=True)
                return [facts or _("no history of this level yet")]
            case "difficulty":
                return _difficulty_lines(play.level)
        shown = self._replay or commands
        if name not in grammar.LOOKS:
            return shown.do(given)
        lines = shown.situation.look(given)
        return self._pager.listed(lines) if name in grammar.LISTS else lines

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
        if isinstance(pasted, request.Start):
            errors = [printable(str(error)) for error in pasted.pack_session.pack.errors[:1]]
            return [*errors, *self._react(pasted)]
        if pasted is None and self._play_commands is not None:
            return self._play_commands.moves(text)
        return [self._phrase(pasted or request.Note.PASTED_NEITHER)]

    # Requests

    def _react(self, asked: request.Request) -> Answer:
        outcome = self._session.carry_out(asked)
        play, commands, catalog = self._session.play, self._play_commands, self._catalog_commands
        match asked:
            case request.Start() if play is not None and outcome is None:
                self._replay = None
                self._play_commands = PlayCommands(play, self._services.keymaps.play, self._session, self._react)
                return self._play_commands.heading()
            case request.Start() if self._session.awaits(asked):
                return self._start_when_made(asked)
            case request.Start():
                return [phrase(outcome, self._services.keymaps.play, asked.pack_session)]
            case request.Reread(file):
                number = asked.number_of(play.level.number) if play and play.pack_session.key == file.key else 0
                if number and (pack_session := catalog.lists.open(file)) is not None:
                    self._react(request.Start(pack_session, number))
                return [wording.level_text(asked)]
            case request.Collect() if isinstance(outcome, request.NoteOf):
                self._react(request.collected_in(catalog.lists.collection, outcome))
                return [self._phrase(outcome)]
            case request.Ask.BROWSE if play is not None and not play.is_run_over:
                return self._pager.listed(catalog.levels(play.pack_session, 1))
            case request.Ask.BROWSE if len(catalog.lists.files) == 1:
                return catalog.open(("1",))
            case request.Ask.BROWSE:
                return [*self._pager.listed(catalog.packs()), catalog.how_to_open]
            case request.Ask.SHOW_STATISTICS:
                return self._pager.listed(catalog.statistics())
            case request.Solve():
                return [_("searching: a solution will be announced; stop ends the search")]
            case request.Improve(choices):
                solution = ChoiceWords(choices).solution
                return [_("improving {solution}: savings will be announced; stop ends it", solution=solution)]
            case request.Ask.WATCH if play is not None and play.hints.progress is not None:
                return [_("searching: {progress}", progress=progress(play.hints.progress))]
            case request.Ask.WATCH:
                return [_("searching: just begun")]
            case request.Ask.STOP_SEARCH:
                return [self._phrase(outcome) or _("no search is running")]
            case ShowReplay() if commands is not None:
                self._replay = ReplayCommands(commands, asked, self._services.keymaps.replay, self._react)
                return [self._replay.heading]
            case request.TakeOver(_, action) if commands is not None:
                self._replay = None
                if action in grammar.DIRECTIONS_BY_NAME and outcome is not request.Note.TOO_MANY_MOVES:
                    commands.play.act(action)
                return commands.tell(outcome, N_("taken over: {change}"), _("this is your own position"))
            case request.Ask.CLOSE if commands is not None:
                self._replay = None
                return [_("your own position: {status}", status=commands.situation.status)]
            case request.Copy(lurd):
                return [lurd]
            case request.Ask.SHARE if play is not None:
                return [words_of(play.pack_session).result(play.level.number)]
            case request.Ask.END_RUN if outcome is not None:
                return [self._phrase(outcome)]
        return []

    def _start_when_made(self, start: request.Start) -> Iterator[str]:
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
        """Wait for the end of the search or for the next event, announcing solutions."""
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
        """Take news from the search: make a hint, but only announce a solution, as the player may be typing."""
        commands = self._play_commands
        if commands is None:
            return
        for told in self._session.listen(is_watched=self._replay is None):
            match told.news, told.asked:
                case Found(), Improvement() as improvement:
                    answer: Answer = [improvement_text(improvement, commands.keymap)[0]]
                case Found(), request.Solve(is_hint=True):
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
    yield from (labelled(key, text) for key, text in explained(figures))
