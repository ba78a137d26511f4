"""The browser: packs with what is solved of them, levels with their figures and a small picture."""

import time
from collections.abc import Callable, Sequence

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.printable import printable
from sokoterm.library.packs import PackError, PackFile
from sokoterm.tui import theme as styles
from sokoterm.tui.course import Course
from sokoterm.tui.frame import PLAIN, Canvas, Frame, clipped, text_width
from sokoterm.tui.keymap import BROWSER
from sokoterm.tui.reactions import Close, Reaction, Start
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.views import (
    Appearance,
    Area,
    Origin,
    Size,
    draw_board,
    draw_keys,
    scroll_board,
    too_small,
)

_LIST_WIDTH = 57  # columns that the list keeps where a picture stands beside it
_PICTURE_FROM = 72  # columns from which there is room for a picture


class BrowserScreen(StillScreen):
    """A list of packs and, one step to the right, the list of a pack's levels."""

    keymap = BROWSER

    def __init__(self, files: Sequence[PackFile], open_course: Callable[[PackFile], Course]) -> None:
        """``open_course`` reads a pack; it raises PackError where that is not possible."""
        self._files = list(files)
        self._open_course = open_course
        self._courses: dict[str, Course | PackError] = {}
        self._packs = _Choice()
        self._levels = _Choice()
        self._course: Course | None = None
        self._filter = ""
        self._reads_text = False
        self.message = ""
        self._page = 10
        if len(self._files) == 1:
            self._enter_pack()

    @property
    def reads_text(self) -> bool:
        return self._reads_text

    def show(self, course: Course, number: int) -> None:
        """Choose a level of a course, and its pack in the list of packs."""
        index = next((i for i, file in enumerate(self._files) if file.key == course.key), None)
        if index is not None:
            self._packs.index = index
            self._courses[course.key] = course
        self._show_levels(course, number)

    # What keys do

    def update(self, key: str) -> Reaction | None:
        self.message = ""
        if self._reads_text:
            self._type(key)
            return None
        match self.keymap.find_action(key):
            case "accept":
                return self._accept()
            case "open" if self._course is None:
                self._enter_pack()
            case "close" if self._course is not None:
                self._leave_pack()
            case "cancel":
                return self._cancel()
            case "search":
                self._reads_text = True
                self._filter = ""
            case "next unsolved":
                self._next_unsolved()
            case str(action):
                self._choice.move(action, len(self._rows()), self._page)
        return None

    @property
    def _choice(self) -> "_Choice":
        return self._packs if self._course is None else self._levels

    def _type(self, key: str) -> None:
        if key in ("esc", "enter"):
            self._reads_text = False
            if key == "esc":
                self._end_search()
            return
        if key == "backspace":
            self._filter = self._filter[:-1]
        elif key == "space":
            self._filter += " "
        elif len(key) == 1:
            self._filter += key
        self._choice.index = 0

    def _end_search(self) -> None:
        """Show the whole list again; what was found stays chosen."""
        rows = self._rows()
        chosen = rows[self._choice.index] if rows else None
        self._filter = ""
        self._choice.index = next((i for i, row in enumerate(self._rows()) if row is chosen), 0)

    def _cancel(self) -> Reaction | None:
        if self._filter:
            self._end_search()
            return None
        return Close()

    def _accept(self) -> Reaction | None:
        if self._course is None:
            course = self._chosen_course()
            if course is None:
                return None
            number = course.start_number()
            if number is None:
                self.message = f"{course.name}: no level that can be read"
                return None
            return Start(course, number)
        entry = self._chosen_entry()
        if isinstance(entry, LevelError):
            self.message = self._course.why_missing(entry.level)
            return None
        return Start(self._course, entry.number) if entry else None

    def _enter_pack(self) -> None:
        course = self._chosen_course()
        if course is not None:
            self._show_levels(course, course.start_number())

    def _show_levels(self, course: Course, number: int | None) -> None:
        self._course = course
        self._filter = ""
        self._levels = _Choice(_index_of(course, number))

    def _leave_pack(self) -> None:
        self._course = None
        self._filter = ""

    def _next_unsolved(self) -> None:
        course = self._course
        if course is None:
            return
        level = self._chosen_level()
        self._filter = ""
        number = course.next_unsolved(level.number if level else 0)
        if number is None:
            self.message = "every other level of the pack is solved"
        else:
            self._levels.index = _index_of(course, number)

    # What is chosen

    def _rows(self) -> Sequence[PackFile | Level | LevelError]:
        """The packs or levels that the search lets through."""
        wanted = self._filter.casefold()
        if self._course is None:
            return [file for file in self._files if wanted in file.name.casefold()]
        return [entry for entry in self._course.entries if wanted in _searched(entry)]

    def _chosen_file(self) -> PackFile | None:
        rows = [file for file in self._rows() if isinstance(file, PackFile)]
        return rows[self._packs.index] if self._packs.index < len(rows) else None

    def _chosen_entry(self) -> Level | LevelError | None:
        rows = [entry for entry in self._rows() if not isinstance(entry, PackFile)]
        return rows[self._levels.index] if self._levels.index < len(rows) else None

    def _chosen_level(self) -> Level | None:
        entry = self._chosen_entry()
        return entry if isinstance(entry, Level) else None

    def _chosen_course(self) -> Course | None:
        file = self._chosen_file()
        if file is None:
            return None
        course = self._opened(file)
        if isinstance(course, PackError):
            self.message = printable(str(course))
            return None
        return course

    def _opened(self, file: PackFile) -> Course | PackError:
        if file.key not in self._courses:
            try:
                self._courses[file.key] = self._open_course(file)
            except PackError as error:
                self._courses[file.key] = error
        return self._courses[file.key]

    # The picture

    def view(self, size: Size, appearance: Appearance) -> Frame:
        if notice := too_small(size):
            return notice
        canvas = Canvas(*size)
        has_picture = size.columns >= _PICTURE_FROM
        width = max(_LIST_WIDTH, size.columns // 2) if has_picture else size.columns
        self._page = size.rows - 4
        rows = self._rows()
        first = self._choice.first_shown(len(rows), self._page)
        heading = self._draw_heading(canvas, width)
        if len(rows) > self._page:
            part = f"{first + 1}-{min(first + self._page, len(rows))} of {len(rows)}"
            canvas.put(0, width - len(part), part)
        for index in range(first, min(first + self._page, len(rows))):
            row = rows[index]
            line = self._line(row, width)
            style = styles.CHOSEN if index == self._choice.index else PLAIN
            canvas.put(2 + index - first, 0, line, style)
        if not rows:
            canvas.put(2, 0, "nothing matches")
        if has_picture:
            self._draw_picture(canvas, Area(2, width + 2, size.rows - 4, size.columns - width - 2), appearance)
        canvas.put(size.rows - 2, 0, clipped(self.message or self._search_line() or self._facts(), size.columns))
        draw_keys(canvas, size.rows - 1, self._hints())
        cursor = (
            (size.rows - 2, len(self._search_line()))
            if self._reads_text
            else ((2 + self._choice.index - first, 0) if rows else heading)
        )
        return canvas.frame(cursor)

    def _draw_heading(self, canvas: Canvas, width: int) -> tuple[int, int]:
        if self._course is None:
            canvas.put(0, 0, "sokoterm: packs", styles.TITLE)
            canvas.put(1, 0, _columns("", "pack", "solved", "", width))
        else:
            canvas.put(0, 0, clipped(self._course.name, width), styles.TITLE)
            canvas.put(1, 0, _level_columns(" ", "#", "title", "size", "boxes", "moves", "pushes", width))
        return (1, 0)

    def _line(self, row: PackFile | Level | LevelError, width: int) -> str:
        match row:
            case PackFile():
                return self._pack_line(row, width)
            case LevelError():
                return clipped(f"!{row.level:>5} cannot be read: {printable(row.problem)}", width).ljust(width)
            case Level():
                return self._level_line(row, width)

    def _pack_line(self, file: PackFile, width: int) -> str:
        course = self._opened(file)
        if isinstance(course, PackError):
            return _columns("!", printable(file.name), "cannot be read", "", width)
        solved = course.solved_count()
        mark = "*" if solved == len(course.numbers) else " "
        return _columns(mark, course.name, f"{solved}/{course.pack.size}", "", width)

    def _level_line(self, level: Level, width: int) -> str:
        figures = self._course.figures(level) if self._course else None
        return _level_columns(
            "*" if figures else " ",
            str(level.number),
            _shown_title(level),
            f"{level.board.width}x{level.board.height}",
            str(level.boxes),
            str(figures.moves) if figures else "-",
            str(figures.pushes) if figures else "-",
            width,
        )

    def _draw_picture(self, canvas: Canvas, area: Area, appearance: Appearance) -> None:
        level = self._pictured_level()
        if level is None or area.width < 3:
            return
        small = appearance._replace(cell=1)
        origin = scroll_board(Origin(0, 0), level, level.start, area, 1)
        origin = origin._replace(row=max(0, origin.row), column=max(0, origin.column))
        draw_board(canvas, area, level, level.start, origin, small)

    def _pictured_level(self) -> Level | None:
        if self._course is not None:
            return self._chosen_level()
        file = self._chosen_file()
        course = self._opened(file) if file else None
        if not isinstance(course, Course):
            return None
        number = course.start_number()
        return None if number is None else course.pack.find_level(number)

    def _facts(self) -> str:
        """When the chosen level was solved, and how long it was played."""
        level = self._chosen_level() if self._course is not None else None
        if level is None or self._course is None:
            return ""
        best = self._course.best(level)
        facts = []
        if best.first_solved is not None and best.last_solved is not None:
            first, last = map(_date, (best.first_solved, best.last_solved))
            facts.append(f"solved {first}" + (f", last {last}" if last != first else ""))
        if best.seconds >= 1:
            minutes, seconds = divmod(round(best.seconds), 60)
            facts.append(f"played for {minutes} min {seconds} s")
        return ", ".join(facts)

    def _search_line(self) -> str:
        return f"/{self._filter}" if self._reads_text or self._filter else ""

    def _hints(self) -> list[tuple[str, str]]:
        if self._reads_text:
            return [("Enter", "done"), ("Esc", "end the search")]
        labels = {"accept": "play"}
        labels |= {"open": "levels"} if self._course is None else {"close": "packs", "next unsolved": "next unsolved"}
        labels |= {"search": "search", "help": "help", "quit": "quit"}
        return [(self.keymap.key_of(action), label) for action, label in labels.items()]


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def _shown_title(level: Level) -> str:
    """The title, unless it only repeats the number."""
    title = printable(level.title.strip())
    return "" if title == str(level.number) else title


def _searched(entry: Level | LevelError) -> str:
    """What a search looks for words in."""
    words = f"{entry.number} {entry.title} {entry.author}" if isinstance(entry, Level) else f"{entry.level}"
    return words.casefold()


def _index_of(course: Course, number: int | None) -> int:
    """Where the level of this number stands in the list; the first one where it does not."""
    levels = (entry.number if isinstance(entry, Level) else entry.level for entry in course.entries)
    return next((index for index, each in enumerate(levels) if each == number), 0)


class _Choice:
    """Which row of a list is chosen, and which is the first on the screen."""

    def __init__(self, index: int = 0) -> None:
        self.index = index
        self._first = 0

    def move(self, action: str, length: int, page: int) -> None:
        steps = {
            "up": -1, "down": 1, "page up": -page, "page down": page, "first": -length, "last": length,
        }  # fmt: skip
        self.index = max(0, min(self.index + steps.get(action, 0), length - 1))

    def first_shown(self, length: int, page: int) -> int:
        """Scrolls by half a page when the chosen row leaves the screen."""
        self.index = max(0, min(self.index, length - 1))
        if not self._first <= self.index < self._first + page:
            self._first = self.index - page // 2
        self._first = max(0, min(self._first, length - page))
        return self._first


def _columns(mark: str, name: str, figures: str, tail: str, width: int) -> str:
    name_width = max(4, width - len(figures) - len(tail) - 4)
    return f"{mark or ' '} {_padded(name, name_width)} {figures}{tail}"[:width].ljust(width)


def _level_columns(
    mark: str, number: str, title: str, size: str, boxes: str, moves: str, pushes: str, width: int
) -> str:
    """A line of the level list; where it is narrow, the size and then the boxes are left out."""
    tail = f" {moves:>6} {pushes:>6}"
    if width >= 36:
        tail = f" {boxes:>5}" + tail
    if width >= 44:
        tail = f" {size:>7}" + tail
    name_width = max(1, width - len(tail) - 7)
    return f"{mark}{number:>5} {_padded(title, name_width)}{tail}"[:width].ljust(width)


def _padded(text: str, width: int) -> str:
    cut = clipped(text, width)
    return cut + " " * (width - text_width(cut))
