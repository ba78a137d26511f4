"""Pictures of the browser: its panes, the lines of its lists, the line of a filter, and the chosen level."""

from collections.abc import Iterator

from sokoterm.app.generated import SeriesEntry
from sokoterm.app.lists import Folder, ListedLevel, ListedPack, folders_of, parts_of
from sokoterm.app.options import DESCENT
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import stored_figures
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _, pgettext
from sokoterm.store.library import LevelRow
from sokoterm.store.packs import PackFile
from sokoterm.store.query import QueryError
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, Area, SquareSize, draw_board, place_board, square_size
from sokoterm.tui.widgets.frame import Canvas
from sokoterm.tui.widgets.lists import BAR, COLUMN_HEADS, level_line, marked, pack_line, to_right
from sokoterm.tui.widgets.parts import CardText, Line, draw_line, figure_lines, small_gauge
from sokoterm.wording.columns import clipped, cut_at_a_word, text_width
from sokoterm.wording.lists import note_lines, pack_name, place_of_filter, played_text, preview_lines, query_problem
from sokoterm.wording.packs import generated_words_of, words_of
from sokoterm.wording.standing import figure_rows

# Panes

_LIST_WIDTH = 57  # least columns of the list beside a picture
PICTURE_FROM = 72
"""Columns from which there is room for a picture."""
_PANES_FROM = 100  # columns from which there is room for three panes
# Shares of the three panes and the rules between them, and the most columns that lists need.
_PACKS_PERCENT, _MOST_OF_PACKS = 27, 44
_LEVELS_PERCENT, _MOST_OF_LEVELS = 37, 66
_RULE = 3


class Panes(Value):
    """The columns of a window: where there is no room for three panes, ``packs`` and ``levels`` are the same."""

    packs: range
    levels: range
    preview: range

    @property
    def are_three(self) -> bool:
        return self.packs != self.levels


