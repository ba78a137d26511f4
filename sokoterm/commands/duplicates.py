"""``sokoterm duplicates``: finds levels that are the same puzzle, and merges packs without repeats."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from sokoterm.commands.support.levels import Levels, where_flag
from sokoterm.commands.support.output import Column, InputError, ProgressBar, complain, json_line, print_rows, table_of
from sokoterm.commands.support.parser import PackFlags, Parser, count_up_to
from sokoterm.commands.support.results import format_flag, merged_in_file, texts_flag, write_pack
from sokoterm.engine.bits import Symmetry
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import canonical
from sokoterm.engine.near import NearLevels
from sokoterm.engine.text import printable
from sokoterm.formats.registry import FORMATS, format_of
from sokoterm.formats.uniting import AUTHOR, COMMENT, SAVED_GAME, SOLUTION, TITLE, LevelCopy, United, author_of, united
from sokoterm.language import N_, _, joined, levels_done, levels_text, listed, ngettext, pgettext, solutions_text
from sokoterm.store.packs import shown_text

_SQUARES = 2  # of a box that is moved, or of a box with its goal
_MOST_SQUARES = 9  # more take too long


class DuplicatePlace(NamedTuple):
    """Position of a level; ``symmetry`` maps the level to its canonical picture."""

    pack: str
    number: int
    title: str
    symmetry: Symmetry

    @property
    def text(self) -> str:
        return f"{printable(self.pack)}:{self.number}  {shown_text(self.title)}".rstrip()

    @property
    def place(self) -> Mapping[str, object]:
        return {"pack": self.pack, "level": self.number, "title": self.title}


def run(arguments: list[str]) -> int:
    """Print the groups of equal levels; return 1 with --check if there are any, 2 if something could not be read."""
    parser = Parser(
        "duplicates",
        _(
            "Find levels that are the same puzzle, in any number of packs: rotated or mirrored, with the player "
            "elsewhere in its area, or with other decoration.\n\n"
            "With --write, all distinct levels go to OUT, each with the title and number it comes from (xsb and "
            "sok). Each group keeps its level from the --prefer pack, or else the first one read, and adds whatever "
            "only its copies have: solutions, rotated to match, comments, and a title or an author if it has none. "
            "OUT may replace an older pack, but never a pack that is being read or a file that is not a pack.\n\n"
            "With --near, each level of a group differs from another one in at most N squares. The player's position "
            "does not count, nor do dead ends if the levels are more alike without them. These levels are only "
            "listed: they are different puzzles."
        ),
        "sokoterm duplicates one.xsb two.slc folder --write all.xsb",
    )
    pack_flags = PackFlags(parser)
    where = where_flag(parser)
    check = parser.switch("--check", help=_("exit status 1 if there are duplicates"))
    write = parser.flag("--write", metavar="OUT", help=_("write the levels to this file, one of each group"))
    text = _("keep the levels of this pack rather than their copies (a path or a title)")
    prefer = parser.flag("--prefer", metavar="PACK", help=text)
    text = _("also levels that differ in at most N squares (default: {squares})", squares=_SQUARES)
    near = parser.flag("--near", parse=count_up_to(_MOST_SQUARES, least=0), metavar="[N]", help=text)
    to = format_flag(parser)
    texts = texts_flag(parser)
    as_json = parser.switch("--json", help=_("print a JSON object for each group"))
    # --near may be followed by a path instead of a number.
    behind = [*arguments[1:], ""]
    parser.parse([f"{a}={_SQUARES}" if a == "--near" and not b.isdecimal() else a for a, b in zip(arguments, behind)])
    output = write.value
    name = _format(output, to.value)
    if prefer.value is not None and output is None:
        raise InputError(_("--prefer {found} requires --write", found=prefer.value))
    if near.value is not None and output is not None:
        raise InputError(_("--near and --write cannot be combined: near levels are different puzzles"))
    with ProgressBar(0, levels_done) as bar:
        levels = Levels(pack_flags.packs, (), bar.complain, pack_flags.reading, where.value, shows_texts=True)
        collection = _Collection(keep=output is not None, prefer=prefer.value, is_near=near.value is not None)
        for path, pack in levels.packs():
            for done in collection.add(path, pack):
                bar.show(done)
    if output is not None:
        levels.check_output(output)
        _write(collection, output, name, is_whole=not levels.status, keeps_texts=texts.value)
    groups = {hash_: places for hash_, places in collection.places.items() if len(places) > 1}
    if near.value is not None and collection.near is not None:
        has_groups = _show_near(collection, collection.near, near.value, as_json=as_json.value)
        return levels.status or int(check.value and has_groups)
    if as_json.value:
        for hash_, places in groups.items():
            print(json_line(_object(hash_, places, collection.united.get(hash_))))
    elif groups:
        headings = (
            # Translators: which of several equal levels is first, and which come again.
            pgettext("a level of a group", "found"),
            _("level"),
            # Translators: a level may be turned or mirrored against an equal one.
            pgettext("heading of a column", "turn"),
            _("level hash"),
        )
        columns = [Column(heading, is_text=True) for heading in headings]
        print_rows(table_of(columns, [row for group in groups.items() for row in _rows(*group)]))
    if collection.places and not as_json.value:
        print(collection.summary)
        for line in _report(collection.united.values()):
            print(line)
    return levels.status or (1 if check.value and groups else 0)


class _Collection:
    """Levels by hash; with ``keep``, also copies of them to write."""

    def __init__(self, keep: bool, prefer: str | None = None, *, is_near: bool = False) -> None:
        self.places: dict[str, list[DuplicatePlace]] = {}
        self.united: dict[str, United] = {}
        self.near = NearLevels() if is_near else None
        self._keep = keep
        self._prefer = prefer
        self._copies: dict[str, list[LevelCopy]] = {}
        self._packs: dict[str, Pack] = {}
        self._size = 0

    def add(self, path: str, pack: Pack) -> Iterator[int]:
        """Add the levels of a pack, yielding the number of levels so far after each."""
        author = author_of(pack)
        for level in pack.levels:
            frame = canonical(level)
            place = DuplicatePlace(path, level.number, level.title, frame.symmetry)
            if self.near is not None and frame.hash not in self.places:
                self.near.add(level)
            self.places.setdefault(frame.hash, []).append(place)
            if self._keep:
                self._copies.setdefault(frame.hash, []).append(LevelCopy(path, author, level))
            self._size += 1
            yield self._size
        self._packs[path] = pack._replace(levels=(), errors=())

    def distinct(self) -> list[Pack]:
        """Return the packs with one level of each hash; raises InputError if the preferred pack was not read."""
        preferred = {path for path, pack in self._packs.items() if self._prefer in (path, pack.title)}
        if self._prefer is not None and not preferred:
            problem = N_("--prefer {found} is neither the path nor the title of a pack that is read")
            raise InputError(_(problem, found=self._prefer))
        levels: dict[str, list[Level]] = {path: [] for path in self._packs}
        for hash_ in self.places:  # copies need much memory: each is freed once its level is made
            copies = self._copies.pop(hash_)
            copies.sort(key=lambda copy: copy.pack not in preferred)
            self.united[hash_] = united(copies)
            levels[copies[0].pack].append(self.united[hash_].level)
        for some in levels.values():
            some.sort(key=lambda level: level.number)  # a preferred pack may have come after its copies
        packs = (pack._replace(levels=tuple(levels[path])) for path, pack in self._packs.items())
        return [pack for pack in packs if pack.levels]

    @property
    def summary(self) -> str:
        distinct = ngettext("{n:,} distinct", "{n:,} distinct", len(self.places))
        copies = ngettext("{n:,} copy", "{n:,} copies", self._size - len(self.places))
        return listed([levels_text(self._size), distinct, copies])


def _show_near(collection: _Collection, near: NearLevels, most: int, *, as_json: bool) -> bool:
    pairs: Mapping[tuple[int, int], int] = {}
    with ProgressBar(len(near), _boards_compared) as bar:
        for done, pairs in near.pairs(most):
            bar.show(done)
    puzzles = [*collection.places.items()]
    groups: list[list[tuple[str, DuplicatePlace, str, int]]] = []
    for group in _groups(len(puzzles), pairs):
        rows: list[tuple[str, DuplicatePlace, str, int]] = []
        for level, squares in group.items():
            hash_, (first, *others) = puzzles[level]
            met = pgettext("a level of a group", "near") if rows else pgettext("a level of a group", "first")
            rows.append((met, first, hash_, squares))
            rows += [(pgettext("a level of a group", "again"), each, hash_, 0) for each in others]
        groups += [rows] if len(rows) > 1 else []
    if as_json:
        for rows in groups:
            levels = [{**place.place, "hash": hash_, "squares": squares} for __, place, hash_, squares in rows]
            print(json_line({"levels": levels}))
        return bool(groups)
    if groups:
        columns = [
            Column(pgettext("a level of a group", "found"), is_text=True),
            Column(_("level"), is_text=True),
            # Translators: heading of a column: in how many squares levels differ.
            Column(_("squares")),
            Column(_("level hash"), is_text=True),
        ]
        cells = [(met, place.text, squares, hash_) for rows in groups for met, place, hash_, squares in rows]
        print_rows(table_of(columns, cells))
    number = len({level for pair in pairs for level in pair})
    print(listed([collection.summary, ngettext("{n:,} near another", "{n:,} near others", number)]))
    return bool(groups)


def _groups(size: int, pairs: Mapping[tuple[int, int], int]) -> Iterator[dict[int, int]]:
    """Yield groups of levels connected by pairs, each level with its smallest difference from the levels before it."""
    beside: dict[int, dict[int, int]] = {level: {} for level in range(size)}
    for (one, other), squares in pairs.items():
        beside[one][other] = beside[other][one] = squares
    met = set[int]()
    for first in range(size):
        group: dict[int, int] = {}
        waiting = [(0, first)] if first not in met else []
        while waiting:
            squares, level = heappop(waiting)
            if level not in group:
                group[level] = squares
                for other in beside[level].keys() - group:
                    heappush(waiting, (beside[level][other], other))
        met.update(group)
        yield group


def _boards_compared(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} board compared", "{done:,} of {n:,} boards compared", total, done=done)


def _format(path: str | None, name: str | None) -> str:
    if path is None:
        if name is not None:
            raise InputError(_("--to {found} requires --write", found=name))
        return ""
    name = name or format_of(path)
    if path == "-":
        raise InputError(_("--write requires a file: the groups are printed on standard output"))
    if not name:
        problem = N_("{path}: unknown format; use a suffix such as .xsb, or --to ({formats})")
        raise InputError(_(problem, path=path, formats=joined(FORMATS)))
    return name


def _write(collection: _Collection, path: str, name: str, *, is_whole: bool, keeps_texts: bool | None) -> None:
    pack = merged_in_file(collection.distinct(), keeps_texts=keeps_texts)
    if not pack.levels:
        raise InputError(_("{path}: not written: there are no levels to write", path=path))
    write_pack(path, pack, name, is_whole=is_whole)
    if left_out := sum(each.left_out for each in collection.united.values()):
        complain(
            # Translators: a record is a solution or a saved game.
            ngettext(
                "{path}: left out: {n:,} record of copies whose moves do not solve the level by the rules",
                "{path}: left out: {n:,} records of copies whose moves do not solve the level by the rules",
                left_out,
                path=path,
            )
        )


def _report(results: Iterable[United]) -> Iterator[str]:
    taken: dict[str, Counter[str]] = {}
    for each in results:
        for what in each.taken:
            taken.setdefault(what.pack, Counter())[what.what] += 1
    for pack, counts in taken.items():
        texts = {
            SOLUTION: solutions_text(counts[SOLUTION]),
            SAVED_GAME: ngettext("{n:,} saved game", "{n:,} saved games", counts[SAVED_GAME]),
            TITLE: ngettext("{n:,} title", "{n:,} titles", counts[TITLE]),
            AUTHOR: ngettext("{n:,} author", "{n:,} authors", counts[AUTHOR]),
            COMMENT: ngettext("{n:,} comment", "{n:,} comments", counts[COMMENT]),
        }
        figures = listed(texts[what] for what in counts)
        # Translators: additions to a level from its copies, such as 2 solutions, 1 title.
        yield _("added from copies in {pack}: {figures}", pack=printable(pack), figures=figures)


def _rows(hash_: str, places: Sequence[DuplicatePlace]) -> Iterator[Sequence[str]]:
    first = places[0]
    for index, each in enumerate(places):
        met = pgettext("a level of a group", "again") if index else pgettext("a level of a group", "first")
        turn = "" if each.symmetry == first.symmetry else _("turned")
        if sum(first.symmetry) + sum(each.symmetry) & 1:
            turn = _("mirrored")
        yield met, each.text, turn, hash_


def _object(hash_: str, places: Sequence[DuplicatePlace], result: United | None) -> Mapping[str, object]:
    levels = [place.place for place in places]
    if result is None:
        return {"hash": hash_, "levels": levels}
    taken = [{"pack": each.pack, "level": each.number, "what": each.what, "text": each.text} for each in result.taken]
    return {"hash": hash_, "levels": levels, "taken": taken, "left_out": result.left_out}
