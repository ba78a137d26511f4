"""Deadlock detector: every test, cheapest first. A hit is a proof; a miss proves nothing.

Each test leaves something out of the position, boxes or where the player stands, which only makes it easier to solve.
"""

from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, scan
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.deadlock.closed_diagonal import closed_diagonals
from sokoterm.engine.deadlock.corral import Corral, CorralSearch
from sokoterm.engine.deadlock.frozen_board import FrozenBoard
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.engine.deadlock.subset_search import SubsetSearch
from sokoterm.engine.matching import find_crowd
from sokoterm.engine.player_region import region_beside

# As many sets of boxes that have become walls have their tables at a time.
_MOST_TABLES = 1_000


class DetectorBounds(NamedTuple):
    """What the tests of one position may cost.

    ``table``: floor squares times goals above which boxes and goals are not matched; ``pushes``: those after which the
    search of one corral, pair or group gives up, ``glance``: those after which that of a corral does so until it has
    been met some times; ``corrals``: as many of them are searched; ``pairs``: as many pairs of boxes that were not met
    before.  ``granted``: the pushes that groups of boxes are searched by for each position, ``saved``: the most of them
    that are left from positions before.
    """

    table: int
    pushes: int
    glance: int
    corrals: int
    pairs: int
    granted: int
    saved: int


# What a look at a single position can afford.
THOROUGH_BOUNDS = DetectorBounds(
    table=1 << 30, pushes=300, glance=300, corrals=1 << 30, pairs=50, granted=1_000, saved=1_000
)

# What pays at every position that a search looks into: pairs and groups find more, but take a third of its time.
SEARCH_BOUNDS = THOROUGH_BOUNDS._replace(glance=60, pairs=0, granted=0)


