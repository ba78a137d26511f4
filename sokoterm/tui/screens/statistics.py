"""Statistics: figures in tiles, a calendar of the year, gauges of packs, and bars of recent levels."""

from datetime import date, timedelta
from typing import NamedTuple

from sokoterm.app.keymap import Keymap
from sokoterm.language import N_, _, pgettext
from sokoterm.tui.screens.pages import PagesScreen
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, CardText, Frame, Line, Size, StatusText
from sokoterm.tui.widgets.lettering import draw_name
from sokoterm.tui.widgets.parts import bars, fitted, gauge, joined, plain_lines, to_right
from sokoterm.tui.widgets.tiles import style_of
from sokoterm.wording.columns import folded, text_width
from sokoterm.wording.figures import over_briefly, weekdays
from sokoterm.wording.statistics import StatisticsPage

_LEAST = Size(22, 70)  # the smallest window that shows more than lines of text
_SPACIOUS = Size(30, 100)  # of a window with framed tiles; three more rows show the large name
_CALENDAR = 10  # rows: the frame, the months, seven days
_WEEKS = 53
_HALF_YEAR = 26
_MOST_BARS = 30
_FROM = 1, 3, 6  # levels solved in a day from which the shade changes
_SHADES = "░▒▓█"
_COLORS = {"dark": "fkbB", "light": "fBbk"}  # of floor and boxes
# Translators: short names of the months from January, separated by blanks.
_MONTHS = N_("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
_WEEK = timedelta(days=7)
_KEYS = {
    "up": N_("the day before, the day after"), "down": N_("the day before, the day after"),
    "close": N_("the week before, the week after"), "open": N_("the week before, the week after"),
    "accept": N_("next page of packs; after the last one, back"),
}  # fmt: skip


class _Layout(NamedTuple):
    """The areas of the parts, the columns per week in the calendar, and the number of weeks."""

    tiles: Area
    calendar: Area
    packs: Area
    last: Area
    pitch: int
    weeks: int


def _layout(size: Size, packs: int) -> _Layout | None:
    """Return the layout for a number of packs, None in a small window."""
    if size.rows < _LEAST.rows or size.columns < _LEAST.columns:
        return None
    is_spacious = size.rows >= _SPACIOUS.rows and size.columns >= _SPACIOUS.columns
    top = 4 if is_spacious and size.rows >= _SPACIOUS.rows + 3 else 1
    tiles = Area(top, 0, 4 if is_spacious else 3, size.columns)
    calendar = Area(top + tiles.height, 0, _CALENDAR, size.columns)
    below, width = calendar.top + _CALENDAR, size.columns * 11 // 20
    height = min(size.rows - 2 - below, max(packs + 2, _CALENDAR + 4))
    left, right = Area(below, 0, height, width), Area(below, width + 1, height, size.columns - width - 1)
    room = calendar.inside.width - max(map(text_width, weekdays())) - 1
    pitch = 2 if room // 2 >= _HALF_YEAR else 1
    return _Layout(tiles, calendar, left, right, pitch, min(_WEEKS, room // pitch))


class StatisticsScreen(PagesScreen):
    """The statistics with a cursor on a day of the calendar; in a small window, lines of text."""

    def __init__(self, page: StatisticsPage, browser: Keymap) -> None:
        super().__init__("statistics", browser, "open", "close", "help")
        told = [binding._replace(help=_KEYS.get(binding.action, binding.help)) for binding in self.keymap.bindings]
        self.keymap = self.keymap.bound(told)
        self._statistics = page
        self._day = page.today
        self._week = _monday(page.today)  # the last one shown
        self._layout: _Layout | None = None

    def update(self, action: str | None, key: str) -> Reaction | None:
        steps = {"up": -1, "down": 1, "close": -7, "open": 7}
        if self._layout is None or action not in steps or key == "b":
            return super().update(action if action not in ("open", "close") else None, key)
        days, today = self._statistics.found.days, self._statistics.today
        first = min(days[-1].day if days else today, _monday(today) - (_WEEKS - 1) * _WEEK)
        self._day = max(first, min(self._day + timedelta(days=steps[action]), today))
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - what is scrolled is text
        found = self._statistics.found
        rows = len(found.packs) + len(self._statistics.series)
        self._layout = layout = _layout(size, rows) if found.solved or found.seconds >= 1 else None
        if layout is None:
            area = size.above(1).inside
            self._lines = plain_lines(row for text in self._statistics.lines() for row in folded(text, area.width))
        else:
            area = layout.packs.inside
            series = (row for text in self._statistics.series for row in folded(text, area.width))
            self._lines = [*self._pack_lines(area.width), *plain_lines(series)]
            week = _monday(self._day)
            self._week = min(max(self._week, week), week + (layout.weeks - 1) * _WEEK)
        self._first, self._page = area.top, area.height
        self._turn(0)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, layout = Canvas(*size), self._layout
        if layout is None:
            self.draw_page(canvas, size.above(1), _("Statistics"))
            return canvas.frame((self._first, 0))
        self._draw_head(canvas, layout.tiles.top)
        canvas.draw_tiles(layout.tiles, self._statistics.tiles())
        cursor = self._draw_calendar(canvas, layout, appearance)
        area = canvas.draw_pane(layout.packs, _("Packs"), _("solved, with help, over par"))
        canvas.draw_list(area, self._lines[self._top :])
        self._draw_last(canvas, layout.last)
        hints = [(_("arrows"), pgettext("footer", "day")), *self.hints]
        canvas.draw_page(StatusText(self._statistics.day_text(self._day)), hints)
        return canvas.frame(cursor)

    def _draw_head(self, canvas: Canvas, rows: int) -> None:
        title, days = _("Statistics"), self._statistics.found.days
        since = _("since {date}", date=days[-1].day.isoformat()) if days else ""
        if rows == 1:
            canvas.draw_pane(Area(0, 0, 1, canvas.width), title, since)
        else:
            draw_name(canvas, [*plain_lines([title], styles.TITLE), *plain_lines([since], styles.QUIET)])

    def _draw_calendar(self, canvas: Canvas, layout: _Layout, appearance: Appearance) -> tuple[int, int]:
        area = canvas.draw_pane(layout.calendar, _("Days"), has_focus=True)
        names, months = weekdays(), _(_MONTHS).split()
        for row in (0, 2, 4):
            canvas.put(area.top + 1 + row, area.left, names[row], styles.QUIET)
        left, cursor, free = area.left + max(map(text_width, names)) + 1, (area.top, area.left), 0
        # Without colours, a shade in reverse looks like another shade.
        shades, chosen, colors = _SHADES, "@", [styles.QUIET, *[styles.ACCENT] * len(_FROM)]
        if appearance.theme.is_painted:
            shades, chosen, letters = "▄▄▄▄", "▄", _COLORS.get(appearance.palette.name, "wkbB")
            colors = [style_of(letter, " ") for letter in letters]
        for place in range(layout.weeks):
            monday = self._week - (layout.weeks - 1 - place) * _WEEK
            column = left + place * layout.pitch
            if monday.day <= 7 and column >= free:
                free = canvas.put(area.top, column, months[monday.month - 1], styles.QUIET) + 1
            for row in range(7):
                day = monday + timedelta(days=row)
                if day > self._statistics.today:
                    break
                shade = sum(self._statistics.day(day).solved >= each for each in _FROM)
                mark, style = shades[shade], colors[shade]
                if day == self._day:
                    mark, style, cursor = chosen, styles.CHOSEN, (area.top + 1 + row, column)
                canvas.put(area.top + 1 + row, column, mark, style)
        return cursor

    def _pack_lines(self, width: int) -> list[Line]:
        """Return a line for each pack: its name, whole if it fits, a gauge, and figures."""
        lines, packs = list[Line](), self._statistics.found.packs
        overs = ["-" if pack.over is None else over_briefly(pack.over) for pack in packs]
        rows = [(f"{pack.solved}/{pack.levels}", f"{pack.helped or '-'}", over) for pack, over in zip(packs, overs)]
        widths = [max(map(text_width, column)) + 1 for column in zip(*rows, strict=True)]
        name_width = min(max(map(text_width, self._statistics.names), default=0), width - sum(widths))
        gauge_width = width - sum(widths) - name_width - 1
        for pack, name, figures in zip(packs, self._statistics.names, rows, strict=True):
            bar = gauge(pack.solved, pack.levels, gauge_width) if gauge_width > 3 else [CardText(" " * gauge_width)]
            texts = "".join(to_right(text, each) for text, each in zip(figures, widths, strict=True))
            lines.append((CardText(fitted(name, name_width) + " "), *bar, CardText(texts)))
        return lines

    def _draw_last(self, canvas: Canvas, area: Area) -> None:
        """Draw bars of the pushes over par in recent levels, on a line whose colour shows which are at par."""
        room = area.inside
        width = 1 + (room.width >= 2 * _MOST_BARS)
        overs = self._statistics.found.overs[-min(_MOST_BARS, room.width // width) :]
        figures = _("last {n} levels", n=len(overs)) if len(overs) > 1 else ""
        canvas.draw_pane(area, _("Pushes over par"), figures)
        if not overs:
            return
        rows = bars([over for over in overs for __ in range(width)], room.height - 2)
        base = joined(("━" * width, styles.ACCENT if over > 0 else styles.GOOD) for over in overs)
        perfect = sum(over <= 0 for over in overs)
        told = (CardText(_("{n} of {levels} at par", n=perfect, levels=len(overs)), styles.GOOD),)
        canvas.draw_list(room, [*plain_lines(rows, styles.ACCENT), base, told])


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
