"""``sokoterm convert``: packs of any format to one pack of another."""

from collections.abc import Sequence
from time import time

from sokoterm.commands.support.files import merged, write_pack
from sokoterm.commands.support.levels import LevelChoice, Levels, add_levels
from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import PackArguments, Parser
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import canonical
from sokoterm.engine.record import replay
from sokoterm.formats.registry import FORMATS, format_of
from sokoterm.formats.uniting import LevelCopy, with_shared_records
from sokoterm.store.paths import data_dir, progress_file
from sokoterm.store.progress import ProgressStore, known_progress

# The formats that have a place for solutions.
_HOLD_SOLUTIONS = ("xsb", "sok")


class _ConvertArguments(PackArguments):
    level: LevelChoice | None
    to: str | None
    output: str | None
    no_progress: bool


def run(arguments: list[str]) -> int:
    """Write one pack; return 2 if something was not read: the rest is written."""
    parser = Parser(
        "convert",
        f"Merge packs into one pack of a format: {', '.join(FORMATS)}. sok holds solutions, your own too; levels that "
        "are the same puzzle get the solutions of each other, turned to fit (duplicates --write keeps one of them). "
        "Stderr names what the format cannot hold. Where titles or numbers change, each level notes the title of its "
        "pack and its number there (xsb and sok), also when it is converted again.\n\n"
        "OUT is written once everything is read. It may replace an older pack, but no pack that is read here, and no "
        "other kind of file.",
        "sokoterm convert levels.slc --to sok -o levels.sok",
    )
    add_levels(parser)
    parser.add_argument("--to", choices=FORMATS, metavar="FORMAT", help=f"{' '.join(FORMATS)}; default: suffix of OUT")
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file; else, or with -, to stdout")
    parser.add_argument("--no-progress", action="store_true", help="leave your own solutions out of sok")
    parsed = parser.parse(arguments, _ConvertArguments())
    name = parsed.to or format_of(parsed.output or "")
    if not name:
        parser.error(f"found no format, expected --to {', '.join(FORMATS)}, or -o with one of these suffixes")
    levels = Levels(parsed.packs, parsed.level, reading=parsed.reading, selection=parsed.selection)
    packs = list(levels.packs())
    pack = merged(_sharing(packs) if name in _HOLD_SOLUTIONS else [pack for _, pack in packs])
    if not pack.levels:
        if levels.status == 1:  # reported: no level answers the query
            return 1
        raise InputError("found no levels to write")
    if parsed.output not in (None, "-"):
        levels.check_output(parsed.output)
    if name == "sok" and not parsed.no_progress:
        pack = _with_progress(pack, progress_file(data_dir(parsed.data_dir)))
    write_pack(parsed.output, pack, name)
    return levels.status


def _sharing(packs: Sequence[tuple[str, Pack]]) -> list[Pack]:
    """Return packs in which equal levels have the records of each other, turned to fit."""
    if not any(level.records for _, pack in packs for level in pack.levels):
        return [pack for _, pack in packs]
    copies: dict[str, list[LevelCopy]] = {}
    for path, pack in packs:
        for level in pack.levels:
            frame = canonical(level)
            copies.setdefault(frame.hash, []).append(LevelCopy(path, pack.author, level, frame))
    shared = {
        id(copy.level): level
        for group in copies.values()
        if len(group) > 1 and any(copy.level.records for copy in group)
        for copy, level in zip(group, with_shared_records(group))
    }
    return [pack._replace(levels=tuple(shared.get(id(level), level) for level in pack.levels)) for _, pack in packs]


def _with_progress(pack: Pack, path: str) -> Pack:
    """Add the best solutions of the progress at ``path``, if there is one, to the records of a pack."""
    with known_progress(path, time, complain) as progress:
        return pack._replace(levels=tuple(_with_best(level, progress) for level in pack.levels)) if progress else pack


def _with_best(level: Level, progress: ProgressStore) -> Level:
    """Add the best solutions by moves and by pushes to the records of a level: one if it is both, none twice."""
    best = progress.best(level)
    if best.by_moves is None or best.by_pushes is None:
        return level
    by_both = best.by_moves.lurd == best.by_pushes.lurd
    titled = [("Solution", best.by_moves)] if by_both else []
    titled = titled or [("Solution/Moves", best.by_moves), ("Solution/Pushes", best.by_pushes)]
    replays = [replay(level, record).solution for record in level.records]
    known = {solution.lurd for solution in replays if solution is not None}
    records = [
        Record(f"{title} {each.moves}/{each.pushes}", each.lurd) for title, each in titled if each.lurd not in known
    ]
    return level._replace(records=(*level.records, *records))
