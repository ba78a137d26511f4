"""Packing plan: the order in which goals are filled, found by a search from the goals, and progress in it.

The packing search starts with all goals filled and pulls boxes off them.  The starting squares of boxes are *bases*.
The *sink* is the largest set of bases between which a lone box can be pushed both ways; a box that reaches a base of
the sink leaves the board together with that base.  While some box can leave, only such moves are made; otherwise boxes
are pulled as far off the goals as possible.  A box too close to a base counts as not unpacked and may not leave there.
The search ends when every box left is on a base left.  Read backwards, its line is the plan.

The *order* of steps is partial, since they may often be done in other orders than the plan's.  A step fills a square.
It must wait for earlier steps that it would make impossible: with its box as a wall, another box could no longer get to
its square from where the plan brings it.  Only single squares are considered, not combinations, so the order is a guide
and proves nothing.

The *assignment* gives each remaining step a different box.  Packed boxes divide the board, and boxes left on the wrong
side cannot reach the remaining goals any more.  A box can do a step if, with only the boxes packed by then on the
board, it could be pushed next to the step's square and then onto it; if no box could from anywhere, it may also cross
the square on the way.  A maximum bipartite matching counts the steps that can have boxes.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate, pairwise
from operator import and_, or_
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.matching import can_match, count_matched
from sokoterm.solver.common.board_tables import FAR, BoardTables
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.fess.macro import Landing, lifts
from sokoterm.solver.fess.tree import Move, Node, Problem, Score, search_farthest, weighed
from sokoterm.solver.search import Meter, Progress


class ExitRule(NamedTuple):
    """Rule by which boxes leave: at bases at least ``pushes`` away, in the sink or, failing that, ``anywhere``.

    ``shuffle``: seed for choosing among boxes that can leave or be pulled; 0 takes the farthest.
    """

    pushes: int = 6
    anywhere: bool = False
    shuffle: int = 0

    def noise(self, square: Square, boxes: Bitboard) -> int:
        """Return a random number for a square, depending on the shuffle and the number of boxes."""
        return mixed(self.shuffle << 32 | boxes.bit_count() << 20 | square)


def search_packing(
    tables: BoardTables, bases: Bitboard, exit_rule: ExitRule, meter: Meter, effort: int
) -> Generator[Progress, None, Node]:
    """Return the packing search's node with the fewest boxes left, ideally on bases; see ``search_farthest``."""
    return (yield from search_farthest(Unpacking(tables, bases, exit_rule, meter), effort))


# Box next to the player's region, that region and the number of others once it is lifted, and its macro moves.
_Lift = tuple[Square, Bitboard, int, list[Landing]]


