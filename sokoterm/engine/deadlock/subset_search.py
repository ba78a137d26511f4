"""Search of a few boxes near to each other, with nothing else on the board: can all of them get away or come home?

Pairs are looked up by their squares once they have been searched; groups of three to seven boxes become patterns.
"""

from collections.abc import Callable
from itertools import islice

from sokoterm.engine.bits import Bitboard, Square, around, flood, scan
from sokoterm.engine.deadlock.corral import pushes_within
from sokoterm.engine.deadlock.frozen_board import FrozenBoard
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.engine.player_region import PositionsMet, region_beside

# Boxes of a group.
_FEWEST, _MOST = 3, 7

# How far boxes may be apart, and how far they are followed, diagonal steps included.
_STEPS = 3

_MOST_GROUPS = 50_000


class SubsetSearch:
    """Searches pairs and groups of boxes, each once.

    A pair is searched for every area in which the player may be. A group that is dead becomes a pattern, less the boxes
    it does not need; what groups may cost is a number of pushes, granted for each position and saved up to a limit.
    """

    def __init__(
        self, frozen_board: FrozenBoard, patterns: Patterns, *, pairs: int, granted: int, most_saved: int, pushes: int
    ) -> None:
        """``pairs``: those searched at one position; the others have to wait for the next. ``granted``: the pushes for
        groups, by position. ``pushes``: those after which a subset is taken to get away.
        """
        self._frozen_board = frozen_board
        self._board = frozen_board.board
        self._patterns = patterns
        self._most_pairs = pairs
        self._granted = granted
        self._most_saved = most_saved
        self._most_pushes = pushes
        self._saved = 0
        # By the box that comes first: the squares of others that were looked at, and of those with which it is dead.
        self._met: dict[Square, Bitboard] = {}
        self._dead: dict[Square, Bitboard] = {}
        self._areas: dict[Bitboard, list[Bitboard]] = {}
        # For each square those within one step, two, three.
        self._zones: dict[Square, list[Bitboard]] = {}
        # The groups that were searched in vain, with where the player was.
        self._alive: dict[Bitboard, list[Bitboard]] = {}

    def find_dead_pair(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Two boxes of a position that are dead together; none if no such pair is found."""
        met, dead = self._met, self._dead
        new_left = self._most_pairs
        rest = boxes
        while rest:
            first = rest & -rest
            rest ^= first
            box = first.bit_length() - 1
            if box not in met:
                # As good as looked at: those that are too far away.
                met[box] = ~self._around(first)[-1]
                dead[box] = 0
            if new := rest & ~met[box]:
                for other in islice(scan(new), new_left):
                    self._look_at_pair(box, other)
                    new_left -= 1
            for other in scan(rest & dead[box]):
                for area in self._areas[first | 1 << other]:
                    if area & region:
                        return first | 1 << other
        return 0

    def find_dead_group(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """A dead group of a position that is none by its patterns; none if none is found."""
        self._saved = min(self._saved + self._granted, self._most_saved)
        for box in scan(boxes):
            if box not in self._zones:
                self._zones[box] = self._around(1 << box)
            for zone in self._zones[box]:
                group = boxes & zone
                if not _FEWEST <= group.bit_count() <= _MOST:
                    continue
                known = self._alive.get(group)
                if known is not None and any(area & region for area in known):
                    continue
                if self._saved <= 0:
                    return 0
                if dead := self._learned(group, region):
                    return dead
        return 0

    def _around(self, squares: Bitboard) -> list[Bitboard]:
        """The squares within one step, two, three, diagonal ones too."""
        zones = []
        for _ in range(_STEPS):
            squares |= around(squares, self._board.stride)
            zones.append(squares)
        return zones

    def _look_at_pair(self, box: Square, other: Square) -> None:
        """Find out whether two boxes are dead together, and where the player is then."""
        pair = 1 << box | 1 << other
        self._met[box] |= 1 << other
        free = self._board.floor & ~pair
        beside = around(pair, self._board.stride) & free
        areas = []
        while beside:
            area = flood(beside & -beside, free, self._board.stride)
            beside &= ~area
            if self._is_dead(pair, area):
                areas.append(area)
        if areas:
            self._dead[box] |= 1 << other
            self._areas[pair] = areas

    def _learned(self, group: Bitboard, region: Bitboard) -> Bitboard:
        """The boxes of a group that are dead without the others, kept as a pattern; none if it is alive."""
        area = region_beside(self._board, group, region)
        if not self._is_dead(group, area, self._spend):
            if self._saved <= 0:
                # It may be dead: what was saved did not suffice to tell.
                return 0
            if len(self._alive) >= _MOST_GROUPS:
                self._alive.clear()
            self._alive.setdefault(group, []).append(area)
            return 0
        for box in list(scan(group)):
            rest = group ^ 1 << box
            beside = region_beside(self._board, rest, region)
            if rest and self._is_dead(rest, beside, self._spend):
                group, area = rest, beside
        self._patterns.add(group, area)
        return group

    def _spend(self) -> bool:
        """Take a push from what is saved; False where nothing is left."""
        self._saved -= 1
        return self._saved >= 0

    def _is_dead(self, subset: Bitboard, region: Bitboard, spend: Callable[[], bool] = lambda: True) -> bool:
        """Whether all pushes come to an end before each box gets away from where they are or comes home.

        False, too, where more pushes would be needed to tell, or ``spend``, asked for each, allows no more.

        A box that gets away is taken off the board: then nothing else need be tried, for that hinders nothing.
        """
        frozen_board = self._frozen_board
        floor, goals, stride = self._board.floor, self._board.goals, self._board.stride
        zone = self._around(subset)[-1]
        met = PositionsMet()
        met.add(subset, region)
        waiting = [(subset, region)]
        pushes = 0
        while waiting:
            boxes, region = waiting.pop()
            if not boxes & ~goals:
                return False
            if any(not frozen_board.goals_of(box, region) for box in scan(boxes)):
                continue
            for after, player, leaves in pushes_within(frozen_board, boxes, region, zone):
                pushes += 1
                if pushes > self._most_pushes or not spend():
                    return False
                if not met.hold(after, player):
                    reached = flood(player, floor & ~after, stride)
                    met.add(after, reached)
                    waiting.append((after, reached))
                if leaves:
                    break
        return True
