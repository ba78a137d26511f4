"""Domain: one search interface to boards of every kind, ordinary, with colours or with ice.

A *layered square* is ``layer * size + square`` for a box in a layer, on a board of ``size`` (see ``engine.board``).
Distances and matchings that use layered squares hold on every board; on ordinary ones they are plain squares.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Direction, Square, scan, shift
from sokoterm.engine.board import Board, layered, layered_squares
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.rules import moved
from sokoterm.engine.slides import Slides, live_slides

LayeredSquare = int

# Push: direction, the square of the box before and after as Bitboards, the first square of the box's layer, and the
# boxes afterwards.  The player is then where the box was.
Successor = tuple[Direction, Bitboard, Bitboard, Square, Bitboard]

# Pull: its direction, the square of the box before as a Bitboard, the box's and the player's squares afterwards, the
# first square of the box's layer, and the boxes afterwards.
Predecessor = tuple[Direction, Bitboard, Square, Square, Square, Bitboard]


class Domain:
    """Board of any kind: its pushes and pulls, and tests for solved and lost positions.

    ``is_plain``: boxes are all alike and stop where they are pushed, so a proof for some of them holds for all.
    ``telling``: bits of a State's boxes that decide whether it is solved: there they must equal ``board.goals``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.is_plain = not board.colors and not board.ice
        self.size = board.size
        squares = (1 << board.size) - 1
        # All squares, and the goals of other colours in the layer of each.
        self.telling = layered(squares, [board.goals & ~own for own in board.goals_by_layer[1:]], self.size)
        self.bases = range(self.size, len(board.goals_by_layer) * self.size, self.size)

    @cached_property
    def check(self) -> FreezeCheck:
        """The two cheapest deadlock tests."""
        return FreezeCheck(self.board)

    def spread(self, base: int) -> int:
        """Return the factor that turns a box's square into its bits in a State, given its layer's first square."""
        return 1 | 1 << base

    def squares_of(self, boxes: Bitboard) -> list[LayeredSquare]:
        return list(scan(layered_squares(boxes, self.size)))

    def base(self, boxes: Bitboard, square: Square) -> int:
        """Return the first square of the layer of the box on a square."""
        return next((base for base in self.bases if boxes >> base + square & 1), 0)

    def before(self, boxes: Bitboard, box: Square, direction: int) -> Bitboard:
        """Return the boxes before the last push, which moved the box on the square ``box`` in a direction.

        On ice it may have slid: it is the first box beyond its old square.
        """
        offset = self.board.offsets[direction]
        landing = box + offset
        while not boxes >> landing & 1:
            landing += offset
        return moved(self.board, boxes, landing, box)

    def ends(self, start: Bitboard) -> Iterator[Bitboard]:
        """Yield every solved arrangement of a position's boxes."""
        counts = [those.bit_count() for those in self.board.boxes_by_layer(start)]

        def fill(layer: int, free: Bitboard) -> Iterator[Bitboard]:
            if layer == 0:
                yield free
                return
            for some in combinations(scan(free & self.board.goals_by_layer[layer]), counts[layer]):
                mine = sum(1 << goal for goal in some)
                for rest in fill(layer - 1, free & ~mine):
                    yield rest | mine * self.spread(layer * self.size)

        return fill(len(counts) - 1, self.board.goals)

    @cached_property
    def is_freeze_deadlock(self) -> Callable[[Bitboard], object]:
        """Freeze test for boxes on live squares, wherever the player is: true if they are a deadlock."""
        if not self.is_plain:
            return self.check.find
        frozen, loose = self.check.frozen, ~self.board.goals
        return lambda boxes: frozen(boxes) & loose

    @cached_property
    def _lone(self) -> LoneBox | Slides:
        return live_slides(self.board) if self.board.ice else LoneBox(self.board)

    def pushes_of_one(self, square: Square) -> dict[Square, int]:
        """Return the fewest pushes to each square that a lone box on ``square`` can be pushed to."""
        if isinstance(self._lone, LoneBox):
            return self._lone.pushes_from(square)
        layers = self._lone.layers_from(1 << square)
        return {landing: pushes for pushes, layer in enumerate(layers) for landing in scan(layer)}

    def unpulled(self, boxes: Bitboard, landing: Square, side: int) -> tuple[Square, Square, Bitboard]:
        """Return a box's squares before and after its pull to ``side``, ending on ``landing``, and the boxes before."""
        offset = -self.board.offsets[side]
        square = landing + offset
        while self.board.ice >> square & 1 and self.board.floor & ~boxes & 1 << square + offset:
            square += offset
        return square, landing, moved(self.board, boxes, landing, square)

    def predecessors(self, landings: Bitboard) -> Callable[[Bitboard, Bitboard], Iterator[Predecessor]]:
        """Return the generator of pulls from boxes and a player's area to ``landings`` (layered squares as bits)."""
        return partial(self._pulls if self.is_plain else self._layered_pulls, landings)

    def _pulls(self, landings: Bitboard, boxes: Bitboard, region: Bitboard) -> Iterator[Predecessor]:
        within = region & landings
        for side, offset in zip(DIRECTIONS, self.board.offsets):
            if offset > 0:
                pulled = boxes & (within & region >> offset) >> offset
            else:
                pulled = boxes & (within & region << -offset) << -offset
            while pulled:
                box = pulled & -pulled
                pulled ^= box
                landing = box.bit_length() - 1 + offset
                yield side, box, landing, landing + offset, 0, boxes ^ box | 1 << landing

    def _layered_pulls(self, landings: Bitboard, boxes: Bitboard, region: Bitboard) -> Iterator[Predecessor]:
        ice, free = self.board.ice, self.board.floor & ~boxes
        for base, those in zip((0, *self.bases), self.board.boxes_by_layer(boxes)):
            spread = self.spread(base)
            for side, offset in zip(DIRECTIONS, self.board.offsets) if those else ():
                # The last push ended here: on ground without ice, or before a wall or a box.
                pulled = those & shift(region, -offset) & ~(ice & shift(free, offset))
                while pulled:
                    box = pulled & -pulled
                    pulled ^= box
                    to = shift(box, offset)
                    while (player := shift(to, offset)) & free:
                        landing = to.bit_length() - 1
                        if landings >> base + landing & 1:
                            yield side, box, landing, landing + offset, base, boxes ^ (box | to) * spread
                        if not to & ice:
                            break
                        to = player

    def successors(self, live: Sequence[Bitboard] | None = None) -> "Successors":
        """Return the push generator; ``live[direction]``: layered squares where pushes may end (None: all live)."""
        live = live or [self.check.live] * len(DIRECTIONS)
        return Successors(self.board, live) if self.is_plain else LayeredSuccessors(self, live)


