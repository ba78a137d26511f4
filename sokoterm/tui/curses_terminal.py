"""The terminal by way of curses, the only module that imports it.

The output of curses is caught and goes out by a Line, which counts it and never blocks.
"""

import curses
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from sokoterm.app.options import Look
from sokoterm.engine.text import printable
from sokoterm.language import _
from sokoterm.store.packs import PackError
from sokoterm.terminal import clipboard
from sokoterm.terminal.color_codes import ColorCodes
from sokoterm.terminal.encoding import has_wide_lines, speaks_utf8
from sokoterm.terminal.events import NO_PICTURES, PICTURES_SHOWN, CellSize, Event
from sokoterm.terminal.key_decoder import SIXELS, KeyDecoder
from sokoterm.terminal.output_line import Line
from sokoterm.terminal.posix_keys import PosixKeys
from sokoterm.tui.terminal import NO_CLIPBOARD, Terminal, terminal_size
from sokoterm.tui.widgets.frame import GROUND, PICTURE, Frame, Plate, Size, Span, diff
from sokoterm.tui.widgets.theme import COLORS, Looks
from sokoterm.tui.widgets.tiles import DARK, LIGHT, Palette, colors_of, xterm_color
from sokoterm.wording.columns import ascii_text, console_text, narrow_text

if TYPE_CHECKING:
    from sokoterm.pictures.png import Picture
    from sokoterm.tui.graphics import Images
    from sokoterm.tui.sixel import Sixels

# Mouse buttons, in the form without a limit of columns; terminals that do not know it use the older one.
_MOUSE_ON, _MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"
_ASK_BACKGROUND = b"\x1b]11;?\x1b\\"
_ASK_SYNCHRONIZES = b"\x1b[?2026$p"  # GNU screen and Terminal.app print the p
# For pictures (see graphics.py), for the pixels of a cell, and for the attributes of the terminal, which every one
# reports, and which tell of sixels.  Terminal.app prints the first question, and multiplexers take it for a title; tmux
# keeps ten pictures of sixels, and none over which another one is drawn.
_ASK_CELL = b"\x1b[16t"
_ASK_PICTURES = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + _ASK_CELL + b"\x1b[c"
_MULTIPLEXERS = ("screen", "tmux")
# Pastes between marks.
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
# The title of the window; the one before waits on a stack of titles meanwhile.
_PUSH_TITLE, _TITLE, _POP_TITLE = b"\x1b[22;2t", b"\x1b]2;%b\x1b\\", b"\x1b[23;2t"
_LONGEST_TITLE = 100
_LIKE_XTERM = ("xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "rxvt", "contour", "ghostty", "st-")
_MANY_COLORS = 256
_MOST_PAIRS = 256  # more do not fit in an attribute
_TRUE_COLOR = ("truecolor", "24bit")  # values of COLORTERM
_SCROLL = re.compile(rb"\x1b\[\d+;\d+r")  # curses scrolls a part of the screen where that is shorter
# Without an answer for so long, boards are drawn without pictures, until one comes.
_ANSWER_SECONDS = 0.15
_GLIDE_SECONDS = 1 / 60  # from picture to picture of what glides
# Rows of sixels begin with different spaces: curses scrolls rows whose characters are alike.
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))


