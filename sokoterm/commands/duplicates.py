"""``sokoterm duplicates``: levels that are the same puzzle, and a collection without the repeats."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sokoterm.commands.support.files import merged, write_pack
from sokoterm.commands.support.levels import Levels, add_where
from sokoterm.commands.support.output import InputError, ProgressBar, complain, json_line, print_row
from sokoterm.commands.support.parser import PackArguments, Parser
from sokoterm.commands.support.table import Column, table_of
from sokoterm.engine.bits import Symmetry
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import canonical
from sokoterm.engine.text import printable
from sokoterm.formats.registry import FORMATS, format_of

_COLUMNS = [Column(heading, is_text=True) for heading in ("met", "level", "turn", "level hash")]


class _DuplicatesArguments(PackArguments):
    check: bool
    write: str | None
    to: str | None
    json: bool


class DuplicatePlace(NamedTuple):
    """The place of a level; ``symmetry`` turns it into the picture of its hash."""

    pack: str
    number: int
    title: str
    symmetry: Symmetry


def run(arguments: list[str]) -> int:
    """Print the groups of equal levels; return 1 with --check if there are any, 2 if something could not be read."""
    parser = Parser(
        "duplicates",
        "Find levels that are the same puzzle, in any number of packs: turned or mirrored, with the player elsewhere "
        "in its area, or with other decoration. The first of a group is the one met first.\n\n"
        "With --write, the first of each group and all other levels go to OUT, each with the title and number it "
        "comes from (xsb and sok). OUT may replace an older pack, but no pack that is read here, and no other kind "
        "of file.",
        "sokoterm duplicates one.xsb two.slc folder --write all.xsb",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _DuplicatesArguments())
    name = _format(parsed.write, parsed.to)
    with ProgressBar(0, "levels") as bar:
        levels = Levels(parsed.packs, None, bar.complain, parsed.reading, parsed.selection)
        collection = _Collection(keep=parsed.write is not None)
        for path, pack in levels.packs():
            for done in collection.add(path, pack):
                bar.show(done)
    if parsed.write is not None:
        levels.check_output(parsed.write)
        _write(collection, parsed.write, name)
    groups = {hash_: places for hash_, places in collection.places.items() if len(places) > 1}
    if parsed.json:
        for hash_, places in groups.items():
            print(json_line(_object(hash_, places)))
    elif groups:
        for line in table_of(_COLUMNS, [row for group in groups.items() for row in _rows(*group)]):
            print_row(line)
    if collection.packs and not parsed.json:
        print(collection.summary)
    return levels.status or (1 if parsed.check and groups else 0)


def _add_arguments(parser: Parser) -> None:
    parser.add_packs()
    add_where(parser)
    parser.add_argument("--check", action="store_true", help="exit status 1 if there are duplicates")
    parser.add_argument("--write", metavar="OUT", help="write the levels to this file, only the first of each group")
    parser.add_argument("--to", choices=FORMATS, metavar="FORMAT", help=f"{' '.join(FORMATS)}; default: suffix of OUT")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each group")


class _Collection:
    """The levels met, by hash; with ``keep`` also their packs with the first of each hash.

    ``left_out`` counts the solutions and saved games of the others.
    """

    def __init__(self, keep: bool) -> None:
        self.places: dict[str, list[DuplicatePlace]] = {}
        self.packs: list[Pack] = []
        self.left_out = 0
        self._keep = keep
        self._size = 0

    def add(self, path: str, pack: Pack) -> Iterator[int]:
        """Add the levels of a pack; yields the number of levels so far after each."""
        firsts: list[Level] = []
        for level in pack.levels:
            frame = canonical(level)
            places = self.places.setdefault(frame.hash, [])
            if places:
                self.left_out += len(level.records)
            elif self._keep:
                firsts.append(level)
            places.append(DuplicatePlace(path, level.number, level.title, frame.symmetry))
            self._size += 1
            yield self._size
        self.packs.append(pack._replace(levels=tuple(firsts), errors=()))

    @property
    def summary(self) -> str:
        """Numbers of levels, in one line."""
        distinct = len(self.places)
        return f"{self._size:,} levels, {distinct:,} distinct, {self._size - distinct:,} copies"


def _format(path: str | None, name: str | None) -> str:
    """Return the format to write; raises InputError if it is not known."""
    if path is None:
        if name is not None:
            raise InputError(f"found --to {name}, expected --write too")
        return ""
    name = name or format_of(path)
    if path == "-":
        raise InputError("found --write -, expected a file: the groups go to standard output")
    if not name:
        raise InputError(f"{path}: found no format, expected a suffix such as .xsb, or --to {', '.join(FORMATS)}")
    return name


def _write(collection: _Collection, path: str, name: str) -> None:
    """Write the distinct levels; raises InputError if there are none."""
    pack = merged([pack for pack in collection.packs if pack.levels])
    if not pack.levels:
        raise InputError(f"{path}: not written: there are no levels to write")
    write_pack(path, pack, name)
    if collection.left_out:
        complain(f"{path}: the solutions and saved games of the copies are left out: {collection.left_out:,}")


def _rows(hash_: str, places: Sequence[DuplicatePlace]) -> Iterator[Sequence[str]]:
    first, *others = places
    yield "first", _place(first), "", hash_
    for other in others:
        yield "again", _place(other), _turn(first.symmetry, other.symmetry), hash_


def _place(place: DuplicatePlace) -> str:
    return f"{printable(place.pack)}:{place.number}  {printable(place.title)}".rstrip()


def _turn(first: Symmetry, second: Symmetry) -> str:
    """Name the turn from one picture to another by their symmetries; empty if they are alike."""
    if first == second:
        return ""
    return "mirrored" if sum(first) + sum(second) & 1 else "turned"


def _object(hash_: str, places: Sequence[DuplicatePlace]) -> Mapping[str, object]:
    return {
        "hash": hash_,
        "levels": [{"pack": place.pack, "level": place.number, "title": place.title} for place in places],
    }
