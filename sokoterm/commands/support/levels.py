"""Input of verbs: packs and levels (``-l 2-9,14``), moves (``--moves``), and squares (row and column from 1)."""

import os
import re
import sys
from argparse import SUPPRESS, ArgumentTypeError
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from sokoterm.commands.support.output import InputError, check_folder, complain, without_number
from sokoterm.commands.support.parser import Option, PackFlags, Parser, Reading, count
from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import LurdError, Solution, play_all, steps_of, until_last_push, verify
from sokoterm.engine.rules import Replayer
from sokoterm.engine.text import printable
from sokoterm.formats.limits import decode
from sokoterm.formats.text import moves_in
from sokoterm.language import N_, _, labelled, ngettext, pgettext
from sokoterm.store import packs as stored
from sokoterm.store.paths import data_dir, packs_dir
from sokoterm.store.query import Query, QueryError, names_in, parse_query
from sokoterm.wording.kinds import lettered_picture

_Sorted = TypeVar("_Sorted")

_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_PLACE = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")
# Number of boxes suggested if there is none on a square.
_NEAREST = 3


Look = Callable[[], None]
"""Called several times per second during long work; raises UnwantedError once nobody waits for the result."""

Work = Callable[[Level, Look], str]
"""Work on one level; a module's function or a partial of one, so that it can be pickled."""


class Job(NamedTuple):
    """Picklable work for a worker, with the key of its results; if it ``tells``, it reports to the parent process."""

    key: int | str
    work: Callable[..., object]
    tells: bool = False


class Done(NamedTuple):
    """The result of the work of a key: a text, None if every worker that tried it was lost, or an exception."""

    key: int | str
    result: Any


class SchedulerLostError(Exception):
    """The scheduler at an address was lost, with all pending work."""


