"""What the browser shows of packs and levels: their lines in the lists, more in words, and a small picture."""

import re
import time
from collections.abc import Collection, Sequence

from sokoterm.app.catalog import Catalog, PackFigures
from sokoterm.app.options import DESCENT
from sokoterm.app.pack_session import PackSession
from sokoterm.app.sort_order import SortOrder
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.store.known import Known, Words
from sokoterm.store.packs import PackFile
from sokoterm.tui.widgets.board_view import Appearance, Area, Origin, draw_board, scroll_board
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.lists import level_line, pack_line
from sokoterm.wording.columns import clipped, text_width
from sokoterm.wording.outcomes import also


def level_facts(pack_session: PackSession, level: Level, *, with_library: bool) -> str:
    """When a level was solved, what is open, what files brought, its other names: what matters more stands first."""
    dates = pack_session.dates(level)
    facts = []
    if dates.first_solved is not None and dates.last_solved is not None:
        first, last = map(_date, (dates.first_solved, dates.last_solved))
        helped = "with help " if dates.is_helped else ""
        facts.append(f"solved {helped}{first}" + (f", last {last}" if last != first else ""))
    if best_of_all := pack_session.score_facts(level):
        facts.append(best_of_all)
    if pushes := pack_session.open_pushes(level):
        facts.append(f"open at {_count(pushes, 'push', 'pushes')}")
    if with_library and (known := pack_session.known(level)):
        facts.append(known_text(known[0]))
    if names := also(pack_session.other_places(level)):
        facts.append(names)
    if dates.seconds >= 1:
        facts.append(f"played for {duration(round(dates.seconds))}")
    return ", ".join(facts)


def pack_facts(figures: PackFigures, found: int | None) -> str:
    """``Minicosmos, 40 levels``; ``found`` is the level for which a search has found the pack."""
    unreadable = f", {figures.unreadable} cannot be read" if figures.unreadable else ""
    level = f"level {found} of " if found is not None else ""
    return f"{level}{figures.title}, {_count(figures.levels, 'level', 'levels')}{unreadable}"


def cut_at_a_word(text: str, width: int) -> str:
    """Text cut to a width after a word, with dots where something was cut off.

    >>> cut_at_a_word("known 97 pushes, 230 moves", 18)
    'known 97 pushes...'
    """
    if text_width(text) <= width:
        return text
    ends = (text[: space.start()].rstrip(" ,;:(") for space in re.finditer(" +", text))
    kept = [part for part in ends if part and text_width(part) + 3 <= width]
    return f"{kept[-1]}..." if kept else clipped(text, width)


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def known_text(known: Known) -> str:
    """``known 97 pushes, 230 moves (YASS 2.86)``: a solution that a file brought."""
    pushes = _count(known.solution.pushes, "push", "pushes")
    return f"known {pushes}, {_count(known.solution.moves, 'move', 'moves')} ({known.credit})"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def duration(seconds: int) -> str:
    """``5 s``, ``2 min 5 s`` or ``1 h 2 min``: two figures at most."""
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), 2)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count)


def searched_words(entry: Level | LevelError) -> str:
    """What a search looks for words in."""
    words = f"{entry.number} {entry.title} {entry.author}" if isinstance(entry, Level) else f"{entry.level}"
    return words.casefold()


def is_found(file: PackFile, words: Words | None, wanted: str) -> bool:
    """Whether a search for lower-case words finds a pack: by its name, title or author, or the title of a level."""
    return _is_named(file, words, wanted) or words is not None and wanted in words.titles


def level_found(file: PackFile, words: Words | None, wanted: str) -> int | None:
    """The number of the level by whose title a search finds a pack; None where it is by something of the pack."""
    return None if words is None or _is_named(file, words, wanted) else words.find_level(wanted)


def _is_named(file: PackFile, words: Words | None, wanted: str) -> bool:
    return wanted in file.name.casefold() or words is not None and wanted in words.pack


def search_line(typed: str, columns: int, *, of_packs: bool) -> str:
    """What is typed, and where it is looked for if there is room to say it."""
    line = f"{typed}   in {'packs, authors, level titles' if of_packs else 'numbers, titles, authors'}"
    return line if text_width(line) <= columns else clipped(typed, columns)


