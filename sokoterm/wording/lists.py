"""Words for the lists of packs and levels: names, and what is known of the chosen one."""

from typing import NamedTuple

from sokoterm.app.catalog import PackFigures
from sokoterm.app.pack_session import PackSession
from sokoterm.app.pack_tree import Folder
from sokoterm.app.sort_order import Graded
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.text import counted, printable
from sokoterm.store.known_levels import KnownSolution
from sokoterm.store.level_rows import LevelRow, LevelSort
from sokoterm.store.packs import PackFile
from sokoterm.store.query import MOST_NESTED, MOST_PARTS, TERMS, QueryError
from sokoterm.store.score import Score, Standing
from sokoterm.wording.columns import folded
from sokoterm.wording.figures import date_text, duration
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.packs import also, words_of


def pack_name(file: PackFile, figures: PackFigures | None) -> str:
    """The name of a pack in lists: its title if it ships, else the name that the player gave the file."""
    if not file.is_bundled:
        return printable(file.name)
    return figures.title if figures is not None else printable(file.name.replace("-", " ").title())


def folder_facts(folder: Folder, counts: tuple[int, int] | None) -> str:
    """``Easy, 3 packs, 12 of 330 levels solved``; ``counts`` are those of levels if they are known."""
    solved = f", {counts[0]:,} of {counted(counts[1], 'level')} solved" if counts is not None else ""
    return f"{printable(folder.path)}, {counted(len(folder.files), 'pack')}{solved}"


def pack_facts(figures: PackFigures, found: int | None, pack: Pack | None = None) -> str:
    """``Minicosmos, 40 levels: Small rooms.``, with the first line of the note of ``pack``, if given.

    ``found`` is the level for which a search has found the pack.
    """
    unreadable = f", {figures.unreadable} cannot be read" if figures.unreadable else ""
    level = f"level {found} of " if found is not None else ""
    facts = f"{level}{figures.title}, {counted(figures.levels, 'level')}{unreadable}"
    notes = pack.comment.splitlines() if pack is not None and not unreadable else []
    return ": ".join([facts, *filter(None, (printable(line.strip()) for line in notes))][:2])


def level_facts(pack_session: PackSession, level: Level, *, with_library: bool) -> str:
    """Everything known of a level, most important first: when solved, open play, known solutions, other packs."""
    dates, lookups = pack_session.dates(level), pack_session.lookups
    facts = [kind] if (kind := kind_text(level.board)) else []
    if dates.first_solved is not None and dates.last_solved is not None:
        first, last = map(date_text, (dates.first_solved, dates.last_solved))
        helped = "with help " if dates.is_helped else ""
        facts.append(f"solved {helped}{first}" + (f", last {last}" if last != first else ""))
    if best_of_all := standing_text(lookups.standing(level)):
        facts.append(best_of_all)
    if pushes := lookups.open_pushes(level):
        facts.append(f"open at {counted(pushes, 'push')}")
    if with_library and (known := lookups.known(level)):
        facts.append(known_text(known[0]))
    if names := also(lookups.other_places(level), lookups.key):
        facts.append(names)
    if dates.seconds >= 1:
        facts.append(f"played for {duration(round(dates.seconds))}")
    return ", ".join(facts)


class PreviewText(NamedTuple):
    """Lines below the picture of a level in the browser; empty for what is not known."""

    title: str
    author: str
    kind: str
    summary: str
    played: str


def preview_text(pack_session: PackSession, level: Level, row: LevelRow | None) -> PreviewText:
    """The lines of a level: ``3 Warehouse``, ``by A. Person``, ``13x8, 3 boxes, difficulty 71``, ``last played ...``.

    ``row`` is the level's row in the index, if it is there.
    """
    words, author = words_of(pack_session), printable((level.author or pack_session.pack.author).strip())
    difficulty = difficulty_text(row.shown) if row is not None else ""
    size = f"{level.board.width}x{level.board.height}"
    played = row.last_played if row is not None else None
    return PreviewText(
        words.label(level) if words.listed_title(level) == "" else f"{level.number}  {words.listed_title(level)}",
        f"by {author}" if author else "",
        kind_text(level.board),
        ", ".join(filter(None, [size, counted(level.boxes, "box"), difficulty])),
        f"last played {date_text(played)}" if played else "",
    )


def note_lines(pack: Pack, width: int, most: int) -> list[str]:
    """The title and author of a pack, and its note, folded to a width; at most so many lines."""
    author = f" by {printable(pack.author.strip())}" if pack.author.strip() else ""
    texts = [f"{printable(pack.title.strip())}{author}", *map(printable, map(str.strip, pack.comment.splitlines()))]
    lines: list[str] = []
    for text in filter(None, texts):
        lines += folded(text, width)
        if len(lines) >= most:
            break
    return lines[:most]