class LevelChoice(NamedTuple):
    """Level numbers as inclusive ranges."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> "LevelChoice":
        """Parse the choice in ``text``; a type for argparse.

        >>> LevelChoice.parse("2-9,14")
        LevelChoice(ranges=((2, 9), (14, 14)))
        """
        ranges = []
        for part in text.split(","):
            match = _PART.fullmatch(part.strip())
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 0 < first <= last:
                raise ArgumentTypeError(_("found {found!r}, expected levels such as 3 or 2-9,14", found=part))
            ranges.append((first, last))
        return cls(tuple(ranges))

    def holds(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.ranges)

    def beyond(self, size: int) -> str:
        """Return the chosen numbers over ``size`` as text, empty if there are none.

        >>> LevelChoice.parse("2-9,14").beyond(6)
        '7-9, 14'
        """
        over = [(max(first, size + 1), last) for first, last in self.ranges if last > size]
        return ", ".join(f"{first}-{last}" if first < last else f"{first}" for first, last in over)


_AS_USUAL = Reading()
ALL_LEVELS = LevelChoice(((1, sys.maxsize),))


class Chosen(NamedTuple):
    """A level to work on; ``pack`` is the path of its pack."""

    pack: str
    level: Level
    title: str = ""
    author: str = ""
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> Mapping[str, object]:
        return {
            "pack": self.pack,
            "pack_title": self.title,
            "pack_author": self.author,
            "level": self.level.number,
            "title": self.level.title,
            "author": self.level.author or self.author,
        }

    @property
    def heading(self) -> str:
        """The place and title of the level: ``levels.txt:3  Corner``."""
        return f"{printable(self.pack)}:{self.level.number}  {stored.shown_text(self.level.title)}".rstrip()


def chosen_of(name: str, pack: Pack) -> Iterator[Chosen]:
    return (Chosen(name, level, pack.title, pack.author, pack.metadata) for level in pack.levels)


class Levels:
    """The chosen levels of some packs; unreadable ones are reported on stderr, and set the exit ``status`` to 2."""

    def __init__(
        self,
        packs: Sequence[str],
        choices: Sequence[LevelChoice] = (),
        say: Callable[[str], None] = complain,
        reading: Reading = _AS_USUAL,
        query: Query | None = None,
        *,
        shows_texts: bool = False,
    ) -> None:
        """``choices``: one for all packs, one for each pack, or none for all levels.

        Without packs, reads First Steps if there is a choice, otherwise all bundled packs, and for a ``query`` also the
        library. ``shows_texts`` reports a guessed encoding that does not fit the texts, without changing ``status``.
        """
        self._reading = reading
        self._packs = packs
        self._choices = choices
        self._say = say
        self._query = query
        self._shows_texts = shows_texts
        self._inputs: list[str] = []
        self.status = 0

    def __iter__(self) -> Iterator[Chosen]:
        for name, pack in self.packs():
            yield from chosen_of(name, pack)

    def packs(self) -> Iterator[tuple[str, Pack]]:
        """Yield each pack with its path and only its chosen levels; ``status`` is 1 if a query matches none."""
        if self._query is None:
            yield from ((file.path, pack) for file, pack in self._chosen())
            return
        is_empty = True
        for file, pack in self._in_packs(self._query) if self._packs else self._in_library(self._query):
            if pack.levels:
                is_empty = False
                yield file.path, pack
        if is_empty:
            self._say(_("no level matches the query"))
            self.status = self.status or 1

    def _in_packs(self, query: Query) -> Iterator[tuple[stored.PackFile, Pack]]:
        from sokoterm.commands.support.library import marked_levels  # loads the library, for --where only

        met = set[str]()
        with marked_levels(self._reading.data_dir) as marks:
            for file, pack in self._chosen():
                numbers = marks.numbers_in(query, pack, file.name, stored.stamp_of(file))
                found = [each for each in pack.levels if each.number in numbers]
                if "unique" in names_in(query):
                    by_hash = {level_hash(each): each for each in found}
                    found = [level for each, level in by_hash.items() if each not in met]
                    met.update(by_hash)
                yield file, pack._replace(levels=tuple(found))

    def _in_library(self, query: Query) -> Iterator[tuple[stored.PackFile, Pack]]:
        # These load the library, for --where only.
        from sokoterm.app.catalog import own_packs
        from sokoterm.commands.support.library import learn_packs, opened_catalog

        numbers: dict[str, set[int]] = {}
        with opened_catalog(self._reading) as catalog:
            files = own_packs(packs_dir(data_dir(self._reading.data_dir)), catalog)
            if not learn_packs(catalog.open(), files, self._reading, self._say):
                self.status = 2
            for row in catalog.find_levels(files, query):
                numbers.setdefault(row.key, set()).add(row.number)
        self._inputs += [file.archive or file.path for file in files]
        choice = self._choice_of(0)
        for file in files:
            if file.key in numbers and (pack := self._opened(file)) is not None:
                found = [each for each in pack.levels if each.number in numbers[file.key] and choice.holds(each.number)]
                yield file, pack._replace(levels=tuple(found), errors=())

    def _chosen(self) -> Iterator[tuple[stored.PackFile, Pack]]:
        for file, choice in self._files():
            pack = self._opened(file)
            if pack is None:
                continue
            if choice is not ALL_LEVELS:
                if beyond := choice.beyond(pack.size):
                    problem = ngettext(
                        "{path}: the pack has only {n} level, so there is no level {beyond}",
                        "{path}: the pack has only {n} levels, so there is no level {beyond}",
                        pack.size,
                        path=file.path,
                        beyond=beyond,
                    )
                    self._complain(problem)
                levels = tuple([level for level in pack.levels if choice.holds(level.number)])
                errors = tuple([error for error in pack.errors if choice.holds(error.level)])
                pack = pack._replace(levels=levels, errors=errors)
            for error in pack.errors:
                self._complain(str(error))
            yield file, pack

    def _files(self) -> Iterator[tuple[stored.PackFile, LevelChoice]]:
        for file in () if self._packs else stored.bundled_packs()[: 1 if self._choices else None]:
            self._inputs.append(file.path)
            yield file, self._choice_of(0)
        folder, limits = packs_dir(data_dir(self._reading.data_dir)), self._reading.limits
        for place, path in enumerate(self._packs):
            self._inputs.append(path)
            try:
                for file in stored.find_packs_or_named(path, folder, limits):
                    self._inputs.append(file.archive or file.path)
                    yield file, self._choice_of(place)
            except stored.PackError as error:
                self._complain(str(error))

    def _choice_of(self, place: int) -> LevelChoice:
        return self._choices[place if len(self._choices) > 1 else 0] if self._choices else ALL_LEVELS

    def _opened(self, file: stored.PackFile) -> Pack | None:
        try:
            pack = stored.open_pack(file, self._reading.encoding, self._reading.limits)
        except stored.PackError as error:
            self._complain(str(error))
            return None
        if pack.read_as or self._shows_texts and pack.likelier:
            from sokoterm.wording.lists import reading_text  # only for other notations and problems

            self._say(labelled(printable(file.path), reading_text(pack)))
        return pack

    def _complain(self, problem: str) -> None:
        self._say(problem)
        self.status = 2

    def check_output(self, path: str) -> None:
        """Raise InputError if ``path`` was read, is a file but not a pack, or has no folder."""
        check_folder(path)
        if not os.path.isfile(path):
            return  # a new file, a pipe or a device; the system refuses a folder
        if any(os.path.exists(each) and os.path.samefile(path, each) for each in self._inputs):
            raise InputError(_("{path}: not replaced: it is one of the packs that were read", path=path))
        with suppress(OSError, stored.PackError):  # an archive, or a file that cannot be read
            if not os.path.getsize(path) or stored.is_pack(path):
                return
        raise InputError(_("{path}: not replaced: it is not a level pack", path=path))


class LevelFlags(PackFlags):
    def __init__(self, parser: Parser) -> None:
        super().__init__(parser, _("the bundled packs, or First Steps with -l"))
        text = _("levels such as 3 or 2-9,14")
        self._choices = parser.several("-l", "--level", parse=LevelChoice.parse, metavar="N", help=text)
        self._where = where_flag(parser)

    @property
    def choices(self) -> Sequence[LevelChoice]:
        """One choice for all packs, or one for each; raises InputError for other uses of -l."""
        places, packs = list(self.parser.packs_before), len(self.packs)
        if len(places) > 1 and places != [*range(1, packs + 1)] or len(places) == 1 and 0 < places[0] < packs:
            raise InputError(_("use -l once for all packs, or once right after each pack: A -l 3 B -l 5"))
        return self._choices.value

    @property
    def are_all(self) -> bool:
        """True unless levels were chosen by number or by query."""
        return not self.choices and self._where.value is None

    def levels(self, say: Callable[[str], None] = complain, *, shows_texts: bool = False) -> Levels:
        return Levels(self.packs, self.choices, say, self.reading, self._where.value, shows_texts=shows_texts)


def where_flag(parser: Parser) -> Option[Query | None]:
    text = _("only levels that match this query (see sokoterm list --help); without PACK, searches your library too")
    return parser.flag("--where", parse=query_of, metavar="QUERY", help=text)


def query_of(text: str) -> Query:
    try:
        return parse_query(text)
    except QueryError as error:
        from sokoterm.wording.lists import query_problem  # problems only

        raise ArgumentTypeError(query_problem(error)) from None


SortKey = str | int | float | list[tuple[str, int, str]] | None
"""Sort key of a level; levels without one (None) come last in either direction."""


def sort_flag(parser: Parser, keys: Collection[str]) -> Option[Sequence[str]]:
    """Add the flag --sort with these keys."""
    names = ", ".join(keys)

    def parsed(text: str) -> Sequence[str]:
        found = text.split(",")
        for each in found:
            if each.strip().removeprefix("-") not in keys:
                raise ArgumentTypeError(_("found {found!r}, expected {names}, or -boxes", found=each, names=names))
        return [each.strip() for each in found]

    text = _("{names}; separate several with commas; a minus reverses: --sort=-boxes", names=names)
    return parser.flag("--sort", parse=parsed, default=(), metavar="KEYS", help=text)


def in_order(
    levels: Sequence[_Sorted], keys: Mapping[str, Callable[[_Sorted], SortKey]], names: Sequence[str]
) -> Sequence[_Sorted]:
    """Sort levels by named keys, each reversed by a leading minus; the sort is stable."""
    for name in reversed(names):
        keyed = [(keys[name.removeprefix("-")](level), level) for level in levels]
        there = [each for each in keyed if each[0] is not None]
        there.sort(key=itemgetter(0), reverse=name.startswith("-"))
        levels = [level for __, level in [*there, *(each for each in keyed if each[0] is None)]]
    return levels


class OneLevelFlags(PackFlags):
    """The flags PACK and -l of a verb that works on one level."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser, _("First Steps"))
        text = _("number of the level; not needed if the pack has only one")
        self.number = parser.flag("-l", "--level", parse=count, metavar="N", help=text)

    def chosen(self) -> Chosen:
        """Return the level, by default of First Steps or the only one of the pack; raises InputError unless unique."""
        packs, number = self.packs, self.number.value
        if len(packs) > 1:
            raise InputError(_("found {n} packs, expected one", n=len(packs)))
        choice = LevelChoice(((number, number),)) if number is not None else ALL_LEVELS
        found = list(Levels(packs, [choice], reading=self.reading).packs())
        size = sum(pack.size for __, pack in found)
        if number is None and size > 1:
            raise InputError(without_number(size))
        chosen = [each for name, pack in found for each in chosen_of(name, pack)]
        if len(chosen) == 1:
            return chosen[0]
        if chosen:
            raise InputError(_("level {number} exists in {n} packs: choose one pack", number=number, n=len(chosen)))
        raise SystemExit(2)  # already reported


