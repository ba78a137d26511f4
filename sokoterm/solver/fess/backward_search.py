"""Backward search from all goals filled: pulls boxes to their starting squares by the plan of a *clearing*.

It helps even before it reaches the start: a forward search that reaches any position met here has a solution.

The clearing is the line of a forward search in which a box that reaches a goal leaves the board.  Since nothing needs
to be packed, this is mostly easy even in hard levels; its main features are the boxes left, and those in the way of the
next one to leave.  Read backwards, the line is a plan for the backward search: the order in which boxes return to their
starting squares, and where some of them wait for others.
"""

from collections.abc import Generator, Iterator, Sequence
from operator import attrgetter

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.fess.features import DISTANCE, Advisors, Features, PlanPaths, best, improving, off_the_path, shown
from sokoterm.solver.fess.macro import MANY_LANDINGS, Landing, boxes_on_line, door_test, lifted, lifts, touching
from sokoterm.solver.fess.plan import PackingPlan, make_return_plan
from sokoterm.solver.fess.positions import BoxPath, Positions, Push
from sokoterm.solver.fess.tree import (
    ExhaustedError,
    FeatureSearch,
    Move,
    Node,
    Problem,
    Score,
    search_farthest,
    weighed,
)
from sokoterm.solver.search import Feature, Progress

# Indices of the features in a score.  Boxes in the way come last: finding them for every move is too expensive.
_LEFT, _REGIONS, _HOTSPOTS, _DISTANCE, _IN_THE_WAY = range(5)

# Features that make a cell, most significant first: for one search, and for a second if the first leaves boxes.
_CELLS = ((_LEFT, _IN_THE_WAY, _REGIONS), (_LEFT, _REGIONS, _IN_THE_WAY, _HOTSPOTS))

# Moves between two yields.
_MANY_MOVES = 1_024


def search_clearing(positions: Positions, effort: int) -> Generator[Progress, None, Node]:
    """Return the node with the fewest boxes left, ideally none; spends up to twice the ``effort``."""
    found = []
    for features in _CELLS:
        found.append((yield from search_farthest(_Clearing(positions, features), effort)))
        if not found[-1].boxes:
            break
    return min(found, key=lambda node: node.boxes.bit_count())


