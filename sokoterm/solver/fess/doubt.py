"""Doubts about the best position of a search: is it dead, though no test that every position can afford tells so?

Half of all moves are made from the cell of the best position.  If that is dead, they are made in vain, and it is what
stands best that is dead most often: boxes were packed there at any price.  So each best position is looked at once
more: soon by tests that take longer, and, the longer none better comes, by trying everything with a few of its boxes
alone, those beside the player's region and those near to each other.  What is proven is learned as a pattern, by which
all searches of the level know other positions to be dead, and whatever came of the position is forgotten.
"""

from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

from sokoterm.engine.battery import Battery, game_bounds
from sokoterm.engine.bits import Bitboard, around
from sokoterm.solver.fess.tree import FeatureSearch, Node
from sokoterm.solver.meter import Meter
from sokoterm.solver.proof import Proof, groups_of, learn_deadlock, region_beside
from sokoterm.solver.protocol import Progress


class _Round(NamedTuple):
    """``patience``: the expansions without a better position; ``positions``: as many are tried with each few boxes."""

    patience: int
    positions: int


# In the first there are the tests alone.
_ROUNDS = (_Round(4, 0), _Round(15, 50), _Round(100, 200), _Round(400, 800))

# How many boxes are taken together; those beside the player's region are if they are not more than the most.
_SIZES = (2, 3, 4, 6, 8)

# The positions tried for each one that the searches expand, and those for none.
_POSITIONS_PER_NODE = 1
_FIRST_POSITIONS = 500

_MOST_GROUPS = 50_000


class Doubts:
    """What all searches of a level have proven."""

    def __init__(self, battery: Battery, meter: Meter) -> None:
        """``battery``: of the searches; it learns the patterns."""
        board = battery.board
        self._board = board
        self._meter = meter
        self._thorough = Battery(board, battery.patterns, battery.open, game_bounds(board))
        self._proof = Proof(board, battery, meter, counts=False)
        # By some boxes and a square of the player's region beside them: how many positions were tried in vain, None
        # where they all can come home.
        self._tried: dict[tuple[Bitboard, Bitboard], int | None] = {}

    def prove(self, node: Node, positions: int) -> Generator[Progress, None, Bitboard]:
        """The boxes by which a position is dead; none if that is not proven with so many positions of some boxes."""
        boxes, region = node.boxes, node.region
        if dead := learn_deadlock(self._thorough, boxes, region):
            return dead
        alive: list[Bitboard] = []
        for group in self._groups(boxes, region) if positions else ():
            yield self._meter.progress()
            if self._proof.positions > _FIRST_POSITIONS + _POSITIONS_PER_NODE * self._meter.nodes:
                return 0
            beside = region_beside(self._board, group, region)
            key = group, beside & -beside
            tried = self._tried.get(key, 0)
            if tried is not None and tried < positions and not any(group & ~each == 0 for each in alive):
                verdict = yield from self._proof.cannot_come_home(group, beside, positions)
                if verdict:
                    return (yield from self._proof.learn(group, beside))
                if len(self._tried) >= _MOST_GROUPS:
                    self._tried.clear()
                tried = self._tried[key] = positions if verdict is None else None
            if tried is None:
                alive.append(group)
        return 0

    def containing(self, dead: Bitboard, region: Bitboard) -> Callable[[Node], bool]:
        """What tells whether a position has some dead boxes, with the player on the same side of them."""
        area = region_beside(self._board, dead, region)

        def is_dead(node: Node) -> bool:
            return node.boxes & dead == dead and node.region & area != 0

        return is_dead

    def _groups(self, boxes: Bitboard, region: Bitboard) -> Iterator[Bitboard]:
        """Boxes that may be dead without the others."""
        count = boxes.bit_count()
        fence = around(region, self._board.stride) & boxes
        if fence.bit_count() <= _SIZES[-1]:
            yield fence
        for size in _SIZES:
            if size < count:
                yield from groups_of(self._board, boxes, size)


class Doubter:
    """What is tried to prove that the best position of one search is dead."""

    def __init__(self, doubts: Doubts, tree: FeatureSearch) -> None:
        self._doubts = doubts
        self._tree = tree
        self._best: Node | None = None
        self._since = 0
        self._rounds_done = 0

    def look(self) -> Generator[Progress, None, None]:
        """See to it that the best position is not dead, as far as its time has come; to be called after each step."""
        tree = self._tree
        if tree.best is not self._best:
            self._begin_with(tree.best)
            self._since = tree.expanded
        while self._best is not None and self._rounds_done < len(_ROUNDS):
            patience, positions = _ROUNDS[self._rounds_done]
            if tree.expanded - self._since < patience:
                return
            if dead := (yield from self._doubts.prove(self._best, positions)):
                yield from tree.discard(self._doubts.containing(dead, self._best.region))
                self._begin_with(tree.best)
            else:
                self._rounds_done += 1

    def _begin_with(self, best: Node | None) -> None:
        self._best = best
        self._rounds_done = 0
