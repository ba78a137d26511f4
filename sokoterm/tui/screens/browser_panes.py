"""The browser's panes: packs, levels and a preview of the chosen level, below the name of the game.

A wide window shows all three, a medium one the list with the cursor and the preview, a narrow one the list. Room for
figures that are not yet known is reserved from the first frame on.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import DailyPack, GeneratedPack, SeriesEntry
from sokoterm.app.keymap import Keymap
from sokoterm.app.lists import Folder, LevelSort, ListedLevel, ListedPack, Lists, Resume, folders_of, parts_of
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import stored_figures
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _, listed, pgettext, pushes_text
from sokoterm.solver.figures import read_figures
from sokoterm.store.packs import PackFile
from sokoterm.tui.screens.browser_lists import BrowserLists, Heads, PackRow
from sokoterm.tui.widgets import parts
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, draw_board, place_board, square_size
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Area, CardText, Line, Size
from sokoterm.tui.widgets.lettering import NAME_ROWS, draw_name, room_beside_name
from sokoterm.wording import lists as wording
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, padded, text_width
from sokoterm.wording.figures import date_text
from sokoterm.wording.packs import generated_words_of, words_of
from sokoterm.wording.standing import figure_rows

_LIST_WIDTH = 40  # minimum columns of a list beside another pane, enough for the names of bundled packs
_PREVIEW_FROM = 72  # minimum columns of a window with a preview
_WIDTH = 80  # usual columns; most of the columns beyond these go to the preview
_PANES_FROM = 120  # minimum columns of a window with three panes
_MOST_OF_PACKS, _MOST_OF_LEVELS = 54, 72  # columns that lists need at most
_EDGE = 5  # columns of a pane's upper edge besides title and figures
_LINES_BELOW = 2  # the facts and the keys

_NAME_FROM = 22  # minimum rows of a window with the name of the game
_STEPS = range(2, 10)  # of the stairs that represent a descent
_DAYS = 7  # in the bar of a streak

_MOST_COUNTED = 100  # packs whose levels are counted for the list's title
_NOTE_FROM = 25  # minimum rows of a preview with a note
_MOST_NOTE_LINES = 12  # of a pack in the preview
_INDENT = 2  # columns per level of folders
_WIDEST_HEAD, _BAR = 9, 5  # columns of a head that is whole, and the fewest of the bar of a pack
_MARK_STYLES = {"*": styles.GOOD, "+": styles.KEY, "~": styles.WARNING, "!": styles.MARK_DEAD}
_HARDEST, _HARD_BAR = 100, 8  # the highest difficulty, and the columns of its bar
UNREADABLE = N_("cannot be read")
# Translators: heads of columns: the difficulty of a pack, and how many of its levels are solved.
_PACK_COLUMNS = (N_("hard"), 4), (N_("solved"), 7)  # with minimum widths


class _Column(NamedTuple):
    """A column of levels: heading, minimum width, width of a list with it (with a preview, without one), text."""

    head: str
    width: int
    room: tuple[int, int]
    text: Callable[[Level, ListedLevel], str]


_LEVEL_COLUMNS = {
    # Translators: heads of narrow columns, better at most 6 wide: the size of the board, its boxes, its difficulty, the
    # player's fewest moves and pushes.
    "size": _Column(N_("size"), 7, (40, 56), lambda level, __: f"{level.board.width}x{level.board.height}"),
    "boxes": _Column(N_("boxes"), 5, (0, 48), lambda level, __: str(level.boxes)),
    "hard": _Column(N_("hard"), 5, (0, 36), lambda __, about: about.hard or ""),
    # A date that is used as a title is never cut.
    "moves": _Column(N_("moves"), 6, (56, 40), lambda __, about: str(about.figures.moves) if about.figures else "-"),
    "pushes": _Column(N_("pushes"), 6, (56, 0), lambda __, about: str(about.figures.pushes) if about.figures else "-"),
}


class Layout(Value):
    """The areas of the panes; without room for three, ``packs`` and ``levels`` are the same and one is shown."""

    packs: Area
    levels: Area
    preview: Area | None

    @property
    def are_three(self) -> bool:
        return self.packs != self.levels

    @property
    def has_note(self) -> bool:
        return self.preview is not None and self.preview.height >= _NOTE_FROM

    @property
    def level_rows(self) -> Area:
        """The rows of the list of levels, below the headings."""
        area = self.levels.inside
        return area._replace(top=area.top + 1, height=area.height - 1)


def layout_of(size: Size, *, shows_levels: bool) -> Layout:
    """Return the layout of a window; ``shows_levels``: the cursor is in the list of levels."""
    rows, columns = size
    are_three, extra = columns >= _PANES_FROM, max(0, columns - _PANES_FROM)
    top = NAME_ROWS if rows >= _NAME_FROM and (are_three or not shows_levels) else 0
    widths = [columns]
    if are_three:
        widths = [min(_LIST_WIDTH + extra // 6, _MOST_OF_PACKS), min(_LIST_WIDTH + extra // 3, _MOST_OF_LEVELS)]
    elif columns >= _PREVIEW_FROM:
        widths = [_LIST_WIDTH + max(0, columns - _WIDTH) // 10]
    lists, left = list[Area](), 0
    for width in widths:
        lists.append(Area(top, left, rows - top - _LINES_BELOW, width))
        left += width
    preview = lists[0]._replace(left=left, width=columns - left) if left < columns else None
    return Layout(lists[0], lists[-1], preview)


class BrowserPanes:
    """Draws both lists and the preview; ``layout`` is set by ``fit``."""

    def __init__(self, lists: BrowserLists, model: Lists, catalog: Catalog, keymap: Keymap) -> None:
        self.layout = layout_of(Size(24, 80), shows_levels=False)
        self._lists = lists
        self._model = model
        self._catalog = catalog
        self._keymap = keymap

    @property
    def list_area(self) -> Area:
        return self.layout.packs.inside if self._lists.pack_session is None else self.layout.level_rows

    def fit(self, size: Size) -> None:
        """Scroll to the chosen rows, and open visible series to show their state."""
        lists = self._lists
        self.layout = layout = layout_of(size, shows_levels=lists.pack_session is not None)
        packs = lists.pack_rows()
        lists.packs.passed = next((index for index, row in enumerate(packs) if isinstance(row, Heads)), -1)
        lists.packs.scroll(len(packs), layout.packs.inside.height)
        are_shown = layout.are_three or lists.pack_session is None
        packs = packs[lists.packs.page(layout.packs.inside.height)] if are_shown else ()
        for row in packs:
            if isinstance(row, SeriesEntry) and not row.problem:  # only the player retries a failed one
                row.open()
        lists.look_beside()
        levels = lists.level_rows()
        lists.levels.scroll(len(levels), layout.level_rows.height)
        self._model.shown = [row for row in packs if isinstance(row, PackFile)]
        levels = levels[lists.levels.page(layout.level_rows.height)]
        self._model.shown_levels = [row for row in levels if isinstance(row, Level)]

    def draw(self, canvas: Canvas, appearance: Appearance) -> None:
        lists, layout = self._lists, self.layout
        if layout.packs.top:
            self._draw_name(canvas)
        if layout.are_three or lists.pack_session is None:
            self._draw_packs(canvas)
        if layout.are_three or lists.pack_session is not None:
            self._draw_levels(canvas)
        if layout.preview is not None:
            self._draw_preview(canvas, layout.preview, appearance)

    def _draw_name(self, canvas: Canvas) -> None:
        daily = next((row.pack for row in self._lists.series if isinstance(row.pack, DailyPack)), None)
        packs = len(self._model.files)
        title, *more = wording.greeting(self._count(), packs if packs > _MOST_COUNTED else 0, daily)
        lines = [*parts.plain_lines([title], styles.TITLE), *parts.plain_lines(more, styles.QUIET)]
        days = min(daily.streak.now, _DAYS) if daily is not None else 0
        if days and text_width(more[-1]) + 1 + _DAYS <= room_beside_name(canvas.width):
            lines[-1] = (*lines[-1], CardText(" "), *parts.gauge(days, _DAYS, _DAYS))
        draw_name(canvas, lines)

    def _count(self) -> tuple[int, int] | None:
        """Return the numbers of solved and of all levels; None if unknown or if there are many packs."""
        files = [file for file in self._model.files if not file.is_series]  # their levels belong to other packs
        figures = self._catalog.figures(files).values() if len(files) <= _MOST_COUNTED else ()
        if len(figures) < sum(not self._catalog.problem(file) for file in files):
            return None
        return sum(each.solved for each in figures), sum(each.levels for each in figures)

    def _draw_packs(self, canvas: Canvas) -> None:
        lists, area = self._lists, self.layout.packs.inside
        rows = lists.pack_rows()
        files = iter(self._model.about_packs(self._model.shown))
        shown = rows[lists.packs.page(area.height)]
        lines = [self._pack_row(row, next(files) if isinstance(row, PackFile) else None, area.width) for row in shown]
        figures = ""
        if lists.is_tree and (count := self._count()) is not None:
            figures = wording.solved_text(*count)
            if text_width(_("Packs") + figures) > area.width - _EDGE:
                figures = f"{count[0]}/{count[1]}"
        self._draw_list(canvas, _("Packs"), figures, lines, len(rows))

    def _pack_row(self, row: PackRow, about: ListedPack | None, width: int) -> Line:
        """Return a row of the list of packs, with its solved levels, as a bar too if there is room."""
        mark, counts = "", None
        known = about.figures if about is not None else None
        columns = _PACK_COLUMNS if self._model.is_by_difficulty else _PACK_COLUMNS[1:]
        if isinstance(row, Heads):
            heads = _in_columns([_(head) for head, __ in columns], columns)
            return parts.plain_lines([f"{'─' * (width - text_width(heads) - 1)} {heads}"], styles.QUIET)[0]
        if isinstance(row, Resume):
            known = self._catalog.figures([row.file]).get(row.file.key)
            return self._leading_line(wording.start_text(row), wording.resume_text(row, known), styles.ACCENT, width)
        if isinstance(row, SeriesEntry):
            words = generated_words_of(row.pack)
            if words is None:
                return _pack_line("!", _(row.name), _(UNREADABLE), width)
            return self._leading_line(_(row.name), words.standing, styles.GOOD, width, styles.QUIET)
        if isinstance(row, Folder):
            indent, sign = " " * (_INDENT * len(folders_of(row.path))), "+" if row.is_folded else "-"
            name = f"{indent}{sign} {printable(parts_of(row.path)[-1])}/"
            counts = self._catalog.count_levels(row.files)
            mark = "*" if counts is not None and counts[0] == counts[1] else ""
        else:
            name, depth = wording.pack_name(row, known), len(folders_of(row.name))
            if self._lists.is_tree and depth:
                name = " " * (_INDENT * depth) + parts_of(name)[-1]
            if about is not None and about.problem or known is not None and not known.levels:
                return _pack_line("!", name, _(UNREADABLE), width)
            if known is not None:
                mark = "*" if known.is_done else "!" if known.unreadable else ""
                counts = known.solved, known.levels
        hard = about.hard if about is not None else None
        solved = f"{counts[0]}/{counts[1]}" if counts is not None else ""
        figures = _in_columns((hard or "", solved)[-len(columns) :], columns)
        return _pack_line(mark, name, figures, width, parts.gauge(*(counts or (0, 1)), max(_BAR, width // 7)))

    def _leading_line(self, label: str, text: str, style: str, width: int, text_style: str = PLAIN) -> Line:
        """Return a row above the packs: a stripe, a label and a state."""
        labels = [_(entry.name) for entry in self._lists.series]
        if self._lists.resume is not None:
            labels.append(wording.start_text(self._lists.resume))
        column = max(map(text_width, labels)) + 1
        text = cut_at_a_word(text, width - column - 1)
        return CardText("▌", style), CardText(padded(label, column), styles.TITLE), CardText(text, text_style)

    def _draw_levels(self, canvas: Canvas) -> None:
        lists, area = self._lists, self.layout.level_rows
        pack_session = lists.shown_pack
        if pack_session is None:
            canvas.draw_pane(self.layout.levels, self._chosen_name)
            return
        rows, words = lists.level_rows(), words_of(pack_session)
        columns = self._level_columns(area.width)
        widths, title = [column[:2] for column in columns], pgettext("heading of a column", "title")
        head = _level_line((), "#", title, [_(column.head) for column in columns], widths, area.width)
        lines: list[Line] = []
        for about in self._model.about_levels(pack_session, rows[lists.levels.page(area.height)]):
            level = about.entry
            if isinstance(level, LevelError):
                text = _("cannot be read: {problem}", problem=printable(level.problem))
                lines.append((_mark("!"), CardText(clipped(f"{level.level:>6} {text}", area.width - 1))))
                continue
            mark = _mark("+" if about.figures else "~" * about.is_begun)
            signs = parts.star_line(about.stars) if about.stars else [mark]
            texts = [column.text(level, about) for column in columns]
            title, heart = words.listed_title(level), " ♥" if about.is_collected else ""
            lines.append(_level_line(signs, str(level.number), title, texts, widths, area.width, heart))
        if not rows and self.layout.preview is None:
            lines = self._beginning(area.width)
        heads_line = parts.plain_lines(["".join(part.text for part in head)], styles.QUIET)
        self._draw_list(canvas, words.name, "", lines, len(rows), heads_line)

    @property
    def _chosen_name(self) -> str:
        if (words := generated_words_of(self._lists.shown_pack)) is not None:
            return words.name
        file = self._lists.chosen_file
        return wording.pack_name(file, self._catalog.figures([file]).get(file.key)) if file is not None else ""

    def _level_columns(self, width: int) -> list[_Column]:
        """Return the columns that fit; the difficulty, if shown, may replace the boxes."""
        is_by_difficulty, is_alone = self._model.is_by_difficulty, self.layout.preview is None
        left_out = "hard" if not is_by_difficulty else "boxes" if not self.layout.are_three else ""
        return [each for name, each in _LEVEL_COLUMNS.items() if name != left_out and width >= each.room[is_alone]]

    def _beginning(self, width: int) -> list[Line]:
        """Return how to start a generated pack and what it is; nothing for other packs or if it has levels."""
        pack_session = self._lists.shown_pack
        words = generated_words_of(pack_session)
        if pack_session is None or words is None or self._lists.level_rows() or self._lists.filter.text:
            return []
        number = pack_session.start_number() or 1
        lines = [*parts.plain_lines(folded(self.not_begun(pack_session, number), width), styles.KEY), ()]
        if isinstance(pack_session, DailyPack):
            from sokoterm.tui.screens.daily import week_lines  # only for a day not yet begun

            lines += week_lines(pack_session, number, width)
        else:
            stairs = [step for step in _STEPS for __ in range(width // len(_STEPS))]
            lines += parts.plain_lines(parts.bars(stairs, len(_STEPS) // 2), styles.GOOD)
        return [*lines, *(line for text in words.about for line in [(), *parts.plain_lines(folded(text, width))])]

    def not_begun(self, pack_session: PackSession, number: int) -> str:
        """Return a message that a generated level is not begun, with the keys that start it."""
        level = words_of(pack_session).title(number)
        back, play = self._keymap.key_of("close"), self._keymap.key_of("accept")
        if self._lists.pack_session is None:
            return _("{level} not begun: {play} starts it", level=level, play=play)
        return _("{level} not begun: {back}, then {play} starts it", level=level, back=back, play=play)

    # Both lists

    def _draw_list(
        self, canvas: Canvas, title: str, figures: str, lines: list[Line], length: int, heads: Sequence[Line] = ()
    ) -> None:
        """Draw a list with its chosen line in its pane; the title includes the sort order.

        ``heads`` are the headings of levels. If the ``length`` exceeds the pane, the lines shown replace the figures.
        """
        lists, sort, pane = self._lists, self._model.sort, self.layout.levels if heads else self.layout.packs
        choice, area = lists.levels if heads else lists.packs, pane.inside
        has_cursor, page = choice is lists.choice, area.height - len(heads)
        if length > page:
            rows = choice.first, min(choice.first + page, length), length
            first, last, total = (row - (0 <= choice.passed < row) for row in rows)  # the headings are not an entry
            # Translators: which lines of a list are shown.
            figures = _("{first}-{last} of {total}", first=first + 1, last=last, total=total)
        title = title if sort is LevelSort.PLACE else listed([title, wording.order_text(sort)])
        canvas.draw_pane(pane, title, figures, has_focus=has_cursor)
        if not lines and has_cursor:
            key = self._keymap.key_of("cancel")
            text = _("nothing matches: {key} clears the search", key=key) if lists.filter.text else _("nothing here")
            lines = parts.plain_lines(folded(lists.unknown or text, area.width))
        chosen = choice.index - choice.first + len(heads) if length else -1
        canvas.draw_list(area, [*heads, *lines], chosen, styles.CHOSEN if has_cursor else styles.KEY)

    def _draw_preview(self, canvas: Canvas, pane: Area, appearance: Appearance) -> None:
        pack_session, level = self._lists.shown_pack, self._lists.chosen_entry
        if pack_session is None or not isinstance(level, Level):
            area = canvas.draw_pane(pane, self._chosen_name)
            canvas.draw_list(area, self._beginning(area.width))
            return
        words = words_of(pack_session)
        area = canvas.draw_pane(pane, words.listed_title(level) or words.label(level), words.heading_parts(level)[1])
        # The first frame does not wait for the library.
        row = self._catalog.level_row(pack_session.key, level.number) if self._catalog.is_open else None
        hard = wording.difficulty_text(row.shown) if row is not None else ""
        number = row.hard if row is not None and hard else 0
        first, *others = wording.level_lines(pack_session, level)
        stars = pack_session.stars(level)
        lines = [parts.at_both_ends(CardText(first), *(parts.star_line(stars, " ") if stars else ()), width=area.width)]
        if not isinstance(pack_session, GeneratedPack):
            lines.append((*parts.gauge(min(number, _HARDEST), _HARDEST, _HARD_BAR), CardText(f" {hard}", styles.QUIET)))
            if row is not None and row.shown and hard:
                lines += parts.plain_lines(
                    folded(wording.rating_text(row.shown, read_figures(row.figures)), area.width), styles.QUIET
                )
        if pushes := pack_session.lookups.open_pushes(level):
            lines += parts.plain_lines([_("in play: {pushes}", pushes=pushes_text(pushes))], styles.ACCENT)
        lines += parts.plain_lines(others, styles.QUIET)
        figures = stored_figures(pack_session, level)
        lines += parts.figure_lines(figure_rows(figures), area.width)
        if row is not None and row.last_played:
            lines += parts.plain_lines([_("last played {date}", date=date_text(row.last_played))], styles.QUIET)
        room = max(area.height - len(lines) - 1, area.height // 2)
        squares = square_size(appearance._replace(zoom=0), level.board, room, area.width)
        height = min(room, level.board.height * squares.rows)
        top = area.top + min(1, room - height)
        place = place_board(level.board, level.start.player, area._replace(top=top, height=height), squares)
        draw_board(canvas, place, level, level.start, appearance.theme)
        if self.layout.has_note:
            lines += [(), *self._note(area.width)]
        top += height + 1
        canvas.draw_list(area._replace(top=top, height=area.top + area.height - top), lines)

    def _note(self, width: int) -> list[Line]:
        pack_session, note = self._lists.shown_pack, list[str]()
        if (words := generated_words_of(pack_session)) is not None:
            note = folded(words.facts, width)
        elif pack_session is not None:
            note = wording.note_lines(pack_session, width, _MOST_NOTE_LINES)
        return parts.plain_lines(note, styles.QUIET)


def _pack_line(mark: str, name: str, figures: str, width: int, bar: Line = ()) -> Line:
    name_width = width - text_width(figures) - len("*  ")
    beside = name_width - parts.line_width(bar) - 1
    gap: Line = ()
    if bar and text_width(name) <= beside:
        name_width, gap = beside, (CardText(" "), *bar)
    return _mark(mark), CardText(f" {parts.fitted(name, max(4, name_width))}"), *gap, CardText(f" {figures}")


def _level_line(
    mark: Line,
    number: str,
    title: str,
    texts: Sequence[str],
    columns: Sequence[tuple[str, int]],
    width: int,
    end: str = "",
) -> Line:
    """Return the line of a level; ``end`` follows the title, which is shortened if necessary."""
    signs, figures = parts.line_width(mark), _in_columns(texts, columns)
    room = max(1, width - text_width(figures) - 9 - len(end))
    figures = f" {figures}"[: width - room - len(end) - len(" ***1000")]
    text = CardText(f" {parts.fitted(title, room)}"), CardText(end, styles.ACCENT), CardText(figures)
    return (*mark, CardText(f"{number:>{7 - signs}}", styles.QUIET), *text)


def _in_columns(texts: Sequence[str], columns: Sequence[tuple[str, int]]) -> str:
    """Right-align figures in columns, given by headings and minimum widths; long headings may be cut."""
    widths = (max(least, min(text_width(_(head)), _WIDEST_HEAD)) for head, least in columns)
    return " ".join(parts.to_right(clipped(text, width), width) for text, width in zip(texts, widths, strict=True))


def _mark(mark: str) -> CardText:
    return CardText(mark or " ", _MARK_STYLES.get(mark, PLAIN))
