"""Some boxes near to each other that cannot all get away or be brought home, with nothing else on the board."""

from sokoterm.engine.bits import Bitboard, Square, around, flood, scan
from sokoterm.engine.corral import pushes_within
from sokoterm.engine.patterns import Patterns
from sokoterm.engine.player_region import PositionsMet, region_beside
from sokoterm.engine.walled import Walled

# How many boxes are taken together.
_FEWEST, _MOST = 3, 7

# Those within so many steps of one of them; how far they are followed.
_STEPS = 3

_MOST_GROUPS = 50_000


class GroupSearch:
    """Searches groups of boxes, each once; those that are dead become patterns, less the boxes they do not need.

    What it may cost is a number of pushes: so many are granted for each position, and saved up to a limit.
    """

    def __init__(self, walled: Walled, patterns: Patterns, granted: int, most_saved: int, most_pushes: int) -> None:
        """``most_pushes``: those after which a group is taken to get away."""
        self._walled = walled
        self._patterns = patterns
        self._granted = granted
        self._most_saved = most_saved
        self._most_pushes = most_pushes
        self._saved = 0
        # For each square those within one step, two, three.
        self._zones: dict[Square, list[Bitboard]] = {}
        # The groups that were searched in vain, with where the player was.
        self._alive: dict[Bitboard, list[Bitboard]] = {}

    def find_dead(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
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
        zones = []
        for _ in range(_STEPS):
            squares |= around(squares, self._walled.board.stride)
            zones.append(squares)
        return zones

    def _learned(self, group: Bitboard, region: Bitboard) -> Bitboard:
        """The boxes of a group that are dead without the others, kept as a pattern; none if it is alive."""
        area = region_beside(self._walled.board, group, region)
        if not self._is_dead(group, area):
            if self._saved <= 0:
                # It may be dead: what was saved did not suffice to tell.
                return 0
            if len(self._alive) >= _MOST_GROUPS:
                self._alive.clear()
            self._alive.setdefault(group, []).append(area)
            return 0
        for box in list(scan(group)):
            rest = group ^ 1 << box
            beside = region_beside(self._walled.board, rest, region)
            if rest and self._is_dead(rest, beside):
                group, area = rest, beside
        self._patterns.add(group, area)
        return group

    def _is_dead(self, group: Bitboard, region: Bitboard) -> bool:
        """Whether all pushes come to an end before each box gets away from where they are or comes home.

        False, too, where more pushes would be needed to tell.

        A box that gets away is taken off the board: then nothing else need be tried, for that hinders nothing.
        """
        walled = self._walled
        floor, goals, stride = walled.board.floor, walled.board.goals, walled.board.stride
        zone = self._around(group)[-1]
        met = PositionsMet()
        met.add(group, region)
        waiting = [(group, region)]
        pushes = 0
        while waiting:
            boxes, region = waiting.pop()
            if not boxes & ~goals:
                return False
            if any(not walled.goals_of(box, region) for box in scan(boxes)):
                continue
            for after, player, leaves in pushes_within(walled, boxes, region, zone):
                pushes += 1
                self._saved -= 1
                if pushes > self._most_pushes or self._saved < 0:
                    return False
                if not met.hold(after, player):
                    reached = flood(player, floor & ~after, stride)
                    met.add(after, reached)
                    waiting.append((after, reached))
                if leaves:
                    break
        return True
