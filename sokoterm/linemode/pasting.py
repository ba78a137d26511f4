"""Lines that are pasted, gathered up to the one that ends them."""

from sokoterm.tui.terminal.key_decoder import MOST_PASTED

_END = "."


class Pasting:
    """A paste that has begun; only so much of it is kept."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._room = MOST_PASTED

    def take(self, line: str) -> bool:
        """Take a line; whether it is the dot that ends the paste."""
        if line.strip() == _END:
            return True
        self._room -= len(line.encode()) + 1
        if self._room >= 0:
            self._lines.append(line)
        return False

    @property
    def is_too_long(self) -> bool:
        return self._room < 0

    @property
    def text(self) -> str:
        return "\n".join(self._lines)