class Successors:
    """Push generator of an ordinary board; ``live[direction]``: the squares where pushes in that direction may end."""

    def __init__(self, board: Board, live: Sequence[Bitboard]) -> None:
        self._floor = board.floor
        self._axes = tuple(zip(DIRECTIONS, board.offsets, live))

    def pushes_from(self, boxes: Bitboard, region: Bitboard, among: Bitboard = -1) -> Iterator[Successor]:
        """Yield every push of the boxes in ``among`` from a player's area, by layer, direction and square."""
        free = self._floor & ~boxes
        among &= boxes
        for direction, offset, live in self._axes:
            # ``shift`` inlined: a call takes longer.
            if offset > 0:
                pushable = among & region << offset & (free & live) >> offset
            else:
                pushable = among & region >> -offset & (free & live) << -offset
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                landing = box << offset if offset > 0 else box >> -offset
                yield direction, box, landing, 0, boxes ^ box ^ landing

    def pushable(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return the boxes of an ordinary board that the player can push from an area."""
        free = self._floor & ~boxes
        found = 0
        for _, offset, live in self._axes:
            found |= boxes & shift(region, offset) & shift(free & live, -offset)
        return found


class LayeredSuccessors(Successors):
    def __init__(self, domain: Domain, live: Sequence[Bitboard]) -> None:
        super().__init__(domain.board, live)
        self._domain = domain
        self._ice = domain.board.ice

    def pushes_from(self, boxes: Bitboard, region: Bitboard, among: Bitboard = -1) -> Iterator[Successor]:
        domain, ice = self._domain, self._ice
        free = self._floor & ~boxes
        for base, those in zip((0, *domain.bases), domain.board.boxes_by_layer(boxes)):
            spread = domain.spread(base)
            for direction, offset, live in self._axes if those else ():
                pushable = those & among & shift(region, offset) & shift(free, -offset)
                while pushable:
                    box = pushable & -pushable
                    pushable ^= box
                    landing = shift(box, offset)
                    while landing & ice and (beyond := shift(landing, offset)) & free:
                        landing = beyond
                    if landing << base & live:
                        yield direction, box, landing, base, boxes ^ (box | landing) * spread

    def push(self, boxes: Bitboard, box: Bitboard, offset: int) -> tuple[Bitboard, int, Bitboard]:
        """Return the landing of a push to a free square, the first square of the box's layer, and the boxes after."""
        landing = box << offset if offset > 0 else box >> -offset
        if landing & self._ice:
            free = self._floor & ~boxes
            while landing & self._ice and (beyond := shift(landing, offset)) & free:
                landing = beyond
        after = boxes ^ box ^ landing
        for base in self._domain.bases:
            if boxes >> base & box:
                return landing, base, after ^ (box | landing) << base
        return landing, 0, after
