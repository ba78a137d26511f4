"""Searches on rooms: a start far from the solved position, a quick solution, and a test for real puzzles."""

from collections.abc import Iterator
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.steps import Events, Steps
from sokoterm.generator.rooms import room_of
from sokoterm.solver.common.state_space import Packing
from sokoterm.solver.domain import Successors
from sokoterm.solver.search import Found, Limits
from sokoterm.solver.strategies import best_first

# Nodes of A* to show that a box may stay on its goal, and positions tried for pushing boxes straight home.
_PROOF_NODES = 4_000
_MOST_POSITIONS = 5_000

# No clock and no memory measurement, so a search ends at the same point on every machine.
LIMITS = Limits(1.0, 0, 0, clock=lambda: 0.0, resident=lambda: 0)


class SolvedRoom(NamedTuple):
    """Solution with fewest pushes, and the number of positions expanded to find it."""

    solution: Solution
    nodes: int


def solve_by_nodes(board: Board, start: State, nodes: int) -> Steps[SolvedRoom | None]:
    """Search for a solution with fewest pushes; None if it takes more than ``nodes``."""
    limits = LIMITS._replace(nodes=nodes, states=20 * nodes)
    search = Events(best_first.astar(board, start, limits, subsets_at=None))
    found = None
    for event in search:
        if isinstance(event, Found):
            found = event.solution
        yield
    return found and SolvedRoom(found, search.result.nodes)


def squares_used(board: Board, start: State, lurd: str) -> Bitboard:
    """Return the squares that the player or a box occupies at any time, and the goals."""
    used = board.goals | start.boxes | 1 << start.player
    for state, _ in play(board, start, parse_lurd(lurd)):
        used |= state.boxes | 1 << state.player
    return used


def is_puzzle(board: Board, start: State) -> Steps[bool]:
    """Return whether no box starts dead, every box must move, and pushing them to goals one by one does not work."""
    if FreezeCheck(board).find(start.boxes) or (yield from is_direct(board, start)):
        return False
    for box in scan(start.boxes & board.goals):
        if (yield from _may_stay(board, start, box)):
            return False
    return True


def _may_stay(board: Board, start: State, box: int) -> Steps[bool]:
    """Return whether the level has a solution with a wall instead of a box on a goal."""
    area = flood(1 << start.player, board.floor & ~(1 << box), board.stride)
    if start.boxes & ~area != board.goals & ~area:
        return False
    rest = room_of(area, board.width, board.height, board.goals & area)
    return (yield from solve_by_nodes(rest, start._replace(boxes=start.boxes & area), _PROOF_NODES)) is not None


def is_direct(board: Board, start: State) -> Steps[bool]:
    """Return whether pushing each box to a goal in one go, in some order, and leaving it there solves the level.

    Boxes that start on goals stay there.  Also True if there are too many ways to try.
    """
    packing = Packing(board)
    first = packing.pack(start.normalized(board))
    seen = {first}
    waiting = [first]
    while waiting:
        yield
        key = waiting.pop()
        boxes = packing.boxes(key)
        if boxes == board.goals or len(seen) > _MOST_POSITIONS:
            return True
        left = boxes & ~board.goals
        while left:
            box = left & -left
            left ^= box
            for after in _brought_home(board, packing, key, box):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return False


def _brought_home(board: Board, packing: Packing, key: int, box: Bitboard) -> Iterator[int]:
    """Yield the keys of the positions after pushing one box to a goal while the others stay in place."""
    successors = Successors(board, [board.floor] * 4)
    others = packing.boxes(key) ^ box
    seen = {key}
    waiting = [key]
    while waiting:
        state = waiting.pop()
        boxes = packing.boxes(state)
        region = flood(1 << (state & packing.mask), board.floor & ~boxes, board.stride)
        for _, pushed, _, _, after in successors.pushes_from(boxes, region, boxes ^ others):
            child = packing.pack(State(after, lowest(flood(pushed, board.floor & ~after, board.stride))))
            if child not in seen:
                seen.add(child)
                waiting.append(child)
                if (after ^ others) & board.goals:
                    yield child


# A start far from the solved position: backward search by pulls

# Distance is counted in box lines (a straight run of pulls is one step), since with pushes long corridors would make a
# level seem harder.

# Positions expanded between two yields.
EVERY = 10
# Positions with the most lines and changes that are examined in detail.
_LOOKED_AT = 24


class FarthestStart(NamedTuple):
    """Start for a level, and the solution from there that the search found.

    ``trail``: box sets from the start to the goals, each one box line after the last.  ``lines``: number of box lines,
    which is minimal.  ``changes``: box changes of this solution, including the first push.  ``score``: puzzle value,
    more is better.
    """

    state: State
    trail: tuple[Bitboard, ...]
    lines: int
    changes: int
    score: int


# Position found: the key of the one it was pulled from, the box's square after the pull, lines and changes.
_Seen = tuple[int, Square, int, int]
# Player's region in a position, and the key of the position.
_Area = tuple[Bitboard, int]


class Farthest:
    """Search for a start; ``nodes`` counts the positions expanded."""

    def __init__(self, board: Board) -> None:
        self.nodes = 0
        self._board = board
        self._packing = Packing(board)
        # Offsets of pulls, each with the right and left shift that move the square ahead onto the current one.
        self._steps = [(offset, max(0, offset), max(0, -offset)) for offset in board.offsets]
        self._seen: dict[int, _Seen] = {}
        # For each set of boxes, the player's regions found, with the keys of these positions.
        self._areas: dict[Bitboard, list[_Area]] = {}

    def run(self, most_nodes: int) -> Steps[FarthestStart | None]:
        """Return the start with the highest score found within ``most_nodes``; None if there is none."""
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
        return FarthestStart(state, tuple(trail), lines, changes, score)
