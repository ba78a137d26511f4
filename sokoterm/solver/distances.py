"""How many pushes a lone box needs from each place to each goal.

With a box on a square, the rest of the floor may fall apart into several areas; which of them holds the player decides
where the box can be pushed.  So a *place* is a square of a box together with the player's side of it: one place for
most squares, up to four for the square of a doorway.  As long as a box does not move, the player stays on the same
side of it whatever the other boxes do; so the place of a box changes by its own pushes only.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

Place = int

# More than any real distance, small enough that sums of thousands stay cheap ints.
UNREACHABLE = 1 << 28

# Entries of the distance table (places times goals) above which none is made: a board of 50 x 50 with 800 goals.
_LARGEST_TABLE = 2_000_000


@dataclass(frozen=True)
class Distances:
    """The push distances of one board.

    ``to_goals[place]``: the pushes to each goal, in the order of ``scan(board.goals)``, UNREACHABLE where there is
    no way.  ``behind[direction][square]``: the place of a box on that square with the player where it would push in
    that direction, -1 if there is no floor.  ``live[direction]``: the squares on which a box just pushed in that
    direction can still reach some goal.
    """

    board: Board
    to_goals: Sequence[tuple[int, ...]]
    behind: Sequence[Sequence[Place]]
    live: Sequence[Bitboard]

    def places(self, state: State) -> list[Place]:
        """The place of each box of a state, by ascending square."""
        return [self._place(box, state.player) for box in scan(state.boxes)]

    def _place(self, box: Square, player: Square) -> Place:
        board = self.board
        area = flood(1 << player, board.floor & ~(1 << box), board.stride)
        for direction in DIRECTIONS:
            place = self.behind[direction][box]
            if place >= 0 and area >> (box - board.offsets[direction]) & 1:
                return place
        raise AssertionError("a box that the player could not come to on an empty board")


def make_distances(board: Board, meter: Meter) -> Generator[Progress, None, Distances | None]:
    """The distances of a board, or None where the table would be too large."""
    if board.floor.bit_count() * board.goals.bit_count() > _LARGEST_TABLE:
        return None
    behind, places = yield from _make_places(board, meter)
    sources = _sources(board, behind, places)
    columns = []
    for goal in scan(board.goals):
        columns.append(_pushes_to(goal, behind, sources))
        yield meter.progress()
    to_goals = list(zip(*columns))
    live = [0, 0, 0, 0]
    for direction in DIRECTIONS:
        for square in scan(board.floor):
            place = behind[direction][square]
            if place >= 0 and min(to_goals[place]) < UNREACHABLE:
                live[direction] |= 1 << square
    return Distances(board, to_goals, behind, live)


def _make_places(board: Board, meter: Meter) -> Generator[Progress, None, tuple[list[list[Place]], int]]:
    """``behind`` as in Distances, and the number of places."""
    behind = [[-1] * (board.stride * board.height) for _ in DIRECTIONS]
    places = 0
    for number, square in enumerate(scan(board.floor)):
        if number % meter.children_per_yield == 0:
            yield meter.progress()
        without_box = board.floor & ~(1 << square)
        area = 0
        for direction in DIRECTIONS:
            player = 1 << (square - board.offsets[direction])
            if not board.floor & player or behind[direction][square] >= 0:
                continue
            area = flood(player, without_box, board.stride)
            for each in DIRECTIONS:
                if area >> (square - board.offsets[each]) & 1:
                    behind[each][square] = places
            places += 1
    return behind, places


def _sources(board: Board, behind: Sequence[Sequence[Place]], places: int) -> list[list[Place]]:
    """For each place, those from which one push leads to it."""
    sources: list[list[Place]] = [[] for _ in range(places)]
    for direction in DIRECTIONS:
        offset = board.offsets[direction]
        for landing in scan(board.floor):
            # The player ends where the box was, so the box came from the square behind, pushed from the one before.
            place = behind[direction][landing]
            if place >= 0 and (source := behind[direction][landing - offset]) >= 0:
                sources[place].append(source)
    return sources


def _pushes_to(goal: Square, behind: Sequence[Sequence[Place]], sources: Sequence[Sequence[Place]]) -> list[int]:
    """The pushes from each place to one goal: breadth-first, by pulls."""
    distances = [UNREACHABLE] * len(sources)
    layer = {behind[direction][goal] for direction in DIRECTIONS} - {-1}
    pushes = 0
    while layer:
        for place in layer:
            distances[place] = pushes
        pushes += 1
        layer = {source for place in layer for source in sources[place] if distances[source] == UNREACHABLE}
    return distances
