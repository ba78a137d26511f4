"""The curses terminal: the only module that imports curses. A Line captures, counts and sends its output."""

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

# Mouse buttons in SGR form (any number of columns); terminals that lack it use the older form.
_MOUSE_ON, _MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"
_ASK_BACKGROUND = b"\x1b]11;?\x1b\\"
_ASK_SYNCHRONIZES = b"\x1b[?2026$p"  # GNU screen and Terminal.app would print the p
# Ask for pictures (see graphics.py), the pixels of a cell, and the device attributes, which every terminal reports and
# which include sixels. Terminal.app prints the first question, and multiplexers read it as a title; tmux keeps at most
# ten sixel pictures, and none that another one overlaps.
_ASK_CELL = b"\x1b[16t"
_ASK_PICTURES = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + _ASK_CELL + b"\x1b[c"
_ERASE_LINE = b"\r\x1b[K"  # PuTTY prints the question for pictures
_MULTIPLEXERS = ("screen", "tmux")
# Bracketed paste.
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
# Window title; the terminal keeps the previous one on a stack.
_PUSH_TITLE, _TITLE, _POP_TITLE = b"\x1b[22;2t", b"\x1b]2;%b\x1b\\", b"\x1b[23;2t"
_LONGEST_TITLE = 100
_LIKE_XTERM = ("xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "rxvt", "contour", "ghostty", "st-")
_MANY_COLORS = 256
_MOST_PAIRS = 256  # the most that fit in an attribute
_TRUE_COLOR = ("truecolor", "24bit")  # values of COLORTERM
_SCROLL = re.compile(rb"\x1b\[\d+;\d+r")  # curses scrolls part of the screen when that is shorter
# Draw boards without pictures if no answer has arrived by then; a later one still counts.
_ANSWER_SECONDS = 0.15
_GLIDE_SECONDS = 1 / 60  # between the frames of a glide
# Start rows of sixels with different spaces: curses scrolls rows that contain the same characters.
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))


