"""``sokoterm convert``: merges packs of any format into one pack."""

import argparse
from collections.abc import Mapping, Sequence
from itertools import islice

from sokoterm.app.marked_levels import KnownSolutions
from sokoterm.commands.support.levels import LevelFlags, in_order, sort_flag
from sokoterm.commands.support.library import known_solutions, marked_levels
from sokoterm.commands.support.output import InputError, ProgressBar
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.results import format_flag, merged_in_file, output_flag, texts_flag, write_pack
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution, replay
from sokoterm.formats.registry import FORMATS, format_of
from sokoterm.formats.uniting import LevelCopy, author_of, with_shared_records
from sokoterm.language import N_, _, joined, levels_done
from sokoterm.store.known_levels import Grade, estimate_of, estimated
from sokoterm.store.packs import natural_key
from sokoterm.store.solutions import Best

# The formats that can store solutions.
_HOLD_SOLUTIONS = ("xsb", "sok")
_OWN, _KNOWN, _ALL, _NONE = "own", "known", "all", "none"
_SORTS = ("hard", "boxes", "size", "title", "author", "pack")


def run(arguments: list[str]) -> int:
    """Write one pack; return 2 if something could not be read, in which case the rest is written."""
    parser = Parser(
        "convert",
        _(
            "Merge packs into one pack in one of these formats: {formats}. sok files store solutions, including your "
            "own (see --with); identical puzzles share their solutions, rotated to match (duplicates --write keeps "
            "only one of them). Anything the format cannot store is reported on stderr. Where titles or numbers "
            "change, each level notes the title of its pack and its number there (xsb and sok), even if it is "
            "converted again.\n\n"
            "OUT is written once everything has been read. It may replace an older pack, but never a pack that is "
            "being read or a file that is not a pack.",
            formats=joined(FORMATS),
        ),
        "sokoterm convert levels.slc --to sok -o levels.sok",
    )
    level_flags = LevelFlags(parser)
    to = format_flag(parser)
    output = output_flag(parser)
    title = parser.flag("--title", metavar="TEXT", help=_("title of the new pack"))
    author = parser.flag("--author", metavar="NAME", help=_("author of the new pack; levels keep their own authors"))
    sorts = sort_flag(parser, _SORTS)
    texts = texts_flag(parser)
    text = _("solutions to add: your own (the default in sok), those known elsewhere, both, or none")
    sources_flag = parser.flag("--with", dest="sources", choices=(_OWN, _KNOWN, _ALL, _NONE), help=text)
    parser.add_argument("--no-progress", dest="sources", action="store_const", const=_NONE, help=argparse.SUPPRESS)
    parser.parse(arguments)
    name = to.value or ("xsb" if output.value == "-" else format_of(output.value or ""))
    if not name:
        problem = N_("choose a format with --to ({formats}), or a file with one of these suffixes with -o")
        parser.error(_(problem, formats=joined(FORMATS)))
    packs: list[tuple[str, Pack]] = []
    with ProgressBar(0, levels_done) as bar:
        levels = level_flags.levels(bar.complain, shows_texts=True)
        for path, each in levels.packs():
            packs.append((path, each))
            bar.show(sum(len(pack) for __, pack in packs))
    sources = sources_flag.value or (_OWN if name == "sok" else _NONE)
    if sources != _NONE:
        packs = _with_solutions(packs, sources, parser.folder)
    shared = _sharing(packs) if name in _HOLD_SOLUTIONS else [pack for __, pack in packs]

    def order(found: Sequence[tuple[Pack, Level]]) -> Sequence[tuple[Pack, Level]]:
        return _sorted(found, sorts.value, parser.data_dir)

    pack = merged_in_file(shared, keeps_texts=texts.value, order=order)
    pack = pack._replace(title=pack.title if title.value is None else title.value)
    pack = pack._replace(author=pack.author if author.value is None else author.value)
    if not pack.levels:
        if levels.status == 1:  # reported: no level answers the query
            return 1
        raise InputError(_("found no levels to write"))
    if output.value not in (None, "-"):
        levels.check_output(output.value)
    write_pack(output.value, pack, name, is_whole=not levels.status)
    return levels.status