class CursesTerminal(Terminal):
    """Paints the spans that changed; curses turns them into the fewest bytes the terminal understands."""

    shows_motion = True

    def __init__(
        self,
        *,
        color: bool,
        mouse: bool,
        clipboard: bool = True,
        slow: bool = False,
        title: bool = True,
        glides: bool = False,
        skin: str | None = None,
    ) -> None:
        """``mouse``: have the mouse reported, if the terminal is known to have one; ``clipboard``: copy to it;
        ``slow``: the line is known to be slow; ``title``: change the window title; ``glides``: pictures of the player
        and of boxes glide to the next square; ``skin``: the name of their sprites."""
        self._color = color
        is_posix = sys.platform != "win32"
        has_blocks = speaks_utf8() and not has_wide_lines()
        self.shows_tiles = color and has_blocks and is_posix and curses.tigetnum("colors") == _MANY_COLORS
        term = os.environ.get("TERM", "")
        is_inside = term.startswith(_MULTIPLEXERS) or os.environ.get("TMUX") or os.environ.get("STY")
        is_asked = self.shows_tiles and term.startswith(_LIKE_XTERM) and not is_inside
        self.may_picture = is_asked and os.environ.get("TERM_PROGRAM") != "Apple_Terminal"
        self._has_mouse = is_posix and curses.tigetstr("kmous") is not None
        self._uses_mouse = mouse and self._has_mouse
        self._uses_clipboard = clipboard
        # A terminal that reports its cursor's place (u7) also reports its status.
        can_ask = is_posix and curses.tigetstr("u7") is not None
        line = Line(can_ask=can_ask, is_slow=slow)
        super().__init__(line, _CursesKeys() if sys.platform == "win32" else PosixKeys(line))
        self._shown: Frame | None = None
        self._shape = (0, 0)  # rows and columns of the last frame
        self._looks, self._palette = COLORS, DARK
        self._codes = ColorCodes()
        self._pairs: dict[tuple[int, int], int] = {}
        self._has_colors = False
        self._attributes: dict[str, int] = {}
        self._screen: curses.window | None = None
        self._window: curses.window | None = None
        self._drawable: Callable[[str], str] = str
        self._is_asked_for_mouse = False
        self._is_asked_for_pastes = False
        self._has_title = title and is_posix and term.startswith(_LIKE_XTERM)
        self._title = self._title_in_force = ""
        self._shows_cursor = self._cursor_in_force = True
        self._has_asked = False
        self._answer_due: float | None = None
        self._glides, self._glide_due = glides, 0.0
        # Once the terminal has answered that it has pictures.
        self._images: Images | None = None
        # Else once it has answered that it has sixels.
        self._sixels: Sixels | None = None
        self._has_sixels = False
        self._cell: CellSize | None = None
        self._skin = skin

    def start(self) -> None:
        super().start()
        if self._screen is None:
            self._open_screen()
        self._window = self._screen
        self.wear(self._looks, self._palette)
        self._ask_for_pastes(True)
        # Once, if it is likely to answer: whether it is dark or light, and whether it synchronizes.
        if not self._has_asked and self.shows_tiles and os.environ.get("TERM", "").startswith(_LIKE_XTERM):
            self._has_asked = True
            is_garbled = os.environ["TERM"].startswith("screen") or os.environ.get("TERM_PROGRAM") == "Apple_Terminal"
            question = _ASK_BACKGROUND + (b"" if is_garbled else _ASK_SYNCHRONIZES)
            if self.may_picture:
                question += _ASK_PICTURES
                self._answer_due = monotonic() + _ANSWER_SECONDS
            self._line.ask(question)

    def _open_screen(self) -> None:
        usual = console_text if os.environ.get("TERM") == "linux" else narrow_text if has_wide_lines() else str
        self._drawable = usual if speaks_utf8() else ascii_text
        if self._drawable is ascii_text:
            import locale  # terminals without UTF-8 only

            # Curses takes the locale for UTF-8, and is given nothing but ASCII: in other locales it shortens rows of
            # equal characters to the REP sequence, which many programs that call themselves xterm do not know.
            with suppress(locale.Error):  # a system without that locale: the terminal has to know the sequences
                locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        with _size_in_environment():
            self._screen = self._window = screen = curses.initscr()
        curses.raw()  # else Ctrl-C and Ctrl-Z come as signals, and curses stops without giving the mouse back
        if sys.platform != "win32":
            curses.typeahead(-1)  # else a waiting key leaves a picture unfinished
        screen.leaveok(False)
        screen.idlok(False)
        with self._caught(), suppress(curses.error):
            if self._color and curses.has_colors():
                curses.start_color()
                curses.use_default_colors()  # colours beside the terminal's own, which stay the default
                self._has_colors = True

    def stop(self) -> None:
        with ExitStack() as steps:  # all of them, the last one first, even if one fails
            steps.callback(super().stop)
            steps.callback(self._close_screen)
            steps.callback(self._ask_for_pastes, False)
            steps.callback(self._ask_for_mouse, False)
            steps.callback(self._send_title, "")
            steps.callback(self._drop_images)

    def _close_screen(self) -> None:
        window, self._window = self._window, None
        if window is None:
            return
        with suppress(curses.error):  # a terminal that is gone cannot be given back
            try:
                with self._caught(), ExitStack() as steps:
                    steps.callback(curses.endwin)
                    window.move(window.getmaxyx()[0] - 1, 0)
                    window.clrtoeol()  # the shell's prompt comes here on a terminal without a second screen
                    window.refresh()
            except OSError:  # the output cannot be caught: let curses write it itself
                curses.endwin()

    def wear(self, looks: Looks, palette: Palette) -> None:
        if (palette.name == LIGHT.name) != (self._palette.name == LIGHT.name):
            self._drop_images()
        self._looks, self._palette = looks, palette
        self._codes = ColorCodes(palette.rgb if os.environ.get("COLORTERM") in _TRUE_COLOR else None)
        self._attributes = {}
        self._shown = None

    def paint(self, frame: Frame) -> None:
        window = self._window
        if window is None or self._line.is_busy:
            return
        self._ask_for_mouse(self._uses_mouse)
        self._send_title(self._title)
        if self._shows_cursor != self._cursor_in_force:
            self._cursor_in_force = self._shows_cursor
            with self._caught(), suppress(curses.error):  # not every terminal can hide it; the end of curses shows it
                curses.curs_set(int(self._shows_cursor))
        if self._sixels is not None and self._shown is not None:
            old, now = ([each[1:5] for each in one.pictures if each.layer == GROUND] for one in (self._shown, frame))
            if old != now and old and now:
                self.forget()  # curses would shift what is in a row
        shape = len(frame.rows), len(frame.rows[0].text)
        if self._shown is None or shape != self._shape:
            self._shown, self._shape = None, shape
            size = terminal_size()
            if curses.is_term_resized(*size):  # which curses does not learn by itself because it reads no keys
                with self._caught():
                    curses.resizeterm(*size)
            if not self._attributes:
                self._pairs = {(-1, -1): 0}
                with self._caught():
                    self._attributes = {style: self._attribute(look) for style, look in self._looks_in_force.items()}
            window.erase()
        elif self._shown == frame:
            return
        spans = diff(self._shown, frame)
        new = {span.style for span in spans}.difference(self._attributes)
        if self._shown is not None and len(self._pairs) + len(new) > _MOST_PAIRS:
            self.wear(self._looks, self._palette)  # pairs of colours are numbered anew, without those of other pictures
            self.paint(frame)
            return
        for row, column, span_text, style in spans:
            text = self._drawable(span_text)
            if style == PICTURE and self._sixels is not None:
                text = _SPACES[row % len(_SPACES)] + text[1:]
            # In the lower right corner curses writes, then raises because the cursor cannot move on.
            with suppress(curses.error):
                window.addstr(row, column, text, self._attribute_of(style))
        rows, columns = window.getmaxyx()
        window.move(min(frame.cursor[0], rows - 1), min(frame.cursor[1], columns - 1))
        window.leaveok(bool(frame.pictures) and not self._shows_cursor)  # to move a hidden cursor costs bytes
        with self._caught(is_picture=True, follow=partial(self._show_images, frame, Size(rows, columns), spans)):
            window.refresh()
        self._shown = frame

    def _show_images(self, frame: Frame, size: Size, spans: Sequence[Span], written: bytes) -> bytes:
        """Return the bytes that show the pictures of a frame behind its text, of which spans are new."""
        has_scrolled = _SCROLL.search(written) is not None  # and pictures with the text
        if self._sixels is not None:
            return self._sixels.show(frame, spans, is_new=self._shown is None or has_scrolled)
        if self._images is None:
            return b""
        scrolled = self._images.forget() if has_scrolled else b""
        glides = self._glides and not self._line.is_slow
        self._glide_due = monotonic() + _GLIDE_SECONDS
        return scrolled + self._images.show(frame.pictures, size, self._image, glides=glides)

    def read_keys(self, timeout: float | None) -> list[Event]:
        images, due = self._images, self._answer_due
        if images is not None:
            due = self._glide_due if images.is_gliding else None
        waits = [timeout, None if due is None else max(0.0, due - monotonic())]
        heard = super().read_keys(min((each for each in waits if each is not None), default=None))
        events = self._with_pictures(heard)
        if PICTURES_SHOWN in events or due is None or monotonic() < due:
            pass
        elif images is not None:
            self._glide_due = due + _GLIDE_SECONDS
            self._line.send(images.glide_on())
        else:
            self._answer_due = None
            events.append(NO_PICTURES)
        return events

    def _with_pictures(self, heard: list[Event]) -> list[Event]:
        """Begin with pictures when the terminal has answered that it has them; return the other events, and that."""
        answers = [event for event in heard if event in (PICTURES_SHOWN, SIXELS) or isinstance(event, CellSize)]
        events = [event for event in heard if event not in answers]
        if not self.may_picture or self._images is not None:
            return events
        self._has_sixels |= SIXELS in answers
        self._cell = next((event for event in answers if isinstance(event, CellSize)), self._cell)
        if PICTURES_SHOWN in answers and self._sixels is None:
            from sokoterm.tui.graphics import Images  # terminals that show pictures only

            self._images, self._shown = Images(), None
            events.append(PICTURES_SHOWN)
        elif self._has_sixels and not self._line.is_slow:
            from sokoterm.tui.sixel import Sixels, usable_cell  # terminals with sixels only

            if "resize" in events:
                self._line.send(_ASK_CELL)
            cell = usable_cell(self._cell)
            if cell is not None and (self._sixels is None or self._sixels.cell != cell):
                events.append("resize" if self._sixels is not None else PICTURES_SHOWN)
                self._sixels, self._shown, self._answer_due = Sixels(cell, self._image), None, None
                self._attributes.pop(PICTURE, None)
        return events

    def _image(self, image: object) -> "Picture":
        from sokoterm.tui.widgets.pictures import image_of, plate  # terminals that show pictures only

        if isinstance(image, Plate):
            look = self._looks_in_force.get(image.style) or self._look_of(image.style)
            number, rgb = look.color if look.reverse else look.background, self._palette.rgb
            if number < 16:  # the terminal's own
                number = self._palette.number("t" if self._palette.name == LIGHT.name else "e")
            return plate(*(rgb[number] if number in rgb else xterm_color(number)))
        return image_of(image, self._skin, self._palette)

    def _drop_images(self) -> None:
        if self._images is not None:
            self._line.send(self._images.drop())

    def forget(self) -> None:
        self._shown = None
        self._drop_images()  # a terminal that is cleared may free them, as kitty 0.26 does
        if self._window is not None:
            self._window.clearok(True)

    @property
    def uses_mouse(self) -> bool:
        return self._uses_mouse

    def show_cursor(self, is_shown: bool) -> None:
        self._shows_cursor = is_shown

    def name_window(self, title: str) -> None:
        self._title = printable(title)[:_LONGEST_TITLE] if self._has_title else ""

    def toggle_mouse(self) -> bool | None:
        if not self._has_mouse:
            return None
        self._uses_mouse = not self._uses_mouse  # sent with the next picture, once, however often it is toggled
        return self._uses_mouse

    def copy(self, text: str) -> str:
        if not self._uses_clipboard:
            return _("the clipboard is off in the settings")
        if not clipboard.may_copy(os.environ):
            return _(NO_CLIPBOARD)
        if len(text) > clipboard.MOST_BYTES:
            return _(
                "too long for a terminal's clipboard, which takes at most {most:,} bytes", most=clipboard.MOST_BYTES
            )
        if self._line.waiting:
            return _("the terminal is still busy with the last copy")
        self._line.send(clipboard.copy_sequence(text, os.environ))
        return ""

    def _ask_for_mouse(self, is_wanted: bool) -> None:
        """Have buttons reported, never movement; curses would ask for more, or in a form that ends at column 223."""
        if is_wanted == self._is_asked_for_mouse:
            return
        self._is_asked_for_mouse = is_wanted
        self._line.send(_MOUSE_ON if is_wanted else _MOUSE_OFF)

    def _send_title(self, title: str) -> None:
        """Change the window title; an empty one restores the previous title."""
        before, self._title_in_force = self._title_in_force, title
        if title != before:
            named = _TITLE % self._drawable(title).encode("utf-8", "replace") if title else _POP_TITLE
            self._line.send((b"" if before else _PUSH_TITLE) + named)

    @contextmanager
    def _caught(self, *, is_picture: bool = False, follow: Callable[[bytes], bytes] = lambda __: b"") -> Iterator[None]:
        """Send the output of curses inside the block; on Windows curses writes to the console by itself.

        ``follow`` returns what goes behind a picture.
        """
        if sys.platform == "win32":
            yield
            return
        written = bytearray()
        try:
            with self._line.caught(written):
                yield
        finally:
            if is_picture:
                self._line.send_picture(self._codes.shorten(bytes(written)) + follow(bytes(written)))
            else:
                self._codes.forget()
                self._line.send(bytes(written))

    def _ask_for_pastes(self, is_wanted: bool) -> None:
        """Have pastes marked, if the terminal is likely to know that."""
        if is_wanted != self._is_asked_for_pastes and os.environ.get("TERM", "").startswith(_LIKE_XTERM):
            self._is_asked_for_pastes = is_wanted
            self._line.send(_PASTE_ON if is_wanted else _PASTE_OFF)

    def _attribute_of(self, style: str) -> int:
        """Return the attribute of a style; those of tiles and of colours are made when they are first seen."""
        attribute = self._attributes.get(style)
        if attribute is None:
            attribute = self._attributes[style] = self._attribute(self._look_of(style))
        return attribute

    def _look_of(self, style: str) -> Look:
        """Return the look of a style that the theme does not have."""
        letters = colors_of(style)
        if letters is None:
            if style == PICTURE and self._sixels is not None:
                return Look(dim=True)  # no plain blanks, which curses clears from the screen with others
            from sokoterm.tui.widgets.sights import look_of  # colours and ice only

            return look_of(style, self._looks_in_force, self._palette) or Look()
        front, back = map(self._palette.number, letters)
        return Look(front, background=back)

    @property
    def _looks_in_force(self) -> Mapping[str, Look]:
        many_colors = self._has_colors and curses.COLORS == _MANY_COLORS
        return self._looks.on(self._palette.name, many_colors=many_colors)

    def _attribute(self, look: Look) -> int:
        """Return the attribute of a look; pairs of colours are numbered as they come."""
        # Where there are more than 256 colours, their numbers mean something else.
        shown = _within(look, curses.COLORS) if self._has_colors else look
        attribute = (
            (curses.A_BOLD if shown.bold else 0)
            | (curses.A_DIM if shown.dim else 0)
            | (curses.A_UNDERLINE if shown.underline else 0)
            | (curses.A_REVERSE if shown.reverse else 0)
        )
        if not self._has_colors:
            return attribute
        pair = shown.color, shown.background
        if pair not in self._pairs and len(self._pairs) < min(curses.COLOR_PAIRS, _MOST_PAIRS):
            self._pairs[pair] = len(self._pairs)
            curses.init_pair(self._pairs[pair], *pair)
        return attribute | curses.color_pair(self._pairs.get(pair, 0))


