"""Deadlock search for a few nearby boxes, alone on the board: can each of them get away or reach a goal?

Results for pairs are kept by their squares; dead groups of three to seven boxes become patterns.
"""

from itertools import islice

from sokoterm.engine.bits import Bitboard, Square, around, flood, scan
from sokoterm.engine.deadlock.corral import search_alone
from sokoterm.engine.deadlock.frozen_board import FrozenBoard
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.engine.player_region import region_beside

# Boxes in a group.
_FEWEST, _MOST = 3, 7

# Largest distance between boxes, and the distance at which one has got away; diagonal steps count as one.
_STEPS = 3

_MOST_GROUPS = 50_000


class SubsetSearch:
    """Search of pairs and groups of boxes, each at most once.

    A pair is searched for every area the player may be in.  A dead group is reduced to the boxes that matter and
    becomes a pattern.  Groups have a budget of pushes, topped up at each position to a limit.
    """

    def __init__(
        self, frozen_board: FrozenBoard, patterns: Patterns, *, pairs: int, granted: int, most_saved: int, pushes: int
    ) -> None:
        """``pairs``: new pairs searched per position; the rest wait for the next.  ``granted``: pushes added to the
        budget for groups at each position, up to ``most_saved``.  ``pushes``: pushes per search, after which the subset
        counts as not dead.
        """
        self._frozen_board = frozen_board
        self._board = frozen_board.board
        self._patterns = patterns
        self._most_pairs = pairs
        self._granted = granted
        self._most_saved = most_saved
        self._most_pushes = pushes
        self._saved = 0
        # By the first box of a pair: the squares of second boxes searched so far, and of those that make it dead.
        self._searched: dict[Square, Bitboard] = {}
        self._dead: dict[Square, Bitboard] = {}
        self._areas: dict[Bitboard, list[Bitboard]] = {}
        # The squares within one, two and three steps of each square.
        self._zones: dict[Square, list[Bitboard]] = {}
        # Groups found not dead, with the player's area.
        self._alive: dict[Bitboard, list[Bitboard]] = {}

    def find_dead_pair(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return two boxes of the position that are dead together, or 0 if no such pair is found."""
        searched, dead = self._searched, self._dead
        new_left = self._most_pairs
        rest = boxes
        while rest:
            first = rest & -rest
            rest ^= first
            box = first.bit_length() - 1
            if box not in searched:
                # Boxes too far away count as searched.
                searched[box] = ~self._around(first)[-1]
                dead[box] = 0
            if new := rest & ~searched[box]:
                for other in islice(scan(new), new_left):
                    self._search_pair(box, other)
                    new_left -= 1
            for other in scan(rest & dead[box]):
                for area in self._areas[first | 1 << other]:
                    if area & region:
                        return first | 1 << other
        return 0

    def find_dead_group(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return a dead group of a position without a known pattern, or 0 if none is found."""
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
                if dead := self._learn(group, region):
                    return dead
        return 0

    def _around(self, squares: Bitboard) -> list[Bitboard]:
        """Return the squares within one, two and three steps, diagonal steps included."""
        zones = []
        for _ in range(_STEPS):
            squares |= around(squares, self._board.stride)
            zones.append(squares)
        return zones

    def _search_pair(self, box: Square, other: Square) -> None:
        """Find the player's areas for which two boxes are dead together."""
        pair = 1 << box | 1 << other
        self._searched[box] |= 1 << other
        free = self._board.floor & ~pair
        beside = around(pair, self._board.stride) & free
        areas = []
        while beside:
            area = flood(beside & -beside, free, self._board.stride)
            beside &= ~area
            if self._search(pair, area, self._most_pushes)[0]:
                areas.append(area)
        if areas:
            self._dead[box] |= 1 << other
            self._areas[pair] = areas

    def _learn(self, group: Bitboard, region: Bitboard) -> Bitboard:
        """Reduce a dead group to the boxes that matter, add them as a pattern and return them; 0 if it is not dead."""
        area = region_beside(self._board, group, region)
        if not self._is_dead_within_budget(group, area):
            if self._saved <= 0:
                # The budget ran out: the group may still be dead.
                return 0
            if len(self._alive) >= _MOST_GROUPS:
                self._alive.clear()
            self._alive.setdefault(group, []).append(area)
            return 0
        for box in list(scan(group)):
            rest = group ^ 1 << box
            beside = region_beside(self._board, rest, region)
            if rest and self._is_dead_within_budget(rest, beside):
                group, area = rest, beside
        self._patterns.add(group, area)
        return group

    def _is_dead_within_budget(self, group: Bitboard, region: Bitboard) -> bool:
        """Search a group with the pushes left in the budget, and take from it those tried."""
        dead, pushes = self._search(group, region, min(self._most_pushes, self._saved))
        self._saved -= min(pushes, self._most_pushes)
        return dead

    def _search(self, subset: Bitboard, region: Bitboard, most_pushes: int) -> tuple[bool, int]:
        """Return whether boxes are dead on their own, False also after too many pushes; and the pushes tried."""
        zone = self._around(subset)[-1]
        dead, pushes = search_alone(self._frozen_board, subset, region, zone, most_pushes, checks_goals=True)
        return dead or False, pushes
