"""Commands about packs and levels: lists, search, opening, pasted and generated levels."""

from collections.abc import Iterator, Sequence

from sokoterm.app.lists import LevelSort, ListedLevel, Lists
from sokoterm.app.options import Series, is_seed
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.request import Start
from sokoterm.app.session import Services
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, boxes_text, listed, moves_text, ngettext, pushes_text
from sokoterm.linemode.commands import NumberError, number_in, numbers_in
from sokoterm.linemode.play_commands import Answer, React
from sokoterm.store.packs import PackError, PackFile
from sokoterm.store.query import QueryError, parse_query
from sokoterm.store.series import find_number
from sokoterm.wording.lists import (
    NOTHING_FOUND,
    WHY_NOT_OWN,
    changed_text,
    difficulty_text,
    order_text,
    pack_name,
    query_problem,
    unknown_text,
    unsure_of_removal,
)
from sokoterm.wording.packs import words_of

_NOT_HERE = N_("not in this session: start sokoterm --plain without a pack")
PACK_NUMBER = N_("the number of a pack")
"""What is expected where a pack is asked for."""
_AT_ONCE = 50  # levels whose figures are read together


class CatalogCommands:
    """The packs of a session; no other files can be opened. Commands may raise PackError."""

    def __init__(self, services: Services, lists: Lists, react: React) -> None:
        self.lists = lists
        self._files = lists.files
        self._series = services.series
        self._catalog = services.catalog
        self._store = services.store
        self._last_pack = services.store.last_pack
        self._react = react

    @property
    def has_one_pack(self) -> bool:
        return len(self._files) == 1

    def packs(self, first: int) -> Iterator[str]:
        """Yield a line for each pack from a number on."""
        self._catalog.work(())
        if first == 1:
            yield from self._made()
        numbers = self._numbers
        files = [file for file in self.lists.packs() if numbers[file.key] >= first]
        for file, known, problem, hard in self.lists.about_packs(files):
            number, name = numbers[file.key], pack_name(file, known)
            if problem:
                yield _("{number}: {pack}, cannot be read: {problem}", number=number, pack=name, problem=problem)
            elif known is None:
                yield f"{number}: {name}"
            else:
                facts = [
                    name,
                    ngettext(
                        "{solved} of {n} level solved",
                        "{solved} of {n} levels solved",
                        known.levels,
                        solved=known.solved,
                    ),
                    ngettext("{n} cannot be read", "{n} cannot be read", known.unreadable) if known.unreadable else "",
                    difficulty_text(hard),
                ]
                yield f"{number}: {listed(facts)}"

    @property
    def _numbers(self) -> dict[str, int]:
        """The number of each pack by its key."""
        return {file.key: number for number, file in enumerate(self._files, start=1)}

    def how_to_open(self) -> str:
        """Return how to open a pack: the one played last, if it is listed."""
        number = self._numbers.get(self._last_pack or "")
        if number is None:
            return _("pack N opens one, for example pack 1")
        return _("pack N opens one; pack {number} is the one you played last", number=number)

    def _made(self) -> Iterator[str]:
        """Yield a line for each command that plays generated levels."""
        if self._series is not None:
            try:
                from sokoterm.wording.generated import generated_words  # a list that few ask for

                yield f"daily: {generated_words(self._series.daily()).facts}"
                yield f"descend: {generated_words(self._series.descent()).facts}"
            except PackError as error:
                yield f"daily, descend: {error}"

    def daily(self, arguments: tuple[str, ...]) -> Answer:
        """Play the level of a day, by default today's."""
        if self._series is None:
            return [_(_NOT_HERE)]
        pack_session = self._series.daily()
        number = pack_session.start_number()
        if arguments:
            number = find_number("-".join(arguments))
            if number is None or not pack_session.has_level(number):
                return [
                    _("found {found}, expected a day up to today (UTC): daily 2026-11-22", found=" ".join(arguments))
                ]
        return self._react(Start(pack_session, number or 1))

    def descend(self, arguments: tuple[str, ...]) -> Answer:
        """Play the open run, or the run of a seed."""
        if self._series is None:
            return [_(_NOT_HERE)]
        word = " ".join(arguments)
        if word and not is_seed(word):
            return [_("found {found}, expected a seed, a whole number: descend 4711", found=word)]
        return self._react(Start(*self._series.start(Series(True, int(word) if word else None))))

    def statistics(self) -> Iterator[str]:
        """Yield the lines of the page of statistics."""
        from sokoterm.wording.statistics import statistics_page  # a list that few ask for

        self._catalog.work(())
        yield from filter(None, statistics_page(self._store, self._catalog, self._files))

    def runs(self) -> list[str]:
        """Return a line for each run."""
        from sokoterm.wording.generated import spoken_run  # a list that few ask for

        rows = self._series.table() if self._series is not None else ()
        return [*map(spoken_run, rows)] or [_("no runs yet: descend begins one")]

    def open(self, arguments: tuple[str, ...]) -> Answer:
        """Play a pack by its number, at a level if given."""
        numbers = numbers_in(arguments)
        are_whole = all(each.replace(",", "").isdecimal() for each in arguments)
        if not numbers or not are_whole or not 1 <= numbers[0] <= len(self._files):
            return [_("give the number of a pack, from 1 to {last}: pack 1", last=len(self._files))]
        file = self._files[numbers[0] - 1]
        pack_session = self.lists.open(file)
        if pack_session is None:
            return [self._catalog.problem(file)]
        number = numbers[1] if len(numbers) > 1 else pack_session.start_number()
        if number is None:
            return [words_of(pack_session).none_readable]
        if pack_session.pack.find_level(number) is None:
            return [words_of(pack_session).why_missing(number)]
        return self._react(Start(pack_session, number))

    def levels(self, pack_session: PackSession, first: int) -> Iterator[str]:
        """Yield a line for each level of a pack from a number on."""
        entries = [entry for entry in self.lists.levels(pack_session) if number_of(entry) >= first]
        if not entries:
            yield words_of(pack_session).why_missing(first)
        yield from self._level_lines(pack_session, entries)

    def order(self, arguments: tuple[str, ...]) -> str:
        """Sort lists by this order, or by the next one."""
        word = " ".join(arguments).casefold()
        if not word:
            self.lists.turn(1)
        elif word in {*LevelSort}:
            self.lists.set(LevelSort(word))
        else:
            return _("found {found}, expected one of {names}", found=word, names=listed(LevelSort))
        return _("lists are sorted {order}", order=order_text(self.lists.sort))

    def rename(self, arguments: tuple[str, ...]) -> str:
        """Rename a pack of the player's own by its number."""
        file, name = self._own(arguments[:1]), " ".join(arguments[1:])
        if file is None:
            return _(WHY_NOT_OWN)
        return changed_text(file, self.lists.rename(file, name))

    def remove(self, arguments: tuple[str, ...]) -> str:
        """Remove a pack of the player's own by its number, once that is confirmed."""
        file = self._own(arguments[:1])
        if file is None:
            return _(WHY_NOT_OWN)
        if arguments[1:] != ("yes",):
            return unsure_of_removal(file, arguments[0])
        self.lists.remove(file)
        return changed_text(file, None)

    def _own(self, arguments: tuple[str, ...]) -> PackFile | None:
        """Return the pack of a number if it is the player's own."""
        try:
            file = self._files[number_in(arguments, PACK_NUMBER) - 1]
        except (NumberError, IndexError):
            return None
        return file if self.lists.is_own(file) else None

    def wake_after(self, pack_session: PackSession | None) -> float | None:
        """Return the seconds until ``work`` is due; nothing is done before the library is asked for."""
        return self.lists.wake_after(pack_session) if self._catalog.is_open or self.lists.is_by_difficulty else None

    def search(self, pack_session: PackSession | None, arguments: tuple[str, ...]) -> Iterator[str]:
        """Yield the levels of the pack in play and the packs that a query finds."""
        if not arguments:
            yield _("type a text to search for: search bottle, search boxes:4 unsolved")
            return
        try:
            wanted = parse_query(" ".join(arguments))
        except QueryError as error:
            yield query_problem(error)
            return
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
        unknown = unknown_text(self._catalog.count_unknown(self._files))
        if unknown or not found and not packs:
            yield unknown or _("nothing found")

    def series(self, arguments: tuple[str, ...]) -> Answer:
        """Play the levels of all packs that a query finds."""
        text = " ".join(arguments)
        try:
            query = parse_query(text)
            self._catalog.work(())
            self._catalog.refresh()
            start = self.lists.open_found(text, query) if text else None
        except QueryError as error:
            return [query_problem(error)]
        if not text:
            return [_("type a query of the levels to play: series unsolved hard<50")]
        unknown = [unknown_text(number)] if (number := self._catalog.count_unknown(self._files)) else []
        return [*unknown, *self._react(start)] if start is not None else unknown or [_(NOTHING_FOUND)]

    def _level_lines(self, pack_session: PackSession, entries: Sequence[Level | LevelError]) -> Iterator[str]:
        for start in range(0, len(entries), _AT_ONCE):
            for listed_level in self.lists.about_levels(pack_session, entries[start : start + _AT_ONCE]):
                facts = [*_level_facts(pack_session, listed_level), difficulty_text(listed_level.hard)]
                yield f"{number_of(listed_level.entry)}: {listed(facts)}"


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
    elif told.is_begun:
        yield _("begun")