def can_address_cursor() -> bool:
    """Return True if text can be placed anywhere on the terminal; raises PackError for one without a description.

    A terminal that curses does not know by its name is tried as the one it most likely imitates.
    """
    name = os.environ.get("TERM", "")
    if sys.platform == "win32" or name == "dumb":
        return name != "dumb"
    likely = ("xterm-256color", "xterm") if name.startswith(_LIKE_XTERM) else ()
    for candidate in (name, *likely):
        try:
            curses.setupterm(candidate, sys.__stdout__.fileno() if sys.__stdout__ else 1)
        except curses.error:
            continue
        os.environ["TERM"] = candidate
        return curses.tigetstr("cup") is not None
    what = _("unknown terminal {name!r}", name=printable(name)) if name else _("TERM does not name a terminal")
    raise PackError(what)


class _CursesKeys:
    """Keys by way of curses, for Windows, which has no select for them; a wake-up is seen a little later."""

    _POLL_MILLISECONDS = 100

    def __init__(self) -> None:
        self._size = terminal_size()

    def start(self) -> None:
        curses.initscr()
        curses.raw()
        curses.noecho()
        curses.nonl()

    def stop(self) -> None:
        """Curses itself gives the keyboard back."""

    def wake(self) -> None:
        """Nothing: the next poll comes soon."""

    def read(self, timeout: float | None) -> list[Event]:
        window = curses.initscr()
        window.keypad(True)
        poll = self._POLL_MILLISECONDS
        window.timeout(poll if timeout is None else min(poll, int(timeout * 1000)))
        try:
            key = window.get_wch()
        except curses.error:
            key = ""
        size, self._size = self._size, terminal_size()
        resized: list[Event] = ["resize"] if size != self._size else []
        return resized + (self._named(key) if key else [])

    def _named(self, key: str | int) -> list[Event]:
        if isinstance(key, int):
            return [_CURSES_KEYS[key]] if key in _CURSES_KEYS else []
        return ["esc"] if key == "\x1b" else KeyDecoder().feed(key.encode())


