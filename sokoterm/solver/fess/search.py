"""The strategy ``fess``: forward searches by a packing plan, taking turns with a backward search that may meet them."""

from collections.abc import Generator

from sokoterm.engine.bits import Bitboard, flood, lowest
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.perimeter import Perimeter, Side
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.fess.aim import Aim, RunningSearch
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.line import boxes_by_move
from sokoterm.solver.fess.positions import Positions, make_positions
from sokoterm.solver.fess.tree import ExhaustedError, Node
from sokoterm.solver.fess.variants import KEPT, Variant, turns
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Found, Limits, Progress, Search


def search(board: Board, start: State, limits: Limits, perimeter: Perimeter | None = None) -> Search:
    """Search for a solution of at least one push, not the shortest, or prove that there is none.

    ``perimeter``: positions shared with searches from the goals.
    """
    meter = Meter("fess", board, limits, bytes_per_state=1_400)
    try:
        return (yield from _search(board, start, meter, (perimeter or Perimeter()).from_goals))
    except (LimitReached, MemoryError) as end:
        return meter.stopped(end)


def _search(board: Board, start: State, meter: Meter, solvable: Side) -> Search:
    yield meter.progress()
    region = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    positions = yield from make_positions(board, start.boxes, region, meter)
    if positions is None:
        return meter.unsolvable()
    way_home = BackwardSearch(positions, start.boxes, region, meter)
    searches = Searches(positions, start.boxes, region, meter, solvable, way_home)
    with solvable.registered(way_home.met, way_home.trail):
        try:
            boxes = yield from searches.run()
        except ExhaustedError:
            return meter.unsolvable()
    answer = solution(board, start, boxes)
    meter.best = answer.pushes
    yield Found(answer)
    return meter.solved()


class Searches:
    """The searches of all variants and the backward search, in turns; ``kept`` are those that continue."""

    def __init__(
        self,
        positions: Positions,
        boxes: Bitboard,
        region: Bitboard,
        meter: Meter,
        solvable: Side,
        way_home: BackwardSearch,
    ) -> None:
        self._positions = positions
        self._boxes = boxes
        self._region = region
        self._meter = meter
        self._solvable = solvable
        self._way_home = way_home
        self._goals = Aim(positions, boxes, region, meter, solvable, is_imagined=False)
        self.kept: dict[Variant, RunningSearch] = {}
        # Boards that have served as targets.
        self._imagined = {positions.tables.goals}

    def run(self) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state from the start to the goals; raise ExhaustedError if there is no solution."""
        for variant, expansions in turns():
            if variant is None:
                boxes = yield from self._way_home.turn(expansions)
            elif variant.imagined is None:
                boxes = yield from self._turn(variant, expansions)
            else:
                boxes = yield from self._imagined_turn(variant, variant.imagined, expansions)
            if boxes is not None:
                return boxes
        raise AssertionError("a search without end came to its end")

    def _turn(self, variant: Variant, expansions: int) -> Generator[Progress, None, list[Bitboard] | None]:
        """Return the boxes of every state, if the goals are reached within a number of expansions.

        Variants in KEPT are kept for another turn; others free what they stored.
        """
        started = self.kept.get(variant)
        if started is None:
            started = yield from self._goals.begin(variant)
            if started is None:
                return None
            if variant in KEPT:
                self.kept[variant] = started
                self._meter.watch(started.forward.entered)
        end = yield from self._goals.go_on(started, expansions)
        if variant not in KEPT:
            self._meter.stored -= started.tree.stored
        return None if end is None else (yield from self._solved(end))

    def _imagined_turn(
        self, variant: Variant, number: int, expansions: int
    ) -> Generator[Progress, None, list[Bitboard] | None]:
        """Do the same by way of a new imagined board, which may turn out to be unreachable."""
        imagined = self._way_home.imagined(number)
        if imagined is None or imagined in self._imagined:
            return None
        self._imagined.add(imagined)
        board = self._positions.tables.board._replace(goals=imagined)
        positions = yield from make_positions(board, self._boxes, self._region, self._meter)
        if positions is None:
            return None
        aim = Aim(positions, self._boxes, self._region, self._meter, self._solvable, is_imagined=True)
        stored = self._meter.stored
        end = None
        try:
            started = yield from aim.begin(variant)
            if started is not None:
                end = yield from aim.go_on(started, expansions)
        except ExhaustedError:
            pass
        self._meter.stored = stored
        return None if end is None else (yield from self._solved(end))

    def _solved(self, end: Node) -> Generator[Progress, None, list[Bitboard]]:
        """Return the boxes of every state on the line to an end node, and on to the goals if it is a met position."""
        tables = self._positions.tables
        boxes: list[Bitboard] = []
        for move in boxes_by_move(tables, end, pulls=False):
            boxes += move
            yield self._meter.report()
        if end.boxes != tables.goals:
            boxes += self._solvable.trail(self._positions.key(end.boxes, lowest(end.region)))[::-1]
        return boxes