def several_levels(count: int, flag: str) -> InputError:
    """Return the error of a flag that requires exactly one level."""
    return InputError(_("{flag} works with one level, not {n}: use -l N", n=count, flag=flag))


class GivenMoves(NamedTuple):
    """Moves in the form used by records of packs, and the flag they were given with."""

    text: str
    flag: str

    @classmethod
    def read(cls, text: str, flag: str) -> "GivenMoves":
        """Find the moves in a text; raises LevelError."""
        try:
            return cls(moves_in(text), flag)
        except LevelError as error:
            raise error.located(source=flag, level=0) from None

    def played(self, level: Level) -> tuple[State, str]:
        """Play the moves from the start; return the final state and the letters. Raises InputError."""
        replayer = Replayer(level.board, level.start)
        try:
            letters = play_all(replayer, bytes(steps_of(level.board, level.start, self.text)))
        except LurdError as error:
            raise InputError(f"{self.flag}: {error}") from None
        return replayer.state, letters

    def letters(self, level: Level) -> str:
        """Return the moves as plain letters; raises InputError."""
        return self.played(level)[1]


class MovesFlags:
    """The flags --moves and --moves-file; one must be given if it ``is_required``."""

    def __init__(
        self, parser: Parser, packs: PackFlags, text: str = "", *, is_required: bool = False, also: str = "--lurd"
    ) -> None:
        """``text`` describes the moves (by default, any moves); ``also`` is a former name of the flag."""
        self._packs = packs
        group = parser.add_mutually_exclusive_group(required=is_required)
        text = _("{moves}; a number repeats the next letter: 2R4D", moves=text or _("moves"))
        self._moves = parser.flag("--moves", group=group, metavar="TEXT", help=text)
        text = _("file with the moves; - is standard input")
        self._file = parser.flag("--moves-file", group=group, metavar="FILE", help=text)
        group.add_argument(also, dest="moves", help=SUPPRESS)
        group.add_argument(f"{also}-file", dest="moves_file", help=SUPPRESS)

    @property
    def are_given(self) -> bool:
        return any(self.given.values())

    @property
    def given(self) -> dict[str, object]:
        return {"moves": self._moves.value is not None, "moves_file": self._file.value is not None}

    def read(self) -> GivenMoves:
        """Return the moves, empty without flags; raises LevelError, PackError, and InputError if stdin is a pack."""
        if self._file.value is not None:
            return self.read_file(self._file.value, "--moves-file")
        return GivenMoves.read(self._moves.value or "", "--moves")

    def read_file(self, path: str, flag: str) -> GivenMoves:
        """Read moves from a file, or from standard input for -; raises as ``read`` does."""
        if path == "-" and "-" in self._packs.packs:
            raise InputError(_("standard input (-) cannot be both the pack and the moves"))
        limits = self._packs.reading.limits
        data = stored.read_stdin(limits) if path == "-" else stored.read_file(path, limits)
        return GivenMoves.read(decode(data), f"{flag} {printable(path)}")


