"""Rooms and the links between them, for the feature *room connectivity*.

A room is a connected union of areas of 2 x 3 squares; squares of two rooms, or of none, are corridor.  Two rooms are
linked if a path leads from one to the other through corridors only (Shoham and Schaeffer, "The FESS algorithm: a
feature based approach to single-agent search", 2020).
"""

from collections.abc import Callable

from sokoterm.engine.bits import Bitboard, Square, flood, regions
from sokoterm.engine.board import Board

# Sets of boxes around a room whose counts are cached.
_MOST_KNOWN = 20_000


class _Room:
    """A room, its squares together with all corridors (``around``), and the later rooms linked to it."""

    def __init__(self, squares: Bitboard, around: Bitboard, linked: tuple[Bitboard, ...]) -> None:
        self.squares = squares
        self.around = around
        self.linked = linked
        # Only boxes here can break a link, so counts are cached by them.
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
        """Count the links between rooms that the boxes break."""
        return sum(self._broken_from(room, boxes & room.near) for room in self._rooms)

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """Return a function from a square to the count for ``others`` and one more box there."""
        rooms = [(room, others & room.near, self._broken_from(room, others & room.near)) for room in self._rooms]

        def broken(square: Square) -> int:
            total = 0
            for room, near, without in rooms:
                total += self._broken_from(room, near | 1 << square) if room.near >> square & 1 else without
            return total

        return broken

    def _broken_from(self, room: _Room, near: Bitboard) -> int:
        """Count the links of a room broken by the boxes near it."""
        broken = room.known.get(near)
        if broken is None:
            if len(room.known) >= _MOST_KNOWN:
                room.known.clear()
            area = self._area(room.squares & ~near, room.around & ~near)
            broken = room.known[near] = sum(not area & other & ~near for other in room.linked)
        return broken

    def _area(self, seed: Bitboard, free: Bitboard) -> Bitboard:
        """Return the area connected to a seed, and the squares beside it."""
        found, stride = flood(seed, free, self._stride), self._stride
        return found | found << 1 | found >> 1 | found << stride | found >> stride


def find_rooms(board: Board) -> list[Bitboard]:
    """Return the squares of each room, without those that two rooms share."""
    floor, stride = board.floor, board.stride
    corners = floor & floor >> 1 & floor >> stride & floor >> stride + 1
    corners &= corners << 1 | corners >> 1 | corners << stride | corners >> stride
    rooms = [part | part << 1 | part << stride | part << stride + 1 for part in regions(corners, stride)]
    shared = seen = 0
    for room in rooms:
        shared |= room & seen
        seen |= room
    return [room & ~shared for room in rooms if room & ~shared]
