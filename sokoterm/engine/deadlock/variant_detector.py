"""Deadlock detector for boards with colours or ice: the tests that hold there.

| test | colours | ice, with colours or without |
|---|---|---|
| dead square | by the goals that take the box | the same; a slide may stop before any square where a box may stand |
| freeze | a goal of another colour is no goal | the same: on ice too, a push needs both sides of the box free |
| bipartite | by the goals that take each box | the same |
| learned pattern | sets of boxes, proven with colours or without | whole positions, proven by a search of all boxes |
| closed diagonal, retrograde, pair, corral | as without colours | none: with fewer boxes fewer slides are stopped |

A position that has lost its colours is easier to solve, so what is dead without colours is dead with them, and every
test of ordinary boards holds.  On ice a box may need another one to stop it: fewer boxes are not easier to solve, and
no test holds that leaves boxes out and still lets a slide stop only where the rest stops it.
"""

from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.deadlock.detector import AT_SIGHT_BOUNDS, SEARCH_BOUNDS, DeadlockDetector, DetectorBounds
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.engine.deadlock.variant_check import VariantCheck
from sokoterm.engine.matching import find_hall_violator
from sokoterm.engine.reach import reachable_area

# Sets of fixed boxes whose tables are cached at a time.
_MOST_TABLES = 1_000

# Floor squares times colours up to which ``is_dead_at_sight`` looks at colours, which takes some tenths of a second.
_MOST_COLORED = 4_000_000


class VariantDetector:
    """Deadlock tests for one board with a variant; takes all boxes of a position, with their layers."""

    def __init__(self, board: Board, patterns: Patterns | None = None, bounds: DetectorBounds = SEARCH_BOUNDS) -> None:
        """``patterns``: a store to share, maybe with another thread, of boxes with layers or without."""
        self.board = board
        self.patterns = patterns if patterns is not None else Patterns()
        variant = board.variant
        has_ice = variant is not None and variant.ice
        plain = board._replace(variant=None)
        self._plain = None if has_ice else DeadlockDetector(plain, self.patterns, bounds=bounds)
        self._squares = (1 << board.size) - 1
        layers = 1 + len(variant.colors) if variant is not None else 1
        # Times this, a Bitboard of squares is the same squares in all layers.
        self._in_all_layers = sum(1 << layer * board.size for layer in range(layers))
        self._checks = {0: VariantCheck(board)}
        self._matches = board.floor.bit_count() * board.goals.bit_count() <= bounds.table

    def is_dead(self, boxes: Bitboard, region: Bitboard) -> bool:
        """True if the position is proven dead; ``region`` is where the player can walk."""
        return self.find(boxes, region) is not None

    def find(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """Return the deadlock of a position; None if no test proves one."""
        found = self._lost_goals(boxes)
        if found is None and self._plain is not None:
            found = self._plain.find(boxes & self._squares, region)
        return found or self._learned(boxes, region)

    def explain(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        """Return what ``find`` does, but for a learned pattern the test that proves it directly, if any does."""
        found = self._lost_goals(boxes)
        if found is None and self._plain is not None:
            found = self._plain.explain(boxes & self._squares, region)
        return found or self._learned(boxes, region)

    def _learned(self, boxes: Bitboard, region: Bitboard) -> Deadlock | None:
        pattern = self.patterns.find(boxes, region)
        return Deadlock(DeadlockKind.LEARNED, pattern & self._squares) if pattern else None

    def _lost_goals(self, boxes: Bitboard) -> Deadlock | None:
        """Return a deadlock of boxes that cannot all come to goals that take them, frozen ones being walls."""
        fixed = 0
        while True:
            check, loose = self._check(fixed), boxes & ~(fixed * self._in_all_layers)
            if found := check.find(loose):
                return Deadlock(found.kind, fixed | found.boxes)
            more = check.frozen(loose)
            if not more:
                break
            fixed |= more
        rows = check.rows(loose) if self._matches else []
        if violator := find_hall_violator([row for _, row in rows]):
            return Deadlock(DeadlockKind.BIPARTITE, fixed | sum(rows[each][0] for each in violator))
        return None

    def _check(self, fixed: Bitboard) -> VariantCheck:
        check = self._checks.get(fixed)
        if check is None:
            if len(self._checks) >= _MOST_TABLES:
                self._checks = {0: self._checks[0]}
            check = self._checks[fixed] = VariantCheck(self.board, fixed)
        return check


def detector_of(
    board: Board, patterns: Patterns | None = None, bounds: DetectorBounds = SEARCH_BOUNDS
) -> DeadlockDetector | VariantDetector:
    """Return the detector for a board of any kind."""
    if board.variant is None:
        return DeadlockDetector(board, patterns, bounds=bounds)
    return VariantDetector(board, patterns, bounds)


def is_dead_at_sight(board: Board, state: State) -> bool:
    """True if a test that takes no time to speak of proves a position dead; a search asks before it makes any table."""
    if board.variant is not None and board.floor.bit_count() * len(board.variant.colors) > _MOST_COLORED:
        # Dead without colours is dead with them, on a board without ice.
        if board.variant.ice:
            return False
        board, state = board._replace(variant=None), state._replace(boxes=state.boxes & board.floor)
    return detector_of(board, bounds=AT_SIGHT_BOUNDS).is_dead(state.boxes, reachable_area(board, state))