class Unpacking(Problem):
    """Packing search; a score is boxes left, boxes on goals, regions, negated distance to the goals."""

    def __init__(self, tables: BoardTables, bases: Bitboard, exit_rule: ExitRule, meter: Meter) -> None:
        super().__init__(tables, meter)
        self._exit_rule = exit_rule
        self._bases = bases
        self._allowed = reduce(or_, (tables.reach.get(base, 0) for base in scan(bases)), 0)
        # By base, the pushes of a lone box to each square; by square, the bases that lead there.
        self._pushes: dict[Square, dict[Square, int]] = {}
        self._bases_of = cache(
            lambda square: bitboard_of(base for base in scan(bases) if tables.reach.get(base, 0) >> square & 1)
        )

    def roots(self) -> Generator[Progress, None, list[Move]]:
        """Return the positions with all goals filled, one for each region of the player."""
        tables = self.tables
        for base in scan(self._bases):
            yield self.meter.progress()
            self._pushes[base] = tables.pushes_from(base)
        parts = regions(tables.free(tables.goals), tables.stride)
        boxes = tables.goals.bit_count()
        score = boxes, boxes, len(parts), 0
        return [Move(0, score, tables.goals, self._bases, 0, 0, lowest(region)) for region in parts]

    def is_goal(self, move: Move) -> bool:
        """True if every box left is on a base left, where it may have started."""
        return move.boxes == move.bases

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        lifted: list[_Lift] = []
        for lift in lifts(self.tables, node.boxes, node.region, self._allowed, pulls=True):
            lifted.append(lift)
            yield self.meter.progress()
        for sink in self._sinks(node.boxes, node.bases):
            if leaving := (yield from self._leaving(node, lifted, sink)):
                return weighed(leaving, {0})
        pulled: list[Move] = []
        for box, _, others, landings in lifted:
            if self.meter.is_due():
                yield self.meter.progress()
            pulled += [
                Move(1, self._pulled(node.score, box, square, others + pieces), there, node.bases, box, square, player)
                for square, after, pieces in landings
                if ((there := node.boxes ^ 1 << box | 1 << square), node.bases, player := lowest(after))
                not in self.entered
            ]
        yield self.meter.progress()
        return weighed(pulled, set(self._advised(pulled, node.score)))

    def _leaving(self, node: Node, lifted: Sequence[_Lift], sink: Bitboard) -> Generator[Progress, None, list[Move]]:
        """Return the moves by which boxes leave at a base of the ``sink``, best first."""
        ranked: list[tuple[tuple[int, int, int], Move]] = []
        for box, area, others, landings in lifted:
            if self.meter.is_due():
                yield self.meter.progress()
            exit_base = self._exit_base(box, node.bases, bitboard_of(square for square, _, _ in landings) & sink)
            if exit_base is not None and (move := self._without(node, box, exit_base, area, others + 1)):
                on_goal = self.tables.goals >> box & 1
                ranked.append(((on_goal, *self._rank(box, node.boxes, others, exit_base)), move))
        ranked.sort(key=lambda each: each[0])
        return [move for _, move in ranked]

    def _rank(self, box: int, boxes: Bitboard, others: int, exit_base: int) -> tuple[int, int]:
        """Rank a box to leave: few regions first, then the farthest box, or a random one if shuffled."""
        if not self._exit_rule.shuffle:
            return others, -self._pushes[exit_base][box]
        noise = self._exit_rule.noise(box, boxes)
        return others + noise % 3, noise

    def _exit_base(self, box: int, bases: Bitboard, reached: Bitboard) -> int | None:
        exits = ((self._pushes[base].get(box, FAR), base) for base in scan(reached & bases))
        return max((each for each in exits if self._exit_rule.pushes <= each[0] < FAR), default=(0, None))[1]

    def _without(self, node: Node, box: Square, base: Square, area: Bitboard, count: int) -> Move | None:
        """Return the move that lets a box leave; None if entered before or the others could not all reach bases."""
        boxes, bases = node.boxes ^ 1 << box, node.bases ^ 1 << base
        player = lowest(area)
        if (boxes, bases, player) in self.entered:
            return None
        if not can_match([self._bases_of(other) & bases for other in scan(boxes)]):
            return None
        left, on_goals, _, distance = node.score
        on_goals -= self.tables.goals >> box & 1
        score = left - 1, on_goals, count, distance + self.tables.to_goal[box]
        return Move(1, score, boxes, bases, box, base, player)

    def _pulled(self, score: Score, box: Square, square: Square, count: int) -> Score:
        goals, to_goal = self.tables.goals, self.tables.to_goal
        left, on_goals, _, distance = score
        on_goals += (goals >> square & 1) - (goals >> box & 1)
        return left, on_goals, count, distance - to_goal[square] + to_goal[box]

    def _advised(self, moves: list[Move], score: Score) -> Iterator[int]:
        """Yield the best move of a box off the goals that cuts off no region, and the best that joins regions."""
        goals, count = self.tables.goals, score[2]
        off = [i for i, move in enumerate(moves) if goals >> move.origin & 1 and not goals >> move.square & 1]
        off = [i for i in off if moves[i].score[2] <= count]
        if off:
            yield min(off, key=lambda i: self._pull_rank(moves[i]))
        joining = [i for i, move in enumerate(moves) if move.score[2] < count]
        if joining:
            yield min(joining, key=lambda i: moves[i].score)

    def _pull_rank(self, move: Move) -> tuple[int, int, int]:
        """Rank a pull off a goal: few regions first, then far from the goals, or random if shuffled."""
        parts, pushes = move.score[2], self.tables.to_goal[move.square]
        if not self._exit_rule.shuffle:
            return parts, 0, -pushes
        noise = self._exit_rule.noise(move.origin, move.boxes)
        return parts + noise % 2, noise, self._exit_rule.noise(move.square, move.boxes) % 6 - pushes

    def _sinks(self, boxes: Bitboard, bases: Bitboard) -> Sequence[Bitboard]:
        """Return the sets of free bases between which a lone box can be pushed both ways, with the boxes as walls.

        The largest set comes first, and is the only one unless boxes may leave anywhere.
        """
        tables = self.tables
        lone = LoneBox(tables.board, tables.squares(boxes))
        left = tables.squares(bases) & lone.free
        sinks = []
        while left:
            first = lowest(left)
            there = bitboard_of(lone.pushes_from(first))
            both = 1 << first | there & left & lone.squares_towards(1 << first)
            sinks.append(both * tables.all_layers)
            left &= ~both
        sinks.sort(key=int.bit_count, reverse=True)
        return sinks if self._exit_rule.anywhere else sinks[:1]


