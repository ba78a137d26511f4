"""The browser: packs with their solved levels, levels with their figures, and a preview of the chosen one.

A wide window shows all three side by side, a narrower one the list with the cursor, with a small picture if there is
room.

A pack is read when it is entered, or, a small one, when the cursor rests on it; what the list says of the others comes
from the index, and those that it does not know are learned while no key is pressed.
"""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from sokoterm.app.catalog import Catalog
from sokoterm.app.generated import DescentPack, GeneratedPack, SeriesEntry
from sokoterm.app.keymap import BROWSER, Keymap, by_place
from sokoterm.app.lists import Folder, LevelSort, ListedLevel, ListedPack, Lists, folders_of, parts_of
from sokoterm.app.options import DESCENT
from sokoterm.app.pack_session import PackSession, number_of
from sokoterm.app.play import stored_figures
from sokoterm.app.request import Ask, OpenEditor, ShowRuns, Start
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _, listed, pgettext
from sokoterm.store.packs import PackError, PackFile
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.browser_lists import BrowserLists, PackRow
from sokoterm.tui.screens.screen import Reaction, Screen, edited
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    Hints,
    Size,
    SquareSize,
    draw_board,
    place_board,
    square_size,
)
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.parts import (
    BAR,
    CardText,
    Choice,
    Line,
    StatusText,
    draw_keys,
    draw_list,
    draw_message,
    draw_rule,
    draw_title,
    figure_lines,
    gauge,
    in_columns,
    level_line,
    marked,
    pack_line,
    plain_lines,
    star_line,
)
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, text_width
from sokoterm.wording.figures import date_text
from sokoterm.wording.lists import (
    NO_FILTER,
    NOTHING_FOUND,
    WHY_NOT_OWN,
    changed_text,
    folder_facts,
    graded_text,
    level_facts,
    note_lines,
    order_text,
    pack_facts,
    pack_name,
    preview_lines,
    query_problem,
    unknown_text,
)
from sokoterm.wording.packs import generated_words_of, words_of
from sokoterm.wording.standing import figure_rows

_Row = TypeVar("_Row")

_LIST_WIDTH = 57  # least columns of the list beside a picture
_PICTURE_FROM = 72  # columns from which there is room for a picture
_PANES_FROM = 100  # columns from which there is room for three panes
# Shares of the three panes and the rules between them, and the most columns that lists need.
_PACKS_PERCENT, _MOST_OF_PACKS = 27, 44
_LEVELS_PERCENT, _MOST_OF_LEVELS = 37, 66
_RULE = 3

_LONGEST = 200  # of pasted text; no title or file name is longer
_LEAST_TOLD = 20  # columns from which there is room for words beside the filter
_MOST_NOTE_LINES = 12  # of a pack, in the preview
_INDENT = 2  # columns for each folder around a row
_UNREADABLE = N_("cannot be read")
# Translators: heads of columns: the difficulty of a pack, and how many of its levels are solved.
_PACK_COLUMNS = (N_("hard"), 4), (N_("solved"), 9)  # with their least widths


class _Column(NamedTuple):
    """A column of the list of levels, behind the title: its head, its least width, and its text for a level.

    ``room``: the widths of the list from which it is shown, with the packs beside it and without.
    """

    head: str
    width: int
    room: tuple[int, int]
    text: Callable[[Level, ListedLevel], str]


_LEVEL_COLUMNS = {
    # Translators: heads of narrow columns, better at most 6 wide: the size of the board, its boxes, its difficulty, the
    # player's fewest moves and pushes.
    "size": _Column(N_("size"), 7, (40, 44), lambda level, __: f"{level.board.width}x{level.board.height}"),
    "boxes": _Column(N_("boxes"), 5, (0, 36), lambda level, __: str(level.boxes)),
    "hard": _Column(N_("hard"), 5, (0, 36), lambda __, about: about.hard or ""),
    "moves": _Column(N_("moves"), 6, (56, 0), lambda __, about: str(about.figures.moves) if about.figures else "-"),
    "pushes": _Column(N_("pushes"), 6, (56, 0), lambda __, about: str(about.figures.pushes) if about.figures else "-"),
}
# Columns of a list below which there is less room for the moves: a date in place of a title is never cut.
_NARROW = 36