def solution_of(level: Level, moves: GivenMoves) -> Solution:
    """Return the moves as a solution that ends with its last push; raises InputError if they do not solve the level."""
    try:
        return until_last_push(verify(level.board, level.start, moves.letters(level)))
    except LurdError as error:
        raise InputError(f"{moves.flag}: {error}") from None


Place = tuple[int, int]
"""A square as typed: row and column."""

Rectangle = tuple[Place, Place]
"""Upper left and lower right corners, both included."""


def place(text: str) -> Place:
    found = _find_place(text)
    if found is None:
        raise ArgumentTypeError(_("found {found!r}, expected a row and a column from 1, such as 4,5", found=text))
    return found


def rectangle(text: str) -> Rectangle:
    """Parse a square or two opposite corners; a type for argparse.

    >>> rectangle("4,5"), rectangle("4,5-2,7")
    (((4, 5), (4, 5)), ((2, 5), (4, 7)))
    """
    first, dash, last = text.partition("-")
    one, other = _find_place(first), _find_place(last if dash else first)
    if one is None or other is None:
        problem = _("found {found!r}, expected a row and a column such as 4,5, or two corners: 4,5-6,9", found=text)
        raise ArgumentTypeError(problem)
    (top, bottom), (left, right) = map(sorted, zip(one, other))
    return (top, left), (bottom, right)


