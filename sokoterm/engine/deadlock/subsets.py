"""Searches of a few boxes of a position without the others, on a board where fixed boxes are walls.

Corrals are areas that the player cannot reach: if the boxes around one, alone on the board, can neither leave it nor
all reach goals, the position is dead (Sokoban Wiki, "Corral").  Pairs and groups are boxes near each other that may be
unable to get away or reach goals.  Results for pairs are cached, and dead groups of three to seven boxes become
patterns.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, flood, regions, scan, shift
from sokoterm.engine.board import Board
from sokoterm.engine.deadlock.check import FreezeCheck, LostSquares, Patterns, goals_told_apart
from sokoterm.engine.lone_box import BySide, LoneBox
from sokoterm.engine.reach import PositionsMet, region_after, region_beside
from sokoterm.engine.slides import live_slides


class DetectorBounds(NamedTuple):
    """Effort limits for the tests of one position.

    ``table``: floor squares times goals above which boxes are not matched to goals.  ``pushes``: pushes after which the
    search of a corral, pair or group gives up.  ``glance``: the same for a corral that has not come up often.
    ``corrals``: corrals searched.  ``pairs``: new pairs searched.  ``granted``: pushes added to the budget for groups
    at each position; ``saved``: the limit of that budget.
    """

    table: int
    pushes: int
    glance: int
    corrals: int
    pairs: int
    granted: int
    saved: int


# Up to this product of floor squares and colours, dead squares take the player's side into account: a tenth of a
# second, ten times as long as without.
MOST_SIDED = 200_000


class FrozenBoard:
    """Tables for one board of any kind and one set of fixed boxes, made on demand.

    ``board``: the board with those boxes as walls and without their goals.  ``live_landings``: for each side of the
    player, the squares from which a box just pushed there from that side can still reach a goal of any colour.  On ice,
    and for dead squares on large boards with many colours, the player's side is ignored.
    """

    def __init__(self, board: Board, walls: Bitboard = 0) -> None:
        self.board = board.walled(walls)
        self.lone = LoneBox(self.board)
        self._slides = live_slides(self.board) if board.ice else None
        self.live_landings = self._leading_to(self.board.goals)
        is_slow = len(board.colors) * board.floor.bit_count() > MOST_SIDED
        self.check = FreezeCheck(self.board, () if board.ice or is_slow else [*self._lost_squares()])
        self._rows: dict[Square, list[tuple[Bitboard, int]]] = {}
        self._ways: dict[Square, list[tuple[Bitboard, bool]]] = {}

    def _leading_to(self, goals: Bitboard) -> BySide:
        if self._slides is None:
            return self.lone.towards(goals)
        squares = self._slides.leading_to(goals)
        return squares, squares, squares, squares

    def _lost_squares(self) -> Iterator[LostSquares]:
        free, stride = self.board.floor, self.board.stride
        for goals in goals_told_apart(self.board):
            up, right, down, left = self.live_landings if goals == self.board.goals else self._leading_to(goals)
            sideways = right << 1 & free >> 1 | left >> 1 & free << 1
            upright = up >> stride & free << stride | down << stride & free >> stride
            yield free & ~(up | right | down | left | goals), free & ~sideways, free & ~upright

    def pushes(self, boxes: Bitboard, movable: Bitboard, region: Bitboard) -> Iterator[tuple[Bitboard, Bitboard]]:
        """Yield boxes and player (as Bitboards) after each push of a ``movable`` box that leaves it a way to a goal."""
        goals, stride, check = self.board.goals, self.board.stride, self.check
        free, stuck = self.board.floor & ~boxes, check.stuck_beside(boxes)
        up, right, down, left = self.live_landings
        # For each side of the player: the boxes to push, and the offset.
        for pushable, offset in (
            (movable & region << stride & (free & up) >> stride, stride),
            (movable & region >> 1 & (free & right) << 1, -1),
            (movable & region >> stride & (free & down) << stride, -stride),
            (movable & region << 1 & (free & left) >> 1, 1),
        ):
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                landing = shift(box, offset)
                after = boxes ^ box | landing
                if not landing & stuck or not check.frozen(after) & ~goals:
                    yield after, box

    def reaches_goal(self, box: Square, region: Bitboard) -> bool:
        """True if a box is on a goal or can reach one with no other box on the board."""
        if self.board.goals >> box & 1:
            return True
        ways = self._ways.get(box)
        if ways is None:
            ways = [(area, bool(_sides(self.live_landings, box) & sides)) for area, sides in self.lone.areas(box)]
            self._ways[box] = ways
        return any(leads for area, leads in ways if area & region)

    def goals_of(self, box: Square, region: Bitboard) -> int:
        """Return the goals that a layered box can reach alone on the board, as bits in the order of ``scan``."""
        areas = self._rows.get(box)
        if areas is None:
            areas = self._rows[box] = self._goals_by_area(box)
        for area, row in areas:
            if area & region:
                return row
        # The player cannot reach the box, so it stays.
        layer, square = divmod(box, self.board.size)
        here = self.board.goals_by_layer[layer] & 1 << square
        return 1 << (self.board.goals & here - 1).bit_count() if here else 0

    def _goals_by_area(self, box: Square) -> list[tuple[Bitboard, int]]:
        layer, square = divmod(box, self.board.size)
        found = []
        for area, sides in self.lone.areas(square):
            row = 0
            for number, (goal, towards) in enumerate(self._towards):
                if goal == square or _sides(towards, square) & sides:
                    row |= 1 << number
            found.append((area, row & self._taking[layer]))
        return found

    @cached_property
    def _towards(self) -> list[tuple[Square, BySide]]:
        return [(goal, self._leading_to(1 << goal)) for goal in scan(self.board.goals)]

    @cached_property
    def _taking(self) -> list[int]:
        """For each layer the goals that accept its boxes, as bits in the order of ``scan``."""
        order = [*scan(self.board.goals)]
        return [
            sum(1 << number for number, goal in enumerate(order) if goals >> goal & 1)
            for goals in self.board.goals_by_layer
        ]

    @cached_property
    def never_filled(self) -> list[Bitboard]:
        """For each area the player can end in, the goals that no box can be pushed onto; empty if one area has none.

        Works backwards: with all goals filled, removes boxes that can be pulled one square.  The boxes left must have
        been there from the start.
        """
        floor, goals, stride = self.board.floor, self.board.goals, self.board.stride
        found = []
        for area in regions(floor & ~goals, stride) or [0]:
            left = goals
            while True:
                pulled = 0
                for offset in self.board.offsets:
                    pulled |= left & shift(area, -offset) & shift(area, -2 * offset)
                if not pulled:
                    break
                left ^= pulled
                area = flood(area & -area, floor & ~left, stride)
            if not left:
                return []
            found.append(left)
        return found


def _sides(squares: BySide, box: Square) -> int:
    up, right, down, left = squares
    return up >> box & 1 | right >> box << 1 & 2 | down >> box << 2 & 4 | left >> box << 3 & 8


_MOST_VERDICTS = 100_000

# A corral that was not decided at a glance is searched with the full limit after coming up this often.
_OFTEN = 5


class Corral(NamedTuple):
    """An area the player cannot reach, and the loose boxes around it."""

    area: Bitboard
    fence: Bitboard


# Floor, area, fence, and the lowest square of the player's region.
_Key = tuple[Bitboard, Bitboard, Bitboard, Bitboard]


class CorralSearch:
    """Search for dead corrals, with cached verdicts."""

    def __init__(self, bounds: DetectorBounds) -> None:
        self._bounds = bounds
        # Final verdicts, and how often corrals without one have come up.
        self._verdicts: dict[_Key, bool] = {}
        self._times_met: dict[_Key, int] = {}

    def find_dead(self, frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard) -> Corral | None:
        """Return a dead corral of the position, or None; ``boxes`` are the loose ones."""
        floor, goals, stride = frozen_board.board.floor, frozen_board.board.goals, frozen_board.board.stride
        for area in regions(floor & ~boxes & ~region, stride)[: self._bounds.corrals]:
            fence = around(area, stride) & boxes
            if fence & ~goals or area & goals:
                corral = Corral(area, fence)
                if self.is_dead(frozen_board, corral, region):
                    return corral
        return None

    def is_dead(self, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        """True if the boxes of the fence, alone on the board, can neither leave the corral nor all reach goals."""
        board = frozen_board.board
        region = flood(region, board.floor & ~corral.fence, board.stride)
        if region & corral.area:
            return False
        key = board.floor, *corral, region & -region
        verdict = self._verdicts.get(key)
        return self._judge(key, frozen_board, corral, region) if verdict is None else verdict

    def _judge(self, key: _Key, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        if len(self._verdicts) + len(self._times_met) >= _MOST_VERDICTS:
            self._verdicts.clear()
            self._times_met.clear()
        met = self._times_met[key] = self._times_met.get(key, 0) + 1
        if 1 < met < _OFTEN:
            return False
        glance, pushes = self._bounds.glance, self._bounds.pushes
        most = glance if met < _OFTEN else pushes
        zone = corral.area | corral.fence
        verdict, _ = search_alone(frozen_board, corral.fence, region, zone, most, checks_goals=False)
        if verdict is None and met < _OFTEN and glance < pushes:
            return False
        del self._times_met[key]
        self._verdicts[key] = verdict or False
        return verdict or False


def search_alone(
    frozen_board: FrozenBoard,
    boxes: Bitboard,
    region: Bitboard,
    zone: Bitboard,
    most_pushes: int,
    *,
    checks_goals: bool,
) -> tuple[bool | None, int]:
    """Search some boxes alone on the board; return whether they are dead, and the number of pushes tried.

    They are dead if no pushes bring each of them out of the zone or onto a goal; None after more than ``most_pushes``.
    A box that can leave the zone is removed, which can only help, so no other push is tried then.  ``checks_goals``:
    prune positions with a box that could not reach a goal even alone.
    """
    floor, goals, stride = frozen_board.board.floor, frozen_board.board.goals, frozen_board.board.stride
    met = PositionsMet()
    met.add(boxes, region)
    waiting = [(boxes, region)]
    pushes = 0
    while waiting:
        boxes, region = waiting.pop()
        if not boxes & ~goals:
            return False, pushes
        if checks_goals and any(not frozen_board.reaches_goal(box, region) for box in scan(boxes)):
            continue
        leaving = _leaving(frozen_board, boxes, region, zone)
        if leaving:
            tried: Iterable[tuple[Bitboard, Bitboard]] = ((boxes ^ leaving, leaving | region),)
        else:
            tried = frozen_board.pushes(boxes, boxes, region)
        for after, player in tried:
            pushes += 1
            if pushes > most_pushes:
                return None, pushes
            if met.hold(after, player):
                continue
            if leaving:
                reached = flood(player, floor & ~after, stride)
            else:
                landing = (after & ~boxes).bit_length() - 1
                reached = region_after(region, player, player, landing, floor & ~after, stride)
            met.add(after, reached)
            waiting.append((after, reached))
    return True, pushes


def _leaving(frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard, zone: Bitboard) -> Bitboard:
    stride, outside = frozen_board.board.stride, frozen_board.board.floor & ~boxes & ~zone
    up, right, down, left = frozen_board.live_landings
    for leaving in (
        boxes & region << stride & (outside & up) >> stride,
        boxes & region >> 1 & (outside & right) << 1,
        boxes & region >> stride & (outside & down) << stride,
        boxes & region << 1 & (outside & left) >> 1,
    ):
        if leaving:
            return leaving & -leaving
    return 0


# Boxes in a group.
_FEWEST_BOXES, _MOST_BOXES = 3, 7

# Largest distance between boxes, and the distance at which one has escaped; diagonal steps count as one.
_STEPS = 3

_MOST_GROUPS = 50_000


class SubsetSearch:
    """Search of pairs and groups of boxes, each at most once.

    A pair is searched for every area the player may be in.  Dead groups become patterns.  Groups have a budget of
    pushes, which grows with each position up to a limit.
    """

    def __init__(self, frozen_board: FrozenBoard, patterns: Patterns, bounds: DetectorBounds) -> None:
        self._frozen_board = frozen_board
        self._board = frozen_board.board
        self._patterns = patterns
        self._bounds = bounds
        self._saved = 0
        # By the first box of a pair: the second boxes searched so far, and those that make it dead.
        self._searched: dict[Square, Bitboard] = {}
        self._dead: dict[Square, Bitboard] = {}
        self._areas: dict[Bitboard, list[Bitboard]] = {}
        self._zones: dict[Square, list[Bitboard]] = {}
        # Groups found not dead, with the player's area.
        self._alive: dict[Bitboard, list[Bitboard]] = {}

    def find_dead_pair(self, boxes: Bitboard, region: Bitboard) -> Bitboard:
        """Return two boxes of the position that are dead together, or 0 if no such pair is found."""
        searched, dead = self._searched, self._dead
        new_left = self._bounds.pairs
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
        self._saved = min(self._saved + self._bounds.granted, self._bounds.saved)
        for box in scan(boxes):
            if box not in self._zones:
                self._zones[box] = self._around(1 << box)
            for zone in self._zones[box]:
                group = boxes & zone
                if not _FEWEST_BOXES <= group.bit_count() <= _MOST_BOXES:
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
        zones = []
        for _ in range(_STEPS):
            squares |= around(squares, self._board.stride)
            zones.append(squares)
        return zones

    def _search_pair(self, box: Square, other: Square) -> None:
        pair = 1 << box | 1 << other
        self._searched[box] |= 1 << other
        free = self._board.floor & ~pair
        beside = around(pair, self._board.stride) & free
        areas = []
        while beside:
            area = flood(beside & -beside, free, self._board.stride)
            beside &= ~area
            if self._search(pair, area, self._bounds.pushes)[0]:
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
        dead, pushes = self._search(group, region, min(self._bounds.pushes, self._saved))
        self._saved -= min(pushes, self._bounds.pushes)
        return dead

    def _search(self, subset: Bitboard, region: Bitboard, most_pushes: int) -> tuple[bool, int]:
        """Return True if boxes are proven dead on their own, and the number of pushes tried."""
        zone = self._around(subset)[-1]
        dead, pushes = search_alone(self._frozen_board, subset, region, zone, most_pushes, checks_goals=True)
        return dead or False, pushes
