"""Corrals: areas that the player cannot enter, with the boxes around them.

If the boxes of a corral can neither be brought home nor out of it while all other boxes are taken off the board, the
position is dead (Sokoban Wiki, "Corral").
"""

from collections.abc import Iterator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, around, flood, regions, shift
from sokoterm.engine.deadlock.frozen_board import FrozenBoard
from sokoterm.engine.player_region import PositionsMet, region_after

_MOST_VERDICTS = 100_000

# A corral that a glance says nothing of is searched to the end once it has been met so many times.
_OFTEN = 5


class Corral(NamedTuple):
    """An area closed to the player, and the boxes around it that can move."""

    area: Bitboard
    fence: Bitboard


# The floor, the corral, and a square of where the player is.
_Key = tuple[Bitboard, Bitboard, Bitboard, Bitboard]


class CorralSearch:
    """Searches for dead corrals; verdicts are kept."""

    def __init__(self, most_pushes: int, glance: int, most_corrals: int) -> None:
        """So many corrals of a position are searched; of one the search gives up after ``most_pushes``.

        That goes for one that is met often; before, as most are that turn out to be dead soon do so, it does after a
        ``glance`` of some pushes.
        """
        self._most_pushes = most_pushes
        self._glance = glance
        self._most_corrals = most_corrals
        # By corral, and what of it is not known yet: how often that was met.
        self._verdicts: dict[_Key, bool] = {}
        self._met: dict[_Key, int] = {}

    def find_dead(self, frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard) -> Corral | None:
        """A dead corral of the position, if one is found; ``boxes`` are those that have not become walls."""
        floor, goals, stride = frozen_board.board.floor, frozen_board.board.goals, frozen_board.board.stride
        for area in regions(floor & ~boxes & ~region, stride)[: self._most_corrals]:
            fence = around(area, stride) & boxes
            if fence & ~goals or area & goals:
                corral = Corral(area, fence)
                if self.is_dead(frozen_board, corral, region):
                    return corral
        return None

    def is_dead(self, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        """Whether the boxes of the fence, alone on the board, can neither leave the corral nor be brought home.

        False where the others were what closed it.
        """
        board = frozen_board.board
        region = flood(region, board.floor & ~corral.fence, board.stride)
        if region & corral.area:
            return False
        key = board.floor, *corral, region & -region
        verdict = self._verdicts.get(key)
        return self._judge(key, frozen_board, corral, region) if verdict is None else verdict

    def _judge(self, key: _Key, frozen_board: FrozenBoard, corral: Corral, region: Bitboard) -> bool:
        """``is_dead`` of a corral without a verdict."""
        if len(self._verdicts) + len(self._met) >= _MOST_VERDICTS:
            self._verdicts.clear()
            self._met.clear()
        met = self._met[key] = self._met.get(key, 0) + 1
        if 1 < met < _OFTEN:
            return False
        verdict = _search(frozen_board, corral, region, self._glance if met < _OFTEN else self._most_pushes)
        if verdict is None and met < _OFTEN and self._glance < self._most_pushes:
            return False
        del self._met[key]
        self._verdicts[key] = verdict or False
        return verdict or False


def _search(frozen_board: FrozenBoard, corral: Corral, region: Bitboard, most_pushes: int) -> bool | None:
    """Whether a corral is dead, by trying all pushes of the fence; None after too many.

    A box that leaves the corral is taken off the board: then nothing else need be tried, for that hinders nothing.
    """
    floor, goals, stride = frozen_board.board.floor, frozen_board.board.goals, frozen_board.board.stride
    zone = corral.area | corral.fence
    met = PositionsMet()
    met.add(corral.fence, region)
    waiting = [(corral.fence, region)]
    pushes = 0
    while waiting:
        boxes, region = waiting.pop()
        if not boxes & ~goals:
            return False
        for after, player, leaves in pushes_within(frozen_board, boxes, region, zone):
            pushes += 1
            if pushes > most_pushes:
                return None
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
    return True


def pushes_within(
    frozen_board: FrozenBoard, boxes: Bitboard, region: Bitboard, zone: Bitboard
) -> Iterator[tuple[Bitboard, Bitboard, bool]]:
    """The boxes after each push, where the player is then, and whether the box left; that comes first and last.

    None of the boxes is frozen off the goals.
    """
    stride, goals, check = frozen_board.board.stride, frozen_board.board.goals, frozen_board.check
    up, right, down, left = frozen_board.lands
    free = frozen_board.board.floor & ~boxes
    # By the side of the player, with the squares that the box comes from where it stays in the zone.
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
    for pushable, _, way in pushes:
        while pushable:
            box = pushable & -pushable
            pushable ^= box
            landing = shift(box, way)
            after = boxes ^ box | landing
            if not landing & stuck or not check.frozen(after) & ~goals:
                yield after, box, False
