"""``sokoterm list``: finds levels in the library or in packs by a query."""

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from random import sample
from types import MappingProxyType

from sokoterm.app.catalog import own_packs
from sokoterm.commands.support.levels import SortKey, in_order, query_of, sort_flag
from sokoterm.commands.support.library import learn_packs, opened_catalog
from sokoterm.commands.support.output import Column, InputError, complain, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser, ReadingFlags, count
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, levels_text, ngettext, pgettext
from sokoterm.store.known_levels import NO_SOLUTION
from sokoterm.store.library import LevelRow
from sokoterm.store.packs import PackError, PackFile, find_packs_or_named, natural_key, shown_text
from sokoterm.store.paths import packs_dir
from sokoterm.wording.figures import date_text

_SORTS: Mapping[str, Callable[[LevelRow], SortKey]] = MappingProxyType(
    {
        "hard": lambda row: None if row.hard == NO_SOLUTION else row.hard,
        "boxes": lambda row: row.boxes,
        "size": lambda row: row.width * row.height,
        "title": lambda row: natural_key(row.title) if row.title else None,
        "author": lambda row: natural_key(row.author) if row.author else None,
        "pack": lambda row: natural_key(row.pack),
        "added": lambda row: row.added,
        "solved": lambda row: row.is_solved,
        "stars": lambda row: row.stars,
    }
)


def _about() -> str:
    text = _(
        "List levels of the bundled packs and your library, or of the packs named by --in. Every term of QUERY must "
        "match; without QUERY, all levels are listed. Quote < and >, which the shell would interpret."
    )
    terms = {
        "corner": _("with this text in a title, an author, or the name of a pack"),
        "author:skinner": _("with this text in the author; also title: and pack:"),
        "boxes<=6": _("with this number of boxes; also : = < > >= and ranges, boxes:2-4"),
        "size<=8x8": _("on a board of this size, in either orientation"),
        "hard:50-70": _("of this difficulty, rated or estimated (~71)"),
        "unsolved": _("that you have not solved; also solved and begun"),
        "stars<3": _("with this many stars: 3 at par, 0 unsolved or solved only with help"),
        "pushes<50": _("whose best known solution has this many pushes; also moves<200"),
        "copies>1": _("that appear more than once, in any orientation"),
        "unique": _("one of each puzzle: the first that the other terms find"),
        "has:solution": _("with a solution from a file or found by sokoterm"),
        "variant:colors": _("of this kind: colors, sliding, both or none"),
        "added>2026-11-01": _("from packs with this date (in your library: the day you added them)"),
        "not": _("before a term or a group: boxes:4 not (solved or corner)"),
        "or": _("that match either side: boxes:3 or boxes:4 unsolved"),
        '"or"': _("quoted words are always text, and may contain blanks"),
    }
    return "\n".join([text, "", *(f"  {term:<18} {meaning}" for term, meaning in terms.items())])


def run(arguments: list[str]) -> int:
    """Print a row for each level found; return 2 if a pack could not be read."""
    parser = Parser("list", _about(), "sokoterm list 'boxes:4 size<=8x8 unsolved' --sort hard,-boxes")
    terms = parser.several("query", parse=str, nargs="*", metavar="QUERY", help=_("terms, see above"))
    text = _("file, folder, archive, URL, - or a name in your library")
    packs = parser.several("--in", parse=str, nargs="+", metavar="PACK", help=text)
    sorts = sort_flag(parser, _SORTS)
    limit = parser.flag("--limit", parse=count, metavar="N", help=_("at most N levels"))
    text = _("in random order; with --limit and --sort: sort N random levels")
    is_random = parser.switch("--random", help=text)
    as_json = parser.switch("--json", help=_("print a JSON object for each level"))
    flags = ReadingFlags(parser)
    parser.parse(arguments)
    try:
        query = query_of(" ".join(terms.value))
    except argparse.ArgumentTypeError as error:
        raise InputError(str(error)) from None
    status = 0
    with opened_catalog(flags.reading) as catalog:
        files = []
        for path in packs.value:
            try:
                files += find_packs_or_named(path, packs_dir(parser.folder), flags.reading.limits)
            except PackError as error:
                is_term = re.search(r"[:<>=]", path) is not None and "://" not in path
                complain(_("{problem}; put terms before --in", problem=error) if is_term else str(error))
                status = 2
        files = files if packs.value else own_packs(packs_dir(parser.folder), catalog)
        if not learn_packs(catalog.open(), files, flags.reading):
            status = 2
        found = catalog.find_levels(files, query)
        if is_random.value:
            found = sample(found, min(limit.value or len(found), len(found)))
        rows = in_order(found, _SORTS, sorts.value)[: limit.value]
        for word in terms.value if not rows else ():
            if os.path.isfile(word) or os.sep in word and os.path.exists(word):
                problem = N_("{path} is a file or folder, not a term; --in {path} lists its levels")
                raise InputError(_(problem, path=word))
        show = _print_json if as_json.value else _print_table
        show(rows, {file.key: file for file in files})
        return status or int(not rows)


def _print_table(rows: Sequence[LevelRow], files: Mapping[str, PackFile]) -> None:
    names = {key: printable(file.name) for key, file in files.items()}
    yes = _("yes")
    cells = []
    for row in rows:
        size, solved = f"{row.width}x{row.height}", "*" * row.stars or (yes if row.is_solved else "")
        cells.append(
            (
                names[row.key],
                row.number,
                size,
                row.boxes,
                row.shown,
                solved,
                *map(shown_text, (row.title, row.author)),
            )
        )
    columns = [
        Column(_("pack"), is_text=True),
        Column(_("level")),
        Column(_("size")),
        Column(_("boxes")),
        # Translators: heading of a column: the difficulty, which a query calls hard.
        Column(pgettext("heading of a column", "hard")),
        Column(pgettext("heading of a column", "solved"), is_text=True),
        Column(_("title"), is_text=True),
        Column(_("author"), is_text=True),
    ]
    print_rows(table_of(columns, cells))
    told = {"levels": levels_text(len(rows)), "solved": sum(row.is_solved for row in rows)}
    n = len({row.key for row in rows})
    print(
        ngettext("{levels} of {n:,} pack, {solved:,} solved", "{levels} of {n:,} packs, {solved:,} solved", n, **told)
    )


def _print_json(rows: Sequence[LevelRow], files: Mapping[str, PackFile]) -> None:
    for row in rows:
        fields = {
            "pack": files[row.key].path,
            "pack_title": row.pack,
            "level": row.number,
            "title": row.title,
            "author": row.author,
            "boxes": row.boxes,
            "goals": row.goals,
            "width": row.width,
            "height": row.height,
            "floor": row.floor,
            "variant": row.kinds.split(),
            "difficulty": None if row.hard == NO_SOLUTION else row.hard,
            "rating": row.shown,
            "solved": row.is_solved,
            "stars": row.stars,
            "added": date_text(row.added / 1e9),
            "hash": row.hash,
        }
        print(json_line(fields))
