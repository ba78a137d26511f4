"""Clearing: a forward search in which a box that reaches a goal leaves the board.

Nothing needs to be packed, so this is mostly easy even if the level is not: the main features are the number of boxes
left, and the number in the way of the one to leave next.  Read from its end, the line found is a plan for the backward
search: the order in which boxes return to their starting squares, and where some of them wait for others.
"""

from collections.abc import Generator, Iterator, Sequence

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.solver.fess.advisors import best, off_the_path
from sokoterm.solver.fess.box_path import BoxPath
from sokoterm.solver.fess.macro import lifted, touching
from sokoterm.solver.fess.positions import Positions, Push
from sokoterm.solver.fess.tree import Move, Node, Score, search_farthest, weighed
from sokoterm.solver.protocol import Progress

# Indices of the features in a score; boxes in the way come after it, as they are too expensive to find for every move.
_LEFT, _REGIONS, _HOTSPOTS, _DISTANCE, _IN_THE_WAY = range(5)

# The features that make a cell, most significant first: for one search, and for a second if the first leaves boxes.
_CELLS = ((_LEFT, _IN_THE_WAY, _REGIONS), (_LEFT, _REGIONS, _IN_THE_WAY, _HOTSPOTS))

# Moves between two yields.
_MANY_MOVES = 1_024


def search_clearing(positions: Positions, effort: int) -> Generator[Progress, None, Node]:
    """Return the node with the fewest boxes left, ideally none; spends up to twice the ``effort``.

    ``effort`` is that of ``search_farthest``.
    """
    found = []
    for features in _CELLS:
        found.append((yield from search_farthest(_Clearing(positions, features), effort)))
        if not found[-1].boxes:
            break
    return min(found, key=lambda node: node.boxes.bit_count())


class _Clearing:
    """Domain of the clearing search; a score is boxes left, regions, hotspots and negated distance to the goals."""

    def __init__(self, positions: Positions, features: tuple[int, ...]) -> None:
        """``features``: those that make a cell."""
        self._tables = positions.tables
        self._positions = positions
        self._cell = features
        self.cell_size = len(features)
        self._entered: set[tuple[Bitboard, int]] = set()

    def prepare(self) -> Generator[Progress, None, None]:
        """Compute the hotspots of the starting squares."""
        yield from self._positions.hotspots(self._positions.start_boxes)

    def roots(self) -> Iterator[Move]:
        """Yield the start."""
        tables, boxes = self._tables, self._positions.start_boxes
        parts = len(regions(tables.floor & ~boxes, tables.stride))
        score = self._score(boxes, parts, tables.hotspots.count(boxes))
        yield Move(0, score, boxes, boxes.bit_count(), 0, 0, lowest(self._positions.start_region))

    def enter(self, move: Move) -> Bitboard:
        key = move.boxes, move.player
        if key in self._entered:
            return 0
        self._entered.add(key)
        return self._positions.region_unless_dead(move.boxes, move.player)

    def is_goal(self, move: Move) -> bool:
        return not move.boxes

    def standing(self, node: Node) -> Score:
        path = self._path(node)
        figures = *node.score, (node.boxes if path is None else path.blockers).bit_count()
        return *(figures[feature] for feature in self._cell), *node.score[_HOTSPOTS:]

    def region(self, boxes: Bitboard, player: int) -> Bitboard:
        return self._tables.region(boxes, player)

    def progress(self) -> Progress:
        return self._positions.meter.progress()

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        """Return the moves of a node; if a box can leave without freezing others off the goals, only such moves.

        ``bases`` of a move holds the number of boxes left.
        """
        pushes = list((yield from self._positions.pushes(node.boxes, node.region, prunes=False)))
        goals = self._tables.goals
        can_leave = node.boxes & goals | bitboard_of(box for box, square, *_ in pushes if goals >> square & 1)
        leaving = list(touching(can_leave, node.region, self._tables.stride))
        if leaving:
            gone = [move for move in self._gone(node, leaving) if (move.boxes, move.player) not in self._entered]
            return weighed(gone, {best(list(enumerate(gone)))})
        moves: list[Move] = []
        for number, move in enumerate(self._moved(node, pushes), start=1):
            if number % _MANY_MOVES == 0:
                yield self._positions.meter.progress()
            if (move.boxes, move.player) not in self._entered:
                moves.append(move)
        return weighed(moves, (yield from self._advised(node, moves)))

    def _gone(self, node: Node, leaving: Sequence[Square]) -> Iterator[Move]:
        """Yield the moves by which boxes leave."""
        tables, boxes = self._tables, node.boxes
        closed = regions(tables.floor & ~boxes & ~node.region, tables.stride)
        for box in leaving:
            others = boxes ^ 1 << box
            area, beyond = lifted(node.region, closed, box, tables.stride)
            score = self._score(others, beyond + 1, tables.hotspots.count(others))
            yield Move(1, score, others, node.bases - 1, box, box, lowest(area))

    def _moved(self, node: Node, pushes: Sequence[Push]) -> Iterator[Move]:
        """Yield the moves of boxes that stay on the board."""
        to_goal = self._tables.to_goal
        left, distance = node.score[_LEFT], node.score[_DISTANCE]
        for box, square, player, parts, hotspots, opens in pushes:
            there = node.boxes ^ 1 << box | 1 << square
            score = left, parts, hotspots, distance + to_goal[box] - to_goal[square]
            yield Move(1, score, there, node.bases, box, square, player, bool(opens))

    def _score(self, boxes: Bitboard, parts: int, hotspots: int) -> Score:
        to_goal = self._tables.to_goal
        return boxes.bit_count(), parts, hotspots, -sum(to_goal[box] for box in scan(boxes))

    def _path(self, node: Node) -> BoxPath | None:
        """Return the path of a box to a goal with the fewest boxes in the way."""
        boxes = node.boxes
        return self._positions.find_path(boxes, node.region, 0, boxes, self._tables.goals & ~boxes)

    def _advised(self, node: Node, moves: list[Move]) -> Generator[Progress, None, set[int | None]]:
        """Return the best moves among those that join regions, remove hotspots, open a door, or clear a box's path."""
        parts, hotspots = node.score[_REGIONS], node.score[_HOTSPOTS]
        choices = list(enumerate(moves))
        steady = [(i, move) for i, move in choices if move.score[_REGIONS] <= parts]
        joining = [(i, move) for i, move in choices if move.score[_REGIONS] < parts]
        cooling = [(i, move) for i, move in steady if move.score[_HOTSPOTS] < hotspots]
        path = self._path(node)
        opening = [] if path is None else off_the_path(path, steady, choices)
        yield self._positions.meter.progress()
        ways_in = [(i, move) for i, move in choices if move.opens]
        return {best(each) for each in (joining, cooling, ways_in, opening)}
