"""Pages of text (help, statistics, copied texts), closed by any key that does not turn them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from sokoterm.app.keymap import CONTROL_ACTIONS, KEYMAPS, MOUSE, PLANNER, PLAY, HelpLine, Keymap, help_lines, shown
from sokoterm.app.request import Ask
from sokoterm.engine.board import Board
from sokoterm.language import N_, _, pgettext
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.screen import Reaction, Screen, edited
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Appearance, SquareSize, put_tile, square_sizes
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, CardText, Frame, Hints, Line, Size
from sokoterm.tui.widgets.marks import legend
from sokoterm.tui.widgets.parts import WHEEL_LINES, beside, plain_lines, two_columns
from sokoterm.tui.widgets.sights import Sight, text_of, tile_of
from sokoterm.wording.columns import clipped, folded, text_width
from sokoterm.wording.kinds import sign_lines

_GAP = 2  # between two columns of the help
_LEAST_COLUMN, _MOST_COLUMNS = 37, 4
_HIGH = 28  # rows of an area with larger marks of the planner
_SPACIOUS = 12  # rows of an area with a blank row above the signs
_MEANING = N_("Meaning")
_TITLES = (  # of the help, in the order of the keymaps
    N_("Keys: play"), N_("Keys: replay"), N_("Keys: solver"), N_("Keys: packs and levels"), N_("Keys: push planner"),
    N_("Keys: improve a solution"), N_("Keys: editor"), N_("Keys: reverse play"),
)  # fmt: skip
_TURNING = ("down", "up", "page down", "page up", "accept")
_LEGEND = (
    # Translators: the signs of the board, on one line below the help; you are the player.
    ("@", N_("you")), ("$", N_("box")), (".", N_("goal")), ("*", N_("box on goal")), ("+", N_("you on goal")),
    ("#", N_("wall")),
)  # fmt: skip


class PagesScreen(Screen):
    """Lines below a title: ``_page`` of them fit from row ``_first`` on, and ``_top`` is the first one shown."""

    def __init__(self, name: str, browser: Keymap, *actions: str) -> None:
        """The browser's keys turn the pages; ``actions`` are further actions of this screen."""
        self.keymap = browser.only(name, (*_TURNING, *actions, *CONTROL_ACTIONS))
        self._lines: Sequence[Line] = ()
        self._top = 0
        self._first = self._page = 1

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        page = self._page
        steps = {"down": 1, "up": -1, "page down": page, "page up": -page, "accept": page}
        if action not in steps or action == "accept" and self._top >= self._last_top:
            return Ask.CLOSE
        self._turn(steps[action])
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        if pointer.button.startswith("wheel"):
            self._turn(WHEEL_LINES if pointer.button == "wheel down" else -WHEEL_LINES)
        return None

    def tell(self, message: str, *, is_answer: bool = False) -> bool:  # noqa: ARG002 - there is no line for it
        return False

    @property
    def _last_top(self) -> int:
        return max(0, len(self._lines) - self._page)

    def _turn(self, lines: int) -> None:
        self._top = max(0, min(self._top + lines, self._last_top))

    @property
    def hints(self) -> Hints:
        """The keys that turn the page, if there is a next one, and go back."""
        esc, turns = shown("esc"), self.keymap.keys_of("accept")
        if self._top + self._page >= len(self._lines):
            return [(esc, _("or any other key: back"))]
        return [(shown("space" if "space" in turns else turns[0]), _("more")), (esc, _("back"))]

    def draw_page(self, canvas: Canvas, pane: Area, title: str) -> None:
        """Draw a pane with the lines, and the keys below it."""
        part, total = "", len(self._lines)
        if total > self._page:
            last = min(self._top + self._page, total)
            part = _("lines {first}-{last} of {total}", first=self._top + 1, last=last, total=total)
        inner = canvas.draw_pane(pane, title, part, has_focus=True)
        canvas.draw_list(Area(self._first, inner.left, self._page, inner.width), self._lines[self._top :])
        canvas.draw_keys(canvas.height - 1, self.hints)


