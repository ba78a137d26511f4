"""Backward search by pulls from the solved position, for a start far from it.

Distance is counted in box lines: pulling a box straight on, however far, is one step.  If pushes counted, long
corridors would make a level seem harder.
"""

from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.slices import Steps
from sokoterm.solver.common.state_space import Packing

# Positions expanded between two yields.
EVERY = 10
# Positions with the most lines and changes that are examined box by box.
_LOOKED_AT = 24


class FarthestStart(NamedTuple):
    """A start for a level, and the solution from there that the search found.

    ``trail``: the box sets from the start to the goals, each one box line after the last.  ``lines``: the number of box
    lines, which is minimal.  ``changes``: the box changes of this solution, including the first push.  ``straight``:
    boxes that need only one line.  ``score``: puzzle value, more is better.
    """

    state: State
    trail: tuple[Bitboard, ...]
    lines: int
    changes: int
    straight: int
    score: int


# A position found: the key of the one it was pulled from, the box's square after the pull, lines and changes.
_Seen = tuple[int, Square, int, int]
# The player's region in a position, and the key of the position.
_Area = tuple[Bitboard, int]


class Farthest:
    """One search; ``nodes`` counts the positions expanded."""

    def __init__(self, board: Board) -> None:
        self.nodes = 0
        self._board = board
        self._packing = Packing(board)
        # The offsets of pulls, each as a right shift and a left shift that move the square ahead onto the own one.
        self._steps = [(offset, max(0, offset), max(0, -offset)) for offset in board.offsets]
        self._seen: dict[int, _Seen] = {}
        # For each set of boxes, the player's regions found, with the keys of these positions.
        self._areas: dict[Bitboard, list[_Area]] = {}

    def run(self, most_nodes: int) -> Steps[FarthestStart | None]:
        """Return the start with the highest score found within ``most_nodes``, or None if there is none."""
        board, seen = self._board, self._seen
        layer: list[_Area] = []
        for region in regions(board.floor & ~board.goals, board.stride):
            key = self._packing.pack(State(board.goals, lowest(region)))
            seen[key] = (key, -1, 0, 0)
            layer.append((region, key))
        self._areas[board.goals] = layer
        while layer and self.nodes < most_nodes:
            next_layer: list[_Area] = []
            for region, key in layer:
                if self.nodes >= most_nodes:
                    break
                self.nodes += 1
                if self.nodes % EVERY == 0:
                    yield
                self._expand(key, region, next_layer)
            layer = next_layer
        far = nlargest(_LOOKED_AT, seen, key=lambda key: seen[key][2] + seen[key][3])
        starts = [start for start in map(self._start, far) if start is not None]
        return max(starts, key=lambda start: start.score, default=None)

    def _expand(self, key: int, region: Bitboard, new: list[_Area]) -> None:
        """Add the positions one line of pulls away that were not seen before."""
        floor, stride, bits = self._board.floor, self._board.stride, self._packing.bits
        seen, areas = self._seen, self._areas
        _, last, lines, changes = seen[key]
        lines += 1
        boxes = key >> bits
        for offset, right, left in self._steps:
            ahead = region >> right << left
            pulled = boxes & ahead & ahead >> right << left
            while pulled:
                box = pulled & -pulled
                pulled ^= box
                others = boxes ^ box
                free = floor & ~others
                square = box.bit_length() - 1
                changed = changes + (square != last)
                landing = square + offset
                while free >> landing + offset & 1:
                    after = others | 1 << landing
                    player = 1 << landing + offset
                    known = areas.setdefault(after, [])
                    for area, child in known:
                        if area & player:
                            before = seen[child]
                            if before[2] == lines and changed < before[3]:
                                seen[child] = (key, landing, lines, changed)
                            break
                    else:
                        area = flood(player, floor & ~after, stride)
                        child = after << bits | lowest(area)
                        seen[child] = (key, landing, lines, changed)
                        known.append((area, child))
                        new.append((area, child))
                    landing += offset

    def _start(self, key: int) -> FarthestStart | None:
        """Evaluate a position as the start of a level; None if some box never moves."""
        _, _, lines, changes = self._seen[key]
        state = State(key >> self._packing.bits, key & self._packing.mask)
        trail = [state.boxes]
        while self._seen[key][0] != key:
            key = self._seen[key][0]
            trail.append(key >> self._packing.bits)
        work = dict.fromkeys(scan(state.boxes), 0)
        for before, after in pairwise(trail):
            work[lowest(after & ~before)] = work.pop(lowest(before & ~after)) + 1
        if 0 in work.values():
            return None
        straight = sum(count == 1 for count in work.values())
        home = (state.boxes & self._board.goals).bit_count()
        score = 4 * lines + 4 * changes - 10 * straight - 4 * home
        return FarthestStart(state, tuple(trail), lines, changes, straight, score)
