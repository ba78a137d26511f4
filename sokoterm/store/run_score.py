"""What a descent comes to, as a value by itself: the first picture does not wait for what keeps it."""

from sokoterm.engine.value import Value


class RunScore(Value):
    """A run of somebody: its seed, its beginning in seconds since 1970, and what it took so far.

    ``floors`` were solved, ``over`` the fewest pushes by so many in all; ``undos`` counts each going back, ``hints``
    pushes that were asked for, ``shown`` solutions that were looked at.  An empty name is the player's own.
    """

    name: str
    seed: int
    begun: float
    is_over: bool
    floors: int
    over: int
    undos: int
    hints: int
    shown: int
    pushes: int
    moves: int
    seconds: float

    def row(self, name: str) -> tuple[str | int | float, ...]:
        """The fields in their order, with another name."""
        others: tuple[str | int | float, ...] = self._values()[1:]  # type: ignore[assignment]
        return (name, *others)
