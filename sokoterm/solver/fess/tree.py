"""The search of FESS: visits the cells of feature space in turn and makes the move of least weight in each.

A *cell* contains the positions with equal features.  A move proposed by an advisor weighs 0, any other 1, and a
position weighs as much as the moves that lead to it.  In the cell whose turn it is, the move with the least total
weight is made, and among equals the one with the best score.  A position worse than its best ancestor stays in that
ancestor's cell, so preparatory moves are made but open no cell.  Nothing is pruned except what ``Problem`` leaves out
and positions proven dead; every other position is reached eventually.

Features too expensive to compute for every move are computed only for expanded positions: their *standing* is the score
and the other features of their cell.
"""

from collections.abc import Callable, Container, Generator, Hashable, Iterable
from heapq import heapify, heappop, heappush, nsmallest
from operator import itemgetter
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.solver.common.board_tables import BoardTables
from sokoterm.solver.search import Meter, Progress

# Moves that take about as much work as a position.
_MOVES_OF_A_POSITION = 100

# Most moves kept per position, the best ones.  Few positions need more; these are expanded again.
_MOST_WAITING = 16

# Features and tie-breaks of a position, compared in order; lower is better.
Score = tuple[int, ...]
Cell = tuple[int, ...]


class Move(NamedTuple):
    """Macro move and the position after it.

    ``bases``: bases left in a packing search.  ``origin`` and ``square``: the box's square before and after.
    ``player``: lowest square of the player's region afterwards.  ``opens``: true if the move opens a door.
    """

    weight: int
    score: Score
    boxes: Bitboard
    bases: Bitboard
    origin: Square
    square: Square
    player: Square
    opens: bool = False


# Move not made yet, reduced to save memory, since most are never made: weight, score, bases, the box's square before
# and after, and the player's.
PendingMove = tuple[int, Score, Bitboard, Square, Square, Square]


class Node:
    """Expanded position with the best of its moves not made yet, best last; ``has_more`` if there are others."""

    __slots__ = (
        "bases",
        "best",
        "boxes",
        "depth",
        "has_more",
        "move",
        "moves",
        "parent",
        "region",
        "score",
        "standing",
        "weight",
    )

    def __init__(self, parent: "Node | None", move: Move, region: Bitboard) -> None:
        self.parent = parent
        self.move = move
        self.boxes = move.boxes
        self.region = region
        self.bases = move.bases
        self.score = move.score
        self.weight: int = move.weight if parent is None else parent.weight + move.weight
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.standing: Score = ()
        # Best standing on the line to this node.
        self.best: Score = ()
        self.moves: list[PendingMove] = []
        self.has_more = False

    def line(self, known: "Container[Node]" = ()) -> "list[Node]":
        """Return the nodes from the root, or after the last known one, to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None and node not in known:
            nodes.append(node)
            node = node.parent
        nodes.reverse()
        return nodes


class Problem:
    """Problem for FeatureSearch; ``cell_size`` features make a cell, ``entered`` has the keys of positions entered."""

    cell_size = 3

    def __init__(self, tables: BoardTables, meter: Meter) -> None:
        self.tables = tables
        self.meter = meter
        self.entered: set[Hashable] = set()

    def roots(self) -> Generator[Progress, None, list[Move]]:
        """Prepare the search and return its root positions."""
        raise NotImplementedError

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        """Return the weighted moves of a position, except to positions entered before; a final move comes alone."""
        raise NotImplementedError

    def is_goal(self, move: Move) -> bool:
        """Return whether the position after the move ends the search."""
        raise NotImplementedError

    def key(self, move: Move) -> Hashable:
        return move.boxes, move.bases, move.player

    def enter(self, move: Move) -> Bitboard:
        """Enter the position after a move that is made; return the player's region, 0 if it is dead or not new."""
        key = self.key(move)
        if key in self.entered:
            return 0
        self.entered.add(key)
        return self.region_unless_dead(move.boxes, move.player)

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self.region(boxes, player)

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self.tables.region(boxes, player)

    def standing(self, node: Node) -> Score:
        """Return the standing of an expanded position: the features of its cell, then the tie-breaks."""
        return node.score


