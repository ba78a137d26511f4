"""A question of the browser about a pack of the player's own: its new name, or whether it is to be removed."""

import os

from sokoterm.app.keymap import by_place
from sokoterm.store.packs import PackFile
from sokoterm.wording.lists import removal_question, rename_question

_LONGEST = 200  # of pasted text; no file name is longer


class PackQuestion:
    """A question about a pack, and the name as it is typed."""

    def __init__(self, file: PackFile, *, is_removal: bool) -> None:
        self.file = file
        self.is_removal = is_removal
        self.name = os.path.basename(file.name)

    @property
    def line(self) -> str:
        """The question and what has been typed."""
        return removal_question(self.file) if self.is_removal else f"{rename_question(self.file)} {self.name}"

    def answer(self, key: str) -> bool | None:
        """Take a key: True for yes, False for no, None while a name is typed."""
        if self.is_removal:
            return by_place(key) == "y"
        match key:
            case "enter":
                return True
            case "esc":
                return False
            case "backspace":
                self.name = self.name[:-1]
            case "space":
                self.name += " "
            case _ if len(key) == 1:
                self.name += key
        return None

    def paste(self, text: str) -> None:
        if not self.is_removal:
            self.name = (self.name + text)[:_LONGEST]