def index_of(entries: Sequence[Level | LevelError], number: int | None) -> int:
    """Where the level of this number stands in a list; the first one where it does not."""
    levels = (entry.number if isinstance(entry, Level) else entry.level for entry in entries)
    return next((index for index, each in enumerate(levels) if each == number), 0)


def opens(file: PackFile | None) -> str:
    """What stands one step to the right of a line of the list of packs."""
    if file is None or not file.is_made:
        return "levels"
    return "runs" if file.key == DESCENT else "days"


def pack_name(file: PackFile, figures: PackFigures | None) -> str:
    """What a pack is called in lists: one that ships by its title, that of a person as he named the file."""
    if not file.is_bundled:
        return printable(file.name)
    return figures.title if figures is not None else printable(file.name.replace("-", " ").title())


def column_heads(order: SortOrder, width: int, *, of_packs: bool) -> str:
    """What stands above the columns of a list."""
    if of_packs:
        return pack_line("", "pack", "hard    solved" if order.is_by_difficulty else "solved", width)
    boxes = "hard" if order.is_by_difficulty else "boxes"
    return level_line(" ", "#", "title", "size", boxes, "moves", "pushes", width)


def pack_rows(files: Sequence[PackFile], catalog: Catalog, order: SortOrder, width: int) -> list[str]:
    """The lines of packs."""
    figures, hard = catalog.figures(files), order.shown_packs(files)
    return [_pack_row(file, figures.get(file.key), catalog.problem(file), width, hard(file.key)) for file in files]


def level_rows(
    entries: Sequence[Level | LevelError], pack_session: PackSession, order: SortOrder, width: int
) -> list[str]:
    """The lines of levels, those too that cannot be read."""
    levels = [entry for entry in entries if isinstance(entry, Level)]
    pack_session.read_figures(levels)
    begun = pack_session.begun([level for level in levels if not pack_session.figures(level)])
    hard = order.shown_levels(pack_session)
    return [
        _level_row(entry, pack_session, _mark(pack_session, entry, begun), width, hard(entry.number))
        if isinstance(entry, Level)
        else _error_row(entry, width)
        for entry in entries
    ]


def _pack_row(file: PackFile, figures: PackFigures | None, problem: str, width: int, hard: str | None = None) -> str:
    """The line of a pack; ``problem`` is why it cannot be read, or empty; ``hard`` tells how hard it is, if asked."""
    name = pack_name(file, figures)
    if problem:
        return pack_line("!", name, "cannot be read", width)
    if figures is None:
        return pack_line(" ", name, "-", width)
    if not figures.levels:
        return pack_line("!", name, "cannot be read", width)
    mark = "*" if figures.is_done else "!" if figures.unreadable else " "
    solved = f"{figures.solved}/{figures.levels}"
    return pack_line(mark, name, solved if hard is None else f"{hard:>4} {solved:>9}", width)


def _mark(pack_session: PackSession, level: Level, begun: Collection[int]) -> str:
    """What stands before a level: whether it is solved, and whether with help, or begun."""
    if figures := pack_session.figures(level):
        return "+" if figures.is_helped else "*"
    return "~" if level.number in begun else " "


def _level_row(level: Level, pack_session: PackSession, mark: str, width: int, hard: str | None = None) -> str:
    """The line of a level, with the player's best figures; ``hard`` tells how hard it is, in place of its boxes."""
    figures = pack_session.figures(level)
    return level_line(
        mark,
        str(level.number),
        pack_session.listed_title(level),
        f"{level.board.width}x{level.board.height}",
        str(level.boxes) if hard is None else hard,
        str(figures.moves) if figures else "-",
        str(figures.pushes) if figures else "-",
        width,
    )


def _error_row(error: LevelError, width: int) -> str:
    """The line of a level that cannot be read."""
    return clipped(f"!{error.level:>5} cannot be read: {printable(error.problem)}", width).ljust(width)


def draw_small_board(canvas: Canvas, area: Area, level: Level | None, appearance: Appearance) -> None:
    """The start of a level in single cells, what fits of it from the top left."""
    if level is None or area.width < 3:
        return
    origin = scroll_board(Origin(0, 0), level, level.start, area, 1)
    origin = origin._replace(row=max(0, origin.row), column=max(0, origin.column))
    draw_board(canvas, area, level, level.start, origin, appearance._replace(cell=1))