def known_text(known: KnownSolution) -> str:
    """``known 97 pushes, 230 moves (YASS 2.86)``: a solution from a file, or found."""
    solution = known.solution
    return f"known {counted(solution.pushes, 'push')}, {counted(solution.moves, 'move')} ({known.credit})"


def standing_text(standing: Standing) -> str:
    """``best on this server 97 pushes by ann 2026-11-22, 230 moves by bob 2026-11-20``; empty for nobody."""
    if standing.by_pushes is None or standing.by_moves is None:
        return ""
    first, second = _name_and_date(standing.by_pushes), _name_and_date(standing.by_moves)
    pushes, moves = counted(standing.by_pushes.pushes, "push"), counted(standing.by_moves.moves, "move")
    return f"best on this server {pushes}{f' by {first}' if first != second else ''}, {moves} by {second}"


def _name_and_date(score: Score) -> str:
    return f"{score.name} {date_text(score.date)}"


def order_text(sort: LevelSort) -> str:
    """The order of lists."""
    return {
        LevelSort.PLACE: "in their original order",
        LevelSort.TITLE: "by title",
        LevelSort.SIZE: "small boards first",
        LevelSort.BOXES: "few boxes first",
        LevelSort.DIFFICULTY: "easiest first",
        LevelSort.PLAYED: "last played first",
        LevelSort.UNSOLVED: "unsolved first",
    }[sort]


SORT_NAMES = ("number", *(sort for sort in LevelSort if sort is not LevelSort.PLACE))
"""The names of orders, as they are typed."""


def sort_named(name: str) -> LevelSort | None:
    """Return the order of this name."""
    return LevelSort.PLACE if name == "number" else next((sort for sort in LevelSort if sort == name), None)


def graded_text(graded: Graded | None) -> str:
    """``rated 3 of 40 levels``, with ``ordered 5 of 6 packs`` in a list of packs; empty for None."""
    if graded is None:
        return ""
    packs = f", ordered {graded.packs:,} of {graded.all_packs:,} packs" if graded.all_packs else ""
    return f"rated {graded.levels:,} of {graded.all_levels:,} levels{packs}"


def difficulty_text(hard: str | None) -> str:
    """``difficulty 71``, ``difficulty about 71`` for an estimate; empty if it is unknown or not wanted."""
    if hard in (None, "?"):
        return ""
    return "no solution" if hard == "-" else f"difficulty {hard.replace('~', 'about ')}"


def rename_question(file: PackFile) -> str:
    """Before the new name of a pack."""
    return f"new name of {printable(file.name)}:"


def removal_question(file: PackFile) -> str:
    """Return the question before a pack is removed."""
    return f"remove the file of {printable(file.name)}? y removes it, any other key does not; your solutions stay"


def unsure_of_removal(file: PackFile, number: str) -> str:
    """Return the answer that says how to confirm the removal of a pack."""
    return f"this cannot be undone, but your solutions stay: to remove {printable(file.name)}, type remove {number} yes"


NO_FILTER = "type / and a query first, such as unsolved hard<50: its levels are played one after the other"
"""Why there is no series to play."""

NOTHING_FOUND = "nothing matches the filter"

WHY_NOT_OWN = "only packs that you have added can be renamed or removed"
"""Why a pack is neither renamed nor removed."""


def changed_text(file: PackFile, renamed: PackFile | None) -> str:
    """Return the report of a change: the pack was ``renamed``, or removed if that is None."""
    return f"{printable(file.name)}: " + (f"renamed to {printable(renamed.name)}" if renamed else "removed")


def place_of_filter(*, of_packs: bool) -> str:
    """Return the hint below a filter: the places its words are searched in, and the typed terms."""
    place = "packs, authors, level titles" if of_packs else "numbers, titles, authors"
    return f"in {place}; or boxes:4, size<10x10, unsolved, hard>60"


def query_problem(error: QueryError) -> str:
    """The problem of a query: the column, what was found there, and what was expected."""
    examples = {
        "boxes": "a number: boxes:4, boxes<=6, boxes:2-4",
        "hard": "a number: hard>60, hard:50-70",
        "size": "a width and a height: size<=8x8",
        "added": "a day: added>2026-11-01",
        "author": "a part of a name: author:skinner",
        "title": "a part of a title: title:corner",
        "pack": "a part of a name: pack:microban",
        "variant": "colors, sliding, both or none: variant:sliding",
        "has": "has:solution",
        "term": "a term",
        "end": "no ) without a (",
        "or": "a term after or",
        "not": "a term after not",
        "(": "a term after (",
        ")": ") or another term",
        "many": f"at most {MOST_PARTS} terms",
        "deep": f"at most {MOST_NESTED} groups inside of each other",
    }
    expected = examples.get(error.name) or f"a word to search for, or one of {', '.join(TERMS)}"
    return f"column {error.column}: found {printable(error.word) or 'the end'}, expected {expected}"
