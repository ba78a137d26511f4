"""Packs and levels in the browser: their lines in the lists, more in words, and a small picture."""

import re
from collections.abc import Collection, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import SeriesEntry
from sokoterm.app.lists import Folder, SortOrder, folders_of, parts_of
from sokoterm.app.options import DESCENT
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _, pgettext
from sokoterm.store.library import PackFigures
from sokoterm.store.packs import PackFile
from sokoterm.tui.widgets.board_view import Appearance, Area, SquareSize, draw_board, place_board
from sokoterm.tui.widgets.card import CardText, Line
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.lists import COLUMN_HEADS, bar_line, level_line, marked, pack_line, to_right
from sokoterm.wording.columns import clipped, start_of, text_width
from sokoterm.wording.lists import pack_name
from sokoterm.wording.packs import words_of

_INDENT = 2  # columns for each folder around a row
_UNREADABLE = N_("cannot be read")
# Translators: heads of columns: the difficulty of a pack, and how many of its levels are solved.
_PACK_HEADS = N_("hard"), N_("solved")
_PACK_WIDTHS = 4, 9  # their least widths


def cut_at_a_word(text: str, width: int) -> str:
    """Return text cut to a width after a word, with dots if something was cut off.

    >>> cut_at_a_word("known 97 pushes, 230 moves", 18)
    'known 97 pushes...'
    """
    if text_width(text) <= width:
        return text
    seen = start_of(text, 2 * width)  # titles of foreign files may be a million words
    ends = (seen[: space.start()].rstrip(" ,;:(") for space in re.finditer(" +", seen))
    kept = [part for part in ends if part and text_width(part) + 3 <= width]
    return f"{kept[-1]}..." if kept else clipped(text, width)


def index_of(entries: Sequence[Level | LevelError], number: int | None) -> int:
    """Return the index of the level of this number in a list; 0 if it is not there."""
    levels = (entry.number if isinstance(entry, Level) else entry.level for entry in entries)
    return next((index for index, each in enumerate(levels) if each == number), 0)


def opens(row: PackFile | SeriesEntry | Folder | None) -> str:
    """Return the name of the list one step to the right of a row of the list of packs; empty for a folder."""
    if isinstance(row, Folder):
        return ""
    if not isinstance(row, SeriesEntry):
        return _("all levels")
    return _("all runs") if row.key == DESCENT else _("all days")


def series_row(entry: SeriesEntry, width: int) -> Line:
    """Return the line of the daily levels or the descents."""
    if entry.pack is None:
        return pack_line("!", _(entry.name), _(_UNREADABLE), width)
    from sokoterm.wording.generated import generated_words  # takes 3 ms, once a series is listed

    return pack_line("", _(entry.name), generated_words(entry.pack).standing, width)


def series_facts(entry: SeriesEntry) -> str:
    """Return facts of the daily levels or the descents, or why they cannot be read."""
    if entry.pack is None:
        return series_problem(entry)
    from sokoterm.wording.generated import generated_words  # takes 3 ms, once a series is listed

    return generated_words(entry.pack).facts


def series_problem(entry: SeriesEntry) -> str:
    """Return ``Daily: `` and why it cannot be read."""
    return printable(f"{_(entry.name)}: {entry.problem}")


class Columns(Value):
    """The columns of the lists, in the window that is shown.

    ``width`` is that of the list; beside a preview, which has the rest, levels show their boxes and difficulty first.
    ``has_lines``: bars may be box drawing.
    """

    width: int
    is_in_panes: bool = False
    has_lines: bool = False

    def of_levels(self, *, is_by_difficulty: bool) -> list[str]:
        """Return the heads of the columns behind the title of a level."""
        width = self.width
        if not self.is_in_panes:
            boxes = "hard" if is_by_difficulty else "boxes"
            return ["size"] * (width >= 44) + [boxes] * (width >= 36) + ["moves", "pushes"]
        hard = ["hard"] * is_by_difficulty
        return ["size"] * (width >= 40) + ["boxes", *hard] + ["moves", "pushes"] * (width >= 56)


def column_heads(order: SortOrder, columns: Columns, *, of_packs: bool) -> Line:
    """Return the line above the columns of a list."""
    if of_packs:
        hard, solved = map(_, _PACK_HEADS)
        figures = _pack_figures(hard, solved) if order.is_by_difficulty else solved
        return pack_line("", pgettext("heading of a column", "pack"), figures, columns.width)
    heads = {name: _(COLUMN_HEADS[name]) for name in columns.of_levels(is_by_difficulty=order.is_by_difficulty)}
    return level_line("", "#", pgettext("heading of a column", "title"), heads, columns.width)


