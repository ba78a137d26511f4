"""The text that is searched for in a list, as it is typed."""

_LONGEST = 200  # of pasted text; no title is longer


class TypedSearch:
    """What was typed, and whether more is to come: then ``reads_text``, and keys are letters."""

    def __init__(self) -> None:
        self.reads_text = False
        self._text = ""

    def __bool__(self) -> bool:
        """Whether something is searched for."""
        return bool(self._text)

    @property
    def wanted(self) -> str:
        """The text in lower case; empty where nothing is searched for."""
        return self._text.casefold()

    @property
    def line(self) -> str:
        """How it is shown; empty where nothing is searched for or typed."""
        return f"/{self._text}" if self.reads_text or self._text else ""

    def begin(self) -> None:
        self.reads_text = True
        self._text = ""

    def end(self) -> None:
        """Search for nothing."""
        self.reads_text = False
        self._text = ""

    def accept(self) -> None:
        """The text is complete."""
        self.reads_text = False

    def type(self, key: str) -> None:
        """A key while text is typed."""
        if key == "backspace":
            self._text = self._text[:-1]
        elif key == "space":
            self._text += " "
        elif len(key) == 1:
            self._text += key

    def paste(self, text: str) -> None:
        self._text = (self._text + text)[:_LONGEST]
