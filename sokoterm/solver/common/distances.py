"""Push distances of a lone box from each place to each goal.

A box may split the rest of the floor into several areas; the one that holds the player decides where the box can be
pushed.  So a *place* is a square of a box together with the player's side of it: one place for most squares, up to four
for the square of a doorway.  While a box does not move, the player stays on the same side of it whatever the other
boxes do; so only its own pushes change its place.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.sides import NO_EDGE, STEPS, edge_blocks
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Progress, Reason

Place = int

_NO_PLACE = -1

# More than any real distance, yet small enough that sums of thousands stay cheap ints.
UNREACHABLE = 1 << 28

# Most entries of a distance table (places times goals): a board of 50 x 50 with 1,700 goals.
_LARGEST_TABLE = 4_000_000


@dataclass(frozen=True)
class Distances:
    """Push distances of one board.

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
        """Return the place of each box of a state, by ascending square."""
        return [self.place(box, state.player) for box in scan(state.boxes)]

    def place(self, box: Square, player: Square) -> Place:
        """Return the place of a box on the square ``box``."""
        board = self.board
        if len(sides := {places[box] for places in self.behind} - {_NO_PLACE}) == 1:
            return sides.pop()
        area = flood(1 << player, board.floor & ~(1 << box), board.stride)
        for direction in DIRECTIONS:
            place = self.behind[direction][box]
            if place != _NO_PLACE and area >> (box - board.offsets[direction]) & 1:
                return place
        raise AssertionError("a box that the player could not come to on an empty board")


def make_distances(board: Board, meter: Meter) -> Generator[Progress, None, Distances]:
    """Compute the distances of a board; raise LimitReached, before any work, if the table would be too large."""
    if board.floor.bit_count() * board.goals.bit_count() > _LARGEST_TABLE:
        raise LimitReached(Reason.MEMORY)
    blocks = yield from edge_blocks(board, meter)
    behind, count = yield from _number_places(blocks, meter)
    sources = yield from _sources(board, behind, count, meter)
    columns = []
    for goal in scan(board.goals):
        columns.append((yield from _pushes_to(goal, behind, sources, meter)))
    rows = zip(*columns)
    to_goals: list[tuple[int, ...]] = []
    nearest: list[int] = []
    while some := list(islice(rows, STEPS)):
        to_goals += some
        nearest += map(min, some)
        if meter.is_due():
            yield meter.progress()
    live = []
    for places in behind:
        live.append(_squares(place != _NO_PLACE and nearest[place] < UNREACHABLE for place in places))
        yield meter.progress()
    return Distances(board, to_goals, behind, live)


def _number_places(
    blocks: Sequence[Sequence[int]], meter: Meter
) -> Generator[Progress, None, tuple[list[list[Place]], int]]:
    """Return ``Distances.behind`` and the number of places."""
    behind: list[list[Place]] = [[] for _ in DIRECTIONS]
    places = 0
    for square, edges in enumerate(zip(*blocks)):
        if square % STEPS == 0 and meter.is_due():
            yield meter.progress()
        place_of = {NO_EDGE: _NO_PLACE}
        for direction in DIRECTIONS:
            # To push a box in a direction, the player is on the opposite side.
            place = place_of.setdefault(edges[direction.opposite], places + len(place_of) - 1)
            behind[direction].append(place)
        places += len(place_of) - 1
    return behind, places


def _squares(flags: Iterable[bool]) -> Bitboard:
    """Return the Bitboard of the squares whose flag is set."""
    return int("".join("1" if flag else "0" for flag in flags)[::-1], 2)


def _sources(
    board: Board, behind: Sequence[Sequence[Place]], places: int, meter: Meter
) -> Generator[Progress, None, list[list[Place]]]:
    """Return for each place the places from which one push leads to it."""
    sources: list[list[Place]] = [[] for _ in range(places)]
    for direction in DIRECTIONS:
        for landing, place in enumerate(behind[direction]):
            if landing % STEPS == 0 and meter.is_due():
                yield meter.progress()
            # The player ends on the square the box came from, after pushing from one square further back.
            if place != _NO_PLACE:
                source = behind[direction][landing - board.offsets[direction]]
                if source != _NO_PLACE:
                    sources[place].append(source)
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