class _Clearing(Problem):
    """Clearing search; scores are boxes left (also in ``bases``), regions, hotspots, negated distance to goals."""

    def __init__(self, positions: Positions, features: tuple[int, ...]) -> None:
        """``features``: those that make a cell."""
        super().__init__(positions.tables, positions.meter)
        self._positions = positions
        self._cell = features
        self.cell_size = len(features)

    def roots(self) -> Generator[Progress, None, list[Move]]:
        tables, boxes = self.tables, self._positions.start_boxes
        hotspots = yield from self._positions.hotspots(boxes)
        score = self._score(boxes, len(regions(tables.free(boxes), tables.stride)), hotspots)
        return [Move(0, score, boxes, boxes.bit_count(), 0, 0, lowest(self._positions.start_region))]

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._positions.region_unless_dead(boxes, player)

    def is_goal(self, move: Move) -> bool:
        return not move.boxes

    def standing(self, node: Node) -> Score:
        path = self._path(node)
        figures = *node.score, (node.boxes if path is None else path.blockers).bit_count()
        return *(figures[feature] for feature in self._cell), *node.score[_HOTSPOTS:]

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        """Return the moves of a node; if boxes can leave without freezing others off the goals, only those moves."""
        pushes = list((yield from self._positions.pushes(node.boxes, node.region, prunes=False)))
        goals = self.tables.goals
        can_leave = node.boxes & goals | bitboard_of(box for box, square, *_ in pushes if goals >> square & 1)
        leaving = list(touching(can_leave, node.region, self.tables.stride))
        if leaving:
            gone = [move for move in self._gone(node, leaving) if self.key(move) not in self.entered]
            return weighed(gone, {best(list(enumerate(gone)))})
        moves: list[Move] = []
        for number, move in enumerate(self._moved(node, pushes), start=1):
            if number % _MANY_MOVES == 0:
                yield self.meter.progress()
            if self.key(move) not in self.entered:
                moves.append(move)
        return weighed(moves, (yield from self._advised(node, moves)))

    def _gone(self, node: Node, leaving: Sequence[Square]) -> Iterator[Move]:
        tables, boxes = self.tables, node.boxes
        closed = regions(tables.free(boxes) & ~node.region, tables.stride)
        for box in leaving:
            others = boxes ^ 1 << box
            area, beyond = lifted(node.region, closed, box, tables.stride)
            score = self._score(others, beyond + 1, tables.hotspots.count(others))
            yield Move(1, score, others, node.bases - 1, box, box, lowest(area))

    def _moved(self, node: Node, pushes: Sequence[Push]) -> Iterator[Move]:
        to_goal = self.tables.to_goal
        left, distance = node.score[_LEFT], node.score[_DISTANCE]
        for box, square, player, parts, hotspots, opens in pushes:
            there = node.boxes ^ 1 << box | 1 << square
            score = left, parts, hotspots, distance + to_goal[box] - to_goal[square]
            yield Move(1, score, there, node.bases, box, square, player, bool(opens))

    def _score(self, boxes: Bitboard, parts: int, hotspots: int) -> Score:
        to_goal = self.tables.to_goal
        return boxes.bit_count(), parts, hotspots, -sum(to_goal[box] for box in scan(boxes))

    def _path(self, node: Node) -> BoxPath | None:
        boxes = node.boxes
        return self._positions.find_path(boxes, node.region, 0, boxes, self.tables.goals & ~boxes)

    def _advised(self, node: Node, moves: list[Move]) -> Generator[Progress, None, set[int | None]]:
        """Return the best move for each aim: joining regions, removing hotspots, opening a door, clearing a path."""
        choices = list(enumerate(moves))
        steady = [(i, move) for i, move in choices if move.score[_REGIONS] <= node.score[_REGIONS]]
        joining = improving(_REGIONS, node.score, steady)
        cooling = improving(_HOTSPOTS, node.score, steady)
        path = self._path(node)
        opening = [] if path is None else off_the_path(path, steady, choices)
        yield self.meter.progress()
        ways_in = [(i, move) for i, move in choices if move.opens]
        return {best(each) for each in (joining, cooling, ways_in, opening)}


# Effort of the searches for a clearing; most succeed with a tenth of it.
_CLEARING_EFFORT = 600

_standing = attrgetter("standing")


