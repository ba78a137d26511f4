"""The collections of letslogic.com, for download."""

from collections.abc import Callable, Sequence

from sokoterm.app.keymap import Keymap
from sokoterm.app.online import Online
from sokoterm.app.request import Ask
from sokoterm.engine.text import printable
from sokoterm.language import _, pgettext
from sokoterm.store.letslogic import Account, Compared, Fetched, Told
from sokoterm.store.packs import key_of
from sokoterm.store.paths import config_file
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.browser import BrowserScreen
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Frame, Size, StatusText
from sokoterm.tui.widgets.parts import Choice, gauge, plain_lines, two_columns
from sokoterm.wording.columns import folded, text_width
from sokoterm.wording.letslogic import collection_facts, how_to_get_key, question, told_text

_SITE = "letslogic.com"
_UPDATE_SECONDS = 0.25
_WIDEST_BAR = 30


class LetslogicScreen(Screen):
    """The list of collections, which may be left during a download."""

    def __init__(self, online: Online, keymap: Keymap, clock: Callable[[], float]) -> None:
        self.keymap = keymap
        self._online, self._clock, self._begun = online, clock, 0.0
        self._choice, self._page = Choice(), 10
        self._texts: Sequence[str] = ()  # for a player without a key

    def begun(self) -> "LetslogicScreen":
        """Request the collections unless they are known or another request is running; return the screen."""
        self.message = ""
        if self._online.has_key and not self._online.collections and not self._online.is_busy:
            self._ask(Account.collections)
        return self

    def take(self, told: Told, play: PlayScreen | None, screens: Sequence[Screen]) -> str:
        """Choose a downloaded pack in the browser, or ask on the board whether to send solutions; return a message."""
        for screen in screens:
            if isinstance(told, Fetched) and isinstance(screen, BrowserScreen):
                screen.lists.choose_pack(key_of(told.added.path))
        if play is not None:
            play.end_wait(question(told.parcels) if isinstance(told, Compared) and told.parcels else "")
        return told_text(told)

    def _ask(self, request: Callable[[Account], Told]) -> None:
        self._begun = self._clock()
        self._online.ask(request)

    def wake_after(self) -> float | None:
        return _UPDATE_SECONDS if self._online.is_busy else None

    def interrupt(self) -> bool:
        was_busy = self._online.is_busy
        self._online.cancel()
        self.message = _("cancelled") if was_busy else ""
        return was_busy

    def update(self, action: str | None, key: str) -> Reaction | None:  # noqa: ARG002 - no text is asked for
        online = self._online
        match action:
            case "accept" if online.has_key and not online.is_busy:
                chosen = online.collections[self._choice.index] if online.collections else None
                self._ask(lambda account: account.fetch(chosen.id) if chosen is not None else account.collections())
            case "cancel" | "close":
                return None if action == "cancel" and self.interrupt() else Ask.CLOSE
            case str():
                self._choice.move(action, self._length, self._page)
        return None

    def point(self, pointer: Pointer) -> Reaction | None:
        """Click: choose a collection; right button: go back; wheel: scroll."""
        if not pointer.is_press or pointer.button == "right":
            return Ask.CLOSE if pointer.is_press else None
        row = self._choice.point(pointer, self._length, range(1, self._page + 1))
        if row is not None:
            self._choice.index = row
        return None

    def fit(self, size: Size, appearance: Appearance) -> None:  # noqa: ARG002 - text looks the same in every theme
        area = size.above(2).inside
        self._page = area.height
        if not self._online.has_key:
            self._texts = [part for line in how_to_get_key(config_file()) for part in folded(line, area.width)]
        self._choice.scroll(self._length, self._page)

    @property
    def _length(self) -> int:
        """The number of collections, or of text lines that can be at the top."""
        return max(1, len(self._texts) - self._page + 1) if self._texts else len(self._online.collections)

    def view(self, size: Size, appearance: Appearance) -> Frame:  # noqa: ARG002 - text looks the same in every theme
        canvas, choice, online = Canvas(*size), self._choice, self._online
        fetch = pgettext("footer: of a collection", "fetch") if online.collections else _("try again")
        labels = {"accept": fetch if online.has_key and not online.is_busy else ""}
        labels["down"] = _("more") if self._texts and choice.index + 1 < self._length else ""
        labels |= {"cancel": _("cancel") if online.is_busy else _("back"), "help": _("help"), "quit": _("quit")}
        column = canvas.draw_page(StatusText(self._line()), self.keymap.hints(labels))
        if online.is_busy and (length := online.arrived[1]):
            bar = gauge(online.arrived[0], length, max(0, min(_WIDEST_BAR, size.columns - column - 2)))
            canvas.put_parts(size.rows - 2, column + 2, bar)
        area = canvas.draw_pane(size.above(2), _SITE, f"{len(online.collections) or ''}", has_focus=True)
        if not online.has_key:
            canvas.draw_list(area, plain_lines(self._texts[choice.index :]))
            return canvas.frame()
        fetched = online.fetched
        names = [f"{'*' if each.id in fetched else ' '} {printable(each.title)}" for each in online.collections]
        names_width = min(max(map(text_width, names), default=0) + 2, area.width * 3 // 5)
        rows = [*zip(names, map(collection_facts, online.collections), strict=True)][choice.page(self._page)]
        lines = [two_columns(name, facts, names_width, PLAIN) for name, facts in rows]
        canvas.draw_list(area, lines, choice.index - choice.first if lines else -1)
        return canvas.frame((area.top + choice.index - choice.first, area.left))

    def _line(self) -> str:
        text = _("asking {site} ... {seconds} s", site=_SITE, seconds=int(self._clock() - self._begun))
        if arrived := self._online.arrived[0]:
            text = f"{text}  {arrived >> 10:,} kB"
        return text if self._online.is_busy else self.message