def panes_of(columns: int) -> Panes:
    """Return the panes of a window of so many columns."""
    if columns < _PANES_FROM:
        width = max(_LIST_WIDTH, columns // 2) if columns >= PICTURE_FROM else columns
        return Panes(range(width), range(width), range(width + 2, columns))
    packs = range(min(columns * _PACKS_PERCENT // 100, _MOST_OF_PACKS))
    left = packs.stop + _RULE
    levels = range(left, left + min(columns * _LEVELS_PERCENT // 100, _MOST_OF_LEVELS))
    return Panes(packs, levels, range(levels.stop + _RULE, columns))


# Lines

_INDENT = 2  # columns for each folder around a row
_UNREADABLE = N_("cannot be read")
# Translators: heads of columns: the difficulty of a pack, and how many of its levels are solved.
_PACK_HEADS = N_("hard"), N_("solved")
_PACK_WIDTHS = 4, 9  # their least widths


_LEAST_TOLD = 20  # columns from which there is room for words beside the filter


def typed_line(typed: str, problem: QueryError | None, columns: int, note: str, *, of_packs: bool) -> str:
    """Return a filter while it is typed, with what is wrong with it, a note or what it filters, as room allows."""
    told = query_problem(problem) if problem is not None else note or place_of_filter(of_packs=of_packs)
    if text_width(line := f"{typed}   {told}") <= columns:
        return line
    has_room = text_width(typed) + _LEAST_TOLD <= columns
    return cut_at_a_word(line, columns) if has_room else clipped(typed, columns)


def opens(row: PackFile | SeriesEntry) -> str:
    """Return the name of the list one step to the right of a row of the list of packs."""
    if not isinstance(row, SeriesEntry):
        return _("all levels")
    return _("all runs") if row.key == DESCENT else _("all days")


def series_row(entry: SeriesEntry, width: int) -> Line:
    """Return the line of the daily levels or the descents."""
    words = generated_words_of(entry.pack)
    if words is None:
        return pack_line("!", _(entry.name), _(_UNREADABLE), width)
    return pack_line("", _(entry.name), words.standing, width)


def series_facts(entry: SeriesEntry) -> str:
    """Return facts of the daily levels or the descents, or why they cannot be read."""
    words = generated_words_of(entry.pack)
    return words.facts if words is not None else series_problem(entry)


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


def heads_of_packs(columns: Columns, *, is_by_difficulty: bool) -> Line:
    """Return the line above the columns of the list of packs."""
    hard, solved = map(_, _PACK_HEADS)
    figures = _pack_figures(hard, solved) if is_by_difficulty else solved
    return pack_line("", pgettext("heading of a column", "pack"), figures, columns.width)


def heads_of_levels(columns: Columns, *, is_by_difficulty: bool) -> Line:
    """Return the line above the columns of a list of levels."""
    heads = {name: _(COLUMN_HEADS[name]) for name in columns.of_levels(is_by_difficulty=is_by_difficulty)}
    return level_line("", "#", pgettext("heading of a column", "title"), heads, columns.width)


def folder_row(folder: Folder, counts: tuple[int, int] | None, columns: Columns) -> Line:
    """Return the line of a folder; ``counts`` are the solved levels in it and all of them, if they are known."""
    indent = " " * (_INDENT * len(folders_of(folder.path)))
    name = f"{indent}{'+' if folder.is_folded else '-'} {printable(parts_of(folder.path)[-1])}/"
    if counts is None:
        return pack_line("", name, "-", columns.width)
    return _solved_line("*" if counts[0] == counts[1] else "", name, *counts, columns)


def pack_row(listed: ListedPack, columns: Columns, *, is_tree: bool) -> Line:
    """Return the line of a pack, below its folder in a tree."""
    figures, width = listed.figures, columns.width
    name = pack_name(listed.file, figures)
    if is_tree and (depth := len(folders_of(listed.file.name))):
        name = " " * (_INDENT * depth) + parts_of(name)[-1]
    if listed.problem or figures is not None and not figures.levels:
        return pack_line("!", name, _(_UNREADABLE), width)
    if figures is None:
        return pack_line("", name, "-", width)
    mark = "*" if figures.is_done else "!" if figures.unreadable else ""
    if listed.hard is None:
        return _solved_line(mark, name, figures.solved, figures.levels, columns)
    return pack_line(mark, name, _pack_figures(listed.hard, f"{figures.solved}/{figures.levels}"), width)


def _pack_figures(hard: str, solved: str) -> str:
    """Return the figures of a pack in two columns, which have room for their heads."""
    widths = (max(least, text_width(_(head))) for head, least in zip(_PACK_HEADS, _PACK_WIDTHS, strict=True))
    return " ".join(to_right(text, width) for text, width in zip((hard, solved), widths, strict=True))


def _solved_line(mark: str, name: str, solved: int, levels: int, columns: Columns) -> Line:
    """Return a line that ends with what is solved, as a bar too where there is a preview."""
    figure = f"{solved}/{levels}"
    if not columns.is_in_panes:
        return pack_line(mark, name, figure, columns.width)
    bar = small_gauge(solved, levels, BAR, has_lines=columns.has_lines)
    return pack_line(mark, name, f"{figure:>7}", columns.width, bar)


def level_row(listed: ListedLevel, pack_session: PackSession, columns: Columns) -> Line:
    """Return the line of a level, with the player's best figures, or why it cannot be read."""
    level, figures, hard = listed.entry, listed.figures, listed.hard
    if isinstance(level, LevelError):
        text = _("cannot be read: {problem}", problem=printable(level.problem))
        return marked("!", CardText(clipped(f"{level.level:>5} {text}", columns.width - 1)))
    texts = {
        "size": f"{level.board.width}x{level.board.height}",
        "boxes": str(level.boxes),
        "hard": hard or "",
        "moves": str(figures.moves) if figures else "-",
        "pushes": str(figures.pushes) if figures else "-",
    }
    shown = {name: texts[name] for name in columns.of_levels(is_by_difficulty=hard is not None)}
    mark = ("+" if figures.is_helped else "*") if figures else "~" if listed.is_begun else ""
    return level_line(mark, str(level.number), words_of(pack_session).listed_title(level), shown, columns.width)


# The chosen level


def draw_small_board(canvas: Canvas, area: Area, level: Level | None, appearance: Appearance) -> None:
    """Draw the start of a level in single cells, as much as fits from the top left."""
    if level is None or area.width < 3:
        return
    place = place_board(level.board, level.start.player, area, SquareSize(1, 1))
    draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)


_MOST_NOTE_LINES = 12


def draw_preview(
    canvas: Canvas,
    area: Area,
    pack_session: PackSession,
    level: Level,
    row: LevelRow | None,
    appearance: Appearance,
) -> None:
    """Draw the start of a level as large as fits, the figures below it and, where there is room, the pack's note.

    ``row`` is the level's row in the index, if it is there.
    """
    lines = list(_figure_lines(pack_session, level, row, area.width))
    height = max(area.height - len(lines) - 1, area.height // 2)
    appearance = appearance._replace(zoom=0)
    size = square_size(appearance, level.board, height, area.width)
    height = min(height, level.board.height * size.rows)
    board = Area(area.top, area.left, height, area.width)
    place = place_board(level.board, level.start.player, board, size)
    draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)
    top, bottom = area.top + height + 1, area.top + area.height
    note = [(CardText(text, styles.QUIET),) for text in note_lines(pack_session, area.width, _MOST_NOTE_LINES)]
    if note:
        lines += [(), *note]
    for place_of_line, line in enumerate(lines[: max(0, bottom - top)], start=top):
        draw_line(canvas, place_of_line, area.left, area.width, line)


def _figure_lines(pack_session: PackSession, level: Level, row: LevelRow | None, width: int) -> Iterator[Line]:
    title, *others = preview_lines(pack_session, level, row)
    yield (CardText(title, styles.TITLE),)
    yield from ((CardText(text),) for text in others)
    figures = stored_figures(pack_session, level)
    if rows := figure_rows(figures, figures.best):
        yield from figure_lines(rows, width=width)
    if played := played_text(row):
        yield (CardText(played),)
