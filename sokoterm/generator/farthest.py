"""Search backwards: from the solved position, by pulls, for a start that is far from it.

How far a position is counts in box lines: a box pulled straight on, however long, is one step.  So a long corridor
makes no level harder, as it would if pushes were counted.
"""

from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.generator.steps import EVERY, Steps
from sokoterm.solver.common.trail import Packing

# Of the positions with the most lines and changes so many are looked at box by box.
_LOOKED_AT = 24


class FarthestStart(NamedTuple):
    """Where a level may begin, and what is known of the way from there to the goals.

    ``trail``: the box sets from the start to the goals, one box line from each to the next; ``lines`` is the least
    number of these, ``changes`` how often another box is pushed on this way, the first push included.  ``straight``:
    boxes that one line brings from the start to their goal.  ``score`` says how much of a puzzle it is.
    """

    state: State
    trail: tuple[Bitboard, ...]
    lines: int
    changes: int
    straight: int
    score: int


# A position that was found: by a pull from another one to a square, with its lines and changes.
_Seen = tuple[int, Square, int, int]
# Where the player may walk in a position, and its key.
_Area = tuple[Bitboard, int]


class Farthest:
    """One search; ``nodes`` is the number of positions that were expanded."""

    def __init__(self, board: Board) -> None:
        self.nodes = 0
        self._board = board
        self._packing = Packing(board)
        # The steps of a pull, each with the shifts to the right and to the left that bring what lies ahead under us.
        self._steps = [(offset, max(0, offset), max(0, -offset)) for offset in board.offsets]
        self._seen: dict[int, _Seen] = {}
        # The parts of the floor between the boxes in which the player has stood, with the keys of these positions.
        self._areas: dict[Bitboard, list[_Area]] = {}

    def run(self, most_nodes: int) -> Steps[FarthestStart | None]:
        """The start with the greatest score among those found within so many nodes; None if there is none."""
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
        """Add the positions to which one line of pulls leads and that were not seen before."""
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
        """A position as the start of a level; None where a box has nothing to do."""
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