# Cache size: sets of boxes with their steps.
_MOST_KNOWN = 20_000

# Set of steps of a plan, as bits in its order.
Steps = int


class PackingPlan:
    """Plan: ``masks[k]`` has the squares that hold boxes after k steps, the last mask all of them.

    Boxes may be parked for a while, so a mask need not contain earlier ones.  ``packed[k]``: squares that hold boxes
    from step k to the end.
    """

    def __init__(self, masks: Sequence[Bitboard], zones: Sequence[Bitboard], distances: Sequence[int]) -> None:
        """``zones[k]``: squares out of plan after k steps; ``distances``: pushes from each square to a target."""
        self.masks = tuple(masks)
        self.packed = _for_good(masks)
        self.zones = zones
        self.distances = distances
        self._from_the_last = list(enumerate(masks))[::-1]
        # Only boxes on squares of the plan affect its steps.
        self._squares = reduce(or_, masks)
        self._by_one_more = lru_cache(_MOST_KNOWN)(partial(_step_by_one_more, self._from_the_last))

    @property
    def steps(self) -> int:
        return len(self.masks) - 1

    def step(self, boxes: Bitboard) -> int:
        """Return the largest number of steps whose mask is filled."""
        for step, mask in self._from_the_last:
            if mask & boxes == mask:
                return step
        return 0

    def step_by_one_more(self, boxes: Bitboard) -> tuple[int, dict[Square, int]]:
        """Return ``step`` for ``boxes`` and one more: the step on most squares, and by square where it is higher."""
        return self._by_one_more(boxes & self._squares)

    def next_squares(self, boxes: Bitboard) -> Bitboard:
        step = self.step(boxes)
        return self.masks[step + 1] & ~boxes if step < self.steps else 0


def _step_by_one_more(from_the_last: Sequence[tuple[int, Bitboard]], boxes: Bitboard) -> tuple[int, dict[Square, int]]:
    more: dict[Square, int] = {}
    for step, mask in from_the_last:
        missing = mask & ~boxes
        if not missing:
            return step, more
        if not missing & missing - 1:
            more.setdefault(missing.bit_length() - 1, step)
    return 0, more


def make_plan(tables: BoardTables, found: Node, meter: Meter) -> Generator[Progress, None, PackingPlan]:
    """Make the plan of a packing search: its line, read backwards.

    If boxes are left off their bases, only goals filled for good count, in their order.
    """
    masks = _masks(found, whole=found.boxes == found.bases)
    zones = yield from _zones(masks, tables.live, tables.squares_towards, meter)
    return PackingPlan(masks, zones, tables.to_goal)


def make_return_plan(
    tables: BoardTables, found: Node, bases: Bitboard, meter: Meter
) -> Generator[Progress, None, PackingPlan]:
    """Make the plan to pull boxes to their ``bases``: the line of a clearing search, read backwards."""
    masks = _masks(found, whole=not found.boxes & ~bases)
    pushes = tables.lone.pushes_from(*scan(bases))
    distances = [FAR] * len(tables.to_goal)
    for square, count in pushes.items():
        distances[square] = count

    def leading_to(walls: Bitboard, squares: Bitboard) -> Bitboard:
        """Return where a box can be pushed from ``squares``, and so be pulled to them, despite more ``walls``."""
        return bitboard_of(LoneBox(tables.board, walls).pushes_from(*scan(squares)))

    zones = yield from _zones(masks, bitboard_of(pushes) & tables.live, leading_to, meter)
    return PackingPlan(masks, zones, distances)


