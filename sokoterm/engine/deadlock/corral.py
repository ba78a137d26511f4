"""Corrals: areas that the player cannot reach, with the boxes around them.

If the boxes of a corral, alone on the board, can neither leave it nor all reach goals, the position is dead (Sokoban
Wiki, "Corral").
"""

from collections.abc import Iterator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, flood, regions, scan, shift
from sokoterm.engine.deadlock.frozen_board import FrozenBoard
from sokoterm.engine.player_region import PositionsMet, region_after

_MOST_VERDICTS = 100_000

# Times a corral must come up before it is searched with the full limit, if a glance was not enough.
_OFTEN = 5


class Corral(NamedTuple):
    """An area the player cannot reach, and the loose boxes around it."""

    area: Bitboard
    fence: Bitboard


# Floor, area, fence, and the lowest square of the player's region.
_Key = tuple[Bitboard, Bitboard, Bitboard, Bitboard]


class CorralSearch:
    """Search for dead corrals, with cached verdicts."""

    def __init__(self, most_pushes: int, glance: int, most_corrals: int) -> None:
        """``most_corrals``: corrals searched per position.  ``most_pushes``: pushes after which a search gives up.

        ``glance``: the lower limit for a corral that has not come up often: most dead ones show it soon.
        """
        self._most_pushes = most_pushes
        self._glance = glance
        self._most_corrals = most_corrals
        # Final verdicts, and how often each corral without one has come up.
        self._verdicts: dict[_Key, bool] = {}
        self._times_met: dict[_Key, int] = {}

    def find_dead(self, frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard) -> Corral | None:
        """Return a dead corral of the position, or None; ``boxes`` are those that are not fixed."""
        floor, goals, stride = frozen_board.board.floor, frozen_board.board.goals, frozen_board.board.stride
        for area in regions(floor & ~boxes & ~region, stride)[: self._most_corrals]:
            fence = around(area, stride) & boxes
            if fence & ~goals or area & goals:
                corral = Corral(area, fence)
                if self.is_dead(frozen_board, corral, region):
                    return corral
        return None

    def is_dead(self, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        """True if the boxes of the fence, alone on the board, can neither leave the corral nor all reach goals.

        False if the area is only closed by other boxes.
        """
        board = frozen_board.board
        region = flood(region, board.floor & ~corral.fence, board.stride)
        if region & corral.area:
            return False
        key = board.floor, *corral, region & -region
        verdict = self._verdicts.get(key)
        return self._judge(key, frozen_board, corral, region) if verdict is None else verdict

    def _judge(self, key: _Key, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        """Search a corral without a verdict."""
        if len(self._verdicts) + len(self._times_met) >= _MOST_VERDICTS:
            self._verdicts.clear()
            self._times_met.clear()
        met = self._times_met[key] = self._times_met.get(key, 0) + 1
        if 1 < met < _OFTEN:
            return False
        most = self._glance if met < _OFTEN else self._most_pushes
        zone = corral.area | corral.fence
        verdict, _ = search_alone(frozen_board, corral.fence, region, zone, most, checks_goals=False)
        if verdict is None and met < _OFTEN and self._glance < self._most_pushes:
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
    A box that leaves the zone is taken off the board, which can only help, so no other push needs to be tried then.
    ``checks_goals``: give up positions with a box that could reach no goal even alone.
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
        if checks_goals and any(not frozen_board.goals_of(box, region) for box in scan(boxes)):
            continue
        for after, player, leaves in _pushes_within(frozen_board, boxes, region, zone):
            pushes += 1
            if pushes > most_pushes:
                return None, pushes
            if not met.hold(after, player):
                if leaves:
                    reached = flood(player, floor & ~after, stride)
                else:
                    landing = (after & ~boxes).bit_length() - 1
                    reached = region_after(region, player, player, landing, floor & ~after, stride)
                met.add(after, reached)
                waiting.append((after, reached))
            if leaves:
                break
    return True, pushes


def _pushes_within(
    frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard, zone: Bitboard
) -> Iterator[tuple[Bitboard, Bitboard, bool]]:
    """Yield the boxes after each push, the player's square as a Bitboard, and whether the box left the zone.

    A push that leaves the zone is yielded alone.  Pushes that freeze a box off the goals are left out.
    """
    stride, goals, check = frozen_board.board.stride, frozen_board.board.goals, frozen_board.check
    up, right, down, left = frozen_board.live_landings
    free = frozen_board.board.floor & ~boxes
    # For each side of the player: the boxes to push, the squares from which a box stays in the zone, and the offset.
    pushes = (
        (boxes & region << stride & (free & up) >> stride, zone >> stride, stride),
        (boxes & region >> 1 & (free & right) << 1, zone << 1, -1),
        (boxes & region >> stride & (free & down) << stride, zone << stride, -stride),
        (boxes & region << 1 & (free & left) >> 1, zone >> 1, 1),
    )
    for pushable, staying, _ in pushes:
        if leaving := pushable & ~staying:
            box = leaving & -leaving
            yield boxes ^ box, box | region, True
            return
    stuck = check.stuck_beside(boxes)
    for pushable, _, offset in pushes:
        while pushable:
            box = pushable & -pushable
            pushable ^= box
            landing = shift(box, offset)
            after = boxes ^ box | landing
            if not landing & stuck or not check.frozen(after) & ~goals:
                yield after, box, False
