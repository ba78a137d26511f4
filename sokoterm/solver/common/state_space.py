"""State-space search: states packed as ints, their queue, solutions rebuilt from paths, and shared positions.

A position visited from both ends joins two halves of a solution.  As in Festival's perimeter (Shoham and Schaeffer,
"The FESS algorithm", 2020, and its program), all strategies of a portfolio share the positions they have visited.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import pairwise
from typing import Generic, Protocol, TypeVar

from sokoterm.engine.bits import DIRECTIONS, Bitboard
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.deadlock.detector import is_dead_at_sight
from sokoterm.engine.lurd import Solution, letter, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import push
from sokoterm.solver.search import NONE_YET, Found, LimitReached, Meter, Progress, Search

Entry = TypeVar("Entry")


def within_limits(board: Board, start: State, meter: Meter, search: Generator[Progress | Found, None, None]) -> Search:
    """Run a search to its end or to a limit; if it ends without a solution, that proves there is none.

    A start that is obviously dead is not searched.
    """
    try:
        yield meter.progress()
        if not is_dead_at_sight(board, start):
            yield from search
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)
    return meter.solved() if meter.best < NONE_YET else meter.unsolvable(start)


class Packing:
    """Normalized states as ints, the keys of all state tables: ``boxes << bits | player``.

    An int takes half the memory of a pair and a third of the time to hash.
    """

    def __init__(self, board: Board) -> None:
        self.bits = (board.stride * board.height).bit_length()
        self.mask = (1 << self.bits) - 1

    def pack(self, state: State) -> int:
        return state.boxes << self.bits | state.player

    def boxes(self, key: int) -> Bitboard:
        return key >> self.bits


class BucketQueue(Generic[Entry]):
    """Priority queue: lowest first, then last in first out; fast for small int priorities with many repeats."""

    def __init__(self) -> None:
        self._buckets: dict[int, list[Entry]] = {}
        self._priorities: list[int] = []

    def put(self, priority: int, entry: Entry) -> None:
        bucket = self._buckets.get(priority)
        if bucket is None:
            bucket = self._buckets[priority] = []
            heappush(self._priorities, priority)
        bucket.append(entry)

    def pop(self) -> Entry | None:
        if not self._priorities:
            return None
        bucket = self._buckets[self._priorities[0]]
        entry = bucket.pop()
        if not bucket:
            del self._buckets[heappop(self._priorities)]
        return entry


def trail(parent_of: Callable[[int], int], key: int, packing: Packing) -> list[Bitboard]:
    """Return the boxes of every state from the first, which is its own parent, to ``key``."""
    boxes = [packing.boxes(key)]
    while (parent := parent_of(key)) != key:
        boxes.append(packing.boxes(parent))
        key = parent
    boxes.reverse()
    return boxes


def solution(board: Board, start: State, boxes: Sequence[Bitboard]) -> Solution:
    """Return the solution through these box sets, each one straight run of pushes of one box (on ice, one push) apart.

    Walks between them are shortest.  The rules verify the solution; an error means a bug in the calling search.
    """
    return verify(board, start, moves_through(board, start, boxes))


def moves_through(board: Board, start: State, boxes: Sequence[Bitboard]) -> str:
    """Return the LURD letters from a state through these box sets, starting with its own."""
    letters: list[str] = []
    state = start
    for before, after in pairwise(boxes):
        for each in pushes_between(board, before, after):
            walk = find_walk(board, state, each.box - board.offsets[each.direction])
            pushed = push(board, state, each)
            if walk is None or pushed is None:
                raise AssertionError(f"a search made a push that the rules do not allow: {each}")
            letters.extend(letter(direction, False) for direction in walk)
            letters.append(letter(each.direction, True))
            state = pushed
    return "".join(letters)


def pushes_between(board: Board, before: Bitboard, after: Bitboard) -> list[Push]:
    """Return the pushes of one box in one direction that lead from one box set to the next."""
    squares = (1 << board.size) - 1
    box = (before & ~after & squares).bit_length() - 1
    landing = (after & ~before & squares).bit_length() - 1
    run = landing - box
    # A run along a row is shorter than the stride.
    step = board.stride if run % board.stride == 0 else 1
    direction = next(each for each in DIRECTIONS if board.offsets[each] == (step if run > 0 else -step))
    if board.ice:
        return [Push(box, direction)]
    return [Push(square, direction) for square in range(box, landing, board.offsets[direction])]


class Met(Protocol):
    """Positions a search has visited, as keys of ``Packing``."""

    def __contains__(self, key: int, /) -> bool: ...


class Side:
    """Positions visited by all searches from one end."""

    def __init__(self) -> None:
        self._trails: list[tuple[Met, Callable[[int], list[Bitboard]]]] = []

    @property
    def tables(self) -> list[Met]:
        return [met for met, _ in self._trails]

    @contextmanager
    def registered(self, met: Met, trail: Callable[[int], list[Bitboard]]) -> Iterator[None]:
        """Share a search's positions; ``trail`` returns the boxes of all states from its root to one of them."""
        entry = met, trail
        self._trails.append(entry)
        try:
            yield
        finally:
            self._trails.remove(entry)

    def __contains__(self, key: int) -> bool:
        for met, _ in self._trails:  # noqa: SIM110 - any() of a generator takes three times as long
            if key in met:
                return True
        return False

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state from this end to a position in ``self``."""
        return next(trail(key) for met, trail in self._trails if key in met)


class Perimeter:
    """Positions visited from the start of a level and from its goals."""

    def __init__(self) -> None:
        self.from_start = Side()
        self.from_goals = Side()