class CursesTerminal(Terminal):
    """Writes the spans that changed; curses turns them into the fewest bytes the terminal understands."""

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
        """``mouse``: ask for mouse reports, if the terminal supports them; ``slow``: the line is known to be slow;
        ``glides``: the player and boxes glide to the next square; ``skin``: the name of their sprites."""
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
        # A terminal that can report the cursor position (u7) can also report its status.
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
        self._images: Images | None = None
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
        # Ask once, if the terminal is likely to answer: is it dark or light, and does it synchronize output?
        if not self._has_asked and self.shows_tiles and os.environ.get("TERM", "").startswith(_LIKE_XTERM):
            self._has_asked = True
            is_garbled = os.environ["TERM"].startswith("screen") or os.environ.get("TERM_PROGRAM") == "Apple_Terminal"
            question = _ASK_BACKGROUND + (b"" if is_garbled else _ASK_SYNCHRONIZES)
            if self.may_picture:
                question += _ASK_PICTURES
                self._answer_due = monotonic() + _ANSWER_SECONDS
            self._line.ask(question + _ERASE_LINE)

    def _open_screen(self) -> None:
        usual = console_text if os.environ.get("TERM") == "linux" else narrow_text if has_wide_lines() else str
        self._drawable = usual if speaks_utf8() else ascii_text
        if self._drawable is ascii_text:
            import locale  # terminals without UTF-8 only

            # The locale tells curses that the terminal uses UTF-8, though it is given only ASCII: in other locales it
            # shortens runs of equal characters to the REP sequence, which many terminals that claim to be xterm do not
            # know.
            with suppress(locale.Error):  # without that locale the terminal has to know the sequence
                locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        with _size_in_environment():
            self._screen = self._window = screen = curses.initscr()
        curses.raw()  # else Ctrl-C and Ctrl-Z arrive as signals, and curses stops without restoring the mouse
        if sys.platform != "win32":
            curses.typeahead(-1)  # else a key in the input queue interrupts a refresh
        screen.leaveok(False)
        screen.idlok(False)
        with self._caught(), suppress(curses.error):
            if self._color and curses.has_colors():
                curses.start_color()
                curses.use_default_colors()  # keep the terminal's own default colours
                self._has_colors = True

    def stop(self) -> None:
        with ExitStack() as steps:  # run all of them, last one first, even if one fails
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
        with suppress(curses.error):  # the terminal may be gone
            try:
                with self._caught(), ExitStack() as steps:
                    steps.callback(curses.endwin)
                    window.move(window.getmaxyx()[0] - 1, 0)
                    window.clrtoeol()  # where the shell's prompt appears on a terminal without a second screen
                    window.refresh()
            except OSError:  # the output cannot be captured: let curses write it
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
            with self._caught(), suppress(curses.error):  # not every terminal can hide it; endwin shows it
                curses.curs_set(int(self._shows_cursor))
        if self._sixels is not None and self._shown is not None:
            old, now = ([each[1:5] for each in one.pictures if each.layer == GROUND] for one in (self._shown, frame))
            if old != now and old and now:
                self.forget()  # curses would shift the contents of a row
        shape = len(frame.rows), len(frame.rows[0].text)
        if self._shown is None or shape != self._shape:
            self._shown, self._shape = None, shape
            size = terminal_size()
            if curses.is_term_resized(*size):  # curses reads no keys here, so nothing tells it
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
            self.wear(self._looks, self._palette)  # number the colour pairs again, without those of old frames
            self.paint(frame)
            return
        for row, column, span_text, style in spans:
            text = self._drawable(span_text)
            if style == PICTURE and self._sixels is not None:
                text = _SPACES[row % len(_SPACES)] + text[1:]
            # In the lower right corner curses writes, then raises because the cursor cannot advance.
            with suppress(curses.error):
                window.addstr(row, column, text, self._attribute_of(style))
        rows, columns = window.getmaxyx()
        window.move(min(frame.cursor[0], rows - 1), min(frame.cursor[1], columns - 1))
        window.leaveok(bool(frame.pictures) and not self._shows_cursor)  # moving a hidden cursor costs bytes
        with self._caught(is_picture=True, follow=partial(self._show_images, frame, Size(rows, columns), spans)):
            window.refresh()
        self._shown = frame

    def _show_images(self, frame: Frame, size: Size, spans: Sequence[Span], written: bytes) -> bytes:
        has_scrolled = _SCROLL.search(written) is not None  # pictures scroll with the text
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
        """Start showing pictures once the terminal says it can; return the other events, and PICTURES_SHOWN if so."""
        answers = [event for event in heard if event in (PICTURES_SHOWN, SIXELS) or isinstance(event, CellSize)]
        events = [event for event in heard if event not in answers]
        if not self.may_picture or self._images is not None:
            return events
        self._has_sixels |= SIXELS in answers
        self._cell = next((event for event in answers if isinstance(event, CellSize)), self._cell)
        if PICTURES_SHOWN in answers and self._sixels is None:
            from sokoterm.tui.graphics import Images  # only if pictures are shown

            self._images, self._shown = Images(), None
            events.append(PICTURES_SHOWN)
        elif self._has_sixels and not self._line.is_slow:
            from sokoterm.tui.sixel import Sixels, usable_cell  # only for terminals with sixels

            if "resize" in events:
                self._line.send(_ASK_CELL)
            cell = usable_cell(self._cell)
            if cell is not None and (self._sixels is None or self._sixels.cell != cell):
                events.append("resize" if self._sixels is not None else PICTURES_SHOWN)
                self._sixels, self._shown, self._answer_due = Sixels(cell, self._image), None, None
                self._attributes.pop(PICTURE, None)
        return events

    def _image(self, image: object) -> "Picture":
        from sokoterm.tui.widgets.pictures import image_of, plate  # only if pictures are shown

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
        self._drop_images()  # clearing the screen may free them, as in kitty 0.26
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
        self._uses_mouse = not self._uses_mouse  # sent once, with the next frame
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
        """Turn reports of mouse buttons on or off; curses itself would add movement or end at column 223."""
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
        """Send what curses writes in the block, then what ``follow`` returns (on Windows curses writes it)."""
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
        if is_wanted != self._is_asked_for_pastes and os.environ.get("TERM", "").startswith(_LIKE_XTERM):
            self._is_asked_for_pastes = is_wanted
            self._line.send(_PASTE_ON if is_wanted else _PASTE_OFF)

    def _attribute_of(self, style: str) -> int:
        """Return the attribute of a style; attributes of tiles and coloured boxes are created on first use."""
        attribute = self._attributes.get(style)
        if attribute is None:
            attribute = self._attributes[style] = self._attribute(self._look_of(style))
        return attribute

    def _look_of(self, style: str) -> Look:
        letters = colors_of(style)
        if letters is None:
            if style == PICTURE and self._sixels is not None:
                return Look(dim=True)  # curses may erase plain blanks together with others
            from sokoterm.tui.widgets.sights import look_of  # only for colours and ice

            return look_of(style, self._looks_in_force, self._palette) or Look()
        front, back = map(self._palette.number, letters)
        return Look(front, background=back)

    @property
    def _looks_in_force(self) -> Mapping[str, Look]:
        many_colors = self._has_colors and curses.COLORS == _MANY_COLORS
        return self._looks.on(self._palette.name, many_colors=many_colors)

    def _attribute(self, look: Look) -> int:
        # With more than 256 colours, the numbers have another meaning.
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
    """True if the cursor can move anywhere; raises PackError. TERM is replaced if curses knows only a similar one."""
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
    what = _("unknown terminal {name!r}", name=printable(name)) if name else _("TERM is not set")
    raise PackError(what)