def _masks(found: Node, *, whole: bool) -> list[Bitboard]:
    """Return the boxes after each step; unless the line is ``whole``, only those that stay for good, in order."""
    masks = [node.boxes for node in reversed(found.line())]
    if not whole:
        masks = [0, *_for_good(masks)]
    return list(dict.fromkeys(masks))


def _for_good(masks: Sequence[Bitboard]) -> list[Bitboard]:
    """Return for each step the squares that hold boxes from there to the end."""
    return [*accumulate(reversed(masks), and_)][::-1]


def _zones(
    masks: Sequence[Bitboard], squares: Bitboard, leading_to: Callable[[Bitboard, Bitboard], Bitboard], meter: Meter
) -> Generator[Progress, None, list[Bitboard]]:
    """Return for each step the squares *out of plan*: a box there cannot reach any square still to be filled.

    ``leading_to(walls, squares)`` returns where a lone box can reach ``squares`` from; boxes packed for good are walls.
    A zone applies from the step after the last change before it, since it should be empty by the time it is cut off.
    """
    packed = _for_good(masks)
    closed: list[Bitboard] = []
    for step, walls in enumerate(packed):
        yield meter.progress()
        later = reduce(or_, masks[step + 1 :], 0) & ~walls
        closed.append(squares & ~walls & ~leading_to(walls, later) if later else 0)
    zones: list[Bitboard] = []
    ahead = 0
    for step in range(len(masks) - 1, -1, -1):
        if step + 1 < len(masks) and closed[step] != closed[step + 1]:
            ahead = closed[step + 1]
        zones.append(ahead or closed[step])
    zones.reverse()
    return zones


class StepOrder:
    """Counter of the steps of a plan that a position has done, leaving out those that should have waited."""

    def __init__(self, done_by: Mapping[Square, Steps], waits_for: Sequence[Steps]) -> None:
        """``done_by``: steps done by a box on a square; ``waits_for``: for each step, those it must wait for."""
        # Total number of steps, including squares that hold boxes from the start.
        self.steps = len(waits_for)
        self._squares = bitboard_of(done_by)
        self._count = lru_cache(_MOST_KNOWN)(partial(_count_done, done_by, waits_for))

    def count(self, boxes: Bitboard) -> int:
        return self._count(boxes & self._squares)

    def with_one_more(self, others: Bitboard) -> Callable[[Square], int]:
        """Return a function: square -> count for ``others`` and one more box there."""
        squares, here, done = self._squares, others & self._squares, self._count
        without = done(here)

        def count(square: Square) -> int:
            return done(here | 1 << square) if squares >> square & 1 else without

        return count


def _count_done(done_by: Mapping[Square, Steps], waits_for: Sequence[Steps], boxes: Bitboard) -> int:
    left = done = 0
    for square in scan(boxes):
        left |= done_by[square]
    while left:
        step = left & -left
        left ^= step
        awaited = waits_for[step.bit_length() - 1]
        if awaited & done == awaited:
            done |= step
    return done.bit_count()


class _Step(NamedTuple):
    """Step: a box moves to a square, from where it was parked or, if ``origin`` is 0, from any base.

    ``boxes``: other boxes of the plan at that time; ``parkings``: earlier steps of the same box.
    """

    square: Square
    boxes: Bitboard
    origin: Bitboard
    parkings: Steps


def make_step_order(
    tables: BoardTables, masks: Sequence[Bitboard], bases: Bitboard, meter: Meter
) -> Generator[Progress, None, StepOrder]:
    """Build the order for a plan's masks; ``bases``: the starting squares of boxes."""
    steps = _steps_of(masks)
    done_by: dict[Square, Steps] = {}
    for number, step in enumerate(steps):
        done_by[step.square] = done_by.get(step.square, 0) | step.parkings | 1 << number
    waits_for = [0] * len(steps)
    vacated_by: dict[Square, Steps] = {}
    for number, step in enumerate(steps):
        waits_for[number] |= vacated_by.get(step.square, 0)
        vacated_by.update((square, 1 << number) for square in scan(step.origin))
        later = range(number + 1, len(steps))
        cutting_off = yield from _cutting_off(tables, step, bases, bitboard_of(steps[i].square for i in later), meter)
        for i in later:
            if cutting_off >> steps[i].square & 1 and not steps[i].parkings >> number & 1:
                waits_for[i] |= 1 << number
    return StepOrder(done_by, waits_for)


