"""Deadlock detector: every test, cheapest first. A hit is a proof; a miss proves nothing.

Each test relaxes the position: it ignores some boxes or the player's square, which can only make it easier to solve.
These tests hold with colours or ice:

| test | colours | ice, with colours or without |
|---|---|---|
| dead square | counts only goals that take the box | the same; a slide may stop before any square that can hold a box |
| freeze | a goal of another colour is no goal | the same: on ice too, a push needs both sides of the box free |
| bipartite | matches each box only to goals that accept it | the same |
| learned pattern | sets of boxes, proven with colours or without | whole positions, proven by a search of all boxes |
| closed diagonal, retrograde, pair, corral | as without colours | none: with fewer boxes fewer slides are stopped |

A position without its colours is easier to solve, so every test of ordinary boards holds with colours.  On ice a box
may need another one to stop it, so fewer boxes are not easier to solve: tests that leave boxes out do not hold unless
they let slides stop anywhere.
"""

from functools import lru_cache, partial
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, scan, shift
from sokoterm.engine.board import Board, State, flattened, layered_squares
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind, Patterns
from sokoterm.engine.deadlock.subsets import Corral, CorralSearch, DetectorBounds, FrozenBoard, SubsetSearch
from sokoterm.engine.matching import find_hall_violator
from sokoterm.engine.reach import reachable_area, region_beside

# Cached tables, one for each set of fixed boxes.
_MOST_TABLES = 1_000

# For a single position.
THOROUGH_BOUNDS = DetectorBounds(
    table=1 << 30, pushes=300, glance=300, corrals=1 << 30, pairs=50, granted=1_000, saved=1_000
)

# Only tests without a search or a table of goals: at most a tenth of a second on the largest boards.
AT_SIGHT_BOUNDS = DetectorBounds(table=0, pushes=0, glance=0, corrals=0, pairs=0, granted=0, saved=0)

# For every position of a search.  Pairs and groups would find more, but take a third of the time.
SEARCH_BOUNDS = THOROUGH_BOUNDS._replace(glance=60, pairs=0, granted=0)


def game_bounds(board: Board) -> DetectorBounds:
    """Return bounds that take at most 20 ms between two pushes, as flood fills take quadratic time in the board."""
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


# Boxes tried for removal, one at a time, when a deadlock is reduced.
_MOST_TRIALS = 24


class _Settled(NamedTuple):
    """The boxes known to be fixed for good, and the tables of the board where they are walls."""

    fixed: Bitboard
    tables: FrozenBoard


