"""What screens have in common on which nothing goes on by itself."""


class StillScreen:
    """Waits for keys alone; ``message`` is the line it says, until the next key."""

    message = ""

    def wake_after(self) -> float | None:
        """Nothing is to happen without a key."""
        return None

    def tick(self) -> None:
        """Time passes, and nothing changes."""

    def interrupt(self) -> bool:
        """There is nothing to stop."""
        return False

    def tell(self, message: str) -> bool:
        """Say something, unless something else is being said."""
        if self.message:
            return False
        self.message = message
        return True
