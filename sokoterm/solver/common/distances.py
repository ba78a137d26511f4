"""Push distances of a lone box from each place to each goal.

A box may split the rest of the floor into several areas; the one that holds the player decides where the box can be
pushed.  So a *place* is a square of a box together with the player's side of it: one place for most squares, up to four
for the square of a doorway.  While a box does not move, the player stays on the same side of it whatever the other
boxes do; so only its own pushes change its place.  On ice it may stop wherever another box might stop it, so the
distance is never more than the pushes needed.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, flood, scan, shift, squares_of
from sokoterm.engine.board import Board, State, layered_squares
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.planner.cut_vertices import JOINED_SIDES, Sides
from sokoterm.engine.slides import live_slides
from sokoterm.solver.search import LimitReached, Meter, Progress, Reason

Place = int

_NO_PLACE = -1

# More than any real distance, yet small enough that sums of thousands stay cheap ints.
UNREACHABLE = 1 << 28

# Most entries of a distance table (places times goals): a board of 50 x 50 with 1,700 goals.
_LARGEST_TABLE = 4_000_000

# Squares or places that cost as much as a child.
_STEPS = 256


@dataclass(frozen=True)
class Distances:
    """Push distances of one board; with colours the places of each layer follow those of the layers before.

    ``to_goals[place]``: pushes to each goal, in the order of ``scan(board.goals)``; UNREACHABLE if there is no way.
    ``behind[direction][square]``: the place of a box on that square with the player behind it, ready to push it in that
    direction; -1 if there is no floor behind it.  ``live[direction]``: the squares on which a box just pushed in that
    direction can still reach some goal.
    """

    board: Board
    to_goals: Sequence[tuple[int, ...]]
    behind: Sequence[Sequence[Place]]
    live: Sequence[Bitboard]

    def places(self, state: State) -> list[Place]:
        """Return the place of each box of a state, by ascending square, layer by layer."""
        return [self.place(box, state.player) for box in scan(layered_squares(state.boxes, self.board.size))]

    def place(self, box: Square, player: Square) -> Place:
        """Return the place of a box on the layered square ``box``."""
        board = self.board
        if len(sides := {places[box] for places in self.behind} - {_NO_PLACE}) == 1:
            return sides.pop()
        square = box % board.size
        area = flood(1 << player, board.floor & ~(1 << square), board.stride)
        for direction in DIRECTIONS:
            place = self.behind[direction][box]
            if place != _NO_PLACE and area >> (square - board.offsets[direction]) & 1:
                return place
        raise AssertionError("a box that the player could not come to on an empty board")


def make_distances(board: Board, meter: Meter) -> Generator[Progress, None, Distances]:
    """Compute the distances of a board; raise LimitReached, before any work, if the table would be too large."""
    by_layer = board.goals_by_layer
    if board.floor.bit_count() * board.goals.bit_count() * len(by_layer) > _LARGEST_TABLE:
        raise LimitReached(Reason.SIZE)
    behind, count = yield from _number_places(board, meter)
    sources = yield from (_sources_on_ice if board.ice else _sources)(board, behind, count, meter)
    columns = []
    for goal in scan(board.goals):
        columns.append((yield from _pushes_to(goal, behind, sources, meter)))
    rows = zip(*columns)
    to_goals: list[tuple[int, ...]] = []
    nearest: list[int] = []
    while some := list(islice(rows, _STEPS)):
        to_goals += some
        nearest += map(min, some)
        if meter.is_due():
            yield meter.progress()
    for goals in by_layer[1:]:
        takes = [bool(goals >> goal & 1) for goal in scan(board.goals)]
        for number in range(count):
            row = tuple([pushes if taken else UNREACHABLE for pushes, taken in zip(to_goals[number], takes)])
            to_goals.append(row)
            nearest.append(min(row))
            if number % _STEPS == 0 and meter.is_due():
                yield meter.progress()
    if len(by_layer) > 1:
        bases = range(0, len(to_goals), count)
        behind = [[place if place < 0 else base + place for base in bases for place in each] for each in behind]
    live = []
    for places in behind:
        live.append(_squares(place != _NO_PLACE and nearest[place] < UNREACHABLE for place in places))
        yield meter.progress()
    return Distances(board, to_goals, behind, live)


def _number_places(board: Board, meter: Meter) -> Generator[Progress, None, tuple[list[list[Place]], int]]:
    """Return ``Distances.behind`` and the number of places."""
    behind: list[list[Place]] = [[] for _ in DIRECTIONS]
    places = 0
    is_floor = f"{board.floor:0{board.size}b}"[::-1]
    for square, pairs in enumerate(LoneBox(board).pairs):
        if square % _STEPS == 0 and meter.is_due():
            yield meter.progress()
        place_of: dict[Sides, Place] = {}
        for direction in DIRECTIONS:
            # To push a box in a direction, the player is on the opposite side.
            side = direction.opposite
            # The board is closed, so no index is out of range.
            if is_floor[square] == "1" == is_floor[square + board.offsets[side]]:
                behind[direction].append(place_of.setdefault(JOINED_SIDES[side][pairs], places + len(place_of)))
            else:
                behind[direction].append(_NO_PLACE)
        places += len(place_of)
    return behind, places


def _squares(flags: Iterable[bool]) -> Bitboard:
    return int("".join("1" if flag else "0" for flag in flags)[::-1], 2)


def _sources(
    board: Board, behind: Sequence[Sequence[Place]], places: int, meter: Meter
) -> Generator[Progress, None, list[list[Place]]]:
    """Return for each place the places from which one push leads to it."""
    sources: list[list[Place]] = [[] for _ in range(places)]
    for direction in DIRECTIONS:
        for landing, place in enumerate(behind[direction]):
            if landing % _STEPS == 0 and meter.is_due():
                yield meter.progress()
            # The player ends on the square the box came from, after pushing from one square further back.
            if place != _NO_PLACE:
                source = behind[direction][landing - board.offsets[direction]]
                if source != _NO_PLACE:
                    sources[place].append(source)
    return sources


def _sources_on_ice(
    board: Board, behind: Sequence[Sequence[Place]], places: int, meter: Meter
) -> Generator[Progress, None, list[list[Place]]]:
    """Return for each place the places from which one push may lead to it, over any number of squares."""
    slides = live_slides(board)
    sources: list[list[Place]] = [[] for _ in range(places)]
    for direction, offset, ends in zip(DIRECTIONS, board.offsets, slides.ends):
        for landing, place in enumerate(behind[direction]):
            if landing % _STEPS == 0 and meter.is_due():
                yield meter.progress()
            if place == _NO_PLACE or not ends >> landing & 1:
                continue
            square = landing - offset
            while (source := behind[direction][square]) != _NO_PLACE:
                sources[place].append(source)
                if not slides.ice >> square & 1:
                    break
                square -= offset
    return sources


def _pushes_to(
    goal: Square, behind: Sequence[Sequence[Place]], sources: Sequence[Sequence[Place]], meter: Meter
) -> Generator[Progress, None, list[int]]:
    """Return the pushes from each place to one goal, by breadth-first search over pulls."""
    distances = [UNREACHABLE] * len(sources)
    layer = {behind[direction][goal] for direction in DIRECTIONS} - {_NO_PLACE}
    pushes = 0
    while layer:
        if meter.is_due():
            yield meter.progress()
        for place in layer:
            distances[place] = pushes
        pushes += 1
        layer = {source for place in layer for source in sources[place] if distances[source] == UNREACHABLE}
    return distances


def pulled_layers(board: Board, squares: Bitboard) -> Iterator[Bitboard]:
    """Yield the squares from which a lone box needs 0, 1, 2 ... pushes to ``squares``, wherever the player is.

    On ice it may stop wherever another box might stop it.
    """
    slides = live_slides(board) if board.ice else None
    layer, unseen = squares, board.floor
    while layer:
        yield layer
        unseen &= ~layer
        pulled = 0
        for direction, offset in zip(DIRECTIONS, board.offsets):
            if slides is None:
                pulled |= shift(layer, -offset) & shift(board.floor, offset)
            else:
                pulled |= slides.pulled(layer, direction)
        layer = pulled & unseen


def make_column(board: Board, square: Square, meter: Meter) -> Generator[Progress, None, list[int]]:
    """Return the fewest pushes of a lone box from each square to ``square``, ignoring where the player is."""
    column = [UNREACHABLE] * (board.stride * board.height)
    for pushes, layer in enumerate(pulled_layers(board, 1 << square)):
        for each in squares_of(layer):
            column[each] = pushes
        if meter.is_due():
            yield meter.progress()
    return column
