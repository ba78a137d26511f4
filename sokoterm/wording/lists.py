"""Words for the lists of packs and levels: names, and facts about the selected one."""

from itertools import chain, islice

from sokoterm.app.generated import DailyPack
from sokoterm.app.lists import Folder, Graded, LevelSort, Resume
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Reread
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.text import printable
from sokoterm.formats.limits import GUESSED
from sokoterm.language import (
    N_,
    _,
    boxes_text,
    in_clauses,
    joined,
    levels_text,
    listed,
    moves_text,
    ngettext,
    packs_text,
    pushes_text,
)
from sokoterm.solver.figures import DifficultyFigures, explained, who_give_up
from sokoterm.store.library import PackFigures
from sokoterm.store.packs import PackFile, bundled_title, shown_text
from sokoterm.store.query import MOST_NESTED, MOST_PARTS, TERMS, QueryError
from sokoterm.store.score_table import Standing
from sokoterm.wording.columns import folded
from sokoterm.wording.figures import date_text, duration, online_text
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.packs import also, words_of


def pack_name(file: PackFile, figures: PackFigures | None) -> str:
    """The name of a pack in lists: the title of a bundled pack, else the name of the file."""
    if not file.is_bundled:
        return printable(file.name)
    return shown_text(figures.title if figures is not None else bundled_title(file))


def greeting(count: tuple[int, int] | None, packs: int, daily: DailyPack | None) -> list[str]:
    """The lines beside the name of the game: what it is, what there is to play, and the streak or the aim.

    ``count`` are the numbers of solved levels and of all levels, None if not known; ``packs`` (or 0) replaces them if
    there are too many to count.
    """
    there = levels_text(count[1]) if count is not None else packs_text(packs) if packs else ""
    if count is not None and daily is not None:
        # Translators: "360 levels, and a new one each day"; at most 34 columns.
        there = _("{levels}, and a new one each day", levels=there)
    days = daily.streak.now if daily is not None else 0
    todo = _("streak {days}", days=days) if days else _("Push every box onto a goal.")
    return [_("Sokoban in your terminal"), there, todo]


def start_text(resume: Resume) -> str:
    return _("Start") if resume.number is None else _("Continue")


def resume_text(resume: Resume, figures: PackFigures | None) -> str:
    """``One Evening 5/40``: the pack and level to continue with."""
    name = pack_name(resume.file, figures)
    if resume.number is None:
        return name
    return f"{name} {resume.number}/{figures.levels}" if figures is not None else f"{name} {resume.number}"


def spoken_resume(resume: Resume, figures: PackFigures | None) -> str:
    """``One Evening, level 5 of 40``: the same for the line mode."""
    name, number = pack_name(resume.file, figures), resume.number
    if number is None or figures is None:
        return resume_text(resume, figures)
    return _("{pack}, level {number} of {size}", pack=name, number=number, size=figures.levels)


def solved_text(solved: int, levels: int) -> str:
    """``12 of 330 levels solved``."""
    return ngettext("{solved:,} of {n:,} level solved", "{solved:,} of {n:,} levels solved", levels, solved=solved)


def unreadable_text(levels: int) -> str:
    """``2 cannot be read``; empty for none."""
    return ngettext("{n:,} cannot be read", "{n:,} cannot be read", levels) if levels else ""


def folder_facts(folder: Folder, counts: tuple[int, int] | None) -> str:
    """``Easy, 3 packs, 12 of 330 levels solved``; ``counts`` are solved levels and all levels, if known."""
    solved = solved_text(*counts) if counts is not None else ""
    return listed([printable(folder.path), packs_text(len(folder.files)), solved])


def pack_facts(figures: PackFigures, found: int | None, pack: Pack | None) -> str:
    """``Minicosmos, 40 levels: Small rooms.``, with the first line of the pack's comment, if ``pack`` is given.

    ``found`` is the level that matched the search.
    """
    unreadable = unreadable_text(figures.unreadable)
    title = shown_text(figures.title)
    title = _("level {number} of {pack}", number=found, pack=title) if found is not None else title
    facts = listed([title, levels_text(figures.levels), unreadable])
    notes = pack.comment.splitlines() if pack is not None and not unreadable else []
    note = next(filter(None, (shown_text(line.strip()) for line in notes)), "")
    # Translators: of a pack: its title and figures, and the first line of its note.
    return _("{facts}: {note}", facts=facts, note=note) if note else facts