class DeadlockDetector:
    """Deadlock tests for one board of any kind, with results cached from position to position.

    Boxes include their layers.  Each new set of fixed boxes needs tables, in time proportional to floor squares times
    goals.
    """

    def __init__(
        self,
        board: Board,
        patterns: Patterns | None = None,
        open_board: FrozenBoard | None = None,
        bounds: DetectorBounds = SEARCH_BOUNDS,
    ) -> None:
        """``patterns``: a store, perhaps shared with another thread; ``open_board``: the tables without fixed boxes."""
        self.board = board
        self.patterns = patterns if patterns is not None else Patterns()
        self.open = open_board or FrozenBoard(board)
        self._count = board.goals.bit_count()
        self._outside = (1 << board.size) - 1 & ~board.floor
        self._tables = lru_cache(_MOST_TABLES)(partial(FrozenBoard, board))
        self._subsets = SubsetSearch(self.open, self.patterns, bounds)
        self._bounds = bounds
        self._corrals = CorralSearch(bounds)
        self._matches = board.floor.bit_count() * self._count <= bounds.table

    def is_dead(self, boxes: Bitboard, region: Bitboard) -> bool:
        """True if a test proves the position dead; ``region``: the squares the player can walk to."""
        return self._run_tests(boxes, region) is not None

    def find(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """Return the deadlock of a position, reduced to few boxes, or None if no test proves one."""
        found = self._run_tests(boxes, region)
        if found is None or self.board.ice:
            return found
        match found:
            case Deadlock(DeadlockKind.LEARNED | DeadlockKind.PAIR | DeadlockKind.CORRAL):
                return found
            case Deadlock(DeadlockKind.RETROGRADE, fixed):
                return Deadlock(DeadlockKind.RETROGRADE, self._blockers(fixed, boxes & self.board.floor))
            case Deadlock(DeadlockKind.DEAD_SQUARE | DeadlockKind.CLOSED_DIAGONAL, some):
                if dead := some & self._on_dead_squares(boxes):
                    return Deadlock(DeadlockKind.DEAD_SQUARE, dead)
                # If only walls close a diagonal, a single box in a dead end is the reason.
                alone = 0
                for box in [*scan(some)][:_MOST_TRIALS]:
                    if not self.open.reaches_goal(box, region_beside(self.board, 1 << box, region)):
                        alone |= 1 << box
                if alone:
                    return Deadlock(DeadlockKind.DEAD_SQUARE, alone)
        return self._reduced(found, boxes, region)

    def explain(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """Return the result of ``find``, but replace a learned pattern by a direct proof if there is one."""
        found = self.find(boxes, region)
        if found is not None and found.kind is DeadlockKind.LEARNED and not self.board.ice:
            settled = self._settle(boxes, region)
            if not isinstance(settled, Deadlock):
                return self._search_subsets(settled, boxes, region) or found
        return found

    def _run_tests(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """Return the first deadlock that a test proves, not reduced; boxes of the level may be missing."""
        settled = self._settle_and_match(boxes, region)
        if isinstance(settled, Deadlock):
            return settled
        squares, has_ice = boxes & self.board.floor, self.board.ice > 0
        if not has_ice and squares.bit_count() == self._count and _misses_all(squares, settled.tables.never_filled):
            return Deadlock(DeadlockKind.RETROGRADE, settled.fixed)
        if pattern := self.patterns.find(boxes, region):
            return Deadlock(DeadlockKind.LEARNED, pattern & squares)
        if has_ice:
            return None
        if subset := self._search_subsets(settled, boxes, region):
            return subset
        if self._bounds.granted and (group := self._subsets.find_dead_group(squares & ~settled.fixed, region)):
            return Deadlock(DeadlockKind.LEARNED, group)
        return None

    def _search_subsets(self, settled: _Settled, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        loose = boxes & self.board.floor & ~settled.fixed
        if self._bounds.pairs and (pair := self._subsets.find_dead_pair(loose, region)):
            return Deadlock(DeadlockKind.PAIR, pair)
        if corral := self._corrals.find_dead(settled.tables, loose, region):
            return Deadlock(DeadlockKind.CORRAL, self._learn(settled, corral, boxes, region))
        return None

    def _learn(self, settled: _Settled, corral: Corral, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Reduce a dead corral to the boxes that matter, add them as a pattern and return them.

        The pattern keeps the colours of the fixed boxes, on which their freeze may depend; the fence is dead in any.
        """
        fixed, tables = settled
        beside = self._group(around(corral.area | corral.fence, self.board.stride) & fixed, fixed)
        if beside != fixed and self.open.check.frozen(boxes & self._layered(beside)) == beside:
            less_fixed = self._tables(beside)
            if self._corrals.is_dead(less_fixed, corral, region_beside(self.board, corral.fence | beside, region)):
                fixed, tables = beside, less_fixed
        for box in list(scan(corral.fence))[:_MOST_TRIALS]:
            less = Corral(corral.area, corral.fence ^ 1 << box)
            if self._corrals.is_dead(tables, less, region_beside(self.board, less.fence | fixed, region)):
                corral = less
        guilty = fixed | corral.fence
        pattern = boxes & self._layered(fixed) | corral.fence
        self.patterns.add(pattern, region_beside(self.board, guilty, region))
        return guilty

    def _unmatched(self, settled: _Settled, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        fixed, tables = settled
        size = self.board.size
        order = [*scan(layered_squares(boxes & ~self._layered(fixed), size))]
        rows = [tables.goals_of(box, region) for box in order]
        if 0 in rows:
            return Deadlock(DeadlockKind.DEAD_SQUARE, fixed | 1 << order[rows.index(0)] % size)
        if violator := find_hall_violator(rows):
            return Deadlock(DeadlockKind.BIPARTITE, fixed | sum(1 << order[each] % size for each in violator))
        return None

    def _settle_and_match(self, boxes: Bitboard, region: Bitboard) -> _Settled | Deadlock:
        settled = self._settle(boxes, region)
        if self._matches and not isinstance(settled, Deadlock):
            return self._unmatched(settled, boxes, region) or settled
        return settled

    def _settle(self, boxes: Bitboard, region: Bitboard) -> _Settled | Deadlock:
        """Turn fixed boxes into walls until no more become fixed; return these, or a deadlock among them."""
        board, check = self.board, self.open.check
        if boxes & check.dead_squares:
            return Deadlock(DeadlockKind.DEAD_SQUARE, self._on_dead_squares(boxes))
        fixed = check.frozen(boxes)
        if lost := fixed and fixed & self._away(boxes):
            return Deadlock(DeadlockKind.FREEZE, self._group(lost, fixed))
        squares = boxes & board.floor
        # Empty on ice, where closed diagonals prove nothing.
        between = 0 if board.ice else board.floor & ~(squares | region | board.goals)
        while True:
            zigzag = closed_diagonals(squares | self._outside, fixed | self._outside, between, board.stride) & squares
            if zigzag and zigzag & self._away(boxes):
                return Deadlock(DeadlockKind.CLOSED_DIAGONAL, fixed | zigzag)
            fixed |= zigzag
            if not fixed:
                return _Settled(fixed, self.open)
            tables = self._tables(fixed)
            loose = boxes & ~self._layered(fixed)
            if dead := flattened(loose & tables.check.dead_squares, board.size):
                return Deadlock(DeadlockKind.DEAD_SQUARE, fixed | dead & -dead)
            more = tables.check.frozen(loose)
            if not more:
                return _Settled(fixed, tables)
            fixed |= more
            if lost := more & self._away(boxes):
                return Deadlock(DeadlockKind.FREEZE, self._group(lost, fixed) | fixed & ~more)

    def _on_dead_squares(self, boxes: Bitboard) -> Bitboard:
        return flattened(boxes & self.open.check.dead_squares, self.board.size)

    def _away(self, boxes: Bitboard) -> Bitboard:
        return flattened(boxes & ~self.board.home, self.board.size)

    def _layered(self, squares: Bitboard) -> Bitboard:
        return squares * self.board.all_layers

    def _group(self, seed: Bitboard, boxes: Bitboard) -> Bitboard:
        while grown := around(seed, self.board.stride) & boxes:
            seed |= grown
        return seed

    # Reducing a deadlock

    def _reduced(self, found: Deadlock, boxes: Bitboard, region: Bitboard) -> Deadlock:
        """Drop boxes as long as the same or a cheaper test still proves a deadlock without a search."""
        kinds = list(DeadlockKind)
        for part in self._parts(found):
            rest = found.boxes & ~part
            if rest and rest != found.boxes:
                less = self._settle_and_match(boxes & self._layered(rest), region_beside(self.board, rest, region))
                if isinstance(less, Deadlock) and kinds.index(less.kind) <= kinds.index(found.kind):
                    found = less
        return found

    def _parts(self, found: Deadlock) -> list[Bitboard]:
        """Return the parts to try to drop: groups of touching frozen boxes, then the other boxes one by one."""
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

    def _blockers(self, fixed: Bitboard, boxes: Bitboard) -> Bitboard:
        """Return the fixed boxes needed to keep all boxes from some goal."""
        for box in list(scan(fixed))[:_MOST_TRIALS]:
            if _misses_all(boxes, self._tables(fixed ^ 1 << box).never_filled):
                fixed ^= 1 << box
        return fixed


def _misses_all(boxes: Bitboard, ends: list[Bitboard]) -> bool:
    """True if every end needs a box on a square that has none; False if an end needs none."""
    return bool(ends) and all(needed & ~boxes for needed in ends)


def is_dead_at_sight(board: Board, state: State) -> bool:
    """True if a nearly instant test proves a position dead; searches check this before they build tables."""
    return DeadlockDetector(board, bounds=AT_SIGHT_BOUNDS).is_dead(state.boxes, reachable_area(board, state))


def closed_diagonals(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int) -> Bitboard:
    """Return the ``blocked`` squares (walls and boxes) that form closed diagonals, ends included.

    A closed diagonal is a zigzag of boxes and walls around squares that lie corner to corner:

        $#          Both squares shared by two neighbours on the diagonal contain a box or a wall, and so do both ends
        # $         of the diagonal.  A box pushed onto one of the squares between only closes a shorter diagonal, down
         $ $        to four in a square, which can never be pushed; so if there is no goal between, none of these boxes
          $#        will ever move.

    ``fixed``: the blocked squares that will never change; two of them that close a corner also end a diagonal.
    ``between``: the squares that may be between, without goals, boxes and the player, who could push the boxes apart.
    """
    return _closed(blocked, fixed, between, stride, 1) | _closed(blocked, fixed, between, stride, -1)


def _closed(blocked: Bitboard, fixed: Bitboard, between: Bitboard, stride: int, side: int) -> Bitboard:
    """Return the closed diagonals that run down and to one ``side``: 1 for right, -1 for left."""
    step = stride + side
    # Squares from which the diagonal continues: both squares shared with the next one are blocked.
    links = shift(blocked, -side) & blocked >> stride
    # Squares between, starting from a closed upper end.
    inside = (blocked & links) << step & between
    if not inside:
        inside = between & links & shift(fixed, side) & fixed << stride
        if not inside:
            return 0
    inside |= between & links & shift(fixed, side) & fixed << stride
    found = inside
    while inside:
        inside = (inside & links) << step & between & ~found
        found |= inside
    # Back from the closed lower ends.
    last = found & (links & blocked >> step | shift(fixed, -side) & fixed >> stride)
    closed = last
    while last:
        last = last >> step & links & found & ~closed
        closed |= last
    if not closed:
        return 0
    beside = shift(closed, side) | shift(closed, -side) | closed << stride | closed >> stride
    ends = closed << step | closed >> step
    return (beside | ends) & blocked