class _Panes(Value):
    """The columns of a window: where there is no room for three panes, ``packs`` and ``levels`` are the same."""

    packs: range
    levels: range
    preview: range

    @property
    def are_three(self) -> bool:
        return self.packs != self.levels


def _panes_of(columns: int) -> _Panes:
    if columns < _PANES_FROM:
        width = max(_LIST_WIDTH, columns // 2) if columns >= _PICTURE_FROM else columns
        return _Panes(range(width), range(width), range(width + 2, columns))
    packs = range(min(columns * _PACKS_PERCENT // 100, _MOST_OF_PACKS))
    left = packs.stop + _RULE
    levels = range(left, left + min(columns * _LEVELS_PERCENT // 100, _MOST_OF_LEVELS))
    return _Panes(packs, levels, range(levels.stop + _RULE, columns))


class BrowserScreen(Screen):
    """A list of packs and, one step to the right, of a pack's levels; ``lists`` are both, with their cursors."""

    def __init__(
        self, model: Lists, catalog: Catalog, keymap: Keymap = BROWSER, series: Sequence[SeriesEntry] = ()
    ) -> None:
        """``series`` stand above the packs of the ``model``."""
        self.keymap = keymap
        self._model = model
        self._catalog = catalog
        self.lists = BrowserLists(model, catalog, series)
        # The pack that is to be renamed, with its new name as it is typed, or to be removed where that is None.
        self._changing: tuple[PackFile, str | None] | None = None
        self._rests = False  # no key came between two ticks
        self._page = 10
        self._panes = _panes_of(0)
        if len(model.files) == 1 and (opened := self._opened()) is not None:
            self._enter_pack(opened)

    @property
    def reads_text(self) -> bool:
        return self.lists.filter.reads_text or self._changing is not None

    # Work while no key is pressed

    def wake_after(self) -> float | None:
        is_due = self._pictureless() is not None or self._is_replaying
        return 0.0 if is_due else self._model.wake_after(self.lists.pack_session)

    def tick(self) -> None:
        """Read the chosen pack for its picture, learn a pack or replay, unless a key came since the last tick."""
        lists, pack_session = self.lists, self.lists.pack_session
        is_indexed = self._model.wake_after(pack_session) != 0.0
        if not self._rests:
            self._rests = True
        elif (file := self._pictureless()) is not None:
            self._model.open(file)
        elif is_indexed and pack_session is not None and self._is_replaying:
            pack_session.lookups.go_on()
        else:
            chosen = lists.chosen
            if self._model.work(pack_session):
                lists.choose(chosen, in_place=True)

    def _unknown(self) -> str:
        """Return how many packs a filter of all packs cannot find yet, as they are not indexed."""
        is_of_packs = self.lists.pack_session is None and self.lists.filter.text
        return unknown_text(self._catalog.count_unknown(self._model.files)) if is_of_packs else ""

    @property
    def _is_replaying(self) -> bool:
        """True if solutions of the pack whose levels are shown are still to be replayed."""
        return self.lists.pack_session is not None and self.lists.pack_session.lookups.is_replaying

    def _pictureless(self) -> PackFile | None:
        """Return the chosen pack if it is small and was not read yet."""
        file = self.lists.chosen_file if self.lists.pack_session is None and self._model.shown else None
        if file is None or self._model.get(file) is not None or self._catalog.problem(file):
            return None
        return file if self._catalog.is_small(file) else None

    # Keys

    def update(self, action: str | None, key: str) -> Reaction | None:
        self.message = ""
        self._rests = False
        self._model.rest()
        try:
            return self._act(action, key)
        except PackError as error:
            self.message = str(error)
            return None

    def _act(self, action: str | None, key: str) -> Reaction | None:
        lists = self.lists
        if self._changing is not None:
            self._answer(*self._changing, key)
            return None
        if lists.filter.reads_text:
            self._type(key)
            return None
        match action:
            case "accept":
                return self._accept()
            case "open" if lists.pack_session is None:
                return self._open()
            case "close" if lists.pack_session is not None:
                self._leave_pack()
            case "close":
                lists.leave_folder()
            case "cancel" if lists.filter.text:
                lists.end_filter()
            case "cancel":
                return Ask.CLOSE
            case "search":
                lists.begin_filter()
            case "next unsolved":
                self._next_unsolved()
            case "series":
                return self._play_found()
            case "statistics":
                return Ask.SHOW_STATISTICS
            case "edit":
                return self._edit()
            case "draw":
                return OpenEditor()
            case "order" | "order back":
                self._sort(1 if action == "order" else -1)
            case "rename" | "remove":
                file = lists.chosen_file if lists.pack_session is None else None
                if file is None or not self._model.is_own(file):
                    self.message = _(WHY_NOT_OWN)
                else:
                    self._changing = file, os.path.basename(file.name) if action == "rename" else None
            case str():
                lists.choice.move(action, len(lists.rows), self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Choose a row by a click, open it by another in its list; right: go in and out; wheel: scroll."""
        if not pointer.is_press:
            return None
        self._changing = None
        self.message = ""
        self._rests = False
        lists = self.lists
        has_moved = self._panes.are_three and self._enter_pane(pointer.column)
        pane = self._panes.packs if lists.pack_session is None else self._panes.levels
        row = lists.choice.point(pointer, len(lists.rows), self._page)
        if pointer.button == "right" and lists.pack_session is not None:
            self._leave_pack()
        elif row is None or pointer.column not in pane or pointer.button == "middle":
            return None
        elif pointer.button == "left" and row == lists.choice.index and not has_moved:
            lists.filter.accept()
            return self._accept()
        else:
            lists.choice.index = row
            if pointer.button == "right":
                return self._open()
        return None

    def _enter_pane(self, column: int) -> bool:
        """Move the cursor to the list under the mouse; return False if it is there."""
        if column in self._panes.packs and self.lists.pack_session is not None:
            self._leave_pack()
            return True
        return column in self._panes.levels and self.lists.enter_beside()

    def paste(self, text: str) -> bool:
        """Take the text for the filter or name that is being typed."""
        if self._changing is not None:
            file, name = self._changing
            self._changing = file, None if name is None else (name + text)[:_LONGEST]
        elif self.reads_text:
            self.lists.type((self.lists.filter.text + text)[:_LONGEST])
        return self.reads_text

    def _type(self, key: str) -> None:
        if key == "esc":
            self.lists.end_filter()
        elif key == "enter":
            self.lists.filter.accept()
        else:
            self.lists.type(edited(self.lists.filter.text, key))

    def _accept(self) -> Reaction | None:
        lists, pack_session = self.lists, self.lists.pack_session
        if pack_session is None:
            if isinstance(chosen := lists.chosen_pack, Folder):
                lists.fold(chosen)
            elif (opened := self._opened()) is not None:
                if (number := lists.number_in(opened)) is not None:
                    return Start(opened, number)
                self.message = words_of(opened).none_readable
            return None
        entry = lists.chosen_entry
        if isinstance(entry, LevelError):
            self.message = words_of(pack_session).why_missing(entry.level)
            return None
        return Start(pack_session, entry.number) if entry else None

    def _edit(self) -> Reaction | None:
        """Edit the chosen level, or of a pack that level which is next."""
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is not None and entry is not None:
            return OpenEditor(pack_session, number_of(entry))
        opened = self._opened()
        number = self.lists.number_in(opened) if opened is not None else None
        return OpenEditor(opened, number) if number is not None else None

    def _play_found(self) -> Reaction | None:
        """Play the levels that the filter finds, in the packs or in the pack that is shown."""
        typed = self.lists.filter
        if not typed.text:
            self.message = _(NO_FILTER)
            return None
        unknown = self._unknown()
        start = self._model.open_found(typed.text, typed.wanted, self.lists.pack_session)
        if start is None:
            self.message = unknown or _(NOTHING_FOUND)
        elif unknown:
            self._catalog.notices.append(unknown)
        return start

    def _open(self) -> Reaction | None:
        """Show the levels of the chosen pack, or its runs, or the packs of a folder."""
        if isinstance(chosen := self.lists.chosen_pack, Folder):
            if chosen.is_folded:
                self.lists.fold(chosen)
            return None
        opened = self._opened()
        if isinstance(opened, DescentPack):
            return ShowRuns(opened)
        if opened is not None:
            self._enter_pack(opened)
        return None

    def _enter_pack(self, pack_session: PackSession) -> None:
        chosen, number = self.lists.chosen_pack, self.lists.number_in(pack_session)
        self.lists.filter.enter_pack()
        self.lists.choose(chosen)
        self.lists.enter(pack_session, number)

    def _leave_pack(self) -> None:
        # The line of a small pack has its figures at once.
        self._catalog.work(self._model.shown)
        self.lists.leave_pack()

    def _sort(self, step: int) -> None:
        lists = self.lists
        chosen, chosen_pack = lists.chosen, lists.chosen_pack
        self._model.turn(step)
        is_grading = self._model.progress(lists.pack_session) is not None
        self.message = "" if is_grading else order_text(self._model.sort)
        if chosen_pack is not None and not isinstance(chosen_pack, Folder):
            lists.choose_pack(chosen_pack.key)
        lists.choose(chosen)

    def _answer(self, file: PackFile, name: str | None, key: str) -> None:
        """Take a key as a part of the new name of a pack, or for the question whether to remove it."""
        if name is not None and key not in ("enter", "esc"):
            self._changing = file, edited(name, key)
            return
        self._changing = None
        if not (by_place(key) == "y" if name is None else key == "enter"):
            return
        renamed, self.lists.beside = None, None
        if name is None:
            self._model.remove(file)
        else:
            renamed = self._model.rename(file, name)
            self.lists.choose_pack(renamed.key)
        self.message = changed_text(file, renamed)

    def reread(self, file: PackFile) -> None:
        lists = self.lists
        chosen, entry = lists.chosen_pack, lists.chosen_entry
        self._model.drop(file)
        lists.beside = None
        if lists.pack_session is None:
            if chosen is not None and not isinstance(chosen, Folder):
                lists.choose_pack(chosen.key)
        elif lists.pack_session.key == file.key and (pack_session := self._model.open(file)) is not None:
            lists.enter(pack_session, number_of(entry) if entry is not None else None)

    def _next_unsolved(self) -> None:
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            return
        before = entry.number if isinstance(entry, Level) else 0
        self.lists.filter.set("", reads_text=False)
        number = self._model.next_unsolved(pack_session, before)
        if number is None:
            self.message = words_of(pack_session).why_no_unsolved(before)
        elif number not in pack_session.numbers:  # a generated level that was not begun
            self.message = self._not_begun(pack_session, number)
        else:
            self.lists.choose_number(number)

    def _not_begun(self, pack_session: PackSession, number: int) -> str:
        """Return that a generated level was not begun, and the keys that start it."""
        level = words_of(pack_session).title(number)
        back, play = self.keymap.key_of("close"), self.keymap.key_of("accept")
        if self.lists.pack_session is None:
            return _("{level} not begun: {play} starts it", level=level, play=play)
        return _("{level} not begun: {back}, then {play} starts it", level=level, back=back, play=play)

    def _opened(self) -> PackSession | None:
        """Open the chosen pack or series; say why it cannot be read."""
        chosen = self.lists.chosen_pack
        opened: PackSession | None = None
        if isinstance(chosen, SeriesEntry):
            opened = chosen.open()
            self.message = self.message if opened is not None else _series_problem(chosen)
        elif isinstance(chosen, PackFile):
            opened = self._model.open(chosen)
            self.message = self.message if opened is not None else self._catalog.problem(chosen)
        return opened

    # The picture

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - lists look the same in every theme
        """Scroll to the chosen rows, and open the series among the rows shown, for their lines."""
        self._page = size.rows - 4
        self._panes = _panes_of(size.columns)
        lists = self.lists
        lists.look_beside()
        packs, levels = lists.pack_rows(), lists.level_rows()
        lists.packs.scroll(len(packs), self._page)
        lists.levels.scroll(len(levels), self._page)
        packs = self._shown(packs, lists.packs) if self._panes.are_three or lists.pack_session is None else ()
        self._model.shown = [row for row in packs if isinstance(row, PackFile)]
        self._model.shown_levels = [row for row in self._shown(levels, lists.levels) if isinstance(row, Level)]
        for row in packs:
            if isinstance(row, SeriesEntry) and not row.problem:  # a failed one is tried again by the player alone
                row.open()

    def _shown(self, rows: Sequence[_Row], choice: Choice) -> Sequence[_Row]:
        return rows[choice.first : choice.first + self._page]

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, lists, panes = Canvas(*size), self.lists, self._panes
        if panes.are_three or lists.pack_session is None:
            self._draw_packs(canvas)
        if panes.are_three or lists.pack_session is not None:
            self._draw_levels(canvas)
        area = Area(2, panes.preview.start, self._page, len(panes.preview))
        entry = lists.chosen_entry
        level = entry if isinstance(entry, Level) else None
        if panes.are_three:
            for pane in (panes.packs, panes.levels):
                draw_rule(canvas, Area(0, pane.stop + 1, size.rows - 2, 1))
            self._draw_preview(canvas, area, level, appearance)
        elif size.columns >= _PICTURE_FROM and level is not None and area.width > 2:
            place = place_board(level.board, level.start.player, area, SquareSize(1, 1))
            draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)
        draw_message(canvas, size.rows - 2, StatusText(self._bottom_line(size.columns)))
        draw_keys(canvas, size.rows - 1, self._hints())
        if self.reads_text:
            return canvas.frame((size.rows - 2, min(text_width(self._typed_line), size.columns - 1)))
        left = panes.packs.start if lists.pack_session is None else panes.levels.start
        return canvas.frame((2 + lists.choice.index - lists.choice.first if lists.rows else 1, left))

    def _draw_packs(self, canvas: Canvas) -> None:
        lists, width = self.lists, len(self._panes.packs)
        rows = lists.pack_rows()
        files = iter(self._model.about_packs(self._model.shown))
        shown = self._shown(rows, lists.packs)
        lines = [self._pack_row(row, next(files) if isinstance(row, PackFile) else None, width) for row in shown]
        hard, solved = (_(head) for head, __ in _PACK_COLUMNS)
        figures = in_columns((hard, solved), _PACK_COLUMNS) if self._model.is_by_difficulty else solved
        heads = pack_line("", pgettext("heading of a column", "pack"), figures, width)
        self._draw_list(canvas, self._panes.packs, _("sokoterm: packs"), heads, lines, lists.packs, len(rows))

    def _pack_row(self, row: PackRow, about: ListedPack | None, width: int) -> Line:
        """Return the line of a row of the list of packs; ``about`` is what is known of a pack.

        It ends with the levels that are solved, if they are known, as a bar too where there is a preview.
        """
        mark, figures, counts = "", "-", None
        known = about.figures if about is not None else None
        if isinstance(row, SeriesEntry):
            name, words = _(row.name), generated_words_of(row.pack)
            mark, figures = ("", words.standing) if words is not None else ("!", _(_UNREADABLE))
        elif isinstance(row, Folder):
            indent, sign = " " * (_INDENT * len(folders_of(row.path))), "+" if row.is_folded else "-"
            name = f"{indent}{sign} {printable(parts_of(row.path)[-1])}/"
            counts = self._catalog.count_levels(row.files)
            mark = "*" if counts is not None and counts[0] == counts[1] else ""
        else:
            name, depth = pack_name(row, known), len(folders_of(row.name))
            if self.lists.is_tree and depth:
                name = " " * (_INDENT * depth) + parts_of(name)[-1]
            if about is not None and about.problem or known is not None and not known.levels:
                mark, figures = "!", _(_UNREADABLE)
            elif known is not None:
                mark = "*" if known.is_done else "!" if known.unreadable else ""
                counts = known.solved, known.levels
        if counts is None:
            return pack_line(mark, name, figures, width)
        figures = f"{counts[0]}/{counts[1]}"
        if about is not None and about.hard is not None:
            return pack_line(mark, name, in_columns((about.hard, figures), _PACK_COLUMNS), width)
        if not self._panes.are_three:
            return pack_line(mark, name, figures, width)
        return pack_line(mark, name, f"{figures:>7}", width, gauge(*counts, BAR))

    def _draw_levels(self, canvas: Canvas) -> None:
        lists, pane = self.lists, self._panes.levels
        pack_session = lists.pack_session or lists.beside
        if pack_session is None:
            return
        rows, words = lists.level_rows(), words_of(pack_session)
        columns = self._level_columns(len(pane))
        lines: list[Line] = []
        for about in self._model.about_levels(pack_session, self._shown(rows, lists.levels)):
            if isinstance(about.entry, LevelError):
                text = _("cannot be read: {problem}", problem=printable(about.entry.problem))
                lines.append(marked("!", CardText(clipped(f"{about.entry.level:>5} {text}", len(pane) - 1))))
            else:
                lines.append(_level_row(about.entry, about, words.listed_title(about.entry), columns, len(pane)))
        if not rows and isinstance(pack_session, GeneratedPack) and not lists.filter.text:
            text = self._not_begun(pack_session, pack_session.start_number() or 1)
            lines = plain_lines(folded(text, len(pane)))
        heads = _figures([_(column.head) for column in columns], columns)
        heading = level_line((), "#", pgettext("heading of a column", "title"), heads, len(pane))
        self._draw_list(canvas, pane, words.name, heading, lines, lists.levels, len(rows))

    def _level_columns(self, width: int) -> list[_Column]:
        """Return the columns that a list of levels has room for; the difficulty, if shown, may replace the boxes."""
        are_three, is_by_difficulty = self._panes.are_three, self._model.is_by_difficulty
        left_out = "hard" if not is_by_difficulty else "boxes" if not are_three else ""
        return [
            column._replace(width=column.width - (name == "moves" and width < _NARROW))
            for name, column in _LEVEL_COLUMNS.items()
            if name != left_out and width >= column.room[0 if are_three else 1]
        ]

    def _draw_list(
        self, canvas: Canvas, pane: range, title: str, heads: Line, lines: Sequence[Line], choice: Choice, length: int
    ) -> None:
        """Draw a list: its title with the order, the heads of its columns, and its lines, the chosen one marked."""
        lists, sort = self.lists, self._model.sort
        has_cursor = choice is lists.choice
        first, last = choice.first + 1, min(choice.first + self._page, length)
        # Translators: the lines of a list that are shown.
        part = _("{first}-{last} of {total}", first=first, last=last, total=length) if length > self._page else ""
        column = len(pane) - text_width(part)
        title = title if sort is LevelSort.PLACE else listed([title, order_text(sort)])
        draw_title(canvas, clipped(title, column - bool(part)), column=pane.start)
        canvas.put(0, pane.start + column, part)
        area = Area(1, pane.start, self._page + 1, len(pane))
        chosen = choice.index - choice.first + 1 if length else -1
        draw_list(canvas, area, [heads, *lines], chosen, styles.CHOSEN if has_cursor else styles.KEY)
        if not lines and has_cursor:
            key = self.keymap.key_of("cancel")
            text = _("nothing matches: {key} clears the search", key=key) if lists.filter.text else _("nothing here")
            canvas.put(2, pane.start, clipped(self._unknown() or text, len(pane)))

    def _draw_preview(self, canvas: Canvas, area: Area, level: Level | None, appearance: Appearance) -> None:
        """Draw the start of a level as large as fits, its figures and, where there is room, the pack's note."""
        pack_session = self.lists.pack_session or self.lists.beside
        if pack_session is None:
            return
        if level is None:
            if (words := generated_words_of(pack_session)) is not None:
                draw_list(canvas, area, plain_lines(folded(words.facts, area.width), styles.QUIET))
            return
        # The first picture does not wait for the library.
        row = self._catalog.level_row(pack_session.key, level.number) if self._catalog.is_open else None
        title, *others = preview_lines(pack_session, level, row)
        figures = stored_figures(pack_session, level)
        lines = plain_lines([title], styles.TITLE) + plain_lines(others)
        lines += figure_lines(figure_rows(figures, figures.best), width=area.width)
        if row is not None and row.last_played:
            lines += plain_lines([_("last played {date}", date=date_text(row.last_played))])
        height = max(area.height - len(lines) - 1, area.height // 2)
        size = square_size(appearance._replace(zoom=0), level.board, height, area.width)
        height = min(height, level.board.height * size.rows)
        place = place_board(level.board, level.start.player, area._replace(height=height), size)
        draw_board(canvas, place.in_corner(), level, level.start, appearance.theme)
        if note := note_lines(pack_session, area.width, _MOST_NOTE_LINES):
            lines += [(), *plain_lines(note, styles.QUIET)]
        draw_list(canvas, area._replace(top=area.top + height + 1, height=area.height - height - 1), lines)

    # The lines below the lists

    def _facts(self) -> str:
        """Return the progress of the grading of all rows, and the facts of the chosen pack or level."""
        pack_session, entry = self.lists.pack_session, self.lists.chosen_entry
        if pack_session is None:
            facts = self._pack_facts(self.lists.chosen_pack)
        elif isinstance(entry, Level):
            # The first picture does not wait for the library.
            facts = level_facts(pack_session, entry, with_library=self._catalog.is_open)
        else:
            facts = words_of(pack_session).why_missing(entry.level) if entry else ""
        return listed([self._unknown(), graded_text(self._model.progress(pack_session)), facts])

    def _pack_facts(self, file: PackRow | None) -> str:
        if file is None:
            return ""
        if isinstance(file, Folder):
            return folder_facts(file, self._catalog.count_levels(file.files))
        if isinstance(file, SeriesEntry):
            words = generated_words_of(file.pack)
            return words.facts if words is not None else _series_problem(file)
        figures = self._catalog.figures([file]).get(file.key)
        if figures is None:
            later = _("not read yet: {key} reads it", key=self.keymap.key_of("open"))
            return self._catalog.problem(file) or ("" if self._catalog.is_small(file) else later)
        # Three panes show the note in the preview.
        opened = None if self._panes.are_three else self._model.get(file)
        pack = opened.pack if opened is not None else None
        return pack_facts(file, figures, self.lists.level_found(file), pack)

    @property
    def _typed_line(self) -> str:
        """The filter or question with what has been typed; empty if there is neither."""
        if self._changing is not None:
            file, name = self._changing
            pack = printable(file.name)
            if name is None:
                return _(
                    "remove the file of {pack}? y removes it, any other key does not; your solutions stay", pack=pack
                )
            question = _("new name of {pack}:", pack=pack)
            return f"{question} {name}"
        typed = self.lists.filter
        return f"/{typed.text}" if typed.reads_text or typed.text else ""

    def _bottom_line(self, columns: int) -> str:
        """Return the question, the message, the filter with what it filters or is wrong with it, or the facts."""
        typed, line = self.lists.filter, self._typed_line
        if self._changing is not None:
            return clipped(line, columns)
        if self.message or not line:
            return cut_at_a_word(self.message or self._facts(), columns)
        if not self.reads_text:
            return cut_at_a_word(f"{line}   {self._facts()}".rstrip(), columns)
        places = _("in numbers, titles, authors; or boxes:4, size<10x10, unsolved, hard>60")
        if typed.is_of_packs:
            places = _("in packs, authors, level titles; or boxes:4, size<10x10, unsolved, hard>60")
        told = self._unknown() or places
        told = query_problem(typed.problem) if typed.problem is not None else told
        has_room = text_width(f"{line}   {told}") <= columns or text_width(line) + _LEAST_TOLD <= columns
        return cut_at_a_word(f"{line}   {told}", columns) if has_room else clipped(line, columns)

    def _hints(self) -> Hints:
        if self._changing is not None:
            if self._changing[1] is None:
                return [("y", _("remove")), ("Esc", pgettext("footer: does not remove it", "keep"))]
            return [("Enter", _("rename")), ("Esc", _("cancel"))]
        if self.reads_text:
            return [("Enter", pgettext("footer: ends typing", "done")), ("Esc", _("clear the search"))]
        lists, labels = self.lists, dict[str, str]()
        chosen, has_filter = lists.chosen, bool(lists.filter.text)
        if has_filter:
            labels["cancel"] = _("clear the search")
        if chosen is not None:
            labels["accept"] = _("play")
            if has_filter:
                labels["series"] = _("play all")
        if lists.pack_session is not None:
            labels |= {"close": _("packs"), "next unsolved": _("next unsolved")}
        elif isinstance(chosen, Folder):
            labels["accept"] = _("unfold") if chosen.is_folded else _("fold")
        elif isinstance(chosen, SeriesEntry):
            labels["open"] = _("all runs") if chosen.key == DESCENT else _("all days")
        elif chosen is not None:
            labels["open"] = _("all levels")
        if chosen is not None:
            labels["order"] = _("sort")
        labels |= {"search": pgettext("footer: filters the list", "search"), "help": _("help"), "quit": _("quit")}
        return self.keymap.hints(labels)


# Lines of the lists


def _figures(texts: Sequence[str], columns: Sequence[_Column]) -> str:
    return in_columns(texts, [(column.head, column.width) for column in columns])


def _level_row(level: Level, about: ListedLevel, title: str, columns: Sequence[_Column], width: int) -> Line:
    mark = "+" if about.figures is not None else "~" if about.is_begun else ""
    signs = star_line(about.stars) if about.stars else marked(mark)
    figures = _figures([column.text(level, about) for column in columns], columns)
    return level_line(signs, str(level.number), title, figures, width)


def _series_problem(entry: SeriesEntry) -> str:
    """Return ``Daily: `` and why it cannot be read."""
    return printable(f"{_(entry.name)}: {entry.problem}")
