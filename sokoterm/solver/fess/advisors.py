"""Advisors: each names at most one move of a position that is worth making first.

None of them takes a move that unpacks something.
"""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import Square
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.fess.assignment import Assignment
from sokoterm.solver.fess.features import HOTSPOTS, OUT_OF_PLAN, PACKED, REGIONS, ROOMS
from sokoterm.solver.fess.tree import Move, Node, Score
from sokoterm.solver.fess.way import BoxWay
from sokoterm.solver.fess.ways import BoxWays
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# A move beside its index among those of a position.
Choice = tuple[int, Move]

# Each time that so many have been looked at, there is a yield.
_MANY_MOVES = 1_024


class Advisors:
    """The advisors of a search by a plan; ``clears`` is explained with Manner."""

    def __init__(
        self,
        tables: BoardTables,
        ways: BoxWays,
        meter: Meter,
        assignment: Assignment | None = None,
        *,
        clears: bool,
    ) -> None:
        """``assignment``: if one of them goes by it."""
        self._tables = tables
        self._ways = ways
        self._meter = meter
        self._assignment = assignment
        self._clears = clears

    def advise(self, node: Node, moves: Sequence[Move]) -> Generator[Progress, None, set[int | None]]:
        """The indices of the moves that are worth making first, None if an advisor names none."""
        before = node.score
        kept: list[Choice] = []
        steady: list[Choice] = []
        # Those that make a feature better, and those that open a door.
        better: dict[int, list[Choice]] = {each: [] for each in (PACKED, REGIONS, ROOMS, HOTSPOTS, OUT_OF_PLAN)}
        opening: list[Choice] = []
        for choice in enumerate(moves):
            index, move = choice
            if index % _MANY_MOVES == _MANY_MOVES - 1:
                yield self._meter.progress()
            score = move.score
            if score[PACKED] > before[PACKED]:
                continue
            kept.append(choice)
            if score[PACKED] < before[PACKED]:
                better[PACKED].append(choice)
            if move.opens:
                opening.append(choice)
            if score[REGIONS] > before[REGIONS]:
                continue
            steady.append(choice)
            if score[REGIONS] < before[REGIONS]:
                better[REGIONS].append(choice)
            if score[OUT_OF_PLAN] < before[OUT_OF_PLAN]:
                better[OUT_OF_PLAN].append(choice)
            if score[ROOMS] < before[ROOMS]:
                better[ROOMS].append(choice)
            if score[HOTSPOTS] < before[HOTSPOTS]:
                better[HOTSPOTS].append(choice)
        advised = [best(each) for each in better.values()]
        advised.append(best(opening))
        if self._assignment:
            advised.append((yield from self._matching(self._assignment, node, kept)))
        yield from self._pause(moves)
        if not better[PACKED]:
            advised.append(self._opener(node, kept, steady))
        return set(advised)

    def _pause(self, moves: Sequence[Move]) -> Iterator[Progress]:
        """A yield, where there are so many moves that each look at them takes long."""
        if len(moves) >= _MANY_MOVES:
            yield self._meter.progress()

    def _matching(
        self, assignment: Assignment, node: Node, moves: Sequence[Choice]
    ) -> Generator[Progress, None, int | None]:
        """The best move of those after which fewer steps of the plan lack a box."""
        unmatched = assignment.unmatched(node.boxes)
        if not unmatched:
            return None
        # Boxes that could do the same steps before, and can do the same after, are of the same use.
        in_vain = set()
        for number, (index, move) in enumerate(sorted(moves, key=_score_of), start=1):
            if number % _MANY_MOVES == 0:
                yield self._meter.progress()
            before, after = assignment.steps_from(move.origin), assignment.steps_from(move.square)
            if not after & ~before or (before, after) in in_vain:
                continue
            if assignment.unmatched(move.boxes) < unmatched:
                return index
            in_vain.add((before, after))
        return None

    def _opener(self, node: Node, kept: Sequence[Choice], steady: Sequence[Choice]) -> int | None:
        """The move that makes room for the next step of the plan."""
        target = self._ways.target(node.boxes)
        if target is None:
            return None
        way = self._ways.find(node.boxes, node.region, target) if self._clears else None
        clearing = off_the_way(way, steady, kept) if way is not None else []
        return best(clearing) if clearing else self._make_room(target, steady)

    def _make_room(self, target: Square, moves: Sequence[Choice]) -> int | None:
        """The move that takes the box nearest to a square farthest from it."""
        if not moves:
            return None
        apart = {origin: self._apart(origin, target) for origin in {move.origin for _, move in moves}}
        nearest = min(apart.values())
        near = [each for each in moves if apart[each[1].origin] == nearest]
        return max(near, key=lambda each: self._apart(each[1].square, target))[0]

    def _apart(self, square: Square, other: Square) -> int:
        row, column = divmod(square, self._tables.stride)
        other_row, other_column = divmod(other, self._tables.stride)
        return abs(row - other_row) + abs(column - other_column)


def off_the_way(way: BoxWay, *choices: Sequence[Choice]) -> list[Choice]:
    """The moves that take a box off a way: those of the first of some choices that has any."""
    for moves in choices:
        clearing = [
            (i, move) for i, move in moves if way.blockers >> move.origin & 1 and not way.squares >> move.square & 1
        ]
        if clearing:
            return clearing
    return []


def best(moves: Sequence[Choice]) -> int | None:
    """The index of the move with the best score, None where there are no moves."""
    return min(moves, key=_score_of)[0] if moves else None


def _score_of(choice: Choice) -> Score:
    return choice[1].score
