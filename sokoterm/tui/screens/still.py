"""What screens have in common on which nothing goes on by itself."""

from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.terminal.pointer import Pointer


class StillScreen:
    """Waits for keys alone; ``message`` is the line it says, until the next key."""

    message = ""

    def point(self, pointer: Pointer) -> Reaction | None:  # noqa: ARG002 - there is nothing to click on
        """Nothing is to happen by the mouse."""
        return None

    def paste(self, text: str) -> bool:  # noqa: ARG002 - no text is asked for
        """There is no place for text."""
        return False

    def wake_after(self) -> float | None:
        """Nothing is to happen without a key."""
        return None

    def tick(self) -> None:
        """Time passes, and nothing changes."""

    def interrupt(self) -> bool:
        """There is nothing to stop."""
        return False

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Say something, unless something else is being said and this ``is_answer`` to no key."""
        if self.message and not is_answer:
            return False
        self.message = message
        return True