class FeatureSearch:
    """Feature-space search; ``best``: node of best standing, ``stored``: moves kept, ``found``: moves generated."""

    def __init__(self, problem: Problem, most_waiting: int = _MOST_WAITING) -> None:
        """``most_waiting``: most moves kept per position."""
        self.problem = problem
        self._most_waiting = most_waiting
        self._cells: dict[Cell, list[tuple[int, Score, int, Node]]] = {}
        self._order: list[Cell] = []
        self._turn = 0
        self._serves_best = False
        self._fresh: Cell | None = None
        self._count = 0
        self.best: Node | None = None
        self.expanded = 0
        self.stored = 0
        self.found = 0

    def begin(self) -> Generator[Progress, None, None]:
        for root in (yield from self.problem.roots()):
            yield from self.add_root(root)

    def add_root(self, move: Move) -> Generator[Progress, None, None]:
        yield from self._expand(self._node_after(None, move))

    def step(self) -> Generator[Progress, None, Node | None]:
        """Make one move and expand the position after it; return the goal node if it is found.

        Moves to positions that are dead or were entered before are dropped.  Raises ExhaustedError if no move is left.
        """
        while True:
            heap = self._cells[self._next_cell()]
            while heap:
                node = heappop(heap)[-1]
                move = self._made(node, node.moves.pop())
                self.stored -= 1
                if self.problem.is_goal(move):
                    return self._node_after(node, move)
                region = self.problem.enter(move)
                if node.has_more and not node.moves:
                    goal = self._goal_among(node, (yield from self._find_moves(node, again=True)))
                    if goal is not None:
                        return goal
                self._put(node)
                if region:
                    return (yield from self._expand(Node(node, move, region)))
                yield self.problem.meter.progress()

    def discard(self, is_dead: Callable[[Node], bool]) -> Generator[Progress, None, None]:
        """Drop dead nodes with their descendants and moves; ``best`` becomes the best node with moves left, or None."""
        self.best = None
        lost: dict[Node, bool] = {}
        for heap in self._cells.values():
            kept = []
            for entry in heap:
                yield self.problem.meter.progress()
                node = entry[-1]
                for each in node.line(lost):
                    lost[each] = each.parent is not None and lost[each.parent] or is_dead(each)
                if lost[node]:
                    self.stored -= len(node.moves)
                    continue
                kept.append(entry)
                if self.best is None or node.standing < self.best.standing:
                    self.best = node
            if len(kept) < len(heap):
                heap[:] = kept
                heapify(heap)

    def _expand(self, node: Node) -> Generator[Progress, None, Node | None]:
        self.expanded += 1
        node.standing = self.problem.standing(node)
        node.best = node.standing if node.parent is None else min(node.standing, node.parent.best)
        if self.best is None or node.standing < self.best.standing:
            self.best = node
        moves = yield from self._find_moves(node)
        self._put(node)
        return self._goal_among(node, moves)

    def _goal_among(self, node: Node, moves: list[Move]) -> Node | None:
        return self._node_after(node, moves[0]) if len(moves) == 1 and self.problem.is_goal(moves[0]) else None

    def _node_after(self, parent: Node | None, move: Move) -> Node:
        return Node(parent, move, self.problem.region(move.boxes, move.player))

    def _find_moves(self, node: Node, *, again: bool = False) -> Generator[Progress, None, list[Move]]:
        """Find and return the moves of a position and store the best; found ``again``, each weighs 1."""
        moves = yield from self.problem.moves(node)
        self.found += len(moves)
        yield self.problem.meter.progress()
        # Among equal moves the last generated is made first.
        best = nsmallest(self._most_waiting, reversed(moves), key=_score if again else _rank)
        yield self.problem.meter.progress()
        node.moves = [
            (1 if again else move.weight, move.score, move.bases, move.origin, move.square, move.player)
            for move in reversed(best)
        ]
        node.has_more = len(moves) > self._most_waiting
        self.stored += len(node.moves)
        return moves

    def _made(self, node: Node, move: PendingMove) -> Move:
        weight, score, bases, origin, square, player = move
        boxes = node.boxes ^ 1 << origin
        if bases == node.bases:
            boxes |= 1 << square
        return Move(weight, score, boxes, bases, origin, square, player)

    def _put(self, node: Node) -> None:
        if not node.moves:
            return
        cell = node.best[: self.problem.cell_size]
        if cell not in self._cells:
            self._cells[cell] = []
            self._order.append(cell)
            self._fresh = cell
        self._count += 1
        weight, score, *_ = node.moves[-1]
        heappush(self._cells[cell], (node.weight + weight, score, self._count, node))

    def _next_cell(self) -> Cell:
        """Return a new cell if any, else the best node's and the next in turn alternately; raise ExhaustedError."""
        if self._fresh is not None:
            cell, self._fresh = self._fresh, None
            return cell
        self._serves_best = not self._serves_best
        if self._serves_best and self.best is not None:
            cell = self.best.best[: self.problem.cell_size]
            if self._cells.get(cell):
                return cell
        for _ in self._order:
            self._turn = (self._turn + 1) % len(self._order)
            cell = self._order[self._turn]
            if self._cells[cell]:
                return cell
        raise ExhaustedError


def search_farthest(problem: Problem, effort: int) -> Generator[Progress, None, Node]:
    """Return the goal node, else the best node; effort is 1 per expanded position and 1 per 100 moves found."""
    search = FeatureSearch(problem)
    yield from search.begin()
    goal = None
    try:
        while goal is None and search.expanded + search.found // _MOVES_OF_A_POSITION < effort:
            goal = yield from search.step()
    except ExhaustedError:
        pass
    found = goal or search.best
    if found is None:
        raise AssertionError("a search without a root")
    return found


class ExhaustedError(Exception):
    """Visited every reachable position."""


# Moves are made by weight, then by score.
_rank = itemgetter(0, 1)
_score = itemgetter(1)


def weighed(moves: list[Move], advised: Iterable[int | None]) -> list[Move]:
    """Set the weight of the ``advised`` moves (indices, or None for no advice) to 0 in place; return the list."""
    for index in advised:
        if index is not None:
            moves[index] = moves[index]._replace(weight=0)
    return moves
