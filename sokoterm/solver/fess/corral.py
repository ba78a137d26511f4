"""Corrals: areas that the player cannot enter, with the boxes around them.

If the boxes of a corral cannot be brought home nor the corral opened while all other boxes are taken off the board,
the position is dead.  And if every push that the player could make first on those boxes leads into the corral and can
be made now, it may as well be made now: of such a *PI-corral* alone the moves need be looked at (Sokoban Wiki,
"Corral"; the name is that of YASS).
"""

from collections.abc import Iterator

from sokoterm.engine.bits import Bitboard, flood, shift
from sokoterm.solver.fess.ground import Ground
from sokoterm.solver.fess.macro import regions

# The pushes after which a search of one corral gives up.
_MOST_PUSHES = 300
_MOST_VERDICTS = 100_000


class CorralSearch:
    """Searches for deadlocks in corrals; verdicts are kept."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._verdicts: dict[tuple[Bitboard, Bitboard, Bitboard], bool] = {}

    def finds_deadlock(self, boxes: Bitboard, region: Bitboard, frozen: Bitboard) -> bool:
        """Whether some corral of the position is dead."""
        ground = self._ground
        for corral in regions(ground.floor & ~boxes & ~region, ground.stride):
            fence = _around(corral, ground.stride) & boxes
            has_work = fence & ~ground.goals or corral & ground.goals
            if has_work and self._is_dead(fence | frozen, corral, corral | fence, region):
                return True
        return False

    def _is_dead(self, kept: Bitboard, corral: Bitboard, zone: Bitboard, region: Bitboard) -> bool:
        ground = self._ground
        region = flood(region & -region, ground.floor & ~kept, ground.stride)
        if region & corral:
            return False
        key = kept, corral, region & -region
        verdict = self._verdicts.get(key)
        if verdict is None:
            if len(self._verdicts) >= _MOST_VERDICTS:
                self._verdicts.clear()
            verdict = self._verdicts[key] = self._search(kept, corral, zone, region)
        return verdict

    def _search(self, kept: Bitboard, corral: Bitboard, zone: Bitboard, region: Bitboard) -> bool:
        """Whether no pushes of the boxes that were kept open the corral or bring all of them home.

        A box that leaves the zone is taken off the board: then nothing else need be tried, for that hinders nothing.
        """
        ground, stride = self._ground, self._ground.stride
        seen = {(kept, region & -region)}
        waiting = [(kept, region)]
        pushes = 0
        while waiting:
            boxes, region = waiting.pop()
            if not boxes & ~ground.goals:
                return False
            for after, player, leaves in self._pushes(boxes, region, zone):
                pushes += 1
                if pushes > _MOST_PUSHES:
                    return False
                reached = flood(player, ground.floor & ~after, stride)
                if reached & corral:
                    return False
                key = after, reached & -reached
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, reached))
                if leaves:
                    break
        return True

    def _pushes(self, boxes: Bitboard, region: Bitboard, zone: Bitboard) -> Iterator[tuple[Bitboard, Bitboard, bool]]:
        """The boxes after each push, where the player is then, and whether the box left; that comes first and last."""
        ground = self._ground
        free = ground.floor & ~boxes & ground.live
        inside = []
        for offset in ground.board.offsets:
            pushable = boxes & shift(region, offset) & shift(free, -offset)
            while pushable:
                box = pushable & -pushable
                pushable ^= box
                landing = shift(box, offset)
                if not landing & zone:
                    yield boxes ^ box, box | region, True
                    return
                after = boxes ^ box | landing
                if not ground.frozen(after) & ~ground.goals:
                    inside.append((after, box, False))
        yield from inside


def find_pi_corral(ground: Ground, boxes: Bitboard, region: Bitboard, frozen: Bitboard) -> Bitboard | None:
    """The boxes of the PI-corral with the fewest of them, None where there is no PI-corral."""
    corrals = regions(ground.floor & ~boxes & ~region, ground.stride)
    best: Bitboard | None = None
    for corral in corrals:
        fence = _pi_fence(ground, boxes, region, frozen, corral, corrals)
        if fence and (best is None or fence.bit_count() < best.bit_count()):
            best = fence
    return best


def _pi_fence(
    ground: Ground, boxes: Bitboard, region: Bitboard, frozen: Bitboard, corral: Bitboard, corrals: list[Bitboard]
) -> Bitboard:
    """The boxes around a corral if it is a PI-corral, joined with others where a push leads there; else none."""
    closed = ground.floor & ~boxes & ~region
    while True:
        fence = _around(corral, ground.stride) & boxes
        fixed = fence | frozen
        landings, players = ground.live & ~fixed, ground.floor & ~fixed
        others = 0
        for offset in ground.board.offsets:
            # Pushes from outside that no box of the corral and no frozen one prevents.
            pushed = fence & ~frozen & shift(landings, -offset) & shift(players & ~corral, offset)
            others |= shift(pushed, offset) & ~corral | shift(pushed, -offset) & ~region
        if not others:
            return fence if fence & ~ground.goals or corral & ground.goals else 0
        if others & ~closed:
            return 0
        for each in corrals:
            if each & others:
                corral |= each


def _around(area: Bitboard, stride: int) -> Bitboard:
    """The squares beside an area, corners included."""
    wide = area | area << 1 | area >> 1
    return (wide | wide << stride | wide >> stride) & ~area
