"""Pushes, distances and ends of boards with colours or ice, for the searches of this package.

A *layered square* is a square of a box with its layer: ``layer * size + square`` on a board of ``size``.  With
layered squares for squares, distances and matchings of ordinary boards hold here as well.
"""

from collections.abc import Generator, Iterator
from functools import cached_property
from itertools import combinations

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, bitboard_of, scan, shift
from sokoterm.engine.board import Board, State
from sokoterm.engine.variant import Variant, layered, layered_squares
from sokoterm.solver.common.distances import UNREACHABLE, Distances, make_distances
from sokoterm.solver.common.lower_bound import LowerBound, Matching, Matchings
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Progress, Reason

# Most entries of a distance table: places times layers times goals.
_LARGEST_TABLE = 4_000_000

_STEPS = 256

LayeredSquare = int


class Layers:
    """Boxes and goals of a board with a variant, by layer."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.variant = variant = board.variant or Variant()
        self.size = board.size
        self.squares = (1 << board.size) - 1
        self.goals = variant.goals_by_layer(board.goals)
        # A factor that puts squares into each layer.
        self.in_all_layers = layered(1, [1] * len(self.goals[1:]), self.size)
        # The bits that tell a solved position: all squares, and the goals of other colours in the layer of each.
        self.telling = layered(self.squares, [board.goals & ~own for own in self.goals[1:]], self.size)

    @cached_property
    def spread(self) -> list[int]:
        """The bits of a box in a State, by its layer, as a factor of its square."""
        return [1, *[1 | 1 << layer * self.size for layer in range(1, len(self.goals))]]

    def split(self, boxes: Bitboard) -> list[Bitboard]:
        """Return the squares of the boxes of each layer."""
        return self.variant.boxes_by_layer(boxes, self.size)

    def squares_of(self, boxes: Bitboard) -> list[LayeredSquare]:
        """Return the layered square of each box."""
        return list(scan(layered_squares(boxes, self.size)))

    def is_solved(self, boxes: Bitboard) -> bool:
        """True if every box is on a goal that takes it."""
        return boxes & self.telling == self.board.goals

    def home(self, boxes: Bitboard) -> int:
        """Count the boxes on goals that take them."""
        return sum((those & goals).bit_count() for those, goals in zip(self.split(boxes), self.goals))

    def ends(self, start: Bitboard) -> Iterator[Bitboard]:
        """Yield all solved arrangements of the boxes of a position."""
        counts = [those.bit_count() for those in self.split(start)]

        def fill(layer: int, free: Bitboard) -> Iterator[Bitboard]:
            if layer == 0:
                yield free
                return
            for some in combinations(scan(free & self.goals[layer]), counts[layer]):
                mine = sum(1 << goal for goal in some)
                for rest in fill(layer - 1, free & ~mine):
                    yield rest | mine * self.spread[layer]

        return fill(len(counts) - 1, self.board.goals)


class VariantPushes:
    """Push generator; ``live[direction]``: the layered squares where a box just pushed there may end, as bits."""

    def __init__(self, layers: Layers, live: list[Bitboard]) -> None:
        self._layers = layers
        self._colored = [layer * layers.size for layer in range(1, len(layers.goals))]
        self._floor = layers.board.floor
        self._ice = layers.variant.ice
        self._axes = [
            [
                (direction, offset, each >> layer * layers.size & layers.squares)
                for direction, offset, each in zip(DIRECTIONS, layers.board.offsets, live)
            ]
            for layer in range(len(layers.goals))
        ]

    def pushes(
        self, boxes: Bitboard, region: Bitboard
    ) -> Iterator[tuple[Direction, LayeredSquare, LayeredSquare, Bitboard, Bitboard]]:
        """Yield every push from a player's area: direction, layered squares before and after, player, boxes after.

        The player's square afterwards is a Bitboard.
        """
        layers, ice = self._layers, self._ice
        free = self._floor & ~boxes
        for layer, those in enumerate(layers.split(boxes)):
            base, spread = layer * layers.size, layers.spread[layer]
            for direction, offset, live in self._axes[layer] if those else ():
                pushable = those & shift(region, offset) & shift(free, -offset)
                while pushable:
                    box = pushable & -pushable
                    pushable ^= box
                    landing = shift(box, offset)
                    while landing & ice and (beyond := shift(landing, offset)) & free:
                        landing = beyond
                    if landing & live:
                        square, to = base + box.bit_length() - 1, base + landing.bit_length() - 1
                        yield direction, square, to, box, boxes ^ (box | landing) * spread

    def push(self, boxes: Bitboard, box: Bitboard, offset: int) -> tuple[Bitboard, int, Bitboard]:
        """Return the landing of a push by an offset to a free square, the base of the layer, and the boxes after it.

        A square of the layer is its base more than the square itself.
        """
        landing = box << offset if offset > 0 else box >> -offset
        if landing & self._ice:
            free = self._floor & ~boxes
            while landing & self._ice and (beyond := shift(landing, offset)) & free:
                landing = beyond
        after = boxes ^ box ^ landing
        for base in self._colored:
            if boxes >> base & box:
                return landing, base, after ^ (box | landing) << base
        return landing, 0, after


class VariantBound:
    """Lower bound on pushes: the matching of the boxes to the goals that take them, each box alone on the board.

    ``live[direction]``: the layered squares, as bits, where a box just pushed there may still come to a goal.
    """

    def __init__(self, layers: Layers, distances: Distances, to_goals: list[tuple[int, ...]]) -> None:
        """``to_goals``: the rows of ``distances`` for each layer in turn."""
        self._layers = layers
        self._distances = distances
        self._places = len(distances.to_goals)
        numbers = range(len(layers.goals))
        behind = [[place + layer * self._places for layer in numbers for place in each] for each in distances.behind]
        self.live = [
            bitboard_of(square for square, place in enumerate(each) if min(to_goals[place]) < UNREACHABLE) & floor
            for each, floor in zip(behind, self._ready(len(numbers)))
        ]
        entries = LowerBound(Distances(layers.board, to_goals, behind, self.live))
        self.entry, self.matching = entries.entry, entries.matching
        self._matchings = Matchings(to_goals)

    def _ready(self, layers: int) -> Iterator[Bitboard]:
        """Yield for each direction the layered squares that have a floor behind them."""
        for places in self._distances.behind:
            ready = bitboard_of(square for square, place in enumerate(places) if place >= 0)
            yield sum(ready << layer * self._layers.size for layer in range(layers))

    def match(self, state: State, meter: Meter) -> Generator[Progress, None, Matching | None]:
        """Return the minimum-cost matching of a state, or None if there is none."""
        places = []
        for layer, those in enumerate(self._layers.split(state.boxes)):
            for box in scan(those):
                places.append(layer * self._places + self._distances.place(box, state.player))
                yield meter.progress()
        return (yield from self._matchings.match(places, meter))

    def end(self, matching: Matching) -> list[LayeredSquare]:
        """Return the layered squares of the boxes of a matching once each is on its goal."""
        size = self._layers.size
        goals = scan(self._layers.board.goals)
        return [place // self._places * size + goal for place, goal in zip(matching.places, goals, strict=True)]


def least_pushes(board: Board, start: State, meter: Meter) -> Generator[Progress, None, int]:
    """Return the lower bound on the pushes of a position; 0 if its boxes cannot be matched to the goals."""
    bound = yield from make_bound(Layers(board), meter)
    matching = yield from bound.match(start, meter)
    return 0 if matching is None else matching.cost


def make_bound(layers: Layers, meter: Meter) -> Generator[Progress, None, VariantBound]:
    """Build the lower bound of a board; raise LimitReached if its tables would be too large."""
    board = layers.board
    if board.floor.bit_count() * board.goals.bit_count() * len(layers.goals) > _LARGEST_TABLE:
        raise LimitReached(Reason.SIZE)
    distances = yield from make_distances(board, meter)
    to_goals = [*distances.to_goals]
    for goals in layers.goals[1:]:
        takes = [bool(goals >> goal & 1) for goal in scan(board.goals)]
        for count, row in enumerate(distances.to_goals):
            if count % _STEPS == 0 and meter.is_due():
                yield meter.progress()
            to_goals.append(tuple([pushes if taken else UNREACHABLE for pushes, taken in zip(row, takes)]))
    return VariantBound(layers, distances, to_goals)
