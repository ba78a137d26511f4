"""Commands about packs and levels: lists, search, opening, pasted and generated levels."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from sokoterm.app.lists import LevelSort, ListedLevel
from sokoterm.app.options import Series, is_seed
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.request import Start
from sokoterm.app.session import Services, Session
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, boxes_text, listed, moves_text, pushes_text
from sokoterm.linemode.commands import ArgumentError, Arguments, number_in, numbers_in
from sokoterm.linemode.play_commands import Answer, React
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.store.packs import PackError, PackFile
from sokoterm.store.query import Query, QueryError, parse_query
from sokoterm.store.series import find_number
from sokoterm.wording.lists import (
    NOTHING_FOUND,
    WHY_NOT_OWN,
    changed_text,
    difficulty_text,
    order_text,
    pack_name,
    query_problem,
    solved_text,
    spoken_resume,
    unknown_text,
    unreadable_text,
)
from sokoterm.wording.packs import DailyWords, DescentWords, spoken_run, words_of

_NOT_HERE = N_("not in this session: start sokoterm --plain without a pack")
_PACK = N_("the number of a pack")
_AT_ONCE = 50  # levels whose figures are read together


class CatalogCommands:
    """The packs of a session; no other files can be opened.

    ``by_name`` has the commands that need no level in play; they may raise ArgumentError and PackError.
    """

    def __init__(self, session: Session, services: Services, react: React) -> None:
        self.lists = session.lists
        self.by_name: Mapping[str, Callable[[Arguments], Answer]] = {
            "packs": self.packs,
            "continue": self._resume,
            "pack": self.open,
            "rename": self._rename,
            "remove": self._remove,
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
        """That of the level in play."""
        return self._session.play.pack_session if self._session.play is not None else None

    def wake_after(self) -> float | None:
        """Return the seconds until ``lists.work`` is due; nothing is done before the library is asked for."""
        is_asked = self._catalog.is_open or self.lists.is_by_difficulty
        return self.lists.wake_after(self.pack_session) if is_asked else None

    # Lists

    def packs(self, arguments: Arguments = ()) -> Iterator[str]:
        """Yield a line for each pack from a number on."""
        first, numbers = number_in(arguments, _PACK, otherwise=1), self._numbers
        self._catalog.work(())
        if first == 1 and (resumed := self._resumed):
            yield f"continue: {resumed}"
        if first == 1 and self._series is not None:
            try:
                yield f"daily: {DailyWords(self._series.daily()).facts}"
                yield f"descend: {DescentWords(self._series.descent()).facts}"
            except PackError as error:
                yield f"daily, descend: {error}"
        files = [file for file in self.lists.packs() if numbers[file.key] >= first]
        for file, known, problem, hard in self.lists.about_packs(files):
            number, name = numbers[file.key], pack_name(file, known)
            if problem:
                yield _("{number}: {pack}, cannot be read: {problem}", number=number, pack=name, problem=problem)
            elif known is None:
                yield f"{number}: {name}"
            else:
                solved, unreadable = solved_text(known.solved, known.levels), unreadable_text(known.unreadable)
                facts = [name, solved, unreadable, difficulty_text(hard)]
                yield f"{number}: {listed(facts)}"

    @property
    def _numbers(self) -> dict[str, int]:
        return {file.key: number for number, file in enumerate(self.lists.files, start=1)}

    @property
    def how_to_open(self) -> str:
        """The ways to open a pack."""
        if not (resumed := self._resumed):
            return _("pack N opens one, for example pack 1")
        return _("type continue to play {pack}, or pack N to open another pack", pack=resumed)

    @property
    def _resumed(self) -> str:
        """The pack to go on with, and its level; empty if all are done."""
        resume = self.lists.resume()
        return spoken_resume(resume, self._catalog.figures([resume.file]).get(resume.file.key)) if resume else ""

    def levels(self, pack_session: PackSession, first: int) -> Iterator[str]:
        """Yield a line for each level of a pack from a number on."""
        entries = [entry for entry in self.lists.levels(pack_session) if number_of(entry) >= first]
        if not entries:
            yield words_of(pack_session).why_missing(first)
        yield from self._level_lines(pack_session, entries)

    def _level_lines(self, pack_session: PackSession, entries: Sequence[Level | LevelError]) -> Iterator[str]:
        for start in range(0, len(entries), _AT_ONCE):
            for level in self.lists.about_levels(pack_session, entries[start : start + _AT_ONCE]):
                facts = [*_level_facts(pack_session, level), difficulty_text(level.hard)]
                yield f"{number_of(level.entry)}: {listed(facts)}"

    def _runs(self, arguments: Arguments) -> Answer:  # noqa: ARG002 - it takes none
        rows = self._series.table() if self._series is not None else ()
        return [*map(spoken_run, rows)] or [_("no runs yet: descend begins one")]

    def statistics(self) -> Iterator[str]:
        """Yield the lines of the page of statistics."""
        from sokoterm.wording.statistics import StatisticsPage  # a list that few ask for

        self._catalog.work(())
        yield from filter(None, StatisticsPage(self._services.store, self._catalog, self.lists.files).lines())

    def _order(self, arguments: Arguments) -> Answer:
        word = " ".join(arguments).casefold()
        if not word:
            self.lists.turn(1)
        elif word in {*LevelSort}:
            self.lists.set(LevelSort(word))
        else:
            return [_("found {found}, expected one of {names}", found=word, names=listed(LevelSort))]
        return [_("lists are sorted {order}", order=order_text(self.lists.sort))]

    def _search(self, arguments: Arguments) -> Iterator[str]:
        """Yield the levels of the pack in play and the packs that a query finds."""
        if not arguments:
            yield _("type a text to search for: search bottle, search boxes:4 unsolved")
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
        for file, known, _problem, _hard in self.lists.about_packs(packs):
            number, name = numbers[file.key], pack_name(file, known)
            level = self._catalog.level_found(file, wanted)
            if level is None:
                yield _("pack {number}: {pack}", number=number, pack=name)
            else:
                yield _("pack {number}: {pack}, level {level}", number=number, pack=name, level=level)
        unknown = unknown_text(self._catalog.count_unknown(self.lists.files))
        if unknown or not found and not packs:
            yield unknown or _("nothing found")

    # Levels to play

    def open(self, arguments: Arguments) -> Answer:
        """Play a pack by its number, at a level if given."""
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
        return self._react(Start(pack_session, number))

    def _resume(self, arguments: Arguments) -> Answer:  # noqa: ARG002 - it takes none
        resume = self.lists.resume()
        return self.open((str(self._numbers[resume.file.key]),)) if resume is not None else [_("every level is solved")]

    def _play_found(self, arguments: Arguments) -> Answer:
        if not arguments:
            return [_("type a query of the levels to play: series unsolved hard<50")]
        query = _query_of(arguments)
        self._catalog.work(())
        self._catalog.refresh()
        start = self.lists.open_found(" ".join(arguments), query)
        unknown = [unknown_text(number)] if (number := self._catalog.count_unknown(self.lists.files)) else []
        return [*unknown, *self._react(start)] if start is not None else unknown or [_(NOTHING_FOUND)]

    def _daily(self, arguments: Arguments) -> Answer:
        if self._series is None:
            return [_(_NOT_HERE)]
        pack_session = self._series.daily()
        number = find_number("-".join(arguments)) if arguments else pack_session.start_number()
        if arguments and (number is None or not pack_session.has_level(number)):
            return [_("found {found}, expected a day up to today (UTC): daily 2026-11-22", found=" ".join(arguments))]
        return self._react(Start(pack_session, number or 1))

    def _descend(self, arguments: Arguments) -> Answer:
        if self._series is None:
            return [_(_NOT_HERE)]
        word = " ".join(arguments)
        if word and not is_seed(word):
            return [_("found {found}, expected a seed, a whole number: descend 4711", found=word)]
        return self._react(Start(*self._series.start(Series(True, int(word) if word else None))))

    # Packs of the player's own

    def _rename(self, arguments: Arguments) -> Answer:
        file = self._own(arguments)
        return [changed_text(file, self.lists.rename(file, " ".join(arguments[1:])))]

    def _remove(self, arguments: Arguments) -> Answer:
        file = self._own(arguments)
        if arguments[1:] == ("yes",):
            self.lists.remove(file)
            return [changed_text(file, None)]
        told = _(
            "this cannot be undone, but your solutions stay: to remove {pack}, type remove {number} yes",
            pack=printable(file.name),
            number=arguments[0],
        )
        return [told]

    def _own(self, arguments: Arguments) -> PackFile:
        """Return the pack of a number; raises ArgumentError if it is not the player's own."""
        with suppress(ArgumentError, IndexError):
            file = self.lists.files[number_in(arguments[:1], _PACK) - 1]
            if self.lists.is_own(file):
                return file
        raise ArgumentError(_(WHY_NOT_OWN))


def _query_of(arguments: Arguments) -> Query:
    try:
        return parse_query(" ".join(arguments))
    except QueryError as error:
        raise ArgumentError(query_problem(error)) from None


def _level_facts(pack_session: PackSession, told: ListedLevel) -> Iterator[str]:
    level, figures = told.entry, told.figures
    if isinstance(level, LevelError):
        yield _("cannot be read: {problem}", problem=printable(level.problem))
        return
    yield words_of(pack_session).listed_title(level)
    yield boxes_text(level.boxes)
    if figures is not None:
        counts = {"moves": moves_text(figures.moves), "pushes": pushes_text(figures.pushes)}
        if figures.is_helped:
            yield _("solved with help in {moves}, {pushes}", **counts)
        else:
            yield _("solved in {moves}, {pushes}", **counts)
            yield _("{stars:,} of {most:,} stars", stars=told.stars, most=MOST_STARS)
    elif told.is_begun:
        yield _("begun")