def _find_place(text: str) -> Place | None:
    match = _PLACE.fullmatch(text.replace(" ", ""))
    row, column = (int(match[1]), int(match[2])) if match else (0, 0)
    return (row, column) if row and column else None


def inner_square(level: Level, place: Place, flag: str) -> Square:
    """Return the square at a row and column; raises InputError if it is off the board or outside the walls."""
    square = _square(level, place, flag)
    if not (level.board.floor | level.board.walls) >> square & 1 and not _has_idle_box(level, square):
        problem = N_("{flag} {square}: this square is outside the walls")
        raise InputError(_(problem, flag=flag, square=_corners(place)))
    return square


def box_at(level: Level, state: State, place: Place, flag: str) -> Square:
    """Return the square of a box; if there is none, raises InputError that names the nearest boxes."""
    square = _square(level, place, flag)
    if state.boxes >> square & 1:
        return square

    def distance(box: Square) -> int:
        row, column = place_of(level, box)
        return abs(row - place[0]) + abs(column - place[1])

    nearest = sorted(scan(state.boxes & level.board.floor), key=distance)[:_NEAREST]
    found, boxes = content(level, state, square), " ".join(written(level, box) for box in nearest)
    problem = N_("{flag} {square} is {content}; the only box is {box}")
    if level.boxes > 1:
        problem = N_("{flag} {square} is {content}; the nearest boxes are {boxes}")
    raise InputError(_(problem, flag=flag, square=_corners(place), content=found, box=boxes, boxes=boxes))


