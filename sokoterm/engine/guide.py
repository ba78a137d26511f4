"""Known solutions: the next push from a position in one of them, and the stretches where two of them differ."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from sokoterm.engine.bits import Direction, Square, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution, parse_lurd, play
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.value import Value


class Advance(Value):
    """The walk to the next push and that push; ``pushes`` and ``moves`` count from here to the end of the solution."""

    steps: Sequence[Direction]
    pushes: int
    moves: int


class Guide:
    """A solution indexed by position; positions that differ only by a walk count as equal."""

    def __init__(self, board: Board, start: State, lurd: str) -> None:
        self._board = board
        # For each position before a push: the player's square, the push, and the pushes and moves made until then.
        self._points: dict[tuple[int, int], tuple[Square, Direction, int, int]] = {}
        before, pushes = start, 0
        steps = parse_lurd(lurd)
        letters = []
        for moves, (direction, (after, letter)) in enumerate(zip(steps, play(board, start, steps), strict=True)):
            letters.append(letter)
            if after.boxes != before.boxes:
                self._points[self._key(before)] = before.player, direction, pushes, moves
                pushes += 1
            before = after
        self._pushes, self._moves = pushes, len(steps)
        self._letters = "".join(letters)

    def find_next_push(self, state: State) -> Advance | None:
        """Return the walk and next push of the solution; None if the position is not in it or is its end."""
        point = self._points.get(self._key(state))
        if point is None:
            return None
        player, direction, pushes, moves = point
        walk = find_walk(self._board, state, player) or []
        return Advance([*walk, direction], self._pushes - pushes, len(walk) + self._moves - moves)

    def find_rest(self, state: State) -> str | None:
        """Return the moves to the end; None if the position is not in the solution or is its end."""
        advance = self.find_next_push(state)
        if advance is None:
            return None
        *walk, _ = advance.steps
        return "".join(step.letter for step in walk) + self._letters[len(walk) + self._moves - advance.moves :]

    def _key(self, state: State) -> tuple[int, int]:
        return state.boxes, lowest(reachable_area(self._board, state))


_MOST_PLACES = 16


class Stretch(NamedTuple):
    """Two ways between the same two positions.

    One solution reaches them after ``first`` and ``last`` moves, the other after ``other_first`` and ``other_last``.
    ``moves`` and ``pushes`` are what the other way saves, negative if it needs more.
    """

    first: int
    last: int
    other_first: int
    other_last: int
    moves: int
    pushes: int


def stretches(board: Board, start: State, solution: Solution, other: Solution) -> list[Stretch]:
    """Return the stretches where two solutions of a position differ, in order.

    They meet at equal boxes and player, at as many positions as come in the same order in both.  Any one stretch can be
    exchanged for its counterpart, since both join the same positions, except for the player's square at the very end.
    """
    states, others = (
        [start, *(after for after, _ in play(board, start, parse_lurd(each.lurd)))] for each in (solution, other)
    )
    found = []
    before = (-1, -1)
    for meeting in [*_meetings(states, others), (len(states), len(others))]:
        first, other_first = max(0, before[0]), max(0, before[1])
        last, other_last = min(meeting[0], len(states) - 1), min(meeting[1], len(others) - 1)
        # A solution may visit a position twice: end the stretch at the first common position.
        while last > first and other_last > other_first and states[last - 1] == others[other_last - 1]:
            last, other_last = last - 1, other_last - 1
        if last - first > 1 or other_last - other_first > 1 or (last - first) != (other_last - other_first):
            pushes = _pushes(states, first, last) - _pushes(others, other_first, other_last)
            moves = (last - first) - (other_last - other_first)
            found.append(Stretch(first, last, other_first, other_last, moves, pushes))
        before = meeting
    return found


def _meetings(states: Sequence[State], others: Sequence[State]) -> list[tuple[int, int]]:
    """Return the common positions at both ends, and a longest chain of them in between."""
    shorter = min(len(states), len(others))
    same = next((k for k in range(shorter) if states[k] != others[k]), shorter)
    most = shorter - same
    same_at_end = next((k for k in range(most) if states[-1 - k] != others[-1 - k]), most)
    end, other_end = len(states) - same_at_end, len(others) - same_at_end
    between = _chain(states[same:end], others[same:other_end])
    return [
        *((k, k) for k in range(same)),
        *((same + place, same + other) for place, other in between),
        *((end + k, other_end + k) for k in range(same_at_end)),
    ]


def _chain(states: Sequence[State], others: Sequence[State]) -> list[tuple[int, int]]:
    """Return a longest common subsequence, with at most ``_MOST_PLACES`` places of each position in ``others``.

    J. W. Hunt and T. G. Szymanski, "A fast algorithm for computing longest common subsequences", CACM 20 (1977).
    """
    places_of: dict[State, list[int]] = {}
    for place, state in enumerate(others):
        places_of.setdefault(state, []).append(place)
    # The least end of a chain of each length, and the last link of that chain.
    ends: list[int] = []
    at_end: list[int] = []
    # Each link: its place in both solutions, and the link before.
    links: list[tuple[int, int, int]] = []
    for place, state in enumerate(states):
        for other in reversed(places_of.get(state, ())[:_MOST_PLACES]):
            length = bisect_left(ends, other)
            if length < len(ends) and ends[length] == other:
                continue
            links.append((place, other, at_end[length - 1] if length else -1))
            if length == len(ends):
                ends.append(other)
                at_end.append(len(links) - 1)
            else:
                ends[length] = other
                at_end[length] = len(links) - 1
    chain = []
    link = at_end[-1] if at_end else -1
    while link >= 0:
        place, other, link = links[link]
        chain.append((place, other))
    return chain[::-1]


def _pushes(states: Sequence[State], first: int, last: int) -> int:
    return sum(states[k].boxes != states[k + 1].boxes for k in range(first, last))
