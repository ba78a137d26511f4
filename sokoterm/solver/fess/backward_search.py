"""Backward search from all goals filled: pulls boxes to their starting squares by the plan from ``clearing``.

It helps even without reaching the start: a forward search that reaches any position met here has a solution.
"""

from collections.abc import Generator, Iterator
from operator import attrgetter
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.fess.advisors import Advisors, PlanPaths
from sokoterm.solver.fess.clearing import search_clearing
from sokoterm.solver.fess.features import DISTANCE, Features, shown
from sokoterm.solver.fess.macro import Doors, Landing, Pieces, boxes_on_line, lifted, macro_moves, touching
from sokoterm.solver.fess.plan import PackingPlan, make_return_plan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Score, weighed
from sokoterm.solver.protocol import Feature, Progress

# Effort of the searches for a clearing: most succeed with a tenth of it.
_CLEARING_EFFORT = 600

_standing = attrgetter("standing")


class BackwardSearch:
    """Backward search in turns; ``met`` maps the key of each position to the node it was generated from.

    With all goals filled, the player may be in any of several regions.  Positions met from one of them mostly cannot be
    met from another, and it is seldom known which ones are useful; so each has a search of its own until it is
    exhausted, and all proceed at the same pace.  ``trees``: those not exhausted yet.
    """

    def __init__(self, positions: Positions) -> None:
        self._tables = positions.tables
        self._positions = positions
        self._meter = positions.meter
        self._domain: _BackwardDomain | None = None
        self.trees: list[FeatureSearch] = []
        self._best: Node | None = None
        self.met: dict[int, Node] = {}
        self._meter.watch(self.met)

    @property
    def stored(self) -> int:
        """Number of moves kept."""
        return sum(tree.stored for tree in self.trees)

    def turn(self, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Expand up to ``expansions`` positions; if they reach the start, return the boxes of every state to the goals.

        Raises ExhaustedError if there is no solution.
        """
        if self._domain is None:
            self._domain = yield from self._make_domain()
            for root in self._domain.roots():
                tree = FeatureSearch(self._domain)
                yield from tree.add_root(root)
                self.trees.append(tree)
            self._meter.stored += self.stored
        left = expansions
        while left > 0:
            for tree in tuple(self.trees):
                left -= 1
                home = yield from self._step(tree)
                if home is not None:
                    return boxes_on_line(self._tables, home, pulls=True)[::-1]
            if not self.trees:
                raise ExhaustedError
            self._show(self._domain)
        return None

    def _step(self, tree: FeatureSearch) -> Generator[Progress, None, Node | None]:
        """Make one step of a search; return the start node if it is reached.  An exhausted search is dropped."""
        stored = tree.stored
        home = None
        try:
            home = yield from tree.step()
        except ExhaustedError:
            self.trees.remove(tree)
        self._meter.stored += tree.stored - stored
        return home

    def _show(self, domain: "_BackwardDomain") -> None:
        """Report the best position of the remaining searches."""
        best = min((tree.best for tree in self.trees if tree.best is not None), key=_standing, default=None)
        if best is not None:
            self._best = best
            self._meter.nearest = best.boxes
            self._meter.features = domain.figures(best)

    def imagined(self, number: int) -> Bitboard | None:
        """Return the boxes of the best position for 0, of one drawn by ``number`` for others; None if none was met."""
        if self._domain is None or self._best is None or not self._domain.boards:
            return None
        if number == 0:
            return self._best.boxes
        return self._domain.boards[mixed(number) % len(self._domain.boards)]

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state from the goals to a met position."""
        if self._domain is None:
            raise KeyError(key)
        last = self._domain.child(self.met[key], key)
        return boxes_on_line(self._tables, last, pulls=True)

    def _make_domain(self) -> Generator[Progress, None, "_BackwardDomain"]:
        cleared = yield from search_clearing(self._positions, _CLEARING_EFFORT)
        plan = yield from make_return_plan(self._tables, cleared, self._positions.start_boxes, self._meter)
        return _BackwardDomain(self._positions, plan, self.met)


class _PullableBox(NamedTuple):
    """A box next to the player's region, with the number of other regions once lifted, and its macro moves."""

    box: Square
    beyond: int
    landings: list[Landing]


class _BackwardDomain:
    """Domain of the backward search; scores are those of Features without hotspots, which matter only forwards."""

    cell_size = 3

    def __init__(self, positions: Positions, plan: PackingPlan, met: dict[int, Node]) -> None:
        tables = self._tables = positions.tables
        self._positions = positions
        self._plan = plan
        self._boxes = positions.start_boxes
        self._player = lowest(positions.start_region)
        self._met = met
        self._meter = positions.meter
        self._allowed = tables.live & bitboard_of(i for i, pushes in enumerate(plan.distances) if pushes < FAR)
        self._features = Features(tables, plan, spreads=True)
        self._advisors = Advisors(positions, PlanPaths(positions, plan), clears=False)
        self._entered: set[int] = set()
        # The boxes of the positions entered, except the roots.
        self.boards: list[Bitboard] = []

    def roots(self) -> Iterator[Move]:
        """Yield the positions with all goals filled, one for each region of the player."""
        tables = self._tables
        parts = regions(tables.floor & ~tables.goals, tables.stride)
        for region in parts:
            self._entered.add(self._positions.key(tables.goals, lowest(region)))
            yield Move(0, self._features.score(tables.goals, len(parts)), tables.goals, 0, 0, 0, lowest(region))

    def figures(self, node: Node) -> tuple[Feature, ...]:
        """Return the features of a position, for display."""
        home, regions_, out_of_plan, _ = shown(node.score, self._plan.steps, rooms=False)
        return home._replace(name="home"), regions_, out_of_plan, Feature("box moves", node.depth)

    def standing(self, node: Node) -> Score:
        return node.score

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._tables.region(boxes, player)

    def progress(self) -> Progress:
        return self._meter.progress()

    def is_goal(self, move: Move) -> bool:
        return move.boxes == self._boxes and move.player == self._player

    def enter(self, move: Move) -> Bitboard:
        key = self._positions.key(move.boxes, move.player)
        if key in self._entered:
            return 0
        self._entered.add(key)
        self.boards.append(move.boxes)
        return self.region(move.boxes, move.player)

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, entered, bits = self._meter, self._entered, self._positions.bits
        meter.nodes += 1
        meter.check()
        doors = Doors(self._tables, node.boxes, node.region, pulls=True)
        moves: list[Move] = []
        for box, beyond, landings in self._pullable_boxes(node):
            yield meter.progress()
            others = node.boxes ^ 1 << box
            score = self._features.lifting(others, node.score[DISTANCE], box)
            for square, after, pieces in landings:
                there = others | 1 << square
                player = lowest(after)
                if there == self._boxes and player == self._player:
                    return [Move(0, score(square, beyond + pieces, 0), there, 0, box, square, player)]
                key = there << bits | player
                if key not in entered:
                    self._met.setdefault(key, node)
                    opens = doors.opens(there, after, box, square)
                    moves.append(Move(1, score(square, beyond + pieces, 0), there, 0, box, square, player, opens))
        return weighed(moves, (yield from self._advisors.advise(node, moves)))

    def child(self, node: Node, key: int) -> Node:
        """Return the child of a node that has the position of a key."""
        for box, _, landings in self._pullable_boxes(node):
            for square, after, _ in landings:
                there = node.boxes ^ 1 << box | 1 << square
                player = lowest(after)
                if self._positions.key(there, player) == key:
                    return Node(node, Move(1, (), there, 0, box, square, player), after)
        raise KeyError(key)

    def _pullable_boxes(self, node: Node) -> Iterator[_PullableBox]:
        """Yield each box next to the player's region, with its macro moves."""
        tables, boxes, region = self._tables, node.boxes, node.region
        free = tables.floor & ~boxes
        closed = regions(free & ~region, tables.stride)
        pieces_around: Pieces = {}
        for box in touching(boxes, region, tables.stride):
            area, beyond = lifted(region, closed, box, tables.stride)
            allowed = (free | 1 << box) & self._allowed
            landings = macro_moves(area, region, box, allowed, tables.stride, pieces_around, pulls=True)
            yield _PullableBox(box, beyond, landings)
