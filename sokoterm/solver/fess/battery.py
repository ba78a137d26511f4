"""The deadlock tests of the engine, for the positions of a search."""

from sokoterm.engine.battery import Battery as Tests
from sokoterm.solver.fess.ground import Ground


class Battery:
    """The tests of one board; what they find out is kept for the positions to come."""

    def __init__(self, ground: Ground) -> None:
        self.is_dead = Tests(ground.board, open_board=ground.open).is_dead
