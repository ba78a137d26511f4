"""Tables and positions of a board with colours, for the same searches of ``fess``.

A box is one bit on its layered square (see ``solver.domain``), with uncoloured boxes in layer 0, so that a set of boxes
or the mask of a plan includes their colours.  A box pulled off its goal leaves the packing search at a base of its
colour, so the plan fills each goal with a box of a given colour.  Walks and macro moves do not depend on colours and
come from the same board without them.

The search from the goals and all that needs its tables are left out; ``backward`` may be met instead.
"""

from collections.abc import Generator, Iterable, Iterator

from sokoterm.engine.bits import Bitboard, Square, lowest, scan
from sokoterm.engine.board import Board, State, flattened, layered_squares
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import FAR, BoardTables, is_too_large
from sokoterm.solver.common.lower_bound import make_lower_bound
from sokoterm.solver.common.state_space import Side
from sokoterm.solver.domain import LayeredSquare
from sokoterm.solver.fess.positions import BoxPath, Positions, Push, make_positions
from sokoterm.solver.search import LimitReached, Meter, Progress, Reason


class ColoredTables(BoardTables):
    """Tables of a board with colours, by layered squares; ``plain``: tables of the board without colours.

    ``goals``: one solved arrangement of the boxes.  ``home``: in each layer, all goals that take its boxes.
    """

    def __init__(self, board: Board, plain: BoardTables, end: Bitboard) -> None:
        """``end``: the solved arrangement."""
        super().__init__(plain.open)
        self.plain = plain
        self.size = size = board.size
        self.all_layers = board.all_layers
        self.goals = end
        self.home = board.home
        self.live = FreezeCheck(board).live & plain.live * board.all_layers
        self.reach = {each: plain.reach[each % size] << each - each % size for each in scan(self.live)}
        self.bases = range(0, size * len(board.goals_by_layer), size)
        self.to_goal = [FAR] * (size * len(self.bases))
        self.frozen = lambda boxes: self.in_layers(plain.frozen(self.squares(boxes)), boxes)

    def squares(self, boxes: Bitboard) -> Bitboard:
        return flattened(boxes, self.size)

    def state(self, boxes: Bitboard) -> Bitboard:
        return boxes & ~self.floor | self.squares(boxes)

    def base(self, boxes: Bitboard, square: Square) -> int:
        return next(base for base in self.bases if boxes >> base + square & 1)

    def in_layers(self, squares: Bitboard, boxes: Bitboard) -> Bitboard:
        return squares * self.all_layers & boxes

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return super().region(self.squares(boxes), player)

    def free(self, boxes: Bitboard) -> Bitboard:
        return super().free(self.squares(boxes))

    def pushes_from(self, square: LayeredSquare) -> dict[LayeredSquare, int]:
        plain = square % self.size
        return {square - plain + each: pushes for each, pushes in super().pushes_from(plain).items()}

    def squares_towards(self, walls: Bitboard, squares: Bitboard) -> Bitboard:
        lone = LoneBox(self.board, self.squares(walls))
        found = 0
        for base in self.bases:
            if there := squares >> base & self.floor:
                found |= lone.squares_towards(there) << base
        return found

    def apart(self, square: LayeredSquare, other: LayeredSquare) -> int:
        return super().apart(square % self.size, other % self.size)


class ColoredPositions(Positions):
    tables: ColoredTables
    is_plain = False

    def __init__(self, tables: ColoredTables, plain: Positions, start: Bitboard, dead: DeadlockDetector) -> None:
        super().__init__(tables, plain.detector, plain.meter, start, plain.start_region)
        self._plain = plain
        self._colored_detector = dead

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        region = self.tables.region(boxes, player)
        return 0 if self._colored_detector.is_dead(self.tables.state(boxes), region) else region

    def find_path(
        self, boxes: Bitboard, region: Bitboard, walls: Bitboard, candidates: Bitboard, targets: Bitboard
    ) -> BoxPath | None:
        """Return the path of a box in the layer of the target, which is one square."""
        tables = self.tables
        base = lowest(targets) // tables.size * tables.size
        those = candidates >> base & tables.floor
        path = self._plain.find_path(tables.squares(boxes), region, tables.squares(walls), those, targets >> base)
        return path and BoxPath(path.squares * tables.all_layers, tables.in_layers(path.blockers, boxes))

    def pushes(self, boxes: Bitboard, region: Bitboard, *, prunes: bool) -> Generator[Progress, None, Iterable[Push]]:
        found = yield from self._plain.pushes(self.tables.squares(boxes), region, prunes=prunes)
        return self._colored(boxes, found)

    def hotspots(self, boxes: Bitboard) -> Generator[Progress, None, int]:
        return (yield from self._plain.hotspots(self.tables.squares(boxes)))

    def _colored(self, boxes: Bitboard, found: Iterable[Push]) -> Iterator[Push]:
        """Yield the moves by layered squares, except those that end on dead squares."""
        live, size = self.tables.live, self.tables.size
        bases = {box % size: box - box % size for box in scan(boxes)}
        for box, square, player, parts, hotspots, opens in found:
            base = bases[box]
            if live >> base + square & 1:
                yield base + box, base + square, player, parts, hotspots, opens


class Ends:
    """Positions that are solved or have been met from the goals, by the keys of ``ColoredPositions``."""

    def __init__(self, positions: ColoredPositions, met: Side) -> None:
        self.met = self
        self._tables = positions.tables
        self._bits = positions.bits
        self._mask = (1 << positions.bits) - 1
        self._side = met

    def __contains__(self, key: int) -> bool:
        boxes = key >> self._bits
        return not boxes & ~self._tables.home or bool(self._side.tables) and self._key(key) in self._side

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes, as in ``State``, of every state from the goals to a position in ``self``."""
        boxes = key >> self._bits
        return [self._tables.state(boxes)] if not boxes & ~self._tables.home else self._side.trail(self._key(key))

    def _key(self, key: int) -> int:
        return self._tables.state(key >> self._bits) << self._bits | key & self._mask


def make_colored_positions(
    board: Board, start: State, region: Bitboard, meter: Meter
) -> Generator[Progress, None, ColoredPositions | None]:
    """Make the positions of a board with colours and no ice; None if the start is dead."""
    if is_too_large(board):
        raise LimitReached(Reason.SIZE)
    bound, matching = yield from make_lower_bound(board, start, meter)
    if matching is None:
        return None
    plain = yield from make_positions(board.ordinary, start.boxes & board.floor, region, meter)
    if plain is None:
        return None
    # Each box of the matching is on its goal.
    size, places = board.size, len(bound.distances.to_goals) // len(board.goals_by_layer)
    goals = scan(board.goals)
    end = sum(1 << place // places * size + goal for place, goal in zip(matching.places, goals, strict=True))
    tables = ColoredTables(board, plain.tables, end)
    for square in scan(plain.tables.live):
        yield meter.progress()
        pushes = plain.tables.pushes_from(square)
        for base, those in zip(tables.bases, board.goals_by_layer):
            tables.to_goal[base + square] = min((pushes.get(goal, FAR) for goal in scan(those)), default=FAR)
    boxes = layered_squares(start.boxes, size)
    if boxes & ~tables.live:
        return None
    return ColoredPositions(tables, plain, boxes, DeadlockDetector(board, plain.detector.patterns))
