"""The search of FESS: cells of the feature space served in turn, in each the lightest move first.

A *cell* holds the positions of equal features.  A move that an advisor proposes weighs 0, any other 1, and a position
as much as the moves that lead to it.  In the cell whose turn it is, the move of the least weight in all is made, of
equal ones that with the best score.  A position stays in the cell of its best ancestor where it stands worse than that:
moves that prepare something are made, but open no cell.  Nothing is pruned but what ``Domain`` leaves out and what
turns out to be dead, so that every other position is reached in the end.

What is too dear to be worked out for every move is so for the positions that are expanded: their *standing* is the
score, and what else makes their cell.
"""

from collections.abc import Callable, Container, Generator, Iterable, Iterator
from heapq import heapify, heappop, heappush, nsmallest
from operator import itemgetter
from typing import NamedTuple, Protocol

from sokoterm.engine.bits import Bitboard, Square
from sokoterm.solver.protocol import Progress

# As many moves take about as long as a position.
_MOVES_OF_A_POSITION = 100

# As many moves of a position wait to be made, the best ones.  Few positions have more of them made: those are expanded
# again then.
_MOST_WAITING = 16

# Features and tie-breaks of a position, the less the better from the first on.
Score = tuple[int, ...]
Cell = tuple[int, ...]


class Move(NamedTuple):
    """A macro move and where it leads.

    ``bases``: what the backward search counts beside the boxes; ``origin`` and ``square``: where the box comes from and
    goes to; ``player``: the lowest square of the player's region then; ``opens``: whether the move opens a door.
    """

    weight: int
    score: Score
    boxes: Bitboard
    bases: Bitboard
    origin: Square
    square: Square
    player: Square
    opens: bool = False


# A move that has not been made yet, and what is left of it, for most wait for ever: weight, score, bases, the box's
# square before and after it, and the player's.
Waiting = tuple[int, Score, Bitboard, Square, Square, Square]


class Node:
    """A position that has been expanded, with the best of the moves that have not been made yet, the best one last.

    ``has_more``: whether there are others, to be found by expanding it again.
    """

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
        # The best standing on the way here.
        self.best: Score = ()
        self.moves: list[Waiting] = []
        self.has_more = False

    def line(self) -> "list[Node]":
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        nodes.reverse()
        return nodes


class Domain(Protocol):
    """What is searched."""

    cell_size: int

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        """The moves of a position with their weights, but for those to positions that have been entered before.

        Where one of them ends the search, that one alone.
        """

    def enter(self, move: Move) -> Bitboard:
        """The player's region where a move leads to a position that is new and not proven dead; else 0.

        These tests are too dear for every move.
        """

    def is_goal(self, move: Move) -> bool:
        """Whether the position that a move leads to ends the search."""

    def standing(self, node: Node) -> Score:
        """What a position is judged by once it is expanded: the features that make its cell come first."""

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        """Where the player can walk from a square."""

    def progress(self) -> Progress:
        """What to yield between positions."""


class RootedDomain(Domain, Protocol):
    """What is searched from its own roots."""

    def prepare(self) -> Generator[Progress, None, None]:
        """What is to be done before anything is searched."""

    def roots(self) -> Iterator[Move]:
        """The positions to begin with."""


