"""The query line of the browser: the filter of a list as it is typed, what it means, and what is wrong with it."""

from sokoterm.store.query import EVERY, Query, QueryError, has_terms, parse_query
from sokoterm.tui.screens.browser_text import cut_at_a_word
from sokoterm.wording.columns import clipped, text_width
from sokoterm.wording.lists import place_of_filter, query_problem

_LONGEST = 200  # of pasted text; no title is longer
_LEAST_TOLD = 20  # columns from which there is room for words beside the filter


class TypedQuery:
    """The filter of a list, as it is typed; ``reads_text`` while it is being typed.

    ``is_of_packs``: it was begun in the list of packs. ``problem`` is the word that is no term; until it is mended, the
    terms before it hold.
    """

    def __init__(self) -> None:
        self.reads_text = False
        self.is_of_packs = True
        self.problem: QueryError | None = None
        self.wanted: Query = EVERY
        self._text = ""

    def __bool__(self) -> bool:
        """True if a filter is set."""
        return bool(self._text)

    @property
    def text(self) -> str:
        """The filter as it was typed."""
        return self._text

    @property
    def line(self) -> str:
        """The filter as it is shown; empty if there is none and none is typed."""
        return f"/{self._text}" if self.reads_text or self._text else ""

    def shown(self, columns: int, note: str = "") -> str:
        """Return the line while it is typed, with what is wrong with it, a note or what it filters, as room allows."""
        told = query_problem(self.problem) if self.problem is not None else note
        told = told or place_of_filter(of_packs=self.is_of_packs)
        if text_width(line := f"{self.line}   {told}") <= columns:
            return line
        has_room = text_width(self.line) + _LEAST_TOLD <= columns
        return cut_at_a_word(line, columns) if has_room else clipped(self.line, columns)

    def begin(self, *, is_of_packs: bool) -> None:
        self.end()
        self.reads_text = True
        self.is_of_packs = is_of_packs

    def end(self) -> None:
        """Clear the filter."""
        self.reads_text = False
        self._set("")

    def accept(self) -> None:
        """Stop typing, unless the filter is wrong; it stays."""
        self.reads_text = self.problem is not None

    def enter_pack(self) -> None:
        """Go to the levels: words alone have served to find the pack, other terms stay."""
        if self.is_of_packs and has_terms(self.wanted):
            self.reads_text = False
        else:
            self.end()

    def leave_pack(self) -> None:
        """Go back to the packs, and to their filter if there is one."""
        if not self.is_of_packs:
            self.end()

    def type(self, key: str) -> None:
        """Take a key while the text is typed."""
        if key == "backspace":
            self._set(self._text[:-1])
        elif key == "space":
            self._set(self._text + " ")
        elif len(key) == 1:
            self._set(self._text + key)

    def paste(self, text: str) -> None:
        self._set((self._text + text)[:_LONGEST])

    def _set(self, text: str) -> None:
        self._text = text
        self.problem = None
        while True:
            try:
                self.wanted = parse_query(text)
                return
            except QueryError as error:
                if error.name == ")":  # it may still be typed
                    text += ")"
                    continue
                self.problem = self.problem or error
                text = text.rpartition(" ")[0]
