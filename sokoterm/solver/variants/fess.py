"""FESS for boards with coloured boxes: features of positions, and a packing plan that says which box goes where.

The search is that of ``fess.tree``; macro moves and plans are those of ordinary boards, with *layered squares* (see
``layers``) for squares, so a step of the plan is a square together with a colour.  There is one forward search;
boards with ice have none, since a box that slides does not stand still between its pushes.

In this module the boxes of a position are one bit each, at their layered squares.
"""

from collections.abc import Generator, Iterator, Sequence
from functools import reduce
from itertools import count, pairwise
from operator import or_
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Bitboard, Square, bitboard_of, flood, lowest, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.variant_detector import VariantDetector
from sokoterm.engine.slides import live_slides
from sokoterm.solver.common.board_tables import is_too_large
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.common.perimeter import Perimeter, Side
from sokoterm.solver.common.state_space import Packing, solution
from sokoterm.solver.fess.macro import Landing, Pieces, lifted, macro_moves, macro_path, touching
from sokoterm.solver.fess.plan import PackingPlan, plan_masks
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Score, search_farthest, weighed
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Feature, Found, Limits, Progress, Reason, Search
from sokoterm.solver.variants.layers import LayeredSquare, Layers

# Effort of a search for a plan, and the most such searches.
_PLAN_EFFORT = 300
_MOST_SHUFFLES = 4

# Positions that the search by one plan expands before the next one has its turn.
_TURN = 500


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``board`` has no ice.  ``perimeter``: positions shared with searches from the goals.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    try:
        yield meter.progress()
        if is_too_large(board):
            raise LimitReached(Reason.MEMORY)
        return (yield from _search(board, start, meter, (perimeter or Perimeter()).from_goals))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter, solvable: Side) -> Search:
    tables = ColorTables(board)
    if any(box not in tables.to_goal for box in tables.layers.squares_of(start.boxes)):
        return meter.unsolvable()
    end = next(tables.layers.ends(start.boxes), None)
    if end is None:
        return meter.unsolvable()
    try:
        boxes = yield from _Searches(tables, start, end, meter, solvable).run()
    except ExhaustedError:
        return meter.unsolvable()
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


class _Searches:
    """Searches by several plans in turns: the first plan has every second turn, the others are each a new one."""

    def __init__(self, tables: "ColorTables", start: State, end: Bitboard, meter: Meter, solvable: Side) -> None:
        """``end``: the boxes of a State with all of them home."""
        self._tables = tables
        self._start = start
        self._end = end
        self._meter = meter
        self._solvable = solvable
        self._detector = VariantDetector(tables.board)

    def run(self) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state up to a solution; raise ExhaustedError if there is none."""
        first = yield from self._begin(0)
        kept = 0
        for number in count(1):
            boxes = yield from self._go_on(first, kept)
            if boxes is not None:
                return boxes
            kept = first.tree.stored
            other = yield from self._begin(number)
            boxes = yield from self._go_on(other, kept)
            if boxes is not None:
                return boxes
        raise AssertionError("a count without end")

    def _begin(self, number: int) -> Generator[Progress, None, "_Running"]:
        """Make a plan, in another shuffle where the search for it finds no complete one, and expand the start."""
        for shuffle in range(number * _MOST_SHUFFLES, (number + 1) * _MOST_SHUFFLES):
            domain = _Unpacking(self._tables, self._start, self._end, self._meter, shuffle)
            found = yield from search_farthest(domain, _PLAN_EFFORT)
            if found.boxes == found.bases:
                break
        masks = plan_masks(found, whole=found.boxes == found.bases)
        plan = PackingPlan(masks, [0] * len(masks), ())
        forward = _Forward(self._tables, self._start, plan, self._meter, self._solvable, self._detector)
        tree = FeatureSearch(forward)
        yield from tree.add_root(forward.root())
        return _Running(forward, tree)

    def _go_on(self, running: "_Running", kept: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Take a turn of a search; return the boxes of every state if it ends.  ``kept``: moves stored by the other."""
        forward, tree = running
        meter, best = self._meter, None
        last = tree.expanded + _TURN
        while tree.expanded < last:
            end = yield from tree.step()
            meter.stored = kept + tree.stored
            if end is not None:
                return (yield from forward.solved(end))
            if tree.best is not None and tree.best is not best:
                best = tree.best
                meter.nearest = self._tables.state_boxes(best.boxes)
                meter.features = forward.figures(best)
        return None