def _steps_of(masks: Sequence[Bitboard]) -> list[_Step]:
    """Return the steps from each mask to the next, preceded by those already done in the first mask."""
    steps = [_Step(square, masks[0] ^ 1 << square, 1 << square, 0) for square in scan(masks[0])]
    came_by = {step.square: 1 << number for number, step in enumerate(steps)}
    for before, after in pairwise(masks):
        left = before & ~after
        parkings = sum(came_by.pop(square) for square in scan(left))
        for square in scan(after & ~before):
            came_by[square] = parkings | 1 << len(steps)
            steps.append(_Step(square, before & after, left, parkings))
    return steps


def _cutting_off(
    tables: BoardTables, step: _Step, bases: Bitboard, squares: Bitboard, meter: Meter
) -> Generator[Progress, None, Bitboard]:
    """Return the ``squares`` where a box would cut a step's box off from an origin it could come from before."""
    target = 1 << step.square
    origins = step.origin or bases
    origins &= LoneBox(tables.board, step.boxes).squares_towards(target) & ~target
    if not origins:
        return 0
    found = 0
    for square in scan(squares & ~step.boxes & ~target):
        yield meter.progress()
        box = 1 << square
        if origins & ~box & ~LoneBox(tables.board, step.boxes | box).squares_towards(target):
            found |= box
    return found


class Assignment:
    """Steps of a plan by the squares they can be done from (``steps_from[square]``); see ``make_assignment``."""

    def __init__(self, plan: PackingPlan, step_of: dict[Square, Steps], steps_from: Sequence[Steps]) -> None:
        """``step_of``: the step that fills a square for good."""
        self._plan = plan
        self._step_of = step_of
        self.steps_from = steps_from
        self._all = sum(step_of.values())

    def unmatched(self, boxes: Bitboard) -> int:
        """Return the number of remaining steps without a box."""
        loose, left = self._loose(boxes)
        return left.bit_count() - self._most(loose, left)

    def movers(self, boxes: Bitboard, candidates: Bitboard, target: Square) -> Bitboard:
        """Return the candidates for the next step, onto ``target``, that leave boxes for the most other steps.

        Returns all candidates if none can do it, or if the step only parks a box.
        """
        packed = self._plan.packed[self._plan.step(boxes) + 1]
        this = self._step_of[target] if packed >> target & 1 else 0
        loose, left = self._loose(boxes)
        left &= ~this
        # Boxes that can do the same other steps are interchangeable.
        alike: dict[Steps, Bitboard] = {}
        for box in scan(candidates):
            if self.steps_from[box] & this:
                others = self.steps_from[box] & left
                alike[others] = alike.get(others, 0) | 1 << box
        if not alike:
            return candidates
        most = {group: self._most(loose ^ group & -group, left) for group in alike.values()}
        best = max(most.values())
        return sum(group for group, count in most.items() if count == best)

    def _loose(self, boxes: Bitboard) -> tuple[Bitboard, Steps]:
        """Return the boxes not packed for good, and the steps not done for good."""
        packed = self._plan.packed[self._plan.step(boxes)] & boxes
        return boxes ^ packed, self._all ^ sum(self._step_of[square] for square in scan(packed))

    def _most(self, boxes: Bitboard, steps: Steps) -> int:
        return count_matched([self.steps_from[box] & steps for box in scan(boxes)])


def make_assignment(tables: BoardTables, plan: PackingPlan, meter: Meter) -> Generator[Progress, None, Assignment]:
    step_of: dict[Square, Steps] = {}
    steps_from = [0] * (tables.stride * tables.board.height)
    for before, packed in pairwise([0, *plan.packed]):
        for square in scan(packed & ~before):
            yield meter.progress()
            step_of[square] = 1 << len(step_of)
            # Boxes that need not cross the square before being pushed there or, if there are none, any others.
            origins = LoneBox(tables.board, packed).squares_before(square)
            origins = origins or LoneBox(tables.board, before).squares_towards(1 << square)
            for origin in scan(origins | 1 << square):
                steps_from[origin] |= step_of[square]
    return Assignment(plan, step_of, steps_from)
