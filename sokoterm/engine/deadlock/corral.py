"""Corrals: areas that the player cannot reach, with the boxes around them.

If the boxes of a corral, alone on the board, can neither leave it nor all reach goals, the position is dead (Sokoban
Wiki, "Corral").
"""

from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, flood, regions, scan
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
    """Return a box that can be pushed out of the zone, or 0."""
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
