"""The search backwards from all goals filled: boxes are pulled home to where they begin, in the order of a plan.

The plan is that of ``clearing``.  Even where the search does not come to the start it is of use: a search forward that
comes to any position made here has a solution.
"""

from collections.abc import Generator, Iterator
from operator import attrgetter
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions
from sokoterm.solver.common.board_tables import FAR
from sokoterm.solver.common.draws import mixed
from sokoterm.solver.fess.advisors import Advisors
from sokoterm.solver.fess.clearing import search_clearing
from sokoterm.solver.fess.doors import Doors
from sokoterm.solver.fess.features import DISTANCE, Features, shown
from sokoterm.solver.fess.line import boxes_on_line
from sokoterm.solver.fess.macro import Landing, Pieces, lifted, macro_moves, touching
from sokoterm.solver.fess.plan import PackingPlan, make_plan_home
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Score, weighed
from sokoterm.solver.fess.ways import BoxWays
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Feature, Progress

# The effort of the searches for a clearing: most that they find, they find with a tenth of that.
_CLEARING_EFFORT = 600

# What a node is judged by.
_standing = attrgetter("standing")


class BackwardSearch:
    """The search in turns; ``met`` gives for each position, by its key, the node that it comes from.

    With all goals filled the player may be in any of several regions.  A position met from one of them mostly cannot be
    met from another, and which of them are of any use is seldom known; so each has a search of its own, as long as it
    comes to something new, and all get on at the same pace.
    """

    def __init__(self, positions: Positions, boxes: Bitboard, region: Bitboard, meter: Meter) -> None:
        self._tables = positions.tables
        self._positions = positions
        self._boxes = boxes
        self._region = region
        self._meter = meter
        self._domain: _BackwardDomain | None = None
        self._trees: list[FeatureSearch] = []
        self._best: Node | None = None
        self.met: dict[int, Node] = {}
        meter.watch(self.met)

    @property
    def stored(self) -> int:
        """How many moves wait to be made."""
        return sum(tree.stored for tree in self._trees)

    def turn(self, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """The boxes of every state from the start to the goals, if they are joined within so many expansions.

        Raises ExhaustedError where there is no way.
        """
        if self._domain is None:
            self._domain = yield from self._make_domain()
            for root in self._domain.roots():
                tree = FeatureSearch(self._domain)
                yield from tree.add_root(root)
                self._trees.append(tree)
            self._meter.stored += self.stored
        left = expansions
        while left > 0:
            for tree in tuple(self._trees):
                left -= 1
                home = yield from self._step(tree)
                if home is not None:
                    return boxes_on_line(self._tables, home, pulls=True)[::-1]
            if not self._trees:
                raise ExhaustedError
            self._show(self._domain)
        return None

    def _step(self, tree: FeatureSearch) -> Generator[Progress, None, Node | None]:
        """The start, if a step of a search comes there; one that is exhausted has no other."""
        stored = tree.stored
        home = None
        try:
            home = yield from tree.step()
        except ExhaustedError:
            self._trees.remove(tree)
        self._meter.stored += tree.stored - stored
        return home

    def _show(self, domain: "_BackwardDomain") -> None:
        """Note the best position of the searches that go on."""
        best = min((tree.best for tree in self._trees if tree.best is not None), key=_standing, default=None)
        if best is not None:
            self._best = best
            self._meter.nearest = best.boxes
            self._meter.features = domain.figures(best)

    def imagined(self, number: int) -> Bitboard | None:
        """The boxes of a position that has been met, drawn by a number, those of the best with 0; None without any."""
        if self._domain is None or self._best is None or not self._domain.boards:
            return None
        if number == 0:
            return self._best.boxes
        return self._domain.boards[mixed(number) % len(self._domain.boards)]

    def trail(self, key: int) -> list[Bitboard]:
        """The boxes of every state from the goals to a position that has been met."""
        if self._domain is None:
            raise KeyError(key)
        last = self._domain.child(self.met[key], key)
        return boxes_on_line(self._tables, last, pulls=True)

    def _make_domain(self) -> Generator[Progress, None, "_BackwardDomain"]:
        tables, boxes, region, meter = self._tables, self._boxes, self._region, self._meter
        cleared = yield from search_clearing(self._positions, boxes, region, meter, _CLEARING_EFFORT)
        plan = yield from make_plan_home(tables, cleared, boxes, meter)
        return _BackwardDomain(self._positions, plan, boxes, region, self.met, meter)


class _Lift(NamedTuple):
    """A box beside the player: what he could walk through without it, the regions beside that, where it can go."""

    box: Square
    beyond: int
    landings: list[Landing]


class _BackwardDomain:
    """The scores are those of Features; hotspots, which keep boxes from goals, are none of them."""

    cell_size = 3

    def __init__(
        self,
        positions: Positions,
        plan: PackingPlan,
        boxes: Bitboard,
        region: Bitboard,
        met: dict[int, Node],
        meter: Meter,
    ) -> None:
        tables = self._tables = positions.tables
        self._positions = positions
        self._plan = plan
        self._boxes = boxes
        self._player = lowest(region)
        self._met = met
        self._meter = meter
        self._allowed = tables.live & bitboard_of(i for i, pushes in enumerate(plan.distances) if pushes < FAR)
        self._features = Features(tables, plan, spreads=True)
        self._advisors = Advisors(tables, BoxWays(positions, plan), meter, clears=False)
        self._entered: set[int] = set()
        # The boxes of the positions entered, but for the first.
        self.boards: list[Bitboard] = []

    def roots(self) -> Iterator[Move]:
        """All goals filled, the player in any region."""
        tables = self._tables
        parts = regions(tables.floor & ~tables.goals, tables.stride)
        for region in parts:
            self._entered.add(self._positions.key(tables.goals, lowest(region)))
            yield Move(0, self._features.score(tables.goals, len(parts)), tables.goals, 0, 0, 0, lowest(region))

    def figures(self, node: Node) -> tuple[Feature, ...]:
        """What a position is judged by, for people to watch."""
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
        for box, beyond, landings in self._lifts(node):
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
        """The node to which some move of a node leads, by the key of its position."""
        for box, _, landings in self._lifts(node):
            for square, after, _ in landings:
                there = node.boxes ^ 1 << box | 1 << square
                player = lowest(after)
                if self._positions.key(there, player) == key:
                    return Node(node, Move(1, (), there, 0, box, square, player), after)
        raise KeyError(key)

    def _lifts(self, node: Node) -> Iterator[_Lift]:
        """What each box beside the player can do."""
        tables, boxes, region = self._tables, node.boxes, node.region
        free = tables.floor & ~boxes
        closed = regions(free & ~region, tables.stride)
        pieces_around: Pieces = {}
        for box in touching(boxes, region, tables.stride):
            area, beyond = lifted(region, closed, box, tables.stride)
            allowed = (free | 1 << box) & self._allowed
            landings = macro_moves(area, region, box, allowed, tables.stride, pieces_around, pulls=True)
            yield _Lift(box, beyond, landings)