def level_facts(pack_session: PackSession, level: Level, *, with_library: bool) -> str:
    """All facts about a level, most important first: solved dates, unfinished game, known solutions, other packs."""
    dates, lookups = pack_session.store.dates(level), pack_session.lookups
    facts = [kind] if (kind := kind_text(level.board)) else []
    if dates.first_solved is not None and dates.last_solved is not None:
        first, last = map(date_text, (dates.first_solved, dates.last_solved))
        facts.append(_("solved with help {date}", date=first) if dates.is_helped else _("solved {date}", date=first))
        # Translators: the day when a level was solved most recently.
        facts.append(_("last {date}", date=last) if last != first else "")
    if best_of_all := standing_text(lookups.standing(level)):
        facts.append(best_of_all)
    facts.append(online_text(pack_session.best(level).online))
    if pushes := lookups.open_pushes(level):
        facts.append(ngettext("unfinished: {n:,} push", "unfinished: {n:,} pushes", pushes))
    if with_library and (known := lookups.known(level)):
        solution = known[0].solution
        figures = listed([pushes_text(solution.pushes), moves_text(solution.moves)])
        facts.append(_("known {figures} ({credit})", figures=figures, credit=known[0].credit))
    if names := also(lookups.other_places(level), pack_session.key):
        facts.append(names)
    if dates.seconds >= 1:
        facts.append(_("played for {duration}", duration=duration(round(dates.seconds))))
    return listed(facts)


def level_lines(pack_session: PackSession, level: Level) -> list[str]:
    """The lines below the picture of a level: ``3 boxes, 13x8``, its kind, and its author."""
    author = words_of(pack_session).author(level)
    by = _("by {author}", author=author) if author else ""
    size = f"{level.board.width}x{level.board.height}"
    return [listed([boxes_text(level.boxes), size]), *filter(None, (kind_text(level.board), by))]


def note_lines(pack_session: PackSession, width: int, most: int) -> list[str]:
    """The title and author of a pack, and its comment, folded to a width; at most ``most`` lines."""
    pack = pack_session.pack
    title, author = (shown_text(text.strip()) for text in (pack.title, pack.author))
    heading = _("{title} by {author}", title=title, author=author) if title and author else title
    if author and not title:
        heading = _("by {author}", author=author)
    notes = (shown_text(line.strip()) for line in pack.comment.splitlines() if line.strip())
    texts = filter(None, chain([heading, reading_text(pack)], notes))
    return [*islice(chain.from_iterable(folded(text, width) for text in texts), most)]


def reading_text(pack: Pack) -> str:
    """Return remarks on the notation of the boards and on likelier encodings than the guess; usually empty."""
    as_guess = ""
    if pack.likelier:
        others = joined(pack.likelier)
        as_guess = _("guessed to be {guess}, but may be {others} (--encoding)", guess=GUESSED, others=others)
    return in_clauses(filter(None, [pack.read_as and _("read as {form}", form=pack.read_as), as_guess]))


def standing_text(standing: Standing) -> str:
    """``best on this server 97 pushes by ann 2026-11-22, 230 moves by bob 2026-11-20``; empty without results."""
    if standing.by_pushes is None or standing.by_moves is None:
        return ""
    first, second = (f"{best.name} {date_text(best.date)}" for best in (standing.by_pushes, standing.by_moves))
    pushes, moves = pushes_text(standing.by_pushes.pushes), moves_text(standing.by_moves.moves)
    if first == second:
        return _("best on this server {pushes}, {moves} by {name}", pushes=pushes, moves=moves, name=second)
    told = {"pushes": pushes, "first": first, "moves": moves, "second": second}
    return _("best on this server {pushes} by {first}, {moves} by {second}", **told)


def order_text(sort: LevelSort) -> str:
    return {
        LevelSort.PLACE: _("in their original order"),
        LevelSort.TITLE: _("by title"),
        LevelSort.SIZE: _("smallest boards first"),
        LevelSort.BOXES: _("fewest boxes first"),
        LevelSort.DIFFICULTY: _("easiest first"),
        LevelSort.PLAYED: _("last played first"),
        LevelSort.UNSOLVED: _("unsolved first"),
    }[sort]


