"""Evaluation of positions for beam search: named terms, weighed by the person who tunes the search.

Each term counts something that a good position has little of.  A weight says how many pushes one of them is worth, so
the value of a position is in pushes and least is best.  Terms with weight 0 cost nothing: the packing plan and the
tables of the board are made only if a weight asks for them.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, regions, scan
from sokoterm.engine.board import Board, State
from sokoterm.solver.common.board_tables import BoardTables, make_tables
from sokoterm.solver.domain import Successors
from sokoterm.solver.fess.packing import ExitRule, search_packing
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress

# Effort of the search for a plan, first with boxes leaving at the sink, then anywhere: as in FESS.
_PLAN_EFFORTS = {ExitRule(): 1_400, ExitRule(anywhere=True): 4_000}

_Term = Callable[[Bitboard, Bitboard], int]


class Weights(NamedTuple):
    """Weights of the terms, by name: how many pushes one of each is worth.

    ``distance``: pushes that are still needed at least.  ``home``: boxes off the goals.  ``regions``: areas of the
    floor that boxes cut off from the player.  ``enclosed``: squares in them.  ``mobility``: boxes off the goals that
    the player cannot push at once.  ``hotspots``: boxes that keep another box from some goal.  ``packed``: steps of the
    packing plan still to do.  ``out_of_plan``: boxes that can reach no square that the plan still has to fill.
    """

    distance: float = 1.0
    home: float = 0.0
    regions: float = 0.0
    enclosed: float = 0.0
    mobility: float = 0.0
    hotspots: float = 0.0
    packed: float = 0.0
    out_of_plan: float = 0.0

    def __str__(self) -> str:
        """The weights that are not the default, as on the command line."""
        changed = {name: weight for name, weight in self._asdict().items() if weight != Weights._field_defaults[name]}
        return ",".join(f"{name}={weight:g}" for name, weight in changed.items())


DEFAULT_WEIGHTS = Weights()


class Evaluation:
    """The value of positions of one board; made by ``make_evaluation``."""

    def __init__(self, board: Board, weights: Weights, terms: list[tuple[float, _Term]]) -> None:
        self._loose = ~board.goals
        self._tie = board.goals.bit_count() + 1
        self._distance = weights.distance
        self._home = weights.home
        self._terms = terms

    def value(self, bound: int, boxes: Bitboard, region: Bitboard) -> float:
        """Return the value of a position, least is best; of equals the one with the fewest boxes off the goals.

        ``bound``: its lower bound on pushes; ``region``: where the player can walk.
        """
        off = (boxes & self._loose).bit_count()
        value = self._distance * bound + self._home * off + off / self._tie
        for weight, term in self._terms:
            value += weight * term(boxes, region)
        return value


def make_evaluation(
    board: Board, start: State, weights: Weights, successors: Successors, meter: Meter
) -> Generator[Progress, None, Evaluation]:
    """Make the tables that the weights ask for; raise LimitReached if a board is too large for them."""
    terms: dict[str, _Term] = {
        "regions": lambda boxes, region: len(regions(board.floor & ~boxes & ~region, board.stride)),
        "enclosed": lambda boxes, region: (board.floor & ~boxes & ~region).bit_count(),
        "mobility": lambda boxes, region: (boxes & ~board.goals & ~successors.pushable(boxes, region)).bit_count(),
    }
    if weights.hotspots or weights.packed or weights.out_of_plan:
        tables = yield from make_tables(board, meter)
        if weights.hotspots:
            terms["hotspots"] = yield from _hotspots(tables, start, meter)
        if weights.packed or weights.out_of_plan:
            plan = yield from _plan(tables, start, meter)
            terms["packed"] = lambda boxes, _region: plan.steps - plan.step(boxes)
            terms["out_of_plan"] = lambda boxes, _region: (boxes & plan.zones[plan.step(boxes)]).bit_count()
    weighed = [(weight, terms[name]) for name, weight in weights._asdict().items() if weight and name in terms]
    return Evaluation(board, weights, weighed)


def _hotspots(tables: BoardTables, start: State, meter: Meter) -> Generator[Progress, None, _Term]:
    """Look at all squares where a box may stand, and return the count of hotspots."""
    hotspots = tables.hotspots
    for square in scan(hotspots.unknown & (tables.live | start.boxes)):
        yield meter.progress()
        hotspots.look_at(square)
    return lambda boxes, _region: hotspots.count(boxes)


def _plan(tables: BoardTables, start: State, meter: Meter) -> Generator[Progress, None, PackingPlan]:
    """Return a packing plan, complete if one of the searches for it finds one."""
    found = None
    for exit_rule, effort in _PLAN_EFFORTS.items():
        other = yield from search_packing(tables, start.boxes, exit_rule, meter, effort)
        if found is None or other.boxes == other.bases:
            found = other
        if found.boxes == found.bases:
            break
    if found is None:
        raise AssertionError("a plan without a search")
    return (yield from make_plan(tables, found, meter))
