"""Score of a descent, in a module of its own so that the first frame does not wait for the score table to load."""

from sokoterm.engine.value import Value


class RunScore(Value):
    """Score of a run: its seed, its start in seconds since 1970, and its cost so far.

    ``floors`` is the number solved, ``over`` the pushes beyond the fewest in total; ``undos`` counts steps back,
    ``hints`` requested hints, ``shown`` solutions viewed. An empty name is the player's own.
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
        """Return the fields in order, under another name."""
        others: tuple[str | int | float, ...] = self._values()[1:]  # type: ignore[assignment]
        return (name, *others)
