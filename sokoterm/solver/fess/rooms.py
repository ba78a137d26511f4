"""Rooms and the ways between them: what the feature *room connectivity* counts.

A room is a connected union of areas of 2 x 3 squares; what belongs to two rooms, or to none, is corridor.  Two rooms
are linked where a way leads from one to the other through corridors only (Shoham and Schaeffer, "The FESS algorithm: a
feature based approach to single-agent search", 2020).
"""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, flood, regions
from sokoterm.engine.board import Board

# As many positions of the boxes around a room are remembered.
_MOST_KNOWN = 20_000


class _Room:
    """A room with the corridors ``around`` it, and the rooms ``linked`` with it that stand later in the list."""

    def __init__(self, squares: Bitboard, around: Bitboard, linked: tuple[Bitboard, ...]) -> None:
        self.squares = squares
        self.around = around
        self.linked = linked
        # Whether links are broken is a matter of the boxes here alone: what was found for them is kept.
        self.near = around
        for other in linked:
            self.near |= other
        self.known: dict[Bitboard, int] = {}


class Rooms:
    """The rooms of a board."""

    def __init__(self, board: Board) -> None:
        self._stride = board.stride
        rooms = find_rooms(board)
        corridors = board.floor
        for room in rooms:
            corridors &= ~room
        self._rooms: list[_Room] = []
        for number, room in enumerate(rooms):
            area = self._area(room, room | corridors)
            linked = tuple(other for other in rooms[number + 1 :] if area & other)
            if linked:
                self._rooms.append(_Room(room, room | corridors, linked))

    def broken(self, boxes: Bitboard) -> int:
        """How many of the links between rooms the boxes break."""
        return sum(self._broken_from(room, boxes & room.near) for room in self._rooms)

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """What gives the count for some boxes and one more on a square."""
        rooms = [(room, others & room.near, self._broken_from(room, others & room.near)) for room in self._rooms]

        def broken(square: Square) -> int:
            total = 0
            for room, near, without in rooms:
                total += self._broken_from(room, near | 1 << square) if room.near >> square & 1 else without
            return total

        return broken

    def _broken_from(self, room: _Room, near: Bitboard) -> int:
        """How many links of a room the boxes near to it break."""
        broken = room.known.get(near)
        if broken is None:
            if len(room.known) >= _MOST_KNOWN:
                room.known.clear()
            area = self._area(room.squares & ~near, room.around & ~near)
            broken = room.known[near] = sum(not area & other & ~near for other in room.linked)
        return broken

    def _area(self, seed: Bitboard, free: Bitboard) -> Bitboard:
        """What is connected with a seed, and the squares beside it."""
        found, stride = flood(seed, free, self._stride), self._stride
        return found | found << 1 | found >> 1 | found << stride | found >> stride


def find_rooms(board: Board) -> list[Bitboard]:
    """The squares of each room, those of two rooms left out."""
    floor, stride = board.floor, board.stride
    corners = floor & floor >> 1 & floor >> stride & floor >> stride + 1
    corners &= corners << 1 | corners >> 1 | corners << stride | corners >> stride
    rooms = [part | part << 1 | part << stride | part << stride + 1 for part in regions(corners, stride)]
    shared = seen = 0
    for room in rooms:
        shared |= room & seen
        seen |= room
    return [room & ~shared for room in rooms if room & ~shared]
