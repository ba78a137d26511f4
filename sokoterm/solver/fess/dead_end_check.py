"""DeadEndCheck about the best position of a search: is it dead, though no test that every position can afford tells so?

Half of all moves are made from the cell of the best position.  If that is dead, they are made in vain, and it is what
stands best that is dead most often: boxes were packed there at any price.  So each best position is looked at once
more: soon by tests that take longer, and, the longer none better comes, by trying everything with a few of its boxes
alone, those beside the player's region and those near to each other.  What is proven is learned as a pattern, by which
all searches of the level know other positions to be dead, and whatever came of the position is forgotten.
"""

from collections.abc import Callable, Generator, Iterator
from math import inf
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, regions
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.player_region import region_beside
from sokoterm.solver.common.subset_proof import Proof, groups_of, learn_deadlock
from sokoterm.solver.fess.tree import FeatureSearch, Node
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


class _Round(NamedTuple):
    """``patience``: the expansions without a better position after which it comes.

    ``positions``: those that are tried for each group of boxes; with 0 of them there are the longer tests alone.
    """

    patience: int
    positions: int


_ROUNDS = (_Round(4, 0), _Round(15, 50), _Round(100, 200), _Round(400, 800))

# How many boxes make a group; those beside the player's region make one if they are not more than the last.
_SIZES = (2, 3, 4, 6, 8)
_MOST_BESIDE = 8

# So many positions more may be tried than the searches have expanded; what is begun has some of them at least.
_AHEAD = 500
_LEAST_AT_HAND = 200

_MOST_GROUPS = 50_000


class DeadEndCheck:
    """Proves positions of one level to be dead, for all its searches; keeps what was tried, and limits it."""

    def __init__(self, detector: DeadlockDetector, meter: Meter) -> None:
        """``detector``: of the searches; it learns the patterns."""
        board = detector.board
        self._board = board
        self._meter = meter
        self._thorough = DeadlockDetector(board, detector.patterns, detector.open, game_bounds(board))
        self._proof = Proof(board, detector, meter, counts=False)
        self._nodes_before = meter.nodes
        # The regions that each group leaves of the board.
        self._sides: dict[Bitboard, list[Bitboard]] = {}
        # By the boxes of a group and a square of the player's region beside them: the positions that were tried in
        # vain, inf where the boxes can all come home.
        self._tried: dict[tuple[Bitboard, Bitboard], float] = {}

    @property
    def at_hand(self) -> int:
        """How many positions may be tried now."""
        return _AHEAD + self._meter.nodes - self._nodes_before - self._proof.positions

    def prove(self, node: Node, positions: int) -> Generator[Progress, None, Bitboard | None]:
        """The boxes by which a position is dead; none if that is not proven, None if there were too few at hand.

        ``positions``: as in a round.
        """
        boxes, region = node.boxes, node.region
        if not positions:
            yield self._meter.progress()
            return learn_deadlock(self._thorough, boxes, region)
        if self.at_hand < _LEAST_AT_HAND:
            return None
        alive: list[Bitboard] = []
        for group in self._groups(boxes, region):
            yield self._meter.progress()
            if self.at_hand <= 0:
                return None
            beside = self._beside(group, region)
            key = group, beside & -beside
            tried = self._tried.get(key, 0)
            if tried < positions and not any(group & ~each == 0 for each in alive):
                verdict = yield from self._proof.has_no_solution(group, beside, positions)
                if verdict:
                    return (yield from self._proof.learn(group, beside, positions))
                if len(self._tried) >= _MOST_GROUPS:
                    self._tried.clear()
                tried = self._tried[key] = positions if verdict is None else inf
            if tried == inf:
                alive.append(group)
        return 0

    def _beside(self, group: Bitboard, region: Bitboard) -> Bitboard:
        """``region_beside`` a group, into whose regions the board is split once."""
        if group not in self._sides:
            if len(self._sides) >= _MOST_GROUPS:
                self._sides.clear()
            self._sides[group] = regions(self._board.floor & ~group, self._board.stride)
        return next(side for side in self._sides[group] if side & region)

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
        if 0 < fence.bit_count() <= _MOST_BESIDE:
            yield fence
        for size in _SIZES:
            if size < count:
                yield from groups_of(self._board, boxes, size)


class DeadEndWatch:
    """What is tried to prove that the best position of one search is dead."""

    def __init__(self, dead_ends: DeadEndCheck, tree: FeatureSearch) -> None:
        self._dead_ends = dead_ends
        self._tree = tree
        self._best: Node | None = None
        self._since = 0
        self._rounds_done = 0

    def look(self) -> Generator[Progress, None, None]:
        """See to it that the best position is not dead, as far as its time has come; to be called after each step.

        One that takes the place of a dead one is no better than that: patience with it has run as long.
        """
        tree = self._tree
        if tree.best is not self._best:
            self._best, self._rounds_done, self._since = tree.best, 0, tree.expanded
        while self._best is not None and self._rounds_done < len(_ROUNDS):
            patience, positions = _ROUNDS[self._rounds_done]
            if tree.expanded - self._since < patience:
                return
            dead = yield from self._dead_ends.prove(self._best, positions)
            if dead is None:
                return
            if dead:
                yield from tree.discard(self._dead_ends.containing(dead, self._best.region))
                self._best, self._rounds_done = tree.best, 0
            else:
                self._rounds_done += 1