class HelpScreen(PagesScreen):
    """The keys of a screen by group, in columns, with its legend."""

    def __init__(self, subject: Keymap, browser: Keymap, board: Board | None = None) -> None:
        """``board`` is on the screen, if any; its colours and ice are explained."""
        super().__init__("help", browser, "search")
        self._wanted: str | None = None  # the text being searched for
        signs = [HelpLine(*line) for line in sign_lines(board)] if board is not None else []
        self._groups: dict[str, list[HelpLine]] = {_(_MEANING): signs} if signs else {}
        for line in help_lines(subject):  # mouse actions have no keys, but text
            keys = _(line.keys) if line.group == MOUSE else line.keys
            self._groups.setdefault(_(line.group), []).append(HelpLine(keys, _(line.text)))
        for line in subject.legend:
            self._groups.setdefault(_(_MEANING), []).append(HelpLine(_(line.keys), _(line.text)))
        self._is_planner = subject.name == PLANNER.name
        titles = dict(zip([keymap.name for keymap in KEYMAPS], _TITLES, strict=True))
        self._title = _(titles.get(subject.name, N_("Statistics")))
        self._rule = _("Push every box onto a goal; you cannot pull.") if subject.name == PLAY.name else ""

    @property
    def reads_text(self) -> bool:
        return self._wanted is not None

    def update(self, action: str | None, key: str) -> Reaction | None:
        if self._wanted is None and action != "search":
            return super().update(action, key)
        self._wanted = "" if self._wanted is None else None if key in ("esc", "enter") else edited(self._wanted, key)
        return None

    @property
    def hints(self) -> Hints:
        search = self.keymap.key_of("search"), pgettext("footer: filters the list", "search")
        return [*super().hints, search] if self._wanted is None else [(shown("esc"), _("cancel"))]

    def point(self, pointer: Pointer) -> Reaction | None:
        is_click = pointer.is_press and not pointer.button.startswith("wheel")
        return Ask.CLOSE if is_click else super().point(pointer)

    def fit(self, size: Size, appearance: Appearance) -> None:
        area = size.above(1).inside
        count = max(1, min(_MOST_COLUMNS, len(self._groups), (area.width + _GAP) // (_LEAST_COLUMN + _GAP)))
        width = (area.width + _GAP) // count - _GAP
        columns = [list[Line]() for __ in range(count)]
        wanted = (self._wanted or "").casefold()
        for heading, every in self._groups.items():
            column = min(columns, key=len)
            if lines := [line for line in every if wanted in f"{line.keys} {line.text}".casefold()]:
                column += [*([()] if column else ()), *_block(heading, lines, width)]
        if self._is_planner and not wanted:
            size_of_marks = min(2, appearance.zoom or 2)
            if appearance.theme.has_tiles:
                size_of_marks = 6 if area.height >= _HIGH else 4
            marks = legend(SquareSize(size_of_marks, max(1, size_of_marks // 2)), appearance.theme)
            min(columns, key=len).extend([(), (CardText(_(_MEANING), styles.ACCENT),), *marks])
        rule = [*plain_lines(folded(self._rule, area.width), styles.GOOD), ()] if self._rule else []
        self._lines = [*rule, *beside(columns, width + _GAP)]
        if not any(columns):
            text = _("nothing matches: {key} clears the search", key=shown("esc"))
            self._lines += plain_lines(folded(text, area.width))
        self._signs = _sign_size(area, appearance)
        self._first, self._page = area.top, area.height - self._signs.rows - (area.height >= _SPACIOUS)
        self._turn(0)

    def view(self, size: Size, appearance: Appearance) -> Frame:
        canvas, area = Canvas(*size), size.above(1).inside
        title = self._title if self._wanted is None else f"{self._title}  /{self._wanted}"
        self.draw_page(canvas, size.above(1), title)
        columns, rows, __ = self._signs
        row, column = area.top + area.height - rows, area.left
        for cell, message in _LEGEND:
            meaning = _(message)
            if column + columns + 1 + text_width(meaning) > area.left + area.width:
                break
            sight = Sight(cell)
            tile = tile_of(columns, sight) if rows > 1 else (text_of(sight, appearance.theme, columns),)
            put_tile(canvas, (row, column), tile)
            column = canvas.put(row + rows // 2, column + columns + 1, meaning) + _GAP
        return canvas.frame()


def _sign_size(area: Area, appearance: Appearance) -> SquareSize:
    """Return the largest size at which all signs fit into one low line."""
    width = sum(text_width(_(meaning)) + 1 + _GAP for __, meaning in _LEGEND) - _GAP
    sizes = [
        size
        for size in square_sizes(appearance.theme)
        if size.is_tile and size.rows <= area.height // 6 and width + len(_LEGEND) * size.columns <= area.width
    ]
    return max(sizes, default=SquareSize(min(2, appearance.zoom or 2), 1))


def _block(heading: str, lines: Iterable[HelpLine], width: int) -> Iterator[Line]:
    """Yield a heading, then keys and their folded texts; very wide keys get their own line."""
    yield (CardText(clipped(heading, width), styles.ACCENT),)
    column = max((each for line in lines if (each := text_width(line.keys)) <= width * 2 // 5), default=0) + _GAP
    for line in lines:
        keys, texts = folded(line.keys, width), folded(line.text, width - column)
        if text_width(line.keys) + _GAP > column:
            yield from plain_lines(keys, styles.TITLE)
            keys = []
        for key, text in zip_longest(keys, texts, fillvalue=""):
            yield two_columns(key, text, column, styles.TITLE)
