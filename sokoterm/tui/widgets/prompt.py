"""A question at the foot of the board, which the next keys answer: a number or date, or the letter of a bookmark."""

from collections.abc import Iterable

from sokoterm.app.keymap import DIGITS, Keymap

_QUESTIONS = {"bookmark": "bookmark under which letter?", "to bookmark": "return to which bookmark?"}
_NUMBER = "go to level"
_DATE_SIGNS = DIGITS | {"-"}
_LONGEST = len("2026-11-22")


class Prompt:
    """What is being asked for an action of the keymap, if anything is."""

    def __init__(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._action = ""
        self._number = ""
        self._question = ""
        self._noun = ""

    @property
    def is_open(self) -> bool:
        """Whether the next key is an answer."""
        return bool(self._action)

    def ask(self, action: str) -> None:
        """Ask for what an action needs."""
        self._action = action

    def ask_number(self, noun: str) -> None:
        """Ask which level to go to; ``noun`` says what has numbers here, or a date."""
        self._action, self._noun = _NUMBER, noun

    def ask_whether(self, action: str, question: str) -> None:
        """Ask whether to do something that cannot be taken back: ``y`` does it."""
        self._action, self._question = action, question

    def close(self) -> None:
        """Ask for nothing any more."""
        self._action = self._number = self._question = ""

    def text(self, bookmarks: Iterable[str]) -> str:
        """The question, with the bookmarks that there are; empty where nothing is asked."""
        if self._action == _NUMBER:
            return f"{self._noun}, then Enter: {self._number}"
        if self._question:
            return self._question
        names = " ".join(sorted(bookmarks))
        if self._action == "to bookmark" and names:
            return f"return to which bookmark? ({names})"
        return _QUESTIONS.get(self._action, "")

    def answer(self, key: str) -> tuple[str, str] | None:
        """Take a key; the action and what was answered once that is all, None before, or where it is no answer."""
        if self._action == _NUMBER and (key in _DATE_SIGNS or key == "backspace"):
            self._number = self._number[:-1] if key == "backspace" else (self._number + key)[-_LONGEST:]
            return None
        action, number, is_whether = self._action, self._number, bool(self._question)
        self.close()
        if is_whether:
            return (action, key) if key == "y" else None
        if action == _NUMBER:
            is_end = key == "enter" or self._keymap.find_action(key) == action
            return (action, number) if is_end and number else None
        is_name = len(key) == 1 and (key.isalpha() if action == "bookmark" else key.isalnum())
        return (action, key) if is_name else None

    def paste(self, text: str) -> bool:
        """A number or date goes where one is asked for; what else is asked for is a letter, never pasted."""
        if self._action == _NUMBER and _DATE_SIGNS.issuperset(text):
            self._number = (self._number + text)[-_LONGEST:]
        return self.is_open