def pack_rows(
    files: Sequence[PackFile], catalog: Catalog, order: SortOrder, columns: Columns, *, is_tree: bool
) -> list[Line]:
    """Return the lines of packs, below their folders in a tree."""
    figures, hard = catalog.figures(files), order.shown_packs(files)
    rows = []
    for file in files:
        known = figures.get(file.key)
        name = pack_name(file, known)
        if is_tree and (depth := len(folders_of(file.name))):
            name = " " * (_INDENT * depth) + parts_of(name)[-1]
        rows.append(_pack_row(name, known, catalog.problem(file), columns, hard(file.key)))
    return rows


def folder_row(folder: Folder, catalog: Catalog, columns: Columns) -> Line:
    """Return the line of a folder, with what is solved of all packs in it."""
    name = f"{' ' * (_INDENT * folder.depth)}{'+' if folder.is_folded else '-'} {printable(folder.name)}/"
    counts = catalog.count_levels(folder.files)
    if counts is None:
        return pack_line("", name, "-", columns.width)
    return _solved_line("*" if counts[0] == counts[1] else "", name, *counts, columns)


def level_rows(
    entries: Sequence[Level | LevelError], pack_session: PackSession, order: SortOrder, columns: Columns
) -> list[Line]:
    """Return the lines of levels, including those that cannot be read."""
    levels = [entry for entry in entries if isinstance(entry, Level)]
    pack_session.read_figures(levels)
    begun = pack_session.lookups.begun([level for level in levels if not pack_session.figures(level)])
    hard = order.shown_levels(pack_session)
    return [
        _level_row(entry, pack_session, _mark(pack_session, entry, begun), columns, hard(entry.number))
        if isinstance(entry, Level)
        else _error_row(entry, columns.width)
        for entry in entries
    ]


def _pack_row(name: str, figures: PackFigures | None, problem: str, columns: Columns, hard: str | None = None) -> Line:
    """Return the line of a pack; ``problem`` is why it cannot be read, or empty; ``hard`` its difficulty, if wanted."""
    width = columns.width
    if problem:
        return pack_line("!", name, _(_UNREADABLE), width)
    if figures is None:
        return pack_line("", name, "-", width)
    if not figures.levels:
        return pack_line("!", name, _(_UNREADABLE), width)
    mark = "*" if figures.is_done else "!" if figures.unreadable else ""
    if hard is None:
        return _solved_line(mark, name, figures.solved, figures.levels, columns)
    return pack_line(mark, name, _pack_figures(hard, f"{figures.solved}/{figures.levels}"), width)


def _pack_figures(hard: str, solved: str) -> str:
    """Return the figures of a pack in two columns, which have room for their heads."""
    widths = (max(least, text_width(_(head))) for head, least in zip(_PACK_HEADS, _PACK_WIDTHS, strict=True))
    return " ".join(to_right(text, width) for text, width in zip((hard, solved), widths, strict=True))


def _solved_line(mark: str, name: str, solved: int, levels: int, columns: Columns) -> Line:
    """Return a line that ends with what is solved, as a bar too where there is a preview."""
    figure = f"{solved}/{levels}"
    if not columns.is_in_panes:
        return pack_line(mark, name, figure, columns.width)
    bar = bar_line(solved, levels, has_lines=columns.has_lines)
    return pack_line(mark, name, f"{figure:>7}", columns.width, bar)


def _mark(pack_session: PackSession, level: Level, begun: Collection[int]) -> str:
    """Return the mark of a level: solved, solved with help, or begun."""
    if figures := pack_session.figures(level):
        return "+" if figures.is_helped else "*"
    return "~" if level.number in begun else ""


def _level_row(level: Level, pack_session: PackSession, mark: str, columns: Columns, hard: str | None = None) -> Line:
    """Return the line of a level, with the player's best figures; ``hard`` is its difficulty, if wanted."""
    figures = pack_session.figures(level)
    texts = {
        "size": f"{level.board.width}x{level.board.height}",
        "boxes": str(level.boxes),
        "hard": hard or "",
        "moves": str(figures.moves) if figures else "-",
        "pushes": str(figures.pushes) if figures else "-",
    }
    shown = {name: texts[name] for name in columns.of_levels(is_by_difficulty=hard is not None)}
    return level_line(mark, str(level.number), words_of(pack_session).listed_title(level), shown, columns.width)


def _error_row(error: LevelError, width: int) -> Line:
    """Return the line of a level that cannot be read."""
    text = _("cannot be read: {problem}", problem=printable(error.problem))
    return marked("!", CardText(clipped(f"{error.level:>5} {text}", width - 1)))


def draw_small_board(canvas: Canvas, area: Area, level: Level | None, appearance: Appearance) -> None:
    """Draw the start of a level in single cells, as much as fits from the top left."""
    if level is None or area.width < 3:
        return
    place = place_board(level.board, level.start.player, area, SquareSize(1, 1))
    draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)