class ColorTables:
    """Facts about a board with coloured boxes.

    ``to_goal``: for each layered square from which a box reaches a goal that takes it, the least pushes.  ``live``: for
    each layer, the squares of ``to_goal``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.floor, self.stride = board.floor, board.stride
        self.layers = layers = Layers(board)
        self.slides = live_slides(board)
        self.goals = sum(goals << layer * layers.size for layer, goals in enumerate(layers.goals))
        self.to_goal: dict[LayeredSquare, int] = {}
        self.live: list[Bitboard] = []
        for layer, goals in enumerate(layers.goals):
            reached = 0
            pushes, new = 0, goals
            while new:
                for square in scan(new):
                    self.to_goal[layer * layers.size + square] = pushes
                reached |= new
                before = reduce(or_, (self.slides.pulled(new, direction) for direction in DIRECTIONS))
                pushes, new = pushes + 1, before & ~reached
            self.live.append(reached)

    def apart(self, boxes: Bitboard) -> Bitboard:
        """Return the boxes of a State as one bit each."""
        return bitboard_of(self.layers.squares_of(boxes))

    def plain(self, boxes: Bitboard) -> Bitboard:
        """Return the squares where boxes stand."""
        size, squares = self.layers.size, self.layers.squares
        return reduce(or_, (boxes >> layer * size & squares for layer in range(len(self.layers.goals))), 0)

    def state_boxes(self, boxes: Bitboard) -> Bitboard:
        """Return the boxes as those of a State."""
        return self.plain(boxes) | boxes

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return flood(1 << player, self.floor & ~self.plain(boxes), self.stride)

    def landings(
        self, boxes: Bitboard, region: Bitboard, allowed: Sequence[Bitboard], *, pulls: bool
    ) -> Iterator[tuple[LayeredSquare, int, int, list[Landing]]]:
        """Yield each box next to the player's region, its layer times the size, the other regions, and macro moves."""
        layers, stride = self.layers, self.stride
        plain = self.plain(boxes)
        free = self.floor & ~plain
        closed = regions(free & ~region, stride)
        pieces_around: Pieces = {}
        for box in touching(plain, region, stride):
            layer = next(layer for layer in range(len(layers.goals)) if boxes >> layer * layers.size + box & 1)
            area, others = lifted(region, closed, box, stride)
            may = (free | 1 << box) & allowed[layer]
            found = macro_moves(area, region, box, may, stride, pieces_around, pulls=pulls)
            yield layer * layers.size + box, layer * layers.size, others, found


class _Unpacking:
    """Domain of the packing search: pulls boxes off the goals until they leave at starting squares of their colour.

    A score is boxes left, boxes on goals, regions.
    """

    cell_size = 3

    def __init__(self, tables: ColorTables, start: State, end: Bitboard, meter: Meter, shuffle: int) -> None:
        self._tables = tables
        self._end = tables.apart(end)
        self._bases = tables.apart(start.boxes)
        self._meter = meter
        self._shuffle = shuffle
        self._entered: set[tuple[Bitboard, Bitboard, Square]] = set()
        size, squares = tables.layers.size, tables.layers.squares
        self._allowed = [
            reduce(or_, tables.slides.layers_from(self._bases >> layer * size & squares), 0)
            for layer in range(len(tables.layers.goals))
        ]

    def prepare(self) -> Generator[Progress, None, None]:
        yield self._meter.progress()

    def roots(self) -> Iterator[Move]:
        """Yield the positions with all boxes home, one for each region of the player."""
        tables = self._tables
        boxes = self._end
        total = boxes.bit_count()
        parts = regions(tables.floor & ~tables.board.goals, tables.stride)
        for region in parts:
            yield Move(0, (total, total, len(parts)), boxes, self._bases, 0, 0, lowest(region))

    def enter(self, move: Move) -> Bitboard:
        key = move.boxes, move.bases, move.player
        if key in self._entered:
            return 0
        self._entered.add(key)
        return self.region(move.boxes, move.player)

    def progress(self) -> Progress:
        return self._meter.progress()

    def standing(self, node: Node) -> Score:
        return node.score

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._tables.region(boxes, player)

    def is_goal(self, move: Move) -> bool:
        return move.boxes == move.bases

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, tables = self._meter, self._tables
        meter.nodes += 1
        meter.check()
        left, on_goals, _ = node.score
        leaving: list[Move] = []
        pulled: list[Move] = []
        for box, base, others, landings in tables.landings(node.boxes, node.region, self._allowed, pulls=True):
            yield meter.progress()
            rest = node.boxes ^ 1 << box
            was_home = tables.goals >> box & 1
            for square, after, pieces in landings:
                to = base + square
                if node.bases >> to & 1:
                    area = flood(after, tables.floor & ~tables.plain(rest), tables.stride)
                    score = left - 1, on_goals - was_home, others + 1
                    move = Move(0, score, rest, node.bases ^ 1 << to, box, to, lowest(area))
                    if (move.boxes, move.bases, move.player) not in self._entered:
                        leaving.append(move)
                    break
                score = left, on_goals - was_home + (tables.goals >> to & 1), others + pieces
                pulled.append(Move(1, score, rest | 1 << to, node.bases, box, to, lowest(after)))
        if leaving:
            return self._in_order(leaving)
        return weighed(pulled, {min(range(len(pulled)), key=lambda i: pulled[i].score)} if pulled else ())

    def _in_order(self, moves: list[Move]) -> list[Move]:
        """Sort moves by the regions after them, then as the shuffle has it."""
        return sorted(moves, key=lambda move: (move.score[2], mixed(self._shuffle << 32 | move.origin)))