class _CursesKeys:
    """Keys through curses, for Windows, where select does not work; reading notices a wake-up with some delay."""

    _POLL_MILLISECONDS = 100

    def __init__(self) -> None:
        self._size = terminal_size()

    def start(self) -> None:
        curses.initscr()
        curses.raw()
        curses.noecho()
        curses.nonl()

    def stop(self) -> None:
        """Do nothing: curses restores the keyboard."""

    def wake(self) -> None:
        """Do nothing: the next poll is soon."""

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


_PDCURSES_KEYPAD = ("home", "up", "pgup", "left", "", "right", "end", "down", "pgdn")  # from KEY_A1
_CURSES_KEYS = {
    **{curses.KEY_A1 + place: key for place, key in enumerate(_PDCURSES_KEYPAD) if key},
    curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right", curses.KEY_UP: "up", curses.KEY_DOWN: "down",
    curses.KEY_SLEFT: "S-left", curses.KEY_SRIGHT: "S-right", curses.KEY_SR: "S-up", curses.KEY_SF: "S-down",
    curses.KEY_HOME: "home", curses.KEY_END: "end", curses.KEY_PPAGE: "pgup", curses.KEY_NPAGE: "pgdn",
    curses.KEY_BACKSPACE: "backspace", curses.KEY_ENTER: "enter", curses.KEY_F1: "f1", curses.KEY_RESIZE: "resize",
}  # fmt: skip


@contextmanager
def _size_in_environment() -> Iterator[None]:
    """Make curses start with ``terminal_size``: it trusts the variables over the terminal."""
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
    """Reduce a look to some colours: bright ones may become bold, missing ones become the terminal's own."""
    least = colors if colors <= _MANY_COLORS else 8
    color, background, bold = look.color, look.background, look.bold
    if 8 <= color < 16 and color >= least:
        color, bold = color - 8, True
    if 8 <= background < 16 and background >= least:
        background -= 8
    return look._replace(
        color=color if color < least else -1, background=background if background < least else -1, bold=bold
    )
