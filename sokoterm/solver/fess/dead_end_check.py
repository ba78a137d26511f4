"""Dead-end check: deadlock tests for the best position of a search, too expensive for every position.

Half of all moves are made from the cell of the best position, which is the one most likely to be dead, since boxes were
packed at any price.  It is therefore examined in rounds: first by slower tests and then, the longer no better position
appears, by exhaustive search of small groups of its boxes, those next to the player's region and those near each other.
A proof is learned as a pattern for all searches of the level, and the descendants of the position are dropped.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from math import inf
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.reach import region_beside
from sokoterm.solver.common.subset_proof import Proof, groups_of, learn_deadlock
from sokoterm.solver.fess.tree import FeatureSearch, Node
from sokoterm.solver.search import Meter, Progress


class CheckRound(NamedTuple):
    """Round of the check.

    ``patience``: expansions without a better position before the round.  ``positions``: most positions searched per
    group of boxes; 0: run only the slower tests.
    """

    patience: int
    positions: int


ROUNDS = (CheckRound(4, 0), CheckRound(15, 50), CheckRound(100, 200), CheckRound(400, 800))

# Sizes of groups of nearby boxes, and the largest group of boxes next to the player's region.
_SIZES = (2, 3, 4, 6, 8)
_MOST_BESIDE = 8

# How many positions the check may search beyond the searches' expansions, and the smallest budget it starts with.
_AHEAD = 500
_LEAST_AT_HAND = 200

_MOST_GROUPS = 50_000


class DeadEndCheck:
    """Prover of dead positions for all searches of a level, with a budget and a cache of attempts."""

    def __init__(self, detector: DeadlockDetector, meter: Meter, ahead: int = _AHEAD) -> None:
        """``detector``: the searches' detector, which learns the patterns.  ``ahead``: see ``_AHEAD``."""
        board = detector.board
        self._board = board
        self._meter = meter
        self._thorough = DeadlockDetector(board, detector.patterns, detector.open, game_bounds(board))
        self._proof = Proof(board, detector, meter, counts=False)
        self._ahead = ahead
        self._nodes_before = meter.nodes
        # By group and lowest square of the player's region beside it: positions searched without a result, or inf if
        # the boxes can all reach goals.
        self._tried: dict[tuple[Bitboard, Bitboard], float] = {}

    @property
    def at_hand(self) -> int:
        """Number of positions that may be searched now."""
        return self._ahead + self._meter.nodes - self._nodes_before - self._proof.positions

    def prove(self, node: Node, positions: int) -> Generator[Progress, None, Bitboard | None]:
        """Return the boxes that make a position dead, 0 if that is not proven, None if the budget was too small."""
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
            beside = region_beside(self._board, group, region)
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

    def containing(self, dead: Bitboard, region: Bitboard) -> Callable[[Node], bool]:
        """Return a test for nodes that contain the ``dead`` boxes with the player on the same side of them."""
        area = region_beside(self._board, dead, region)

        def is_dead(node: Node) -> bool:
            return node.boxes & dead == dead and node.region & area != 0

        return is_dead

    def _groups(self, boxes: Bitboard, region: Bitboard) -> Iterator[Bitboard]:
        count = boxes.bit_count()
        fence = around(region, self._board.stride) & boxes
        if 0 < fence.bit_count() <= _MOST_BESIDE:
            yield fence
        for size in _SIZES:
            if size < count:
                yield from groups_of(self._board, boxes, size)


class DeadEndWatch:
    """Check of one search: runs the rounds on its best position."""

    def __init__(self, dead_ends: DeadEndCheck, tree: FeatureSearch, rounds: Sequence[CheckRound] = ROUNDS) -> None:
        self._dead_ends = dead_ends
        self._tree = tree
        self._rounds = rounds
        self._best: Node | None = None
        self._since = 0
        self._rounds_done = 0

    def look(self) -> Generator[Progress, None, None]:
        """Run the rounds due on the best position and drop it if it is dead; call after each step.

        A position that replaces a dead one is no better, so it inherits its waiting time.
        """
        tree = self._tree
        if tree.best is not self._best:
            self._best, self._rounds_done, self._since = tree.best, 0, tree.expanded
        while self._best is not None and self._rounds_done < len(self._rounds):
            patience, positions = self._rounds[self._rounds_done]
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
