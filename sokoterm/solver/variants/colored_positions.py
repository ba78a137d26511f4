"""Tables and positions of a board with colours for the searches of ``fess``, which then hold for colours as they are.

There a box is one bit, on its layered square (see ``layers``), with the boxes without a colour in layer 0: so a set of
boxes tells which colour stands where, and so do the masks of a plan.  Walks and macro moves do not depend on colours
and come from the same board without them.
"""

from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache, partial

from sokoterm.engine.bits import Bitboard, Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.lone_box import LoneBox
from sokoterm.solver.common.board_tables import FAR, BoardTables
from sokoterm.solver.fess.box_path import BoxPath
from sokoterm.solver.fess.positions import Positions, Push, make_positions
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress
from sokoterm.solver.variants.layers import LayeredSquare, Layers

_MOST_PATHS = 30_000


class ColoredTables(BoardTables):
    """Tables of a board with colours, by layered squares; ``plain``: those of the board without colours.

    ``goals``: one solved arrangement of the boxes.  ``home``: all goals, in each layer those that take its boxes.
    """

    def __init__(self, plain: BoardTables, layers: Layers, end: Bitboard) -> None:
        """``end``: the arrangement.  ``to_goal`` is left to the caller."""
        size = layers.size
        super().__init__(plain.open, {})
        self.plain = plain
        self.layers = layers
        self.size = size
        self.goals = end
        self.home = sum(goals << layer * size for layer, goals in enumerate(layers.goals))
        self.live = FreezeCheck(layers.board).live & plain.live * layers.in_all_layers
        self.reach = {each: plain.reach[each % size] << each - each % size for each in scan(self.live)}
        self.to_goal = [FAR] * (size * len(layers.goals))
        self.in_all_layers = layers.in_all_layers
        self.frozen = self._frozen

    def squares(self, boxes: Bitboard) -> Bitboard:
        """Return the squares of boxes, without their layers."""
        found, size = 0, self.size
        while boxes:
            found |= boxes
            boxes >>= size
        return found & self.layers.squares

    def state(self, boxes: Bitboard) -> Bitboard:
        """Return boxes as in ``State``."""
        return boxes & ~self.layers.squares | self.squares(boxes)

    def layer(self, squares: Bitboard, boxes: Bitboard) -> Bitboard:
        """Return those of some boxes that stand on squares."""
        return squares * self.in_all_layers & boxes

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return super().region(self.squares(boxes), player)

    def free(self, boxes: Bitboard) -> Bitboard:
        return super().free(self.squares(boxes))

    def pushes_from(self, square: LayeredSquare) -> dict[LayeredSquare, int]:
        layer, plain = divmod(square, self.size)
        return {layer * self.size + each: pushes for each, pushes in super().pushes_from(plain).items()}

    def squares_towards(self, walls: Bitboard, squares: Bitboard) -> Bitboard:
        lone = LoneBox(self.board, self.squares(walls))
        found = 0
        for layer in range(len(self.layers.goals)):
            if there := squares >> layer * self.size & self.layers.squares:
                found |= lone.squares_towards(there) << layer * self.size
        return found

    def apart(self, square: LayeredSquare, other: LayeredSquare) -> int:
        return super().apart(square % self.size, other % self.size)

    def _frozen(self, boxes: Bitboard) -> Bitboard:
        return self.layer(self.plain.frozen(self.squares(boxes)), boxes)


class ColoredPositions(Positions):
    """Positions of a board with colours, by layered squares."""

    tables: ColoredTables

    def __init__(self, tables: ColoredTables, plain: Positions, start: Bitboard, dead: DeadlockDetector) -> None:
        super().__init__(tables, plain.detector, plain.meter, start, plain.start_region)
        self._plain = plain
        self._colored_detector = dead
        self.find_path = lru_cache(_MOST_PATHS)(partial(_find_path, tables, plain))

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        region = self.tables.region(boxes, player)
        return 0 if self._colored_detector.is_dead(self.tables.state(boxes), region) else region

    def pushes(self, boxes: Bitboard, region: Bitboard, *, prunes: bool) -> Generator[Progress, None, Iterable[Push]]:
        found = yield from self._plain.pushes(self.tables.squares(boxes), region, prunes=prunes)
        return self._colored(boxes, found)

    def hotspots(self, boxes: Bitboard) -> Generator[Progress, None, int]:
        return (yield from self._plain.hotspots(self.tables.squares(boxes)))

    def _colored(self, boxes: Bitboard, found: Iterable[Push]) -> Iterator[Push]:
        """Yield the moves by layered squares, without those that end on dead ones."""
        live, size = self.tables.live, self.tables.size
        bases = {box % size: box - box % size for box in scan(boxes)}
        for box, square, player, parts, hotspots, opens in found:
            base = bases[box]
            if live >> base + square & 1:
                yield base + box, base + square, player, parts, hotspots, opens


def _find_path(
    tables: ColoredTables,
    plain: Positions,
    boxes: Bitboard,
    region: Bitboard,
    walls: Bitboard,
    candidates: Bitboard,
    target: Bitboard,
) -> BoxPath | None:
    """Return the path of a box with the layer of the target, as ``find_path`` does."""
    base = (target.bit_length() - 1) // tables.size * tables.size
    those = candidates >> base & tables.layers.squares
    squares = tables.squares
    path = plain.find_path(squares(boxes), region, squares(walls), those, target >> base)
    if path is None:
        return None
    return BoxPath(path.squares * tables.in_all_layers, tables.layer(path.blockers, boxes))


def make_colored_positions(
    board: Board, start: State, region: Bitboard, end: Bitboard, meter: Meter
) -> Generator[Progress, None, ColoredPositions | None]:
    """Make the positions of a board with colours and no ice; None if the start is dead.

    ``end``: one solved arrangement of the boxes, by layered squares.
    """
    layers = Layers(board)
    squares = start.boxes & layers.squares
    plain = yield from make_positions(board.ordinary, squares, region, meter)
    if plain is None:
        return None
    tables = ColoredTables(plain.tables, layers, end)
    for square in scan(plain.tables.live):
        yield meter.progress()
        pushes = plain.tables.pushes_from(square)
        for layer, goals in enumerate(layers.goals):
            tables.to_goal[layer * layers.size + square] = min(
                (pushes.get(goal, FAR) for goal in scan(goals)), default=FAR
            )
    boxes = sum(1 << square for square in layers.squares_of(start.boxes))
    if boxes & ~tables.live:
        return None
    return ColoredPositions(tables, plain, boxes, DeadlockDetector(board, plain.detector.patterns))
