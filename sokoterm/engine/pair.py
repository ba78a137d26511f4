"""Two boxes near to each other that cannot both be brought home, with nothing else on the board."""

from itertools import islice

from sokoterm.engine.bits import Bitboard, Square, around, flood, scan
from sokoterm.engine.corral import pushes_within
from sokoterm.engine.player_region import PositionsMet
from sokoterm.engine.walled import Walled

# How far boxes may be apart, and how far they are followed.
_STEPS = 3


class PairSearch:
    """The pairs of one board; each is searched when it is first met, for every area in which the player may be."""

    def __init__(self, walled: Walled, most_new: int, most_pushes: int) -> None:
        """``most_new``: pairs searched at one position; the others have to wait for the next.

        ``most_pushes``: those that freeze no box, after which two boxes are taken to come home.
        """
        self._walled = walled
        self._most_new = most_new
        self._most_pushes = most_pushes
        # By the box that comes first: the squares of others that were looked at, and of those with which it is dead.
        self._met: dict[Square, Bitboard] = {}
        self._dead: dict[Square, Bitboard] = {}
        self._areas: dict[Bitboard, list[Bitboard]] = {}

    def find_dead(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Two boxes of a position that are dead together; none if no such pair is found."""
        met, dead = self._met, self._dead
        new_left = self._most_new
        rest = boxes
        while rest:
            first = rest & -rest
            rest ^= first
            box = first.bit_length() - 1
            if box not in met:
                # As good as looked at: those that are too far away.
                met[box] = ~self._near(first)
                dead[box] = 0
            if new := rest & ~met[box]:
                for other in islice(scan(new), new_left):
                    self._look(box, other)
                    new_left -= 1
            for other in scan(rest & dead[box]):
                for area in self._areas[first | 1 << other]:
                    if area & region:
                        return first | 1 << other
        return 0

    def _near(self, squares: Bitboard) -> Bitboard:
        """The squares within so many steps, diagonal ones too."""
        for _ in range(_STEPS):
            squares |= around(squares, self._walled.board.stride)
        return squares

    def _look(self, box: Square, other: Square) -> None:
        """Find out whether two boxes are dead together, and where the player is then."""
        board = self._walled.board
        pair = 1 << box | 1 << other
        self._met[box] |= 1 << other
        free = board.floor & ~pair
        beside = around(pair, board.stride) & free
        areas = []
        while beside:
            area = flood(beside & -beside, free, board.stride)
            beside &= ~area
            if self._is_dead(pair, area):
                areas.append(area)
        if areas:
            self._dead[box] |= 1 << other
            self._areas[pair] = areas

    def _is_dead(self, pair: Bitboard, region: Bitboard) -> bool:
        """Whether all pushes come to an end before a box gets away from where the two are, or both come home.

        Neither is frozen off the goals.
        """
        walled = self._walled
        floor, goals, stride = walled.board.floor, walled.board.goals, walled.board.stride
        zone = self._near(pair)
        met = PositionsMet()
        met.add(pair, region)
        waiting = [(pair, region)]
        pushes = 0
        while waiting:
            boxes, region = waiting.pop()
            if not boxes & ~goals:
                return False
            if any(not walled.goals_of(box, region) for box in scan(boxes)):
                continue
            for after, player, leaves in pushes_within(walled, boxes, region, zone):
                pushes += 1
                if leaves or pushes > self._most_pushes:
                    return False
                if not met.hold(after, player):
                    reached = flood(player, floor & ~after, stride)
                    met.add(after, reached)
                    waiting.append((after, reached))
        return True
