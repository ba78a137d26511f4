"""Packed states, and the reconstruction of a solution from the states a search stored."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sokoterm.engine.bits import DIRECTIONS, Bitboard
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.lurd import Solution, letter, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import push


class Packing:
    """Normalized states as ints, the keys of every table of states: ``boxes << bits | player``.

    An int takes half the memory of a tuple of two and a third of the time to hash.
    """

    def __init__(self, board: Board) -> None:
        self.bits = (board.stride * board.height).bit_length()
        self.mask = (1 << self.bits) - 1

    def pack(self, state: State) -> int:
        return state.boxes << self.bits | state.player

    def boxes(self, key: int) -> Bitboard:
        return key >> self.bits


def trail(parents: Mapping[int, int], key: int, packing: Packing) -> list[Bitboard]:
    """Return the boxes of every state from the first, which is its own parent, to ``key``."""
    boxes = [packing.boxes(key)]
    while (parent := parents[key]) != key:
        boxes.append(packing.boxes(parent))
        key = parent
    boxes.reverse()
    return boxes


def solution(board: Board, start: State, boxes: Sequence[Bitboard]) -> Solution:
    """Return the solution through these box sets, each one straight run of pushes of one box after the last.

    Walks between are shortest.  The solution is verified by the rules; an error means a bug in the calling search.
    """
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
    return verify(board, start, "".join(letters))


def pushes_between(board: Board, before: Bitboard, after: Bitboard) -> list[Push]:
    """Return the pushes of one box in one direction that lead from one box set to the next."""
    box = (before & ~after).bit_length() - 1
    landing = (after & ~before).bit_length() - 1
    way = landing - box
    # A run along a row is shorter than the stride.
    step = board.stride if way % board.stride == 0 else 1
    direction = next(each for each in DIRECTIONS if board.offsets[each] == (step if way > 0 else -step))
    return [Push(square, direction) for square in range(box, landing, board.offsets[direction])]