_PDCURSES_KEYPAD = ("home", "up", "pgup", "left", "", "right", "end", "down", "pgdn")  # from KEY_A1 on
_CURSES_KEYS = {
    **{curses.KEY_A1 + place: key for place, key in enumerate(_PDCURSES_KEYPAD) if key},
    curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right", curses.KEY_UP: "up", curses.KEY_DOWN: "down",
    curses.KEY_SLEFT: "S-left", curses.KEY_SRIGHT: "S-right", curses.KEY_SR: "S-up", curses.KEY_SF: "S-down",
    curses.KEY_HOME: "home", curses.KEY_END: "end", curses.KEY_PPAGE: "pgup", curses.KEY_NPAGE: "pgdn",
    curses.KEY_BACKSPACE: "backspace", curses.KEY_ENTER: "enter", curses.KEY_F1: "f1", curses.KEY_RESIZE: "resize",
}  # fmt: skip


@contextmanager
def _size_in_environment() -> Iterator[None]:
    """Have curses begin with ``terminal_size``: it believes the variables before the terminal."""
    names = ("LINES", "COLUMNS")
    before = {name: os.environ[name] for name in names if name in os.environ}
    os.environ.update(zip(names, map(str, terminal_size()), strict=True))
    try:
        yield
    finally:
        for name in names:
            del os.environ[name]
        os.environ.update(before)


def _within(look: Look, colors: int) -> Look:
    """Return a look in so many colours: a bright one may be bold instead, a missing one is the terminal's own."""
    least = colors if colors <= _MANY_COLORS else 8
    color, background, bold = look.color, look.background, look.bold
    if 8 <= color < 16 and color >= least:
        color, bold = color - 8, True
    if 8 <= background < 16 and background >= least:
        background -= 8
    return look._replace(
        color=color if color < least else -1, background=background if background < least else -1, bold=bold
    )