class BackwardSearch:
    """Backward search in turns; ``met`` maps the key of each position to the node that generated it.

    With all goals filled, the player may be in any of several regions.  Positions met from one of them mostly cannot be
    met from another, and which are useful is seldom known, so each region gets its own search, and all proceed at the
    same pace.  ``trees``: searches not yet exhausted.
    """

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._meter = positions.meter
        self._problem: _Backward | None = None
        self.trees: list[FeatureSearch] = []
        self._best: Node | None = None
        self.met: dict[int, Node] = {}
        self._meter.watch(self.met)

    @property
    def stored(self) -> int:
        return sum(tree.stored for tree in self.trees)

    def turn(self, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Expand up to ``expansions`` positions; return the boxes from the start to the goals if the start is reached.

        Raises ExhaustedError if there is no solution.
        """
        if self._problem is None:
            positions = self._positions
            cleared = yield from search_clearing(positions, _CLEARING_EFFORT)
            plan = yield from make_return_plan(positions.tables, cleared, positions.start_boxes, self._meter)
            self._problem = _Backward(positions, plan, self.met)
            for root in (yield from self._problem.roots()):
                tree = FeatureSearch(self._problem)
                yield from tree.add_root(root)
                self.trees.append(tree)
            self._meter.stored += self.stored
        left = expansions
        while left > 0:
            for tree in tuple(self.trees):
                left -= 1
                home = yield from self._step(tree)
                if home is not None:
                    return boxes_on_line(self._positions.tables, home, pulls=True)[::-1]
            if not self.trees:
                raise ExhaustedError
            best = min((tree.best for tree in self.trees if tree.best is not None), key=_standing, default=None)
            if best is not None:
                self._best = best
                self._meter.features = self._problem.figures(best)
        return None

    def _step(self, tree: FeatureSearch) -> Generator[Progress, None, Node | None]:
        """Make one step of a search, or drop it if it is exhausted; return the start node if it is reached."""
        stored = tree.stored
        home = None
        try:
            home = yield from tree.step()
        except ExhaustedError:
            self.trees.remove(tree)
        self._meter.stored += tree.stored - stored
        return home

    def imagined(self, number: int) -> Bitboard | None:
        """Return the boxes of the best position for 0, of a random one for other numbers; None before any is met."""
        if self._problem is None or self._best is None or not self._problem.boards:
            return None
        if number == 0:
            return self._best.boxes
        return self._problem.boards[mixed(number) % len(self._problem.boards)]

    def trail(self, key: int) -> list[Bitboard]:
        """Return the boxes of every state from the goals to a met position."""
        if self._problem is None:
            raise KeyError(key)
        last = self._problem.child(self.met[key], key)
        return boxes_on_line(self._positions.tables, last, pulls=True)


class _Backward(Problem):
    """Backward search; scores as in Features without hotspots.  ``boards``: boxes entered, except at the roots."""

    def __init__(self, positions: Positions, plan: PackingPlan, met: dict[int, Node]) -> None:
        tables = positions.tables
        super().__init__(tables, positions.meter)
        self._positions = positions
        self._plan = plan
        self._start = positions.key(positions.start_boxes, lowest(positions.start_region))
        self._met = met
        self._allowed = tables.live & bitboard_of(i for i, pushes in enumerate(plan.distances) if pushes < FAR)
        self._features = Features(plan, spreads=True)
        self._advisors = Advisors(positions, PlanPaths(positions, plan), clears=False)
        self.boards: list[Bitboard] = []

    def roots(self) -> Generator[Progress, None, list[Move]]:
        """Return the positions with all goals filled, one for each region of the player."""
        yield self.meter.progress()
        goals = self.tables.goals
        parts = regions(self.tables.free(goals), self.tables.stride)
        score = self._features.score(goals, len(parts))
        roots = [Move(0, score, goals, 0, 0, 0, lowest(region)) for region in parts]
        self.entered.update(map(self.key, roots))
        return roots

    def figures(self, node: Node) -> tuple[Feature, ...]:
        home, regions_, out_of_plan, _ = shown(node.score, self._plan.steps)
        return home._replace(name="home"), regions_, out_of_plan, Feature("box moves", node.depth)

    def is_goal(self, move: Move) -> bool:
        return self.key(move) == self._start

    def key(self, move: Move) -> int:
        return self._positions.key(move.boxes, move.player)

    def region_unless_dead(self, boxes: Bitboard, player: Square) -> Bitboard:
        self.boards.append(boxes)
        return self.region(boxes, player)

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, entered, bits = self.meter, self.entered, self._positions.bits
        meter.nodes += 1
        meter.check()
        opens_door = door_test(self.tables, node.boxes, node.region, pulls=True)
        moves: list[Move] = []
        since_yield = 0
        for box, _, beyond, landings in self._lifts(node):
            since_yield += len(landings)
            if since_yield >= MANY_LANDINGS:
                since_yield = 0
                yield meter.progress()
            others = node.boxes ^ 1 << box
            score = self._features.lifting(others, node.score[DISTANCE], box)
            for square, after, pieces in landings:
                there = others | 1 << square
                player = lowest(after)
                key = there << bits | player
                if key == self._start:
                    return [Move(0, score(square, beyond + pieces, 0), there, 0, box, square, player)]
                if key not in entered:
                    self._met.setdefault(key, node)
                    opens = opens_door(there, after, box, square)
                    # Equivalent to calling Move, in half the time.
                    move = 1, score(square, beyond + pieces, 0), there, 0, box, square, player, opens
                    moves.append(tuple.__new__(Move, move))
        return weighed(moves, (yield from self._advisors.advise(node, moves)))

    def child(self, node: Node, key: int) -> Node:
        for box, _, _, landings in self._lifts(node):
            for square, after, _ in landings:
                there = node.boxes ^ 1 << box | 1 << square
                player = lowest(after)
                if self._positions.key(there, player) == key:
                    return Node(node, Move(1, (), there, 0, box, square, player), after)
        raise KeyError(key)

    def _lifts(self, node: Node) -> Iterator[tuple[Square, Bitboard, int, list[Landing]]]:
        return lifts(self.tables, node.boxes, node.region, self._allowed, pulls=True)