def _sorted(
    levels: Sequence[tuple[Pack, Level]], names: Sequence[str], data_dir: str | None
) -> Sequence[tuple[Pack, Level]]:
    """Sort levels, looking up or estimating their difficulty only if it is a key."""
    grades: Mapping[str, Grade] = {}
    hashes: Mapping[int, str] = {}
    if any(name.endswith("hard") for name in names):
        hashes = {id(level): level_hash(level) for __, level in levels}
        with marked_levels(data_dir) as marks:
            grades = marks.grades(hashes.values())

    def hard(level: Level) -> int | None:
        grade = grades.get(hashes[id(level)]) or estimated(estimate_of(level))
        return None if grade.shown == "-" else grade.number

    keys = {
        "hard": lambda each: hard(each[1]),
        "boxes": lambda each: each[1].boxes,
        "size": lambda each: each[1].board.width * each[1].board.height,
        "title": lambda each: natural_key(each[1].title) if each[1].title else None,
        "author": lambda each: natural_key(each[1].author or each[0].author) or None,
        "pack": lambda each: natural_key(each[0].title),
    }
    return in_order(levels, keys, names)


def _sharing(packs: Sequence[tuple[str, Pack]]) -> list[Pack]:
    """Return packs in which equal levels share their records, rotated to match."""
    if not any(level.records for __, pack in packs for level in pack.levels):
        return [pack for __, pack in packs]
    copies: dict[str, list[LevelCopy]] = {}
    named = [(path, author_of(pack), level) for path, pack in packs for level in pack.levels]
    with ProgressBar(len(named), levels_done) as bar:
        for path, author, level in bar.over(named):
            copies.setdefault(level_hash(level), []).append(LevelCopy(path, author, level))
    shared = {
        id(copy.level): level
        for group in copies.values()
        if len(group) > 1 and any(copy.level.records for copy in group)
        for copy, level in zip(group, with_shared_records(group))
    }
    return [pack._replace(levels=tuple(shared.get(id(level), level) for level in pack.levels)) for __, pack in packs]


def _with_solutions(packs: Sequence[tuple[str, Pack]], sources: str, folder: str) -> list[tuple[str, Pack]]:
    """Add ``own``, ``known`` or all solutions from the data folder to the records of levels."""
    levels = [level for __, pack in packs for level in pack.levels]
    with ProgressBar(len(levels), levels_done) as bar, known_solutions(folder, bar.complain, learns=True) as known:
        done = (_with_records(each, known, sources) for each in bar.over(levels))
        return [(path, pack._replace(levels=tuple(islice(done, len(pack))))) for path, pack in packs]


def _with_records(level: Level, known: KnownSolutions, sources: str) -> Level:
    added: list[tuple[str, Solution, str]] = []
    best = known.best(level) if sources != _KNOWN else Best()
    if best.by_moves and best.by_pushes:
        added = [("Solution/Moves", best.by_moves, ""), ("Solution/Pushes", best.by_pushes, "")]
        if best.by_moves.lurd == best.by_pushes.lurd:
            added = [("Solution", best.by_moves, "")]
    if sources != _OWN:
        added += [("Solution", each.solution, f" ({each.credit})") for each in known.elsewhere(level)]
    if not added:
        return level
    replays = [replay(level, record).solution for record in level.records]
    met = {solution.lurd for solution in replays if solution is not None}
    records = []
    for title, each, credit in added:
        if each.lurd not in met:
            met.add(each.lurd)
            records.append(Record(f"{title} {each.moves}/{each.pushes}{credit}", each.lurd))
    return level.replace(records=(*level.records, *records))