class _Forward:
    """Domain of the forward search; a score is steps packed (negative), regions, boxes off goals, pushes to goals."""

    cell_size = 3

    def __init__(
        self,
        tables: ColorTables,
        start: State,
        plan: PackingPlan,
        meter: Meter,
        solvable: Side,
        detector: VariantDetector,
    ) -> None:
        self._tables = tables
        self._start = start
        self._plan = plan
        self._meter = meter
        self._solvable = solvable
        self._detector = detector
        self._keys = Packing(tables.board)
        self._entered: set[int] = set()

    def root(self) -> Move:
        """Return the root position: the start."""
        tables = self._tables
        boxes = tables.apart(self._start.boxes)
        region = tables.region(boxes, self._start.player)
        parts = len(regions(tables.floor & ~tables.plain(boxes), tables.stride))
        self._entered.add(self._key(boxes, lowest(region)))
        return Move(0, self._score(boxes, parts), boxes, 0, 0, 0, lowest(region))

    def _score(self, boxes: Bitboard, parts: int) -> Score:
        tables = self._tables
        pushes = sum(tables.to_goal.get(box, 0) for box in scan(boxes))
        return -self._plan.step(boxes), parts, (boxes & ~tables.goals).bit_count(), pushes

    def _key(self, boxes: Bitboard, player: Square) -> int:
        return self._tables.state_boxes(boxes) << self._keys.bits | player

    def figures(self, node: Node) -> tuple[Feature, ...]:
        """Return the features of a position, for display."""
        packed, parts, away, _ = node.score
        count = node.boxes.bit_count()
        return (
            Feature("packed", -packed, self._plan.steps),
            Feature("regions", parts),
            Feature("home", count - away, count),
        )

    def progress(self) -> Progress:
        return self._meter.progress()

    def standing(self, node: Node) -> Score:
        return node.score

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._tables.region(boxes, player)

    def is_goal(self, move: Move) -> bool:
        return not move.boxes & ~self._tables.goals or self._key(move.boxes, move.player) in self._solvable

    def enter(self, move: Move) -> Bitboard:
        key = self._key(move.boxes, move.player)
        if key in self._entered:
            return 0
        self._entered.add(key)
        region = self.region(move.boxes, move.player)
        return 0 if self._detector.is_dead(self._tables.state_boxes(move.boxes), region) else region

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        meter, tables = self._meter, self._tables
        meter.nodes += 1
        meter.check()
        moves: list[Move] = []
        for box, base, others, landings in tables.landings(node.boxes, node.region, tables.live, pulls=False):
            yield meter.progress()
            rest = node.boxes ^ 1 << box
            step, steps = self._plan.step_by_one_more(rest)
            away = (rest & ~tables.goals).bit_count()
            pushes = node.score[3] - tables.to_goal[box]
            for square, after, pieces in landings:
                to = base + square
                there, player = rest | 1 << to, lowest(after)
                is_home = tables.goals >> to & 1
                score = -steps.get(to, step), others + pieces, away + 1 - is_home, pushes + tables.to_goal[to]
                move = Move(1, score, there, 0, box, to, player)
                if self.is_goal(move):
                    return [move._replace(weight=0)]
                if self._key(there, player) not in self._entered:
                    moves.append(move)
        return weighed(moves, set(self._advised(moves, node.score)))

    def _advised(self, moves: Sequence[Move], score: Score) -> Iterator[int]:
        """Yield the best move that packs more, that joins regions, and that brings a box home."""
        for feature in range(3):
            better = [i for i, move in enumerate(moves) if move.score[feature] < score[feature]]
            if better:
                yield min(better, key=lambda i: moves[i].score)

    def solved(self, end: Node) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state on the line to an end node, and on to the goals if it is a met position."""
        tables = self._tables
        size = tables.layers.size
        boxes = [tables.state_boxes(end.line()[0].boxes)]
        for before, after in pairwise(end.line()):
            yield self._meter.report()
            layer, origin = divmod(after.move.origin, size)
            around = tables.floor & ~tables.plain(before.boxes) | 1 << origin
            area = flood(1 << origin, around, tables.stride)
            last = after.move.square - layer * size, after.region
            path = macro_path(tables.board, area, before.region, origin, last, around & tables.live[layer], pulls=False)
            rest = before.boxes ^ 1 << after.move.origin
            boxes += [tables.state_boxes(rest | 1 << layer * size + square) for square in path[1:]]
        if end.boxes & ~tables.goals:
            boxes += self._solvable.trail(self._key(end.boxes, lowest(end.region)))[::-1]
        return boxes


class _Running(NamedTuple):
    """A search that has begun."""

    forward: _Forward
    tree: FeatureSearch