def graded_text(graded: Graded | None) -> str:
    """``rated 3 of 40 levels``, with ``sorted 5 of 6 packs`` in a list of packs."""
    if graded is None:
        return ""
    levels = ngettext(
        "rated {done:,} of {n:,} level", "rated {done:,} of {n:,} levels", graded.all_levels, done=graded.levels
    )
    if not graded.all_packs:
        return levels
    packs = ngettext(
        "sorted {done:,} of {n:,} pack", "sorted {done:,} of {n:,} packs", graded.all_packs, done=graded.packs
    )
    return listed([levels, packs])


def difficulty_text(hard: str | None) -> str:
    """``difficulty 71``, ``difficulty about 71`` for an estimate; empty if unknown."""
    if hard in (None, "?"):
        return ""
    if hard == "-":
        return _("no solution")
    number = hard.lstrip("~")
    return _("difficulty about {number}", number=number) if hard != number else _("difficulty {number}", number=number)


def rating_text(hard: str, figures: DifficultyFigures | None) -> str:
    """``1 in 4 gives up (solved within 312 positions)``: who gives up a level, and how that was found.

    ``(estimate)`` without ``figures``; empty if there is no solution.
    """
    if not (number := hard.strip("~+")).isdecimal():
        return ""
    way = next((text for __, text in explained(figures)), _("estimate"))
    return _("{figure} ({more})", figure=who_give_up(int(number)), more=way)


def unknown_text(packs: int) -> str:
    """``403 packs not indexed yet``; empty for none."""
    return ngettext("{n:,} pack not indexed yet", "{n:,} packs not indexed yet", packs) if packs else ""


def found_text(levels: int, packs: int) -> str:
    """``40 levels in 3 packs``: the size of a query's result."""
    return ngettext("{levels} in {n:,} pack", "{levels} in {n:,} packs", packs, levels=levels_text(levels))


NO_FILTER = N_("type / and a query first, such as unsolved hard<50, to play its levels one after another")
"""Why there is no series to play."""

NOTHING_FOUND = N_("nothing matches the filter")

WHY_NOT_OWN = N_("only packs that you have added, and levels in them, can be changed")
"""Why a pack or a level is neither renamed nor removed nor moved."""

WHY_NOT_MOVED = N_("to move levels, use the original order and no filter")


def changed_text(file: PackFile, renamed: PackFile | None) -> str:
    """Return the message after renaming a pack, or after removing it (``renamed`` is None)."""
    name = printable(file.name)
    if renamed is not None:
        return _("{pack}: renamed to {name}", pack=name, name=printable(renamed.name))
    return _("{pack}: removed", pack=name)


def level_text(changed: Reread) -> str:
    text = N_("saved: level {number} of {pack}")
    if not changed.number:
        text = N_("taken out: level {was} of {pack}")
    elif changed.was and changed.was != changed.number:
        text = N_("level {was} of {pack} is now level {number}")
    return _(text, number=changed.number, was=changed.was, pack=printable(changed.file.name))


def query_problem(error: QueryError) -> str:
    examples = {
        "boxes": _("a number: boxes:4, boxes<=6, boxes:2-4"),
        "hard": _("a number: hard>60, hard:50-70"),
        "size": _("a width and a height: size<=8x8"),
        "pushes": _("a number: pushes<50, pushes:20-40"),
        "moves": _("a number: moves<200"),
        "copies": _("a number: copies>1"),
        "unique": _("unique beside all other terms: unique boxes:4"),
        "stars": _("a number from 0 to 3: stars<3"),
        "added": _("a day: added>2026-11-01"),
        "author": _("a part of a name: author:skinner"),
        "title": _("a part of a title: title:corner"),
        "pack": _("a part of a name: pack:microban"),
        "variant": _("colors, sliding, both or none: variant:sliding"),
        "has": "has:solution",
        "term": _("a term"),
        "end": _("no ) without a ("),
        "or": _("a term after or"),
        "not": _("a term after not"),
        "(": _("a term after ("),
        ")": _(") or another term"),
        "many": ngettext("at most {n} term", "at most {n} terms", MOST_PARTS),
        "deep": ngettext("at most {n} nested group", "at most {n} nested groups", MOST_NESTED),
    }
    expected = examples.get(error.name) or _("a word to search for, or one of {terms}", terms=", ".join(TERMS))
    found = printable(error.word) or _("the end")
    return _("column {column}: found {found}, expected {expected}", column=error.column, found=found, expected=expected)