class FeatureSearch:
    """One search: ``best`` is the node that stands best so far.

    ``stored`` counts the moves that wait, ``found`` those that have ever been found.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
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

    def add_root(self, move: Move) -> Generator[Progress, None, None]:
        """Begin at a position, or at one more."""
        yield from self._expand(self._node_after(None, move))

    def step(self) -> Generator[Progress, None, Node | None]:
        """Make one move and expand the position it leads to, which is returned if it is the goal.

        Moves to positions that turn out to be dead or entered are made on the way.  Raises ExhaustedError where no
        move is left.
        """
        while True:
            heap = self._cells[self._next_cell()]
            while heap:
                node = heappop(heap)[-1]
                move = self._made(node, node.moves.pop())
                self.stored -= 1
                if self._domain.is_goal(move):
                    return self._node_after(node, move)
                region = self._domain.enter(move)
                if node.has_more and not node.moves:
                    goal = self._goal_among(node, (yield from self._find_moves(node, again=True)))
                    if goal is not None:
                        return goal
                self._put(node)
                if region:
                    return (yield from self._expand(Node(node, move, region)))
                yield self._domain.progress()

    def discard(self, is_dead: Callable[[Node], bool]) -> Generator[Progress, None, None]:
        """Forget the nodes that are dead and whatever came of them.

        The best of the others that have moves left is the best then, None where there is no other; the moves that were
        left of the forgotten are stored no more.
        """
        self.best = None
        lost: dict[Node, bool] = {}
        for heap in self._cells.values():
            kept = []
            for entry in heap:
                yield self._domain.progress()
                node = entry[-1]
                for each in _from_the_first(node, lost):
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
        """Find the moves of a position; the goal, if one of them leads to it."""
        self.expanded += 1
        node.standing = self._domain.standing(node)
        node.best = node.standing if node.parent is None else min(node.standing, node.parent.best)
        if self.best is None or node.standing < self.best.standing:
            self.best = node
        moves = yield from self._find_moves(node)
        self._put(node)
        return self._goal_among(node, moves)

    def _goal_among(self, node: Node, moves: list[Move]) -> Node | None:
        """The goal, if a node's moves lead there: such a move stands alone."""
        return self._node_after(node, moves[0]) if len(moves) == 1 and self._domain.is_goal(moves[0]) else None

    def _node_after(self, parent: Node | None, move: Move) -> Node:
        return Node(parent, move, self._domain.region(move.boxes, move.player))

    def _find_moves(self, node: Node, *, again: bool = False) -> Generator[Progress, None, list[Move]]:
        """The moves of a position, the best of which then wait to be made; found ``again``, none of them is light."""
        moves = yield from self._domain.moves(node)
        self.found += len(moves)
        yield self._domain.progress()
        # Of equal moves the last come first, and stand last where the best is popped from the end.
        best = nsmallest(_MOST_WAITING, reversed(moves), key=_score if again else _rank)
        yield self._domain.progress()
        node.moves = [_kept(move._replace(weight=1) if again else move) for move in reversed(best)]
        node.has_more = len(moves) > _MOST_WAITING
        self.stored += len(node.moves)
        return moves

    def _made(self, node: Node, move: Waiting) -> Move:
        """A move that has waited."""
        weight, score, bases, origin, square, player = move
        boxes = node.boxes ^ 1 << origin
        if bases == node.bases:
            boxes |= 1 << square
        return Move(weight, score, boxes, bases, origin, square, player)

    def _put(self, node: Node) -> None:
        """Have a node wait in its cell with its best move."""
        if not node.moves:
            return
        cell = node.best[: self._domain.cell_size]
        if cell not in self._cells:
            self._cells[cell] = []
            self._order.append(cell)
            self._fresh = cell
        self._count += 1
        weight, score, *_ = node.moves[-1]
        heappush(self._cells[cell], (node.weight + weight, score, self._count, node))

    def _next_cell(self) -> Cell:
        """A new cell at once, else that of the best node and the next in turn alternately; raises ExhaustedError."""
        if self._fresh is not None:
            cell, self._fresh = self._fresh, None
            return cell
        self._serves_best = not self._serves_best
        if self._serves_best and self.best is not None:
            cell = self.best.best[: self._domain.cell_size]
            if self._cells.get(cell):
                return cell
        for _ in self._order:
            self._turn = (self._turn + 1) % len(self._order)
            cell = self._order[self._turn]
            if self._cells[cell]:
                return cell
        raise ExhaustedError


def search_farthest(domain: RootedDomain, effort: int) -> Generator[Progress, None, Node]:
    """The goal, or else the best node; each position that is expanded is an effort of 1, and so are 100 moves."""
    yield from domain.prepare()
    search = FeatureSearch(domain)
    for root in domain.roots():
        yield from search.add_root(root)
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


def _from_the_first(node: Node, known: Container[Node]) -> list[Node]:
    """The nodes on the line to a node, itself last, that are not known: what comes before them is."""
    line = []
    each: Node | None = node
    while each is not None and each not in known:
        line.append(each)
        each = each.parent
    line.reverse()
    return line


class ExhaustedError(Exception):
    """Every position that can be reached has been met."""


# Moves are made in the order of their weights, equal ones in that of their scores.
_rank = itemgetter(0, 1)
_score = itemgetter(1)


def _kept(move: Move) -> Waiting:
    weight, score, _, bases, origin, square, player, _ = move
    return weight, score, bases, origin, square, player


def weighed(moves: list[Move], advised: Iterable[int | None]) -> list[Move]:
    """The same list of moves, of weight 1, now with weight 0 for those that are advised, by their index.

    None says that somebody has no advice.
    """
    for index in advised:
        if index is not None:
            moves[index] = moves[index]._replace(weight=0)
    return moves
