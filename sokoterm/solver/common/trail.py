"""From the states a search remembers back to a solution that a player can replay."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sokoterm.engine.bits import DIRECTIONS, Bitboard
from sokoterm.engine.board import Board, Push, State
from sokoterm.engine.lurd import Solution, letter, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import push


class Packing:
    """A normalized state as one int, the key of every table of states: ``boxes << bits | player``.

    One int costs half the memory of a tuple of two and is hashed in a third of the time.
    """

    def __init__(self, board: Board) -> None:
        self.bits = (board.stride * board.height).bit_length()
        self.mask = (1 << self.bits) - 1

    def pack(self, state: State) -> int:
        return state.boxes << self.bits | state.player

    def boxes(self, key: int) -> Bitboard:
        return key >> self.bits


def trail(parents: Mapping[int, int], key: int, packing: Packing) -> list[Bitboard]:
    """The boxes of every state from the first one to ``key``; the first one is its own parent."""
    boxes = [packing.boxes(key)]
    while (parent := parents[key]) != key:
        boxes.append(packing.boxes(parent))
        key = parent
    boxes.reverse()
    return boxes


def solution(board: Board, start: State, boxes: Sequence[Bitboard]) -> Solution:
    """The solution that goes through these box sets, one box pushed straight on from each to the next.

    The walks between are the shortest.  Replayed by the rules; the error it would raise is a mistake of the search
    that asked.
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
    """The pushes of one box, all in one direction, that lead from one box set to the next."""
    box = (before & ~after).bit_length() - 1
    landing = (after & ~before).bit_length() - 1
    way = landing - box
    # In a row a way is shorter than the stride.
    step = board.stride if way % board.stride == 0 else 1
    direction = next(each for each in DIRECTIONS if board.offsets[each] == (step if way > 0 else -step))
    return [Push(square, direction) for square in range(box, landing, board.offsets[direction])]