def boxes_in(level: Level, rectangles: Sequence[Rectangle], flag: str) -> Bitboard:
    """Return the initial boxes in some rectangles; raises InputError for a rectangle without any."""
    boxes: Bitboard = 0
    for first, last in rectangles:
        inside = _inside(level, first, last, flag) & level.start.boxes
        if not inside and first == last:
            box_at(level, level.start, first, flag)
        if not inside:
            problem = N_("{flag} {square}: no box starts here")
            raise InputError(_(problem, flag=flag, square=_corners(first, last)))
        boxes |= inside
    return boxes


def floor_in(level: Level, rectangles: Sequence[Rectangle], flag: str) -> Bitboard:
    """Return the floor squares in some rectangles; raises InputError for a rectangle without any."""
    squares: Bitboard = 0
    for first, last in rectangles:
        inside = _inside(level, first, last, flag) & level.board.floor
        if not inside:
            problem = N_("{flag} {square}: there is no floor here")
            if first == last:
                problem = N_("{flag} {square} is {content}, not floor")
            found = content(level, level.start, _square(level, first, flag))
            raise InputError(_(problem, flag=flag, square=_corners(first, last), content=found))
        squares |= inside
    return squares


def _inside(level: Level, first: Place, last: Place, flag: str) -> Bitboard:
    (row, column), (last_row, last_column) = first, last
    _square(level, last, flag)
    columns = ((1 << last_column - column + 1) - 1) << column - 1
    return sum(columns << level.board.square(each - 1, 0) for each in range(row, last_row + 1))


def _square(level: Level, place: Place, flag: str) -> Square:
    row, column = place
    board = level.board
    if row > board.height or column > board.width:
        problem = N_("{flag} {square}: the board has only {rows} and {columns}")
        rows = ngettext("{n} row", "{n} rows", board.height)
        columns = ngettext("{n} column", "{n} columns", board.width)
        raise InputError(_(problem, flag=flag, square=_corners(place), rows=rows, columns=columns))
    return board.square(row - 1, column - 1)


def _corners(*places: Place) -> str:
    return "-".join(f"{row},{column}" for row, column in dict.fromkeys(places))


def content(level: Level, state: State, square: Square) -> str:
    """Describe a square without a box."""
    board = level.board
    if square == state.player:
        return pgettext("found on a square", "the player")
    if board.goals >> square & 1:
        return pgettext("found on a square", "an empty goal")
    if board.floor >> square & 1:
        return pgettext("found on a square", "an empty square")
    if _has_idle_box(level, square):
        return pgettext("found on a square", "a box that the player can never reach")
    if board.walls >> square & 1:
        return pgettext("found on a square", "a wall")
    return pgettext("found on a square", "a square outside the walls")


def _has_idle_box(level: Level, square: Square) -> bool:
    row, column = level.board.row_column(square)
    return level.rows[row][column : column + 1] in ("$", "*")


def place_of(level: Level, square: Square) -> list[int]:
    return [each + 1 for each in level.board.row_column(square)]


def written(level: Level, square: Square) -> str:
    row, column = place_of(level, square)
    return f"{row},{column}"


def marked_board(level: Level, state: State, marks: Mapping[Square, Mapping[str, str]]) -> str:
    """Draw a position with numbered rows and columns; ``marks`` replaces XSB characters on squares."""
    board, cells = level.board, level.cells(state)
    rows = [list(row.ljust(board.width)) for row in lettered_picture(level, state)]
    for square, replaced in marks.items():
        row, column = board.row_column(square)
        rows[row][column] = replaced.get(cells[row][column], rows[row][column])
    margin = len(str(board.height))
    lines = []
    for power in reversed(range(len(str(board.width)))):
        ten = 10**power
        digits = (
            str(column // ten % 10) if column >= ten and not (power and column % ten) else " "
            for column in range(1, board.width + 1)
        )
        lines.append(f"{'':{margin}} {''.join(digits)}".rstrip())
    lines += [f"{number:{margin}} {''.join(row)}".rstrip() for number, row in enumerate(rows, start=1)]
    return "\n".join(lines)