def game_bounds(board: Board) -> DetectorBounds:
    """What takes 20 ms at most between two pushes.

    A push that is searched takes a fill of the board, which takes the longer the larger that is, and the more turns
    its ways have: about as its squares, squared.
    """
    slowness = max(1, (board.stride * board.height) ** 2 // 400**2)
    pushes = max(10, 300 // slowness)
    return DetectorBounds(
        table=30_000,
        pushes=pushes,
        glance=pushes,
        corrals=max(1, 6 // slowness),
        pairs=12 // slowness,
        granted=600,
        saved=600 // slowness,
    )


# Boxes that are left out one after the other to see whether the others are dead without them.
_MOST_TRIALS = 24


class _Settled(NamedTuple):
    """A position's boxes that will never move, as far as that is known, with the tables of the board they leave."""

    fixed: Bitboard
    frozen_board: FrozenBoard


class DeadlockDetector:
    """The tests of one board; what they find out is kept for the positions to come.

    The tables take time in proportion to the floor times the goals, each time that boxes become walls.
    """

    def __init__(
        self,
        board: Board,
        patterns: Patterns | None = None,
        open_board: FrozenBoard | None = None,
        bounds: DetectorBounds = SEARCH_BOUNDS,
    ) -> None:
        """``patterns``: learned before, or by others at the same time; ``open_board``: the tables without boxes."""
        self.board = board
        self.patterns = patterns if patterns is not None else Patterns()
        self.open = open_board or FrozenBoard(board)
        self._count = board.goals.bit_count()
        self._outside = (1 << board.stride * board.height) - 1 & ~board.floor
        self._frozen_board: dict[Bitboard, FrozenBoard] = {0: self.open}
        self._subsets = SubsetSearch(
            self.open,
            self.patterns,
            pairs=bounds.pairs,
            granted=bounds.granted,
            most_saved=bounds.saved,
            pushes=bounds.pushes,
        )
        self._searches_pairs, self._searches_groups = bounds.pairs > 0, bounds.granted > 0
        self._corrals = CorralSearch(bounds.pushes, bounds.glance, bounds.corrals)
        self._matches = board.floor.bit_count() * self._count <= bounds.table

    def is_dead(self, boxes: Bitboard, region: Bitboard) -> bool:
        """Whether the position is proven to be lost; ``region`` is where the player can walk."""
        return self._look(boxes, region) is not None

    def find(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """The deadlock of a position, with as few guilty boxes as can be told soon; None if no test proves one."""
        found = self._look(boxes, region)
        match found:
            case None | Deadlock(DeadlockKind.LEARNED | DeadlockKind.PAIR | DeadlockKind.CORRAL):
                return found
            case Deadlock(DeadlockKind.RETROGRADE, fixed):
                return Deadlock(DeadlockKind.RETROGRADE, self._least_closing(fixed, boxes) or boxes)
            case Deadlock(DeadlockKind.DEAD_SQUARE | DeadlockKind.CLOSED_DIAGONAL, some):
                # Walls alone may close a diagonal: a box in a dead end is lost by itself.
                alone = [1 << box for box in scan(some) if self._is_stranded(box, region)]
                if alone:
                    return Deadlock(DeadlockKind.DEAD_SQUARE, sum(alone))
        return self._least(found, region)

    def explain(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """What ``find`` tells; where that is a pattern, the test that proves it without one, if any does."""
        found = self.find(boxes, region)
        if found is not None and found.kind is DeadlockKind.LEARNED:
            settled = self._settle(boxes, region)
            if not isinstance(settled, Deadlock):
                return self._look_at_parts(settled, boxes & ~settled.fixed, region) or found
        return found

    def _look(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """The first test that proves a position dead, where some boxes may be missing, with those that are so alone."""
        settled = self._settle_and_match(boxes, region)
        if isinstance(settled, Deadlock):
            return settled
        fixed, frozen_board = settled
        loose = boxes & ~fixed
        if boxes.bit_count() == self._count and _misses_all(boxes, frozen_board.never_filled):
            return Deadlock(DeadlockKind.RETROGRADE, fixed)
        if pattern := self.patterns.find(boxes, region):
            return Deadlock(DeadlockKind.LEARNED, pattern)
        if parts := self._look_at_parts(settled, loose, region):
            return parts
        if self._searches_groups and (group := self._subsets.find_dead_group(loose, region)):
            return Deadlock(DeadlockKind.LEARNED, group)
        return None

    def _look_at_parts(self, settled: _Settled, loose: Bitboard, region: Bitboard) -> Deadlock | None:
        """The first pair or corral that is dead."""
        if self._searches_pairs and (pair := self._subsets.find_dead_pair(loose, region)):
            return Deadlock(DeadlockKind.PAIR, pair)
        if corral := self._corrals.find_dead(settled.frozen_board, loose, region):
            return Deadlock(DeadlockKind.CORRAL, self._learned(settled, corral, region))
        return None

    def _learned(self, settled: _Settled, corral: Corral, region: Bitboard) -> Bitboard:
        """The boxes of a dead corral but for those without which it is as dead; they are kept as a pattern."""
        fixed, frozen_board = settled
        beside = self._group(around(corral.area | corral.fence, self.board.stride) & fixed, fixed)
        if beside != fixed and self.open.check.frozen(beside) == beside:
            tables = self._tables(beside)
            if self._corrals.is_dead(tables, corral, region_beside(self.board, corral.fence | beside, region)):
                fixed, frozen_board = beside, tables
        for box in list(scan(corral.fence))[:_MOST_TRIALS]:
            less = Corral(corral.area, corral.fence ^ 1 << box)
            if self._corrals.is_dead(frozen_board, less, region_beside(self.board, less.fence | fixed, region)):
                corral = less
        boxes = fixed | corral.fence
        self.patterns.add(boxes, region_beside(self.board, boxes, region))
        return boxes

    def _unmatched(self, settled: _Settled, loose: Bitboard, region: Bitboard) -> Deadlock | None:
        """The boxes that have too few goals among them, or the one that has none."""
        fixed, frozen_board = settled
        order = list(scan(loose))
        rows = [frozen_board.goals_of(box, region) for box in order]
        if 0 in rows:
            return Deadlock(DeadlockKind.DEAD_SQUARE, fixed | 1 << order[rows.index(0)])
        if crowd := find_crowd(rows):
            return Deadlock(DeadlockKind.BIPARTITE, fixed | sum(1 << order[each] for each in crowd))
        return None

    def _settle_and_match(self, boxes: Bitboard, region: Bitboard) -> _Settled | Deadlock:
        """The boxes that will never move; or a deadlock that is told by no search."""
        settled = self._settle(boxes, region)
        if self._matches and not isinstance(settled, Deadlock):
            return self._unmatched(settled, boxes & ~settled.fixed, region) or settled
        return settled

    def _settle(self, boxes: Bitboard, region: Bitboard) -> _Settled | Deadlock:
        """The boxes that will never move, taken for walls until no more follow from them; or one that is lost."""
        board, check = self.board, self.open.check
        if dead := boxes & check.dead_squares:
            return Deadlock(DeadlockKind.DEAD_SQUARE, dead)
        fixed = check.frozen(boxes)
        if fixed & ~board.goals:
            return Deadlock(DeadlockKind.FREEZE, self._group(fixed & ~board.goals, fixed))
        between = board.floor & ~(boxes | region | board.goals)
        while True:
            zigzag = closed_diagonals(boxes | self._outside, fixed | self._outside, between, board.stride) & boxes
            if zigzag & ~board.goals:
                return Deadlock(DeadlockKind.CLOSED_DIAGONAL, fixed | zigzag)
            fixed |= zigzag
            frozen_board = self._tables(fixed)
            if not fixed:
                return _Settled(fixed, frozen_board)
            loose = boxes & ~fixed
            if dead := loose & frozen_board.check.dead_squares:
                return Deadlock(DeadlockKind.DEAD_SQUARE, fixed | dead & -dead)
            more = frozen_board.check.frozen(loose)
            if not more:
                return _Settled(fixed, frozen_board)
            fixed |= more
            if lost := more & ~board.goals:
                return Deadlock(DeadlockKind.FREEZE, self._group(lost, fixed) | fixed & ~more)

    def _tables(self, fixed: Bitboard) -> FrozenBoard:
        frozen_board = self._frozen_board.get(fixed)
        if frozen_board is None:
            if len(self._frozen_board) >= _MOST_TABLES:
                self._frozen_board.clear()
            frozen_board = self._frozen_board[fixed] = FrozenBoard(self.board, fixed)
        return frozen_board

    def _group(self, seed: Bitboard, boxes: Bitboard) -> Bitboard:
        """Those of the boxes that touch, by corners too, beginning with some."""
        while grown := around(seed, self.board.stride) & boxes:
            seed |= grown
        return seed

    # Guilty boxes

    def _is_stranded(self, box: int, region: Bitboard) -> bool:
        return not self.open.goals_of(box, region_beside(self.board, 1 << box, region))

    def _least(self, found: Deadlock, region: Bitboard) -> Deadlock:
        """A deadlock that is told by no search, less the boxes without which the others are by the same test or one
        before it.
        """
        kinds = list(DeadlockKind)
        for part in self._parts(found):
            rest = found.boxes & ~part
            if rest and rest != found.boxes:
                less = self._settle_and_match(rest, region_beside(self.board, rest, region))
                if isinstance(less, Deadlock) and kinds.index(less.kind) <= kinds.index(found.kind):
                    found = less
        return found

    def _parts(self, found: Deadlock) -> list[Bitboard]:
        """What may be left out of a deadlock: boxes that touch and never move together, the others one by one."""
        loose = found.boxes
        parts = []
        if found.kind is not DeadlockKind.FREEZE:
            fixed = self.open.check.frozen(found.boxes)
            loose &= ~fixed
            while fixed:
                part = self._group(fixed & -fixed, fixed)
                parts.append(part)
                fixed &= ~part
        parts += [1 << box for box in scan(loose)]
        return parts[:_MOST_TRIALS]

    def _least_closing(self, fixed: Bitboard, boxes: Bitboard) -> Bitboard:
        """Of the boxes that have become walls those that keep all boxes from some goal."""
        for box in list(scan(fixed))[:_MOST_TRIALS]:
            if _misses_all(boxes, self._tables(fixed ^ 1 << box).never_filled):
                fixed ^= 1 << box
        return fixed


def _misses_all(boxes: Bitboard, ends: list[Bitboard]) -> bool:
    """Whether each end needs a box where there is none; False where there is an end that needs none."""
    return bool(ends) and all(needed & ~boxes for needed in ends)
